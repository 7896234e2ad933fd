//! Limits of a search, and why it stopped.

use crate::Deadline;
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
    #[must_use]
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
    /// No limit, but a store that cannot hold more states: it tells some 4 billion apart.
    Full,
    /// The user.
    Interrupt,
    /// No limit, but one of several processes that is gone: its number, from 1.
    Lost(u32),
    /// The engine itself: it looks at a part of the states only, and has seen that part.
    Incomplete,
}

impl StopReason {
    /// A few words for it: `time limit`, …
    pub fn describe(self) -> &'static str {
        match self {
            StopReason::Time => "time limit",
            StopReason::Memory => "memory limit",
            StopReason::States => "state limit",
            StopReason::Full => "full store",
            StopReason::Interrupt => "interrupted",
            StopReason::Lost(_) => "a worker was lost",
            StopReason::Incomplete => "nothing was found, which proves nothing",
        }
    }
}

/// Said instead of a number of bytes: the store is full, whatever the limits are.
pub const FULL: usize = usize::MAX;

/// Watches the limits of a running search.
#[derive(Clone, Debug)]
pub struct Watch {
    limits: Limits,
    started: Instant,
    ticks: u32,
    expansions: Pace,
    successors: Pace,
    /// What other searches use that share the limits: states and bytes.
    beside: (u64, usize),
}

/// The clock is looked at once in this many ticks, at most.
const TICKS: u32 = 64;
/// Where ticks are so far apart that the next look would come later than this, it comes sooner.
const LONGEST: Duration = Duration::from_millis(100);

/// How often to look at the clock: at first always, then less and less often while nothing takes long.
#[derive(Clone, Debug)]
struct Pace {
    /// Ticks from one look to the next.
    interval: u32,
    /// Ticks until the next look.
    left: u32,
    /// The time of the last look.
    last: Duration,
}

impl Pace {
    const FIRST: Self = Self { interval: 1, left: 1, last: Duration::ZERO };

    /// Whether to look now.
    #[inline]
    fn tick(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    /// Settles when to look again.
    fn settle(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.last);
        self.last = now;
        self.interval = match self.interval {
            interval if 2 * passed <= LONGEST => (2 * interval).min(TICKS),
            interval if passed > LONGEST => (interval / 2).max(1),
            interval => interval,
        };
        self.left = self.interval;
    }
}

impl Watch {
    /// Begins to watch.
    pub fn new(limits: &Limits) -> Self {
        let (expansions, successors) = (Pace::FIRST, Pace::FIRST);
        let started = Instant::now();
        Self { limits: limits.clone(), started, ticks: 0, expansions, successors, beside: (0, 0) }
    }

    /// When the search has to end, for those who work for it.
    pub fn deadline(&self) -> Deadline {
        let moment = self.limits.time.and_then(|time| self.started.checked_add(time));
        Deadline::new(moment, self.limits.interrupt.clone())
    }

    /// From now on, so many states and bytes of others count as well.
    pub fn count_beside(&mut self, states: u64, bytes: usize) {
        self.beside = (states, bytes);
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
        if self.limits.states.is_some_and(|limit| states + self.beside.0 > limit) {
            return Some(StopReason::States);
        }
        if !self.expansions.tick() {
            return None;
        }
        let now = self.elapsed();
        self.expansions.settle(now);
        self.look(now, bytes)
    }

    /// As [`Watch::check`], once per successor of a search in which each of them may take long.
    #[inline]
    pub fn check_successor(&mut self, bytes: impl Fn() -> usize) -> Option<StopReason> {
        if !self.successors.tick() {
            return None;
        }
        let now = self.elapsed();
        self.successors.settle(now);
        self.look(now, bytes)
    }

    /// Looks at everything but the number of states.
    fn look(&self, now: Duration, bytes: impl Fn() -> usize) -> Option<StopReason> {
        if self.limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(StopReason::Interrupt);
        }
        if self.limits.time.is_some_and(|limit| now >= limit) {
            return Some(StopReason::Time);
        }
        let bytes = bytes();
        if bytes == FULL {
            return Some(StopReason::Full);
        }
        let is_over = |limit| bytes.saturating_add(self.beside.1) > limit;
        self.limits.memory.is_some_and(is_over).then_some(StopReason::Memory)
    }

    /// Whether it is time for a progress report.
    #[inline]
    pub fn is_report_due(&self) -> bool {
        self.ticks.is_multiple_of(TICKS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_store_is_no_memory_limit() {
        let mut free = Watch::new(&Limits::default());
        assert_eq!(free.check(1, || 1 << 40), None);
        let mut free = Watch::new(&Limits::default());
        assert_eq!(free.check(1, || FULL), Some(StopReason::Full));
        let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        assert_eq!(Watch::new(&limits).check(1, || 1 << 30), Some(StopReason::Memory));
        assert_eq!(Watch::new(&limits).check(1, || FULL), Some(StopReason::Full));
    }

    #[test]
    fn the_clock_is_looked_at_more_often_where_ticks_take_long() {
        let mut pace = Pace::FIRST;
        let mut now = Duration::ZERO;
        let mut ticks_until_look = |pace: &mut Pace, each: Duration| {
            for ticks in 1.. {
                now += each;
                if pace.tick() {
                    pace.settle(now);
                    return ticks;
                }
            }
            unreachable!()
        };
        let quick = Duration::from_micros(1);
        let looks: Vec<u32> = (0..8).map(|_| ticks_until_look(&mut pace, quick)).collect();
        assert_eq!(looks, [1, 2, 4, 8, 16, 32, 64, 64]);
        let slow = Duration::from_millis(30);
        let looks: Vec<u32> = (0..6).map(|_| ticks_until_look(&mut pace, slow)).collect();
        assert_eq!(looks, [64, 32, 16, 8, 4, 2]);
    }
}
