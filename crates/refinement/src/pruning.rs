//! What is kept of a graph when a predicate has been learned.
//!
//! A run that is none is excluded by predicates that matter from some node of it on: before that node they say nothing. So the subtree behind the node before it is cut off, and everything else may
//! stay. What stays does not know the new predicates, and a cube that does not know a predicate stands for more: its nodes cover what they covered, and their successors were computed from more states than there are.
//! Only what depended on the subtree has to be looked at again: the node before it, which is expanded anew, and whoever was covered by a node that is gone or waits again.

use crate::graph::{Graph, NONE, Node};
use crate::labels::Labels;
use crate::lazy::Builder;
use crate::predicates::Predicates;
use guidepost_explore::ClockDifference;
use rustc_hash::FxHashMap;
use std::str::FromStr;

/// What is thrown away when something has been learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prune {
    /// The whole graph.
    #[default]
    Full,
    /// What is behind the first node that what was learned is about.
    Lazy,
}

impl FromStr for Prune {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "full" => Ok(Prune::Full),
            "lazy" => Ok(Prune::Lazy),
            _ => Err(()),
        }
    }
}

/// A graph without one of its subtrees.
pub(crate) struct Kept {
    graph: Graph,
    /// By node: whether it stays.
    stays: Vec<bool>,
    /// The node that is to be expanded anew.
    cut: u32,
    labels: Labels,
    classes: FxHashMap<Box<[i32]>, u32>,
    demands: Vec<Vec<Vec<ClockDifference>>>,
}

impl Builder<'_> {
    /// What is kept when all behind a node on the path to another one is cut off; the node has so many transitions before it.
    pub(crate) fn keep(self, end: u32, depth: u32) -> Kept {
        let graph = self.graph;
        let mut cut = end;
        while graph.nodes[cut as usize].depth > depth {
            cut = graph.nodes[cut as usize].parent;
        }
        let mut stays: Vec<bool> = Vec::with_capacity(graph.nodes.len());
        for node in &graph.nodes {
            // Parents come before their children.
            let above = node.parent;
            stays.push(above == NONE || above != cut && stays[above as usize]);
        }
        let (classes, demands) = (self.classes, self.goals.into_demands());
        Kept { graph, stays, cut, labels: self.labels.time, classes, demands }
    }

    /// Continues with what was kept of a graph with fewer predicates. Nothing has been built yet.
    pub(crate) fn resume(&mut self, kept: Kept) {
        let Kept { graph: old, stays, cut, labels, classes, demands } = kept;
        self.classes = classes;
        self.goals.set_demands(demands);
        let words = self.predicates.as_ref().map_or(0, Predicates::words);
        self.graph = old.without_nodes(words);
        self.nowhere = self.graph.settings.intern(self.network.clocks.len(), &[0], &[], true);
        let all: Vec<u32> = (0..old.nodes.len() as u32).filter(|&node| stays[node as usize]).collect();
        let mut numbers = vec![NONE; old.nodes.len()];
        for &node in &all {
            let Node { part, parent, operation, .. } = old.nodes[node as usize];
            let parent = if parent == NONE { NONE } else { numbers[parent as usize] };
            let own = self.graph.add_node(part, parent, operation, &old.exact(node).to_zone());
            self.labels.time.restore(&mut self.graph, own, &labels, &old, node);
            numbers[node as usize] = own;
        }
        for &node in all.iter().filter(|&&node| old.is_expanded(node) && node != cut) {
            self.labels.time.list_expanded(&mut self.graph, numbers[node as usize]);
        }
        while self.labels.next_strengthened().is_some() {}
        for node in all {
            let own = numbers[node as usize];
            let coverer = old.nodes[node as usize].coverer;
            let coverer = if coverer == NONE || coverer == cut { NONE } else { numbers[coverer as usize] };
            if coverer != NONE && self.labels.fits(&self.graph, own, coverer) {
                self.graph.cover(own, coverer);
            } else if !self.graph.is_expanded(own) {
                self.waiting.push(&self.graph, own);
            }
        }
    }
}
