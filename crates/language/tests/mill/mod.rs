//! What the mutants go through, and where they come from.

mod long;
mod memory;
mod mutate;
mod random;

pub(crate) use long::long_texts;
pub(crate) use memory::Memory;
pub(crate) use mutate::{Corpus, MAX_BYTES};
pub(crate) use random::Random;

use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::render::{Style, render, to_json};
use guidepost_language::source::SourceMap;
use guidepost_language::{Loaded, load_text, write};
use std::path::{Path, PathBuf};

/// How a text was received.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Verdict {
    /// Without errors; it was written and read again.
    Clean,
    /// With errors.
    Wrong,
}

/// A model for queries to ask about.
const SMALL: &str = "clock x; int[0,3] i; chan go; bool b[2];
process Train(const int[0,1] id) { state Safe, Cross { x <= 5 }; init Safe;
    trans Safe -> Cross { guard x > id; sync go!; assign i = id; }, Cross -> Safe { }; }
process Gate() { clock y; int n; state Free; init Free; trans Free -> Free { guard y > n; sync go?; assign y = 0; }; }
system Train, Gate;";

/// Reads a text, renders what is said about it, and writes it if nothing is.
pub(crate) fn exercise(name: &str, text: &str) -> Result<Verdict, String> {
    if Path::new(name).extension().is_some_and(|ending| ending == "q") {
        return exercise_queries(name, text);
    }
    let loaded = load_text(name, text);
    check_messages(&loaded.diagnostics, &loaded.sources)?;
    check_messages(&loaded.query_diagnostics, &loaded.sources)?;
    if loaded.diagnostics.has_errors() {
        return Ok(Verdict::Wrong);
    }
    check_writers(&loaded)?;
    Ok(Verdict::Clean)
}

fn exercise_queries(name: &str, text: &str) -> Result<Verdict, String> {
    let mut loaded = load_text("small.xta", SMALL);
    let mut out = Diagnostics::default();
    loaded.queries_from_text(name, text, &mut out);
    check_messages(&out, &loaded.sources)?;
    Ok(if out.has_errors() { Verdict::Wrong } else { Verdict::Clean })
}

/// Messages point into their files, and can be shown.
fn check_messages(diagnostics: &Diagnostics, sources: &SourceMap) -> Result<(), String> {
    for diagnostic in diagnostics {
        for span in diagnostic.related.iter().map(|(span, _)| *span).chain([diagnostic.span]) {
            let text = &sources.file(span.file).text;
            let (start, end) = (span.start as usize, span.end as usize);
            let inside = start <= end && text.is_char_boundary(start) && text.is_char_boundary(end);
            if !inside {
                return Err(format!("{diagnostic:?} points outside the text"));
            }
        }
    }
    let shown = render(diagnostics, sources, Style::default());
    if shown.is_empty() != diagnostics.is_empty() {
        return Err("messages are not shown".to_owned());
    }
    render(diagnostics, sources, Style { color: true, width: 40, limit: 3 });
    to_json(diagnostics, sources).to_string();
    Ok(())
}

/// What is written can be read.
fn check_writers(loaded: &Loaded) -> Result<(), String> {
    write::to_dot(&loaded.document, &loaded.sources);
    write::to_q(&loaded.document);
    let texts = [
        ("xta", write::to_xta(&loaded.document, &loaded.sources)),
        ("xml", write::to_xml(&loaded.document, &loaded.sources)),
    ];
    for (ending, text) in texts {
        // What the format cannot express is refused with a message.
        let text = match text {
            Ok(text) => text,
            Err(refused) => {
                check_messages(&refused, &loaded.sources)?;
                continue;
            }
        };
        let again = load_text(&format!("written.{ending}"), &text);
        if again.diagnostics.has_errors() {
            let style = Style { limit: 2, ..Style::default() };
            let problems = render(&again.diagnostics, &again.sources, style);
            return Err(format!("written as {ending}, it has errors:\n{problems}"));
        }
    }
    Ok(())
}

/// The models of the project and of these tests; with `all`, also the public collection where it is at hand.
pub(crate) fn corpus(all: bool) -> Corpus {
    let mut folders = vec![PathBuf::from("../../models"), "tests/wrong".into(), "tests/regressions".into()];
    if all {
        folders.push("../../../shared/models".into());
    }
    Corpus::read(folders)
}
