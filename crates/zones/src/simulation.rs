//! Subsumption where clocks are compared with each other.
//!
//! aLU looks at one clock at a time, and a zone that it calls covered may lie on the other side of a diagonal `x - y < 3`. Gastin, Mukherjee & Srivathsan (2018, *Reachability in Timed
//! Automata with Diagonal Constraints*) add the diagonals D to the simulation:
//!
//! > v ≼ v'  iff  v ≼_LU v', and v' satisfies every diagonal of D that v satisfies.
//!
//! Time does not change differences, so v + δ ≼ v' + δ; guards hold for v' where they hold for v. Assignments are the caller's business: what D becomes by them must be in D (a copy turns a diagonal into another one), or in L and U (a reset turns it into a bound).
//! Whoever needs the complement of a guard adds the negated diagonal. No zone is cut or widened, and there are finitely many up to ≼.
//!
//! Whether every v of Z has a v' in Z' shows diagonal by diagonal: with φ one of them, those of Z that satisfy φ need a v' in Z' that does, and the others need any. So
//!
//! > Z ≼ Z'  iff  Z ∧ φ ≼ Z' ∧ φ  and  Z ∧ ¬φ ≼ Z', without φ on both sides,
//!
//! and without diagonals it is aLU. A diagonal that Z satisfies nowhere, or Z' everywhere, asks for nothing, so zones are cut along few of them.
//!
//! A bound that is computed (`x - y < n`) is one diagonal for every value of n. They are nested: of those that still ask for something the tightest is enough, since Z' ∧ φ satisfies all
//! that are looser. Values that do not cut Z are never looked at, however many there are. Where more than some dozen do, v' is asked to have the very values of v for both clocks, which
//! is more than is needed: then zones that could be covered may not be, and nothing else happens.

use crate::bound::{Bound, Constraint};
use crate::dbm::{Dbm, Zone};
use crate::extrapolation::LuBounds;

/// Values of a computed bound that cut a zone, beyond which it is not cut.
const MOST_CUTS: i32 = 48;

/// The diagonals `x_left - x_right ≺ c` for all c in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagonals {
    /// The clock that is bounded from above.
    pub left: u16,
    /// The clock that is bounded from below.
    pub right: u16,
    /// Whether the constraints are strict.
    pub is_strict: bool,
    /// The smallest constant, above -[`Bound::LIMIT`].
    pub low: i32,
    /// The largest constant, below [`Bound::LIMIT`].
    pub high: i32,
}

impl Diagonals {
    /// Whether more of them than is bearable cut a zone, of those from one on.
    fn are_too_many(&self, from: Constraint, zone: &Zone) -> bool {
        let above = zone.get(from.left.into(), from.right.into());
        let most = if above.is_infinite() { self.high } else { self.high.min(above.constant()) };
        most.saturating_sub(from.bound.constant()) > MOST_CUTS
    }

    /// The tightest of them that asks for something of the zone that is to cover another: the other satisfies it somewhere, and the covering one not everywhere.
    fn tightest<T: AsRef<[Bound]>>(&self, zone: &Zone, covering: &Dbm<T>) -> Option<Constraint> {
        let (left, right) = (usize::from(self.left), usize::from(self.right));
        let below = zone.get(right, left);
        let least = if below.is_infinite() {
            self.low
        } else {
            // `left - right` is at least this, or above it.
            let least = -below.constant();
            let is_reached = !below.is_strict() && !self.is_strict;
            self.low.max(if is_reached { least } else { least + 1 })
        };
        let above = covering.get(left, right);
        let most = if above.is_infinite() {
            self.high
        } else {
            let is_beyond = self.is_strict && !above.is_strict();
            self.high.min(above.constant() - i32::from(!is_beyond))
        };
        let bound = if self.is_strict { Bound::lt(least) } else { Bound::le(least) };
        (least <= most).then(|| Constraint::new(left, right, bound))
    }
}

impl<S: AsRef<[Bound]>> Dbm<S> {
    /// Does every valuation of this zone have one in the other that simulates it, given L, U, and the diagonals that may still be tested? Neither zone may be empty.
    ///
    /// ```
    /// use guidepost_zones::simulation::Diagonals;
    /// use guidepost_zones::{LuBounds, Zone};
    /// let bounds = LuBounds { lower: &[0, 1, 1], upper: &[0, 1, 1] };
    /// let (mut near, mut far) = (Zone::zero(3), Zone::zero(3));
    /// (near.reset(1, 5), far.reset(1, 9));
    /// (near.reset(2, 4), far.reset(2, 4));
    /// assert!(far.is_subset_alu(&near, bounds));
    /// let below = |high| [Diagonals { left: 1, right: 2, is_strict: true, low: 3, high }];
    /// assert!(far.is_simulated_by(&near, bounds, &below(3))); // 5 - 4 < 3, and so is nothing that 9 - 4 is not
    /// assert!(!near.is_simulated_by(&far, bounds, &below(3)));
    /// ```
    pub fn is_simulated_by<T: AsRef<[Bound]>>(
        &self,
        other: &Dbm<T>,
        bounds: LuBounds<'_>,
        diagonals: &[Diagonals],
    ) -> bool {
        self.is_subset(other)
            || (self.is_subset_alu(other, bounds)
                && is_simulated(self.to_zone(), other.to_zone(), bounds, diagonals))
    }
}

fn is_simulated(mut zone: Zone, mut other: Zone, bounds: LuBounds<'_>, diagonals: &[Diagonals]) -> bool {
    let Some((first, rest)) = diagonals.split_first() else { return zone.is_subset_alu(&other, bounds) };
    while let Some(diagonal) = first.tightest(&zone, &other) {
        if first.are_too_many(diagonal, &zone) {
            let (mut lower, mut upper) = (bounds.lower.to_vec(), bounds.upper.to_vec());
            for clock in [first.left, first.right].map(usize::from) {
                (lower[clock], upper[clock]) = (Bound::FAR, Bound::FAR);
            }
            return zone.is_simulated_by(&other, LuBounds { lower: &lower, upper: &upper }, rest);
        }
        let mut within = other.clone();
        if !within.constrain_all(&[diagonal]) {
            return false;
        }
        if zone.satisfies(diagonal) {
            // All looser ones are satisfied now, and no tighter one asks for anything.
            other = within;
            break;
        }
        let mut part = zone.clone();
        let is_cut = part.constrain_all(&[diagonal]) && zone.constrain_all(&[diagonal.negated()]);
        debug_assert!(is_cut, "both sides of a diagonal that crosses have points");
        if !part.is_simulated_by(&within, bounds, rest) {
            return false;
        }
    }
    zone.is_subset(&other) || (zone.is_subset_alu(&other, bounds) && is_simulated(zone, other, bounds, rest))
}
