//! One side of a clock constraint, packed into 32 bits.
//!
//! A *bound* says how large a difference of two clocks may be: `< c`, `<= c`, or anything at all. Model
//! checkers spend most of their time comparing and adding bounds, so both have to be a handful of
//! instructions that vectorise. The classic packing (Bengtsson 2002, *Clocks, DBMs and States in Timed
//! Systems*) stores `2c` for `< c` and `2c + 1` for `<= c`: comparing the raw integers compares the bounds
//! (`< 3` is tighter than `<= 3` is tighter than `< 4`), and the sum of two finite bounds is
//! `a + b - ((a | b) & 1)`, which adds the constants and stays non-strict only if both were.
//!
//! # Why nothing overflows
//!
//! Constants are limited to |c| < 2^29 ([`Bound::LIMIT`]). Then a finite raw value lies strictly between
//! -2^30 and 2^30, infinity *is* 2^30, and the sum of any two finite bounds (or of infinity and a
//! finite one) fits into an `i32`. The question is only whether a *result* is still inside the range:
//!
//! * **Too large** (c >= 2^29): the sum is at least 2^30, that is, not below infinity. Closing stores
//!   `min(old, sum)` with `old <= INFINITY`, so such a sum becomes infinity automatically. The bound is
//!   dropped: an over-approximation.
//! * **Too small** (c <= -2^29): in a canonical matrix over non-negative clocks every entry is at least as
//!   large as the smallest of row 0, because `D[0][y] <= D[0][x] + D[x][y] <= D[x][y]`. Operations that
//!   tighten therefore look at row 0 once they are done (O(n)) and raise what is below [`Bound::MIN`]:
//!   again an over-approximation.
//! * **Delay, free, reset, copy, hull** move bounds around or add one model constant to bounds of one sign.
//! * **Extrapolation** only raises bounds, to infinity or to a model constant.
//!
//! Saturation loses canonicity, not soundness: entrywise comparison of such matrices still never claims an
//! inclusion that does not hold. A single constraint, assignment or delay cannot cause it while all entries
//! and the constant itself stay below 2^27 ([`Bound::FAR`]), because at most three of them are added up.
//! Exact zones (aLU subsumption) of a run that never resets some clock can creep out there;
//! [`is_far`](crate::Dbm::is_far) tells, and extrapolating such a zone brings it back.

use core::fmt;
use core::ops::{Add, AddAssign, Neg};

/// An upper bound on a difference of clocks: `< c`, `<= c` or none.
///
/// The order is the order of tightness: a smaller bound admits fewer differences.
///
/// ```
/// use guidepost_zones::Bound;
/// assert!(Bound::lt(3) < Bound::le(3) && Bound::le(3) < Bound::lt(4) && Bound::lt(4) < Bound::INFINITY);
/// assert_eq!(Bound::lt(3) + Bound::le(-5), Bound::lt(-2));
/// assert_eq!(-Bound::lt(3), Bound::le(-3)); // not (x - y < 3)  iff  y - x <= -3
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bound(pub(crate) i32);

/// A constant whose magnitude is not below [`Bound::LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundOutOfRange(
    /// The offending constant.
    pub i64,
);

impl fmt::Display for BoundOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the clock constant {} is too large: its magnitude must be below {}", self.0, Bound::LIMIT)
    }
}

impl core::error::Error for BoundOutOfRange {}

impl Bound {
    /// Constants must be smaller than this in magnitude.
    pub const LIMIT: i32 = 1 << 29;
    /// No bound at all. Larger than every finite bound.
    pub const INFINITY: Self = Self(1 << 30);
    /// The tightest bound that can be written down.
    pub const MIN: Self = Self(-2 * (Self::LIMIT - 1));
    /// `<= 0`: the diagonal of a matrix, and the reason why clocks are not negative.
    pub const LE_ZERO: Self = Self(1);
    /// `< 0`.
    pub const LT_ZERO: Self = Self(0);
    /// Zones with finite bounds beyond this magnitude are [far](crate::Dbm::is_far): a few more operations
    /// on them might saturate.
    pub const FAR: i32 = 1 << 27;

    /// The bound `< constant` or `<= constant`.
    pub const fn new(constant: i64, strict: bool) -> Result<Self, BoundOutOfRange> {
        if constant.unsigned_abs() < Self::LIMIT as u64 {
            Ok(Self(2 * constant as i32 + if strict { 0 } else { 1 }))
        } else {
            Err(BoundOutOfRange(constant))
        }
    }

    /// The bound `<= constant`.
    ///
    /// # Panics
    /// If the constant is out of range; use [`Bound::new`] for constants that have not been checked yet.
    #[inline]
    pub const fn le(constant: i32) -> Self {
        assert!(constant.unsigned_abs() < Self::LIMIT as u32, "clock constant out of range");
        Self(2 * constant + 1)
    }

    /// The bound `< constant`.
    ///
    /// # Panics
    /// If the constant is out of range; use [`Bound::new`] for constants that have not been checked yet.
    #[inline]
    pub const fn lt(constant: i32) -> Self {
        assert!(constant.unsigned_abs() < Self::LIMIT as u32, "clock constant out of range");
        Self(2 * constant)
    }

    /// The constant `c` of `< c` or `<= c`. Meaningless for [`Bound::INFINITY`].
    #[inline]
    pub const fn constant(self) -> i32 {
        self.0 >> 1
    }

    /// Is this `< c`? Infinity counts as strict: no difference reaches it.
    #[inline]
    pub const fn is_strict(self) -> bool {
        self.0 & 1 == 0
    }

    /// Is this no bound at all?
    #[inline]
    pub const fn is_infinite(self) -> bool {
        self.0 == Self::INFINITY.0
    }

    /// The packed form, for stores that compress matrices on their own terms.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The inverse of [`Bound::raw`].
    #[inline]
    pub const fn from_raw(raw: i32) -> Self {
        debug_assert!(raw >= Self::MIN.0 && raw <= Self::INFINITY.0);
        Self(raw)
    }

    /// Does the difference `numerator / denominator` respect this bound?
    #[inline]
    pub const fn admits(self, numerator: i64, denominator: i64) -> bool {
        debug_assert!(denominator > 0);
        if self.is_infinite() {
            return true;
        }
        let limit = self.constant() as i64 * denominator;
        if self.is_strict() { numerator < limit } else { numerator <= limit }
    }
}

/// The sum of two finite raw bounds, unsaturated. It may also be applied to one finite bound and infinity;
/// the result is then a number of no meaning, but no overflow.
#[inline]
pub(crate) const fn raw_sum(a: i32, b: i32) -> i32 {
    a + b - ((a | b) & 1)
}

impl Add for Bound {
    type Output = Self;

    /// The bound on a sum of differences. Saturates at [`Bound::MIN`] and [`Bound::INFINITY`].
    #[inline]
    fn add(self, other: Self) -> Self {
        if self.is_infinite() || other.is_infinite() {
            Self::INFINITY
        } else {
            Self(raw_sum(self.0, other.0)).clamp(Self::MIN, Self::INFINITY)
        }
    }
}

impl AddAssign for Bound {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Bound {
    type Output = Self;

    /// The bound on the *opposite* difference that holds exactly where this one is violated:
    /// `not (x - y < c)` is `y - x <= -c`. The bound must be finite.
    #[inline]
    fn neg(self) -> Self {
        debug_assert!(!self.is_infinite(), "the negation of no bound is unsatisfiable");
        Self(1 - self.0)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_infinite() {
            f.write_str("< inf")
        } else {
            write!(f, "{} {}", if self.is_strict() { "<" } else { "<=" }, self.constant())
        }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The constraint `x_left - x_right ≺ c`, clock 0 being the constant zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    /// The clock that is bounded from above.
    pub left: u16,
    /// The clock that is bounded from below.
    pub right: u16,
    /// The bound on the difference.
    pub bound: Bound,
}

impl Constraint {
    /// The constraint `x_left - x_right ≺ c`.
    #[inline]
    pub const fn new(left: usize, right: usize, bound: Bound) -> Self {
        assert!(left <= u16::MAX as usize && right <= u16::MAX as usize, "too many clocks");
        Self { left: left as u16, right: right as u16, bound }
    }

    /// The constraint that holds exactly where this one does not. The bound must be finite.
    #[inline]
    #[must_use]
    pub fn negated(self) -> Self {
        Self { left: self.right, right: self.left, bound: -self.bound }
    }

    /// Does it compare two proper clocks?
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self.left != 0 && self.right != 0
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.left, self.right) {
            (0, y) if !self.bound.is_infinite() => {
                let relation = if self.bound.is_strict() { ">" } else { ">=" };
                write!(f, "x{y} {relation} {}", -self.bound.constant())
            }
            (x, 0) => write!(f, "x{x} {}", self.bound),
            (x, y) => write!(f, "x{x} - x{y} {}", self.bound),
        }
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructor_checks_the_range() {
        let limit = i64::from(Bound::LIMIT);
        assert_eq!(Bound::new(limit, true), Err(BoundOutOfRange(limit)));
        assert_eq!(Bound::new(-limit, false), Err(BoundOutOfRange(-limit)));
        assert_eq!(Bound::new(limit - 1, false), Ok(Bound::le(Bound::LIMIT - 1)));
        assert_eq!(Bound::new(1 - limit, true), Ok(Bound::MIN));
        assert!(Bound::le(Bound::LIMIT - 1) < Bound::INFINITY);
    }

    #[test]
    fn sums_saturate_instead_of_overflowing() {
        let large = Bound::le(Bound::LIMIT - 1);
        assert_eq!(large + large, Bound::INFINITY);
        assert_eq!(Bound::MIN + Bound::MIN, Bound::MIN);
        assert_eq!(Bound::INFINITY + Bound::INFINITY, Bound::INFINITY);
        assert_eq!(Bound::INFINITY + Bound::MIN, Bound::INFINITY);
        assert_eq!(large + Bound::MIN, Bound::lt(0));
    }

    #[test]
    fn arithmetic_agrees_with_the_meaning() {
        let bounds: Vec<_> = (-4..=4).flat_map(|c| [Bound::lt(c), Bound::le(c)]).collect();
        for &a in &bounds {
            for point in -20..=20 {
                assert_eq!(a.admits(point, 4), !(-a).admits(-point, 4));
            }
            for &b in &bounds {
                assert_eq!((a + b).constant(), a.constant() + b.constant());
                assert_eq!((a + b).is_strict(), a.is_strict() || b.is_strict());
                assert_eq!(a <= b, (-40..=40).all(|p| !a.admits(p, 4) || b.admits(p, 4)));
            }
        }
    }
}
