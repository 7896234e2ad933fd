//! Verdicts for people, in the words they know from UPPAAL.

use super::{QueryResult, Report};
use crate::look::{HEADING, NAME, TROUBLE};
use crate::{Look, Trace};
use guidepost_network::Network;
use guidepost_search::{Answer, BoundValue, Evidence, RunEnding, Verdict};
use std::fmt::Write;

impl Report<'_> {
    /// All results, and a closing line when there are several.
    pub fn text(&self, look: Look) -> String {
        let mut text = String::new();
        let total = self.results.len();
        for (index, result) in self.results.iter().enumerate() {
            let number = if total > 1 { format!("{}/{total} ", index + 1) } else { String::new() };
            let _ = writeln!(text, "{}{}", look.paint(HEADING, &number), look.paint(NAME, &result.query));
            result_text(&mut text, result, self.network, look);
            text.push('\n');
        }
        if total > 1 {
            table(&mut text, &self.results, look);
        }
        text
    }
}

fn result_text(text: &mut String, result: &QueryResult, network: &Network, look: Look) {
    let expected = match result.is_expected() {
        Some(true) => " As expected.".to_owned(),
        Some(false) => look.paint(TROUBLE, " This is NOT what the author expects."),
        None => String::new(),
    };
    match &result.answer {
        Err(reason) => {
            let _ = writeln!(text, "  {}", look.paint(TROUBLE, &format!("Undecided: {reason}.")));
        }
        Ok(answer) => {
            if answer.values.is_empty() || answer.verdict == Verdict::Undecided {
                let _ = writeln!(text, "  {}{expected}", sentence(answer));
            }
            for (index, value) in answer.values.iter().enumerate() {
                let items = result.items();
                let _ = writeln!(text, "  {}", bound(items.get(index).copied().unwrap_or(""), value));
            }
            numbers(text, answer, result.search, look);
            if let Some(error) = &answer.model_error {
                let message = error.error.describe(network);
                let _ = writeln!(text, "  {}", look.paint(TROUBLE, &format!("The model has an error: {message}.")));
                if let Some(evidence) = &error.evidence {
                    let _ = writeln!(text, "  The way there:");
                    run(text, evidence, network, look);
                }
            }
            if let Some(evidence) = &answer.evidence {
                headline(text, evidence);
                run(text, evidence, network, look);
            }
        }
    }
}

fn sentence(answer: &Answer) -> String {
    match (answer.verdict, answer.approximate) {
        (Verdict::Satisfied, false) => "Formula is satisfied.".into(),
        (Verdict::NotSatisfied, false) => "Formula is NOT satisfied.".into(),
        (Verdict::Satisfied, true) => "Formula MAY be satisfied.".into(),
        (Verdict::NotSatisfied, true) => "Formula MAY NOT be satisfied.".into(),
        (Verdict::Undecided, _) => format!("Undecided: {}.", answer.reason.as_deref().unwrap_or("unknown")),
    }
}

fn numbers(text: &mut String, answer: &Answer, search: &str, look: Look) {
    let s = &answer.statistics;
    let line = format!(
        "{search}: {} states explored, {} stored, {} transitions, {:.3} s, {:.1} MiB",
        s.explored,
        s.stored,
        s.generated,
        s.seconds,
        s.bytes as f64 / f64::from(1 << 20)
    );
    let _ = writeln!(text, "  {}", look.paint(HEADING, &line));
}

fn bound(expression: &str, value: &BoundValue) -> String {
    let Some((inf, inf_strict)) = value.inf else { return format!("{expression}: no state qualifies") };
    let lower = format!("{} {inf}", if inf_strict { ">" } else { ">=" });
    match value.sup {
        None => format!("{expression} {lower}, without an upper bound"),
        Some((sup, strict)) => format!("{expression} {lower} and {} {sup}", if strict { "<" } else { "<=" }),
    }
}

fn headline(text: &mut String, evidence: &Evidence) {
    let shortest = if evidence.optimal { "a shortest run" } else { "a run" };
    let length = evidence.length();
    let _ = writeln!(text, "  Shown by {shortest} of {length} transition{}:", if length == 1 { "" } else { "s" });
}

/// A run with its ending.
pub(crate) fn run(text: &mut String, evidence: &Evidence, network: &Network, look: Look) {
    let trace = Trace::new(network, &evidence.initial, &evidence.steps).text(look);
    for line in trace.lines() {
        let _ = writeln!(text, "  {line}");
    }
    let ending = match evidence.ending {
        RunEnding::Goal => return,
        RunEnding::Loop(at) => format!("From transition {} on this can go on forever.", at + 1),
        RunEnding::Waits => "From here on time passes forever, and nothing else happens.".to_owned(),
        RunEnding::Stuck => "Here nothing is possible any more, and time cannot pass either.".to_owned(),
    };
    let _ = writeln!(text, "  {ending}");
}

fn table(text: &mut String, results: &[QueryResult], look: Look) {
    let count = |verdict| results.iter().filter(|result| result.verdict() == verdict).count();
    let surprises = results.iter().filter(|result| result.is_expected() == Some(false)).count();
    for (index, result) in results.iter().enumerate() {
        let word = super::json::verdict_word(result.verdict());
        let mark = match result.is_expected() {
            Some(true) => "as expected",
            Some(false) => "UNEXPECTED",
            None => "",
        };
        let room = look.width.saturating_sub(34).max(20);
        let query: String = if result.query.chars().count() > room {
            result.query.chars().take(room - 1).chain(['…']).collect()
        } else {
            result.query.clone()
        };
        let line = format!("{:>3}  {word:<13}  {mark:<11}  {query}", index + 1);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let mut summary = format!(
        "{} satisfied, {} not satisfied, {} undecided",
        count(Verdict::Satisfied),
        count(Verdict::NotSatisfied),
        count(Verdict::Undecided)
    );
    if surprises > 0 {
        let _ = write!(summary, "; {surprises} not as expected");
    }
    let _ = writeln!(text, "{summary}");
}
