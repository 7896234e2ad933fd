//! A machine as a network of timed automata, for `guidepost convert`.

use crate::args::MessageFormat;
use crate::exit::Exit;
use crate::terminal::print_diagnostics;
use guidepost_language::Loaded;
use guidepost_language::diagnostic::{Diagnostic, Diagnostics};
use guidepost_language::source::SourceMap;
use guidepost_machines::timed::Timed;
use guidepost_machines::{scxml, sem};
use std::path::Path;

/// The network of a machine; nothing if the file is none, as far as its name tells.
pub(crate) fn timed(path: &Path, messages: MessageFormat) -> Result<Option<Loaded>, Exit> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let (timed, sources) = match extension.to_ascii_lowercase().as_str() {
        "sem" => {
            let loaded = sem::load_file(path);
            print_diagnostics(&loaded.diagnostics, &loaded.sources, messages);
            let system = loaded.system.ok_or(Exit::BadInput)?;
            (sem::timed(&system, &loaded.places), loaded.sources)
        }
        "scxml" | "json" => {
            let loaded = scxml::load_file(path);
            print_diagnostics(&loaded.diagnostics, &loaded.sources, messages);
            if loaded.diagnostics.has_errors() {
                return Err(Exit::BadInput);
            }
            (scxml::timed(&loaded.chart, scxml::Environment::Closed), loaded.sources)
        }
        _ => return Ok(None),
    };
    let timed = timed.map_err(|diagnostic| refused(diagnostic, &sources, messages))?;
    tell(&timed, &sources);
    Ok(Some(timed.load(&path.display().to_string())))
}

fn refused(diagnostic: Diagnostic, sources: &SourceMap, messages: MessageFormat) -> Exit {
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(diagnostic);
    print_diagnostics(&diagnostics, sources, messages);
    Exit::BadInput
}

/// What the network does not have exactly.
fn tell(timed: &Timed, sources: &SourceMap) {
    for note in &timed.notes {
        let at = note.span.map(|span| sources.file(span.file).position(span.start));
        let at = at.map_or_else(String::new, |at| format!("{}:{}: ", at.line, at.column));
        anstream::eprintln!("note: {at}{}", note.message);
    }
}
