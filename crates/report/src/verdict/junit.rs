//! Verdicts for continuous integration: `JUnit`'s XML, one test case a query.
//!
//! A test passes when the answer is the expected one, or the query is satisfied where nothing is expected. What could not be decided is an error,
//! not a failure: the model may well be right.

use super::{QueryResult, Report};
use crate::drawing::escaped;
use crate::{Look, verdict};
use guidepost_answer::{Answer, Verdict};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::render::{Style, render};
use guidepost_language::source::SourceMap;
use std::fmt::Write;

enum Outcome {
    Passed,
    Failed(&'static str, String),
    Broken(&'static str, String),
}

/// The test cases of one model.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The model, escaped.
    name: String,
    tests: usize,
    failures: usize,
    errors: usize,
    seconds: f64,
    /// The elements of the test cases.
    cases: String,
}

/// A whole file with the test cases of some models.
pub fn junit(suites: &[Suite]) -> String {
    let sum = |part: fn(&Suite) -> usize| suites.iter().map(part).sum::<usize>();
    let seconds = suites.iter().map(|suite| suite.seconds).sum();
    let all =
        numbers(sum(|suite| suite.tests), sum(|suite| suite.failures), sum(|suite| suite.errors), seconds);
    let mut text =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"guidepost\" {all}>\n");
    for Suite { name, tests, failures, errors, seconds, cases } in suites {
        let own = numbers(*tests, *failures, *errors, *seconds);
        let _ = write!(text, "  <testsuite name=\"{name}\" {own}>\n{cases}  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn numbers(tests: usize, failures: usize, errors: usize, seconds: f64) -> String {
    // The sum of nothing is -0.0.
    let seconds = seconds.abs();
    format!(
        "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\" time=\"{seconds:.3}\""
    )
}

impl Report<'_> {
    /// The whole file.
    pub fn junit(&self) -> String {
        junit(&[self.suite()])
    }

    /// The test cases: one a query.
    pub fn suite(&self) -> Suite {
        let outcomes: Vec<Outcome> =
            self.results.iter().map(|result| outcome(result, self.network)).collect();
        let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| wanted(outcome)).count();
        let failures = count(|outcome| matches!(outcome, Outcome::Failed(..)));
        let errors = count(|outcome| matches!(outcome, Outcome::Broken(..)));
        let total: f64 = self.results.iter().map(seconds).sum();
        let name = escaped(self.model);
        let mut cases = String::new();
        for (result, outcome) in self.results.iter().zip(&outcomes) {
            let _ = writeln!(
                cases,
                "    <testcase classname=\"{name}\" name=\"{}\" time=\"{:.3}\">",
                escaped(&result.title()),
                seconds(result)
            );
            let (element, kind, message) = match outcome {
                Outcome::Passed => ("", "", ""),
                Outcome::Failed(kind, message) => ("failure", *kind, message.as_str()),
                Outcome::Broken(kind, message) => ("error", *kind, message.as_str()),
            };
            if !element.is_empty() {
                let _ = writeln!(
                    cases,
                    "      <{element} type=\"{kind}\" message=\"{0}\">{0}</{element}>",
                    escaped(message)
                );
            }
            self.run_output(&mut cases, result);
            cases.push_str("    </testcase>\n");
        }
        Suite { name, tests: outcomes.len(), failures, errors, seconds: total, cases }
    }

    fn run_output(&self, text: &mut String, result: &QueryResult) {
        let Ok(answer) = &result.answer else { return };
        let way = answer.model_error().and_then(|error| error.evidence.as_ref());
        if let Some(evidence) = answer.evidence.as_ref().or(way) {
            let mut run = String::new();
            verdict::run_text(&mut run, evidence, self.network, Look::default());
            let _ = writeln!(text, "      <system-out>{}</system-out>", escaped(&run));
        }
    }
}

impl Suite {
    /// The test cases of a model that has errors: one, which has all that is wrong with it.
    pub fn of_errors(model: &str, errors: &Diagnostics, sources: &SourceMap) -> Self {
        let first =
            errors.iter().next().map_or("the model cannot be checked", |error| error.message.as_str());
        let message = match errors.len() {
            0 | 1 => first.to_owned(),
            several => format!("{first} (and {} more)", several - 1),
        };
        Self::broken(model, &message, render(errors, sources, Style::default()).trim_end())
    }

    /// The test cases of a model that cannot be checked: one, which says why.
    pub fn broken(model: &str, message: &str, details: &str) -> Self {
        let name = escaped(model);
        let cases = format!(
            "    <testcase classname=\"{name}\" name=\"{name}\" time=\"0.000\">\n      \
             <error type=\"model error\" message=\"{}\">{}</error>\n    </testcase>\n",
            escaped(message),
            escaped(details)
        );
        Self { name, tests: 1, failures: 0, errors: 1, seconds: 0.0, cases }
    }
}

fn seconds(result: &QueryResult) -> f64 {
    result.answer.as_ref().map_or(0.0, |answer| answer.statistics.seconds)
}

fn outcome(result: &QueryResult, network: &guidepost_network::Network) -> Outcome {
    let answer: &Answer = match &result.answer {
        Ok(answer) => answer,
        Err(reason) => return Outcome::Broken("not answered", reason.clone()),
    };
    if let Some(internal) = &answer.internal {
        return Outcome::Broken("internal error", internal.to_string());
    }
    if let Some(error) = answer.model_error() {
        return Outcome::Broken("model error", error.error.describe(network));
    }
    let word = verdict::verdict_word(answer.verdict());
    match (answer.verdict(), result.is_expected()) {
        (Verdict::Undecided, _) => {
            let reason = verdict::reason(answer).unwrap_or_default();
            Outcome::Broken("undecided", format!("undecided: {reason}"))
        }
        _ if answer.approximate => Outcome::Broken(
            "approximate",
            format!("the query may be {word}; the answer rests on an over-approximation"),
        ),
        (_, Some(true)) | (Verdict::Satisfied, None) => Outcome::Passed,
        (_, Some(false)) => Outcome::Failed(
            "unexpected",
            format!("the query is {word}, which is not what its author expects"),
        ),
        (Verdict::NotSatisfied, None) => {
            Outcome::Failed("not satisfied", "the query is not satisfied".to_owned())
        }
    }
}
