//! Deadlocks, as a search meets them: which discrete states can have some, and which are in doubt.
//!
//! The reasons are in `guidepost_explore`'s `deadlock`. Whether a discrete state can have deadlocks at all is found out once; most cannot, and then its zones are not
//! looked at again.

use crate::reach::Part;
use guidepost_explore::{Explorer, Failure, SharpLocations, SymbolicState};
use guidepost_network::Network;
use guidepost_zones::Federation;
use std::sync::{Arc, Mutex, PoisonError};

/// What is known of a discrete state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
enum Known {
    #[default]
    Nothing,
    /// A quick look did not tell.
    Little,
    /// None of its valuations is deadlocked.
    AllMove,
    /// Some are, reached or not.
    SomeAreStuck,
}

/// What is known of discrete states, by store and number.
#[derive(Clone, Debug, Default)]
pub(crate) struct StuckParts {
    known: Vec<Vec<Known>>,
}

impl StuckParts {
    /// Whether a discrete state is known to have no deadlock.
    #[inline]
    pub(crate) fn all_move(&self, part: Part) -> bool {
        self.at(part) == Known::AllMove
    }

    /// The deadlocked part of a state's zone within some valuations of it; if there is none, adds to the doubts if it may stand for valuations that are deadlocked.
    pub(crate) fn deadlocked(
        &mut self,
        state: &SymbolicState,
        within: &Federation,
        part: Part,
        explorer: &mut Explorer<'_>,
        doubts: &mut SharpLocations,
    ) -> Result<Federation, Failure> {
        let is_clear = self.find_out(state, part, explorer) == Known::AllMove;
        let network: &Network = explorer.network();
        let may_doubt = !explorer.is_sharp(state) && !doubts.contain_all(network, &state.cells);
        // One look at all that the state stands for is enough nearly always.
        if is_clear || (may_doubt && !explorer.may_stand_for_deadlock(state)) {
            return Ok(Federation::empty(state.zone.dim()));
        }
        let stuck = explorer.deadlocked(state)?.intersection(within);
        if stuck.is_empty() && may_doubt {
            doubts.add_all(network, &state.cells);
        }
        Ok(stuck)
    }

    /// Whether nothing is to be said about deadlocks of a state, since there are none or since that is not known yet; the latter adds to the doubts. Unlike
    /// [`StuckParts::deadlocked`], for zones that may contain more than what is reachable.
    pub(crate) fn is_settled(
        &mut self,
        state: &SymbolicState,
        part: Part,
        explorer: &mut Explorer<'_>,
        doubts: &mut SharpLocations,
    ) -> bool {
        if self.find_out(state, part, explorer) == Known::AllMove {
            return true;
        }
        if explorer.is_sharp(state) {
            return false;
        }
        if explorer.may_stand_for_deadlock(state) {
            doubts.add_all(explorer.network(), &state.cells);
        }
        true
    }

    /// Whether a discrete state can have deadlocks. Many are met with one zone only, so that a thorough look is worth it when they are met again.
    fn find_out(&mut self, state: &SymbolicState, part: Part, explorer: &mut Explorer<'_>) -> Known {
        let known = match self.at(part) {
            Known::Nothing if explorer.surely_moves(state) => Known::AllMove,
            Known::Nothing => Known::Little,
            Known::Little if explorer.may_be_deadlocked(state) => Known::SomeAreStuck,
            Known::Little => Known::AllMove,
            known => return known,
        };
        self.note(part, known);
        known
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.known.iter().map(Vec::capacity).sum()
    }

    fn at(&self, Part(part): Part) -> Known {
        let known = part.and_then(|(store, number)| self.known.get(store)?.get(number as usize));
        known.copied().unwrap_or_default()
    }

    fn note(&mut self, Part(part): Part, known: Known) {
        let Some((store, number)) = part else { return };
        if self.known.len() <= store {
            self.known.resize_with(store + 1, Vec::new);
        }
        let numbers = &mut self.known[store];
        if numbers.len() <= number as usize {
            numbers.resize(number as usize + 1, Known::Nothing);
        }
        numbers[number as usize] = known;
    }
}

/// Doubts about deadlocks, which all searches for the answer to a query share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts(Arc<Mutex<SharpLocations>>);

impl Doubts {
    /// Changes them.
    pub(crate) fn with<T>(&self, change: impl FnOnce(&mut SharpLocations) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether there are none.
    pub(crate) fn are_none(&self) -> bool {
        self.with(|doubts| doubts.is_empty())
    }

    /// Takes them away.
    pub(crate) fn take(&self) -> SharpLocations {
        self.with(std::mem::take)
    }
}
