//! What a heuristic has to say beside its estimates.

use guidepost_network::{LocationId, ProcessId, VarId};

/// What a heuristic has to say beside its estimates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// What was built, and what could not be.
    pub notes: Vec<String>,
    /// Why there is nothing to be found, when that is known before the search.
    pub proof: Option<AbstractionProof>,
    /// What every run to the goal has to pass, in an order in which that is possible, as far as it was looked for.
    pub landmarks: Vec<Landmark>,
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

/// A fact that every run to the goal has to pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Landmark {
    /// A process is in one of some locations.
    Location {
        /// The process.
        process: ProcessId,
        /// The locations; mostly one.
        locations: Vec<LocationId>,
    },
    /// A variable has one of some values.
    Value {
        /// The variable.
        variable: VarId,
        /// The values, ascending; mostly one.
        values: Vec<i32>,
    },
}
