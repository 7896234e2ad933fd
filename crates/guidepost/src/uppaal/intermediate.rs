//! The compiled model as UPPAAL writes it with `UPPAAL_COMPILE_ONLY` (`.if`), as far as readers of traces use it.
//!
//! One table of cells (clocks, variables, locations), then processes, locations and edges that refer to cells, and expressions that edges refer to. There are no
//! instructions: readers of traces do not run anything, and those of UPPAAL's machine are not ours to make.

use crate::Session;
use guidepost_language::syntax::{LabelKind, Node, Template};
use guidepost_language::write::{edge_labels, location_labels};
use guidepost_network::{LocationKind, Network};
use std::fmt::Write;

/// The text of a `.if` file.
pub fn to_if(session: &Session) -> String {
    let network = session.network();
    let mut text = layout(network);
    text.push_str("\ninstructions\n#address: opcode\n\nprocesses\n#index:initial:name\n");
    let first = first_cells(network);
    for (index, process) in network.processes.iter().enumerate() {
        let initial = first[index] + process.initial.index() - process.locations.start as usize;
        let _ = writeln!(text, "{index}:{initial}:{}", word(&process.name));
    }
    let mut expressions = Expressions::default();
    text.push_str("\nlocations\n#index:process:invariant\n");
    for (index, process) in network.processes.iter().enumerate() {
        let template = &session.loaded().document.templates[process.template as usize];
        for (offset, location) in template.locations.iter().enumerate() {
            let labels = location_labels(location, session.loaded().model.format, &session.loaded().sources);
            let invariant = expressions.address(&label(&labels, LabelKind::Invariant, "1"));
            let _ = writeln!(text, "{}:{index}:{invariant}", first[index] + offset);
        }
    }
    text.push_str("\nedges\n#process:source:target:guard:sync:update\n");
    for (index, process) in network.processes.iter().enumerate() {
        let template = &session.loaded().document.templates[process.template as usize];
        edges(&mut text, session, template, index, first[index], &mut expressions);
    }
    text.push_str("\nexpressions\n#address:reads:writes:text\n");
    for (address, expression) in expressions.0.iter().enumerate() {
        let _ = writeln!(text, "{address}:::{expression}");
    }
    text
}

/// The cells: clocks, variables, and the locations of each process.
fn layout(network: &Network) -> String {
    let mut text =
        "layout\n#index:clock:nr:name\n#index:var:min:max:init:nr:name\n#index:meta:min:max:init:nr:name\n\
                    #index:location:flags:name\n"
            .to_owned();
    let mut cell = 0..;
    let mut next = || cell.next().unwrap_or(usize::MAX);
    for (number, clock) in network.clocks.iter().enumerate() {
        let name = if number == 0 { "t(0)".to_owned() } else { word(&clock.name) };
        let _ = writeln!(text, "{}:clock:{number}:{name}", next());
    }
    for (number, variable) in network.variables.iter().enumerate() {
        let kind = if variable.meta { "meta" } else { "var" };
        let (min, max, initial) = (variable.min, variable.max, variable.initial);
        let _ = writeln!(text, "{}:{kind}:{min}:{max}:{initial}:{number}:{}", next(), word(&variable.name));
    }
    for process in &network.processes {
        for location in &network.locations[process.locations.start as usize..process.locations.end as usize] {
            let flags = match location.kind {
                LocationKind::Normal => "",
                LocationKind::Urgent => "urgent",
                LocationKind::Committed => "committed",
            };
            let _ = writeln!(text, "{}:location:{flags}:{}", next(), word(&location.name));
        }
    }
    text
}

/// The cell of the first location of each process.
fn first_cells(network: &Network) -> Vec<usize> {
    let before = network.clocks.len() + network.variables.len();
    network.processes.iter().map(|process| before + process.locations.start as usize).collect()
}

/// The edges of a process, as they stand in its template. One that leads to a branch point has no target of its own here, and stays where it is.
fn edges(
    text: &mut String,
    session: &Session,
    template: &Template,
    process: usize,
    first: usize,
    expressions: &mut Expressions,
) {
    let place = |node: Node| match node {
        Node::Location(index) => Some(first + index),
        Node::Branchpoint(_) => None,
    };
    for edge in &template.edges {
        let labels = edge_labels(edge, session.loaded().model.format, &session.loaded().sources);
        let guard = expressions.address(&label(&labels, LabelKind::Guard, "1"));
        let sync = expressions.address(&label(&labels, LabelKind::Synchronisation, "0"));
        let update = expressions.address(&label(&labels, LabelKind::Assignment, "1"));
        let (source, target) = (place(edge.source), place(edge.target));
        let (source, target) = (source.or(target).unwrap_or(first), target.or(source).unwrap_or(first));
        let _ = writeln!(text, "{process}:{source}:{target}:{guard}:{sync}:{update}");
    }
}

/// A label in one line, or what stands for none.
pub fn label(labels: &[(LabelKind, String)], kind: LabelKind, none: &str) -> String {
    let found = labels.iter().find(|(own, _)| *own == kind).map(|(_, text)| text.as_str());
    let text = found.unwrap_or(none).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { none.to_owned() } else { text }
}

/// Names are single words there.
fn word(name: &str) -> String {
    name.split_whitespace().collect()
}

/// Expressions, each once; the address is its place in the list.
#[derive(Default)]
struct Expressions(Vec<String>);

impl Expressions {
    fn address(&mut self, text: &str) -> usize {
        self.0.iter().position(|known| known == text).unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        })
    }
}
