//! Channels become events and vectors.
//!
//! A channel between two is a vector for every pair of a process that sends and another one that receives. A broadcast is a vector for every process that
//! sends, with all others that receive; see `broadcast`. An edge on a channel that nobody answers is left out: it never happens, while an event without a
//! vector would happen alone.

use crate::plain::Translator;
use crate::system::{Expr, Operator, Result, System, Vector, refuse};
use crate::variables::Leaf;
use guidepost_language::syntax::{self, Direction, ExprKind};
use std::collections::{BTreeMap, BTreeSet};

/// What an edge does on a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Send {
        channel: String,
        broadcast: bool,
    },
    Receive {
        channel: String,
        broadcast: bool,
    },
    /// Takes part in one of the document's vectors.
    Join(usize),
}

/// One way to synchronise: what must hold for it, and what is done.
type Way = (Vec<Expr>, Option<Use>);

impl Translator<'_> {
    /// The ways of an edge to synchronise.
    pub(crate) fn channel(&mut self, sync: Option<&syntax::Sync>) -> Result<Vec<Way>> {
        let Some(sync) = sync else { return Ok(vec![(Vec::new(), None)]) };
        if sync.direction == Direction::Join {
            let ExprKind::Name(name) = &sync.channel.kind else {
                return refuse("a synchronisation without a direction");
            };
            let Some(vector) = self.vectors().iter().position(|vector| vector.name == *name) else {
                return refuse("a synchronisation without a direction");
            };
            return Ok(vec![(Vec::new(), Some(Use::Join(vector)))]);
        }
        let mut ways = Vec::new();
        self.channels(&sync.channel, Vec::new(), sync.direction, &mut ways)?;
        Ok(ways)
    }

    fn channels(
        &mut self,
        channel: &syntax::Expr,
        guard: Vec<Expr>,
        direction: Direction,
        to: &mut Vec<Way>,
    ) -> Result<()> {
        if let ExprKind::Conditional(condition, then, otherwise) = &channel.kind {
            let condition = self.expr(condition)?.truth();
            for (branch, condition) in [(then, condition.clone()), (otherwise, condition.negated())] {
                let mut guard = guard.clone();
                guard.push(condition);
                self.channels(branch, guard, direction, to)?;
            }
            return Ok(());
        }
        let (group, cell) = self.cell(channel)?;
        let Leaf::Channel { broadcast } = group.leaf else {
            return refuse("a synchronisation on something that is no channel");
        };
        let mut add = |number: usize, guard: Vec<Expr>| {
            let channel = group.names[number].clone();
            let used = match direction {
                Direction::Send => Use::Send { channel, broadcast },
                _ => Use::Receive { channel, broadcast },
            };
            to.push((guard, Some(used)));
        };
        match cell {
            Expr::Number(number) => match usize::try_from(number) {
                Ok(number) if number < group.cells() => add(number, guard),
                _ => return refuse("an index outside its array of channels"),
            },
            cell => {
                for number in 0..group.cells() {
                    let mut guard = guard.clone();
                    guard.push(cell.clone().with(Operator::Eq, Expr::Number(number as i64)));
                    add(number, guard);
                }
            }
        }
        Ok(())
    }

    /// Gives edges their events, and makes the vectors.
    pub(crate) fn synchronise(&mut self, weak: bool) -> Result<()> {
        let uses = std::mem::take(&mut self.uses);
        let mut senders: BTreeMap<(&str, bool), BTreeSet<usize>> = BTreeMap::new();
        let mut receivers: BTreeMap<(&str, bool), BTreeSet<usize>> = BTreeMap::new();
        let mut joined: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (process, _, used) in &uses {
            match used {
                Use::Send { channel, broadcast } => {
                    senders.entry((channel, *broadcast)).or_default().insert(*process)
                }
                Use::Receive { channel, broadcast } => {
                    receivers.entry((channel, *broadcast)).or_default().insert(*process)
                }
                Use::Join(vector) => joined.entry(*vector).or_default().insert(*process),
            };
        }
        let nobody = BTreeSet::new();
        let mut events: BTreeMap<(String, bool), String> = BTreeMap::new();
        let mut of_broadcasts = BTreeSet::new();
        for (&(channel, broadcast), sending) in &senders {
            let receiving = receivers.get(&(channel, broadcast)).unwrap_or(&nobody);
            let send = self.taken.fresh(&format!("{channel}_send"));
            let receive = self.taken.fresh(&format!("{channel}_receive"));
            for &sender in sending {
                let others = receiving.iter().filter(|&&other| other != sender);
                let own = (sender, send.clone(), false);
                if broadcast {
                    of_broadcasts.insert(receive.clone());
                    let others = others.map(|&other| (other, receive.clone(), true));
                    let participants: Vec<_> = std::iter::once(own).chain(others).collect();
                    // Without anybody who listens, it happens alone.
                    if participants.len() > 1 {
                        self.system.vectors.push(Vector { participants });
                    }
                } else {
                    for &other in others {
                        let participants = vec![own.clone(), (other, receive.clone(), false)];
                        self.system.vectors.push(Vector { participants });
                    }
                }
            }
            events.insert((channel.to_owned(), true), send);
            events.insert((channel.to_owned(), false), receive);
        }
        let vector_events = self.join(joined.keys().copied())?;
        let mut lost = BTreeSet::new();
        for (process, edge, used) in &uses {
            let event = match used {
                Use::Send { channel, .. } => events.get(&(channel.clone(), true)),
                Use::Receive { channel, .. } => events.get(&(channel.clone(), false)),
                Use::Join(vector) => vector_events.get(vector),
            };
            let takes_part = event.is_some_and(|event| has_part(&self.system, *process, event));
            let is_alone = matches!(used, Use::Send { broadcast: true, .. });
            match event.filter(|_| takes_part) {
                None if is_alone => {}
                Some(event) => self.system.processes[*process].edges[*edge].event = Some(event.clone()),
                None => {
                    lost.insert((*process, *edge));
                }
            }
        }
        for (index, process) in self.system.processes.iter_mut().enumerate() {
            let mut number = 0;
            process.edges.retain(|_| {
                number += 1;
                !lost.contains(&(index, number - 1))
            });
        }
        self.system.complete_broadcasts(weak, &of_broadcasts)
    }
}

impl Translator<'_> {
    /// Makes the document's vectors; their events.
    fn join(&mut self, joined: impl Iterator<Item = usize>) -> Result<BTreeMap<usize, String>> {
        let mut events = BTreeMap::new();
        for vector in joined {
            let written = self.vectors()[vector].clone();
            let event = self.taken.fresh(&written.name);
            let position =
                |name: &syntax::Ident| self.process_names.iter().position(|own| *own == *name.name);
            let participants = written
                .participants
                .iter()
                .filter_map(|(name, weak)| Some((position(name)?, event.clone(), *weak)));
            let participants: Vec<_> = participants.collect();
            if participants.len() != written.participants.len() {
                return refuse("a synchronisation of processes with other names");
            }
            events.insert(vector, event);
            self.system.vectors.push(Vector { participants });
        }
        Ok(events)
    }
}

fn has_part(system: &System, process: usize, event: &str) -> bool {
    let mut participants = system.vectors.iter().flat_map(|vector| &vector.participants);
    participants.any(|(own, name, _)| *own == process && name == event)
}
