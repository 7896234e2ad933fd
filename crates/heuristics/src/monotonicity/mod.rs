//! `hl`, `hu`: the monotonicity abstraction (Kupferschmid, Hoffmann, Dierks, Behrmann: *Adapting an AI Planning Heuristic for Directed Model Checking*, 2006).
//!
//! Suppose every process could be in several locations at once and every variable could have several values, and nothing that was reached
//! once were ever given up: sets only grow. Then one need not search. All transitions that are possible are taken at once, layer by layer, until the goal
//! holds or nothing grows any more. Clocks are left out: clock guards and invariants count as true.
//!
//! - **h^L** is the number of layers. Along a real path of n transitions, the n-th layer contains everything the path reaches, so h^L never exceeds the
//!   true distance. If the goal is not even reached here, it cannot be reached at all.
//! - **h^U** is the number of transitions of one solution, read off backwards: take a transition that first made each thing the goal needs, then
//!   what that transition needs, and so on. It counts work that h^L thinks is done side by side, and so it is better informed; but it may count
//!   too much.
//!
//! Conditions are judged one by one, each with the values that suit it best; deciding whole guards would be NP-hard.
//!
//! # How it is made fast
//!
//! The estimate is wanted for every state that a search generates. The task is compiled once ([`task`]): a *fact* is one value of one cell of the state
//! (locations included), conditions on one cell are tables of facts, an *operator* (edge or goal) waits for a number of conditions. Growing
//! ([`growth`]) is then counting down, as in planners. Only conditions and updates over several cells are evaluated with the machine, each combination of values
//! once. Work space is kept; nothing is allocated per call once it has its size.
//!
//! # What is over-approximated
//!
//! - Priorities, committed and urgent locations, data invariants: ignored.
//! - A receiver whose update reads what the sender writes sees all values of the next layer as well; so do receivers of one broadcast among each other.
//! - More than [`COMBINATIONS`](growth::COMBINATIONS) combinations of values, or fewer where trying them takes long: conditions count as true, results as any
//!   value. More than [`VALUES`](growth::VALUES) values of one variable, or a value far from its initial one: any value.
//! - A channel that is computed in the state: all channels it can be. Meta variables, variables with more than 65,536 values, and those written by update
//!   hooks of the whole system: any value from the start.

mod clocks;
mod domain;
mod effects;
mod growth;
mod solution;
mod synchronisation;
mod task;
#[cfg(test)]
mod tests;

use crate::{Deadline, EdgeMask, Estimate, Heuristic};
pub(crate) use clocks::ClockLayers;
use growth::Growth;
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Network};
use solution::Solution;
use task::Task;

/// `hl`
pub(crate) struct Layers<'n> {
    task: Task,
    growth: Growth<'n>,
}

impl<'n> Layers<'n> {
    pub(crate) fn new(network: &'n Network, goals: &[Goal], mut deadline: Deadline) -> Self {
        let task = Task::new(network, goals, &mut deadline);
        let growth = Growth::new(network, goals, &task, deadline);
        Self { task, growth }
    }
}

impl Heuristic for Layers<'_> {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        self.growth.run(&self.task, &state.cells, None, u32::MAX).layers()
    }

    fn estimate_within(&mut self, state: &SymbolicState, effort: u64) -> Option<Estimate> {
        self.growth.patiently(effort, |growth| growth.run(&self.task, &state.cells, None, u32::MAX).layers())
    }

    fn estimate_without(
        &mut self,
        state: &SymbolicState,
        edges: &EdgeMask,
        bound: Estimate,
        effort: u64,
    ) -> Option<Estimate> {
        let bound = bound.as_steps().unwrap_or(u32::MAX);
        self.growth
            .patiently(effort, |growth| growth.run(&self.task, &state.cells, Some(edges), bound).layers())
    }

    fn effort(&self) -> u64 {
        self.growth.effort()
    }
}

/// `hu`
pub(crate) struct RelaxedSolution<'n> {
    task: Task,
    growth: Growth<'n>,
    solution: Solution,
}

impl<'n> RelaxedSolution<'n> {
    pub(crate) fn new(network: &'n Network, goals: &[Goal], mut deadline: Deadline) -> Self {
        let task = Task::new(network, goals, &mut deadline);
        let growth = Growth::new(network, goals, &task, deadline);
        let solution = Solution::new(&task);
        Self { task, growth, solution }
    }

    /// h^U of some locations and values.
    pub(crate) fn estimate_cells(&mut self, cells: &[i32]) -> Estimate {
        self.count(cells, None, u32::MAX)
    }

    fn count(&mut self, cells: &[i32], edges: Option<&EdgeMask>, bound: u32) -> Estimate {
        count(&self.task, &mut self.growth, &mut self.solution, cells, edges, bound)
    }

    fn count_within(
        &mut self,
        effort: u64,
        cells: &[i32],
        edges: Option<&EdgeMask>,
        bound: u32,
    ) -> Option<Estimate> {
        let (task, solution) = (&self.task, &mut self.solution);
        self.growth.patiently(effort, |growth| count(task, growth, solution, cells, edges, bound))
    }
}

fn count(
    task: &Task,
    growth: &mut Growth<'_>,
    solution: &mut Solution,
    cells: &[i32],
    edges: Option<&EdgeMask>,
    bound: u32,
) -> Estimate {
    match growth.run(task, cells, edges, bound) {
        growth::Grown::Goal { operator, layer } => {
            // What a hook makes is there without a transition of its own, so that a solution may be shorter than the layers are many.
            let length = solution.extract(task, growth, operator);
            Estimate::steps(length.max(layer))
        }
        other => other.layers(),
    }
}

impl Heuristic for RelaxedSolution<'_> {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        self.count(&state.cells, None, u32::MAX)
    }

    fn estimate_within(&mut self, state: &SymbolicState, effort: u64) -> Option<Estimate> {
        self.count_within(effort, &state.cells, None, u32::MAX)
    }

    fn estimate_without(
        &mut self,
        state: &SymbolicState,
        edges: &EdgeMask,
        bound: Estimate,
        effort: u64,
    ) -> Option<Estimate> {
        // The estimate is at least the number of layers, so more of them than the bound are enough.
        self.count_within(effort, &state.cells, Some(edges), bound.as_steps().unwrap_or(u32::MAX))
    }

    fn preferred(&self, edges: &mut EdgeMask) {
        self.solution.first_edges(&self.task, &self.growth, edges);
    }

    fn effort(&self) -> u64 {
        self.growth.effort()
    }
}

/// The edges of a solution; a direct one takes for granted the values that effects are computed from. `None` when there is no solution.
pub(crate) fn solution_edges(
    network: &Network,
    goals: &[Goal],
    cells: &[i32],
    is_direct: bool,
    mut deadline: Deadline,
) -> Option<Vec<u32>> {
    let task = Task::new(network, goals, &mut deadline);
    let mut growth = Growth::new(network, goals, &task, deadline);
    let mut solution = if is_direct { Solution::direct(&task) } else { Solution::new(&task) };
    match growth.run(&task, cells, None, u32::MAX) {
        growth::Grown::Goal { operator, .. } => {
            solution.extract(&task, &mut growth, operator);
            Some(solution.edges().to_vec())
        }
        _ => None,
    }
}

/// By variable: between which values it stays when nothing is ever lost, as far as that is known.
pub(crate) fn reached_ranges(network: &Network, mut deadline: Deadline) -> Vec<Option<(i32, i32)>> {
    let task = Task::new(network, &[], &mut deadline);
    let mut growth = Growth::new(network, &[], &task, deadline);
    if growth.run(&task, &network.initial_cells(), None, u32::MAX) != growth::Grown::Fixpoint {
        return vec![None; network.variables.len()];
    }
    let domains = &task.domains;
    let is_reached = |fact: u32| growth.layer(fact) != growth::NONE;
    let range = |cell: usize| {
        if domains.is_free(cell) || is_reached(domains.any(cell)) {
            return None;
        }
        let mut values = (domains.first(cell)..domains.any(cell))
            .filter(|&fact| is_reached(fact))
            .map(|fact| domains.value(fact));
        let lowest = values.next()?;
        Some((lowest, values.next_back().unwrap_or(lowest)))
    };
    (domains.processes..domains.cells()).map(range).collect()
}
