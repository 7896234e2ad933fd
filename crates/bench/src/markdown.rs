//! Two tables in Markdown: tasks against configurations, as papers print them, and everything.

use crate::number::{count, mebibytes, ratio, seconds};
use crate::{Cell, Published, Results, Status};
use std::fmt::Write;

pub(crate) fn page(results: &Results<'_>) -> String {
    let title = if results.table.title.is_empty() { "Measurements" } else { &results.table.title };
    let mut text = format!("# {title}\n\n");
    if results.cells.len() < results.planned {
        let _ = writeln!(text, "Not complete: {} of {} pairs.\n", results.cells.len(), results.planned);
    }
    text.push_str(
        "Explored states / length of the run, published ones in parentheses; **bold** where more states were explored than published. \
         Where chance decides, the median of all seeds. `-`: no answer within the limits.\n\n",
    );
    overview(&mut text, results);
    text.push_str("\n## All numbers\n\n");
    details(&mut text, results);
    if !results.skipped.is_empty() {
        text.push_str("\n## Skipped\n\n");
        for skipped in &results.skipped {
            let _ = writeln!(text, "- {}: {}", escaped(&skipped.task), escaped(&skipped.reason));
        }
    }
    text
}

/// A bar would end the cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn overview(text: &mut String, results: &Results<'_>) {
    let table = results.table;
    text.push_str("| task |");
    for configuration in &table.configurations {
        let _ = write!(text, " {} |", escaped(&configuration.id));
    }
    text.push_str(" shortest |\n|---|");
    text.push_str(&"--:|".repeat(table.configurations.len() + 1));
    text.push('\n');
    for task in &table.tasks {
        let cells: Vec<&Cell<'_>> =
            results.cells.iter().filter(|cell| cell.pair.task.id == task.id).collect();
        if cells.is_empty() {
            continue;
        }
        let _ = write!(text, "| {} |", escaped(&task.id));
        for configuration in &table.configurations {
            let cell = cells.iter().find(|cell| cell.pair.configuration.id == configuration.id);
            let _ = write!(text, " {} |", cell.map_or_else(String::new, |cell| short(cell)));
        }
        let shortest = task.shortest.map_or_else(String::new, |shortest| shortest.to_string());
        let _ = writeln!(text, " {shortest} |");
    }
}

/// A pair in a few characters: `9/8 (9/8)`.
pub(crate) fn short(cell: &Cell<'_>) -> String {
    let ours = match cell.status() {
        Status::Answered(_) => {
            let explored = cell.explored().map_or_else(|| "-".to_owned(), count);
            let explored = if cell.ratio().is_some_and(|ratio| ratio > 1.0) {
                format!("**{explored}**")
            } else {
                explored
            };
            match cell.length() {
                Some(length) => format!("{explored}/{}", count(length)),
                None => explored,
            }
        }
        Status::Undecided(_) => "-".to_owned(),
        Status::Failed(_) => "failed".to_owned(),
        Status::Wrong(_) => "WRONG".to_owned(),
    };
    match cell.published() {
        Some(published) => format!("{ours} ({})", published_short(published)),
        None => ours,
    }
}

fn published_short(published: &Published) -> String {
    match published {
        Published::Word(word) => escaped(word),
        Published::Numbers { explored, length } => {
            let numbers = [explored, length].map(|number| number.map(|number| number.to_string()));
            numbers.into_iter().flatten().collect::<Vec<_>>().join("/")
        }
    }
}

fn details(text: &mut String, results: &Results<'_>) {
    text.push_str(
        "| task | configuration | answer | runs | explored | published | ratio | stored | length | published | seconds | MiB |\n\
         |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for cell in &results.cells {
        let show = |value: Option<f64>, form: fn(f64) -> String| value.map_or_else(String::new, form);
        let whole = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
        let published = cell.published();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}/{} | {} | {} | {} | {} | {} | {} | {} | {} |",
            escaped(&cell.pair.task.id),
            escaped(&cell.pair.configuration.id),
            escaped(&cell.status().text()),
            cell.answered(),
            cell.runs.len(),
            show(cell.explored(), count),
            whole(published.and_then(Published::explored)),
            show(cell.ratio(), ratio),
            show(cell.stored(), count),
            show(cell.length(), count),
            whole(published.and_then(Published::length)),
            show(cell.seconds(), seconds),
            show(cell.bytes(), mebibytes),
        );
    }
}
