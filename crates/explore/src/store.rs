//! The store of symbolic states: passed and waiting states in one structure.
//!
//! Discrete parts are packed, and kept once each, together with a block that lists the states found with it. Zones are kept once each, too, in a pool. A state is an
//! index: queues hold indices, parents are indices, and the transition into a state is the number it had among its parent's successors, from which it can be
//! recomputed. A state that a new one covers is dropped: its zone is given back and it is never expanded, but its index stays, since a trace
//! may lead through it.
//!
//! A state can carry a payload, and the order that decides covering can look at it, see [`Covering`]. Without a payload, nothing is stored for it.

mod zones;

use crate::Explorer;
use crate::blocks::{Block, Rooms, STATES, Slot};
use crate::chunks::{Items, Rows};
use crate::covering::Covering;
use crate::diagonals::DiagonalRange;
use crate::packing::Packing;
use crate::probe::Probe;
use crate::state::SymbolicState;
use crate::table::Table;
use crate::wire::write_parts;
use crate::zone_abstraction::Subsumption;
use crate::zone_pool::{ZoneId, ZonePool};
use guidepost_answer::FULL;
use std::sync::Arc;
use zones::{Newcomer, outline_zones, scan};

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

/// States beyond which a store is full, as ids have 32 bits; some more have room before somebody looks.
const MOST_STATES: usize = STATES as usize - (1 << 24);

#[derive(Clone, Copy, Debug)]
struct Node<P> {
    discrete: u32,
    parent: u32,
    ordinal: u32,
    /// The zone; [`NONE`] if the state is covered.
    zone: u32,
    payload: P,
}

impl<P> Node<P> {
    #[inline]
    fn is_alive(&self) -> bool {
        self.zone != NONE
    }

    #[inline]
    fn zone(&self) -> ZoneId {
        debug_assert!(self.is_alive(), "covered states have no zone");
        ZoneId(self.zone)
    }

    #[inline]
    fn cover(&mut self) {
        debug_assert!(self.is_alive(), "a state is covered once");
        self.zone = NONE;
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
    /// Diagonals that are respected when zones are compared.
    diagonals: Arc<[DiagonalRange]>,
    /// By discrete part: its packed cells, then its block. Side by side, since who finds the one needs the other.
    parts: Rows<u32>,
    /// Words of packed cells.
    words: usize,
    table: Table,
    rooms: Rooms,
    nodes: Items<Node<P>>,
    /// How many states there may be before it is full.
    most_states: usize,
    zones: ZonePool,
    covered: u64,
    /// Stored zones that new ones were compared with; see [`Store::compared`].
    compared: u64,
    /// Those that the latest state dropped.
    dropped: Vec<StateId>,
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
    /// As with [`Replace::Except`], and no stored state covers it: it is made of stored states.
    Parts(StateId, StateId),
}

impl Replace<'_> {
    /// Whether the stored state with this number may cover the new one, and whether it may go.
    #[inline]
    fn allows(self, id: u32) -> (bool, bool) {
        match self {
            Replace::Covered => (true, true),
            Replace::Nothing => (true, false),
            Replace::Parts(first, past) => (false, id < first.0 || id >= past.0),
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
        let packing = explorer.packing();
        let probe = Probe::new(packing, covering.zones());
        Self {
            covering,
            diagonals: explorer.compared_diagonals(),
            parts: Rows::new(packing.words() + Block::WORDS),
            words: packing.words(),
            table: Table::new(),
            rooms: Rooms::new(),
            nodes: Items::new(),
            most_states: MOST_STATES,
            zones: ZonePool::new(),
            covered: 0,
            compared: 0,
            dropped: Vec::new(),
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
        self.nodes.len() == 0
    }

    /// The states that the one that was inserted last has dropped.
    #[inline]
    pub fn dropped(&self) -> &[StateId] {
        &self.dropped
    }

    /// How many stored states have been covered by later ones.
    pub fn covered(&self) -> u64 {
        self.covered
    }

    /// How many different discrete parts there are.
    pub fn discrete_states(&self) -> usize {
        self.parts.len()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.parts.bytes() + self.table.bytes() + self.rooms.bytes() + self.nodes.bytes() + self.zones.bytes()
    }

    /// Memory in use as limits see it: [`FULL`] when the store cannot tell more states apart, which is after 4 billion of them.
    pub fn demand(&self) -> usize {
        if self.nodes.len() > self.most_states { FULL } else { self.bytes() }
    }

    /// Whether a state still counts, that is, no later one covers it.
    #[inline]
    pub fn is_alive(&self, id: StateId) -> bool {
        self.nodes.get(id.index()).is_alive()
    }

    /// What a state carries.
    #[inline]
    pub fn payload(&self, id: StateId) -> &P {
        &self.nodes.get(id.index()).payload
    }

    /// What a state carries, to be changed.
    #[inline]
    pub fn payload_mut(&mut self, id: StateId) -> &mut P {
        &mut self.nodes.get_mut(id.index()).payload
    }

    /// The state it was reached from.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.nodes.get(id.index()).parent;
        (parent != NONE).then_some(StateId(parent))
    }

    /// The number of its discrete part; those are dense.
    #[inline]
    pub fn discrete(&self, id: StateId) -> u32 {
        self.nodes.get(id.index()).discrete
    }

    /// The states with the same discrete part that still count, in no particular order.
    #[inline]
    pub fn alongside(&self, id: StateId, found: &mut Vec<StateId>) {
        found.clear();
        found.extend(self.block(self.discrete(id)).slots(&self.rooms).map(|slot| StateId(slot.state)));
    }

    /// Whether no other state with the same discrete part still counts.
    #[inline]
    pub fn is_alone(&self, id: StateId) -> bool {
        self.block(self.discrete(id)).count() < 2
    }

    /// Its number among the successors of its parent.
    pub fn ordinal(&self, id: StateId) -> u32 {
        self.nodes.get(id.index()).ordinal
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
        let node = self.nodes.get(id.index());
        let part = self.parts.row(node.discrete as usize);
        explorer.load_source(
            |packing, cells| packing.unpack(&part[..self.words], cells),
            |zone| self.zones.matrix(node.zone()).widen_into(zone),
        );
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
        match self.place_for(probe, state, replace, &payload) {
            Err(by) => Inserted::Covered(by),
            Ok((discrete, zone)) => {
                let zone = self.zones.take(probe.zone(state), state.zone.dim(), zone);
                Inserted::New(self.push(discrete, zone, probe, state, parent, ordinal, payload))
            }
        }
    }

    /// As [`Store::insert_probed`]; a state that is new is [widened](SymbolicState::widen) before it is stored. It covers the same as before.
    pub fn insert_widened(
        &mut self,
        probe: &mut Probe,
        state: &mut SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        replace: Replace<'_>,
        payload: P,
    ) -> Inserted {
        debug_assert!(self.diagonals.is_empty() && self.covering.zones() == Subsumption::Alu);
        match self.place_for(probe, state, replace, &payload) {
            Err(by) => Inserted::Covered(by),
            Ok((discrete, mut zone)) => {
                if state.widen() {
                    probe.renew();
                    zone = self.zones.find(probe.zone(state));
                }
                let zone = self.zones.take(probe.zone(state), state.zone.dim(), zone);
                Inserted::New(self.push(discrete, zone, probe, state, parent, ordinal, payload))
            }
        }
    }

    /// Where a state belongs: the number of its discrete part, and of its zone if that is in the pool; or a stored state that covers it. Drops those that it covers.
    #[inline]
    fn place_for(
        &mut self,
        probe: &mut Probe,
        state: &SymbolicState,
        replace: Replace<'_>,
        payload: &P,
    ) -> Result<(u32, Option<ZoneId>), StateId> {
        debug_assert_eq!(state.zone.dim(), state.clocks.len(), "the zone is over the clocks that matter");
        self.dropped.clear();
        self.table.fetch(probe.hash());
        let zone = self.zones.find(probe.zone(state));
        let (parts, key) = (&self.parts, probe.key());
        let is_same = |part: u32| parts.row(part as usize).iter().zip(key).all(|(a, b)| a == b);
        let found = self.table.find(probe.hash(), is_same);
        let discrete = match found {
            Some(discrete) => {
                if let Some(by) = self.covering_state(discrete, zone, probe, state, replace, payload) {
                    return Err(StateId(by));
                }
                discrete
            }
            None => self.intern(probe.key(), probe.hash()),
        };
        // A zone that was dropped may have been the one that was found.
        Ok((discrete, zone.filter(|&zone| self.zones.is_used(zone))))
    }

    /// Appends a state as bytes, for [`Explorer::read_source`]; only its discrete part if it is covered.
    pub fn write(&self, id: StateId, out: &mut Vec<u8>) {
        let node = self.nodes.get(id.index());
        let zone = node.is_alive().then(|| self.zones.matrix(node.zone()));
        write_parts(&self.parts.row(node.discrete as usize)[..self.words], zone, out);
    }

    /// Stores a state as it was in another store, whatever covers it; `None` where it was covered there. The probe was set to it.
    pub fn restore(
        &mut self,
        probe: &mut Probe,
        state: Option<&SymbolicState>,
        parent: Option<StateId>,
        ordinal: u32,
        payload: P,
    ) -> StateId {
        let key = probe.key();
        let is_same = |part: u32| self.parts.row(part as usize).iter().zip(key).all(|(a, b)| a == b);
        let found = self.table.find(probe.hash(), is_same);
        let discrete = found.unwrap_or_else(|| self.intern(probe.key(), probe.hash()));
        let Some(state) = state else {
            let (id, parent) = (StateId(self.nodes.len() as u32), parent.map_or(NONE, |id| id.0));
            self.nodes.push(Node { discrete, parent, ordinal, zone: NONE, payload });
            self.covered += 1;
            return id;
        };
        let found = self.zones.find(probe.zone(state));
        let zone = self.zones.take(probe.zone(state), state.zone.dim(), found);
        self.push(discrete, zone, probe, state, parent, ordinal, payload)
    }

    fn intern(&mut self, key: &[u32], hash: u64) -> u32 {
        let discrete = self.parts.len() as u32;
        self.parts.push_joined(key, &Block::default().words());
        self.table.insert(hash, discrete);
        discrete
    }

    #[inline]
    fn block(&self, discrete: u32) -> Block {
        Block::read(*self.parts.row(discrete as usize).last_chunk().expect("every part has a block"))
    }

    #[inline]
    fn set_block(&mut self, discrete: u32, block: Block) {
        let words = self.parts.row_mut(discrete as usize).last_chunk_mut();
        *words.expect("every part has a block") = block.words();
    }

    /// A stored state that covers this one, whose zone has this number in the pool if it is there; drops those that it covers itself.
    ///
    /// One pass serves both: the cost is in fetching the stored zones. A state dropped before a covering one turns up is covered by that one as
    /// well, since both orders are transitive.
    fn covering_state(
        &mut self,
        discrete: u32,
        zone: Option<ZoneId>,
        probe: &mut Probe,
        state: &SymbolicState,
        replace: Replace<'_>,
        payload: &P,
    ) -> Option<u32> {
        let mut block = self.block(discrete);
        let before = block.count();
        self.compared += before as u64;
        let (covering, diagonals, dropped) = (&self.covering, &*self.diagonals, &mut self.dropped);
        let mut new = Newcomer { probe, state, zone, replace, payload, covering, diagonals, dropped };
        let covered = scan(&mut self.rooms, &mut self.zones, &mut block, &mut self.nodes, &mut new);
        if block.count() != before {
            self.covered += (before - block.count()) as u64;
            self.set_block(discrete, block);
        }
        covered
    }

    #[expect(clippy::too_many_arguments, reason = "all there is to know about a state")]
    fn push(
        &mut self,
        discrete: u32,
        zone: ZoneId,
        probe: &mut Probe,
        state: &SymbolicState,
        parent: Option<StateId>,
        ordinal: u32,
        payload: P,
    ) -> StateId {
        let id = u32::try_from(self.nodes.len()).expect("a search ends when its store is full");
        let mut block = self.block(discrete);
        if block.is_full() {
            block.grow(&mut self.rooms);
            if block.has_room_for_outlines() && !block.is_outlined() {
                outline_zones(&mut block, &mut self.rooms, &self.zones, probe, state);
            }
        }
        block.push(&mut self.rooms, Slot { zone, state: id }, || probe.outlines(state));
        self.set_block(discrete, block);
        let parent = parent.map_or(NONE, |id| id.0);
        self.nodes.push(Node { discrete, parent, ordinal, zone: zone.0, payload });
        debug_assert!(self.is_alive(StateId(id)));
        StateId(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_carry_nothing_need_no_room_for_it() {
        assert_eq!(size_of::<Node<()>>(), 16);
    }
}
