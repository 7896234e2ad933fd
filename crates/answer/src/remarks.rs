//! What a heuristic has to say beside its estimates.

/// What a heuristic has to say beside its estimates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// What was built, and what could not be.
    pub notes: Vec<String>,
    /// Why there is nothing to be found, when that is known before the search.
    pub proof: Option<AbstractionProof>,
}

/// A goal that cannot be reached in an abstraction, and so not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractionProof {
    /// How many processes the abstraction keeps.
    pub kept_processes: usize,
    /// How many there are.
    pub processes: usize,
    /// States of the abstraction.
    pub states: u64,
    /// The names of all processes, clocks and variables that are hidden.
    pub hidden: Vec<String>,
}
