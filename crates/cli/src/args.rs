//! The arguments, as typed.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A directed model checker for real-time systems.
///
/// guidepost reads networks of timed automata in UPPAAL's language (.xml, .xta, .ta, queries in .q) and in TChecker's (.tck).
///
/// Exit codes: 0 done, 2 the input or the command is wrong, 4 internal error.
#[derive(Parser, Debug)]
#[command(name = "guidepost", version, max_term_width = 100)]
pub(crate) struct Args {
    /// How messages about the input are written.
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Human)]
    pub(crate) message_format: MessageFormat,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people, with the text underlined.
    Human,
    /// One JSON object a line.
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Show what a model consists of, what it uses, and what looks wrong with it.
    Info(InfoArgs),
    /// Convert a model: .xml, .xta, .ta and .tck to .xml, .xta, .dot or (queries only) .q.
    Convert(ConvertArgs),
    /// Run a model at random and print the timed run, only what changes.
    Simulate(SimulateArgs),
    /// Explore the whole state space: counts, deadlocks, dead code.
    States(StatesArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

#[derive(ClapArgs, Debug)]
pub(crate) struct InfoArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct StatesArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ConvertArgs {
    /// The model to read.
    pub(crate) input: PathBuf,
    /// The file to write; its extension says in which format.
    pub(crate) output: PathBuf,
    /// Overwrite an existing file.
    #[arg(long, short)]
    pub(crate) force: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct SimulateArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// How many transitions at most.
    #[arg(long, default_value_t = 20)]
    pub(crate) steps: usize,
    /// The seed of the random choices; the same seed gives the same run.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// How the run is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
}
