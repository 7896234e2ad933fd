//! Queries, as written.

use super::{Expr, Ident};
use crate::source::Span;

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
    /// Options stored with the query (`--key`, value).
    pub options: Vec<(String, String)>,
    /// Where it stands.
    pub span: Span,
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
    /// `sup{p}: e, …` and the like.
    Bound(BoundKind, Option<Expr>, Vec<Expr>),
    /// A query of another analysis, recognised by name: `Pr`, `simulate`, `control`, …
    Foreign(Ident),
    /// Nothing but white space and comments (the GUI stores such).
    Empty,
    /// Not parsable; a diagnostic has been given.
    Error,
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
