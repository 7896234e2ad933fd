//! The collection of public models: whatever UPPAAL or TChecker accepts must be read without an error.

use crate::diagnostic::Diagnostics;
use crate::parse;
use crate::render::{Style, render};
use crate::source::{Fragment, SourceMap, Span};
use std::path::Path;

/// What is wrong with a model, if anything is.
fn problems(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut sources = SourceMap::default();
    let file = sources.add(path.display().to_string(), text.clone());
    let mut out = Diagnostics::default();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("xml") => super::read_xml(&mut sources, file, &mut out),
        Some("tck") => super::read_tck(&mut sources, file, &mut out),
        _ => parse::xta(&Fragment::whole(file, &text), &mut out),
    };
    let style = Style { limit: 2, ..Style::default() };
    // A broken query does not spoil the model.
    let in_query =
        |span: Span| sources.file(file).place(span.start).is_some_and(|place| place.starts_with("query "));
    let spoils = out.iter().any(|diagnostic| diagnostic.is_error() && !in_query(diagnostic.span));
    spoils.then(|| render(&out, &sources, style))
}

#[test]
fn all_good_models_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.csv")) else { return };
    let mut failures = Vec::new();
    for line in manifest.lines().skip(1) {
        let mut columns = line.split(',');
        let (Some(path), Some(language)) = (columns.next(), columns.next()) else { continue };
        let found = problems(&folder.join(path));
        if language == "ok" {
            failures.extend(found);
        }
    }
    assert!(failures.is_empty(), "{} models fail:\n{}", failures.len(), failures.join("\n"));
}
