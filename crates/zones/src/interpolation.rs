//! Interpolation: why two zones have nothing in common.
//!
//! Two zones are disjoint iff their bounds together contradict each other: there is a cycle of bounds, some of the one zone and some of the
//! other, whose sum is negative. The bounds of the first zone on that cycle are an *interpolant*: the first zone
//! satisfies all of them, and no valuation of the second does. It says what of the first zone matters to keep the second away, and forgets the rest.
//!
//! Most of the time the cycle has two edges, `x - y ≺ a` of the first zone and `y - x ≺ b` of the second. Then the weakest interpolant is the
//! negation of the second bound, whatever `a` is. Otherwise bounds are left out one by one as long as those that are left suffice, and each of the
//! remaining ones is weakened as far as the others allow.

use crate::bound::{Bound, Constraint};
use crate::dbm::{Dbm, Zone};

impl<S: AsRef<[Bound]>> Dbm<S> {
    /// Writes into `out` a few constraints that this zone satisfies and no valuation of the other satisfies all of. Neither zone may be empty,
    /// and they must be disjoint. O(n²) where two opposite bounds contradict each other, which they nearly always do.
    ///
    /// ```
    /// use guidepost_zones::{Bound, Zone};
    /// let (mut early, mut late) = (Zone::zero(3), Zone::universe(3));
    /// early.up();
    /// early.constrain(1, 0, Bound::le(2)); // x1 = x2 <= 2
    /// late.constrain(0, 2, Bound::le(-5)); // x2 >= 5
    /// let mut reason = Vec::new();
    /// early.interpolant(&late, &mut reason);
    /// assert_eq!(format!("{reason:?}"), "[x2 < 5]"); // x1 does not matter
    /// ```
    pub fn interpolant<T: AsRef<[Bound]>>(&self, other: &Dbm<T>, out: &mut Vec<Constraint>) {
        debug_assert!(self.dim() == other.dim() && !self.is_empty() && !other.is_empty());
        debug_assert!(!self.intersects(other), "zones that overlap have no interpolant");
        out.clear();
        match self.opposite_bound(other) {
            Some(constraint) => out.push(constraint),
            None => self.core(other, out),
        }
        debug_assert!(out.iter().all(|&constraint| self.satisfies(constraint)));
        debug_assert!(!other.to_zone().constrain_all(out));
    }

    /// The negation of a bound of the other zone that every valuation of this one violates; of several, the one that is violated most, since it
    /// forgets most.
    fn opposite_bound<T: AsRef<[Bound]>>(&self, other: &Dbm<T>) -> Option<Constraint> {
        let n = self.dim();
        let violated = |i: usize, j: usize| {
            let theirs = other.get(j, i);
            let is_violated = !theirs.is_infinite() && self.get(i, j) <= -theirs;
            is_violated.then(|| Constraint::new(i, j, -theirs))
        };
        let pairs = (0..n).flat_map(|i| (0..n).filter(move |&j| j != i).map(move |j| (i, j)));
        let slack = |c: &Constraint| self.get(c.left.into(), c.right.into()).raw() - c.bound.raw();
        pairs.filter_map(|(i, j)| violated(i, j)).min_by_key(slack)
    }

    /// A set of constraints of this zone none of which can be left out, each as weak as the others allow.
    fn core<T: AsRef<[Bound]>>(&self, other: &Dbm<T>, out: &mut Vec<Constraint>) {
        self.minimal_form(out);
        // What holds of both does not keep them apart.
        out.retain(|&constraint| !other.satisfies(constraint));
        let without = |constraints: &[Constraint], left_out: usize| -> Zone {
            let mut rest = other.to_zone();
            let mut others = constraints.iter().enumerate().filter(|&(index, _)| index != left_out);
            others.all(|(_, c)| rest.constrain(c.left.into(), c.right.into(), c.bound));
            rest
        };
        let mut at = 0;
        while at < out.len() {
            if without(out, at).is_empty() {
                out.remove(at);
            } else {
                at += 1;
            }
        }
        for at in 0..out.len() {
            let Constraint { left, right, .. } = out[at];
            let opposite = without(out, at).get(right.into(), left.into());
            if !opposite.is_infinite() {
                out[at].bound = out[at].bound.max(-opposite);
            }
        }
    }
}
