//! What a heuristic can do.

use crate::Estimate;
use guidepost_explore::SymbolicState;
use guidepost_network::EdgeId;

/// Estimates distances to the goals it is bound to.
pub trait Heuristic {
    /// How far it is from a state to the nearest goal.
    fn estimate(&mut self, state: &SymbolicState) -> Estimate;

    /// As [`estimate`](Heuristic::estimate), but `None` when it would take more than so much [effort](Heuristic::effort).
    /// Heuristics whose estimates always cost little need not look at it.
    fn estimate_within(&mut self, state: &SymbolicState, _effort: u64) -> Option<Estimate> {
        Some(self.estimate(state))
    }

    /// As [`estimate_within`](Heuristic::estimate_within), in the system without some edges. What is above `bound` need not be exact: any number above it
    /// will do. Heuristics that cannot do without edges give the ordinary estimate.
    fn estimate_without(
        &mut self,
        state: &SymbolicState,
        _edges: &EdgeMask,
        _bound: Estimate,
        effort: u64,
    ) -> Option<Estimate> {
        self.estimate_within(state, effort)
    }

    /// Whether it wants to know by which transitions states are reached: then [`estimate_arrival`](Heuristic::estimate_arrival) is asked instead.
    fn follows_transitions(&self) -> bool {
        false
    }

    /// The estimate of a state that was reached by some edges from one of which it has remembered a number (0 of initial states), and what to remember of the
    /// state itself.
    fn estimate_arrival(
        &mut self,
        state: &SymbolicState,
        _edges: &[EdgeId],
        _remembered: u32,
    ) -> (Estimate, u32) {
        (self.estimate(state), 0)
    }

    /// Whether the estimate follows from locations and values alone, so that it can be kept for all zones.
    fn is_discrete(&self) -> bool {
        true
    }

    /// Adds the edges that the solution behind the last estimate would begin with.
    fn preferred(&self, _edges: &mut EdgeMask) {}

    /// Work so far, in units of about ten nanoseconds on the machine it was calibrated on; the same number on every machine.
    fn effort(&self) -> u64 {
        0
    }
}

/// A set of edges that is filled and emptied often.
#[derive(Clone, Debug, Default)]
pub struct EdgeMask {
    contains: Vec<bool>,
    members: Vec<u32>,
}

impl EdgeMask {
    /// No edges, of a network with this many.
    pub fn new(edges: usize) -> Self {
        Self { contains: vec![false; edges], members: Vec::new() }
    }

    /// Adds an edge.
    pub fn insert(&mut self, edge: u32) {
        if !std::mem::replace(&mut self.contains[edge as usize], true) {
            self.members.push(edge);
        }
    }

    /// Whether the edge is in the set.
    #[inline]
    pub fn contains(&self, edge: u32) -> bool {
        self.contains[edge as usize]
    }

    /// Removes all edges.
    pub fn clear(&mut self) {
        for edge in self.members.drain(..) {
            self.contains[edge as usize] = false;
        }
    }
}
