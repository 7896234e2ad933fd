//! Devices, nodes and their wires.

use super::constants::Domain;
use super::resolve::Resolver;
use super::{Cycle, Device, Node, Signal};
use crate::syntax::{self, Symbol};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::source::Span;
use guidepost_language::suggest;
use guidepost_language::syntax::Ident;

impl Resolver<'_> {
    pub(super) fn devices(&mut self, devices: &[syntax::Device], programs: &[syntax::Program]) {
        let mut instances: Vec<(usize, &syntax::Node)> = Vec::new();
        for device in devices {
            let cycle = self.cycle(device);
            let at = self.system.devices.len();
            let mut nodes = Vec::new();
            for node in &device.nodes {
                let Some(program) = self.program_named(&node.program) else {
                    self.is_incomplete = true;
                    continue;
                };
                let index = self.system.nodes.len();
                self.nodes.insert(node.name.name.clone(), index);
                nodes.push(index);
                instances.push((index, node));
                self.system.nodes.push(Node {
                    name: node.name.clone(),
                    program,
                    device: at,
                    wires: Vec::new(),
                });
            }
            let cycle = cycle.unwrap_or(Cycle { least: 0, most: 1, settled: false });
            self.system.devices.push(Device { name: device.name.clone(), cycle, nodes });
        }
        // Wires may lead to nodes that are declared later.
        for (index, node) in instances {
            self.system.nodes[index].wires = self.wires(index, node);
        }
        if devices.iter().all(|device| device.nodes.is_empty()) && !self.is_incomplete {
            let span = programs.first().map_or_else(Span::default, |program| program.name.span);
            let diagnostic = Diagnostic::new(Code::MissingSystem, span, "there are no nodes");
            self.out.push(diagnostic.hint("`node NAME : PROGRAM(…) cycle …;` makes one from a program"));
        }
        if !self.is_incomplete {
            self.warn_of_unused(devices, programs);
        }
    }

    fn warn_of_unused(&mut self, devices: &[syntax::Device], programs: &[syntax::Program]) {
        let nodes: Vec<_> = devices.iter().flat_map(|device| &device.nodes).collect();
        for program in programs {
            if !nodes.is_empty() && !nodes.iter().any(|node| node.program.name == program.name.name) {
                let message = format!("no node runs the program `{}`", program.name.name);
                self.out.push(Diagnostic::new(Code::UnusedTemplate, program.name.span, message));
            }
        }
    }

    fn program_named(&mut self, name: &Ident) -> Option<usize> {
        if let Some(program) = self.programs.get(&name.name) {
            return *program;
        }
        if !self.has_lost("program") {
            let names = self.programs.keys().map(|name| &**name);
            let near = suggest::nearest(&name.name, names).map(str::to_owned);
            self.unknown(Code::UnknownName, "program", name, near);
        }
        None
    }

    fn cycle(&mut self, device: &syntax::Device) -> Option<Cycle> {
        let Some(cycle) = &device.cycle else {
            let name = device.name.as_ref().or(device.nodes.first().map(|node| &node.name))?;
            let message = format!("`{}` does not say how long its cycle takes", name.name);
            let diagnostic = Diagnostic::new(Code::BadCycle, name.span, message);
            self.out.push(diagnostic.hint("write `cycle TIME`, the longest time between two polls"));
            return None;
        };
        let least = cycle.least.as_ref().map(|least| (self.time(least), least.span));
        let most = self.time(&cycle.most)?;
        if most == 0 {
            let message = "a cycle takes some time";
            self.out.push(Diagnostic::new(Code::BadCycle, cycle.most.span, message));
            return None;
        }
        let least = match least {
            None => 0,
            Some((Some(least), span)) if least > most => {
                let message = format!("no cycle takes at least {least} and at most {most}");
                self.out.push(Diagnostic::new(Code::BadCycle, span.to(cycle.most.span), message));
                return None;
            }
            Some((least, _)) => least?,
        };
        Some(Cycle { least, most, settled: cycle.settled })
    }

    /// The signal behind each input of a node; an input that is not connected is reported.
    fn wires(&mut self, index: usize, node: &syntax::Node) -> Vec<Signal> {
        let program = self.system.nodes[index].program;
        let ports = self.system.programs[program].inputs.clone();
        let mut wires: Vec<Option<Signal>> = vec![None; ports.len()];
        for (at, (input, symbol)) in node.wires.iter().enumerate() {
            let Some(port) = ports.iter().position(|port| port.name.name == input.name) else {
                let near = suggest::nearest(&input.name, ports.iter().map(|port| &*port.name.name));
                let near = near.map(str::to_owned);
                self.unknown(Code::UnknownName, "input", input, near);
                continue;
            };
            if let Some((first, _)) = node.wires[..at].iter().find(|(other, _)| other.name == input.name) {
                self.duplicate("input", input, first.span);
            }
            let Some(signal) = self.signal(symbol) else {
                wires[port] = Some(Signal::Input(0));
                continue;
            };
            let domain = self.system.port(signal).domain;
            let domains = [domain, ports[port].domain];
            if domains[0] != domains[1] && !domains.contains(&Domain::UNKNOWN) {
                let message = format!("`{}` and `{}` have different values", input.name, symbol.text());
                let diagnostic = Diagnostic::new(Code::BadWire, input.span.to(symbol.span()), message);
                let diagnostic = diagnostic.related(ports[port].name.span, "the input");
                self.out.push(diagnostic.related(self.system.port(signal).name.span, "the signal"));
            }
            wires[port] = Some(signal);
        }
        for (wire, port) in wires.iter().zip(&ports) {
            if wire.is_none() {
                let message =
                    format!("the input `{}` of `{}` is not connected", port.name.name, node.name.name);
                let diagnostic = Diagnostic::new(Code::BadWire, node.name.span, message);
                let hint = format!("write `{} := SIGNAL` between the parentheses", port.name.name);
                self.out.push(diagnostic.related(port.name.span, "the input").hint(hint));
            }
        }
        wires.into_iter().map(|wire| wire.unwrap_or(Signal::Input(0))).collect()
    }

    /// The signal that a symbol names, without a word about what is none.
    pub(super) fn find_signal(&self, symbol: &Symbol) -> Option<Signal> {
        let Some(member) = &symbol.member else {
            return self.inputs.get(&symbol.name.name).map(|input| Signal::Input(*input));
        };
        let node = *self.nodes.get(&symbol.name.name)?;
        let outputs = &self.system.program_of(node).outputs;
        let output = outputs.iter().position(|port| port.name.name == member.name)?;
        Some(Signal::Output(node, output))
    }

    fn signal(&mut self, symbol: &Symbol) -> Option<Signal> {
        let found = self.find_signal(symbol);
        if found.is_none() && !self.is_incomplete {
            let names = self.signal_names();
            let written = symbol.text();
            let near = suggest::nearest(&written, names.iter().map(String::as_str)).map(str::to_owned);
            self.unknown(Code::UnknownName, "signal", &Ident::new(written, symbol.span()), near);
        }
        found
    }

    pub(super) fn signal_names(&self) -> Vec<String> {
        let outputs = self.system.nodes.iter().flat_map(|node| {
            let ports = &self.system.programs[node.program].outputs;
            ports.iter().map(|port| format!("{}.{}", node.name.name, port.name.name))
        });
        self.inputs.keys().map(ToString::to_string).chain(outputs).collect()
    }
}
