//! A look at everything, by several processes.

use crate::coordinator::{Explored, Finish};
use crate::crew::Lost;
use crate::engine::Cluster;
use crate::protocol::{Aim, Recorded};
use crate::run::{Run, Ways};
use crate::spotter::{halt_explorer, numbers, sharp, survey_explorer};
use guidepost_answer::{Halts, InternalError, Limits, Survey, Unsupported, WorkerFigures};
use guidepost_explore::{ClockDifference, Explorer, SharpLocations, StateId};
use guidepost_language::source::{FileId, Span};
use guidepost_network::Network;
use guidepost_search::{Configuration, End, HaltFinder, HaltSearch, ProgressObserver, Recorder};

/// What several processes found together.
pub struct Together {
    /// Sizes, and what is never used.
    pub survey: Survey,
    /// Deadlocks and time-locks; `None` when they were not searched for.
    pub halts: Option<Result<Halts, InternalError>>,
    /// What each worker did in the first exploration.
    pub workers: Vec<WorkerFigures>,
    /// What is to be said about the run.
    pub notes: Vec<String>,
}

impl Cluster {
    /// Explores everything. `limits` says what finding out about deadlocks may use up where the first look leaves doubts.
    ///
    /// # Errors
    /// When the network cannot be explored, or the workers do not work together.
    pub fn survey(
        &self,
        network: &Network,
        limits: &dyn Fn(&Survey) -> Limits,
        observe: &mut ProgressObserver<'_>,
    ) -> Result<Together, Unsupported> {
        let mut run = self.begin(network, &[])?;
        let configuration = &self.configuration;
        let (scout, _) = survey_explorer(network, configuration)?;
        let mut explored = run.explore(Aim::Survey, configuration, &configuration.limits, scout, observe);
        let (mut explorer, finder) = survey_explorer(network, configuration)?;
        let finds_halts = finder.is_some();
        let seen = see(&mut run, &mut explored, &mut explorer, finder, &SharpLocations::NONE);
        let (workers, notes) = (run.workers(&explored), run.notes(&explored, seen.lost.as_ref()));
        let survey = filled(network, &explored.recorded).finish(
            &seen.end,
            explored.statistics,
            wraps(&explored.recorded),
        );
        let halts = match (network.features.stopwatches, survey.outcome.is_decided()) {
            (false, true) if finds_halts => seen.halts,
            (false, true) => Some(HaltSearch::pending()),
            _ => None,
        };
        let Some(halts) = halts else { return Ok(Together { survey, halts: None, workers, notes }) };
        let halts = halts.finish_with(&limits(&survey), &mut |sharp, left| {
            hunt(&mut run, configuration, sharp, left, observe)
        })?;
        Ok(Together { survey, halts: Some(halts), workers, notes })
    }
}

/// Explores once more for deadlocks, with zones that show them at some locations.
fn hunt(
    run: &mut Run<'_>,
    configuration: &Configuration,
    sharp: &SharpLocations,
    limits: &Limits,
    observe: &mut ProgressObserver<'_>,
) -> Result<HaltSearch, Unsupported> {
    let scout = halt_explorer(run.network, configuration, sharp)?;
    let mut explored = run.explore(Aim::Halts(numbers(sharp)), configuration, limits, scout, observe);
    let mut explorer = halt_explorer(run.network, configuration, sharp)?;
    let finder = Some(HaltFinder::default());
    let seen = see(run, &mut explored, &mut explorer, finder, sharp);
    Ok(seen.halts.unwrap_or_else(HaltSearch::pending))
}

/// What an exploration has seen, with runs.
struct Seen {
    end: End,
    halts: Option<HaltSearch>,
    lost: Option<Lost>,
}

fn see(
    run: &mut Run<'_>,
    explored: &mut Explored,
    explorer: &mut Explorer<'_>,
    finder: Option<HaltFinder>,
    sharp_before: &SharpLocations,
) -> Seen {
    let network = run.network;
    let mut lost = if let Finish::Lost(lost) = &explored.finish { Some(lost.clone()) } else { None };
    let mut recorder = Recorder::new(network, finder, None);
    if let Some(finder) = &mut recorder.halts {
        let [deadlock, timelock] = &explored.recorded.doubts;
        finder.doubt([&sharp(network, deadlock), &sharp(network, timelock)]);
    }
    let mut ways = Ways::new(&mut run.crew, explorer);
    for spot in explored.recorded.halts.iter_mut().flatten() {
        if lost.is_some() {
            break;
        }
        match ways.way(spot) {
            Ok(id) => ways.look_at(id, &mut recorder),
            Err(other) => lost = Some(other),
        }
    }
    let end = ways.end(&explored.finish, lost.as_ref(), &mut recorder);
    let ordinals = ways.ordinals;
    let ways = move |id: StateId, _: &[ClockDifference], explorer: &mut Explorer<'_>| {
        explorer.path(ordinals.get(id.index()).map_or(&[], Vec::as_slice))
    };
    let halts = recorder.halts.take().map(|finder| finder.conclude(&end, sharp_before, explorer, &ways));
    Seen { end, halts, lost }
}

/// What workers recorded, as one recorder.
fn filled<'o>(network: &Network, recorded: &Recorded) -> Recorder<'o> {
    let mut recorder = Recorder::new(network, None, None);
    for (flags, numbers) in
        [(&mut recorder.reached, &recorded.reached), (&mut recorder.taken, &recorded.taken)]
    {
        for &number in numbers {
            if let Some(flag) = flags.get_mut(number as usize) {
                *flag = true;
            }
        }
    }
    if recorded.ranges.len() == recorder.ranges.len() {
        recorder.ranges.clone_from(&recorded.ranges);
    }
    recorder
}

fn wraps(recorded: &Recorded) -> Vec<Span> {
    let span = |&(file, start, end): &(u32, u32, u32)| Span { file: FileId(file), start, end };
    recorded.wraps.iter().map(span).collect()
}
