//! Stored zones: matrices of 16-bit bounds where they fit, of 32-bit bounds where they do not.
//!
//! Bounds of most models fit into 16 bits, which halves the memory and doubles the bounds compared per instruction. Narrowing keeps the order: what is
//! too small becomes the smallest value (only queries have such entries), what is too large becomes infinity, and a zone with such
//! an entry is stored wide instead.

#![allow(clippy::needless_bitwise_bool, reason = "comparisons without branches are what vector units can do")]

use guidepost_zones::{Bound, Zone};

/// Infinity in 16 bits.
const NARROW_INFINITY: i16 = i16::MAX;

/// A value of a stored matrix.
pub(crate) trait Entry: Copy + PartialOrd + Default {
    /// The bound's packed form.
    fn raw(self) -> i32;

    /// The hash of a matrix.
    fn hash(entries: &[Self]) -> u64;
}

impl Entry for i16 {
    #[inline]
    fn raw(self) -> i32 {
        if self == NARROW_INFINITY { Bound::INFINITY.raw() } else { i32::from(self) }
    }

    #[inline]
    fn hash(entries: &[Self]) -> u64 {
        let (words, tail) = entries.as_chunks::<4>();
        let word = |entries: &[i16; 4]| {
            let [a, b, c, d] = entries.map(|entry| u64::from(entry as u16));
            a | b << 16 | c << 32 | d << 48
        };
        let last = tail.iter().fold(1, |last, &entry| last << 16 | u64::from(entry as u16));
        hash_words(words, word, last)
    }
}

impl Entry for i32 {
    #[inline]
    fn raw(self) -> i32 {
        self
    }

    fn hash(entries: &[Self]) -> u64 {
        let (words, tail) = entries.as_chunks::<2>();
        let word = |&[a, b]: &[i32; 2]| u64::from(a as u32) | u64::from(b as u32) << 32;
        hash_words(words, word, tail.first().map_or(1, |&entry| u64::from(entry as u32) << 1))
    }
}

/// Every word is multiplied once; four chains, so that the processor need not wait for one product before the next.
#[inline]
fn hash_words<T>(words: &[T], word: impl Fn(&T) -> u64, last: u64) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let step = |chain: u64, turn: u32, next: &T| (chain.rotate_left(turn) ^ word(next)).wrapping_mul(FACTOR);
    let (mut even, mut odd) = (last, FACTOR);
    let (mut third, mut fourth) = (!FACTOR, FACTOR >> 1);
    let (blocks, rest) = words.as_chunks::<4>();
    for [a, b, c, d] in blocks {
        even = step(even, 23, a);
        odd = step(odd, 29, b);
        third = step(third, 31, c);
        fourth = step(fourth, 37, d);
    }
    for next in rest {
        (even, odd) = (step(odd, 23, next), even);
    }
    // The table looks at the highest and the lowest bits.
    let halves = (even ^ odd.rotate_left(32), third ^ fourth.rotate_left(32));
    let hash = (halves.0 ^ halves.1.rotate_left(17)).wrapping_mul(FACTOR);
    hash ^ hash >> 32
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

/// Whether every entry of `query` is at most the one of `entries`: block by block, the last one overlapping the one before.
#[inline]
pub(crate) fn all_at_most<T: Entry>(query: &[T], entries: &[T]) -> bool {
    const BLOCK: usize = 16;
    debug_assert_eq!(query.len(), entries.len());
    let exceeds = |a: &[T; BLOCK], b: &[T; BLOCK]| {
        let mut exceeds = false;
        for i in 0..BLOCK {
            exceeds |= a[i] > b[i];
        }
        exceeds
    };
    let (blocks, tail) = query.as_chunks();
    if blocks.iter().zip(entries.as_chunks().0).any(|(a, b)| exceeds(a, b)) {
        return false;
    }
    match (query.last_chunk(), entries.last_chunk()) {
        _ if tail.is_empty() => true,
        (Some(a), Some(b)) => !exceeds(a, b),
        _ => query.iter().zip(entries).fold(true, |below, (a, b)| below & (a <= b)),
    }
}

/// The new zone as [`is_below_alu`] sees it, turned around for stored zones of 16 bits.
///
/// Some demand of the stored zone D exceeds the new zone D' iff for some x and y
///
/// > D\[0]\[x] > -2 U_x  and  D\[y]\[x] > D'\[y]\[x]  and  even(D\[0]\[x]) + 2 L_y > D'\[y]\[x].
///
/// The first and the last bound D\[0]\[x] from below by numbers that do not depend on D. So one matrix of these numbers, computed once, leaves two
/// comparisons per entry for every stored zone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demands {
    /// By row y and column x: D\[0]\[x] must be above this, or the entry does not matter.
    cuts: Vec<i16>,
    dim: usize,
    /// The row in which the last stored zone with many clocks exceeded the new one: the next one often exceeds it there, too.
    telling: usize,
}

impl Demands {
    /// Prepares for a new zone.
    pub(crate) fn set(&mut self, new: &[Bound], lower: &[i32], upper: &[i32]) {
        self.dim = lower.len();
        self.cuts.clear();
        for (row, &lower) in new.chunks_exact(self.dim).zip(lower) {
            let cut = |(bound, &upper): (&Bound, &i32)| {
                // even(z) > l iff z > l without its last bit.
                let reached = bound.raw().wrapping_sub(lower.wrapping_mul(2)) & !1;
                let matters = (lower >= 0) & (upper >= 0) & !bound.is_infinite();
                let cut = reached.max(upper.wrapping_mul(-2));
                // Stored bounds are above the least value, so cutting there or below it is the same.
                let cut = cut.clamp(i32::from(i16::MIN), i32::from(NARROW_INFINITY)) as i16;
                if matters { cut } else { NARROW_INFINITY }
            };
            self.cuts.extend(row.iter().zip(upper).map(cut));
        }
    }

    /// Whether a stored zone lies in aLU of the new one, whose narrowed entries must have lost nothing.
    #[inline]
    pub(crate) fn is_below(&mut self, stored: &[i16], new: &[i16]) -> bool {
        // Compiled once for each small dimension, which leaves straight code per row.
        match self.dim {
            2 => is_below(2, stored, new, &self.cuts),
            3 => is_below(3, stored, new, &self.cuts),
            4 => is_below(4, stored, new, &self.cuts),
            5 => is_below(5, stored, new, &self.cuts),
            6 => is_below(6, stored, new, &self.cuts),
            7 => is_below(7, stored, new, &self.cuts),
            8 => is_below(8, stored, new, &self.cuts),
            9 => is_below(9, stored, new, &self.cuts),
            10 => is_below(10, stored, new, &self.cuts),
            11 => is_below(11, stored, new, &self.cuts),
            12 => is_below(12, stored, new, &self.cuts),
            _ => self.is_large_below(stored, new),
        }
    }

    /// As [`Demands::is_below`], beginning with the row that told the last zone apart.
    fn is_large_below(&mut self, stored: &[i16], new: &[i16]) -> bool {
        let n = self.dim;
        let exceeds = |row: usize| {
            let row = row * n..(row + 1) * n;
            row_exceeds::<8>(&stored[..n], &stored[row.clone()], &new[row.clone()], &self.cuts[row])
        };
        let telling = self.telling.min(n - 1);
        match (telling..n).chain(0..telling).find(|&row| exceeds(row)) {
            Some(row) => {
                self.telling = row;
                false
            }
            None => true,
        }
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once per small dimension")]
fn is_below(n: usize, stored: &[i16], new: &[i16], cuts: &[i16]) -> bool {
    debug_assert!(stored.len() == n * n && new.len() == n * n && cuts.len() == n * n);
    let zeros = &stored[..n];
    let (mut rows, mut others, mut cuts) = (stored, new, cuts);
    // Not `chunks_exact`, which divides the length by that of a row.
    while let (Some(row), Some(other), Some(cut)) =
        (rows.split_off(..n), others.split_off(..n), cuts.split_off(..n))
    {
        let exceeds = match n {
            8.. => row_exceeds::<8>(zeros, row, other, cut),
            4.. => row_exceeds::<4>(zeros, row, other, cut),
            _ => row_exceeds::<1>(zeros, row, other, cut),
        };
        if exceeds {
            return false;
        }
    }
    true
}

/// Whether some entry of a row exceeds that of the new zone and matters; in blocks, the last one overlapping the one before.
#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once per small dimension")]
fn row_exceeds<const BLOCK: usize>(zeros: &[i16], row: &[i16], other: &[i16], cut: &[i16]) -> bool {
    // As wide as the entries: with truth values here, it depended on the surroundings whether vector units were used.
    let mut found = [0; BLOCK];
    let mut test = |z: &[i16; BLOCK], a: &[i16; BLOCK], b: &[i16; BLOCK], c: &[i16; BLOCK]| {
        found = std::array::from_fn(|i| found[i] | i16::from((a[i] > b[i]) & (z[i] > c[i])));
    };
    let (blocks, tail) = row.as_chunks();
    let others = other.as_chunks().0.iter().zip(cut.as_chunks().0);
    for ((z, a), (b, c)) in zeros.as_chunks().0.iter().zip(blocks).zip(others) {
        test(z, a, b, c);
    }
    let last = (zeros.last_chunk(), row.last_chunk(), other.last_chunk(), cut.last_chunk());
    if let ((Some(z), Some(a), Some(b), Some(c)), false) = (last, tail.is_empty()) {
        test(z, a, b, c);
    }
    found.iter().fold(0, |all, one| all | one) != 0
}

/// Below every demand, also after adding some `2 L`.
const NOTHING: i32 = i32::MIN / 2;

/// Whether a stored zone lies in aLU of another one, of any width. See `guidepost_zones::subsumption` for the theory; `thresholds` is a buffer.
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

    /// Any numbers will do: the two ways of computing must agree on whatever is stored.
    #[test]
    fn both_widths_agree_on_what_lies_below() {
        let mut seed = 1_u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let (mut below, mut above) = (0, 0);
        for _ in 0..20_000 {
            let n = 1 + next(12) as usize;
            let scale = [8, 100, 16_000, 40_000][next(4) as usize];
            let mut clock_bounds = || -> Vec<i32> { (0..n).map(|_| next(scale + 1) as i32 - 1).collect() };
            let (lower, upper) = (clock_bounds(), clock_bounds());
            let mut matrix = |slack: i32| -> Vec<Bound> {
                let entry = |i: usize, next: &mut dyn FnMut(u64) -> u64| {
                    if i.is_multiple_of(n + 1) {
                        Bound::LE_ZERO
                    } else if i >= n && next(4) == 0 {
                        Bound::INFINITY
                    } else {
                        let value = next(2 * scale) as i32;
                        Bound::from_raw(
                            (if i < n { 1 - value } else { value + slack }).clamp(-32_767, 32_766),
                        )
                    }
                };
                (0..n * n).map(|i| entry(i, &mut next)).collect()
            };
            let (stored, new) = (matrix(0), matrix(scale as i32 / 2));
            let narrowed = |bounds: &[Bound]| -> Vec<i16> { bounds.iter().map(|&b| narrow(b)).collect() };
            if !fits(&stored) || !fits(&new) {
                continue;
            }
            let mut demands = Demands::default();
            demands.set(&new, &lower, &upper);
            let expected = is_below_alu(&narrowed(&stored), &new, &lower, &upper, &mut Vec::new());
            assert_eq!(demands.is_below(&narrowed(&stored), &narrowed(&new)), expected, "{stored:?} {new:?}");
            *(if expected { &mut below } else { &mut above }) += 1;
        }
        assert!(below > 100 && above > 100, "{below} {above}");
    }
}
