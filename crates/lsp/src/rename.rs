//! Renaming.
//!
//! A new name may hide another one, or be hidden. Rather than reasoning about scopes, the new texts are read: every name must mean what it meant before,
//! and nothing may be wrong that was not wrong before. Otherwise nothing is renamed.

use crate::analysis::{Analysis, Source};
use crate::names::{Definition, Meaning};
use crate::texts::Language;
use guidepost_language::check::Target;
use guidepost_language::source::{FileId, Span};
use guidepost_language::write::is_name;
use std::collections::HashMap;

/// The name at an offset, if it can be renamed.
pub(crate) fn prepare(analysis: &Analysis, file: FileId, offset: u32) -> Result<(Span, Definition), String> {
    let (span, definition) =
        analysis.name_at(file, offset).ok_or("there is no name here that could be renamed")?;
    let old = analysis.loaded.sources.text(span);
    if analysis.declared(definition).is_none() {
        return Err(format!("`{old}` is built in"));
    }
    if has_errors(analysis) {
        return Err("the model has errors; names could be missed".to_owned());
    }
    let places = analysis.places(definition);
    if places.iter().any(|place| analysis.loaded.sources.text(*place) != old) {
        return Err(format!("`{old}` was made up by the reader, or is written in several ways"));
    }
    Ok((span, definition))
}

/// The places that get a new name, or why not.
pub(crate) fn rename(analysis: &Analysis, file: FileId, offset: u32, new: &str) -> Result<Vec<Span>, String> {
    let (_, definition) = prepare(analysis, file, offset)?;
    let is_plc = analysis.language == Language::Plc;
    let is_valid = if is_plc { guidepost_plc::names::is_name(new) } else { is_name(new) };
    if !is_valid {
        return Err(format!(
            "`{new}` is no name: it must begin with a letter, have letters, digits and `_` only, and be no word of the language"
        ));
    }
    let places = analysis.places(definition);
    let again = analysis_after(analysis, &places, new);
    if has_errors(&again) {
        return Err(format!("with the name `{new}`, the model would be wrong: {}", first_error(&again)));
    }
    match first_change(analysis, &again, &places, new) {
        None => Ok(places),
        Some(span) => {
            let line = analysis.part(span.file).lines.line(span.start) + 1;
            Err(format!("`{new}` is taken: in line {line}, a name would mean something else than before"))
        }
    }
}

fn has_errors(analysis: &Analysis) -> bool {
    let loaded = &analysis.loaded;
    let beside = analysis.beside.as_ref().is_some_and(|beside| beside.diagnostics.has_errors());
    loaded.diagnostics.has_errors() || loaded.query_diagnostics.has_errors() || beside
}

fn first_error(analysis: &Analysis) -> String {
    let loaded = &analysis.loaded;
    let beside = analysis.beside.iter().flat_map(|beside| &beside.diagnostics);
    let mut all = loaded.diagnostics.iter().chain(&loaded.query_diagnostics).chain(beside);
    all.find(|message| message.is_error()).map(|message| message.message.clone()).unwrap_or_default()
}

/// What would be known if the places had the new name.
fn analysis_after(analysis: &Analysis, places: &[Span], new: &str) -> Analysis {
    let source = |file: FileId| {
        let mut text = String::new();
        let (old, mut end) = (analysis.text(file), 0);
        for place in places.iter().filter(|place| place.file == file) {
            text.push_str(&old[end..place.start as usize]);
            text.push_str(new);
            end = place.end as usize;
        }
        text.push_str(&old[end..]);
        let language = if file == FileId(0) { analysis.language } else { Language::Queries };
        Source::with_text(&analysis.part(file).path, language, text)
    };
    let queries = (analysis.files.len() > 1).then(|| source(FileId(1)));
    Analysis::of(&source(FileId(0)), queries.as_ref())
}

/// The first place where a name means something else than before. Meanings are compared by where they are first named, places by how many names stand
/// before them.
fn first_change(before: &Analysis, after: &Analysis, places: &[Span], new: &str) -> Option<Span> {
    let (old, renamed) = (meanings(before), meanings(after));
    let differs = old.iter().zip(&renamed).find(|((_, a), (_, b))| a != b).map(|((span, _), _)| *span);
    let shorter = || (old.len() != renamed.len()).then(|| places.first().copied()).flatten();
    // The names are where they were, but for the change of length.
    let moved = || {
        let mut shift = 0_i64;
        let mut file = FileId(0);
        for ((was, _), (is, _)) in old.iter().zip(&renamed) {
            if was.file != file {
                (shift, file) = (0, was.file);
            }
            if i64::from(was.start) + shift != i64::from(is.start) {
                return Some(*was);
            }
            if places.binary_search(was).is_ok() {
                shift += new.len() as i64 - i64::from(was.end - was.start);
            }
        }
        None
    };
    differs.or_else(shorter).or_else(moved)
}

/// Every name, with the number of the first one that means the same; what is built in by its own number.
fn meanings(analysis: &Analysis) -> Vec<(Span, Identity)> {
    let mut first = HashMap::new();
    match &analysis.meaning {
        Meaning::Model(index) => {
            let named = index.occurrences().iter().enumerate();
            let numbered = named.map(|(number, occurrence)| {
                let built_in = match occurrence.target {
                    Target::Symbol(id) if analysis.loaded.model.symbol(id).span == Span::default() => {
                        Some(id.0)
                    }
                    _ => None,
                };
                let identity = match built_in {
                    Some(id) => Identity::BuiltIn(id),
                    None => Identity::First(*first.entry(occurrence.target).or_insert(number)),
                };
                (occurrence.span, identity)
            });
            numbered.collect()
        }
        Meaning::Plc(names) => {
            let mut first = HashMap::new();
            let named = names.mentions.iter().enumerate();
            named
                .map(|(number, &(span, item))| (span, Identity::First(*first.entry(item).or_insert(number))))
                .collect()
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Identity {
    First(usize),
    BuiltIn(u32),
}
