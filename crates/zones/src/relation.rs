//! How two zones lie to each other, and the hull around them.
//!
//! On canonical matrices inclusion is entrywise comparison. It is the most frequent operation of all: every
//! new zone meets all stored zones of its discrete state, and most tests fail. So the test goes block by
//! block: within a block without branches (it vectorises), between blocks with a way out.

use crate::bound::Bound;
use crate::dbm::Dbm;

/// How one zone lies to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The same valuations.
    Equal,
    /// The first has fewer valuations.
    Subset,
    /// The first has more valuations.
    Superset,
    /// Each has a valuation that the other lacks.
    Incomparable,
}

const BLOCK: usize = 8;
/// Rows and columns that are compared with columns and rows at a time: what fits into a line of the cache.
const SQUARE: usize = 16;

/// Is every bound of `left` at most the bound of `right` at its place?
#[inline]
pub(crate) fn all_at_most(left: &[Bound], right: &[Bound]) -> bool {
    debug_assert_eq!(left.len(), right.len());
    let is_above = |a: &[Bound; BLOCK], b: &[Bound; BLOCK]| {
        a.iter().zip(b).fold(false, |above, (a, b)| above | (a.0 > b.0))
    };
    let (blocks, tail) = left.as_chunks();
    if blocks.iter().zip(right.as_chunks().0).any(|(a, b)| is_above(a, b)) {
        return false;
    }
    match (left.last_chunk(), right.last_chunk()) {
        _ if tail.is_empty() => true,
        (Some(a), Some(b)) => !is_above(a, b),
        _ => left.iter().zip(right).all(|(a, b)| a <= b),
    }
}

impl<S: AsRef<[Bound]>> Dbm<S> {
    /// Is every valuation of this zone in the other? Neither may be empty.
    #[inline]
    pub fn is_subset<T: AsRef<[Bound]>>(&self, other: &Dbm<T>) -> bool {
        debug_assert!(self.dim() == other.dim() && !self.is_empty() && !other.is_empty());
        all_at_most(self.entries(), other.entries())
    }

    /// How does this zone lie to the other? Neither may be empty.
    pub fn relation<T: AsRef<[Bound]>>(&self, other: &Dbm<T>) -> Relation {
        debug_assert!(self.dim() == other.dim() && !self.is_empty() && !other.is_empty());
        let (mut above, mut below) = (false, false);
        let mut compare = |a: &[Bound], b: &[Bound]| {
            above |= a.iter().zip(b).fold(false, |found, (a, b)| found | (a.0 > b.0));
            below |= a.iter().zip(b).fold(false, |found, (a, b)| found | (a.0 < b.0));
            above && below
        };
        let ((blocks, tail), (others, other_tail)) =
            (self.entries().as_chunks::<BLOCK>(), other.entries().as_chunks::<BLOCK>());
        if blocks.iter().zip(others).any(|(a, b)| compare(a, b)) || compare(tail, other_tail) {
            return Relation::Incomparable;
        }
        match (above, below) {
            (false, false) => Relation::Equal,
            (false, true) => Relation::Subset,
            (true, false) => Relation::Superset,
            (true, true) => Relation::Incomparable,
        }
    }

    /// Is there a valuation in both? Exact, but O(n³) in the worst case; [`Dbm::surely_disjoint`] is the
    /// quick look that often suffices.
    pub fn intersects<T: AsRef<[Bound]>>(&self, other: &Dbm<T>) -> bool {
        if self.is_empty() || other.is_empty() || self.surely_disjoint(other) {
            return false;
        }
        self.to_zone().intersect(other)
    }

    /// Do two opposite bounds, one of each zone, contradict each other? If so, the zones are disjoint; if
    /// not, they may still be. O(n²), allocates nothing.
    pub fn surely_disjoint<T: AsRef<[Bound]>>(&self, other: &Dbm<T>) -> bool {
        debug_assert!(self.dim() == other.dim() && !self.is_empty() && !other.is_empty());
        let n = self.dim();
        // Square by square: one of the two is read column by column, and of a large matrix the rows in between would be read again and again.
        let squares = || (0..n).step_by(SQUARE);
        squares().any(|top| {
            squares().any(|left| {
                (top..n.min(top + SQUARE)).any(|i| {
                    (left..n.min(left + SQUARE)).any(|j| self.get(i, j) + other.get(j, i) < Bound::LE_ZERO)
                })
            })
        })
    }

    /// Is there something between two zones, as two opposite bounds show? If so, their union is no zone; if not, it may still be none. O(n²).
    pub fn is_apart<T: AsRef<[Bound]>>(&self, other: &Dbm<T>) -> bool {
        debug_assert!(self.dim() == other.dim() && !self.is_empty() && !other.is_empty());
        let n = self.dim();
        let is_between = |mine: Bound, theirs: Bound| {
            if mine.is_infinite() || theirs.is_infinite() {
                return false;
            }
            let gap = mine.constant() + theirs.constant();
            gap < 0 || (gap == 0 && mine.is_strict() && theirs.is_strict())
        };
        (0..n).any(|i| (0..n).any(|j| is_between(self.get(i, j), other.get(j, i))))
    }
}

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// Becomes the smallest zone around this one and the other. Both may be empty.
    pub fn convex_hull<T: AsRef<[Bound]>>(&mut self, other: &Dbm<T>) {
        assert_eq!(self.dim(), other.dim());
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            return self.copy_from(other);
        }
        // Entrywise maxima of canonical matrices are canonical: max(a, b) <= max over both of any detour.
        for (mine, &theirs) in self.entries_mut().iter_mut().zip(other.entries()) {
            *mine = (*mine).max(theirs);
        }
        debug_assert!(self.is_valid());
    }
}
