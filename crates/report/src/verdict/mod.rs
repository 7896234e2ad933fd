//! The results of a check, as text, JSON and JUnit.

mod json;
mod junit;
mod text;

pub(crate) use json::{
    ending_json, model_error as model_error_json, property_json, property_of, statistics as statistics_json,
    trace as trace_json, verdict_word,
};
pub(crate) use text::run as run_text;
pub use text::{closing_text, latest_text};

use crate::Trace;
use guidepost_language::model::{Expectation, Property};
use guidepost_network::Network;
use guidepost_search::{AbstractionProof, Answer, Estimate, Evidence, ModelError, Verdict};

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
    let is_decided = answer.verdict != Verdict::Undecided && answer.evidence.is_none();
    let is_dead = answer.statistics.initial_estimate == Some(Estimate::DEAD_END);
    answer.remarks.proof.as_ref().filter(|_| is_decided && is_dead)
}

impl QueryResult {
    /// The query in its author's words.
    pub fn title(&self) -> String {
        self.property.as_ref().map_or_else(|| self.query.clone(), ToString::to_string)
    }

    /// Whether the query holds, as far as is known.
    pub fn verdict(&self) -> Verdict {
        self.answer.as_ref().map_or(Verdict::Undecided, |answer| answer.verdict)
    }

    /// Whether the answer is the expected one; `None` when nothing is expected, or nothing known for sure.
    pub fn is_expected(&self) -> Option<bool> {
        let answer = self.answer.as_ref().ok()?;
        if answer.approximate || answer.verdict == Verdict::Undecided {
            return None;
        }
        match self.expect? {
            Expectation::Value(value) => self.has_value(answer, value),
            // A `sup` or `inf` has a value; that it has one is not worth expecting.
            _ if !answer.values.is_empty() => None,
            Expectation::Satisfied => Some(answer.verdict == Verdict::Satisfied),
            Expectation::NotSatisfied => Some(answer.verdict == Verdict::NotSatisfied),
        }
    }

    /// Whether the one value of a `sup` or `inf` is this one, reached or only approached.
    fn has_value(&self, answer: &Answer, expected: i64) -> Option<bool> {
        let [value] = answer.values.as_slice() else { return None };
        let found = match self.query.trim_start() {
            query if query.starts_with("sup") => value.sup.filter(|_| value.inf.is_some()),
            query if query.starts_with("inf") => value.inf,
            _ => return None,
        };
        Some(found.is_some_and(|(found, _)| found == expected))
    }

    /// The expressions of a `sup`, `inf` or `bounds` query, as written.
    fn items(&self) -> Vec<&str> {
        let after_condition = self.query.rfind('}').map_or(0, |at| at + 1);
        let Some(colon) = self.query[after_condition..].find(':') else { return Vec::new() };
        let list = &self.query[after_condition + colon + 1..];
        let (mut items, mut depth, mut start) = (Vec::new(), 0, 0);
        for (at, character) in list.char_indices() {
            match character {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ',' if depth == 0 => {
                    items.push(list[start..at].trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        items.push(list[start..].trim());
        items
    }
}
