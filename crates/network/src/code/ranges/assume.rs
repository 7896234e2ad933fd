//! What a condition says about single cells.

use super::{Range, RangeMachine, Stop};
use crate::code::term::{Place, Term};
use crate::code::{Arithmetic, Comparison};

impl<'p> RangeMachine<'p> {
    /// Leaves out values with which a condition is not as it is said to be; [`Stop::Nowhere`] if nothing is left. The condition has just been evaluated.
    pub(super) fn assume(&mut self, condition: &'p Term, truth: bool) -> Result<(), Stop> {
        if !is_plain(condition) {
            return Ok(());
        }
        self.assume_plain(condition, truth)
    }

    fn assume_plain(&mut self, condition: &'p Term, truth: bool) -> Result<(), Stop> {
        match (condition, truth) {
            (Term::Compare(op, left, right), _) => {
                let op = if truth { *op } else { op.negated() };
                let of_right = self.evaluate(right)?;
                self.restrict(left, op, of_right)?;
                let of_left = self.evaluate(left)?;
                self.restrict(right, op.mirrored(), of_left)
            }
            (Term::And(parts), true) | (Term::Or(parts), false) => {
                parts.iter().try_for_each(|part| self.assume_plain(part, truth))
            }
            (Term::Not(value), _) => self.assume_plain(value, !truth),
            (Term::Truth(value), _) => self.assume_plain(value, truth),
            (Term::Load(_), _) => {
                let op = if truth { Comparison::Ne } else { Comparison::Eq };
                self.restrict(condition, op, Range::ZERO)
            }
            _ => Ok(()),
        }
    }

    /// Leaves out values of a term that do not compare with any of a range, where the term is a cell, or one and a constant.
    fn restrict(&mut self, term: &'p Term, op: Comparison, other: Range) -> Result<(), Stop> {
        match term {
            Term::Load(place) => match self.certain_address(place)? {
                Some(address) => self.restrict_cell(address, op, other),
                None => Ok(()),
            },
            Term::Location(process) => self.restrict_cell(*process, op, other),
            Term::Arith(Arithmetic::Add, inner, by, _) => {
                let Some(by) = by.as_const() else { return Ok(()) };
                let range = self.evaluate(inner)?;
                let fits = |end: i32| end.checked_add(by).is_some();
                let (low, high) = (other.low.checked_sub(by), other.high.checked_sub(by));
                match (low, high) {
                    (Some(low), Some(high)) if fits(range.low) && fits(range.high) => {
                        self.restrict(inner, op, Range::new(low, high))
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn restrict_cell(&mut self, cell: u32, op: Comparison, other: Range) -> Result<(), Stop> {
        let old = self.memory[cell as usize];
        let left = matching(old, op, other).ok_or(Stop::Nowhere)?;
        self.write(cell, left);
        Ok(())
    }

    fn certain_address(&mut self, place: &'p Place) -> Result<Option<u32>, Stop> {
        if let Some(address) = place.address() {
            return Ok(Some(address));
        }
        let addresses = self.addresses(place)?;
        Ok(match addresses.as_slice() {
            [address] => Some(*address),
            _ => None,
        })
    }
}

/// The values of a range that compare with some value of another.
fn matching(range: Range, op: Comparison, other: Range) -> Option<Range> {
    match op {
        Comparison::Lt => range.meet(Range { low: i32::MIN, high: other.high.checked_sub(1)? }),
        Comparison::Le => range.meet(Range { low: i32::MIN, high: other.high }),
        Comparison::Gt => range.meet(Range { low: other.low.checked_add(1)?, high: i32::MAX }),
        Comparison::Ge => range.meet(Range { low: other.low, high: i32::MAX }),
        Comparison::Eq => range.meet(other),
        Comparison::Ne => match other.value() {
            Some(value) if range == Range::of(value) => None,
            Some(value) if range.low == value => Some(Range { low: value + 1, ..range }),
            Some(value) if range.high == value => Some(Range { high: value - 1, ..range }),
            _ => Some(range),
        },
    }
}

/// Whether a term writes nothing and calls nobody, so that evaluating it again changes nothing.
fn is_plain(term: &Term) -> bool {
    match term {
        Term::Assign(_)
        | Term::Call(_)
        | Term::Copy(_)
        | Term::SetClock(..)
        | Term::CopyClock(..)
        | Term::Pay(..)
        | Term::Quantified(_)
        | Term::Sequence(_) => false,
        other => {
            let mut is_all_plain = true;
            other.for_each_part(|part| is_all_plain &= is_plain(part));
            is_all_plain
        }
    }
}
