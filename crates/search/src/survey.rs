//! A survey of the whole state space: its size, dead code, deadlocks and time-locks.
//!
//! Sizes and dead code come from a plain exploration: a state that is covered can do nothing that the covering one cannot. Deadlocks are another
//! matter (a deadlocked valuation may be covered by one that moves on), so they are searched in a second exploration that keeps bisimilar states
//! apart, under a limit of its own.

use crate::answer::{Evidence, InternalError, RunEnding};
use crate::frontier::Order;
use crate::limits::Limits;
use crate::parallel::ParallelSearch;
use crate::reach::{Outcome, Search, Watcher};
use crate::statistics::{Progress, Statistics};
use crate::verify::{Configuration, evidence, halt};
use guidepost_explore::{
    ClockDifference, Explorer, Failure, StateId, Store, SymbolicState, Unsupported, differences,
};
use guidepost_network::{EdgeId, EvalError, Network};
use std::ops::ControlFlow;

/// What a whole exploration found.
#[derive(Clone, Debug)]
pub struct Survey {
    /// How the exploration ended.
    pub outcome: Outcome,
    /// Its numbers.
    pub statistics: Statistics,
    /// By location: whether some process ever is there.
    pub reached: Vec<bool>,
    /// By edge: whether it is ever taken.
    pub taken: Vec<bool>,
    /// By variable: smallest and largest value in stored states.
    pub ranges: Vec<(i32, i32)>,
}

struct Recorder<'o> {
    processes: usize,
    reached: Vec<bool>,
    taken: Vec<bool>,
    ranges: Vec<(i32, i32)>,
    /// Hears of progress; the main thread's business.
    observe: Option<&'o mut (dyn FnMut(&Progress) + Send)>,
}

impl<'o> Recorder<'o> {
    fn new(network: &Network, observe: Option<&'o mut (dyn FnMut(&Progress) + Send)>) -> Self {
        Self {
            processes: network.processes.len(),
            reached: vec![false; network.locations.len()],
            taken: vec![false; network.edges.len()],
            ranges: vec![(i32::MAX, i32::MIN); network.variables.len()],
            observe,
        }
    }

    fn merge(&mut self, other: &Recorder<'_>) {
        for (mine, theirs) in self.reached.iter_mut().zip(&other.reached) {
            *mine |= theirs;
        }
        for (mine, theirs) in self.taken.iter_mut().zip(&other.taken) {
            *mine |= theirs;
        }
        for (mine, theirs) in self.ranges.iter_mut().zip(&other.ranges) {
            *mine = (mine.0.min(theirs.0), mine.1.max(theirs.1));
        }
    }

    fn finish(self, outcome: Outcome, statistics: Statistics) -> Survey {
        Survey { outcome, statistics, reached: self.reached, taken: self.taken, ranges: self.ranges }
    }
}

impl Watcher for Recorder<'_> {
    #[inline]
    fn transition(&mut self, edges: &[EdgeId], _target: &SymbolicState) {
        for edge in edges {
            self.taken[edge.index()] = true;
        }
    }

    #[inline]
    fn stored(&mut self, state: &SymbolicState) -> Result<bool, EvalError> {
        let (locations, variables) = state.cells.split_at(self.processes);
        for &location in locations {
            self.reached[location as usize] = true;
        }
        for (range, &value) in self.ranges.iter_mut().zip(variables) {
            *range = (range.0.min(value), range.1.max(value));
        }
        Ok(false)
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(observe) = &mut self.observe {
            observe(progress);
        }
    }
}

/// Explores everything.
pub fn survey(
    network: &Network,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Survey, Unsupported> {
    let make = || Explorer::new(network, &[], configuration.reachability());
    if configuration.is_parallel() {
        return survey_in_parallel(network, &make, configuration, observe);
    }
    let mut explorer = make()?;
    let mut store = Store::new(&explorer);
    let mut recorder = Recorder::new(network, Some(observe));
    let search = Search {
        explorer: &mut explorer,
        store: &mut store,
        order: configuration.strategy.order(),
        shortest: false,
        limits: &configuration.limits,
    };
    let (outcome, statistics) = search.run(&mut recorder);
    Ok(recorder.finish(outcome, statistics))
}

fn survey_in_parallel<'n>(
    network: &'n Network,
    make: &dyn Fn() -> Result<Explorer<'n>, Unsupported>,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Survey, Unsupported> {
    let mut workers = Vec::new();
    for _ in 0..configuration.threads {
        workers.push((make()?, Recorder::new(network, None)));
    }
    let search = ParallelSearch { shortest: false, limits: &configuration.limits };
    let done = search.run(&mut workers, &mut |_| false, observe);
    let mut recorders = workers.into_iter().map(|(_, recorder)| recorder);
    let mut first = recorders.next().expect("at least one worker");
    for other in recorders {
        first.merge(&other);
    }
    Ok(first.finish(done.outcome, done.statistics))
}

/// States without a way on.
#[derive(Clone, Debug)]
pub struct Halts {
    /// How the search for them ended; [`Outcome::Exhausted`] means that what was not found does not exist.
    pub outcome: Outcome,
    /// A state in which no transition is ever possible again, but time goes on.
    pub deadlock: Option<Evidence>,
    /// A state in which no transition is ever possible again and time comes to a halt, too.
    pub timelock: Option<Evidence>,
}

/// Looks for an example of a deadlock and of a time-lock.
pub fn halts(
    network: &Network,
    configuration: &Configuration,
    limits: &Limits,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Result<Halts, InternalError>, Unsupported> {
    let mut explorer = Explorer::new(network, &[], configuration.bisimulation())?;
    let mut store = Store::new(&explorer);
    let mut finder = HaltFinder { deadlock: None, timelock: None, observe };
    let search = Search {
        explorer: &mut explorer,
        store: &mut store,
        order: Order::BreadthFirst,
        shortest: false,
        limits,
    };
    let (outcome, _) = search.run(&mut finder);
    let mut show = |found: Option<(StateId, Vec<ClockDifference>)>, ending| match found {
        None => Ok(None),
        Some((id, finally)) => evidence(&mut explorer, &store.ordinals(id), &finally, false)
            .map(|run| Some(Evidence { ending, ..run })),
    };
    let halts = show(finder.deadlock, RunEnding::Waits).and_then(|deadlock| {
        let timelock = show(finder.timelock, RunEnding::Stuck)?;
        Ok(Halts { outcome, deadlock, timelock })
    });
    Ok(halts)
}

struct HaltFinder<'o> {
    deadlock: Option<(StateId, Vec<ClockDifference>)>,
    timelock: Option<(StateId, Vec<ClockDifference>)>,
    observe: &'o mut (dyn FnMut(&Progress) + Send),
}

impl Watcher for HaltFinder<'_> {
    fn stored(&mut self, _state: &SymbolicState) -> Result<bool, EvalError> {
        Ok(true)
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        let stuck = explorer.deadlocked(state)?;
        if stuck.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let goes_on = halt(state, explorer)? == RunEnding::Waits;
        let place = if goes_on { &mut self.deadlock } else { &mut self.timelock };
        if place.is_none() {
            *place = stuck.zones().first().map(|zone| (id, differences(state, zone)));
        }
        let both = self.deadlock.is_some() && self.timelock.is_some();
        Ok(if both { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn progress(&mut self, progress: &Progress) {
        (self.observe)(progress);
    }
}
