//! Discrete states in as few bits as their ranges need.
//!
//! A discrete state is one cell per process (its location) and one per variable, as the network's code sees it. Most cells have a
//! handful of values, and millions of states are stored, so each cell gets just enough bits, none of them across a word boundary.
//! `meta` variables are not part of a state's identity: they are left out, and start every transition with their initial value.

use guidepost_network::Network;

/// Where one cell lies in the packed words.
#[derive(Clone, Copy, Debug)]
struct Field {
    cell: u32,
    word: u32,
    shift: u32,
    mask: u64,
    base: i32,
}

/// How discrete states are packed.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<Field>,
    words: usize,
    initial: Vec<i32>,
}

impl Packing {
    /// The packing of a network's states.
    pub fn new(network: &Network) -> Self {
        let locations = network.processes.iter().map(|process| {
            let range = &process.locations;
            (range.start as i32, u64::from(range.end - range.start).saturating_sub(1), true)
        });
        let variables = network.variables.iter().map(|variable| {
            (variable.min, (i64::from(variable.max) - i64::from(variable.min)) as u64, !variable.meta)
        });
        let mut fields = Vec::new();
        let (mut word, mut used) = (0, 0);
        for (cell, (base, span, stored)) in locations.chain(variables).enumerate() {
            let bits = u64::BITS - span.leading_zeros();
            if !stored || bits == 0 {
                continue;
            }
            if used + bits > u64::BITS {
                word += 1;
                used = 0;
            }
            fields.push(Field { cell: cell as u32, word, shift: used, mask: (1 << bits) - 1, base });
            used += bits;
        }
        let words = if fields.is_empty() { 0 } else { word as usize + 1 };
        Self { fields, words, initial: network.initial_cells() }
    }

    /// Words of one packed state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The cells of the initial state.
    pub fn initial(&self) -> &[i32] {
        &self.initial
    }

    /// Packs cells into words.
    #[inline]
    pub fn pack(&self, cells: &[i32], words: &mut [u64]) {
        debug_assert_eq!(words.len(), self.words);
        words.fill(0);
        for field in &self.fields {
            let value = i64::from(cells[field.cell as usize]) - i64::from(field.base);
            debug_assert!(value >= 0 && value as u64 <= field.mask, "the value fits its range");
            words[field.word as usize] |= (value as u64) << field.shift;
        }
    }

    /// Unpacks words into cells; cells that are not stored get their initial value.
    #[inline]
    pub fn unpack(&self, words: &[u64], cells: &mut [i32]) {
        cells.copy_from_slice(&self.initial);
        for field in &self.fields {
            let value = (words[field.word as usize] >> field.shift) & field.mask;
            cells[field.cell as usize] = (i64::from(field.base) + value as i64) as i32;
        }
    }
}
