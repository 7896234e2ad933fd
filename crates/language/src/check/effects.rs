//! What expressions do besides having a value: writes, reads of state, and what can be computed before the run.

use super::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, Expr, ExprKind, Init, SymbolId, SymbolKind, UnaryOp};

/// What is known about a symbol beyond the model.
#[derive(Clone, Copy, Default)]
pub(super) struct SymbolFacts {
    /// Its value is known before the run: constants, value parameters of templates, binders of quantifiers.
    pub(super) computable: bool,
    /// Its value is used somewhere.
    pub(super) read: bool,
    /// It was made by us.
    pub(super) builtin: bool,
    /// Its value, for constants where it can be told without instantiating anything.
    pub(super) value: Option<i64>,
}

/// What is known about a function beyond the model.
#[derive(Clone, Default)]
pub(super) struct FunctionFacts {
    /// It writes variables outside itself, not counting its parameters.
    pub(super) writes_globals: bool,
    /// Which of its reference parameters it writes.
    pub(super) writes_params: Vec<bool>,
}

impl Checker<'_> {
    /// Calls `visit` for the expression and all its parts; stops early when it returns `true`.
    pub(super) fn any_part(expr: &Expr, visit: &mut dyn FnMut(&Expr) -> bool) -> bool {
        if visit(expr) {
            return true;
        }
        match &expr.kind {
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                Self::any_part(a, visit) || Self::any_part(b, visit)
            }
            ExprKind::Field(a, _)
            | ExprKind::Unary(_, a)
            | ExprKind::Rate(a)
            | ExprKind::Quantified(_, _, a)
            | ExprKind::Step { target: a, .. } => Self::any_part(a, visit),
            ExprKind::Conditional(a, b, c) => {
                Self::any_part(a, visit) || Self::any_part(b, visit) || Self::any_part(c, visit)
            }
            ExprKind::Call(_, args) | ExprKind::Builtin(_, args) => {
                args.iter().any(|arg| Self::any_part(arg, visit))
            }
            ExprKind::Member(process, _)
            | ExprKind::AtLocation(process, _)
            | ExprKind::LocationIndex(process) => process.args.iter().any(|arg| Self::any_part(arg, visit)),
            _ => false,
        }
    }

    /// What is known about a symbol of a model that has been checked before.
    pub(super) fn facts_of(&self, id: SymbolId) -> SymbolFacts {
        let value = match &self.model.symbol(id).kind {
            SymbolKind::Constant(Some(Init::Expr(value))) => self.constant(value),
            _ => None,
        };
        let computable = matches!(
            self.model.symbol(id).kind,
            SymbolKind::Constant(_) | SymbolKind::Type | SymbolKind::Cost
        );
        SymbolFacts { computable, value, ..SymbolFacts::default() }
    }

    /// Whether evaluating this part of an expression changes anything, apart from what its own parts do.
    fn changes_something(&self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Assign(..) | ExprKind::Step { .. } => true,
            ExprKind::Call(function, _) => self.model.function(*function).has_side_effects,
            _ => false,
        }
    }

    /// Whether evaluating the expression changes anything.
    pub(super) fn has_side_effect(&self, expr: &Expr) -> bool {
        Self::any_part(expr, &mut |part| self.changes_something(part))
    }

    /// Reports a side effect where none is allowed; `false` if there was one.
    pub(super) fn require_pure(&mut self, expr: &Expr, place: &str) -> bool {
        let mut culprit = None;
        Self::any_part(expr, &mut |part| {
            if self.changes_something(part) {
                culprit = Some((part.span, part.kind.clone()));
            }
            culprit.is_some()
        });
        let Some((span, kind)) = culprit else { return true };
        let diagnostic = Diagnostic::new(Code::SideEffect, span, format!("{place} must not change anything"));
        let diagnostic = match kind {
            ExprKind::Assign(None, ..) => diagnostic.label("this assigns").hint("did you mean `==`?"),
            ExprKind::Call(function, _) => {
                let function = self.model.function(function);
                let label = format!("`{}` changes variables", function.name);
                diagnostic.label(label).related(function.span, "declared here")
            }
            _ => diagnostic.label("this changes a variable"),
        };
        self.report(diagnostic);
        false
    }

    /// Whether an initial value can be computed before the run.
    pub(super) fn is_computable(&self, init: &Init) -> bool {
        match init {
            Init::Expr(expr) => self.state_dependence(expr).is_none(),
            Init::List(items, _) => items.iter().all(|item| self.is_computable(item)),
        }
    }

    /// A part of the expression that cannot be computed before the run.
    fn state_dependence(&self, expr: &Expr) -> Option<Expr> {
        let mut culprit = None;
        Self::any_part(expr, &mut |part| {
            let depends = match &part.kind {
                ExprKind::Symbol(id) => !self.facts[id.index()].computable,
                ExprKind::Call(function, _) => {
                    let function = self.model.function(*function);
                    function.has_side_effects || function.reads_state
                }
                ExprKind::Assign(..)
                | ExprKind::Step { .. }
                | ExprKind::Deadlock
                | ExprKind::Member(..)
                | ExprKind::AtLocation(..)
                | ExprKind::LocationIndex(_) => true,
                _ => false,
            };
            if depends {
                culprit = Some(part.clone());
            }
            depends
        });
        culprit
    }

    /// Reports what cannot be computed before the run.
    pub(super) fn require_computable(&mut self, expr: &Expr, what: &str) {
        if let Some(culprit) = self.state_dependence(expr) {
            let message = format!("{what} must be known before the run");
            let mut diagnostic = Diagnostic::new(Code::NotConstant, culprit.span, message);
            diagnostic = match culprit.kind {
                ExprKind::Assign(..) | ExprKind::Step { .. } => diagnostic.label("this changes a variable"),
                ExprKind::Symbol(id) => self.why_not_constant(id, diagnostic),
                ExprKind::Call(..) => diagnostic.label("this call depends on the state"),
                _ => diagnostic.label("depends on the state"),
            };
            self.report(diagnostic);
        }
    }

    fn why_not_constant(&self, id: SymbolId, diagnostic: Diagnostic) -> Diagnostic {
        let symbol = self.model.symbol(id);
        let name = &symbol.name;
        match symbol.kind {
            _ if super::types::is_clock(&symbol.ty) => diagnostic.label(format!("`{name}` is a clock")),
            SymbolKind::Variable { .. } => diagnostic
                .label(format!("`{name}` is a variable"))
                .hint(format!("declare `{name}` as `const`")),
            SymbolKind::Param(crate::model::ParamMode::Reference) => {
                diagnostic.label(format!("`{name}` is a reference to a variable"))
            }
            SymbolKind::Param(_) => diagnostic.label(format!("`{name}` is a parameter of the function")),
            SymbolKind::Constant(_) => {
                diagnostic.label(format!("the value of `{name}` depends on the state"))
            }
            _ => diagnostic.label("depends on the state"),
        }
    }

    /// Whether all that the expression needs from the state are reference parameters: a local variable may start with the
    /// initial value of what it is bound to.
    pub(super) fn reads_only_references(&self, expr: &Expr) -> bool {
        !Self::any_part(expr, &mut |part| match &part.kind {
            ExprKind::Symbol(id) => {
                let is_reference = matches!(
                    self.model.symbol(*id).kind,
                    SymbolKind::Param(crate::model::ParamMode::Reference)
                );
                !is_reference && !self.facts[id.index()].computable
            }
            ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Step { .. } => true,
            _ => false,
        })
    }

    /// The value of a constant expression, where it can be told without instantiating anything.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i64> {
        constant(expr, &|id| self.facts.get(id.index())?.value)
    }

    /// Marks every symbol in the expression as read.
    pub(super) fn mark_read(&mut self, id: SymbolId) {
        self.facts[id.index()].read = true;
        let is_state = matches!(
            self.model.symbol(id).kind,
            SymbolKind::Variable { .. } | SymbolKind::Param(crate::model::ParamMode::Reference)
        );
        if let Some(function) = self.function.as_mut()
            && is_state
            && id.index() < function.first_local
        {
            function.reads_outside = true;
        }
    }

    /// Notes that the target of an assignment (or a reference argument) is written.
    pub(super) fn mark_written(&mut self, target: &Expr) {
        if let ExprKind::Conditional(_, then, otherwise) = &target.kind {
            self.mark_written(then);
            self.mark_written(otherwise);
            return;
        }
        let Some(id) = root(target) else { return };
        self.model.symbols[id.index()].written = true;
        let is_reference =
            matches!(self.model.symbol(id).kind, SymbolKind::Param(crate::model::ParamMode::Reference));
        if let Some(function) = self.function.as_mut() {
            if id.index() < function.first_local {
                function.writes_outside = true;
            } else if is_reference {
                function.writes_params.push(id);
            }
        }
    }
}

/// The value of a constant expression, given those of constants.
pub(super) fn constant(expr: &Expr, known: &dyn Fn(SymbolId) -> Option<i64>) -> Option<i64> {
    let value = match &expr.kind {
        ExprKind::Int(value) => i64::from(*value),
        ExprKind::Bool(value) => i64::from(*value),
        ExprKind::Symbol(id) => known(*id)?,
        ExprKind::Unary(UnaryOp::Minus, operand) => constant(operand, known)?.checked_neg()?,
        ExprKind::Unary(UnaryOp::Plus, operand) => constant(operand, known)?,
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (constant(left, known)?, constant(right, known)?);
            match op {
                BinaryOp::Add => left.checked_add(right)?,
                BinaryOp::Sub => left.checked_sub(right)?,
                BinaryOp::Mul => left.checked_mul(right)?,
                BinaryOp::Div => left.checked_div(right)?,
                BinaryOp::Mod => left.checked_rem(right)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    i32::try_from(value).ok().map(i64::from)
}

/// The variable that an lvalue is a part of.
pub(super) fn root(expr: &Expr) -> Option<SymbolId> {
    match &expr.kind {
        ExprKind::Symbol(id) => Some(*id),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => root(base),
        ExprKind::Assign(_, target, _) | ExprKind::Step { target, .. } => root(target),
        ExprKind::Conditional(_, then, _) => root(then),
        _ => None,
    }
}
