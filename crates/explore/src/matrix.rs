//! Stored zones: matrices of 16-bit bounds where they fit, of 32-bit bounds where they do not.
//!
//! Bounds of most models fit into 16 bits, which halves the memory and doubles the bounds compared per instruction. Narrowing keeps the order: what is
//! too small becomes the smallest value (only queries have such entries), what is too large becomes infinity, and a zone with such
//! an entry is stored wide instead. Zones live in chunks that never move; the room of zones that became superfluous is used again.

use guidepost_zones::{Bound, Zone};

const CHUNK: usize = 1 << 18;

/// Infinity in 16 bits.
const NARROW_INFINITY: i16 = i16::MAX;

/// A value of a stored matrix.
pub(crate) trait Entry: Copy + PartialOrd + Default {
    /// The bound's packed form.
    fn raw(self) -> i32;
}

impl Entry for i16 {
    #[inline]
    fn raw(self) -> i32 {
        if self == NARROW_INFINITY { Bound::INFINITY.raw() } else { i32::from(self) }
    }
}

impl Entry for i32 {
    #[inline]
    fn raw(self) -> i32 {
        self
    }
}

/// Narrows a bound for comparison: keeps the order with every bound that fits.
///
/// A clamp on purpose: written as a comparison with infinity, the vectorised loop over a zone came out wrong at the optimisation level of the
/// test profile (infinity became 0), which the round-trip test below notices.
#[inline]
pub(crate) fn narrow(bound: Bound) -> i16 {
    bound.raw().clamp(i32::from(i16::MIN), i32::from(NARROW_INFINITY)) as i16
}

/// Whether narrowing a zone loses nothing.
#[inline]
pub(crate) fn fits(entries: &[Bound]) -> bool {
    let mut exact = true;
    for bound in entries {
        let raw = bound.raw();
        exact &= (raw > i32::from(i16::MIN) && raw < i32::from(NARROW_INFINITY)) | bound.is_infinite();
    }
    exact
}

/// Whether every entry of `query` is at most the one of `entries`.
#[inline]
pub(crate) fn all_at_most<T: Entry>(query: &[T], entries: &[T]) -> bool {
    const BLOCK: usize = 16;
    debug_assert_eq!(query.len(), entries.len());
    let mut blocks = query.chunks_exact(BLOCK);
    let mut others = entries.chunks_exact(BLOCK);
    for (a, b) in blocks.by_ref().zip(others.by_ref()) {
        let mut exceeds = false;
        for i in 0..BLOCK {
            exceeds |= a[i] > b[i];
        }
        if exceeds {
            return false;
        }
    }
    let mut exceeds = false;
    for (a, b) in blocks.remainder().iter().zip(others.remainder()) {
        exceeds |= a > b;
    }
    !exceeds
}

/// Below every demand, also after adding some `2 L`.
const NOTHING: i32 = i32::MIN / 2;

/// Whether a stored zone lies in aLU of another one. See `guidepost_zones::subsumption` for the theory; `thresholds` is a buffer.
///
/// Row by row, without branches inside a row: most zones are told apart in the first one or two.
pub(crate) fn is_below_alu<T: Entry>(
    stored: &[T],
    other: &[Bound],
    lower: &[i32],
    upper: &[i32],
    thresholds: &mut Vec<i32>,
) -> bool {
    let n = lower.len();
    thresholds.clear();
    thresholds.extend(stored[..n].iter().zip(upper).map(|(zero, &upper)| {
        let zero = zero.raw();
        let matters = upper >= 0 && zero > -2 * upper.max(0);
        if matters { (zero + 1) & !1 } else { NOTHING }
    }));
    let thresholds = thresholds.as_slice();
    for (y, &lower) in lower.iter().enumerate() {
        if lower < 0 {
            continue;
        }
        let (mine, theirs) = (&stored[y * n..(y + 1) * n], &other[y * n..(y + 1) * n]);
        let reach = 2 * lower;
        let mut exceeds = false;
        for ((mine, theirs), threshold) in mine.iter().zip(theirs).zip(thresholds) {
            // On the diagonal both entries are (<=, 0), and the demand is not above that.
            exceeds |= mine.raw().min(threshold + reach) > theirs.raw();
        }
        if exceeds {
            return false;
        }
    }
    true
}

/// Rooms for matrices of one entry type.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    chunks: Vec<Box<[T]>>,
    used: usize,
    /// Free rooms by dimension.
    free: Vec<Vec<u32>>,
}

impl<T: Entry> Arena<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), used: CHUNK, free: Vec::new() }
    }

    /// Whether there never was a matrix.
    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// A room for a matrix of the given dimension.
    pub(crate) fn allocate(&mut self, dim: usize) -> u32 {
        let size = dim * dim;
        assert!(size <= CHUNK, "zones have at most {CHUNK} entries");
        if let Some(address) = self.free.get_mut(dim).and_then(Vec::pop) {
            return address;
        }
        if self.used + size > CHUNK {
            self.chunks.push(vec![T::default(); CHUNK].into_boxed_slice());
            self.used = 0;
        }
        let address = (self.chunks.len() - 1) * CHUNK + self.used;
        self.used += size;
        u32::try_from(address).expect("the memory limit is reached before the address space ends")
    }

    pub(crate) fn release(&mut self, address: u32, dim: usize) {
        if self.free.len() <= dim {
            self.free.resize_with(dim + 1, Vec::new);
        }
        self.free[dim].push(address);
    }

    #[inline]
    pub(crate) fn get(&self, address: u32, dim: usize) -> &[T] {
        let (chunk, offset) = (address as usize / CHUNK, address as usize % CHUNK);
        &self.chunks[chunk][offset..offset + dim * dim]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, address: u32, dim: usize) -> &mut [T] {
        let (chunk, offset) = (address as usize / CHUNK, address as usize % CHUNK);
        &mut self.chunks[chunk][offset..offset + dim * dim]
    }

    pub(crate) fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(|list| list.capacity() * 4).sum();
        self.chunks.len() * CHUNK * size_of::<T>() + free
    }
}

/// Writes a stored matrix into a zone of the right dimension.
#[inline]
pub(crate) fn widen<T: Entry>(entries: &[T], zone: &mut Zone) {
    for (bound, entry) in zone.entries_mut().iter_mut().zip(entries) {
        *bound = Bound::from_raw(entry.raw());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long enough for vectorised loops, with every kind of value.
    fn bounds() -> Vec<Bound> {
        let finite = [-32767, -4096, -1, 0, 1, 7, 4096, 32766].map(Bound::from_raw);
        (0..64).map(|i| if i % 3 == 0 { Bound::INFINITY } else { finite[i % finite.len()] }).collect()
    }

    #[test]
    fn what_fits_survives_the_way_to_16_bits_and_back() {
        let mut zone = Zone::universe(8);
        zone.entries_mut().copy_from_slice(&bounds());
        let before = zone.entries().to_vec();
        assert!(fits(&before));
        let mut stored = vec![0i16; 64];
        for (to, &from) in stored.iter_mut().zip(&before) {
            *to = narrow(from);
        }
        widen(&stored, &mut zone);
        assert_eq!(zone.entries(), before);
    }

    #[test]
    fn what_does_not_fit_is_noticed_and_keeps_its_order() {
        for raw in [32767, 40000, 1 << 29, -32768, -40000] {
            assert!(!fits(&[Bound::from_raw(raw)]), "{raw}");
        }
        assert_eq!(narrow(Bound::from_raw(40000)), NARROW_INFINITY);
        assert_eq!(narrow(Bound::from_raw(-40000)), i16::MIN);
    }

    #[test]
    fn rooms_are_used_again() {
        let mut arena: Arena<i16> = Arena::new();
        let first = arena.allocate(5);
        let second = arena.allocate(5);
        assert_ne!(first, second);
        arena.release(first, 5);
        assert_eq!(arena.allocate(5), first);
        assert_ne!(arena.allocate(4), first);
    }
}
