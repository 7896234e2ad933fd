//! Whether a finished graph is a proof.
//!
//! It is one if its labels are *well* labels, whatever way they came about: the root contains the initial state; whatever happens to some valuation of an expanded node's label
//! leads into the label of a successor; the label of a covered node is within that of an expanded one in the same discrete state; and no label of an expanded node contains a goal. Then
//! every state that can be reached is in some label, by induction, and none is a goal.

use crate::expansion::Openings;
use crate::graph::NONE;
use crate::lazy::Builder;
use guidepost_explore::{Candidates, ClockDifference};
use guidepost_network::EdgeId;
use guidepost_zones::{Bound, Constraint};

impl Builder<'_> {
    /// Panics if the graph, in which nothing waits, is no proof.
    pub(crate) fn check(&mut self) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.graph.nodes.len()];
        for node in 0..self.graph.nodes.len() {
            let parent = self.graph.nodes[node].parent;
            if parent != NONE {
                children[parent as usize].push(node as u32);
            }
        }
        let mut candidates = Candidates::new(self.network);
        let mut openings = Openings::default();
        for node in 0..self.graph.nodes.len() as u32 {
            match self.graph.nodes[node as usize].coverer {
                NONE => {
                    self.check_goals(node);
                    self.check_steps(node, &children[node as usize], &mut candidates, &mut openings);
                }
                coverer => {
                    let is_expanded = self.graph.nodes[coverer as usize].coverer == NONE;
                    assert!(is_expanded, "who covers is expanded");
                    assert!(self.labels.fits(&self.graph, node, coverer), "who is covered fits");
                    assert!(children[node as usize].is_empty(), "who is covered is not expanded");
                }
            }
        }
    }

    fn check_goals(&self, node: u32) {
        let goals = self.graph.goals(self.graph.nodes[node as usize].part);
        if goals != NONE {
            for demanded in self.goals.demands(goals) {
                let constraints = self.constraints(node, demanded);
                assert!(self.labels.time.exclude(&self.graph, node, &constraints), "no goal in a label");
            }
        }
    }

    fn constraints(&self, node: u32, differences: &[ClockDifference]) -> Vec<Constraint> {
        let setting = self.graph.setting(node);
        differences.iter().map(|&difference| setting.constraint(difference)).collect()
    }

    fn check_steps(
        &mut self,
        node: u32,
        children: &[u32],
        candidates: &mut Candidates,
        openings: &mut Openings,
    ) {
        let found = self.find_openings(node, candidates, openings);
        assert!(found.is_ok(), "an expanded node does not fail");
        assert!(
            self.labels.next_strengthened().is_none(),
            "whatever it takes to find transitions has been done"
        );
        for (position, guard, _) in openings.iter() {
            self.check_step(node, candidates.get(position).edges, guard, children);
        }
    }

    /// Whether a transition leads from the label of a node into that of a successor, if anywhere.
    fn check_step(&mut self, node: u32, edges: &[EdgeId], guard: &[ClockDifference], children: &[u32]) {
        if !self.carry_predicates(node, edges) {
            return;
        }
        let constraints = self.constraints(node, guard);
        if self.labels.time.exclude(&self.graph, node, &constraints) {
            return;
        }
        self.moves.rewind();
        let arrived = self.moves.arrive(edges, |_, _| false);
        if !self.moves.tolerate(arrived, false).expect("the exact zone meets no error") {
            return;
        }
        for &(_, origin) in self.moves.lowered() {
            let place = self.graph.setting(node).place(origin.clock);
            if place != 0 {
                let negative = Constraint::new(place, 0, Bound::lt(-origin.offset));
                let constraints = [constraints.as_slice(), &[negative]].concat();
                assert!(
                    self.labels.time.exclude(&self.graph, node, &constraints),
                    "no clock becomes negative"
                );
            }
        }
        let (part, number) = self.arrival(node, edges, guard, false);
        let source = self.graph.setting(node);
        let target = self.graph.settings.get(self.graph.setting_number(part));
        let entry = self.graph.operations.get(number).entry(source, target);
        if entry.is_none_or(|entry| self.labels.time.exclude(&self.graph, node, &entry)) {
            return;
        }
        let child = children.iter().find(|&&child| {
            let operation = self.graph.operation(child);
            let is_same = *operation.edges == *edges && *operation.guard == *guard;
            is_same && self.graph.is_within(part, self.graph.nodes[child as usize].part)
        });
        let child = *child.expect("what happens to the label has a successor");
        assert!(
            self.labels.time.follows(&self.graph, child),
            "what happens to the label is in that of a successor"
        );
    }
}
