//! Reading models for commands.

use crate::args::MessageFormat;
use crate::exit::Exit;
use crate::terminal::print_diagnostics;
use guidepost_language::{Loaded, load_file};
use guidepost_network::Network;
use std::path::Path;

/// Reads a model and prints what is wrong with it; errors end the command.
pub(crate) fn load(path: &Path, format: MessageFormat) -> Result<Loaded, Exit> {
    let loaded = load_file(path);
    print_diagnostics(&loaded.diagnostics, &loaded.sources, format);
    if loaded.diagnostics.has_errors() { Err(Exit::BadInput) } else { Ok(loaded) }
}

/// Builds the network of a model and prints what there is to say; errors end the command.
pub(crate) fn network(loaded: &Loaded, format: MessageFormat) -> Result<Network, Exit> {
    let (network, diagnostics) = guidepost_network::build(&loaded.model);
    print_diagnostics(&diagnostics, &loaded.sources, format);
    network.ok_or(Exit::BadInput)
}
