//! What refinement learned.

/// What an engine that abstracts first had to learn for its answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refinement {
    /// How often something was learned.
    pub rounds: u64,
    /// Nodes of the abstract reachability graph that were expanded, in all rounds.
    pub nodes: u64,
    /// Nodes that others cover, at the end.
    pub covered: u64,
    /// What the proof needed, or what was known when the run was found: names of clocks and variables, or predicates.
    pub precision: Vec<String>,
    /// The names of all processes, clocks and variables that an abstraction hides, if that alone was looked at.
    pub hidden: Vec<String>,
}
