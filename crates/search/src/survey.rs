//! A survey of the whole state space: its size, dead code, deadlocks and time-locks.
//!
//! Sizes and dead code come from a plain exploration: a state that is covered can do nothing that the covering one cannot. Deadlocks are another
//! matter (a deadlocked valuation may be covered by one that moves on), so they are searched in a second exploration that keeps bisimilar states
//! apart, under a limit of its own.

use crate::ProgressObserver;
use crate::configuration::Configuration;
use crate::evidence::{evidence, failed};
use crate::frontier::Order;
use crate::job::halt;
use crate::parallel::ParallelSearch;
use crate::reach::{End, Search, Watcher};
use guidepost_answer::{
    Evidence, Halts, InternalError, Limits, Outcome, Progress, RunEnding, Statistics, Survey, Unsupported,
};
use guidepost_explore::{ClockDifference, Explorer, Failure, StateId, SymbolicState, differences};
use guidepost_language::source::Span;
use guidepost_network::{EdgeId, EvalError, Network};
use std::ops::ControlFlow;

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

    fn finish(self, end: &End, statistics: Statistics, wraps: Vec<Span>) -> Survey {
        let outcome = outcome(end);
        Survey { outcome, statistics, reached: self.reached, taken: self.taken, ranges: self.ranges, wraps }
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

/// How a look at everything ends; one that its watcher ended has seen what it was after.
fn outcome(end: &End) -> Outcome<()> {
    match end {
        End::Satisfied | End::Exhausted => Outcome::Decided(()),
        End::Stopped(reason) => Outcome::Stopped(*reason),
        End::Failed(_, failure) => failed(failure, None),
    }
}

/// Explores everything.
pub fn survey(
    network: &Network,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Survey, Unsupported> {
    let make = || Explorer::new(network, &[], configuration.reachability());
    if configuration.is_parallel() {
        return survey_in_parallel(network, &make, configuration, observe);
    }
    let mut recorder = Recorder::new(network, Some(observe));
    let mut search = Search::new(make()?, configuration.strategy.order(), &configuration.limits);
    let end = search.run(&mut recorder);
    Ok(recorder.finish(&end, search.numbers(), search.explorer.machine().wraps()))
}

fn survey_in_parallel<'n>(
    network: &'n Network,
    make: &dyn Fn() -> Result<Explorer<'n>, Unsupported>,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Survey, Unsupported> {
    let mut workers = Vec::new();
    for _ in 0..configuration.threads {
        workers.push((make()?, Recorder::new(network, None)));
    }
    let search = ParallelSearch { shortest: false, limits: &configuration.limits };
    let done = search.run(&mut workers, &mut |_| false, observe);
    let mut wraps: Vec<Span> = workers.iter().flat_map(|(explorer, _)| explorer.machine().wraps()).collect();
    wraps.sort_unstable();
    wraps.dedup();
    let mut recorders = workers.into_iter().map(|(_, recorder)| recorder);
    let mut first = recorders.next().expect("at least one worker");
    for other in recorders {
        first.merge(&other);
    }
    Ok(first.finish(&done.end, done.statistics, wraps))
}

/// Looks for an example of a deadlock and of a time-lock.
pub fn halts(
    network: &Network,
    configuration: &Configuration,
    limits: &Limits,
    observe: &mut ProgressObserver<'_>,
) -> Result<Result<Halts, InternalError>, Unsupported> {
    let explorer = Explorer::new(network, &[], configuration.bisimulation())?;
    let mut finder = HaltFinder { deadlock: None, timelock: None, observe };
    let mut search = Search::new(explorer, Order::BreadthFirst, limits);
    let end = search.run(&mut finder);
    let Search { mut explorer, store, .. } = search;
    let mut show = |found: Option<(StateId, Vec<ClockDifference>)>, ending| match found {
        None => Ok(None),
        Some((id, finally)) => evidence(&mut explorer, &store.ordinals(id), &finally, false)
            .map(|run| Some(Evidence { ending, ..run })),
    };
    let halts = show(finder.deadlock, RunEnding::Waits).and_then(|deadlock| {
        let timelock = show(finder.timelock, RunEnding::Stuck)?;
        Ok(Halts { outcome: outcome(&end), deadlock, timelock })
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
