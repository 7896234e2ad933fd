//! Graphviz drawings: one cluster per template.

use super::{Printer, heading};
use crate::source::SourceMap;
use crate::syntax::{Document, Edge, Location, Node, Template};
use std::fmt::Write;

/// Writes all templates as a Graphviz graph.
pub fn to_dot(document: &Document, sources: &SourceMap) -> String {
    let mut graph = String::from("digraph model {\n");
    graph.push_str("  rankdir=LR;\n  node [shape=ellipse, fontname=\"Helvetica\", fontsize=11];\n");
    graph.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    for (index, template) in document.templates.iter().enumerate() {
        cluster(&mut graph, index, template, sources);
    }
    graph.push_str("}\n");
    graph
}

fn cluster(graph: &mut String, index: usize, template: &Template, sources: &SourceMap) {
    let _ = writeln!(graph, "  subgraph cluster_{index} {{");
    let _ = writeln!(graph, "    label=\"{}\";", escaped(&heading(template, sources)));
    for (at, location) in template.locations.iter().enumerate() {
        let label = escaped(&location_label(location, sources));
        let _ = writeln!(graph, "    t{index}_l{at} [label=\"{label}\"{}];", shape(location));
    }
    for at in 0..template.branchpoints.len() {
        let _ = writeln!(graph, "    t{index}_b{at} [shape=point, width=0.12, label=\"\"];");
    }
    if let Some(init) = template.init {
        let _ = writeln!(graph, "    t{index}_start [shape=point, label=\"\"];");
        let _ = writeln!(graph, "    t{index}_start -> t{index}_l{init};");
    }
    for edge in &template.edges {
        let label = escaped(&edge_label(edge, sources));
        let style = if edge.controllable { "" } else { ", style=dashed" };
        let (from, to) = (node(index, edge.source), node(index, edge.target));
        let _ = writeln!(graph, "    {from} -> {to} [label=\"{label}\"{style}];");
    }
    graph.push_str("  }\n");
}

fn node(template: usize, node: Node) -> String {
    match node {
        Node::Location(at) => format!("t{template}_l{at}"),
        Node::Branchpoint(at) => format!("t{template}_b{at}"),
    }
}

fn shape(location: &Location) -> &'static str {
    match (location.committed, location.urgent) {
        (true, _) => ", shape=doubleoctagon",
        (false, true) => ", shape=octagon",
        (false, false) => "",
    }
}

fn location_label(location: &Location, sources: &SourceMap) -> String {
    let mut printer = Printer::new(sources);
    if !location.anonymous {
        printer.push(&location.name.name);
    }
    if let Some(invariant) = &location.invariant {
        printer.push("\n");
        printer.expr(invariant);
    }
    printer.text
}

fn edge_label(edge: &Edge, sources: &SourceMap) -> String {
    let mut printer = Printer::new(sources);
    let mut lines = Vec::new();
    if !edge.select.is_empty() {
        lines.push(printer.aside(|p| p.binders(&edge.select)));
    }
    if let Some(guard) = &edge.guard {
        lines.push(printer.aside(|p| p.expr(guard)));
    }
    if let Some(sync) = &edge.sync {
        lines.push(printer.aside(|p| p.sync(sync)));
    }
    if !edge.update.is_empty() {
        lines.push(printer.aside(|p| p.exprs(&edge.update)));
    }
    if let Some(weight) = &edge.probability {
        lines.push(printer.aside(|p| p.expr(weight)));
    }
    lines.join("\n")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
