//! A survey of the whole state space: its size, dead code, deadlocks and time-locks.
//!
//! Sizes and dead code come from a plain exploration: a state that is covered can do nothing that the covering one cannot. Deadlocks are found by the way, see
//! [`halts`](crate::halts); where that leaves doubts, they are searched once more.

use crate::ProgressObserver;
use crate::configuration::Configuration;
use crate::evidence::{Ways, failed};
use crate::halts::{HaltFinder, HaltSearch};
use crate::parallel::ParallelSearch;
use crate::reach::{End, Part, Search, Watcher};
use guidepost_answer::{Outcome, Progress, Statistics, Survey, Unsupported};
use guidepost_explore::{Explorer, Failure, SharpLocations, StateId, SymbolicState};
use guidepost_language::source::Span;
use guidepost_network::{EdgeId, EvalError, Network};
use std::ops::ControlFlow;

/// Records what an exploration reaches.
pub struct Recorder<'o> {
    processes: usize,
    /// By location: whether some process ever is there.
    pub reached: Vec<bool>,
    /// By edge: whether it is ever taken.
    pub taken: Vec<bool>,
    /// By variable: smallest and largest value in stored states.
    pub ranges: Vec<(i32, i32)>,
    /// Looks for deadlocks; `None` where this exploration cannot.
    pub halts: Option<HaltFinder>,
    /// Hears of progress; the main thread's business.
    observe: Option<&'o mut (dyn FnMut(&Progress) + Send)>,
}

impl<'o> Recorder<'o> {
    /// Nothing is recorded yet.
    pub fn new(
        network: &Network,
        halts: Option<HaltFinder>,
        observe: Option<&'o mut (dyn FnMut(&Progress) + Send)>,
    ) -> Self {
        Self {
            processes: network.processes.len(),
            reached: vec![false; network.locations.len()],
            taken: vec![false; network.edges.len()],
            ranges: vec![(i32::MAX, i32::MIN); network.variables.len()],
            halts,
            observe,
        }
    }

    fn merge(&mut self, other: Recorder<'_>) {
        for (mine, theirs) in self.reached.iter_mut().zip(&other.reached) {
            *mine |= theirs;
        }
        for (mine, theirs) in self.taken.iter_mut().zip(&other.taken) {
            *mine |= theirs;
        }
        for (mine, theirs) in self.ranges.iter_mut().zip(&other.ranges) {
            *mine = (mine.0.min(theirs.0), mine.1.max(theirs.1));
        }
        if let (Some(mine), Some(theirs)) = (&mut self.halts, other.halts) {
            mine.merge(theirs);
        }
    }

    /// What was recorded, as a survey.
    pub fn finish(self, end: &End, statistics: Statistics, wraps: Vec<Span>) -> Survey {
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
    fn stored(&mut self, state: &SymbolicState, part: Part) -> Result<bool, EvalError> {
        let (locations, variables) = state.cells.split_at(self.processes);
        for &location in locations {
            self.reached[location as usize] = true;
        }
        for (range, &value) in self.ranges.iter_mut().zip(variables) {
            *range = (range.0.min(value), range.1.max(value));
        }
        let Some(halts) = &mut self.halts else { return Ok(false) };
        halts.count();
        Ok(halts.is_interested(part))
    }

    fn wants_expansions(&mut self) -> bool {
        self.halts.as_mut().map(HaltFinder::hear_of_expansions).is_some()
    }

    fn expanded(&mut self, part: Part, moves_at_once: bool) -> bool {
        self.halts.as_mut().is_some_and(|halts| halts.expanded(part, moves_at_once))
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        part: Part,
        explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        if let Some(halts) = &mut self.halts {
            halts.look_at(id, state, part, explorer)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn bytes(&self) -> usize {
        self.halts.as_ref().map_or(0, HaltFinder::bytes)
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(observe) = &mut self.observe {
            observe(progress);
        }
    }
}

/// How a look at everything ends; one that its watcher ended has seen what it was after.
pub(crate) fn outcome(end: &End) -> Outcome<()> {
    match end {
        End::Satisfied | End::Exhausted => Outcome::Decided(()),
        End::Stopped(reason) => Outcome::Stopped(*reason),
        End::Failed(_, failure) => failed(failure, None),
    }
}

/// What a look at everything brought.
pub struct Surveyed {
    /// Sizes, and what is never used.
    pub survey: Survey,
    /// What is known of deadlocks; `None` where zones cannot tell.
    pub halts: Option<HaltSearch>,
}

/// Explores everything.
pub fn survey(
    network: &Network,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Surveyed, Unsupported> {
    let (abstraction, finds_halts) = configuration.survey(network);
    let make = || Explorer::new(network, &[], abstraction);
    let finder = || finds_halts.then(|| HaltFinder::new(configuration));
    if configuration.is_parallel() {
        return survey_in_parallel(network, &make, &finder, configuration, observe);
    }
    let mut recorder = Recorder::new(network, finder().map(HaltFinder::giving_up), Some(observe));
    let search = Search::new(make()?, configuration.strategy.order(), &configuration.limits);
    let mut search = search.reduced(configuration.reductions);
    let end = search.run(&mut recorder);
    let (numbers, wraps) = (search.numbers(), search.explorer.machine().wraps());
    let (mut explorer, trail) = search.into_trail();
    let halts = recorder.halts.take();
    let survey = recorder.finish(&end, numbers, wraps);
    let halts = conclude(halts, &end, &mut explorer, &trail.into_ways());
    Ok(Surveyed { survey, halts })
}

fn survey_in_parallel<'n>(
    network: &'n Network,
    make: &dyn Fn() -> Result<Explorer<'n>, Unsupported>,
    finder: &dyn Fn() -> Option<HaltFinder>,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Surveyed, Unsupported> {
    let mut workers = Vec::new();
    for _ in 0..configuration.threads {
        workers.push((make()?, Recorder::new(network, finder(), None)));
    }
    let search = ParallelSearch { shortest: false, limits: &configuration.limits };
    let done = search.run(&mut workers, &mut |_| false, observe);
    let mut wraps: Vec<Span> = workers.iter().flat_map(|(explorer, _)| explorer.machine().wraps()).collect();
    wraps.sort_unstable();
    wraps.dedup();
    let mut recorders = workers.into_iter().map(|(_, recorder)| recorder);
    let mut first = recorders.next().expect("at least one worker");
    for other in recorders {
        first.merge(other);
    }
    let halts = first.halts.take();
    let survey = first.finish(&done.end, done.statistics, wraps);
    let states = done.states;
    let halts =
        conclude(halts, &done.end, &mut make()?, &|id, _, explorer| explorer.path(&states.ordinals(id)));
    Ok(Surveyed { survey, halts })
}

/// What an exploration found out about deadlocks; the search for them is still to come where it did not look. With stop-watches, zones cannot tell.
fn conclude(
    finder: Option<HaltFinder>,
    end: &End,
    explorer: &mut Explorer<'_>,
    ways: &Ways<'_>,
) -> Option<HaltSearch> {
    if explorer.network().features.stopwatches {
        return None;
    }
    Some(finder.map_or_else(HaltSearch::pending, |finder| {
        finder.conclude(end, &SharpLocations::NONE, explorer, ways)
    }))
}
