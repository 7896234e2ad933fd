//! Whether a state moves whatever its clocks say, as a by-product of its expansion.
//!
//! Most expansions contain a transition that no clock keeps back. Then none of the valuations with the same locations and data is deadlocked, reached or not, and nobody has to find and evaluate transitions a second time to know that.
//!
//! **Claim.** Let q be a discrete state of a network without priorities and stop-watches, and let a transition be found for some zone of q. Its edges have no clock guards; if it is a broadcast, no receiver of the network that could hear it has one either. Its update was evaluated without a failure and sets no clock to less than
//! another one. Every invariant of its target is of a location whose invariants do not depend on data, and either the clocks have been set so that it holds, or q has a process in the same location and its clocks are unchanged. Then the transition is possible, at once, in every valuation that satisfies
//! the invariants of q.
//!
//! *Proof.* Who takes part, the update and the invariants about data depend on q alone: clocks decide only by guards, of the edges and of receivers that must stay out, and there are none. An invariant of the target with clocks that are unchanged is one of q, and holds. ∎

use crate::moves::Moves;
use guidepost_network::{ChannelId, ChannelRef, Edge, EdgeId, Network, Sync};
use guidepost_zones::Bound;

/// Watches expansions for transitions that no clock keeps back.
#[derive(Clone, Debug)]
pub(crate) struct AtOnce {
    /// By edge: whether no clock is looked at when it is taken.
    is_untimed: Vec<bool>,
    /// One was seen in the present expansion.
    is_seen: bool,
}

impl AtOnce {
    pub(crate) fn new(network: &Network) -> Self {
        let are_ruled_out = network.features.priorities || network.features.stopwatches;
        let timed = timed_broadcasts(network);
        let is_untimed = |edge: &Edge| !are_ruled_out && is_untimed(edge, &timed);
        Self { is_untimed: network.edges.iter().map(is_untimed).collect(), is_seen: false }
    }

    /// An expansion begins.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.is_seen = false;
    }

    /// A transition without receivers that stay out has arrived.
    #[inline]
    pub(crate) fn note(&mut self, edges: &[EdgeId], moves: &Moves<'_>) {
        self.is_seen = self.is_seen
            || (edges.iter().all(|edge| self.is_untimed[edge.index()]) && moves.enters_whatever_clocks_say());
    }

    /// Whether one was seen.
    #[inline]
    pub(crate) fn is_seen(&self) -> bool {
        self.is_seen
    }
}

/// By channel: whether somebody who receives a broadcast on it looks at clocks.
fn timed_broadcasts(network: &Network) -> Vec<bool> {
    let mut is_timed = vec![false; network.channels.len()];
    for edge in network.edges.iter().filter(|edge| !edge.clock_guard.is_empty()) {
        if let Sync::Receive(channel) = &edge.sync {
            for id in possible(channel) {
                is_timed[id.index()] = network.channels[id.index()].broadcast;
            }
        }
    }
    is_timed
}

/// Whether no clock decides that an edge can be taken, nor who takes part then.
fn is_untimed(edge: &Edge, timed_broadcasts: &[bool]) -> bool {
    let is_heard = |channel| possible(channel).iter().any(|id| timed_broadcasts[id.index()]);
    edge.clock_guard.is_empty() && !matches!(&edge.sync, Sync::Send(channel) if is_heard(channel))
}

/// The channels that may be meant.
fn possible(channel: &ChannelRef) -> &[ChannelId] {
    match channel {
        ChannelRef::Static(id) => std::slice::from_ref(id),
        ChannelRef::Dynamic(_, ids) => ids,
    }
}

impl Moves<'_> {
    /// Whether the invariants of the target hold after the update in every valuation that satisfies those of the source.
    fn enters_whatever_clocks_say(&self) -> bool {
        self.lowered().is_empty() && (self.invariants().is_empty() || self.keeps_invariants())
    }

    /// As [`Moves::enters_whatever_clocks_say`], process by process.
    fn keeps_invariants(&self) -> bool {
        self.cells().iter().zip(self.source_locations()).all(|(&location, &before)| {
            self.fixed_invariant(location).is_some_and(|invariant| {
                invariant.iter().all(|&bound| match self.before(bound) {
                    Some(earlier) if earlier.left == earlier.right => earlier.bound >= Bound::LE_ZERO,
                    Some(earlier) => location == before && earlier == bound,
                    None => false,
                })
            })
        })
    }
}
