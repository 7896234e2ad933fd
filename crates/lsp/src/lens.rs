//! What can be done with a query, above it.

use crate::analysis::Analysis;
use crate::position::Encoding;
use guidepost_language::source::{FileId, Span};
use guidepost_language::syntax::Formula;
use lsp_types::{CodeLens, Command, Uri};
use serde_json::json;

/// Answers a query.
pub(crate) const CHECK: &str = "guidepost.check";
/// Answers a query and shows the run that proves the answer.
pub(crate) const RUN: &str = "guidepost.run";

/// The lenses of a file.
pub(crate) fn lenses(analysis: &Analysis, file: FileId, uri: &Uri, encoding: Encoding) -> Vec<CodeLens> {
    if analysis.is_alone() || analysis.loaded.diagnostics.has_errors() {
        return Vec::new();
    }
    let mut lenses = Vec::new();
    for (number, entry) in analysis.queries(file) {
        if matches!(entry.formula, Formula::Empty | Formula::Error | Formula::Foreign(_)) {
            continue;
        }
        let start = Span { end: entry.span.start, ..entry.span };
        let range = analysis.range(start, encoding);
        for (title, command) in [("check this query", CHECK), ("show the run", RUN)] {
            let arguments = Some(vec![json!(uri), json!(number)]);
            let command = Command { title: title.to_owned(), command: command.to_owned(), arguments };
            lenses.push(CodeLens { range, command: Some(command), data: None });
        }
    }
    lenses
}
