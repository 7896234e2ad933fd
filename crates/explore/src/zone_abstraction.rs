//! The abstractions of an exploration.

use crate::bounds::Preserved;

/// How zones are widened so that there are finitely many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extrapolation {
    /// Exact zones; only with aLU subsumption is the exploration sure to end.
    None,
    /// `Extra_M`: sound for everything.
    M,
    /// `Extra+_M`.
    MPlus,
    /// `Extra_LU`: sound for reachability.
    Lu,
    /// `Extra+_LU`: sound for reachability.
    LuPlus,
}

/// When one zone covers another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subsumption {
    /// When it includes it.
    Inclusion,
    /// When it simulates it: aLU. Sound for reachability.
    Alu,
    /// As before, and where clocks are compared with each other, zones stay as they are and the order [respects](guidepost_zones::simulation) the sides of diagonals.
    AluWithDiagonals,
}

/// What the exploration abstracts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZoneAbstraction {
    /// How zones are widened.
    pub extrapolation: Extrapolation,
    /// When one zone covers another.
    pub subsumption: Subsumption,
    /// How much must be told apart.
    pub preserved: Preserved,
    /// Stop-watches are let through: an over-approximation.
    pub approximate_stopwatches: bool,
}

impl ZoneAbstraction {
    /// Whether states stand for others that can do less: what those can *not* do does not show.
    pub fn is_simulation(self) -> bool {
        let is_coarse = matches!(self.extrapolation, Extrapolation::Lu | Extrapolation::LuPlus);
        is_coarse || self.subsumption != Subsumption::Inclusion
    }

    /// For reachability: what measures best.
    pub const REACHABILITY: ZoneAbstraction = ZoneAbstraction {
        extrapolation: Extrapolation::None,
        subsumption: Subsumption::Alu,
        preserved: Preserved::Simulation,
        approximate_stopwatches: false,
    };

    /// For deadlocks: as for reachability, but what a zone contains can be taken at its word.
    pub const DEADLOCKS: ZoneAbstraction =
        ZoneAbstraction { preserved: Preserved::Reachable, ..ZoneAbstraction::REACHABILITY };

    /// For liveness, and whatever else says that a state can *not* do something.
    pub const BISIMULATION: ZoneAbstraction = ZoneAbstraction {
        extrapolation: Extrapolation::M,
        subsumption: Subsumption::Inclusion,
        preserved: Preserved::Bisimulation,
        approximate_stopwatches: false,
    };
}
