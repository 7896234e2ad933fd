//! A node on a device: the device lets it run, and later lets it go on.
//!
//! A location `L` becomes `L_poll`, where the node waits for its turn, and `L_react`, where it has decided and the variable `next` says for which
//! location; with a delay also `L_delayed`, where it has decided to wait. The device's channel `run_…` comes twice in a cycle: to decide, and to move. In between
//! the device has written the outputs.

use super::expression::Held;
use super::layout::{self, Row};
use super::{Translator, build};
use crate::system::{Location, Table};
use guidepost_language::source::Span;
use guidepost_language::syntax::{BinaryOp, Edge, Expr, Template};

impl Translator<'_> {
    pub(super) fn node_on_device(&self, node: usize) -> Template {
        let system = self.selection.system;
        let program = system.program_of(node);
        let mut template = Self::template_for(&self.names.nodes[&node], &system.nodes[node].name);
        let mut rows = Vec::new();
        for (index, location) in program.locations.iter().enumerate() {
            let first = template.locations.len();
            let names = self.phase_names(node, index).into_iter();
            template.locations.extend(names.map(|name| build::location(name, location.name.span)));
            rows.push(Row::new(first, template.locations.len() - first));
        }
        template.init = Some(rows[program.initial].poll());
        for (index, location) in program.locations.iter().enumerate() {
            template.edges.extend(self.turn_of(node, index, location, &rows));
        }
        layout::rows(&mut template, &rows);
        template
    }

    fn turn_of(&self, node: usize, index: usize, location: &Location, rows: &[Row]) -> Vec<Edge> {
        let row = rows[index];
        let mut edges = self.wait(node, location, row);
        for (target, to) in rows.iter().enumerate() {
            let decisions = self.decisions(node, index, target, row);
            if decisions.is_empty() {
                continue;
            }
            edges.extend(decisions);
            let span = location.span_of(target);
            let next = build::name(&self.names.next[&node], span);
            edges.push(Edge {
                guard: Some(build::binary(BinaryOp::Eq, next, build::number(target as i32, span))),
                sync: Some(build::send(&self.names.run[&node], span)),
                update: (self.restart(node, index, target, span).into_iter())
                    .chain(self.note(node, index, target, span))
                    .collect(),
                ..build::edge(row.react(), to.poll(), span)
            });
        }
        edges
    }

    /// The edges with which a node decides to go to `target`: at once for inputs that its delay does not ignore, else when that is over.
    fn decisions(&self, node: usize, index: usize, target: usize, row: Row) -> Vec<Edge> {
        let location = &self.selection.system.program_of(node).locations[index];
        let sees = |input: usize| self.selection.sees(node, input);
        let possible = location.targets.possible(sees, |cell| *cell == target);
        let span = location.span_of(target);
        let Some(delay) = &location.delay else {
            return self.decide(node, index, target, row, &possible, None);
        };
        let heeded = Table {
            inputs: location.targets.inputs.clone(),
            cells: location
                .targets
                .cells
                .iter()
                .zip(&delay.ignored.cells)
                .map(|(to, ignored)| *to == target && !ignored)
                .collect(),
        };
        let heeded = heeded.possible(sees, |heeded| *heeded);
        let late = self.held(node, location, Held::Long).map(|test| Expr { span, ..test });
        let mut edges = self.decide(node, index, target, row, &heeded, None);
        edges.extend(self.decide(node, index, target, row, &possible.without(&heeded), late.as_ref()));
        edges
    }

    fn decide(
        &self,
        node: usize,
        from: usize,
        target: usize,
        row: Row,
        inputs: &Table<bool>,
        late: Option<&Expr>,
    ) -> Vec<Edge> {
        let span = self.selection.system.program_of(node).locations[from].span_of(target);
        let edge = |cube| Edge {
            guard: build::all(self.cube(node, &cube, span).into_iter().chain(late.cloned())),
            sync: Some(build::send(&self.names.run[&node], span)),
            update: self.decision(node, from, target, span),
            ..build::edge(row.poll(), row.react(), span)
        };
        inputs.cubes().into_iter().map(edge).collect()
    }

    fn decision(&self, node: usize, from: usize, target: usize, span: Span) -> Vec<Expr> {
        let kind = |signal| self.selection.system.port(signal).domain.kind;
        let mut update = vec![build::assign(&self.names.next[&node], build::number(target as i32, span))];
        update.extend(self.changes(node, from, target).into_iter().map(|(signal, value)| {
            build::assign(&self.names.new[&signal], self.value(value, kind(signal), span))
        }));
        update
    }

    /// The edges of a node that its delay keeps in its location.
    fn wait(&self, node: usize, location: &Location, row: Row) -> Vec<Edge> {
        let Some(delay) = &location.delay else { return Vec::new() };
        let run = &self.names.run[&node];
        let ignored = delay.ignored.possible(|input| self.selection.sees(node, input), |ignored| *ignored);
        let short = self.held(node, location, Held::Short);
        let edge = |cube| Edge {
            guard: build::all(self.cube(node, &cube, delay.span).into_iter().chain(short.clone())),
            sync: Some(build::send(run, delay.span)),
            ..build::edge(row.poll(), row.delayed(), delay.span)
        };
        let mut edges: Vec<Edge> = ignored.cubes().into_iter().map(edge).collect();
        edges.push(Edge {
            sync: Some(build::send(run, delay.span)),
            ..build::edge(row.delayed(), row.poll(), delay.span)
        });
        edges
    }
}
