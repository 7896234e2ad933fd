//! A symbolic state while it is worked on: locations, values, and a zone over the clocks that matter there.

use crate::bounds::{ClockBound, LocalBounds};
use crate::time_domain::ClockDifference;
use guidepost_network::{ClockId, Network};
use guidepost_zones::{Constraint, LuBounds, NO_BOUND, Zone};

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
    /// What the transition that leads here pays.
    pub price: i64,
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
            price: 0,
            places,
        }
    }

    /// Finds out which clocks matter in the current locations, and up to which constants. The zone gets the right size, not its values.
    ///
    /// The order of clocks in a zone must follow from the discrete state alone; by number it does.
    pub(crate) fn find_clocks(&mut self, bounds: &LocalBounds, processes: usize, active: &mut ActiveClocks) {
        if bounds.is_in_order() {
            return self.concatenate_clocks(bounds, 0..processes);
        }
        active.raise(bounds.everywhere());
        for &location in &self.cells[..processes] {
            active.raise(bounds.at(location as usize));
        }
        for &clock in &self.clocks[1..] {
            self.places[clock as usize] = ABSENT;
        }
        let dim = 1 + active.count();
        self.clocks.resize(dim, 0);
        self.lower.resize(dim, 0);
        self.upper.resize(dim, 0);
        let slots = self.clocks[1..].iter_mut().zip(&mut self.lower[1..]).zip(&mut self.upper[1..]);
        let mut slots = (1..).zip(slots);
        active.drain(|bound| {
            if let Some((place, ((clock, lower), upper))) = slots.next() {
                *clock = bound.clock;
                *lower = bound.lower;
                *upper = bound.upper;
                self.places[bound.clock as usize] = place;
            }
        });
        self.zone.reshape(dim);
    }

    /// As [`SymbolicState::find_clocks`], where they are those of another state.
    #[inline]
    pub(crate) fn copy_clocks(&mut self, other: &SymbolicState) {
        // Without clocks in either there is nothing to copy.
        if self.clocks.len() + other.clocks.len() > 2 {
            self.clocks.clone_from(&other.clocks);
            self.lower.clone_from(&other.lower);
            self.upper.clone_from(&other.upper);
            self.places.clone_from(&other.places);
        }
        self.zone.reshape(self.clocks.len());
    }

    /// [`SymbolicState::find_clocks`] where nothing needs to be sorted or merged.
    ///
    /// Only some processes have to be looked at, in ascending order: all at whose locations clocks matter.
    pub(crate) fn concatenate_clocks(
        &mut self,
        bounds: &LocalBounds,
        processes: impl Iterator<Item = usize> + Clone,
    ) {
        debug_assert!(bounds.is_in_order());
        for &clock in &self.clocks[1..] {
            self.places[clock as usize] = ABSENT;
        }
        let cells = &self.cells;
        let locations = processes.map(|process| cells[process] as usize);
        let dim = 1 + locations.clone().map(|location| bounds.count_at(location)).sum::<usize>();
        self.clocks.resize(dim, 0);
        self.lower.resize(dim, 0);
        self.upper.resize(dim, 0);
        let mut place = 1;
        for location in locations {
            // Behind the last clock, and where none matters, that was all.
            if place == dim {
                break;
            }
            for bound in bounds.at(location) {
                self.clocks[place] = bound.clock;
                self.lower[place] = bound.lower;
                self.upper[place] = bound.upper;
                self.places[bound.clock as usize] = place as u32;
                place += 1;
            }
        }
        debug_assert!(self.clocks.is_sorted_by(|left, right| left < right), "each clock once, by number");
        self.zone.reshape(dim);
    }

    /// The index of a clock in the zone; `None` when its value does not matter.
    #[inline]
    pub fn place(&self, clock: ClockId) -> Option<usize> {
        let place = self.places[clock.index()];
        (place != ABSENT).then_some(place as usize)
    }

    /// The index of a clock whose value matters.
    #[inline]
    pub(crate) fn active_place(&self, clock: ClockId) -> usize {
        let place = self.places[clock.index()];
        debug_assert!(place != ABSENT, "{clock:?} matters here");
        place as usize
    }

    /// A constraint on clocks in terms of the zone.
    #[inline]
    pub(crate) fn constraint(&self, constraint: ClockDifference) -> Constraint {
        let place = |clock| self.place(clock).expect("clocks that are tested are active");
        Constraint::new(place(constraint.left), place(constraint.right), constraint.bound)
    }

    /// Widens the zone by `Extra_LU`, which what the state can reach does not depend on. Says whether it has grown.
    pub fn widen(&mut self) -> bool {
        self.zone.extrapolate_lu(LuBounds { lower: &self.lower, upper: &self.upper })
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
        self.price = other.price;
    }
}

/// The clocks that matter, and up to which constants, while they are collected.
#[derive(Clone, Debug)]
pub(crate) struct ActiveClocks {
    /// One bit per clock.
    bits: Vec<u64>,
    /// L and U of each clock; [`NO_BOUND`] for those without a bit.
    bounds: Vec<(i32, i32)>,
}

impl ActiveClocks {
    pub(crate) fn new(network: &Network) -> Self {
        let clocks = network.clocks.len();
        Self { bits: vec![0; clocks.div_ceil(64)], bounds: vec![(NO_BOUND, NO_BOUND); clocks] }
    }

    #[inline]
    fn raise(&mut self, bounds: &[ClockBound]) {
        for bound in bounds {
            let clock = bound.clock as usize;
            self.bits[clock / 64] |= 1 << (clock % 64);
            let (lower, upper) = &mut self.bounds[clock];
            *lower = bound.lower.max(*lower);
            *upper = bound.upper.max(*upper);
        }
    }

    #[inline]
    fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Takes the clocks out, by number.
    #[inline]
    fn drain(&mut self, mut visit: impl FnMut(ClockBound)) {
        for (index, word) in (0..).zip(&mut self.bits) {
            while *word != 0 {
                let clock = index * u64::BITS + word.trailing_zeros();
                *word &= *word - 1;
                let bound = &mut self.bounds[clock as usize];
                let (lower, upper) = std::mem::replace(bound, (NO_BOUND, NO_BOUND));
                visit(ClockBound { clock, lower, upper });
            }
        }
    }
}
