//! What verifyta prints about formulas, line by line.

use guidepost::{Entry, Outcome, Session};
use guidepost_answer::{Answer, Measured, Statistics};
use guidepost_language::diagnostic::{Diagnostics, Severity};
use guidepost_language::model::BoundKind;
use guidepost_language::source::SourceMap;
use guidepost_report::verdict::QueryResult;
use std::fmt::Write;

/// Where a query stands, in verifyta's words.
pub(super) struct Place(String);

impl Place {
    pub(super) fn of(entry: &Entry, session: &Session) -> Self {
        let file = session.loaded().sources.file(entry.query.span.file);
        Self(if file.name.to_ascii_lowercase().ends_with(".xml") {
            format!("/nta/queries/query[{}]/formula", entry.number)
        } else {
            format!("line {}", file.position(entry.query.span.start).line)
        })
    }
}

/// The lines about one query.
pub(super) fn result(result: &QueryResult, place: &Place, with_statistics: bool) -> String {
    let mut text = format!("\nVerifying formula {} at {}\n", result.number, place.0);
    match &result.answer {
        Err(reason) => {
            let _ = writeln!(text, " -- Formula is not answered: {reason}.");
        }
        Ok(answer) => {
            let _ = writeln!(text, " -- {}", verdict(answer));
            bounds(&mut text, answer);
            if with_statistics {
                statistics(&mut text, &answer.statistics);
            }
        }
    }
    text
}

fn verdict(answer: &Answer) -> String {
    match (&answer.outcome, answer.approximate) {
        (Outcome::Decided(true), false) => "Formula is satisfied.".to_owned(),
        (Outcome::Decided(false), false) => "Formula is NOT satisfied.".to_owned(),
        (Outcome::Decided(true), true) => "Formula MAY be satisfied.".to_owned(),
        (Outcome::Decided(false), true) => "Formula MAY NOT be satisfied.".to_owned(),
        (Outcome::Stopped(reason), _) => format!("Formula is undecided: {}.", reason.describe()),
        (Outcome::Failed(_), _) => "Formula is not answered: the model has an error.".to_owned(),
    }
}

/// What `sup`, `inf` and `bounds` measured, one line an expression.
fn bounds(text: &mut String, answer: &Answer) {
    let Some(measurement) = answer.measured() else { return };
    for Measured { expression, value } in &measurement.items {
        let sup = match value.sup {
            Some((bound, true)) => format!("<{bound}"),
            Some((bound, false)) => format!("<={bound}"),
            None => "<=inf".to_owned(),
        };
        let inf = match value.inf {
            Some((bound, true)) => format!(">{bound}"),
            Some((bound, false)) => format!(">={bound}"),
            None => ">=inf".to_owned(),
        };
        let _ = match measurement.kind {
            BoundKind::Sup => writeln!(text, "{expression}{sup}"),
            BoundKind::Inf => writeln!(text, "{expression}{inf}"),
            BoundKind::Bounds => writeln!(text, "{expression}{inf}\n{expression}{sup}"),
        };
    }
}

fn statistics(text: &mut String, statistics: &Statistics) {
    let store = statistics.bytes >> 10;
    let (virtual_size, resident) = memory().unwrap_or((store, store));
    let _ = writeln!(text, " -- States stored : {} states", statistics.stored);
    let _ = writeln!(text, " -- States explored : {} states", statistics.explored);
    let _ = writeln!(text, " -- CPU user time used : {:.0} ms", statistics.seconds * 1000.0);
    let _ = writeln!(text, " -- Virtual memory used : {virtual_size} KiB");
    let _ = writeln!(text, " -- Resident memory used : {resident} KiB");
}

/// The memory of the process in KiB, all of it and what is resident, where the system tells.
fn memory() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let entry = |name: &str| -> Option<u64> {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    Some((entry("VmSize:")?, entry("VmRSS:")?))
}

/// Prints messages to standard error, one line each, as scripts expect them.
pub(super) fn print_messages(diagnostics: &Diagnostics, sources: &SourceMap) {
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let (at, message) = (sources.locate(diagnostic.span), diagnostic.message.trim_end_matches('.'));
        anstream::eprintln!("{at}: [{severity}] {message}.");
    }
}
