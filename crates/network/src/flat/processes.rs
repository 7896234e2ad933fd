//! Processes become templates of their own, drawn like the ones they were made from.

use super::syntax::ident;
use super::{FlatError, Flattener};
use crate::network::{self, LocationKind};
use guidepost_language::model::Format;
use guidepost_language::source::Span;
use guidepost_language::syntax::{Drawing, Edge, Location, Node, System, SystemEntry, Template};

impl<'a> Flattener<'a> {
    /// The template of a process, without its declarations.
    pub(super) fn template(&mut self, process: u32) -> Result<(u32, Template), FlatError> {
        let network = self.network;
        let instance = &network.processes[process as usize];
        let drawn = self.drawn(instance);
        let first = instance.locations.start;
        let mut locations = Vec::new();
        for index in instance.locations.clone() {
            locations.push(self.location(process, index, drawn)?);
        }
        let mut edges: Vec<Edge> = Vec::new();
        for edge in &network.edges[instance.edges.start as usize..instance.edges.end as usize] {
            let edge = self.edge(edge, first, drawn)?;
            // Choices of `select` that make no difference.
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        let template = Template {
            name: ident(&self.processes[process as usize]),
            mentions: Vec::new(),
            name_at: drawn.and_then(|template| template.name_at),
            params: Vec::new(),
            decls: Vec::new(),
            locations,
            branchpoints: Vec::new(),
            init: Some((instance.initial.0 - first) as usize),
            edges,
            span: Span::default(),
        };
        Ok((process, template))
    }

    /// The template in the document.
    fn drawn(&self, process: &network::Process) -> Option<&'a Template> {
        let name = &self.model.templates.get(process.template as usize)?.name;
        self.document.templates.iter().find(|template| template.name.name == *name)
    }

    fn location(
        &mut self,
        process: u32,
        index: u32,
        drawn: Option<&Template>,
    ) -> Result<Location, FlatError> {
        let network = self.network;
        let location = &network.locations[index as usize];
        let origin = drawn.and_then(|template| template.locations.get(location.origin as usize));
        Ok(Location {
            name: ident(&self.locations[index as usize]),
            anonymous: origin.is_some_and(|origin| origin.anonymous),
            invariant: self.invariant(Some(process), location)?,
            exponential_rate: None,
            urgent: location.kind == LocationKind::Urgent,
            committed: location.kind == LocationKind::Committed,
            labels: location.labels.iter().map(|label| label.as_str().into()).collect(),
            drawing: origin.map_or_else(Drawing::default, |origin| origin.drawing.clone()),
            span: Span::default(),
        })
    }

    fn edge(
        &mut self,
        edge: &network::Edge,
        first: u32,
        drawn: Option<&Template>,
    ) -> Result<Edge, FlatError> {
        let scope = Some(edge.process.0);
        let guard = self.guard(scope, &edge.data_guard, &edge.clock_guard)?;
        let sync = self.sync(edge)?;
        let update = self.update(scope, edge.update)?;
        Ok(Edge {
            source: Node::Location((edge.source.0 - first) as usize),
            target: Node::Location((edge.target.0 - first) as usize),
            select: Vec::new(),
            guard,
            sync,
            update,
            probability: None,
            controllable: true,
            drawing: drawn.map_or_else(Drawing::default, |template| drawing(template, edge)),
            span: Span::default(),
        })
    }

    /// The system line: the processes in their order, which is also that of their priorities.
    pub(super) fn system(&self) -> System {
        let mut system = System::default();
        let mut last = None;
        for (index, process) in self.network.processes.iter().enumerate() {
            if self.omitted.processes[index] {
                continue;
            }
            let raises = last.is_some_and(|last| process.priority > last);
            last = Some(process.priority);
            system.processes.push(SystemEntry { name: ident(&self.processes[index]), raises });
        }
        system
    }

    /// `TChecker`'s ranges and vectors are rewritten by the writers of the language.
    pub(super) fn format(&self) -> Format {
        match self.model.format {
            Format::Tck => Format::Tck,
            _ => Format::Xta,
        }
    }
}

/// How an edge is drawn; one that goes through a branch point bends there.
fn drawing(template: &Template, edge: &network::Edge) -> Drawing {
    let Some(first) = template.edges.get(edge.origin.edge as usize) else { return Drawing::default() };
    let mut drawing = first.drawing.clone();
    let branch = edge.origin.branch.and_then(|branch| template.edges.get(branch as usize));
    if let (Some(branch), Node::Branchpoint(point)) = (branch, first.target) {
        drawing.nails.extend(template.branchpoints[point].drawing.at);
        drawing.nails.extend(&branch.drawing.nails);
        drawing.labels.extend(&branch.drawing.labels);
    }
    drawing
}
