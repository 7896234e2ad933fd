//! What moves ask a representation of time.
//!
//! Moves are the same for every engine; how clock values are represented is not. Zones, priced zones, single points and whatever else implements this trait
//! answer the few questions about clocks that decide what may happen: whether a guard can hold, and which part of the values is left
//! when some receivers stay out and others have priority. What becomes of the values afterwards is the engine's own business: it reads
//! [`Moves::origin`](crate::Moves::origin), [`Moves::invariants`](crate::Moves::invariants) and [`Moves::may_delay`](crate::Moves::may_delay).

use guidepost_network::ClockId;
use guidepost_zones::Bound;

/// A bound on a difference of clocks of the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockDifference {
    /// The clock with the positive sign.
    pub left: ClockId,
    /// The clock with the negative sign.
    pub right: ClockId,
    /// The bound.
    pub bound: Bound,
}

impl ClockDifference {
    /// `left - right < value` or `left - right <= value`.
    #[inline]
    pub fn new(left: ClockId, right: ClockId, value: i32, is_strict: bool) -> Self {
        let bound = if is_strict { Bound::lt(value) } else { Bound::le(value) };
        Self { left, right, bound }
    }
}

/// The clock values of a source state. All constraints are about clocks that matter there.
pub trait TimeDomain {
    /// Some of the values; none, perhaps.
    type Subset;

    /// Whether some value satisfies a constraint. May say yes when in doubt.
    fn meets(&self, constraint: ClockDifference) -> bool;

    /// All of the values.
    fn whole(&self) -> Self::Subset;

    /// None of the values.
    fn nothing(&self) -> Self::Subset;

    /// Whether a part has no values.
    fn is_empty(&self, part: &Self::Subset) -> bool;

    /// Leaves of a part what satisfies a constraint.
    fn restrict(&self, part: &mut Self::Subset, constraint: ClockDifference);

    /// Leaves of a part what is not in another one.
    fn subtract(&self, part: &mut Self::Subset, other: &Self::Subset);

    /// Whether two parts have a value in common.
    fn overlap(&self, part: &Self::Subset, other: &Self::Subset) -> bool;

    /// Whether a clock (perhaps the zero clock) is below a number in some value of a part.
    fn may_be_below(&self, part: &Self::Subset, clock: ClockId, value: i32) -> bool;
}
