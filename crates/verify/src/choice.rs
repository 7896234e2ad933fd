//! The choice between searches for any run and searches for the best one.

use crate::Settings;
use guidepost_answer::{CompiledQuery, Engine, Event, Observe, Question, RunKind, Unsupported};
use guidepost_cost::{Cheapest, LowerBounds, Order};
use guidepost_heuristics::HeuristicSpec;
use guidepost_network::Network;
use guidepost_search::{Algorithm, Strategy};

/// Zones, and for the cheapest and fastest runs the engine that knows costs.
pub(crate) struct Choice {
    pub(crate) zones: Box<dyn Engine>,
    pub(crate) cheapest: Cheapest,
}

/// The engine for cheapest runs, in the order of the strategy.
pub(crate) fn cheapest(settings: &Settings) -> Cheapest {
    let (order, is_blind) = match &settings.strategy {
        None => (Order::Cyclic, false),
        Some(Strategy::Blind(guidepost_search::Order::BreadthFirst)) => (Order::BreadthFirst, true),
        Some(Strategy::Blind(_)) => (Order::DepthFirst, true),
        Some(Strategy::Directed(directed)) => {
            let order = match directed.algorithm {
                Algorithm::AStar => Order::BestFirst,
                _ => Order::Cyclic,
            };
            (order, directed.heuristics == [HeuristicSpec::None])
        }
    };
    let bounds = if is_blind { LowerBounds::None } else { LowerBounds::Model };
    Cheapest { run: settings.run, order, bounds, limits: settings.limits.clone(), representation: None }
}

/// Whether a query is about costs, if such a run is wanted.
pub(crate) fn is_about_cost(run: RunKind, query: &CompiledQuery) -> bool {
    match query.question {
        Question::LeastCost(_) => true,
        Question::Possibly(_) | Question::Always(_) => run.measure().is_some(),
        _ => false,
    }
}

impl Choice {
    fn is_about_cost(&self, query: &CompiledQuery) -> bool {
        is_about_cost(self.cheapest.run, query)
    }

    fn engine_for(&self, query: &CompiledQuery) -> &dyn Engine {
        if self.is_about_cost(query) { &self.cheapest } else { self.zones.as_ref() }
    }
}

impl Engine for Choice {
    fn name(&self) -> &'static str {
        self.zones.name()
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        self.engine_for(query).accepts(network, query)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        for about_cost in [false, true] {
            let chosen: Vec<usize> = (0..queries.len())
                .filter(|&index| self.is_about_cost(&queries[index]) == about_cost)
                .collect();
            if chosen.is_empty() {
                continue;
            }
            let own: Vec<CompiledQuery> = chosen.iter().map(|&index| queries[index].clone()).collect();
            let engine: &dyn Engine = if about_cost { &self.cheapest } else { self.zones.as_ref() };
            engine.answer(network, &own, &mut |event| {
                observe(match event {
                    Event::Progress(index, progress) => Event::Progress(chosen[index], progress),
                    Event::Improved(index, cost) => Event::Improved(chosen[index], cost),
                    Event::Refined(index, refinement) => Event::Refined(chosen[index], refinement),
                    Event::Answered(index, mut answer) => {
                        // Explorations are numbered by their first query.
                        answer.exploration.0 = chosen[answer.exploration.0];
                        Event::Answered(chosen[index], answer)
                    }
                });
            })?;
        }
        Ok(())
    }
}

/// Zones do not know costs: where the best run is wanted of a query that is not about reachability, any run will do.
pub(crate) fn without_measure(run: RunKind) -> RunKind {
    if run.measure().is_some() { RunKind::Any } else { run }
}
