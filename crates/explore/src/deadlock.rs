//! Deadlocks: valuations from which no transition is possible, now or after any delay.

use crate::enabled::Candidates;
use crate::explorer::{Explorer, Failure};
use crate::state::SymbolicState;
use guidepost_zones::Federation;
use std::cmp::Reverse;

impl Explorer<'_> {
    /// The part of a state's zone from which neither now nor after any delay a transition is possible.
    ///
    /// The zone is closed under delay, so a valuation can wait for a transition exactly if it lies in the past of the transition's enabled part. Only
    /// meaningful for zones that are exact up to bisimulation.
    pub fn deadlocked(&mut self, state: &SymbolicState) -> Result<Federation, Failure> {
        let failure = |error| Failure { error, edges: Vec::new() };
        self.source.assign(state);
        self.machine.load(&self.source.cells);
        let may_wait = self.may_delay().map_err(failure)?;
        self.find_candidates().map_err(failure)?;
        let candidates = std::mem::take(&mut self.candidates);
        let result = self.without_moves(&candidates, may_wait);
        self.candidates = candidates;
        result
    }

    /// The source zone without what can move now or, if it may wait, later.
    fn without_moves(&mut self, candidates: &Candidates, may_wait: bool) -> Result<Federation, Failure> {
        let mut stuck = Federation::from(self.source.zone.clone());
        // Highest priority first: a transition that is always blocked never happens, so it cannot fail either.
        let mut order: Vec<usize> = (0..candidates.list.len()).collect();
        order.sort_by_key(|&position| Reverse(candidates.list[position].priority));
        let mut stronger = Federation::empty(self.source.zone.dim());
        for position in order {
            if stuck.is_empty() {
                break;
            }
            let mut enabled = match self.enabled_zones(candidates, position) {
                Ok(enabled) => enabled,
                Err(error) => {
                    let edges = candidates.edges(&candidates.list[position].edges).to_vec();
                    let failure = |error| Failure { error, edges: edges.clone() };
                    let mut possible = self.guard_zones(candidates, position).map_err(failure)?;
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
        Ok(stuck)
    }
}
