//! Terms.

use super::{Evaluated, Range, RangeMachine, Stop};
use crate::code::interval::arithmetic;
use crate::code::term::{AggregateCopy, Quantified, Term, decided};
use crate::code::{Arithmetic, CLOCK_LIMIT, Comparison, CopyPlan};
use guidepost_language::model::Quantifier;

impl<'p> RangeMachine<'p> {
    /// The values that a term can have; what it writes is written.
    pub(super) fn evaluate(&mut self, term: &'p Term) -> Evaluated {
        self.spend()?;
        match term {
            Term::Const(value) => Ok(Range::of(*value)),
            Term::Fault(..) => Err(Stop::Nowhere),
            Term::Location(process) => Ok(self.memory[*process as usize]),
            Term::Load(place) => self.load(place),
            Term::Negate(value, _) => {
                let (low, high) = self.evaluate(value)?.wide();
                Ok(Range::narrow((-high, -low)))
            }
            Term::Abs(value, _) => {
                let (low, high) = self.evaluate(value)?.wide();
                let least = if low <= 0 && 0 <= high { 0 } else { low.abs().min(high.abs()) };
                Ok(Range::narrow((least, low.abs().max(high.abs()))))
            }
            Term::Not(value) => Ok(Range::of_truth(self.evaluate(value)?.truth().map(|truth| !truth))),
            Term::Truth(value) => Ok(Range::of_truth(self.evaluate(value)?.truth())),
            Term::Arith(op, left, right, _) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                combined(*op, left, right)
            }
            Term::Compare(op, left, right) => self.compare(*op, left, right),
            Term::And(parts) => self.conjunction(parts),
            Term::Or(parts) => self.disjunction(parts),
            Term::If(condition, then, otherwise) => self.choose(
                condition,
                |machine| machine.evaluate(then),
                |machine| machine.evaluate(otherwise),
            ),
            Term::Assign(assignment) => self.assign(assignment),
            Term::Call(call) => self.call(call),
            Term::Quantified(quantified) => self.quantified(quantified),
            Term::Address(place, _) => {
                let addresses = self.addresses(place)?;
                Ok(addresses.hull())
            }
            Term::Number(place) => {
                for index in &place.indices {
                    self.evaluate(&index.index)?;
                }
                Ok(Range::new(0, i32::MAX))
            }
            Term::Equal(left, right, length) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                Ok(Range::of_truth(self.are_equal(left, right, *length)))
            }
            Term::Copy(copy) => self.copy(copy),
            Term::SetClock(place, value, _) => {
                for index in &place.indices {
                    self.evaluate(&index.index)?;
                }
                self.evaluate(value)?.meet(Range::new(0, CLOCK_LIMIT - 1)).ok_or(Stop::Nowhere)
            }
            Term::CopyClock(_, _, offset) => self.evaluate(offset),
            Term::Pay(price, _) => self.evaluate(price)?.meet(Range::new(0, i32::MAX)).ok_or(Stop::Nowhere),
            Term::Sequence(terms) => {
                let mut last = Range::ZERO;
                for term in terms {
                    last = self.evaluate(term)?;
                }
                Ok(last)
            }
            Term::Check(checked) => {
                let value = self.evaluate(&checked.value)?;
                value.meet(Range::new(checked.min, checked.max)).ok_or(Stop::Nowhere)
            }
        }
    }

    fn compare(&mut self, op: Comparison, left: &'p Term, right: &'p Term) -> Evaluated {
        let (of_left, of_right) = (self.evaluate(left)?, self.evaluate(right)?);
        let is_elsewhere = |location: i32| {
            usize::try_from(location).ok().and_then(|at| self.is_reached.get(at)).is_some_and(|at| !at)
        };
        let truth = match (left, op, of_right.value()) {
            (Term::Location(_), Comparison::Eq, Some(location)) if is_elsewhere(location) => Some(false),
            (Term::Location(_), Comparison::Ne, Some(location)) if is_elsewhere(location) => Some(true),
            _ => decided(op, of_left.wide(), of_right.wide()),
        };
        Ok(Range::of_truth(truth))
    }

    fn conjunction(&mut self, parts: &'p [Term]) -> Evaluated {
        match parts {
            [] => Ok(Range::ONE),
            [last] => Ok(Range::of_truth(self.evaluate(last)?.truth())),
            [first, rest @ ..] => {
                self.choose(first, |machine| machine.conjunction(rest), |_| Ok(Range::ZERO))
            }
        }
    }

    fn disjunction(&mut self, parts: &'p [Term]) -> Evaluated {
        match parts {
            [] => Ok(Range::ZERO),
            [last] => Ok(Range::of_truth(self.evaluate(last)?.truth())),
            [first, rest @ ..] => self.choose(first, |_| Ok(Range::ONE), |machine| machine.disjunction(rest)),
        }
    }

    /// Goes one way or the other, or both, by a condition.
    pub(super) fn choose(
        &mut self,
        condition: &'p Term,
        then: impl FnOnce(&mut Self) -> Evaluated,
        otherwise: impl FnOnce(&mut Self) -> Evaluated,
    ) -> Evaluated {
        match self.evaluate(condition)?.truth() {
            Some(true) => return then(self),
            Some(false) => return otherwise(self),
            None => {}
        }
        let mark = self.trail.len();
        let mut ends = Vec::new();
        let mut value: Option<Range> = None;
        let mut arrive = |machine: &mut Self, end: Evaluated| {
            match end {
                Ok(range) => {
                    ends.push(machine.written_since(mark));
                    value = Some(value.map_or(range, |value| value.hull(range)));
                }
                Err(Stop::Nowhere) => {}
                Err(Stop::TooMuch) => return Err(Stop::TooMuch),
            }
            machine.take_back(mark);
            Ok(())
        };
        let first = self.assume(condition, true).and_then(|()| then(self));
        arrive(self, first)?;
        let second = self.assume(condition, false).and_then(|()| otherwise(self));
        arrive(self, second)?;
        self.join(mark, &ends)?;
        value.ok_or(Stop::Nowhere)
    }

    /// The body is evaluated for all values in turn, until one decides. It may not write to the state where it is not certain to be evaluated.
    fn quantified(&mut self, quantified: &'p Quantified) -> Evaluated {
        let Quantified { quantifier, cell, low, high, body, .. } = quantified;
        let mark = self.trail.len();
        let mut sum = Range::ZERO;
        let decisive = *quantifier == Quantifier::Exists;
        let mut is_certain = true;
        for value in *low..=(*high).max(*low) {
            self.write(*cell, Range::of(value));
            let found = match self.evaluate(body) {
                // Only a body before this one can have decided.
                Err(Stop::Nowhere) if !is_certain => return Ok(Range::of(i32::from(decisive))),
                found => found?,
            };
            if *quantifier == Quantifier::Sum {
                sum = combined(Arithmetic::Add, sum, found)?;
                continue;
            }
            match found.truth() {
                Some(truth) if truth == decisive => return Ok(Range::of(i32::from(decisive))),
                Some(_) => {}
                None => is_certain = false,
            }
            let is_of_state = |&(cell, _): &(u32, Range)| (cell as usize) < self.program.state_size();
            if !is_certain && self.trail[mark..].iter().any(is_of_state) {
                return Err(Stop::TooMuch);
            }
        }
        Ok(match quantifier {
            Quantifier::Sum => sum,
            _ if is_certain => Range::of(i32::from(!decisive)),
            _ => Range::UNKNOWN,
        })
    }

    /// Whether so many cells at two addresses are equal, if that is certain.
    fn are_equal(&self, left: Range, right: Range, length: u32) -> Option<bool> {
        let (left, right) = (left.value()? as usize, right.value()? as usize);
        let mut is_certain = true;
        for at in 0..length as usize {
            let (one, other) = (self.memory[left + at], self.memory[right + at]);
            if one.meet(other).is_none() {
                return Some(false);
            }
            is_certain &= one.value().is_some() && one == other;
        }
        is_certain.then_some(true)
    }

    fn copy(&mut self, copy: &'p AggregateCopy) -> Evaluated {
        let target = self.evaluate(&copy.target)?;
        let source = self.evaluate(&copy.source)?;
        self.copy_cells(&copy.plan, target, source)?;
        Ok(target)
    }

    /// Copies cells from one address to another, each of which may be one of several.
    pub(super) fn copy_cells(&mut self, plan: &CopyPlan, target: Range, source: Range) -> Result<(), Stop> {
        let mut values = Vec::with_capacity(plan.length as usize);
        for at in 0..plan.length {
            let value = self.load_between(source, at)?;
            let fitting = match plan.ranges.get(at as usize) {
                Some(&(min, max)) => value.meet(Range::new(min, max)).ok_or(Stop::Nowhere)?,
                None => value,
            };
            values.push(fitting);
        }
        for (at, value) in (0..).zip(values) {
            self.store_between(target, at, value)?;
        }
        Ok(())
    }
}

/// The results of an operator; what it has none for, runs nowhere.
pub(super) fn combined(op: Arithmetic, left: Range, right: Range) -> Evaluated {
    if let (Some(left), Some(right)) = (left.value(), right.value()) {
        return op.apply(left, right).map(|(value, _)| Range::of(value)).map_err(|_| Stop::Nowhere);
    }
    let right = match op {
        Arithmetic::Div | Arithmetic::Mod => without_zero(right).ok_or(Stop::Nowhere)?,
        Arithmetic::Power => right.meet(Range::new(0, i32::MAX)).ok_or(Stop::Nowhere)?,
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
            right.meet(Range::new(0, 31)).ok_or(Stop::Nowhere)?
        }
        _ => right,
    };
    Ok(Range::narrow(arithmetic(op, left.wide(), right.wide())))
}

fn without_zero(range: Range) -> Option<Range> {
    match range {
        Range { low: 0, high: 0 } => None,
        Range { low: 0, high } => Some(Range::new(1, high)),
        Range { low, high: 0 } => Some(Range::new(low, -1)),
        range => Some(range),
    }
}
