//! Coverage labels, and how they are strengthened.
//!
//! At first a label says nothing beyond the invariants. Two things demand more of it: a transition that the exact zone cannot take must be impossible
//! everywhere in the label ([`Labels::disable`]), and a node that another one is to cover must have a label within the other's ([`Labels::fit`]). Whatever is
//! added to a label must follow from the parent's, so demands go up the tree until they hold already. Three ways to do that, see [`Clocks`], each in a file of its own:
//!
//! - `zone_labels`: labels are zones, strengthened by interpolants that are found from the node to the root (`bw`) or from the root to the node (`fw`);
//! - `bound_labels`: labels are bounds L and U per clock (`lu`).
//!
//! `data_labels` does the same for data.

use crate::bound_classes::Hunt;
use crate::bound_labels::BoundLabels;
use crate::data_labels::DataLabels;
use crate::graph::{Graph, NONE};
use crate::zone_labels::ZoneLabels;
use guidepost_zones::{Constraint, LuBounds, Zone};
use std::str::FromStr;

/// How time is abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clocks {
    /// Zones, with interpolants from a node upwards.
    #[default]
    Backward,
    /// Zones, with interpolants from the root downwards.
    Forward,
    /// The largest constants that matter.
    Bounds,
}

impl FromStr for Clocks {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "bw" => Ok(Clocks::Backward),
            "fw" => Ok(Clocks::Forward),
            "lu" => Ok(Clocks::Bounds),
            _ => Err(()),
        }
    }
}

impl Clocks {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Clocks::Backward => "bw",
            Clocks::Forward => "fw",
            Clocks::Bounds => "lu",
        }
    }
}

/// Two places in a zone that showed that it is not within another one.
pub(crate) type Witness = (usize, usize);

/// The coverage labels of a graph: what they say about time, and about data unless they say everything.
pub(crate) struct Coverage<'n> {
    pub(crate) time: Labels,
    pub(crate) data: Option<DataLabels<'n>>,
    /// Discrete states of one class may differ in what is known of predicates.
    pub(crate) cubes: bool,
}

/// A way through those who may cover a node, the latest first: its label is the least likely to be strengthened by what is still to come.
pub(crate) struct Candidates {
    node: u32,
    way: Way,
    witness: Witness,
}

enum Way {
    /// Along the list of those of the class that are expanded; this one is next.
    List(u32),
    Sketches(Hunt),
}

impl Coverage<'_> {
    /// Begins to look for whoever may cover a node.
    pub(crate) fn candidates(&mut self, graph: &Graph, node: u32) -> Candidates {
        let way = match &mut self.time {
            Labels::Zones(_) => Way::List(graph.last_expanded(node)),
            Labels::Bounds(labels) => Way::Sketches(labels.hunt(graph, node)),
        };
        Candidates { node, way, witness: Witness::default() }
    }

    /// The next node whose label contains it.
    pub(crate) fn next_candidate(&mut self, graph: &Graph, candidates: &mut Candidates) -> Option<u32> {
        let Candidates { node, way, witness } = candidates;
        loop {
            let other = match (&mut self.time, &mut *way) {
                (Labels::Bounds(labels), Way::Sketches(hunt)) => labels.next(graph, *node, hunt)?,
                (_, Way::List(NONE)) => return None,
                (_, Way::List(next)) => {
                    let other = *next;
                    *next = graph.expanded_before(other);
                    other
                }
                (Labels::Zones(_), Way::Sketches(_)) => unreachable!("zones are looked at along the list"),
            };
            if self.may_cover(graph, *node, other, witness) {
                return Some(other);
            }
        }
    }

    /// Whether a node is within the label of another one of the same class. What showed that it was not within one label is looked at first with the next.
    #[inline]
    fn may_cover(&self, graph: &Graph, node: u32, by: u32, witness: &mut Witness) -> bool {
        let agrees = self.data.as_ref().is_none_or(|data| data.may_cover(graph, node, by));
        agrees && self.implies(graph, node, by) && self.time.may_cover(graph, node, by, witness)
    }

    /// Whether the label of a node is within that of another one of the same class.
    pub(crate) fn fits(&self, graph: &Graph, node: u32, within: u32) -> bool {
        let agrees = self.data.as_ref().is_none_or(|data| data.fits(graph, node, within));
        agrees && self.implies(graph, node, within) && self.time.fits(graph, node, within)
    }

    /// Whether what is known of predicates allows that a node is within another one.
    #[inline]
    fn implies(&self, graph: &Graph, node: u32, other: u32) -> bool {
        !self.cubes || graph.implies(node, other)
    }

    /// Strengthens the label of a node until it is within that of another one. `false`: that is not possible, because the other label was strengthened on the way.
    pub(crate) fn fit(&mut self, graph: &mut Graph, node: u32, within: u32) -> bool {
        let agrees = self.data.as_mut().is_none_or(|data| data.fit(graph, node, within));
        agrees && self.time.fit(graph, node, within)
    }

    /// A node whose label was strengthened since the last time.
    pub(crate) fn next_strengthened(&mut self) -> Option<u32> {
        let of_data = || self.data.as_mut().and_then(|data| data.strengthened.pop());
        self.time.strengthened().pop().or_else(of_data)
    }

    /// How often a label was strengthened.
    pub(crate) fn rounds(&self) -> u64 {
        self.time.rounds() + self.data.as_ref().map_or(0, |data| data.rounds)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.time.bytes() + self.data.as_ref().map_or(0, DataLabels::bytes)
    }
}

/// What coverage labels say about time.
pub(crate) enum Labels {
    Zones(ZoneLabels),
    Bounds(BoundLabels),
}

impl Labels {
    pub(crate) fn new(clocks: Clocks) -> Self {
        match clocks {
            Clocks::Backward => Labels::Zones(ZoneLabels::new(false)),
            Clocks::Forward => Labels::Zones(ZoneLabels::new(true)),
            Clocks::Bounds => Labels::Bounds(BoundLabels::new()),
        }
    }

    /// Whether the exact zone of a node is within the label of another one.
    #[inline]
    fn may_cover(&self, graph: &Graph, node: u32, by: u32, witness: &mut Witness) -> bool {
        let (exact, (x, y)) = (graph.exact(node), *witness);
        match self {
            Labels::Zones(_) => {
                let label = graph.label_zone(by);
                if exact.get(x, y) > label.get(x, y) {
                    return false;
                }
                if exact.is_subset(&label) {
                    return true;
                }
                let places = (0..exact.dim()).flat_map(|x| (0..exact.dim()).map(move |y| (x, y)));
                *witness = { places }.find(|&(x, y)| exact.get(x, y) > label.get(x, y)).unwrap_or_default();
                false
            }
            Labels::Bounds(labels) => labels.may_cover(graph, node, by, witness),
        }
    }

    /// Whether the label of a node is within that of another one.
    #[inline]
    pub(crate) fn fits(&self, graph: &Graph, node: u32, within: u32) -> bool {
        match self {
            Labels::Zones(_) => graph.label_zone(node).is_subset(&graph.label_zone(within)),
            Labels::Bounds(labels) => labels.fits(graph, node, within),
        }
    }

    /// Strengthens the label of a node until it is within that of another one. `false`: that is not possible, because the other label was strengthened on the way.
    pub(crate) fn fit(&mut self, graph: &mut Graph, node: u32, within: u32) -> bool {
        match self {
            Labels::Zones(labels) => labels.fit(graph, node, within),
            Labels::Bounds(labels) => labels.fit(graph, node, within),
        }
    }

    /// Whether no valuation of the label of a node satisfies all of some constraints, as far as the label itself shows that.
    pub(crate) fn exclude(&self, graph: &Graph, node: u32, constraints: &[Constraint]) -> bool {
        match self {
            Labels::Zones(_) => !graph.label_zone(node).to_zone().constrain_all(constraints),
            Labels::Bounds(labels) => labels.exclude(graph, node, constraints),
        }
    }

    /// Whether what leads to a node leads from the label of its parent into its own, as far as the labels themselves show that.
    pub(crate) fn follows(&self, graph: &Graph, node: u32) -> bool {
        match self {
            Labels::Zones(_) => {
                let parent = graph.nodes[node as usize].parent;
                let (source, target) = (graph.setting(parent), graph.setting(node));
                let (from, mut to) = (graph.label_zone(parent).to_zone(), Zone::zero(1));
                let leads = graph.operation(node).post(from, source, target, &mut to);
                !leads || to.is_subset(&graph.label_zone(node))
            }
            Labels::Bounds(labels) => labels.follows(graph, node),
        }
    }

    /// Strengthens the label of a node until no valuation satisfies all of some constraints. None of its exact zone does.
    pub(crate) fn disable(&mut self, graph: &mut Graph, node: u32, constraints: &[Constraint]) {
        match self {
            Labels::Zones(labels) => labels.disable(graph, node, constraints),
            Labels::Bounds(labels) => labels.disable(graph, node, constraints),
        }
    }

    /// Strengthens the label of a node until it says no more than the exact zone, as far as the constants of the model can tell.
    pub(crate) fn pin(&mut self, graph: &mut Graph, node: u32, constants: LuBounds<'_>) {
        match self {
            Labels::Zones(labels) => labels.pin(graph, node),
            Labels::Bounds(labels) => labels.raise(graph, node, constants.lower, constants.upper),
        }
    }

    /// Gives a new node the label that a node of another graph has there.
    pub(crate) fn restore(&mut self, graph: &mut Graph, node: u32, labels: &Labels, old: &Graph, was: u32) {
        match (self, labels) {
            (Labels::Bounds(own), Labels::Bounds(labels)) => own.restore(graph, node, labels, old, was),
            _ if old.nodes[was as usize].label == NONE => {}
            _ => graph.set_label_zone(node, &old.label_zone(was).to_zone()),
        }
    }

    /// Lists a node that is about to be expanded, and lets it learn from others of its class.
    pub(crate) fn list_expanded(&mut self, graph: &mut Graph, node: u32) {
        graph.list_expanded(node);
        if let Labels::Bounds(labels) = self {
            labels.list_expanded(graph, node);
        }
    }

    /// Marks the clocks that the label of a node says something about beyond the invariants.
    pub(crate) fn mark_clocks(&self, graph: &Graph, node: u32, marks: &mut [bool]) {
        let setting = graph.setting(node);
        let mut mark = |place: usize| marks[setting.clocks[place] as usize] = true;
        match self {
            Labels::Zones(_) => {
                let (label, whole) = (graph.label_zone(node), &setting.whole);
                for left in 0..label.dim() {
                    for right in 0..label.dim() {
                        if label.get(left, right) < whole.get(left, right) {
                            mark(left);
                            mark(right);
                        }
                    }
                }
            }
            Labels::Bounds(labels) => labels.bounded(graph, node).for_each(mark),
        }
    }

    /// Nodes whose label was strengthened since the last time.
    pub(crate) fn strengthened(&mut self) -> &mut Vec<u32> {
        match self {
            Labels::Zones(labels) => &mut labels.strengthened,
            Labels::Bounds(labels) => &mut labels.strengthened,
        }
    }

    /// How often a label was strengthened.
    pub(crate) fn rounds(&self) -> u64 {
        match self {
            Labels::Zones(labels) => labels.rounds,
            Labels::Bounds(labels) => labels.rounds,
        }
    }

    /// Entries of zones that were made to strengthen labels; bounds are made of fewer numbers than zones.
    pub(crate) fn entries(&self) -> u64 {
        match self {
            Labels::Zones(labels) => labels.entries,
            Labels::Bounds(labels) => labels.rounds,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Labels::Zones(_) => 0,
            Labels::Bounds(labels) => labels.bytes(),
        }
    }
}
