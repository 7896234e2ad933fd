//! What a search did.

use crate::Estimate;

/// Numbers about a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// States whose successors were computed.
    pub explored: u64,
    /// Successors that were computed: the symbolic transitions.
    pub generated: u64,
    /// States in the store at the end, not counting those that later ones covered.
    pub stored: u64,
    /// Successors that a stored state covered, plus stored states that a later one covered.
    pub covered: u64,
    /// States that were expanded before their turn, because they cover states that were expanded.
    pub early: u64,
    /// Merged states: made of several whose zones together are a zone.
    pub merged: u64,
    /// Variables that cannot influence the question, anywhere or where they are dead, and were left out of states.
    pub left_out: u64,
    /// Processes that cannot influence the question and were left out.
    pub bystanders: u64,
    /// Successors that were exchanged for a representative, from which they differ only by what can be exchanged: members of scalar sets, or processes.
    pub renamed: u64,
    /// Transitions that were not taken at once because they are independent of others that were.
    pub postponed: u64,
    /// Different combinations of locations and values.
    pub discrete: u64,
    /// Nodes of the diagrams that stored zones are kept in; 0 where they are kept one by one.
    pub nodes: u64,
    /// Bytes of the state store.
    pub bytes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// States from which a heuristic saw no way to a goal.
    pub dead_ends: u64,
    /// Estimates that were computed.
    pub evaluations: u64,
    /// What was done, weighted by how long it takes: some ten nanoseconds a unit. The same on every machine; 0 where nobody counts.
    pub effort: u64,
    /// The estimate of the initial state, when there was a heuristic.
    pub initial_estimate: Option<Estimate>,
    /// Seconds that the heuristic needed before the search began.
    pub preprocessing_seconds: f64,
}

impl Statistics {
    /// Adds the numbers of a search that went on at the same time for the same answer.
    pub fn add_effort(&mut self, other: &Statistics) {
        let seconds = self.seconds.max(other.seconds);
        self.add(other);
        self.seconds = seconds;
        self.initial_estimate = self.initial_estimate.or(other.initial_estimate);
    }

    /// Adds the numbers of a second search that belongs to the same answer.
    pub fn add(&mut self, other: &Statistics) {
        self.explored += other.explored;
        self.generated += other.generated;
        self.stored += other.stored;
        self.covered += other.covered;
        self.early += other.early;
        self.merged += other.merged;
        self.left_out = self.left_out.max(other.left_out);
        self.bystanders = self.bystanders.max(other.bystanders);
        self.renamed += other.renamed;
        self.postponed += other.postponed;
        self.nodes += other.nodes;
        self.bytes += other.bytes;
        self.seconds += other.seconds;
        self.dead_ends += other.dead_ends;
        self.evaluations += other.evaluations;
        self.effort += other.effort;
        self.preprocessing_seconds += other.preprocessing_seconds;
    }
}
