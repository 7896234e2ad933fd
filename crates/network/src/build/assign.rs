//! Assignments: to integers, to whole arrays and structs, and to clocks.

use super::Builder;
use super::layout::{Kind, Layout};
use super::lower::is_clock;
use super::place::{Located, Space, after};
use crate::code::instruction::{CopyPlan, Mode};
use crate::code::term::{AggregateCopy, Assignment, Term, conditional};
use crate::code::{Arithmetic, CLOCK_LIMIT, Fault, Subject};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::model::{BinaryOp, Expr, ExprKind, Type};
use guidepost_language::source::Span;

impl Builder<'_> {
    pub(crate) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: &Expr,
        value: &Expr,
        span: Span,
    ) -> Option<Term> {
        if matches!(target.ty, Type::Cost) {
            return match op {
                Some(BinaryOp::Add) => {
                    let price = self.value(value)?;
                    self.pay(price, span)
                }
                _ => self.only_pay(span),
            };
        }
        if let ExprKind::Conditional(condition, then, otherwise) = &target.kind {
            let condition = self.value(condition)?;
            return self.under_condition(|builder| {
                let then = builder.assign(op, then, value, span);
                let otherwise = builder.assign(op, otherwise, value, span);
                Some(conditional(condition, then?, otherwise?))
            });
        }
        let located = self.locate(target)?;
        self.assignable(&located, span)?;
        match located.layout.kind {
            Kind::Int { .. } => {
                let value = self.value(value)?;
                self.assign_integer(located, op, value, false, span)
            }
            Kind::Clock if op.is_none() => self.assign_clock(located, value, span),
            Kind::Clock if self.is_declared_cost(target) => self.report.declared_cost(span),
            Kind::Clock => self.report.unsupported(span, "an arithmetic assignment to a clock"),
            Kind::Array { .. } | Kind::Struct(_) => self.assign_aggregate(located, value, span),
            Kind::Unsupported(what) => self.report.unsupported(span, what),
            Kind::Channel { .. } => self.report.unsupported(span, "an assignment to a channel"),
        }
    }

    fn assignable(&mut self, located: &Located, span: Span) -> Option<()> {
        if located.constant.is_some() {
            return self.report.error(Code::NotAssignable, span, "a constant cannot be changed");
        }
        Some(())
    }

    pub(crate) fn step(&mut self, increment: bool, prefix: bool, target: &Expr, span: Span) -> Option<Term> {
        if matches!(target.ty, Type::Cost) {
            return if increment { self.pay(Term::Const(1), span) } else { self.only_pay(span) };
        }
        let located = self.locate(target)?;
        self.assignable(&located, span)?;
        match located.layout.kind {
            Kind::Int { .. } => {
                let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
                self.assign_integer(located, Some(op), Term::Const(1), !prefix, span)
            }
            Kind::Unsupported(what) => self.report.unsupported(span, what),
            _ => self.report.unsupported(span, "an arithmetic assignment to a clock"),
        }
    }

    /// Whether an expression is a clock that somebody has called `cost`.
    pub(crate) fn is_declared_cost(&self, clock: &Expr) -> bool {
        matches!(&clock.kind, ExprKind::Symbol(id) if &*self.model.symbol(*id).name == "cost")
    }

    /// `cost += price`
    fn pay(&mut self, price: Term, span: Span) -> Option<Term> {
        if price.as_const().is_some_and(|price| price < 0) {
            let hint = "searches for the cheapest run rely on cost that never falls; shift all prices by a constant per step";
            let fault = Fault::NegativePrice(price.as_const().unwrap_or_default());
            self.report.push(Diagnostic::new(Code::NegativeCost, span, fault.to_string()).hint(hint));
            return None;
        }
        Some(Term::Pay(Box::new(price), span))
    }

    fn only_pay<T>(&mut self, span: Span) -> Option<T> {
        let message = "the cost can only be added to: `cost += e`";
        let hint = "it is the cost of the whole run so far, so it is never reset; a price that can be reset is a variable";
        self.report.push(Diagnostic::new(Code::NotAssignable, span, message).hint(hint));
        None
    }

    fn assign_integer(
        &mut self,
        located: Located,
        op: Option<BinaryOp>,
        value: Term,
        postfix: bool,
        span: Span,
    ) -> Option<Term> {
        let op = match op {
            Some(op) => Some(Arithmetic::of(op)?),
            None => None,
        };
        let place = self.place(&located, Space::Data);
        if let (None, Term::Const(value)) = (op, &value)
            && (*value < place.min || place.max < *value)
        {
            let message = format!("the value {value} is outside int[{},{}]", place.min, place.max);
            self.report.push(
                Diagnostic::new(Code::ConstantOutOfRange, span, message)
                    .hint("the assignment fails when it is executed"),
            );
        }
        let assignment = Assignment { place, op, value, postfix, span };
        Some(after(located.prelude, Term::Assign(Box::new(assignment))))
    }

    fn assign_clock(&mut self, located: Located, value: &Expr, span: Span) -> Option<Term> {
        let target = Box::new(self.place(&located, Space::Clocks));
        if !is_clock(&value.ty) {
            let value = self.value(value)?;
            if let Term::Const(constant) = value
                && !(0..CLOCK_LIMIT).contains(&constant)
            {
                let message = format!("a clock cannot be set to {constant}");
                return self.report.error(Code::ClockConstantTooLarge, span, message);
            }
            return Some(after(located.prelude, Term::SetClock(target, Box::new(value), span)));
        }
        let linear = self.linear(value)?;
        if let Some(fault) = linear.fault {
            return Some(fault);
        }
        match (linear.plus.as_slice(), linear.minus.as_slice()) {
            ([], []) => Some(after(located.prelude, Term::SetClock(target, Box::new(linear.offset), span))),
            ([source], []) => {
                let copy = Term::CopyClock(target, Box::new(source.clone()), Box::new(linear.offset));
                Some(after(located.prelude, copy))
            }
            _ => self.report.error(
                Code::NonlinearClock,
                value.span,
                "a clock can only be set to a number or to another clock plus a number",
            ),
        }
    }

    fn assign_aggregate(&mut self, located: Located, value: &Expr, span: Span) -> Option<Term> {
        self.pure_data(&located.layout, span)?;
        let target = Term::Address(Box::new(self.place(&located, Space::Data)), Mode::Write);
        let (source, layout) = self.aggregate_address(value)?;
        if layout.size != located.layout.size {
            return self.report.error(Code::TypeMismatch, span, "a value of another size is assigned");
        }
        let plan = copy_plan(&located.layout, &layout, Subject::Local("array or struct".into()));
        let copy = Term::Copy(Box::new(AggregateCopy { target, source, plan, span }));
        Some(after(located.prelude, copy))
    }
}

/// How to copy a value of layout `source` to layout `target`: checked cell by cell unless the ranges agree.
pub(crate) fn copy_plan(target: &Layout, source: &Layout, subject: Subject) -> CopyPlan {
    let (mut ranges, mut given) = (Vec::new(), Vec::new());
    target.ranges(&mut ranges);
    source.ranges(&mut given);
    let fits = |(inner, outer): (&(i32, i32), &(i32, i32))| outer.0 <= inner.0 && inner.1 <= outer.1;
    if given.iter().zip(&ranges).all(fits) {
        ranges.clear();
    }
    CopyPlan { length: target.size.data, ranges, subject }
}
