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
    /// It was met, and not looked at without its zone.
    Once,
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
    /// States that were stored.
    stored: u64,
    /// How many there are when it has been quiet for as long as it took to find the last doubt.
    quiet: Option<u64>,
    /// Discrete states that were met, quick looks at them, and how many of these did not tell.
    met: u32,
    looks: u32,
    in_vain: u32,
    /// What expansions tell by the way, for those who hear of them.
    expansions: Option<Expansions>,
}

/// Expanded states, and what that told about them.
#[derive(Clone, Copy, Debug, Default)]
struct Expansions {
    /// How many there are when it is decided whether to wait for them. Before that, a deadlock is found as soon as it is stored.
    trial: u32,
    all: u32,
    /// Those that showed that nothing with the same discrete part is deadlocked.
    tell: u32,
    /// States are looked at when they have been expanded, not when they are stored. Once it is so, it stays so: nobody else looks at those that were passed over.
    is_enough: bool,
}

/// Waiting for expansions is worth it if one of so many tells.
const ENOUGH: u32 = 2;

/// Where quick looks are in vain, one of so many is taken all the same.
const SAMPLE: u32 = 16;

/// So many states are always stored before a search with doubts is given up.
const FIRST_STATES: u64 = 256;

impl StuckParts {
    /// A state was stored.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.stored += 1;
    }

    /// Whether a search without a deadlock has doubts and will hardly have others: whatever it goes on to, everything is explored again with finer zones, in which deadlocks show as well.
    pub(crate) fn has_all_doubts(&self) -> bool {
        self.quiet.is_some_and(|quiet| self.stored >= quiet)
    }

    /// As [`StuckParts::has_all_doubts`], for a search that has to go on in any case and saves no more than looks at states: a doubt that it does not find costs more than many of them.
    pub(crate) fn surely_has_all_doubts(&self) -> bool {
        self.quiet.is_some_and(|quiet| self.stored >= 2 * quiet)
    }

    /// From now on, the search tells which states it has [expanded](Self::expanded).
    pub(crate) fn hear_of_expansions(&mut self, trial: u32) {
        self.expansions = Some(Expansions { trial, is_enough: trial == 0, ..Expansions::default() });
    }

    /// A state was expanded, and perhaps that showed that it moves; whether it has to be looked at now, because nobody did when it was stored.
    pub(crate) fn expanded(&mut self, part: Part, moves_at_once: bool) -> bool {
        let Some(expansions) = &mut self.expansions else { return false };
        expansions.all = expansions.all.saturating_add(1);
        expansions.tell = expansions.tell.saturating_add(u32::from(moves_at_once));
        if expansions.all == expansions.trial {
            expansions.is_enough = expansions.tell >= expansions.trial / ENOUGH;
        }
        let is_due = expansions.is_enough;
        let known = self.at(part);
        if moves_at_once && known != Known::AllMove {
            self.note(part, Known::AllMove);
        }
        is_due && !moves_at_once && known != Known::AllMove
    }

    /// Whether states are looked at when they have been expanded, and not before.
    #[inline]
    pub(crate) fn can_wait(&self) -> bool {
        self.expansions.is_some_and(|expansions| expansions.is_enough)
    }

    /// Whether a discrete state is known to have no deadlock.
    #[inline]
    pub(crate) fn all_move(&self, part: Part) -> bool {
        self.at(part) == Known::AllMove
    }

    /// The deadlocked part of a state's zone, or of some valuations of it; if there is none, adds to the doubts if it may stand for valuations that are deadlocked.
    pub(crate) fn deadlocked(
        &mut self,
        state: &SymbolicState,
        within: Option<&Federation>,
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
        let mut stuck = explorer.deadlocked(state)?;
        if let Some(within) = within {
            stuck = stuck.intersection(within);
        }
        if stuck.is_empty() && may_doubt {
            doubts.add_all_alike(network, &state.cells);
            self.quiet = Some(2 * self.stored.max(FIRST_STATES));
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

    /// Whether a discrete state can have deadlocks. Many are met with one zone only: then a look at that zone is enough, and others are worth it when they are met again.
    fn find_out(&mut self, state: &SymbolicState, part: Part, explorer: &mut Explorer<'_>) -> Known {
        let known = match self.at(part) {
            Known::Nothing if self.would_be_in_vain() => Known::Once,
            Known::Nothing | Known::Once => self.look(state, explorer),
            Known::Little if explorer.may_be_deadlocked(state) => Known::SomeAreStuck,
            Known::Little => Known::AllMove,
            known => return known,
        };
        self.note(part, known);
        known
    }

    /// A quick look, without zones.
    fn look(&mut self, state: &SymbolicState, explorer: &mut Explorer<'_>) -> Known {
        let tells = explorer.surely_moves(state);
        self.looks += 1;
        self.in_vain += u32::from(!tells);
        if tells { Known::AllMove } else { Known::Little }
    }

    /// Whether most quick looks did not tell.
    fn would_be_in_vain(&mut self) -> bool {
        self.met = self.met.wrapping_add(1);
        !self.met.is_multiple_of(SAMPLE) && self.in_vain > self.looks / 2
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
