//! Labels that are zones.
//!
//! To keep a *bad* zone out of a node's label, some constraints are added to it that the exact zone satisfies and nothing bad does: an
//! interpolant. They must follow from the parent's label. *Backwards*: what the transition leads from the parent to a violation of one of them is bad in the parent, and so on
//! up to the root, or until the label says enough. *Forwards*: the bad zone itself is pulled back up to the root or to a label that says enough; on the way down each label
//! gets an interpolant between what its parent's label leads to and what is bad. Backwards, labels contain what is needed where it was needed first; forwards, they
//! contain what follows from little.
//!
//! Constants of interpolants are those of bad zones, which come from the model: exact zones only say that a constraint can be used. So there are finitely many labels.

use crate::graph::{Graph, NONE};
use guidepost_zones::{Constraint, Zone};

/// Strengthening a label, and finding out what that demands of the one above, makes so many zones.
const STRENGTHENING: u64 = 8;

/// Labels that are zones.
pub(crate) struct ZoneLabels {
    forward: bool,
    /// Nodes whose label was strengthened.
    pub(crate) strengthened: Vec<u32>,
    pub(crate) rounds: u64,
    /// Entries of zones that were made on the way.
    pub(crate) entries: u64,
    reason: Vec<Constraint>,
}

impl ZoneLabels {
    pub(crate) fn new(forward: bool) -> Self {
        Self { forward, strengthened: Vec::new(), rounds: 0, entries: 0, reason: Vec::new() }
    }

    /// See [`Labels::disable`](crate::labels::Labels::disable).
    pub(crate) fn disable(&mut self, graph: &mut Graph, node: u32, constraints: &[Constraint]) {
        if let Some(bad) = graph.setting(node).restricted(constraints) {
            self.keep_out(graph, node, bad);
        }
    }

    /// See [`Labels::fit`](crate::labels::Labels::fit).
    pub(crate) fn fit(&mut self, graph: &mut Graph, node: u32, within: u32) -> bool {
        let mut demands = Vec::new();
        loop {
            graph.label_zone(within).minimal_form(&mut demands);
            for &demand in &demands {
                if !graph.label_zone(node).satisfies(demand) {
                    self.disable(graph, node, &[demand.negated()]);
                }
            }
            if graph.label_zone(node).is_subset(&graph.label_zone(within)) {
                return true;
            }
            // Among the labels that were strengthened was that of the other one, above the node.
            if !graph.exact(node).is_subset(&graph.label_zone(within)) {
                return false;
            }
        }
    }

    /// See [`Labels::pin`](crate::labels::Labels::pin).
    pub(crate) fn pin(&mut self, graph: &mut Graph, node: u32) {
        let mut demands = Vec::new();
        graph.exact(node).minimal_form(&mut demands);
        for demand in demands {
            if !graph.label_zone(node).satisfies(demand) {
                self.disable(graph, node, &[demand.negated()]);
            }
        }
        debug_assert!(graph.label_zone(node) == graph.exact(node));
    }

    fn keep_out(&mut self, graph: &mut Graph, node: u32, bad: Zone) {
        if !graph.label_zone(node).intersects(&bad) {
            return;
        }
        self.rounds += 1;
        if self.forward {
            self.keep_out_forwards(graph, node, bad);
        } else {
            self.keep_out_backwards(graph, node, bad);
        }
    }

    fn keep_out_backwards(&mut self, graph: &mut Graph, node: u32, bad: Zone) {
        let mut open = vec![(node, bad)];
        while let Some((node, bad)) = open.pop() {
            if !graph.label_zone(node).intersects(&bad) {
                continue;
            }
            let mut reason = std::mem::take(&mut self.reason);
            graph.exact(node).interpolant(&bad, &mut reason);
            self.strengthen(graph, node, &mut reason);
            let parent = graph.nodes[node as usize].parent;
            if parent != NONE {
                let (operation, target) = (graph.operation(node), graph.setting(node));
                let violations = reason.iter().filter_map(|c| target.restricted(&[c.negated()]));
                let source = graph.setting(parent);
                let before = violations.filter_map(|bad| operation.pre(bad, source, target));
                open.extend(before.map(|bad| (parent, bad)));
            }
            self.reason = reason;
        }
    }

    fn keep_out_forwards(&mut self, graph: &mut Graph, node: u32, bad: Zone) {
        let mut chain = vec![(node, bad)];
        while let Some((node, bad)) = chain.last() {
            let parent = graph.nodes[*node as usize].parent;
            if parent == NONE || !graph.label_zone(*node).intersects(bad) {
                break;
            }
            let operation = graph.operation(*node);
            match operation.pre(bad.clone(), graph.setting(parent), graph.setting(*node)) {
                Some(bad) => chain.push((parent, bad)),
                None => break,
            }
        }
        let mut led_to = Zone::zero(1);
        while let Some((node, bad)) = chain.pop() {
            if !graph.label_zone(node).intersects(&bad) {
                continue;
            }
            let parent = graph.nodes[node as usize].parent;
            let mut reason = std::mem::take(&mut self.reason);
            if parent == NONE {
                graph.exact(node).interpolant(&bad, &mut reason);
            } else {
                let from = graph.label_zone(parent).to_zone();
                let operation = graph.operation(node);
                let leads = operation.post(from, graph.setting(parent), graph.setting(node), &mut led_to);
                debug_assert!(leads, "the exact zone leads here");
                led_to.interpolant(&bad, &mut reason);
            }
            self.strengthen(graph, node, &mut reason);
            self.reason = reason;
        }
    }

    /// Adds constraints to a label; those that held before are taken out of the list.
    fn strengthen(&mut self, graph: &mut Graph, node: u32, constraints: &mut Vec<Constraint>) {
        let mut label = graph.label_zone(node).to_zone();
        self.entries += STRENGTHENING * label.entries().len() as u64;
        constraints.retain(|c| {
            let is_new = !label.satisfies(*c);
            let is_possible = label.constrain(c.left.into(), c.right.into(), c.bound);
            debug_assert!(is_possible, "the exact zone stays within the label");
            is_new
        });
        graph.set_label_zone(node, &label);
        self.strengthened.push(node);
    }
}
