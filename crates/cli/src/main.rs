//! The `guidepost` command.

mod args;
mod certificates;
mod cluster;
mod commands;
mod events;
mod exit;
mod files;
mod input;
mod limits;
mod output;
mod progress;
mod strategy;
mod terminal;

use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Deeply nested models recurse deeply; the main thread's stack is not ours to size.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    terminal::finish(run()).into()
}

fn run() -> Exit {
    let args = match args::Args::try_parse_from(args::words(std::env::args_os())) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => {
            let _ = error.print();
            return Exit::BadInput;
        }
        Err(help) => {
            terminal::note_written(help.print());
            return Exit::Satisfied;
        }
    };
    let worker = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || std::panic::catch_unwind(|| commands::run(args)).unwrap_or_else(|_| internal_error()));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(exit) => exit.unwrap_or_else(|_| internal_error()),
        Err(error) => {
            terminal::print_error(format!(
                "cannot reserve {} MiB of address space for the stack: {error}; a limit such as `ulimit -v` is too low",
                STACK_BYTES >> 20
            ));
            Exit::BadInput
        }
    }
}

/// The panic hook has printed where; say what that means for the user.
fn internal_error() -> Exit {
    anstream::eprintln!(
        "internal error: guidepost has a bug. No answer was given.\n\
         Please report it with the model and the command line."
    );
    Exit::Internal
}
