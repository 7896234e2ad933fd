//! Expressions: names are resolved and every part gets a type.

use super::Checker;
use super::index::Target;
use super::scope::Wanted;
use super::types::{error_expr, is_clock, is_integral, is_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    ConstraintKind, Expr, ExprKind, IndexType, Init, Quantifier, StructType, SymbolId, SymbolKind, Type,
    UnaryOp,
};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::{self, Ident};

impl Checker<'_> {
    /// Types an expression whose value is used.
    pub(super) fn expr(&mut self, expr: &syntax::Expr) -> Expr {
        let typed = self.expr_without_reading(expr);
        self.note_read(&typed);
        typed
    }

    /// A value that is an integer or a truth value.
    pub(super) fn integral(&mut self, expr: &syntax::Expr, what: &str) -> Expr {
        let typed = self.expr(expr);
        if is_integral(&typed.ty) {
            return typed;
        }
        let code = if is_clock(&typed.ty) || matches!(typed.ty, Type::Constraint(_) | Type::Difference) {
            Code::ReadsClock
        } else {
            Code::TypeMismatch
        };
        let message = format!("{what} must be an integer, not {}", self.describe(&typed.ty));
        self.error(code, typed.span, message);
        error_expr(typed.span)
    }

    /// Marks the variable an lvalue belongs to as read; index expressions inside have been marked already.
    fn note_read(&mut self, expr: &Expr) {
        if matches!(expr.kind, ExprKind::Symbol(_) | ExprKind::Index(..) | ExprKind::Field(..))
            && let Some(id) = super::effects::root(expr)
        {
            self.mark_read(id);
        }
    }

    /// Types an expression; the variable it names itself is not marked as read.
    pub(super) fn expr_without_reading(&mut self, expr: &syntax::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            syntax::ExprKind::Bool(value) => Expr { kind: ExprKind::Bool(*value), ty: Type::Bool, span },
            syntax::ExprKind::Int(value) => super::builtins::integer(*value, span),
            syntax::ExprKind::Double(text) => {
                self.foreign("double", span);
                Expr { kind: ExprKind::Double(text.parse().unwrap_or(f64::NAN)), ty: Type::Double, span }
            }
            syntax::ExprKind::String(text) => {
                Expr { kind: ExprKind::String(text.clone()), ty: Type::String, span }
            }
            syntax::ExprKind::Name(name) => self.name(&Ident::new(name.clone(), span)),
            syntax::ExprKind::Call(callee, args) => self.call(callee, args, span),
            syntax::ExprKind::Index(base, index) => self.index(base, index, span),
            syntax::ExprKind::Field(base, field) => self.field(base, field, span),
            syntax::ExprKind::Rate(clock) => self.rate(clock, span),
            syntax::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            syntax::ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.binary(*op, left, right, span)
            }
            syntax::ExprKind::Assign(op, target, value) => self.assignment(*op, target, value, span),
            syntax::ExprKind::Step { increment, prefix, target } => {
                self.step(*increment, *prefix, target, span)
            }
            syntax::ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, span)
            }
            syntax::ExprKind::Quantified(quantifier, binder, ty, body) => {
                self.quantified(*quantifier, binder, ty, body, span)
            }
            syntax::ExprKind::Deadlock => self.deadlock(span),
            syntax::ExprKind::Foreign(construct) => {
                self.foreign(construct, span);
                error_expr(span)
            }
            syntax::ExprKind::Error => error_expr(span),
        }
    }

    fn deadlock(&mut self, span: Span) -> Expr {
        if !self.in_query {
            let diagnostic =
                Diagnostic::new(Code::BadDeadlock, span, "`deadlock` can only be asked in a query");
            self.report(diagnostic);
            return error_expr(span);
        }
        Expr { kind: ExprKind::Deadlock, ty: Type::Bool, span }
    }

    fn name(&mut self, name: &Ident) -> Expr {
        let found = self.scopes.find(&name.name);
        if let Some(id) = found {
            self.note(name.span, Target::Symbol(id));
        }
        if let Some(process) = self.find_process(&name.name)
            && self.processes_visible
            && !self.is_shadowed(&name.name)
        {
            let message = format!("`{}` is a process, not a value", name.name);
            let process = &self.model.processes[process];
            let example = self.example_process(process);
            let template = self.model.template(self.template_of(process.callee));
            let location = template.locations.first().map_or("l", |location| &*location.name);
            let hint = format!("ask for one of its locations or variables, as in `{example}.{location}`");
            self.report(Diagnostic::new(Code::NotAValue, name.span, message).hint(hint));
            return error_expr(name.span);
        }
        if let Some(id) = found {
            return self.symbol(id, name);
        }
        self.lookup(name, Wanted::Value);
        error_expr(name.span)
    }

    fn symbol(&mut self, id: SymbolId, name: &Ident) -> Expr {
        let symbol = self.model.symbol(id);
        let (what, hint) = match &symbol.kind {
            // Nobody declares these, so they have no place in a network.
            SymbolKind::Constant(Some(Init::Expr(value)))
                if symbol.span == Span::default()
                    && matches!(value.kind, ExprKind::Int(_) | ExprKind::Double(_)) =>
            {
                return Expr { kind: value.kind.clone(), ty: symbol.ty.clone(), span: name.span };
            }
            SymbolKind::Constant(_)
            | SymbolKind::Variable { .. }
            | SymbolKind::Param(_)
            | SymbolKind::Binder
            | SymbolKind::Cost => {
                let ty = symbol.ty.clone();
                return Expr { kind: ExprKind::Symbol(id), ty, span: name.span };
            }
            SymbolKind::Function(_) => ("a function", format!("call it: `{}(…)`", name.name)),
            SymbolKind::Type => {
                ("a type", "to count over a type, use `forall`, `exists` or `sum`".to_owned())
            }
            SymbolKind::Template(_) if self.processes_visible => {
                ("a template", "queries speak of processes, which the system line names".to_owned())
            }
            SymbolKind::Instance(_) if self.processes_visible => (
                "a process that is not on the system line",
                "only processes that run can be asked about".to_owned(),
            ),
            SymbolKind::Template(_) => ("a template", "it can only be instantiated".to_owned()),
            SymbolKind::Instance(_) => {
                ("a process", "processes can only be asked about in queries".to_owned())
            }
            SymbolKind::Location(..) => {
                ("a location", "locations can only be asked about in queries, as `P.l`".to_owned())
            }
        };
        let message = format!("`{}` is {what}, not a value", name.name);
        self.report(Diagnostic::new(Code::NotAValue, name.span, message).hint(hint));
        error_expr(name.span)
    }

    fn index(&mut self, base: &syntax::Expr, index: &syntax::Expr, span: Span) -> Expr {
        let base = self.expr_without_reading(base);
        let index = self.expr(index);
        let Type::Array(array) = base.ty.clone() else {
            if !matches!(base.ty, Type::Error) {
                let message = format!("only arrays can be indexed, and this is {}", self.describe(&base.ty));
                self.error(Code::TypeMismatch, base.span, message);
            }
            return error_expr(span);
        };
        self.check_index(&array.index, &index);
        Expr { kind: ExprKind::Index(Box::new(base), Box::new(index)), ty: array.element.clone(), span }
    }

    fn check_index(&mut self, expected: &IndexType, index: &Expr) {
        let fits = match (expected, &index.ty) {
            (IndexType::Type(Type::Scalar(set, _)), Type::Scalar(other, _)) => set == other,
            (IndexType::Type(Type::Scalar(..)), ty) => matches!(ty, Type::Error),
            (_, ty) => is_integral(ty),
        };
        if !fits {
            let message = format!("this array cannot be indexed by {}", self.describe(&index.ty));
            self.error(Code::TypeMismatch, index.span, message);
            return;
        }
        if let (Some((low, high)), Some(value)) = (self.index_bounds(expected), self.constant(index))
            && !(low..=high).contains(&value)
        {
            let message = format!("the index {value} is outside the array, which goes from {low} to {high}");
            self.error(Code::ConstantOutOfRange, index.span, message);
        }
    }

    fn field(&mut self, base: &syntax::Expr, field: &Ident, span: Span) -> Expr {
        if let Some(process) = self.process_reference(base) {
            return match process {
                Some(process) => self.member(process, field, span),
                None => error_expr(span),
            };
        }
        if self.is_foreign_process(base) {
            return error_expr(span);
        }
        let base = self.expr_without_reading(base);
        let Type::Struct(structure) = base.ty.clone() else {
            if !matches!(base.ty, Type::Error) {
                let message =
                    format!("`.{}` needs a struct, and this is {}", field.name, self.describe(&base.ty));
                self.error(Code::NoMembers, base.span, message);
            }
            return error_expr(span);
        };
        let Some(position) = structure.fields.iter().position(|(name, _)| *name == field.name) else {
            self.report_unknown_field(field, &structure);
            return error_expr(span);
        };
        self.note(field.span, Target::Field(structure.declared[position]));
        let ty = structure.fields[position].1.clone();
        Expr { kind: ExprKind::Field(Box::new(base), position), ty, span }
    }

    pub(super) fn report_unknown_field(&mut self, field: &Ident, structure: &StructType) {
        let message = format!("the struct has no field `{}`", field.name);
        let mut diagnostic = Diagnostic::new(Code::UnknownMember, field.span, message);
        let names: Vec<_> = structure.fields.iter().map(|(name, _)| &**name).collect();
        if let Some(near) = nearest(&field.name, names.iter().copied()) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else if (1..=12).contains(&names.len()) {
            diagnostic = diagnostic.hint(format!("its fields are {}", names.join(", ")));
        }
        self.report(diagnostic);
    }

    /// `Q.a` outside queries: processes do not see each other.
    fn is_foreign_process(&mut self, base: &syntax::Expr) -> bool {
        let Some((name, _)) = super::call::process_name(base) else { return false };
        let Some(id) = self.scopes.find(&name) else { return false };
        let is_process =
            matches!(self.model.symbol(id).kind, SymbolKind::Template(_) | SymbolKind::Instance(_));
        if is_process {
            self.note(super::call::head(base).span, Target::Symbol(id));
            let message = format!("what `{name}` does can only be asked about in queries");
            let hint = "processes share global variables and channels, nothing else";
            self.report(Diagnostic::new(Code::NotAValue, base.span, message).hint(hint));
        }
        is_process
    }

    fn rate(&mut self, clock: &syntax::Expr, span: Span) -> Expr {
        let clock = self.expr_without_reading(clock);
        if !matches!(clock.ty, Type::Clock { .. } | Type::Cost | Type::Error) {
            let message = format!("only clocks have a rate, and this is {}", self.describe(&clock.ty));
            self.error(Code::TypeMismatch, clock.span, message);
            return error_expr(span);
        }
        Expr { kind: ExprKind::Rate(Box::new(clock)), ty: Type::Rate, span }
    }

    fn unary(&mut self, op: UnaryOp, operand: &syntax::Expr, span: Span) -> Expr {
        let operand = self.expr(operand);
        let ty = match (op, &operand.ty) {
            (_, Type::Error) => Type::Error,
            (UnaryOp::Not, Type::Constraint(kind)) if *kind != ConstraintKind::InvariantWithRates => {
                Type::Constraint(ConstraintKind::Any)
            }
            (UnaryOp::Not, ty) if is_number(ty) => Type::Bool,
            (UnaryOp::Minus | UnaryOp::Plus, Type::Double) => Type::Double,
            (UnaryOp::Minus | UnaryOp::Plus, ty) if is_integral(ty) => Type::Int(None),
            (UnaryOp::Minus | UnaryOp::Plus, Type::Clock { .. } | Type::Difference | Type::Rate) => {
                self.foreign("arithmetic on clocks", span);
                Type::Double
            }
            (_, ty) => {
                let symbol = match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Minus => "-",
                    UnaryOp::Plus => "+",
                };
                let message = format!("`{symbol}` cannot be applied to {}", self.describe(ty));
                self.error(Code::TypeMismatch, span, message);
                Type::Error
            }
        };
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span }
    }

    fn conditional(
        &mut self,
        condition: &syntax::Expr,
        then: &syntax::Expr,
        otherwise: &syntax::Expr,
        span: Span,
    ) -> Expr {
        let condition = self.condition(condition, "the condition");
        let (then, otherwise) = (self.expr(then), self.expr(otherwise));
        let ty = match (&then.ty, &otherwise.ty) {
            (Type::Error, ty) | (ty, Type::Error) => ty.clone(),
            (Type::Bool, Type::Bool) => Type::Bool,
            (a, b) if is_integral(a) && is_integral(b) => Type::Int(None),
            (a, b) if is_number(a) && is_number(b) => Type::Double,
            (Type::Constraint(_), _) | (_, Type::Constraint(_)) => {
                let diagnostic =
                    Diagnostic::new(Code::TypeMismatch, span, "clock constraints cannot be chosen by `?:`")
                        .hint("write `(c && x <= 1) || (!c && x <= 2)`, or put the choice into the bound: `x <= (c ? 1 : 2)`");
                self.report(diagnostic);
                Type::Error
            }
            (Type::Chan { urgent, broadcast }, Type::Chan { urgent: u, broadcast: b }) => {
                Type::Chan { urgent: *urgent || *u, broadcast: *broadcast && *b }
            }
            (a, b) if is_clock(a) && is_number(b) || is_number(a) && is_clock(b) => Type::Double,
            (a, b) if self.equivalent(a, b) => a.clone(),
            (a, b) => {
                let message =
                    format!("the two values of `?:` are {} and {}", self.describe(a), self.describe(b));
                self.error(Code::TypeMismatch, span, message);
                Type::Error
            }
        };
        Expr {
            kind: ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)),
            ty,
            span,
        }
    }

    /// A truth value that may depend on clocks (of `if`, `while`, `?:`).
    pub(super) fn condition(&mut self, expr: &syntax::Expr, what: &str) -> Expr {
        let typed = self.expr(expr);
        match &typed.ty {
            Type::Constraint(kind) if *kind != ConstraintKind::InvariantWithRates => {}
            ty if is_number(ty) => {}
            ty => {
                let message = format!("{what} must be true or false, not {}", self.describe(ty));
                self.report(compare_hint(Diagnostic::new(Code::TypeMismatch, typed.span, message), &typed));
            }
        }
        if let ExprKind::Assign(None, ..) = typed.kind {
            let diagnostic = Diagnostic::new(
                Code::AssignmentAsCondition,
                typed.span,
                "an assignment is used as a condition",
            )
            .hint("did you mean `==`?");
            self.report(diagnostic);
        }
        typed
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binder: &Ident,
        ty: &syntax::TypeExpr,
        body: &syntax::Expr,
        span: Span,
    ) -> Expr {
        let domain = self.domain(ty, &format!("`{}`", quantifier.keyword()));
        self.scopes.open();
        let id = self.declare(binder, SymbolKind::Binder, domain);
        self.facts[id.index()].computable = true;
        let body = self.expr(body);
        self.scopes.close();
        let ty = match (quantifier, &body.ty) {
            (_, Type::Error) => Type::Error,
            (Quantifier::Sum, Type::Double) => Type::Double,
            (Quantifier::Sum, ty) if is_integral(ty) => Type::Int(None),
            (Quantifier::Forall, Type::Constraint(kind)) => Type::Constraint(*kind),
            (Quantifier::Exists, Type::Constraint(kind)) if *kind != ConstraintKind::InvariantWithRates => {
                Type::Constraint(ConstraintKind::Any)
            }
            (Quantifier::Forall | Quantifier::Exists, ty) if is_number(ty) => Type::Bool,
            (_, ty) => {
                let wanted = if quantifier == Quantifier::Sum { "numbers" } else { "truth values" };
                let message =
                    format!("`{}` takes {wanted}, and this is {}", quantifier.keyword(), self.describe(ty));
                self.error(Code::TypeMismatch, body.span, message);
                Type::Error
            }
        };
        Expr { kind: ExprKind::Quantified(quantifier, id, Box::new(body)), ty, span }
    }
}

/// What to do about a clock that stands where a truth value is wanted.
pub(super) fn compare_hint(diagnostic: Diagnostic, expr: &Expr) -> Diagnostic {
    if is_clock(&expr.ty) || matches!(expr.ty, Type::Difference) {
        return diagnostic.hint("compare the clock with a number, as in `x >= 3`");
    }
    diagnostic
}
