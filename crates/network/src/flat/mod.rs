//! A network written back as a model.
//!
//! A network is what a model means: templates instantiated, `select` expanded, constants folded. Once it has been changed (by an abstraction, say) people want
//! to look at it and to check it again, here or elsewhere, so it is turned into a syntax tree that the writers of the language know how to print. Every process
//! becomes a template of its own with the drawing of the one it was made from; guards, invariants, updates and queries are
//! printed from the terms that the program keeps; functions are printed from the model, once for every process that calls them. What is constant
//! is a number now: parameters and types come out as their values, scalar sets as ranges of integers (their members have
//! numbers in a network). Members of process sets get names that are identifiers: `Train(2)` is `Train_2`, and the queries say so as well.
//!
//! What has no meaning for symbolic analysis is left out: exponential rates, weights of branches, progress measures, Gantt charts.
//! What cannot be said in the language is refused by name.
//!
//! ```
//! use guidepost_network::flat::{Flattener, Omitted};
//! let text = "chan go[2]; process P(const int[0,1] id) { state A, B; init A; trans A -> B { sync go[id]!; }; } system P;";
//! let loaded = guidepost_language::load_text("example.xta", text);
//! let network = guidepost_network::build(&loaded.model).0.unwrap();
//! let nothing = Omitted::nothing(&network);
//! let flat = Flattener::new(&network, &loaded.model, &loaded.document, nothing).finish().unwrap();
//! let text = flat.to_xta().unwrap();
//! assert!(text.contains("process P_1() {"));
//! assert!(text.contains("A -> B { sync go[1]!; }"));
//! ```

mod calls;
mod conditions;
mod declarations;
mod expressions;
mod functions;
mod names;
mod objects;
mod places;
mod processes;
mod queries;
mod synchronisation;
mod syntax;
mod terms;
mod types;

use crate::build::Builder;
use crate::build::layout::Layout;
use crate::code::Segment;
use crate::network::{Network, RangeViolation};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::model::{FunctionId, Model, SymbolId};
use guidepost_language::source::SourceMap;
use guidepost_language::syntax::{Document, Expr, QueryEntry};
use guidepost_language::write;
use names::{Scope, Taken};
use objects::DeclaredObjects;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What of a network is not written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Omitted {
    /// By process: it does not run.
    pub processes: Vec<bool>,
    /// By variable: nothing mentions it. Arrays and structs are left out when all their cells are.
    pub variables: Vec<bool>,
    /// By clock.
    pub clocks: Vec<bool>,
    /// By channel.
    pub channels: Vec<bool>,
}

impl Omitted {
    /// Everything is written.
    pub fn nothing(network: &Network) -> Self {
        Self {
            processes: vec![false; network.processes.len()],
            variables: vec![false; network.variables.len()],
            clocks: vec![false; network.clocks.len()],
            channels: vec![false; network.channels.len()],
        }
    }
}

/// Why a network cannot be written as a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FlatError {
    /// The language has no words for it.
    #[error("{0} cannot be written in UPPAAL's language")]
    Inexpressible(String),
    /// Something that is written speaks of a process that is not.
    #[error("the process `{0}` is left out, but something speaks of it")]
    Omitted(String),
    /// The writer of the language refuses it.
    #[error("{0}")]
    Refused(String),
}

impl FlatError {
    fn inexpressible(what: impl Into<String>) -> Self {
        FlatError::Inexpressible(what.into())
    }
}

/// A network as a syntax tree.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The tree, ready to be written.
    pub document: Document,
    /// What a reader of the file should know: where it can behave differently from the network.
    pub notes: Vec<String>,
}

impl Flat {
    /// The model as UPPAAL's text; its queries are [`to_q`](Flat::to_q)'s business.
    ///
    /// # Errors
    /// What the language cannot say.
    pub fn to_xta(&self) -> Result<String, FlatError> {
        write::to_xta(&self.document, &SourceMap::default()).map_err(|errors| refused(&errors))
    }

    /// The model with its queries as UPPAAL's XML.
    ///
    /// # Errors
    /// What the language cannot say.
    pub fn to_xml(&self) -> Result<String, FlatError> {
        write::to_xml(&self.document, &SourceMap::default()).map_err(|errors| refused(&errors))
    }

    /// The queries as a query file.
    pub fn to_q(&self) -> String {
        write::to_q(&self.document)
    }
}

fn refused(errors: &Diagnostics) -> FlatError {
    let messages = errors.iter().map(|error| match error.label.as_str() {
        "" => error.message.clone(),
        label => format!("{}: {label}", error.message),
    });
    FlatError::Refused(messages.collect::<Vec<_>>().join("; "))
}

/// Turns a network into a syntax tree, queries first.
pub struct Flattener<'a> {
    network: &'a Network,
    model: &'a Model,
    document: &'a Document,
    omitted: Omitted,
    /// Computes types and constants of the model.
    builder: Builder<'a>,
    taken: Taken,
    objects: DeclaredObjects,
    /// What every process is called.
    processes: Vec<String>,
    /// What every location is called.
    locations: Vec<String>,
    /// What functions are called, and for which process.
    functions: BTreeMap<(FunctionId, Scope), String>,
    /// Functions that something calls.
    called: BTreeSet<(FunctionId, Scope)>,
    /// Objects that something mentions.
    mentioned: BTreeSet<usize>,
    /// Constants that had to be made up.
    made_up: declarations::MadeUp,
    queries: Vec<QueryEntry>,
    /// Whether the conditions of a goal might fail.
    asked_can_fail: bool,
    // ---- where we are
    /// The code of the goal that is being written.
    goal: Arc<Segment>,
    /// Loop variables of quantifiers, by cell.
    binders: Vec<(u32, String)>,
    /// Structs that calls return, by the cell they are copied to.
    results: Vec<(u32, Expr, Arc<Layout>)>,
    /// Names of functions and of quantifiers in the model.
    locals: Vec<(SymbolId, Local)>,
}

/// What a name of a function or quantifier stands for.
#[derive(Clone)]
enum Local {
    Named(String),
    Value(i32),
}

impl<'a> Flattener<'a> {
    /// Begins with a network, the model that it was built from, and the document of that.
    ///
    /// # Panics
    /// When `omitted` does not fit the network.
    pub fn new(network: &'a Network, model: &'a Model, document: &'a Document, omitted: Omitted) -> Self {
        assert_eq!(omitted.processes.len(), network.processes.len(), "one entry per process");
        assert_eq!(omitted.variables.len(), network.variables.len(), "one entry per variable");
        assert_eq!(omitted.clocks.len(), network.clocks.len(), "one entry per clock");
        assert_eq!(omitted.channels.len(), network.channels.len(), "one entry per channel");
        let mut taken = Taken::new(network.processes.len(), model.format);
        if network.features.costs {
            // Nobody declares the cost.
            taken.declare(None, "cost");
        }
        let mut objects = DeclaredObjects::global(network, model, &mut taken);
        let processes = network.processes.iter().map(|process| taken.declare(None, &process.name)).collect();
        let mut functions = BTreeMap::new();
        for (index, function) in model.functions.iter().enumerate() {
            if function.template.is_none() {
                let key = (FunctionId(index as u32), None);
                functions.insert(key, taken.declare(None, &function.name));
            }
        }
        objects.add_local(network, model, &mut taken);
        for (process, instance) in network.processes.iter().enumerate() {
            let own = |template: u32| template == instance.template;
            for (index, function) in model.functions.iter().enumerate() {
                if function.template.is_some_and(|template| own(template.0)) {
                    let scope = Some(process as u32);
                    let key = (FunctionId(index as u32), scope);
                    functions.insert(key, taken.declare(scope, &function.name));
                }
            }
        }
        let locations = network.locations.iter();
        let locations =
            locations.map(|location| taken.declare(Some(location.process.0), &location.name)).collect();
        Self {
            network,
            model,
            document,
            omitted,
            builder: Builder::for_types(model, network),
            taken,
            objects,
            processes,
            locations,
            functions,
            called: BTreeSet::new(),
            mentioned: BTreeSet::new(),
            made_up: declarations::MadeUp::default(),
            queries: Vec::new(),
            asked_can_fail: false,
            goal: Arc::default(),
            binders: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
        }
    }

    /// What a process is called in the file.
    pub fn process_name(&self, process: crate::network::ProcessId) -> &str {
        &self.processes[process.index()]
    }

    /// The whole tree.
    ///
    /// # Errors
    /// What the language cannot say.
    pub fn finish(mut self) -> Result<Flat, FlatError> {
        let (before, after) = (self.network.before_update, self.network.after_update);
        let before = self.update(None, before)?;
        let after = self.update(None, after)?;
        let mut templates = Vec::new();
        for process in 0..self.network.processes.len() as u32 {
            if !self.omitted.processes[process as usize] {
                templates.push(self.template(process)?);
            }
        }
        let functions = self.all_functions()?;
        let vectors = self.vectors()?;
        let decls = self.global_declarations(&functions, before, after)?;
        for template in &mut templates {
            self.declare_locals(template, &functions)?;
        }
        let document = Document {
            format: self.format(),
            decls,
            templates: templates.into_iter().map(|(_, template)| template).collect(),
            system: self.system(),
            queries: std::mem::take(&mut self.queries),
            query_options: self.document.query_options.clone(),
            vectors,
            chooses_start: self.model.chooses_start,
        };
        Ok(Flat { document, notes: self.notes() })
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let can_fail = self.asked_can_fail || self.network.program.can_fail();
        if self.network.range_violation == RangeViolation::Tolerated && can_fail {
            notes.push(
                "an evaluation that fails (a value outside its range, an index outside its array) only forbids the transition in this \
                 abstraction; where the file has no guard against it, checking the file stops with an error"
                    .to_owned(),
            );
        }
        notes
    }
}
