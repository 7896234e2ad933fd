//! The priced zone of a source state, as moves ask about it.

use guidepost_explore::{ClockDifference, SymbolicState, TimeDomain};
use guidepost_network::{ClockId, Network};
use guidepost_zones::{Constraint, Federation, PricedZone};

/// The clocks of a zone, and up to where their values matter.
pub(crate) struct Clocks {
    /// By place in the zone; the first is the zero clock.
    pub(crate) ids: Vec<ClockId>,
    /// By place: the largest constant that the clock may still be compared with.
    pub(crate) maxima: Vec<i32>,
    /// By clock of the network: its place, or [`ABSENT`].
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Clocks {
    /// The clocks that matter in a state.
    pub(crate) fn new(network: &Network, state: &SymbolicState) -> Self {
        let ids: Vec<ClockId> = state.clocks.iter().map(|&clock| ClockId(clock)).collect();
        let maxima = state.lower.iter().zip(&state.upper).map(|(&lower, &upper)| lower.max(upper)).collect();
        let mut places = vec![ABSENT; network.clocks.len()];
        for (place, clock) in (0..).zip(&ids) {
            places[clock.index()] = place;
        }
        Self { ids, maxima, places }
    }

    /// The zero clock alone.
    pub(crate) fn none(network: &Network) -> Self {
        let mut places = vec![ABSENT; network.clocks.len()];
        places[0] = 0;
        Self { ids: vec![ClockId::ZERO], maxima: vec![0], places }
    }

    /// The place of a clock, if its value matters.
    pub(crate) fn find(&self, clock: ClockId) -> Option<usize> {
        let place = self.places[clock.index()];
        (place != ABSENT).then_some(place as usize)
    }

    /// The place of a clock whose value matters.
    pub(crate) fn place(&self, clock: ClockId) -> usize {
        self.find(clock).expect("clocks that are tested or copied matter")
    }

    /// A constraint on clocks in terms of the zone.
    pub(crate) fn constraint(&self, difference: ClockDifference) -> Constraint {
        Constraint::new(self.place(difference.left), self.place(difference.right), difference.bound)
    }
}

/// A state whose successors are wanted.
pub(crate) struct Source<'s> {
    pub(crate) cells: &'s [i32],
    pub(crate) clocks: &'s Clocks,
    pub(crate) priced: &'s PricedZone,
}

impl TimeDomain for Source<'_> {
    type Subset = Federation;

    fn meets(&self, constraint: ClockDifference) -> bool {
        self.priced.zone.meets(self.clocks.constraint(constraint))
    }

    fn whole(&self) -> Federation {
        Federation::from(self.priced.zone.clone())
    }

    fn nothing(&self) -> Federation {
        Federation::empty(self.priced.zone.dim())
    }

    fn is_empty(&self, part: &Federation) -> bool {
        part.is_empty()
    }

    fn restrict(&self, part: &mut Federation, constraint: ClockDifference) {
        part.constrain(self.clocks.constraint(constraint));
    }

    fn subtract(&self, part: &mut Federation, other: &Federation) {
        part.subtract(other);
    }

    fn overlap(&self, part: &Federation, other: &Federation) -> bool {
        !part.intersection(other).is_empty()
    }

    fn may_be_below(&self, part: &Federation, clock: ClockId, value: i32) -> bool {
        let place = self.clocks.place(clock);
        part.zones().iter().any(|zone| zone.get(0, place).constant() > -value)
    }
}
