//! A worker at work: it steps the dataflow, stores what arrives, expands what waits, and listens to its coordinator between.

use crate::checkpoint;
use crate::partition::Place;
use crate::post::{Content, Letter, Post};
use crate::protocol::{Ending, Exploration, Figures, Found, Order, Report};
use crate::share::{Early, Share};
use crate::spotter::{Spotter, retained};
use guidepost_answer::{CompiledQuery, Limits, StopReason, Watch};
use guidepost_network::Network;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};
use timely::worker::Worker;

/// What a worker works with.
pub(crate) struct Prepared {
    /// The network.
    pub(crate) network: Network,
    /// The queries.
    pub(crate) queries: Vec<CompiledQuery>,
    /// Set to end the work.
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
}

/// A worker lets go of its states now and then, to look at letters and orders: after so long, or so many.
const TURN: Duration = Duration::from_millis(2);
const STATES_A_TURN: u32 = 512;
/// A worker expands no states that are deeper than this below those of others: most of them would be covered by larger ones that come later, and expanded in vain.
const LEAD: u32 = 1;
/// But nobody waits for others for more than this part of the time, since that is in vain where depths have few states.
const WAITING: u32 = 8;
/// With nothing to do, it looks for orders so often; letters wake it.
const NAP: Duration = Duration::from_millis(5);
/// How often it tells how it is getting on.
const PROGRESS: Duration = Duration::from_millis(100);

/// Works until the coordinator says that all is said, or is gone.
pub(crate) fn work(
    worker: &mut Worker,
    prepared: &Prepared,
    orders: &Receiver<Order>,
    report: &dyn Fn(Report),
) {
    let mut next = serve(worker, None, orders, report);
    while let Some(exploration) = next {
        let retained = retained(&prepared.network, &prepared.queries, &exploration);
        let network = retained.as_ref().map_or(&prepared.network, |retained| &retained.network);
        let begun = Taking::begin(worker, prepared, network, &exploration, report);
        if let Err(reason) = &begun {
            report(Report::Refused(reason.clone()));
        }
        next = serve(worker, begun.ok(), orders, report);
    }
}

/// Takes part in an exploration, if there is one, until the next begins or all is said.
fn serve(
    worker: &mut Worker,
    mut part: Option<Taking<'_>>,
    orders: &Receiver<Order>,
    report: &dyn Fn(Report),
) -> Option<Exploration> {
    loop {
        let order = match &part {
            Some(part) if !part.is_over => orders.try_recv(),
            // Letters of the exploration that is over may still have to be received, so that others can end it, too.
            _ => orders.recv_timeout(NAP).map_err(|error| match error {
                RecvTimeoutError::Timeout => TryRecvError::Empty,
                RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
            }),
        };
        match order {
            Ok(Order::Bye) | Err(TryRecvError::Disconnected) => {
                finish(part, worker);
                return None;
            }
            Ok(Order::Explore(exploration)) => {
                finish(part, worker);
                return Some(exploration);
            }
            Ok(order) => {
                if let Some(part) = &mut part {
                    part.hear(order, report);
                }
            }
            Err(TryRecvError::Empty) => {}
        }
        if let Some(part) = &mut part {
            part.turn(worker, report);
        }
    }
}

/// Lets everybody end an exploration before the next one begins.
fn finish(part: Option<Taking<'_>>, worker: &mut Worker) {
    if let Some(part) = part {
        part.post.hold(None);
        while !part.post.is_closed() {
            while part.post.receive().is_some() {}
            part.post.hold(None);
            worker.step_or_park(Some(NAP));
        }
    }
}

/// A worker's part in an exploration.
#[expect(clippy::struct_excessive_bools, reason = "each can be so without the others")]
struct Taking<'p> {
    me: u16,
    interrupt: Option<Arc<AtomicBool>>,
    share: Share<'p, Spotter<'p>>,
    post: Post,
    /// Which hits were reported.
    reported: Vec<bool>,
    /// At a limit it pauses, so that what is there can be written.
    is_kept: bool,
    is_paused: bool,
    /// Somebody wants it to end, or it has ended: no more states are taken.
    is_stopped: bool,
    /// The model has failed here. Until it is told to stop, it holds the others back: where runs must be shortest, nobody may find a goal that is further away, and be heard first.
    has_failed: bool,
    /// The end was reported.
    is_over: bool,
    /// Letters that were received.
    received: u64,
    last_still: Option<(u64, u64)>,
    last_progress: Instant,
    begin: Instant,
    idle: Duration,
}

impl<'p> Taking<'p> {
    fn begin(
        worker: &mut Worker,
        prepared: &'p Prepared,
        network: &'p Network,
        exploration: &Exploration,
        report: &dyn Fn(Report),
    ) -> Result<Self, String> {
        let place = (worker.index() as u16, worker.peers() as u16);
        let limits = Limits {
            time: exploration.time(),
            memory: exploration.memory,
            states: exploration.states,
            interrupt: prepared.interrupt.clone(),
        };
        let spotter = Spotter::new(network, &prepared.queries, exploration);
        let (spotter, explorer) = spotter.map_err(|reason| reason.to_string())?;
        let mut share = Share::new(
            explorer,
            spotter,
            place,
            exploration.partition.clone(),
            exploration.shortest,
            Watch::new(&limits),
        );
        if let Some(files) = &exploration.resume {
            checkpoint::load(&mut share, files)?;
        }
        let mut part = Self {
            me: place.0,
            interrupt: prepared.interrupt.clone(),
            reported: share.watcher.hits().map(|_| false).collect(),
            share,
            post: Post::open(worker),
            is_kept: exploration.is_kept,
            is_paused: false,
            is_stopped: false,
            has_failed: false,
            is_over: false,
            received: 0,
            last_still: None,
            last_progress: Instant::now(),
            begin: Instant::now(),
            idle: Duration::ZERO,
        };
        if exploration.resume.is_none() {
            let started = part.share.start();
            part.settle(&started, report);
        }
        Ok(part)
    }

    fn hear(&mut self, order: Order, report: &dyn Fn(Report)) {
        // Who found a goal knew that all shallower states had arrived, but not whether they had been looked at.
        if self.share.shortest && !self.is_stopped && matches!(order, Order::Settled(_) | Order::Stop) {
            self.read_letters(report);
        }
        match order {
            Order::Settled(jobs) => {
                for job in jobs {
                    self.settled(job);
                }
            }
            Order::Pause => (self.is_paused, self.last_still) = (true, None),
            Order::Save { folder, mark, within } => {
                let path = Path::new(&folder).join(checkpoint::file_name(&mark, self.me.into()));
                let saved = checkpoint::save(&self.share, &path, within.map(Duration::from_millis));
                let findings = || self.share.watcher.findings(self.me, &self.share.explorer);
                report(Report::Saved(saved.map(|()| findings())));
            }
            // Who has hit a limit does not go on.
            Order::Continue => self.is_paused = self.share.is_closing,
            Order::Stop => self.stop(),
            Order::Way(state) => {
                let (ordinals, next) = self.share.holdings.way_back(state);
                report(Report::Way(ordinals, next));
            }
            _ => {}
        }
    }

    /// A goal of a query was found elsewhere, and need not be looked for.
    fn settled(&mut self, job: usize) {
        self.share.watcher.settle(job);
        if let Some(reported) = self.reported.get_mut(job) {
            *reported = true;
        }
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.drop_work();
    }

    /// Whether it takes no more states.
    fn has_ended(&self) -> bool {
        self.is_stopped || self.has_failed
    }

    fn drop_work(&mut self) {
        self.share.holdings.waiting.clear();
        self.share.holdings.parcels.clear();
    }

    /// A turn: letters, then states, then letters again.
    fn turn(&mut self, worker: &mut Worker, report: &dyn Fn(Report)) {
        let read = self.read_letters(report);
        let expanded = self.expand_some(report);
        let is_busy = read || expanded;
        self.share.holdings.parcels.ship(self.me, &self.post, !expanded);
        if self.is_stopped || !self.has_failed {
            self.post.hold(self.share.holdings.pending());
        }
        if is_busy {
            worker.step();
        } else {
            let begin = Instant::now();
            worker.step_or_park(Some(NAP));
            self.idle += begin.elapsed();
            // Who has nothing to do looks at no limits.
            if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                self.settle(&Err(Early::Stopped(StopReason::Interrupt)), report);
            }
        }
        self.tell(report);
    }

    /// Stores what has arrived; says whether something has.
    fn read_letters(&mut self, report: &dyn Fn(Report)) -> bool {
        let mut has_read = false;
        while let Some(Letter { from, content, .. }) = self.post.receive() {
            has_read = true;
            match content {
                Content::Read(count) => self.share.holdings.parcels.were_read(from, count),
                Content::States(states) => {
                    self.received += 1;
                    if !self.has_ended() {
                        let received = self.share.receive(from, &states);
                        self.settle(&received, report);
                    }
                    // At whichever depth is held.
                    self.post.send(0, Letter { from: self.me, to: from, content: Content::Read(1) });
                }
            }
        }
        has_read
    }

    /// Expands states for a while; says whether there were some.
    fn expand_some(&mut self, report: &dyn Fn(Report)) -> bool {
        let begin = Instant::now();
        let may_wait = self.idle * WAITING < begin.duration_since(self.begin);
        for count in 0..STATES_A_TURN {
            let is_held_up = self.is_paused || self.has_ended() || self.share.holdings.parcels.are_too_many();
            if is_held_up || (count % 16 == 15 && begin.elapsed() > TURN) {
                return count > 0;
            }
            let (post, shortest) = (&self.post, self.share.shortest);
            // Where runs must be shortest, all states of a depth must be there before the first of them is expanded.
            let is_time_for = |depth: u32| {
                if shortest { post.has_all_of(depth) } else { !may_wait || !post.is_ahead(depth, LEAD) }
            };
            let expanded = self.share.expand(is_time_for);
            match expanded {
                Ok(true) => self.report_hits(report),
                Ok(false) => return count > 0,
                Err(_) => self.settle(&expanded.map(|_| ()), report),
            }
        }
        true
    }

    /// Says what became of some work.
    fn settle(&mut self, result: &Result<(), Early>, report: &dyn Fn(Report)) {
        self.report_hits(report);
        let ending = match result {
            Ok(()) | Err(Early::Satisfied) => return,
            Err(Early::Stopped(reason)) => (*reason).into(),
            Err(Early::Failed(place)) => Ending::Failed(*place),
            Err(Early::Garbled) => Ending::Garbled,
        };
        if self.has_ended() || self.share.is_closing {
            return;
        }
        if self.is_kept && matches!(result, Err(Early::Stopped(_))) {
            (self.share.is_closing, self.is_paused) = (true, true);
        } else if matches!(result, Err(Early::Failed(_))) {
            // Nobody gets successors of a state in which the model failed: there is no run through it.
            self.has_failed = true;
            self.drop_work();
        } else {
            self.stop();
        }
        report(Report::Early(ending));
    }

    /// Tells of goals that were found since.
    fn report_hits(&mut self, report: &dyn Fn(Report)) {
        let hits = self.share.watcher.hits();
        for (job, (is_reported, hit)) in self.reported.iter_mut().zip(hits).enumerate() {
            if let (Some(state), false) = (hit, *is_reported) {
                *is_reported = true;
                let place = Place { worker: self.me, state: state.0 };
                report(Report::Hit(Found { job, spot: place.into(), depth: self.share.examined }));
            }
        }
    }

    /// Tells how it is getting on, and whether it is over.
    fn tell(&mut self, report: &dyn Fn(Report)) {
        if self.is_over {
            return;
        }
        if self.is_stopped || self.post.is_closed() {
            self.stop();
            self.is_over = true;
            let findings = self.share.watcher.findings(self.me, &self.share.explorer);
            report(Report::Done(self.figures(), findings));
            return;
        }
        if self.is_paused && self.share.holdings.parcels.are_none() {
            let still = (self.share.holdings.parcels.sent.letters, self.received);
            if self.last_still != Some(still) {
                self.last_still = Some(still);
                report(Report::Progress(self.figures()));
                report(Report::Still { sent: still.0, received: still.1 });
            }
        }
        if self.last_progress.elapsed() >= PROGRESS {
            self.last_progress = Instant::now();
            report(Report::Progress(self.figures()));
        }
    }

    fn figures(&self) -> Figures {
        let (numbers, sent) = (self.share.numbers(), self.share.holdings.parcels.sent);
        Figures {
            explored: numbers.explored,
            generated: numbers.generated,
            stored: numbers.stored,
            covered: numbers.covered,
            dropped: self.share.holdings.dropped(),
            discrete: numbers.discrete,
            bytes: numbers.bytes,
            postponed: numbers.postponed,
            renamed: numbers.renamed,
            left_out: numbers.left_out,
            waiting: self.share.holdings.waiting.len() as u64,
            depth: self.share.depth(),
            sent: sent.states,
            sent_bytes: sent.bytes,
            letters: sent.letters,
            idle: self.idle.as_secs_f64(),
            approximate: self.share.explorer.is_approximate(),
        }
    }
}
