//! The names of the translated model: the author's own, joined.

use crate::selection::Selection;
use crate::system::Signal;
use guidepost_language::parse::is_reserved;
use guidepost_language::syntax::Name;
use std::collections::{BTreeMap, HashSet};

/// All global names of a translated model.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// Signals as everybody can read them.
    pub signals: BTreeMap<Signal, Name>,
    /// The value that a node on a device will write at the end of the cycle.
    pub new: BTreeMap<Signal, Name>,
    /// A node's own copy of what it polled.
    pub polled: BTreeMap<(usize, usize), Name>,
    /// The location that a node on a device has decided for.
    pub next: BTreeMap<usize, Name>,
    /// The location that a node is in, where an observer wants to know.
    pub at: BTreeMap<usize, Name>,
    /// Time since a device's cycle began.
    pub cycle: BTreeMap<usize, Name>,
    /// Time since a node came to its location.
    pub held: BTreeMap<usize, Name>,
    /// Time since a signal was written that a device polls.
    pub settled: BTreeMap<usize, Name>,
    /// How a device makes a node run.
    pub run: BTreeMap<usize, Name>,
    pub nodes: BTreeMap<usize, Name>,
    pub devices: BTreeMap<usize, Name>,
    pub drivers: BTreeMap<Signal, Name>,
    /// Observers of properties.
    pub observers: BTreeMap<usize, Name>,
    /// Values of enumerations.
    pub members: BTreeMap<(usize, usize), Name>,
    /// The channel that makes observers hurry.
    pub hurry: Option<Name>,
}

impl Names {
    pub(super) fn new(selection: &Selection<'_>) -> Self {
        let mut names = Self::default();
        names.processes(selection);
        names.signals(selection);
        names.values(selection);
        names
    }

    /// A name that nothing else has, as near to `wish` as can be.
    fn fresh(&mut self, wish: &str) -> Name {
        let mut name = wish.to_owned();
        while is_reserved(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name.into()
    }

    fn processes(&mut self, selection: &Selection<'_>) {
        let system = selection.system;
        for (index, node) in system.nodes.iter().enumerate().filter(|(index, _)| selection.keeps(*index)) {
            let name = self.fresh(&node.name.name);
            self.nodes.insert(index, name);
        }
        for (index, device) in system.devices.iter().enumerate() {
            let nodes = selection.nodes_of(index);
            let Some(first) = nodes.first() else { continue };
            let owner = match &device.name {
                Some(name) => {
                    let name = self.fresh(&name.name);
                    self.devices.insert(index, name.clone());
                    name
                }
                None => self.nodes[first].clone(),
            };
            let name = self.fresh(&format!("{owner}_cycle"));
            self.cycle.insert(index, name);
            if selection.is_settled(index) {
                let name = self.fresh(&format!("{owner}_settled"));
                self.settled.insert(index, name);
            }
            for node in nodes {
                if device.name.is_some() {
                    let run = self.fresh(&format!("run_{}", self.nodes[&node]));
                    self.run.insert(node, run);
                    let next = self.fresh(&format!("{}_next", self.nodes[&node]));
                    self.next.insert(node, next);
                }
                if selection.has_delay(node) {
                    let held = self.fresh(&format!("{}_held", self.nodes[&node]));
                    self.held.insert(node, held);
                }
            }
        }
    }

    fn signals(&mut self, selection: &Selection<'_>) {
        let system = selection.system;
        for signal in selection.driven() {
            let wish = match signal {
                Signal::Input(input) => system.inputs[input].name.name.to_string(),
                Signal::Output(node, _) => {
                    format!("{}_{}", system.nodes[node].name.name, system.port(signal).name.name)
                }
            };
            let name = self.fresh(&wish);
            let driver = self.fresh(&format!("drive_{name}"));
            self.signals.insert(signal, name);
            self.drivers.insert(signal, driver);
        }
        for (index, node) in system.nodes.iter().enumerate().filter(|(index, _)| selection.keeps(*index)) {
            let on_device = system.devices[node.device].name.is_some();
            for output in 0..system.program_of(index).outputs.len() {
                let signal = Signal::Output(index, output);
                if !selection.is_written(signal) {
                    continue;
                }
                let name = self.fresh(&format!("{}_{}", node.name.name, system.port(signal).name.name));
                if on_device {
                    let new = self.fresh(&format!("new_{name}"));
                    self.new.insert(signal, new);
                }
                self.signals.insert(signal, name);
            }
            for (input, signal) in selection.seen(index) {
                if selection.is_polled(index, signal) {
                    let port = &system.program_of(index).inputs[input].name.name;
                    let name = self.fresh(&format!("{}_{port}", node.name.name));
                    self.polled.insert((index, input), name);
                }
            }
        }
    }

    fn values(&mut self, selection: &Selection<'_>) {
        for (index, enumeration) in selection.system.enumerations.iter().enumerate() {
            for (at, value) in enumeration.values.iter().enumerate() {
                let name = self.fresh(&format!("{}_{}", enumeration.name.name, value.name));
                self.members.insert((index, at), name);
            }
        }
        for (index, property) in selection.system.properties.iter().enumerate() {
            let watches = matches!(property.kind, crate::system::PropertyKind::Whenever { .. });
            if watches && selection.can_tell(&property.kind) {
                let name = self.fresh(&format!("watch_{}", property.name.name));
                self.observers.insert(index, name);
                for test in property.kind.tests() {
                    test.nodes(&mut |node| self.note(node));
                }
                if self.hurry.is_none() {
                    self.hurry = Some(self.fresh("hurry"));
                }
            }
        }
    }

    fn note(&mut self, node: usize) {
        if !self.at.contains_key(&node) {
            let name = self.fresh(&format!("{}_at", self.nodes[&node]));
            self.at.insert(node, name);
        }
    }

    /// The variable that a node looks at for one of its inputs: its polled copy or, for what its own device writes, the value of this cycle if the
    /// writer runs before it, else the one of the last.
    pub(super) fn read(&self, selection: &Selection<'_>, node: usize, input: usize) -> Name {
        if let Some(polled) = self.polled.get(&(node, input)) {
            return polled.clone();
        }
        let signal = selection.system.nodes[node].wires[input];
        let Signal::Output(writer, _) = signal else { unreachable!("inputs of the environment are polled") };
        let order = &selection.system.devices[selection.system.nodes[node].device].nodes;
        let place = |node: usize| order.iter().position(|other| *other == node);
        if place(writer) < place(node) { self.new[&signal].clone() } else { self.signals[&signal].clone() }
    }
}
