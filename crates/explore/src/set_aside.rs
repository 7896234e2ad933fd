//! States that are set aside for later, as small as stored ones.
//!
//! A depth-first search has many states that wait beside its path. They are not known to be new, so they do not belong into the store yet.

use crate::Explorer;
use crate::chunks::{Pieces, Place, Rows};
use crate::matrix::{fits, narrow, widen};
use crate::packing::Packing;
use crate::state::SymbolicState;

/// States in the order in which they were set aside, each with a label.
pub struct SetAside<L> {
    /// The packed discrete parts.
    packed: Rows<u32>,
    narrow: Pieces<i16>,
    wide: Pieces<i32>,
    states: Rows<Kept<L>>,
    /// A discrete part that is being packed.
    words: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Kept<L> {
    /// Where its zone is.
    zone: Place,
    is_wide: bool,
    label: L,
}

impl<L: Copy> SetAside<L> {
    /// None, yet.
    pub fn new(packing: &Packing) -> Self {
        Self {
            packed: Rows::new(packing.words()),
            narrow: Pieces::new(),
            wide: Pieces::new(),
            states: Rows::new(1),
            words: vec![0; packing.words()],
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.len() == 0
    }

    /// Sets a state aside.
    pub fn push(&mut self, packing: &Packing, state: &SymbolicState, label: L) {
        packing.pack(&state.cells, &mut self.words);
        self.packed.push(&self.words);
        let entries = state.zone.entries();
        let is_wide = !fits(entries);
        let zone = if is_wide {
            self.wide.push(entries.iter().map(|bound| bound.raw()))
        } else {
            self.narrow.push(entries.iter().map(|&bound| narrow(bound)))
        };
        self.states.push(&[Kept { zone, is_wide, label }]);
    }

    /// Loads one of them as the explorer's source.
    pub fn load(&self, position: usize, explorer: &mut Explorer<'_>) -> L {
        let Kept { zone: place, is_wide, label } = self.states.row(position)[0];
        explorer.load_source(
            |packing, cells| packing.unpack(self.packed.row(position), cells),
            |zone| {
                let len = zone.entries().len();
                if is_wide {
                    widen(self.wide.get(place, len), zone);
                } else {
                    widen(self.narrow.get(place, len), zone);
                }
            },
        );
        label
    }

    /// Loads the one that was set aside last, and forgets it.
    pub fn pop(&mut self, explorer: &mut Explorer<'_>) -> Option<L> {
        let last = self.states.len().checked_sub(1)?;
        let label = self.load(last, explorer);
        let Kept { zone, is_wide, .. } = self.states.row(last)[0];
        self.states.pop();
        self.packed.pop();
        if is_wide {
            self.wide.pop(zone);
        } else {
            self.narrow.pop(zone);
        }
        Some(label)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.packed.bytes() + self.narrow.bytes() + self.wide.bytes() + self.states.bytes()
    }
}
