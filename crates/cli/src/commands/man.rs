//! `guidepost man FOLDER`: manual pages, made from the help.

use crate::args::Args;
use crate::exit::Exit;
use crate::terminal::refuse;
use clap::{Args as ClapArgs, CommandFactory};
use std::path::PathBuf;

/// Where to.
#[derive(ClapArgs, Debug)]
pub(crate) struct ManArgs {
    /// The folder, which is made if it is not there.
    folder: PathBuf,
}

pub(crate) fn run(args: &ManArgs) -> Result<Exit, Exit> {
    let mut command = Args::command();
    // Names and usage of subcommands are known once it is built.
    command.build();
    let written =
        std::fs::create_dir_all(&args.folder).and_then(|()| clap_mangen::generate_to(command, &args.folder));
    written
        .map(|()| Exit::Satisfied)
        .map_err(|error| refuse(format!("cannot write to `{}`: {error}", args.folder.display())))
}
