//! What best-first search does with new states.

use super::guide::Guide;
use super::guideposts::Guideposts;
use super::novelty::Novelty;
use super::{Fresh, Useless, demand, estimation_effort};
use crate::expansion::Newcomers;
use crate::strategy::Directed;
use guidepost_answer::{Estimate, Statistics};
use guidepost_explore::{Replace, StateId, Store, SymbolicState};
use guidepost_heuristics::EdgeMask;
use guidepost_network::EdgeId;

/// New states are estimated and wait until they can be put into the queues together.
pub(super) struct Guided<'s, 'n> {
    pub(super) directed: &'s Directed,
    pub(super) guides: &'s mut [Guide<'n>],
    pub(super) depths: &'s mut Vec<u32>,
    pub(super) expanded: &'s mut Vec<bool>,
    pub(super) useless: Option<&'s mut Useless>,
    pub(super) guideposts: &'s mut Guideposts<'n>,
    pub(super) novelty: Option<&'s mut Novelty>,
    /// The state under expansion.
    pub(super) source: StateId,
    pub(super) fresh: &'s mut Vec<Fresh>,
    /// Of the new states.
    pub(super) depth: u32,
    pub(super) preferred: &'s EdgeMask,
    pub(super) estimation: Estimation<'s>,
    pub(super) source_estimate: Option<Estimate>,
}

/// How long estimates may take.
pub(super) struct Estimation<'s> {
    /// A single one.
    pub(super) patience: u64,
    /// All of them, those before included.
    pub(super) end: u64,
    /// Those that took longer.
    pub(super) abandoned: &'s mut u64,
}

impl Estimation<'_> {
    /// The most that the next estimate may take; `None` when it is not worth beginning.
    fn patience(&self, guides: &[Guide<'_>]) -> Option<u64> {
        let left = self.end.saturating_sub(estimation_effort(guides));
        (left > 0).then_some(left.min(self.patience))
    }

    /// An estimate came to nothing with so much patience: because it takes too long, or only because the turn was over.
    fn abandon(&mut self, patience: u64) {
        *self.abandoned += u64::from(patience == self.patience);
    }
}

impl Newcomers for Guided<'_, '_> {
    fn demand(&self, store: &Store) -> usize {
        demand(store, self.guides)
    }

    fn replace(&self) -> Replace<'_> {
        if self.directed.is_optimal() { Replace::Deeper(self.depths, self.depth) } else { Replace::Covered }
    }

    /// Where the first goal must be a nearest one, states are tested when their turn comes.
    fn are_examined(&self) -> bool {
        !self.directed.is_optimal()
    }

    fn take_up(
        &mut self,
        new: StateId,
        state: &SymbolicState,
        edges: &[EdgeId],
        store: &Store,
        statistics: &mut Statistics,
    ) {
        debug_assert!(self.depths.len() == new.index() && self.expanded.len() == new.index());
        self.depths.push(self.depth);
        self.expanded.push(false);
        self.guideposts.arrive(state, Some(self.source));
        let is_preferred = edges.iter().any(|edge| self.preferred.contains(edge.0));
        let mut is_dead = false;
        let mut is_useless = false;
        if !self.directed.deferred {
            for index in 0..self.guides.len() {
                let estimate = self.estimate(index, new, (state, edges), store, statistics);
                is_dead |= estimate.is_some_and(Estimate::is_dead_end);
            }
            is_useless = !is_dead && self.is_useless(new, edges, store, statistics);
        }
        if is_dead {
            statistics.dead_ends += 1;
        } else {
            let known = self.guides[0].known(self.guides[0].key(store, new));
            let novelty = self.novelty.as_mut().map_or(0, |novelty| novelty.of(&state.cells, known));
            self.fresh.push(Fresh { id: new, is_useless, is_preferred, novelty });
        }
    }
}

impl Guided<'_, '_> {
    /// A new state's estimate; `None` when it takes too long.
    fn estimate(
        &mut self,
        guide: usize,
        new: StateId,
        (state, edges): (&SymbolicState, &[EdgeId]),
        store: &Store,
        statistics: &mut Statistics,
    ) -> Option<Estimate> {
        let patience = self.estimation.patience(self.guides)?;
        let way = (self.source, edges);
        let estimate = self.guides[guide].estimate_arrival(store, new, state, way, statistics, patience);
        if estimate.is_none() {
            self.estimation.abandon(patience);
        }
        estimate
    }

    /// Whether the transition to a new state seems useless; where that takes too long to find out, it does not.
    fn is_useless(
        &mut self,
        new: StateId,
        edges: &[EdgeId],
        store: &Store,
        statistics: &mut Statistics,
    ) -> bool {
        let Some(useless) = &mut self.useless else { return false };
        let Some(patience) = self.estimation.patience(self.guides) else { return false };
        let guide = &mut self.guides[0];
        let Some(estimate) = guide.known(guide.key(store, new)) else { return false };
        if self.source_estimate.is_some_and(|own| estimate < own) {
            return false;
        }
        let is_useless = useless.is_useless(edges, estimate, guide.heuristic.as_mut(), statistics, patience);
        if is_useless.is_none() {
            self.estimation.abandon(patience);
        }
        is_useless.unwrap_or(false)
    }
}
