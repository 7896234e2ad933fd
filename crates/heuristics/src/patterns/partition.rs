//! Cost partitioning: which database counts a transition.
//!
//! Distances in several abstractions may be added up if no transition is counted twice. Every transition of the network has one *label*: the edge that leads it
//! (the internal edge, the sender) or its synchronisation vector. The costs that the databases give to a label must not exceed 1 in all; then the
//! sum of the distances is a lower bound again, since along a real path each step costs at most 1 over all abstractions. A transition of an abstraction
//! whose leader is hidden may have any of several labels, and costs as little as the cheapest of them.
//!
//! - **First come** (`add`): a label belongs to the first pattern that keeps its process, and costs nothing elsewhere. For patterns that share nothing.
//! - **Saturated** (`scp`; Seipp, Keller, Helmert 2020): the first database gets the full costs, keeps of each label only what its distances need (by how
//!   much a transition with that label can bring the goal nearer), and leaves the rest to the next.

use super::Explored;
use super::database::distances;
use guidepost_abstraction::Symbol;
use guidepost_network::{ChannelId, EdgeId, Meetings, Network, ProcessId, Sync};

/// How costs are shared among databases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Charging {
    /// A label belongs to the first pattern that keeps its process.
    First,
    /// A database leaves to the next what it does not need.
    Saturated,
}

/// Computes the distances again, such that they can be added up.
pub(super) fn charge(network: &Network, explored: &mut [Explored], charging: Charging) {
    let count = network.edges.len() + network.vectors.len();
    let mut left = vec![1_u32; count];
    for one in explored {
        let labels = labels(network, one);
        let costs = match charging {
            Charging::First => owned(network, one, &mut left),
            Charging::Saturated => left.clone(),
        };
        let cost = |leader: Option<EdgeId>| {
            let own = leader.map_or(&[][..], |edge| &labels[edge.index()]);
            own.iter().map(|&label| costs[label as usize]).min().unwrap_or(0)
        };
        one.distances = distances(&one.space, |transition| cost(transition.leader));
        if charging == Charging::Saturated {
            for (left, used) in left.iter_mut().zip(saturated(one, &labels, count)) {
                debug_assert!(used <= *left, "nobody needs more than was left to him");
                *left -= used;
            }
        }
    }
}

/// The labels of processes that the pattern keeps and no earlier one has kept; takes them off those that are left.
fn owned(network: &Network, explored: &Explored, left: &mut [u32]) -> Vec<u32> {
    let is_kept = |process| !explored.hidden.contains(Symbol::Process(process));
    let of_edges = network.edges.iter().map(|edge| is_kept(edge.process));
    let of_vectors =
        network.vectors.iter().map(|vector| vector.participants.iter().any(|(id, _)| is_kept(*id)));
    let kept: Vec<bool> = of_edges.chain(of_vectors).collect();
    let take = |(left, kept): (&mut u32, bool)| if kept { std::mem::take(left) } else { 0 };
    left.iter_mut().zip(kept).map(take).collect()
}

/// By label: by how much a transition with it brings the goal nearer at most.
fn saturated(explored: &Explored, labels: &[Vec<u32>], count: usize) -> Vec<u32> {
    let mut used = vec![0; count];
    for transition in &explored.space.transitions {
        let Some(leader) = transition.leader else { continue };
        let distance = |state: u32| explored.distances[state as usize];
        if distance(transition.to) == u32::MAX {
            continue;
        }
        let progress = distance(transition.from).saturating_sub(distance(transition.to));
        for &label in &labels[leader.index()] {
            used[label as usize] = progress.max(used[label as usize]);
        }
    }
    used
}

/// By edge of the abstraction: the labels that a transition it leads may have in the original.
fn labels(network: &Network, explored: &Explored) -> Vec<Vec<u32>> {
    let edges = explored.abstraction.network.edges.iter().zip(&explored.abstraction.origins);
    let meetings = Meetings::new(network);
    let senders = |on: &[ChannelId], is_meant: &dyn Fn(ProcessId) -> bool| {
        let edges = on.iter().flat_map(|channel| meetings.senders(*channel));
        let meant = edges.filter(|id| is_meant(network.edges[id.index()].process));
        let mut labels: Vec<u32> = meant.map(|id| id.0).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    };
    let of = |(edge, origin): (&guidepost_network::Edge, &Option<EdgeId>)| match origin {
        // A hidden process that can send at any time.
        None => senders(edge.sync.channels(), &|process| process == edge.process),
        Some(origin) => match &network.edges[origin.index()].sync {
            Sync::Internal | Sync::Send(_) => vec![origin.0],
            Sync::Receive(channel) => senders(channel.candidates(), &|process| process != edge.process),
            Sync::Join(vector) => vec![network.edges.len() as u32 + vector],
        },
    };
    edges.map(of).collect()
}
