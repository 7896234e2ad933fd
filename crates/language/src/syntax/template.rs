//! Templates: locations and edges, as written, with their drawing.

use super::{Decl, Expr, Ident, Name, Param, TypeExpr};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// A template (a `process` in text files).
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// Its name.
    pub name: Ident,
    /// Where the name is drawn.
    pub name_at: Option<Point>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its local declarations.
    pub decls: Vec<Decl>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its branch points.
    pub branchpoints: Vec<Branchpoint>,
    /// Index of the initial location; `None` when missing (a diagnostic has been given).
    pub init: Option<usize>,
    /// Its edges.
    pub edges: Vec<Edge>,
    /// Where the text names its nodes once more: as ends of edges, behind `init`, `commit` and `urgent`. Files in XML refer to them by ids.
    pub mentions: Vec<(Span, Node)>,
    /// Where it stands.
    pub span: Span,
}

impl Template {
    /// Makes sure that there is an initial location, and says so when there was none: a template without any location gets one to stay in
    /// (it is legal, and does nothing), one that does not say where it starts is an error.
    pub(crate) fn complete(&mut self, file: FileId) -> Option<Diagnostic> {
        if self.init.is_some() {
            return None;
        }
        let name = &self.name;
        if self.locations.is_empty() {
            let stay = Ident::new("_stay", Span::new(file, name.span.start, name.span.start));
            self.locations.push(Location { anonymous: true, ..Location::plain(stay) });
            self.init = Some(0);
            let message = format!("template `{}` has no locations: it does nothing", name.name);
            return Some(Diagnostic::new(Code::NoLocations, name.span, message));
        }
        let message = format!("template `{}` has no initial location", name.name);
        let hint = "mark one of its locations as initial (`init L;` in text files)";
        Some(Diagnostic::new(Code::MissingInitialLocation, name.span, message).hint(hint))
    }
}

impl Location {
    /// A location with nothing but a name.
    pub fn plain(name: Ident) -> Self {
        Self {
            span: name.span,
            name,
            anonymous: false,
            invariant: None,
            exponential_rate: None,
            urgent: false,
            committed: false,
            labels: Vec::new(),
            drawing: Drawing::default(),
        }
    }
}

impl Edge {
    /// An edge that does nothing but lead from one node to another.
    pub fn plain(source: Node, target: Node, span: Span) -> Self {
        Self {
            source,
            target,
            select: Vec::new(),
            guard: None,
            sync: None,
            update: Vec::new(),
            probability: None,
            controllable: true,
            drawing: Drawing::default(),
            span,
        }
    }
}

/// A point of a drawing; y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// Which label of a location or an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are the label kinds of the file format")]
pub enum LabelKind {
    Name,
    Invariant,
    ExponentialRate,
    Select,
    Guard,
    Synchronisation,
    Assignment,
    Probability,
    Comments,
}

impl LabelKind {
    /// The value of the attribute `kind` in XML (`name` for the element of that name).
    pub fn xml_name(self) -> &'static str {
        match self {
            LabelKind::Name => "name",
            LabelKind::Invariant => "invariant",
            LabelKind::ExponentialRate => "exponentialrate",
            LabelKind::Select => "select",
            LabelKind::Guard => "guard",
            LabelKind::Synchronisation => "synchronisation",
            LabelKind::Assignment => "assignment",
            LabelKind::Probability => "probability",
            LabelKind::Comments => "comments",
        }
    }
}

/// How a location or an edge is drawn.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Drawing {
    /// The position of a location or branch point.
    pub at: Option<Point>,
    /// A colour as written (`#rrggbb`).
    pub color: Option<String>,
    /// The bends of an edge, from source to target.
    pub nails: Vec<Point>,
    /// Where labels stand.
    pub labels: Vec<(LabelKind, Point)>,
    /// The text of the `comments` label.
    pub comment: Option<String>,
    /// Labels with code that a test generator writes out; they are kept and mean nothing here.
    pub test_code: Vec<TestCode>,
}

/// A label of kind `testcode`, `testcodeEnter` or `testcodeExit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestCode {
    /// The kind of the label.
    pub kind: String,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub at: Option<Point>,
}

/// A location.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its name; anonymous XML locations get `_` and their id.
    pub name: Ident,
    /// Whether the name was made up.
    pub anonymous: bool,
    /// The invariant.
    pub invariant: Option<Expr>,
    /// The exponential rate, kept for printing: `e` or `e : e`.
    pub exponential_rate: Option<(Expr, Option<Expr>)>,
    /// No time passes here.
    pub urgent: bool,
    /// Must be left at once.
    pub committed: bool,
    /// TChecker labels that hold here.
    pub labels: Vec<Name>,
    /// How it is drawn.
    pub drawing: Drawing,
    /// Where it stands.
    pub span: Span,
}

/// A branch point: several weighted edges leave it.
#[derive(Clone, PartialEq, Debug)]
pub struct Branchpoint {
    /// Its name or XML id.
    pub name: Ident,
    /// How it is drawn.
    pub drawing: Drawing,
}

/// One end of an edge, as an index into the template's lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A location.
    Location(usize),
    /// A branch point.
    Branchpoint(usize),
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: Node,
    /// Where it ends.
    pub target: Node,
    /// `i : T` bindings.
    pub select: Vec<(Ident, TypeExpr)>,
    /// The guard.
    pub guard: Option<Expr>,
    /// The synchronisation.
    pub sync: Option<Sync>,
    /// The update, item by item.
    pub update: Vec<Expr>,
    /// The weight of a branch.
    pub probability: Option<Expr>,
    /// `false` for `-u->`, moves of the environment in games.
    pub controllable: bool,
    /// How it is drawn.
    pub drawing: Drawing,
    /// Where it stands.
    pub span: Span,
}

/// A synchronisation label.
#[derive(Clone, PartialEq, Debug)]
pub struct Sync {
    /// The channel.
    pub channel: Expr,
    /// Its side.
    pub direction: Direction,
    /// Where it stands.
    pub span: Span,
}

/// The side of a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// `c!`
    Send,
    /// `c?`
    Receive,
    /// A bare `c`: rendezvous of two equal partners (CSP style), or a TChecker event that joins a vector.
    Join,
}
