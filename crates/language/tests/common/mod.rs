//! Helpers of the tests.

use guidepost_language::render::{Style, render};
use guidepost_language::{Loaded, load_text};

/// A model around the labels of one edge.
pub(crate) fn edge(declarations: &str, labels: &str) -> String {
    format!(
        "{declarations}\nprocess P() {{ state start, end; init start; trans start -> end {{ {labels} }}; }}\nsystem P;\n"
    )
}

/// A model around the invariant of one location.
pub(crate) fn invariant(declarations: &str, invariant: &str) -> String {
    format!("{declarations}\nprocess P() {{ state start {{ {invariant} }}; init start; }}\nsystem P;\n")
}

/// Declarations with a process that does nothing.
pub(crate) fn declarations(text: &str) -> String {
    format!("{text}\nprocess P() {{ state a; init a; }}\nsystem P;\n")
}

/// The codes of all errors, those of queries included.
pub(crate) fn errors(text: &str) -> Vec<&'static str> {
    let loaded = load_text("model.xta", text);
    let all = loaded.diagnostics.iter().chain(&loaded.query_diagnostics);
    all.filter(|diagnostic| diagnostic.is_error()).map(|diagnostic| diagnostic.code.id()).collect()
}

/// Reads a model that has no errors.
#[track_caller]
pub(crate) fn load(text: &str) -> Loaded {
    let loaded = load_text("model.xta", text);
    assert_clean(&loaded, text);
    loaded
}

#[track_caller]
pub(crate) fn assert_clean(loaded: &Loaded, what: &str) {
    let problems = render(&loaded.diagnostics, &loaded.sources, Style::default());
    assert!(!loaded.diagnostics.has_errors(), "{what}\n{problems}");
    let problems = render(&loaded.query_diagnostics, &loaded.sources, Style::default());
    assert!(!loaded.query_diagnostics.has_errors(), "{what}\n{problems}");
}
