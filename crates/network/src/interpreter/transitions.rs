//! Which transitions are possible in a state.

use super::window::Window;
use super::{Failure, Fired, Interpreter, Rational, State};
use crate::network::{ChannelId, ChannelRef, EdgeId, LocationKind, Network, ProcessId, Sync};

/// What joins the edges of a transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TransitionKind {
    /// One process moves alone.
    Internal,
    /// Synchronisation on a channel; the sender comes first.
    Channel(ChannelId),
    /// A synchronisation vector, by its index.
    Vector(u32),
}

/// A transition: the edges in the order of their updates.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// What joins the edges.
    pub kind: TransitionKind,
    /// The edges, one per participating process.
    pub edges: Vec<EdgeId>,
}

/// A synchronisation with the channel computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolved {
    Internal,
    Send(ChannelId),
    Receive(ChannelId),
    Join(u32),
}

/// An edge whose data guard holds, and when its clock guard does.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) edge: EdgeId,
    pub(crate) process: ProcessId,
    pub(crate) sync: Resolved,
    pub(crate) window: Window,
}

impl Interpreter<'_> {
    /// All edges that leave the current locations and whose data guards hold.
    pub(crate) fn offers(&mut self, state: &State) -> Result<Vec<Offer>, Failure> {
        let rates = self.rates(state)?;
        self.load(state);
        let mut offers = Vec::new();
        for (process, location) in state.locations.iter().enumerate() {
            for id in self.network.locations[location.index()].outgoing.clone() {
                let edge = &self.network.edges[id as usize];
                if !self.machine.holds(&edge.data_guard)? {
                    continue;
                }
                let sync = self.resolved(EdgeId(id))?;
                let window = self.window(state, &rates, &edge.clock_guard)?;
                offers.push(Offer { edge: EdgeId(id), process: ProcessId(process as u32), sync, window });
            }
        }
        Ok(offers)
    }

    /// How an edge synchronises in the loaded state.
    pub(crate) fn resolved(&mut self, edge: EdgeId) -> Result<Resolved, Failure> {
        Ok(match &self.network.edges[edge.index()].sync {
            Sync::Internal => Resolved::Internal,
            Sync::Send(channel) => Resolved::Send(self.channel(channel)?),
            Sync::Receive(channel) => Resolved::Receive(self.channel(channel)?),
            Sync::Join(vector) => Resolved::Join(*vector),
        })
    }

    fn channel(&mut self, channel: &ChannelRef) -> Result<ChannelId, Failure> {
        match channel {
            ChannelRef::Static(id) => Ok(*id),
            ChannelRef::Dynamic(code, _) => Ok(ChannelId(self.machine.eval(*code)? as u32)),
        }
    }

    /// The transition that these edges make in a state, possible or not: what joins them is computed.
    pub fn attempt(&mut self, state: &State, edges: &[EdgeId]) -> Result<Transition, Failure> {
        self.load(state);
        let kind = match edges.first().map(|id| &self.network.edges[id.index()].sync) {
            None | Some(Sync::Internal) => TransitionKind::Internal,
            Some(Sync::Send(channel) | Sync::Receive(channel)) => {
                TransitionKind::Channel(self.channel(channel)?)
            }
            Some(Sync::Join(vector)) => TransitionKind::Vector(*vector),
        };
        Ok(Transition { kind, edges: edges.to_vec() })
    }

    /// All transitions that can be taken now, without delay, in a fixed order: guards hold, the committed rule and the priorities
    /// allow it, and the invariants hold afterwards. A failure on the way (an update that leaves a range) is a failure of the
    /// state.
    pub fn enabled(&mut self, state: &State) -> Result<Vec<Transition>, Failure> {
        let mut candidates = self.candidates(state)?;
        let mut levels: Vec<(u32, u32)> =
            candidates.iter().map(|candidate| priority(self.network, candidate)).collect();
        levels.sort_unstable();
        levels.dedup();
        // Highest first: what is outranked is not even tried, so it cannot fail.
        for level in levels.into_iter().rev() {
            let (here, below) = candidates
                .into_iter()
                .partition::<Vec<_>, _>(|candidate| priority(self.network, candidate) == level);
            candidates = below;
            let mut possible = Vec::new();
            for transition in here {
                if let Fired::Reached(_) = self.fire(state, &transition)? {
                    possible.push(transition);
                }
            }
            if !possible.is_empty() {
                return Ok(possible);
            }
        }
        Ok(Vec::new())
    }

    /// The transitions that guards, synchronisation and the committed rule allow; priorities and invariants are not asked.
    pub fn candidates(&mut self, state: &State) -> Result<Vec<Transition>, Failure> {
        let mut offers = self.offers(state)?;
        offers.retain(|offer| offer.window.contains(Rational::ZERO));
        Ok(self.candidates_among(state, &offers))
    }

    /// The transitions that these edges make with each other, where the committed rule allows them.
    pub(crate) fn candidates_among(&self, state: &State, offers: &[Offer]) -> Vec<Transition> {
        let mut transitions = synchronise(self.network, state, offers);
        let committed = |location: &crate::LocationId| {
            self.network.locations[location.index()].kind == LocationKind::Committed
        };
        if state.locations.iter().any(committed) {
            transitions.retain(|transition| {
                transition.edges.iter().any(|edge| committed(&self.network.edges[edge.index()].source))
            });
        }
        transitions
    }
}

/// Channel priority first, then the highest priority of a participating process.
pub(crate) fn priority(network: &Network, transition: &Transition) -> (u32, u32) {
    let channel = match transition.kind {
        TransitionKind::Channel(id) => network.channels[id.index()].priority,
        TransitionKind::Internal | TransitionKind::Vector(_) => network.internal_priority,
    };
    let process = |edge: &EdgeId| network.processes[network.edges[edge.index()].process.index()].priority;
    (channel, transition.edges.iter().map(process).max().unwrap_or(0))
}

/// Joins enabled edges to transitions.
fn synchronise(network: &Network, state: &State, offers: &[Offer]) -> Vec<Transition> {
    let mut transitions = Vec::new();
    for offer in offers {
        match offer.sync {
            Resolved::Internal => {
                transitions.push(Transition { kind: TransitionKind::Internal, edges: vec![offer.edge] });
            }
            Resolved::Send(channel) => {
                let receivers: Vec<&Offer> = offers
                    .iter()
                    .filter(|other| {
                        other.sync == Resolved::Receive(channel) && other.process != offer.process
                    })
                    .collect();
                let kind = TransitionKind::Channel(channel);
                if network.channels[channel.index()].broadcast {
                    let sets = broadcast(network, offer, &receivers);
                    transitions.extend(sets.into_iter().map(|edges| Transition { kind, edges }));
                } else {
                    let pairs = receivers.iter().map(|receiver| vec![offer.edge, receiver.edge]);
                    transitions.extend(pairs.map(|edges| Transition { kind, edges }));
                }
            }
            Resolved::Receive(_) | Resolved::Join(_) => {}
        }
    }
    for (index, vector) in network.vectors.iter().enumerate() {
        let kind = TransitionKind::Vector(index as u32);
        let joined = |process| edges_of(offers, process, Resolved::Join(index as u32));
        let mut sets = vec![Vec::new()];
        for &(process, weak) in &vector.participants {
            if weak && !has_edge_in(network, state, process, index) {
                continue;
            }
            sets = multiply(&sets, &joined(process));
        }
        sets.retain(|edges| !edges.is_empty());
        transitions.extend(sets.into_iter().map(|edges| Transition { kind, edges }));
    }
    transitions
}

/// Whether a process has an edge on a vector where it is, whatever its guard says.
fn has_edge_in(network: &Network, state: &State, process: ProcessId, vector: usize) -> bool {
    let location = &network.locations[state.locations[process.index()].index()];
    let edges = &network.edges[location.outgoing.start as usize..location.outgoing.end as usize];
    edges.iter().any(|edge| matches!(edge.sync, Sync::Join(joined) if joined as usize == vector))
}

/// The sender with every combination of receivers: each process that can receive takes part with exactly one edge.
fn broadcast(network: &Network, sender: &Offer, receivers: &[&Offer]) -> Vec<Vec<EdgeId>> {
    let mut sets = vec![vec![sender.edge]];
    for process in (0..network.processes.len() as u32).map(ProcessId) {
        let edges: Vec<EdgeId> = receivers
            .iter()
            .filter(|receiver| receiver.process == process)
            .map(|receiver| receiver.edge)
            .collect();
        if !edges.is_empty() {
            sets = multiply(&sets, &edges);
        }
    }
    sets
}

fn edges_of(offers: &[Offer], process: ProcessId, sync: Resolved) -> Vec<EdgeId> {
    offers
        .iter()
        .filter(|offer| offer.process == process && offer.sync == sync)
        .map(|offer| offer.edge)
        .collect()
}

fn multiply(sets: &[Vec<EdgeId>], edges: &[EdgeId]) -> Vec<Vec<EdgeId>> {
    let with = |set: &Vec<EdgeId>, edge: EdgeId| {
        let mut set = set.clone();
        set.push(edge);
        set
    };
    sets.iter().flat_map(|set| edges.iter().map(move |&edge| with(set, edge))).collect()
}
