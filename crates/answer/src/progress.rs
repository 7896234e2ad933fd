//! How work is getting on.

use crate::Statistics;

/// How a search is getting on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Numbers so far.
    pub statistics: Statistics,
    /// States still to be expanded.
    pub waiting: u64,
    /// Transitions from the initial state to the state being expanded.
    pub depth: u64,
    /// The best estimate so far, when there is a heuristic.
    pub best_estimate: Option<u32>,
    /// What a heuristic is preparing, before the search begins.
    pub stage: Option<Stage>,
}

/// Where preprocessing has got to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// What is being done.
    pub what: &'static str,
    /// Abstract states so far.
    pub states: u64,
}
