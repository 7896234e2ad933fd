//! Who begins explorations, hears what workers find, and ends them.

use crate::checkpoint::{Checkpoint, Manifest, file_name};
use crate::crew::{Crew, Lost};
use crate::partition::{Place, Spot};
use crate::protocol::{Ending, Exploration, Figures, Findings, Found, Order, Recorded, Report};
use guidepost_answer::{Limits, Progress, Statistics, StopReason};
use guidepost_search::ProgressObserver;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often limits are looked at.
const LOOK: Duration = Duration::from_millis(20);
/// At a limit, so long may be spent on a last checkpoint; and after Ctrl-C, which is to be heard at once.
const LAST_CHECKPOINT: Duration = Duration::from_mins(1);
const LAST_AFTER_INTERRUPT: Duration = Duration::from_millis(1200);
/// Workers that were told to stop have so long to say what they know.
const LAST_WORDS: Duration = Duration::from_millis(1500);

/// How an exploration ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Finish {
    /// Everything is explored.
    Exhausted,
    /// Everything that was looked for is found.
    Found,
    /// A limit was hit.
    Stopped(StopReason),
    /// The model failed in a state, or at the beginning.
    Failed(Option<Place>),
    /// A worker was lost.
    Lost(Lost),
}

/// What an exploration brought.
pub(crate) struct Explored {
    pub(crate) finish: Finish,
    /// By query of the exploration.
    pub(crate) hits: Vec<Option<Found>>,
    /// By query of the exploration: where there may be deadlocks that do not show.
    pub(crate) doubts: Vec<Vec<u32>>,
    /// What was seen, where everything is looked at.
    pub(crate) recorded: Recorded,
    /// By worker.
    pub(crate) figures: Vec<Figures>,
    /// The numbers of all workers together.
    pub(crate) statistics: Statistics,
    /// What is to be said about checkpoints.
    pub(crate) notes: Vec<String>,
}

/// What a coordinator has to know beside the exploration.
pub(crate) struct Plan<'p> {
    /// The number of queries whose goals are looked for.
    pub(crate) jobs: usize,
    pub(crate) limits: &'p Limits,
    pub(crate) checkpoint: Option<&'p Checkpoint>,
    /// The checkpoint that it goes on from.
    pub(crate) resumed: Option<&'p Manifest>,
    /// Of the model and the queries.
    pub(crate) digest: &'p str,
    /// Tells this run from all others.
    pub(crate) run: String,
    /// What is to be said before it begins.
    pub(crate) notes: Vec<String>,
}

/// Where a checkpoint has got to.
enum Phase {
    /// Nothing is to be written yet.
    Exploring,
    /// Workers send what waits to be sent: letters that each has sent and received, once it is still.
    Pausing(Vec<Option<(u64, u64)>>),
    /// Workers write.
    Saving(Vec<Option<Result<Findings, String>>>),
}

/// An exploration that is going on.
struct Running<'c, 'p> {
    crew: &'c mut Crew,
    exploration: Exploration,
    plan: Plan<'p>,
    begin: Instant,
    figures: Vec<Figures>,
    hits: Vec<Option<Found>>,
    found: Gathered,
    done: Vec<bool>,
    /// Why it ends, and since when that is known.
    ending: Option<(Finish, Instant)>,
    /// Why it is about to end, and when at the latest: before that, a last checkpoint is written.
    closing: Option<(StopReason, Instant)>,
    phase: Phase,
    last_checkpoint: Instant,
    number: u64,
    notes: Vec<String>,
}

/// What workers have found, put together.
#[derive(Clone, Default)]
struct Gathered {
    doubts: Vec<Vec<u32>>,
    recorded: Recorded,
}

impl Gathered {
    fn add(&mut self, findings: Findings) {
        for (all, own) in self.doubts.iter_mut().zip(findings.doubts) {
            all.extend(own);
            all.sort_unstable();
            all.dedup();
        }
        if let Some(recorded) = findings.recorded {
            self.recorded.merge(recorded);
        }
    }
}

/// Explores.
pub(crate) fn explore(
    crew: &mut Crew,
    exploration: Exploration,
    mut plan: Plan<'_>,
    observe: &mut ProgressObserver<'_>,
) -> Explored {
    let (workers, jobs) = (crew.len(), plan.jobs);
    crew.tell_all(&Order::Explore(exploration.clone()));
    let resumed = plan.resumed;
    let found = Gathered {
        doubts: resumed.map_or_else(|| vec![Vec::new(); jobs], |manifest| manifest.doubts.clone()),
        recorded: resumed.and_then(|manifest| manifest.recorded.clone()).unwrap_or_default(),
    };
    let mut running = Running {
        crew,
        exploration,
        begin: Instant::now(),
        figures: vec![Figures::default(); workers],
        hits: resumed.map_or_else(|| vec![None; jobs], |manifest| manifest.hits.clone()),
        found,
        done: vec![false; workers],
        ending: None,
        closing: None,
        phase: Phase::Exploring,
        last_checkpoint: Instant::now(),
        number: resumed.map_or(0, |manifest| manifest.number),
        notes: std::mem::take(&mut plan.notes),
        plan,
    };
    let settled: Vec<usize> =
        (0..jobs).filter(|&job| running.hits.get(job).is_some_and(Option::is_some)).collect();
    running.crew.tell_all(&Order::Settled(settled));
    let finish = running.run(observe);
    let statistics = running.statistics();
    let Running { hits, found, figures, notes, .. } = running;
    Explored { finish, hits, doubts: found.doubts, recorded: found.recorded, figures, statistics, notes }
}

impl Running<'_, '_> {
    fn run(&mut self, observe: &mut ProgressObserver<'_>) -> Finish {
        while !self.done.iter().all(|&is_done| is_done) {
            match self.crew.hear(LOOK) {
                Ok(Some((worker, report))) => self.take(worker, report, observe),
                Ok(None) => {}
                Err(lost) => return self.ending.take().map_or(Finish::Lost(lost), |(finish, _)| finish),
            }
            self.look_at_limits();
            self.look_at_checkpoint();
            if self.ending.as_ref().is_some_and(|(_, since)| since.elapsed() > LAST_WORDS) {
                break;
            }
        }
        self.ending.take().map_or(Finish::Exhausted, |(finish, _)| finish)
    }

    fn take(&mut self, worker: usize, report: Report, observe: &mut ProgressObserver<'_>) {
        match report {
            Report::Progress(figures) => {
                self.figures[worker] = figures;
                self.show_progress(observe);
            }
            Report::Hit(found) => self.hit(found),
            Report::Early(ending) => self.end(match ending {
                Ending::Failed(place) => Finish::Failed(place),
                Ending::Garbled => Finish::Lost(Lost { worker, why: "it got what are no states".to_owned() }),
                other => Finish::Stopped(other.reason().unwrap_or(StopReason::Memory)),
            }),
            Report::Done(figures, findings) => {
                self.figures[worker] = figures;
                self.found.add(findings);
                self.done[worker] = true;
            }
            Report::Refused(why) => self.end(Finish::Lost(Lost { worker, why })),
            Report::Still { sent, received } => {
                if let Phase::Pausing(still) = &mut self.phase {
                    still[worker] = Some((sent, received));
                }
            }
            Report::Saved(saved) => {
                if let Phase::Saving(all) = &mut self.phase {
                    all[worker] = Some(saved);
                }
            }
            _ => {}
        }
    }

    fn show_progress(&mut self, observe: &mut ProgressObserver<'_>) {
        let statistics = self.statistics();
        observe(&Progress {
            statistics,
            waiting: self.figures.iter().map(|own| own.waiting).sum(),
            depth: self.figures.iter().map(|own| own.depth.into()).max().unwrap_or(0),
            ..Progress::default()
        });
        if self.plan.limits.states.is_some_and(|limit| statistics.stored > limit) {
            self.end(Finish::Stopped(StopReason::States));
        }
    }

    /// The numbers of all workers together, and of the run before.
    fn statistics(&self) -> Statistics {
        let mut all = Statistics::default();
        for own in &self.figures {
            all.add(&own.statistics());
            all.discrete += own.discrete;
        }
        let mut seconds = self.begin.elapsed().as_secs_f64();
        if let Some(manifest) = self.plan.resumed {
            let before = &manifest.figures;
            all.explored += before.explored;
            all.generated += before.generated;
            all.covered += before.covered;
            seconds += manifest.seconds;
        }
        Statistics { seconds, ..all }
    }

    fn hit(&mut self, found: Found) {
        let Some(hit) = self.hits.get_mut(found.job) else { return };
        let job = found.job;
        if hit.as_ref().is_none_or(|known| known.depth > found.depth) {
            *hit = Some(found);
        }
        if self.hits.iter().all(Option::is_some) {
            self.end(Finish::Found);
        } else {
            self.crew.tell_all(&Order::Settled(vec![job]));
        }
    }

    fn look_at_limits(&mut self) {
        let limits = self.plan.limits;
        if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.end(Finish::Stopped(StopReason::Interrupt));
        }
        if limits.time.is_some_and(|time| self.begin.elapsed() >= time) {
            self.end(Finish::Stopped(StopReason::Time));
        }
    }

    /// Ends it, for the first reason that there is; if that is a limit, after a last checkpoint.
    fn end(&mut self, finish: Finish) {
        if self.ending.is_some() {
            return;
        }
        match finish {
            Finish::Stopped(reason) if self.plan.checkpoint.is_some() => self.close(reason),
            _ => self.stop(finish),
        }
    }

    fn stop(&mut self, finish: Finish) {
        self.ending = Some((finish, Instant::now()));
        self.crew.tell_all(&Order::Stop);
    }

    /// A limit is hit, and what is explored is to be written before the end.
    fn close(&mut self, reason: StopReason) {
        let time = if reason == StopReason::Interrupt { LAST_AFTER_INTERRUPT } else { LAST_CHECKPOINT };
        let latest = Instant::now() + time;
        match &mut self.closing {
            Some((_, earlier)) => *earlier = latest.min(*earlier),
            none => *none = Some((reason, latest)),
        }
    }

    /// How long a checkpoint may take from now on.
    fn time_left(&self) -> Option<Duration> {
        self.closing.map(|(_, latest)| latest.saturating_duration_since(Instant::now()))
    }

    /// Writes a checkpoint, step by step, when it is time for one.
    fn look_at_checkpoint(&mut self) {
        let Some(checkpoint) = self.plan.checkpoint else { return };
        if self.ending.is_some() {
            return;
        }
        let (workers, time_left) = (self.crew.len(), self.time_left());
        if let Some((reason, _)) = self.closing
            && time_left == Some(Duration::ZERO)
        {
            self.note("the last checkpoint was not written in time; the one before it is kept".to_owned());
            return self.stop(Finish::Stopped(reason));
        }
        match &mut self.phase {
            Phase::Exploring => {
                let is_due = time_left.is_some()
                    || self.last_checkpoint.elapsed() >= Duration::from_secs(checkpoint.every);
                if is_due && !self.done.contains(&true) {
                    self.phase = Phase::Pausing(vec![None; workers]);
                    self.crew.tell_all(&Order::Pause);
                }
            }
            // Nobody sends any more; so when all that was sent has been received, nothing is on its way.
            Phase::Pausing(still) => {
                let counts: Option<Vec<(u64, u64)>> = still.iter().copied().collect();
                let is_quiet = |counts: &[(u64, u64)]| {
                    let (sent, received): (Vec<u64>, Vec<u64>) = counts.iter().copied().unzip();
                    sent.iter().sum::<u64>() == received.iter().sum::<u64>()
                };
                if counts.is_some_and(|counts| is_quiet(&counts)) {
                    self.number += 1;
                    self.phase = Phase::Saving(vec![None; workers]);
                    let folder = checkpoint.folder.display().to_string();
                    let within = time_left.map(|left| left.as_millis() as u64);
                    self.crew.tell_all(&Order::Save { folder, mark: self.mark(), within });
                }
            }
            Phase::Saving(saved) => {
                if saved.iter().all(Option::is_some) {
                    let saved = std::mem::take(saved).into_iter().flatten().collect::<Result<Vec<_>, _>>();
                    let written = saved.and_then(|findings| self.write_manifest(checkpoint, findings));
                    match written {
                        Err(why) => self.note(format!("a checkpoint was not written: {why}")),
                        Ok(()) if self.closing.is_some() => {
                            self.note(format!(
                                "`--resume {}` goes on from here",
                                checkpoint.folder.display()
                            ));
                        }
                        Ok(()) => {}
                    }
                    self.phase = Phase::Exploring;
                    self.last_checkpoint = Instant::now();
                    match self.closing {
                        Some((reason, _)) => self.stop(Finish::Stopped(reason)),
                        None => self.crew.tell_all(&Order::Continue),
                    }
                }
            }
        }
    }

    /// How the names of the files of this checkpoint begin.
    fn mark(&self) -> String {
        format!("{}-{}", self.plan.run, self.number)
    }

    /// The same is said once.
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) && self.notes.len() < 4 {
            self.notes.push(note);
        }
    }

    fn write_manifest(&mut self, checkpoint: &Checkpoint, findings: Vec<Findings>) -> Result<(), String> {
        let mut found = self.found.clone();
        for findings in findings {
            found.add(findings);
        }
        let hits = self.hits.iter_mut().flatten().map(|hit| &mut hit.spot);
        for spot in hits.chain(found.recorded.halts.iter_mut().flatten()) {
            way(self.crew, spot).map_err(|lost| lost.why)?;
        }
        let statistics = self.statistics();
        let dropped = self.figures.iter().map(|own| own.dropped).sum::<u64>();
        let manifest = Manifest {
            version: crate::VERSION.to_owned(),
            digest: self.plan.digest.to_owned(),
            aim: self.exploration.aim.clone(),
            manner: self.exploration.manner.clone(),
            shortest: self.exploration.shortest,
            partition: self.exploration.partition.clone(),
            number: self.number,
            files: (0..self.crew.len()).map(|worker| file_name(&self.mark(), worker)).collect(),
            hits: self.hits.clone(),
            doubts: found.doubts,
            recorded: Some(found.recorded),
            figures: Figures {
                explored: statistics.explored,
                generated: statistics.generated,
                // What was dropped is counted again when it is read.
                covered: statistics.covered.saturating_sub(dropped),
                ..Figures::default()
            },
            seconds: statistics.seconds,
        };
        manifest.write(&checkpoint.folder)
    }
}

/// Finds the way to a state, from the initial one: the numbers of successors.
pub(crate) fn way(crew: &mut Crew, spot: &mut Spot) -> Result<Vec<u32>, Lost> {
    if let Some(way) = &spot.way {
        return Ok(way.clone());
    }
    let mut ordinals = Vec::new();
    let mut next = Some(spot.place);
    while let Some(place) = next {
        let worker = usize::from(place.worker);
        crew.tell(worker, &Order::Way(place.state));
        next = loop {
            if let Some((by, Report::Way(part, next))) = crew.hear(LOOK)?
                && by == worker
            {
                ordinals.extend(part);
                break next;
            }
        };
    }
    ordinals.reverse();
    Ok(spot.way.insert(ordinals).clone())
}
