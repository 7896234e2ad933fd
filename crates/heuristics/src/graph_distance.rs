//! `dl`, `du`: distances in the graphs of the single processes (Edelkamp, Leue, Lluch Lafuente, 2004).
//!
//! For every process that the goal wants somewhere, the number of edges from its location to the nearest admissible one, guards and synchronisation
//! ignored. The maximum is admissible, since a transition moves a process along at most one edge; the sum is better informed, but one synchronisation moves
//! two processes. Both are tables: a lookup per process.
//!
//! A goal without locations says nothing here: the estimate is 0.

use crate::{Estimate, Heuristic};
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, LocationId, Network, ProcessId};
use std::collections::VecDeque;

/// How the distances of the processes become one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combination {
    Maximum,
    Sum,
}

pub(crate) struct GraphDistance {
    combination: Combination,
    goals: Vec<Vec<Distances>>,
    estimates: u64,
}

/// The distances of one process to its part of a goal.
struct Distances {
    process: ProcessId,
    first: u32,
    steps: Vec<u32>,
}

const UNREACHABLE: u32 = u32::MAX;

impl GraphDistance {
    pub(crate) fn new(network: &Network, goals: &[Goal], combination: Combination) -> Self {
        let of_goal = |goal: &Goal| {
            goal.locations.iter().map(|(process, targets)| distances(network, *process, targets)).collect()
        };
        Self { combination, goals: goals.iter().map(of_goal).collect(), estimates: 0 }
    }
}

impl Heuristic for GraphDistance {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        self.estimates += 1;
        let of_goal = |goal: &Vec<Distances>| {
            let mut total = 0_u32;
            for distances in goal {
                let at = state.cells[distances.process.index()] as u32 - distances.first;
                match (distances.steps[at as usize], self.combination) {
                    (UNREACHABLE, _) => return Estimate::DEAD_END,
                    (steps, Combination::Maximum) => total = total.max(steps),
                    (steps, Combination::Sum) => total = total.saturating_add(steps),
                }
            }
            Estimate::steps(total)
        };
        self.goals.iter().map(of_goal).min().unwrap_or(Estimate::DEAD_END)
    }

    fn effort(&self) -> u64 {
        let look_ups: usize = self.goals.iter().map(Vec::len).sum();
        self.estimates * (1 + look_ups as u64 / 4)
    }
}

/// States from which some goals cannot be reached, because a process cannot get to where they want it: a few look-ups tell.
pub struct LocationDeadEnds {
    goals: Vec<Vec<Distances>>,
}

impl LocationDeadEnds {
    /// `None` when no state is one.
    pub fn new(network: &Network, goals: &[Goal]) -> Option<Self> {
        let of_goal = |goal: &Goal| {
            let all = goal.locations.iter().map(|(process, targets)| distances(network, *process, targets));
            let telling: Vec<Distances> = all.filter(|one| one.steps.contains(&UNREACHABLE)).collect();
            (!telling.is_empty()).then_some(telling)
        };
        goals.iter().map(of_goal).collect::<Option<_>>().map(|goals| Self { goals })
    }

    /// Whether none of the goals can be reached from a state.
    pub fn contain(&self, state: &SymbolicState) -> bool {
        let is_lost = |distances: &Distances| {
            let at = state.cells[distances.process.index()] as u32 - distances.first;
            distances.steps[at as usize] == UNREACHABLE
        };
        self.goals.iter().all(|goal| goal.iter().any(is_lost))
    }
}

/// Backward breadth-first search in one process.
fn distances(network: &Network, process: ProcessId, targets: &[LocationId]) -> Distances {
    let data = &network.processes[process.index()];
    let first = data.locations.start;
    let mut steps = vec![UNREACHABLE; data.locations.len()];
    let mut incoming = vec![Vec::new(); data.locations.len()];
    for edge in &network.edges[data.edges.start as usize..data.edges.end as usize] {
        incoming[(edge.target.0 - first) as usize].push(edge.source.0 - first);
    }
    let mut queue: VecDeque<u32> = targets.iter().map(|location| location.0 - first).collect();
    for &at in &queue {
        steps[at as usize] = 0;
    }
    while let Some(at) = queue.pop_front() {
        for &before in &incoming[at as usize] {
            if steps[before as usize] == UNREACHABLE {
                steps[before as usize] = steps[at as usize] + 1;
                queue.push_back(before);
            }
        }
    }
    Distances { process, first, steps }
}
