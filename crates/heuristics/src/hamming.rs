//! `hamming`: the number of conditions of the goal that do not hold yet.
//!
//! Cheap and rough: it sees that one of two processes has arrived, but not how far the other has to go. One transition can settle several conditions, so
//! the number is no bound; clock conditions are not counted, since whether they hold is a matter of waiting.

use crate::{Estimate, Heuristic};
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Machine, Network};

pub(crate) struct Hamming<'n> {
    machine: Machine<'n>,
    goals: Vec<Goal>,
}

impl<'n> Hamming<'n> {
    pub(crate) fn new(network: &'n Network, goals: &[Goal]) -> Self {
        Self { machine: Machine::for_goals(&network.program, goals), goals: goals.to_vec() }
    }
}

impl Heuristic for Hamming<'_> {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        self.machine.load(&state.cells);
        let machine = &mut self.machine;
        let unsettled = |goal: &Goal| {
            let places = goal.locations.iter().filter(|(process, admissible)| {
                let at = state.cells[process.index()] as u32;
                !admissible.iter().any(|location| location.0 == at)
            });
            // A condition that cannot be evaluated does not hold.
            let data =
                goal.data.iter().filter(|&&code| !matches!(machine.eval(code), Ok(value) if value != 0));
            (places.count() + data.count()) as u32
        };
        self.goals.iter().map(unsettled).min().map_or(Estimate::DEAD_END, Estimate::steps)
    }

    fn effort(&self) -> u64 {
        self.machine.executed() / 3
    }
}
