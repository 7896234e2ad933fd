//! The stored queries of a model.

use guidepost_language::Loaded;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::model::{BoundKind, Expectation, Formula, Property, Query};
use guidepost_network::{Network, compile_query};

/// What kind of question a query asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// `E<> p`
    Possibly,
    /// `A[] p`
    Always,
    /// `E[] p`
    PotentiallyAlways,
    /// `A<> p`
    Eventually,
    /// `p --> q`
    LeadsTo,
    /// `sup`
    Sup,
    /// `inf`
    Inf,
    /// `bounds`
    Bounds,
    /// A query of another analysis.
    Foreign,
    /// Nothing.
    Empty,
    /// A text that is no query.
    Wrong,
}

impl QueryKind {
    fn of(formula: &Formula) -> Self {
        match formula {
            Formula::Possibly(_) => QueryKind::Possibly,
            Formula::Always(_) => QueryKind::Always,
            Formula::PotentiallyAlways(_) => QueryKind::PotentiallyAlways,
            Formula::Eventually(_) => QueryKind::Eventually,
            Formula::LeadsTo(..) => QueryKind::LeadsTo,
            Formula::Bound(BoundKind::Sup, ..) => QueryKind::Sup,
            Formula::Bound(BoundKind::Inf, ..) => QueryKind::Inf,
            Formula::Bound(BoundKind::Bounds, ..) => QueryKind::Bounds,
            Formula::Foreign(_) => QueryKind::Foreign,
            Formula::Empty => QueryKind::Empty,
            Formula::Error => QueryKind::Wrong,
        }
    }

    /// The stable name for programs.
    pub fn id(self) -> &'static str {
        match self {
            QueryKind::Possibly => "possibly",
            QueryKind::Always => "always",
            QueryKind::PotentiallyAlways => "potentially-always",
            QueryKind::Eventually => "eventually",
            QueryKind::LeadsTo => "leads-to",
            QueryKind::Sup => "sup",
            QueryKind::Inf => "inf",
            QueryKind::Bounds => "bounds",
            QueryKind::Foreign => "foreign",
            QueryKind::Empty => "empty",
            QueryKind::Wrong => "wrong",
        }
    }
}

/// One stored query.
#[derive(Clone, Debug)]
pub struct QuerySummary {
    /// The query as one line of text.
    pub text: String,
    /// What its author wrote instead, with a name.
    pub property: Option<Property>,
    /// What it asks.
    pub kind: QueryKind,
    /// The answer its author expects.
    pub expect: Option<Expectation>,
    /// Its comment.
    pub comment: String,
    /// Whether it can be asked; always `false` when the model cannot be checked.
    pub supported: bool,
    /// What is wrong with it.
    pub problems: Diagnostics,
}

pub(super) fn summaries(loaded: &Loaded, network: Option<&Network>) -> Vec<QuerySummary> {
    loaded.model.queries.iter().map(|query| summary(loaded, query, network)).collect()
}

fn summary(loaded: &Loaded, query: &Query, network: Option<&Network>) -> QuerySummary {
    let kind = QueryKind::of(&query.formula);
    let mut problems = Diagnostics::default();
    for diagnostic in loaded.query_diagnostics.iter().filter(|diagnostic| is_about(diagnostic, query)) {
        problems.push(diagnostic.clone());
    }
    if let Formula::Foreign(name) = &query.formula
        && !problems.has_errors()
    {
        let message = format!("`{name}` queries are not offered here");
        problems.push(Diagnostic::new(Code::QueryNotSupported, query.span, message));
    }
    let askable = !matches!(kind, QueryKind::Foreign | QueryKind::Empty | QueryKind::Wrong);
    let mut supported = network.is_some() && askable && !problems.has_errors();
    if let (true, Some(network)) = (supported, network)
        && let Err(found) = compile_query(network, &loaded.model, query)
    {
        problems.extend(found);
        supported = false;
    }
    QuerySummary {
        text: query.text.clone(),
        property: query.property.clone(),
        kind,
        expect: query.expect,
        comment: description(&query.comment),
        supported,
        problems,
    }
}

/// The comment without the lines that state the expected answer.
pub(crate) fn description(comment: &str) -> String {
    let told = |line: &&str| !line.to_ascii_lowercase().starts_with("expect:");
    comment.lines().map(str::trim).filter(told).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn is_about(diagnostic: &Diagnostic, query: &Query) -> bool {
    let (at, span) = (diagnostic.span, query.span);
    at.file == span.file && span.start <= at.start && at.start <= span.end
}
