//! What is asked for, in words, and the settings that follow from it.
//!
//! Every front end has the same options under the same names: `search=astar` in Python is `--search astar` at the command line. What contradicts itself, or
//! would have no effect, is refused here, in words that name the options as the command does.

mod strategy;
mod words;

pub use words::{
    ExtrapolationKind, ReductionKind, SearchOrder, StoreKind, SubsumptionKind, TieKind, TraceKind,
    UnknownWord,
};

use crate::default_memory_limit;
use guidepost_answer::{Limits, Reductions, RunKind};
use guidepost_explore::{Extrapolation, Subsumption};
use guidepost_heuristics::Budget;
use guidepost_search::{Order, Strategy};
use guidepost_verify::{EngineSpec, Settings};
use std::time::Duration;

/// Options that contradict each other, or have no effect.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadOptions(pub String);

impl BadOptions {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// How queries are to be answered, as users say it. `docs/cli.md` explains every option.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who answers.
    pub engine: EngineSpec,
    /// How explored zones are kept.
    pub store: StoreKind,
    /// The run that is wanted.
    pub run: RunKind,
    /// The order in which states are expanded.
    pub search: SearchOrder,
    /// What guides the search.
    pub guide: Guide,
    /// How zones are widened.
    pub extrapolation: Option<ExtrapolationKind>,
    /// When one zone covers another.
    pub subsumption: Option<SubsumptionKind>,
    /// Reductions of the state space to do without.
    pub without: Vec<ReductionKind>,
    /// Over-approximate stop-watches instead of refusing them.
    pub approximate: bool,
    /// Over-approximate by one zone for each discrete state.
    pub convex_hull: bool,
    /// Give up after so many seconds.
    pub time_limit: Option<f64>,
    /// Give up when states take so many MiB; four fifths of the machine's memory without it.
    pub memory_limit: Option<usize>,
    /// Give up after so many stored states.
    pub state_limit: Option<u64>,
    /// The seed of random choices.
    pub seed: u64,
    /// Threads that explore.
    pub threads: usize,
}

/// What guides a search, and how.
#[derive(Clone, Debug)]
pub struct Guide {
    /// Names of the registry, separated by commas, or `auto`.
    pub heuristic: String,
    /// How much estimates count in weighted A*.
    pub weight: Option<f64>,
    /// How many states of each depth beam search keeps at first.
    pub beam_width: Option<usize>,
    /// How often epsilon-greedy search takes any state.
    pub epsilon: Option<f64>,
    /// Conditions that states on the way are likely to meet; [`Session::guide`](crate::Session::guide) gives them to queries.
    pub guideposts: Vec<String>,
    /// Which of two equally good states goes first.
    pub ties: TieKind,
    /// Estimate states only when their turn comes.
    pub deferred: bool,
    /// Prefer transitions that the heuristic would begin with.
    pub preferred: bool,
    /// Abstract states that a heuristic may build before the search begins.
    pub abstract_states: Option<u64>,
    /// Seconds that a heuristic may prepare before the search begins.
    pub abstract_time: Option<u64>,
}

impl Default for Guide {
    fn default() -> Self {
        Self {
            heuristic: "auto".to_owned(),
            weight: None,
            beam_width: None,
            epsilon: None,
            guideposts: Vec::new(),
            ties: TieKind::Auto,
            deferred: false,
            preferred: false,
            abstract_states: None,
            abstract_time: None,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: EngineSpec::default(),
            store: StoreKind::Zones,
            run: RunKind::None,
            search: SearchOrder::Auto,
            guide: Guide::default(),
            extrapolation: None,
            subsumption: None,
            without: Vec::new(),
            approximate: false,
            convex_hull: false,
            time_limit: None,
            memory_limit: None,
            state_limit: None,
            seed: 0,
            threads: 1,
        }
    }
}

impl Options {
    /// The settings for answering queries.
    ///
    /// # Errors
    /// Which options contradict each other, or have no effect.
    pub fn settings(&self) -> Result<Settings, BadOptions> {
        let engine = self.engine()?;
        let mut strategy = strategy::strategy(self)?;
        if self.store == StoreKind::Cdd && self.search == SearchOrder::Bfs {
            // It does so anyhow.
            strategy = None;
        }
        let settings = self.settings_of(strategy)?;
        if engine.entry().name == "cdd" && self.extrapolation == Some(ExtrapolationKind::None) {
            return Err(BadOptions::new(
                "with exact zones, diagrams may never be complete; choose another `--extrapolation`",
            ));
        }
        if !engine.entry().searches {
            self.refuse_zone_options(&engine, &settings)?;
        }
        Ok(Settings { engine, budget: self.guide.budget(), ..settings })
    }

    /// The settings for an exploration of all states.
    ///
    /// # Errors
    /// Which options contradict each other, or have no effect.
    pub fn survey_settings(&self) -> Result<Settings, BadOptions> {
        let order = match self.search {
            SearchOrder::Auto | SearchOrder::Bfs => Order::BreadthFirst,
            SearchOrder::Dfs => Order::DepthFirst,
            SearchOrder::Rdfs => Order::RandomDepthFirst(self.seed),
            _ => {
                return Err(BadOptions::new(
                    "there is no goal to go for: the whole state space is explored by bfs, dfs or rdfs",
                ));
            }
        };
        if self.convex_hull {
            return Err(BadOptions::new(
                "`--convex-hull` answers questions about goals; the states of an over-approximation are not those of the model",
            ));
        }
        self.settings_of(Some(Strategy::Blind(order)))
    }

    fn settings_of(&self, strategy: Option<Strategy>) -> Result<Settings, BadOptions> {
        let nothing = [
            ("--threads", self.threads == 0),
            ("--memory-limit", self.memory_limit == Some(0)),
            ("--beam-width", self.guide.beam_width == Some(0)),
        ];
        if let Some((option, _)) = nothing.iter().find(|(_, is_zero)| *is_zero) {
            return Err(BadOptions::new(format!("`{option}` must be at least 1")));
        }
        let is_blind = matches!(strategy, None | Some(Strategy::Blind(Order::BreadthFirst)));
        if self.threads > 1 && !is_blind {
            return Err(BadOptions::new(
                "`--threads` needs `--search bfs`: other searches run on one thread",
            ));
        }
        if self.convex_hull && (!is_blind || self.threads > 1) {
            return Err(BadOptions::new("`--convex-hull` needs `--search bfs` and one thread"));
        }
        if self.convex_hull && !matches!(self.run, RunKind::None | RunKind::Any) {
            return Err(BadOptions::new(
                "`--convex-hull` is an over-approximation, in which no run can be proved the best; use `--trace some`",
            ));
        }
        // With several threads, or hulls, the search that can use them is chosen.
        let strategy = if self.threads > 1 || self.convex_hull {
            Some(Strategy::Blind(Order::BreadthFirst))
        } else {
            strategy
        };
        let (extrapolation, subsumption) = self.abstraction()?;
        Ok(Settings {
            run: self.run,
            limits: limits(self.time_limit, self.memory_limit, self.state_limit)?,
            seed: self.seed,
            threads: self.threads,
            approximate: self.approximate,
            hulls: self.convex_hull,
            strategy,
            extrapolation,
            subsumption,
            reductions: self.reductions(),
            ..Settings::default()
        })
    }

    /// The engine that is asked for: another store for zones is another engine.
    fn engine(&self) -> Result<EngineSpec, BadOptions> {
        match (self.store, self.engine.entry().name) {
            (StoreKind::Zones, _) | (StoreKind::Cdd, "cdd") => Ok(self.engine.clone()),
            (StoreKind::Cdd, "auto" | "zones") => {
                Ok("cdd(reduce=true)".parse().expect("it is among the engines"))
            }
            (StoreKind::Cdd, other) => Err(BadOptions::new(format!(
                "--store cdd is for the engine `zones`; `{other}` has its own store"
            ))),
        }
    }

    /// Options of the zone engine are of no use to engines that have their own way to search.
    fn refuse_zone_options(&self, engine: &EngineSpec, settings: &Settings) -> Result<(), BadOptions> {
        let given = [
            ("--guidepost is", !self.guide.guideposts.is_empty()),
            ("--convex-hull is", settings.hulls),
            ("--search, --heuristic and --threads are", settings.strategy.is_some()),
            ("--extrapolation is", settings.extrapolation.is_some() && engine.entry().name != "cdd"),
            ("--subsumption is", settings.subsumption.is_some()),
            ("--without is", !self.without.is_empty()),
            ("--approximate is", settings.approximate),
            ("--state-limit is", settings.limits.states.is_some() && !engine.entry().stores),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((options, _)) => Err(BadOptions::new(format!(
                "{options} for the engine `zones`; `{engine}` has its own way to search"
            ))),
            None => Ok(()),
        }
    }

    /// All reductions but those that are not wanted.
    fn reductions(&self) -> Reductions {
        let has = |kind| !self.without.contains(&ReductionKind::All) && !self.without.contains(&kind);
        Reductions {
            order: has(ReductionKind::Order),
            merging: has(ReductionKind::Merging),
            partial_order: has(ReductionKind::PartialOrder),
            slicing: has(ReductionKind::Slicing),
            symmetry: has(ReductionKind::Symmetry),
        }
    }

    /// Exact zones are only sure to be finitely many under aLU: who asks for inclusion alone gets zones that are widened, and who asks for
    /// exact zones with inclusion has to say when to stop.
    fn abstraction(&self) -> Result<(Option<Extrapolation>, Option<Subsumption>), BadOptions> {
        let is_limited = self.time_limit.is_some() || self.state_limit.is_some();
        match (self.extrapolation, self.subsumption) {
            (Some(ExtrapolationKind::None), Some(SubsumptionKind::Inclusion)) if !is_limited => {
                Err(BadOptions::new(
                    "with `--extrapolation none --subsumption inclusion` a search may never end; \
                     add `--time-limit` or `--state-limit`, or leave one of them out",
                ))
            }
            (None, Some(SubsumptionKind::Inclusion)) => {
                Ok((Some(Extrapolation::LuPlus), Some(Subsumption::Inclusion)))
            }
            (zones, covering) => Ok((zones.map(extrapolation), covering.map(subsumption))),
        }
    }
}

impl Guide {
    /// What heuristics may use up before the search begins.
    fn budget(&self) -> Budget {
        let usual = Budget::default();
        let time = self.abstract_time.map_or(usual.time, Duration::from_secs);
        Budget { states: self.abstract_states.unwrap_or(usual.states), time, ..usual }
    }

    /// How much estimates count in weighted A*.
    pub fn weight(&self) -> f64 {
        self.weight.unwrap_or(3.0)
    }

    /// How many states of each depth beam search keeps at first.
    pub fn beam_width(&self) -> usize {
        self.beam_width.unwrap_or(100)
    }

    /// How often epsilon-greedy search takes any state.
    pub fn epsilon(&self) -> f64 {
        self.epsilon.unwrap_or(0.2)
    }
}

fn extrapolation(kind: ExtrapolationKind) -> Extrapolation {
    match kind {
        ExtrapolationKind::None => Extrapolation::None,
        ExtrapolationKind::M => Extrapolation::M,
        ExtrapolationKind::MPlus => Extrapolation::MPlus,
        ExtrapolationKind::Lu => Extrapolation::Lu,
        ExtrapolationKind::LuPlus => Extrapolation::LuPlus,
    }
}

fn subsumption(kind: SubsumptionKind) -> Subsumption {
    match kind {
        SubsumptionKind::Inclusion => Subsumption::Inclusion,
        SubsumptionKind::Alu => Subsumption::Alu,
    }
}

/// Limits as they are given, in seconds, mebibytes and states.
///
/// # Errors
/// When they make no sense.
pub fn limits(
    seconds: Option<f64>,
    mebibytes: Option<usize>,
    states: Option<u64>,
) -> Result<Limits, BadOptions> {
    let time = match seconds {
        None => None,
        Some(seconds) if seconds > 0.0 && seconds.is_finite() => {
            Some(Duration::from_secs_f64(seconds.min(1e9)))
        }
        Some(seconds) => {
            return Err(BadOptions::new(format!("a time limit of {seconds} seconds makes no sense")));
        }
    };
    let memory = match mebibytes {
        Some(mebibytes) => Some(mebibytes.saturating_mul(1 << 20)),
        None => default_memory_limit(),
    };
    Ok(Limits { time, memory, states, interrupt: None })
}
