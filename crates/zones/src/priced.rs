//! Priced zones: a zone, and for each of its valuations the least cost of getting there.
//!
//! The cost is a linear function of the clocks, `offset + Σ rates[i]·x_i` (Larsen, Behrmann, Brinksma, Fehnker, Hune, Pettersson & Romijn 2001, *As Cheap as Possible*). Guards
//! and invariants only cut the zone. Delays and resets minimise over many valuations, and what they give is linear only piece by piece:
//!
//! * Time passes at a rate. Inside the zone the cost grows by the sum of the rates per time unit. If waiting costs more than that, whoever leaves the zone does so as
//!   late as possible, through one of its upper facets; if it costs less, as early as possible, through one of its lower facets; if it costs the same, one function
//!   describes it all.
//! * A clock is forgotten. If cost grows with it, its least value counts, which one of the lower facets of the clock says in terms of the others; if cost falls
//!   with it, the upper facets do.
//!
//! Facets are taken of the closure, for an infimum may lie where a strict bound excludes it; the valuations of each piece stay exact. A facet that follows from
//! others would give a piece that is right and superfluous, so only those of a minimal set of constraints are used. Costs are never negative, which is
//! why no minimum here is unbounded.

use crate::bound::Bound;
use crate::dbm::Zone;
use crate::minimum::{UNBOUNDED, minimise};

/// A zone with a linear cost function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PricedZone {
    /// The valuations.
    pub zone: Zone,
    /// The cost where all clocks are 0, if the function went so far.
    pub offset: i64,
    /// How the cost changes with each clock; that of clock 0 is 0.
    pub rates: Vec<i64>,
}

impl PricedZone {
    /// A zone in which everything costs the same.
    pub fn flat(zone: Zone, cost: i64) -> Self {
        let rates = vec![0; zone.dim()];
        Self { zone, offset: cost, rates }
    }

    /// The cost at a valuation of integers.
    pub fn at(&self, point: &[i64]) -> i64 {
        self.offset + self.rates.iter().zip(point).map(|(rate, value)| rate * value).sum::<i64>()
    }

    /// The least cost of the zone: its infimum, if a strict bound excludes the best valuations.
    pub fn least(&self) -> i64 {
        self.least_with(&vec![0; self.rates.len()])
    }

    /// The least value of the cost plus another linear function of the clocks.
    pub fn least_with(&self, extra: &[i64]) -> i64 {
        let weights: Vec<i64> = self.rates.iter().zip(extra).map(|(rate, extra)| rate + extra).collect();
        self.offset + least_over(&self.zone, &weights)
    }

    /// Whether every valuation of the other zone is one of this, and costs no less there.
    pub fn covers(&self, other: &PricedZone) -> bool {
        if !other.zone.is_subset(&self.zone) {
            return false;
        }
        let difference = other.offset - self.offset;
        let weights: Vec<i64> =
            other.rates.iter().zip(&self.rates).map(|(theirs, own)| theirs - own).collect();
        if weights.iter().all(|weight| *weight == 0) {
            return difference >= 0;
        }
        difference + least_over(&other.zone, &weights) >= 0
    }

    /// Lets time pass at a cost per time unit: the pieces of the result. Invariants are the caller's business.
    pub fn delayed(self, rate: i64) -> Vec<PricedZone> {
        debug_assert!(!self.zone.is_empty() && rate >= 0);
        let surplus = rate - self.rates.iter().sum::<i64>();
        let mut later = self.zone.clone();
        later.up();
        if surplus == 0 {
            return vec![PricedZone { zone: later, ..self }];
        }
        let dim = self.zone.dim();
        // A zone that lies in one facet altogether has no other.
        if let Some(fixed) = (1..dim).find(|&x| self.zone.get(x, 0) + self.zone.get(0, x) == Bound::LE_ZERO) {
            let at = self.zone.get(fixed, 0).constant();
            return vec![self.leaving(fixed, at, surplus, later)];
        }
        let closure = closure(&self.zone);
        let mut pieces = Vec::new();
        for clock in 1..dim {
            let (i, j) = if surplus > 0 { (clock, 0) } else { (0, clock) };
            if is_redundant(&closure, i, j) {
                continue;
            }
            let bound = closure.get(i, j).constant();
            let at = if surplus > 0 { bound } else { -bound };
            let mut facet = closure.clone();
            if !facet.constrain(j, i, Bound::le(-bound)) {
                continue;
            }
            facet.up();
            if facet.intersect(&later) {
                pieces.push(self.leaving(clock, at, surplus, facet));
            }
        }
        if surplus > 0 {
            pieces.push(self);
        }
        pieces
    }

    /// The cost of valuations that time leads to from where `clock` is `at`, `surplus` more per time unit than the function says.
    fn leaving(&self, clock: usize, at: i32, surplus: i64, zone: Zone) -> PricedZone {
        let mut rates = self.rates.clone();
        rates[clock] += surplus;
        PricedZone { zone, offset: self.offset - surplus * i64::from(at), rates }
    }

    /// Makes the cost independent of a clock, which may have had any value so far and may have any from now on: the pieces of the result.
    pub fn forgetting(self, clock: usize) -> Vec<PricedZone> {
        let rate = self.rates[clock];
        if rate == 0 {
            let mut zone = self.zone.clone();
            zone.free(clock);
            return vec![PricedZone { zone, ..self }];
        }
        let dim = self.zone.dim();
        let others = || (0..dim).filter(|&other| other != clock);
        let is_fixed =
            |&other: &usize| self.zone.get(clock, other) + self.zone.get(other, clock) == Bound::LE_ZERO;
        if let Some(other) = others().find(is_fixed) {
            let distance = self.zone.get(clock, other).constant();
            let zone = self.zone.clone();
            return vec![self.substituted(clock, other, distance, zone)];
        }
        let closure = closure(&self.zone);
        let mut exact = self.zone.clone();
        exact.free(clock);
        let mut pieces = Vec::new();
        for other in others() {
            let (i, j) = if rate > 0 { (other, clock) } else { (clock, other) };
            if is_redundant(&closure, i, j) {
                continue;
            }
            let bound = closure.get(i, j).constant();
            let distance = if rate > 0 { -bound } else { bound };
            let mut facet = closure.clone();
            if facet.constrain(j, i, Bound::le(-bound)) && facet.intersect(&exact) {
                pieces.push(self.substituted(clock, other, distance, facet));
            }
        }
        pieces
    }

    /// The cost where `clock` is `other` plus a distance, without the clock.
    fn substituted(&self, clock: usize, other: usize, distance: i32, mut zone: Zone) -> PricedZone {
        zone.free(clock);
        let mut rates = self.rates.clone();
        let rate = std::mem::take(&mut rates[clock]);
        if other != 0 {
            rates[other] += rate;
        }
        PricedZone { zone, offset: self.offset + rate * i64::from(distance), rates }
    }

    /// The priced zone over other clocks: clock `i` of the result is clock `sources[i]` of this one plus `offsets[i]` (0 for the zero clock). The cost must
    /// not depend on clocks that are left out, see [`PricedZone::forgetting`].
    pub fn gathered(&self, sources: &[usize], offsets: &[i32]) -> Option<PricedZone> {
        let mut zone = Zone::zero(sources.len());
        self.zone.gather(sources, &mut zone);
        let mut rates = vec![0; sources.len()];
        let mut offset = self.offset;
        for (clock, &rate) in self.rates.iter().enumerate().filter(|(_, rate)| **rate != 0) {
            let place = sources.iter().position(|&source| source == clock);
            let place = place.expect("the cost does not depend on clocks that are left out");
            rates[place] += rate;
            offset -= rate * i64::from(offsets[place]);
        }
        for (place, &by) in offsets.iter().enumerate().filter(|(_, by)| **by != 0) {
            if !zone.shift(place, by) {
                return None;
            }
        }
        Some(PricedZone { zone, offset, rates })
    }
}

/// The least value of a linear function over the closure of a zone.
fn least_over(zone: &Zone, weights: &[i64]) -> i64 {
    let dim = zone.dim();
    if weights[1..].iter().all(|weight| *weight >= 0) {
        // All clocks are least at once: that is what a canonical matrix says.
        let least = |(clock, weight): (usize, &i64)| weight * -i64::from(zone.get(0, clock).constant());
        return weights.iter().enumerate().skip(1).filter(|(_, weight)| **weight != 0).map(least).sum();
    }
    let bounds: Vec<i64> = zone
        .entries()
        .iter()
        .map(|bound| if bound.is_infinite() { UNBOUNDED } else { i64::from(bound.constant()) })
        .collect();
    // A function that falls without end belongs to a cost that would be negative somewhere; comparing two such functions may meet one.
    minimise(dim, &bounds, weights).map_or(i64::MIN / 4, |minimum| minimum.value)
}

/// The closure: every strict bound made non-strict. It is canonical again.
fn closure(zone: &Zone) -> Zone {
    let close = |bound: &Bound| if bound.is_infinite() { *bound } else { Bound::le(bound.constant()) };
    Zone::from_entries(zone.dim(), zone.entries().iter().map(close).collect())
}

/// Whether the bound on `x_i - x_j` follows from others. Of several that follow from each other, one is kept.
fn is_redundant(zone: &Zone, i: usize, j: usize) -> bool {
    let bound = zone.get(i, j);
    let is_fixed = |a: usize, b: usize| zone.get(a, b) + zone.get(b, a) == Bound::LE_ZERO;
    let follows = |k: usize| {
        let (first, second) = (zone.get(i, k), zone.get(k, j));
        let is_detour = !first.is_infinite() && !second.is_infinite() && first + second <= bound;
        let is_kept = (is_fixed(i, k) && i < k) || (is_fixed(k, j) && j < k);
        is_detour && !is_kept
    };
    bound.is_infinite() || (0..zone.dim()).any(|k| k != i && k != j && follows(k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Constraint;

    /// The zone 2 <= x <= 7, 2 <= y <= 6, -1 <= x - y <= 3 with cost y's rate 2 and x's rate -1.
    fn example() -> PricedZone {
        let zone = Zone::from_constraints(
            3,
            &[
                Constraint::new(1, 0, Bound::le(7)),
                Constraint::new(0, 1, Bound::le(-2)),
                Constraint::new(2, 0, Bound::le(6)),
                Constraint::new(0, 2, Bound::le(-2)),
                Constraint::new(2, 1, Bound::le(1)),
                Constraint::new(1, 2, Bound::le(3)),
            ],
        );
        // Cost 4 where x = y = 2.
        PricedZone { zone, offset: 2, rates: vec![0, -1, 2] }
    }

    fn cost(pieces: &[PricedZone], point: &[i64]) -> Option<i64> {
        pieces.iter().filter(|piece| piece.zone.contains(point, 1)).map(|piece| piece.at(point)).min()
    }

    #[test]
    fn the_least_cost_lies_in_a_corner() {
        assert_eq!(example().least(), 1); // x = 5, y = 2
    }

    #[test]
    fn forgetting_a_clock_takes_its_cheapest_value() {
        let pieces = example().forgetting(2);
        assert_eq!(pieces.len(), 2);
        let pieces: Vec<PricedZone> =
            pieces.iter().filter_map(|piece| piece.gathered(&[0, 1, 0], &[0; 3])).collect();
        for (x, least) in [(2, 4), (3, 3), (4, 2), (5, 1), (6, 2), (7, 3)] {
            assert_eq!(cost(&pieces, &[0, x, 0]), Some(least), "x = {x}");
        }
    }

    #[test]
    fn clocks_at_a_fixed_distance_can_be_forgotten_one_after_the_other() {
        let mut zone = Zone::zero(3);
        zone.up();
        zone.constrain(1, 0, Bound::le(5));
        let priced = PricedZone { zone, offset: 1, rates: vec![0, 2, 1] };
        let mut pieces = priced.forgetting(2);
        pieces = pieces.into_iter().flat_map(|piece| piece.forgetting(1)).collect();
        let costs: Vec<i64> =
            pieces.iter().filter_map(|piece| piece.gathered(&[0], &[0])).map(|piece| piece.least()).collect();
        assert_eq!(costs, [1]);
    }

    #[test]
    fn waiting_takes_the_cheapest_way_out() {
        let before = example();
        for rate in 0..5 {
            let pieces = before.clone().delayed(rate);
            for x in 0..15 {
                for y in 0..15 {
                    let ways = (0..=15.min(x).min(y)).filter_map(|delay| {
                        let from = [0, x - delay, y - delay];
                        before.zone.contains(&from, 1).then(|| before.at(&from) + rate * delay)
                    });
                    assert_eq!(cost(&pieces, &[0, x, y]), ways.min(), "({x}, {y}) at rate {rate}");
                }
            }
        }
        assert_eq!(before.clone().delayed(1).len(), 1, "one function describes it all");
        assert_eq!(before.delayed(3).len(), 3, "the zone and two upper facets");
    }

    #[test]
    fn strict_bounds_exclude_valuations_and_no_costs() {
        let zone = Zone::from_constraints(
            2,
            &[Constraint::new(0, 1, Bound::lt(-1)), Constraint::new(1, 0, Bound::lt(3))],
        );
        let priced = PricedZone { zone, offset: 0, rates: vec![0, 5] };
        assert_eq!(priced.least(), 5, "the infimum");
        let pieces = priced.delayed(7);
        assert!(pieces.iter().all(|piece| !piece.zone.contains(&[0, 1], 1)));
        assert_eq!(cost(&pieces, &[0, 3]), Some(15));
        assert_eq!(cost(&pieces, &[0, 4]), Some(22));
    }

    #[test]
    fn coverage_looks_at_every_valuation() {
        let one = example();
        let mut dearer = one.clone();
        dearer.offset += 1;
        assert!(one.covers(&dearer) && !dearer.covers(&one));
        let mut tilted = one.clone();
        (tilted.offset, tilted.rates) = (one.offset - 4, vec![0, 1, 2]); // 4 less where x is 0, the same at x = 2
        assert!(one.covers(&tilted) && !tilted.covers(&one));
    }
}
