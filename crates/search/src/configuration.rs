//! How queries are to be answered with zones.

use crate::frontier::Order;
use crate::strategy::Strategy;
use guidepost_answer::{Limits, Reductions, RunKind};
use guidepost_explore::{Extrapolation, Preserved, Subsumption, ZoneAbstraction};
use guidepost_heuristics::Budget;
use guidepost_network::Network;

/// What [`Configuration::deadlock_trial`] is unless somebody asks for something else.
pub(crate) const DEADLOCK_TRIAL: u32 = 4096;

/// How queries are to be answered.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// How goals are searched for.
    pub strategy: Strategy,
    /// The evidence that is wanted; a shortest run asks for a strategy that finds one.
    pub run: RunKind,
    /// What each exploration may use up.
    pub limits: Limits,
    /// What the preprocessing of heuristics may use up.
    pub budget: Budget,
    /// The extrapolation for reachability; `None` chooses.
    pub extrapolation: Option<Extrapolation>,
    /// The subsumption for reachability; `None` chooses.
    pub subsumption: Option<Subsumption>,
    /// What is left out of explorations because it changes no answer.
    pub reductions: Reductions,
    /// Stop-watches are over-approximated instead of refused.
    pub approximate: bool,
    /// Zones with the same locations and data become one, their convex hull: an over-approximation, for goals without `deadlock` in breadth-first order.
    pub hulls: bool,
    /// Expansions of a blind search after which it is decided whether deadlocks are looked for when states are stored, or for less effort when they have been expanded; 0: when they have been expanded.
    pub deadlock_trial: u32,
    /// Threads that explore; only reachability in breadth-first order uses more than one.
    pub threads: usize,
}

impl Default for Configuration {
    fn default() -> Self {
        Self {
            strategy: Strategy::default(),
            run: RunKind::None,
            limits: Limits::default(),
            budget: Budget::default(),
            extrapolation: None,
            subsumption: None,
            reductions: Reductions::default(),
            approximate: false,
            hulls: false,
            deadlock_trial: DEADLOCK_TRIAL,
            threads: 1,
        }
    }
}

impl Configuration {
    /// Whether a run is wanted.
    pub fn wants_run(&self) -> bool {
        self.run != RunKind::None
    }

    /// Whether runs must be shortest.
    pub fn is_shortest(&self) -> bool {
        self.run == RunKind::Shortest
    }

    /// Whether reachability is explored by several threads.
    pub(crate) fn is_parallel(&self) -> bool {
        self.threads > 1 && self.strategy.order() == Order::BreadthFirst
    }

    /// The abstraction for plain reachability.
    pub fn reachability(&self) -> ZoneAbstraction {
        let default = ZoneAbstraction::REACHABILITY;
        let subsumption = match self.subsumption.unwrap_or(default.subsumption) {
            Subsumption::Alu => Subsumption::AluWithDiagonals,
            other => other,
        };
        ZoneAbstraction {
            extrapolation: self.extrapolation.unwrap_or(default.extrapolation),
            subsumption,
            approximate_stopwatches: self.approximate,
            ..default
        }
    }

    /// The abstraction for a look at everything, and whether deadlocks show in it: not where zones are widened further than bisimulation allows.
    pub fn survey(&self, network: &Network) -> (ZoneAbstraction, bool) {
        let asked = self.reachability();
        let is_coarse = matches!(asked.extrapolation, Extrapolation::Lu | Extrapolation::LuPlus);
        if is_coarse || network.features.stopwatches {
            return (asked, false);
        }
        (ZoneAbstraction { preserved: Preserved::Reachable, ..asked }, true)
    }

    /// The abstraction for deadlocks. Where stop-watches are approximated, what a state can not do is not known anyway.
    pub fn deadlocks(&self, network: &Network) -> ZoneAbstraction {
        if self.asks_for_regions() || network.features.stopwatches {
            return self.bisimulation();
        }
        ZoneAbstraction { approximate_stopwatches: self.approximate, ..ZoneAbstraction::DEADLOCKS }
    }

    /// The abstraction for liveness.
    pub(crate) fn liveness(&self, network: &Network) -> ZoneAbstraction {
        if self.asks_for_regions() || network.features.stopwatches {
            return self.bisimulation();
        }
        ZoneAbstraction::REACHABILITY
    }

    fn asks_for_regions(&self) -> bool {
        matches!(self.extrapolation, Some(Extrapolation::M | Extrapolation::MPlus))
    }

    /// The abstraction for everything that says what a state can *not* do.
    pub fn bisimulation(&self) -> ZoneAbstraction {
        ZoneAbstraction { approximate_stopwatches: self.approximate, ..ZoneAbstraction::BISIMULATION }
    }
}
