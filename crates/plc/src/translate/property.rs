//! Queries of properties.

use super::expression::Asker;
use super::observer::VIOLATION;
use super::{Translator, build};
use crate::system::PropertyKind;
use guidepost_language::source::SourceMap;
use guidepost_language::syntax::{Expectation, Expr, ExprKind, Formula, Ident, Property, QueryEntry};
use guidepost_language::write;

impl Translator<'_> {
    /// The query of a property; `expected` replaces what the property itself expects.
    pub(super) fn query(&self, index: usize, expected: Option<bool>, sources: &SourceMap) -> QueryEntry {
        let property = &self.selection.system.properties[index];
        let span = property.span;
        let bad = match &property.kind {
            PropertyKind::Never(test) => self.test(test, Asker::Query, span),
            PropertyKind::Whenever { .. } => {
                let observer = build::name(&self.names.observers[&index], span);
                let location = Ident::new(VIOLATION, span);
                Expr { kind: ExprKind::Field(Box::new(observer), location), span }
            }
        };
        let good = build::not(bad);
        let expect = expected
            .or(property.expect)
            .map(|holds| if holds { Expectation::Satisfied } else { Expectation::NotSatisfied });
        let own = Property { name: property.name.name.clone(), text: body(sources.text(span)) };
        QueryEntry {
            text: format!("A[] {}", write::expression(&good, sources)),
            formula: Formula::Always(good),
            comment: own.to_string(),
            property: Some(own),
            expect,
            options: Vec::new(),
            span,
        }
    }
}

/// What a property says, on one line, without its name and what is expected.
fn body(text: &str) -> String {
    let body = text.split_once(':').map_or(text, |(_, body)| body);
    let body = body.split(" expect ").next().unwrap_or(body);
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}
