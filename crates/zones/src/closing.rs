//! Closing: from any system of constraints to its tightest form.
//!
//! A matrix is a weighted graph, and its canonical form is the matrix of shortest paths. Closing from
//! scratch is Floyd-Warshall, O(n³); but a model checker nearly always changes a canonical matrix in one
//! place, and then O(n²) is enough: after tightening the edge `i → j`, a shortest path uses it once or not
//! at all, so every entry is `min(D[k][l], D[k][i] + b + D[j][l])`. Rows `k` for which the new edge does
//! not even shorten the way to `j` cannot change and are skipped; typically that is most of them.
//!
//! The inner loop of everything here is `relax_row`: one row, shortened by the detour over another row.

use crate::bound::{Bound, Constraint, raw_sum};
use crate::dbm::Dbm;
use crate::rows::{LARGEST_SMALL, Large, Matrix, any_in_row, by_dimension, relax_row, rows, rows_mut};

/// Raises what has fallen below [`Bound::MIN`].
#[inline]
fn saturate_below(entries: &mut [Bound]) {
    for bound in entries {
        *bound = (*bound).max(Bound::MIN);
    }
}

/// The same, for where it hardly ever happens.
#[cold]
fn raise_to_minimum(entries: &mut [Bound]) {
    saturate_below(entries);
}

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// Makes an arbitrary matrix canonical; says whether the zone is non-empty. O(n³).
    ///
    /// Clocks are taken to be non-negative whatever row 0 says.
    pub fn close(&mut self) -> bool {
        let n = self.dim();
        let left = by_dimension!(close(self.entries_mut(), n));
        if !left {
            self.set_empty();
        }
        debug_assert!(!left || self.is_valid());
        left
    }

    /// Makes a matrix canonical in which only row and column `x` are not; says whether the zone is
    /// non-empty. O(n²).
    ///
    /// The bounds between the other clocks must be canonical among themselves; those of `x` may have been
    /// changed in any way.
    pub fn close_clock(&mut self, x: usize) -> bool {
        let n = self.dim();
        debug_assert!(x < n);
        if x == 0 {
            for y in 0..n {
                self.set(0, y, self.get(0, y).min(Bound::LE_ZERO));
            }
        } else {
            self.set(0, x, self.get(0, x).min(Bound::LE_ZERO));
        }
        self.set(x, x, Bound::LE_ZERO);
        // A best way out of x begins with one edge of x, and the rest of it is closed already; likewise into x.
        for y in 0..n {
            for z in 0..n {
                self.set(x, z, self.get(x, z).min(self.get(x, y) + self.get(y, z)));
                self.set(z, x, self.get(z, x).min(self.get(z, y) + self.get(y, x)));
            }
        }
        if (0..n).any(|y| self.get(x, y) + self.get(y, x) < Bound::LE_ZERO) {
            self.set_empty();
            return false;
        }
        Large(self.entries_mut(), n).through(x, |_, row, row_x| {
            if !row[x].is_infinite() {
                relax_row(row, row[x], row_x);
                saturate_below(row);
            }
        });
        debug_assert!(self.is_valid());
        true
    }

    /// Keeps the valuations with `x_i - x_j` within the bound; says whether there are any. O(n²), and O(1)
    /// if nothing changes or nothing is left.
    #[inline]
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound) -> bool {
        debug_assert!(
            i < self.dim() && j < self.dim() && i != j,
            "a constraint compares two different clocks"
        );
        debug_assert!(!self.is_empty() && self.is_valid());
        // Most constraints hold already, which is all that is compiled into the caller.
        bound >= self.get(i, j) || self.tighten_to(i, j, bound)
    }

    /// The rest of [`constrain`](Dbm::constrain), for a bound that does not hold.
    #[inline(never)]
    fn tighten_to(&mut self, i: usize, j: usize, bound: Bound) -> bool {
        let n = self.dim();
        if self.get(j, i) + bound < Bound::LE_ZERO {
            self.set_empty();
            return false;
        }
        by_dimension!(tighten(self.entries_mut(), n, i, j, bound));
        debug_assert!(self.is_valid());
        true
    }

    /// Keeps the valuations that satisfy all constraints; says whether there are any.
    #[inline]
    pub fn constrain_all(&mut self, constraints: &[Constraint]) -> bool {
        constraints.iter().all(|c| self.constrain(c.left.into(), c.right.into(), c.bound))
    }

    /// Keeps the valuations that are also in `other`; says whether there are any.
    ///
    /// Both may be empty.
    pub fn intersect<T: AsRef<[Bound]>>(&mut self, other: &Dbm<T>) -> bool {
        assert_eq!(self.dim(), other.dim());
        if self.is_empty() || other.is_empty() {
            self.set_empty();
            return false;
        }
        if self.dim() > LARGEST_SMALL {
            return self.intersect_large(other);
        }
        let mut changed = false;
        for (mine, &theirs) in self.entries_mut().iter_mut().zip(other.entries()) {
            changed |= theirs < *mine;
            *mine = (*mine).min(theirs);
        }
        !changed || self.close()
    }

    /// [`intersect`](Dbm::intersect) for matrices so large that it pays to find out where they have to be closed.
    ///
    /// Take a shortest way through both matrices with as few edges as possible. Two edges in a row of which neither is shorter in the one matrix than in the other would be
    /// one edge, as the other matrix is canonical. So at every clock between two edges, one edge is shorter here and the other is shorter there. Only ways over such clocks
    /// have to be looked at; and if there is a negative cycle, there is one through them alone.
    fn intersect_large<T: AsRef<[Bound]>>(&mut self, other: &Dbm<T>) -> bool {
        let n = self.dim();
        let (mut is_mine, mut is_theirs) = (vec![false; n], vec![false; n]);
        for (i, (row, theirs)) in rows_mut(self.entries_mut(), n).zip(rows(other.entries(), n)).enumerate() {
            let (mut any_mine, mut any_theirs) = (false, false);
            for j in 0..n {
                let (here, there) = (row[j] < theirs[j], theirs[j] < row[j]);
                any_mine |= here;
                any_theirs |= there;
                is_mine[j] |= here;
                is_theirs[j] |= there;
                row[j] = row[j].min(theirs[j]);
            }
            is_mine[i] |= any_mine;
            is_theirs[i] |= any_theirs;
        }
        let crossings = (0..n).filter(|&clock| is_mine[clock] && is_theirs[clock]);
        let left = close_over(Large(self.entries_mut(), n), crossings);
        if !left {
            self.set_empty();
        }
        debug_assert!(!left || self.is_valid());
        left
    }
}

/// Floyd-Warshall; says whether there is no negative cycle.
fn close(mut matrix: impl Matrix) -> bool {
    let n = matrix.dim();
    let entries = matrix.entries();
    for j in 0..n {
        entries[j] = entries[j].min(Bound::LE_ZERO);
        entries[j * n + j] = entries[j * n + j].min(Bound::LE_ZERO);
    }
    close_over(matrix, 0..n)
}

/// Takes ways over some clocks into account; says whether there is no negative cycle through them.
fn close_over(mut matrix: impl Matrix, clocks: impl Iterator<Item = usize>) -> bool {
    let n = matrix.dim();
    for k in clocks {
        matrix.through(k, |_, row, row_k| {
            if !row[k].is_infinite() {
                relax_row(row, row[k], row_k);
                saturate_below(row);
            }
        });
        // Negative cycles must be caught at once: left alone, they grow exponentially.
        if matrix.entries().iter().step_by(n + 1).any(|&diagonal| diagonal < Bound::LE_ZERO) {
            return false;
        }
    }
    true
}

/// The O(n²) step of [`Dbm::constrain`]: the edge `i → j` becomes `bound`, shorter than before and not
/// closing a negative cycle.
fn tighten(mut matrix: impl Matrix, i: usize, j: usize, bound: Bound) {
    let n = matrix.dim();
    // Row j itself cannot change: a detour j → i → j is never shorter than standing still.
    matrix.through(j, |_, row, row_j| {
        let to_i = row[i];
        if to_i.is_infinite() {
            return;
        }
        let via = raw_sum(to_i.0, bound.0).max(Bound::MIN.0);
        if via < row[j].0 {
            relax_row(row, Bound(via), row_j);
        }
    });
    // By canonicity, a look at row 0 tells whether anything has fallen below the minimum.
    let entries = matrix.entries();
    let row_zero = &entries[..n];
    if any_in_row(row_zero, row_zero, row_zero, |bound, _, _| bound < Bound::MIN) {
        raise_to_minimum(entries);
    }
}
