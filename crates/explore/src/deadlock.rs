//! Deadlocks: valuations from which no transition is possible, now or after any delay.

use crate::explorer::{Explorer, Failure};
use crate::state::SymbolicState;
use guidepost_zones::Federation;

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
        let mut stuck = Federation::from(self.source.zone.clone());
        let candidates = std::mem::take(&mut self.candidates);
        let mut result = Ok(());
        for position in 0..candidates.list.len() {
            if stuck.is_empty() {
                break;
            }
            match self.enabled_zones(&candidates, position) {
                Ok(mut enabled) => {
                    if may_wait {
                        enabled.down();
                    }
                    stuck.subtract(&enabled);
                }
                Err(error) => {
                    let edges = candidates.edges(&candidates.list[position].edges).to_vec();
                    result = Err(Failure { error, edges });
                    break;
                }
            }
        }
        self.candidates = candidates;
        result.map(|()| stuck)
    }
}
