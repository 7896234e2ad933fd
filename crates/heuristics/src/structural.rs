//! `coverage`, `interleaving`: what is interesting in itself (Groce, Visser: *Heuristics for Model Checking Java Programs*, 2002).
//!
//! A deadlock, a time-lock or an error of the model is not a place that one can be near to: all estimates are 0, and a search that follows them goes nowhere in
//! particular. But errors like these hide where nobody has looked, or where processes get in each other's way. So these heuristics look at how a state was
//! reached and ignore the goal:
//!
//! - **coverage** prefers states that were reached by edges, and are in locations, that have been seen least often so far.
//! - **interleaving** prefers states that were reached by another process than the ones before: of the last [`WINDOW`] moves, those of the same process count
//!   against a state, recent ones most.
//!
//! Neither is a distance. Both depend on the order in which states are found; one thread finds them in the same order every time.

use crate::{Estimate, Heuristic};
use guidepost_explore::SymbolicState;
use guidepost_network::{EdgeId, Network};

/// So many moves are remembered, a byte each.
const WINDOW: u32 = u32::BITS / 8;

/// `coverage`
pub(crate) struct Coverage {
    processes: usize,
    /// By edge: how often a state was reached by it.
    taken: Vec<u32>,
    /// By location: how many states were in it.
    seen: Vec<u32>,
    looked_at: u64,
}

impl Coverage {
    pub(crate) fn new(network: &Network) -> Self {
        Self {
            processes: network.processes.len(),
            taken: vec![0; network.edges.len()],
            seen: vec![0; network.locations.len()],
            looked_at: 0,
        }
    }

    /// Counts the locations of a state; says how often the rarest of them was seen before.
    fn visit(&mut self, state: &SymbolicState) -> u32 {
        let mut rarest = u32::MAX;
        for &location in &state.cells[..self.processes] {
            let seen = &mut self.seen[location as usize];
            rarest = rarest.min(*seen);
            *seen = seen.saturating_add(1);
        }
        self.looked_at += self.processes as u64;
        rarest
    }
}

/// Twice as often is one step further away: 0, 1, 2, 2, 3, 3, 3, 3, …
fn rank(count: u32) -> u32 {
    u32::BITS - count.leading_zeros()
}

impl Heuristic for Coverage {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        Estimate::steps(rank(self.visit(state)))
    }

    fn follows_transitions(&self) -> bool {
        true
    }

    fn estimate_arrival(
        &mut self,
        state: &SymbolicState,
        edges: &[EdgeId],
        _remembered: u32,
    ) -> (Estimate, u32) {
        let mut rarest = u32::MAX;
        for edge in edges {
            let taken = &mut self.taken[edge.index()];
            rarest = rarest.min(*taken);
            *taken = taken.saturating_add(1);
        }
        let locations = self.visit(state);
        (Estimate::steps(rank(rarest) + rank(locations)), 0)
    }

    fn is_discrete(&self) -> bool {
        false
    }

    fn effort(&self) -> u64 {
        self.looked_at / 8
    }
}

/// `interleaving`
pub(crate) struct Interleaving {
    /// By edge: its process, as it is remembered; never 0.
    movers: Vec<u32>,
    estimates: u64,
}

impl Interleaving {
    pub(crate) fn new(network: &Network) -> Self {
        let mover = |process: u32| process % u32::from(u8::MAX) + 1;
        Self { movers: network.edges.iter().map(|edge| mover(edge.process.0)).collect(), estimates: 0 }
    }
}

impl Heuristic for Interleaving {
    /// Without a history there is nothing to tell.
    fn estimate(&mut self, _state: &SymbolicState) -> Estimate {
        Estimate::ZERO
    }

    fn follows_transitions(&self) -> bool {
        true
    }

    fn estimate_arrival(
        &mut self,
        _state: &SymbolicState,
        edges: &[EdgeId],
        remembered: u32,
    ) -> (Estimate, u32) {
        self.estimates += 1;
        let Some(first) = edges.first() else { return (Estimate::ZERO, remembered) };
        let mover = self.movers[first.index()];
        let weight = |age: u32| if remembered >> (8 * age) & 0xff == mover { WINDOW - age } else { 0 };
        let penalty = (0..WINDOW).map(weight).sum();
        (Estimate::steps(penalty), remembered << 8 | mover)
    }

    fn is_discrete(&self) -> bool {
        false
    }

    fn effort(&self) -> u64 {
        self.estimates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_networks::{compiled, initial};

    const TWO: &str = "process P() { state A, B; init A; trans A -> B { }, B -> A { }; } P1 = P(); P2 = P(); system P1, P2;";

    #[test]
    fn what_is_new_comes_first() {
        let (network, _) = compiled(TWO, "E<> deadlock");
        let mut coverage = Coverage::new(&network);
        let state = initial(&network);
        assert_eq!(coverage.estimate(&state), Estimate::ZERO);
        assert_eq!(coverage.estimate(&state), Estimate::steps(1));
        let (first, _) = coverage.estimate_arrival(&state, &[EdgeId(0)], 0);
        let (again, _) = coverage.estimate_arrival(&state, &[EdgeId(0)], 0);
        let (other, _) = coverage.estimate_arrival(&state, &[EdgeId(2)], 0);
        let (last, _) = coverage.estimate_arrival(&state, &[EdgeId(0)], 0);
        assert!(first < again && other < last, "{first} {again} {other} {last}");
    }

    #[test]
    fn the_same_process_again_comes_last() {
        let (network, _) = compiled(TWO, "E<> deadlock");
        let mut interleaving = Interleaving::new(&network);
        let state = initial(&network);
        let (first, memory) = interleaving.estimate_arrival(&state, &[EdgeId(0)], 0);
        assert_eq!(first, Estimate::ZERO);
        let (other, after_other) = interleaving.estimate_arrival(&state, &[EdgeId(2)], memory);
        let (same, _) = interleaving.estimate_arrival(&state, &[EdgeId(1)], memory);
        assert_eq!((other, same), (Estimate::ZERO, Estimate::steps(4)));
        let (back, _) = interleaving.estimate_arrival(&state, &[EdgeId(1)], after_other);
        assert_eq!(back, Estimate::steps(3));
    }

    /// Counts do not overflow.
    #[test]
    fn ranks_have_borders() {
        assert_eq!([0, 1, 2, 3, 4, u32::MAX].map(rank), [0, 1, 2, 2, 3, 32]);
    }
}
