//! Coarser zones, so that there are finitely many and few.
//!
//! Beyond the largest constant a clock is compared with, its value no longer matters. *Extrapolation*
//! widens a zone by what cannot matter; with finitely many constants, finitely many zones remain. The four
//! operators are those of Behrmann, Bouyer, Larsen & Pelánek (2004, *Lower and Upper Bounds in Zone Based
//! Abstractions of Timed Automata*). They tell apart the constants of lower guards (`x > c`, `x >= c`: L)
//! and of upper guards (`x < c`, `x <= c`: U):
//!
//! | operator | looks at | preserves |
//! |---|---|---|
//! | `Extra_M`   | M = max(L, U), each entry separately        | bisimilarity, hence liveness and deadlocks |
//! | `Extra+_M`  | M, and whether a clock is beyond M as a whole | bisimilarity |
//! | `Extra_LU`  | L and U, each entry separately              | simulation: reachability only |
//! | `Extra+_LU` | L and U, and the whole clock                | simulation: reachability only |
//!
//! The M operators are the LU operators with L = U = M, so there are two implementations. None is sound in
//! the presence of diagonal guards (see [`diagonal`](crate::diagonal) for those).
//!
//! *One deviation* from the paper: the `+` operators ask whether a clock is beyond its constant as a
//! whole. The paper compares constants (`-c_0x > L(x)`, which `x > L` itself does not fulfil); we ask for
//! `x > L`, which is all that its proof needs and widens a little more. The tests compare with the
//! definition of `a_LU` and with region equivalence, and with the paper's own version as a lower limit.
//!
//! **Closing afterwards.** Only raised entries can be too large, and only rows that contain one need work.
//! A row that was raised as a whole has no way out of it, so it is no detour for others either; in the
//! common case little of the O(n³) is left.

use crate::bound::Bound;
use crate::dbm::Dbm;
use crate::rows::{Matrix, by_dimension, relax_row, update_row};

/// The value of L or U of a clock that has no such bound. Any negative value means the same: clocks are
/// not negative, so a comparison with a negative constant tells nothing.
pub const NO_BOUND: i32 = i32::MIN;

/// The largest constants of lower and upper guards for each clock.
///
/// Both slices have one value per clock of the zone, 0 for clock 0, and [`NO_BOUND`] (or anything negative)
/// for clocks without such a guard.
#[derive(Clone, Copy, Debug)]
pub struct LuBounds<'a> {
    /// L: the constants of `x > c` and `x >= c`.
    pub lower: &'a [i32],
    /// U: the constants of `x < c` and `x <= c`.
    pub upper: &'a [i32],
}

impl LuBounds<'_> {
    #[inline]
    pub(crate) fn check(&self, dim: usize) {
        assert!(self.lower.len() == dim && self.upper.len() == dim, "one bound per clock");
        debug_assert!(self.lower[0] == 0 && self.upper[0] == 0, "the bounds of the zero clock are 0");
        debug_assert!(self.lower.iter().chain(self.upper).all(|&c| c < Bound::LIMIT));
    }
}

/// Upper bounds up to this one matter to a clock with the given L; none do if there is no L.
#[inline]
fn last_upper(lower: i32) -> Bound {
    if lower < 0 { Bound(i32::MIN) } else { Bound(2 * lower + 1) }
}

/// Lower bounds (in the notation of column x: bounds on `y - x`) from this one on matter to a clock with
/// the given U; none do if there is no U.
#[inline]
fn first_lower(upper: i32) -> Bound {
    if upper < 0 { Bound::INFINITY } else { Bound(-2 * upper) }
}

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// `Extra_M`. `max[x]` is the largest constant that `x` is compared with; see [`LuBounds`] for the
    /// form. Says whether the zone has grown.
    pub fn extrapolate_m(&mut self, max: &[i32]) -> bool {
        self.extrapolate_lu(LuBounds { lower: max, upper: max })
    }

    /// `Extra+_M`. `max[x]` is the largest constant that `x` is compared with; see [`LuBounds`] for the
    /// form. Says whether the zone has grown.
    pub fn extrapolate_m_plus(&mut self, max: &[i32]) -> bool {
        self.extrapolate_lu_plus(LuBounds { lower: max, upper: max })
    }

    /// `Extra_LU`. Says whether the zone has grown.
    ///
    /// An entry `x_i - x_j ≺ c` is dropped if `c > L(x_i)`, and raised to `< -U(x_j)` if it is below.
    pub fn extrapolate_lu(&mut self, bounds: LuBounds<'_>) -> bool {
        let n = self.dim();
        debug_assert!(!self.is_empty() && self.is_valid());
        bounds.check(n);
        let grown = by_dimension!(widen(self.entries_mut(), n, bounds));
        debug_assert!(self.is_valid());
        grown
    }

    /// `Extra+_LU`. Says whether the zone has grown.
    ///
    /// An entry `x_i - x_j ≺ c` is dropped if `c > L(x_i)`, or `x_i > L(x_i)` throughout, or
    /// `x_j > U(x_j)` throughout (then `x_j > U(x_j)` is all that is kept of its lower bound).
    pub fn extrapolate_lu_plus(&mut self, bounds: LuBounds<'_>) -> bool {
        let n = self.dim();
        debug_assert!(!self.is_empty() && self.is_valid());
        bounds.check(n);
        let grown = by_dimension!(widen_plus(self.entries_mut(), n, bounds));
        debug_assert!(self.is_valid());
        grown
    }
}

/// `Extra_LU`.
fn widen(mut matrix: impl Matrix, bounds: LuBounds<'_>) -> bool {
    let (lower, upper) = (bounds.lower, &bounds.upper[..matrix.dim()]);
    let (mut raised, mut dead) = (Rows::NONE, Rows::NONE);
    for (i, row) in matrix.rows().enumerate().skip(1) {
        let last = last_upper(lower[i]);
        row[i] = Bound::INFINITY;
        let changed = update_row(row, upper, upper, |old, upper, _| {
            if old > last { Bound::INFINITY } else { old.max(first_lower(upper)) }
        });
        row[i] = Bound::LE_ZERO;
        raised.note(i, changed);
        dead.note_surely(i, lower[i] < 0);
    }
    raised.note(0, raise_lower_bounds(&mut matrix, upper));
    close_raised(matrix, raised, dead)
}

/// `Extra+_LU`.
fn widen_plus(mut matrix: impl Matrix, bounds: LuBounds<'_>) -> bool {
    let n = matrix.dim();
    let (lower, upper) = (bounds.lower, &bounds.upper[..n]);
    let (mut raised, mut dead) = (Rows::NONE, Rows::NONE);
    matrix.through(0, |i, row, zeros| {
        if i == 0 {
            return;
        }
        row[i] = Bound::INFINITY;
        // Nothing about how large x_i may be matters any more?
        let forgotten = lower[i] < 0 || zeros[i] <= Bound(-2 * lower[i]);
        let changed = if forgotten {
            update_row(row, zeros, zeros, |_, _, _| Bound::INFINITY)
        } else {
            let last = last_upper(lower[i]);
            update_row(row, zeros, upper, |old, zero, upper| {
                if (old > last) | (zero <= first_lower(upper)) { Bound::INFINITY } else { old }
            })
        };
        row[i] = Bound::LE_ZERO;
        raised.note(i, changed);
        dead.note_surely(i, forgotten);
    });
    raised.note(0, raise_lower_bounds(&mut matrix, upper));
    close_raised(matrix, raised, dead)
}

/// Row 0: a lower bound above U says no more than that the clock is above U. Says whether that changed
/// anything.
#[inline]
fn raise_lower_bounds(matrix: &mut impl Matrix, upper: &[i32]) -> bool {
    matrix.rows().next().is_some_and(|row| {
        update_row(row, upper, upper, |old, upper, _| old.max(first_lower(upper).min(Bound::LE_ZERO)))
    })
}

/// Closes a matrix that was canonical before some entries of the `raised` rows were raised; says whether
/// there are any such rows. The others are shortest paths still. From `dead` rows there is no way on, so
/// they are no detours.
#[inline]
fn close_raised(mut matrix: impl Matrix, raised: Rows, dead: Rows) -> bool {
    let open = raised.without(dead);
    if !open.is_empty() {
        for k in (0..matrix.dim()).filter(|&k| !dead.contains(k)) {
            matrix.through(k, |i, row, row_k| {
                if open.contains(i) && !row[k].is_infinite() {
                    relax_row(row, row[k], row_k);
                }
            });
        }
    }
    !raised.is_empty()
}

/// A set of rows; all rows from 63 on share one place.
#[derive(Clone, Copy)]
struct Rows(u64);

impl Rows {
    const NONE: Self = Self(0);

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Adds a row on a condition, and perhaps others with it.
    fn note(&mut self, row: usize, condition: bool) {
        self.0 |= u64::from(condition) << row.min(63);
    }

    /// Adds a row on a condition, or no row at all.
    fn note_surely(&mut self, row: usize, condition: bool) {
        self.note(row, condition && row < 63);
    }

    fn contains(self, row: usize) -> bool {
        self.0 >> row.min(63) & 1 != 0
    }
}
