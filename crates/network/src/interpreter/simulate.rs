//! Random timed runs.
//!
//! Delays are drawn from the moments at which something can change (a guard begins or ceases to hold, an invariant ends) and the middles
//! between them, so that strict bounds and exact ones are met alike. A seed fixes the run.

use super::{Failure, Fired, Interpreter, Random, Rational, State, Transition};
use crate::network::Network;
use guidepost_language::source::Span;

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// How long was waited before the transition.
    pub delay: Rational,
    /// The transition.
    pub transition: Transition,
    /// The state after it.
    pub state: State,
}

/// A run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Where it begins.
    pub initial: State,
    /// Its steps.
    pub steps: Vec<RunStep>,
    /// Why it ends.
    pub end: RunEnd,
    /// Where results did not fit into 32 bits and wrapped around, on the way or where the run could have gone instead.
    pub wraps: Vec<Span>,
}

/// Why a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// It has as many steps as were asked for.
    Length,
    /// No transition is possible, now or later, and time goes on.
    Deadlock,
    /// No transition is possible, now or later, and time cannot go on either.
    TimeLock,
    /// The initial state violates an invariant.
    Initial,
    /// An evaluation failed, for example because a variable left its range.
    Failure(Failure),
}

/// A random run of at most `length` steps.
pub fn simulate(network: &Network, seed: u64, length: usize) -> Run {
    let mut interpreter = Interpreter::new(network);
    let mut random = Random::new(seed);
    let initial = interpreter.initial();
    let mut run = Run { initial: initial.clone(), steps: Vec::new(), end: RunEnd::Length, wraps: Vec::new() };
    match interpreter.invariants_hold(&initial) {
        Ok(true) => {}
        Ok(false) => run.end = RunEnd::Initial,
        Err(failure) => run.end = RunEnd::Failure(failure),
    }
    let mut state = initial;
    while run.end == RunEnd::Length && run.steps.len() < length {
        match interpreter.random_step(&state, &mut random) {
            Ok(Ok(step)) => {
                state = step.state.clone();
                run.steps.push(step);
            }
            Ok(Err(end)) => run.end = end,
            Err(failure) => run.end = RunEnd::Failure(failure),
        }
    }
    run.wraps = interpreter.machine.wraps();
    run
}

impl Interpreter<'_> {
    /// Draws a delay after which something is enabled, and a transition; or says why the run ends here.
    pub fn random_step(
        &mut self,
        state: &State,
        random: &mut Random,
    ) -> Result<Result<RunStep, RunEnd>, Failure> {
        let limit = self.max_delay(state)?;
        let mut delays = self.delays(state, limit)?;
        while !delays.is_empty() {
            let delay = delays.swap_remove(random.below(delays.len()));
            let later = self.delay(state, delay)?;
            let enabled = self.enabled(&later)?;
            if let Some(transition) = random.choose(&enabled)
                && let Fired::Reached(state) = self.fire(&later, transition)?
            {
                return Ok(Ok(RunStep { delay, transition: transition.clone(), state }));
            }
        }
        Ok(Err(if limit.is_none() { RunEnd::Deadlock } else { RunEnd::TimeLock }))
    }

    /// Delays worth trying: boundaries, middles, and one beyond the last.
    fn delays(&mut self, state: &State, limit: Option<(Rational, bool)>) -> Result<Vec<Rational>, Failure> {
        let mut points = self.boundaries(state)?;
        if let Some((limit, _)) = limit {
            points.retain(|point| *point < limit);
            points.push(limit);
        } else {
            let last = points.last().copied().unwrap_or_default();
            points.push(last.plus(1.into())?);
        }
        let mut delays = points.clone();
        for pair in points.windows(2) {
            delays.push(pair[0].midpoint(pair[1])?);
        }
        if let Some((limit, true)) = limit {
            delays.retain(|delay| *delay < limit || *delay == Rational::ZERO);
        }
        Ok(delays)
    }
}
