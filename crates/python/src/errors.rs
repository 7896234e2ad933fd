//! Errors as exceptions. Their classes are Python's, so that they can be caught, shown and documented like any other.

use guidepost::language::diagnostic::Diagnostics;
use guidepost::language::render;
use guidepost::language::source::SourceMap;
use guidepost::{ModelError, NothingAsked};
use pyo3::prelude::*;

/// An exception of a class of `guidepost._errors`.
fn exception<'py>(py: Python<'py>, class: &str, args: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("guidepost._errors").and_then(|module| module.getattr(class)?.call1(args));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What is wrong with a model or a query: the messages, each with its place.
pub(crate) fn model_error(py: Python<'_>, error: &ModelError) -> PyErr {
    of_messages(py, &error.to_string(), error.diagnostics(), error.sources())
}

fn of_messages(py: Python<'_>, sentence: &str, messages: &Diagnostics, sources: &SourceMap) -> PyErr {
    exception(py, "ModelError", (sentence, messages_json(messages, sources)))
}

/// Nothing can be asked: there are no queries, or none that are right.
pub(crate) fn nothing_asked(py: Python<'_>, nothing: &NothingAsked, sources: &SourceMap) -> PyErr {
    let rendered = render::render(&nothing.diagnostics, sources, render::Style::default());
    let sentence = if nothing.message.is_empty() { rendered.trim_end() } else { &nothing.message };
    of_messages(py, sentence, &nothing.diagnostics, sources)
}

/// Options that contradict each other, or words that they do not know.
pub(crate) fn bad_options(py: Python<'_>, error: &dyn std::fmt::Display) -> PyErr {
    exception(py, "OptionError", (error.to_string(),))
}

/// A step that is not possible.
pub(crate) fn impossible(py: Python<'_>, reason: &str) -> PyErr {
    exception(py, "StepError", (reason,))
}

/// A bug.
pub(crate) fn internal(py: Python<'_>, what: &str) -> PyErr {
    exception(py, "InternalError", (what,))
}

/// Messages as JSON, each with the text that the command prints about it.
pub(crate) fn messages_json(messages: &Diagnostics, sources: &SourceMap) -> String {
    let mut list = render::to_json(messages, sources);
    for (entry, message) in list.as_array_mut().into_iter().flatten().zip(messages) {
        let rendered = render::render_one(message, sources, render::Style::default());
        entry["rendered"] = rendered.trim_end().into();
    }
    list.to_string()
}
