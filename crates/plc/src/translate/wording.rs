//! The controllers' own words for runs of the translated model.
//!
//! What a step means follows from the phases that it connects: a node that goes from `Fine_react` to `Doubt_poll` ends a cycle that has led it from `Fine` to
//! `Doubt`. So the words are read off the finished automata; whoever makes their edges need not think of them.

use super::{Part, Translator};
use crate::system::{Domain, Kind, Signal};
use guidepost_language::model::{Aside, Phase, Wording};
use guidepost_language::source::SourceMap;
use guidepost_language::syntax::{Edge, ExprKind, Name, Node, Template};

impl Translator<'_> {
    /// How runs of these automata are told.
    pub(super) fn wording(&self, parts: &[Part], templates: &[Template], sources: &SourceMap) -> Wording {
        let mut wording = Wording::default();
        self.name_variables(&mut wording);
        self.leave_out(&mut wording);
        for (index, (part, template)) in parts.iter().zip(templates).enumerate() {
            match *part {
                Part::Node(node) => {
                    self.tell_of_node(&mut wording, index, node, template);
                    wording.portraits.insert(index, self.portrait(node, template, sources));
                }
                Part::Device(device) => self.tell_of_device(&mut wording, index, device, template),
                Part::Driver(signal) => self.tell_of_driver(&mut wording, index, signal),
                Part::Observer(property) => self.tell_of_observer(&mut wording, index, property, template),
            }
        }
        wording
    }

    fn name_variables(&self, wording: &mut Wording) {
        let (system, names) = (self.selection.system, self.names);
        let owner = |device: &usize| match names.devices.get(device) {
            Some(name) => name,
            None => &names.nodes[&self.selection.nodes_of(*device)[0]],
        };
        for (signal, name) in &names.signals {
            self.name_signal(wording, name, *signal, self.signal_text(*signal));
        }
        for (signal, name) in &names.new {
            self.name_signal(wording, name, *signal, format!("new {}", self.signal_text(*signal)));
        }
        for ((node, input), name) in &names.polled {
            let port = &system.program_of(*node).inputs[*input].name.name;
            let text = format!("{}.{port}", system.nodes[*node].name.name);
            self.name_signal(wording, name, system.nodes[*node].wires[*input], text);
        }
        for (what, places) in [("next", &names.next), ("location", &names.at)] {
            for (node, name) in places {
                let locations = system.program_of(*node).locations.iter();
                let values = locations.map(|location| location.name.name.clone()).collect();
                wording.values.insert(name.clone(), values);
                wording.names.insert(name.clone(), format!("{}.{what}", names.nodes[node]));
            }
        }
        let held = names.held.iter().map(|(node, name)| (name, format!("{}.delay", names.nodes[node])));
        let cycles = names.cycle.iter().map(|(device, name)| (name, format!("{}.cycle", owner(device))));
        let settled = names.settled.iter().map(|(device, name)| (name, format!("{}.settled", owner(device))));
        wording.names.extend(held.chain(cycles).chain(settled).map(|(name, text)| (name.clone(), text)));
    }

    /// What is there for the sake of the translation.
    fn leave_out(&self, wording: &mut Wording) {
        let names = self.names;
        wording.silent.extend(names.run.values().chain(&names.hurry).cloned());
        let clocks = names.held.values().chain(names.cycle.values());
        let seen = names.polled.values().chain(clocks);
        wording.asides.extend(seen.map(|name| (name.clone(), Aside::Seen)));
        let places = names.next.values().chain(names.at.values());
        let inner = names.new.values().chain(places).chain(names.settled.values());
        wording.asides.extend(inner.map(|name| (name.clone(), Aside::Inner)));
    }

    fn name_signal(&self, wording: &mut Wording, name: &Name, signal: Signal, text: String) {
        wording.names.insert(name.clone(), text);
        if let Domain { kind: Kind::Member(index), .. } = self.selection.system.port(signal).domain {
            let values = &self.selection.system.enumerations[index].values;
            wording.values.insert(name.clone(), values.iter().map(|value| value.name.clone()).collect());
        }
    }

    /// A signal as the file calls it.
    fn signal_text(&self, signal: Signal) -> String {
        let port = &self.selection.system.port(signal).name.name;
        match signal {
            Signal::Input(_) => port.to_string(),
            Signal::Output(node, _) => format!("{}.{port}", self.selection.system.nodes[node].name.name),
        }
    }

    fn tell_of_node(&self, wording: &mut Wording, index: usize, node: usize, template: &Template) {
        let on_device = self.names.run.contains_key(&node);
        let locations = &self.selection.system.program_of(node).locations;
        let mut phases: Vec<(&str, &str)> = Vec::new();
        for (at, location) in locations.iter().enumerate() {
            phases.extend(self.phases_of(node, at).iter().map(|phase| (&*location.name.name, *phase)));
        }
        for (at, (location, phase)) in phases.iter().enumerate() {
            let words = match *phase {
                "poll" => (*location).to_owned(),
                "delayed" => format!("{location} (delayed)"),
                _ if on_device => format!("{location} (decided)"),
                _ => format!("{location} (polled)"),
            };
            wording.locations.insert((index, at), words);
        }
        for (at, edge) in template.edges.iter().enumerate() {
            let (from, to) = ends(edge);
            let ((location, before), (target, after)) = (phases[from], phases[to]);
            let words = match (before, after) {
                ("poll" | "check", "delayed") => "is delayed".to_owned(),
                ("poll", _) if on_device => match &locations[decided(edge)].name.name {
                    goal if **goal == *location => format!("decides to stay in {goal}"),
                    goal => format!("decides for {goal}"),
                },
                ("poll", _) => "polls".to_owned(),
                ("check", _) => "is not delayed".to_owned(),
                _ if location == target && on_device => format!("stays in {location}"),
                _ if location == target => format!("ends its cycle, stays in {location}"),
                _ if on_device => format!("goes on: {location} -> {target}"),
                _ => format!("ends its cycle: {location} -> {target}"),
            };
            wording.edges.insert((index, at), words);
            if after == "delayed" {
                wording.delays.insert((index, at));
            }
            // On a device, it is the device that has the cycle.
            let phase = match (before, after) {
                _ if on_device => continue,
                ("poll", _) => Phase::Begins,
                (_, "poll") => Phase::Ends,
                _ => Phase::Continues,
            };
            wording.phases.insert((index, at), phase);
        }
    }

    /// A device's edges connect its phases in a circle: poll, compute, a turn for each node, write, and each node again.
    fn tell_of_device(&self, wording: &mut Wording, index: usize, device: usize, template: &Template) {
        let nodes = self.selection.nodes_of(device);
        let name = |at: usize| &self.names.nodes[&nodes[at]];
        let write = 2 + nodes.len();
        for at in 0..template.locations.len() {
            let words = match at {
                0 => "about to poll".to_owned(),
                1 => "has polled".to_owned(),
                _ if at < write => format!("about to let {} decide", name(at - 2)),
                _ if at == write => "about to write".to_owned(),
                _ => format!("about to let {} go on", name(at - write - 1)),
            };
            wording.locations.insert((index, at), words);
        }
        let last = template.edges.len() - 1;
        for at in 0..template.edges.len() {
            let phase = match at {
                0 => Phase::Begins,
                _ if at == last => Phase::Ends,
                _ => Phase::Continues,
            };
            wording.phases.insert((index, at), phase);
            let words = match at {
                0 => "polls".to_owned(),
                1 => "computes".to_owned(),
                _ if at < write => format!("lets {} decide", name(at - 2)),
                _ if at == write => "ends the cycle: writes".to_owned(),
                _ => format!("lets {} go on", name(at - write - 1)),
            };
            wording.edges.insert((index, at), words);
        }
    }

    /// One edge for each value.
    fn tell_of_driver(&self, wording: &mut Wording, index: usize, signal: Signal) {
        let domain = self.selection.system.port(signal).domain;
        wording.names.insert(self.names.drivers[&signal].clone(), "environment".to_owned());
        wording.locations.insert((index, 0), String::new());
        for (at, value) in (domain.low..=domain.high).enumerate() {
            let value = self.value_text(domain.kind, value);
            wording.edges.insert((index, at), format!("{} = {value}", self.signal_text(signal)));
        }
    }

    fn tell_of_observer(&self, wording: &mut Wording, index: usize, property: usize, template: &Template) {
        use super::observer::{HOLDING, VIOLATED, WAITING, WATCHING};
        let (observer, name) =
            (&self.names.observers[&property], &self.selection.system.properties[property].name.name);
        wording.names.insert(observer.clone(), name.to_string());
        wording.names.insert(super::declarations::observer_clock(observer), format!("{name}.time"));
        for (at, words) in [
            (WATCHING, "watches for its condition"),
            (HOLDING, "its condition holds"),
            (WAITING, "the answer is due"),
            (VIOLATED, "violated"),
        ] {
            wording.locations.insert((index, at), words.to_owned());
        }
        for (at, edge) in template.edges.iter().enumerate() {
            let words = match ends(edge) {
                (WATCHING, HOLDING) => "the condition holds",
                (HOLDING, WATCHING) => "the condition does not hold any more",
                (HOLDING, WAITING) => "it has lasted long enough: now the answer is due",
                (WAITING, WATCHING) => "there is the answer",
                (WAITING, VIOLATED) => "too late: the property is violated",
                _ => continue,
            };
            wording.edges.insert((index, at), words.to_owned());
        }
    }
}

/// The locations that an edge connects.
pub(super) fn ends(edge: &Edge) -> (usize, usize) {
    let end = |node| match node {
        Node::Location(index) => index,
        Node::Branchpoint(_) => unreachable!("the translation makes no branch points"),
    };
    (end(edge.source), end(edge.target))
}

/// The location that a node on a device decides for: the first thing that such an edge writes down.
fn decided(edge: &Edge) -> usize {
    let Some(ExprKind::Assign(_, _, value)) = edge.update.first().map(|update| &update.kind) else {
        unreachable!("decisions are written down")
    };
    let ExprKind::Int(target) = value.kind else { unreachable!("locations are numbers") };
    target as usize
}
