//! A symbolic state while it is worked on: locations, values, and a zone over the clocks that matter there.

use crate::bounds::LocalBounds;
use guidepost_network::{ClockId, Network};
use guidepost_zones::{LuBounds, Zone};

/// Marks a clock that is not in the zone.
const ABSENT: u32 = u32::MAX;

/// A symbolic state.
#[derive(Clone, Debug)]
pub struct SymbolicState {
    /// One cell per process (its location), then one per variable.
    pub cells: Vec<i32>,
    /// The clocks of the zone; the first is the zero clock.
    pub clocks: Vec<u32>,
    /// L of each clock of the zone.
    pub lower: Vec<i32>,
    /// U of each clock of the zone.
    pub upper: Vec<i32>,
    /// The clock values.
    pub zone: Zone,
    /// Index in the zone of each clock of the network.
    places: Vec<u32>,
}

impl SymbolicState {
    pub(crate) fn new(network: &Network) -> Self {
        let mut places = vec![ABSENT; network.clocks.len()];
        places[0] = 0;
        Self {
            cells: vec![0; network.processes.len() + network.variables.len()],
            clocks: vec![0],
            lower: vec![0],
            upper: vec![0],
            zone: Zone::zero(1),
            places,
        }
    }

    /// Finds out which clocks matter in the current locations, and up to which constants. The zone gets the right size, not its values.
    pub(crate) fn find_clocks(&mut self, bounds: &LocalBounds, processes: usize) {
        for &clock in &self.clocks[1..] {
            self.places[clock as usize] = ABSENT;
        }
        self.clocks.truncate(1);
        self.lower.truncate(1);
        self.upper.truncate(1);
        let current = self.cells[..processes].iter().flat_map(|&location| bounds.at(location as usize));
        for bound in bounds.everywhere().iter().chain(current) {
            let place = self.places[bound.clock as usize];
            if place == ABSENT {
                self.places[bound.clock as usize] = self.clocks.len() as u32;
                self.clocks.push(bound.clock);
                self.lower.push(bound.lower);
                self.upper.push(bound.upper);
            } else {
                let place = place as usize;
                self.lower[place] = self.lower[place].max(bound.lower);
                self.upper[place] = self.upper[place].max(bound.upper);
            }
        }
        self.sort_clocks();
        self.zone.reshape(self.clocks.len());
    }

    /// The order of clocks in a zone must follow from the discrete state alone; by number it does. Insertion sort: the list is short and nearly
    /// sorted.
    fn sort_clocks(&mut self) {
        for last in 2..self.clocks.len() {
            let mut at = last;
            while at > 1 && self.clocks[at - 1] > self.clocks[at] {
                self.clocks.swap(at - 1, at);
                self.lower.swap(at - 1, at);
                self.upper.swap(at - 1, at);
                at -= 1;
            }
        }
        for (place, &clock) in self.clocks.iter().enumerate() {
            self.places[clock as usize] = place as u32;
        }
    }

    /// The index of a clock in the zone; `None` when its value does not matter.
    #[inline]
    pub fn place(&self, clock: ClockId) -> Option<usize> {
        let place = self.places[clock.index()];
        (place != ABSENT).then_some(place as usize)
    }

    /// The bounds in the form the zones want them.
    #[inline]
    pub fn bounds(&self) -> LuBounds<'_> {
        LuBounds { lower: &self.lower, upper: &self.upper }
    }

    /// One bound for both sides.
    pub(crate) fn maxima(&self, out: &mut Vec<i32>) {
        out.clear();
        out.extend(self.lower.iter().zip(&self.upper).map(|(&lower, &upper)| lower.max(upper)));
    }

    /// Copies another state of the same network.
    pub fn assign(&mut self, other: &SymbolicState) {
        self.cells.clone_from(&other.cells);
        self.clocks.clone_from(&other.clocks);
        self.lower.clone_from(&other.lower);
        self.upper.clone_from(&other.upper);
        self.places.clone_from(&other.places);
        self.zone.assign(&other.zone);
    }
}
