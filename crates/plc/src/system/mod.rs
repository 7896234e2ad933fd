//! What a `.plc` file means, for one choice of its constants.
//!
//! Everything is resolved: names are indices, values are numbers, and the conditions of a program have become tables over the values of its
//! inputs. A table answers at once whether a location's transitions are total and disjoint, and it is what hiding projects.

mod condition;
mod constants;
mod devices;
mod location;
mod program;
mod property;
mod resolve;
mod table;

pub(crate) use condition::{Term, Test};
pub(crate) use constants::{Domain, Kind};
pub(crate) use property::{Property, PropertyKind};
pub(crate) use resolve::{Resolved, resolve};
pub(crate) use table::{Cube, Table};

use guidepost_language::source::Span;
use guidepost_language::syntax::Ident;

/// A whole system of controllers and its environment.
#[derive(Debug, Default)]
pub(crate) struct System {
    pub enumerations: Vec<Enumeration>,
    /// What the environment drives.
    pub inputs: Vec<Port>,
    pub programs: Vec<Program>,
    pub devices: Vec<Device>,
    pub nodes: Vec<Node>,
    pub properties: Vec<Property>,
}

/// A set of named values.
#[derive(Debug)]
pub(crate) struct Enumeration {
    pub name: Ident,
    pub values: Vec<Ident>,
}

/// A signal with the values it can have.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    pub name: Ident,
    pub domain: Domain,
    /// The first value of an input of the environment; what an output is where a location does not say.
    pub value: Option<i32>,
}

/// One PLC automaton; nodes are its instances.
#[derive(Debug)]
pub(crate) struct Program {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub locations: Vec<Location>,
    pub initial: usize,
}

/// A location of a PLC automaton.
#[derive(Debug)]
pub(crate) struct Location {
    pub name: Ident,
    /// A value for each output.
    pub outputs: Vec<i32>,
    pub delay: Option<Delay>,
    /// Where to go for each valuation of the inputs: an index into the program's locations.
    pub targets: Table<usize>,
    /// Where the transition to a location is written, for those that are written.
    pub spans: Vec<(usize, Span)>,
}

impl Location {
    /// The place to point at when the transition to `target` is meant.
    pub(crate) fn span_of(&self, target: usize) -> Span {
        self.spans.iter().find(|(to, _)| *to == target).map_or(self.name.span, |(_, span)| *span)
    }
}

/// How long a location ignores which inputs.
#[derive(Debug)]
pub(crate) struct Delay {
    pub time: i32,
    /// The time must be exceeded, not only reached.
    pub over: bool,
    /// The inputs that are ignored.
    pub ignored: Table<bool>,
    pub span: Span,
}

/// What repeats a cycle: one node of its own, or a device with several.
#[derive(Debug)]
pub(crate) struct Device {
    /// `None` for a node with a cycle of its own.
    pub name: Option<Ident>,
    pub cycle: Cycle,
    /// In the order in which they run.
    pub nodes: Vec<usize>,
}

/// The bounds of a cycle's duration. A cycle always takes some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cycle {
    pub least: i32,
    pub most: i32,
    /// Inputs are polled before the cycle's last moment, and not in the moment of their change.
    pub settled: bool,
}

/// An instance of a program.
#[derive(Debug)]
pub(crate) struct Node {
    pub name: Ident,
    pub program: usize,
    pub device: usize,
    /// What each input of the program is connected to.
    pub wires: Vec<Signal>,
}

/// A signal that is there for everybody to read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Signal {
    /// An input of the environment.
    Input(usize),
    /// An output of a node.
    Output(usize, usize),
}

impl System {
    pub(crate) fn program_of(&self, node: usize) -> &Program {
        &self.programs[self.nodes[node].program]
    }

    pub(crate) fn port(&self, signal: Signal) -> &Port {
        match signal {
            Signal::Input(input) => &self.inputs[input],
            Signal::Output(node, output) => &self.program_of(node).outputs[output],
        }
    }

    /// The value that a signal has in the beginning.
    pub(crate) fn first_value(&self, signal: Signal) -> i32 {
        match signal {
            Signal::Input(input) => {
                let port = &self.inputs[input];
                port.value.unwrap_or(port.domain.low)
            }
            Signal::Output(node, output) => {
                let program = self.program_of(node);
                program.locations[program.initial].outputs[output]
            }
        }
    }
}
