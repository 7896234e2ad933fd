//! `guidepost convert IN OUT`

use crate::args::{ConvertArgs, MessageFormat};
use crate::exit::Exit;
use crate::input;
use crate::terminal::{print, print_diagnostics, print_error};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::{Loaded, write};
use std::path::Path;

pub(crate) fn run(args: &ConvertArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let loaded = input::load(&args.input, messages)?;
    let texts = convert(&loaded, &args.output)?.map_err(|diagnostics| {
        print_diagnostics(&diagnostics, &loaded.sources, messages);
        Exit::BadInput
    })?;
    for (path, text) in texts {
        if path.as_os_str() == "-" {
            print(&text);
        } else {
            write_file(&path, &text, args.force)?;
        }
    }
    Ok(Exit::Satisfied)
}

type Files = Vec<(std::path::PathBuf, String)>;

/// The files to write, by the extension of the output.
fn convert(loaded: &Loaded, output: &Path) -> Result<Result<Files, Diagnostics>, Exit> {
    let (document, sources) = (&loaded.document, &loaded.sources);
    let extension = output.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let one = |text: String| vec![(output.to_owned(), text)];
    Ok(match extension {
        "xml" => write::to_xml(document, sources).map(one),
        "xta" | "ta" => write::to_xta(document, sources).map(|text| {
            // Textual models keep their queries in a file of their own.
            let mut files = one(text);
            if !document.queries.is_empty() {
                files.push((output.with_extension("q"), write::to_q(document)));
            }
            files
        }),
        "dot" => Ok(one(write::to_dot(document, sources))),
        "q" => Ok(one(write::to_q(document))),
        other => {
            print_error(format!("cannot write files that end in `.{other}`; use .xml, .xta, .dot or .q"));
            return Err(Exit::BadInput);
        }
    })
}

fn write_file(path: &Path, text: &str, force: bool) -> Result<(), Exit> {
    if path.exists() && !force {
        print_error(format!("`{}` exists; use --force to overwrite it", path.display()));
        return Err(Exit::BadInput);
    }
    std::fs::write(path, text).map_err(|error| {
        print_error(format!("cannot write `{}`: {error}", path.display()));
        Exit::BadInput
    })
}
