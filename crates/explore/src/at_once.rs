//! Whether a state moves whatever its clocks say, as a by-product of its expansion.
//!
//! Most expansions contain transitions that no clock keeps back, or one for the end of every delay. Then none of the valuations with the same locations and data is deadlocked, reached or not, and nobody has to find and evaluate transitions a second time to know that.
//!
//! This is the claim of [`last_moments`](crate::last_moments), for all valuations that the invariants of a discrete state q allow and the box around them. What is asked of transitions is the same as there. They were found for one zone of q, and that makes no difference: who takes part, the update and the
//! invariants about data depend on q alone, except that receivers of a broadcast may look at clocks. So a broadcast that such a receiver may hear does not count. That there may be others, which the zone does not meet, only means that less is known.
//!
//! Where no invariant of q is about clocks, whether time passes is not asked: a transition that is possible at once is possible in either case.

use crate::last_moments::{Moment, Valuations};
use crate::moves::Moves;
use crate::time_domain::ClockDifference;
use guidepost_network::{ChannelRef, EdgeId, Network, Sync};
use guidepost_zones::Bound;

/// Watches expansions for transitions at the end of every delay.
pub(crate) struct AtOnce {
    /// By edge: whether clocks decide who takes part.
    is_heard_at_times: Vec<bool>,
    /// The ends of delays for which no transition was seen in the present expansion.
    open: Vec<Moment>,
    /// Those of them in which the present candidate is possible as far as it is known.
    served: Vec<Moment>,
    values: Valuations<'static>,
    /// All values of clocks.
    anything: Vec<Bound>,
}

impl AtOnce {
    pub(crate) fn new(network: &Network) -> Self {
        let timed = timed_broadcasts(network);
        let is_heard = |channel: &ChannelRef| channel.candidates().iter().any(|id| timed[id.index()]);
        let edges = network.edges.iter();
        let mut anything = vec![Bound::INFINITY; network.clocks.len()];
        anything[0] = Bound::LE_ZERO;
        Self {
            is_heard_at_times: edges
                .map(|edge| matches!(&edge.sync, Sync::Send(channel) if is_heard(channel)))
                .collect(),
            open: vec![Moment::Now],
            served: Vec::new(),
            values: Valuations::Box(anything.clone()),
            anything,
        }
    }

    /// An expansion begins, of a state whose delays have these ends, within a box; `None`: that is not known.
    #[inline]
    pub(crate) fn begin(&mut self, moments: Option<(Vec<Moment>, Vec<Bound>)>) {
        if let Some((moments, upper)) = moments {
            self.open = moments;
            self.values = Valuations::Box(upper);
        } else {
            self.open.clear();
            self.open.push(Moment::Now);
            if let Valuations::Box(upper) = &mut self.values {
                upper.clone_from(&self.anything);
            }
        }
    }

    /// A candidate is looked at.
    #[inline]
    pub(crate) fn consider(&mut self, edges: &[EdgeId]) {
        self.served.clear();
        if !edges.iter().any(|edge| self.is_heard_at_times[edge.index()]) {
            self.served.extend_from_slice(&self.open);
        }
    }

    /// Its guards contain a constraint.
    #[inline]
    pub(crate) fn restrict(&mut self, constraint: ClockDifference) {
        let values = &self.values;
        self.served.retain(|&moment| values.satisfy(constraint, moment));
    }

    /// It has arrived.
    #[inline]
    pub(crate) fn arrive(&mut self, moves: &Moves<'_>) {
        if self.served.is_empty() {
            return;
        }
        moves.keep_entered(&mut self.served, &self.values);
        let served = &self.served;
        self.open.retain(|moment| !served.contains(moment));
    }

    /// Whether a transition was seen for the end of every delay.
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.open.is_empty()
    }
}

/// By channel: whether somebody who receives a broadcast on it looks at clocks.
fn timed_broadcasts(network: &Network) -> Vec<bool> {
    let mut is_timed = vec![false; network.channels.len()];
    for edge in network.edges.iter().filter(|edge| !edge.clock_guard.is_empty()) {
        if let Sync::Receive(channel) = &edge.sync {
            for id in channel.candidates() {
                is_timed[id.index()] = network.channels[id.index()].broadcast;
            }
        }
    }
    is_timed
}
