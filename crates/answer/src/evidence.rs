//! Runs that show an answer.

use crate::Measure;
use guidepost_network::interpreter::{Rational, ReplayedStep, State};
use guidepost_network::{EdgeId, EvalError};

/// A concrete run, replayed by the interpreter.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Where it starts.
    pub initial: State,
    /// Its steps; the last one may only wait.
    pub steps: Vec<ReplayedStep>,
    /// Whether no run with fewer transitions shows the same.
    pub optimal: bool,
    /// How it goes on.
    pub ending: RunEnding,
}

impl Evidence {
    /// What the run has cost after each step; `None` where a number does not fit.
    pub fn costs(&self, measure: Measure) -> Vec<Option<Rational>> {
        let mut sum = Some(Rational::ZERO);
        let mut costs = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let own = match measure {
                Measure::Cost => step.cost,
                Measure::Time => step.delay,
            };
            sum = sum.and_then(|sum| sum.plus(own).ok());
            costs.push(sum);
        }
        costs
    }

    /// The number of transitions.
    pub fn length(&self) -> usize {
        self.steps.iter().filter(|step| step.transition.is_some()).count()
    }
}

/// How a run goes on behind its last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnding {
    /// It ends: a goal has been reached.
    Goal,
    /// Its transitions repeat forever from the one with this number (from 0).
    Loop(usize),
    /// Time passes forever without a transition.
    Waits,
    /// Neither a transition nor more time is possible, and it ends there.
    Stuck,
}

/// An evaluation of the model failed.
#[derive(Clone, Debug)]
pub struct ModelError {
    /// What went wrong, and where in the model.
    pub error: EvalError,
    /// The edges of the transition during which it happened.
    pub edges: Vec<EdgeId>,
    /// The way there.
    pub evidence: Option<Evidence>,
}
