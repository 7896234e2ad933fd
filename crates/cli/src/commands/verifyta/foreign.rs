//! Options of verifyta that guidepost has no counterpart for. They are known by name, so that whoever uses one learns what it is that is missing.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

/// What is to be done with an option that is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Nothing: what it asks for is so anyhow.
    Needless,
    /// The command ends: the answer would be another one.
    Refused,
}
use Standing::{Needless, Refused};

/// An option: its letter, its long name, whether a value follows, what is done with it, what it is about.
type Foreign = (Option<char>, &'static str, bool, Standing, &'static str);

const OPTIONS: &[Foreign] = &[
    (Some('k'), "key", true, Needless, "licence key"),
    (Some('l'), "lease", true, Needless, "lease of a licence"),
    (None, "lease-request", true, Needless, "lease of a licence"),
    (None, "lease-install", true, Needless, "lease of a licence"),
    (None, "discrete-representation", true, Needless, "representation of discrete states"),
    (Some('Z'), "bitstate-hashing", false, Refused, "bit-state hashing"),
    (Some('X'), "save-trace", true, Refused, "traces in XML; `-f` writes them as .xtr"),
    (Some('x'), "save-document", true, Refused, "a copy of the model; see `guidepost convert`"),
    (Some('M'), "modest", false, Refused, "Modest's meaning of updates"),
    (Some('O'), "simulation-output", true, Refused, "simulations for statistics"),
    (Some('G'), "fmu", true, Refused, "functional mock-up units"),
    (None, "query-index", true, Refused, "choosing a query; see `guidepost check --select`"),
    (None, "exploration", true, Refused, "random exploration"),
    (None, "rand-heur", true, Refused, "random exploration"),
    (None, "rdepth", true, Refused, "random exploration"),
    (None, "rtimeout", true, Refused, "random exploration"),
    (None, "random-semantics", true, Refused, "statistics"),
    (None, "test-alpha", true, Refused, "comparison with expectations; see `guidepost check`"),
    (Some('p'), "lower-probability-deviation", true, Refused, "statistics"),
    (Some('P'), "upper-probability-deviation", true, Refused, "statistics"),
    (Some('a'), "alpha", true, Refused, "statistics"),
    (Some('B'), "beta", true, Refused, "statistics"),
    (Some('E'), "epsilon", true, Refused, "statistics"),
    (Some('i'), "lower-probability-bound", true, Refused, "statistics"),
    (Some('j'), "upper-probability-bound", true, Refused, "statistics"),
    (Some('w'), "histogram-bar-width", true, Refused, "statistics"),
    (None, "histogram-bar-count", true, Refused, "statistics"),
    (Some('c'), "checkpoint", true, Refused, "statistics"),
    (Some('V'), "batch-size", true, Refused, "statistics"),
    (Some('R'), "runs", true, Refused, "statistics"),
    (Some('D'), "discretization", true, Refused, "statistics"),
    (None, "truncation-error", true, Refused, "statistics"),
    (None, "truncation-time-error", true, Refused, "statistics"),
    (Some('L'), "estimate-coverage", true, Refused, "statistics"),
    (Some('F'), "filter-runs", true, Refused, "statistics"),
    (None, "backwards-order", true, Refused, "games"),
    (None, "priority-order", true, Refused, "games"),
    (None, "strategy-store", true, Refused, "games"),
    (None, "generate-strategy", true, Refused, "games"),
    (None, "learning-method", true, Refused, "learning strategies"),
    (None, "good-runs", true, Refused, "learning strategies"),
    (None, "total-runs", true, Refused, "learning strategies"),
    (None, "runs-pr-state", true, Refused, "learning strategies"),
    (None, "eval-runs", true, Refused, "learning strategies"),
    (None, "max-iterations", true, Refused, "learning strategies"),
    (None, "max-imitation", true, Refused, "learning strategies"),
    (None, "reset-no-better", true, Refused, "learning strategies"),
    (None, "max-reset-learning", true, Refused, "learning strategies"),
    (None, "filter", true, Refused, "learning strategies"),
    (None, "random-search-limit", true, Refused, "learning strategies"),
    (None, "deterministic-search-limit", true, Refused, "learning strategies"),
    (None, "qlearning-alpha", true, Refused, "learning strategies"),
    (None, "discount", true, Refused, "learning strategies"),
];

/// The options of the list that were given and cannot be had, each with what it is about.
#[derive(Clone, Debug, Default)]
pub(super) struct ForeignOptions {
    pub(super) refused: Vec<String>,
}

impl Args for ForeignOptions {
    fn augment_args(command: Command) -> Command {
        OPTIONS.iter().fold(command, |command, &(short, long, has_value, ..)| {
            let action = if has_value { ArgAction::Append } else { ArgAction::SetTrue };
            let arg = Arg::new(long).long(long).action(action).hide(true).allow_hyphen_values(has_value);
            command.arg(match short {
                Some(letter) => arg.short(letter),
                None => arg,
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ForeignOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let is_given = |long: &str| {
            matches.value_source(long).is_some_and(|source| source == clap::parser::ValueSource::CommandLine)
        };
        let refused =
            OPTIONS.iter().filter(|&&(_, long, _, standing, _)| standing == Refused && is_given(long));
        let refused = refused.map(|&(short, long, _, _, about)| {
            let letter = short.map_or_else(String::new, |letter| format!("`-{letter}`, "));
            format!("verifyta's {letter}`--{long}` is not supported: {about}")
        });
        Ok(Self { refused: refused.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
