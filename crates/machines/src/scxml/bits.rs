//! Sets of states as words of bits; descendants are ranges.

use super::chart::StateId;
use std::ops::Range;

/// A set of states.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    pub(crate) fn new(states: usize) -> Self {
        Self(vec![0; states.div_ceil(64)].into())
    }

    pub(crate) fn contains(&self, state: StateId) -> bool {
        self.0[state.index() / 64] >> (state.0 % 64) & 1 == 1
    }

    /// Whether it is new.
    pub(crate) fn insert(&mut self, state: StateId) -> bool {
        let is_new = !self.contains(state);
        self.0[state.index() / 64] |= 1 << (state.0 % 64);
        is_new
    }

    pub(crate) fn remove(&mut self, state: StateId) {
        self.0[state.index() / 64] &= !(1 << (state.0 % 64));
    }

    /// The first element from a number on.
    pub(crate) fn next(&self, from: u32) -> Option<StateId> {
        let mut word = from as usize / 64;
        let mut bits = self.0.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.0.get(word)?;
        }
        Some(StateId(word as u32 * 64 + bits.trailing_zeros()))
    }

    /// The elements in a range, ascending.
    pub(crate) fn within(&self, range: Range<u32>) -> impl Iterator<Item = StateId> + '_ {
        let inside = move |state: &StateId| state.0 < range.end;
        std::iter::successors(self.next(range.start), |state| self.next(state.0 + 1)).take_while(inside)
    }

    pub(crate) fn meets(&self, range: Range<u32>) -> bool {
        self.next(range.start).is_some_and(|state| state.0 < range.end)
    }

    /// All elements, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = StateId> + '_ {
        self.within(0..u32::MAX)
    }

    pub(crate) fn unite(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.len() * 8
    }
}
