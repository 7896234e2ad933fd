//! Infix operators: which operands they take and what they give, clocks included.

use super::Checker;
use super::types::{contains_clock, error_expr, is_clock, is_integral, is_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, ConstraintKind, Expr, ExprKind, Type};
use crate::source::Span;

impl Checker<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = if matches!(left.ty, Type::Error) || matches!(right.ty, Type::Error) {
            Some(Type::Error)
        } else {
            self.result_type(op, &left, &right)
        };
        let Some(ty) = ty else {
            self.report_operands(op, &left, &right, span);
            return error_expr(span);
        };
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    fn result_type(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Type> {
        match op {
            BinaryOp::And => conjunction(&left.ty, &right.ty),
            BinaryOp::Or => disjunction(&left.ty, &right.ty),
            BinaryOp::Imply => disjunction(&negation(&left.ty)?, &right.ty),
            BinaryOp::Xor => exclusive(&left.ty, &right.ty),
            _ if op.is_comparison() => self.comparison(op, left, right),
            BinaryOp::Add | BinaryOp::Sub => self.sum(op, left, right),
            _ => self.arithmetic(op, left, right),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Type> {
        let (a, b) = (&left.ty, &right.ty);
        if is_integral(a) && is_integral(b) {
            return Some(Type::Int(None));
        }
        let real = |ty: &Type| {
            is_number(ty) || is_clock(ty) || matches!(ty, Type::Difference | Type::Rate | Type::Cost)
        };
        let is_real_operator = matches!(
            op,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod | BinaryOp::Power | BinaryOp::Min | BinaryOp::Max
        );
        if !is_real_operator || !real(a) || !real(b) {
            return None;
        }
        if !is_number(a) || !is_number(b) {
            self.foreign("arithmetic on clocks", left.span.to(right.span));
        }
        Some(Type::Double)
    }

    fn sum(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Type> {
        let shifted = Type::Clock { hybrid: false };
        Some(match (&left.ty, &right.ty) {
            (a, b) if is_integral(a) && is_integral(b) => Type::Int(None),
            (a, b) if is_number(a) && is_number(b) => Type::Double,
            (a, b) if is_clock(a) && is_integral(b) => shifted,
            (a, b) if is_integral(a) && is_clock(b) && op == BinaryOp::Add => shifted,
            (a, b) if is_clock(a) && is_clock(b) && op == BinaryOp::Sub => Type::Difference,
            (Type::Difference, b) if is_integral(b) => Type::Difference,
            (a, Type::Difference) if is_integral(a) && op == BinaryOp::Add => Type::Difference,
            _ => return self.arithmetic(BinaryOp::Mul, left, right),
        })
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Type> {
        let (a, b) = (&left.ty, &right.ty);
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let clock_like = |ty: &Type| is_clock(ty) || matches!(ty, Type::Difference);
        let kind = match op {
            BinaryOp::Eq => ConstraintKind::Guard,
            BinaryOp::Ne => ConstraintKind::Any,
            _ => ConstraintKind::Invariant,
        };
        Some(match (a, b) {
            (a, b) if is_number(a) && is_number(b) => Type::Bool,
            (a, b) if is_clock(a) && is_clock(b) => Type::Constraint(kind),
            (a, b) if clock_like(a) && is_integral(b) || is_integral(a) && clock_like(b) => {
                Type::Constraint(kind)
            }
            (a, b) if clock_like(a) && is_number(b) || is_number(a) && clock_like(b) => {
                self.foreign("double compared with a clock", left.span.to(right.span));
                Type::Constraint(kind)
            }
            (Type::Rate, b) if op == BinaryOp::Eq && (is_number(b) || clock_like(b)) => {
                Type::Constraint(ConstraintKind::InvariantWithRates)
            }
            (a, Type::Rate) if op == BinaryOp::Eq && is_number(a) => {
                Type::Constraint(ConstraintKind::InvariantWithRates)
            }
            (Type::Cost, b) if is_number(b) => Type::Constraint(kind),
            (a, Type::Cost) if is_number(a) => Type::Constraint(kind),
            (Type::Struct(_) | Type::Array(_) | Type::Scalar(..) | Type::String, _)
                if is_equality && self.equivalent(a, b) && !contains_clock(a) =>
            {
                Type::Bool
            }
            _ => return None,
        })
    }

    fn report_operands(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) {
        let (a, b) = (self.describe(&left.ty), self.describe(&right.ty));
        let message = format!("`{}` cannot be applied to {a} and {b}", op.symbol());
        let mut diagnostic =
            Diagnostic::new(Code::TypeMismatch, span, message).related(left.span, a).related(right.span, b);
        if let Some(hint) = operand_hint(op, &left.ty, &right.ty) {
            diagnostic = diagnostic.hint(hint);
        }
        self.report(diagnostic);
    }
}

fn operand_hint(op: BinaryOp, left: &Type, right: &Type) -> Option<&'static str> {
    let constraint = |ty: &Type| matches!(ty, Type::Constraint(_));
    let scalar = |ty: &Type| matches!(ty, Type::Scalar(..));
    if matches!(left, Type::Rate) || matches!(right, Type::Rate) {
        return Some("a rate can only be fixed: `x' == 0`");
    }
    if op.is_comparison() && (constraint(left) || constraint(right)) {
        return Some("comparisons cannot be chained; write `a < x && x < b`");
    }
    if scalar(left) && scalar(right) && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
        return Some("every `scalar[n]` is a set of its own; give the set a name with `typedef`");
    }
    if scalar(left) || scalar(right) {
        return Some("scalars of one set can be compared with `==` and `!=`, nothing else");
    }
    if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Imply) && (is_clock(left) || is_clock(right)) {
        return Some("compare the clock with a number, as in `x >= 3`");
    }
    None
}

/// How a truth value depends on clocks, if at all; the outer option says whether it is one.
#[expect(clippy::option_option, reason = "no truth value, one without clocks, one with clocks")]
fn level(ty: &Type) -> Option<Option<ConstraintKind>> {
    match ty {
        Type::Constraint(kind) => Some(Some(*kind)),
        ty if is_number(ty) => Some(None),
        _ => None,
    }
}

fn truth(kind: Option<ConstraintKind>) -> Type {
    kind.map_or(Type::Bool, Type::Constraint)
}

fn conjunction(left: &Type, right: &Type) -> Option<Type> {
    use ConstraintKind::{Invariant, InvariantWithRates};
    let (left, right) = (level(left)?, level(right)?);
    let either_has_rates = left == Some(InvariantWithRates) || right == Some(InvariantWithRates);
    let allowed_with_rates = |kind| matches!(kind, None | Some(Invariant | InvariantWithRates));
    if either_has_rates && !(allowed_with_rates(left) && allowed_with_rates(right)) {
        return None;
    }
    Some(truth(left.max(right)))
}

fn disjunction(left: &Type, right: &Type) -> Option<Type> {
    use ConstraintKind::{Any, InvariantWithRates};
    Some(match (level(left)?, level(right)?) {
        (None, None) => Type::Bool,
        (None, kind) | (kind, None) => truth(kind),
        (Some(InvariantWithRates), _) | (_, Some(InvariantWithRates)) => return None,
        _ => Type::Constraint(Any),
    })
}

fn negation(ty: &Type) -> Option<Type> {
    match level(ty)? {
        None => Some(Type::Bool),
        Some(ConstraintKind::InvariantWithRates) => None,
        Some(_) => Some(Type::Constraint(ConstraintKind::Any)),
    }
}

fn exclusive(left: &Type, right: &Type) -> Option<Type> {
    negation(left)?;
    negation(right)?;
    Some(match (level(left)?, level(right)?) {
        (None, None) => Type::Bool,
        _ => Type::Constraint(ConstraintKind::Any),
    })
}
