//! Checking: a document becomes a typed, resolved model.
//!
//! One pass in the order of the text, as the language demands declaration before use. Everything that is wrong is reported and replaced by an
//! [`ExprKind::Error`](crate::model::ExprKind::Error) or [`Type::Error`], which is compatible with everything, so that one mistake gives one message.
//! Values (array sizes, ranges) are not computed here: they depend on template parameters and belong to the network.

mod assignment;
mod builtins;
mod call;
mod declaration;
mod effects;
mod expression;
mod index;
mod operators;
mod query;
mod scope;
mod statement;
mod system;
mod template;
mod types;
mod usage;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::model::{Model, Query, SymbolId, TemplateId, Type};
use crate::source::Span;
use crate::syntax::{self, Direction, Document};
use effects::{FunctionFacts, SymbolFacts};
pub use index::{Index, Occurrence, Target};
use scope::Scopes;
use std::collections::HashMap;

/// Checks a document. What is wrong with its stored queries goes to `query_out`.
pub fn check(document: &Document, out: &mut Diagnostics, query_out: &mut Diagnostics) -> Model {
    let mut checker = Checker::new(Model { format: document.format, ..Model::default() }, out);
    checker.document(document, query_out);
    checker.model
}

/// As [`check`]; also says where names stand and what they mean.
pub fn check_indexed(
    document: &Document,
    out: &mut Diagnostics,
    query_out: &mut Diagnostics,
) -> (Model, Index) {
    let mut checker = Checker::new(Model { format: document.format, ..Model::default() }, out);
    checker.occurrences = Some(Vec::new());
    checker.document(document, query_out);
    checker.into_index()
}

/// Checks more queries against a checked model, and adds what their names mean to its index.
pub fn check_more_queries(
    model: &mut Model,
    index: &mut Index,
    entries: &[syntax::QueryEntry],
    out: &mut Diagnostics,
) -> Vec<Query> {
    let mut checker = Checker::new(std::mem::take(model), out);
    checker.occurrences = Some(std::mem::take(index).into_occurrences());
    checker.enter_global_scope();
    let queries = entries.iter().map(|entry| checker.query(entry)).collect();
    (*model, *index) = checker.into_index();
    queries
}

/// Checks one more query against a checked model.
pub fn check_query(model: &mut Model, entry: &syntax::QueryEntry, out: &mut Diagnostics) -> Query {
    let mut checker = Checker::new(std::mem::take(model), out);
    checker.enter_global_scope();
    let query = checker.query(entry);
    *model = checker.model;
    query
}

/// The state of one check.
struct Checker<'a> {
    model: Model,
    out: &'a mut Diagnostics,
    scopes: Scopes,
    /// What is known about each symbol beyond the model, by [`crate::model::SymbolId`].
    facts: Vec<SymbolFacts>,
    /// What is known about each function beyond the model.
    function_facts: Vec<FunctionFacts>,
    /// Functions that an `import` declares: calls of them are not resolved.
    foreign_functions: Vec<syntax::Name>,
    /// Instantiations with errors: their names are known, and known to be useless.
    failed_instances: Vec<syntax::Name>,
    /// The TChecker vectors that edges may join.
    vector_names: HashMap<syntax::Name, usize>,
    /// The processes on the system line, by name.
    process_names: HashMap<syntax::Name, usize>,
    /// The template being checked.
    template: Option<TemplateId>,
    /// The function being checked.
    function: Option<FunctionContext>,
    /// Whether `P.x` may be used: in queries, progress measures and charts.
    processes_visible: bool,
    /// Whether `deadlock` may be used.
    in_query: bool,
    /// The first synchronisations of each style, to tell when both are used.
    sync_styles: [Option<Span>; 2],
    /// What the model declares globally, whether it is visible yet or not.
    later: Vec<syntax::Ident>,
    /// What the template being checked declares.
    later_in_template: Vec<syntax::Ident>,
    /// How many suggestions for unknown names have been made.
    suggestions: u32,
    /// Where names stand, if somebody wants to know.
    occurrences: Option<Vec<Occurrence>>,
}

/// What a function's body is checked against.
struct FunctionContext {
    name: syntax::Name,
    result: Type,
    /// Symbols declared from here on are the function's own.
    first_local: usize,
    writes_outside: bool,
    /// Reference parameters that are written.
    writes_params: Vec<SymbolId>,
    reads_outside: bool,
}

impl<'a> Checker<'a> {
    fn new(model: Model, out: &'a mut Diagnostics) -> Self {
        let names = model.processes.iter().map(|process| process.name.clone());
        let mut checker = Self {
            process_names: names.zip(0..).collect(),
            model,
            out,
            scopes: Scopes::default(),
            facts: Vec::new(),
            function_facts: Vec::new(),
            foreign_functions: Vec::new(),
            failed_instances: Vec::new(),
            vector_names: HashMap::new(),
            template: None,
            function: None,
            processes_visible: false,
            in_query: false,
            sync_styles: [None; 2],
            later: Vec::new(),
            later_in_template: Vec::new(),
            suggestions: 0,
            occurrences: None,
        };
        for index in 0..checker.model.symbols.len() {
            let facts = checker.facts_of(SymbolId(index as u32));
            checker.facts.push(facts);
        }
        checker
    }

    fn document(&mut self, document: &Document, query_out: &mut Diagnostics) {
        self.later = declared_names(&document.decls).chain(declared_names(&document.system.decls)).collect();
        self.scopes.open();
        self.declare_builtins();
        self.scopes.open();
        let globals = self.declarations(&document.decls);
        self.model.globals = globals;
        self.declare_templates(document);
        let before = std::mem::take(self.out);
        let mut of_templates = Vec::new();
        for (index, template) in document.templates.iter().enumerate() {
            self.template_body(TemplateId(index as u32), template);
            of_templates.push(std::mem::take(self.out));
        }
        *self.out = before;
        self.system(document);
        self.report_templates(of_templates);
        self.model.names = self.scopes.flatten();
        std::mem::swap(self.out, query_out);
        for entry in &document.queries {
            let query = self.query(entry);
            self.model.queries.push(query);
        }
        std::mem::swap(self.out, query_out);
        self.report_usage(document);
    }

    /// Adds what was found in templates. Nothing depends on a template that no process uses: its errors are warnings.
    fn report_templates(&mut self, found: Vec<Diagnostics>) {
        let mut is_used = vec![false; found.len()];
        for process in &self.model.processes {
            is_used[self.template_of(process.callee).index()] = true;
        }
        // Without a system line that can be read, nobody knows what is used.
        let is_known = !self.model.processes.is_empty() && !self.out.has_errors();
        for (diagnostics, is_used) in found.into_iter().zip(is_used) {
            for diagnostic in &diagnostics {
                self.report(if is_used || !is_known {
                    diagnostic.clone()
                } else {
                    diagnostic.clone().in_unused_template()
                });
            }
        }
    }

    /// Queries of a checked model see its global names.
    fn enter_global_scope(&mut self) {
        self.scopes.open_with(self.model.names.clone());
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message));
    }

    /// Remembers that the model uses a construct of another analysis.
    fn foreign(&mut self, construct: &'static str, span: Span) {
        if !self.model.foreign.iter().any(|(known, _)| *known == construct) {
            self.model.foreign.push((construct, span));
        }
    }

    /// `c!` and `c?` in one system with bare `c` make no sense together.
    fn note_sync_style(&mut self, direction: Direction, span: Span) {
        let style = usize::from(direction == Direction::Join);
        self.sync_styles[style].get_or_insert(span);
        if let [Some(directed), Some(bare)] = self.sync_styles {
            let diagnostic = Diagnostic::new(
                Code::MixedSync,
                bare,
                "a synchronisation without `!` or `?` in a model that also uses them",
            )
            .related(directed, "with a direction here")
            .hint("add `!` on one side and `?` on the other");
            self.report(diagnostic);
            self.sync_styles[1] = None;
        }
    }
}

/// The names that declarations declare.
fn declared_names(decls: &[syntax::Decl]) -> impl Iterator<Item = syntax::Ident> + '_ {
    decls.iter().flat_map(|decl| match decl {
        syntax::Decl::Variables(_, names) | syntax::Decl::Typedef(_, names) => {
            names.iter().map(|declarator| declarator.name.clone()).collect()
        }
        syntax::Decl::Function(function) => vec![function.name.clone()],
        _ => Vec::new(),
    })
}
