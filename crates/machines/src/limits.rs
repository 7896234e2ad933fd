//! How much a check may use up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a check may use up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of stored states.
    pub memory: Option<usize>,
    /// Stored states.
    pub states: Option<u64>,
    /// Set from outside to end the check.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Which limit ended a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The limit on states.
    States,
    /// The user.
    Interrupt,
}

impl Stop {
    /// A few words for it.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Stop::Time => "the time limit was reached",
            Stop::Memory => "the memory limit was reached",
            Stop::States => "the state limit was reached",
            Stop::Interrupt => "the check was interrupted",
        }
    }
}

impl Limits {
    /// The limit that is reached, if one is.
    #[must_use]
    pub fn reached(&self, begin: Instant, states: usize, bytes: usize) -> Option<Stop> {
        let is_interrupted = self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        match () {
            () if is_interrupted => Some(Stop::Interrupt),
            () if self.states.is_some_and(|most| states as u64 > most) => Some(Stop::States),
            () if self.memory.is_some_and(|most| bytes > most) => Some(Stop::Memory),
            () if self.time.is_some_and(|most| begin.elapsed() >= most) => Some(Stop::Time),
            () => None,
        }
    }
}
