//! What the terminal can show, and writing to it without dying on a closed pipe.

use crate::args::MessageFormat;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::render::{self, Style};
use guidepost_language::source::SourceMap;
use std::io::{IsTerminal, Write};

/// Colour on standard error, unless it goes to a file or the user asked for none.
fn style() -> Style {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    Style { color: wanted && std::io::stderr().is_terminal(), ..Style::default() }
}

/// Prints diagnostics to standard error.
pub(crate) fn print_diagnostics(diagnostics: &Diagnostics, sources: &SourceMap, format: MessageFormat) {
    if diagnostics.is_empty() {
        return;
    }
    match format {
        MessageFormat::Human => anstream::eprint!("{}", render::render(diagnostics, sources, style())),
        MessageFormat::Json => {
            if let Some(list) = render::to_json(diagnostics, sources).as_array() {
                for message in list {
                    anstream::eprintln!("{message}");
                }
            }
        }
    }
}

/// Prints a message of the command itself (not about a model) to standard error.
pub(crate) fn print_error(message: impl std::fmt::Display) {
    anstream::eprintln!("error: {message}");
}

/// Writes to standard output; a reader that has gone away ends the output, not the program.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Writes a JSON value, indented, with a line break at the end.
pub(crate) fn print_json(value: &serde_json::Value) {
    print(&format!("{value:#}\n"));
}
