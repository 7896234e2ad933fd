//! Comma-separated values, as RFC 4180 has them.

use crate::number::{count, ratio};
use crate::plan::Pair;
use crate::run::{Outcome, Run};
use crate::{Cell, Results};

const COLUMNS: [&str; 14] = [
    "task",
    "configuration",
    "status",
    "runs",
    "answered",
    "explored",
    "published_explored",
    "ratio",
    "stored",
    "length",
    "published_length",
    "shortest",
    "seconds",
    "memory_bytes",
];

const RUN_COLUMNS: [&str; 10] = [
    "task",
    "configuration",
    "seed",
    "outcome",
    "explored",
    "stored",
    "length",
    "seconds",
    "wall_seconds",
    "memory_bytes",
];

/// What would be taken for a separator goes into quotes.
fn line<'f>(fields: impl IntoIterator<Item = &'f str>) -> String {
    let quoted = |field: &str| {
        if field.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.to_owned()
        }
    };
    let fields: Vec<String> = fields.into_iter().map(quoted).collect();
    fields.join(",") + "\n"
}

fn number(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

pub(crate) fn table(results: &Results<'_>) -> String {
    let mut text = line(COLUMNS);
    for cell in &results.cells {
        let fields = fields(cell);
        text.push_str(&line(fields.iter().map(String::as_str)));
    }
    text
}

fn fields(cell: &Cell<'_>) -> [String; 14] {
    let published = cell.published();
    [
        cell.pair.task.id.clone(),
        cell.pair.configuration.id.clone(),
        cell.status().text(),
        cell.runs.len().to_string(),
        cell.answered().to_string(),
        number(cell.explored().map(count)),
        number(published.and_then(crate::Published::explored)),
        number(cell.ratio().map(ratio)),
        number(cell.stored().map(count)),
        number(cell.length().map(count)),
        number(published.and_then(crate::Published::length)),
        number(cell.pair.task.shortest),
        number(cell.seconds()),
        number(cell.bytes().map(count)),
    ]
}

pub(crate) fn runs_heading() -> String {
    line(RUN_COLUMNS)
}

pub(crate) fn runs_line(pair: &Pair<'_>, run: &Run) -> String {
    let (outcome, measured) = match &run.outcome {
        Outcome::Answered(measured) => (measured.verdict.clone(), Some(measured)),
        Outcome::Undecided(reason) => (format!("undecided: {reason}"), None),
        Outcome::Failed(message) => (format!("failed: {message}"), None),
        Outcome::Interrupted => ("interrupted".to_owned(), None),
    };
    let fields = [
        pair.task.id.clone(),
        pair.configuration.id.clone(),
        run.seed.to_string(),
        outcome,
        number(measured.map(|measured| measured.explored)),
        number(measured.map(|measured| measured.stored)),
        number(measured.and_then(|measured| measured.length)),
        number(measured.map(|measured| measured.seconds)),
        run.wall_seconds.to_string(),
        number(measured.map(|measured| measured.bytes)),
    ];
    line(fields.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_quoted() {
        assert_eq!(line(["a", "b, c", "say \"no\""]), "a,\"b, c\",\"say \"\"no\"\"\"\n");
    }
}
