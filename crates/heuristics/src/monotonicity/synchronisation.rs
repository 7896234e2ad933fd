//! Who moves together with whom.

use crate::Deadline;
use guidepost_network::{ChannelRef, Network, ProcessId, Sync, VarId};

/// Microseconds to find out what an update reads and writes, in a model with large arrays.
const FOOTPRINT: u32 = 50;

/// A place where an edge can meet others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    pub(super) edge: u32,
    /// The channel.
    pub(super) channel: u32,
    pub(super) sends: bool,
}

/// How an edge gets to be taken once its own conditions hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meeting {
    /// At once: internal edges, and senders of a broadcast.
    Alone,
    /// With a partner of another process at one of its ports.
    Partner,
    /// With an edge of every strong participant of a vector.
    Vector(u32),
}

/// How the edge meets others, and the channels at which it has ports.
pub(super) fn meeting(network: &Network, edge: usize) -> (Meeting, Vec<u32>, bool) {
    let channels = |reference: &ChannelRef| match reference {
        ChannelRef::Static(channel) => vec![channel.0],
        ChannelRef::Dynamic(_, candidates) => candidates.iter().map(|channel| channel.0).collect(),
    };
    match &network.edges[edge].sync {
        Sync::Internal => (Meeting::Alone, Vec::new(), true),
        Sync::Join(vector) => (Meeting::Vector(*vector), Vec::new(), true),
        Sync::Receive(reference) => (Meeting::Partner, channels(reference), false),
        Sync::Send(reference) => {
            let channels = channels(reference);
            let is_broadcast = channels.iter().any(|&channel| network.channels[channel as usize].broadcast);
            (if is_broadcast { Meeting::Alone } else { Meeting::Partner }, channels, true)
        }
    }
}

/// By edge: variables that its update reads and that another edge of the same transition may have written before.
///
/// After the deadline, none.
pub(super) fn handed_over(network: &Network, deadline: &mut Deadline) -> Vec<Vec<VarId>> {
    let writes = |edge: usize| {
        let edge = &network.edges[edge];
        let written = edge.update.map_or_else(Vec::new, |code| network.program.writes(code));
        written.into_iter().map(|variable| (variable, edge.process))
    };
    let mut sent = vec![Vec::new(); network.channels.len()];
    let mut received = vec![Vec::new(); network.channels.len()];
    let mut joined = vec![Vec::new(); network.vectors.len()];
    for edge in 0..network.edges.len() {
        if deadline.is_due(FOOTPRINT) {
            break;
        }
        let (meeting, channels, sends) = meeting(network, edge);
        if let Meeting::Vector(vector) = meeting {
            joined[vector as usize].extend(writes(edge));
        }
        for channel in channels {
            let list = if sends { &mut sent } else { &mut received };
            list[channel as usize].extend(writes(edge));
        }
    }
    for list in sent.iter_mut().chain(&mut received).chain(&mut joined) {
        list.sort_unstable();
        list.dedup();
    }
    let mut handed = |edge: usize| {
        if deadline.is_due(FOOTPRINT) {
            return Vec::new();
        }
        let Some(code) = network.edges[edge].update else { return Vec::new() };
        let (meeting, channels, sends) = meeting(network, edge);
        let mut before: Vec<&Vec<(VarId, ProcessId)>> = Vec::new();
        match meeting {
            Meeting::Vector(vector) => before.push(&joined[vector as usize]),
            _ if sends => {}
            _ => {
                for &channel in &channels {
                    before.push(&sent[channel as usize]);
                    if network.channels[channel as usize].broadcast {
                        before.push(&received[channel as usize]);
                    }
                }
            }
        }
        let own = network.edges[edge].process;
        let is_written_by_another = |list: &&Vec<(VarId, ProcessId)>, variable: VarId| {
            let first = list.partition_point(|&(other, _)| other < variable);
            list[first..]
                .iter()
                .take_while(|(other, _)| *other == variable)
                .any(|&(_, process)| process != own)
        };
        let mut reads = network.program.reads(code);
        reads.retain(|&variable| before.iter().any(|list| is_written_by_another(list, variable)));
        reads
    };
    (0..network.edges.len()).map(&mut handed).collect()
}
