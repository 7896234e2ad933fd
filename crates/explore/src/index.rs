//! The edges of every location, sorted by how they synchronise.

use guidepost_network::{ChannelId, ChannelRef, EdgeId, Network, ProcessId, Sync};

/// What successors need to know about one location, side by side.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocationEdges {
    /// Edges without a partner.
    pub(crate) internal: Vec<EdgeId>,
    /// Edges that send or receive, or join a vector.
    pub(crate) shared: Vec<EdgeId>,
    /// Edges on urgent channels: while one can synchronise, no time passes.
    pub(crate) urgent: Vec<EdgeId>,
}

/// The index of a network.
#[derive(Clone, Debug)]
pub(crate) struct EdgeIndex {
    locations: Vec<LocationEdges>,
}

impl EdgeIndex {
    pub(crate) fn new(network: &Network) -> Self {
        let mut locations = vec![LocationEdges::default(); network.locations.len()];
        for (index, edge) in network.edges.iter().enumerate() {
            let id = EdgeId(index as u32);
            let entry = &mut locations[edge.source.index()];
            match &edge.sync {
                Sync::Internal => entry.internal.push(id),
                Sync::Send(channel) | Sync::Receive(channel) => {
                    entry.shared.push(id);
                    if candidates(channel).iter().any(|channel| network.channels[channel.index()].urgent) {
                        entry.urgent.push(id);
                    }
                }
                Sync::Join(_) => entry.shared.push(id),
            }
        }
        Self { locations }
    }

    #[inline]
    pub(crate) fn at(&self, location: i32) -> &LocationEdges {
        &self.locations[location as usize]
    }
}

/// The channels a reference may stand for.
pub(crate) fn candidates(channel: &ChannelRef) -> &[ChannelId] {
    match channel {
        ChannelRef::Static(id) => std::slice::from_ref(id),
        ChannelRef::Dynamic(_, candidates) => candidates,
    }
}

/// The process an edge belongs to.
#[inline]
pub(crate) fn process_of(network: &Network, edge: EdgeId) -> ProcessId {
    network.edges[edge.index()].process
}
