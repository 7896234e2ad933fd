//! Novelty: what no state has had before (Lipovetzky, Geffner: *Best-First Width Search*, 2017).
//!
//! The novelty of a state is 1 if some cell has a value that it had in no earlier state with the same estimate, 2 if that is true of the values of a pair of cells, and 3
//! otherwise. Searching by novelty first and by estimates second keeps a search from turning in circles where estimates do not change: there, a state that shows something new is
//! worth more than one that looks good.
//!
//! Pairs are looked at in networks of a few dozen cells only, and until they take too much memory.

use guidepost_answer::Estimate;
use rustc_hash::FxHashSet;
use std::hash::{Hash, Hasher};

/// More cells than this have too many pairs.
const CELLS_OF_PAIRS: usize = 32;
/// So many pairs are remembered.
const PAIRS: usize = 1 << 23;
/// A novelty counts for more than any estimate.
const WEIGHT: u64 = 1 << 44;

/// What has been seen.
#[derive(Default)]
pub(super) struct Novelty {
    /// Hashes of estimate, cell and value.
    values: FxHashSet<u64>,
    /// Hashes of estimate, two cells and their values.
    pairs: FxHashSet<u64>,
}

impl Novelty {
    /// How new a state with an estimate is, as a part of a priority; it is not new any more afterwards.
    pub(super) fn of(&mut self, cells: &[i32], estimate: Option<Estimate>) -> u64 {
        let mut is_new = false;
        for place in (0..).zip(cells) {
            is_new |= self.values.insert(hash(&(estimate, place)));
        }
        let mut has_new_pair = false;
        if cells.len() <= CELLS_OF_PAIRS && self.pairs.len() < PAIRS {
            for (first, one) in cells.iter().enumerate() {
                for (second, other) in cells.iter().enumerate().skip(first + 1) {
                    has_new_pair |= self.pairs.insert(hash(&(estimate, first, one, second, other)));
                }
            }
        }
        match (is_new, has_new_pair) {
            (true, _) => 0,
            (false, true) => WEIGHT,
            (false, false) => 2 * WEIGHT,
        }
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        (self.values.capacity() + self.pairs.capacity()) * (size_of::<u64>() + 1)
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
