//! States out of turn, against plateaus.
//!
//! Where estimates are wrong, the best states are all in the same corner, and a greedy search looks at every one of them before it goes elsewhere. So now and then another state is
//! taken, at random:
//!
//! - **Type-based** (Xie, Müller, Holte, Imai 2014): every second state is any of any *type*, where c and h make the type. Types are equally likely, however many
//!   states they have, so that states with rare combinations get their turn.
//! - **Epsilon-greedy** (Valenzano, Sturtevant, Schaeffer, Xie 2014): with a small probability, any state that waits.

use crate::strategy::{Algorithm, Directed, Ties};
use guidepost_explore::StateId;
use guidepost_network::interpreter::Random;
use rustc_hash::FxHashMap;

/// What is drawn from a lot: one in so many.
const LOTS: u64 = 1 << 32;

/// The number of steps and the estimate, where they matter.
type Type = (u32, u32);

/// States by type, to be drawn at random.
pub(super) struct Chance {
    buckets: Vec<(Type, Vec<StateId>)>,
    /// By type: its bucket.
    types: FxHashMap<Type, usize>,
    /// How many states there are in all.
    states: usize,
    has_types: bool,
    /// How many of all lots win.
    winning: u64,
    random: Random,
}

impl Chance {
    /// `None` for searches that leave nothing to chance.
    pub(super) fn new(directed: &Directed) -> Option<Self> {
        let (has_types, probability) = match directed.algorithm {
            Algorithm::TypeBased => (true, 0.5),
            Algorithm::EpsilonGreedy(epsilon) => (false, epsilon),
            _ => return None,
        };
        let seed = if let Ties::Random(seed) = directed.ties { seed } else { 0 };
        Some(Self {
            buckets: Vec::new(),
            types: FxHashMap::default(),
            states: 0,
            has_types,
            winning: (probability * LOTS as f64) as u64,
            random: Random::new(seed),
        })
    }

    /// A state that waits.
    pub(super) fn push(&mut self, id: StateId, depth: u32, estimate: u32) {
        let key = if self.has_types { (depth, estimate) } else { (0, 0) };
        let next = self.buckets.len();
        let bucket = *self.types.entry(key).or_insert(next);
        if bucket == next {
            self.buckets.push((key, Vec::new()));
        }
        self.buckets[bucket].1.push(id);
        self.states += 1;
    }

    /// A state out of turn, if the lot says so; it may have had its turn before.
    pub(super) fn draw(&mut self) -> Option<StateId> {
        if self.random.next_bits() >> 32 >= self.winning || self.buckets.is_empty() {
            return None;
        }
        let bucket = self.below(self.buckets.len());
        let place = self.below(self.buckets[bucket].1.len());
        let id = self.buckets[bucket].1.swap_remove(place);
        self.states -= 1;
        if self.buckets[bucket].1.is_empty() {
            self.remove(bucket);
        }
        Some(id)
    }

    /// Removes a bucket that has become empty; the last one takes its place.
    fn remove(&mut self, bucket: usize) {
        let (key, _) = self.buckets.swap_remove(bucket);
        self.types.remove(&key);
        if let Some((moved, _)) = self.buckets.get(bucket) {
            self.types.insert(*moved, bucket);
        }
    }

    fn below(&mut self, end: usize) -> usize {
        (((self.random.next_bits() >> 32) * end as u64) >> 32) as usize
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.states * size_of::<StateId>() + self.buckets.len() * size_of::<(Type, Vec<StateId>)>()
    }
}
