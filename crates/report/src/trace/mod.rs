//! Concrete timed runs.
//!
//! A run is a list of steps: wait, then move. Where it comes from (a simulation, a search) does not matter here; both
//! [`RunStep`] and [`ReplayedStep`] convert into a [`Step`].

mod changes;
mod json;
pub(crate) mod story;
mod table;
mod text;

pub use changes::Changes;
pub use json::{state as state_json, transition_json};

use guidepost_network::interpreter::{Interpreter, Rational, ReplayedStep, Run, RunStep, State, Transition};
use guidepost_network::{EdgeId, Network};

/// One step of a run.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// How long was waited before the transition.
    pub delay: Rational,
    /// The transition; `None` when the step only waits.
    pub transition: Option<&'a Transition>,
    /// The state after it.
    pub after: &'a State,
    /// What it costs to wait and to move, where that is known.
    pub cost: Option<Rational>,
}

impl<'a> From<&'a RunStep> for Step<'a> {
    fn from(step: &'a RunStep) -> Self {
        Self { delay: step.delay, transition: Some(&step.transition), after: &step.state, cost: None }
    }
}

impl<'a> From<&'a ReplayedStep> for Step<'a> {
    fn from(step: &'a ReplayedStep) -> Self {
        Self {
            delay: step.delay,
            transition: step.transition.as_ref(),
            after: &step.after,
            cost: Some(step.cost),
        }
    }
}

/// A run of a network, ready to be shown.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    /// The network it is a run of.
    pub network: &'a Network,
    /// Where it begins.
    pub initial: &'a State,
    /// What happens.
    pub steps: Vec<Step<'a>>,
    /// The transition that fails behind the last step, where the run leads to an error of the model.
    pub failing: Option<Failing>,
}

/// A transition that cannot be taken because the model computes something impossible.
#[derive(Clone, Debug)]
pub struct Failing {
    /// Who would move.
    pub transition: Transition,
    /// What goes wrong.
    pub message: String,
}

impl<'a> Trace<'a> {
    /// A trace of steps of any kind.
    pub fn new<S>(network: &'a Network, initial: &'a State, steps: &'a [S]) -> Self
    where
        Step<'a>: From<&'a S>,
    {
        Self { network, initial, steps: steps.iter().map(Step::from).collect(), failing: None }
    }

    /// The same trace with the edges that fail behind its last step; empty when the error happens before a process moves.
    #[must_use]
    pub fn failing_with(mut self, edges: &[EdgeId], message: &str) -> Self {
        let last = self.steps.last().map_or(self.initial, |step| step.after);
        let attempt = Interpreter::new(self.network).attempt(last, edges).ok();
        self.failing = attempt
            .filter(|transition| !transition.edges.is_empty())
            .map(|transition| Failing { transition, message: message.to_owned() });
        self
    }

    /// The trace of a simulation.
    pub fn of_run(network: &'a Network, run: &'a Run) -> Self {
        Self::new(network, &run.initial, &run.steps)
    }

    /// How many transitions are taken; steps that only wait do not count.
    pub fn length(&self) -> usize {
        self.steps.iter().filter(|step| step.transition.is_some()).count()
    }

    /// How long the whole run takes; `None` when the sum does not fit into a [`Rational`].
    pub fn duration(&self) -> Option<Rational> {
        self.times().pop().unwrap_or(Some(Rational::ZERO))
    }

    /// When each step happens, counted from the start.
    pub(crate) fn times(&self) -> Vec<Option<Rational>> {
        let mut now = Some(Rational::ZERO);
        let mut times = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            now = now.and_then(|now| now.plus(step.delay).ok());
            times.push(now);
        }
        times
    }

    /// What the run has cost after each step; nothing when the model has no prices, or they are not known.
    pub(crate) fn costs(&self) -> Option<Vec<Rational>> {
        if !self.network.features.costs {
            return None;
        }
        let mut sum = Rational::ZERO;
        let sums = self.steps.iter().map(|step| {
            sum = sum.plus(step.cost?).ok()?;
            Some(sum)
        });
        sums.collect()
    }

    /// The state before each step.
    pub(crate) fn before(&self, step: usize) -> &'a State {
        step.checked_sub(1).map_or(self.initial, |previous| self.steps[previous].after)
    }
}
