//! Who moves together with whom: all steps of the network, each as one [`Part`] per process that takes part.
//!
//! - A receiver of a broadcast that cannot be known to be ready may stay out. Where it has an edge without any condition, it has to take part.
//! - A step that leaves no committed location is possible only while nobody is in one; that is a condition on every process that has such locations.
//! - Where there are too many combinations, the alternatives of a process are made one that allows at least as much.

use super::cells::Cells;
use super::part::{Condition, Leaves, Part};
use guidepost_network::{ChannelId, ChannelRef, EdgeId, Goal, LocationKind, Meetings, Network, Sync};

/// How many combinations of alternatives one synchronisation may have.
const COMBINATIONS: usize = 1024;

/// Something that happens at once, or a goal: what has to hold, and nothing moves.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) parts: Vec<Part>,
    /// Conditions that belong to no process.
    pub(crate) conditions: Vec<Condition>,
    /// Which goal it is, if it is one.
    pub(crate) goal: Option<usize>,
}

/// All steps of a network, and its goals.
pub(crate) struct Steps<'n> {
    network: &'n Network,
    cells: &'n Cells,
    meetings: Meetings,
    /// By process: its locations that are not committed, if some are.
    calm: Vec<Option<Vec<u32>>>,
}

impl<'n> Steps<'n> {
    pub(crate) fn new(network: &'n Network, cells: &'n Cells) -> Self {
        let calm = (0..network.processes.len()).map(|process| calm_locations(network, process)).collect();
        Self { network, cells, meetings: Meetings::new(network), calm }
    }

    /// Visits all of them.
    pub(crate) fn for_each<E>(
        &self,
        goals: &[Goal],
        visit: &mut dyn FnMut(&Step) -> Result<(), E>,
    ) -> Result<(), E> {
        for (index, goal) in goals.iter().enumerate() {
            visit(&self.goal(index, goal))?;
        }
        for edge in self.meetings.internal() {
            self.combine(vec![vec![self.part(*edge, None)]], visit)?;
        }
        for channel in (0..self.network.channels.len() as u32).map(ChannelId) {
            if self.network.channels[channel.index()].broadcast {
                self.broadcasts(channel, visit)?;
            } else {
                self.rendezvous(channel, visit)?;
            }
        }
        for vector in 0..self.network.vectors.len() {
            self.vector(vector, visit)?;
        }
        Ok(())
    }

    fn part(&self, edge: EdgeId, channel: Option<ChannelId>) -> Part {
        Part::of_edge(self.network, self.cells, edge, channel)
    }

    fn goal(&self, index: usize, goal: &Goal) -> Step {
        let stays = goal.locations.iter().map(|(process, locations)| {
            let first = self.network.processes[process.index()].locations.start;
            Part::stays(process.index(), locations.iter().map(|location| location.0 - first))
        });
        let conditions = goal.data.iter().copied().map(Condition::holds).collect();
        Step { parts: stays.collect(), conditions, goal: Some(index) }
    }

    /// The parts of some edges on a channel, by process.
    fn by_process(&self, edges: &[EdgeId], channel: ChannelId) -> Vec<Vec<Part>> {
        let mut lists: Vec<Vec<Part>> = Vec::new();
        for edge in edges {
            let part = self.part(*edge, Some(channel));
            match lists.last_mut() {
                Some(list) if list[0].process == part.process => list.push(part),
                _ => lists.push(vec![part]),
            }
        }
        lists
    }

    fn rendezvous<E>(
        &self,
        channel: ChannelId,
        visit: &mut dyn FnMut(&Step) -> Result<(), E>,
    ) -> Result<(), E> {
        let receivers = self.by_process(self.meetings.receivers(channel), channel);
        for sender in self.by_process(self.meetings.senders(channel), channel) {
            for receiver in receivers.iter().filter(|receiver| receiver[0].process != sender[0].process) {
                self.combine(vec![sender.clone(), receiver.clone()], visit)?;
            }
        }
        Ok(())
    }

    fn broadcasts<E>(
        &self,
        channel: ChannelId,
        visit: &mut dyn FnMut(&Step) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut receivers = self.by_process(self.meetings.receivers(channel), channel);
        for receiver in &mut receivers {
            receiver.push(self.stays_out(receiver[0].process, channel));
        }
        for sender in self.by_process(self.meetings.senders(channel), channel) {
            let process = sender[0].process;
            let others = receivers.iter().filter(|receiver| receiver[0].process != process).cloned();
            self.combine(std::iter::once(sender).chain(others).collect(), visit)?;
        }
        Ok(())
    }

    /// Does not receive: possible where no edge is ready in any case.
    fn stays_out(&self, process: usize, channel: ChannelId) -> Part {
        let data = &self.network.processes[process];
        let mut is_ready = vec![false; data.locations.len()];
        for edge in self.meetings.receivers(channel) {
            let edge = &self.network.edges[edge.index()];
            let is_unconditional = edge.data_guard.is_empty()
                && edge.clock_guard.is_empty()
                && matches!(edge.sync, Sync::Receive(ChannelRef::Static(_)));
            if edge.process.index() == process && is_unconditional {
                is_ready[(edge.source.0 - data.locations.start) as usize] = true;
            }
        }
        Part::stays(process, (0..).zip(is_ready).filter(|(_, ready)| !ready).map(|(at, _)| at))
    }

    fn vector<E>(&self, vector: usize, visit: &mut dyn FnMut(&Step) -> Result<(), E>) -> Result<(), E> {
        let joiners = self.meetings.joiners(vector);
        let edge = |id: EdgeId| &self.network.edges[id.index()];
        let mut choices = Vec::new();
        for &(process, is_weak) in &self.network.vectors[vector].participants {
            let data = &self.network.processes[process.index()];
            let ids: Vec<EdgeId> =
                joiners.iter().copied().filter(|&id| edge(id).process == process).collect();
            let mut parts: Vec<Part> = ids.iter().map(|&id| self.part(id, None)).collect();
            if is_weak {
                let joins_at = |at: u32| ids.iter().any(|&id| edge(id).source.0 - data.locations.start == at);
                let others = (0..data.locations.len() as u32).filter(|&at| !joins_at(at));
                parts.push(Part::stays(process.index(), others));
            }
            choices.push(parts);
        }
        self.combine(choices, visit)
    }

    /// Visits the steps in which every process takes one of its alternatives.
    fn combine<E>(
        &self,
        choices: Vec<Vec<Part>>,
        visit: &mut dyn FnMut(&Step) -> Result<(), E>,
    ) -> Result<(), E> {
        let choices = limited(choices.into_iter().map(joined).collect());
        if choices.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let mut at = vec![0; choices.len()];
        loop {
            let parts = choices.iter().zip(&at).map(|(parts, &at)| parts[at].clone()).collect();
            let mut step = Step { parts, conditions: Vec::new(), goal: None };
            self.respect_committed(&mut step);
            visit(&step)?;
            let Some(place) = (0..at.len()).find(|&place| at[place] + 1 < choices[place].len()) else {
                return Ok(());
            };
            at[..place].fill(0);
            at[place] += 1;
        }
    }

    fn respect_committed(&self, step: &mut Step) {
        if step.parts.iter().any(|part| part.leaves != Leaves::Other) {
            return;
        }
        for (process, calm) in self.calm.iter().enumerate() {
            let Some(calm) = calm else { continue };
            match step.parts.iter_mut().find(|part| part.process == process) {
                Some(part) => part.moves.retain(|(from, _)| calm.contains(from)),
                None => step.parts.push(Part::stays(process, calm.iter().copied())),
            }
        }
    }
}

fn calm_locations(network: &Network, process: usize) -> Option<Vec<u32>> {
    let locations = &network.processes[process].locations;
    let is_calm =
        |at: &u32| network.locations[(locations.start + at) as usize].kind != LocationKind::Committed;
    let calm: Vec<u32> = (0..locations.len() as u32).filter(is_calm).collect();
    (calm.len() < locations.len()).then_some(calm)
}

/// The same alternatives, those that only move in one: nothing is lost by that.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut list = Vec::new();
    let mut movers: [Vec<Part>; 2] = Default::default();
    for part in parts {
        if part.only_moves() {
            movers[usize::from(part.leaves == Leaves::Committed)].push(part);
        } else {
            list.push(part);
        }
    }
    list.extend(movers.into_iter().filter_map(Part::any_of));
    list
}

/// Makes alternatives one, where there are most, until there are few enough combinations.
fn limited(mut choices: Vec<Vec<Part>>) -> Vec<Vec<Part>> {
    let combinations = |choices: &[Vec<Part>]| {
        choices.iter().fold(1_usize, |product, parts| product.saturating_mul(parts.len()))
    };
    while combinations(&choices) > COMBINATIONS {
        let Some(longest) = choices.iter_mut().max_by_key(|parts| parts.len()) else { break };
        *longest = Part::any_of(std::mem::take(longest)).into_iter().collect();
    }
    choices
}
