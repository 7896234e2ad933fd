//! Who can meet whom: the edges of a network by how they synchronise.
//!
//! Whether edges *do* meet is a matter of the state (locations, guards, channels that are computed) and of the semantics, which engines have for themselves. What the
//! network alone says about it is here, once, for all that prepare or analyse.

use crate::network::{ChannelId, EdgeId, Network, ProcessId, Sync};
use std::collections::BTreeSet;

/// The edges of a network by how they synchronise. An edge whose channel is computed stands in the lists of all channels it may mean. Every list is ascending, and
/// so the edges of one process are neighbours.
#[derive(Clone, Debug)]
pub struct Meetings {
    internal: Vec<EdgeId>,
    /// By channel.
    senders: Vec<Vec<EdgeId>>,
    receivers: Vec<Vec<EdgeId>>,
    /// By vector.
    joiners: Vec<Vec<EdgeId>>,
}

impl Meetings {
    /// Looks through a network.
    pub fn new(network: &Network) -> Self {
        let mut meetings = Self {
            internal: Vec::new(),
            senders: vec![Vec::new(); network.channels.len()],
            receivers: vec![Vec::new(); network.channels.len()],
            joiners: vec![Vec::new(); network.vectors.len()],
        };
        for (id, edge) in (0..).map(EdgeId).zip(&network.edges) {
            let lists = match &edge.sync {
                Sync::Internal => {
                    meetings.internal.push(id);
                    continue;
                }
                Sync::Join(vector) => {
                    meetings.joiners[*vector as usize].push(id);
                    continue;
                }
                Sync::Send(_) => &mut meetings.senders,
                Sync::Receive(_) => &mut meetings.receivers,
            };
            for channel in edge.sync.channels() {
                lists[channel.index()].push(id);
            }
        }
        debug_assert!(meetings.is_sorted(network), "every list is ascending, by process and edge");
        meetings
    }

    fn is_sorted(&self, network: &Network) -> bool {
        let lists = self.senders.iter().chain(&self.receivers).chain(&self.joiners);
        let key = |id: &EdgeId| (network.edges[id.index()].process, *id);
        lists.chain([&self.internal]).all(|list| list.is_sorted_by(|left, right| key(left) < key(right)))
    }

    /// Edges that meet nobody.
    pub fn internal(&self) -> &[EdgeId] {
        &self.internal
    }

    /// Edges that may send on a channel.
    pub fn senders(&self, channel: ChannelId) -> &[EdgeId] {
        &self.senders[channel.index()]
    }

    /// Edges that may receive on a channel.
    pub fn receivers(&self, channel: ChannelId) -> &[EdgeId] {
        &self.receivers[channel.index()]
    }

    /// Edges that join a synchronisation vector.
    pub fn joiners(&self, vector: usize) -> &[EdgeId] {
        &self.joiners[vector]
    }

    /// The processes of some edges of one list.
    pub fn processes<'m>(network: &'m Network, edges: &'m [EdgeId]) -> impl Iterator<Item = ProcessId> + 'm {
        let same = |one: &EdgeId, other: &EdgeId| {
            network.edges[one.index()].process == network.edges[other.index()].process
        };
        edges.chunk_by(same).map(|own| network.edges[own[0].index()].process)
    }

    /// The pairs of processes, the lower first, of which one may send what the other receives, or which join one vector.
    pub fn pairs(&self, network: &Network) -> BTreeSet<(ProcessId, ProcessId)> {
        let mut pairs = BTreeSet::new();
        let mut add = |one: &[EdgeId], others: &[EdgeId]| {
            let others: Vec<ProcessId> = Self::processes(network, others).collect();
            for process in Self::processes(network, one) {
                let different = others.iter().filter(|other| **other != process);
                pairs.extend(different.map(|&other| (process.min(other), process.max(other))));
            }
        };
        for (senders, receivers) in self.senders.iter().zip(&self.receivers) {
            add(senders, receivers);
        }
        for joiners in &self.joiners {
            add(joiners, joiners);
        }
        pairs
    }
}
