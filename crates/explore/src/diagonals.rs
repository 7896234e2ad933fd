//! The diagonals that zones are cut along before they are widened, see [`guidepost_zones::diagonal`].
//!
//! Valuations on the same side of every diagonal must stay so, whatever is assigned. A copy `x := z + k` turns `x - y ≺ c` into `z - y ≺ c - k`, so the
//! set is closed under copies. A reset `x := d` turns it into the bound `y ≻ d - c`, which counts for `y` wherever the reset may take place.
//!
//! A bound that is computed (`x - y < n`) stands for every value it may have. When there are too many of them, or copies make more and more, zones
//! stay as they are: nothing is widened. That is right as well, but the exploration may have no end where clocks grow without one.

use crate::bounds::LARGEST_BOUND;
use guidepost_network::{ClockConstraint, ClockEffect, ClockId, ClockValue, Goal, Network, Operand};
use guidepost_zones::Bound;
use std::collections::BTreeSet;

/// Diagonals that zones are cut along at most: each may double the number of states.
const MOST: usize = 256;

/// `left - right ≺ c`.
pub(crate) type Diagonal = (ClockId, ClockId, Bound);

/// The diagonals of a network and some goals; none and not complete when there are too many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagonals {
    list: Vec<Diagonal>,
    /// By pair of clocks that is compared: the smallest and the largest constant.
    pairs: Vec<(ClockId, ClockId, i32, i32)>,
    is_complete: bool,
}

impl Diagonals {
    pub(crate) fn new(network: &Network, goals: &[&Goal]) -> Self {
        let closed = seeds(network, goals).and_then(|seeds| close(seeds, network));
        let Some(closed) = closed else { return Self::default() };
        let list: Vec<Diagonal> = closed.into_iter().collect();
        let diagonals = Self { pairs: pairs(&list), list, is_complete: true };
        // Beyond the largest bound values are not told apart, and that would blur a side.
        let mut bounds = effects(network).flat_map(|effect| diagonals.bounds_before(effect));
        let are_told_apart = bounds.all(|(_, bound)| bound <= LARGEST_BOUND);
        drop(bounds);
        if are_told_apart { diagonals } else { Self::default() }
    }

    /// Whether no clocks are compared with each other.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_complete && self.list.is_empty()
    }

    /// Whether zones are cut along them; otherwise they must not be widened.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    pub(crate) fn list(&self) -> &[Diagonal] {
        &self.list
    }

    /// What an assignment makes of them: bounds of the other clock that count before it.
    pub(crate) fn bounds_before(&self, effect: &ClockEffect) -> impl Iterator<Item = (ClockId, i32)> {
        let highest = match effect.value {
            ClockValue::Constant(_, highest) => Some(highest),
            ClockValue::Clock(..) => None,
        };
        let clock = effect.clock;
        self.pairs.iter().filter_map(move |&(left, right, least, most)| {
            let highest = highest?;
            match clock {
                _ if clock == left => Some((right, highest.saturating_sub(least))),
                _ if clock == right => Some((left, highest.saturating_add(most))),
                _ => None,
            }
        })
    }
}

fn effects(network: &Network) -> impl Iterator<Item = &ClockEffect> {
    network.edges.iter().flat_map(|edge| &edge.clock_effects).chain(&network.hook_effects)
}

/// The diagonal constraints that are written in the model; `None` when there are too many.
fn seeds(network: &Network, goals: &[&Goal]) -> Option<BTreeSet<Diagonal>> {
    let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
    let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
    let queried = goals.iter().flat_map(|goal| &goal.clocks);
    let is_diagonal =
        |constraint: &&ClockConstraint| constraint.left != ClockId::ZERO && constraint.right != ClockId::ZERO;
    let mut found = BTreeSet::new();
    for constraint in guards.chain(invariants).chain(queried).filter(is_diagonal) {
        let (low, high) = match constraint.bound {
            Operand::Const(value) => (value, value),
            Operand::Code(_, low, high) => (low, high),
        };
        if i64::from(high) - i64::from(low) >= MOST as i64 {
            return None;
        }
        for value in low..=high {
            found.insert((
                constraint.left,
                constraint.right,
                Bound::new(value.into(), constraint.strict).ok()?,
            ));
        }
        if found.len() > MOST {
            return None;
        }
    }
    Some(found)
}

/// Adds what copies of clocks make of diagonals; `None` when that is too much.
fn close(seeds: BTreeSet<Diagonal>, network: &Network) -> Option<BTreeSet<Diagonal>> {
    let origins = Origins::new(network)?;
    let mut waiting: Vec<Diagonal> = seeds.iter().copied().collect();
    let mut closed = seeds;
    while let Some((left, right, bound)) = waiting.pop() {
        for (from, left_offset) in origins.of(left) {
            for (to, right_offset) in origins.of(right).filter(|&(to, _)| to != from) {
                let constant = i64::from(bound.constant()) - left_offset + right_offset;
                let diagonal = (from, to, Bound::new(constant, bound.is_strict()).ok()?);
                if closed.insert(diagonal) {
                    waiting.push(diagonal);
                }
            }
            if closed.len() > MOST {
                return None;
            }
        }
    }
    Some(closed)
}

/// Where the values of clocks come from when they are copied: another clock and an offset.
struct Origins {
    copies: BTreeSet<(ClockId, ClockId, i64)>,
}

impl Origins {
    /// `None` when there are too many.
    fn new(network: &Network) -> Option<Self> {
        let mut copies = BTreeSet::new();
        for effect in effects(network) {
            let ClockValue::Clock(source, low, high) = effect.value else { continue };
            let (low, high) = (i64::from(low), i64::from(high));
            if high - low >= MOST as i64 || copies.len() > MOST {
                return None;
            }
            copies.extend((low..=high).map(|offset| (effect.clock, source, offset)));
        }
        Some(Self { copies })
    }

    /// Those of one clock; it may also keep its value.
    fn of(&self, clock: ClockId) -> impl Iterator<Item = (ClockId, i64)> {
        let copies = self.copies.range((clock, ClockId(0), i64::MIN)..=(clock, ClockId(u32::MAX), i64::MAX));
        std::iter::once((clock, 0)).chain(copies.map(|&(_, source, offset)| (source, offset)))
    }
}

/// The extremes of sorted diagonals by pair of clocks.
fn pairs(list: &[Diagonal]) -> Vec<(ClockId, ClockId, i32, i32)> {
    let same_pair = |a: &Diagonal, b: &Diagonal| (a.0, a.1) == (b.0, b.1);
    let extremes = |group: &[Diagonal]| {
        let (first, last) = (group[0], group[group.len() - 1]);
        (first.0, first.1, first.2.constant(), last.2.constant())
    };
    list.chunk_by(same_pair).map(extremes).collect()
}
