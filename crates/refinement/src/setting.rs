//! Settings: the clocks that matter in a discrete state, what its invariants demand of them, and whether time may pass.
//!
//! Thousands of discrete states have one in common, so each is kept once.

use guidepost_explore::ClockDifference;
use guidepost_network::ClockId;
use guidepost_zones::{Constraint, Zone};
use rustc_hash::FxHashMap;
use std::str::FromStr;

/// Which clocks zones have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// In each discrete state those whose value may still matter.
    #[default]
    Active,
    /// All of them, everywhere.
    Global,
}

impl FromStr for Scope {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "active" => Ok(Scope::Active),
            "global" => Ok(Scope::Global),
            _ => Err(()),
        }
    }
}

const ABSENT: u16 = u16::MAX;

/// What discrete states have in common as far as time is concerned.
#[derive(Clone)]
pub(crate) struct Setting {
    /// By place in zones: the clock; the first is the zero clock.
    pub(crate) clocks: Box<[u32]>,
    /// By clock: its place.
    places: Box<[u16]>,
    pub(crate) invariants: Box<[Constraint]>,
    pub(crate) may_delay: bool,
    /// All valuations that satisfy the invariants; none where they contradict each other, and nobody arrives.
    pub(crate) whole: Zone,
}

impl Setting {
    /// The number of clocks, with the zero clock.
    #[inline]
    pub(crate) fn dim(&self) -> usize {
        self.clocks.len()
    }

    /// Where a clock that matters stands in zones.
    #[inline]
    pub(crate) fn place(&self, clock: ClockId) -> usize {
        let place = self.places[clock.index()];
        debug_assert!(place != ABSENT, "{clock:?} matters here");
        place.into()
    }

    #[inline]
    pub(crate) fn constraint(&self, difference: ClockDifference) -> Constraint {
        Constraint::new(self.place(difference.left), self.place(difference.right), difference.bound)
    }

    pub(crate) fn difference(&self, constraint: Constraint) -> ClockDifference {
        let clock = |place: u16| ClockId(self.clocks[usize::from(place)]);
        ClockDifference {
            left: clock(constraint.left),
            right: clock(constraint.right),
            bound: constraint.bound,
        }
    }

    /// The valuations that satisfy the invariants and some constraints; `None`: there are none.
    pub(crate) fn restricted(&self, constraints: &[Constraint]) -> Option<Zone> {
        let mut zone = self.whole.clone();
        zone.constrain_all(constraints).then_some(zone)
    }
}

/// All settings of a graph, by number.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    list: Vec<Setting>,
    numbers: FxHashMap<Box<[i32]>, u32>,
    key: Vec<i32>,
    bytes: usize,
}

impl Settings {
    /// The number of a setting.
    pub(crate) fn intern(
        &mut self,
        all_clocks: usize,
        clocks: &[u32],
        invariants: &[ClockDifference],
        may_delay: bool,
    ) -> u32 {
        self.key.clear();
        self.key.push(clocks.len() as i32 * 2 + i32::from(may_delay));
        self.key.extend(clocks.iter().map(|&clock| clock as i32));
        for difference in invariants {
            let ClockDifference { left, right, bound } = difference;
            self.key.extend([left.0 as i32, right.0 as i32, bound.raw()]);
        }
        if let Some(&number) = self.numbers.get(self.key.as_slice()) {
            return number;
        }
        let mut places = vec![ABSENT; all_clocks].into_boxed_slice();
        for (place, &clock) in (0..).zip(clocks) {
            places[clock as usize] = place;
        }
        let mut setting = Setting {
            clocks: clocks.into(),
            places,
            invariants: Box::new([]),
            may_delay,
            whole: Zone::universe(clocks.len()),
        };
        setting.invariants = invariants.iter().map(|&invariant| setting.constraint(invariant)).collect();
        setting.whole.constrain_all(&setting.invariants);
        let number = self.list.len() as u32;
        self.bytes += 4 * (self.key.len() + clocks.len() * (clocks.len() + 3)) + 2 * all_clocks + 200;
        self.list.push(setting);
        self.numbers.insert(self.key.as_slice().into(), number);
        number
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Setting {
        &self.list[number as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}
