//! One file per command.

mod abstraction;
mod bench;
mod certify;
mod check;
mod check_many;
mod completions;
mod convert;
mod draw;
mod engines;
mod explore;
mod generate;
mod heuristics;
mod info;
mod lsp;
mod machine;
mod man;
mod replay;
mod report;
mod simulate;
mod states;
mod verifyta;
mod worker;

pub(crate) use abstraction::{AbstractArgs, check_names};
pub(crate) use bench::BenchArgs;
pub(crate) use generate::GenerateArgs;
pub(crate) use machine::MachineArgs;
pub(crate) use man::ManArgs;
pub(crate) use verifyta::VerifytaArgs;
pub(crate) use worker::WorkerArgs;

use crate::args::{Args, Command};
use crate::exit::Exit;
use crate::terminal::print_error;
use guidepost_plc::ModelPath;

/// Runs the command that was asked for.
pub(crate) fn run(mut args: Args) -> Exit {
    let messages = args.message_format;
    args.command.put_in_order();
    if let Some(variant) = &args.variant
        && let Err(exit) = choose_variant(&mut args.command, variant)
    {
        return exit;
    }
    let result = match args.command {
        Command::Check(args) if check_many::is_meant(&args) => check_many::run(&args, messages),
        Command::Check(args) => check::run(&args, messages),
        Command::Info(args) => info::run(&args, messages),
        Command::Abstract(args) => abstraction::run(&args, messages),
        Command::Convert(args) => convert::run(&args, messages),
        Command::Simulate(args) => simulate::run(&args, messages),
        Command::Explore(args) => explore::run(&args, messages),
        Command::States(args) => states::run(&args, messages),
        Command::Lsp(_) => lsp::run(),
        Command::Draw(args) => draw::run(&args, messages),
        Command::Replay(args) => replay::run(&args, messages),
        Command::Certify(args) => certify::run(&args, messages),
        Command::Machine(args) => machine::run(&args, messages),
        Command::Report(args) => report::run(&args, messages),
        Command::Worker(args) => worker::run(&args),
        Command::Engines(args) => Ok(engines::run(&args)),
        Command::Heuristics(args) => Ok(heuristics::run(&args)),
        Command::Generate(args) => generate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Verifyta(args) => verifyta::run(&args),
        Command::Completions { shell } => Ok(completions::run(shell)),
    };
    result.unwrap_or_else(|exit| exit)
}

/// Makes the variant a part of the model's name, as `FILE.plc:VARIANT`: so answers and reports say which one was meant.
fn choose_variant(command: &mut Command, variant: &str) -> Result<(), Exit> {
    let model = command.model();
    let path = model.as_deref().and_then(|path| ModelPath::of(path));
    match (model, path) {
        (Some(model), Some(path)) if path.variant.is_none() => {
            *model = path.with_variant(variant);
            Ok(())
        }
        (_, Some(ModelPath { variant: Some(named), .. })) => {
            print_error(format!("two variants are named: `{named}` and `{variant}`"));
            Err(Exit::BadInput)
        }
        _ => {
            print_error("--variant is for models whose names end in .plc");
            Err(Exit::BadInput)
        }
    }
}
