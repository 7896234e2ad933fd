//! What is asked of engines beside the queries.

use crate::EngineSpec;
use crate::choice::{is_about_cost, without_measure};
use crate::short_runs::ShortRuns;
use guidepost_answer::{CompiledQuery, Engine, Limits, Reductions, RunKind};
use guidepost_cluster::Team;
use guidepost_explore::{Extrapolation, Subsumption};
use guidepost_heuristics::Budget;
use guidepost_search::{Configuration, Strategy};

/// What is asked of engines beside the queries. Each takes what concerns it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who answers.
    pub engine: EngineSpec,
    /// The evidence that is wanted.
    pub run: RunKind,
    /// What each exploration may use up.
    pub limits: Limits,
    /// The seed of random choices.
    pub seed: u64,
    /// Threads that explore, where an engine can use more than one.
    pub threads: usize,
    /// What an engine can only over-approximate is over-approximated instead of refused.
    pub approximate: bool,
    /// Zones with the same locations and data become one, their convex hull: an over-approximation.
    pub hulls: bool,
    /// How zones look for goals; `None` lets the engine choose.
    pub strategy: Option<Strategy>,
    /// What the preprocessing of heuristics may use up.
    pub budget: Budget,
    /// The extrapolation for reachability with zones; `None` chooses.
    pub extrapolation: Option<Extrapolation>,
    /// The subsumption for reachability with zones; `None` chooses.
    pub subsumption: Option<Subsumption>,
    /// What is left out of explorations because it changes no answer.
    pub reductions: Reductions,
    /// Which processes work together, for the engine `cluster`.
    pub team: Team,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            engine: EngineSpec::default(),
            run: RunKind::None,
            limits: Limits::default(),
            seed: 0,
            threads: 1,
            approximate: false,
            hulls: false,
            strategy: None,
            budget: Budget::default(),
            extrapolation: None,
            subsumption: None,
            reductions: Reductions::default(),
            team: Team::default(),
        }
    }
}

impl Settings {
    /// The engine that is asked for.
    ///
    /// Where any run will do, what runs do not need is left out of them.
    pub fn engine(&self) -> Box<dyn Engine> {
        let engine = self.engine.engine(self);
        if self.run == RunKind::Any { Box::new(ShortRuns(engine)) } else { engine }
    }

    /// Whether reachability leaves zones as they are, and compares them by simulation: the usual way.
    pub fn leaves_zones(&self) -> bool {
        matches!(self.extrapolation, None | Some(Extrapolation::None))
            && self.subsumption != Some(Subsumption::Inclusion)
    }

    /// Whether a query is answered by looking for the cheapest or fastest run.
    pub fn is_about_cost(&self, query: &CompiledQuery) -> bool {
        self.engine.entry().name == "cost" || is_about_cost(self.run, query)
    }

    /// What concerns exploration with zones.
    pub fn zones(&self) -> Configuration {
        Configuration {
            strategy: self.strategy.clone().unwrap_or_default(),
            run: without_measure(self.run),
            limits: self.limits.clone(),
            budget: self.budget,
            extrapolation: self.extrapolation,
            subsumption: self.subsumption,
            reductions: self.reductions,
            approximate: self.approximate,
            hulls: self.hulls,
            threads: self.threads,
            ..Configuration::default()
        }
    }
}
