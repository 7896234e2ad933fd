//! A device: the cycle that its nodes share.
//!
//! `Poll` copies the inputs of all nodes; some time later, from `Compute` on, the nodes run one after the other in no time (`Run_…`); `Write` takes
//! the rest of the cycle, and ends it by writing all outputs at once and letting the nodes move (`Move_…`).

use super::{Translator, build, layout};
use crate::system::Signal;
use guidepost_language::source::Span;
use guidepost_language::syntax::{Edge, Expr, Location, Template};

impl Translator<'_> {
    pub(super) fn device(&self, device: usize) -> Template {
        let nodes = self.selection.nodes_of(device);
        let author = &self.selection.system.devices[device].name;
        let span = author.as_ref().map_or_else(Span::default, |name| name.span);
        let mut template = build::template(&self.names.devices[&device], span);
        let place = |name: String, committed: bool| Location {
            invariant: Some(self.in_cycle(device, name == "Poll", span)),
            committed,
            ..build::location(name, span)
        };
        template.locations.push(place("Poll".into(), false));
        template.locations.push(place("Compute".into(), false));
        let turn = |phase: &str, node: &usize| place(format!("{phase}_{}", self.names.nodes[node]), true);
        template.locations.extend(nodes.iter().map(|node| turn("Run", node)));
        template.locations.push(place("Write".into(), false));
        template.locations.extend(nodes.iter().map(|node| turn("Move", node)));
        template.edges = self.phases(device, &nodes, span);
        layout::circuit(&mut template, 2 + nodes.len());
        template
    }

    /// One edge from each phase to the next.
    fn phases(&self, device: usize, nodes: &[usize], span: Span) -> Vec<Edge> {
        let copies = nodes.iter().flat_map(|node| self.copies(*node, span));
        let mut edges = vec![
            Edge { guard: self.may_poll(device, span), update: copies.collect(), ..build::edge(0, 1, span) },
            build::edge(1, 2, span),
        ];
        let run = |edges: &mut Vec<Edge>| {
            for node in nodes {
                let at = edges.len();
                let sync = Some(build::receive(&self.names.run[node], span));
                edges.push(Edge { sync, ..build::edge(at, at + 1, span) });
            }
        };
        run(&mut edges);
        let write = edges.len();
        edges.push(Edge {
            guard: self.may_end(device, span),
            update: self.write(device, nodes, span),
            ..build::edge(write, write + 1, span)
        });
        run(&mut edges);
        if let Some(last) = edges.last_mut() {
            last.target = guidepost_language::syntax::Node::Location(0);
        }
        edges
    }

    fn write(&self, device: usize, nodes: &[usize], span: Span) -> Vec<Expr> {
        let outputs = |node: &usize| {
            let count = self.selection.system.program_of(*node).outputs.len();
            let node = *node;
            (0..count).map(move |output| Signal::Output(node, output))
        };
        let signals: Vec<Signal> =
            nodes.iter().flat_map(outputs).filter(|signal| self.selection.is_written(*signal)).collect();
        let publish = |signal: &Signal| {
            build::assign(&self.names.signals[signal], build::name(&self.names.new[signal], span))
        };
        let mut update: Vec<Expr> = signals.iter().map(publish).collect();
        update.push(build::reset(&self.names.cycle[&device], span));
        update.extend(self.unsettle(signals.into_iter(), span));
        update
    }
}
