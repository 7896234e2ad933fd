//! When to stop, for everything that can take long: a moment, and a flag that somebody else may set.
//!
//! Searches, preprocessing and single estimates share one deadline. Those who work without pause ask for the time now and then, by [`Deadline::is_due`]; what
//! they have begun is worth nothing then, and whoever asked for it is about to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When to stop.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    moment: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    /// Work since the last look at the clock.
    work: u32,
    /// Once over, always over.
    is_over: bool,
}

/// The clock is looked at after so much work, in units of a microsecond or less.
const PATIENCE: u32 = 1000;

impl Deadline {
    /// At a moment, if there is one, or when the flag is set.
    pub fn new(moment: Option<Instant>, interrupt: Option<Arc<AtomicBool>>) -> Self {
        Self { moment, interrupt, work: 0, is_over: false }
    }

    /// The same, or an earlier moment.
    #[must_use]
    pub fn no_later_than(&self, moment: Option<Instant>) -> Self {
        let earliest = self.moment.into_iter().chain(moment).min();
        Self { moment: earliest, ..self.clone() }
    }

    /// Whether somebody wants the work to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the moment has come.
    pub fn is_past(&self) -> bool {
        self.moment.is_some_and(|moment| Instant::now() >= moment)
    }

    /// Whether to stop, after some more work: about so many microseconds. Looks at the clock when enough work has come together.
    #[inline]
    pub fn is_due(&mut self, work: u32) -> bool {
        self.work = self.work.saturating_add(work);
        if self.work >= PATIENCE {
            self.work = 0;
            self.is_over = self.is_over || self.is_interrupted() || self.is_past();
        }
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_is_looked_at_after_enough_work() {
        let mut never = Deadline::default();
        assert!(!never.is_due(10 * PATIENCE));
        let mut now = Deadline::new(Some(Instant::now()), None);
        assert!(!now.is_due(1) && now.is_due(PATIENCE) && now.is_due(0));
        let flag = Arc::new(AtomicBool::new(false));
        let later = Instant::now() + Duration::from_hours(1);
        let mut flagged = Deadline::new(Some(later), Some(Arc::clone(&flag)));
        assert!(!flagged.is_due(PATIENCE));
        flag.store(true, Ordering::Relaxed);
        assert!(flagged.is_due(PATIENCE) && flagged.is_interrupted() && !flagged.is_past());
    }
}
