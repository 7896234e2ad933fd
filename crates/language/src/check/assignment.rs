//! Assignments: what may be changed, and what may be put there.

use super::Checker;
use super::types::{is_clock, is_integral, is_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, Expr, ExprKind, ParamMode, SymbolKind, Type};
use crate::source::Span;
use crate::syntax;

impl Checker<'_> {
    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        target: &syntax::Expr,
        value: &syntax::Expr,
        span: Span,
    ) -> Expr {
        let target = if op.is_some() { self.expr(target) } else { self.expr_without_reading(target) };
        let value = self.expr(value);
        self.require_assignable(&target);
        self.mark_written(&target);
        self.check_assigned(op, &target, &value, span);
        let ty = target.ty.clone();
        Expr { kind: ExprKind::Assign(op, Box::new(target), Box::new(value)), ty, span }
    }

    fn check_assigned(&mut self, op: Option<BinaryOp>, target: &Expr, value: &Expr, span: Span) {
        let Some(op) = op else {
            if !self.assignable(&target.ty, &value.ty, value.span) {
                self.report_unassignable(target, value);
            }
            return;
        };
        let fits = match (&target.ty, &value.ty) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Cost, ty) => op == BinaryOp::Add && is_number(ty),
            (Type::Double, ty) => is_number(ty) || is_clock(ty),
            (Type::Clock { .. }, ty) if is_number(ty) => {
                // `clock cost;` is how newer files declare the cost; other clocks do not move by leaps.
                let is_cost =
                    super::effects::root(target).is_some_and(|id| &*self.model.symbol(id).name == "cost");
                is_cost || matches!(target.ty, Type::Clock { hybrid: true })
            }
            (Type::Int(_), ty) => is_integral(ty),
            (Type::Bool, ty) => is_integral(ty) && !matches!(op, BinaryOp::Add | BinaryOp::Sub),
            _ => false,
        };
        if fits {
            return;
        }
        let (to, from) = (self.describe(&target.ty), self.describe(&value.ty));
        let message = format!("`{}=` cannot be applied to {to} and {from}", op.symbol());
        let mut diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
        if is_clock(&target.ty) {
            diagnostic = diagnostic.hint("clocks can only be set: `x = 0`");
        }
        if matches!(target.ty, Type::Cost) {
            diagnostic =
                diagnostic.hint("the cost of a run never falls: it can only be added to, `cost += e`");
        }
        self.report(diagnostic);
    }

    fn report_unassignable(&mut self, target: &Expr, value: &Expr) {
        let (to, from) = (self.describe(&target.ty), self.describe(&value.ty));
        let mut diagnostic =
            Diagnostic::new(Code::TypeMismatch, value.span, format!("{from} cannot be assigned to {to}"));
        let mentions_clock =
            Self::any_part(value, &mut |part| is_clock(&part.ty) || matches!(part.ty, Type::Difference));
        if mentions_clock && is_integral(&target.ty) {
            diagnostic = diagnostic.hint("the value of a clock is no integer; compare it in a guard instead");
        } else if matches!(target.ty, Type::Scalar(..)) {
            diagnostic =
                diagnostic.hint("scalars can only be assigned from each other, by `select` for instance");
        }
        self.report(diagnostic);
    }

    /// Whether a value of one type can be given to a variable of another.
    pub(super) fn assignable(&mut self, target: &Type, value: &Type, span: Span) -> bool {
        match (target, value) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Int(_) | Type::Bool, ty) => is_integral(ty),
            (Type::Clock { .. } | Type::Double | Type::Cost, ty) => {
                if matches!(ty, Type::Double) && is_clock(target) {
                    self.foreign("double assigned to a clock", span);
                }
                is_number(ty)
                    || is_clock(ty)
                    || matches!(ty, Type::Difference) && matches!(target, Type::Double)
            }
            (Type::Array(target), Type::Array(value)) => {
                self.same_index(&target.index, &value.index)
                    && self.assignable(&target.element, &value.element, span)
            }
            (target, value) => self.equivalent(target, value),
        }
    }

    pub(super) fn step(&mut self, increment: bool, prefix: bool, target: &syntax::Expr, span: Span) -> Expr {
        let target = self.expr(target);
        self.require_assignable(&target);
        self.mark_written(&target);
        if !matches!(target.ty, Type::Int(_) | Type::Cost | Type::Double | Type::Error) {
            let symbol = if increment { "++" } else { "--" };
            let message = format!("`{symbol}` needs an integer, not {}", self.describe(&target.ty));
            self.error(Code::TypeMismatch, span, message);
        }
        let ty = target.ty.clone();
        Expr { kind: ExprKind::Step { increment, prefix, target: Box::new(target) }, ty, span }
    }

    /// Reports what cannot be changed.
    pub(super) fn require_assignable(&mut self, target: &Expr) -> bool {
        let problem = match &target.kind {
            ExprKind::Error => return false,
            ExprKind::Symbol(id) => {
                let symbol = self.model.symbol(*id);
                match symbol.kind {
                    SymbolKind::Variable { .. } if !matches!(symbol.ty, Type::Chan { .. }) => return true,
                    SymbolKind::Cost | SymbolKind::Param(ParamMode::Reference | ParamMode::Value) => {
                        return true;
                    }
                    SymbolKind::Constant(_) | SymbolKind::Param(ParamMode::Const) => {
                        Some(format!("`{}` is a constant", symbol.name))
                    }
                    SymbolKind::Binder => Some(format!("`{}` is bound and keeps its value", symbol.name)),
                    _ => Some(format!(
                        "`{}` is {} and keeps its value",
                        symbol.name,
                        self.describe(&symbol.ty)
                    )),
                }
            }
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => return self.require_assignable(base),
            ExprKind::Assign(_, target, _) | ExprKind::Step { prefix: true, target, .. } => {
                return self.require_assignable(target);
            }
            ExprKind::Conditional(_, then, otherwise) => {
                return self.require_assignable(then) && self.require_assignable(otherwise);
            }
            _ => None,
        };
        let message = problem.unwrap_or_else(|| "this is not a variable".to_owned());
        let mut diagnostic =
            Diagnostic::new(Code::NotAssignable, target.span, message).label("cannot be changed");
        if let ExprKind::Symbol(id) = target.kind {
            diagnostic = diagnostic.related(self.model.symbol(id).span, "declared here");
        }
        self.report(diagnostic);
        false
    }
}
