//! From the typed model to the flat network.
//!
//! Two passes. First everything is *declared*: constants are computed in order, templates instantiated, and every variable, clock, channel and location
//! of every process gets its number. Then everything is *compiled*: invariants, guards, synchronisations and updates become code and clock
//! constraints. Only the second pass needs addresses of variables, and by then the size of the state is known, so no address is ever
//! patched. Errors do not stop the build: what cannot be built is left out, and the network is withheld at the end.

mod assign;
mod asymmetry;
mod conjunction;
mod constants;
mod declare;
mod edges;
mod effects;
mod features;
pub(crate) mod formula;
mod functions;
mod instantiate;
pub(crate) mod layout;
pub mod limits;
mod lint;
mod locations;
mod lower;
pub(crate) mod names;
pub(crate) mod place;
pub(crate) mod report;
mod symmetry;
mod sync;
pub(crate) mod walk;

pub(crate) use declare::is_const;
pub(crate) use effects::clock_effects;
pub use names::Names;

use crate::code::emit::Emitter;
use crate::code::{Program, Segment};
use crate::network::{
    Channel, Clock, ClockEffect, Edge, Features, Location, LocationId, Network, Process, ProcessId,
    RangeViolation, Variable,
};
use crate::symmetry::Symmetries;
use functions::Activation;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{Expr, Format, FunctionId, Model, Name, SymbolId, TemplateId};
use guidepost_language::source::Span;
use names::{Binding, Frames};
use report::Reporter;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A model under construction; also the context in which queries are compiled.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about where we are")]
pub(crate) struct Builder<'m> {
    pub(crate) model: &'m Model,
    pub(crate) report: Reporter,
    pub(crate) names: Arc<Names>,
    pub(crate) program: Program,
    /// Functions that have been compiled into the segment: by id, and by process for those of templates.
    functions: BTreeMap<(FunctionId, Option<u32>), usize>,
    frames: Frames,
    variables: Vec<Variable>,
    clocks: Vec<Clock>,
    channels: Vec<Channel>,
    instances: Vec<instantiate::Instance>,
    location_count: u32,
    /// Labels of locations.
    pub(crate) labels: Vec<(Name, ProcessId, u32)>,
    edges: Vec<edges::PendingEdge>,
    /// Whether a guard held for some process and choice, by its place.
    satisfiable: BTreeMap<Span, bool>,
    branch_noted: bool,
    /// Whether a template changes a parameter that is passed by value.
    changed_parameters: BTreeMap<(TemplateId, SymbolId), bool>,
    /// How scalar sets come into names.
    scalars: symmetry::ScalarNotes,
    // ---- where we are
    /// The process whose names are visible.
    process: Option<u32>,
    /// The process that functions of templates are compiled for.
    instance: Option<u32>,
    /// Binders and names of functions; in the first pass also those of the process that is being declared.
    locals: Vec<(SymbolId, Binding)>,
    activation: Activation,
    /// Conditions not yet known between here and the evaluation.
    conditional: u32,
    /// Only constants may be read.
    constant_only: bool,
    /// An initial value is being computed: variables have theirs already.
    initialising: bool,
    /// How often the current expression is repeated by expanded quantifiers.
    expansion: u64,
    /// A query is being compiled.
    pub(crate) query: bool,
}

/// Builds the network of a model.
///
/// Returns the messages about the model, and the network unless there were errors. Never panics on a model, whatever it contains;
/// a model that the front end found errors in gives no network.
pub fn build(model: &Model) -> (Option<Network>, Diagnostics) {
    let mut builder = Builder::new(model);
    builder.instantiate_all();
    builder.start_compiling();
    let network = builder.compile();
    builder.warn_unsatisfiable();
    let complete = !builder.report.failed;
    if complete {
        builder.lint(&network);
    }
    (complete.then_some(network), builder.report.diagnostics)
}

impl<'m> Builder<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self {
            model,
            report: Reporter::default(),
            names: Arc::default(),
            program: Program::default(),
            functions: BTreeMap::new(),
            frames: Frames::new(),
            variables: Vec::new(),
            clocks: vec![Clock { name: "0".to_owned(), initial: 0 }],
            channels: Vec::new(),
            instances: Vec::new(),
            location_count: 0,
            labels: Vec::new(),
            edges: Vec::new(),
            satisfiable: BTreeMap::new(),
            branch_noted: false,
            changed_parameters: BTreeMap::new(),
            scalars: symmetry::ScalarNotes::default(),
            process: None,
            instance: None,
            locals: Vec::new(),
            activation: Activation::OUTSIDE,
            conditional: 0,
            constant_only: false,
            initialising: false,
            expansion: 1,
            query: false,
        }
    }

    /// A context for compiling a query, with the given text, of a finished network. Its program has the memory of the network, and a segment
    /// of its own.
    pub(crate) fn for_query(model: &'m Model, network: &Network, text: &str) -> Self {
        let mut builder = Self::new(model);
        builder.names = Arc::clone(&network.names);
        builder.frames.clone_from(&network.names.frames);
        builder.program.memory = network.program.memory.clone();
        builder.program.segment = Segment::for_query(text, &network.program.memory);
        for (index, location) in network.locations.iter().enumerate() {
            for label in &location.labels {
                builder.labels.push((label.as_str().into(), location.process, index as u32));
            }
        }
        builder.query = true;
        builder
    }

    /// A context for computing types and constants of a finished network.
    pub(crate) fn for_types(model: &'m Model, network: &Network) -> Self {
        Self { query: false, ..Self::for_query(model, network, "") }
    }

    /// What has been compiled for a query: its segment, with the cells that it has got.
    pub(crate) fn into_segment(self) -> Segment {
        let Program { mut segment, memory } = self.program;
        let own = segment.base as usize - memory.state_size();
        segment.cells = memory.scratch[own..].to_vec();
        segment
    }

    /// The names, while they are being declared.
    fn names_mut(&mut self) -> &mut Names {
        Arc::make_mut(&mut self.names)
    }

    /// Computes something where the names of a process are visible, and some more that stand for numbers.
    pub(crate) fn within<T>(
        &mut self,
        process: Option<u32>,
        values: impl IntoIterator<Item = (SymbolId, i32)>,
        compute: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.process = process;
        self.instance = process;
        self.locals = values.into_iter().map(|(symbol, value)| (symbol, Binding::Value(value))).collect();
        let result = compute(self);
        self.locals.clear();
        self.process = None;
        self.instance = None;
        result
    }

    /// A new label or query begins: cells for loops and results can be used again.
    pub(crate) fn outside_functions(&mut self) {
        self.activation = Activation::OUTSIDE;
    }

    /// The locations of every process.
    pub(crate) fn location_ranges(&self) -> Vec<std::ops::Range<u32>> {
        let range =
            |names: &names::ProcessNames| names.first_location..names.first_location + names.location_count;
        self.names.processes.iter().map(range).collect()
    }

    /// The size of the state is known: from now on addresses are final. Constants stay where they are, behind the state.
    fn start_compiling(&mut self) {
        let bounds = self.variables.iter().map(|variable| (variable.min, variable.max)).collect();
        self.program = Program::new(self.instances.len() as u32, bounds, &self.program.memory.scratch);
        self.names_mut().constants = self.program.state_size() as u32;
        self.functions.clear();
        self.frames.clear();
        self.activation = Activation::OUTSIDE;
    }

    fn compile(&mut self) -> Network {
        let model = self.model;
        let internal_priority = self.channel_priorities();
        let mut hook_effects = Vec::new();
        let before_update = self.hook(&model.before_update, &mut hook_effects);
        let after_update = self.hook(&model.after_update, &mut hook_effects);
        let mut locations = Vec::new();
        for index in 0..self.instances.len() as u32 {
            let template = model.template(self.instances[index as usize].template);
            self.process = Some(index);
            self.instance = Some(index);
            self.locations(ProcessId(index), template, &mut locations);
            self.edges(ProcessId(index), template);
            self.process = None;
            self.instance = None;
        }
        let vectors = self.vectors();
        let edges = self.settle();
        let mut network = Network {
            initial_fractions: Vec::new(),
            processes: Vec::new(),
            locations,
            edges: Vec::new(),
            clocks: std::mem::take(&mut self.clocks),
            variables: std::mem::take(&mut self.variables),
            channels: std::mem::take(&mut self.channels),
            vectors,
            program: Program::default(),
            range_violation: match model.format {
                Format::Tck => RangeViolation::Disables,
                _ => RangeViolation::Error,
            },
            before_update,
            after_update,
            hook_effects,
            internal_priority,
            features: Features::default(),
            symmetries: Symmetries::default(),
            names: Arc::default(),
            wording: model.wording.clone(),
        };
        self.arrange(&mut network, edges);
        if !self.report.failed {
            network.refresh_features();
            network.symmetries = self.symmetries(&network);
        }
        network.program = std::mem::take(&mut self.program);
        network.features.costs |= network.program.pays();
        if !self.report.failed && self.model.scalar_sets == 0 {
            network.symmetries.found = crate::symmetry::find(&network);
        }
        self.names_mut().frames = std::mem::take(&mut self.frames);
        network.names = Arc::clone(&self.names);
        network
    }

    /// Code that runs around every transition.
    fn hook(&mut self, exprs: &[Expr], effects: &mut Vec<ClockEffect>) -> Option<crate::code::Code> {
        self.outside_functions();
        let terms: Vec<_> = exprs.iter().filter_map(|expr| self.value(expr)).collect();
        effects.extend(effects::clock_effects(&terms, &self.program.segment.units));
        (!terms.is_empty()).then(|| Emitter::new(&mut self.program).update(&terms))
    }

    /// Sorts the edges by source and fills in all ranges.
    fn arrange(&mut self, network: &mut Network, mut edges: Vec<Edge>) {
        edges.sort_by_key(|edge| edge.source);
        let position = |location: u32| edges.partition_point(|edge| edge.source.0 < location) as u32;
        for (index, location) in network.locations.iter_mut().enumerate() {
            location.outgoing = position(index as u32)..position(index as u32 + 1);
        }
        for (instance, names) in self.instances.iter().zip(&self.names.processes) {
            let template = self.model.template(instance.template);
            let locations = names.first_location..names.first_location + names.location_count;
            network.processes.push(Process {
                name: instance.name.clone(),
                template: instance.template.0,
                edges: position(locations.start)..position(locations.end),
                initial: LocationId(names.first_location + template.initial as u32),
                locations,
                priority: instance.priority,
            });
        }
        network.edges = edges;
    }
}

/// An empty location to start from.
pub(crate) fn bare_location(process: ProcessId, name: &str, origin: u32) -> Location {
    Location {
        process,
        name: name.to_owned(),
        kind: crate::network::LocationKind::Normal,
        data_invariant: Vec::new(),
        clock_invariant: Vec::new(),
        rates: Vec::new(),
        cost_rate: None,
        outgoing: 0..0,
        labels: Vec::new(),
        origin,
    }
}
