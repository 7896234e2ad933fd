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
    for line in description(query).lines() {
        let _ = writeln!(text, "// {}", line.trim());
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

/// The comment without the lines that repeat the expected answer (query files keep it there).
pub(super) fn description(query: &QueryEntry) -> String {
    let expects =
        |line: &&str| query.expect.is_some() && line.trim().to_ascii_lowercase().starts_with("expect:");
    let lines: Vec<_> = query.comment.trim().lines().filter(|line| !expects(line)).collect();
    lines.join("\n")
}

fn words(expect: Expectation) -> String {
    match expect {
        Expectation::Satisfied => "satisfied".to_owned(),
        Expectation::NotSatisfied => "not satisfied".to_owned(),
        Expectation::Value(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn comments_and_expectations_stand_in_front_and_are_read_back() {
        let query = QueryEntry {
            text: "A[] not deadlock".into(),
            formula: Formula::Error,
            comment: "No deadlock\nanywhere".into(),
            expect: Some(Expectation::NotSatisfied),
            property: None,
            options: vec![],
            span: Span::default(),
        };
        let mut document = Document { queries: vec![query.clone(), query], ..Document::default() };
        let first = "// No deadlock\n// anywhere\n// expect: not satisfied\nA[] not deadlock\n";
        let written = to_q(&document);
        assert_eq!(written, format!("{first}\n{first}"));

        let fragment = crate::source::Fragment::whole(crate::source::FileId(0), &written);
        document.queries = crate::parse::queries(&fragment, &mut crate::diagnostic::Diagnostics::default());
        assert_eq!(document.queries.len(), 2);
        assert_eq!(to_q(&document), written);
    }
}
