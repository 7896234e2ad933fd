//! Where the values of a clock are cut.
//!
//! What is known of a clock is how large it is at least, and that matters only where something keeps it from being larger. So its values are cut at its upper bounds, in
//! guards, invariants and goals, and nowhere else: two lower bounds that respect the same upper bounds have the same number.

use guidepost_network::interpreter::Rational;
use guidepost_network::{ClockConstraint, ClockId, Goal, Network};
use guidepost_zones::Bound;

/// Upper bounds of one clock, at most.
const LIMITS: usize = 127;

/// A value of a clock as far as bounds can tell: `2c` is c, `2c + 1` all that lies between c and c + 1.
pub(super) type Point = i64;

/// The point of a whole number.
pub(super) fn whole(value: i32) -> Point {
    2 * Point::from(value)
}

/// The point of a number.
pub(super) fn point(value: Rational) -> Point {
    let whole = value.numerator().div_euclid(value.denominator());
    2 * whole + Point::from(value.denominator() != 1)
}

/// The smallest point of a clock, given the bound of a zone on 0 minus the clock.
pub(super) fn smallest(bound: Bound) -> Point {
    // `0 - x < c` is `x > -c`.
    whole(-bound.constant()) + Point::from(bound.is_strict())
}

/// What a constraint says about a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Least(Point),
    Most(Point),
}

/// What a constraint surely says about a single clock: bounds that are computed are as weak as they can be, and what depends on a condition, or compares two clocks,
/// says nothing.
pub(super) fn side(constraint: &ClockConstraint) -> Option<(ClockId, Side)> {
    if constraint.condition.is_some() || constraint.is_diagonal() {
        return None;
    }
    let weakest = whole(constraint.bound.range().1);
    let strict = Point::from(constraint.strict);
    match (constraint.left, constraint.right) {
        (ClockId::ZERO, ClockId::ZERO) => None,
        (clock, ClockId::ZERO) => Some((clock, Side::Most(weakest - strict))),
        (_, clock) => Some((clock, Side::Least(strict - weakest))),
    }
}

/// What guards, invariants and goals say about single clocks.
fn sides<'n>(network: &'n Network, goals: &'n [Goal]) -> impl Iterator<Item = (ClockId, Side)> + 'n {
    let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
    let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
    let wanted = goals.iter().flat_map(|goal| &goal.clocks);
    guards.chain(invariants).chain(wanted).filter_map(side)
}

/// By clock of the network: whether something wants it to be large.
pub(super) fn are_bounded_below(network: &Network, goals: &[Goal]) -> Vec<bool> {
    let mut are_bounded = vec![false; network.clocks.len()];
    for (clock, side) in sides(network, goals) {
        are_bounded[clock.index()] |= matches!(side, Side::Least(_));
    }
    are_bounded
}

/// The upper bounds of a clock, ascending.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Limits(Vec<Point>);

impl Limits {
    /// By clock of the network.
    pub(super) fn of_network(network: &Network, goals: &[Goal]) -> Vec<Self> {
        let mut limits = vec![Vec::new(); network.clocks.len()];
        for (clock, side) in sides(network, goals) {
            if let Side::Most(point) = side {
                limits[clock.index()].push(point);
            }
        }
        limits.into_iter().map(Self::new).collect()
    }

    /// Some of them, where there are too many: a bound that is left out counts as the next larger one.
    fn new(mut points: Vec<Point>) -> Self {
        points.sort_unstable();
        points.dedup();
        if points.len() > LIMITS {
            points = (1..=LIMITS).map(|part| points[part * points.len() / LIMITS - 1]).collect();
        }
        Self(points)
    }

    /// Whether nothing keeps the clock from being large.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many numbers there are.
    pub(super) fn size(&self) -> u32 {
        self.0.len() as u32 + 1
    }

    /// How many of the upper bounds a point exceeds. A point respects an upper bound if and only if its number is not above that of the bound.
    pub(super) fn number(&self, point: Point) -> u32 {
        self.0.partition_point(|&limit| limit < point) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(points: &[Point]) -> Limits {
        Limits::new(points.to_vec())
    }

    #[test]
    fn strictness_matters_at_the_same_constant() {
        // x < 5, x <= 5
        let limits = limits(&[2 * 5 - 1, 2 * 5]);
        assert_eq!(limits.size(), 3);
        assert_eq!(limits.number(whole(4) + 1), 0, "x > 4 respects both");
        assert_eq!(limits.number(whole(5)), 1, "x >= 5 respects x <= 5 only");
        assert_eq!(limits.number(whole(5) + 1), 2, "x > 5 respects none");
        assert_eq!((limits.number(2 * 5 - 1), limits.number(2 * 5)), (0, 1));
    }

    #[test]
    fn zero_and_below() {
        // x < 0, which is never so, and x <= 0.
        let limits = limits(&[-1, 0]);
        assert_eq!((limits.number(0), limits.number(1)), (1, 2));
    }

    #[test]
    fn lower_bounds_of_zones() {
        assert_eq!(smallest(Bound::le(0)), 0);
        assert_eq!(smallest(Bound::lt(0)), 1);
        assert_eq!(smallest(Bound::le(-5)), 10);
        assert_eq!(smallest(Bound::lt(-5)), 11);
        assert_eq!(smallest(Bound::MIN), whole(Bound::LIMIT - 1) + 1);
    }

    #[test]
    fn numbers_between_whole_ones() {
        let half = Rational::new(7, 2).expect("a number");
        assert_eq!(point(half), 7);
        assert_eq!(point(Rational::from(3)), 6);
    }

    /// However many bounds are left out: who respects one respects the bound that it counts as.
    #[test]
    fn many_bounds_become_weaker_and_never_stronger() {
        let all: Vec<Point> = (0..1000).map(|value| whole(3 * value) - Point::from(value % 2)).collect();
        let limits = limits(&all);
        assert_eq!(limits.size(), 128);
        for &bound in &all {
            for point in [bound - 2, bound - 1, bound] {
                assert!(limits.number(point) <= limits.number(bound));
            }
        }
        assert!(limits.number(all[999] + 1) > limits.number(all[999]), "the largest one is kept");
        let kept = all.iter().filter(|&&bound| limits.number(bound + 1) > limits.number(bound)).count();
        assert_eq!(kept, 127);
    }
}
