//! Guards, invariants and goals: conditions on data and bounds on clocks, joined.

use super::names::Scope;
use super::syntax::{all, any, at, binary, name, truth, unary};
use super::{FlatError, Flattener};
use crate::code::Code;
use crate::code::term::{Term, negate, not};
use crate::network::{ClockConstraint, ClockId, Location, Operand};
use crate::query::Goal;
use guidepost_language::source::Span;
use guidepost_language::syntax::{BinaryOp, Expr, ExprKind, UnaryOp};
use std::sync::Arc;

impl Flattener<'_> {
    fn conjunction(
        &mut self,
        scope: Scope,
        data: &[Code],
        clocks: &[ClockConstraint],
    ) -> Result<Vec<Expr>, FlatError> {
        let mut parts = Vec::new();
        for code in data {
            let term = self.value_term(*code)?;
            parts.push(self.condition(scope, &term)?);
        }
        for constraint in clocks {
            parts.push(self.constraint(scope, constraint)?);
        }
        Ok(parts)
    }

    /// The guard of an edge.
    pub(super) fn guard(
        &mut self,
        scope: Scope,
        data: &[Code],
        clocks: &[ClockConstraint],
    ) -> Result<Option<Expr>, FlatError> {
        Ok(all(self.conjunction(scope, data, clocks)?))
    }

    /// The invariant of a location, rates included.
    pub(super) fn invariant(&mut self, scope: Scope, location: &Location) -> Result<Option<Expr>, FlatError> {
        let mut parts = self.conjunction(scope, &location.data_invariant, &location.clock_invariant)?;
        for (clock, rate) in &location.rates {
            let clock = self.clock(scope, *clock)?;
            parts.push(rate_is(clock, self.value(scope, *rate)?));
        }
        if let Some(rate) = location.cost_rate {
            parts.push(rate_is(name("cost"), self.value(scope, rate)?));
        }
        Ok(all(parts))
    }

    fn constraint(&mut self, scope: Scope, constraint: &ClockConstraint) -> Result<Expr, FlatError> {
        let bound = match constraint.bound {
            Operand::Const(value) => Term::Const(value),
            Operand::Code(code, ..) => unchecked(self.value_term(code)?),
        };
        let strict = constraint.strict;
        let atom = match (constraint.left, constraint.right) {
            (ClockId::ZERO, right) => {
                let bound = match bound {
                    Term::Negate(value, _) => *value,
                    bound => negate(bound, Span::default()),
                };
                let op = if strict { BinaryOp::Gt } else { BinaryOp::Ge };
                binary(op, self.clock(scope, right)?, self.term(scope, &bound)?)
            }
            (left, right) => {
                let op = if strict { BinaryOp::Lt } else { BinaryOp::Le };
                let left = self.clock(scope, left)?;
                let sum = match right {
                    ClockId::ZERO => left,
                    right => binary(BinaryOp::Sub, left, self.clock(scope, right)?),
                };
                binary(op, sum, self.term(scope, &bound)?)
            }
        };
        let Some(condition) = constraint.condition else { return Ok(atom) };
        let unless = not(self.value_term(condition)?);
        Ok(binary(BinaryOp::Or, self.condition(scope, &unless)?, atom))
    }

    /// A goal as a condition of a query.
    pub(super) fn goal(&mut self, goal: &Goal) -> Result<Expr, FlatError> {
        self.goal = Arc::clone(&goal.segment);
        self.asked_can_fail |= goal.segment.can_fail();
        let mut parts = Vec::new();
        for (process, locations) in &goal.locations {
            let inside = locations.iter().map(|location| self.at_location(None, process.0, location.0));
            let inside = inside.collect::<Result<Vec<_>, _>>()?;
            parts.push(any(inside).unwrap_or_else(|| truth(false)));
        }
        parts.extend(self.conjunction(None, &goal.data, &goal.clocks)?);
        if let Some(deadlock) = goal.deadlock {
            let word = at(ExprKind::Deadlock);
            parts.push(if deadlock { word } else { unary(UnaryOp::Not, word) });
        }
        Ok(all(parts).unwrap_or_else(|| truth(true)))
    }
}

/// Bounds are checked wherever they are computed.
fn unchecked(bound: Term) -> Term {
    match bound {
        Term::Check(checked) => checked.value,
        bound => bound,
    }
}

/// `clock' == rate`
fn rate_is(clock: Expr, rate: Expr) -> Expr {
    binary(BinaryOp::Eq, at(ExprKind::Rate(Box::new(clock))), rate)
}
