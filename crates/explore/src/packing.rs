//! Discrete states in as few bits as their ranges need.
//!
//! A discrete state is one cell per process (its location) and one per variable, as the network's code sees it. Most cells have a
//! handful of values, and millions of states are stored, so each cell gets just enough bits, none of them across a word boundary.
//! `meta` variables are not part of a state's identity: they are left out, and start every transition with their initial value.

use guidepost_network::Network;

/// Where one cell lies in its word. A cell that is not stored has no bits there, and `base` is its value.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u32,
    mask: u32,
    base: i32,
}

impl Field {
    /// The bits of a value, in their place.
    #[inline]
    fn bits(self, value: i32) -> u32 {
        let bits = value.wrapping_sub(self.base) as u32;
        debug_assert!(bits <= self.mask || self.mask == 0, "the value fits its range");
        (bits & self.mask) << self.shift
    }
}

/// How discrete states are packed.
#[derive(Clone, Debug)]
pub struct Packing {
    /// By cell.
    fields: Vec<Field>,
    /// By word: the cell behind its last one.
    ends: Vec<usize>,
    initial: Vec<i32>,
}

impl Packing {
    /// The packing of a network's states.
    pub fn new(network: &Network) -> Self {
        let initial = network.initial_cells();
        let locations = network.processes.iter().map(|process| {
            let range = &process.locations;
            (range.start as i32, (range.end - range.start).saturating_sub(1), true)
        });
        let variables = network
            .variables
            .iter()
            .map(|variable| (variable.min, variable.max.wrapping_sub(variable.min) as u32, !variable.meta));
        let mut fields = Vec::new();
        let mut ends = Vec::new();
        let mut used = 0;
        for ((base, span, is_stored), &initial) in locations.chain(variables).zip(&initial) {
            let bits = u32::BITS - span.leading_zeros();
            if !is_stored || bits == 0 {
                fields.push(Field { shift: 0, mask: 0, base: initial });
                continue;
            }
            if used + bits > u32::BITS {
                ends.push(fields.len());
                used = 0;
            }
            fields.push(Field { shift: used, mask: u32::MAX >> (u32::BITS - bits), base });
            used += bits;
        }
        ends.push(fields.len());
        debug_assert_eq!(fields.len(), initial.len());
        Self { fields, ends, initial }
    }

    /// Words of one packed state; one at least.
    pub fn words(&self) -> usize {
        self.ends.len()
    }

    /// The cells of the initial state.
    pub fn initial(&self) -> &[i32] {
        &self.initial
    }

    /// Packs cells into words.
    #[inline]
    pub fn pack(&self, cells: &[i32], words: &mut [u32]) {
        debug_assert!(words.len() == self.words() && cells.len() == self.fields.len());
        // The cells of a word are neighbours.
        let mut start = 0;
        for (word, &end) in words.iter_mut().zip(&self.ends) {
            let fields = self.fields[start..end].iter().zip(&cells[start..end]);
            *word = fields.fold(0, |word, (field, &value)| word | field.bits(value));
            start = end;
        }
    }

    /// Unpacks words into cells; cells that are not stored get their initial value.
    #[inline]
    pub fn unpack(&self, words: &[u32], cells: &mut [i32]) {
        debug_assert!(words.len() == self.words() && cells.len() == self.fields.len());
        let mut start = 0;
        for (&word, &end) in words.iter().zip(&self.ends) {
            for (cell, field) in cells[start..end].iter_mut().zip(&self.fields[start..end]) {
                *cell = field.base.wrapping_add((word >> field.shift & field.mask) as i32);
            }
            start = end;
        }
    }
}
