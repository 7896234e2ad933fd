//! Stored queries.

use super::Reader;
use super::tree::Element;
use crate::parse;
use crate::syntax::{Expectation, QueryEntry};

impl Reader<'_> {
    /// The queries of a `<queries>` element; `before` queries have been read from others.
    pub(super) fn queries(&mut self, element: &Element, before: usize) -> Vec<QueryEntry> {
        element.all("query").enumerate().map(|(index, query)| self.query(query, before + index + 1)).collect()
    }

    fn query(&mut self, element: &Element, number: usize) -> QueryEntry {
        let formula = element.child("formula");
        let fragment = self.located(formula.unwrap_or(element), format!("query {number}"));
        let span = fragment.whole_span();
        let (text, formula) = match formula {
            Some(_) => parse::formula(&fragment, self.out),
            None => (String::new(), crate::syntax::Formula::Empty),
        };
        let comment = element.child("comment").map(Element::content).unwrap_or_default();
        QueryEntry {
            text,
            formula,
            comment,
            expect: expectation(element),
            property: None,
            options: options(element).collect(),
            span,
        }
    }
}

/// The options that stand directly in a `<query>` or in `<queries>`.
pub(super) fn options(element: &Element) -> impl Iterator<Item = (String, String)> {
    element.all("option").filter_map(|option| {
        Some((option.value("key")?.to_owned(), option.value("value").unwrap_or_default().to_owned()))
    })
}

/// `maybe_true` and similar outcomes expect nothing definite.
fn expectation(query: &Element) -> Option<Expectation> {
    let expect = query.child("expect")?;
    if expect.value("type") == Some("value") {
        return expect.value("value")?.trim().parse().ok().map(Expectation::Value);
    }
    match expect.value("outcome")? {
        "success" => Some(Expectation::Satisfied),
        "failure" => Some(Expectation::NotSatisfied),
        _ => None,
    }
}
