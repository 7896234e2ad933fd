//! Answers, with their evidence.

use crate::guidance::Remarks;
use crate::statistics::Statistics;
use crate::strategy::Directed;
use guidepost_explore::TraceError;
use guidepost_network::interpreter::{ReplayError, ReplayedStep, State};
use guidepost_network::{EdgeId, EvalError};
use std::borrow::Cow;

/// Whether a query holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Satisfied,
    /// It does not hold.
    NotSatisfied,
    /// Unknown; [`Answer::reason`] says why.
    Undecided,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why it is undecided.
    pub reason: Option<String>,
    /// The verdict rests on an over-approximation and may be wrong.
    pub approximate: bool,
    /// How states were searched: `bfs`, `astar`, …
    pub search: &'static str,
    /// What guided the search: `none`, `hl`, …
    pub heuristic: Cow<'static, str>,
    /// Remarks of the heuristic.
    pub remarks: Remarks,
    /// What the search did.
    pub statistics: Statistics,
    /// A run that shows the verdict, where there is one and it was asked for.
    pub evidence: Option<Evidence>,
    /// The values of `sup`, `inf` and `bounds` queries, one per item.
    pub values: Vec<BoundValue>,
    /// The model failed on the way.
    pub model_error: Option<ModelError>,
    /// A bug: the evidence could not be made or did not replay.
    pub internal: Option<InternalError>,
}

impl Answer {
    /// An answer without evidence.
    pub fn new(verdict: Verdict, statistics: Statistics) -> Self {
        Self {
            verdict,
            reason: None,
            approximate: false,
            search: "bfs",
            heuristic: "none".into(),
            remarks: Remarks::default(),
            statistics,
            evidence: None,
            values: Vec::new(),
            model_error: None,
            internal: None,
        }
    }

    /// The answer, with the name of the search that found it and what its heuristics have to say.
    pub(crate) fn found_by(self, directed: &Directed, remarks: Remarks) -> Self {
        Self { search: directed.search_name(), heuristic: directed.heuristic_name().into(), remarks, ..self }
    }

    /// An answer that was not found, and why.
    pub fn undecided(reason: impl Into<String>, statistics: Statistics) -> Self {
        Self { reason: Some(reason.into()), ..Self::new(Verdict::Undecided, statistics) }
    }
}

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
    /// The number of transitions.
    pub fn length(&self) -> usize {
        self.steps.iter().filter(|step| step.transition.is_some()).count()
    }
}

/// How a run continues after its last step.
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

/// A bug of the engine, found by its own safety net.
#[derive(Clone, Debug, thiserror::Error)]
pub enum InternalError {
    /// No run was found for a symbolic path.
    #[error("no run for a symbolic path: {0}")]
    Trace(#[from] TraceError),
    /// The run is not one.
    #[error("the run does not replay: {0}")]
    Replay(#[from] ReplayError),
}

/// The range of a value over all states that were asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundValue {
    /// The greatest lower bound, and whether it is only approached; `None` when no state qualifies.
    pub inf: Option<(i64, bool)>,
    /// The least upper bound, and whether it is only approached; `None` when there is none (or no state qualifies, see [`BoundValue::inf`]).
    pub sup: Option<(i64, bool)>,
}
