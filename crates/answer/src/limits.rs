//! Limits of a search, and why it stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may use up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of the state store.
    pub memory: Option<usize>,
    /// Stored states.
    pub states: Option<u64>,
    /// Set from outside (Ctrl-C) to end the search.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// What is left of them for something that belongs to a search which began earlier.
    pub fn left_since(&self, begin: Instant) -> Self {
        Self { time: self.time.map(|time| time.saturating_sub(begin.elapsed())), ..self.clone() }
    }
}

/// Which limit ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The limit on states.
    States,
    /// The user.
    Interrupt,
}

impl StopReason {
    /// A few words for it: `time limit`, …
    pub fn describe(self) -> &'static str {
        match self {
            StopReason::Time => "time limit",
            StopReason::Memory => "memory limit",
            StopReason::States => "state limit",
            StopReason::Interrupt => "interrupted",
        }
    }
}

/// Watches the limits of a running search.
#[derive(Clone, Debug)]
pub struct Watch {
    limits: Limits,
    started: Instant,
    ticks: u32,
    successors: u32,
}

/// The clock is looked at once in this many ticks.
const TICKS: u32 = 64;

impl Watch {
    /// Begins to watch.
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), started: Instant::now(), ticks: 0, successors: 0 }
    }

    /// Whether somebody has to count the states.
    pub fn counts_states(&self) -> bool {
        self.limits.states.is_some()
    }

    /// Since the watch began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Called once per expanded state.
    #[inline]
    pub fn check(&mut self, states: u64, bytes: impl Fn() -> usize) -> Option<StopReason> {
        self.ticks += 1;
        if self.limits.states.is_some_and(|limit| states > limit) {
            return Some(StopReason::States);
        }
        if self.ticks.is_multiple_of(TICKS) { self.look(bytes) } else { None }
    }

    /// Looks at everything but the number of states.
    fn look(&self, bytes: impl Fn() -> usize) -> Option<StopReason> {
        if self.limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(StopReason::Interrupt);
        }
        if self.limits.time.is_some_and(|limit| self.started.elapsed() >= limit) {
            return Some(StopReason::Time);
        }
        // Without a limit of its own, a search ends when the store is full.
        if bytes() > self.limits.memory.unwrap_or(usize::MAX - 1) {
            return Some(StopReason::Memory);
        }
        None
    }

    /// As [`Watch::check`], once per successor of a search in which each of them may take long.
    #[inline]
    pub fn check_successor(&mut self, bytes: impl Fn() -> usize) -> Option<StopReason> {
        self.successors += 1;
        if !self.successors.is_multiple_of(TICKS) {
            return None;
        }
        self.look(bytes)
    }

    /// Whether it is time for a progress report.
    #[inline]
    pub fn is_report_due(&self) -> bool {
        self.ticks.is_multiple_of(TICKS)
    }
}
