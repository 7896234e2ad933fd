//! aLU subsumption: covering more without widening anything.
//!
//! Extrapolation pays for finiteness with precision it cannot always use: the result must be a zone again.
//! Herbreteau, Srivathsan & Walukiewicz (2012, *Better Abstractions for Timed Automata*) leave zones exact
//! and compare them up to `a_LU`, the coarsest abstraction that is sound for given L and U:
//!
//! > v ∈ a_LU(W)  iff  some v' ∈ W has, for every clock x: if v'(x) < v(x) then v'(x) > L(x), and if
//! > v'(x) > v(x) then v(x) > U(x).
//!
//! `a_LU(W)` need not be convex, but whether `Z ⊆ a_LU(Z')` shows in two clocks at a time. With D of Z and
//! D' of Z', both canonical and non-empty, `Z ⊄ a_LU(Z')` iff for some x ≠ y (0 included, L₀ = U₀ = 0)
//!
//! > D\[0]\[x] ≥ (≤, -U_x)  and  D'\[y]\[x] < D\[y]\[x]  and  D'\[y]\[x] + (<, -L_y) < D\[0]\[x],
//!
//! where a clock without U is no x and a clock without L is no y.
//!
//! # The query
//!
//! The last two conditions bound `D'[y][x]` from above by things that depend on Z alone. In raw form,
//! adding `(<, -L_y)` clears the strictness bit and subtracts `2 L_y`; so the third condition says
//! `D'[y][x] & !1 < D[0][x] + 2 L_y`, which is `D'[y][x] < even(D[0][x] + 2 L_y)` with `even` rounding up
//! to an even number. Put `Q[y][x] = min(D[y][x], even(D[0][x]) + 2 L_y)`, or the least number where x or
//! y is excluded; then
//!
//! > Z ⊆ a_LU(Z')  iff  Q\[y]\[x] ≤ D'\[y]\[x] for all x, y.
//!
//! Testing a new zone against all stored ones thus costs one O(n²) preparation ([`alu_query`]) and then
//! exactly a plain inclusion test each ([`is_covered`]).

#![allow(clippy::inline_always, reason = "compiled once per small dimension, see `rows`")]

use crate::bound::Bound;
use crate::dbm::Dbm;
use crate::extrapolation::LuBounds;
use crate::relation::all_at_most;
use crate::rows::{any_in_row, by_literal, rows, rows_mut, update_row};

/// Below every bound, also after adding some `2 L_y`: where the query asks for nothing.
const NOTHING: i32 = i32::MIN;

/// Columns that the direct test treats at a time: enough for nearly all matrices to be done in one go.
const PANEL: usize = 32;

/// `even(D[0][x])`, or nothing if `x` is excluded.
#[inline]
fn threshold(zero: Bound, upper: i32) -> Bound {
    let matters = (upper >= 0) & (zero.0 >= 1 - 2 * upper.max(0));
    Bound(if matters { (zero.0 + 1) & !1 } else { NOTHING })
}

/// `Q[y][x]` of the introduction; `reach` is `2 L_y`.
#[inline]
fn demand(entry: Bound, threshold: Bound, reach: i32) -> Bound {
    Bound(entry.0.min(threshold.0 + reach))
}

/// Prepares the test whether `zone` lies in `a_LU` of others: writes the query matrix into `query`, which
/// has as many entries as the zone. O(n²).
///
/// ```
/// use guidepost_zones::{Bound, LuBounds, Zone, alu_query, is_covered};
/// let bounds = LuBounds { lower: &[0, 3], upper: &[0, 3] };
/// let (mut five, mut nine) = (Zone::zero(2), Zone::zero(2));
/// five.reset(1, 5);
/// nine.reset(1, 9);
/// let mut query = [Bound::LE_ZERO; 4];
/// alu_query(&nine, bounds, &mut query);
/// assert!(is_covered(&query, five.entries())); // beyond 3 nobody can tell 9 from 5
/// assert!(!nine.is_subset(&five));
/// ```
pub fn alu_query<S: AsRef<[Bound]>>(zone: &Dbm<S>, bounds: LuBounds<'_>, query: &mut [Bound]) {
    let n = zone.dim();
    debug_assert!(!zone.is_empty() && zone.is_valid());
    bounds.check(n);
    assert_eq!(query.len(), n * n);
    by_literal!(write_query(n, zone.entries(), bounds, query));
}

#[inline(always)]
fn write_query(n: usize, entries: &[Bound], bounds: LuBounds<'_>, query: &mut [Bound]) {
    let (zeros, others) = entries.split_at(n);
    let (thresholds, out) = query.split_at_mut(n);
    update_row(thresholds, zeros, &bounds.upper[..n], |_, zero, upper| threshold(zero, upper));
    for (y, (row, out)) in (1..).zip(rows(others, n).zip(rows_mut(out, n))) {
        match bounds.lower[y] {
            ..0 => out.fill(Bound(NOTHING)),
            lower => {
                update_row(out, row, thresholds, |_, entry, t| demand(entry, t, 2 * lower));
            }
        }
        out[y] = Bound(NOTHING);
    }
    update_row(thresholds, zeros, zeros, |t, zero, _| demand(zero, t, 0));
    thresholds[0] = Bound(NOTHING);
}

/// Does the zone with these entries cover the one that the query was made of? Both slices have the same
/// length.
#[inline]
pub fn is_covered(query: &[Bound], entries: &[Bound]) -> bool {
    all_at_most(query, entries)
}

impl<S: AsRef<[Bound]>> Dbm<S> {
    /// Whether two clocks alone show that this zone is no subset of `a_LU(other)`: a glance at what is likely to tell, before [`Dbm::is_subset_alu`]. O(1).
    #[inline]
    pub fn exceeds_alu_at<T: AsRef<[Bound]>>(
        &self,
        other: &Dbm<T>,
        bounds: LuBounds<'_>,
        (x, y): (usize, usize),
    ) -> bool {
        let lower = bounds.lower[x];
        let threshold = threshold(self.get(0, y), bounds.upper[y]);
        lower >= 0 && demand(self.get(x, y), threshold, 2 * lower) > other.get(x, y)
    }

    /// Two clocks that show that this zone is no subset of `a_LU(other)`; `None`: it is one. O(n²).
    pub fn exceeds_alu<T: AsRef<[Bound]>>(
        &self,
        other: &Dbm<T>,
        bounds: LuBounds<'_>,
    ) -> Option<(usize, usize)> {
        if self.is_subset_alu(other, bounds) {
            return None;
        }
        let n = self.dim();
        (0..n).flat_map(|x| (0..n).map(move |y| (x, y))).find(|&at| self.exceeds_alu_at(other, bounds, at))
    }

    /// Is this zone a subset of `a_LU(other)`? Neither may be empty. O(n²).
    ///
    /// To test one zone against many, prepare an [`alu_query`].
    pub fn is_subset_alu<T: AsRef<[Bound]>>(&self, other: &Dbm<T>, bounds: LuBounds<'_>) -> bool {
        let n = self.dim();
        debug_assert!(n == other.dim() && !self.is_empty() && !other.is_empty());
        debug_assert!(self.is_valid() && other.is_valid());
        bounds.check(n);
        by_literal!(is_below(n, self.entries(), other.entries(), bounds))
    }
}

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// Grows to a zone that contains `a_LU` of it, for those who ask what `a_LU` does *not* contain. O(n²).
    ///
    /// Let v ∈ `a_LU(W)` because of v' ∈ W. Where W keeps x within L(x), v' is not above L(x), so v(x) ≤ v'(x);
    /// where it keeps x within U(x), v(x) ≥ v'(x). So a bound on x - y holds of v if x is kept within L(x) and y
    /// within U(y), and the others are dropped. A lower bound on x alone holds up to U(x).
    ///
    /// What is left is nearly closed. The bounds that are kept were canonical, and those around them have only grown. A lower bound of y may follow from that of one other clock x
    /// and the bound on x - y; two such steps are one. A bound that was dropped can only follow from an upper bound of x and a lower bound of y.
    pub fn widen_to_alu_hull(&mut self, bounds: LuBounds<'_>) {
        let n = self.dim();
        debug_assert!(!self.is_empty() && self.is_valid());
        bounds.check(n);
        let is_within = |zone: &Self, x: usize, limit: i32| limit >= 0 && zone.get(x, 0) <= Bound::le(limit);
        let not_above: Vec<bool> = (0..n).map(|x| is_within(self, x, bounds.lower[x])).collect();
        let not_below: Vec<bool> = (0..n).map(|x| x == 0 || is_within(self, x, bounds.upper[x])).collect();
        let weakened = |y: usize| {
            let upper = bounds.upper[y];
            let least = if upper < 0 { Bound::LE_ZERO } else { Bound::lt(-upper).min(Bound::LE_ZERO) };
            self.get(0, y).max(least)
        };
        let mut least: Vec<Bound> = (0..n).map(weakened).collect();
        for x in (1..n).filter(|&x| not_above[x]) {
            let from = weakened(x);
            for y in (1..n).filter(|&y| not_below[y]) {
                least[y] = least[y].min(from + self.get(x, y));
            }
        }
        for (y, &bound) in least.iter().enumerate().skip(1) {
            self.set(0, y, bound);
        }
        for (x, &has_upper) in not_above.iter().enumerate().skip(1) {
            let upper = self.get(x, 0);
            for y in (0..n).filter(|&y| y != x) {
                if !has_upper {
                    self.set(x, y, Bound::INFINITY);
                } else if !not_below[y] {
                    self.set(x, y, upper + least[y]);
                }
            }
        }
        debug_assert!(self.is_valid(), "it is canonical");
    }
}

#[inline(always)]
fn is_below(n: usize, mine: &[Bound], theirs: &[Bound], bounds: LuBounds<'_>) -> bool {
    // The thresholds are the same for all rows; they are kept for a panel of columns at a time.
    let mut panel = [Bound(NOTHING); PANEL];
    for start in (0..n).step_by(PANEL) {
        let columns = start..n.min(start + PANEL);
        let thresholds = &mut panel[..columns.len()];
        update_row(thresholds, &mine[columns.clone()], &bounds.upper[columns.clone()], |_, zero, upper| {
            threshold(zero, upper)
        });
        for ((mine, theirs), &lower) in rows(mine, n).zip(rows(theirs, n)).zip(bounds.lower) {
            // On the diagonal both entries are (<=, 0), and the demand is not above that.
            let (mine, theirs) = (&mine[columns.clone()], &theirs[columns.clone()]);
            if lower >= 0 && any_in_row(mine, theirs, thresholds, |a, b, t| demand(a, t, 2 * lower) > b) {
                return false;
            }
        }
    }
    true
}
