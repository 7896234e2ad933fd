//! The engine `cluster`: questions to an exploration that several processes share.

use crate::coordinator::{self, Explored, Finish};
use crate::crew::{Crew, Lost};
use crate::member::{Prepared, sharp};
use crate::partition::{MOST_WORKERS, Place};
use crate::processes;
use crate::protocol::{Aim, Exploration, Manner, Task};
use crate::{ClusterError, Hosts};
use guidepost_answer::{
    Answer, CompiledQuery, Engine, Method, Observe, Question, StopReason, Unsupported, WorkerFigures,
};
use guidepost_explore::{ClockDifference, Explorer, Failure, GoalTest, StateId};
use guidepost_network::Network;
use guidepost_search::{
    Configuration, End, Finished, Hit, Job, Lookout, Part, ProgressObserver, Watcher, Zones,
    sliced_explorer_for,
};
use std::ops::ControlFlow;

/// What the engine is called.
pub(crate) const ENGINE: &str = "cluster";

/// Who works together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Workers {
    /// So many threads of this process, which share nothing: for tests.
    Threads(usize),
    /// So many processes on this machine.
    Processes(usize),
    /// Processes on the machines of a file.
    Hosts(Hosts),
}

impl Workers {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Workers::Threads(count) | Workers::Processes(count) => *count,
            Workers::Hosts(hosts) => hosts.workers.len(),
        }
    }
}

/// Who works together, and what they have to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// Who explores.
    pub workers: Workers,
    /// The name and the text of the model, which processes read again.
    pub model: Option<(String, String)>,
}

impl Default for Team {
    /// As many processes as the machine has processors.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self { workers: Workers::Processes(processors), model: None }
    }
}

/// Explores with several processes.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// How zones are explored, under which limits, and which run is wanted. The limit on memory is for each process.
    pub configuration: Configuration,
    /// Who explores.
    pub team: Team,
}

impl Engine for Cluster {
    fn name(&self) -> &'static str {
        ENGINE
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        let what = match &query.question {
            Question::Possibly(_) | Question::Always(_) => None,
            Question::LeastCost(_) => Some("questions about costs"),
            Question::Bound { .. } => Some("questions about bounds (`sup`, `inf`, `bounds`)"),
            _ => Some("questions about liveness (`A<>`, `E[]`, `-->`)"),
        };
        match what {
            Some(what) => Err(Unsupported::Question { engine: ENGINE, what }),
            None => guidepost_explore::supports(network, self.configuration.approximate),
        }
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        let mut crew =
            self.assemble(network, queries).map_err(|error| Unsupported::Together(error.to_string()))?;
        let zones = Zones { configuration: self.configuration.clone() };
        zones.answer_with(network, queries, observe, &mut |jobs, configuration, observe| {
            seek(network, &mut crew, jobs, configuration, observe)
        })
    }
}

impl Cluster {
    /// Calls the workers together.
    fn assemble(&self, network: &Network, queries: &[CompiledQuery]) -> Result<Crew, ClusterError> {
        let workers = &self.team.workers;
        let count = workers.count();
        if count == 0 || count > MOST_WORKERS {
            return Err(ClusterError::Count(count, MOST_WORKERS));
        }
        let interrupt = self.configuration.limits.interrupt.clone();
        if let Workers::Threads(count) = *workers {
            let prepared = Prepared { network: network.clone(), queries: queries.to_vec(), interrupt };
            return Ok(Crew::of_threads(count, prepared));
        }
        let (name, text) = self.team.model.clone().ok_or(ClusterError::NoText)?;
        let queries_as_text = queries.iter().map(|query| query.text.clone()).collect();
        let task = Task { version: crate::VERSION.to_owned(), name, text, queries: queries_as_text };
        let digest = crate::digest::digest(network, queries);
        processes::assemble(workers, &task, &digest, &self.configuration.limits)
    }
}

/// Looks for the goals of queries that share an exploration.
fn seek(
    network: &Network,
    crew: &mut Crew,
    mut jobs: Vec<Job<'_>>,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    let locations = |job: &Job<'_>| job.sharp.iter().map(|location| location.0).collect();
    let exploration = Exploration {
        aim: Aim::Goals(jobs.iter().map(|job| (job.index, locations(job))).collect()),
        shortest: configuration.is_shortest(),
        time: configuration.limits.time.map(|time| time.as_millis() as u64),
        memory: configuration.limits.memory,
        manner: Manner::of(configuration),
        resume: None,
    };
    let explored = coordinator::explore(crew, exploration, jobs.len(), &configuration.limits, observe);
    for (job, doubts) in jobs.iter().zip(&explored.doubts) {
        job.doubt(&sharp(network, doubts));
    }
    let mut explorer = sliced_explorer_for(network, &jobs, configuration)?;
    let mut ways = Ways { crew, explorer: &mut explorer, ordinals: Vec::new() };
    let (end, lost) = ways.conclude(network, &mut jobs, &explored, configuration);
    let ordinals = ways.ordinals;
    let approximate = explored.figures.iter().any(|own| own.approximate);
    let ways = move |id: StateId, _: &[ClockDifference], explorer: &mut Explorer<'_>| {
        explorer.path(ordinals.get(id.index()).map_or(&[], Vec::as_slice))
    };
    let finished =
        Finished { jobs, end, statistics: explored.statistics(), approximate, ways: Box::new(ways) };
    let method = Method::blind(ENGINE, "bfs");
    let mut answers = finished.answers(&mut explorer, configuration, &method, configuration.is_shortest());
    let workers = workers(crew, &explored);
    for (_, answer) in &mut answers {
        answer.workers.clone_from(&workers);
        answer
            .remarks
            .notes
            .extend(lost.as_ref().map(|lost| format!("{}: {}", crew.name(lost.worker), lost.why)));
    }
    Ok(answers)
}

fn workers(crew: &Crew, explored: &Explored) -> Vec<WorkerFigures> {
    let figures = explored.figures.iter().zip(&crew.names);
    figures
        .map(|(own, name)| WorkerFigures {
            name: name.clone(),
            statistics: own.statistics(),
            waiting: own.waiting,
            sent: own.sent,
            sent_bytes: own.sent_bytes,
            idle_seconds: own.idle,
        })
        .collect()
}

/// Finds out how states were reached, by asking their owners.
struct Ways<'c, 'e, 'n> {
    crew: &'c mut Crew,
    explorer: &'e mut Explorer<'n>,
    /// The ways that are known, by the numbers that their ends have in the answers.
    ordinals: Vec<Vec<u32>>,
}

impl Ways<'_, '_, '_> {
    /// How the exploration ended, with the runs that are wanted of it; and who was lost, if somebody was.
    fn conclude(
        &mut self,
        network: &Network,
        jobs: &mut [Job<'_>],
        explored: &Explored,
        configuration: &Configuration,
    ) -> (End, Option<Lost>) {
        let mut lost = match &explored.finish {
            Finish::Lost(lost) => Some(lost.clone()),
            _ => None,
        };
        for (job, found) in jobs.iter_mut().zip(&explored.hits) {
            let Some(found) = found else { continue };
            if !configuration.wants_run() {
                job.hit = Some(ELSEWHERE);
            } else if lost.is_none() {
                match self.hit(network, job, found.place) {
                    Ok(hit) => job.hit = hit,
                    Err(other) => lost = Some(other),
                }
            }
        }
        let end = match (&lost, &explored.finish) {
            (Some(lost), _) => End::Stopped(StopReason::Lost(lost.worker as u32 + 1)),
            (None, Finish::Stopped(reason)) => End::Stopped(*reason),
            (None, Finish::Failed(place)) => self.failure(network, jobs, *place),
            (None, Finish::Found) => End::Satisfied,
            (None, _) => End::Exhausted,
        };
        let end = match end {
            End::Stopped(StopReason::Lost(number)) if lost.is_none() => {
                lost =
                    Some(Lost { worker: number as usize - 1, why: "it cannot say what it saw".to_owned() });
                End::Stopped(StopReason::Lost(number))
            }
            other => other,
        };
        (end, lost)
    }

    /// The number of a way, which becomes known.
    fn way(&mut self, place: Place) -> Result<StateId, Lost> {
        let ordinals = coordinator::way(self.crew, place)?;
        self.ordinals.push(ordinals);
        Ok(StateId(self.ordinals.len() as u32 - 1))
    }

    /// Looks at the state that meets a goal of a query once more, as its owner did: what a run to it must satisfy.
    fn hit(&mut self, network: &Network, job: &Job<'_>, place: Place) -> Result<Option<Hit>, Lost> {
        let id = self.way(place)?;
        let ordinals = &self.ordinals[id.index()];
        let mut lookout = Lookout { jobs: vec![job.clone()], test: GoalTest::new(network), observe: None };
        if let Ok(state) = self.explorer.state_at(ordinals) {
            // What fails here has failed at the owner, who said so.
            let _ = lookout.examine(id, &state, Part::default(), self.explorer);
        }
        Ok(lookout.jobs.swap_remove(0).hit.or(Some(Hit { state: id, ..ELSEWHERE })))
    }

    /// Lets the model fail once more where it failed for a worker.
    fn failure(&mut self, network: &Network, jobs: &[Job<'_>], place: Option<Place>) -> End {
        let Some(place) = place else {
            return match self.explorer.initial_states() {
                Err(failure) => End::Failed(None, failure),
                Ok(states) => {
                    let mut lookout =
                        Lookout { jobs: jobs.to_vec(), test: GoalTest::new(network), observe: None };
                    let failure = states
                        .iter()
                        .find_map(|state| lookout.stored(state, Part::default()).err().map(Failure::outside));
                    failure.map_or(End::Exhausted, |failure| End::Failed(None, failure))
                }
            };
        };
        let lost = End::Stopped(StopReason::Lost(u32::from(place.worker) + 1));
        let Ok(id) = self.way(place) else { return lost };
        let Ok(state) = self.explorer.state_at(&self.ordinals[id.index()]) else { return lost };
        let mut lookout = Lookout { jobs: jobs.to_vec(), test: GoalTest::new(network), observe: None };
        if let Err(failure) = lookout.examine(id, &state, Part::default(), self.explorer) {
            return End::Failed(Some(id), failure);
        }
        let mut fault = None;
        let expanded = self.explorer.expand(&state, &mut |successor, _| match lookout
            .stored(successor, Part::default())
        {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(Failure::outside(error));
                ControlFlow::Break(())
            }
        });
        match expanded.err().or(fault) {
            Some(failure) => End::Failed(Some(id), failure),
            None => lost,
        }
    }
}

/// Stands for a goal that was found, where nobody asks how it was reached.
const ELSEWHERE: Hit =
    Hit { state: StateId(0), finally: Vec::new(), ending: guidepost_answer::RunEnding::Goal };
