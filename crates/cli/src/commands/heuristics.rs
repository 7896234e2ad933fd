//! `guidepost heuristics`

use crate::args::{HeuristicsArgs, OutputFormat};
use crate::exit::Exit;
use crate::terminal::{print, print_json};
use guidepost_cost::{BoundsEntry, LowerBounds};
use guidepost_heuristics::{Properties, REGISTRY};
use serde_json::{Value, json};
use std::fmt::Write;

pub(crate) fn run(args: &HeuristicsArgs) -> Exit {
    match args.format {
        OutputFormat::Json => {
            let list: Vec<Value> = REGISTRY.iter().map(|(_, properties)| entry(properties)).collect();
            let bounds: Vec<Value> = LowerBounds::ALL.iter().map(bounds_entry).collect();
            print_json(&json!({ "heuristics": list, "bounds": bounds }));
        }
        OutputFormat::Text => print(&table()),
    }
    Exit::Satisfied
}

fn entry(properties: &Properties) -> Value {
    json!({
        "name": properties.name,
        "summary": properties.summary,
        "measures": "steps",
        "admissible": properties.admissible,
        "consistent": properties.consistent,
        "finds_dead_ends": properties.finds_dead_ends,
        "masks_edges": properties.masks_edges,
        "prefers_transitions": properties.prefers_transitions,
        "cost": properties.cost.describe(),
        "supports": properties.supports,
    })
}

fn bounds_entry(bounds: &BoundsEntry) -> Value {
    json!({ "name": bounds.name, "summary": bounds.summary, "measures": bounds.measures })
}

fn table() -> String {
    let mut text = String::from("Estimates of steps, for --heuristic:\n");
    let width = REGISTRY.iter().map(|(_, properties)| properties.name.len()).max().unwrap_or(0);
    for (_, properties) in REGISTRY {
        let indent = " ".repeat(width + 2);
        let _ = writeln!(text, "{:width$}  {}", properties.name, properties.summary);
        let traits = [
            (properties.admissible, "admissible: shortest runs with astar and ida"),
            (properties.finds_dead_ends, "finds dead ends"),
            (properties.masks_edges, "for ut"),
            (properties.prefers_transitions, "prefers transitions"),
        ];
        let traits: Vec<&str> =
            traits.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
        let _ = writeln!(
            text,
            "{indent}{}",
            [properties.cost.describe()].iter().chain(&traits).copied().collect::<Vec<_>>().join("; ")
        );
        let _ = writeln!(text, "{indent}takes into account {}", properties.supports);
    }
    let _ = writeln!(text, "\nLower bounds of cost or time, for --engine \"cost(bound=NAME)\":");
    for bounds in LowerBounds::ALL {
        let indent = " ".repeat(width + 2);
        let _ = writeln!(text, "{:width$}  {}\n{indent}{}", bounds.name, bounds.summary, bounds.measures);
    }
    text
}
