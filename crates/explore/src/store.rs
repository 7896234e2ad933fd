//! The store of symbolic states: passed and waiting states in one structure.
//!
//! The discrete part of a state is packed and interned once; the zones found with it hang off it in a list. A state is an index: queues
//! hold indices, parents are indices, and the transition into a state is the number it had among its parent's successors, from which it can be
//! recomputed. A zone that a new one covers is dropped: its matrix is freed and it is never expanded, but its index stays, since a trace
//! may lead through it.

use crate::Explorer;
use crate::matrix::{Arena, Entry, all_at_most, fits, is_below_alu, narrow, widen};
use crate::options::Subsumption;
use crate::packing::Packing;
use crate::state::SymbolicState;
use guidepost_zones::{Bound, alu_query};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A stored state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

const NONE: u32 = u32::MAX;
/// Set in [`Node::ordinal`]: the zone is stored with 32-bit bounds.
const WIDE: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
struct Node {
    discrete: u32,
    /// The next state with the same discrete part.
    next: u32,
    parent: u32,
    ordinal: u32,
    /// The zone's address; [`NONE`] once the state is covered.
    zone: u32,
}

/// What became of a state that was to be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// A stored state covers it.
    Covered,
    /// It is new.
    New(StateId),
}

/// The store.
pub struct Store {
    subsumption: Subsumption,
    words: usize,
    packed: Vec<u64>,
    table: HashTable<u32>,
    /// By discrete part: its first state, and the dimension of its zones.
    heads: Vec<(u32, u32)>,
    nodes: Vec<Node>,
    narrow: Arena<i16>,
    wide: Arena<i32>,
    covered: u64,
    // Buffers.
    key: Vec<u64>,
    query: Vec<Bound>,
    narrow_query: Vec<i16>,
    wide_query: Vec<i32>,
    thresholds: Vec<i32>,
}

/// Which stored states a new one may drop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replace<'d> {
    /// All that it covers.
    Covered,
    /// Only those before the first id (they have been expanded) and from the second on (they are as deep as the new one): a deeper state must not
    /// hide a shallower one when the shortest trace is wanted.
    Except(StateId, StateId),
    /// By the number of steps to the stored states, and to the new one: a stored state covers only what was reached with at least as many steps, and
    /// goes only if it was reached with at least as many as the new one.
    Deeper(&'d [u32], u32),
}

impl Store {
    /// An empty store for the states of an explorer.
    pub fn new(explorer: &Explorer<'_>) -> Self {
        Self {
            subsumption: explorer.abstraction().subsumption,
            words: explorer.packing().words(),
            packed: Vec::new(),
            table: HashTable::new(),
            heads: Vec::new(),
            nodes: Vec::new(),
            narrow: Arena::new(),
            wide: Arena::new(),
            covered: 0,
            key: vec![0; explorer.packing().words()],
            query: Vec::new(),
            narrow_query: Vec::new(),
            wide_query: Vec::new(),
            thresholds: Vec::new(),
        }
    }

    /// How many states were ever stored; ids are below this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was ever stored.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many stored states have been covered by later ones.
    pub fn covered(&self) -> u64 {
        self.covered
    }

    /// How many different discrete parts there are.
    pub fn discrete_states(&self) -> usize {
        self.heads.len()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.packed.capacity() * 8
            + self.table.capacity() * 5
            + self.heads.capacity() * 8
            + self.nodes.capacity() * size_of::<Node>()
            + self.narrow.bytes()
            + self.wide.bytes()
    }

    /// Whether a state still counts, that is, no later one covers it.
    #[inline]
    pub fn is_alive(&self, id: StateId) -> bool {
        self.nodes[id.index()].zone != NONE
    }

    /// The state it was reached from.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.nodes[id.index()].parent;
        (parent != NONE).then_some(StateId(parent))
    }

    /// The number of its discrete part; those are dense.
    #[inline]
    pub fn discrete(&self, id: StateId) -> u32 {
        self.nodes[id.index()].discrete
    }

    /// Its number among the successors of its parent.
    pub fn ordinal(&self, id: StateId) -> u32 {
        self.nodes[id.index()].ordinal & !WIDE
    }

    /// The way to a state: its number among the initial states, then at each step the number among the successors.
    pub fn ordinals(&self, id: StateId) -> Vec<u32> {
        let mut ordinals: Vec<u32> =
            std::iter::successors(Some(id), |&id| self.parent(id)).map(|id| self.ordinal(id)).collect();
        ordinals.reverse();
        ordinals
    }

    /// Loads a state as the explorer's source.
    #[inline]
    pub fn load(&self, id: StateId, explorer: &mut Explorer<'_>) {
        let node = self.nodes[id.index()];
        debug_assert!(node.zone != NONE, "covered states have no zone");
        let start = node.discrete as usize * self.words;
        let words = &self.packed[start..start + self.words];
        explorer.load_source(
            |packing, cells| packing.unpack(words, cells),
            |zone| {
                let dim = zone.dim();
                if node.ordinal & WIDE == 0 {
                    widen(self.narrow.get(node.zone, dim), zone);
                } else {
                    widen(self.wide.get(node.zone, dim), zone);
                }
            },
        );
    }

    /// Stores a state unless a stored one covers it.
    pub fn insert(
        &mut self,
        packing: &Packing,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        replace: Replace<'_>,
    ) -> Inserted {
        let mut key = std::mem::take(&mut self.key);
        packing.pack(&state.cells, &mut key);
        let inserted = self.insert_packed(&key, hash_packed(&key), state, parent, ordinal, replace);
        self.key = key;
        inserted
    }

    /// As [`Store::insert`], for a discrete part that has been packed and hashed (by [`hash_packed`]) already.
    pub fn insert_packed(
        &mut self,
        key: &[u64],
        hash: u64,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        replace: Replace<'_>,
    ) -> Inserted {
        let (words, packed) = (self.words, &self.packed);
        let found = self
            .table
            .find(hash, |&id| &packed[id as usize * words..(id as usize + 1) * words] == key)
            .copied();
        let dim = state.zone.dim();
        let discrete = match found {
            Some(discrete) => {
                if self.is_covered(discrete, state, replace) {
                    return Inserted::Covered;
                }
                discrete
            }
            None => self.intern(key, hash, dim),
        };
        let id = self.push(discrete, state, parent, ordinal);
        Inserted::New(id)
    }

    fn intern(&mut self, key: &[u64], hash: u64, dim: usize) -> u32 {
        let discrete = self.heads.len() as u32;
        self.packed.extend_from_slice(key);
        self.heads.push((NONE, dim as u32));
        let (words, packed) = (self.words, &self.packed);
        self.table.insert_unique(hash, discrete, |&id| {
            hash_packed(&packed[id as usize * words..(id as usize + 1) * words])
        });
        discrete
    }

    /// Whether a stored state covers this one; drops those that it covers itself.
    ///
    /// One pass serves both: the cost is in fetching the stored zones. A state dropped before a covering one turns up is covered by that one as
    /// well, since both orders are transitive.
    fn is_covered(&mut self, discrete: u32, state: &SymbolicState, replace: Replace<'_>) -> bool {
        let (head, dim) = self.heads[discrete as usize];
        let dim = dim as usize;
        debug_assert_eq!(dim, state.zone.dim(), "the clocks follow from the discrete part");
        if head == NONE {
            return false;
        }
        self.prepare_query(state);
        let (mut at, mut previous) = (head, NONE);
        while at != NONE {
            let node = self.nodes[at as usize];
            let covers = if node.ordinal & WIDE == 0 {
                all_at_most(&self.narrow_query, self.narrow.get(node.zone, dim))
            } else {
                all_at_most(&self.wide_query, self.wide.get(node.zone, dim))
            };
            let (may_cover, may_go) = match replace {
                Replace::Covered => (true, true),
                Replace::Except(first, end) => (true, at < first.0 || at >= end.0),
                Replace::Deeper(depths, depth) => {
                    (depths[at as usize] <= depth, depths[at as usize] >= depth)
                }
            };
            if covers && may_cover {
                return true;
            }
            if may_go && self.covers(state, node, dim) {
                self.remove(at, previous, discrete, dim);
            } else {
                previous = at;
            }
            at = node.next;
        }
        false
    }

    fn prepare_query(&mut self, state: &SymbolicState) {
        let size = state.zone.entries().len();
        self.query.clear();
        self.query.extend_from_slice(state.zone.entries());
        if self.subsumption == Subsumption::Alu {
            alu_query(&state.zone, state.bounds(), &mut self.query);
        }
        self.narrow_query.clear();
        self.narrow_query.extend(self.query.iter().map(|&bound| narrow(bound)));
        // Most stores never hold a wide zone.
        self.wide_query.clear();
        if !self.wide.is_empty() {
            self.wide_query.extend(self.query.iter().map(|&bound| bound.raw()));
        }
        debug_assert_eq!(self.narrow_query.len(), size);
    }

    /// Whether the new state covers a stored one.
    fn covers(&mut self, state: &SymbolicState, node: Node, dim: usize) -> bool {
        let entries = state.zone.entries();
        let (lower, upper, buffer) = (&state.lower, &state.upper, &mut self.thresholds);
        let is_wide = node.ordinal & WIDE != 0;
        match (self.subsumption, is_wide) {
            (Subsumption::Alu, false) => {
                is_below_alu(self.narrow.get(node.zone, dim), entries, lower, upper, buffer)
            }
            (Subsumption::Alu, true) => {
                is_below_alu(self.wide.get(node.zone, dim), entries, lower, upper, buffer)
            }
            (Subsumption::Inclusion, false) => {
                self.narrow.get(node.zone, dim).iter().zip(entries).all(|(old, new)| old.raw() <= new.raw())
            }
            (Subsumption::Inclusion, true) => {
                self.wide.get(node.zone, dim).iter().zip(entries).all(|(&old, new)| old <= new.raw())
            }
        }
    }

    fn remove(&mut self, at: u32, previous: u32, discrete: u32, dim: usize) {
        let node = self.nodes[at as usize];
        if previous == NONE {
            self.heads[discrete as usize].0 = node.next;
        } else {
            self.nodes[previous as usize].next = node.next;
        }
        if node.ordinal & WIDE == 0 {
            self.narrow.release(node.zone, dim);
        } else {
            self.wide.release(node.zone, dim);
        }
        self.nodes[at as usize].zone = NONE;
        self.covered += 1;
    }

    fn push(
        &mut self,
        discrete: u32,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
    ) -> StateId {
        let dim = state.zone.dim();
        let entries = state.zone.entries();
        let is_narrow = fits(entries);
        let zone = if is_narrow {
            let address = self.narrow.allocate(dim);
            for (to, &from) in self.narrow.get_mut(address, dim).iter_mut().zip(entries) {
                *to = narrow(from);
            }
            address
        } else {
            let address = self.wide.allocate(dim);
            for (to, from) in self.wide.get_mut(address, dim).iter_mut().zip(entries) {
                *to = from.raw();
            }
            address
        };
        let id = StateId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 states"));
        let head = &mut self.heads[discrete as usize].0;
        self.nodes.push(Node {
            discrete,
            next: *head,
            parent: parent.map_or(NONE, |id| id.0),
            ordinal: ordinal | if is_narrow { 0 } else { WIDE },
            zone,
        });
        *head = id.0;
        id
    }
}

/// The hash of a packed discrete part.
#[inline]
pub fn hash_packed(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in words {
        hasher.write_u64(word);
    }
    hasher.finish()
}
