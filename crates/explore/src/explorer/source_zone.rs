//! The zone of a source state, as moves ask about it.

use crate::state::SymbolicState;
use crate::time_domain::{ClockDifference, TimeDomain};
use guidepost_network::ClockId;
use guidepost_zones::{Federation, Zone};

/// The zone of a state; parts of it are unions of zones.
pub(crate) struct SourceZone<'s>(pub(crate) &'s SymbolicState);

impl TimeDomain for SourceZone<'_> {
    type Subset = Federation;

    #[inline]
    fn meets(&self, constraint: ClockDifference) -> bool {
        self.0.zone.meets(self.0.constraint(constraint))
    }

    fn whole(&self) -> Federation {
        Federation::from(self.0.zone.clone())
    }

    fn nothing(&self) -> Federation {
        Federation::empty(self.0.zone.dim())
    }

    fn is_empty(&self, part: &Federation) -> bool {
        part.is_empty()
    }

    fn restrict(&self, part: &mut Federation, constraint: ClockDifference) {
        part.constrain(self.0.constraint(constraint));
    }

    fn subtract(&self, part: &mut Federation, other: &Federation) {
        part.subtract(other);
    }

    fn overlap(&self, part: &Federation, other: &Federation) -> bool {
        !part.intersection(other).is_empty()
    }

    fn may_be_below(&self, part: &Federation, clock: ClockId, value: i32) -> bool {
        part.zones().iter().any(|zone| may_be_below(self.0, zone, clock, value))
    }
}

/// Whether a clock of a state is below a number somewhere in a part of its zone.
#[inline]
pub(super) fn may_be_below(state: &SymbolicState, zone: &Zone, clock: ClockId, value: i32) -> bool {
    // The bound on 0 - x is minus the least value of x. Clocks that something is subtracted from are active, see `LocalBounds`.
    zone.get(0, state.active_place(clock)).constant() > -value
}
