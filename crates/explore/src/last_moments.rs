//! Whether the end of every delay has a transition: what most often rules out deadlocks, and takes no zones but one.
//!
//! Where many clocks race, and each has a transition at the end of its time, the valuations in which one or the other is first are many zones, and none of them is deadlocked. So look where time ends instead.
//!
//! **Claim.** Let q be a discrete state in which no transition has priority over another, all clocks run, and every invariant is x < c or x ≤ c for a clock x; of several for a clock only the strongest counts. Let A be a set of valuations that satisfy the invariants, with all delays of its members that do,
//! and Z any zone around A. If time passes in q, the *last moment* of a bounded clock x is the part of Z with x ≥ c, or with x > c - 1 if its bound is strict. If for every bounded clock some transition is possible in all of its last moment, no member of A is deadlocked.
//! The same holds if time passes and no clock is bounded, and some transition is possible in all of Z but where a clock is below some number; and if time does not pass, and some transition is possible in all of Z.
//!
//! *Proof.* Let v be in A. If time does not pass, or forever, there is nothing to say. Otherwise let d be the least c - v(x) of the bounded clocks. Every delay that is shorter than d keeps to the invariants, since whether time may pass depends on q alone, and so leads into A.
//! Let x be a clock for which c - v(x) = d, with a strict bound if there is such a clock. If its bound is strict, then d > 0, and any delay less than d and more than d - 1, and not negative, leads into the last moment of x. If it is not, no strict bound is met after the delay d, so it leads into A as well, where
//! x = c. In both cases v can wait for a transition. ∎
//!
//! That a transition is possible in all of a last moment is asked constraint by constraint: of its guards, of the invariants of its target in terms of the values before, and of one guard of each receiver that stays out, which must not hold. In a canonical zone Z, l - r is at most Z(l, r); where also
//! 0 - x ≤ e, it is at most Z(l, 0) + e + Z(x, r). So no matrix is touched.
//!
//! First, Z is all that the invariants allow. That is a box, and it takes no matrix at all.

use crate::explorer::Explorer;
use crate::moves::{Candidate, Candidates, Moves};
use crate::state::SymbolicState;
use crate::time_domain::ClockDifference;
use guidepost_network::{ClockId, EdgeId, EvalError};
use guidepost_zones::Bound;

/// Where a delay may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// There are no delays.
    Now,
    /// A clock is near its bound or has reached it: the bound on zero minus the clock.
    Last(ClockId, Bound),
    /// There is no end.
    Never,
}

/// All valuations that are asked about.
pub(crate) enum Valuations<'s> {
    /// A box: upper bounds, by clock.
    Box(Vec<Bound>),
    /// The zone of a state.
    Zone(&'s SymbolicState),
}

impl Valuations<'_> {
    /// The largest difference of two clocks.
    fn most(&self, left: ClockId, right: ClockId) -> Bound {
        match self {
            _ if left == right => Bound::LE_ZERO,
            // Others may be zero.
            Self::Box(upper) => upper[left.index()],
            Self::Zone(state) => state.zone.get(state.active_place(left), state.active_place(right)),
        }
    }

    /// Whether some of them may satisfy a constraint.
    fn meet(&self, constraint: ClockDifference) -> bool {
        self.most(constraint.right, constraint.left) + constraint.bound >= Bound::LE_ZERO
    }

    /// Whether some of them belong to a moment.
    fn have(&self, moment: Moment) -> bool {
        match moment {
            Moment::Last(clock, least) => self.most(clock, ClockId::ZERO) + least >= Bound::LE_ZERO,
            Moment::Now | Moment::Never => true,
        }
    }

    /// Whether all of them satisfy a constraint at the end of a delay.
    pub(crate) fn satisfy(&self, constraint: ClockDifference, moment: Moment) -> bool {
        let ClockDifference { left, right, bound } = constraint;
        self.most(left, right) <= bound
            || match moment {
                Moment::Now => false,
                Moment::Last(clock, least) => {
                    self.most(left, ClockId::ZERO) + least + self.most(clock, right) <= bound
                }
                Moment::Never => left == ClockId::ZERO,
            }
    }

    /// Whether none of them satisfies a constraint at the end of a delay.
    fn violate(&self, constraint: ClockDifference, moment: Moment) -> bool {
        let ClockDifference { left, right, bound } = constraint;
        !bound.is_infinite()
            && self.satisfy(ClockDifference { left: right, right: left, bound: -bound }, moment)
    }
}

/// The ends of delays in the state that a [stay](Moves::stay) has entered, and what its invariants allow, by clock; `None` where invariants are not upper bounds of clocks.
fn moments(moves: &Moves<'_>) -> Option<(Vec<Moment>, Vec<Bound>)> {
    let mut upper = vec![Bound::INFINITY; moves.network().clocks.len()];
    upper[ClockId::ZERO.index()] = Bound::LE_ZERO;
    let mut bounded = Vec::new();
    for &ClockDifference { left, right, bound } in moves.invariants() {
        if left == ClockId::ZERO || right != ClockId::ZERO || bound < Bound::LE_ZERO {
            return None;
        }
        if upper[left.index()].is_infinite() {
            bounded.push(left);
        }
        upper[left.index()] = bound.min(upper[left.index()]);
    }
    let moments = match (moves.may_delay(), bounded.is_empty()) {
        (false, _) => vec![Moment::Now],
        (true, true) => vec![Moment::Never],
        (true, false) => {
            let last = |clock: ClockId| Moment::Last(clock, at_least(upper[clock.index()]));
            bounded.into_iter().map(last).collect()
        }
    };
    Some((moments, upper))
}

/// The bound on zero minus a clock in its last moment, given the bound of the clock.
fn at_least(last: Bound) -> Bound {
    if last.is_strict() { Bound::lt(1 - last.constant()) } else { Bound::le(-last.constant()) }
}

impl Explorer<'_> {
    /// Whether a transition is possible at the end of every delay, with the locations and data of the moves' source and whatever clock values its invariants allow. Only a sufficient condition for that nothing is
    /// deadlocked there.
    pub(crate) fn always_moves_at_last(&mut self) -> bool {
        let Some((moments, upper)) = self.moments_of_source() else { return false };
        has_move_at(moments, &Valuations::Box(upper), &mut self.moves, &mut self.candidates)
    }

    /// The same for the values of the source. Of these only those count whose delays are among them as far as invariants allow.
    pub(crate) fn source_moves_at_last(&mut self) -> bool {
        let Some((mut moments, _)) = self.moments_of_source() else { return false };
        let values = Valuations::Zone(&self.source);
        moments.retain(|&moment| values.have(moment));
        has_move_at(moments, &values, &mut self.moves, &mut self.candidates)
    }

    pub(crate) fn moments_of_source(&mut self) -> Option<(Vec<Moment>, Vec<Bound>)> {
        let features = &self.network.features;
        if features.priorities || features.stopwatches || !matches!(self.moves.stay(), Ok(true)) {
            return None;
        }
        let (mut moments, upper) = moments(&self.moves)?;
        if let Some(escapes) = &self.escapes
            && self.moves.may_delay()
        {
            // These need no look at candidates.
            self.moves.ends_of_escapes(escapes, |end| {
                if upper[end.left.index()] == end.bound {
                    moments.retain(|moment| !matches!(moment, Moment::Last(clock, _) if *clock == end.left));
                }
            });
        }
        Some((moments, upper))
    }
}

/// Whether a transition is surely possible at each moment.
fn has_move_at(
    mut moments: Vec<Moment>,
    values: &Valuations<'_>,
    moves: &mut Moves<'_>,
    candidates: &mut Candidates,
) -> bool {
    if moments.is_empty() {
        return true;
    }
    moves.rewind();
    let found = moves.find_where(&|constraint| values.meet(constraint), candidates);
    matches!(found.and_then(|()| moves.serve(&mut moments, values, candidates)), Ok(true))
}

impl Moves<'_> {
    /// Whether every moment has a candidate that is possible then; takes away those that have.
    fn serve(
        &mut self,
        moments: &mut Vec<Moment>,
        values: &Valuations<'_>,
        candidates: &Candidates,
    ) -> Result<bool, EvalError> {
        let mut served = Vec::new();
        for candidate in candidates.iter() {
            served.clone_from(moments);
            self.keep_served(&mut served, values, candidate)?;
            moments.retain(|moment| !served.contains(moment));
            if moments.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Leaves those moments in which a candidate is surely possible.
    fn keep_served(
        &mut self,
        moments: &mut Vec<Moment>,
        values: &Valuations<'_>,
        candidate: Candidate<'_>,
    ) -> Result<(), EvalError> {
        self.rewind();
        self.guard(candidate.edges, |constraint| {
            moments.retain(|&moment| values.satisfy(constraint, moment));
            !moments.is_empty()
        })?;
        for &edge in candidate.excluded {
            self.keep_without(edge, moments, values)?;
        }
        if moments.is_empty() {
            return Ok(());
        }
        if self.arrive(candidate.edges, |_, value| value > 0)? {
            self.keep_entered(moments, values);
        } else {
            moments.clear();
        }
        Ok(())
    }

    /// Leaves those moments in which the invariants of the target surely hold, once a candidate has arrived there.
    pub(crate) fn keep_entered(&self, moments: &mut Vec<Moment>, values: &Valuations<'_>) {
        // Clocks that are set to less than others may become negative.
        if !self.lowered().is_empty() {
            moments.clear();
        }
        for &invariant in self.invariants() {
            match self.before(invariant) {
                Some(before) if before.left == before.right => {
                    moments.retain(|_| before.bound >= Bound::LE_ZERO);
                }
                Some(before) => moments.retain(|&moment| values.satisfy(before, moment)),
                None => moments.clear(),
            }
        }
    }

    /// Leaves those moments in which the guard of an edge surely does not hold.
    fn keep_without(
        &mut self,
        edge: EdgeId,
        moments: &mut Vec<Moment>,
        values: &Valuations<'_>,
    ) -> Result<(), EvalError> {
        let mut guard = Vec::new();
        self.guard(&[edge], |constraint| {
            guard.push(constraint);
            true
        })?;
        moments.retain(|&moment| guard.iter().any(|&constraint| values.violate(constraint, moment)));
        Ok(())
    }

    /// An invariant of the target in terms of the values before; `None` when its bound is out of range then.
    fn before(&self, invariant: ClockDifference) -> Option<ClockDifference> {
        let (left, right) = (self.origin(invariant.left), self.origin(invariant.right));
        let shift = i64::from(right.offset) - i64::from(left.offset);
        let bound = Bound::new(i64::from(invariant.bound.constant()) + shift, invariant.bound.is_strict());
        Some(ClockDifference { left: left.clock, right: right.clock, bound: bound.ok()? })
    }
}
