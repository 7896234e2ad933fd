//! What best-first search does with new states.

use super::{Fresh, Guide, Useless, demand, effort};
use crate::expansion::Newcomers;
use crate::strategy::Directed;
use guidepost_answer::{Estimate, Statistics};
use guidepost_explore::{Replace, StateId, Store, SymbolicState};
use guidepost_heuristics::EdgeMask;
use guidepost_network::{EdgeId, Network};

/// New states are estimated and wait until they can be put into the queues together.
pub(super) struct Guided<'s, 'n> {
    pub(super) network: &'n Network,
    pub(super) directed: &'s Directed,
    pub(super) guides: &'s mut [Guide<'n>],
    pub(super) depths: &'s mut Vec<u32>,
    pub(super) expanded: &'s mut Vec<bool>,
    pub(super) useless: Option<&'s mut Useless>,
    pub(super) fresh: &'s mut Vec<Fresh>,
    /// Of the new states.
    pub(super) depth: u32,
    pub(super) preferred: &'s EdgeMask,
    pub(super) most_effort: u64,
    pub(super) source_estimate: Option<Estimate>,
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
        let is_preferred = edges.iter().any(|edge| self.preferred.contains(edge.0));
        let mut is_dead = false;
        let mut is_useless = false;
        // In large systems a single expansion with all its estimates can be more than is allowed.
        if !self.directed.deferred && effort(self.network, statistics, self.guides) < self.most_effort {
            for guide in self.guides.iter_mut() {
                is_dead |= guide.estimate(store, new, state, statistics).is_dead_end();
            }
            if let (Some(useless), false) = (&mut self.useless, is_dead) {
                let guide = &mut self.guides[0];
                let estimate = guide.known(guide.key(store, new)).unwrap_or(Estimate::ZERO);
                is_useless = self.source_estimate.is_none_or(|own| estimate >= own)
                    && useless.is_useless(edges, estimate, guide.heuristic.as_mut(), statistics);
            }
        }
        if is_dead {
            statistics.dead_ends += 1;
        } else {
            self.fresh.push(Fresh { id: new, is_useless, is_preferred });
        }
    }
}
