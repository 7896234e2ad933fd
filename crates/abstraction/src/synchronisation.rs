//! Who can still move with whom when some processes are hidden.
//!
//! A transition of the original must be *one* transition of the abstraction, or distances would grow. So a channel is never cut: kept processes synchronise as
//! before, and
//!
//! - an edge that may have had a hidden partner gets a twin that moves alone;
//! - a hidden sender of a broadcast leaves behind a process that can send at any time, so that all receivers still move at once;
//! - a receiver of a broadcast must take part when its guard holds; where the guard was weakened, it gets a twin that stays where it is;
//! - a hidden participant of a synchronisation vector is struck off its list;
//! - an edge whose channel depends on something hidden becomes one edge per channel it may mean.

use crate::hide::Weakening;
use crate::symbols::{Symbol, SymbolSet};
use guidepost_network::{
    ChannelId, ChannelRef, Code, Edge, EdgeId, LocationId, LocationKind, Meetings, Network, Sync,
};

/// By channel, who uses it.
pub(crate) struct Partners {
    hidden_senders: Vec<bool>,
    hidden_receivers: Vec<bool>,
    kept_senders: Vec<bool>,
    kept_receivers: Vec<bool>,
    /// The channel itself is hidden: everyone on it may move alone.
    hidden: Vec<bool>,
}

impl Partners {
    pub(crate) fn new(network: &Network, hidden: &SymbolSet) -> Self {
        let meetings = Meetings::new(network);
        let channels = || (0..network.channels.len() as u32).map(ChannelId);
        let some = |edges: &[EdgeId], wanted: bool| {
            Meetings::processes(network, edges).any(|id| hidden.contains(Symbol::Process(id)) == wanted)
        };
        let senders = |is_hidden| channels().map(|id| some(meetings.senders(id), is_hidden)).collect();
        let receivers = |is_hidden| channels().map(|id| some(meetings.receivers(id), is_hidden)).collect();
        Self {
            hidden_senders: senders(true),
            hidden_receivers: receivers(true),
            kept_senders: senders(false),
            kept_receivers: receivers(false),
            hidden: channels().map(|id| hidden.contains(Symbol::Channel(id))).collect(),
        }
    }

    /// Whether a hidden process may leave a committed location together with a kept one.
    pub(crate) fn softens_committed(&self, network: &Network, hidden: &SymbolSet) -> bool {
        network.edges.iter().any(|edge| {
            let committed = network.locations[edge.source.index()].kind == LocationKind::Committed;
            if !committed || !hidden.contains(Symbol::Process(edge.process)) {
                return false;
            }
            let meets = |kept: &[bool]| edge.sync.channels().iter().any(|id| kept[id.index()]);
            match edge.sync {
                Sync::Internal => false,
                Sync::Send(_) => meets(&self.kept_receivers),
                Sync::Receive(_) => meets(&self.kept_senders),
                Sync::Join(vector) => {
                    let others = &network.vectors[vector as usize].participants;
                    others.iter().any(|(process, _)| !hidden.contains(Symbol::Process(*process)))
                }
            }
        })
    }

    /// What a hidden process leaves behind in its one location: it can send the broadcasts it may have sent.
    pub(crate) fn anonymous_senders<'p>(
        &'p self,
        network: &'p Network,
        location: LocationId,
    ) -> impl Iterator<Item = Edge> + 'p {
        let process = network.locations[location.index()].process;
        let own = &network.processes[process.index()].edges;
        let edges = &network.edges[own.start as usize..own.end as usize];
        let sends = |edge: &&Edge| matches!(edge.sync, Sync::Send(_));
        let mut channels: Vec<ChannelId> =
            edges.iter().filter(sends).flat_map(|edge| edge.sync.channels().iter().copied()).collect();
        channels.sort_unstable();
        channels.dedup();
        let heard =
            |id: &ChannelId| network.channels[id.index()].broadcast && self.kept_receivers[id.index()];
        channels.into_iter().filter(heard).map(move |channel| Edge {
            process,
            source: location,
            target: location,
            data_guard: Vec::new(),
            clock_guard: Vec::new(),
            sync: Sync::Send(ChannelRef::Static(channel)),
            update: None,
            clock_effects: Vec::new(),
            select: Vec::new(),
            // It stands for all of the process's edges; any of them is a place to point to.
            origin: edges[0].origin,
        })
    }

    /// The edges that an edge of a kept process becomes. Notes the channels on which a data guard was weakened.
    pub(crate) fn variants(
        &self,
        network: &Network,
        edge: Edge,
        mut weakening: Weakening,
        is_touched: impl Fn(Code) -> bool,
        weak_channels: &mut [bool],
    ) -> Vec<Variant> {
        let (channel, receives) = match &edge.sync {
            Sync::Internal | Sync::Join(_) => return vec![Variant { edge, stays_out: false }],
            Sync::Send(channel) => (channel, false),
            Sync::Receive(channel) => (channel, true),
        };
        let choices = match channel {
            ChannelRef::Dynamic(code, candidates) if is_touched(*code) => {
                weakening.data = true;
                candidates.iter().map(|id| ChannelRef::Static(*id)).collect()
            }
            other => vec![other.clone()],
        };
        let mut all = Vec::new();
        for channel in choices {
            let sync = if receives { Sync::Receive(channel) } else { Sync::Send(channel) };
            let candidates = sync.channels().to_vec();
            for id in &candidates {
                weak_channels[id.index()] |= weakening.data;
            }
            self.add_variants(network, Edge { sync, ..edge.clone() }, &candidates, weakening, &mut all);
        }
        all
    }

    fn add_variants(
        &self,
        network: &Network,
        edge: Edge,
        channels: &[ChannelId],
        weakening: Weakening,
        all: &mut Vec<Variant>,
    ) {
        let receives = matches!(edge.sync, Sync::Receive(_));
        let is_broadcast = |id: &&ChannelId| network.channels[id.index()].broadcast;
        let moves_alone = |id: &ChannelId| {
            let (broadcast, hidden) = (network.channels[id.index()].broadcast, self.hidden[id.index()]);
            match (broadcast, receives) {
                (true, true) => hidden,
                (true, false) => false,
                (false, true) => hidden || self.hidden_senders[id.index()],
                (false, false) => hidden || self.hidden_receivers[id.index()],
            }
        };
        let has_partner = |id: &ChannelId| match (network.channels[id.index()].broadcast, receives) {
            (true, false) => true,
            (true, true) => self.kept_senders[id.index()] || self.hidden_senders[id.index()],
            (false, true) => self.kept_senders[id.index()],
            (false, false) => self.kept_receivers[id.index()],
        };
        let is_weaker = weakening.data || weakening.clocks;
        if channels.iter().any(moves_alone) {
            all.push(Variant { edge: Edge { sync: Sync::Internal, ..edge.clone() }, stays_out: false });
        }
        let may_stay_out = |id: &ChannelId| is_weaker || self.hidden[id.index()];
        if receives && channels.iter().filter(is_broadcast).any(may_stay_out) {
            let edge = Edge { target: edge.source, update: None, clock_effects: Vec::new(), ..edge.clone() };
            all.push(Variant { edge, stays_out: true });
        }
        if channels.iter().any(has_partner) {
            all.push(Variant { edge, stays_out: false });
        }
    }
}

/// What an edge becomes.
pub(crate) struct Variant {
    pub(crate) edge: Edge,
    /// It stands for a receiver of a broadcast that takes no part.
    pub(crate) stays_out: bool,
}

/// Strikes hidden participants off the vectors.
pub(crate) fn thin_out(network: &mut Network, hidden: &SymbolSet) {
    for vector in &mut network.vectors {
        vector.participants.retain(|(process, _)| !hidden.contains(Symbol::Process(*process)));
    }
}
