//! Which transitions a part sees, and which of them it is charged for.
//!
//! An edge *matters* to a part if its process belongs to the part, or it writes something that the part keeps. Of a transition only the edges that matter are
//! looked at; what other participants would need is given to them.
//!
//! The estimates of the parts are added up, so no transition may cost more than 1 in all parts together. A transition is charged to the first part that has one
//! of its participants; a broadcast to the part of its sender. A part sees several transitions as one step; it charges for the step only if it may charge
//! for all of them.

use super::split::Division;
use guidepost_abstraction::regression::{Beside, Kept, Transition};
use guidepost_network::{ChannelId, EdgeId, Machine, Meetings, Network};

/// More combinations of participants than this are not listed; then it is left open who takes part.
const COMBINATIONS: usize = 256;

/// A transition, or several that look alike to the part, with what it is charged for them.
pub(super) struct Step {
    /// 0 or 1.
    pub(super) cost: u32,
    pub(super) transition: Transition,
}

/// Lists the steps of one part.
pub(super) struct Steps<'s, 'n> {
    network: &'n Network,
    meetings: &'s Meetings,
    division: &'s Division,
    /// The symbols of this part and of those before it.
    symbols: &'s [Kept],
    part: usize,
    /// Whether transitions that others are charged for cost nothing.
    is_shared: bool,
    machine: Machine<'n>,
    list: Vec<Step>,
}

impl<'s, 'n> Steps<'s, 'n> {
    /// All steps that change something for the last of these parts.
    pub(super) fn all(
        network: &'n Network,
        meetings: &'s Meetings,
        division: &'s Division,
        symbols: &'s [Kept],
        is_shared: bool,
    ) -> Vec<Step> {
        let machine = Machine::new(&network.program);
        let part = symbols.len() - 1;
        let mut steps =
            Self { network, meetings, division, symbols, part, is_shared, machine, list: Vec::new() };
        steps.internal();
        for channel in (0..network.channels.len() as u32).map(ChannelId) {
            if network.channels[channel.index()].broadcast {
                steps.broadcast(channel);
            } else {
                steps.binary(channel);
            }
        }
        for vector in 0..network.vectors.len() {
            steps.vector(vector);
        }
        steps.list
    }

    fn process(&self, edge: EdgeId) -> usize {
        self.network.edges[edge.index()].process.index()
    }

    fn matters_to(&self, part: usize, edge: EdgeId) -> bool {
        let symbols = &self.symbols[part];
        let data = &self.network.edges[edge.index()];
        let mut writes = data.update.iter().flat_map(|&code| self.network.program.writes(code));
        self.division.part_of[data.process.index()] == Some(part)
            || data.clock_effects.iter().any(|effect| symbols.clock(effect.clock).is_some())
            || writes.any(|variable| symbols.cell(self.network.processes.len() + variable.index()).is_some())
    }

    /// Divides edges into those that matter and the others.
    fn sort(&self, edges: &[EdgeId]) -> (Vec<EdgeId>, Vec<EdgeId>) {
        edges.iter().partition(|&&edge| self.matters_to(self.part, edge))
    }

    /// What transitions of some edges, and perhaps others, cost.
    fn charge(&self, edges: &[EdgeId], others: &[EdgeId]) -> u32 {
        if !self.is_shared {
            return 1;
        }
        let all = || edges.iter().chain(others).copied();
        let is_ours = match all().filter_map(|edge| self.division.part_of[self.process(edge)]).min() {
            Some(first) => first == self.part,
            None => !(0..self.part).any(|part| all().any(|edge| self.matters_to(part, edge))),
        };
        u32::from(is_ours)
    }

    fn push(&mut self, edges: &[EdgeId], beside: &Beside, cost: u32) {
        let symbols = &self.symbols[self.part];
        let transition = Transition::new(self.network, symbols, &mut self.machine, edges, beside);
        if transition.has_effect() {
            self.list.push(Step { cost, transition });
        }
    }

    fn internal(&mut self) {
        for edge in self.sort(self.meetings.internal()).0 {
            let cost = self.charge(&[edge], &[]);
            self.push(&[edge], &Beside::default(), cost);
        }
    }

    fn binary(&mut self, channel: ChannelId) {
        let (senders, other_senders) = self.sort(self.meetings.senders(channel));
        let (receivers, other_receivers) = self.sort(self.meetings.receivers(channel));
        for &sender in &senders {
            for &receiver in &receivers {
                if self.process(sender) != self.process(receiver) {
                    let cost = self.charge(&[sender, receiver], &[]);
                    self.push(&[sender, receiver], &Beside::default(), cost);
                }
            }
        }
        for (own, others) in [(senders, other_receivers), (receivers, other_senders)] {
            for edge in own {
                let mut partners = others.clone();
                partners.retain(|&partner| self.process(partner) != self.process(edge));
                if !partners.is_empty() {
                    let cost = self.charge(&[edge], &partners);
                    self.push(&[edge], &Beside { has_partners: true, perhaps: Vec::new() }, cost);
                }
            }
        }
    }

    fn broadcast(&mut self, channel: ChannelId) {
        let (senders, other_senders) = self.sort(self.meetings.senders(channel));
        let (receivers, other_receivers) = self.sort(self.meetings.receivers(channel));
        let part_of = |edge: EdgeId| self.division.part_of[self.process(edge)];
        let mut starts: Vec<(Vec<EdgeId>, u32)> = Vec::new();
        for &sender in &senders {
            let cost = match part_of(sender) {
                Some(part) if self.is_shared => u32::from(part == self.part),
                _ => self.charge(&[sender], &[&receivers[..], &other_receivers].concat()),
            };
            starts.push((vec![sender], cost));
        }
        if !other_senders.is_empty() {
            let is_others = self.is_shared && other_senders.iter().any(|&sender| part_of(sender).is_some());
            let cost = if is_others {
                0
            } else {
                self.charge(&receivers, &[&other_senders[..], &other_receivers].concat())
            };
            starts.push((Vec::new(), cost));
        }
        for (sender, cost) in starts {
            let own = sender.first().map(|&edge| self.process(edge));
            let has_partners = sender.is_empty() || !other_receivers.is_empty();
            let mut options: Vec<Vec<Option<EdgeId>>> = Vec::new();
            for process in (0..self.network.processes.len()).filter(|&process| Some(process) != own) {
                let edges = receivers.iter().filter(|&&edge| self.process(edge) == process);
                let edges: Vec<Option<EdgeId>> = edges.map(|&edge| Some(edge)).collect();
                if !edges.is_empty() {
                    options.push([&[None][..], &edges].concat());
                }
            }
            self.combine(&sender, &options, has_partners, cost);
        }
    }

    fn vector(&mut self, vector: usize) {
        let (own, others) = self.sort(self.meetings.joiners(vector));
        let cost = self.charge(&own, &others);
        let mut options: Vec<Vec<Option<EdgeId>>> = Vec::new();
        for &(process, is_weak) in &self.network.vectors[vector].participants {
            let edges = own.iter().filter(|&&edge| self.process(edge) == process.index());
            let mut choices: Vec<Option<EdgeId>> = edges.map(|&edge| Some(edge)).collect();
            if is_weak || others.iter().any(|&edge| self.process(edge) == process.index()) {
                choices.push(None);
            }
            if choices.is_empty() {
                // Somebody who has to take part never can.
                return;
            }
            options.push(choices);
        }
        self.combine(&[], &options, !others.is_empty(), cost);
    }

    /// All ways to choose participants, in order.
    fn combine(&mut self, first: &[EdgeId], options: &[Vec<Option<EdgeId>>], has_partners: bool, cost: u32) {
        let combinations =
            options.iter().fold(1_usize, |product, choices| product.saturating_mul(choices.len()));
        if combinations > COMBINATIONS {
            let perhaps = options.iter().flatten().filter_map(|&edge| edge).collect();
            self.push(first, &Beside { has_partners, perhaps }, cost);
            return;
        }
        for number in 0..combinations {
            let mut rest = number;
            let mut edges = first.to_vec();
            for choices in options {
                edges.extend(choices[rest % choices.len()]);
                rest /= choices.len();
            }
            if !edges.is_empty() {
                self.push(&edges, &Beside { has_partners, perhaps: Vec::new() }, cost);
            }
        }
    }
}
