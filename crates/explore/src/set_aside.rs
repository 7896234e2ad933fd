//! States that are set aside for later, as small as stored ones.
//!
//! A depth-first search has many states that wait beside its path. They are not known to be new, so they do not belong into the store yet.

use crate::Explorer;
use crate::matrix::{fits, narrow, widen};
use crate::packing::Packing;
use crate::state::SymbolicState;

/// States in the order in which they were set aside, each with a label.
pub struct SetAside<L> {
    /// Words of one packed discrete part.
    stride: usize,
    words: Vec<u64>,
    narrow: Vec<i16>,
    wide: Vec<i32>,
    states: Vec<Kept<L>>,
}

struct Kept<L> {
    /// Where its zone begins.
    start: usize,
    is_wide: bool,
    label: L,
}

impl<L: Copy> SetAside<L> {
    /// None, yet.
    pub fn new(packing: &Packing) -> Self {
        Self {
            stride: packing.words(),
            words: Vec::new(),
            narrow: Vec::new(),
            wide: Vec::new(),
            states: Vec::new(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Sets a state aside.
    pub fn push(&mut self, packing: &Packing, state: &SymbolicState, label: L) {
        let at = self.words.len();
        self.words.resize(at + self.stride, 0);
        packing.pack(&state.cells, &mut self.words[at..]);
        let entries = state.zone.entries();
        let is_wide = !fits(entries);
        let start = if is_wide { self.wide.len() } else { self.narrow.len() };
        if is_wide {
            self.wide.extend(entries.iter().map(|bound| bound.raw()));
        } else {
            self.narrow.extend(entries.iter().map(|&bound| narrow(bound)));
        }
        self.states.push(Kept { start, is_wide, label });
    }

    /// Loads one of them as the explorer's source.
    pub fn load(&self, position: usize, explorer: &mut Explorer<'_>) -> L {
        let Kept { start, is_wide, label } = self.states[position];
        let words = &self.words[position * self.stride..(position + 1) * self.stride];
        explorer.load_source(
            |packing, cells| packing.unpack(words, cells),
            |zone| {
                let end = start + zone.entries().len();
                if is_wide {
                    widen(&self.wide[start..end], zone);
                } else {
                    widen(&self.narrow[start..end], zone);
                }
            },
        );
        label
    }

    /// Loads the one that was set aside last, and forgets it.
    pub fn pop(&mut self, explorer: &mut Explorer<'_>) -> Option<L> {
        let last = self.states.len().checked_sub(1)?;
        let label = self.load(last, explorer);
        let Kept { start, is_wide, .. } = self.states.pop()?;
        self.words.truncate(last * self.stride);
        if is_wide {
            self.wide.truncate(start);
        } else {
            self.narrow.truncate(start);
        }
        debug_assert_eq!(self.words.len(), self.states.len() * self.stride);
        Some(label)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
            + self.narrow.capacity() * size_of::<i16>()
            + self.wide.capacity() * size_of::<i32>()
            + self.states.capacity() * size_of::<Kept<L>>()
    }
}
