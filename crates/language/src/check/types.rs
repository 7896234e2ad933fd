//! Types: from written to resolved, when two are the same, and how they are called in messages.

use super::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{ArrayType, Expr, ExprKind, IndexType, ScalarId, StructType, SymbolKind, Type};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::{self, Dimension, Ident, Prefix, TypeBase, TypeExpr};
use std::sync::Arc;

impl Checker<'_> {
    /// Resolves a written type.
    pub(super) fn resolve_type(&mut self, written: &TypeExpr) -> Type {
        self.check_prefixes(written);
        match &written.base {
            TypeBase::Name(name) => self.named_type(name, written),
            TypeBase::Int(None) => Type::Int(None),
            TypeBase::Int(Some(bounds)) => {
                let low = self.computable_integer(&bounds.0, "the lower bound of a range");
                let high = self.computable_integer(&bounds.1, "the upper bound of a range");
                Type::Int(Some(Arc::new((low, high))))
            }
            TypeBase::Bool => Type::Bool,
            TypeBase::Clock => Type::Clock { hybrid: written.has(Prefix::Hybrid) },
            TypeBase::Chan => {
                Type::Chan { urgent: written.has(Prefix::Urgent), broadcast: written.has(Prefix::Broadcast) }
            }
            TypeBase::Double => Type::Double,
            TypeBase::String => Type::String,
            TypeBase::Void => Type::Void,
            TypeBase::Scalar(size) => {
                let size = self.computable_integer(size, "the size of a scalar set");
                Type::Scalar(self.new_scalar(), Arc::new(size))
            }
            TypeBase::Struct(fields) => self.struct_type(fields),
        }
    }

    /// Scalar sets are told apart by the place of their declaration, which is unique in a model.
    fn new_scalar(&mut self) -> ScalarId {
        self.model.scalar_sets += 1;
        ScalarId(self.model.scalar_sets - 1)
    }

    fn named_type(&mut self, name: &Ident, written: &TypeExpr) -> Type {
        let Some(id) = self.scopes.find(&name.name) else {
            self.report_unknown_type(name);
            return Type::Error;
        };
        let symbol = self.model.symbol(id);
        if !matches!(symbol.kind, SymbolKind::Type) {
            let declared = symbol.span;
            let message = format!("`{}` is not a type", name.name);
            self.report(
                Diagnostic::new(Code::NotAType, name.span, message).related(declared, "declared here"),
            );
            return Type::Error;
        }
        match symbol.ty.clone() {
            Type::Chan { urgent, broadcast } => Type::Chan {
                urgent: urgent || written.has(Prefix::Urgent),
                broadcast: broadcast || written.has(Prefix::Broadcast),
            },
            other => other,
        }
    }

    fn report_unknown_type(&mut self, name: &Ident) {
        let message = format!("the type `{}` is not declared", name.name);
        let mut diagnostic = Diagnostic::new(Code::UnknownName, name.span, message);
        let keywords = ["int", "bool", "clock", "chan", "double", "void"];
        let mut known: Vec<_> = self
            .model
            .symbols
            .iter()
            .filter(|symbol| matches!(symbol.kind, SymbolKind::Type))
            .map(|symbol| symbol.name.clone())
            .collect();
        known.sort_unstable();
        if let Some(near) = nearest(&name.name, keywords.into_iter().chain(known.iter().map(|name| &**name)))
        {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic);
    }

    fn check_prefixes(&mut self, written: &TypeExpr) {
        for prefix in &written.prefixes {
            let fits = match prefix {
                Prefix::Urgent | Prefix::Broadcast => {
                    matches!(written.base, TypeBase::Chan | TypeBase::Name(_))
                }
                Prefix::Hybrid => matches!(written.base, TypeBase::Clock),
                Prefix::Const => !matches!(written.base, TypeBase::Clock | TypeBase::Chan | TypeBase::Void),
                Prefix::Meta => !matches!(
                    written.base,
                    TypeBase::Clock | TypeBase::Chan | TypeBase::Void | TypeBase::String
                ),
            };
            if !fits {
                let message = format!("`{}` cannot stand in front of this type", prefix.keyword());
                self.error(Code::InvalidType, written.span, message);
            }
        }
        let words = written.prefixes.len();
        let both = written.has(Prefix::Urgent) && written.has(Prefix::Broadcast);
        if words > 1 && !(words == 2 && both) {
            self.error(Code::InvalidType, written.span, "these words cannot be combined in front of a type");
        }
    }

    fn struct_type(&mut self, fields: &[syntax::FieldDecl]) -> Type {
        let mut resolved: Vec<(syntax::Name, Type)> = Vec::new();
        for field in fields {
            if field.ty.has(Prefix::Const) {
                self.error(Code::InvalidType, field.ty.span, "a field cannot be constant");
            }
            let base = self.resolve_type(&field.ty);
            if matches!(base, Type::Chan { .. } | Type::String | Type::Void) {
                let message = format!("a field cannot be of type {}", self.describe(&base));
                self.error(Code::InvalidType, field.ty.span, message);
            }
            for declarator in &field.names {
                if resolved.iter().any(|(name, _)| *name == declarator.name.name) {
                    let message = format!("the field `{}` is declared twice", declarator.name.name);
                    self.error(Code::DuplicateName, declarator.name.span, message);
                    continue;
                }
                let ty = self.with_dimensions(base.clone(), &declarator.dimensions);
                resolved.push((declarator.name.name.clone(), ty));
            }
        }
        Type::Struct(Arc::new(StructType { fields: resolved }))
    }

    /// Wraps a type into its array dimensions, the first written one outermost.
    pub(super) fn with_dimensions(&mut self, base: Type, dimensions: &[Dimension]) -> Type {
        let indices: Vec<IndexType> = dimensions.iter().map(|dimension| self.dimension(dimension)).collect();
        indices
            .into_iter()
            .rev()
            .fold(base, |element, index| Type::Array(Arc::new(ArrayType { index, element })))
    }

    fn dimension(&mut self, dimension: &Dimension) -> IndexType {
        match dimension {
            Dimension::Type(written) => {
                let ty = self.resolve_type(written);
                self.check_index_type(&ty, written.span);
                IndexType::Type(ty)
            }
            Dimension::Expr(expr) => {
                if let Some(ty) = self.type_of_name(expr) {
                    self.check_index_type(&ty, expr.span);
                    return IndexType::Type(ty);
                }
                let size = self.computable_integer(expr, "the size of an array");
                if let Some(value) = self.constant(&size).filter(|value| *value < 1) {
                    let message = format!("an array cannot have {value} elements");
                    self.error(Code::BadArraySize, expr.span, message);
                }
                IndexType::Size(size)
            }
        }
    }

    fn type_of_name(&mut self, expr: &syntax::Expr) -> Option<Type> {
        let syntax::ExprKind::Name(name) = &expr.kind else { return None };
        let symbol = self.model.symbol(self.scopes.find(name)?);
        matches!(symbol.kind, SymbolKind::Type).then(|| symbol.ty.clone())
    }

    fn check_index_type(&mut self, ty: &Type, span: Span) {
        if !matches!(ty, Type::Int(Some(_)) | Type::Scalar(..) | Type::Bool | Type::Error) {
            let message = format!("an array cannot be indexed by {}", self.describe(ty));
            let diagnostic = Diagnostic::new(Code::BadArraySize, span, message)
                .hint("use a size, a bounded integer type `int[a,b]` or a scalar set");
            self.report(diagnostic);
        }
    }

    /// An integer expression whose value is known before the run.
    pub(super) fn computable_integer(&mut self, expr: &syntax::Expr, what: &str) -> Expr {
        let expr = self.integral(expr, what);
        self.require_computable(&expr, what);
        expr
    }

    /// Whether a type can be iterated over: by quantifiers, `select`, `for` and process sets.
    pub(super) fn is_iterable(ty: &Type) -> bool {
        matches!(ty, Type::Int(Some(_)) | Type::Bool | Type::Scalar(..) | Type::Error)
    }

    /// Resolves the domain of a binder.
    pub(super) fn domain(&mut self, written: &TypeExpr, what: &str) -> Type {
        let ty = self.resolve_type(written);
        if Self::is_iterable(&ty) {
            return ty;
        }
        let message = format!("{what} needs a finite range, not {}", self.describe(&ty));
        let diagnostic = Diagnostic::new(Code::QuantifierDomain, written.span, message)
            .hint("use a bounded integer type such as `int[0,3]`, or a scalar set");
        self.report(diagnostic);
        Type::Error
    }

    /// Whether two types are the same, as references and whole assignments need it. Bounds that cannot be compared here count as equal; the
    /// network compares their values.
    pub(super) fn equivalent(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Bool, Type::Bool)
            | (Type::Double, Type::Double)
            | (Type::String, Type::String)
            | (Type::Clock { .. }, Type::Clock { .. })
            | (Type::Void, Type::Void) => true,
            (Type::Int(Some(a)), Type::Int(Some(b))) => self.same(&a.0, &b.0) && self.same(&a.1, &b.1),
            (Type::Int(_), Type::Int(_)) => true,
            (Type::Chan { urgent, broadcast }, Type::Chan { urgent: u, broadcast: b }) => {
                urgent == u && broadcast == b
            }
            (Type::Scalar(a, _), Type::Scalar(b, _)) => a == b,
            (Type::Array(a), Type::Array(b)) => {
                self.same_index(&a.index, &b.index) && self.equivalent(&a.element, &b.element)
            }
            (Type::Struct(a), Type::Struct(b)) => {
                a.fields.len() == b.fields.len()
                    && a.fields.iter().zip(&b.fields).all(|((n, t), (m, u))| n == m && self.equivalent(t, u))
            }
            _ => false,
        }
    }

    fn same(&self, a: &Expr, b: &Expr) -> bool {
        match (self.constant(a), self.constant(b)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }

    pub(super) fn same_index(&self, a: &IndexType, b: &IndexType) -> bool {
        match (self.index_bounds(a), self.index_bounds(b)) {
            (Some(a), Some(b)) => a == b,
            _ => match (a, b) {
                (IndexType::Type(Type::Scalar(a, _)), IndexType::Type(Type::Scalar(b, _))) => a == b,
                (IndexType::Type(Type::Scalar(..)), _) | (_, IndexType::Type(Type::Scalar(..))) => false,
                _ => true,
            },
        }
    }

    /// The bounds of an index, when they are known here.
    pub(super) fn index_bounds(&self, index: &IndexType) -> Option<(i64, i64)> {
        match index {
            IndexType::Size(size) => Some((0, self.constant(size)? - 1)),
            IndexType::Type(Type::Bool) => Some((0, 1)),
            IndexType::Type(Type::Int(Some(bounds))) => {
                Some((self.constant(&bounds.0)?, self.constant(&bounds.1)?))
            }
            IndexType::Type(_) => None,
        }
    }

    /// What a type is called in messages.
    pub(super) fn describe(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".into(),
            Type::Bool => "bool".into(),
            Type::Int(None) => "int".into(),
            Type::Int(Some(bounds)) => match (self.constant(&bounds.0), self.constant(&bounds.1)) {
                (Some(low), Some(high)) => format!("int[{low},{high}]"),
                _ => "a bounded int".into(),
            },
            Type::Double => "double".into(),
            Type::String => "string".into(),
            Type::Clock { hybrid: false } => "clock".into(),
            Type::Clock { hybrid: true } => "hybrid clock".into(),
            Type::Difference => "a difference of clocks".into(),
            Type::Chan { urgent, broadcast } => {
                let prefix = |set: bool, word: &'static str| if set { word } else { "" };
                format!("{}{}chan", prefix(*urgent, "urgent "), prefix(*broadcast, "broadcast "))
            }
            Type::Scalar(..) => "a scalar set".into(),
            Type::Array(array) => format!("an array of {}", self.describe(&array.element)),
            Type::Struct(_) => "a struct".into(),
            Type::Constraint(_) => "a clock constraint".into(),
            Type::Rate => "a rate".into(),
            Type::Cost => "the cost".into(),
            Type::Process => "a process".into(),
            Type::NoValue => "no value".into(),
            Type::Error => "unknown".into(),
        }
    }
}

/// Integers, truth values.
pub(super) fn is_integral(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Bool | Type::Error)
}

/// Integers, truth values and floating-point numbers.
pub(super) fn is_number(ty: &Type) -> bool {
    is_integral(ty) || matches!(ty, Type::Double)
}

pub(super) fn is_clock(ty: &Type) -> bool {
    matches!(ty, Type::Clock { .. })
}

/// An expression that has been reported.
pub(super) fn error_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, ty: Type::Error, span }
}
