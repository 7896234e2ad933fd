//! What guides a search, as typed.

use clap::{Args as ClapArgs, ValueEnum};
use guidepost::options::Guide;
use std::str::FromStr;

/// What guides a search, and how.
#[derive(ClapArgs, Debug, Clone)]
pub(crate) struct GuideArgs {
    /// What guides the search: a name that `guidepost heuristics` lists, several for `--search multi`, or `auto`.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(crate) heuristic: String,
    /// How much estimates count in `--search wastar` [default: 3].
    #[arg(long, value_name = "W")]
    weight: Option<f64>,
    /// How many states of each depth `--search beam` keeps at first [default: 100].
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    beam_width: Option<usize>,
    /// How often `--search epsilon` takes any state, from 0 to 1 [default: 0.2].
    #[arg(long, value_name = "P")]
    epsilon: Option<f64>,
    /// A condition that states on the way are likely to meet, as in 'P.Waiting and n > 2'; states that have passed more of them come first; may be repeated.
    #[arg(long, value_name = "CONDITION")]
    pub(crate) guidepost: Vec<String>,
    /// Which of two equally good states goes first.
    #[arg(long, value_enum, default_value_t = TieKind::Auto)]
    pub(crate) ties: TieKind,
    /// Estimate states only when their turn comes (greedy, multi).
    #[arg(long)]
    pub(crate) deferred: bool,
    /// Prefer transitions that the heuristic would begin with (`hu`, `lm`; greedy, multi).
    #[arg(long)]
    pub(crate) preferred: bool,
    /// Abstract states that a heuristic may build before the search begins; beyond that it uses something smaller [default: 1000000].
    #[arg(long, value_name = "N")]
    abstract_states: Option<u64>,
    /// Seconds that a heuristic may prepare before the search begins; beyond that it uses something smaller [default: 60].
    #[arg(long, value_name = "SECONDS")]
    abstract_time: Option<u64>,
}

impl GuideArgs {
    /// What guides a search.
    pub(crate) fn guide(&self) -> Guide {
        Guide {
            heuristic: self.heuristic.clone(),
            weight: self.weight,
            beam_width: self.beam_width,
            epsilon: self.epsilon,
            guideposts: self.guidepost.clone(),
            ties: named(self.ties),
            deferred: self.deferred,
            preferred: self.preferred,
            abstract_states: self.abstract_states,
            abstract_time: self.abstract_time,
        }
    }

    /// How much estimates count in weighted A*.
    pub(crate) fn weight(&self) -> f64 {
        self.guide().weight()
    }

    /// How many states of each depth beam search keeps at first.
    pub(crate) fn beam_width(&self) -> usize {
        self.guide().beam_width()
    }

    /// How often epsilon-greedy search takes any state.
    pub(crate) fn epsilon(&self) -> f64 {
        self.guide().epsilon()
    }

    /// Whether a search was asked for that only reachability has a use for.
    pub(crate) fn is_directed(&self) -> bool {
        self.heuristic != "auto"
    }
}

/// The same word, as the library knows it.
pub(crate) fn named<T: FromStr<Err: std::fmt::Debug>>(kind: impl ValueEnum + Copy) -> T {
    let word = kind.to_possible_value().expect("no value is skipped");
    word.get_name().parse().expect("the command and the library have the same words")
}

/// A number of which nothing would be left at zero.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(error.to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TieKind {
    /// Whatever suits the search: fifo for astar, wastar and ida, random for the others.
    Auto,
    /// The older one.
    Fifo,
    /// The newer one.
    Lifo,
    /// Any of those found at about the same time, by `--seed`; newer ones first.
    Random,
}
