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
    /// How far above its base a value can be.
    span: u32,
}

impl Field {
    /// Whether a value is in range.
    fn has_room_for(self, value: i32) -> bool {
        self.mask == 0 || value.wrapping_sub(self.base) as u32 <= self.mask
    }
}

/// One word: the cells in it are neighbours.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// The cell behind its last one.
    end: usize,
    /// What it would be if all cells were 0: the sum of all bases, in their places, is missing.
    offset: i32,
}

/// How discrete states are packed.
#[derive(Clone, Debug)]
pub struct Packing {
    /// By cell.
    fields: Vec<Field>,
    /// By cell: what it is multiplied by to be in its place.
    factors: Vec<i32>,
    words: Vec<Word>,
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
        let mut packing =
            Self { fields: Vec::new(), factors: Vec::new(), words: Vec::new(), initial: Vec::new() };
        let mut word = Word { end: 0, offset: 0 };
        let mut used = 0;
        for ((base, span, is_stored), &initial) in locations.chain(variables).zip(&initial) {
            let bits = u32::BITS - span.leading_zeros();
            if !is_stored || bits == 0 {
                packing.push(Field { shift: 0, mask: 0, base: initial, span: 0 }, 0);
                continue;
            }
            if used + bits > u32::BITS {
                packing.words.push(Word { end: packing.fields.len(), ..word });
                word.offset = 0;
                used = 0;
            }
            let factor = 1 << used;
            word.offset = word.offset.wrapping_sub(base.wrapping_mul(factor));
            packing.push(Field { shift: used, mask: u32::MAX >> (u32::BITS - bits), base, span }, factor);
            used += bits;
        }
        packing.words.push(Word { end: packing.fields.len(), ..word });
        debug_assert_eq!(packing.fields.len(), initial.len());
        packing.initial = initial;
        packing
    }

    fn push(&mut self, field: Field, factor: i32) {
        self.fields.push(field);
        self.factors.push(factor);
    }

    /// Words of one packed state; one at least.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// The bits of packed states that can be 1, in order: word and place.
    pub fn bits(&self) -> impl Iterator<Item = (usize, u32)> {
        let mut start = 0;
        self.words.iter().enumerate().flat_map(move |(word, &Word { end, .. })| {
            let fields = &self.fields[std::mem::replace(&mut start, end)..end];
            let used = fields.iter().fold(0, |used, field| used | field.mask << field.shift);
            (0..u32::BITS).filter(move |place| used >> place & 1 == 1).map(move |place| (word, place))
        })
    }

    /// The bits of each cell that is stored, in order: word and mask.
    pub fn cells(&self) -> impl Iterator<Item = (usize, u32)> {
        let mut start = 0;
        self.words.iter().enumerate().flat_map(move |(word, &Word { end, .. })| {
            let fields = &self.fields[std::mem::replace(&mut start, end)..end];
            fields.iter().filter(|field| field.mask != 0).map(move |field| (word, field.mask << field.shift))
        })
    }

    /// The cells of the initial state.
    pub fn initial(&self) -> &[i32] {
        &self.initial
    }

    /// Packs cells into words. The bits of a cell are its difference to its base, shifted; so a word is a sum of products, in which the bases can be left to the end.
    #[inline]
    pub fn pack(&self, cells: &[i32], words: &mut [u32]) {
        debug_assert!(words.len() == self.words() && cells.len() == self.fields.len());
        debug_assert!(self.fields.iter().zip(cells).all(|(field, &cell)| field.has_room_for(cell)));
        let mut start = 0;
        for (word, &Word { end, offset }) in words.iter_mut().zip(&self.words) {
            let products = self.factors[start..end].iter().zip(&cells[start..end]);
            let sum =
                products.fold(offset, |sum, (&factor, &cell)| sum.wrapping_add(cell.wrapping_mul(factor)));
            *word = sum as u32;
            start = end;
        }
    }

    /// Whether words can be a packed state: every value is in its range.
    pub fn may_be(&self, words: &[u32]) -> bool {
        let mut start = 0;
        words.len() == self.words()
            && words.iter().zip(&self.words).all(|(&word, &Word { end, .. })| {
                let fields = &self.fields[std::mem::replace(&mut start, end)..end];
                fields.iter().all(|field| word >> field.shift & field.mask <= field.span)
            })
    }

    /// Unpacks words into cells; cells that are not stored get their initial value.
    #[inline]
    pub fn unpack(&self, words: &[u32], cells: &mut [i32]) {
        debug_assert!(words.len() == self.words() && cells.len() == self.fields.len());
        let mut start = 0;
        for (&word, &Word { end, .. }) in words.iter().zip(&self.words) {
            for (cell, field) in cells[start..end].iter_mut().zip(&self.fields[start..end]) {
                *cell = field.base.wrapping_add((word >> field.shift & field.mask) as i32);
            }
            start = end;
        }
    }
}
