//! The few constraints that say it all.
//!
//! A canonical matrix repeats itself: most entries follow from others. Larsen, Larsson, Pettersson & Yi
//! (1997, *Efficient Verification of Real-Time Systems: Compact Data Structure and State-Space Reduction*)
//! keep a minimal set from which closing recovers the rest. Clocks at a fixed distance from each other
//! (zero cycles) form classes; each class is held together by one cycle through its members, and between
//! the smallest members of the classes an edge is dropped if a detour over a third class is as short.
//! Dropping all such edges at once is safe there, because without zero cycles no two edges can each
//! depend on the other.
//!
//! Non-negativity of clocks is not listed: a zone is rebuilt from the universe, where it holds already.
//! The form serves to store zones compactly, to show them to people, and to cut along real facets only
//! when one zone is [subtracted](crate::Federation::subtract_zone) from another.

use crate::bound::{Bound, Constraint};
use crate::dbm::Dbm;

impl<S: AsRef<[Bound]>> Dbm<S> {
    /// Writes a minimal set of constraints of this zone (not empty) into `out`, replacing its content. O(n³).
    ///
    /// [`Dbm::set_constraints`] is the way back.
    pub fn minimal_form(&self, out: &mut Vec<Constraint>) {
        self.minimal_form_where(|_, _, _| true, out);
    }

    /// As [`Dbm::minimal_form`], without the constraints that another zone satisfies: what is left to cut away of that one. O(n²), and O(n) for every bound that it violates.
    pub fn minimal_form_against<T: AsRef<[Bound]>>(&self, other: &Dbm<T>, out: &mut Vec<Constraint>) {
        debug_assert!(self.dim() == other.dim() && !other.is_empty());
        self.minimal_form_where(|i, j, bound| bound < other.get(i, j), out);
    }

    fn minimal_form_where(&self, counts: impl Fn(usize, usize, Bound) -> bool, out: &mut Vec<Constraint>) {
        debug_assert!(!self.is_empty());
        out.clear();
        let representatives: Vec<usize> = (0..self.dim()).filter(|&i| self.is_representative(i)).collect();
        for i in 0..self.dim() {
            if let Some(other) = self.next_in_class(i)
                && (i != 0 || self.get(0, other) != Bound::LE_ZERO)
                && counts(i, other, self.get(i, other))
            {
                self.keep(i, other, out);
            }
            if representatives.binary_search(&i).is_err() {
                continue;
            }
            for &j in representatives.iter().filter(|&&j| j != i) {
                let direct = self.get(i, j);
                let follows = || {
                    self.is_detour_as_short(i, j, direct, &representatives)
                        || (i == 0 && self.is_above_zero(j))
                };
                if !direct.is_infinite() && counts(i, j, direct) && !follows() {
                    self.keep(i, j, out);
                }
            }
        }
    }

    fn keep(&self, i: usize, j: usize, out: &mut Vec<Constraint>) {
        out.push(Constraint::new(i, j, self.get(i, j)));
    }

    /// Does the lower bound of `j` follow from some clock of its class not being negative?
    fn is_above_zero(&self, j: usize) -> bool {
        (0..self.dim()).any(|k| self.get(0, k) == Bound::LE_ZERO && k != 0 && (k == j || self.is_fixed(j, k)))
    }

    /// Are the two clocks at a fixed distance in all valuations?
    fn is_fixed(&self, i: usize, j: usize) -> bool {
        self.get(i, j) + self.get(j, i) == Bound::LE_ZERO
    }

    /// Is this the smallest clock of its class?
    fn is_representative(&self, i: usize) -> bool {
        !(0..i).any(|j| self.is_fixed(i, j))
    }

    /// The next larger clock of the class of `i`, or the smallest one after the largest; none if `i` is
    /// alone.
    fn next_in_class(&self, i: usize) -> Option<usize> {
        (i + 1..self.dim()).chain(0..i).find(|&j| self.is_fixed(i, j))
    }

    /// Is there a way from one representative to another over a third one that is not longer than `direct`? Other members of a class are at a fixed distance from it.
    fn is_detour_as_short(&self, i: usize, j: usize, direct: Bound, representatives: &[usize]) -> bool {
        let mut others = representatives.iter().filter(|&&k| k != i && k != j);
        others.any(|&k| self.get(i, k) + self.get(k, j) <= direct)
    }
}

impl<S: AsRef<[Bound]> + AsMut<[Bound]>> Dbm<S> {
    /// Becomes the set of all valuations that satisfy the constraints; says whether there are any. O(n³).
    pub fn set_constraints(&mut self, constraints: &[Constraint]) -> bool {
        self.set_universe();
        for c in constraints {
            let (i, j) = (c.left.into(), c.right.into());
            self.set(i, j, self.get(i, j).min(c.bound));
        }
        self.close()
    }
}
