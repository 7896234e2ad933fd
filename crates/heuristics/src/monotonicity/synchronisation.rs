//! Who moves together with whom.

use crate::Deadline;
use guidepost_network::{ChannelId, EdgeId, Meetings, Network, ProcessId, Sync, VarId};

/// Microseconds to find out what an update reads and writes, in a model with large arrays.
const FOOTPRINT: u32 = 50;
/// Cells that are looked at in a microsecond.
const CELLS_PER_WORK: u32 = 500;

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
pub(super) fn meeting(network: &Network, edge: usize) -> (Meeting, &[ChannelId], bool) {
    let sync = &network.edges[edge].sync;
    let channels = sync.channels();
    match sync {
        Sync::Internal => (Meeting::Alone, channels, true),
        Sync::Join(vector) => (Meeting::Vector(*vector), channels, true),
        Sync::Receive(_) => (Meeting::Partner, channels, false),
        Sync::Send(_) => {
            let is_broadcast = channels.iter().any(|channel| network.channels[channel.index()].broadcast);
            (if is_broadcast { Meeting::Alone } else { Meeting::Partner }, channels, true)
        }
    }
}

/// By edge: variables that its update reads and that another edge of the same transition may have written before.
///
/// After the deadline, none.
pub(super) fn handed_over(network: &Network, deadline: &mut Deadline) -> Vec<Vec<VarId>> {
    let meetings = Meetings::new(network);
    let writes: Vec<Vec<VarId>> = network
        .edges
        .iter()
        .map(|edge| match edge.update {
            Some(code) if !deadline.is_due(FOOTPRINT) => network.program.writes(code),
            _ => Vec::new(),
        })
        .collect();
    let mut by_variable = vec![Writer::Nobody; network.variables.len()];
    let mut written = |edges: &[EdgeId]| {
        let mut touched = Vec::new();
        for id in edges {
            if deadline.is_due(1 + writes[id.index()].len() as u32 / CELLS_PER_WORK) {
                break;
            }
            let process = network.edges[id.index()].process;
            for &variable in &writes[id.index()] {
                let writer = &mut by_variable[variable.index()];
                if *writer == Writer::Nobody {
                    touched.push(variable);
                }
                *writer = writer.and(process);
            }
        }
        touched.sort_unstable();
        let take = |variable: VarId| {
            (variable, std::mem::replace(&mut by_variable[variable.index()], Writer::Nobody))
        };
        touched.into_iter().map(take).collect::<Writers>()
    };
    let channels = || (0..network.channels.len() as u32).map(ChannelId);
    let sent: Vec<_> = channels().map(|channel| written(meetings.senders(channel))).collect();
    let received: Vec<_> = channels().map(|channel| written(meetings.receivers(channel))).collect();
    let joined: Vec<_> = (0..network.vectors.len()).map(|vector| written(meetings.joiners(vector))).collect();
    let mut handed = |edge: usize| {
        if deadline.is_due(FOOTPRINT) {
            return Vec::new();
        }
        let Some(code) = network.edges[edge].update else { return Vec::new() };
        let (meeting, channels, sends) = meeting(network, edge);
        let mut before: Vec<&Writers> = Vec::new();
        match meeting {
            Meeting::Vector(vector) => before.push(&joined[vector as usize]),
            _ if sends => {}
            _ => {
                for channel in channels {
                    before.push(&sent[channel.index()]);
                    if network.channels[channel.index()].broadcast {
                        before.push(&received[channel.index()]);
                    }
                }
            }
        }
        let own = network.edges[edge].process;
        let is_written_by_another = |list: &&Writers, variable: VarId| {
            let at = list.binary_search_by_key(&variable, |(other, _)| *other);
            at.is_ok_and(|at| list[at].1 != Writer::One(own))
        };
        let mut reads = network.program.reads(code);
        reads.retain(|&variable| before.iter().any(|list| is_written_by_another(list, variable)));
        reads
    };
    (0..network.edges.len()).map(&mut handed).collect()
}

/// By ascending variable: who writes it.
type Writers = Vec<(VarId, Writer)>;

/// Which processes write a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Writer {
    Nobody,
    One(ProcessId),
    Several,
}

impl Writer {
    /// The same, and one more process.
    fn and(self, process: ProcessId) -> Self {
        match self {
            Writer::Nobody => Writer::One(process),
            Writer::One(known) if known == process => self,
            Writer::One(_) | Writer::Several => Writer::Several,
        }
    }
}
