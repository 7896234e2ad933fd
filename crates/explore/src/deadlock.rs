//! Deadlocks: valuations from which no transition is possible, now or after any delay.

use crate::explorer::{Explorer, SourceZone};
use crate::moves::{Candidate, Candidates, Failure};
use crate::state::SymbolicState;
use guidepost_zones::Federation;
use std::cmp::Reverse;

impl Explorer<'_> {
    /// The part of a state's zone from which neither now nor after any delay a transition is possible.
    ///
    /// The zone is closed under delay, so a valuation can wait for a transition exactly if it lies in the past of the transition's enabled part. Only
    /// meaningful for zones that are exact up to bisimulation.
    pub fn deadlocked(&mut self, state: &SymbolicState) -> Result<Federation, Failure> {
        self.source.assign(state);
        self.moves.set_source(&self.source.cells);
        let may_wait = self.moves.source_lets_time_pass().map_err(Failure::outside)?;
        let mut candidates = std::mem::take(&mut self.candidates);
        let found = self.moves.find(&SourceZone(&self.source), &mut candidates);
        let result = found.map_err(Failure::outside).and_then(|()| self.without_moves(&candidates, may_wait));
        self.candidates = candidates;
        result
    }

    /// The source zone without what can move now or, if it may wait, later.
    fn without_moves(&mut self, candidates: &Candidates, may_wait: bool) -> Result<Federation, Failure> {
        let domain = SourceZone(&self.source);
        let mut stuck = Federation::from(self.source.zone.clone());
        // Highest priority first: a transition that is always blocked never happens, so it cannot fail either.
        let mut order: Vec<Candidate<'_>> = candidates.iter().collect();
        order.sort_by_key(|candidate| Reverse(candidate.priority));
        let mut stronger = Federation::empty(self.source.zone.dim());
        for candidate in order {
            if stuck.is_empty() {
                break;
            }
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
        }
        debug_assert!(Federation::from(self.source.zone.clone()).includes(&stuck), "a part of the state");
        Ok(stuck)
    }
}
