//! From a file to a chart, in one call.

use super::chart::Chart;
use super::read::read;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::load::{NOT_A_TEXT, is_text, read_text};
use guidepost_language::source::{SourceMap, Span};
use std::path::Path;

/// A chart, and what was said when it was read.
#[derive(Debug)]
pub struct Loaded {
    /// The text.
    pub sources: SourceMap,
    /// The chart, to be used only if there are no errors.
    pub chart: Chart,
    /// Messages, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads a file.
pub fn load_file(path: &Path) -> Loaded {
    let name = path.display().to_string();
    let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::default());
    match read_text(path, &name, &mut sources, &mut diagnostics) {
        Some(text) => load_text(&name, &text),
        None => Loaded { sources, chart: Chart::default(), diagnostics },
    }
}

/// Reads a text. `name` is how messages call it.
pub fn load_text(name: &str, text: &str) -> Loaded {
    let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::default());
    if !is_text(text) {
        let file = sources.add(name, "");
        diagnostics.push(Diagnostic::new(Code::UnknownFormat, Span::new(file, 0, 0), NOT_A_TEXT));
        return Loaded { sources, chart: Chart::default(), diagnostics };
    }
    let file = sources.add(name, text);
    let chart = read(&sources, file, &mut diagnostics);
    diagnostics.sort();
    Loaded { sources, chart, diagnostics }
}
