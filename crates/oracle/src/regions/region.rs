//! A region: what is known of clock values that behave alike (Alur & Dill 1994: A theory of timed automata).
//!
//! For every clock its integer part, up to the largest constant it is compared with, and for all clocks together the order of their
//! fractional parts. Ranks say the order: 0 is a fraction of zero, equal ranks are equal fractions, a larger rank is a larger
//! fraction, and no rank is left out, so that equal regions are equal values. A clock beyond its constant is *far*: nothing else is known of it.

use guidepost_network::ClockOp;

/// The rank of a clock that is beyond its largest constant.
const FAR: u8 = u8::MAX;

/// A region. Clock 0 is the constant zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Region {
    /// Integer part and rank of each clock.
    clocks: Vec<(u8, u8)>,
}

/// What a clock operation needs that the constants in force do not give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The clock's largest constant must be at least this.
    Raise(usize, i32),
    /// The clock would become negative.
    Negative(usize),
}

impl Region {
    /// The region of the given integer values.
    pub(crate) fn at(values: impl Iterator<Item = i32>, caps: &[i32]) -> Self {
        let clocks = values.zip(caps).map(|(value, &cap)| exact(value, cap)).collect();
        Self { clocks }
    }

    /// The region of fractions `values[i] / denominator`.
    pub fn of(values: &[i64], denominator: i64, caps: &[i32]) -> Self {
        let rest = |value: i64| value.rem_euclid(denominator);
        let is_far = |clock: usize| clock > 0 && values[clock] > i64::from(caps[clock]) * denominator;
        let mut order: Vec<i64> =
            (0..values.len()).filter(|&clock| !is_far(clock)).map(|clock| rest(values[clock])).collect();
        order.push(0);
        order.sort_unstable();
        order.dedup();
        let rank = |value: i64| order.binary_search(&rest(value)).expect("all are in the list") as u8;
        let clock = |clock: usize| {
            if is_far(clock) {
                return (0, FAR);
            }
            ((values[clock] / denominator) as u8, rank(values[clock]))
        };
        Self { clocks: (0..values.len()).map(clock).collect() }
    }

    /// Whether `left - right < bound`, or `<= bound`.
    pub(crate) fn satisfies(&self, left: usize, right: usize, strict: bool, bound: i32) -> bool {
        let ((left_integer, left_rank), (right_integer, right_rank)) =
            (self.clocks[left], self.clocks[right]);
        if left_rank == FAR || right_rank == FAR {
            debug_assert!(left == 0 || right == 0, "differences need exact values");
            return right_rank == FAR;
        }
        // Twice the difference, odd when it lies strictly between two integers.
        let integers = 2 * (i32::from(left_integer) - i32::from(right_integer));
        let difference = integers + (left_rank.cmp(&right_rank) as i32);
        difference < 2 * bound || (!strict && difference == 2 * bound)
    }

    /// Whether some clock is far.
    pub(crate) fn has_far(&self) -> bool {
        self.clocks.iter().any(|clock| clock.1 == FAR)
    }

    /// The integer part of a clock and whether its fraction is zero; nothing when it is far.
    pub fn value(&self, clock: usize) -> Option<(i32, bool)> {
        let (integer, rank) = self.clocks[clock];
        (rank != FAR).then_some((integer.into(), rank == 0))
    }

    /// The place of a clock's fraction among all of them, 0 for none; nothing when it is far.
    pub(crate) fn rank(&self, clock: usize) -> Option<u8> {
        let (_, rank) = self.clocks[clock];
        (rank != FAR).then_some(rank)
    }

    /// Whether some clock is an integer, the zero clock aside.
    pub(crate) fn has_whole_clock(&self) -> bool {
        self.clocks[1..].iter().any(|clock| clock.1 == 0)
    }

    /// The region that is reached next when time passes; itself when all clocks are far.
    pub(crate) fn later(&self, caps: &[i32]) -> Self {
        let mut next = self.clone();
        let clocks = &mut next.clocks[1..];
        let caps = &caps[1..];
        if clocks.iter().any(|clock| clock.1 == 0) {
            // Integer values are left behind.
            for (clock, &cap) in clocks.iter_mut().zip(caps).filter(|(clock, _)| clock.1 != FAR) {
                let at_cap = clock.1 == 0 && i32::from(clock.0) == cap;
                *clock = if at_cap { (0, FAR) } else { (clock.0, clock.1 + 1) };
            }
        } else if let Some(last) = clocks.iter().map(|clock| clock.1).filter(|&rank| rank != FAR).max() {
            // The largest fractions become whole.
            for clock in clocks.iter_mut().filter(|clock| clock.1 == last) {
                *clock = (clock.0 + 1, 0);
            }
        }
        next.close_ranks();
        next
    }

    /// Carries out clock operations in order.
    pub(crate) fn apply(&mut self, operations: &[ClockOp], caps: &[i32]) -> Result<(), Trouble> {
        for &operation in operations {
            match operation {
                ClockOp::Set(clock, value) => {
                    self.clocks[clock.index()] = exact(value, caps[clock.index()]);
                }
                ClockOp::Copy(clock, source, offset) => {
                    let (clock, source) = (clock.index(), source.index());
                    let needed = if offset < 0 { caps[clock].max(0) - offset } else { caps[clock] - offset };
                    if source != 0 && caps[source] < needed {
                        return Err(Trouble::Raise(source, needed));
                    }
                    let (integer, rank) = self.clocks[source];
                    let integer = i32::from(integer) + offset;
                    if rank != FAR && integer < 0 {
                        return Err(Trouble::Negative(clock));
                    }
                    self.clocks[clock] =
                        if rank == FAR || integer > caps[clock] || (integer == caps[clock] && rank > 0) {
                            (0, FAR)
                        } else {
                            (integer as u8, rank)
                        };
                }
            }
        }
        self.close_ranks();
        Ok(())
    }

    /// Removes gaps between ranks.
    fn close_ranks(&mut self) {
        let mut used: Vec<u8> = self.clocks.iter().map(|clock| clock.1).filter(|&rank| rank != FAR).collect();
        used.sort_unstable();
        used.dedup();
        debug_assert_eq!(used[0], 0, "the zero clock has no fraction");
        for clock in self.clocks.iter_mut().filter(|clock| clock.1 != FAR) {
            clock.1 = used.binary_search(&clock.1).expect("all are in the list") as u8;
        }
    }
}

fn exact(value: i32, cap: i32) -> (u8, u8) {
    if value > cap { (0, FAR) } else { (value as u8, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_network::ClockId;

    /// The regions that a line through a point meets are those that time passes through.
    #[test]
    fn time_passes_through_all_regions() {
        let caps = [0, 2, 1, 3];
        // Even numerators, so that no region between two of them is jumped over.
        for (x, y, z) in [(0, 0, 0), (0, 2, 6), (4, 10, 2), (10, 2, 12)] {
            let region = |time: i64| Region::of(&[0, x + time, y + time, z + time], 8, &caps);
            let mut at = region(0);
            for time in 1..60 {
                let now = region(time);
                if now != at {
                    at = at.later(&caps);
                    assert_eq!(now, at);
                }
            }
            assert_eq!(at.later(&caps), at);
        }
    }

    #[test]
    fn copies_keep_fractions() {
        let caps = [0, 3, 3];
        let mut region = Region::of(&[0, 9, 4], 8, &caps);
        region.apply(&[ClockOp::Copy(ClockId(2), ClockId(1), 1)], &caps).unwrap();
        assert_eq!(region, Region::of(&[0, 9, 17], 8, &caps));
        assert!(region.satisfies(2, 1, false, 1) && !region.satisfies(2, 1, true, 1));
        region.apply(&[ClockOp::Set(ClockId(1), 0)], &caps).unwrap();
        assert_eq!(region, Region::of(&[0, 0, 17], 8, &caps));
        assert!(region.satisfies(1, 2, true, -2) && !region.satisfies(1, 2, false, -3));
    }
}
