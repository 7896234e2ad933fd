//! Finite unions of zones.
//!
//! Zones are convex; complements and differences of zones are not. Wherever the semantics says *not* (no
//! transition is enabled, no receiver can take part, no higher priority), the answer is a *federation*.
//!
//! Subtraction is what makes federations grow, so it is done with care: `A \ B` is cut along the facets of
//! B only (its [minimal form](crate::Dbm::minimal_form)), each piece keeps to the inner side of the facets
//! cut before it, so the pieces are disjoint, and facets that do not cross A are no cuts at all.
//!
//! Nothing here is meant for the innermost loop: federations own their zones and allocate.

use core::fmt;

use crate::bound::{Bound, Constraint};
use crate::dbm::{Dbm, Zone};
use crate::relation::Relation;

/// A finite union of zones over the same clocks.
///
/// Its zones are never empty, and none is a subset of another.
///
/// ```
/// use guidepost_zones::{Bound, Federation, Zone};
/// let everything = Zone::universe(2);
/// let mut middle = Zone::universe(2);
/// middle.constrain(1, 0, Bound::lt(5));
/// middle.constrain(0, 1, Bound::le(-2));
/// let rest = Federation::from(everything) - &Federation::from(middle);
/// assert_eq!(rest.to_string(), "x1 < 2 or x1 >= 5");
/// ```
#[derive(Clone)]
pub struct Federation {
    dim: usize,
    zones: Vec<Zone>,
}

impl Federation {
    /// The empty union. `dim` counts the constant zero.
    pub const fn empty(dim: usize) -> Self {
        Self { dim, zones: Vec::new() }
    }

    /// All valuations.
    pub fn universe(dim: usize) -> Self {
        Self::from(Zone::universe(dim))
    }

    /// The number of clocks, the constant zero included.
    pub const fn dim(&self) -> usize {
        self.dim
    }

    /// The zones of the union.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// Gives the zones away.
    pub fn into_zones(self) -> Vec<Zone> {
        self.zones
    }

    /// Is there no valuation at all?
    pub const fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// Is the valuation with `x_i = point[i] / denominator` in some zone? `point[0]` must be 0.
    pub fn contains(&self, point: &[i64], denominator: i64) -> bool {
        self.zones.iter().any(|zone| zone.contains(point, denominator))
    }

    /// Adds a zone, possibly empty. Zones that it contains disappear; if one contains it, nothing happens.
    /// Says whether the zone was added.
    pub fn add(&mut self, zone: Zone) -> bool {
        assert_eq!(self.dim, zone.dim());
        if zone.is_empty() || self.zones.iter().any(|other| zone.is_subset(other)) {
            return false;
        }
        self.zones.retain(|other| !other.is_subset(&zone));
        self.zones.push(zone);
        true
    }

    /// Adds all zones of another union.
    pub fn unite(&mut self, other: Federation) {
        for zone in other.zones {
            self.add(zone);
        }
    }

    /// Keeps the valuations within a zone.
    pub fn intersect_zone<S: AsRef<[Bound]>>(&mut self, zone: &Dbm<S>) {
        self.transform(|part| part.intersect(zone));
    }

    /// Keeps the valuations that satisfy the constraint.
    pub fn constrain(&mut self, constraint: Constraint) {
        self.transform(|part| part.constrain_all(&[constraint]));
    }

    /// The valuations in both unions.
    #[must_use]
    pub fn intersection(&self, other: &Federation) -> Federation {
        assert_eq!(self.dim, other.dim);
        let mut result = Self::empty(self.dim);
        for left in &self.zones {
            for right in &other.zones {
                match left.relation(right) {
                    Relation::Equal | Relation::Subset => result.add(left.clone()),
                    Relation::Superset => result.add(right.clone()),
                    Relation::Incomparable => {
                        let mut both = left.clone();
                        both.intersect(right) && result.add(both)
                    }
                };
            }
        }
        result
    }

    /// Removes the valuations of a zone, possibly empty.
    pub fn subtract_zone<S: AsRef<[Bound]>>(&mut self, zone: &Dbm<S>) {
        assert_eq!(self.dim, zone.dim());
        let meets: Vec<bool> = self.zones.iter().map(|part| part.intersects(zone)).collect();
        if !meets.contains(&true) {
            return;
        }
        let mut facets = Vec::new();
        for (part, meets) in core::mem::take(&mut self.zones).into_iter().zip(meets) {
            if !meets {
                self.add(part);
            } else if !part.is_subset(zone) {
                zone.minimal_form_against(&part, &mut facets);
                self.cut_off(part, &facets);
            }
        }
    }

    /// Adds `part` minus the intersection of the given constraints, in disjoint pieces.
    fn cut_off(&mut self, mut part: Zone, facets: &[Constraint]) {
        for &facet in facets {
            if part.satisfies(facet) {
                continue;
            }
            let mut outside = part.clone();
            if outside.constrain_all(&[facet.negated()]) {
                self.add(outside);
            }
            if !part.constrain_all(&[facet]) {
                return;
            }
        }
    }

    /// Removes the valuations of another union.
    pub fn subtract(&mut self, other: &Federation) {
        for zone in &other.zones {
            if self.is_empty() {
                return;
            }
            self.subtract_zone(zone);
        }
    }

    /// Are all valuations of the zone, possibly empty, in this union?
    pub fn includes_zone<S: AsRef<[Bound]>>(&self, zone: &Dbm<S>) -> bool {
        assert_eq!(self.dim, zone.dim());
        if zone.is_empty() || self.zones.iter().any(|part| zone.is_subset(part)) {
            return true;
        }
        let mut rest = Self::from(zone.to_zone());
        rest.subtract(self);
        rest.is_empty()
    }

    /// Are all valuations of the other union in this one?
    pub fn includes(&self, other: &Federation) -> bool {
        other.zones.iter().all(|zone| self.includes_zone(zone))
    }

    /// Becomes the set of valuations reached by letting time pass.
    pub fn up(&mut self) {
        self.transform(|part| {
            part.up();
            true
        });
    }

    /// Becomes the set of valuations from which letting time pass leads into this set.
    pub fn down(&mut self) {
        self.transform(|part| {
            part.down();
            true
        });
    }

    /// Replaces pairs of zones by one where their union is a zone. Costly, and worth it only for
    /// federations that are kept or shown.
    pub fn merge(&mut self) {
        let mut first = 0;
        while first < self.zones.len() {
            let partner = (first + 1..self.zones.len()).find_map(|second| {
                let mut hull = self.zones[first].clone();
                hull.convex_hull(&self.zones[second]);
                let mut gap = Self::from(hull.clone());
                gap.subtract_zone(&self.zones[first]);
                gap.subtract_zone(&self.zones[second]);
                gap.is_empty().then_some(hull)
            });
            match partner {
                // The hull contains both parts, so adding it removes them; start again with what is left.
                Some(hull) => {
                    self.add(hull);
                    first = 0;
                }
                None => first += 1,
            }
        }
    }

    /// Applies an operation to each zone and keeps those for which it says so. The results are reduced
    /// again.
    pub fn transform(&mut self, mut operation: impl FnMut(&mut Zone) -> bool) {
        for mut zone in core::mem::take(&mut self.zones) {
            if operation(&mut zone) {
                self.add(zone);
            }
        }
    }
}

impl From<Zone> for Federation {
    fn from(zone: Zone) -> Self {
        let mut federation = Self::empty(zone.dim());
        federation.add(zone);
        federation
    }
}

impl Extend<Zone> for Federation {
    fn extend<I: IntoIterator<Item = Zone>>(&mut self, zones: I) {
        for zone in zones {
            self.add(zone);
        }
    }
}

impl core::ops::Sub<&Federation> for Federation {
    type Output = Federation;

    fn sub(mut self, other: &Federation) -> Federation {
        self.subtract(other);
        self
    }
}

impl PartialEq for Federation {
    /// Do both describe the same set of valuations, however it is cut?
    fn eq(&self, other: &Self) -> bool {
        self.dim == other.dim && self.includes(other) && other.includes(self)
    }
}

impl Eq for Federation {}

impl fmt::Display for Federation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("false");
        }
        for (index, zone) in self.zones.iter().enumerate() {
            write!(f, "{}{zone}", if index == 0 { "" } else { " or " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Federation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Federation[{}]({self})", self.dim)
    }
}
