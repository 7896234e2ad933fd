//! Reading a solution off the layers.

use super::growth::Growth;
use super::synchronisation::Meeting;
use super::task::Task;
use crate::EdgeMask;

const NONE: u32 = u32::MAX;

/// Work space, and the last solution.
pub(super) struct Solution {
    /// By fact: whether it is wanted.
    wanted: Vec<bool>,
    /// By layer: wanted facts still to be explained.
    layers: Vec<Vec<u32>>,
    spare: Vec<Vec<u32>>,
    facts: Vec<u32>,
    /// By edge: the transition it was chosen for, or [`NONE`].
    transitions: Vec<u32>,
    edges: Vec<u32>,
    /// By transition: how often it is applied.
    applications: Vec<u32>,
    /// By effect: how many of its facts are wanted.
    demand: Vec<u32>,
    effects: Vec<u32>,
    /// By edge: whether it is part of the solution and possible at once.
    first: Vec<bool>,
}

impl Solution {
    pub(super) fn new(task: &Task) -> Self {
        Self {
            wanted: vec![false; task.domains.facts()],
            layers: Vec::new(),
            spare: Vec::new(),
            facts: Vec::with_capacity(256),
            transitions: vec![NONE; task.edges],
            edges: Vec::with_capacity(256),
            applications: Vec::with_capacity(256),
            demand: vec![0; task.effects.len()],
            effects: Vec::with_capacity(256),
            first: vec![false; task.edges],
        }
    }

    /// The number of transitions in a solution for the goal of an operator.
    ///
    /// Transitions that have different effects each time (`v := v + 1`) count once per effect that is needed.
    pub(super) fn extract(&mut self, task: &Task, growth: &Growth<'_>, goal: u32) -> u32 {
        self.reset();
        let mut length = 0;
        self.want_conditions(task, growth, goal);
        while let Some(fact) = self.next_fact() {
            let Some(effect) = growth.maker(fact) else { continue };
            let edge = task.edge_of[effect as usize];
            for &operand in growth.operands(task, fact, effect) {
                self.want(operand, growth.layer(operand));
            }
            let transition = self.choose(task, growth, edge);
            if self.demand[effect as usize] == 0 {
                self.effects.push(effect);
            }
            self.demand[effect as usize] += 1;
            if self.demand[effect as usize] > self.applications[transition as usize] {
                self.applications[transition as usize] += 1;
                length += 1;
            }
        }
        length
    }

    fn reset(&mut self) {
        for fact in self.facts.drain(..) {
            self.wanted[fact as usize] = false;
        }
        for edge in self.edges.drain(..) {
            self.transitions[edge as usize] = NONE;
            self.first[edge as usize] = false;
        }
        for effect in self.effects.drain(..) {
            self.demand[effect as usize] = 0;
        }
        self.applications.clear();
    }

    /// A wanted fact of the latest layer there is.
    fn next_fact(&mut self) -> Option<u32> {
        while let Some(layer) = self.layers.last_mut() {
            if let Some(fact) = layer.pop() {
                return Some(fact);
            }
            let empty = self.layers.pop().expect("there is one");
            self.spare.push(empty);
        }
        None
    }

    fn want(&mut self, fact: u32, layer: u32) {
        if !std::mem::replace(&mut self.wanted[fact as usize], true) {
            self.facts.push(fact);
            if layer > 0 {
                while self.layers.len() <= layer as usize {
                    let layer = self.spare.pop().unwrap_or_default();
                    self.layers.push(layer);
                }
                self.layers[layer as usize].push(fact);
            }
        }
    }

    fn want_conditions(&mut self, task: &Task, growth: &Growth<'_>, operator: u32) {
        for &condition in task.conditions_of.row(operator as usize) {
            for &fact in growth.reasons(task, condition) {
                self.want(fact, growth.layer(fact));
            }
        }
    }

    /// The transition by which an edge is taken, with everything it needs.
    fn choose(&mut self, task: &Task, growth: &Growth<'_>, edge: u32) -> u32 {
        if self.transitions[edge as usize] != NONE {
            return self.transitions[edge as usize];
        }
        let is_broadcast_receiver = task.meetings[edge as usize] == Meeting::Partner && {
            let (first, end) = task.ports_of[edge as usize];
            (first..end).any(|port| {
                let port = task.ports[port as usize];
                !port.sends && task.broadcast[port.channel as usize]
            })
        };
        let partner = growth.partner(edge);
        // All receivers of a broadcast move in one transition.
        let shared =
            partner.filter(|_| is_broadcast_receiver).map(|sender| self.transitions[sender as usize]);
        let transition = match shared {
            Some(transition) if transition != NONE => transition,
            _ => {
                self.applications.push(0);
                self.applications.len() as u32 - 1
            }
        };
        self.include(task, growth, edge, transition);
        if let Some(partner) = partner {
            self.include(task, growth, partner, transition);
        }
        if let Meeting::Vector(vector) = task.meetings[edge as usize] {
            for &other in growth.participants(vector) {
                if task.processes[other as usize] != task.processes[edge as usize] {
                    self.include(task, growth, other, transition);
                }
            }
        }
        transition
    }

    fn include(&mut self, task: &Task, growth: &Growth<'_>, edge: u32, transition: u32) {
        if self.transitions[edge as usize] == NONE {
            self.transitions[edge as usize] = transition;
            self.edges.push(edge);
            self.first[edge as usize] = growth.is_enabled_at_once(task, edge);
        }
        self.want_conditions(task, growth, edge);
    }

    /// The edges of the solution that are possible at once.
    pub(super) fn first_edges(&self, mask: &mut EdgeMask) {
        for &edge in &self.edges {
            if self.first[edge as usize] {
                mask.insert(edge);
            }
        }
    }
}
