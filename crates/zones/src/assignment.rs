//! Giving clocks new values: forget, reset, copy, shift.
//!
//! An assignment replaces one row and one column. What a clock was before no longer matters, and what it
//! is now follows from the clock (or the constant) that it is set to, so nothing needs to be closed: O(n).

use crate::bound::{Bound, raw_sum};
use crate::dbm::Dbm;
use crate::rows::{rows_mut, update_row};

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// Forgets clock `x`: it may have any value that is not negative.
    pub fn free(&mut self, x: usize) {
        self.check_assignment(x);
        let n = self.dim();
        let entries = self.entries_mut();
        for row in rows_mut(entries, n) {
            row[x] = row[0];
        }
        entries[x * n..][..n].fill(Bound::INFINITY);
        entries[x * n + x] = Bound::LE_ZERO;
        debug_assert!(self.is_valid());
    }

    /// Sets clock `x` to a constant that is not negative.
    #[inline]
    pub fn reset(&mut self, x: usize, value: i32) {
        self.check_assignment(x);
        debug_assert!(value >= 0, "clocks are not negative");
        let n = self.dim();
        let (plus, minus) = (Bound::le(value), Bound::le(-value));
        let entries = self.entries_mut();
        for row in rows_mut(entries, n) {
            // Upper bounds are not negative: the sum stays in range.
            row[x] = if row[0].is_infinite() { row[0] } else { Bound(raw_sum(row[0].0, minus.0)) };
        }
        let (row_zero, rest) = entries.split_at_mut(n);
        let row_x = &mut rest[(x - 1) * n..][..n];
        // Lower bounds are not positive: the sum stays in range, and no entry of row 0 is infinite.
        update_row(row_x, row_zero, row_zero, |_, zero, _| Bound(raw_sum(zero.0, plus.0)));
        row_x[x] = Bound::LE_ZERO;
        debug_assert!(self.is_valid());
    }

    /// Sets clock `x` to the value of clock `y`.
    pub fn copy(&mut self, x: usize, y: usize) {
        self.check_assignment(x);
        debug_assert!(y < self.dim());
        if x != y {
            let n = self.dim();
            let entries = self.entries_mut();
            entries.copy_within(y * n..(y + 1) * n, x * n);
            for row in rows_mut(entries, n) {
                row[x] = row[y];
            }
            debug_assert!(self.is_valid());
        }
    }

    /// Adds a constant, possibly negative, to clock `x`. Valuations in which the clock would become
    /// negative are dropped; says whether any are left.
    pub fn shift(&mut self, x: usize, offset: i32) -> bool {
        self.check_assignment(x);
        let n = self.dim();
        if offset < 0 && !self.constrain(0, x, Bound::le(offset)) {
            return false;
        }
        let (plus, minus) = (Bound::le(offset), Bound::le(-offset));
        let entries = self.entries_mut();
        for row in rows_mut(entries, n) {
            row[x] += minus;
        }
        for bound in &mut entries[x * n..][..n] {
            *bound += plus;
        }
        entries[x * n + x] = Bound::LE_ZERO;
        debug_assert!(self.is_valid());
        true
    }

    /// Sets clock `x` to clock `y` plus a constant, possibly negative. Valuations in which the clock would
    /// become negative are dropped; says whether any are left.
    pub fn assign_offset(&mut self, x: usize, y: usize, offset: i32) -> bool {
        self.copy(x, y);
        self.shift(x, offset)
    }

    fn check_assignment(&self, x: usize) {
        debug_assert!(x > 0 && x < self.dim(), "only proper clocks are assigned to");
        debug_assert!(!self.is_empty() && self.is_valid());
    }
}
