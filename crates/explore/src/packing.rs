//! Discrete states in as few bits as their ranges need.
//!
//! A discrete state is one cell per process (its location) and one per variable, as the network's code sees it. Most cells have a
//! handful of values, and millions of states are stored, so each cell gets just enough bits, none of them across a word boundary.
//! `meta` variables are not part of a state's identity: they are left out, and start every transition with their initial value.

use guidepost_network::Network;

/// Where one cell lies in the packed words. A cell that is not stored has no bits there, and `base` is its value.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
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
    words: usize,
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
        let (mut word, mut used) = (0, 0);
        for ((base, span, is_stored), &initial) in locations.chain(variables).zip(&initial) {
            let bits = u32::BITS - span.leading_zeros();
            if !is_stored || bits == 0 {
                fields.push(Field { word: 0, shift: 0, mask: 0, base: initial });
                continue;
            }
            if used + bits > u32::BITS {
                word += 1;
                used = 0;
            }
            fields.push(Field { word, shift: used, mask: u32::MAX >> (u32::BITS - bits), base });
            used += bits;
        }
        debug_assert_eq!(fields.len(), initial.len());
        Self { fields, words: word as usize + 1, initial }
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
    pub fn pack(&self, cells: &[i32], words: &mut [u32]) {
        debug_assert!(words.len() == self.words && cells.len() == self.fields.len());
        words.fill(0);
        for (field, &value) in self.fields.iter().zip(cells) {
            words[field.word as usize] |= field.bits(value);
        }
    }

    /// Packs cells into words that are those of other cells: only what differs is touched.
    #[inline]
    pub(crate) fn repack(&self, before: &[i32], after: &[i32], words: &mut [u32]) {
        const GROUP: usize = 8;
        debug_assert!(words.len() == self.words && after.len() == self.fields.len());
        let mut exchange = |fields: &[Field], before: &[i32], after: &[i32]| {
            for (field, (&old, &new)) in fields.iter().zip(before.iter().zip(after)) {
                words[field.word as usize] ^= field.bits(old) ^ field.bits(new);
            }
        };
        let (olds, old_tail) = before.as_chunks::<GROUP>();
        let (news, new_tail) = after.as_chunks::<GROUP>();
        let (fields, field_tail) = self.fields.as_chunks::<GROUP>();
        for (fields, (old, new)) in fields.iter().zip(olds.iter().zip(news)) {
            if old != new {
                exchange(fields, old, new);
            }
        }
        exchange(field_tail, old_tail, new_tail);
    }

    /// Unpacks words into cells; cells that are not stored get their initial value.
    #[inline]
    pub fn unpack(&self, words: &[u32], cells: &mut [i32]) {
        debug_assert!(words.len() == self.words && cells.len() == self.fields.len());
        for (cell, field) in cells.iter_mut().zip(&self.fields) {
            let bits = words[field.word as usize] >> field.shift & field.mask;
            *cell = field.base.wrapping_add(bits as i32);
        }
    }
}
