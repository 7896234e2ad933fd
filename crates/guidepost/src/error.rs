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
}

impl ModelError {
    pub(crate) fn new(diagnostics: Diagnostics, sources: &SourceMap) -> Self {
        Self { diagnostics, sources: sources.clone() }
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
