//! Query files.
//!
//! One query per line; its comment stands in front of it, the expected answer in a comment line `// expect: satisfied`.

use crate::syntax::{Document, Expectation, Formula, QueryEntry};
use std::fmt::Write;

/// Writes the stored queries as a `.q` file.
pub fn to_q(document: &Document) -> String {
    let entries: Vec<_> = document.queries.iter().map(entry).filter(|text| !text.is_empty()).collect();
    entries.join("\n")
}

fn entry(query: &QueryEntry) -> String {
    let mut text = String::new();
    let comment = query.comment.trim();
    if !comment.is_empty() {
        let closed = comment.replace("*/", "* /");
        text.push_str("/*\n");
        text.push_str(&closed);
        text.push_str("\n*/\n");
    }
    if let Some(expect) = query.expect {
        let _ = writeln!(text, "// expect: {}", words(expect));
    }
    if !matches!(query.formula, Formula::Empty) {
        text.push_str(query.text.trim());
        text.push('\n');
    }
    text
}

fn words(expect: Expectation) -> &'static str {
    match expect {
        Expectation::Satisfied => "satisfied",
        Expectation::NotSatisfied => "not satisfied",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn comments_and_expectations_stand_in_front() {
        let query = QueryEntry {
            text: "A[] not deadlock".into(),
            formula: Formula::Error,
            comment: "No deadlock".into(),
            expect: Some(Expectation::NotSatisfied),
            options: vec![],
            span: Span::default(),
        };
        let document = Document { queries: vec![query], ..Document::default() };
        assert_eq!(to_q(&document), "/*\nNo deadlock\n*/\n// expect: not satisfied\nA[] not deadlock\n");
    }
}
