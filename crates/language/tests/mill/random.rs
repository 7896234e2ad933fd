//! Random numbers: Steele, Lea and Flood's `SplitMix64` (2014), small and the same everywhere.

/// A generator.
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// Starts from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        // Seeds are told apart by a round of their own: the plain states of two seeds would be one sequence, shifted.
        let state = Self { state: seed }.next();
        Self { state }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, or 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next() % limit as u64) as usize }
    }

    /// One of some things.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// `true` once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
