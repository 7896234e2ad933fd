//! Zones whose union is a zone.
//!
//! Interleavings of independent steps lead to the same discrete state with the clocks in another order, x ≤ y here and y ≤ x there, and together these zones often are one
//! (David 2005, *Merging DBMs efficiently*). Whether a hull is nothing but the zones it is made of shows by cutting: a part of the hull that is disjoint from all of them
//! refutes it, and it is usually found at once. Two zones may need others between them: of {x, y ≤ z}, {y, z ≤ x} and {z, x ≤ y}, no two make a zone,
//! and all three make everything.
//!
//! Nearly all attempts fail, so what matters is how soon they do. The hull of two zones has more than them exactly if it violates a bound of the one and a bound of the other together. For
//! a pair of bounds that is one sum, as the hull is canonical: no matrix is closed until a gap was found that a third zone may fill.

use crate::bound::{Bound, Constraint};
use crate::dbm::Zone;

/// Closing a matrix after a bound was added takes what it takes to look at so many of its size: every entry is compared with a sum, and written.
const CLOSING: usize = 10;
/// Cuts after which a test gives up.
const MOST_CUTS: usize = 256;
/// Zones of which the first is offered the union of all.
const MOST_AT_ONCE: usize = 24;

/// Zones of which some may together be a zone.
#[derive(Default, Debug)]
pub struct Unions {
    zones: Vec<Zone>,
    touched: u64,
}

impl Unions {
    /// No zones.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all zones.
    pub fn clear(&mut self) {
        self.zones.clear();
    }

    /// Entries of matrices that were looked at so far, about.
    pub fn touched(&self) -> u64 {
        self.touched
    }

    /// Adds a zone that is not empty.
    pub fn push(&mut self, zone: Zone) {
        debug_assert!(!zone.is_empty());
        self.touch(&zone, 1);
        self.zones.push(zone);
    }

    /// The largest zone found that contains the first one and is made of zones: parts of it are in one or another of them. `None` when there is none but the first
    /// itself.
    pub fn grow_first(&mut self) -> Option<Zone> {
        let first = self.zones.first()?.clone();
        let mut grown = first.clone();
        let mut others: Vec<usize> = (1..self.zones.len()).collect();
        while let Some(union) = others.iter().find_map(|&other| self.union_with(&grown, other)) {
            grown = union;
            others.retain(|&other| !self.zones[other].is_subset(&grown));
        }
        if grown != first || self.zones.len() > MOST_AT_ONCE {
            return (grown != first).then_some(grown);
        }
        let hull = self.hull()?;
        (others.len() > 1 && self.contain(&hull)).then_some(hull)
    }

    /// The smallest zone around all of them; `None` when there are none.
    pub fn hull(&self) -> Option<Zone> {
        let (first, others) = self.zones.split_first()?;
        let mut hull = first.clone();
        for other in others {
            hull.convex_hull(other);
        }
        Some(hull)
    }

    /// The positions of the zones within another one.
    pub fn within(&self, zone: &Zone) -> impl Iterator<Item = usize> {
        (0..self.zones.len()).filter(|&position| self.zones[position].is_subset(zone))
    }

    /// The hull of a zone and the one at a position, if all of it is in some zone. Zones that are apart are left apart.
    fn union_with(&mut self, zone: &Zone, other: usize) -> Option<Zone> {
        self.touch(zone, 1);
        if zone.is_apart(&self.zones[other]) {
            return None;
        }
        // The hull, and which of its bounds are looser than those of the two.
        self.touch(zone, 4);
        let other = &self.zones[other];
        let mut hull = zone.clone();
        hull.convex_hull(other);
        match gap(&hull, zone, other) {
            Gap::None => Some(hull),
            Gap::Between(gap) if self.zones.iter().any(|third| gap.intersects(third)) => {
                self.contain(&hull).then_some(hull)
            }
            Gap::Between(_) => None,
            Gap::Unknown => self.contain(&hull).then_some(hull),
        }
    }

    /// Whether the zones together contain another one; also `false` when that takes too long to say.
    fn contain(&mut self, zone: &Zone) -> bool {
        let near = (0..self.zones.len()).filter(|&position| !zone.surely_disjoint(&self.zones[position]));
        let near: Vec<usize> = near.collect();
        self.touch(zone, self.zones.len());
        let mut cuts = 0;
        self.cover(zone, &near, &mut cuts)
    }

    fn cover(&mut self, part: &Zone, zones: &[usize], cuts: &mut usize) -> bool {
        let meets = zones.iter().position(|&position| part.intersects(&self.zones[position]));
        // Whether zones meet is found by going through both.
        self.touch(part, 2 * meets.map_or(zones.len(), |at| at + 1));
        let Some(at) = meets else { return false };
        let mut facets = Vec::new();
        self.zones[zones[at]].minimal_form_against(part, &mut facets);
        self.touch(part, 2);
        let mut rest = part.clone();
        facets.iter().all(|&facet| {
            if rest.satisfies(facet) {
                return true;
            }
            *cuts += 1;
            // Copied, and closed twice.
            self.touch(part, 1 + 2 * CLOSING);
            let mut outside = rest.clone();
            let is_possible = outside.constrain_all(&[facet.negated()]);
            rest.constrain_all(&[facet]);
            !is_possible || (*cuts < MOST_CUTS && self.cover(&outside, &zones[at + 1..], cuts))
        })
    }

    /// Counts that matrices of a zone's size were looked at.
    fn touch(&mut self, zone: &Zone, matrices: usize) {
        self.touched += (zone.entries().len() * matrices) as u64;
    }
}

/// What a hull has and the two zones it was made of have not.
enum Gap {
    None,
    /// A part of it.
    Between(Zone),
    /// There are too many pairs of bounds to look at.
    Unknown,
}

/// Pairs of bounds of two zones that are looked at.
const MOST_PAIRS: usize = 1 << 12;

/// What the hull of two zones has more than them.
fn gap(hull: &Zone, one: &Zone, other: &Zone) -> Gap {
    let (mine, theirs) = (violated(hull, one), violated(hull, other));
    if mine.len() * theirs.len() > MOST_PAIRS {
        return Gap::Unknown;
    }
    for &first in &mine {
        for &second in &theirs {
            // Each can be violated alone, so what contradicts them together is a cycle through both.
            let there = first.bound + hull.get(first.right.into(), second.left.into());
            let back = second.bound + hull.get(second.right.into(), first.left.into());
            if there + back >= Bound::LE_ZERO {
                let mut gap = hull.clone();
                gap.constrain_all(&[first, second]);
                return Gap::Between(gap);
            }
        }
    }
    Gap::None
}

/// The negations of those bounds of a zone that some of the hull violates.
fn violated(hull: &Zone, zone: &Zone) -> Vec<Constraint> {
    let n = zone.dim();
    let places = (0..n).flat_map(|left| (0..n).map(move |right| (left, right)));
    let looser = places.filter(|&(left, right)| zone.get(left, right) < hull.get(left, right));
    looser.map(|(left, right)| Constraint::new(right, left, -zone.get(left, right))).collect()
}
