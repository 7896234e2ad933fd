//! One page: tables that can be sorted, and plots. The tables are plain HTML and can be read without the script, which draws the plots from the numbers inside the page.

use crate::number::{count, mebibytes, ratio, seconds};
use crate::{Cell, Published, Results, Status, markdown};
use guidepost_report::html::kit::{STYLE, embedded, escaped, fill};
use serde_json::{Value, json};
use std::fmt::Write;

const PAGE: &str = include_str!("page.html");
const OWN_STYLE: &str = include_str!("bench.css");
const SCRIPTS: [&str; 3] = [include_str!("sort.js"), include_str!("plots.js"), include_str!("page.js")];

/// The columns of the table of everything, and whether they are numbers.
const COLUMNS: [(&str, bool); 13] = [
    ("task", false),
    ("configuration", false),
    ("answer", false),
    ("runs", true),
    ("explored", true),
    ("published", true),
    ("ratio", true),
    ("stored", true),
    ("length", true),
    ("published length", true),
    ("shortest", true),
    ("seconds", true),
    ("MiB", true),
];

pub(crate) fn page(results: &Results<'_>) -> String {
    let title = if results.table.title.is_empty() { "Measurements" } else { &results.table.title };
    let parts = [
        ("{{title}}", escaped(&format!("{title} · guidepost"))),
        ("{{name}}", escaped(title)),
        ("{{style}}", format!("{STYLE}{OWN_STYLE}")),
        ("{{notes}}", notes(results)),
        ("{{overview}}", overview(results)),
        ("{{details}}", details(results)),
        ("{{data}}", embedded(&data(results))),
        ("{{script}}", SCRIPTS.join("\n")),
    ];
    fill(PAGE, &parts)
}

fn notes(results: &Results<'_>) -> String {
    let mut text = String::new();
    if results.cells.len() < results.planned {
        let _ = writeln!(
            text,
            "<p class=\"notice\">Not complete: {} of {} pairs.</p>",
            results.cells.len(),
            results.planned
        );
    }
    for skipped in &results.skipped {
        let _ = writeln!(
            text,
            "<p class=\"notice\">Skipped: {}: {}</p>",
            escaped(&skipped.task),
            escaped(&skipped.reason)
        );
    }
    text
}

/// Tasks against configurations.
fn overview(results: &Results<'_>) -> String {
    let mut text = String::from("<thead><tr><th scope=\"col\">task</th>");
    for configuration in &results.table.configurations {
        let _ = write!(text, "<th scope=\"col\">{}</th>", escaped(&configuration.id));
    }
    text.push_str("<th scope=\"col\">shortest</th></tr></thead>\n<tbody>\n");
    for task in &results.table.tasks {
        let cells: Vec<&Cell<'_>> =
            results.cells.iter().filter(|cell| cell.pair.task.id == task.id).collect();
        if cells.is_empty() {
            continue;
        }
        let _ = write!(text, "<tr><th scope=\"row\">{}</th>", escaped(&task.id));
        for configuration in &results.table.configurations {
            match cells.iter().find(|cell| cell.pair.configuration.id == configuration.id) {
                None => text.push_str("<td></td>"),
                Some(cell) => text.push_str(&overview_cell(cell)),
            }
        }
        let shortest = task.shortest.map_or_else(String::new, |shortest| shortest.to_string());
        let _ = writeln!(text, "<td>{shortest}</td></tr>");
    }
    text.push_str("</tbody>\n");
    text
}

fn overview_cell(cell: &Cell<'_>) -> String {
    let class = match cell.ratio() {
        _ if cell.status().is_alarming() => "alarm",
        Some(ratio) if ratio > 1.0 => "more",
        Some(_) => "fewer",
        None => "",
    };
    let key = cell.explored().map_or_else(String::new, count);
    let shown = markdown::short(cell).replace("**", "").replace("\\|", "|");
    format!(
        "<td class=\"{class}\" data-key=\"{key}\" title=\"{}\">{}</td>",
        escaped(&cell.status().text()),
        escaped(&shown)
    )
}

/// Everything, one row a pair.
fn details(results: &Results<'_>) -> String {
    let mut text = String::from("<thead><tr>");
    for (name, is_number) in COLUMNS {
        let class = if is_number { " class=\"number\"" } else { "" };
        let _ = write!(text, "<th scope=\"col\"{class}>{name}</th>");
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for cell in &results.cells {
        let status = cell.status();
        let class = match &status {
            Status::Answered(_) => "",
            Status::Undecided(_) => "open",
            Status::Failed(_) | Status::Wrong(_) => "alarm",
        };
        let _ = write!(
            text,
            "<tr><td>{}</td><td>{}</td><td class=\"{class}\">{}</td>",
            escaped(&cell.pair.task.id),
            escaped(&cell.pair.configuration.id),
            escaped(&status.text())
        );
        let published = cell.published();
        let whole = |value: Option<u64>| value.map(|value| (value as f64, value.to_string()));
        let shown = |value: Option<f64>, form: fn(f64) -> String| value.map(|value| (value, form(value)));
        let columns = [
            Some((cell.answered() as f64, format!("{}/{}", cell.answered(), cell.runs.len()))),
            shown(cell.explored(), count),
            whole(published.and_then(Published::explored)),
            shown(cell.ratio(), ratio),
            shown(cell.stored(), count),
            shown(cell.length(), count),
            whole(published.and_then(Published::length)),
            whole(cell.pair.task.shortest),
            shown(cell.seconds(), seconds),
            shown(cell.bytes(), mebibytes),
        ];
        for column in columns {
            match column {
                Some((key, form)) => {
                    let _ = write!(text, "<td class=\"number\" data-key=\"{key}\">{form}</td>");
                }
                None => text.push_str("<td class=\"number\" data-key=\"\"></td>"),
            }
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n");
    text
}

/// The numbers that plots are drawn from.
fn data(results: &Results<'_>) -> Value {
    let cells: Vec<Value> = results
        .cells
        .iter()
        .map(|cell| {
            json!({
                "task": cell.pair.task.id, "configuration": cell.pair.configuration.id,
                "explored": cell.explored(), "stored": cell.stored(), "length": cell.length(),
                "seconds": cell.seconds(), "bytes": cell.bytes(),
                "published": cell.published().and_then(Published::explored),
            })
        })
        .collect();
    let ids: Vec<&str> = results.table.configurations.iter().map(|entry| entry.id.as_str()).collect();
    json!({ "configurations": ids, "cells": cells })
}
