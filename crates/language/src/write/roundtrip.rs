//! Every model that can be read is written, read again, and must be the same tree up to positions.

use crate::diagnostic::Diagnostics;
use crate::parse;
use crate::source::{Fragment, SourceMap};
use crate::syntax::{Document, Drawing, Format};
use std::path::{Path, PathBuf};

/// The project's own models and, where it is present, the collection next to it.
pub(crate) fn models(endings: &[&str]) -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![here.join("../../models"), here.join("../../../shared/models")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
            if path.is_dir() {
                folders.push(path);
            } else if endings.contains(&ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reads a file; `None` when it has errors.
fn load(path: &Path) -> Option<(Document, SourceMap)> {
    let bytes = std::fs::read(path).ok()?;
    let ending = path.extension().and_then(|ending| ending.to_str())?;
    read(&String::from_utf8_lossy(&bytes), ending).ok()
}

/// Reads a text; what is wrong with it otherwise.
fn read(text: &str, ending: &str) -> Result<(Document, SourceMap), String> {
    let mut sources = SourceMap::default();
    let file = sources.add("model", text);
    let mut out = Diagnostics::default();
    let document = match ending {
        "xml" => crate::read::read_xml(&mut sources, file, &mut out),
        "tck" => crate::read::read_tck(&mut sources, file, &mut out),
        _ => parse::xta(&Fragment::whole(file, text), &mut out),
    };
    if out.has_errors() {
        let style = crate::render::Style { limit: 3, ..Default::default() };
        return Err(crate::render::render(&out, &sources, style));
    }
    Ok((document, sources))
}

/// What must survive: everything but positions in the file, and what the format has no place for.
fn essence(mut document: Document, drawings: bool, queries: bool) -> Document {
    document.format = Format::Xta;
    if !queries {
        document.queries.clear();
        document.query_options.clear();
    }
    for template in &mut document.templates {
        template.mentions.clear();
        for location in &mut template.locations {
            location.labels.clear();
            if !drawings {
                location.anonymous = false;
                location.drawing = Drawing::default();
            }
        }
        if !drawings {
            template.name_at = None;
            template.branchpoints.iter_mut().for_each(|point| point.drawing = Drawing::default());
            template.edges.iter_mut().for_each(|edge| edge.drawing = Drawing::default());
        }
    }
    document
}

fn without_spans(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("Span {") {
        kept.push_str(&rest[..at]);
        // `Span { file: FileId( … ), start: …, end: … }`: the first closing brace is its own.
        rest = rest[at..].split_once('}').map_or("", |(_, rest)| rest);
    }
    kept + rest
}

#[track_caller]
fn reread(path: &Path, written: &str, ending: &str) -> (Document, SourceMap) {
    read(written, ending)
        .unwrap_or_else(|problems| panic!("{}, written as {ending}:\n{problems}", path.display()))
}

#[track_caller]
fn assert_same(path: &Path, first: &Document, second: &Document, written: &str) {
    let same = without_spans(&format!("{first:?}")) == without_spans(&format!("{second:?}"));
    if !same {
        let first = without_spans(&format!("{first:#?}"));
        let second = without_spans(&format!("{second:#?}"));
        let different = first.lines().zip(second.lines()).position(|(a, b)| a != b).unwrap_or(0);
        let around = |text: &str| {
            let lines: Vec<_> = text.lines().skip(different.saturating_sub(12)).take(20).collect();
            lines.join("\n")
        };
        let shown: String = written.chars().take(3000).collect();
        panic!("{}:\n{}\n-- became --\n{}\n{shown}", path.display(), around(&first), around(&second));
    }
}

#[test]
fn text_survives_text() {
    for path in models(&["xta", "ta"]) {
        let Some((document, sources)) = load(&path) else { continue };
        let written = crate::write::to_xta(&document, &sources).expect("expressible");
        let (again, _) = reread(&path, &written, "xta");
        assert_same(&path, &essence(document, false, false), &essence(again, false, false), &written);
    }
}

#[test]
fn xml_survives_xml() {
    for path in models(&["xml", "xta", "ta"]) {
        let Some((document, sources)) = load(&path) else { continue };
        let written = crate::write::to_xml(&document, &sources).expect("expressible");
        let (again, _) = reread(&path, &written, "xml");
        let drawn = document.templates.iter().all(|template| {
            template.locations.iter().all(|location| location.drawing.at.is_some())
                && template.branchpoints.iter().all(|point| point.drawing.at.is_some())
        });
        assert_same(&path, &essence(document, drawn, true), &essence(again, drawn, true), &written);
    }
}

#[test]
fn xml_becomes_text() {
    for path in models(&["xml"]) {
        let Some((document, sources)) = load(&path) else { continue };
        let Ok(written) = crate::write::to_xta(&document, &sources) else { continue };
        let (again, _) = reread(&path, &written, "xta");
        assert_same(&path, &essence(document, false, false), &essence(again, false, false), &written);
    }
}

#[test]
fn tchecker_models_become_text_and_xml() {
    for path in models(&["tck"]) {
        let Some((document, sources)) = load(&path) else { continue };
        let Ok(written) = crate::write::to_xta(&document, &sources) else { continue };
        let (again, _) = reread(&path, &written, "xta");
        assert_eq!(again.templates.len(), document.templates.len());
        let written = crate::write::to_xml(&document, &sources).expect("what text can say, XML can");
        let (other, _) = reread(&path, &written, "xml");
        assert_same(&path, &essence(again, false, false), &essence(other, false, false), &written);
    }
}
