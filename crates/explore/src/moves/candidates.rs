//! Which transitions the current locations and data allow.
//!
//! Edges and vectors are looked up by the locations of processes, see [`EdgeIndex`](super::index::EdgeIndex). Candidates are enumerated in a fixed order (internal edges by process, then synchronisations by sender), so that the n-th successor of a
//! state is always the same; the store remembers successors by that number. Clocks are only looked at to drop edges whose guard the zone
//! does not meet at all; the exact zone of a candidate is computed when it fires.

use super::index::{COMMITTED, EdgeIndex, IndexedEdge, Meeting, Role};
use super::{Moves, evaluate, tolerate};
use crate::time_domain::{ClockDifference, TimeDomain};
use guidepost_network::{ChannelId, ChannelRef, EdgeId, EvalError, Machine, Network, ProcessId, Sync};
use std::ops::Range;

/// A transition that data and locations allow.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'c> {
    /// Who takes part, in the order of their updates.
    pub edges: &'c [EdgeId],
    /// Whose guards must *not* hold: receivers that stay out.
    pub excluded: &'c [EdgeId],
    /// Channel priority, then the highest process priority.
    pub priority: (u32, u32),
}

/// A [`Candidate`] as it is kept.
#[derive(Clone, Debug)]
struct Listed {
    /// Into [`Candidates::edges`].
    edges: Range<u32>,
    excluded: Range<u32>,
    priority: (u32, u32),
}

/// All candidates of a state, in buffers that are used again for the next one.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    list: Vec<Listed>,
    edges: Vec<EdgeId>,
    presence: Presence,
    sends: Vec<(ChannelId, EdgeId)>,
    /// Enabled receivers by channel; only those of `touched` channels are not empty.
    receivers: Vec<Vec<EdgeId>>,
    touched: Vec<ChannelId>,
    /// Enabled participants by vector.
    joins: Vec<Vec<EdgeId>>,
    touched_vectors: Vec<u32>,
    /// The combination that is being put together: edges, and edges to exclude.
    chosen: Vec<EdgeId>,
    refused: Vec<EdgeId>,
}

impl Candidates {
    /// None; with room for those of a network.
    pub fn new(network: &Network) -> Self {
        let (channels, vectors) = (network.channels.len(), network.vectors.len());
        Self { receivers: vec![Vec::new(); channels], joins: vec![Vec::new(); vectors], ..Self::default() }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing can move.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// One of them, by its place in the order.
    #[inline]
    pub fn get(&self, position: usize) -> Candidate<'_> {
        let Listed { edges, excluded, priority } = &self.list[position];
        let slice = |range: &Range<u32>| &self.edges[range.start as usize..range.end as usize];
        Candidate { edges: slice(edges), excluded: slice(excluded), priority: *priority }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Candidate<'_>> {
        (0..self.len()).map(|position| self.get(position))
    }

    fn clear(&mut self) {
        self.list.clear();
        self.edges.clear();
        self.sends.clear();
        for channel in self.touched.drain(..) {
            self.receivers[channel.index()].clear();
        }
        for vector in self.touched_vectors.drain(..) {
            self.joins[vector as usize].clear();
        }
    }

    fn receive(&mut self, channel: ChannelId, edge: EdgeId) {
        let list = &mut self.receivers[channel.index()];
        if list.is_empty() {
            self.touched.push(channel);
        }
        list.push(edge);
    }

    /// Adds a candidate.
    #[inline]
    fn add(
        &mut self,
        network: &Network,
        index: &EdgeIndex,
        edges: &[EdgeId],
        excluded: &[EdgeId],
        channel_priority: u32,
    ) {
        debug_assert!(are_apart(index, edges) && !edges.is_empty(), "every process takes part once");
        let start = self.edges.len() as u32;
        for &edge in edges {
            self.edges.push(edge);
        }
        let middle = self.edges.len() as u32;
        self.edges.extend_from_slice(excluded);
        let end = self.edges.len() as u32;
        let process_priority = if network.features.priorities {
            let priority = |edge: &EdgeId| network.processes[index.process_of(*edge).index()].priority;
            edges.iter().map(priority).max().unwrap_or(0)
        } else {
            0
        };
        self.list.push(Listed {
            edges: start..middle,
            excluded: middle..end,
            priority: (channel_priority, process_priority),
        });
    }

    fn join(&mut self, vector: u32, edge: EdgeId) {
        let list = &mut self.joins[vector as usize];
        if list.is_empty() {
            self.touched_vectors.push(vector);
        }
        list.push(edge);
    }
}

/// Where somebody can be met.
#[derive(Clone, Debug, Default)]
struct Presence {
    /// A bit for each meeting place.
    words: Vec<u64>,
}

impl Presence {
    /// Notes where the processes of a state can be met.
    #[inline]
    fn note(&mut self, index: &EdgeIndex, locations: &[i32]) {
        self.words.clear();
        self.words.resize(index.meeting_words(), 0);
        for &location in locations {
            for offer in index.offers(location) {
                self.words[offer.word as usize] |= offer.bits;
            }
        }
    }

    /// Whether somebody is at each of some places.
    #[inline]
    fn meets(&self, needed: Meeting) -> bool {
        self.words[needed.word as usize] & needed.bits == needed.bits
    }
}

impl Moves<'_> {
    /// Finds the candidates of the source.
    #[inline]
    pub fn find<D: TimeDomain>(&mut self, domain: &D, candidates: &mut Candidates) -> Result<(), EvalError> {
        self.find_where(&|constraint| domain.meets(constraint), candidates)
    }

    /// As [`Moves::find`], given whether some clock values meet a constraint.
    pub(crate) fn find_where(
        &mut self,
        is_met: &impl Fn(ClockDifference) -> bool,
        candidates: &mut Candidates,
    ) -> Result<(), EvalError> {
        debug_assert_eq!(self.machine.state(), self.source, "candidates are those of the source");
        candidates.clear();
        let committed = self.is_committed();
        let Self { network, index, machine, source, .. } = self;
        let locations = &source[..network.processes.len()];
        candidates.presence.note(index, locations);
        for &location in locations {
            if !committed || index.facts(location) & COMMITTED != 0 {
                for edge in index.alone(location) {
                    if edge.is_free() || is_ready(network, index, machine, source, edge, is_met)? {
                        candidates.add(network, index, &[edge.id], &[], network.internal_priority);
                    }
                }
            }
            for (need, edge) in index.shared(location) {
                let may_move = candidates.presence.meets(need)
                    && (edge.is_free() || is_ready(network, index, machine, source, edge, is_met)?);
                if !may_move {
                    continue;
                }
                match edge.role {
                    Role::Alone => {}
                    Role::Send(channel) => candidates.sends.push((channel, edge.id)),
                    Role::Receive(channel) => candidates.receive(channel, edge.id),
                    Role::Join(vector) => candidates.join(vector, edge.id),
                    Role::Dynamic => meet_dynamically(network, machine, candidates, edge.id)?,
                }
            }
        }
        self.synchronise(candidates, committed);
        self.join_vectors(candidates, committed);
        Ok(())
    }

    /// The channel that is meant in the machine's state; `None` where that fails and failing is no error.
    pub(super) fn channel_if_any(&mut self, channel: &ChannelRef) -> Result<Option<ChannelId>, EvalError> {
        channel_if_any(self.network, &mut self.machine, channel)
    }

    fn is_committed_location(&self, location: i32) -> bool {
        self.index.facts(location) & COMMITTED != 0
    }

    fn is_committed(&self) -> bool {
        self.network.features.committed
            && self.source[..self.network.processes.len()]
                .iter()
                .any(|&location| self.is_committed_location(location))
    }

    /// Whether an edge that starts where its process is leaves a committed location.
    fn leaves_committed(&self, edge: EdgeId) -> bool {
        self.is_committed_location(self.source[self.index.process_of(edge).index()])
    }

    fn synchronise(&self, candidates: &mut Candidates, committed: bool) {
        let network = self.network;
        for position in 0..candidates.sends.len() {
            let (channel, send) = candidates.sends[position];
            let receivers = std::mem::take(&mut candidates.receivers[channel.index()]);
            let priority = network.channels[channel.index()].priority;
            if network.channels[channel.index()].broadcast {
                let sender = self.index.process_of(send);
                candidates.chosen.clear();
                candidates.chosen.push(send);
                candidates.refused.clear();
                self.combine(candidates, sender, &receivers, committed, priority);
            } else {
                for &receive in &receivers {
                    let differs = self.index.process_of(receive) != self.index.process_of(send);
                    let allowed = !committed || self.leaves_committed(send) || self.leaves_committed(receive);
                    if differs && allowed {
                        candidates.add(self.network, &self.index, &[send, receive], &[], priority);
                    }
                }
            }
            candidates.receivers[channel.index()] = receivers;
        }
    }

    /// Every process among the receivers takes exactly one of its edges; if all of them test clocks, the case that none holds is a
    /// combination of its own.
    fn combine(
        &self,
        candidates: &mut Candidates,
        sender: ProcessId,
        receivers: &[EdgeId],
        committed: bool,
        priority: u32,
    ) {
        let Some(&first) = receivers.first() else {
            self.add_chosen(candidates, committed, priority);
            return;
        };
        let process = self.index.process_of(first);
        let split = receivers.iter().position(|&edge| self.index.process_of(edge) != process);
        let (mine, others) = receivers.split_at(split.unwrap_or(receivers.len()));
        if process == sender {
            self.combine(candidates, sender, others, committed, priority);
            return;
        }
        for &edge in mine {
            candidates.chosen.push(edge);
            self.combine(candidates, sender, others, committed, priority);
            candidates.chosen.pop();
        }
        if mine.iter().all(|edge| !self.network.edges[edge.index()].clock_guard.is_empty()) {
            let before = candidates.refused.len();
            candidates.refused.extend_from_slice(mine);
            self.combine(candidates, sender, others, committed, priority);
            candidates.refused.truncate(before);
        }
    }

    /// Adds the combination that has been put together, if the committed rule allows it.
    fn add_chosen(&self, candidates: &mut Candidates, committed: bool, priority: u32) {
        let allowed = !committed || candidates.chosen.iter().any(|&edge| self.leaves_committed(edge));
        if allowed && !candidates.chosen.is_empty() {
            let (chosen, refused) =
                (std::mem::take(&mut candidates.chosen), std::mem::take(&mut candidates.refused));
            candidates.add(self.network, &self.index, &chosen, &refused, priority);
            candidates.chosen = chosen;
            candidates.refused = refused;
        }
    }

    fn join_vectors(&self, candidates: &mut Candidates, committed: bool) {
        candidates.touched_vectors.sort_unstable();
        for position in 0..candidates.touched_vectors.len() {
            let vector = candidates.touched_vectors[position];
            let edges = std::mem::take(&mut candidates.joins[vector as usize]);
            candidates.chosen.clear();
            candidates.refused.clear();
            let participants = &self.network.vectors[vector as usize].participants;
            self.join(candidates, vector, participants, &edges, committed);
            candidates.joins[vector as usize] = edges;
        }
    }

    /// Whether a process that may stay out has an edge on the vector where it is now: then it must take part, and a guard that does not hold blocks the whole
    /// vector.
    fn has_edge_in(&self, vector: u32, process: ProcessId) -> bool {
        self.index.has_edge_in(self.source[process.index()], vector)
    }

    fn join(
        &self,
        candidates: &mut Candidates,
        vector: u32,
        participants: &[(ProcessId, bool)],
        edges: &[EdgeId],
        committed: bool,
    ) {
        let Some((&(process, weak), others)) = participants.split_first() else {
            self.add_chosen(candidates, committed, self.network.internal_priority);
            return;
        };
        for &edge in edges.iter().filter(|&&edge| self.index.process_of(edge) == process) {
            candidates.chosen.push(edge);
            self.join(candidates, vector, others, edges, committed);
            candidates.chosen.pop();
        }
        if weak && !self.has_edge_in(vector, process) {
            self.join(candidates, vector, others, edges, committed);
        }
    }
}

/// Whether the data guard of an edge holds and some clock values meet each constraint of its clock guard. Where failing is no error, an edge whose guard fails is
/// not ready.
#[inline]
fn is_ready(
    network: &Network,
    index: &EdgeIndex,
    machine: &mut Machine<'_>,
    source: &[i32],
    edge: &IndexedEdge,
    is_met: &impl Fn(ClockDifference) -> bool,
) -> Result<bool, EvalError> {
    if !index.passes(edge, source) {
        return Ok(false);
    }
    if edge.has_more_data || edge.has_varying_clocks {
        return tolerate(network, may_fire(network, machine, edge, is_met), false);
    }
    Ok(index.clock_guard(edge).iter().all(|&constraint| is_met(constraint)))
}

/// As [`is_ready`], for an edge that passes its tests.
fn may_fire(
    network: &Network,
    machine: &mut Machine<'_>,
    indexed: &IndexedEdge,
    is_met: &impl Fn(ClockDifference) -> bool,
) -> Result<bool, EvalError> {
    let edge = &network.edges[indexed.id.index()];
    if !machine.holds(&edge.data_guard[indexed.tests()..])? {
        return Ok(false);
    }
    for constraint in &edge.clock_guard {
        if evaluate(machine, constraint)?.is_some_and(|constraint| !is_met(constraint)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A sender or receiver whose channel depends on the data.
fn meet_dynamically(
    network: &Network,
    machine: &mut Machine<'_>,
    candidates: &mut Candidates,
    id: EdgeId,
) -> Result<(), EvalError> {
    match &network.edges[id.index()].sync {
        Sync::Send(channel) => {
            let channel = channel_if_any(network, machine, channel)?;
            candidates.sends.extend(channel.map(|channel| (channel, id)));
        }
        Sync::Receive(channel) => {
            if let Some(channel) = channel_if_any(network, machine, channel)? {
                candidates.receive(channel, id);
            }
        }
        Sync::Internal | Sync::Join(_) => {}
    }
    Ok(())
}

fn channel_if_any(
    network: &Network,
    machine: &mut Machine<'_>,
    channel: &ChannelRef,
) -> Result<Option<ChannelId>, EvalError> {
    match channel {
        ChannelRef::Static(id) => Ok(Some(*id)),
        ChannelRef::Dynamic(code, _) => {
            let found = machine.eval(*code).map(|id| Some(ChannelId(id as u32)));
            tolerate(network, found, None)
        }
    }
}

/// Whether edges belong to different processes.
fn are_apart(index: &EdgeIndex, edges: &[EdgeId]) -> bool {
    edges.iter().enumerate().all(|(position, &id)| {
        edges[..position].iter().all(|&other| index.process_of(other) != index.process_of(id))
    })
}
