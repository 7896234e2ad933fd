//! Cones of influence: what is how far from the goal.
//!
//! Layer 0 are the symbols of the goal. The next layer adds what may be involved in changing them: what the guards of a process and the assignments to a
//! variable read, the channels, and the processes that write or use any of these (Qian and Nymeyer 2004, with the processes and clocks of timed automata). So a
//! layer goes from processes to the processes that influence them.

use crate::structure::{Structure, reads, writes};
use crate::symbols::{Symbol, SymbolSet};
use guidepost_network::Network;

impl Structure {
    /// The symbols within a number of layers around the given ones.
    pub fn cone(&self, network: &Network, centre: &[Symbol], layers: u32) -> SymbolSet {
        let mut cone = SymbolSet::empty(network);
        cone.extend(centre.iter().copied());
        // From a process to what it depends on, and from there to who changes that: two rounds make a layer.
        for _ in 0..2 * layers {
            let inner = cone.clone();
            for facts in &self.edges {
                let owner = Symbol::Process(facts.process);
                let channels = facts.channels.iter().map(|&channel| Symbol::Channel(channel));
                let moves = facts.moves && inner.contains(owner);
                let meets = channels.clone().any(|channel| inner.contains(channel));
                let mut changes = false;
                for step in &facts.steps {
                    if writes(step).any(|symbol| inner.contains(symbol)) {
                        changes = true;
                        cone.extend(reads(step));
                    }
                }
                if moves || changes {
                    cone.extend(facts.guard.iter().copied().chain(channels));
                }
                if meets || changes {
                    cone.insert(owner);
                }
            }
        }
        cone
    }
}
