//! Options about how states are explored, which several commands have.

use crate::strategy::at_least_one;
use clap::{Args as ClapArgs, ValueEnum};

/// How states are explored, and how far.
#[derive(ClapArgs, Debug)]
pub(crate) struct SearchArgs {
    /// The order in which states are expanded.
    #[arg(long, value_enum, default_value_t = SearchOrder::Auto)]
    pub(crate) search: SearchOrder,
    /// How zones are widened (reachability only; `m` also for deadlocks and liveness).
    #[arg(long, value_enum)]
    pub(crate) extrapolation: Option<ExtrapolationKind>,
    /// When one zone covers another (reachability only).
    #[arg(long, value_enum)]
    pub(crate) subsumption: Option<SubsumptionKind>,
    /// Do without a reduction of the state space (they change no answers).
    #[arg(long, value_enum, value_name = "REDUCTION", value_delimiter = ',')]
    pub(crate) without: Vec<ReductionKind>,
    /// Over-approximate stop-watches instead of refusing them; answers may then say MAY.
    #[arg(long)]
    pub(crate) approximate: bool,
    /// Over-approximate: one zone for all states with the same locations and data; answers may then say MAY.
    #[arg(long)]
    pub(crate) convex_hull: bool,
    /// Give up after this many seconds.
    #[arg(long, value_name = "S")]
    pub(crate) time_limit: Option<f64>,
    /// Give up when the states take so much memory [default: 80 % of the machine's].
    #[arg(long, value_name = "MiB", value_parser = at_least_one)]
    pub(crate) memory_limit: Option<usize>,
    /// Give up after this many stored states.
    #[arg(long, value_name = "N")]
    pub(crate) state_limit: Option<u64>,
    /// The seed of random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads that explore (breadth-first reachability only).
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// No progress line.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReductionKind {
    /// All of them.
    All,
    /// States with larger zones than before are expanded first.
    Order,
    /// Zones that together are a zone become one.
    Merging,
    /// Independent steps are taken in one order only.
    PartialOrder,
    /// Variables, clocks and processes that cannot influence the question are left out.
    Slicing,
    /// States that differ only by members of scalar sets, or by processes, that can be exchanged become one.
    Symmetry,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SearchOrder {
    /// Whatever suits the question.
    Auto,
    /// Breadth-first.
    Bfs,
    /// Depth-first.
    Dfs,
    /// Depth-first with successors in random order.
    Rdfs,
    /// The state that seems nearest to the goal first.
    Greedy,
    /// Steps so far plus steps to go, smallest first: shortest runs.
    Astar,
    /// As astar, but steps to go count `--weight` times.
    Wastar,
    /// Greedy, but steps count behind transitions that seem useless.
    Ut,
    /// As astar, without storing states: for when memory is short.
    Ida,
    /// The best states of each depth, then more of them.
    Beam,
    /// Greedy with several heuristics in turns.
    Multi,
    /// States that show something new first, then the nearest.
    Novelty,
    /// Greedy, in turns with any state of any combination of steps and estimate.
    Types,
    /// Greedy, but any state now and then.
    Epsilon,
    /// Breadth-first from the best state to a better one.
    Ehc,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExtrapolationKind {
    /// Exact zones.
    None,
    /// `Extra_M`.
    M,
    /// `Extra+_M`.
    #[value(name = "m+")]
    MPlus,
    /// `Extra_LU`.
    Lu,
    /// `Extra+_LU`.
    #[value(name = "lu+")]
    LuPlus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SubsumptionKind {
    /// Inclusion of zones.
    Inclusion,
    /// aLU simulation.
    Alu,
}
