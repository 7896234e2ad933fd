//! The edges of every location, sorted by how they synchronise.

use guidepost_network::{EdgeId, Location, LocationKind, Network, ProcessId, Sync};

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

/// What entering a location has to look at, as bits: most locations need nothing of it, and one byte each fits into a few cache lines.
pub(crate) const DATA_INVARIANT: u8 = 1;
/// See [`DATA_INVARIANT`].
pub(crate) const CLOCK_INVARIANT: u8 = 2;
/// Urgent or committed.
pub(crate) const STOPS_TIME: u8 = 4;
/// Has edges on urgent channels.
pub(crate) const URGENT_CHANNEL: u8 = 8;
/// Committed.
pub(crate) const COMMITTED: u8 = 16;

/// The index of a network.
#[derive(Clone, Debug)]
pub(crate) struct EdgeIndex {
    locations: Vec<LocationEdges>,
    facts: Vec<u8>,
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
                    if channel.candidates().iter().any(|channel| network.channels[channel.index()].urgent) {
                        entry.urgent.push(id);
                    }
                }
                Sync::Join(_) => entry.shared.push(id),
            }
        }
        let facts = network
            .locations
            .iter()
            .zip(&locations)
            .map(|(location, edges)| facts(location, edges))
            .collect();
        Self { locations, facts }
    }

    /// What entering a location has to look at.
    #[inline]
    pub(crate) fn facts(&self, location: i32) -> u8 {
        self.facts[location as usize]
    }

    /// What the locations of a state have to look at together.
    #[inline]
    pub(crate) fn facts_of(&self, locations: &[i32]) -> u8 {
        locations.iter().fold(0, |facts, &location| facts | self.facts(location))
    }

    #[inline]
    pub(crate) fn at(&self, location: i32) -> &LocationEdges {
        &self.locations[location as usize]
    }
}

fn facts(location: &Location, edges: &LocationEdges) -> u8 {
    let bit = |holds: bool, bit: u8| if holds { bit } else { 0 };
    bit(!location.data_invariant.is_empty(), DATA_INVARIANT)
        | bit(!location.clock_invariant.is_empty(), CLOCK_INVARIANT)
        | bit(location.kind != LocationKind::Normal, STOPS_TIME)
        | bit(!edges.urgent.is_empty(), URGENT_CHANNEL)
        | bit(location.kind == LocationKind::Committed, COMMITTED)
}

/// The process an edge belongs to.
#[inline]
pub(crate) fn process_of(network: &Network, edge: EdgeId) -> ProcessId {
    network.edges[edge.index()].process
}
