//! The typed, resolved model: what a document means, before instantiation.
//!
//! Every name is a [`SymbolId`], every expression has a [`Type`]. Types may still contain constant expressions
//! (`int[0,N-1]` with a template parameter `N`): sizes and ranges are computed when the network is built, once per instance.

mod expression;
mod types;
mod wording;

pub use crate::syntax::{BoundKind, Direction, Expectation, Format, Name, Node, Property, Quantifier};
pub use expression::*;
pub use types::*;
pub use wording::{Aside, Phase, Portrait, Wording};

use crate::source::Span;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A declared name: index into [`Model::symbols`].
    SymbolId
);
id!(
    /// Index into [`Model::functions`].
    FunctionId
);
id!(
    /// Index into [`Model::templates`].
    TemplateId
);
id!(
    /// Index into [`Model::instances`].
    InstanceId
);
id!(
    /// A scalar set; every `scalar[n]` written makes a new one.
    ScalarId
);

/// The names of one scope.
pub type Names = std::collections::HashMap<Name, SymbolId>;

/// A checked model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The format it was read from; [`Format::Tck`] changes the meaning of range violations.
    pub format: Format,
    /// All declared names.
    pub symbols: Vec<Symbol>,
    /// Global names, built-in ones included, as queries see them.
    pub names: Names,
    /// Global constants, variables, clocks and channels in order of declaration, those of the system section last.
    pub globals: Vec<SymbolId>,
    /// All functions, global ones and those of templates. A function calls only functions of lower ids.
    pub functions: Vec<Function>,
    /// All templates.
    pub templates: Vec<Template>,
    /// All (partial) instantiations `Q(params) = P(args)`, in order; one refers only to earlier ones.
    pub instances: Vec<Instance>,
    /// The processes on the system line, in order.
    pub processes: Vec<ProcessDecl>,
    /// Channel priorities: channel expression (`None` is `default`) and level, higher first served.
    pub channel_priorities: Vec<(Option<Expr>, u32)>,
    /// Run before every transition's updates.
    pub before_update: Vec<Expr>,
    /// Run after every transition's updates.
    pub after_update: Vec<Expr>,
    /// Progress measures, each with an optional guard.
    pub progress: Vec<(Option<Expr>, Expr)>,
    /// Gantt chart lines.
    pub gantt: Vec<GanttLine>,
    /// TChecker synchronisation vectors.
    pub vectors: Vec<SyncVector>,
    /// Every process begins in a made-up location, and the first step leads to one of the initial states; queries do not count the state before it.
    pub chooses_start: bool,
    /// Stored queries.
    pub queries: Vec<Query>,
    /// How many scalar sets the model declares.
    pub scalar_sets: u32,
    /// Constructs of other analyses (statistics, games, …) that the model uses, each named once, with its first place.
    pub foreign: Vec<(&'static str, Span)>,
    /// How its runs are told.
    pub wording: Wording,
    /// Properties of the author's that are no queries here, since they speak of something that is hidden.
    pub unasked: Vec<Name>,
}

impl Model {
    /// The symbol behind an id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The function behind an id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The template behind an id.
    pub fn template(&self, id: TemplateId) -> &Template {
        &self.templates[id.index()]
    }

    /// The instantiation behind an id.
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id.index()]
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: Name,
    /// Where it is declared; built-in names have an empty default span.
    pub span: Span,
    /// What it names.
    pub kind: SymbolKind,
    /// Its type, array dimensions included.
    pub ty: Type,
    /// Whether anything assigns to it (or passes it on to something that does).
    pub written: bool,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum SymbolKind {
    /// A constant: global, of a template, or of a function. Always initialised in a model without errors.
    Constant(Option<Init>),
    /// A variable, clock or channel: global, of a template, or of a function.
    Variable {
        /// Not part of the state's identity.
        meta: bool,
        /// Its initial value.
        init: Option<Init>,
    },
    /// A parameter of a template, an instantiation or a function.
    Param(ParamMode),
    /// Bound by `select`, a quantifier or `for (i : T)`; its type is the domain.
    Binder,
    /// A function.
    Function(FunctionId),
    /// A type name.
    Type,
    /// A template.
    Template(TemplateId),
    /// An instantiation.
    Instance(InstanceId),
    /// A location of a template.
    Location(TemplateId, usize),
    /// The cost of CORA models, which nobody declares.
    Cost,
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamMode {
    /// By value: a copy that may be changed. A template's parameter that is changed is a variable of its process.
    Value,
    /// By value, `const`.
    Const,
    /// By reference.
    Reference,
}

/// An initialiser, normalised: struct fields in declaration order.
#[derive(Clone, Debug)]
pub enum Init {
    /// A value.
    Expr(Expr),
    /// One initialiser per element or field.
    List(Vec<Init>, Span),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The template it is declared in.
    pub template: Option<TemplateId>,
    /// Its parameters.
    pub params: Vec<SymbolId>,
    /// What it returns.
    pub result: Type,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// Whether calling it can change anything but its own locals (by-reference parameters count).
    pub has_side_effects: bool,
    /// Whether its value depends on variables, so that it cannot be computed before the run.
    pub reads_state: bool,
    /// Where its name is declared.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// A local variable or constant comes into being and is initialised.
    Local(SymbolId),
    /// A block.
    Block(Vec<Stmt>),
    /// An expression for its effect.
    Expr(Expr),
    /// `if`; the condition's last value counts, the ones before it are for effect.
    If(Vec<Expr>, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Vec<Expr>, Box<Stmt>),
    /// `do … while`
    DoWhile(Box<Stmt>, Vec<Expr>),
    /// `for (…; …; …)`
    For(Vec<Expr>, Vec<Expr>, Vec<Expr>, Box<Stmt>),
    /// `for (i : T)`; the binder's type is the domain.
    Iterate(SymbolId, Box<Stmt>),
    /// `return`
    Return(Option<Expr>, Span),
    /// `assert`
    Assert(Expr),
}

/// A template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<SymbolId>,
    /// Its constants, variables, clocks and channels in order of declaration.
    pub locals: Vec<SymbolId>,
    /// The names of its scope: parameters, locals, functions, types and locations.
    pub names: Names,
    /// Its locations; same indices as in the document.
    pub locations: Vec<Location>,
    /// How many branch points it has; same indices as in the document.
    pub branchpoints: usize,
    /// Index of the initial location.
    pub initial: usize,
    /// Its edges; same indices as in the document.
    pub edges: Vec<Edge>,
    /// Where its name is declared.
    pub span: Span,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name.
    pub name: Name,
    /// The invariant.
    pub invariant: Option<Expr>,
    /// No time passes here.
    pub urgent: bool,
    /// Must be left at once.
    pub committed: bool,
    /// TChecker labels that hold here.
    pub labels: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: Node,
    /// Where it ends.
    pub target: Node,
    /// The select binders; their types are the domains.
    pub select: Vec<SymbolId>,
    /// The guard.
    pub guard: Option<Expr>,
    /// The synchronisation.
    pub sync: Option<Sync>,
    /// The update, item by item.
    pub update: Vec<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// A synchronisation label.
#[derive(Clone, Debug)]
pub struct Sync {
    /// The channel, or the vector the edge joins.
    pub partner: SyncPartner,
    /// The side.
    pub direction: Direction,
    /// Where it stands.
    pub span: Span,
}

/// What an edge synchronises on.
#[derive(Clone, Debug)]
pub enum SyncPartner {
    /// A channel-valued expression.
    Channel(Expr),
    /// Index into [`Model::vectors`]; the direction is [`Direction::Join`].
    Vector(usize),
}

/// A template or an instantiation of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A template itself.
    Template(TemplateId),
    /// An instantiation.
    Instance(InstanceId),
}

/// `name(params) = callee(args);`
#[derive(Clone, Debug)]
pub struct Instance {
    /// The new name.
    pub name: Name,
    /// The parameters that stay open.
    pub params: Vec<SymbolId>,
    /// What is instantiated.
    pub callee: Callee,
    /// One argument per parameter of the callee.
    pub args: Vec<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// A name on the system line. Open parameters of the callee make it a process set: one process per tuple of values.
#[derive(Clone, Debug)]
pub struct ProcessDecl {
    /// The name.
    pub name: Name,
    /// What runs.
    pub callee: Callee,
    /// Process priority, higher first served.
    pub priority: u32,
    /// Where it stands.
    pub span: Span,
}

/// One line of a Gantt chart.
#[derive(Clone, Debug)]
pub struct GanttLine {
    /// Its name.
    pub name: Name,
    /// Parameters: one line per value.
    pub params: Vec<SymbolId>,
    /// Bars: binders, condition, colour.
    pub bars: Vec<(Vec<SymbolId>, Expr, Expr)>,
}

/// A TChecker synchronisation of several processes.
#[derive(Clone, Debug)]
pub struct SyncVector {
    /// The name.
    pub name: Name,
    /// In the order of their updates: index into [`Model::processes`], and whether the process may stay out (weak).
    pub participants: Vec<(usize, bool)>,
    /// Where it stands.
    pub span: Span,
}

/// A checked query.
#[derive(Clone, Debug)]
pub struct Query {
    /// The query as one line of text.
    pub text: String,
    /// What it asks.
    pub formula: Formula,
    /// The comment in front of it.
    pub comment: String,
    /// The answer the author expects.
    pub expect: Option<Expectation>,
    /// What the author wrote, where that was not a query.
    pub property: Option<Property>,
    /// Where it stands.
    pub span: Span,
}

/// What a query asks.
#[derive(Clone, Debug)]
pub enum Formula {
    /// `E<> p`
    Possibly(Expr),
    /// `A[] p`
    Always(Expr),
    /// `E[] p`
    PotentiallyAlways(Expr),
    /// `A<> p`
    Eventually(Expr),
    /// `p --> q`
    LeadsTo(Expr, Expr),
    /// `sup{p}: e, …` and similar queries.
    Bound(BoundKind, Option<Expr>, Vec<Quantity>),
    /// A query of another analysis, by its keyword.
    Foreign(Name),
    /// An empty query, as the graphical editor stores them.
    Empty,
    /// A query with errors; a diagnostic has been given.
    Error,
}

/// An expression whose bounds are asked for.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The expression.
    pub expr: Expr,
    /// The same as one line of text, as written.
    pub text: String,
}
