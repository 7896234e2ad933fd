//! Channels of edges, and `TChecker`'s vectors.
//!
//! A vector of one process is an internal move, one of two that must take part is a channel (the first sends, since its update comes first). Whether anything can be said
//! for the others is decided where models of `TChecker` are written.

use super::names::Scope;
use super::syntax::{conditional, ident, name};
use super::{FlatError, Flattener};
use crate::build::place::Space;
use crate::code::term::Term;
use crate::network::{ChannelId, ChannelRef, Edge, ProcessId, Sync};
use guidepost_language::source::Span;
use guidepost_language::syntax::{self, Direction, Expr, SyncVector};

impl Flattener<'_> {
    pub(super) fn sync(&mut self, edge: &Edge) -> Result<Option<syntax::Sync>, FlatError> {
        let scope = Some(edge.process.0);
        let (channel, direction) = match &edge.sync {
            Sync::Internal => return Ok(None),
            Sync::Send(channel) => (self.channel_ref(scope, channel)?, Direction::Send),
            Sync::Receive(channel) => (self.channel_ref(scope, channel)?, Direction::Receive),
            Sync::Join(vector) => match self.joined(*vector, edge.process)? {
                Some(joined) => joined,
                None => return Ok(None),
            },
        };
        Ok(Some(syntax::Sync { channel, direction, span: Span::default() }))
    }

    fn channel_ref(&mut self, scope: Scope, channel: &ChannelRef) -> Result<Expr, FlatError> {
        match channel {
            ChannelRef::Static(id) => self.channel(scope, *id),
            ChannelRef::Dynamic(code, _) => {
                let term = self.value_term(*code)?;
                self.computed_channel(scope, &term)
            }
        }
    }

    fn computed_channel(&mut self, scope: Scope, term: &Term) -> Result<Expr, FlatError> {
        match term {
            Term::Const(id) => self.channel(scope, ChannelId(*id as u32)),
            Term::Number(place) => self.leaf(scope, Space::Channels, place),
            Term::If(condition, then, otherwise) => Ok(conditional(
                self.condition(scope, condition)?,
                self.computed_channel(scope, then)?,
                self.computed_channel(scope, otherwise)?,
            )),
            _ => Err(FlatError::inexpressible("a channel that is computed in this way")),
        }
    }

    /// How an edge joins a vector; `None` when its process is the only one.
    fn joined(&mut self, index: u32, process: ProcessId) -> Result<Option<(Expr, Direction)>, FlatError> {
        let network = self.network;
        let vector = &network.vectors[index as usize];
        let participants = self.participants(index)?;
        let taken = &mut self.taken;
        Ok(match &participants[..] {
            [_] => None,
            [(first, false), (_, false)] => {
                let channels = self.made_up.channels.entry(index);
                let channel = channels.or_insert_with(|| taken.declare_late(&vector.name));
                let direction = if *first == process { Direction::Send } else { Direction::Receive };
                Some((name(channel), direction))
            }
            _ => {
                let vectors = self.made_up.vectors.entry(index);
                let joined = vectors.or_insert_with(|| taken.declare_late(&vector.name));
                Some((name(joined), Direction::Join))
            }
        })
    }

    /// Who takes part; a process that is left out and need not take part does not.
    fn participants(&self, vector: u32) -> Result<Vec<(ProcessId, bool)>, FlatError> {
        let mut participants = Vec::new();
        for &(process, weak) in &self.network.vectors[vector as usize].participants {
            match (self.omitted.processes[process.index()], weak) {
                (false, _) => participants.push((process, weak)),
                (true, true) => {}
                (true, false) => {
                    return Err(FlatError::Omitted(self.network.processes[process.index()].name.clone()));
                }
            }
        }
        Ok(participants)
    }

    /// The vectors that edges go on joining.
    pub(super) fn vectors(&self) -> Result<Vec<SyncVector>, FlatError> {
        let mut vectors = Vec::new();
        for (&index, vector) in &self.made_up.vectors {
            let participants = self.participants(index)?.into_iter();
            let participants =
                participants.map(|(process, weak)| (ident(&self.processes[process.index()]), weak)).collect();
            vectors.push(SyncVector { name: vector.as_str().into(), participants, span: Span::default() });
        }
        Ok(vectors)
    }
}
