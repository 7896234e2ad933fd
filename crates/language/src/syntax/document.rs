//! A whole input file.

use super::{Decl, Expr, Ident, Name, QueryEntry, Template, TypeExpr};
use crate::source::Span;

/// A whole model as written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Document {
    /// How it was written.
    pub format: Format,
    /// Global declarations.
    pub decls: Vec<Decl>,
    /// Templates, in file order.
    pub templates: Vec<Template>,
    /// What follows the templates.
    pub system: System,
    /// Stored queries.
    pub queries: Vec<QueryEntry>,
    /// Options stored for all queries together (`--key`, value).
    pub query_options: Vec<(String, String)>,
    /// TChecker synchronisation vectors of more than two strong participants, or with weak ones.
    /// Edges refer to them by [`Direction::Join`](super::Direction::Join) on the vector's name.
    pub vectors: Vec<SyncVector>,
    /// A TChecker model in which a process has several initial locations: every process begins in a made-up location, and the first step of all of them
    /// leads to one of the initial states. The state before it is no state of the model.
    pub chooses_start: bool,
}

/// The input format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// UPPAAL's XML.
    #[default]
    Xml,
    /// UPPAAL's textual form, 4.x syntax.
    Xta,
    /// The 3.x dialect, in text or in XML.
    Old,
    /// TChecker's. An assignment that leaves its range disables the transition instead of being an error.
    Tck,
    /// A translation of PLC automata: the tree has positions in a text of another language.
    Plc,
}

/// The system section.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct System {
    /// Instantiations and late declarations.
    pub decls: Vec<Decl>,
    /// The processes on the system line.
    pub processes: Vec<SystemEntry>,
    /// Progress measures, each with an optional guard.
    pub progress: Vec<(Option<Expr>, Expr)>,
    /// Gantt chart lines.
    pub gantt: Vec<GanttLine>,
    /// Where the system line stands.
    pub span: Span,
}

/// One name on the system line.
#[derive(Clone, PartialEq, Debug)]
pub struct SystemEntry {
    /// The process, instantiation or template.
    pub name: Ident,
    /// Separated by `<` from the entry before: one priority level higher.
    pub raises: bool,
}

/// One line of a Gantt chart.
#[derive(Clone, PartialEq, Debug)]
pub struct GanttLine {
    /// The line's name.
    pub name: Ident,
    /// Parameters: one line per value.
    pub params: Vec<(Ident, TypeExpr)>,
    /// The bars.
    pub bars: Vec<GanttBar>,
}

/// A bar: shown in a colour while a condition holds.
#[derive(Clone, PartialEq, Debug)]
pub struct GanttBar {
    /// `for (i : T)` bindings.
    pub binders: Vec<(Ident, TypeExpr)>,
    /// When it is shown.
    pub condition: Expr,
    /// In which colour.
    pub color: Expr,
}

/// A TChecker synchronisation of several processes.
#[derive(Clone, PartialEq, Debug)]
pub struct SyncVector {
    /// The name edges refer to.
    pub name: Name,
    /// In the order of their updates: process name, and whether it may stay out (`?`).
    pub participants: Vec<(Ident, bool)>,
    /// Where it stands.
    pub span: Span,
}
