//! Letting time pass, forwards and backwards.
//!
//! Delay moves a valuation along the diagonal. On canonical matrices the future loses the upper bounds on
//! clocks and keeps everything else; the past relaxes the lower bounds to the best that the differences
//! still enforce. Both stay canonical without closing.
//!
//! With *stopwatches* some clocks stand still while the others run. The exact future is then no zone: it
//! can need constraints between four clocks, such as `(x - y) + (u - v) <= c`. [`Dbm::up_stopped`] gives
//! the smallest zone around it.

use crate::bound::{Bound, Constraint, raw_sum};
use crate::dbm::Dbm;
use crate::rows::{rows, rows_mut, update_row};

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// Becomes the set of valuations reached by letting time pass, arbitrarily long or not at all.
    #[inline]
    pub fn up(&mut self) {
        debug_assert!(!self.is_empty() && self.is_valid());
        let n = self.dim();
        for row in rows_mut(&mut self.entries_mut()[n..], n) {
            row[0] = Bound::INFINITY;
        }
        debug_assert!(self.is_valid());
    }

    /// Becomes the set of valuations reached by letting time pass as long as some upper bounds on clocks
    /// hold, all of which hold now. O(n) for each of them.
    ///
    /// Each clock may run until the first bound is reached, `x_i <= min_j (x_i - x_j) + u_j`; differences
    /// and lower bounds stay as they are.
    #[inline]
    pub fn up_below(&mut self, bounds: &[Constraint]) {
        debug_assert!(!self.is_empty() && self.is_valid());
        debug_assert!(bounds.iter().all(|c| c.right == 0 && self.get(c.left.into(), 0) <= c.bound));
        let n = self.dim();
        for row in rows_mut(&mut self.entries_mut()[n..], n) {
            let mut limit = Bound::INFINITY.0;
            for c in bounds {
                let difference = row[usize::from(c.left)];
                if !difference.is_infinite() {
                    limit = limit.min(raw_sum(difference.0, c.bound.0));
                }
            }
            row[0] = Bound(limit).max(Bound::MIN);
        }
        debug_assert!(self.is_valid());
    }

    /// Like [`up`](Dbm::up), but the clocks `x` with `stopped(x)` do not advance.
    ///
    /// The result is the smallest zone that contains the exact future. It is exact if no clock is stopped,
    /// or if only one runs; in general it is an over-approximation, and an answer that rests on it has to
    /// say so.
    pub fn up_stopped(&mut self, stopped: impl Fn(usize) -> bool) {
        debug_assert!(!self.is_empty() && self.is_valid());
        let n = self.dim();
        let stands = |x: usize| x == 0 || stopped(x);
        for i in (0..n).filter(|&i| !stands(i)) {
            for j in (0..n).filter(|&j| stands(j)) {
                self.set(i, j, Bound::INFINITY);
            }
        }
        debug_assert!(self.is_valid());
    }

    /// Becomes the set of valuations from which letting time pass, possibly not at all, leads into this
    /// zone.
    pub fn down(&mut self) {
        debug_assert!(!self.is_empty() && self.is_valid());
        let n = self.dim();
        let (lower, others) = self.entries_mut().split_at_mut(n);
        lower.fill(Bound::LE_ZERO);
        for row in rows(others, n) {
            update_row(lower, row, row, |bound, difference, _| bound.min(difference));
        }
        debug_assert!(self.is_valid());
    }
}
