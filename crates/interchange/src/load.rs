//! JANI for the front end.

use crate::system::System;
use guidepost_language::Loaded;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::load::read_text;
use guidepost_language::source::{SourceMap, Span};
use std::path::Path;

/// Reads a JANI file as a model. Reading does not fail: what is wrong is among the messages.
pub fn load_file(path: &Path) -> Loaded {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let name = path.display().to_string();
    match read_text(path, &name, &mut sources, &mut diagnostics) {
        Some(text) => load_text(&name, &text),
        None => nothing(sources, diagnostics),
    }
}

/// Reads JANI from a text as a model; `name` is how messages call it. Positions are those in the translation.
pub fn load_text(name: &str, text: &str) -> Loaded {
    let translated =
        System::from_jani(text).and_then(|system| system.to_tck().map_err(|refusal| refusal.to_string()));
    match translated {
        Ok(tck) => guidepost_language::load_text(name, &tck),
        Err(message) => {
            let mut sources = SourceMap::default();
            let file = sources.add(name, "");
            let diagnostic = Diagnostic::new(Code::NotSupported, Span::new(file, 0, 0), message);
            nothing(sources, std::iter::once(diagnostic).collect())
        }
    }
}

fn nothing(sources: SourceMap, diagnostics: Diagnostics) -> Loaded {
    Loaded {
        sources,
        document: guidepost_language::syntax::Document::default(),
        model: guidepost_language::model::Model::default(),
        diagnostics,
        query_diagnostics: Diagnostics::default(),
    }
}
