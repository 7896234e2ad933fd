//! What the terminal can show, and writing to it: a reader that has gone away is no trouble, a full disk is.

use crate::args::MessageFormat;
use crate::exit::Exit;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::render::{self, Style};
use guidepost_language::source::{SourceMap, Span};
use guidepost_report::Look;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

/// Lines longer than this are hard to read, however wide the window is.
const WIDEST: usize = 140;

/// Unless the user asked for none (<https://no-color.org>).
fn wants_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Columns of a terminal; output that is piped looks the same everywhere.
fn width(terminal: bool, piped: usize) -> usize {
    let size = terminal.then(terminal_size::terminal_size).flatten();
    size.map_or(piped, |(width, _)| usize::from(width.0).min(WIDEST))
}

/// How diagnostics look on standard error.
fn style() -> Style {
    let (terminal, plain) = (std::io::stderr().is_terminal(), Style::default());
    Style { color: wants_color() && terminal, width: width(terminal, plain.width), ..plain }
}

/// How answers look on standard output.
pub(crate) fn look() -> Look {
    let (terminal, plain) = (std::io::stdout().is_terminal(), Look::default());
    Look { color: wants_color() && terminal, width: width(terminal, plain.width), ..plain }
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

/// Why standard output could not be written, when it could not.
static LOST_OUTPUT: OnceLock<std::io::Error> = OnceLock::new();

/// As [`print_error`]; the command ends with it.
pub(crate) fn refuse(message: impl std::fmt::Display) -> Exit {
    print_error(message);
    Exit::BadInput
}

/// Writes to standard output. What goes wrong is told once, at the end of the command; see [`finish`].
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    note_written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Remembers that something did not get to standard output. A reader that has gone away has seen what it wanted.
pub(crate) fn note_written(result: std::io::Result<()>) {
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = LOST_OUTPUT.set(error);
    }
}

/// How the command ends: an answer that nobody can read is none.
pub(crate) fn finish(exit: Exit) -> Exit {
    note_written(std::io::stdout().flush());
    let Some(error) = LOST_OUTPUT.get() else { return exit };
    print_error(format!("cannot write to standard output: {error}"));
    if exit == Exit::Internal { exit } else { Exit::BadInput }
}

/// Writes a JSON value, indented, with a line break at the end.
pub(crate) fn print_json(value: &serde_json::Value) {
    print(&format!("{value:#}\n"));
}

/// Warns where results wrapped around in an exploration or a run.
pub(crate) fn print_wraps(wraps: &[Span], sources: &SourceMap, format: MessageFormat) {
    let mut diagnostics = Diagnostics::default();
    for &span in wraps {
        let message = "a result here does not fit into 32 bits and wraps around";
        diagnostics.push(Diagnostic::new(Code::WrapsAround, span, message));
    }
    print_diagnostics(&diagnostics, sources, format);
}
