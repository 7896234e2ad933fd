//! Networks for tests.

use guidepost_explore::{Explorer, SymbolicState, ZoneAbstraction};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_network::{EdgeId, Goal, Network, Question};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A network and what a query looks for.
pub(crate) fn compiled(text: &str, query: &str) -> (Network, Vec<Goal>) {
    let mut loaded = guidepost_language::load_text("test.xta", text);
    let (network, diagnostics) = guidepost_network::build(&loaded.model);
    let network = network.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let query = &loaded.queries_from_text("query", query, &mut Diagnostics::default())[0];
    let query = guidepost_network::compile_query(&network, &loaded.model, query).expect("a query");
    let Question::Possibly(predicate) = query.question else { panic!("not a reachability query") };
    (network, predicate.goals)
}

/// The initial state, with any zone.
pub(crate) fn initial(network: &Network) -> SymbolicState {
    let explorer = Explorer::new(network, &[], ZoneAbstraction::REACHABILITY).expect("supported");
    let mut state = explorer.source().clone();
    state.cells.copy_from_slice(&network.initial_cells());
    state
}

/// All states, the initial one first, and how far each is from a state that the heuristic-free test calls a goal.
pub(crate) fn distances(network: &Network, goals: &[Goal]) -> Vec<(SymbolicState, Option<u32>)> {
    let list: Vec<&Goal> = goals.iter().collect();
    let mut explorer = Explorer::new(network, &list, ZoneAbstraction::REACHABILITY).expect("supported");
    let mut states = explorer.initial_states().expect("an initial state");
    let mut number: BTreeMap<Vec<i32>, usize> = BTreeMap::from([(states[0].cells.clone(), 0)]);
    let mut arcs = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let source = states[at].clone();
        let visit = &mut |state: &SymbolicState, _: &[EdgeId]| {
            let next = states.len();
            let to = *number.entry(state.cells.clone()).or_insert(next);
            if to == next {
                states.push(state.clone());
            }
            arcs.push((at, to));
            ControlFlow::Continue(())
        };
        explorer.expand(&source, visit).expect("no failure");
        at += 1;
    }
    let mut machine = guidepost_network::Machine::for_goals(&network.program, goals);
    let mut is_goal = |state: &SymbolicState| {
        machine.load(&state.cells);
        goals.iter().any(|goal| {
            let is_there = goal.locations.iter().all(|(process, locations)| {
                locations.iter().any(|location| location.0 as i32 == state.cells[process.index()])
            });
            is_there && machine.holds(&goal.data).expect("no failure")
        })
    };
    let mut distance: Vec<Option<u32>> = states.iter().map(|state| is_goal(state).then_some(0)).collect();
    for round in 1..=states.len() as u32 {
        for &(from, to) in &arcs {
            if distance[from].is_none() && distance[to] == Some(round - 1) {
                distance[from] = Some(round);
            }
        }
    }
    states.into_iter().zip(distance).collect()
}
