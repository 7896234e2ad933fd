//! Who begins explorations, hears what workers find, and ends them.

use crate::crew::{Crew, Lost};
use crate::partition::Place;
use crate::protocol::{Ending, Exploration, Figures, Findings, Found, Order, Report};
use guidepost_answer::{Limits, Progress, Statistics, StopReason};
use guidepost_search::ProgressObserver;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often limits are looked at.
const LOOK: Duration = Duration::from_millis(20);
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
    /// By worker.
    pub(crate) figures: Vec<Figures>,
    pub(crate) seconds: f64,
}

impl Explored {
    /// The numbers of all workers together.
    pub(crate) fn statistics(&self) -> Statistics {
        total(&self.figures, self.seconds)
    }
}

fn total(figures: &[Figures], seconds: f64) -> Statistics {
    let mut all = Statistics::default();
    for own in figures {
        all.add(&own.statistics());
        all.discrete += own.discrete;
    }
    Statistics { seconds, ..all }
}

/// An exploration that is going on.
struct Running<'c> {
    crew: &'c mut Crew,
    begin: Instant,
    figures: Vec<Figures>,
    hits: Vec<Option<Found>>,
    findings: Vec<Findings>,
    done: Vec<bool>,
    /// Why it ends, and since when that is known.
    ending: Option<(Finish, Instant)>,
}

/// Explores; `jobs` is the number of queries whose goals are looked for.
pub(crate) fn explore(
    crew: &mut Crew,
    exploration: Exploration,
    jobs: usize,
    limits: &Limits,
    observe: &mut ProgressObserver<'_>,
) -> Explored {
    let workers = crew.len();
    crew.tell_all(&Order::Explore(exploration));
    let mut running = Running {
        crew,
        begin: Instant::now(),
        figures: vec![Figures::default(); workers],
        hits: vec![None; jobs],
        findings: Vec::new(),
        done: vec![false; workers],
        ending: None,
    };
    let finish = running.run(limits, observe);
    let mut doubts = vec![Vec::new(); jobs];
    for findings in &running.findings {
        for (all, own) in doubts.iter_mut().zip(&findings.doubts) {
            all.extend_from_slice(own);
        }
    }
    let seconds = running.begin.elapsed().as_secs_f64();
    Explored { finish, hits: running.hits, doubts, figures: running.figures, seconds }
}

impl Running<'_> {
    fn run(&mut self, limits: &Limits, observe: &mut ProgressObserver<'_>) -> Finish {
        while !self.done.iter().all(|&is_done| is_done) {
            match self.crew.hear(LOOK) {
                Ok(Some((worker, report))) => self.take(worker, report, limits, observe),
                Ok(None) => {}
                Err(lost) => return self.ending.take().map_or(Finish::Lost(lost), |(finish, _)| finish),
            }
            self.look_at_limits(limits);
            if self.ending.as_ref().is_some_and(|(_, since)| since.elapsed() > LAST_WORDS) {
                break;
            }
        }
        self.ending.take().map_or(Finish::Exhausted, |(finish, _)| finish)
    }

    fn take(&mut self, worker: usize, report: Report, limits: &Limits, observe: &mut ProgressObserver<'_>) {
        match report {
            Report::Progress(figures) => {
                self.figures[worker] = figures;
                let statistics = total(&self.figures, self.begin.elapsed().as_secs_f64());
                observe(&Progress {
                    statistics,
                    waiting: self.figures.iter().map(|own| own.waiting).sum(),
                    depth: self.figures.iter().map(|own| own.depth.into()).max().unwrap_or(0),
                    ..Progress::default()
                });
                if limits.states.is_some_and(|limit| statistics.stored > limit) {
                    self.end(Finish::Stopped(StopReason::States));
                }
            }
            Report::Hit(found) => self.hit(found),
            Report::Early(ending) => self.end(match ending {
                Ending::Failed(place) => Finish::Failed(place),
                Ending::Garbled => Finish::Lost(Lost { worker, why: "it got what are no states".to_owned() }),
                other => Finish::Stopped(other.reason().unwrap_or(StopReason::Memory)),
            }),
            Report::Done(figures, findings) => {
                self.figures[worker] = figures;
                self.findings.push(findings);
                self.done[worker] = true;
            }
            Report::Refused(why) => self.end(Finish::Lost(Lost { worker, why })),
            _ => {}
        }
    }

    fn hit(&mut self, found: Found) {
        let Some(hit) = self.hits.get_mut(found.job) else { return };
        if hit.is_none_or(|known| known.depth > found.depth) {
            *hit = Some(found);
        }
        if self.hits.iter().all(Option::is_some) {
            self.end(Finish::Found);
        } else {
            self.crew.tell_all(&Order::Settled(vec![found.job]));
        }
    }

    fn look_at_limits(&mut self, limits: &Limits) {
        if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.end(Finish::Stopped(StopReason::Interrupt));
        }
        if limits.time.is_some_and(|time| self.begin.elapsed() >= time) {
            self.end(Finish::Stopped(StopReason::Time));
        }
    }

    /// Ends it, for the first reason that there is.
    fn end(&mut self, finish: Finish) {
        if self.ending.is_none() {
            self.ending = Some((finish, Instant::now()));
            self.crew.tell_all(&Order::Stop);
        }
    }
}

/// The way to a state, from the initial one: the numbers of successors.
pub(crate) fn way(crew: &mut Crew, place: Place) -> Result<Vec<u32>, Lost> {
    let mut ordinals = Vec::new();
    let mut next = Some(place);
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
    Ok(ordinals)
}
