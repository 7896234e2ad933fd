//! The edges of a process: `select` and branch points expanded, guards, synchronisations and updates compiled.

use super::Builder;
use super::conjunction::{Conjunction, alternatives};
use super::effects::clock_effects;
use super::formula::Formula;
use super::limits::MAX_EDGES;
use super::names::Binding;
use super::sync::PendingSync;
use crate::code::emit::Emitter;
use crate::code::interval::can_fault;
use crate::code::term::Term;
use crate::network::{Edge, EdgeOrigin, LocationId, ProcessId, Sync};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::model::{self, Node, SymbolId, SyncPartner, Template};
use guidepost_language::source::Span;

/// An edge of the document, joined with the branch it continues on.
struct Route<'m> {
    /// The edge and the branch.
    parts: Vec<&'m model::Edge>,
    source: usize,
    target: usize,
    origin: EdgeOrigin,
}

/// An edge whose synchronisation is not settled before all edges are known.
pub(crate) struct PendingEdge {
    pub(crate) edge: Edge,
    pub(crate) sync: PendingSync,
}

impl<'m> Builder<'m> {
    /// Compiles all edges of a process.
    pub(crate) fn edges(&mut self, process: ProcessId, template: &'m Template) {
        for route in self.routes(template) {
            let mut binders = Vec::new();
            for edge in &route.parts {
                binders.extend(edge.select.iter().copied());
            }
            let outer = std::mem::replace(&mut self.expansion, 1);
            self.select(process, &route, &binders, &mut Vec::new());
            self.expansion = outer;
            if self.edges.len() as u64 > MAX_EDGES {
                return;
            }
        }
    }

    fn routes(&mut self, template: &'m Template) -> Vec<Route<'m>> {
        let mut branches = vec![Vec::new(); template.branchpoints];
        for (index, edge) in template.edges.iter().enumerate() {
            if let Node::Branchpoint(point) = edge.source {
                branches[point].push((index as u32, edge));
            }
        }
        let mut routes = Vec::new();
        for (index, edge) in template.edges.iter().enumerate() {
            let Node::Location(source) = edge.source else { continue };
            let origin = EdgeOrigin { edge: index as u32, branch: None, span: edge.span };
            match edge.target {
                Node::Location(target) => routes.push(Route { parts: vec![edge], source, target, origin }),
                Node::Branchpoint(point) => {
                    self.note_branches(edge.span);
                    for &(index, branch) in &branches[point] {
                        let Some(target) = self.branch_target(branch) else { continue };
                        let origin = EdgeOrigin { branch: Some(index), ..origin };
                        routes.push(Route { parts: vec![edge, branch], source, target, origin });
                    }
                }
            }
        }
        routes
    }

    fn note_branches(&mut self, span: Span) {
        if !std::mem::replace(&mut self.branch_noted, true) {
            let message =
                "the branches of a branch point are explored as free choices; probabilities are ignored";
            self.report.push(Diagnostic::new(Code::BranchNote, span, message));
        }
    }

    /// The location that a branch leads to.
    fn branch_target(&mut self, branch: &model::Edge) -> Option<usize> {
        match branch.target {
            Node::Location(target) => Some(target),
            Node::Branchpoint(_) => {
                let message = "a branch leads to another branch point";
                self.report.error(Code::BadBranchpoint, branch.span, message)
            }
        }
    }

    /// Goes through all values of the select binders.
    fn select(
        &mut self,
        process: ProcessId,
        route: &Route<'m>,
        binders: &[SymbolId],
        chosen: &mut Vec<(String, i32)>,
    ) -> Option<()> {
        let Some((&binder, rest)) = binders.split_first() else {
            self.edge(process, route, chosen);
            return Some(());
        };
        let symbol = self.model.symbol(binder);
        let (low, high) = self.domain(&symbol.ty, symbol.span)?;
        let count = (i64::from(high) - i64::from(low) + 1) as u64;
        let outer = self.expansion;
        self.expansion = outer.saturating_mul(count);
        if self.expansion + self.edges.len() as u64 > MAX_EDGES {
            self.expansion = outer;
            return self.report.error(Code::TooLarge, symbol.span, "the select expands to too many edges");
        }
        for value in low..=high {
            self.locals.push((binder, Binding::Value(value)));
            chosen.push((symbol.name.to_string(), value));
            let done = self.select(process, route, rest, chosen);
            chosen.pop();
            self.locals.pop();
            if done.is_none() {
                break;
            }
        }
        self.expansion = outer;
        Some(())
    }

    /// Compiles the edge for one choice of the select binders.
    fn edge(&mut self, process: ProcessId, route: &Route<'m>, chosen: &[(String, i32)]) {
        let expansion = std::mem::replace(&mut self.expansion, 1);
        let done = self.compile_edge(process, route, chosen);
        self.expansion = expansion;
        // Errors of one choice repeat in the next; the reporter keeps each once.
        self.report.failed |= done.is_none();
    }

    fn compile_edge(
        &mut self,
        process: ProcessId,
        route: &Route<'m>,
        chosen: &[(String, i32)],
    ) -> Option<()> {
        self.outside_functions();
        let mut guards = self.guard(route)?;
        if guards.is_empty() {
            let sync = route.parts[0].sync.as_ref();
            if !sync.is_some_and(|sync| matches!(sync.partner, SyncPartner::Vector(_))) {
                return Some(());
            }
            // A weak participant of a vector that has an edge must take part: one that cannot be taken blocks the others.
            guards.push(Conjunction { data: vec![Term::Const(0)], ..Conjunction::default() });
        }
        let sync = match &route.parts[0].sync {
            Some(sync) => self.sync(sync),
            None => Some(PendingSync::Settled(Sync::Internal)),
        };
        let update = self.edge_update(route);
        let (sync, terms) = (sync?, update?);
        if let PendingSync::Fault(fault) = &sync {
            for guard in &mut guards {
                guard.data.push(fault.clone());
            }
        }
        let first = self.names.processes[process.index()].first_location;
        let update = (!terms.is_empty()).then(|| Emitter::new(&mut self.program).update(&terms));
        let clock_effects = clock_effects(&terms, &self.program.segment.units);
        for guard in guards {
            let data_guard = self.condition_codes(&guard.data);
            let clock_guard = self.constraints(&guard.clocks)?;
            let edge = Edge {
                process,
                source: LocationId(first + route.source as u32),
                target: LocationId(first + route.target as u32),
                data_guard,
                clock_guard,
                sync: Sync::Internal,
                update,
                clock_effects: clock_effects.clone(),
                select: chosen.to_vec(),
                origin: route.origin,
            };
            self.edges.push(PendingEdge { edge, sync: sync.clone() });
        }
        if self.edges.len() as u64 > MAX_EDGES {
            return self.report.error(Code::TooLarge, route.origin.span, "the model has too many edges");
        }
        Some(())
    }

    /// The guard as alternatives; none when it is known never to hold.
    fn guard(&mut self, route: &Route<'m>) -> Option<Vec<Conjunction>> {
        let mut formulas = Vec::new();
        let mut spans = Vec::new();
        for guard in route.parts.iter().filter_map(|edge| edge.guard.as_ref()) {
            formulas.push(self.formula(guard, true)?);
            spans.push(guard.span);
        }
        let Some(mut guards) = alternatives(Formula::and(formulas), &Term::Const(1)) else {
            let message = "the guard has too many alternatives over clocks";
            return self.report.error(Code::TooLarge, route.origin.span, message);
        };
        guards.retain(|guard| !guard.never_holds());
        for span in spans {
            *self.satisfiable.entry(span).or_default() |= !guards.is_empty();
        }
        Some(guards)
    }

    fn edge_update(&mut self, route: &Route<'m>) -> Option<Vec<Term>> {
        let items = route.parts.iter().flat_map(|edge| &edge.update);
        let lowered: Vec<Option<Term>> = items.map(|item| self.value(item)).collect();
        let mut terms = lowered.into_iter().collect::<Option<Vec<Term>>>()?;
        // Terms without an effect have none to run, unless they can fail.
        terms.retain(|term| !matches!(term, Term::Const(_) | Term::Load(_)) || can_fault(term));
        Some(terms)
    }

    /// Warns about guards that hold in no process and for no choice.
    pub(crate) fn warn_unsatisfiable(&mut self) {
        let never: Vec<Span> =
            self.satisfiable.iter().filter(|(_, holds)| !**holds).map(|(span, _)| *span).collect();
        for span in never {
            self.report.push(Diagnostic::new(Code::NeverHolds, span, "this guard never holds"));
        }
    }
}
