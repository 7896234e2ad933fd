//! Types: from written to resolved, when two are the same, and how they are called in messages.

use super::Checker;
use super::index::Target;
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
            // An empty name stands for what the parser has complained of.
            if !name.name.is_empty() {
                self.report_unknown_type(name);
            }
            return Type::Error;
        };
        self.note(name.span, Target::Symbol(id));
        let symbol = self.model.symbol(id);
        if !matches!(symbol.kind, SymbolKind::Type) {
            let declared = symbol.span;
            let is_template = matches!(symbol.kind, SymbolKind::Template(_) | SymbolKind::Instance(_));
            let message = format!("`{}` is not a type", name.name);
            let mut diagnostic = Diagnostic::new(Code::NotAType, name.span, message);
            if declared != Span::default() {
                diagnostic = diagnostic.related(declared, "declared here");
            }
            if is_template {
                diagnostic = diagnostic.hint("name the type of its parameter");
            }
            self.report(diagnostic);
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
        if let Some(meant) = foreign_type(&name.name) {
            self.report(diagnostic.hint(format!("did you mean `{meant}`?")));
            return;
        }
        if let Some(span) = self.declared_later(&name.name) {
            self.report(diagnostic.related(span, "declared only here, behind its use"));
            return;
        }
        let keywords = ["int", "bool", "clock", "chan", "double", "void"];
        let known = self.scopes.sorted_names(|id| matches!(self.model.symbol(id).kind, SymbolKind::Type));
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
                let message =
                    format!("`{}` cannot be combined with {}", prefix.keyword(), base_name(&written.base));
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
        let mut declared = Vec::new();
        for field in fields {
            if field.ty.has(Prefix::Const) {
                self.error(Code::InvalidType, field.ty.span, "a field cannot be constant");
            }
            let base = self.resolve_type(&field.ty);
            if matches!(base, Type::Chan { .. } | Type::String | Type::Void) {
                let message = format!("a field cannot be {}", self.describe(&base));
                self.error(Code::InvalidType, field.ty.span, message);
            }
            for declarator in &field.names {
                if resolved.iter().any(|(name, _)| *name == declarator.name.name) {
                    let message = format!("the field `{}` is declared twice", declarator.name.name);
                    self.error(Code::DuplicateName, declarator.name.span, message);
                    continue;
                }
                let ty = self.with_dimensions(base.clone(), &declarator.dimensions);
                let span = declarator.name.span;
                self.note(span, Target::Field(span));
                declared.push(span);
                resolved.push((declarator.name.name.clone(), ty));
            }
        }
        let size = resolved.iter().map(|(_, ty)| extent(ty)).fold((1, 1), join);
        self.bounded(Type::Struct(Arc::new(StructType { fields: resolved, declared })), size, fields)
    }

    /// Types name each other, so that a short text can describe a huge one; every pass over it would take as long as it is large.
    fn bounded(&mut self, ty: Type, (depth, parts): (usize, usize), fields: &[syntax::FieldDecl]) -> Type {
        if depth <= MAX_DEPTH && parts <= MAX_PARTS {
            return ty;
        }
        let span = fields.last().map_or(Span::default(), |field| field.ty.span);
        self.report_too_large(span);
        Type::Error
    }

    fn report_too_large(&mut self, span: Span) {
        let message = format!("a type of more than {MAX_DEPTH} levels or {MAX_PARTS} parts");
        self.error(Code::NestingTooDeep, span, message);
    }

    /// Wraps a type into its array dimensions, the first written one outermost.
    pub(super) fn with_dimensions(&mut self, base: Type, dimensions: &[Dimension]) -> Type {
        let Some(last) = dimensions.last() else { return base };
        let indices: Vec<IndexType> = dimensions.iter().map(|dimension| self.dimension(dimension)).collect();
        if extent(&base).0 + indices.len() > MAX_DEPTH {
            let span = match last {
                Dimension::Expr(expr) => expr.span,
                Dimension::Type(ty) => ty.span,
            };
            self.report_too_large(span);
            return Type::Error;
        }
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
        let id = self.scopes.find(name)?;
        let symbol = self.model.symbol(id);
        let ty = matches!(symbol.kind, SymbolKind::Type).then(|| symbol.ty.clone())?;
        self.note(expr.span, Target::Symbol(id));
        Some(ty)
    }

    fn check_index_type(&mut self, ty: &Type, span: Span) {
        if !matches!(ty, Type::Int(Some(_)) | Type::Scalar(..) | Type::Bool | Type::Error) {
            let message = format!("an array needs bounds for its index, and this is {}", self.describe(ty));
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
        let message = format!("{what} needs a finite range, and this is {}", self.describe(&ty));
        let diagnostic = Diagnostic::new(Code::QuantifierDomain, written.span, message)
            .hint("use a bounded integer type such as `int[0,3]`, or a scalar set");
        self.report(diagnostic);
        Type::Error
    }

    /// Whether two types are the same, as references and whole assignments need it. Bounds that cannot be compared here count as equal; the
    /// network compares their values.
    pub(super) fn equivalent(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Int(Some(a)), Type::Int(Some(b))) => self.same(&a.0, &b.0) && self.same(&a.1, &b.1),
            (Type::Error, _)
            | (_, Type::Error)
            | (Type::Bool, Type::Bool)
            | (Type::Int(_), Type::Int(_))
            | (Type::Double, Type::Double)
            | (Type::String, Type::String)
            | (Type::Clock { .. }, Type::Clock { .. })
            | (Type::Void, Type::Void) => true,
            (Type::Chan { urgent, broadcast }, Type::Chan { urgent: u, broadcast: b }) => {
                urgent == u && broadcast == b
            }
            (Type::Scalar(a, _), Type::Scalar(b, _)) => a == b,
            (Type::Array(a), Type::Array(b)) => {
                Arc::ptr_eq(a, b)
                    || self.same_index(&a.index, &b.index) && self.equivalent(&a.element, &b.element)
            }
            (Type::Struct(a), Type::Struct(b)) if Arc::ptr_eq(a, b) => true,
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

    /// What a value of a type is called in messages: "an int", "a clock".
    pub(super) fn describe(&self, ty: &Type) -> String {
        let noun = self.noun(ty);
        match ty {
            Type::Cost | Type::NoValue | Type::Error => noun,
            _ if noun.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {noun}"),
            _ => format!("a {noun}"),
        }
    }

    /// As [`Checker::describe`], without the article.
    pub(super) fn noun(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void call".into(),
            Type::Bool => "bool".into(),
            Type::Int(None) => "int".into(),
            Type::Int(Some(bounds)) => match (self.constant(&bounds.0), self.constant(&bounds.1)) {
                (Some(low), Some(high)) => format!("int[{low},{high}]"),
                _ => "bounded int".into(),
            },
            Type::Double => "double".into(),
            Type::String => "string".into(),
            Type::Clock { hybrid: false } => "clock".into(),
            Type::Clock { hybrid: true } => "hybrid clock".into(),
            Type::Difference => "difference of clocks".into(),
            Type::Chan { urgent, broadcast } => {
                let prefix = |set: bool, word: &'static str| if set { word } else { "" };
                format!("{}{}channel", prefix(*urgent, "urgent "), prefix(*broadcast, "broadcast "))
            }
            Type::Scalar(..) => "scalar".into(),
            Type::Array(array) => match self.index_bounds(&array.index) {
                Some((low, high)) => format!("array of {} {}s", high - low + 1, self.noun(&array.element)),
                None => format!("array of {}s", self.noun(&array.element)),
            },
            Type::Struct(_) => "struct".into(),
            Type::Constraint(_) => "clock constraint".into(),
            Type::Rate => "rate".into(),
            Type::Cost => "the cost".into(),
            Type::Process => "process".into(),
            Type::NoValue => "no value".into(),
            Type::Error => "unknown".into(),
        }
    }
}

/// Types may be nested this deep, by way of names,
const MAX_DEPTH: usize = 100;
/// and have so many parts, array elements not counted.
const MAX_PARTS: usize = 10_000;

/// Levels and parts of a type. Its parts are within the limits, so this takes no longer than they allow.
fn extent(ty: &Type) -> (usize, usize) {
    match ty {
        Type::Array(array) => join((1, 1), extent(&array.element)),
        Type::Struct(structure) => structure.fields.iter().map(|(_, ty)| extent(ty)).fold((1, 1), join),
        _ => (0, 1),
    }
}

/// The extent of something around `(depth, parts)` that gets one more part.
fn join((depth, parts): (usize, usize), (inner, more): (usize, usize)) -> (usize, usize) {
    (depth.max(inner + 1), parts + more)
}

/// What the types of other languages are called here.
fn foreign_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "integer" | "long" | "short" | "byte" | "unsigned" | "nat" | "natural" => "int",
        "boolean" => "bool",
        "float" | "real" | "number" => "double",
        "channel" | "event" | "signal" => "chan",
        "timer" | "time" => "clock",
        _ => return None,
    })
}

fn base_name(base: &TypeBase) -> String {
    let name = match base {
        TypeBase::Name(name) => &*name.name,
        TypeBase::Int(_) => "int",
        TypeBase::Bool => "bool",
        TypeBase::Clock => "clock",
        TypeBase::Chan => "chan",
        TypeBase::Double => "double",
        TypeBase::String => "string",
        TypeBase::Void => "void",
        TypeBase::Scalar(_) => "scalar",
        TypeBase::Struct(_) => "struct",
    };
    format!("`{name}`")
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

/// Whether values of a type have clocks in them.
pub(super) fn contains_clock(ty: &Type) -> bool {
    match ty {
        Type::Clock { .. } => true,
        Type::Array(array) => contains_clock(&array.element),
        Type::Struct(structure) => structure.fields.iter().any(|(_, ty)| contains_clock(ty)),
        _ => false,
    }
}
