//! An abstraction: boxes, the labels that lead from one to another, and splitting.
//!
//! Whether a label leads from one box to another is decided cell by cell: some pair of its relation leads from the values of the one to those of the other; where it is
//! of no concern, they have a value in common. So when a box is split along a cell, only that cell has to be looked at for each of its transitions.

use crate::factored::{Part, System};
use guidepost_abstraction::regression::mask;
use std::collections::VecDeque;

use super::UNREACHABLE;

/// A label that leads from or to another box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    pub(super) label: u32,
    pub(super) other: u32,
}

/// Where a box lies in the tree of splits.
#[derive(Clone, Debug)]
enum Node {
    Leaf(u32),
    /// States with one of these values of a cell are in the second branch.
    Split {
        cell: u32,
        values: Vec<u64>,
        branches: [u32; 2],
    },
}

/// An abstraction: boxes that have no state in common and contain all of them.
pub(super) struct Abstraction {
    /// By box: its values, one mask behind the other.
    boxes: Vec<Vec<u64>>,
    nodes: Vec<Node>,
    /// By box: its node.
    node_of: Vec<u32>,
    pub(super) outgoing: Vec<Vec<Arc>>,
    pub(super) incoming: Vec<Vec<Arc>>,
    /// By box: the labels that can be taken without leaving it.
    loops: Vec<Vec<u32>>,
    /// A box is a goal if it meets all parts of one of these.
    pub(super) goals: Vec<Vec<Part>>,
    pub(super) is_goal: Vec<bool>,
    arcs: usize,
    /// How often it was asked whether a label leads from one box to another.
    pub(super) asked: u64,
}

impl Abstraction {
    /// One box with everything in it.
    pub(super) fn new(system: &System, goals: Vec<Vec<Part>>) -> Self {
        let mut abstraction = Self {
            boxes: vec![system.everything()],
            nodes: vec![Node::Leaf(0)],
            node_of: vec![0],
            outgoing: vec![Vec::new()],
            incoming: vec![Vec::new()],
            loops: vec![(0..system.labels.len() as u32).collect()],
            is_goal: vec![false],
            goals,
            arcs: 0,
            asked: 0,
        };
        abstraction.is_goal[0] = abstraction.meets_goal(system, 0);
        abstraction
    }

    pub(super) fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        let width = self.boxes[0].len() * size_of::<u64>() + 128;
        self.len() * width
            + 2 * self.arcs * size_of::<Arc>()
            + self.loops.iter().map(Vec::len).sum::<usize>() * 4
    }

    /// The values of a box.
    pub(super) fn values(&self, state: u32) -> &[u64] {
        &self.boxes[state as usize]
    }

    /// The box of a state.
    pub(super) fn state_of(&self, numbers: &[u32]) -> u32 {
        let mut at = 0;
        loop {
            match &self.nodes[at as usize] {
                Node::Leaf(state) => return *state,
                Node::Split { cell, values, branches } => {
                    at = branches[usize::from(mask::has(values, numbers[*cell as usize] as usize))];
                }
            }
        }
    }

    /// Whether some box was split along a cell.
    pub(super) fn is_split_along(&self, wanted: u32) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Split { cell, .. } if *cell == wanted))
    }

    fn meets_goal(&self, system: &System, state: u32) -> bool {
        let meets =
            |(cell, wanted): &Part| !mask::is_disjoint(system.values(self.values(state), *cell), wanted);
        self.goals.iter().any(|goal| goal.iter().all(meets))
    }

    /// Whether a label leads from one box to another as far as one cell is concerned.
    fn leads(&self, system: &System, label: u32, cell: u32, from: u32, to: u32) -> bool {
        let from = system.values(self.values(from), cell);
        let to = system.values(self.values(to), cell);
        match system.labels[label as usize].relation(cell) {
            None => !mask::is_disjoint(from, to),
            Some(pairs) => pairs
                .iter()
                .any(|&(one, other)| mask::has(from, one as usize) && mask::has(to, other as usize)),
        }
    }

    /// Splits a box: those of its states with one of the values become a new box, whose number is handed over.
    pub(super) fn split(&mut self, system: &System, state: u32, cell: u32, values: &[u64]) -> u32 {
        let new = self.len() as u32;
        let mut inside = self.boxes[state as usize].clone();
        let words = system.words[cell as usize].clone();
        debug_assert!(mask::is_subset(values, &inside[words.clone()]), "a part of the box");
        for (word, values) in self.boxes[state as usize][words.clone()].iter_mut().zip(values) {
            *word &= !values;
        }
        inside[words].copy_from_slice(values);
        self.boxes.push(inside);
        let branches = [self.nodes.len() as u32, self.nodes.len() as u32 + 1];
        self.nodes.extend([Node::Leaf(state), Node::Leaf(new)]);
        self.nodes[self.node_of[state as usize] as usize] =
            Node::Split { cell, values: values.to_vec(), branches };
        self.node_of[state as usize] = branches[0];
        self.node_of.push(branches[1]);
        self.is_goal.push(false);
        for one in [state, new] {
            self.is_goal[one as usize] = self.meets_goal(system, one);
        }
        self.rewire(system, state, new, cell);
        new
    }

    fn rewire(&mut self, system: &System, state: u32, new: u32, cell: u32) {
        let incoming = std::mem::take(&mut self.incoming[state as usize]);
        let outgoing = std::mem::take(&mut self.outgoing[state as usize]);
        let loops = std::mem::take(&mut self.loops[state as usize]);
        self.incoming.push(Vec::new());
        self.outgoing.push(Vec::new());
        self.loops.push(Vec::new());
        self.arcs -= incoming.len() + outgoing.len();
        let mut others: Vec<u32> = incoming.iter().map(|arc| arc.other).collect();
        others.sort_unstable();
        others.dedup();
        for other in others {
            self.outgoing[other as usize].retain(|arc| arc.other != state);
        }
        let mut others: Vec<u32> = outgoing.iter().map(|arc| arc.other).collect();
        others.sort_unstable();
        others.dedup();
        for other in others {
            self.incoming[other as usize].retain(|arc| arc.other != state);
        }
        for Arc { label, other } in incoming {
            for to in [state, new] {
                self.connect(system, label, cell, other, to);
            }
        }
        for Arc { label, other } in outgoing {
            for from in [state, new] {
                self.connect(system, label, cell, from, other);
            }
        }
        for label in loops {
            for from in [state, new] {
                for to in [state, new] {
                    self.connect(system, label, cell, from, to);
                }
            }
        }
    }

    fn connect(&mut self, system: &System, label: u32, cell: u32, from: u32, to: u32) {
        self.asked += 1;
        if !self.leads(system, label, cell, from, to) {
            return;
        }
        if from == to {
            self.loops[from as usize].push(label);
            return;
        }
        self.outgoing[from as usize].push(Arc { label, other: to });
        self.incoming[to as usize].push(Arc { label, other: from });
        self.arcs += 1;
    }

    /// By box: how much the labels of a cheapest way to a goal cost, 0 or 1 each.
    pub(super) fn distances(&self, costs: &[u32]) -> Vec<u32> {
        let mut distances = vec![UNREACHABLE; self.len()];
        let mut queue = VecDeque::new();
        for state in (0..self.len() as u32).filter(|&state| self.is_goal[state as usize]) {
            distances[state as usize] = 0;
            queue.push_back((0, state));
        }
        while let Some((distance, state)) = queue.pop_front() {
            if distances[state as usize] < distance {
                continue;
            }
            for arc in &self.incoming[state as usize] {
                let cost = costs[arc.label as usize];
                if distances[arc.other as usize] > distance + cost {
                    distances[arc.other as usize] = distance + cost;
                    if cost == 0 {
                        queue.push_front((distance, arc.other));
                    } else {
                        queue.push_back((distance + cost, arc.other));
                    }
                }
            }
        }
        distances
    }

    /// By label: how much it has to cost for the distances to be what they are.
    pub(super) fn needed(&self, distances: &[u32]) -> Vec<u32> {
        let labels =
            self.loops.iter().flatten().copied().chain(self.outgoing.iter().flatten().map(|arc| arc.label));
        let mut needed = vec![0; labels.max().map_or(0, |label| label as usize + 1)];
        for (from, arcs) in self.outgoing.iter().enumerate() {
            for arc in arcs {
                let (before, after) = (distances[from], distances[arc.other as usize]);
                // What leads nowhere costs nothing: it is of no use anyway.
                if before != UNREACHABLE && after != UNREACHABLE {
                    let needed = &mut needed[arc.label as usize];
                    *needed = (*needed).max(before.saturating_sub(after));
                }
            }
        }
        needed
    }
}
