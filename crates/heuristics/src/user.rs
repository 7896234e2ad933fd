//! `user`: what the author of the model says.
//!
//! CORA reads a variable `heur` of the model and explores states with small values first. Here it is a heuristic as any other, for any search: the author updates the variable where
//! something good or bad happens. Nothing is known of what the numbers mean, so it is not admissible, and no state is a dead end; a negative number counts as 0.
//!
//! A `meta` variable has its value from the transition by which a state was reached; so the estimate belongs to that, too.

use crate::{Estimate, Heuristic};
use guidepost_explore::SymbolicState;
use guidepost_network::{EdgeId, Network};

/// The variable.
pub(crate) const NAME: &str = "heur";

pub(crate) struct UserPriority {
    cell: Option<usize>,
    is_meta: bool,
}

impl UserPriority {
    pub(crate) fn new(network: &Network) -> Self {
        let found = network.variables.iter().enumerate().find(|(_, variable)| variable.name == NAME);
        Self {
            cell: found.map(|(index, _)| network.processes.len() + index),
            is_meta: found.is_some_and(|(_, variable)| variable.meta),
        }
    }
}

impl Heuristic for UserPriority {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        Estimate::steps(self.cell.map_or(0, |cell| state.cells[cell].max(0) as u32))
    }

    fn follows_transitions(&self) -> bool {
        self.is_meta
    }

    fn estimate_arrival(
        &mut self,
        state: &SymbolicState,
        _edges: &[EdgeId],
        _remembered: u32,
    ) -> (Estimate, u32) {
        (self.estimate(state), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_networks::{compiled, initial};

    #[test]
    fn the_variable_is_the_estimate() {
        let model = |declaration: &str| format!("{declaration} process P() {{ state A; init A; }} system P;");
        let estimate = |declaration: &str| {
            let (network, _) = compiled(&model(declaration), "E<> P.A");
            UserPriority::new(&network).estimate(&initial(&network))
        };
        assert_eq!(estimate("int heur = 7;"), Estimate::steps(7));
        assert_eq!(
            estimate("int[-2147483647,2147483647] heur = 2147483647;"),
            Estimate::steps(i32::MAX as u32)
        );
        assert_eq!(estimate("int heur = -3;"), Estimate::ZERO);
        assert_eq!(estimate("int x;"), Estimate::ZERO);
    }
}
