//! Queries, as written.

use super::{Expr, Ident, Name};
use crate::source::Span;
use std::fmt;

/// A stored query with what stands around it.
#[derive(Clone, PartialEq, Debug)]
pub struct QueryEntry {
    /// The query as one line of text, comments removed.
    pub text: String,
    /// What it asks.
    pub formula: Formula,
    /// The comment in front of it.
    pub comment: String,
    /// The answer the author expects.
    pub expect: Option<Expectation>,
    /// What the author wrote, where that was not a query: answers are given in those words.
    pub property: Option<Property>,
    /// Options stored with the query (`--key`, value).
    pub options: Vec<(String, String)>,
    /// Where it stands.
    pub span: Span,
}

/// A requirement with a name, in the words of a language that is translated into this one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The name; unique among the properties of a file.
    pub name: Name,
    /// What it says, on one line.
    pub text: String,
}

impl fmt::Display for Property {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.name, self.text)
    }
}

/// What a query asks.
#[derive(Clone, PartialEq, Debug)]
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
    /// A query of another analysis, recognised by name: `Pr`, `simulate`, `control`, …
    Foreign(Ident),
    /// Nothing but white space and comments (the GUI stores such).
    Empty,
    /// Not parsable; a diagnostic has been given.
    Error,
}

/// An expression whose bounds are asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantity {
    /// The expression.
    pub expr: Expr,
    /// The same as one line of text.
    pub text: String,
}

/// Which bounds are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundKind {
    /// `sup`
    Sup,
    /// `inf`
    Inf,
    /// `bounds`
    Bounds,
}

/// The answer an author expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// The query is satisfied.
    Satisfied,
    /// The query is not satisfied.
    NotSatisfied,
    /// A `sup` or `inf` has this value.
    Value(i64),
}
