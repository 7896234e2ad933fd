//! The abstract reachability graph: a tree of nodes, some of which others cover.
//!
//! A node has a discrete state and two labels. The *exact* one is the zone that the path from the root leads to. The *coverage* label contains it and
//! stands for more: whatever is in it can do no more than its successors' labels say. A node whose exact zone lies within the
//! coverage label of another one, in the same discrete state, need not be expanded.
//!
//! There may be millions of nodes: they lie in a vector, zones in an arena, and lists are chained through the nodes.

use crate::arena::Arena;
use crate::operation::{Operation, Operations};
use crate::predicates::implies;
use crate::setting::{Setting, Settings};
use guidepost_explore::{Packing, hash_packed};
use guidepost_zones::{Bound, Zone, ZoneRef};
use hashbrown::HashTable;
use std::sync::Arc;

/// Stands for no node, or no label.
pub(crate) const NONE: u32 = u32::MAX;
/// Stands before a node that has not been expanded.
const UNEXPANDED: u32 = u32::MAX - 1;
/// Stands for goals that nobody has asked about.
pub(crate) const UNKNOWN: u32 = u32::MAX - 1;

/// How many nodes are looked at for one that is larger.
const PATIENCE: usize = 100;

/// A node. What it says about its coverage label is the business of whoever strengthens labels.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Its discrete state.
    pub(crate) part: u32,
    pub(crate) parent: u32,
    /// What leads from the parent to it.
    pub(crate) operation: u32,
    /// Its exact zone, in the arena.
    exact: u32,
    /// Its coverage label, in an arena; [`NONE`] while nothing is demanded of it.
    pub(crate) label: u32,
    /// Who covers it.
    pub(crate) coverer: u32,
    /// Whom it covers: the first, and for those who are covered, the next.
    first_covered: u32,
    next_covered: u32,
    /// The node of the same class that was expanded before it; [`UNEXPANDED`] while it has not been itself.
    expanded_before: u32,
    /// The node of the same class that was made before it.
    made_before: u32,
    pub(crate) depth: u32,
}

/// Discrete states.
struct Part {
    setting: u32,
    /// Which goals it may meet, as far as data say; [`NONE`]: none; [`UNKNOWN`] at first.
    goals: u32,
    /// Whom its nodes can be covered by: those of the same class.
    class: u32,
}

/// Discrete states whose nodes can cover each other.
#[derive(Clone)]
struct Class {
    last_made: u32,
    last_expanded: u32,
}

/// The graph.
pub(crate) struct Graph {
    packing: Arc<Packing>,
    /// By discrete state: packed cells, then a cube.
    words: Vec<u32>,
    table: HashTable<u32>,
    parts: Vec<Part>,
    classes: Vec<Class>,
    pub(crate) settings: Settings,
    pub(crate) operations: Operations,
    pub(crate) nodes: Vec<Node>,
    zones: Arena<Bound>,
    /// How many nodes are covered.
    pub(crate) covered: u64,
    packed: Vec<u32>,
}

impl Graph {
    /// Discrete states have cells, and beside them a cube of so many words.
    pub(crate) fn new(packing: Arc<Packing>, cube: usize) -> Self {
        let words = packing.words() + cube;
        Self {
            packing,
            words: Vec::new(),
            table: HashTable::new(),
            parts: Vec::new(),
            classes: Vec::new(),
            settings: Settings::default(),
            operations: Operations::default(),
            nodes: Vec::new(),
            zones: Arena::new(Bound::LE_ZERO),
            covered: 0,
            packed: vec![0; words],
        }
    }

    /// A graph with the same discrete states, settings and operations, and without nodes; its cubes have so many words, of which those here are the first.
    pub(crate) fn without_nodes(&self, cube: usize) -> Self {
        let mut graph = Self::new(Arc::clone(&self.packing), cube);
        graph.settings = self.settings.clone();
        graph.operations = self.operations.clone();
        for (number, part) in (0..).zip(&self.parts) {
            let known = self.packed(number);
            graph.packed.fill(0);
            graph.packed[..known.len()].copy_from_slice(known);
            graph.add_part(part.setting, Some(part.class));
            graph.set_goals(number, part.goals);
        }
        graph
    }

    /// The number of a discrete state, if it is known.
    pub(crate) fn find_part(&mut self, cells: &[i32], cube: &[u32]) -> Option<u32> {
        let (own, beside) = self.packed.split_at_mut(self.packing.words());
        self.packing.pack(cells, own);
        beside.copy_from_slice(cube);
        let (packed, words) = (&self.packed, &self.words);
        let is_it = |&part: &u32| words[part as usize * packed.len()..][..packed.len()] == packed[..];
        self.table.find(hash_packed(packed), is_it).copied()
    }

    /// Adds a discrete state that is not known, which [`Graph::find_part`] has just looked for. Without a class it gets one of its own.
    pub(crate) fn add_part(&mut self, setting: u32, class: Option<u32>) -> u32 {
        let number = self.parts.len() as u32;
        let length = self.packed.len();
        self.words.extend_from_slice(&self.packed);
        let words = &self.words;
        let hash = |&part: &u32| hash_packed(&words[part as usize * length..][..length]);
        self.table.insert_unique(hash_packed(&self.packed), number, hash);
        let class = class.unwrap_or(number);
        if class as usize >= self.classes.len() {
            self.classes.resize(class as usize + 1, Class { last_made: NONE, last_expanded: NONE });
        }
        self.parts.push(Part { setting, goals: UNKNOWN, class });
        number
    }

    /// What is known of predicates in a discrete state.
    #[inline]
    pub(crate) fn cube(&self, part: u32) -> &[u32] {
        &self.packed(part)[self.packing.words()..]
    }

    /// Whether the cube of a node says all that the cube of another one says.
    #[inline]
    pub(crate) fn implies(&self, node: u32, other: u32) -> bool {
        let part = |node: u32| self.nodes[node as usize].part;
        implies(self.cube(part(node)), self.cube(part(other)))
    }

    /// A discrete state as it is packed.
    #[inline]
    pub(crate) fn packed(&self, part: u32) -> &[u32] {
        let length = self.packed.len();
        &self.words[part as usize * length..][..length]
    }

    /// The cells of a discrete state.
    pub(crate) fn cells(&self, part: u32, cells: &mut [i32]) {
        self.packing.unpack(&self.packed(part)[..self.packing.words()], cells);
    }

    pub(crate) fn set_goals(&mut self, part: u32, goals: u32) {
        self.parts[part as usize].goals = goals;
    }

    /// Which goals a discrete state may meet.
    #[inline]
    pub(crate) fn goals(&self, part: u32) -> u32 {
        self.parts[part as usize].goals
    }

    pub(crate) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// The setting of a node.
    #[inline]
    pub(crate) fn setting(&self, node: u32) -> &Setting {
        self.settings.get(self.setting_number(self.nodes[node as usize].part))
    }

    #[inline]
    pub(crate) fn setting_number(&self, part: u32) -> u32 {
        self.parts[part as usize].setting
    }

    /// What leads from its parent to a node.
    #[inline]
    pub(crate) fn operation(&self, node: u32) -> &Operation {
        self.operations.get(self.nodes[node as usize].operation)
    }

    /// Adds a node that is neither covered nor expanded.
    pub(crate) fn add_node(&mut self, part: u32, parent: u32, operation: u32, exact: &Zone) -> u32 {
        let number = self.nodes.len() as u32;
        let depth = if parent == NONE { 0 } else { self.nodes[parent as usize].depth + 1 };
        let class = &mut self.classes[self.parts[part as usize].class as usize];
        let made_before = std::mem::replace(&mut class.last_made, number);
        self.nodes.push(Node {
            part,
            parent,
            operation,
            exact: self.zones.add(exact.entries()),
            label: NONE,
            coverer: NONE,
            first_covered: NONE,
            next_covered: NONE,
            expanded_before: UNEXPANDED,
            made_before,
            depth,
        });
        number
    }

    /// The exact zone of a node.
    #[inline]
    pub(crate) fn exact(&self, node: u32) -> ZoneRef<'_> {
        let dim = self.setting(node).dim();
        ZoneRef::from_entries(dim, self.zones.get(self.nodes[node as usize].exact, dim * dim))
    }

    /// The coverage label of a node, where it is a zone.
    #[inline]
    pub(crate) fn label_zone(&self, node: u32) -> ZoneRef<'_> {
        let setting = self.setting(node);
        match self.nodes[node as usize].label {
            NONE => setting.whole.view(),
            label => {
                let dim = setting.dim();
                ZoneRef::from_entries(dim, self.zones.get(label, dim * dim))
            }
        }
    }

    /// Overwrites the coverage label of a node, where it is a zone.
    pub(crate) fn set_label_zone(&mut self, node: u32, zone: &Zone) {
        match self.nodes[node as usize].label {
            NONE => self.nodes[node as usize].label = self.zones.add(zone.entries()),
            label => self.zones.get_mut(label, zone.entries().len()).copy_from_slice(zone.entries()),
        }
    }

    /// Lists a node as expanded.
    pub(crate) fn list_expanded(&mut self, node: u32) {
        let class = self.class(node);
        let last = &mut self.classes[class].last_expanded;
        self.nodes[node as usize].expanded_before = std::mem::replace(last, node);
    }

    /// Whether a node was expanded.
    pub(crate) fn is_expanded(&self, node: u32) -> bool {
        self.nodes[node as usize].expanded_before != UNEXPANDED
    }

    /// Whether a discrete state has the cells of another one, and its cube says all that the other's says.
    pub(crate) fn is_within(&self, part: u32, other: u32) -> bool {
        let cells = |part: u32| &self.packed(part)[..self.packing.words()];
        cells(part) == cells(other) && implies(self.cube(part), self.cube(other))
    }

    /// A node that waits, was made later in the same discrete state and has a larger exact zone.
    pub(crate) fn larger_waiting(&self, node: u32) -> Option<u32> {
        let exact = self.exact(node);
        let mut other = self.classes[self.class(node)].last_made;
        for _ in 0..PATIENCE {
            if other == node {
                break;
            }
            let Node { part, coverer, expanded_before, made_before, .. } = self.nodes[other as usize];
            let is_waiting = coverer == NONE && expanded_before == UNEXPANDED;
            if is_waiting && part == self.nodes[node as usize].part {
                let larger = self.exact(other);
                if exact.is_subset(&larger) && exact != larger {
                    return Some(other);
                }
            }
            other = made_before;
        }
        None
    }

    /// The class of a node: those whom it may cover or be covered by.
    pub(crate) fn class(&self, node: u32) -> usize {
        self.parts[self.nodes[node as usize].part as usize].class as usize
    }

    /// The node of the same class that was expanded last; [`NONE`]: none.
    #[inline]
    pub(crate) fn last_expanded(&self, node: u32) -> u32 {
        self.classes[self.class(node)].last_expanded
    }

    /// The one that was expanded before it.
    #[inline]
    pub(crate) fn expanded_before(&self, node: u32) -> u32 {
        self.nodes[node as usize].expanded_before
    }

    /// A node is covered by another one from now on.
    pub(crate) fn cover(&mut self, node: u32, by: u32) {
        debug_assert_eq!(self.nodes[node as usize].coverer, NONE);
        self.covered += 1;
        let first = std::mem::replace(&mut self.nodes[by as usize].first_covered, node);
        let covered = &mut self.nodes[node as usize];
        covered.coverer = by;
        covered.next_covered = first;
    }

    /// Takes those out of the list of whom a node covers that do not fit any more; they are not covered then.
    pub(crate) fn release(
        &mut self,
        coverer: u32,
        fits: impl Fn(&Graph, u32) -> bool,
        released: &mut Vec<u32>,
    ) {
        let mut next = std::mem::replace(&mut self.nodes[coverer as usize].first_covered, NONE);
        let mut kept = NONE;
        while next != NONE {
            let node = next;
            next = self.nodes[node as usize].next_covered;
            if fits(self, node) {
                self.nodes[node as usize].next_covered = kept;
                kept = node;
            } else {
                self.nodes[node as usize].coverer = NONE;
                self.covered -= 1;
                released.push(node);
            }
        }
        self.nodes[coverer as usize].first_covered = kept;
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>();
        let parts = self.parts.capacity() * size_of::<Part>() + 4 * self.words.capacity();
        let shared = self.settings.bytes() + self.operations.bytes();
        nodes + parts + 5 * self.table.capacity() + self.zones.bytes() + shared
    }

    /// Whether there are numbers for more.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() >= NONE as usize - 1 || self.zones.is_full()
    }
}
