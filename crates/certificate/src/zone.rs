//! Difference bound matrices, written to be read.
//!
//! A zone is a set of clock valuations, given by bounds on differences of clocks; clock 0 is the constant zero. A matrix is always *closed*: every entry is the
//! least bound that follows from all of them. Nothing here is shared with the engines.

use std::fmt::Write;

/// How large a difference of two clocks may be: `< c` is `2c`, `<= c` is `2c + 1`. The smaller, the tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bound(pub(crate) i64);

impl Bound {
    /// Anything.
    pub(crate) const NONE: Self = Self(i64::MAX);
    /// `<= 0`
    pub(crate) const ZERO: Self = Self(1);
    /// Constants of bounds in certificates are no larger than this: a bound has 32 bits, and sums of many of them are numbers.
    pub(crate) const LARGEST: i64 = 1 << 29;

    /// `< constant` or `<= constant`
    pub fn new(constant: i64, strict: bool) -> Self {
        Self(2 * constant + i64::from(!strict))
    }

    /// The constant, and whether the bound excludes it.
    pub fn parts(self) -> (i64, bool) {
        (self.0 >> 1, self.0 & 1 == 0)
    }

    fn plus(self, other: Self) -> Self {
        if self == Self::NONE || other == Self::NONE {
            return Self::NONE;
        }
        // The sum includes its constant if both do.
        Self(self.0 + other.0 - ((self.0 | other.0) & 1))
    }

    /// A bound whose constant is larger by so much.
    pub(crate) fn raised(self, by: i64) -> Self {
        if self == Self::NONE { self } else { Self(self.0 + 2 * by) }
    }

    /// `x - y` is not within this bound exactly where `y - x` is within the result.
    fn negated(self) -> Self {
        Self(1 - self.0)
    }
}

/// `left - right` is within the bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Difference {
    /// A clock, by its number in the network.
    pub left: u32,
    /// Another one.
    pub right: u32,
    /// The bound.
    pub bound: Bound,
}

/// A set of clock valuations that is not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    clocks: usize,
    /// Row by row: the entry (i, j) bounds `x_i - x_j`.
    bounds: Vec<Bound>,
}

impl Zone {
    /// All valuations.
    pub(crate) fn all(clocks: usize) -> Self {
        let mut zone = Self { clocks, bounds: vec![Bound::NONE; clocks * clocks] };
        for clock in 0..clocks {
            zone.set(clock, clock, Bound::ZERO);
            zone.set(0, clock, Bound::ZERO);
        }
        zone
    }

    /// One valuation.
    pub(crate) fn point(values: &[i64]) -> Self {
        let entries = values.iter().flat_map(|left| values.iter().map(move |right| left - right));
        let bounds = entries.map(|difference| Bound::new(difference, false)).collect();
        Self { clocks: values.len(), bounds }
    }

    /// The valuations within some bounds; `None` if there are none.
    pub(crate) fn within(clocks: usize, bounds: &[Difference]) -> Option<Self> {
        Self::all(clocks).and(bounds)
    }

    pub(crate) fn get(&self, left: usize, right: usize) -> Bound {
        self.bounds[left * self.clocks + right]
    }

    fn set(&mut self, left: usize, right: usize, bound: Bound) {
        self.bounds[left * self.clocks + right] = bound;
    }

    /// Whether all valuations are within a bound.
    pub(crate) fn satisfies(&self, difference: Difference) -> bool {
        self.get(difference.left as usize, difference.right as usize) <= difference.bound
    }

    /// The valuations that are within some more bounds; `None` if there are none.
    pub(crate) fn and(mut self, bounds: &[Difference]) -> Option<Self> {
        for &difference in bounds {
            if self.satisfies(difference) {
                continue;
            }
            let (left, right) = (difference.left as usize, difference.right as usize);
            // Nobody is within both bounds. Asked first, so that no sum grows without end.
            if self.get(right, left).plus(difference.bound) < Bound::ZERO {
                return None;
            }
            for from in 0..self.clocks {
                let start = self.get(from, left).plus(difference.bound);
                if start == Bound::NONE {
                    continue;
                }
                for to in 0..self.clocks {
                    let detour = start.plus(self.get(right, to));
                    self.set(from, to, self.get(from, to).min(detour));
                }
            }
        }
        Some(self)
    }

    /// Whether time can pass for ever within it.
    pub(crate) fn is_unbounded(&self) -> bool {
        (1..self.clocks).all(|clock| self.get(clock, 0) == Bound::NONE)
    }

    /// The valuations that some time later can be.
    pub(crate) fn later(mut self) -> Self {
        for clock in 1..self.clocks {
            self.set(clock, 0, Bound::NONE);
        }
        self
    }

    /// The valuations that some time later can be one of these.
    pub(crate) fn earlier(mut self) -> Self {
        for clock in 1..self.clocks {
            let least = (1..self.clocks).map(|other| self.get(other, clock)).min();
            self.set(0, clock, least.unwrap_or(Bound::ZERO).min(Bound::ZERO));
        }
        self
    }

    /// The valuations after an update: every clock becomes another one (or zero) plus a number.
    pub(crate) fn updated(&self, origins: &[(usize, i64)]) -> Self {
        let entries = origins.iter().flat_map(|left| origins.iter().map(move |right| (left, right)));
        let bounds = entries.map(|(left, right)| self.get(left.0, right.0).raised(left.1 - right.1));
        Self { clocks: self.clocks, bounds: bounds.collect() }
    }

    /// The valuations that are not within all of some bounds, as zones without a valuation in common.
    pub(crate) fn minus(self, bounds: &[Difference]) -> Vec<Zone> {
        let mut pieces = Vec::new();
        let mut rest = Some(self);
        for &difference in bounds {
            let Some(zone) = rest else { break };
            let Difference { left, right, bound } = difference;
            let beyond = Difference { left: right, right: left, bound: bound.negated() };
            if !zone.satisfies(difference) {
                pieces.extend(zone.clone().and(&[beyond]));
            }
            rest = zone.and(&[difference]);
        }
        pieces
    }

    /// All bounds of the matrix.
    pub(crate) fn differences(&self) -> Vec<Difference> {
        let mut differences = Vec::new();
        for left in 0..self.clocks {
            for right in (0..self.clocks).filter(|&right| right != left) {
                let bound = self.get(left, right);
                if bound != Bound::NONE {
                    differences.push(Difference { left: left as u32, right: right as u32, bound });
                }
            }
        }
        differences
    }

    /// The bounds that do not follow from others, one at a time, as a text.
    pub(crate) fn describe(&self, name: impl Fn(u32) -> String) -> String {
        let mut kept = self.differences();
        let mut at = 0;
        while at < kept.len() {
            let tried = kept.remove(at);
            let follows = Zone::within(self.clocks, &kept).is_some_and(|zone| zone.satisfies(tried));
            if !follows {
                kept.insert(at, tried);
                at += 1;
            }
        }
        let mut text = String::new();
        for Difference { left, right, bound } in kept {
            let (constant, strict) = bound.parts();
            let equals = if strict { "" } else { "=" };
            let separator = if text.is_empty() { "" } else { ", " };
            let _ = match (left, right) {
                (0, clock) => write!(text, "{separator}{} >{equals} {}", name(clock), -constant),
                (clock, 0) => write!(text, "{separator}{} <{equals} {constant}", name(clock)),
                _ => write!(text, "{separator}{} - {} <{equals} {constant}", name(left), name(right)),
            };
        }
        if text.is_empty() { "any clock values".to_owned() } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(left: u32, right: u32, constant: i64, strict: bool) -> Difference {
        Difference { left, right, bound: Bound::new(constant, strict) }
    }

    fn contains(zone: &Zone, values: &[i64]) -> bool {
        // Values are halves, so that strict bounds can be told apart.
        let clocks = 0..values.len();
        clocks.clone().all(|left| {
            clocks.clone().all(|right| {
                let bound = zone.get(left, right);
                let (constant, strict) = bound.parts();
                let value = values[left] - values[right];
                bound == Bound::NONE || value < 2 * constant || (value == 2 * constant && !strict)
            })
        })
    }

    /// All pairs of halves up to 6.
    fn grid() -> impl Iterator<Item = [i64; 3]> {
        (0..=12).flat_map(|x| (0..=12).map(move |y| [0, x, y]))
    }

    #[test]
    fn operations_are_what_they_are_on_points() {
        let bounds = [
            vec![],
            vec![difference(1, 0, 3, true), difference(0, 2, -1, false)],
            vec![difference(1, 2, 1, false), difference(2, 1, 0, true), difference(2, 0, 5, false)],
            vec![difference(1, 2, -1, false), difference(1, 0, 2, false)],
        ];
        for first in &bounds {
            let zone = Zone::within(3, first).expect("there are valuations");
            let later = zone.clone().later();
            let earlier = zone.clone().earlier();
            let updated = zone.updated(&[(0, 0), (2, 1), (0, 2)]);
            for point in grid() {
                let after = |delay: i64| [0, point[1] + delay, point[2] + delay];
                assert_eq!(
                    contains(&later, &point),
                    (-12..=0).map(after).any(|p| p[1] >= 0 && p[2] >= 0 && contains(&zone, &p))
                );
                assert_eq!(contains(&earlier, &point), (0..=24).map(after).any(|p| contains(&zone, &p)));
                let images = grid().filter(|p| contains(&zone, p)).any(|p| [0, p[2] + 2, 4] == point);
                if point[1] <= 10 {
                    assert_eq!(contains(&updated, &point), images, "{point:?}");
                }
            }
            for second in &bounds {
                let both = zone.clone().and(second);
                let other = Zone::within(3, second).expect("there are valuations");
                let pieces = zone.clone().minus(second);
                for point in grid() {
                    let (here, there) = (contains(&zone, &point), contains(&other, &point));
                    assert_eq!(both.as_ref().is_some_and(|zone| contains(zone, &point)), here && there);
                    let found = pieces.iter().filter(|piece| contains(piece, &point)).count();
                    assert_eq!(found, usize::from(here && !there));
                }
            }
        }
    }

    #[test]
    fn nothing_is_within_contradictory_bounds() {
        assert!(Zone::within(2, &[difference(1, 0, 2, true), difference(0, 1, -2, false)]).is_none());
        assert!(Zone::point(&[0, 3]).and(&[difference(1, 0, 3, true)]).is_none());
        assert!(Zone::point(&[0, 3]).and(&[difference(1, 0, 3, false)]).is_some());
    }

    #[test]
    fn a_zone_is_told_by_the_bounds_that_matter() {
        let zone = Zone::within(3, &[difference(1, 0, 5, false), difference(2, 1, 0, true)]).unwrap();
        let name = |clock| ["0", "x", "y"][clock as usize].to_owned();
        assert_eq!(zone.describe(name), "x <= 5, y - x < 0");
        assert_eq!(Zone::all(3).describe(name), "any clock values");
    }
}
