//! `guidepost completions SHELL`

use crate::args::Args;
use crate::exit::Exit;
use crate::terminal::print;
use clap::CommandFactory;

pub(crate) fn run(shell: clap_complete::Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "guidepost", &mut script);
    print(&String::from_utf8_lossy(&script));
    Exit::Satisfied
}
