//! What a check took.

use std::time::Duration;

/// Numbers about a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Goals that were asked: states, transitions, pairs of transitions, machines.
    pub goals: usize,
    /// Those that random walks settled.
    pub walked: usize,
    /// Those that followed from others.
    pub implied: usize,
    /// Those that were decided by diagrams.
    pub decided: usize,
    /// The most machines that one of them needed.
    pub machines: usize,
    /// How often machines were added.
    pub enlargements: usize,
    /// The nodes of the largest set of configurations.
    pub nodes: usize,
    /// Operations on diagrams.
    pub operations: u64,
    /// How long it took.
    pub time: Duration,
}

impl Statistics {
    pub(crate) fn see(&mut self, machines: usize, nodes: usize) {
        self.machines = self.machines.max(machines);
        self.nodes = self.nodes.max(nodes);
    }
}
