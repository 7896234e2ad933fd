//! Limits also hold while a single operation on diagrams takes long.
//!
//! Operations look at the clock before they begin, and cannot be interrupted. So the work is done by a thread of its own, and whoever waits for it stops waiting soon after a
//! limit is reached. The thread ends when its operation does.

use crate::space::Stopped;
use guidepost_answer::{Limits, StopReason};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// So long the work may go on after a limit was reached, to hand over what it has.
const GRACE: Duration = Duration::from_secs(2);
/// How often to look whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Does the work within limits of time, or until the user wants to stop.
pub(crate) fn within<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce() -> Result<T, Stopped> + Send + 'static,
) -> Result<T, Stopped> {
    let (done, result) = channel();
    let worker = thread::spawn(move || {
        // Nobody listens any more if it took too long.
        let _ = done.send(work());
    });
    let begin = Instant::now();
    let mut interrupted = None;
    loop {
        match result.recv_timeout(LOOK) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a result was sent"),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            interrupted = interrupted.or_else(|| Some(Instant::now()));
        }
        if interrupted.is_some_and(|moment| moment.elapsed() > GRACE) {
            return Err(Stopped::Limit(StopReason::Interrupt));
        }
        if limits.time.is_some_and(|time| begin.elapsed() > time.saturating_add(GRACE)) {
            return Err(Stopped::Limit(StopReason::Time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_much_longer_than_the_limit() {
        let limits = Limits { time: Some(Duration::from_millis(10)), ..Limits::default() };
        let slow = || {
            thread::sleep(Duration::from_secs(30));
            Ok(())
        };
        let begin = Instant::now();
        assert_eq!(within(&limits, slow), Err(Stopped::Limit(StopReason::Time)));
        assert!(begin.elapsed() < Duration::from_secs(10));
        assert_eq!(within(&limits, || Ok(1)), Ok(1));
    }
}
