//! Examples of a deadlock and of a time-lock, found while everything is explored.
//!
//! Which of the two a deadlock is depends on the discrete state alone: whether time may pass there, and whether an invariant bounds it.

use crate::ProgressObserver;
use crate::configuration::Configuration;
use crate::evidence::{Ways, evidence};
use crate::frontier::Order;
use crate::job::halt;
use crate::reach::{End, Part, Search, Watcher};
use crate::stuck::StuckParts;
use crate::survey::outcome;
use guidepost_answer::{Evidence, Halts, InternalError, Limits, Outcome, Progress, RunEnding, Unsupported};
use guidepost_explore::{
    ClockDifference, Explorer, Failure, SharpLocations, StateId, SymbolicState, differences,
};
use guidepost_network::{EvalError, Network};
use std::ops::ControlFlow;

/// Deadlocks of one kind.
#[derive(Default)]
struct Kind {
    found: Option<(StateId, Vec<ClockDifference>)>,
    /// Where there may be some that do not show.
    doubts: SharpLocations,
}

/// Looks for deadlocks of both kinds in an exploration: those where time goes on, and those where it does not.
#[derive(Default)]
pub struct HaltFinder {
    stuck: StuckParts,
    deadlock: Kind,
    timelock: Kind,
    /// See [`Configuration::deadlock_trial`].
    trial: u32,
    /// Whether it stops looking when everything will be explored once more.
    gives_up: bool,
}

impl HaltFinder {
    /// Nothing is found yet.
    pub(crate) fn new(configuration: &Configuration) -> Self {
        Self { trial: configuration.deadlock_trial, ..Self::default() }
    }

    /// Whether states with this discrete part are worth a closer look as soon as they are stored.
    pub(crate) fn is_interested(&self, part: Part) -> bool {
        !self.stuck.can_wait() && self.may_find(part)
    }

    /// Whoever finds all deadlocks alone need not look for them when everything will be explored once more anyway: with finer zones, and for deadlocks of both kinds.
    pub(crate) fn giving_up(self) -> Self {
        Self { gives_up: true, ..self }
    }

    /// Whether there may be a deadlock in a discrete part that is not known already.
    fn may_find(&self, part: Part) -> bool {
        !self.is_over() && !self.stuck.all_move(part)
    }

    /// Whether nothing is to be found any more.
    fn is_over(&self) -> bool {
        self.has_both() || (self.gives_up && self.stuck.surely_has_all_doubts() && self.is_in_doubt())
    }

    /// From now on, the search tells which states it has expanded.
    pub(crate) fn hear_of_expansions(&mut self) {
        self.stuck.hear_of_expansions(self.trial);
    }

    /// A state was expanded, and perhaps that showed that it moves; whether it is worth a closer look now.
    pub(crate) fn expanded(&mut self, part: Part, moves_at_once: bool) -> bool {
        !self.is_over() && self.stuck.expanded(part, moves_at_once)
    }

    /// Whether there are doubts about a kind of which none is found, and hardly any others to come. Then everything is explored once more.
    fn has_all_doubts(&self) -> bool {
        self.stuck.has_all_doubts() && self.is_in_doubt()
    }

    fn is_in_doubt(&self) -> bool {
        let is_open = |kind: &Kind| kind.found.is_none() && !kind.doubts.is_empty();
        is_open(&self.deadlock) || is_open(&self.timelock)
    }

    /// A state was stored.
    pub(crate) fn count(&mut self) {
        self.stuck.count();
    }

    fn has_both(&self) -> bool {
        self.deadlock.found.is_some() && self.timelock.found.is_some()
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.stuck.bytes()
    }

    /// The states that were found: a deadlock where time goes on, and one where it does not.
    pub fn found(&self) -> [Option<StateId>; 2] {
        [&self.deadlock, &self.timelock].map(|kind| kind.found.as_ref().map(|(id, _)| *id))
    }

    /// Where there may be deadlocks that do not show, of both kinds.
    pub fn doubts(&self) -> [&SharpLocations; 2] {
        [&self.deadlock.doubts, &self.timelock.doubts]
    }

    /// Adds doubts of others who look for the same, of both kinds.
    pub fn doubt(&mut self, others: [&SharpLocations; 2]) {
        for (kind, doubts) in [&mut self.deadlock, &mut self.timelock].into_iter().zip(others) {
            kind.doubts.unite(doubts);
        }
    }

    /// Takes a closer look at a state.
    pub fn look_at(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        part: Part,
        explorer: &mut Explorer<'_>,
    ) -> Result<(), Failure> {
        if !self.may_find(part) {
            return Ok(());
        }
        let goes_on = halt(state, explorer)? == RunEnding::Waits;
        let kind = if goes_on { &mut self.deadlock } else { &mut self.timelock };
        if kind.found.is_none() {
            let stuck = self.stuck.deadlocked(state, None, part, explorer, &mut kind.doubts)?;
            kind.found = stuck.zones().first().map(|zone| (id, differences(state, zone)));
        }
        Ok(())
    }

    /// Takes over what another thread found.
    pub(crate) fn merge(&mut self, other: HaltFinder) {
        let pairs = [(&mut self.deadlock, other.deadlock), (&mut self.timelock, other.timelock)];
        for (mine, theirs) in pairs {
            mine.doubts.unite(&theirs.doubts);
            mine.found = mine.found.take().or(theirs.found);
        }
    }

    /// What it found, with runs. `sharp` are the locations that leave no doubts.
    pub fn conclude(
        self,
        end: &End,
        sharp: &SharpLocations,
        explorer: &mut Explorer<'_>,
        ways: &Ways<'_>,
    ) -> HaltSearch {
        let mut doubts = SharpLocations::NONE;
        let mut show = |kind: Kind, ending| match kind.found {
            None => {
                doubts.unite(&kind.doubts);
                Ok(None)
            }
            Some((id, finally)) => {
                evidence(explorer, ways, id, &finally, false).map(|run| Some(Evidence { ending, ..run }))
            }
        };
        let deadlock = show(self.deadlock, RunEnding::Waits);
        let timelock = show(self.timelock, RunEnding::Stuck);
        let halts = deadlock.and_then(|deadlock| {
            timelock.map(|timelock| Halts { outcome: outcome(end), deadlock, timelock })
        });
        let is_complete = doubts.is_empty();
        doubts.unite(sharp);
        HaltSearch { halts, sharp: doubts, is_complete }
    }
}

/// A search for deadlocks that may have to go on.
pub struct HaltSearch {
    halts: Result<Halts, InternalError>,
    /// Where it must be told apart what is deadlocked.
    sharp: SharpLocations,
    /// There are no doubts left.
    is_complete: bool,
}

impl HaltSearch {
    /// One that has not begun.
    pub fn pending() -> Self {
        let halts = Halts { outcome: Outcome::Decided(()), deadlock: None, timelock: None };
        Self { halts: Ok(halts), sharp: SharpLocations::NONE, is_complete: false }
    }

    /// Whether everything is known.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Explores again, within limits, as long as there are doubts.
    pub fn finish(
        self,
        network: &Network,
        configuration: &Configuration,
        limits: &Limits,
        observe: &mut ProgressObserver<'_>,
    ) -> Result<Result<Halts, InternalError>, Unsupported> {
        self.finish_with(limits, &mut |sharp, left| {
            let abstraction = configuration.deadlocks(network);
            let mut explorer = Explorer::with_sharp(network, &[], abstraction, sharp.clone())?;
            // States have been counted, and what cannot influence deadlocks need not be looked at again.
            if configuration.reductions.slicing {
                explorer.leave_out_idle_variables(&[]);
            }
            let mut hunt = HaltHunt { finder: HaltFinder::new(configuration), observe };
            let search = Search::new(explorer, Order::BreadthFirst, left);
            let mut search = search.reduced(configuration.reductions);
            let end = search.run(&mut hunt);
            let (mut explorer, trail) = search.into_trail();
            Ok(hunt.finder.conclude(&end, sharp, &mut explorer, &trail.into_ways()))
        })
    }

    /// As [`HaltSearch::finish`], with somebody else to explore: with zones that leave no doubts at some locations.
    pub fn finish_with(
        self,
        limits: &Limits,
        explore: &mut dyn FnMut(&SharpLocations, &Limits) -> Result<HaltSearch, Unsupported>,
    ) -> Result<Result<Halts, InternalError>, Unsupported> {
        let begin = std::time::Instant::now();
        let Self { mut halts, mut sharp, mut is_complete } = self;
        while let (Ok(known), false) = (&mut halts, is_complete) {
            if !known.outcome.is_decided() {
                break;
            }
            let next = explore(&sharp, &limits.left_since(begin))?;
            let (deadlock, timelock) = (known.deadlock.take(), known.timelock.take());
            halts = next.halts.map(|found| Halts {
                outcome: found.outcome,
                deadlock: deadlock.or(found.deadlock),
                timelock: timelock.or(found.timelock),
            });
            (sharp, is_complete) = (next.sharp, next.is_complete);
        }
        Ok(halts)
    }
}

/// An exploration for deadlocks alone.
struct HaltHunt<'o> {
    finder: HaltFinder,
    observe: &'o mut (dyn FnMut(&Progress) + Send),
}

impl Watcher for HaltHunt<'_> {
    fn stored(&mut self, _state: &SymbolicState, part: Part) -> Result<bool, EvalError> {
        self.finder.count();
        Ok(self.finder.is_interested(part))
    }

    fn wants_expansions(&mut self) -> bool {
        self.finder.hear_of_expansions();
        true
    }

    fn expanded(&mut self, part: Part, moves_at_once: bool) -> bool {
        self.finder.expanded(part, moves_at_once)
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        part: Part,
        explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        self.finder.look_at(id, state, part, explorer)?;
        // Doubts that are left are cleared up by another search.
        let is_over = self.finder.has_both() || self.finder.has_all_doubts();
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn bytes(&self) -> usize {
        self.finder.bytes()
    }

    fn progress(&mut self, progress: &Progress) {
        (self.observe)(progress);
    }
}
