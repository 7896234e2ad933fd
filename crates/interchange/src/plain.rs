//! From a model, by way of its flat network, to a system.

use crate::channels::Use;
use crate::names::Taken;
use crate::system::{At, Edge, Expr, Location, NEITHER, Process, Refusal, Result, System, refuse};
use crate::variables::Object;
use guidepost_language::Loaded;
use guidepost_language::syntax::{self, Document, Name, Node};
use guidepost_network::Network;
use guidepost_network::flat::{Flattener, Omitted};
use std::collections::HashMap;

/// What formats differ in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Abilities {
    /// Variables can be arrays.
    pub(crate) arrays: bool,
    /// A process can stay out of a vector where it has no edge with the event.
    pub(crate) weak: bool,
}

pub(crate) struct Translator<'a> {
    document: &'a Document,
    pub(crate) arrays: bool,
    pub(crate) system: System,
    pub(crate) taken: Taken,
    pub(crate) objects: HashMap<(Option<usize>, Name), Object>,
    pub(crate) process_names: Vec<String>,
    /// The process whose names are visible.
    pub(crate) scope: Option<usize>,
    /// Values of binders and parameters.
    pub(crate) locals: Vec<(Name, Expr)>,
    pub(crate) depth: usize,
    /// What edges do on channels: by process and edge of the system.
    pub(crate) uses: Vec<(usize, usize, Use)>,
}

impl System {
    /// The system that a model describes.
    ///
    /// # Errors
    /// What other tools have no words for.
    pub(crate) fn with(
        name: &str,
        loaded: &Loaded,
        network: &Network,
        abilities: Abilities,
    ) -> Result<System> {
        if loaded.model.chooses_start {
            return refuse("a process with several initial locations");
        }
        let flattener = Flattener::new(network, &loaded.model, &loaded.document, Omitted::nothing(network));
        let flat = flattener.finish().map_err(|error| Refusal {
            what: error.to_string(),
            place: String::new(),
            format: NEITHER,
        })?;
        translate(name, &flat.document, abilities)
    }
}

/// The system of a flat document.
fn translate(name: &str, document: &Document, abilities: Abilities) -> Result<System> {
    let mut taken = Taken::default();
    let process_names = document.templates.iter().map(|template| taken.fresh(&template.name.name)).collect();
    let mut translator = Translator {
        document,
        arrays: abilities.arrays,
        system: System { name: Taken::default().fresh(name), ..System::default() },
        taken,
        objects: HashMap::new(),
        process_names,
        scope: None,
        locals: Vec::new(),
        depth: 0,
        uses: Vec::new(),
    };
    translator.declare(&document.decls)?;
    translator.declare(&document.system.decls)?;
    if document.system.processes.iter().any(|process| process.raises) {
        return refuse("a priority of processes");
    }
    for (index, template) in document.templates.iter().enumerate() {
        translator.scope = Some(index);
        translator.process(index, template).at(|| format!("process `{}`", template.name.name))?;
    }
    translator.synchronise(abilities.weak)?;
    Ok(translator.system)
}

impl Translator<'_> {
    /// What a name stands for here.
    pub(crate) fn object(&self, name: &Name) -> Option<&Object> {
        let own = self.scope.and_then(|_| self.objects.get(&(self.scope, name.clone())));
        own.or_else(|| self.objects.get(&(None, name.clone())))
    }

    pub(crate) fn vectors(&self) -> &[syntax::SyncVector] {
        &self.document.vectors
    }

    fn process(&mut self, index: usize, template: &syntax::Template) -> Result<()> {
        self.declare(&template.decls)?;
        let mut names = Taken::default();
        let mut locations = Vec::new();
        for location in &template.locations {
            let invariant = self
                .conjunction(location.invariant.as_ref())
                .at(|| format!("the invariant of `{}`", location.name.name))?;
            let name = names.fresh(&location.name.name);
            locations.push(Location {
                name,
                invariant,
                urgent: location.urgent,
                committed: location.committed,
            });
        }
        let name = self.process_names[index].clone();
        let initial = template.init.unwrap_or(0);
        self.system.processes.push(Process { name, locations, initial, edges: Vec::new() });
        for edge in &template.edges {
            let ends = |node: Node| match node {
                Node::Location(at) => Ok(at),
                Node::Branchpoint(_) => refuse("a branch point"),
            };
            let (source, target) = (ends(edge.source)?, ends(edge.target)?);
            let place = || {
                format!(
                    "the edge {} -> {}",
                    template.locations[source].name.name, template.locations[target].name.name
                )
            };
            self.edge(index, source, target, edge).at(place)?;
        }
        Ok(())
    }

    fn edge(&mut self, process: usize, source: usize, target: usize, edge: &syntax::Edge) -> Result<()> {
        if !edge.select.is_empty() {
            return refuse("a selection");
        }
        let guard = self.conjunction(edge.guard.as_ref())?;
        let update = self.update(&edge.update)?;
        for (more, used) in self.channel(edge.sync.as_ref())? {
            let mut guard = guard.clone();
            guard.extend(more);
            let edges = &mut self.system.processes[process].edges;
            let number = edges.len();
            edges.push(Edge { source, target, event: None, guard, update: update.clone() });
            self.uses.extend(used.map(|used| (process, number, used)));
        }
        Ok(())
    }
}
