//! Matrices that grow and shrink.
//!
//! A clock whose value is never looked at again before it is reset is *inactive*; leaving it out makes
//! matrices smaller and more zones equal (Daws & Yovine 1996, *Reducing the Number of Clock Variables of
//! Timed Automata*). The dimension thus differs from one discrete state to the next, and every transition
//! carries a matrix from one set of clocks to another. [`Dbm::gather`] does this in one pass: for each
//! clock of the target it says where its row and column come from. Taking a clock from clock 0 makes it
//! zero (the zero clock *is* a clock that is always 0), taking two from one makes them equal.
//!
//! Leaving clocks out projects, and entries of a canonical matrix are the tightest bounds already: nothing
//! needs to be closed.

use crate::bound::Bound;
use crate::dbm::{Dbm, Zone};

/// The source of a clock that [`Dbm::gather`] is to leave unconstrained.
pub const FREE: usize = usize::MAX;

impl<S: AsRef<[Bound]>> Dbm<S> {
    /// Writes into `target` the zone whose clock `i` is clock `sources[i]` of this one; it is zero if that
    /// is 0, and unconstrained if it is [`FREE`]. `sources[0]` must be 0. The dimension of the target is
    /// the number of sources. O(n²).
    ///
    /// ```
    /// use guidepost_zones::{Bound, FREE, Zone};
    /// let mut zone = Zone::zero(3);
    /// zone.reset(2, 7);
    /// let mut other = Zone::zero(4);
    /// zone.gather(&[0, 2, FREE, 0], &mut other); // old x2, a new clock, a clock at 0
    /// assert_eq!(other.to_string(), "x1 >= 7 and x3 <= 0 and x1 - x3 <= 7");
    /// ```
    pub fn gather<T: AsRef<[Bound]> + AsMut<[Bound]>>(&self, sources: &[usize], target: &mut Dbm<T>) {
        debug_assert!(!self.is_empty() && self.is_valid());
        assert!(
            sources.first() == Some(&0) && target.dim() == sources.len(),
            "one source per clock, 0 for 0"
        );
        let stays = |(clock, &from): (usize, &usize)| from == clock || from == 0;
        if sources.len() == self.dim() && sources.iter().enumerate().all(stays) {
            self.reset_into(sources, target);
        } else if sources.contains(&FREE) {
            self.gather_with_free(sources, target);
        } else {
            let rows = target.entries_mut().chunks_exact_mut(sources.len());
            for (row, &from) in rows.zip(sources) {
                let source = self.row(from);
                for (entry, &to) in row.iter_mut().zip(sources) {
                    *entry = source[to];
                }
            }
        }
        debug_assert!(target.is_valid());
    }

    /// The case of [`gather`](Dbm::gather) in which every clock stays where it is or becomes 0.
    #[inline]
    fn reset_into<T: AsRef<[Bound]> + AsMut<[Bound]>>(&self, sources: &[usize], target: &mut Dbm<T>) {
        let n = sources.len();
        let (from, to) = (self.entries(), target.entries_mut());
        to.copy_from_slice(from);
        for reset in (1..n).filter(|&clock| sources[clock] == 0) {
            // Its bounds are those of the zero clock; among clocks that are reset, those of row 0 with itself.
            to[reset * n..(reset + 1) * n].copy_from_slice(&from[..n]);
        }
        for reset in (1..n).filter(|&clock| sources[clock] == 0) {
            for row in to.chunks_exact_mut(n) {
                row[reset] = row[0];
            }
        }
    }

    /// The general case of [`gather`](Dbm::gather), kept out of the way of the common one.
    #[cold]
    fn gather_with_free<T: AsRef<[Bound]> + AsMut<[Bound]>>(&self, sources: &[usize], target: &mut Dbm<T>) {
        let rows = target.entries_mut().chunks_exact_mut(sources.len());
        for (i, (row, &from)) in rows.zip(sources).enumerate() {
            if from == FREE {
                row.fill(Bound::INFINITY);
                row[i] = Bound::LE_ZERO;
                continue;
            }
            let source = self.row(from);
            for (entry, &to) in row.iter_mut().zip(sources) {
                // An unconstrained clock is at least 0, so x_i - x_j is at most what x_i - 0 is.
                *entry = source[if to == FREE { 0 } else { to }];
            }
        }
    }

    /// Writes into `target` the zone of some clocks only, in the given order (`clocks[0]` must be 0).
    #[inline]
    pub fn extract<T: AsRef<[Bound]> + AsMut<[Bound]>>(&self, clocks: &[usize], target: &mut Dbm<T>) {
        debug_assert!(clocks.iter().all(|&clock| clock < self.dim()));
        self.gather(clocks, target);
    }

    /// Writes this zone into `target`, whose clock `clocks[i]` becomes clock `i` of this one; all others
    /// become unconstrained. `clocks` must ascend from 0. The inverse of [`extract`](Dbm::extract) up to
    /// what that has forgotten.
    pub fn scatter<T: AsRef<[Bound]> + AsMut<[Bound]>>(&self, clocks: &[usize], target: &mut Dbm<T>) {
        debug_assert!(!self.is_empty() && self.is_valid());
        assert!(clocks.len() == self.dim() && clocks.first() == Some(&0), "one place per clock, 0 for 0");
        assert!(clocks.is_sorted_by(|a, b| a < b), "the places must ascend");
        target.set_universe();
        for (i, &row) in clocks.iter().enumerate() {
            let mut next = 0;
            for column in 0..target.dim() {
                let kept = clocks.get(next) == Some(&column);
                target.set(row, column, self.get(i, if kept { next } else { 0 }));
                next += usize::from(kept);
            }
        }
        debug_assert!(target.is_valid());
    }
}

impl Zone {
    /// Projects clock `x` away; the clocks after it move down by one.
    pub fn remove_clock(&mut self, x: usize) {
        assert!(x > 0 && x < self.dim(), "only proper clocks can be removed");
        let sources: Vec<_> = (0..self.dim()).filter(|&i| i != x).collect();
        self.regather(&sources);
    }

    /// Inserts an unconstrained clock at place `x`; the clocks from there on move up by one.
    pub fn insert_free(&mut self, x: usize) {
        self.insert_from(x, FREE);
    }

    /// Inserts a clock with value 0 at place `x`; the clocks from there on move up by one.
    pub fn insert_zero(&mut self, x: usize) {
        self.insert_from(x, 0);
    }

    fn insert_from(&mut self, x: usize, source: usize) {
        assert!(x > 0 && x <= self.dim(), "only proper clocks can be inserted");
        let sources: Vec<_> = (0..x).chain([source]).chain(x..self.dim()).collect();
        self.regather(&sources);
    }

    fn regather(&mut self, sources: &[usize]) {
        if self.is_empty() {
            *self = Zone::empty(sources.len());
        } else {
            let mut target = Zone::zero(sources.len());
            self.gather(sources, &mut target);
            *self = target;
        }
    }
}
