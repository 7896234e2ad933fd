//! Clock values as moves ask about them: all that satisfy the invariants of a discrete state, or the exact zone of a node.

use crate::setting::Setting;
use guidepost_explore::{ClockDifference, TimeDomain};
use guidepost_network::ClockId;
use guidepost_zones::{Federation, Zone};

/// A zone of a setting.
pub(crate) struct Source<'s> {
    pub(crate) setting: &'s Setting,
    pub(crate) zone: &'s Zone,
}

impl TimeDomain for Source<'_> {
    type Subset = Federation;

    #[inline]
    fn meets(&self, constraint: ClockDifference) -> bool {
        self.zone.meets(self.setting.constraint(constraint))
    }

    fn whole(&self) -> Federation {
        Federation::from(self.zone.clone())
    }

    fn nothing(&self) -> Federation {
        Federation::empty(self.zone.dim())
    }

    fn is_empty(&self, part: &Federation) -> bool {
        part.is_empty()
    }

    fn restrict(&self, part: &mut Federation, constraint: ClockDifference) {
        part.constrain(self.setting.constraint(constraint));
    }

    fn subtract(&self, part: &mut Federation, other: &Federation) {
        part.subtract(other);
    }

    fn overlap(&self, part: &Federation, other: &Federation) -> bool {
        !part.intersection(other).is_empty()
    }

    fn may_be_below(&self, part: &Federation, clock: ClockId, value: i32) -> bool {
        part.zones().iter().any(|zone| may_be_below(self.setting, zone, clock, value))
    }
}

/// Whether a clock is below a number somewhere in a zone.
pub(crate) fn may_be_below(setting: &Setting, zone: &Zone, clock: ClockId, value: i32) -> bool {
    zone.get(0, setting.place(clock)).constant() > -value
}
