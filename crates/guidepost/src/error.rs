//! What is wrong with a model, as an error.

use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::render::{self, Style};
use guidepost_language::source::SourceMap;
use std::fmt;

/// A model or a query with mistakes. Displayed, it shows them all with the text underlined.
#[derive(Clone)]
pub struct ModelError {
    diagnostics: Diagnostics,
    sources: SourceMap,
    trouble: Option<Trouble>,
}

/// What is wrong where nothing is wrong with the model: with processes that are to work on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// They, or what is said about them, must change.
    Wrong(String),
    /// They are not there, or are gone.
    Absent(String),
}

impl Trouble {
    /// In one sentence.
    pub fn message(&self) -> &str {
        match self {
            Trouble::Wrong(message) | Trouble::Absent(message) => message,
        }
    }
}

impl ModelError {
    pub(crate) fn new(diagnostics: Diagnostics, sources: &SourceMap) -> Self {
        Self { diagnostics, sources: sources.clone(), trouble: None }
    }

    /// The same, where the model is not to blame.
    pub(crate) fn about(self, trouble: Trouble) -> Self {
        Self { trouble: Some(trouble), ..self }
    }

    /// What is wrong if it is not the model: then the messages have no place in it.
    pub fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// The messages, warnings included.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The texts that the messages point into.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(trouble) = &self.trouble {
            return f.write_str(trouble.message());
        }
        f.write_str(render::render(&self.diagnostics, &self.sources, Style::default()).trim_end())
    }
}

/// As displayed: this is what `unwrap` and a `main` that returns the error show.
impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ModelError {}
