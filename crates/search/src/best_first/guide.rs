//! A heuristic with its queues, and what it has said of states so far.

use crate::open::Open;
use crate::strategy::Directed;
use guidepost_answer::{Estimate, Statistics};
use guidepost_explore::{StateId, Store, SymbolicState};
use guidepost_heuristics::Heuristic;
use guidepost_network::EdgeId;

/// A heuristic with its queues.
pub(super) struct Guide<'n> {
    pub(super) heuristic: Box<dyn Heuristic + 'n>,
    pub(super) open: Open,
    /// Successors by preferred transitions.
    pub(super) preferred: Option<Open>,
    /// Turns taken, less those given for progress; the queue with the fewest is next.
    pub(super) turns: i64,
    pub(super) preferred_turns: i64,
    /// Estimates, see [`Guide::key`].
    pub(super) known: Vec<Option<Estimate>>,
    /// By state: what a heuristic that looks at transitions has remembered of it.
    pub(super) memory: Vec<u32>,
    pub(super) best: Estimate,
}

impl<'n> Guide<'n> {
    pub(super) fn new(heuristic: Box<dyn Heuristic + 'n>, directed: &Directed) -> Self {
        Self {
            heuristic,
            open: Open::new(directed.ties),
            preferred: directed.preferred.then(|| Open::new(directed.ties)),
            turns: 0,
            preferred_turns: 0,
            known: Vec::new(),
            memory: Vec::new(),
            best: Estimate::DEAD_END,
        }
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        let preferred = self.preferred.as_ref().map_or(0, Open::bytes);
        let memory = self.memory.capacity() * size_of::<u32>();
        self.open.bytes() + preferred + memory + self.known.capacity() * size_of::<Option<Estimate>>()
    }
}

impl Guide<'_> {
    /// Under which number a state's estimate is kept: where zones do not matter, all states with one discrete part share it.
    pub(super) fn key(&self, store: &Store, id: StateId) -> u32 {
        if self.heuristic.is_discrete() && !self.heuristic.follows_transitions() {
            store.discrete(id)
        } else {
            id.0
        }
    }

    pub(super) fn known(&self, key: u32) -> Option<Estimate> {
        self.known.get(key as usize).copied().flatten()
    }

    pub(super) fn remember(&mut self, key: u32, estimate: Estimate) {
        if self.known.len() <= key as usize {
            self.known.resize(key as usize + 1, None);
        }
        self.known[key as usize] = Some(estimate);
    }

    pub(super) fn estimate(
        &mut self,
        store: &Store,
        id: StateId,
        state: &SymbolicState,
        statistics: &mut Statistics,
        patience: u64,
    ) -> Option<Estimate> {
        let key = self.key(store, id);
        let known = self.known(key);
        if known.is_some() {
            return known;
        }
        statistics.evaluations += 1;
        let estimate = self.heuristic.estimate_within(state, patience)?;
        self.remember(key, estimate);
        Some(estimate)
    }

    /// As [`Guide::estimate`], given the transition by which the state was reached.
    pub(super) fn estimate_arrival(
        &mut self,
        store: &Store,
        id: StateId,
        state: &SymbolicState,
        (from, edges): (StateId, &[EdgeId]),
        statistics: &mut Statistics,
        patience: u64,
    ) -> Option<Estimate> {
        if !self.heuristic.follows_transitions() {
            return self.estimate(store, id, state, statistics, patience);
        }
        statistics.evaluations += 1;
        let before = self.memory.get(from.index()).copied().unwrap_or(0);
        let (estimate, memory) = self.heuristic.estimate_arrival(state, edges, before);
        if self.memory.len() <= id.index() {
            self.memory.resize(id.index() + 1, 0);
        }
        self.memory[id.index()] = memory;
        self.remember(id.0, estimate);
        Some(estimate)
    }

    /// Whether an estimate is the best so far.
    pub(super) fn comes_nearer(&mut self, estimate: Estimate) -> bool {
        let is_nearer = estimate < self.best;
        self.best = self.best.min(estimate);
        is_nearer
    }
}
