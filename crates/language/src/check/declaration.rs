//! Declarations: variables, types, functions.

use super::call::count;
use super::effects::FunctionFacts;
use super::index::Target;
use super::types::{contains_clock, error_expr, is_clock, is_number};
use super::{Checker, FunctionContext};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, Function, FunctionId, IndexType, Init, ParamMode, SymbolId, SymbolKind, Type};
use crate::source::Span;
use crate::syntax::{self, Decl, Declarator, FunctionDecl, Param, Prefix, TypeExpr};

impl Checker<'_> {
    /// Declarations of the global scope or of a template; returns the variables, constants, clocks and channels in order.
    pub(super) fn declarations(&mut self, decls: &[Decl]) -> Vec<SymbolId> {
        let mut variables = Vec::new();
        for decl in decls {
            match decl {
                Decl::Variables(ty, names) => variables.extend(self.variables(ty, names)),
                Decl::Typedef(ty, names) => self.typedefs(ty, names),
                Decl::Function(function) => self.function(function),
                Decl::Instantiation(instantiation) => self.instantiation(instantiation),
                Decl::ChanPriority(items, span) => self.channel_priorities(items, *span),
                Decl::BeforeUpdate(list, _) => self.model.before_update = self.updates(list),
                Decl::AfterUpdate(list, _) => self.model.after_update = self.updates(list),
                Decl::Foreign { construct, declares, span } => {
                    self.foreign(construct, *span);
                    if *construct == "import" {
                        self.foreign_functions.extend(declares.iter().map(|name| name.name.clone()));
                    }
                }
            }
        }
        variables
    }

    /// Variables of one declaration, in any scope.
    pub(super) fn variables(&mut self, ty: &TypeExpr, names: &[Declarator]) -> Vec<SymbolId> {
        let base = self.resolve_type(ty);
        if matches!(base, Type::Void) {
            self.error(Code::InvalidType, ty.span, "a variable cannot be void");
        }
        if matches!(base, Type::String) && !ty.has(Prefix::Const) {
            self.error(Code::InvalidType, ty.span, "strings must be constant");
        }
        match base {
            Type::Double => self.foreign("double", ty.span),
            Type::Clock { hybrid: true } => self.foreign("hybrid clock", ty.span),
            Type::String => self.foreign("string", ty.span),
            _ => {}
        }
        if self.function.is_some() && (contains_clock(&base) || matches!(base, Type::Chan { .. })) {
            let message = format!("a function cannot have a local {}", self.noun(&base));

            self.error(Code::InvalidType, ty.span, message);
        }
        names.iter().map(|declarator| self.variable(ty, base.clone(), declarator)).collect()
    }

    fn variable(&mut self, written: &TypeExpr, base: Type, declarator: &Declarator) -> SymbolId {
        let ty = self.with_dimensions(base, &declarator.dimensions);
        let init = declarator.init.as_ref().map(|init| self.initialiser(init, &ty));
        let constant = written.has(Prefix::Const);
        // What a function declares is initialised whenever it runs.
        let is_local = self.function.is_some();
        let is_computable = !is_local || init.as_ref().is_none_or(|init| self.is_computable(init));
        if let (Some(init), false) = (&init, is_local) {
            self.require_computable_init(init);
        }
        if constant && init.is_none() {
            let message = format!("the constant `{}` has no value", declarator.name.name);
            let diagnostic = Diagnostic::new(Code::MissingInitialiser, declarator.name.span, message)
                .hint(format!("write `{} = …`", declarator.name.name));
            self.report(diagnostic);
        }
        let kind = if constant {
            SymbolKind::Constant(init)
        } else {
            SymbolKind::Variable { meta: written.has(Prefix::Meta), init }
        };
        let id = self.declare(&declarator.name, kind, ty);
        self.facts[id.index()] = self.facts_of(id);
        self.facts[id.index()].computable &= is_computable;
        id
    }

    fn require_computable_init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) if self.template.is_some() && self.reads_only_references(expr) => {}
            Init::Expr(expr) => self.require_computable(expr, "an initial value"),
            Init::List(items, _) => {
                for item in items {
                    self.require_computable_init(item);
                }
            }
        }
    }

    /// Matches an initialiser with a type; fields are put into the order of the struct.
    fn initialiser(&mut self, init: &syntax::Init, ty: &Type) -> Init {
        match (init, ty) {
            (syntax::Init::Expr(expr), _) => Init::Expr(self.initial_value(expr, ty)),
            (syntax::Init::List(items, span), Type::Array(array)) => {
                self.array_initialiser(items, *span, array)
            }
            (syntax::Init::List(items, span), Type::Struct(structure)) => {
                self.struct_initialiser(items, *span, structure)
            }
            (syntax::Init::List(_, span), Type::Error) => Init::Expr(error_expr(*span)),
            (syntax::Init::List(_, span), ty) => {
                let message = format!("a list cannot initialise {}", self.describe(ty));
                self.error(Code::BadInitialiser, *span, message);
                Init::Expr(error_expr(*span))
            }
        }
    }

    fn initial_value(&mut self, expr: &syntax::Expr, ty: &Type) -> Expr {
        let value = self.expr(expr);
        if matches!(ty, Type::Chan { .. }) {
            self.foreign("a channel as the initial value of another", value.span);
        }
        let from_clock = is_clock(&value.ty) && !matches!(ty, Type::Error);
        if self.assignable(ty, &value.ty, value.span) && !from_clock {
            return value;
        }
        let (expected, found) = (self.describe(ty), self.describe(&value.ty));
        let message = format!("{expected} cannot be initialised with {found}");
        let mut diagnostic = Diagnostic::new(Code::BadInitialiser, value.span, message);
        if matches!(ty, Type::Array(_)) && is_number(&value.ty) {
            diagnostic = diagnostic.hint("write a list: `{ … }`");
        } else if from_clock && is_clock(ty) {
            diagnostic = diagnostic.hint("clocks start at 0, or at a constant");
        }
        self.report(diagnostic);
        error_expr(value.span)
    }

    fn array_initialiser(
        &mut self,
        items: &[(Option<syntax::Ident>, syntax::Init)],
        span: Span,
        array: &crate::model::ArrayType,
    ) -> Init {
        if matches!(array.index, IndexType::Type(Type::Scalar(..))) {
            let message = "an array over a scalar set cannot be initialised: its members have no order";
            self.error(Code::BadInitialiser, span, message);
        }
        if let Some((low, high)) = self.index_bounds(&array.index) {
            let size = high - low + 1;
            if items.len() as i64 != size && size > 0 {
                let message = format!(
                    "the array has {}, and the list {}",
                    count(size as usize, "element"),
                    items.len()
                );
                self.error(Code::BadInitialiser, span, message);
            }
        }
        let mut list = Vec::new();
        for (name, item) in items {
            if let Some(name) = name {
                self.error(Code::BadInitialiser, name.span, "elements of an array have no names");
            }
            list.push(self.initialiser(item, &array.element));
        }
        Init::List(list, span)
    }

    fn struct_initialiser(
        &mut self,
        items: &[(Option<syntax::Ident>, syntax::Init)],
        span: Span,
        structure: &crate::model::StructType,
    ) -> Init {
        let mut list: Vec<Option<Init>> = vec![None; structure.fields.len()];
        let mut complete = true;
        for (position, (name, item)) in items.iter().enumerate() {
            let named = name.as_ref().map(|name| self.field_position(name, structure));
            let Some(position) = named.unwrap_or(Some(position)) else {
                complete = false;
                continue;
            };
            let Some((field, ty)) = structure.fields.get(position).cloned() else {
                let (fields, values) = (count(structure.fields.len(), "field"), items.len());
                self.error(
                    Code::BadInitialiser,
                    item.span(),
                    format!("the struct has {fields}, and the list {values}"),
                );
                complete = false;
                break;
            };
            let value = self.initialiser(item, &ty);
            if list[position].replace(value).is_some() {
                let span = name.as_ref().map_or(item.span(), |name| name.span);
                self.error(Code::BadInitialiser, span, format!("the field `{field}` is initialised twice"));
                complete = false;
            }
        }
        // One message is enough: the mistake above may be why a field has no value.
        let missing = structure.fields.iter().zip(&list).filter(|(_, value)| complete && value.is_none());
        let missing: Vec<_> = missing.map(|((field, _), _)| format!("`{field}`")).collect();
        match &missing[..] {
            [] => {}
            [field] => self.error(Code::BadInitialiser, span, format!("the field {field} has no value")),
            several => {
                let message = format!("the fields {} have no values", several.join(", "));
                self.error(Code::BadInitialiser, span, message);
            }
        }
        let list = list.into_iter().map(|value| value.unwrap_or(Init::Expr(error_expr(span)))).collect();
        Init::List(list, span)
    }

    fn field_position(
        &mut self,
        name: &syntax::Ident,
        structure: &crate::model::StructType,
    ) -> Option<usize> {
        let found = structure.fields.iter().position(|(field, _)| *field == name.name);
        match found {
            Some(position) => self.note(name.span, Target::Field(structure.declared[position])),
            None => self.report_unknown_field(name, structure),
        }
        found
    }

    pub(super) fn typedefs(&mut self, ty: &TypeExpr, names: &[Declarator]) {
        let base = self.resolve_type(ty);
        for declarator in names {
            let ty = self.with_dimensions(base.clone(), &declarator.dimensions);
            let id = self.declare(&declarator.name, SymbolKind::Type, ty);
            self.facts[id.index()].computable = true;
        }
    }

    fn function(&mut self, decl: &FunctionDecl) {
        let result = self.resolve_type(&decl.result);
        if matches!(result, Type::Array(_) | Type::Chan { .. } | Type::Clock { .. } | Type::String) {
            let message = format!("a function cannot return {}", self.describe(&result));
            self.error(Code::InvalidType, decl.result.span, message);
        }
        if matches!(result, Type::Double) {
            self.foreign("double", decl.result.span);
        }
        let id = FunctionId(self.model.functions.len() as u32);
        self.declare(&decl.name, SymbolKind::Function(id), Type::NoValue);
        let context = FunctionContext {
            name: decl.name.name.clone(),
            result: result.clone(),
            first_local: self.model.symbols.len(),
            writes_outside: false,
            writes_params: Vec::new(),
            reads_outside: false,
        };
        self.function = Some(context);
        self.scopes.open();
        let params: Vec<_> = decl.params.iter().map(|param| self.param(param, true)).collect();
        let body = self.block(&decl.body);
        self.scopes.close();
        let context = self.function.take().expect("set above");
        if !matches!(result, Type::Void | Type::Error) && !super::statement::returns(&decl.body.statements) {
            let message = format!("`{}` may end without returning a value", decl.name.name);
            let diagnostic =
                Diagnostic::new(Code::MissingReturn, decl.name.span, message).hint("end it with a `return`");
            self.report(diagnostic);
        }
        let writes_params: Vec<bool> =
            params.iter().map(|param| context.writes_params.contains(param)).collect();
        let has_side_effects = context.writes_outside || writes_params.contains(&true);
        self.function_facts.push(FunctionFacts { writes_globals: context.writes_outside, writes_params });
        self.model.functions.push(Function {
            name: decl.name.name.clone(),
            template: self.template,
            params,
            result,
            body,
            has_side_effects,
            reads_state: context.reads_outside,
            span: decl.name.span,
        });
    }

    /// A parameter of a function, a template or an instantiation.
    pub(super) fn param(&mut self, param: &Param, of_function: bool) -> SymbolId {
        let base = self.resolve_type(&param.ty);
        let ty = self.with_dimensions(base, &param.dimensions);
        let mut mode = match (param.reference, param.ty.has(Prefix::Const)) {
            (true, _) => ParamMode::Reference,
            (false, true) => ParamMode::Const,
            (false, false) => ParamMode::Value,
        };
        let element = innermost(&ty);
        if mode != ParamMode::Reference && matches!(element, Type::Clock { .. } | Type::Chan { .. }) {
            // Go on with what was meant.
            mode = ParamMode::Reference;
            let message = format!(
                "`{}` is {} and must be passed by reference",
                param.name.name,
                self.describe(element)
            );
            let diagnostic = Diagnostic::new(Code::InvalidType, param.name.span, message)
                .hint(format!("write `&{}`", param.name.name));
            self.report(diagnostic);
        }
        if matches!(element, Type::Void) {
            self.error(Code::InvalidType, param.ty.span, "a parameter cannot be void");
        }
        if matches!(element, Type::Double) {
            self.foreign("double", param.ty.span);
        }
        let id = self.declare(&param.name, SymbolKind::Param(mode), ty);
        self.facts[id.index()].computable = mode != ParamMode::Reference && !of_function;
        id
    }
}

/// The element type of an array of arrays of …
pub(super) fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => innermost(&array.element),
        other => other,
    }
}
