//! Clock difference diagrams: unions of zones that share what they have in common.
//!
//! A diagram (Behrmann, Larsen, Weise, Pearson, Wang Yi 1999) is a decision diagram whose inner nodes ask for the difference of two clocks, or for a Boolean, and have one edge for each
//! interval of a partition of the numbers. Sets are diagrams with two leaves. Union, intersection and complement are what they are for BDDs, and equal diagrams are one node.
//!
//! # Partitions
//! A [`Bound`] `< c` or `<= c` cuts the numbers in two, and bounds are ordered: the partition of a node is the ascending list of the upper bounds of its intervals, the last of which is
//! infinity. Two partitions are joined by merging two lists, and there are no intervals to intersect. A Boolean is cut at `< 1`.
//!
//! # Levels
//! On every path, Booleans come first, then pairs of clocks `(i, j)`, `i < j`, by j and then i. A node of the pair asks for `x_j - x_i`; clock 0 is the constant zero.
//!
//! # What is canonical
//! Nodes are shared, no node has one child only, and neighbouring intervals have different children. That makes diagrams canonical as sets of *vectors of differences*, not as sets of
//! valuations: differences depend on each other, so that a path may contradict itself, and one set may have several diagrams. Questions about valuations
//! ([`Cdds::is_empty`], [`Cdds::includes_zone`]) carry a zone along the path. [`Cdds::reduce`] removes the paths that contradict themselves; after that an empty set is [`Cdd::FALSE`]
//! and the set of all valuations is [`Cdd::TRUE`].

mod logic;
mod zones;

use crate::bound::{Bound, Constraint};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A set, as a node of a [`Cdds`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cdd(u32);

impl Cdd {
    /// The empty set.
    pub const FALSE: Self = Self(0);
    /// All valuations.
    pub const TRUE: Self = Self(1);

    /// Is this a leaf?
    pub const fn is_leaf(self) -> bool {
        self.0 <= 1
    }
}

/// An interval of a node's partition, from the end of the one before to an upper bound, and what is left to ask there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Edge {
    upper: Bound,
    child: Cdd,
}

/// Where a node lies in the order of questions: smaller ones are nearer to the root.
type Level = u32;

/// The level of leaves.
const LEAF: Level = Level::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    level: Level,
    first: u32,
    len: u32,
}

/// Diagrams over the same Booleans and clocks, with all their nodes.
///
/// ```
/// use guidepost_zones::{Bound, Constraint, Zone, cdd::Cdds};
/// let between = |low: i32, high: i32| {
///     Zone::from_constraints(2, &[Constraint::new(0, 1, Bound::le(-low)), Constraint::new(1, 0, Bound::le(high))])
/// };
/// let mut cdds = Cdds::new(0, 2);
/// let (left, right) = (cdds.zone(&between(1, 3)), cdds.zone(&between(3, 6)));
/// let both = cdds.union(left, right);
/// assert_eq!(both, cdds.zone(&between(1, 6)));
/// assert!(cdds.includes_zone(both, &between(2, 5)));
/// ```
#[derive(Clone, Debug)]
pub struct Cdds {
    booleans: u32,
    dim: usize,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Numbers of nodes, by what they are.
    unique: HashTable<u32>,
    unions: FxHashMap<(Cdd, Cdd), Cdd>,
    intersections: FxHashMap<(Cdd, Cdd), Cdd>,
    complements: FxHashMap<Cdd, Cdd>,
}

/// What a level asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Boolean,
    /// `x_high - x_low`, with `low < high`.
    Difference {
        low: usize,
        high: usize,
    },
}

impl Cdds {
    /// No diagrams but the leaves yet, over some Booleans and clocks. `dim` counts the constant zero.
    pub fn new(booleans: usize, dim: usize) -> Self {
        let leaf = Node { level: LEAF, first: 0, len: 0 };
        Self {
            booleans: booleans as u32,
            dim,
            nodes: vec![leaf, leaf],
            edges: Vec::new(),
            unique: HashTable::new(),
            unions: FxHashMap::default(),
            intersections: FxHashMap::default(),
            complements: FxHashMap::default(),
        }
    }

    /// The number of clocks, the constant zero included.
    pub const fn dim(&self) -> usize {
        self.dim
    }

    /// Nodes that exist, in use or not, leaves included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Memory in use, in bytes, the tables of results not included.
    pub fn bytes(&self) -> usize {
        let table = self.unique.capacity() * (size_of::<u32>() + 1);
        self.nodes.capacity() * size_of::<Node>() + self.edges.capacity() * size_of::<Edge>() + table
    }

    /// Nodes that some diagrams consist of, leaves not included.
    pub fn size(&self, diagrams: &[Cdd]) -> usize {
        self.reachable(diagrams).iter().filter(|&&is_reachable| is_reachable).count()
    }

    /// The value of a Boolean.
    pub fn boolean(&mut self, number: usize, value: bool) -> Cdd {
        assert!(number < self.booleans as usize, "there is no such Boolean");
        let (no, yes) = if value { (Cdd::FALSE, Cdd::TRUE) } else { (Cdd::TRUE, Cdd::FALSE) };
        let edges = [Edge { upper: Bound::lt(1), child: no }, Edge { upper: Bound::INFINITY, child: yes }];
        self.node(number as Level, &edges)
    }

    /// Forgets all nodes that some diagrams do not consist of, and all results; the diagrams get new numbers.
    pub fn keep_only(&mut self, diagrams: &mut [Cdd]) {
        let is_kept = self.reachable(diagrams);
        let mut kept = Self::new(self.booleans as usize, self.dim);
        let mut numbers = vec![Cdd::FALSE; self.nodes.len()];
        numbers[Cdd::TRUE.0 as usize] = Cdd::TRUE;
        // Children are older than their parents.
        let mut edges = Vec::new();
        for number in (2..self.nodes.len()).filter(|&number| is_kept[number]) {
            let renumbered = |edge: &Edge| Edge { child: numbers[edge.child.0 as usize], ..*edge };
            edges.clear();
            edges.extend(self.edges(Cdd(number as u32)).iter().map(renumbered));
            numbers[number] = kept.node(self.nodes[number].level, &edges);
        }
        for diagram in diagrams {
            *diagram = numbers[diagram.0 as usize];
        }
        *self = kept;
    }

    /// By node: whether it is a part of some diagrams; leaves are not.
    fn reachable(&self, diagrams: &[Cdd]) -> Vec<bool> {
        let mut is_reachable = vec![false; self.nodes.len()];
        let mut open: Vec<Cdd> = diagrams.to_vec();
        while let Some(node) = open.pop() {
            if !node.is_leaf() && !std::mem::replace(&mut is_reachable[node.0 as usize], true) {
                open.extend(self.edges(node).iter().map(|edge| edge.child));
            }
        }
        is_reachable
    }

    fn level(&self, cdd: Cdd) -> Level {
        self.nodes[cdd.0 as usize].level
    }

    fn edges(&self, cdd: Cdd) -> &[Edge] {
        let Node { first, len, .. } = self.nodes[cdd.0 as usize];
        &self.edges[first as usize..(first + len) as usize]
    }

    /// The level of a pair of clocks.
    fn level_of(&self, low: usize, high: usize) -> Level {
        debug_assert!(low < high && high < self.dim);
        self.booleans + (high * (high - 1) / 2 + low) as Level
    }

    fn question(&self, level: Level) -> Question {
        let Some(pair) = level.checked_sub(self.booleans) else { return Question::Boolean };
        let mut high = 1;
        while high * (high + 1) / 2 <= pair as usize {
            high += 1;
        }
        Question::Difference { low: pair as usize - high * (high - 1) / 2, high }
    }

    /// The node with some edges: their upper bounds ascend, and the last is infinity. Neighbours with one child become one edge.
    fn node(&mut self, level: Level, edges: &[Edge]) -> Cdd {
        debug_assert!(edges.is_sorted_by(|a, b| a.upper < b.upper), "a partition");
        debug_assert!(edges.last().is_some_and(|edge| edge.upper.is_infinite()), "of all numbers");
        debug_assert!(edges.iter().all(|edge| self.level(edge.child) > level), "ordered");
        let first = self.edges.len();
        for (position, &edge) in edges.iter().enumerate() {
            if edges.get(position + 1).is_none_or(|next| next.child != edge.child) {
                self.edges.push(edge);
            }
        }
        let own = &self.edges[first..];
        if let [only] = own {
            let child = only.child;
            self.edges.truncate(first);
            return child;
        }
        let hash = hash(level, own);
        let is_same = |&number: &u32| {
            let node = self.nodes[number as usize];
            node.level == level && self.edges(Cdd(number)) == own
        };
        if let Some(&number) = self.unique.find(hash, is_same) {
            self.edges.truncate(first);
            return Cdd(number);
        }
        let number = u32::try_from(self.nodes.len()).expect("fewer nodes than numbers");
        self.nodes.push(Node { level, first: first as u32, len: own.len() as u32 });
        let Self { unique, nodes, edges, .. } = self;
        unique.insert_unique(hash, number, |&number| {
            let Node { level, first, len } = nodes[number as usize];
            self::hash(level, &edges[first as usize..(first + len) as usize])
        });
        Cdd(number)
    }
}

fn hash(level: Level, edges: &[Edge]) -> u64 {
    let mut hasher = FxHasher::default();
    level.hash(&mut hasher);
    for edge in edges {
        (edge.upper.raw(), edge.child.0).hash(&mut hasher);
    }
    hasher.finish()
}

/// The constraints of one interval of a difference: above the end of the one before, and below its own.
fn interval(low: usize, high: usize, after: Option<Bound>, upper: Bound) -> impl Iterator<Item = Constraint> {
    let above = after.map(|bound| Constraint::new(high, low, bound).negated());
    let below = (!upper.is_infinite()).then(|| Constraint::new(high, low, upper));
    above.into_iter().chain(below)
}
