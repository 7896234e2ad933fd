//! The workers as their coordinator knows them: somebody who takes orders, and reports that come in.

use crate::member::{Prepared, work};
use crate::protocol::{Order, Report};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Config;

/// What is heard of a worker.
pub(crate) enum Event {
    /// It reports.
    Report(Box<Report>),
    /// It is gone: why, as far as is known.
    Gone(String),
}

/// Takes orders to a worker.
pub(crate) trait Line {
    /// Sends an order. That nobody takes it is heard of as an event.
    fn send(&mut self, order: &Order);
}

/// A worker that was lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lost {
    /// Which one, from 0.
    pub(crate) worker: usize,
    /// What is known of it.
    pub(crate) why: String,
}

/// Workers, and what is heard of them.
pub(crate) struct Crew {
    pub(crate) names: Vec<String>,
    /// Where they listen for each other.
    pub(crate) addresses: Vec<String>,
    /// What happened before they were called together.
    pub(crate) notes: Vec<String>,
    lines: Vec<Box<dyn Line>>,
    events: Receiver<(usize, Event)>,
    heard: Vec<Instant>,
    /// Who is silent for so long is lost.
    patience: Duration,
    /// What ends with them.
    _ending: Box<dyn std::any::Any>,
}

impl Crew {
    pub(crate) fn new(
        names: Vec<String>,
        lines: Vec<Box<dyn Line>>,
        events: Receiver<(usize, Event)>,
        patience: Duration,
        ending: Box<dyn std::any::Any>,
    ) -> Self {
        let heard = vec![Instant::now(); lines.len()];
        let addresses = vec![String::new(); lines.len()];
        Self { names, addresses, notes: Vec::new(), lines, events, heard, patience, _ending: ending }
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// What a worker is called in messages: `worker 3 (10.0.0.3:7701)`.
    pub(crate) fn name(&self, worker: usize) -> String {
        format!("worker {} ({})", worker + 1, self.names.get(worker).map_or("", String::as_str))
    }

    /// Gives an order to a worker.
    pub(crate) fn tell(&mut self, worker: usize, order: &Order) {
        if let Some(line) = self.lines.get_mut(worker) {
            line.send(order);
        }
    }

    /// Gives an order to all of them.
    pub(crate) fn tell_all(&mut self, order: &Order) {
        for line in &mut self.lines {
            line.send(order);
        }
    }

    /// The next report, if one comes soon enough.
    pub(crate) fn hear(&mut self, patience: Duration) -> Result<Option<(usize, Report)>, Lost> {
        let end = Instant::now() + patience;
        loop {
            match self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((worker, Event::Report(report))) => {
                    self.heard[worker] = Instant::now();
                    if *report != Report::Alive {
                        return Ok(Some((worker, *report)));
                    }
                }
                Ok((worker, Event::Gone(why))) => return Err(Lost { worker, why }),
                Err(RecvTimeoutError::Timeout) => return self.look_for_silence().map(|()| None),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Lost { worker: 0, why: "nobody is left".to_owned() });
                }
            }
        }
    }

    fn look_for_silence(&self) -> Result<(), Lost> {
        match self.heard.iter().position(|heard| heard.elapsed() > self.patience) {
            Some(worker) => {
                let why = format!("nothing was heard of it for {} s", self.patience.as_secs());
                Err(Lost { worker, why })
            }
            None => Ok(()),
        }
    }

    /// Threads of this process as workers: for tests, and for those who have a network and no text of it.
    pub(crate) fn of_threads(count: usize, prepared: Prepared) -> Self {
        let (reports, events) = channel::<(usize, Event)>();
        let (mut lines, mut inboxes): (Vec<Box<dyn Line>>, Vec<_>) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let (orders, inbox) = channel::<Order>();
            lines.push(Box::new(orders));
            inboxes.push(Some(inbox));
        }
        let (inboxes, prepared) = (Arc::new(Mutex::new(inboxes)), Arc::new(prepared));
        let reports = Mutex::new(reports);
        let run = move || {
            let (builders, others) = Config::Process(count).try_build().expect("threads need no network");
            let guards =
                timely::execute::execute_from(builders, others, WorkerConfig::default(), move |worker| {
                    let me = worker.index();
                    let inbox = inboxes.lock().unwrap_or_else(PoisonError::into_inner)[me].take();
                    let reports = reports.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    let inbox = inbox.expect("each worker runs once");
                    work(worker, &prepared, &inbox, &|report| {
                        let _ = reports.send((me, Event::Report(Box::new(report))));
                    });
                });
            drop(guards);
        };
        let names = (1..=count).map(|number| format!("thread {number}")).collect();
        let thread = Threads(Some(std::thread::spawn(run)));
        Self::new(names, lines, events, Duration::MAX, Box::new(thread))
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.tell_all(&Order::Bye);
    }
}

/// Threads that are waited for.
struct Threads(Option<JoinHandle<()>>);

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            // A panic has been reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Line for Sender<Order> {
    fn send(&mut self, order: &Order) {
        let _ = Sender::send(self, order.clone());
    }
}
