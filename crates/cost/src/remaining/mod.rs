//! What is still to be paid: lower bounds that are read off the model.
//!
//! Each process has to get to its goal location along edges of its own, whatever the others do. So the cheapest way through its own graph, with all conditions on data left out, is a lower
//! bound of what it still pays ([`graph`]). How bounds of several processes come together depends on what is measured:
//!
//! * *Cost* is the sum of what the processes pay, each for its own locations and edges. So their bounds add up. Two processes that cannot do without each other
//!   may pay more together than each alone ([`pairs`]); no process is counted twice.
//! * *Time* passes for all processes at once. So only the largest bound counts; a sum would count the same time twice. Processes that exclude each other
//!   do wait for each other, though: the times for which they hold the same lock add up, which is the bound of a machine with its jobs ([`locks`]).
//!
//! What processes need from each other, values and partners, counts in relaxed layers ([`layers`]), for time and for costs. They are one bound for everything, so the larger of them and of the
//! others counts.
//!
//! Where a query has several goals, the smallest bound of all of them counts.

mod graph;
mod layers;
mod locks;
mod one_machine;
mod pairs;
mod relaxation;

use crate::advice::Advice;
use crate::bounds::LowerBounds;
use crate::source::Clocks;
use crate::space::NEVER;
pub(crate) use graph::lower_bound;
use graph::{ProcessGraph, all_graphs, graphs};
use guidepost_network::{ClockId, Goal, Network};
use guidepost_zones::PricedZone;
use layers::Layers;
pub(crate) use layers::Tariff;
pub(crate) use locks::{Deed, find_locks};
use locks::{Lock, locks};
use one_machine::{Job, Machine};
use pairs::{Pair, pairs};

/// Lower bounds for the goals of a query.
pub(crate) struct Remaining {
    goals: Vec<GoalBounds>,
    /// For all goals together, where they are wanted.
    layers: Option<Layers>,
    machine: Machine,
    /// What the author says.
    advice: Advice,
    /// So many units of the author's are one of ours.
    factor: i64,
}

/// Lower bounds for one goal.
struct GoalBounds {
    /// The processes that the goal says something about.
    processes: Vec<ProcessGraph>,
    locks: Vec<Lock>,
    /// Pairs of processes that pay more together, for costs.
    pairs: Vec<Pair>,
}

impl GoalBounds {
    /// What is still to be paid at least, whatever the clocks say.
    fn cost(&self, cells: &[i32]) -> i64 {
        let of_pairs = self.pairs.iter().map(|pair| pair.cost(cells));
        let alone = self.processes.iter().filter(|process| !self.is_paired(process));
        let sum = of_pairs.chain(alone.map(|process| process.cost(cells))).fold(0, i64::saturating_add);
        sum.min(NEVER)
    }

    fn is_paired(&self, process: &ProcessGraph) -> bool {
        self.pairs.iter().any(|pair| pair.has(process.cell))
    }
}

/// Since when a clock has been running at least: the least value of the time minus the clock, where it is known.
pub(crate) type Since<'s> = dyn Fn(ClockId) -> Option<i64> + 's;

impl Remaining {
    /// No bounds at all.
    fn unknown() -> Self {
        let nothing = GoalBounds { processes: Vec::new(), locks: Vec::new(), pairs: Vec::new() };
        Self {
            goals: vec![nothing],
            layers: None,
            machine: Machine::default(),
            advice: Advice::default(),
            factor: 1,
        }
    }

    /// The bounds of a kind for some goals.
    pub(crate) fn new(network: &Network, goals: &[Goal], kind: LowerBounds, tariff: Tariff) -> Self {
        if kind == LowerBounds::None {
            return Self::unknown();
        }
        let bounds = goals.iter().map(|goal| {
            let processes = graphs(network, goal);
            let locks = if kind.has_locks() { locks(network, &processes) } else { Vec::new() };
            let has_pairs = kind.has_pairs() && network.features.costs;
            let pairs = if has_pairs { pairs(network, &all_graphs(network, goal)) } else { Vec::new() };
            GoalBounds { processes, locks, pairs }
        });
        let layers = if kind.has_layers() { Layers::new(network, goals, tariff) } else { None };
        Self { goals: bounds.collect(), layers, ..Self::unknown() }
    }

    /// With what the author says, in units of which the given number is one of ours.
    pub(crate) fn with_advice(self, advice: Advice, factor: i64) -> Self {
        Self { advice, factor: factor.max(1), ..self }
    }

    /// What the author says is still to be paid.
    fn advised(&self, cells: &[i32]) -> i64 {
        self.advice.remaining(cells) / self.factor
    }

    /// The author's order, if there is one and it is wanted.
    pub(crate) fn heur(&self, cells: &[i32]) -> Option<i64> {
        self.advice.heur(cells)
    }

    /// When a goal is reached at the earliest, given the time now, and how late all processes are together.
    pub(crate) fn time(&mut self, cells: &[i32], now: i64, since: &Since<'_>) -> (i64, i64) {
        let mut least = (NEVER, NEVER);
        for goal in &self.goals {
            let (mut bound, mut sum) = (now, 0_i64);
            for process in &goal.processes {
                let arrival = process.arrival(cells, now, since);
                bound = bound.max(arrival);
                sum = sum.saturating_add(arrival);
            }
            for lock in &goal.locks {
                if bound >= NEVER {
                    break;
                }
                self.machine.clear();
                lock.collect(&goal.processes, cells, now, since, &mut self.machine);
                let own = self.machine.bound();
                bound = bound.max(own);
                sum = sum.saturating_add(own.max(now));
            }
            least = least.min((bound, sum));
        }
        if let Some(layers) = &mut self.layers {
            let lack = |clock, value| since(clock).map_or(0, |since| since + value - now);
            least.0 = least.0.max(now.saturating_add(layers.cost(cells, &lack)));
        }
        (least.0.max(now + self.advised(cells)), self.heur(cells).unwrap_or(least.1))
    }

    /// What is still to be paid at least, whatever the clocks say.
    pub(crate) fn cost(&mut self, cells: &[i32]) -> i64 {
        let least = self.goals.iter().map(|goal| goal.cost(cells)).min().unwrap_or(NEVER);
        let relaxed = self.layers.as_mut().map_or(0, |layers| layers.cost(cells, &|_, _| 0));
        least.max(relaxed).max(self.advised(cells))
    }

    /// What every run through a priced zone costs at least.
    pub(crate) fn cost_over(&mut self, cells: &[i32], priced: &PricedZone, clocks: &Clocks) -> i64 {
        let of_goal = |goal: &GoalBounds| {
            let mut extra = vec![0; priced.rates.len()];
            let mut fixed = goal.cost(cells);
            for process in &goal.processes {
                fixed = fixed.saturating_add(process.stay_with(cells, priced, clocks, &mut extra));
            }
            if fixed >= NEVER { NEVER } else { fixed + priced.least_with(&extra) }
        };
        // What a clock lacks everywhere in the zone.
        let lack = |clock, value| {
            let upper = clocks.find(clock).map(|place| priced.zone.get(place, 0));
            upper.filter(|upper| !upper.is_infinite()).map_or(0, |upper| value - i64::from(upper.constant()))
        };
        let relaxed = self.layers.as_mut().map_or(0, |layers| layers.cost(cells, &lack));
        let advised = priced.least().saturating_add(self.advised(cells).max(relaxed));
        self.goals.iter().map(of_goal).min().unwrap_or(NEVER).max(advised)
    }
}
