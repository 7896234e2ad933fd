//! Zones whose union is a zone.
//!
//! Interleavings of independent steps lead to the same discrete state with the clocks in another order, x ≤ y here and y ≤ x there, and together these zones often are one
//! (David 2005, *Merging DBMs efficiently*). Whether a hull is nothing but the zones it is made of shows by cutting: a part of the hull that is disjoint from all of them
//! refutes it, and it is usually found at once. Two zones may need others between them: of {x, y ≤ z}, {y, z ≤ x} and {z, x ≤ y}, no two make a zone,
//! and all three make everything.

use crate::bound::Constraint;
use crate::dbm::Zone;

/// Cuts after which a test gives up.
const MOST_CUTS: usize = 256;

/// Zones of which some may together be a zone.
#[derive(Default, Debug)]
pub struct Unions {
    zones: Vec<Zone>,
    /// By zone: its minimal form, once it was needed.
    facets: Vec<Vec<Constraint>>,
}

impl Unions {
    /// No zones.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all zones.
    pub fn clear(&mut self) {
        self.zones.clear();
        self.facets.clear();
    }

    /// Adds a zone that is not empty.
    pub fn push(&mut self, zone: Zone) {
        debug_assert!(!zone.is_empty());
        self.zones.push(zone);
        self.facets.push(Vec::new());
    }

    /// The largest zone found that contains the first one and is the union of some zones; `None` when there is none but the first itself.
    pub fn grow_first(&mut self) -> Option<Zone> {
        let (first, others) = self.zones.split_first()?;
        let (mut grown, mut all) = (first.clone(), first.clone());
        for other in others {
            all.convex_hull(other);
        }
        if !others.is_empty() && self.covers(&all) {
            return Some(all);
        }
        let mut left: Vec<usize> = (1..self.zones.len()).collect();
        let mut has_grown = false;
        while let Some(hull) = left.iter().find_map(|&other| {
            let mut hull = grown.clone();
            hull.convex_hull(&self.zones[other]);
            self.covers(&hull).then_some(hull)
        }) {
            grown = hull;
            has_grown = true;
            left.retain(|&other| !self.zones[other].is_subset(&grown));
        }
        has_grown.then_some(grown)
    }

    /// The positions of the zones within another one.
    pub fn within(&self, zone: &Zone) -> impl Iterator<Item = usize> {
        (0..self.zones.len()).filter(|&position| self.zones[position].is_subset(zone))
    }

    /// Whether the zones together contain another one; also `false` when that takes too long to say.
    fn covers(&mut self, zone: &Zone) -> bool {
        let mut cuts = 0;
        self.covers_from(zone, 0, &mut cuts)
    }

    fn covers_from(&mut self, part: &Zone, from: usize, cuts: &mut usize) -> bool {
        let Some(next) = (from..self.zones.len()).find(|&next| part.intersects(&self.zones[next])) else {
            return false;
        };
        if self.facets[next].is_empty() {
            let Self { zones, facets } = self;
            zones[next].minimal_form(&mut facets[next]);
        }
        let facets = std::mem::take(&mut self.facets[next]);
        let mut rest = part.clone();
        let is_covered = facets.iter().all(|&facet| {
            if rest.satisfies(facet) {
                return true;
            }
            *cuts += 1;
            let mut outside = rest.clone();
            let is_possible = outside.constrain_all(&[facet.negated()]);
            rest.constrain_all(&[facet]);
            !is_possible || (*cuts < MOST_CUTS && self.covers_from(&outside, next + 1, cuts))
        });
        self.facets[next] = facets;
        is_covered
    }
}
