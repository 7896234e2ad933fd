//! Diagonals with all the constants that they may have, closed under what assignments make of them.

use super::{effects, written};
use crate::bounds::LARGEST_BOUND;
use crate::state::SymbolicState;
use guidepost_network::{ClockId, ClockValue, Goal, Network};
use guidepost_zones::Zone;
use guidepost_zones::simulation::Diagonals as PlacedRange;
use std::collections::BTreeMap;

/// The diagonals `left - right ≺ c` for all c in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiagonalRange {
    /// The clock that is bounded from above.
    pub left: ClockId,
    /// The clock that is bounded from below.
    pub right: ClockId,
    is_strict: bool,
    pub(super) low: i32,
    pub(super) high: i32,
}

impl DiagonalRange {
    /// Whether every valuation of the first zone has one in the second that can do what it can do; both over the clocks of a state.
    pub fn is_simulated(ranges: &[Self], zone: &Zone, by: &Zone, state: &SymbolicState) -> bool {
        // A clock that is left out is set before it is compared.
        let place = |range: &Self| {
            let place = |clock| state.place(clock).and_then(|place| u16::try_from(place).ok());
            let &Self { left, right, is_strict, low, high } = range;
            Some(PlacedRange { left: place(left)?, right: place(right)?, is_strict, low, high })
        };
        let ranges: Vec<PlacedRange> = ranges.iter().filter_map(place).collect();
        zone.is_simulated_by(by, state.bounds(), &ranges)
    }
}

/// By clocks and strictness: the smallest and the largest constant.
type Ranges = BTreeMap<(ClockId, ClockId, bool), (i64, i64)>;

/// Rounds of assignments after which ranges that still grow become as large as they can be.
const ENOUGH: usize = 64;

/// The diagonals of a network and some goals, with what copies of clocks make of them.
pub(super) fn closed(network: &Network, goals: &[&Goal]) -> Vec<DiagonalRange> {
    let mut ranges = Ranges::new();
    // Where the engine needs the complement of a guard, the other side counts as well.
    let both = network.features.priorities || network.channels.iter().any(|channel| channel.broadcast);
    for constraint in written(network, goals) {
        let (low, high) = constraint.bound.range();
        let (low, high) = (i64::from(low), i64::from(high));
        widen(&mut ranges, (constraint.left, constraint.right, constraint.strict), (low, high));
        if both {
            widen(&mut ranges, (constraint.right, constraint.left, !constraint.strict), (-high, -low));
        }
    }
    for round in 0.. {
        if !copy(&mut ranges, network, round >= ENOUGH) {
            break;
        }
    }
    let range = |(&(left, right, is_strict), &(low, high)): (&(ClockId, ClockId, bool), &(i64, i64))| {
        DiagonalRange { left, right, is_strict, low: low as i32, high: high as i32 }
    };
    ranges.iter().map(range).collect()
}

/// Makes a range as large as this one. Differences beyond what zones can tell are the same to all.
fn widen(ranges: &mut Ranges, key: (ClockId, ClockId, bool), (low, high): (i64, i64)) {
    let furthest = i64::from(LARGEST_BOUND);
    let (low, high) = (low.clamp(-furthest, furthest), high.clamp(-furthest, furthest));
    let range = ranges.entry(key).or_insert((low, high));
    *range = (range.0.min(low), range.1.max(high));
}

/// Adds what one round of copies makes of the ranges; says whether there is anything new.
fn copy(ranges: &mut Ranges, network: &Network, at_once: bool) -> bool {
    let mut grew = false;
    let furthest = i64::from(LARGEST_BOUND);
    for (key, (low, high)) in ranges.clone() {
        let origins = |clock: ClockId| {
            let copies = effects(network).filter(move |effect| effect.clock == clock);
            let copies = copies.filter_map(|effect| match effect.value {
                ClockValue::Clock(source, low, high) => Some((source, i64::from(low), i64::from(high))),
                ClockValue::Constant(..) => None,
            });
            std::iter::once((clock, 0, 0)).chain(copies)
        };
        for (left, left_low, left_high) in origins(key.0) {
            for (right, right_low, right_high) in origins(key.1).filter(|&(right, ..)| right != left) {
                let key = (left, right, key.2);
                let range = (low - left_high + right_low, high - left_low + right_high);
                let before = ranges.get(&key).copied();
                widen(ranges, key, range);
                if ranges.get(&key).copied() != before {
                    grew = true;
                    if at_once {
                        widen(ranges, key, (-furthest, furthest));
                    }
                }
            }
        }
    }
    grew
}
