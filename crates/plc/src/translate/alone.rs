//! A node with a cycle of its own: one automaton.
//!
//! A location `L` without a delay becomes `L_poll`, where the node is about to poll, and `L_react`, where it has polled and will go where the inputs lead.
//! With a delay there are two more: in `L_check` it has polled and looks whether the delay is still in force; if so it is `L_delayed`
//! until the cycle ends. Outputs are written when the cycle ends, which is when the node comes to the `_poll` of the next location.

use super::expression::Held;
use super::layout::{self, Row};
use super::{Translator, build};
use crate::system::{Location, Table};
use guidepost_language::source::Span;
use guidepost_language::syntax::{Edge, Expr, Template};

impl Translator<'_> {
    pub(super) fn node_alone(&self, node: usize) -> Template {
        let system = self.selection.system;
        let device = system.nodes[node].device;
        let program = system.program_of(node);
        let mut template = Self::template_for(&self.names.nodes[&node], &system.nodes[node].name);
        let mut rows = Vec::new();
        for (index, location) in program.locations.iter().enumerate() {
            let span = location.name.span;
            let first = template.locations.len();
            for (phase, name) in self.phase_names(node, index).into_iter().enumerate() {
                let invariant = Some(self.in_cycle(device, phase == 0, span));
                template
                    .locations
                    .push(guidepost_language::syntax::Location { invariant, ..build::location(name, span) });
            }
            rows.push(Row::new(first, template.locations.len() - first));
        }
        template.init = Some(rows[program.initial].poll());
        for (index, location) in program.locations.iter().enumerate() {
            template.edges.extend(self.cycle_of(node, index, location, &rows));
        }
        layout::rows(&mut template, &rows);
        template
    }

    /// The phases of a location, in the order of the template's locations.
    pub(super) fn phases_of(&self, node: usize, location: usize) -> &'static [&'static str] {
        let location = &self.selection.system.program_of(node).locations[location];
        match (&location.delay, self.names.run.contains_key(&node)) {
            (None, _) => &["poll", "react"],
            (Some(_), true) => &["poll", "react", "delayed"],
            (Some(_), false) => &["poll", "react", "delayed", "check"],
        }
    }

    /// The names of these phases.
    pub(super) fn phase_names(&self, node: usize, location: usize) -> Vec<String> {
        let name = &self.selection.system.program_of(node).locations[location].name.name;
        self.phases_of(node, location).iter().map(|phase| format!("{name}_{phase}")).collect()
    }

    fn cycle_of(&self, node: usize, index: usize, location: &Location, rows: &[Row]) -> Vec<Edge> {
        let device = self.selection.system.nodes[node].device;
        let (row, span) = (rows[index], location.name.span);
        let polled = if location.delay.is_some() { row.check() } else { row.react() };
        let mut edges = vec![Edge {
            guard: self.may_poll(device, span),
            update: self.copies(node, span),
            ..build::edge(row.poll(), polled, span)
        }];
        edges.extend(self.checks(node, location, row));
        for (target, to) in rows.iter().enumerate() {
            let possible =
                location.targets.possible(|input| self.selection.sees(node, input), |cell| *cell == target);
            let span = location.span_of(target);
            for cube in possible.cubes() {
                let mut tests = self.cube(node, &cube, span);
                tests.extend(self.may_end(device, span));
                edges.push(Edge {
                    guard: build::all(tests),
                    update: self.end_of_cycle(node, index, target, span),
                    ..build::edge(row.react(), to.poll(), span)
                });
            }
        }
        edges
    }

    /// The edges of a location with a delay: to look whether it is in force, and to sit it out.
    fn checks(&self, node: usize, location: &Location, row: Row) -> Vec<Edge> {
        let Some(delay) = &location.delay else { return Vec::new() };
        let device = self.selection.system.nodes[node].device;
        let sees = |input: usize| self.selection.sees(node, input);
        let mut edges = Vec::new();
        let mut check = |table: Table<bool>, held: Option<Expr>, target: usize| {
            for cube in table.cubes() {
                let tests = self.cube(node, &cube, delay.span).into_iter().chain(held.clone());
                edges.push(Edge { guard: build::all(tests), ..build::edge(row.check(), target, delay.span) });
            }
        };
        let (ignored, heeded) = (
            delay.ignored.possible(sees, |ignored| *ignored),
            delay.ignored.possible(sees, |ignored| !ignored),
        );
        // Where the input may be one that is heeded, the node may react whatever the clock says.
        check(ignored.without(&heeded), self.held(node, location, Held::Long), row.react());
        check(heeded, None, row.react());
        check(ignored, self.held(node, location, Held::Short), row.delayed());
        let cycle = &self.names.cycle[&device];
        edges.push(Edge {
            guard: self.may_end(device, delay.span),
            update: vec![build::reset(cycle, delay.span)],
            ..build::edge(row.delayed(), row.poll(), delay.span)
        });
        edges
    }

    fn end_of_cycle(&self, node: usize, from: usize, to: usize, span: Span) -> Vec<Expr> {
        let changes = self.changes(node, from, to);
        let kind = |signal| self.selection.system.port(signal).domain.kind;
        let write = |(signal, value): &(_, i32)| {
            build::assign(&self.names.signals[signal], self.value(*value, kind(*signal), span))
        };
        let mut update: Vec<Expr> = changes.iter().map(write).collect();
        update.push(build::reset(&self.names.cycle[&self.selection.system.nodes[node].device], span));
        update.extend(self.restart(node, from, to, span));
        update.extend(self.note(node, from, to, span));
        update.extend(self.unsettle(changes.iter().map(|(signal, _)| *signal), span));
        update
    }
}
