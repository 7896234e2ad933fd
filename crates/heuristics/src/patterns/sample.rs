//! States on random walks.

use crate::Deadline;
use guidepost_explore::{Explorer, SymbolicState, ZoneAbstraction};
use guidepost_network::interpreter::Random;
use guidepost_network::{Goal, Network};
use std::ops::ControlFlow;

const WALKS: u64 = 4;
const STEPS: usize = 40;
/// Microseconds for a successor, at most.
const SUCCESSOR: u32 = 64;

/// Locations and values of states on a few random walks; always the same.
pub(super) fn sample(network: &Network, goals: &[Goal], mut deadline: Deadline) -> Vec<Vec<i32>> {
    let goals: Vec<&Goal> = goals.iter().collect();
    let Ok(mut explorer) = Explorer::new(network, &goals, ZoneAbstraction::REACHABILITY) else {
        return Vec::new();
    };
    let Ok(initial) = explorer.initial_states() else { return Vec::new() };
    let mut found = Vec::new();
    for seed in 0..WALKS {
        let mut random = Random::new(seed);
        let mut state = initial.first().cloned();
        for _ in 0..STEPS {
            let Some(current) = state else { break };
            state = successor(&mut explorer, &current, &mut random, &mut deadline);
            found.extend(state.iter().map(|state| state.cells.clone()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// One successor, each with the same probability.
fn successor(
    explorer: &mut Explorer<'_>,
    state: &SymbolicState,
    random: &mut Random,
    deadline: &mut Deadline,
) -> Option<SymbolicState> {
    let mut chosen = None;
    let mut count = 0;
    // A walk that fails is over.
    let _ = explorer.expand(state, &mut |next, _| {
        count += 1;
        if random.below(count) == 0 {
            chosen = Some(next.clone());
        }
        if deadline.is_due(SUCCESSOR) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    chosen
}
