//! One file per command.

mod abstraction;
mod bench;
mod check;
mod completions;
mod convert;
mod draw;
mod generate;
mod heuristics;
mod info;
mod replay;
mod report;
mod simulate;
mod states;

pub(crate) use abstraction::AbstractArgs;
pub(crate) use bench::BenchArgs;
pub(crate) use generate::GenerateArgs;

use crate::args::{Args, Command};
use crate::exit::Exit;

/// Runs the command that was asked for.
pub(crate) fn run(args: Args) -> Exit {
    let messages = args.message_format;
    let result = match args.command {
        Command::Check(args) => check::run(&args, messages),
        Command::Info(args) => info::run(&args, messages),
        Command::Abstract(args) => abstraction::run(&args, messages),
        Command::Convert(args) => convert::run(&args, messages),
        Command::Simulate(args) => simulate::run(&args, messages),
        Command::States(args) => states::run(&args, messages),
        Command::Draw(args) => draw::run(&args, messages),
        Command::Replay(args) => replay::run(&args, messages),
        Command::Report(args) => report::run(&args, messages),
        Command::Heuristics(args) => Ok(heuristics::run(&args)),
        Command::Generate(args) => generate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions { shell } => Ok(completions::run(shell)),
    };
    result.unwrap_or_else(|exit| exit)
}
