//! What the author of a model says about costs: CORA's variables `remaining` and `heur`.
//!
//! `remaining` is a lower bound of what is still to be paid, and `heur` says which state to look at first: the smaller one. Both are usually `meta`, so that their values belong to a transition
//! and not to a state. Where they are asked for they are kept, as if they were ordinary variables.

use guidepost_network::{Network, VarId};

/// Where to find the advice in the cells of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Advice {
    remaining: Option<usize>,
    heur: Option<usize>,
}

/// The variable that tells what is still to be paid.
pub(crate) const REMAINING: &str = "remaining";
/// The variable that tells what to look at first.
pub(crate) const HEUR: &str = "heur";

/// A variable of the whole model.
pub(crate) fn find(network: &Network, name: &str) -> Option<VarId> {
    network.variables.iter().position(|variable| variable.name == name).map(|index| VarId(index as u32))
}

impl Advice {
    /// The advice that is wanted, as far as the network has it.
    pub(crate) fn new(network: &Network, wants_remaining: bool, wants_heur: bool) -> Self {
        let cell = |name| find(network, name).map(|var| network.processes.len() + var.index());
        Self {
            remaining: wants_remaining.then(|| cell(REMAINING)).flatten(),
            heur: wants_heur.then(|| cell(HEUR)).flatten(),
        }
    }

    /// The network in which the advice is kept from transition to transition.
    pub(crate) fn kept(self, network: &Network) -> Network {
        let mut network = network.clone();
        for cell in self.remaining.into_iter().chain(self.heur) {
            network.variables[cell - network.processes.len()].meta = false;
        }
        network
    }

    /// Whether something is kept.
    pub(crate) fn is_some(self) -> bool {
        self.remaining.is_some() || self.heur.is_some()
    }

    /// What is still to be paid at least.
    pub(crate) fn remaining(self, cells: &[i32]) -> i64 {
        self.remaining.map_or(0, |cell| i64::from(cells[cell]).max(0))
    }

    /// What is to be looked at first: the smaller one.
    pub(crate) fn heur(self, cells: &[i32]) -> Option<i64> {
        self.heur.map(|cell| i64::from(cells[cell]))
    }
}
