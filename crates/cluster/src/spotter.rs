//! What a worker looks for: goals of queries, or everything.

use crate::partition::Place;
use crate::protocol::{Aim, Exploration, Findings, Recorded};
use guidepost_answer::{CompiledQuery, Unsupported};
use guidepost_explore::{Explorer, Failure, GoalTest, SharpLocations, StateId, SymbolicState};
use guidepost_network::{EdgeId, EvalError, LocationId, Network};
use guidepost_search::{
    Configuration, HaltFinder, Hit, Job, Lookout, Part, Recorder, Retained, Watcher, retained_for,
    sliced_explorer_for,
};
use std::ops::ControlFlow;

/// Looks at the states of a share.
pub(crate) enum Spotter<'p> {
    /// For goals.
    Goals(Lookout<'p, 'p, 'p>),
    /// For everything.
    Everything(Recorder<'p>),
}

impl<'p> Spotter<'p> {
    /// Somebody who looks for what an exploration is about, and an explorer that is precise enough for it.
    pub(crate) fn new(
        network: &'p Network,
        queries: &'p [CompiledQuery],
        exploration: &Exploration,
    ) -> Result<(Self, Explorer<'p>), Unsupported> {
        let configuration = exploration.manner.configuration();
        match &exploration.aim {
            Aim::Goals(aim) => {
                let jobs = jobs(network, queries, aim);
                let explorer = sliced_explorer_for(network, &jobs, &configuration)?;
                let lookout = Lookout { jobs, test: GoalTest::new(network), observe: None };
                Ok((Spotter::Goals(lookout), explorer))
            }
            Aim::Survey => {
                let (explorer, finder) = survey_explorer(network, &configuration)?;
                Ok((Spotter::Everything(Recorder::new(network, finder, None)), explorer))
            }
            Aim::Halts(locations) => {
                let explorer = halt_explorer(network, &configuration, &sharp(network, locations))?;
                let recorder = Recorder::new(network, Some(HaltFinder::default()), None);
                Ok((Spotter::Everything(recorder), explorer))
            }
        }
    }

    /// By query: the state that meets a goal, if one was found.
    pub(crate) fn hits(&self) -> impl Iterator<Item = Option<StateId>> {
        let jobs = match self {
            Spotter::Goals(lookout) => &lookout.jobs[..],
            Spotter::Everything(_) => &[],
        };
        jobs.iter().map(|job| job.hit.as_ref().map(|hit| hit.state))
    }

    /// A goal of a query was found by somebody else.
    pub(crate) fn settle(&mut self, job: usize) {
        if let Spotter::Goals(lookout) = self
            && let Some(job) = lookout.jobs.get_mut(job)
            && job.hit.is_none()
        {
            job.hit = Some(ELSEWHERE);
        }
    }

    /// What was found beside goals.
    pub(crate) fn findings(&self, me: u16, explorer: &Explorer<'_>) -> Findings {
        match self {
            Spotter::Goals(lookout) => {
                let doubts = lookout.jobs.iter().map(|job| numbers(&job.doubts())).collect();
                Findings { doubts, recorded: None }
            }
            Spotter::Everything(recorder) => {
                let set =
                    |flags: &[bool]| (0..).zip(flags).filter(|(_, set)| **set).map(|(at, _)| at).collect();
                let halts = recorder.halts.as_ref();
                let spot = |id: Option<StateId>| id.map(|id| Place { worker: me, state: id.0 }.into());
                let wraps = explorer.machine().wraps();
                let recorded = Recorded {
                    reached: set(&recorder.reached),
                    taken: set(&recorder.taken),
                    ranges: recorder.ranges.clone(),
                    wraps: wraps.iter().map(|span| (span.file.0, span.start, span.end)).collect(),
                    halts: halts.map_or([None, None], |halts| halts.found().map(spot)),
                    doubts: halts.map_or([const { Vec::new() }; 2], |halts| halts.doubts().map(numbers)),
                };
                Findings { doubts: Vec::new(), recorded: Some(recorded) }
            }
        }
    }

    fn watcher(&mut self) -> &mut dyn Watcher {
        match self {
            Spotter::Goals(lookout) => lookout,
            Spotter::Everything(recorder) => recorder,
        }
    }
}

impl Watcher for Spotter<'_> {
    fn begins(&mut self) {
        self.watcher().begins();
    }

    #[inline]
    fn transition(&mut self, edges: &[EdgeId], target: &SymbolicState) {
        if let Spotter::Everything(recorder) = self {
            recorder.transition(edges, target);
        }
    }

    #[inline]
    fn stored(&mut self, state: &SymbolicState, part: Part) -> Result<bool, EvalError> {
        match self {
            Spotter::Goals(lookout) => lookout.stored(state, part),
            Spotter::Everything(recorder) => recorder.stored(state, part),
        }
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        part: Part,
        explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        self.watcher().examine(id, state, part, explorer)
    }

    fn bytes(&self) -> usize {
        match self {
            Spotter::Goals(lookout) => lookout.bytes(),
            Spotter::Everything(recorder) => recorder.bytes(),
        }
    }
}

/// Stands for a goal that was found, where nobody asks how it was reached.
pub(crate) const ELSEWHERE: Hit =
    Hit { state: StateId(0), finally: Vec::new(), ending: guidepost_answer::RunEnding::Goal };

/// An explorer for a look at everything, and who looks for deadlocks there if they show.
pub(crate) fn survey_explorer<'n>(
    network: &'n Network,
    configuration: &Configuration,
) -> Result<(Explorer<'n>, Option<HaltFinder>), Unsupported> {
    let (abstraction, finds_halts) = configuration.survey(network);
    Ok((Explorer::new(network, &[], abstraction)?, finds_halts.then(HaltFinder::default)))
}

/// An explorer in whose zones deadlocks show at some locations.
pub(crate) fn halt_explorer<'n>(
    network: &'n Network,
    configuration: &Configuration,
    sharp: &SharpLocations,
) -> Result<Explorer<'n>, Unsupported> {
    Explorer::with_sharp(network, &[], configuration.deadlocks(network), sharp.clone())
}

/// What is left of a network for what an exploration is about; `None`: all of it.
pub(crate) fn retained(
    network: &Network,
    queries: &[CompiledQuery],
    exploration: &Exploration,
) -> Option<Retained> {
    let Aim::Goals(aim) = &exploration.aim else { return None };
    retained_for(network, &jobs(network, queries, aim), &exploration.manner.configuration())
}

/// The jobs of an exploration.
fn jobs<'q>(network: &Network, queries: &'q [CompiledQuery], aim: &[(usize, Vec<u32>)]) -> Vec<Job<'q>> {
    let job = |(index, locations): &(usize, Vec<u32>)| {
        let mut job = Job::new(*index, queries.get(*index)?)?;
        job.sharp = sharp(network, locations);
        Some(job)
    };
    aim.iter().filter_map(job).collect()
}

/// A set of locations, by their numbers.
pub(crate) fn sharp(network: &Network, locations: &[u32]) -> SharpLocations {
    let mut sharp = SharpLocations::NONE;
    let is_one = |location: &&u32| LocationId(**location).index() < network.locations.len();
    for &location in locations.iter().filter(is_one) {
        sharp.add(network, location);
    }
    sharp
}

/// The numbers of a set of locations.
pub(crate) fn numbers(sharp: &SharpLocations) -> Vec<u32> {
    sharp.iter().map(|location| location.0).collect()
}
