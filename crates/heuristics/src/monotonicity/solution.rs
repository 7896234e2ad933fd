//! Reading a solution off the layers.

use super::growth::Growth;
use super::synchronisation::Meeting;
use super::task::Task;
use crate::EdgeMask;
use std::cmp::Reverse;

/// Explaining a fact, or including an edge, takes as long as looking at so many entries of a table.
const EXPLAINING: u64 = 8;

/// Work space, and the last solution.
pub(super) struct Solution {
    /// By fact: whether it is wanted.
    wanted: Vec<bool>,
    facts: Vec<u32>,
    /// By layer: wanted facts still to be explained.
    layers: Vec<Vec<u32>>,
    /// Empty layers, kept for their memory.
    spare: Vec<Vec<u32>>,
    /// By edge: the last layer in which it was chosen; layers count from 1.
    chosen: Vec<u32>,
    edges: Vec<u32>,
    /// The layer whose facts are in order.
    sorted: u32,
    /// Whether the values that effects are computed from are wanted, too.
    chases_operands: bool,
}

impl Solution {
    pub(super) fn new(task: &Task) -> Self {
        Self {
            wanted: vec![false; task.domains.facts()],
            facts: Vec::with_capacity(256),
            layers: Vec::new(),
            spare: Vec::new(),
            chosen: vec![0; task.edges],
            edges: Vec::with_capacity(256),
            sorted: u32::MAX,
            chases_operands: true,
        }
    }

    /// A solution that takes for granted the values that effects are computed from: it stays with what touches the goal directly.
    pub(super) fn direct(task: &Task) -> Self {
        Self { chases_operands: false, ..Self::new(task) }
    }

    /// The edges of the last solution.
    pub(super) fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// The number of transitions in a solution for the goal of an operator.
    ///
    /// From the last layer backwards, so that facts which one transition makes at the same time are explained together. A transition that is needed
    /// in several layers (`v := v + 1` has another effect each time) counts in each; so there are at least as many as there are layers.
    pub(super) fn extract(&mut self, task: &Task, growth: &mut Growth<'_>, goal: u32) -> u32 {
        self.reset();
        self.want_conditions(task, growth, goal);
        let mut length = 0;
        while let Some((fact, layer)) = self.next_fact(task, growth) {
            debug_assert_eq!(growth.layer(fact), layer, "a fact is explained in the layer where it comes up");
            let effect = growth.maker(fact).expect("only the facts of layer 0 hold from the start");
            if self.chases_operands {
                for &operand in growth.operands(task, fact, effect) {
                    self.want(operand, growth.layer(operand));
                }
            }
            length += u32::from(self.choose(task, growth, task.edge_of[effect as usize], layer));
        }
        growth.count(EXPLAINING * (self.facts.len() + self.edges.len()) as u64);
        length
    }

    fn reset(&mut self) {
        self.sorted = u32::MAX;
        for fact in self.facts.drain(..) {
            self.wanted[fact as usize] = false;
        }
        for edge in self.edges.drain(..) {
            self.chosen[edge as usize] = 0;
        }
    }

    /// A wanted fact of the latest layer there is. In every layer, edges that leave no choice of a partner come first: often one of them is the partner
    /// that another edge needs.
    fn next_fact(&mut self, task: &Task, growth: &Growth<'_>) -> Option<(u32, u32)> {
        while let Some(mut last) = self.layers.pop() {
            let layer = self.layers.len() as u32;
            if self.sorted != layer {
                self.sorted = layer;
                // Few facts, and no allocation; the fact itself makes the order unique.
                last.sort_unstable_by_key(|&fact| Reverse((partners_of(task, growth, fact, layer), fact)));
            }
            if let Some(fact) = last.pop() {
                self.layers.push(last);
                return Some((fact, layer));
            }
            self.spare.push(last);
        }
        None
    }

    fn want(&mut self, fact: u32, layer: u32) {
        if layer == 0 || std::mem::replace(&mut self.wanted[fact as usize], true) {
            return;
        }
        self.facts.push(fact);
        while self.layers.len() <= layer as usize {
            self.layers.push(self.spare.pop().unwrap_or_default());
        }
        self.layers[layer as usize].push(fact);
    }

    fn want_conditions(&mut self, task: &Task, growth: &Growth<'_>, operator: u32) {
        for &condition in task.conditions_of.row(operator as usize) {
            for &fact in growth.reasons(task, condition) {
                self.want(fact, growth.layer(fact));
            }
        }
    }

    /// Chooses the transition by which an edge is taken, with everything it needs; says whether it is another one than those chosen before.
    fn choose(&mut self, task: &Task, growth: &Growth<'_>, edge: u32, layer: u32) -> bool {
        if self.chosen[edge as usize] == layer {
            return false;
        }
        let partner = growth.easiest_partner(task, edge, layer);
        // All receivers of a broadcast move in one transition.
        let joins = partner.is_some_and(|sender| {
            task.meetings[sender as usize] == Meeting::Alone && self.chosen[sender as usize] == layer
        });
        self.include(task, growth, edge, layer);
        if let Some(partner) = partner {
            self.include(task, growth, partner, layer);
        }
        if let Meeting::Vector(vector) = task.meetings[edge as usize] {
            for &other in growth.participants(vector) {
                if task.processes[other as usize] != task.processes[edge as usize] {
                    self.include(task, growth, other, layer);
                }
            }
        }
        !joins
    }

    fn include(&mut self, task: &Task, growth: &Growth<'_>, edge: u32, layer: u32) {
        if self.chosen[edge as usize] == 0 {
            self.edges.push(edge);
        }
        self.chosen[edge as usize] = layer;
        self.want_conditions(task, growth, edge);
    }

    /// The edges of the solution that are possible at once.
    pub(super) fn first_edges(&self, task: &Task, growth: &Growth<'_>, mask: &mut EdgeMask) {
        for &edge in &self.edges {
            if growth.is_enabled_at_once(task, edge) {
                mask.insert(edge);
            }
        }
    }
}

/// How many edges could have been taken together with the one that made a fact.
fn partners_of(task: &Task, growth: &Growth<'_>, fact: u32, layer: u32) -> usize {
    let edge = growth.maker(fact).map(|effect| task.edge_of[effect as usize]);
    edge.map_or(0, |edge| growth.partners(task, edge, layer).count())
}
