//! Synchronisations: which channel, known now or computed; and rendezvous in CSP style.
//!
//! A bare `c` on edges of two processes is a rendezvous of equals. Engines only know senders and receivers, so every pair of processes p < q
//! that can meet on `c` gets a channel of its own (also called `c`): p's edges send on it, q's receive. The lower process then updates first, no
//! pair can meet twice, and urgency and priority carry over.

use super::Builder;
use super::edges::PendingEdge;
use super::layout::Kind;
use super::place::Space;
use crate::code::term::{Term, conditional};
use crate::network::{Channel, ChannelId, ChannelRef, Edge, ProcessId, Sync, Vector};
use guidepost_language::diagnostic::Code;
use guidepost_language::model::{self, Direction, Expr, ExprKind, SyncPartner};
use std::collections::{BTreeMap, BTreeSet};

/// A synchronisation, settled or waiting for its partners.
#[derive(Clone, Debug)]
pub(crate) enum PendingSync {
    Settled(Sync),
    /// Meets an edge of any other process on the channel.
    Meet(ChannelId),
    /// There is no such channel: evaluating the edge fails.
    Fault(Term),
}

impl Builder<'_> {
    pub(crate) fn sync(&mut self, sync: &model::Sync) -> Option<PendingSync> {
        let channel = match &sync.partner {
            SyncPartner::Vector(index) => return Some(PendingSync::Settled(Sync::Join(*index as u32))),
            SyncPartner::Channel(expr) => self.channel(expr)?,
        };
        let channel = match channel {
            Ok(channel) => channel,
            Err(fault) => return Some(PendingSync::Fault(fault)),
        };
        Some(match (sync.direction, channel) {
            (Direction::Send, channel) => PendingSync::Settled(Sync::Send(channel)),
            (Direction::Receive, channel) => PendingSync::Settled(Sync::Receive(channel)),
            (Direction::Join, ChannelRef::Static(channel)) => {
                if self.channels[channel.index()].broadcast {
                    return self.report.unsupported(sync.span, "a broadcast channel without `!` or `?`");
                }
                PendingSync::Meet(channel)
            }
            (Direction::Join, ChannelRef::Dynamic(..)) => {
                return self.report.unsupported(sync.span, "a computed channel without `!` or `?`");
            }
        })
    }

    /// The channel, or the fault that evaluating it is.
    fn channel(&mut self, expr: &Expr) -> Option<Result<ChannelRef, Term>> {
        let (term, mut candidates) = self.channel_term(expr)?;
        candidates.sort_unstable();
        candidates.dedup();
        Some(match term {
            Term::Const(channel) => Ok(ChannelRef::Static(ChannelId(channel as u32))),
            Term::Fault(..) => Err(term),
            term => Ok(ChannelRef::Dynamic(self.code(&term), candidates)),
        })
    }

    /// The number of the channel, and all channels it can be.
    fn channel_term(&mut self, expr: &Expr) -> Option<(Term, Vec<ChannelId>)> {
        if let ExprKind::Conditional(condition, then, otherwise) = &expr.kind {
            let condition = self.value(condition)?;
            return match condition.as_const() {
                Some(0) => self.channel_term(otherwise),
                Some(_) => self.channel_term(then),
                None => self.under_condition(|builder| {
                    let (then, mut candidates) = builder.channel_term(then)?;
                    let (otherwise, others) = builder.channel_term(otherwise)?;
                    candidates.extend(others);
                    Some((conditional(condition, then, otherwise), candidates))
                }),
            };
        }
        let mut located = self.locate(expr)?;
        if let Some(fault) = located.prelude.pop() {
            return Some((fault, Vec::new()));
        }
        if !matches!(located.layout.kind, Kind::Channel { .. }) {
            return self.report.error(Code::NotAChannel, expr.span, "this is not a channel");
        }
        let place = self.place(&located, Space::Channels);
        let candidates = place.candidates()?.into_iter().map(ChannelId).collect();
        Some(match place.address() {
            Some(channel) => (Term::Const(channel as i32), candidates),
            None => (Term::Number(Box::new(place)), candidates),
        })
    }

    /// Sets the priorities of channels and returns that of internal moves.
    pub(crate) fn channel_priorities(&mut self) -> u32 {
        let model = self.model;
        let default = model
            .channel_priorities
            .iter()
            .find(|(channel, _)| channel.is_none())
            .map_or(0, |(_, level)| *level);
        self.channels.iter_mut().for_each(|channel| channel.priority = default);
        for (channel, level) in &model.channel_priorities {
            let Some(expr) = channel else { continue };
            let Some(located) = self.locate(expr) else { continue };
            let count = located.layout.size.channels;
            let place = self.place(&located, Space::Channels);
            let Some(first) = place.address() else {
                let message = "the channel must be known before the run";
                self.report.error::<()>(Code::BadPriority, expr.span, message);
                continue;
            };
            for channel in &mut self.channels[first as usize..(first + count) as usize] {
                channel.priority = *level;
            }
        }
        default
    }

    /// Gives every pending edge its final synchronisation; a rendezvous becomes one edge per possible partner.
    pub(crate) fn settle(&mut self) -> Vec<Edge> {
        let pending = std::mem::take(&mut self.edges);
        let mut partners: BTreeMap<ChannelId, BTreeSet<ProcessId>> = BTreeMap::new();
        for PendingEdge { edge, sync } in &pending {
            if let PendingSync::Meet(channel) = sync {
                partners.entry(*channel).or_default().insert(edge.process);
            }
        }
        let mut pairs: BTreeMap<(ChannelId, ProcessId, ProcessId), ChannelId> = BTreeMap::new();
        let mut edges = Vec::with_capacity(pending.len());
        for PendingEdge { mut edge, sync } in pending {
            let channel = match sync {
                PendingSync::Settled(sync) => {
                    edge.sync = sync;
                    edges.push(edge);
                    continue;
                }
                PendingSync::Meet(channel) => channel,
                // Its guard fails before anyone asks.
                PendingSync::Fault(_) => {
                    edges.push(edge);
                    continue;
                }
            };
            for &partner in
                partners.get(&channel).into_iter().flatten().filter(|other| **other != edge.process)
            {
                let (low, high) = (edge.process.min(partner), edge.process.max(partner));
                let id = *pairs.entry((channel, low, high)).or_insert_with(|| {
                    self.channels.push(Channel { ..self.channels[channel.index()].clone() });
                    ChannelId(self.channels.len() as u32 - 1)
                });
                let own = ChannelRef::Static(id);
                let sync = if edge.process == low { Sync::Send(own) } else { Sync::Receive(own) };
                edges.push(Edge { sync, ..edge.clone() });
            }
        }
        edges
    }

    /// The synchronisation vectors, participants in the order of their updates.
    pub(crate) fn vectors(&mut self) -> Vec<Vector> {
        let model = self.model;
        let mut vectors = Vec::new();
        for vector in &model.vectors {
            let participants: Vec<(ProcessId, bool)> = vector
                .participants
                .iter()
                .filter_map(|&(decl, weak)| {
                    let set = self.names.sets.get(decl)?;
                    Some((ProcessId(set.first), weak))
                })
                .collect();
            vectors.push(Vector { name: vector.name.to_string(), participants });
        }
        vectors
    }
}
