//! From arguments to options, limits and Ctrl-C.

use crate::args::{SearchArgs, TraceKind};
use crate::exit::Exit;
use crate::strategy::named;
use crate::terminal::{print_error, refuse};
use guidepost::options::{self, Options};
use guidepost_answer::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the arguments about a search ask for.
pub(crate) fn options(args: &SearchArgs, trace: TraceKind) -> Options {
    Options {
        run: named::<options::TraceKind>(trace).into(),
        search: named(args.search),
        extrapolation: args.extrapolation.map(named),
        subsumption: args.subsumption.map(named),
        without: args.without.iter().copied().map(named).collect(),
        approximate: args.approximate,
        convex_hull: args.convex_hull,
        time_limit: args.time_limit,
        memory_limit: args.memory_limit,
        state_limit: args.state_limit,
        seed: args.seed,
        threads: args.threads.into(),
        ..Options::default()
    }
}

/// Limits as they are given, in seconds, mebibytes and states.
pub(crate) fn limits(
    seconds: Option<f64>,
    mebibytes: Option<usize>,
    states: Option<u64>,
) -> Result<Limits, Exit> {
    options::limits(seconds, mebibytes, states).map_err(refuse)
}

/// A flag that the first Ctrl-C sets; another one, not at once, ends the program. Signals that follow each other closely (as when both a process and its
/// group get one) count as one, so that the answers found so far are not lost.
pub(crate) fn on_interrupt() -> Arc<AtomicBool> {
    const SAME: Duration = Duration::from_millis(500);
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let mut first: Option<Instant> = None;
    // Without a handler Ctrl-C ends the program the hard way, which is no reason not to start.
    let _ = ctrlc::set_handler(move || {
        seen.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > SAME {
            std::process::exit(130);
        }
    });
    flag
}

/// Reading and building look at no limits: while a model is read, a thread looks at them and ends the program when one is reached.
pub(crate) struct Reading {
    is_over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Reading {
    /// How often limits are looked at.
    const PAUSE: Duration = Duration::from_millis(50);
    /// Shorter limits are for the search: on a busy machine, reading a small model may take as long.
    const SHORTEST: Duration = Duration::from_millis(500);

    /// Reading begins; it is over when the value is dropped.
    pub(crate) fn begin(limits: &Limits) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (over, limits, begin) = (Arc::clone(&is_over), limits.clone(), Instant::now());
        let watch = move || {
            while !over.load(Ordering::Relaxed) {
                let is_interrupted =
                    limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
                let is_late = limits.time.is_some_and(|time| begin.elapsed() >= time.max(Self::SHORTEST));
                if is_interrupted || is_late {
                    let what = if is_interrupted { "interrupted" } else { "the time limit was reached" };
                    print_error(format!("{what} while the model was read; nothing was answered"));
                    std::process::exit(Exit::Undecided as i32);
                }
                std::thread::park_timeout(Self::PAUSE);
            }
        };
        // Without a thread, limits hold from the search on.
        Self { is_over, thread: std::thread::Builder::new().spawn(watch).ok() }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It has nothing left to do but to end.
            let _ = thread.join();
        }
    }
}
