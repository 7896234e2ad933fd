//! Which clocks may be ahead of which, in 64 bits.
//!
//! Where many zones share one discrete part, they mostly differ in the order in which things happened: every order of resets is a zone of its own, and none
//! covers another. A new zone is compared with all of them, matrix by matrix. An outline tells nearly all of them apart by one instruction. It has one bit for each of the first 64
//! differences of clocks, set if the difference may be positive. A matrix that is nowhere above another has no bit that the other one lacks, so zones whose
//! outlines are not ordered like that need not be compared.
//!
//! Every zone has two: of its matrix, and of the query that others have to exceed to cover it (see `guidepost_zones::alu_query`). Both follow from the zone, since the constants
//! in the query follow from the locations.

use guidepost_zones::Bound;

/// One bit for each of the first differences of clocks: whether it may be positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outline(pub(crate) u64);

/// The two outlines of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outlines {
    /// What a zone must have to cover this one.
    pub(crate) query: Outline,
    /// What this zone has.
    pub(crate) zone: Outline,
}

impl Outline {
    /// The outline of a matrix.
    pub(crate) fn of(entries: &[Bound], dim: usize) -> Self {
        // Row 0 has the lower bounds, none of which is positive.
        let (groups, tail) = entries[dim..].as_chunks();
        let mut bits = 0;
        for (group, shift) in groups.iter().zip((0..u64::BITS).step_by(GROUP)) {
            bits |= positive(group) << shift;
        }
        if groups.len() * GROUP < u64::BITS as usize {
            let mut group = [Bound::LE_ZERO; GROUP];
            group[..tail.len()].copy_from_slice(tail);
            bits |= positive(&group) << (groups.len() * GROUP);
        }
        Self(bits)
    }

    /// Whether a matrix with this outline may be nowhere above one with the other.
    #[inline]
    pub(crate) fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

/// Entries whose bits are found together.
const GROUP: usize = 8;

/// One bit for each entry: whether it is above `<= 0`.
#[inline]
fn positive(group: &[Bound; GROUP]) -> u64 {
    // Multiplying moves the lowest bit of byte i to bit 56 + i; no two products meet, so nothing is carried.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let flags = group.map(|bound| u8::from(bound > Bound::LE_ZERO));
    u64::from_le_bytes(flags).wrapping_mul(GATHER) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(dim: usize, positive: impl Fn(usize) -> bool) -> Vec<Bound> {
        (0..dim * dim).map(|i| if positive(i) { Bound::lt(1) } else { Bound::LE_ZERO }).collect()
    }

    #[test]
    fn each_of_the_first_64_differences_has_a_bit() {
        for dim in 1..12 {
            let differences = dim * (dim - 1);
            for which in 0..differences {
                let expected = if which < 64 { 1 << which } else { 0 };
                let entries = matrix(dim, |i| i == dim + which);
                assert_eq!(Outline::of(&entries, dim), Outline(expected), "{which} of {differences}");
            }
            let all = Outline::of(&matrix(dim, |i| i >= dim), dim);
            assert_eq!(all.0.count_ones() as usize, differences.min(64));
        }
    }

    #[test]
    fn what_is_nowhere_above_has_no_bit_more() {
        let (low, high) = (matrix(6, |i| i % 6 == 0), matrix(6, |i| i.is_multiple_of(3)));
        let (low, high) = (Outline::of(&low, 6), Outline::of(&high, 6));
        assert!(low.is_within(high) && low.is_within(low));
        assert!(!high.is_within(low));
    }
}
