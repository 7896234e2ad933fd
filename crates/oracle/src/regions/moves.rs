//! Which transitions are possible in a region, and where they lead.

use super::discrete::{Act, Bounded, Discrete, Offer};
use super::region::Region;
use guidepost_network::{ChannelId, EdgeId, LocationKind, Network, Sync};

/// Edges that move together, in the order of their updates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) edges: Vec<EdgeId>,
    /// Channel priority, then process priority.
    pub(crate) priority: (u32, u32),
}

/// Whether the region lies within all bounds.
pub(crate) fn within(region: &Region, bounds: &[Bounded]) -> bool {
    bounds.iter().all(|b| region.satisfies(b.left, b.right, b.strict, b.bound))
}

/// Whether a synchronisation on an urgent channel is enabled.
pub(crate) fn is_urgent(network: &Network, offers: &[Offer], region: &Region) -> bool {
    let ready: Vec<&Offer> = offers.iter().filter(|offer| within(region, &offer.guard)).collect();
    ready.iter().any(|sender| {
        let Act::Send(id) = sender.act else { return false };
        let channel = &network.channels[id.index()];
        let heard =
            || ready.iter().any(|other| other.act == Act::Receive(id) && other.process != sender.process);
        channel.urgent && (channel.broadcast || heard())
    })
}

/// All moves that guards, synchronisation and the committed rule allow.
pub(crate) fn moves(network: &Network, discrete: &Discrete, offers: &[Offer], region: &Region) -> Vec<Move> {
    let ready: Vec<&Offer> = offers.iter().filter(|offer| within(region, &offer.guard)).collect();
    let mut moves = Vec::new();
    for offer in &ready {
        match offer.act {
            Act::Alone => moves.push((network.internal_priority, vec![offer.edge])),
            Act::Send(id) => {
                let priority = network.channels[id.index()].priority;
                let sets = if network.channels[id.index()].broadcast {
                    broadcast(network, offer, id, &ready)
                } else {
                    handshakes(offer, id, &ready)
                };
                moves.extend(sets.into_iter().map(|edges| (priority, edges)));
            }
            Act::Receive(_) | Act::Join(_) => {}
        }
    }
    for vector in 0..network.vectors.len() as u32 {
        let sets = joined(network, discrete, vector, &ready);
        moves.extend(sets.into_iter().map(|edges| (network.internal_priority, edges)));
    }
    let leaves_committed = |edge: &EdgeId| {
        let source = network.edges[edge.index()].source;
        network.locations[source.index()].kind == LocationKind::Committed
    };
    moves.retain(|(_, edges)| !discrete.committed || edges.iter().any(leaves_committed));
    let process_priority =
        |edge: &EdgeId| network.processes[network.edges[edge.index()].process.index()].priority;
    let complete = |(channel, edges): (u32, Vec<EdgeId>)| {
        let process = edges.iter().map(process_priority).max().unwrap_or_default();
        Move { edges, priority: (channel, process) }
    };
    moves.into_iter().map(complete).collect()
}

/// One sender, one receiver.
fn handshakes(sender: &Offer, channel: ChannelId, ready: &[&Offer]) -> Vec<Vec<EdgeId>> {
    let hears = |other: &&&Offer| other.act == Act::Receive(channel) && other.process != sender.process;
    ready.iter().filter(hears).map(|receiver| vec![sender.edge, receiver.edge]).collect()
}

/// One sender, and one edge of every other process that can receive.
fn broadcast(network: &Network, sender: &Offer, channel: ChannelId, ready: &[&Offer]) -> Vec<Vec<EdgeId>> {
    let mut sets = vec![vec![sender.edge]];
    for process in (0..network.processes.len()).filter(|&process| process != sender.process) {
        let edges = edges_of(process, Act::Receive(channel), ready);
        if !edges.is_empty() {
            sets = product(&sets, &edges);
        }
    }
    sets
}

/// One edge of every participant of a vector; a weak one stays out where it has no edge on the vector at all.
fn joined(network: &Network, discrete: &Discrete, vector: u32, ready: &[&Offer]) -> Vec<Vec<EdgeId>> {
    let mut sets = vec![Vec::new()];
    for &(process, weak) in &network.vectors[vector as usize].participants {
        let location = &network.locations[discrete.cells[process.index()] as usize];
        let is_on_vector =
            |edge: u32| matches!(network.edges[edge as usize].sync, Sync::Join(v) if v == vector);
        if weak && !location.outgoing.clone().any(is_on_vector) {
            continue;
        }
        sets = product(&sets, &edges_of(process.index(), Act::Join(vector), ready));
    }
    sets.retain(|set| !set.is_empty());
    sets
}

fn edges_of(process: usize, act: Act, ready: &[&Offer]) -> Vec<EdgeId> {
    ready
        .iter()
        .filter(|offer| offer.process == process && offer.act == act)
        .map(|offer| offer.edge)
        .collect()
}

fn product(sets: &[Vec<EdgeId>], edges: &[EdgeId]) -> Vec<Vec<EdgeId>> {
    let mut result = Vec::new();
    for set in sets {
        for &edge in edges {
            let mut longer = set.clone();
            longer.push(edge);
            result.push(longer);
        }
    }
    result
}
