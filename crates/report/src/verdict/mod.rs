//! The results of a check, as text, JSON and `JUnit`.

mod json;
mod junit;
mod text;

pub(crate) use json::{
    ending_json, model_error as model_error_json, property_json, property_of, statistics as statistics_json,
    trace as trace_json, verdict_word, worker_json,
};
pub use junit::{Suite, junit};
pub(crate) use text::run as run_text;
pub use text::{bounds, closing_text, first_names, latest_text};

use crate::Trace;
use guidepost_answer::{
    AbstractionProof, Answer, Estimate, Evidence, ModelError, Outcome, StopReason, Verdict, WorkerFigures,
};
use guidepost_language::model::{Expectation, Property};
use guidepost_network::Network;
use std::borrow::Cow;

/// The results of one check.
pub struct Report<'a> {
    /// The model's name.
    pub model: &'a str,
    /// The network that was checked.
    pub network: &'a Network,
    /// One result per query.
    pub results: Vec<QueryResult>,
}

/// The result of one query.
pub struct QueryResult {
    /// Its number among the model's queries, from 1.
    pub number: usize,
    /// The query.
    pub query: String,
    /// What its author wrote instead, with a name.
    pub property: Option<Property>,
    /// What its author expects.
    pub expect: Option<Expectation>,
    /// The answer, or why there is none.
    pub answer: Result<Answer, String>,
}

/// The way to an error of the model, with the transition that fails.
fn way<'a>(error: &ModelError, evidence: &'a Evidence, network: &'a Network) -> Trace<'a> {
    let trace = Trace::new(network, &evidence.initial, &evidence.steps);
    trace.failing_with(&error.edges, &error.error.describe(network))
}

/// The abstraction on which the answer was proved, when it was.
fn proof(answer: &Answer) -> Option<&AbstractionProof> {
    let is_decided = answer.outcome.is_decided() && answer.evidence.is_none();
    let is_dead = answer.statistics.initial_estimate == Some(Estimate::DEAD_END);
    answer.remarks.proof.as_ref().filter(|_| is_decided && is_dead)
}

/// Why there is no verdict, in a few words.
pub(crate) fn reason(answer: &Answer) -> Option<Cow<'static, str>> {
    match answer.outcome {
        Outcome::Decided(_) => None,
        Outcome::Stopped(StopReason::Lost(number)) => Some(lost(number, &answer.workers).into()),
        Outcome::Stopped(reason) => Some(reason.describe().into()),
        Outcome::Failed(_) => Some("the model has an error".into()),
    }
}

/// `worker 3 (10.0.0.3:7701) was lost`, given its number, from 1.
pub(crate) fn lost(number: u32, workers: &[WorkerFigures]) -> String {
    let worker = (number as usize).checked_sub(1).and_then(|index| workers.get(index));
    let name = worker.map_or_else(String::new, |worker| format!(" ({})", worker.name));
    format!("worker {number}{name} was lost")
}

impl QueryResult {
    /// The query in its author's words.
    pub fn title(&self) -> String {
        self.property.as_ref().map_or_else(|| self.query.clone(), ToString::to_string)
    }

    /// Whether the query holds, as far as is known.
    pub fn verdict(&self) -> Verdict {
        self.answer.as_ref().map_or(Verdict::Undecided, Answer::verdict)
    }

    /// Whether the answer is the expected one; `None` when nothing is expected, or nothing known for sure.
    pub fn is_expected(&self) -> Option<bool> {
        let answer = self.answer.as_ref().ok()?;
        let holds = *answer.outcome.decision().filter(|_| !answer.approximate)?;
        match (self.expect?, &answer.measurement) {
            (Expectation::Value(value), Some(measured)) => Some(measured.single()? == Some(value)),
            // A `sup` or `inf` has a value; that it has one is not worth expecting. Other queries have none.
            (_, Some(_)) | (Expectation::Value(_), None) => None,
            (Expectation::Satisfied, None) => Some(holds),
            (Expectation::NotSatisfied, None) => Some(!holds),
        }
    }
}
