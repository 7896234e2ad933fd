//! Long work, watched by Python.
//!
//! The work is done by a thread of its own, with a stack that deeply nested models need, while Python's lock is released. The calling thread waits, tells progress to
//! the callback, and asks Python now and then whether Ctrl-C was pressed. If so, or if the callback fails, the work is told to end, and the exception
//! is raised as soon as it has.

use guidepost::answer::Progress;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

const STACK_BYTES: usize = 256 << 20;
/// How often Python is asked about signals.
const PAUSE: Duration = Duration::from_millis(50);
/// How often progress is told.
const EVERY: Duration = Duration::from_millis(100);

/// What the watching thread is told.
enum Event<T> {
    Progress(usize, Box<Progress>),
    Done(T),
}

/// Tells progress to whoever watches, not too often.
pub(crate) struct Reporter<T> {
    events: SyncSender<Event<T>>,
    last: Option<Instant>,
}

impl<T> Reporter<T> {
    /// How the n-th query is getting on.
    pub(crate) fn progress(&mut self, query: usize, progress: &Progress) {
        if self.last.is_none_or(|last| last.elapsed() >= EVERY) {
            self.last = Some(Instant::now());
            // When nobody listens any more, the work has been told to end.
            let _ = self.events.try_send(Event::Progress(query, Box::new(*progress)));
        }
    }
}

/// Does the work. `interrupt` is the flag that ends it.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    interrupt: &Arc<AtomicBool>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut Reporter<T>) -> T + Send,
) -> PyResult<T> {
    let (events, heard) = sync_channel(64);
    py.detach(move || {
        std::thread::scope(|scope| {
            let worker = move || {
                let mut reporter = Reporter { events: events.clone(), last: None };
                // Who fails says nothing, and is missed.
                if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(&mut reporter))) {
                    let _ = events.send(Event::Done(result));
                }
            };
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, worker)?;
            let mut trouble = None;
            loop {
                let asked = match heard.recv_timeout(PAUSE) {
                    Ok(Event::Done(result)) => break trouble.map_or(Ok(result), Err),
                    Ok(Event::Progress(query, progress)) if trouble.is_none() => Python::attach(|py| {
                        callback.map_or(Ok(()), |callback| tell(py, callback, query, &progress))
                    }),
                    Ok(Event::Progress(..)) => Ok(()),
                    Err(RecvTimeoutError::Timeout) => Python::attach(signals),
                    Err(RecvTimeoutError::Disconnected) => {
                        let bug = || Python::attach(|py| crate::errors::internal(py, "a search has failed"));
                        break Err(trouble.unwrap_or_else(bug));
                    }
                };
                if let Err(error) = asked {
                    interrupt.store(true, Ordering::Relaxed);
                    trouble.get_or_insert(error);
                }
            }
        })
    })
}

/// Whether Ctrl-C was pressed.
fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

fn tell(py: Python<'_>, callback: &Py<PyAny>, query: usize, progress: &Progress) -> PyResult<()> {
    let told = PyDict::new(py);
    let statistics = &progress.statistics;
    told.set_item("query", query)?;
    told.set_item("seconds", statistics.seconds)?;
    told.set_item("explored", statistics.explored)?;
    told.set_item("stored", statistics.stored)?;
    told.set_item("waiting", progress.waiting)?;
    told.set_item("depth", progress.depth)?;
    told.set_item("estimate", progress.best_estimate)?;
    told.set_item("memory_bytes", statistics.bytes)?;
    callback.call1(py, (told,))?;
    py.check_signals()
}
