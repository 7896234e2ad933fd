//! What is done about constraints that compare clocks with each other.
//!
//! Valuations on the same side of every diagonal must stay so, whatever is assigned. A copy `x := z + k` turns `x - y ≺ c` into `z - y ≺ c - k`, so the
//! set is closed under copies. A reset `x := d` turns it into the bound `y ≻ d - c`, which counts for `y` wherever the reset may take place.
//!
//! For reachability, zones are left as they are, and [compared](guidepost_zones::simulation) so that diagonals are respected. What a diagonal stands for is a range of constants then, and
//! a bound that is computed (`x - y < n`) is one range, whatever the values are that it may have.
//!
//! Otherwise zones are [cut along diagonals](guidepost_zones::diagonal) before they are widened, and a computed bound stands for every value it may have. When there are too many of them, or copies make more and more, zones
//! stay as they are: nothing is widened. That is right as well, but the exploration may have no end where clocks grow without one.

mod ranges;

use crate::bounds::LARGEST_BOUND;
use guidepost_network::{ClockConstraint, ClockEffect, ClockId, ClockValue, Goal, Network};
use guidepost_zones::Bound;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use ranges::DiagonalRange;

/// Diagonals that zones are cut along at most: each may double the number of states.
const MOST: usize = 256;

/// `left - right ≺ c`.
pub(crate) type Diagonal = (ClockId, ClockId, Bound);

/// What is done about the diagonals of a network and some goals.
#[derive(Clone, Debug)]
enum Treatment {
    /// There are none.
    None,
    /// Zones are compared with these in mind.
    Compare(Arc<[DiagonalRange]>),
    /// Zones are cut along these.
    Cut(Vec<Diagonal>),
    /// There are too many: zones are not widened.
    Leave,
}

/// The diagonals of a network and some goals.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    treatment: Treatment,
    /// By pair of clocks that is compared: the smallest and the largest constant.
    pairs: Vec<(ClockId, ClockId, i32, i32)>,
}

/// A bound that counts for a clock because of a diagonal: as a lower bound, as an upper bound, or as both.
pub(crate) struct BoundBefore {
    pub(crate) clock: ClockId,
    pub(crate) bound: i32,
    pub(crate) is_lower: bool,
    pub(crate) is_upper: bool,
}

impl Diagonals {
    /// Finds a treatment; zones are compared with diagonals in mind only if that is wanted.
    pub(crate) fn new(network: &Network, goals: &[&Goal], compare: bool) -> Self {
        if compare && let Some(diagonals) = Self::compared(network, goals) {
            return diagonals;
        }
        let leave = Self { treatment: Treatment::Leave, pairs: Vec::new() };
        let Some(closed) = seeds(network, goals).and_then(|seeds| close(seeds, network)) else {
            return leave;
        };
        let list: Vec<Diagonal> = closed.into_iter().collect();
        let pairs = pairs(&list);
        let treatment = if list.is_empty() { Treatment::None } else { Treatment::Cut(list) };
        let diagonals = Self { treatment, pairs };
        if diagonals.are_told_apart(network) { diagonals } else { leave }
    }

    fn compared(network: &Network, goals: &[&Goal]) -> Option<Self> {
        let ranges = ranges::closed(network, goals);
        let pairs = ranges.iter().map(|range| (range.left, range.right, range.low, range.high)).collect();
        let treatment = if ranges.is_empty() { Treatment::None } else { Treatment::Compare(ranges.into()) };
        let diagonals = Self { treatment, pairs };
        diagonals.are_told_apart(network).then_some(diagonals)
    }

    /// Beyond the largest bound values are not told apart, and that would blur a side.
    fn are_told_apart(&self, network: &Network) -> bool {
        effects(network)
            .flat_map(|effect| self.bounds_before(effect))
            .all(|before| before.bound <= LARGEST_BOUND)
    }

    /// Whether no clocks are compared with each other.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.treatment, Treatment::None)
    }

    /// Whether something was found to do about them; otherwise zones must not be widened.
    pub(crate) fn is_complete(&self) -> bool {
        !matches!(self.treatment, Treatment::Leave)
    }

    /// Those that zones are cut along.
    pub(crate) fn cuts(&self) -> &[Diagonal] {
        if let Treatment::Cut(list) = &self.treatment { list } else { &[] }
    }

    /// Those that are respected when zones are compared; `None` when there are none.
    pub(crate) fn compared_ranges(&self) -> Option<&Arc<[DiagonalRange]>> {
        if let Treatment::Compare(ranges) = &self.treatment { Some(ranges) } else { None }
    }

    /// What an assignment makes of them: bounds of the other clock that count before it.
    pub(crate) fn bounds_before(&self, effect: &ClockEffect) -> impl Iterator<Item = BoundBefore> {
        let highest = match effect.value {
            ClockValue::Constant(_, highest) => Some(highest),
            ClockValue::Clock(..) => None,
        };
        let clock = effect.clock;
        let both = self.compared_ranges().is_none();
        self.pairs.iter().filter_map(move |&(left, right, least, most)| {
            let highest = highest?;
            if clock == left {
                // y > d - c
                let bound = highest.saturating_sub(least);
                Some(BoundBefore { clock: right, bound, is_lower: true, is_upper: both })
            } else if clock == right {
                let bound = highest.saturating_add(most);
                Some(BoundBefore { clock: left, bound, is_lower: both, is_upper: true })
            } else {
                None
            }
        })
    }
}

/// The diagonal constraints that are written in a model and in goals.
fn written<'n>(network: &'n Network, goals: &[&'n Goal]) -> impl Iterator<Item = &'n ClockConstraint> {
    let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
    let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
    let queried = goals.iter().flat_map(|goal| &goal.clocks);
    guards.chain(invariants).chain(queried).filter(|constraint| constraint.is_diagonal())
}

fn effects(network: &Network) -> impl Iterator<Item = &ClockEffect> {
    network.edges.iter().flat_map(|edge| &edge.clock_effects).chain(&network.hook_effects)
}

/// The diagonal constraints that are written in the model; `None` when there are too many.
fn seeds(network: &Network, goals: &[&Goal]) -> Option<BTreeSet<Diagonal>> {
    let mut found = BTreeSet::new();
    for constraint in written(network, goals) {
        let (low, high) = constraint.bound.range();
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
