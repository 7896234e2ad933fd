//! The store of symbolic states: passed and waiting states in one structure.
//!
//! The discrete part of a state is packed and interned once; the zones found with it lie side by side in blocks. A state is an index: queues
//! hold indices, parents are indices, and the transition into a state is the number it had among its parent's successors, from which it can be
//! recomputed. A zone that a new one covers is dropped: its matrix is freed and it is never expanded, but its index stays, since a trace
//! may lead through it.
//!
//! A state can carry a payload, and the order that decides covering can look at it, see [`Covering`]. Without a payload, nothing is stored for it.

mod zones;

use crate::Explorer;
use crate::blocks::{Address, Arena, Block, END};
use crate::chunks::Rows;
use crate::covering::Covering;
use crate::matrix::{fits, narrow, widen};
use crate::packing::Packing;
use crate::probe::{Probe, hash_packed};
use crate::state::SymbolicState;
use crate::zone_abstraction::Subsumption;
use guidepost_answer::FULL;
use guidepost_zones::Bound;
use hashbrown::HashTable;
use zones::{Newcomer, append, grow, scan};

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
/// In [`Node::high`]: the state is covered and has no zone.
const COVERED: u16 = u16::MAX;

/// States beyond which a store is full, as ids have 32 bits; some more have room before somebody looks.
const MOST_STATES: usize = (1 << 32) - (1 << 24);

#[derive(Clone, Copy, Debug)]
struct Node<P> {
    discrete: u32,
    parent: u32,
    ordinal: u32,
    /// The address of the zone's slot, see [`Address::halves`].
    low: u32,
    high: u16,
    /// The zone is stored with 32-bit bounds.
    is_wide: bool,
    payload: P,
}

impl<P> Node<P> {
    #[inline]
    fn is_alive(&self) -> bool {
        self.high != COVERED
    }

    #[inline]
    fn zone(&self) -> Address {
        debug_assert!(self.is_alive(), "covered states have no zone");
        Address::from_halves(self.low, self.high)
    }

    #[inline]
    fn set_zone(&mut self, zone: Address) {
        (self.low, self.high) = zone.halves();
        debug_assert!(self.is_alive());
    }

    #[inline]
    fn cover(&mut self) {
        debug_assert!(self.is_alive(), "a state is covered once");
        self.high = COVERED;
    }
}

/// What became of a state that was to be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// This stored state covers it.
    Covered(StateId),
    /// It is new.
    New(StateId),
}

/// The store. Its states carry a `P`, and `C` decides which of them cover others.
pub struct Store<P = (), C = Subsumption> {
    covering: C,
    /// The packed discrete parts.
    packed: Rows<u64>,
    table: HashTable<u32>,
    /// By discrete part: the block of zones that grows.
    heads: Vec<Block>,
    /// Blocks further down in a list.
    blocks: Vec<Block>,
    /// The first of those that no list uses; the others follow.
    unused: u32,
    nodes: Vec<Node<P>>,
    /// How many states there may be before it is full.
    most_states: usize,
    narrow: Arena<i16>,
    wide: Arena<i32>,
    covered: u64,
    /// Stored zones that new ones were compared with; see [`Store::compared`].
    compared: u64,
    /// For states that come without one.
    probe: Option<Box<Probe>>,
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
    /// None: stored states are still needed.
    Nothing,
}

impl Replace<'_> {
    /// Whether the stored state with this number may cover the new one, and whether it may go.
    #[inline]
    fn allows(self, id: u32) -> (bool, bool) {
        match self {
            Replace::Covered => (true, true),
            Replace::Nothing => (true, false),
            Replace::Except(first, past) => (true, id < first.0 || id >= past.0),
            Replace::Deeper(depths, depth) => (depths[id as usize] <= depth, depths[id as usize] >= depth),
        }
    }
}

impl Store {
    /// An empty store for the states of an explorer, compared in its order.
    pub fn new(explorer: &Explorer<'_>) -> Self {
        Self::with_covering(explorer, explorer.abstraction().subsumption)
    }
}

impl<C: Covering<()>> Store<(), C> {
    /// Stores a state unless a stored one covers it.
    #[inline]
    pub fn insert(
        &mut self,
        packing: &Packing,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        replace: Replace<'_>,
    ) -> Inserted {
        self.insert_with(packing, state, parent, ordinal, replace, ())
    }
}

impl<P, C: Covering<P>> Store<P, C> {
    /// An empty store for the states of an explorer, compared in an order of one's own.
    pub fn with_covering(explorer: &Explorer<'_>, covering: C) -> Self {
        let probe = Probe::new(explorer.packing(), covering.zones());
        Self {
            covering,
            packed: Rows::new(explorer.packing().words()),
            table: HashTable::new(),
            heads: Vec::new(),
            blocks: Vec::new(),
            unused: END,
            nodes: Vec::new(),
            most_states: MOST_STATES,
            narrow: Arena::new(),
            wide: Arena::new(),
            covered: 0,
            compared: 0,
            probe: Some(Box::new(probe)),
        }
    }

    /// With how many stored zones new ones have been compared, in all; up to a block too many for each that was covered.
    pub fn compared(&self) -> u64 {
        self.compared
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
        self.packed.bytes()
            + self.table.capacity() * 5
            + (self.heads.capacity() + self.blocks.capacity()) * size_of::<Block>()
            + self.nodes.capacity() * size_of::<Node<P>>()
            + self.narrow.bytes()
            + self.wide.bytes()
    }

    /// Memory in use as limits see it: [`FULL`] when the store cannot tell more states apart, which is after 4 billion of them.
    pub fn demand(&self) -> usize {
        if self.nodes.len() > self.most_states { FULL } else { self.bytes() }
    }

    /// Whether a state still counts, that is, no later one covers it.
    #[inline]
    pub fn is_alive(&self, id: StateId) -> bool {
        self.nodes[id.index()].is_alive()
    }

    /// What a state carries.
    #[inline]
    pub fn payload(&self, id: StateId) -> &P {
        &self.nodes[id.index()].payload
    }

    /// What a state carries, to be changed.
    #[inline]
    pub fn payload_mut(&mut self, id: StateId) -> &mut P {
        &mut self.nodes[id.index()].payload
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
        self.nodes[id.index()].ordinal
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
        let node = &self.nodes[id.index()];
        let words = self.packed.row(node.discrete as usize);
        explorer.load_source(
            |packing, cells| packing.unpack(words, cells),
            |zone| {
                let dim = zone.dim();
                debug_assert_eq!(self.id_in_slot(id), id, "the slot is the state's own");
                if node.is_wide {
                    widen(self.wide.matrix(node.zone(), dim), zone);
                } else {
                    widen(self.narrow.matrix(node.zone(), dim), zone);
                }
            },
        );
    }

    /// The state whose number is in the slot of a state.
    fn id_in_slot(&self, id: StateId) -> StateId {
        let node = &self.nodes[id.index()];
        StateId(if node.is_wide { self.wide.id(node.zone()) } else { self.narrow.id(node.zone()) })
    }

    /// Stores a state that carries something, unless a stored one covers it.
    #[inline]
    pub fn insert_with(
        &mut self,
        packing: &Packing,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        replace: Replace<'_>,
        payload: P,
    ) -> Inserted {
        let mut probe = self.probe.take().expect("the probe is always put back");
        probe.set(packing, state);
        let inserted = self.insert_probed(&mut probe, state, parent, ordinal, replace, payload);
        self.probe = Some(probe);
        inserted
    }

    /// As [`Store::insert_with`], with a probe that was set to the state.
    pub fn insert_probed(
        &mut self,
        probe: &mut Probe,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        replace: Replace<'_>,
        payload: P,
    ) -> Inserted {
        debug_assert_eq!(state.zone.dim(), state.clocks.len(), "the zone is over the clocks that matter");
        let (packed, key) = (&self.packed, probe.key());
        let found = self.table.find(probe.hash(), |&id| packed.row(id as usize) == key).copied();
        let discrete = match found {
            Some(discrete) => {
                if let Some(by) = self.covering_state(discrete, probe, state, replace, &payload) {
                    return Inserted::Covered(StateId(by));
                }
                discrete
            }
            None => self.intern(probe.key(), probe.hash()),
        };
        Inserted::New(self.push(discrete, probe, state, parent, ordinal, payload))
    }

    fn intern(&mut self, key: &[u64], hash: u64) -> u32 {
        let discrete = self.heads.len() as u32;
        self.packed.push(key);
        self.heads.push(Block::empty(false, END));
        let packed = &self.packed;
        self.table.insert_unique(hash, discrete, |&id| hash_packed(packed.row(id as usize)));
        discrete
    }

    /// A stored state that covers this one; drops those that it covers itself.
    ///
    /// One pass serves both: the cost is in fetching the stored zones. A state dropped before a covering one turns up is covered by that one as
    /// well, since both orders are transitive.
    fn covering_state(
        &mut self,
        discrete: u32,
        probe: &mut Probe,
        state: &SymbolicState,
        replace: Replace<'_>,
        payload: &P,
    ) -> Option<u32> {
        probe.prepare(state);
        let (mut previous, mut at) = (END, END);
        let mut block = self.heads[discrete as usize];
        loop {
            let before = block.count;
            self.compared += u64::from(before);
            let nodes = &mut self.nodes;
            let mut new = Newcomer { probe: &mut *probe, state, replace, payload, covering: &self.covering };
            let covered = if block.is_wide() {
                scan(&mut self.wide, &mut block, nodes, &mut new)
            } else {
                scan(&mut self.narrow, &mut block, nodes, &mut new)
            };
            if block.count != before {
                self.covered += u64::from(before - block.count);
                if at == END {
                    self.heads[discrete as usize] = block;
                } else if block.count > 0 {
                    self.blocks[at as usize] = block;
                } else {
                    self.unlink(discrete, previous, at, state.zone.dim());
                    at = previous;
                }
            }
            if covered.is_some() || block.next == END {
                return covered;
            }
            previous = at;
            at = block.next;
            block = self.blocks[at as usize];
        }
    }

    /// Gives away a block without zones that follows `previous` ([`END`]: the head) in the list.
    fn unlink(&mut self, discrete: u32, previous: u32, at: u32, dim: usize) {
        let mut block = self.blocks[at as usize];
        self.release(&mut block, dim);
        if previous == END {
            self.heads[discrete as usize].next = block.next;
        } else {
            self.blocks[previous as usize].next = block.next;
        }
        self.blocks[at as usize] = Block::empty(false, self.unused);
        self.unused = at;
    }

    /// Moves a head down the list; says where it is.
    fn chain(&mut self, head: Block) -> u32 {
        if self.unused == END {
            self.blocks.push(head);
            return self.blocks.len() as u32 - 1;
        }
        let at = self.unused;
        self.unused = self.blocks[at as usize].next;
        self.blocks[at as usize] = head;
        at
    }

    fn push(
        &mut self,
        discrete: u32,
        probe: &mut Probe,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        payload: P,
    ) -> StateId {
        let id = StateId(u32::try_from(self.nodes.len()).expect("a search ends when its store is full"));
        let is_wide = !fits(state.zone.entries());
        let mut head = self.heads[discrete as usize];
        if head.is_wide() != is_wide || head.is_full() {
            head = self.with_room(head, is_wide, probe, state);
        }
        let zone = if is_wide {
            append(&mut self.wide, &mut head, probe, state, id, Bound::raw)
        } else {
            append(&mut self.narrow, &mut head, probe, state, id, narrow)
        };
        self.heads[discrete as usize] = head;
        let parent = parent.map_or(NONE, |id| id.0);
        let (low, high) = zone.halves();
        debug_assert!((discrete as usize) < self.heads.len());
        self.nodes.push(Node { discrete, parent, ordinal, low, high, is_wide, payload });
        debug_assert!(self.nodes[id.index()].is_alive());
        id
    }

    /// A head with room for one more zone: the present one made larger, one from further down the list, or a new one in front of it.
    fn with_room(
        &mut self,
        mut head: Block,
        is_wide: bool,
        probe: &mut Probe,
        state: &SymbolicState,
    ) -> Block {
        let dim = state.zone.dim();
        let fits_in = |block: &Block| block.is_wide() == is_wide && !block.is_full();
        let largest = if is_wide { Arena::<i32>::largest(dim) } else { Arena::<i16>::largest(dim) };
        let is_other = head.is_wide() != is_wide && head.count > 0;
        if head.count == 0 && head.is_wide() != is_wide {
            self.release(&mut head, dim);
            head = Block::empty(is_wide, head.next);
        } else if is_other || head.capacity() >= largest {
            let mut at = head.next;
            while at != END && !fits_in(&self.blocks[at as usize]) {
                at = self.blocks[at as usize].next;
            }
            if at == END {
                let next = self.chain(head);
                head = Block::empty(is_wide, next);
            } else {
                let other = &mut self.blocks[at as usize];
                std::mem::swap(&mut head, other);
                // Blocks change places, not their links.
                std::mem::swap(&mut head.next, &mut other.next);
                return head;
            }
        }
        if is_wide {
            grow(&mut self.wide, &mut head, &mut self.nodes, probe, state);
        } else {
            grow(&mut self.narrow, &mut head, &mut self.nodes, probe, state);
        }
        head
    }

    fn release(&mut self, block: &mut Block, dim: usize) {
        if block.is_wide() {
            self.wide.release(block, dim);
        } else {
            self.narrow.release(block, dim);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_carry_nothing_need_no_room_for_it() {
        assert_eq!(size_of::<Node<()>>(), 20);
    }
}
