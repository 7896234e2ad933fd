//! What was explored, as diagrams: one for each discrete state, or one for all.

use guidepost_explore::{Packing, SymbolicState, hash_packed};
use guidepost_network::Network;
use guidepost_zones::cdd::{Cdd, Cdds};
use hashbrown::HashTable;
use std::str::FromStr;

/// Nodes that are not in use are removed when there are so many times those in use,
const GROWTH: usize = 3;
/// and not before there are so many.
const FEW: usize = 1 << 12;

/// So many discrete states lie side by side.
const PIECE: usize = 256;

/// How the discrete part of states is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Discrete {
    /// In a table, with a diagram over clocks for each discrete state.
    #[default]
    Table,
    /// In the diagram itself: bits first, then clocks.
    Diagram,
}

impl FromStr for Discrete {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "table" => Ok(Self::Table),
            "diagram" => Ok(Self::Diagram),
            _ => Err(()),
        }
    }
}

/// The states that were explored, or will be.
pub(super) struct Passed {
    discrete: Discrete,
    reduce: bool,
    cdds: Cdds,
    /// Bits of a packed discrete state that say something: word and place.
    bits: Vec<(usize, u32)>,
    /// The packed discrete states, one behind the other in pieces that never move, and their numbers by hash.
    keys: Vec<Vec<u32>>,
    numbers: HashTable<u32>,
    /// By discrete state: its set; or the one set.
    sets: Vec<Cdd>,
    key: Vec<u32>,
    /// Nodes in use after the last removal.
    in_use: usize,
}

impl Passed {
    pub(super) fn new(network: &Network, packing: &Packing, discrete: Discrete, reduce: bool) -> Self {
        let bits: Vec<(usize, u32)> = match discrete {
            Discrete::Table => Vec::new(),
            Discrete::Diagram => packing.bits().collect(),
        };
        Self {
            discrete,
            reduce,
            cdds: Cdds::new(bits.len(), network.clocks.len().max(1)),
            bits,
            keys: Vec::new(),
            numbers: HashTable::new(),
            sets: if discrete == Discrete::Diagram { vec![Cdd::FALSE] } else { Vec::new() },
            key: vec![0; packing.words()],
            in_use: 0,
        }
    }

    /// Adds a state, unless all of it is there.
    ///
    /// Clocks are numbered as in the state: those that matter in its discrete state, so that all zones of one discrete state agree.
    pub(super) fn add(&mut self, packing: &Packing, state: &SymbolicState) -> bool {
        packing.pack(&state.cells, &mut self.key);
        let is_new = match self.discrete {
            Discrete::Table => self.add_to_table(state),
            Discrete::Diagram => self.add_to_diagram(state),
        };
        if is_new && self.cdds.node_count() > GROWTH * self.in_use + FEW {
            self.cdds.keep_only(&mut self.sets);
            self.in_use = self.cdds.node_count();
        }
        is_new
    }

    fn add_to_table(&mut self, state: &SymbolicState) -> bool {
        let number = self.number();
        if self.cdds.includes_zone(self.sets[number], &state.zone) {
            return false;
        }
        let zone = self.cdds.zone(&state.zone);
        let union = self.cdds.union(self.sets[number], zone);
        self.sets[number] = if self.reduce { self.cdds.reduce(union) } else { union };
        true
    }

    /// The number of the discrete state in `key`, perhaps a new one.
    fn number(&mut self) -> usize {
        let (key, keys) = (&self.key, &self.keys);
        let words = key.len();
        let at = |number: u32| &keys[number as usize / PIECE][number as usize % PIECE * words..][..words];
        let hash = hash_packed(key);
        if let Some(&number) = self.numbers.find(hash, |&number| at(number) == &key[..]) {
            return number as usize;
        }
        let number = self.sets.len() as u32;
        self.numbers.insert_unique(hash, number, |&number| hash_packed(at(number)));
        if self.sets.len().is_multiple_of(PIECE) {
            self.keys.push(Vec::with_capacity(PIECE * words));
        }
        self.keys[number as usize / PIECE].extend_from_slice(&self.key);
        self.sets.push(Cdd::FALSE);
        number as usize
    }

    fn add_to_diagram(&mut self, state: &SymbolicState) -> bool {
        let key = &self.key;
        let values: Vec<bool> = self.bits.iter().map(|&(word, place)| key[word] >> place & 1 == 1).collect();
        let known = self.cdds.given(self.sets[0], &values);
        if self.cdds.includes_zone(known, &state.zone) {
            return false;
        }
        let mut added = self.cdds.zone(&state.zone);
        // From the last bit to the first, so that each step adds one node above the others.
        for (number, &value) in values.iter().enumerate().rev() {
            let bit = self.cdds.boolean(number, value);
            added = self.cdds.intersection(bit, added);
        }
        self.sets[0] = self.cdds.union(self.sets[0], added);
        true
    }

    /// How many discrete states there are, as far as they are counted.
    pub(super) fn discrete_states(&self) -> usize {
        self.numbers.len()
    }

    /// How many nodes the sets consist of.
    pub(super) fn nodes(&self) -> usize {
        self.cdds.size(&self.sets)
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let keys = self.keys.len() * PIECE * size_of_val(&self.key[..])
            + self.numbers.capacity() * (size_of::<u32>() + 1);
        self.cdds.bytes() + keys + self.sets.capacity() * size_of::<Cdd>()
    }
}
