//! `guidepost engines`

use crate::args::{EnginesArgs, OutputFormat};
use crate::exit::Exit;
use crate::terminal::{print, print_json};
use guidepost::verify::{Entry, REGISTRY};
use serde_json::{Value, json};
use std::fmt::Write;

pub(crate) fn run(args: &EnginesArgs) -> Exit {
    match args.format {
        OutputFormat::Json => {
            let list: Vec<Value> = REGISTRY.iter().map(entry).collect();
            print_json(&json!({ "engines": list }));
        }
        OutputFormat::Text => print(&table()),
    }
    Exit::Satisfied
}

fn entry(entry: &Entry) -> Value {
    let option = |(name, values, summary): &(&str, &str, &str)| json!({ "name": name, "values": values, "summary": summary });
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "answers": entry.answers,
        "options": entry.options.iter().map(option).collect::<Vec<_>>(),
    })
}

fn table() -> String {
    let mut text = String::new();
    let width = REGISTRY.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let indent = " ".repeat(width + 2);
    for entry in REGISTRY {
        let _ = writeln!(text, "{:width$}  {}", entry.name, entry.summary);
        let _ = writeln!(text, "{indent}answers {}", entry.answers);
        for (name, values, summary) in entry.options {
            let _ = writeln!(text, "{indent}{name}={values}: {summary}");
        }
    }
    text
}
