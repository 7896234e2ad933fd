//! Moves that are possible in only a part of the values that satisfy their own guards.
//!
//! A receiver of a broadcast that is able to take part must take part: a transition without it happens only where its guard does not hold. And a
//! transition of low priority happens only where none of a higher one does, which takes guards, updates and the invariants of the target of all stronger
//! ones. Both cut pieces out of the source, and what is left need not be convex.

use super::{Candidate, Candidates, Moves};
use crate::time_domain::{ClockDifference, TimeDomain};
use guidepost_network::{EdgeId, EvalError};
use guidepost_zones::Bound;
use std::cmp::Reverse;

impl Moves<'_> {
    /// Whether more than its own guards decide where a candidate is possible: see [`Moves::possible`].
    #[inline]
    pub fn needs_splitting(&self, candidate: Candidate<'_>) -> bool {
        !candidate.excluded.is_empty() || self.network.features.priorities
    }

    /// The part of the source in which a candidate happens unless the target's invariants forbid it: its guards hold, those of receivers that stay out
    /// do not, and no candidate of a higher priority can be taken.
    pub fn possible<D: TimeDomain>(
        &mut self,
        candidates: &Candidates,
        position: usize,
        domain: &D,
    ) -> Result<D::Subset, EvalError> {
        let candidate = candidates.get(position);
        let mut part = self.guarded(candidate, domain)?;
        if self.network.features.priorities {
            self.subtract_stronger(candidates, candidate.priority, domain, &mut part)?;
        }
        self.rewind();
        Ok(part)
    }

    /// Leaves of a part what no stronger candidate takes away. The strongest come first: a candidate that is blocked wherever it is asked for never happens,
    /// so it cannot fail either.
    fn subtract_stronger<D: TimeDomain>(
        &mut self,
        candidates: &Candidates,
        own: (u32, u32),
        domain: &D,
        part: &mut D::Subset,
    ) -> Result<(), EvalError> {
        let mut stronger: Vec<Candidate<'_>> =
            candidates.iter().filter(|other| other.priority > own).collect();
        stronger.sort_by_key(|other| Reverse(other.priority));
        for other in stronger {
            if domain.is_empty(part) {
                break;
            }
            match self.enabled(other, domain) {
                Ok(enabled) => {
                    domain.subtract(part, &enabled);
                    debug_assert!(!domain.overlap(part, &enabled), "what is stronger goes first");
                }
                Err(error) => {
                    if domain.overlap(part, &self.guarded(other, domain)?) {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// The part of the source in which the guards of a candidate hold and those of the excluded edges do not.
    pub fn guarded<D: TimeDomain>(
        &mut self,
        candidate: Candidate<'_>,
        domain: &D,
    ) -> Result<D::Subset, EvalError> {
        self.rewind();
        let mut part = self.satisfying(candidate.edges, domain)?;
        if domain.is_empty(&part) {
            return Ok(part);
        }
        for &edge in candidate.excluded {
            let excluded = self.satisfying(&[edge], domain)?;
            domain.subtract(&mut part, &excluded);
            debug_assert!(!domain.overlap(&part, &excluded), "nobody stays out who can take part");
        }
        Ok(part)
    }

    /// The part of the source in which the guards of some edges hold.
    fn satisfying<D: TimeDomain>(&mut self, edges: &[EdgeId], domain: &D) -> Result<D::Subset, EvalError> {
        let mut part = domain.whole();
        self.guard(edges, |constraint| {
            domain.restrict(&mut part, constraint);
            !domain.is_empty(&part)
        })?;
        Ok(part)
    }

    /// The part of the source in which a candidate can be taken, whatever has priority: its guards hold and it leads into the target's invariants.
    pub fn enabled<D: TimeDomain>(
        &mut self,
        candidate: Candidate<'_>,
        domain: &D,
    ) -> Result<D::Subset, EvalError> {
        let mut part = self.guarded(candidate, domain)?;
        if domain.is_empty(&part) {
            return Ok(part);
        }
        self.rewind();
        let arrives =
            self.arrive(candidate.edges, |clock, value| domain.may_be_below(&part, clock, value))?;
        if !arrives {
            return Ok(domain.nothing());
        }
        for &constraint in &self.invariants {
            let (left, right) = (self.origin(constraint.left), self.origin(constraint.right));
            let shift = i64::from(right.offset) - i64::from(left.offset);
            let value = i64::from(constraint.bound.constant()) + shift;
            // What is beyond all bounds restricts nothing.
            let Ok(bound) = Bound::new(value, constraint.bound.is_strict()) else { continue };
            let before = ClockDifference { left: left.clock, right: right.clock, bound };
            if before.left != before.right {
                domain.restrict(&mut part, before);
            } else if bound < Bound::LE_ZERO {
                return Ok(domain.nothing());
            }
        }
        Ok(part)
    }
}
