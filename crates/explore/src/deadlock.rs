//! Deadlocks: valuations from which no transition is possible, now or after any delay.
//!
//! Whether a valuation is deadlocked depends on the discrete state q and the clocks, not on how it was reached. So there is a set D(q) of deadlocked valuations,
//! which can be computed without any zone, and for most q it is empty. That makes deadlocks a matter of reachability:
//!
//! 1. Explore up to `a_LU`. Every reachable discrete state is visited, with zones whose valuations are reachable (or bisimilar to reachable ones). If a zone meets
//!    D(q), there is a deadlock.
//! 2. If not, a reachable valuation in D(q) can only be one that some zone Z merely stands for: it is in `a_LU(Z)`. Where D(q) is empty, or disjoint from a zone that contains
//!    `a_LU(Z)`, there is none. (Z is closed under delay as far as the invariants allow, and so is `a_LU(Z)`.) Otherwise q is in *doubt*
//!    ([`Explorer::may_stand_for_deadlock`]).
//! 3. With doubts, everything is explored again with all locations of doubtful states [sharp](crate::SharpLocations). There a valuation is deadlocked iff those
//!    are that stand for it, so that stored zones tell. Doubts can only be about further locations, so this comes to an end; once is enough nearly always.

use crate::explorer::{Explorer, SourceZone};
use crate::moves::{Candidate, Candidates, Escapes, Failure};
use crate::state::SymbolicState;
use guidepost_zones::{Federation, Zone};
use std::cmp::Reverse;

/// Zones that a set of deadlocks is made of at most; beyond that it counts as unknown.
const MOST_ZONES: usize = 64;

impl Explorer<'_> {
    /// The part of a state's zone from which neither now nor after any delay a transition is possible.
    ///
    /// The zone is closed under delay, so a valuation can wait for a transition exactly if it lies in the past of the transition's enabled part. Only
    /// meaningful for zones that are exact up to bisimulation.
    pub fn deadlocked(&mut self, state: &SymbolicState) -> Result<Federation, Failure> {
        self.set_source(state);
        Ok(self.deadlocked_source(usize::MAX)?.expect("there is no limit"))
    }

    /// Whether a quick look, without zones, shows that no valuation with a state's locations and data is deadlocked, reached or not.
    pub fn surely_moves(&mut self, state: &SymbolicState) -> bool {
        self.moves.set_source(&state.cells);
        let escapes = self.escapes.get_or_insert_with(|| Escapes::new(self.network));
        self.moves.always_escape(escapes) || self.always_moves_at_last()
    }

    /// Whether some valuation with a state's locations and data is deadlocked, reached or not. Also if that is too much to say, or if something fails that may not
    /// be reached. To be asked after [`Explorer::surely_moves`].
    pub fn may_be_deadlocked(&mut self, state: &SymbolicState) -> bool {
        self.may_deadlock_within(state, Zone::universe(state.zone.dim()))
    }

    /// Whether a state stands only for valuations that are deadlocked iff its own are.
    pub fn is_sharp(&self, state: &SymbolicState) -> bool {
        !self.abstraction().is_simulation() || self.sharp.contain_all(self.network, &state.cells)
    }

    /// Whether valuations that a state stands for may be deadlocked, its own among them. Where none is, neither is there any doubt.
    pub fn may_stand_for_deadlock(&mut self, state: &SymbolicState) -> bool {
        let mut represented = state.zone.clone();
        represented.widen_to_alu_hull(state.bounds());
        self.may_deadlock_within(state, represented)
    }

    /// Whether some valuation of a zone may be deadlocked, with a state's locations and data. Of the zone only a set counts that is closed under delay; others may
    /// seem to be deadlocked.
    fn may_deadlock_within(&mut self, state: &SymbolicState, mut zone: Zone) -> bool {
        self.moves.set_source(&state.cells);
        if !matches!(self.moves.stay(), Ok(true)) {
            return true;
        }
        let invariants = self.moves.invariants().iter().map(|&invariant| state.constraint(invariant));
        if !zone.constrain_all(&invariants.collect::<Vec<_>>()) {
            return false;
        }
        self.set_source(state);
        self.source.zone = zone;
        !matches!(self.deadlocked_source(MOST_ZONES), Ok(Some(stuck)) if stuck.is_empty())
    }

    /// The part of the source zone that is deadlocked; `None` when it takes too many zones to say.
    fn deadlocked_source(&mut self, most_zones: usize) -> Result<Option<Federation>, Failure> {
        self.moves.set_source(&self.source.cells);
        let escapes = self.escapes.get_or_insert_with(|| Escapes::new(self.network));
        if self.moves.always_escape(escapes) || self.source_moves_at_last() {
            return Ok(Some(Federation::empty(self.source.zone.dim())));
        }
        self.moves.rewind();
        let may_wait = self.moves.source_lets_time_pass().map_err(Failure::outside)?;
        let mut candidates = std::mem::take(&mut self.candidates);
        let found = self.moves.find(&SourceZone(&self.source), &mut candidates);
        let result = found
            .map_err(Failure::outside)
            .and_then(|()| self.without_moves(&candidates, may_wait, most_zones));
        self.candidates = candidates;
        result
    }

    /// The source zone without what can move now or, if it may wait, later.
    fn without_moves(
        &mut self,
        candidates: &Candidates,
        may_wait: bool,
        most_zones: usize,
    ) -> Result<Option<Federation>, Failure> {
        let mut stuck = Federation::from(self.source.zone.clone());
        // Highest priority first: a transition that is always blocked never happens, so it cannot fail either. Then those that no clock keeps back: often one of them
        // is all that there is to look at.
        let mut order: Vec<Candidate<'_>> = candidates.iter().collect();
        let edges = &self.network.edges;
        let is_guarded = |candidate: &Candidate<'_>| {
            candidate.edges.iter().any(|edge| !edges[edge.index()].clock_guard.is_empty())
        };
        order.sort_by_key(|candidate| (Reverse(candidate.priority), is_guarded(candidate)));
        let mut stronger = Federation::empty(self.source.zone.dim());
        for candidate in order {
            if stuck.is_empty() {
                break;
            }
            let domain = SourceZone(&self.source);
            let mut enabled = match self.moves.enabled(candidate, &domain) {
                Ok(enabled) => enabled,
                Err(error) => {
                    let failure = |error| Failure { error, edges: candidate.edges.to_vec() };
                    let mut possible = self.moves.guarded(candidate, &domain).map_err(failure)?;
                    if self.network.features.priorities {
                        possible.subtract(&stronger);
                    }
                    if possible.is_empty() {
                        continue;
                    }
                    return Err(failure(error));
                }
            };
            if self.network.features.priorities {
                stronger.unite(enabled.clone());
            }
            if may_wait {
                enabled.down();
            }
            stuck.subtract(&enabled);
            if stuck.zones().len() > most_zones {
                return Ok(None);
            }
        }
        debug_assert!(Federation::from(self.source.zone.clone()).includes(&stuck), "a part of the state");
        Ok(Some(stuck))
    }
}
