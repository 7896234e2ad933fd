//! Reading models for commands.

use crate::args::MessageFormat;
use crate::exit::Exit;
use crate::terminal::print_diagnostics;
use guidepost_language::{Loaded, load_file};
use std::path::Path;

/// Reads a model and prints what is wrong with it; errors end the command.
pub(crate) fn load(path: &Path, format: MessageFormat) -> Result<Loaded, Exit> {
    let loaded = load_file(path);
    print_diagnostics(&loaded.diagnostics, &loaded.sources, format);
    if loaded.diagnostics.has_errors() { Err(Exit::BadInput) } else { Ok(loaded) }
}
