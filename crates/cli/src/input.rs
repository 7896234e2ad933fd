//! Reading models for commands.

use crate::args::{MessageFormat, NamesArgs};
use crate::exit::Exit;
use crate::terminal::{print_diagnostics, print_error};
use guidepost::{ModelError, Session, Trouble, read};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::source::SourceMap;
use guidepost_language::{Loaded, load_text};
use guidepost_plc::ModelPath;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The files that a model is read from: its own, and the queries beside it. (`FILE.plc:VARIANT` is no name of a file.)
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    let model = ModelPath::of(path).map_or_else(|| path.to_owned(), |path| path.file);
    let queries = model.with_extension("q");
    [model, queries].into_iter().filter(|file| file.is_file()).collect()
}

/// Reads a model, from standard input if it is called `-`; what it begins with says in which language it is then.
fn read_any(path: &Path) -> Loaded {
    if path.as_os_str() != "-" {
        return read(path);
    }
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        print_error(format!("cannot read standard input: {error}"));
    }
    let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let name = if begin.starts_with('<') {
        "stdin.xml"
    } else if begin.lines().any(|line| line.trim_start().starts_with("system:")) {
        "stdin.tck"
    } else {
        "stdin.xta"
    };
    load_text(name, &text)
}

/// Reads a model and prints what is wrong with it; errors end the command.
pub(crate) fn load(path: &Path, format: MessageFormat) -> Result<Loaded, Exit> {
    let loaded = read_any(path);
    print_diagnostics(&loaded.diagnostics, &loaded.sources, format);
    if loaded.diagnostics.has_errors() { Err(Exit::BadInput) } else { Ok(loaded) }
}

/// Reads and builds a model that is to be explored, and prints what is wrong with it.
pub(crate) fn open(path: &Path, format: MessageFormat) -> Result<Session, ModelError> {
    let opened =
        Session::new(read_any(path)).and_then(|session| session.has_initial_state().map(|()| session));
    let (diagnostics, sources) = match &opened {
        Ok(session) => (session.warnings(), &session.loaded().sources),
        Err(error) => (error.diagnostics(), error.sources()),
    };
    print_errors(diagnostics, sources, format, path);
    opened
}

/// As [`open`]; errors end the command.
pub(crate) fn explorable(path: &Path, format: MessageFormat) -> Result<Session, Exit> {
    open(path, format).map_err(|_| Exit::BadInput)
}

/// As [`explorable`], with the names that runs are to be told in.
pub(crate) fn showable(path: &Path, names: NamesArgs, format: MessageFormat) -> Result<Session, Exit> {
    let mut session = explorable(path, format)?;
    if names.translation {
        session.use_names_of_the_translation();
    }
    Ok(session)
}

/// Prints why a model cannot be worked with, and ends the command.
pub(crate) fn refuse(error: &ModelError, format: MessageFormat) -> Exit {
    if let Some(trouble) = error.trouble() {
        print_error(trouble.message());
        return match trouble {
            Trouble::Wrong(_) => Exit::BadInput,
            Trouble::Absent(_) => Exit::Undecided,
        };
    }
    print_diagnostics(error.diagnostics(), error.sources(), format);
    Exit::BadInput
}

/// The errors alone.
pub(crate) fn errors(diagnostics: &Diagnostics) -> Diagnostics {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned().collect()
}

/// Prints errors. Warnings are not what was asked for: people get their number, programs all of them.
fn print_errors(diagnostics: &Diagnostics, sources: &SourceMap, format: MessageFormat, path: &Path) {
    if format == MessageFormat::Json {
        print_diagnostics(diagnostics, sources, format);
        return;
    }
    let errors = errors(diagnostics);
    print_diagnostics(&errors, sources, format);
    let see = format!("see `guidepost info {}`", path.display());
    match diagnostics.len() - errors.len() {
        0 => {}
        1 => anstream::eprintln!("1 warning; {see}"),
        warnings => anstream::eprintln!("{warnings} warnings; {see}"),
    }
}
