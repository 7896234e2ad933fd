//! `guidepost convert IN OUT`

use super::machine;
use crate::args::{ConvertArgs, ConvertFormat, MessageFormat};
use crate::exit::Exit;
use crate::terminal::{print_diagnostics, print_error, refuse};
use crate::{files, input};
use guidepost::Session;
use guidepost_interchange::System;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::syntax::Formula;
use guidepost_language::{Loaded, write};
use guidepost_network::flat::{Flattener, Omitted};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &ConvertArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let format = format_of(&args.output, args.to)?;
    let loaded = match machine::timed(&args.input, messages)? {
        Some(_) if args.flat => return Err(refuse("`--flat` is for networks: convert the machine first")),
        Some(loaded) => loaded,
        None if args.flat => flat(args, messages)?,
        None => input::load(&args.input, messages)?,
    };
    write_converted(&loaded, format, &args.output, args.force, messages)?;
    Ok(Exit::Satisfied)
}

/// Writes a model in a format, and its queries beside it where the format has no place for them.
pub(super) fn write_converted(
    loaded: &Loaded,
    format: ConvertFormat,
    output: &Path,
    force: bool,
    messages: MessageFormat,
) -> Result<(), Exit> {
    let text = match format {
        ConvertFormat::Tck | ConvertFormat::Jani => exchange(loaded, format, output, messages)?,
        _ => convert(loaded, format).map_err(|diagnostics| {
            print_diagnostics(&diagnostics, &loaded.sources, messages);
            Exit::BadInput
        })?,
    };
    if files::is_stdout(output) {
        return files::write(output, &text);
    }
    let mut written = vec![(output.to_path_buf(), text)];
    if format == ConvertFormat::Xta && !loaded.document.queries.is_empty() {
        // Textual models keep their queries in a file of their own.
        written.push((output.with_extension("q"), queries(loaded)));
    }
    let inputs: Vec<PathBuf> = loaded.sources.files().map(|(_, file)| PathBuf::from(&file.name)).collect();
    files::refuse_inputs(written.iter().map(|(path, _)| path.as_path()), &inputs)?;
    write_files(&written, force)
}

/// The instantiated network in the format of another tool.
fn exchange(
    loaded: &Loaded,
    format: ConvertFormat,
    output: &Path,
    messages: MessageFormat,
) -> Result<String, Exit> {
    let session = Session::new(loaded.clone()).map_err(|error| input::refuse(&error, messages))?;
    let name = output.file_stem().and_then(|stem| stem.to_str()).unwrap_or("model");
    let text = if format == ConvertFormat::Tck {
        System::for_tck(name, loaded, session.network()).and_then(|system| system.to_tck())
    } else {
        System::for_jani(name, loaded, session.network()).and_then(|system| system.to_jani())
    };
    let text = text.map_err(refuse)?;
    if !loaded.document.queries.is_empty() {
        anstream::eprintln!("note: the queries are not written: this format has no place for them");
    }
    Ok(text)
}

/// The model with a template of its own for every process.
fn flat(args: &ConvertArgs, messages: MessageFormat) -> Result<Loaded, Exit> {
    let (mut loaded, network) = input::explorable(&args.input, messages)?.into_parts();
    let everything = Omitted::nothing(&network);
    let mut flattener = Flattener::new(&network, &loaded.model, &loaded.document, everything);
    let asked = loaded.model.queries.iter().try_for_each(|query| flattener.ask(query));
    let flat = asked.and_then(|()| flattener.finish()).map_err(|error| {
        print_error(error);
        Exit::BadInput
    })?;
    loaded.document = flat.document;
    Ok(loaded)
}

/// The format asked for, or else the one that the output's extension names.
fn format_of(output: &Path, wanted: Option<ConvertFormat>) -> Result<ConvertFormat, Exit> {
    if let Some(format) = wanted.or_else(|| format_by_name(output)) {
        return Ok(format);
    }
    if files::is_stdout(output) {
        print_error("say with --to in which format standard output is to be written");
    } else {
        let output = output.display();
        print_error(format!(
            "`{output}` does not say which format is wanted; end it in .xml, .xta, .tck, .jani, .dot or .q, or use --to"
        ));
    }
    Err(Exit::BadInput)
}

/// The format that an extension names.
pub(super) fn format_by_name(output: &Path) -> Option<ConvertFormat> {
    let extension = output.extension()?.to_str()?;
    match extension.to_ascii_lowercase().as_str() {
        "xml" => Some(ConvertFormat::Xml),
        "xta" | "ta" => Some(ConvertFormat::Xta),
        "dot" | "gv" => Some(ConvertFormat::Dot),
        "q" => Some(ConvertFormat::Q),
        "tck" => Some(ConvertFormat::Tck),
        "jani" => Some(ConvertFormat::Jani),
        _ => None,
    }
}

fn convert(loaded: &Loaded, format: ConvertFormat) -> Result<String, Diagnostics> {
    let (document, sources) = (&loaded.document, &loaded.sources);
    match format {
        ConvertFormat::Xml => write::to_xml(document, sources),
        ConvertFormat::Xta => write::to_xta(document, sources),
        ConvertFormat::Dot => Ok(write::to_dot(document, sources)),
        ConvertFormat::Q => Ok(queries(loaded)),
        ConvertFormat::Tck | ConvertFormat::Jani => unreachable!("written by `exchange`"),
    }
}

/// The queries as text. People store headings among their queries; next to others on lines of their own those would be read as a part
/// of them, so what is no query becomes a comment.
fn queries(loaded: &Loaded) -> String {
    let mut document = loaded.document.clone();
    for query in document.queries.iter_mut().filter(|query| query.formula == Formula::Error) {
        query.formula = Formula::Empty;
        let comment = format!("{}\n{}", query.comment.trim(), query.text);
        comment.trim().clone_into(&mut query.comment);
        query.expect = None;
    }
    write::to_q(&document)
}

/// Writes all files or, when one of them exists already, none.
fn write_files(written: &[(PathBuf, String)], force: bool) -> Result<(), Exit> {
    if let Some((path, _)) = written.iter().find(|(path, _)| path.exists() && !force) {
        print_error(format!("`{}` exists; use --force to overwrite it", path.display()));
        return Err(Exit::BadInput);
    }
    written.iter().try_for_each(|(path, text)| files::write(path, text))
}
