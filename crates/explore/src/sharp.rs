//! Locations at which it counts what a state can *not* do.
//!
//! L and U are bounds of a simulation: what a state can do, the states that stand for it can do as well. They may be able to do more, and a deadlock
//! among the represented states need not show. At *sharp* locations, every bound of a guard, of the invariant, and of a target's invariant counts on both sides.
//!
//! **Claim.** Let all locations of a discrete state q be sharp, and v ≼ v' in q (v' simulates v). Then v is deadlocked in q iff v' is.
//!
//! *Proof.* Let c be a constant that a clock x is compared with in q: by an invariant there, by a guard of an edge that leaves from there, or by the invariant of
//! such an edge's target. By definition c ≤ L(x) and c ≤ U(x) in q. Either v(x) = v'(x), or L(x) < v'(x) < v(x), or U(x) < v(x) < v'(x); in the last two
//! cases both values are above c. So v and v' satisfy the same of these constraints, and as values grow alike, so do v + d and v' + d for every delay d.
//! Whether a transition is possible now or after some delay depends on nothing else. ∎

use guidepost_network::{LocationId, Network, Process};

/// A set of locations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharpLocations {
    /// By location; those behind the end are not in it.
    members: Vec<bool>,
}

impl SharpLocations {
    /// No location.
    pub const NONE: Self = Self { members: Vec::new() };

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        !self.members.contains(&true)
    }

    /// Whether a location is among them.
    #[inline]
    pub fn contains(&self, location: LocationId) -> bool {
        self.members.get(location.index()).copied().unwrap_or(false)
    }

    /// Whether the locations of a discrete state are among them, given its cells.
    pub fn contain_all(&self, network: &Network, cells: &[i32]) -> bool {
        locations(network, cells).all(|location| self.contains(location))
    }

    /// Adds the locations of a discrete state, given its cells.
    pub fn add_all(&mut self, network: &Network, cells: &[i32]) {
        self.members.resize(network.locations.len(), false);
        for location in locations(network, cells) {
            self.members[location.index()] = true;
        }
    }

    /// Adds the locations of a discrete state, given its cells, and those of other processes that look the same by the names of their locations: what is in doubt of one will be in doubt of all.
    pub fn add_all_alike(&mut self, network: &Network, cells: &[i32]) {
        self.add_all(network, cells);
        let names = |process: &Process| {
            let locations = process.locations.start as usize..process.locations.end as usize;
            network.locations[locations].iter().map(|location| &location.name)
        };
        for (process, &at) in network.processes.iter().zip(cells) {
            let place = at as u32 - process.locations.start;
            for other in network.processes.iter().filter(|other| names(process).eq(names(other))) {
                self.members[(other.locations.start + place) as usize] = true;
            }
        }
    }

    /// The locations.
    pub fn iter(&self) -> impl Iterator<Item = LocationId> {
        self.members.iter().zip(0..).filter(|(is_member, _)| **is_member).map(|(_, index)| LocationId(index))
    }

    /// Adds a location.
    pub fn add(&mut self, network: &Network, location: u32) {
        self.members.resize(network.locations.len(), false);
        self.members[location as usize] = true;
    }

    /// Adds the locations of another set.
    pub fn unite(&mut self, other: &Self) {
        if self.members.len() < other.members.len() {
            self.members.resize(other.members.len(), false);
        }
        for (member, &others) in self.members.iter_mut().zip(&other.members) {
            *member |= others;
        }
    }
}

fn locations(network: &Network, cells: &[i32]) -> impl Iterator<Item = LocationId> {
    cells[..network.processes.len()].iter().map(|&cell| LocationId(cell as u32))
}
