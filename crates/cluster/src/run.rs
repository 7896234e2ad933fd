//! A run: explorations one after the other, by the same workers, and the answers that they give.

use crate::checkpoint::Manifest;
use crate::coordinator::{self, Explored, Finish, Plan};
use crate::crew::{Crew, Lost};
use crate::engine::{ENGINE, Team};
use crate::locality;
use crate::partition::{Place, Spot};
use crate::protocol::{Aim, Exploration, Manner};
use crate::spotter::{ELSEWHERE, numbers, sharp};
use guidepost_answer::{Answer, Limits, Method, StopReason, Unsupported, WorkerFigures};
use guidepost_explore::{ClockDifference, Explorer, Failure, GoalTest, StateId};
use guidepost_network::Network;
use guidepost_search::{
    Configuration, End, Finished, Hit, Job, Lookout, Part, ProgressObserver, Watcher, sliced_explorer_for,
};
use std::ops::ControlFlow;
use std::path::Path;

/// What is said where a checkpoint cannot be used.
const ANOTHER_EXPLORATION: &str =
    "an exploration began at the beginning: the checkpoint is of another one, or of one with other options";

/// Workers that were called together.
pub(crate) struct Run<'n> {
    pub(crate) network: &'n Network,
    pub(crate) team: &'n Team,
    pub(crate) crew: Crew,
    /// Of the model and the queries.
    pub(crate) digest: String,
    /// The checkpoint that the run goes on from.
    pub(crate) resumed: Option<Manifest>,
    /// Tells it from all other runs.
    pub(crate) mark: String,
}

impl Run<'_> {
    /// Where a file of the checkpoint is that the run goes on from.
    fn resumed_file(&self, name: &str) -> String {
        let folder = self.team.resume.as_deref().unwrap_or_else(|| Path::new(""));
        folder.join(name).display().to_string()
    }

    /// Lets the workers explore. An explorer for the same looks around before; it may meet errors of the model, and is of no use after that.
    pub(crate) fn explore(
        &mut self,
        aim: Aim,
        configuration: &Configuration,
        limits: &Limits,
        mut scout: Explorer<'_>,
        observe: &mut ProgressObserver<'_>,
    ) -> Explored {
        let (manner, shortest) = (Manner::of(configuration), configuration.is_shortest());
        // A checkpoint is of one exploration; others begin at the beginning.
        let is_this = |one: &&Manifest| (&one.aim, &one.manner, one.shortest) == (&aim, &manner, shortest);
        let resumed = self.resumed.as_ref().filter(is_this);
        let jobs = if let Aim::Goals(jobs) = &aim { jobs.len() } else { 0 };
        let exploration = Exploration {
            shortest,
            aim,
            time: limits.time.map(|time| time.as_millis() as u64),
            memory: limits.memory,
            states: limits.states,
            manner,
            partition: resumed.map_or_else(
                || locality::partition(&mut scout, self.crew.len()),
                |manifest| manifest.partition.clone(),
            ),
            is_kept: self.team.checkpoint.is_some(),
            resume: resumed
                .map(|manifest| manifest.files.iter().map(|name| self.resumed_file(name)).collect()),
        };
        let checkpoint = self.team.checkpoint.as_ref();
        let is_another = self.resumed.is_some() && resumed.is_none();
        let notes = is_another.then(|| ANOTHER_EXPLORATION.to_owned()).into_iter().collect();
        let run = self.mark.clone();
        let plan = Plan { jobs, limits, checkpoint, resumed, digest: &self.digest, run, notes };
        coordinator::explore(&mut self.crew, exploration, plan, observe)
    }

    /// Looks for the goals of queries that share an exploration, in what is left of the network for them: workers find out by themselves what that is.
    pub(crate) fn seek(
        &mut self,
        network: &Network,
        mut jobs: Vec<Job<'_>>,
        configuration: &Configuration,
        observe: &mut ProgressObserver<'_>,
    ) -> Result<Vec<(usize, Answer)>, Unsupported> {
        let aim = Aim::Goals(jobs.iter().map(|job| (job.index, numbers(&job.sharp))).collect());
        let scout = sliced_explorer_for(network, &jobs, configuration)?;
        let mut explored = self.explore(aim, configuration, &configuration.limits, scout, observe);
        for (job, doubts) in jobs.iter().zip(&explored.doubts) {
            job.doubt(&sharp(network, doubts));
        }
        let mut explorer = sliced_explorer_for(network, &jobs, configuration)?;
        let mut ways = Ways::new(&mut self.crew, &mut explorer);
        let lost = ways.find_hits(&mut jobs, &mut explored, configuration.wants_run());
        let mut lookout = Lookout { jobs: jobs.clone(), test: GoalTest::new(network), observe: None };
        let end = ways.end(&explored.finish, lost.as_ref(), &mut lookout);
        let ordinals = ways.ordinals;
        let approximate = explored.figures.iter().any(|own| own.approximate);
        let ways = move |id: StateId, _: &[ClockDifference], explorer: &mut Explorer<'_>| {
            explorer.path(ordinals.get(id.index()).map_or(&[], Vec::as_slice))
        };
        let statistics = explored.statistics;
        let finished = Finished { jobs, end, statistics, approximate, ways: Box::new(ways) };
        let method = Method::blind(ENGINE, "bfs");
        let mut answers =
            finished.answers(&mut explorer, configuration, &method, configuration.is_shortest());
        let (workers, notes) = (self.workers(&explored), self.notes(&explored, lost.as_ref()));
        for (_, answer) in &mut answers {
            answer.workers.clone_from(&workers);
            answer.remarks.notes.extend_from_slice(&notes);
        }
        Ok(answers)
    }

    /// What each worker did.
    pub(crate) fn workers(&self, explored: &Explored) -> Vec<WorkerFigures> {
        let figures = explored.figures.iter().zip(&self.crew.names);
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

    /// What is to be said about the run.
    pub(crate) fn notes(&self, explored: &Explored, lost: Option<&Lost>) -> Vec<String> {
        let lost = lost.map(|lost| format!("{}: {}", self.crew.name(lost.worker), lost.why));
        self.crew.notes.iter().chain(&explored.notes).cloned().chain(lost).collect()
    }
}

/// Finds out how states were reached, by asking their owners.
pub(crate) struct Ways<'c, 'e, 'n> {
    crew: &'c mut Crew,
    explorer: &'e mut Explorer<'n>,
    /// The ways that are known, by the numbers that their ends have in the answers.
    pub(crate) ordinals: Vec<Vec<u32>>,
}

impl<'c, 'e, 'n> Ways<'c, 'e, 'n> {
    pub(crate) fn new(crew: &'c mut Crew, explorer: &'e mut Explorer<'n>) -> Self {
        // States on the way are as workers keep them.
        explorer.widen_kept_states();
        Self { crew, explorer, ordinals: Vec::new() }
    }

    /// Fills in what was found, with what a run to it must satisfy if one is wanted. Says who was lost, if somebody was.
    fn find_hits(&mut self, jobs: &mut [Job<'_>], explored: &mut Explored, wants_run: bool) -> Option<Lost> {
        let mut lost = match &explored.finish {
            Finish::Lost(lost) => Some(lost.clone()),
            _ => None,
        };
        for (job, found) in jobs.iter_mut().zip(&mut explored.hits) {
            let Some(found) = found else { continue };
            if !wants_run {
                job.hit = Some(ELSEWHERE);
            } else if lost.is_none() || found.spot.way.is_some() {
                match self.hit(job, &mut found.spot) {
                    Ok(hit) => job.hit = Some(hit),
                    Err(other) => lost = Some(other),
                }
            }
        }
        lost
    }

    /// The number of a way, which becomes known.
    pub(crate) fn way(&mut self, spot: &mut Spot) -> Result<StateId, Lost> {
        self.ordinals.push(coordinator::way(self.crew, spot)?);
        Ok(StateId(self.ordinals.len() as u32 - 1))
    }

    /// Looks once more at the state that meets a goal of a query, as its owner did.
    fn hit(&mut self, job: &Job<'_>, spot: &mut Spot) -> Result<Hit, Lost> {
        let id = self.way(spot)?;
        let mut lookout =
            Lookout { jobs: vec![job.clone()], test: GoalTest::new(self.explorer.network()), observe: None };
        self.look_at(id, &mut lookout);
        Ok(lookout.jobs.swap_remove(0).hit.unwrap_or(Hit { state: id, ..ELSEWHERE }))
    }

    /// Lets somebody look at the end of a way. What fails there has failed at the owner, who said so.
    pub(crate) fn look_at(&mut self, id: StateId, watcher: &mut dyn Watcher) {
        if let Ok(state) = self.explorer.state_at(&self.ordinals[id.index()]) {
            let _ = watcher.examine(id, &state, Part::default(), self.explorer);
        }
    }

    /// How the exploration ended.
    pub(crate) fn end(&mut self, finish: &Finish, lost: Option<&Lost>, watcher: &mut dyn Watcher) -> End {
        match (lost, finish) {
            (Some(lost), _) | (None, Finish::Lost(lost)) => stopped(lost.worker),
            (None, Finish::Stopped(reason)) => End::Stopped(*reason),
            (None, Finish::Found) => End::Satisfied,
            (None, Finish::Exhausted) => End::Exhausted,
            (None, Finish::Failed(place)) => {
                let worker = place.map_or(0, |place| usize::from(place.worker));
                self.failure(*place, watcher).unwrap_or_else(|| stopped(worker))
            }
        }
    }

    /// Lets the model fail once more where it failed for a worker.
    fn failure(&mut self, place: Option<Place>, watcher: &mut dyn Watcher) -> Option<End> {
        let Some(place) = place else {
            let failure = match self.explorer.initial_states() {
                Err(failure) => Some(failure),
                Ok(states) => {
                    let mut faults = states.iter().map(|state| watcher.stored(state, Part::default()).err());
                    faults.find_map(|fault| fault).map(Failure::outside)
                }
            };
            return failure.map(|failure| End::Failed(None, failure));
        };
        let id = self.way(&mut place.into()).ok()?;
        let state = self.explorer.state_at(&self.ordinals[id.index()]).ok()?;
        if let Err(failure) = watcher.examine(id, &state, Part::default(), self.explorer) {
            return Some(End::Failed(Some(id), failure));
        }
        let mut fault = None;
        let expanded = self.explorer.expand(&state, &mut |successor, _| {
            fault = watcher.stored(successor, Part::default()).err();
            if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let failure = expanded.err().or(fault.map(Failure::outside))?;
        Some(End::Failed(Some(id), failure))
    }
}

fn stopped(worker: usize) -> End {
    End::Stopped(StopReason::Lost(worker as u32 + 1))
}
