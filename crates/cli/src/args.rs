//! The arguments, as typed.

mod search;

use crate::cluster::ClusterArgs;
pub(crate) use crate::commands::{
    AbstractArgs, BenchArgs, GenerateArgs, MachineArgs, ManArgs, VerifytaArgs, WorkerArgs,
};
use crate::strategy::{GuideArgs, at_least_one};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use guidepost::verify::EngineSpec;
use guidepost_report::Detail;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(crate) use search::{SearchArgs, SearchOrder};

/// A directed model checker for real-time systems.
///
/// guidepost reads networks of timed automata in UPPAAL's language (.xml, .xta, .ta, queries in .q) and in TChecker's (.tck),
/// systems of programmable logic controllers (.plc, see --variant), and state machines (.scxml, .sem and `XState`'s .json, see `guidepost machine`).
///
/// Exit codes: 0 all queries satisfied (or as expected), 1 some query not satisfied (or a surprise), 2 the input or the command is wrong, 3
/// undecided (limit, interrupt), 4 internal error.
#[derive(Parser, Debug)]
#[command(name = "guidepost", version = env!("GUIDEPOST_VERSION"), max_term_width = 100)]
pub(crate) struct Args {
    /// How messages about the input are written.
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Human)]
    pub(crate) message_format: MessageFormat,
    /// Which variant of a .plc file is meant; the whole system without it.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The words of the command line. A link called `verifyta` is the command of that name.
pub(crate) fn words(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let own = words.first().map(Path::new).and_then(Path::file_stem);
    if own.is_some_and(|name| name == "verifyta") {
        words.insert(1, "verifyta".into());
    }
    words
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

/// How what is known of a model is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum InfoFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// Errors and warnings in SARIF, for code hosts and editors.
    Sarif,
}

/// How the answers of a check are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// `JUnit`'s XML, for continuous integration.
    Junit,
}

/// For whom a certificate is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CertificateFormat {
    /// For `guidepost certify`.
    Guidepost,
    /// For the checker of Munta: OUT.muntax, OUT.renaming and OUT.cert.
    Munta,
}

/// How events are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object a line, on standard error.
    Jsonl,
}

/// Whose names runs are told in.
#[derive(ClapArgs, Clone, Copy, Debug)]
pub(crate) struct NamesArgs {
    /// Show controllers (.plc) in the names, steps and automata of the translation, not in those of the file.
    #[arg(long)]
    pub(crate) translation: bool,
}

/// How much of a run is shown.
#[derive(ClapArgs, Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for on its own")]
pub(crate) struct DetailArgs {
    /// Show the values of all clocks after each step of a run.
    #[arg(long)]
    pub(crate) clocks: bool,
    /// Show the whole state after each step of a run, not only what changed.
    #[arg(long)]
    pub(crate) full: bool,
    /// Show a run as a table: one line a step, one column for everything that changes.
    #[arg(long)]
    pub(crate) columns: bool,
    /// Show what happens in each cycle of a controller (.plc).
    #[arg(long)]
    pub(crate) unfold: bool,
}

impl DetailArgs {
    pub(crate) fn detail(self) -> Detail {
        Detail { clocks: self.clocks, full: self.full, columns: self.columns, unfolded: self.unfold }
    }

    pub(crate) fn is_asked_for(self) -> bool {
        self.clocks || self.full || self.columns || self.unfold
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Answer the queries of a model.
    Check(Box<CheckArgs>),
    /// Show what a model consists of, what it uses, and what looks wrong with it.
    Info(InfoArgs),
    /// Convert a model of any format to .xml, .xta, .tck, .jani, .dot or (queries only) .q.
    Convert(ConvertArgs),
    /// Hide parts of a model and write what is left.
    Abstract(AbstractArgs),
    /// Run a model at random and print the timed run, only what changes.
    Simulate(SimulateArgs),
    /// Step through a model in the browser.
    Explore(ExploreArgs),
    /// Explore the whole state space: counts, deadlocks, dead code.
    States(StatesArgs),
    /// Serve an editor: the language server, on standard input and output.
    Lsp(LspArgs),
    /// Find what is wrong with a statechart: unreachable states, dead transitions, deadlocks.
    Machine(MachineArgs),
    /// Draw the automata of a model, as SVG or for LaTeX.
    Draw(DrawArgs),
    /// Check a recorded run against a model, step by step.
    Replay(ReplayArgs),
    /// Check a certificate of what is unreachable or happens on every run, without a search.
    Certify(CertifyArgs),
    /// Make an HTML report of answers that were written with `--format json`.
    Report(ReportArgs),
    /// Take part in an exploration that another process leads: see `check --cluster`.
    Worker(WorkerArgs),
    /// List who can answer queries, with their options.
    Engines(EnginesArgs),
    /// List what can guide a search, with its properties.
    Heuristics(HeuristicsArgs),
    /// Write a model of a well-known family, in any size.
    Generate(GenerateArgs),
    /// Run and compare models and configurations.
    Bench(BenchArgs),
    /// Answer queries with the options and the output of UPPAAL's verifyta.
    Verifyta(Box<VerifytaArgs>),
    /// Write manual pages for the command and each of its subcommands.
    Man(ManArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Brings arguments into their order where they are given in another one and it is clear what is meant: queries behind a model, and a model behind a result.
    pub(crate) fn put_in_order(&mut self) {
        let is = |path: &PathBuf, extension: &str| path.extension().is_some_and(|own| own == extension);
        match self {
            Command::Check(args) => {
                let is_one = args.more.len() == 1 && is(&args.more[0], "q") && !args.model.is_dir();
                if is_one && args.queries.is_none() && args.query.is_empty() {
                    args.queries = args.more.pop();
                }
            }
            Command::Report(ReportArgs { model, result: behind, .. })
            | Command::Replay(ReplayArgs { model, trace: behind, .. })
                if is(model, "json") && !is(behind, "json") =>
            {
                std::mem::swap(model, behind);
                anstream::eprintln!(
                    "note: the model comes first: `{} {}`",
                    model.display(),
                    behind.display()
                );
            }
            _ => {}
        }
    }

    /// The model that the command reads, if it reads one.
    pub(crate) fn model(&mut self) -> Option<&mut PathBuf> {
        match self {
            Command::Check(args) => Some(&mut args.model),
            Command::Info(args) => Some(&mut args.model),
            Command::Convert(args) => Some(&mut args.input),
            Command::Abstract(args) => Some(&mut args.input),
            Command::Simulate(args) => Some(&mut args.model),
            Command::Explore(args) => Some(&mut args.model),
            Command::States(args) => Some(&mut args.model),
            Command::Draw(args) => Some(&mut args.model),
            Command::Replay(args) => Some(&mut args.model),
            Command::Certify(args) => Some(&mut args.model),
            Command::Report(args) => Some(&mut args.model),
            Command::Worker(_)
            | Command::Engines(_)
            | Command::Lsp(_)
            | Command::Heuristics(_)
            | Command::Generate(_)
            | Command::Machine(_)
            | Command::Bench(_)
            | Command::Verifyta(_)
            | Command::Man(_)
            | Command::Completions { .. } => None,
        }
    }
}

#[derive(ClapArgs, Debug)]
pub(crate) struct LspArgs {
    /// Use standard input and output. That is done anyway; many editors say so.
    #[arg(long)]
    pub(crate) stdio: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct EnginesArgs {
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct HeuristicsArgs {
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct InfoArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    pub(crate) format: InfoFormat,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct CheckArgs {
    /// The model, or a folder with models; `-` is standard input.
    pub(crate) model: PathBuf,
    /// More models and folders; or, behind one model, a file with its queries.
    pub(crate) more: Vec<PathBuf>,
    /// A query to answer instead of the stored ones; may be repeated.
    #[arg(long, value_name = "EXPR")]
    pub(crate) query: Vec<String>,
    /// A file of queries to answer instead of the stored ones.
    #[arg(long, value_name = "FILE.q", conflicts_with = "query")]
    pub(crate) queries: Option<PathBuf>,
    /// Answer only these queries: their numbers, from 1, or names of properties, as in `1,3`; may be repeated.
    #[arg(long, value_name = "N|NAME", value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) select: Vec<String>,
    /// Check so many models at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: u16,
    /// End with the first model that has a surprise: an answer that is not expected, or none.
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Who answers: a name that `guidepost engines` lists, with its options, as in `name(option=value)`.
    #[arg(long, value_name = "NAME", default_value_t = EngineSpec::default())]
    pub(crate) engine: EngineSpec,
    /// How explored zones are kept: each for itself, or as one set for each discrete state, in which many may cover a new one together (E<> and A[], breadth-first).
    #[arg(long, value_enum, default_value_t = StoreKind::Zones)]
    pub(crate) store: StoreKind,
    /// Show a run that proves the answer.
    #[arg(long, value_enum, default_value_t = TraceKind::None)]
    pub(crate) trace: TraceKind,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub(crate) format: AnswerFormat,
    #[command(flatten)]
    pub(crate) detail: DetailArgs,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
    /// Write an HTML report with the answers and their runs; asks for runs.
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write the runs to a file that `replay` and `report` read; asks for runs.
    #[arg(long, value_name = "OUT.json")]
    pub(crate) trace_file: Option<PathBuf>,
    /// Write a certificate of what is unreachable or happens on every run, for `guidepost certify`; the number of the query becomes a part of the name if there are several.
    #[arg(long, value_name = "OUT.cert")]
    pub(crate) certificate: Option<PathBuf>,
    /// For whom the certificate is.
    #[arg(long, value_enum, default_value_t = CertificateFormat::Guidepost, requires = "certificate")]
    pub(crate) certificate_format: CertificateFormat,
    /// Say that something is unreachable, or happens on every run, only when a certificate of it was checked.
    #[arg(long)]
    pub(crate) certified: bool,
    /// Write events to standard error instead of the progress line.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    #[command(flatten)]
    pub(crate) guide: GuideArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StoreKind {
    /// Each for itself.
    Zones,
    /// As clock difference diagrams, without paths that contradict themselves: the engine `cdd(reduce=true)`.
    Cdd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TraceKind {
    /// Only the verdict.
    None,
    /// Any run.
    Some,
    /// A run with the fewest transitions.
    Shortest,
    /// A run that costs least, by the prices and rates of the model.
    Cheapest,
    /// A run that takes the least time.
    Fastest,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct StatesArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ConvertArgs {
    /// The model to read.
    pub(crate) input: PathBuf,
    /// The file to write; its extension says in which format. `-` is standard output.
    pub(crate) output: PathBuf,
    /// The format to write, whatever the output is called.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<ConvertFormat>,
    /// Write the instantiated network: one template per process, parameters and selections replaced by their values.
    #[arg(long)]
    pub(crate) flat: bool,
    /// Overwrite an existing file.
    #[arg(long, short)]
    pub(crate) force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConvertFormat {
    /// UPPAAL's XML; drawings and queries are kept.
    Xml,
    /// UPPAAL's textual form; queries go to a .q file beside it.
    Xta,
    /// A drawing for Graphviz.
    Dot,
    /// The queries only.
    Q,
    /// TChecker's language: the instantiated network, without queries.
    Tck,
    /// JANI, type `ta`: the instantiated network, without queries.
    Jani,
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
    #[command(flatten)]
    pub(crate) detail: DetailArgs,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ExploreArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// Begin with the runs of a file that `check --trace-file` or the explorer wrote.
    #[arg(long, value_name = "T.json")]
    pub(crate) trace_file: Option<PathBuf>,
    /// The port on 127.0.0.1 [default: any free one].
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    pub(crate) open: bool,
    /// Searches give up after this many seconds.
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    pub(crate) time_limit: f64,
    /// Searches give up when the states take so much memory [default: 80 % of the machine's].
    #[arg(long, value_name = "MiB", value_parser = at_least_one)]
    pub(crate) memory_limit: Option<usize>,
    /// The seed of random steps.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct DrawArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// The file to write; its extension says in which format. `-` is standard output.
    pub(crate) output: PathBuf,
    /// The format to write, whatever the output is called.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<DrawFormat>,
    /// Draw every process instead of every template.
    #[arg(long)]
    pub(crate) instances: bool,
    /// Draw only those whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Option<String>,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DrawFormat {
    /// For browsers and drawing programs.
    Svg,
    /// A document for LaTeX, for papers.
    Tikz,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ReplayArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// The run: a file written by `check --trace-file`, the JSON of `check` or `simulate`, or a symbolic trace of UPPAAL (.xtr).
    pub(crate) trace: PathBuf,
    /// Show the run that was replayed.
    #[arg(long)]
    pub(crate) show: bool,
    #[command(flatten)]
    pub(crate) detail: DetailArgs,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct CertifyArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// The certificate: a file written by `check --certificate`.
    pub(crate) certificate: PathBuf,
    /// The query that the certificate must be about.
    #[arg(long, value_name = "EXPR")]
    pub(crate) query: Option<String>,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
    /// Give up after this many seconds.
    #[arg(long, value_name = "S")]
    pub(crate) time_limit: Option<f64>,
    /// Give up when the certificate takes so much memory [default: 80 % of the machine's].
    #[arg(long, value_name = "MiB", value_parser = at_least_one)]
    pub(crate) memory_limit: Option<usize>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ReportArgs {
    /// The model.
    pub(crate) model: PathBuf,
    /// The answers about it: the JSON of `check` or `simulate`, or a trace file.
    pub(crate) result: PathBuf,
    /// The HTML file to write [default: RESULT with the extension .html]; `-` is standard output.
    #[arg(long, short, value_name = "OUT.html")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
}
