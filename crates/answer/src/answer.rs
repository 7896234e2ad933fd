//! The answer to a query.

use crate::{
    Cost, Evidence, Measurement, ModelError, Outcome, Refinement, Remarks, Statistics, StopReason, Verdict,
};
use guidepost_network::interpreter::ReplayError;
use guidepost_network::{Network, RangeViolation};
use std::borrow::Cow;

/// Said with a proof that did not look at everything.
const PASSED_OVER: &str = "proved for runs without errors of the model: not all evaluations were looked at";

/// Said with an answer that was to be certified and is not.
const UNCERTIFIED: &str = "an answer was found, but no certificate of it could be made and checked";

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether the query holds, or why that is not known. A question about bounds "holds" when all states were measured.
    pub outcome: Outcome<bool>,
    /// The outcome rests on an over-approximation and may be wrong.
    pub approximate: bool,
    /// How it was found.
    pub method: Method,
    /// The exploration that it comes from.
    pub exploration: Exploration,
    /// Remarks of the heuristic.
    pub remarks: Remarks,
    /// What the engine did.
    pub statistics: Statistics,
    /// A run that shows the outcome, where there is one and it was asked for.
    pub evidence: Option<Evidence>,
    /// When the run passed each guidepost of the query.
    pub guideposts: Vec<PassedGuidepost>,
    /// How the run was made shorter, if it was.
    pub shortened: Option<Shortened>,
    /// What a question about bounds measured: final only when the outcome is decided.
    pub measurement: Option<Measurement>,
    /// What the best run costs, where the cheapest or the fastest was asked for.
    pub cost: Option<Cost>,
    /// What refinement learned, where an engine refines abstractions.
    pub refinement: Option<Refinement>,
    /// The certificate that proves the outcome, where one was asked for.
    pub certificate: Option<Certification>,
    /// What each worker did, where several processes shared the exploration.
    pub workers: Vec<WorkerFigures>,
    /// A bug: the evidence could not be made or did not replay.
    pub internal: Option<InternalError>,
}

/// What one of several processes did.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkerFigures {
    /// Where it is: an address, or a name.
    pub name: String,
    /// What it did; states count for who owns them.
    pub statistics: Statistics,
    /// States that still wait to be expanded.
    pub waiting: u64,
    /// States that it sent to their owners.
    pub sent: u64,
    /// And in how many bytes.
    pub sent_bytes: u64,
    /// Seconds in which it had nothing to do.
    pub idle_seconds: f64,
}

/// A guidepost, and when a run passed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassedGuidepost {
    /// The guidepost as it was written.
    pub text: String,
    /// The step after which it held first, from 1; 0 when it holds in the initial state, and nothing when it never does.
    pub step: Option<usize>,
}

/// A run that was made shorter than it was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shortened {
    /// The transitions of the run that was found.
    pub found: usize,
    /// How long it took to make it shorter.
    pub seconds: f64,
}

/// How an answer was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// The engine: a name of the registry.
    pub engine: &'static str,
    /// In which order states were searched: `bfs`, `astar`, …
    pub search: &'static str,
    /// What guided the search: `none`, `hl`, …
    pub heuristic: Cow<'static, str>,
}

impl Method {
    /// A search without a heuristic.
    pub fn blind(engine: &'static str, search: &'static str) -> Self {
        Self { engine, search, heuristic: "none".into() }
    }
}

/// Names an exploration of a check. Answers with the same one were found together, and have its statistics in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Exploration(pub usize);

impl Answer {
    /// An answer without evidence.
    pub fn new(
        outcome: Outcome<bool>,
        method: Method,
        exploration: Exploration,
        statistics: Statistics,
    ) -> Self {
        Self {
            outcome,
            approximate: false,
            method,
            exploration,
            remarks: Remarks::default(),
            statistics,
            evidence: None,
            guideposts: Vec::new(),
            shortened: None,
            measurement: None,
            cost: None,
            refinement: None,
            certificate: None,
            workers: Vec::new(),
            internal: None,
        }
    }

    /// Whether the query holds, as far as is known.
    pub fn verdict(&self) -> Verdict {
        match self.outcome {
            Outcome::Decided(true) => Verdict::Satisfied,
            Outcome::Decided(false) => Verdict::NotSatisfied,
            Outcome::Stopped(_) | Outcome::Failed(_) => Verdict::Undecided,
        }
    }

    /// The error of the model that was met on the way.
    pub fn model_error(&self) -> Option<&ModelError> {
        self.outcome.model_error()
    }

    /// Why there is no verdict: the limit that was reached.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.outcome.stop_reason()
    }

    /// What was measured, when it is final.
    pub fn measured(&self) -> Option<&Measurement> {
        self.measurement.as_ref().filter(|_| self.outcome.is_decided())
    }

    /// Says with a proof that it has passed over errors of the model, if there may be any.
    pub fn note_errors(&mut self, network: &Network) {
        if network.range_violation == RangeViolation::Error && network.program.can_fail() {
            self.remarks.notes.push(PASSED_OVER.to_owned());
        }
    }

    /// What was to be certified and is not, is not answered: nothing is claimed any more.
    pub fn remain_uncertified(&mut self, reason: StopReason) {
        if self.outcome.is_decided() {
            self.remarks.notes.retain(|note| note != PASSED_OVER);
            self.remarks.notes.push(UNCERTIFIED.to_owned());
        }
        self.outcome = Outcome::Stopped(reason);
    }

    /// Attaches a run. With an over-approximation a run may not exist; otherwise a missing one is a bug.
    pub fn attach(&mut self, evidence: Result<Evidence, InternalError>) {
        match evidence {
            Ok(evidence) => {
                self.evidence = Some(evidence);
                self.approximate = false;
            }
            Err(_) if self.approximate => {}
            Err(error) => self.internal = Some(error),
        }
    }
}

/// A certificate of an answer that says that something is unreachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certification {
    /// The file, where one was written.
    pub file: Option<String>,
    /// How many discrete states it has.
    pub states: usize,
    /// How many zones they have in all.
    pub zones: usize,
    /// How long it is.
    pub bytes: u64,
    /// Processes, clocks and variables that it says nothing about.
    pub hides: Vec<String>,
    /// Whether it was checked, and accepted.
    pub checked: bool,
}

/// A bug of an engine, found by its own safety net.
#[derive(Clone, Debug, thiserror::Error)]
pub enum InternalError {
    /// No run was found for a symbolic path.
    #[error("no run for a symbolic path: {0}")]
    NoRun(String),
    /// The run is not one.
    #[error("the run does not replay: {0}")]
    Replay(#[from] ReplayError),
    /// The certificate proves nothing.
    #[error("the certificate is rejected: {0}")]
    Certificate(String),
    /// The exploration for a certificate does not agree with the answer.
    #[error("there is no certificate: {0}")]
    NoCertificate(String),
}
