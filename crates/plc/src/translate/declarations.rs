//! The variables, clocks and channels of the translated model.

use super::{Translator, build};
use crate::system::{Domain, Kind, Signal};
use guidepost_language::source::Span;
use guidepost_language::syntax::{Decl, Expr, Name, Prefix, TypeBase, TypeExpr};

impl Translator<'_> {
    pub(super) fn declarations(&self, driven: Vec<Signal>) -> Vec<Decl> {
        let mut decls = self.constants();
        for signal in driven {
            let span = self.selection.system.port(signal).name.span;
            decls.push(self.signal(&self.names.signals[&signal], signal, span));
        }
        for device in 0..self.selection.system.devices.len() {
            decls.extend(self.of_device(device));
        }
        for property in 0..self.selection.system.properties.len() {
            decls.extend(self.of_observer(property));
        }
        if let Some(hurry) = &self.names.hurry {
            let ty = build::ty(vec![Prefix::Urgent, Prefix::Broadcast], TypeBase::Chan, Span::default());
            decls.push(build::declare(ty, hurry, None, Span::default()));
        }
        decls
    }

    fn constants(&self) -> Vec<Decl> {
        let mut decls = Vec::new();
        for (index, enumeration) in self.selection.system.enumerations.iter().enumerate() {
            for (at, value) in enumeration.values.iter().enumerate() {
                let ty = build::ty(vec![Prefix::Const], TypeBase::Int(None), value.span);
                let number = build::number(at as i32, value.span);
                decls.push(build::declare(ty, &self.names.members[&(index, at)], Some(number), value.span));
            }
        }
        decls
    }

    fn of_device(&self, device: usize) -> Vec<Decl> {
        let mut decls = Vec::new();
        let nodes = self.selection.nodes_of(device);
        let Some(first) = nodes.first() else { return decls };
        let span = self.selection.system.nodes[*first].name.span;
        for clocks in [&self.names.cycle, &self.names.settled] {
            decls.extend(clocks.get(&device).map(|name| clock(name, span)));
        }
        for node in nodes {
            decls.extend(self.of_node(node));
        }
        decls
    }

    fn of_node(&self, node: usize) -> Vec<Decl> {
        let system = self.selection.system;
        let span = system.nodes[node].name.span;
        let program = system.program_of(node);
        let mut decls = Vec::new();
        decls.extend(self.names.held.get(&node).map(|name| clock(name, span)));
        for location in [self.names.next.get(&node), self.names.at.get(&node)].into_iter().flatten() {
            let domain = Domain { kind: Kind::Number, low: 0, high: program.locations.len() as i32 - 1 };
            decls.push(self.variable(location, domain, program.initial as i32, span));
        }
        if let Some(run) = self.names.run.get(&node) {
            decls.push(build::declare(build::ty(Vec::new(), TypeBase::Chan, span), run, None, span));
        }
        for output in 0..program.outputs.len() {
            let signal = Signal::Output(node, output);
            let names = [self.names.signals.get(&signal), self.names.new.get(&signal)];
            decls.extend(names.into_iter().flatten().map(|name| self.signal(name, signal, span)));
        }
        for (input, signal) in self.selection.seen(node) {
            if let Some(polled) = self.names.polled.get(&(node, input)) {
                decls.push(self.signal(polled, signal, span));
            }
        }
        decls
    }

    fn of_observer(&self, property: usize) -> Option<Decl> {
        let name = self.names.observers.get(&property)?;
        let span = self.selection.system.properties[property].name.span;
        Some(clock(&observer_clock(name), span))
    }

    /// A variable with the values of a signal, and its first one.
    fn signal(&self, name: &Name, signal: Signal, span: Span) -> Decl {
        self.variable(
            name,
            self.selection.system.port(signal).domain,
            self.selection.system.first_value(signal),
            span,
        )
    }

    fn variable(&self, name: &Name, domain: Domain, first: i32, span: Span) -> Decl {
        build::declare(type_of(domain, span), name, Some(self.value(first, domain.kind, span)), span)
    }
}

/// The clock of an observer.
pub(super) fn observer_clock(observer: &Name) -> Name {
    format!("{observer}_since").into()
}

fn clock(name: &Name, span: Span) -> Decl {
    build::declare(build::ty(Vec::new(), TypeBase::Clock, span), name, None, span)
}

fn type_of(domain: Domain, span: Span) -> TypeExpr {
    let bound = |value: i32| -> Expr { build::number(value, span) };
    let base = match domain.kind {
        Kind::Bool => TypeBase::Bool,
        _ => TypeBase::Int(Some(Box::new((bound(domain.low), bound(domain.high))))),
    };
    build::ty(Vec::new(), base, span)
}
