//! Clock difference diagrams against federations and against points.

mod common;

use common::{Rng, UNIT, grid};
use guidepost_zones::cdd::{Cdd, Cdds};
use guidepost_zones::{Bound, Constraint, Federation, Zone};

const MAX: i64 = 3;

fn federation(rng: &mut Rng, dim: usize, most: i64) -> Federation {
    let mut result = Federation::empty(dim);
    for _ in 0..rng.below(most + 1) {
        result.add(rng.zone(dim, MAX));
    }
    result
}

fn diagram(cdds: &mut Cdds, federation: &Federation) -> Cdd {
    federation.zones().iter().fold(Cdd::FALSE, |union, zone| {
        let zone = cdds.zone(zone);
        cdds.union(union, zone)
    })
}

fn holds(cdds: &Cdds, set: Cdd, point: &[i64]) -> bool {
    cdds.contains(set, &[], point, UNIT)
}

#[test]
fn operations_mean_what_they_mean_for_federations() {
    let mut rng = Rng(71);
    for dim in [2, 3, 4] {
        let points = grid(dim, 5, if dim == 4 { 4 } else { 2 });
        for _ in 0..400 {
            let mut cdds = Cdds::new(0, dim);
            let (a, b) = (federation(&mut rng, dim, 3), federation(&mut rng, dim, 3));
            let (left, right) = (diagram(&mut cdds, &a), diagram(&mut cdds, &b));
            let union = cdds.union(left, right);
            let intersection = cdds.intersection(left, right);
            let difference = cdds.difference(left, right);
            let complement = cdds.complement(left);
            let (reduced, tight) = (cdds.reduce(union), cdds.tighten(union));
            for point in &points {
                let (in_a, in_b) = (a.contains(point, UNIT), b.contains(point, UNIT));
                assert_eq!(holds(&cdds, left, point), in_a);
                assert_eq!(holds(&cdds, union, point), in_a || in_b);
                assert_eq!(holds(&cdds, intersection, point), in_a && in_b);
                assert_eq!(holds(&cdds, difference, point), in_a && !in_b);
                assert_eq!(holds(&cdds, complement, point), !in_a);
                assert_eq!(holds(&cdds, reduced, point), in_a || in_b);
                assert_eq!(holds(&cdds, tight, point), in_a || in_b);
            }
            assert_eq!(cdds.is_empty(intersection), a.intersection(&b).is_empty());
            assert_eq!(cdds.includes(left, right), a.includes(&b));
            let zone = rng.zone(dim, MAX);
            assert_eq!(cdds.includes_zone(union, &zone), a.clone().united(&b).includes_zone(&zone));
            assert_eq!(cdds.meets_zone(left, &zone), a.zones().iter().any(|part| part.intersects(&zone)));
            let back = cdds.zones(union);
            assert!(back.includes(&a) && back.includes(&b) && a.clone().united(&b).includes(&back));
        }
    }
}

trait United {
    fn united(self, other: &Federation) -> Federation;
}

impl United for Federation {
    fn united(mut self, other: &Federation) -> Federation {
        self.unite(other.clone());
        self
    }
}

/// Without paths that contradict themselves, there is one diagram for nothing, and one for everything.
#[test]
fn reduced_diagrams_know_nothing_and_everything() {
    let mut rng = Rng(72);
    for _ in 0..600 {
        let dim = 2 + rng.index(3);
        let mut cdds = Cdds::new(0, dim);
        let set = federation(&mut rng, dim, 4);
        let set = diagram(&mut cdds, &set);
        let rest = cdds.complement(set);
        let everything = Zone::universe(dim);
        let (reduced, reduced_rest) = (cdds.reduce(set), cdds.reduce(rest));
        assert_eq!(reduced == Cdd::FALSE, cdds.is_empty(set));
        assert_eq!(reduced == Cdd::TRUE, cdds.includes_zone(set, &everything));
        let (all, none) = (cdds.union(reduced, reduced_rest), cdds.intersection(reduced, reduced_rest));
        assert_eq!((cdds.reduce(all), cdds.reduce(none)), (Cdd::TRUE, Cdd::FALSE));
    }
}

#[test]
fn what_is_kept_is_the_same() {
    let mut rng = Rng(73);
    let points = grid(3, 5, 2);
    for _ in 0..200 {
        let mut cdds = Cdds::new(0, 3);
        let sets: Vec<Federation> = (0..4).map(|_| federation(&mut rng, 3, 3)).collect();
        let mut diagrams: Vec<Cdd> = sets.iter().map(|set| diagram(&mut cdds, set)).collect();
        let size = cdds.size(&diagrams);
        cdds.keep_only(&mut diagrams);
        assert_eq!(cdds.node_count(), size + 2);
        for (set, &kept) in sets.iter().zip(&diagrams) {
            assert!(points.iter().all(|point| holds(&cdds, kept, point) == set.contains(point, UNIT)));
            assert_eq!(diagram(&mut cdds, set), kept, "the same set is the same node again");
        }
    }
}

/// Booleans and clocks in one diagram: a set of valuations for each vector of bits.
#[test]
fn bits_and_clocks_are_one_diagram() {
    let mut rng = Rng(74);
    let points = grid(3, 4, 4);
    for _ in 0..150 {
        let mut cdds = Cdds::new(3, 3);
        let mut all = Cdd::FALSE;
        let mut sets: Vec<Federation> = vec![Federation::empty(3); 8];
        for _ in 0..6 {
            let (bits, zone) = (rng.index(8), rng.zone(3, MAX));
            let mut state = cdds.zone(&zone);
            for number in 0..3 {
                let bit = cdds.boolean(number, bits >> number & 1 == 1);
                state = cdds.intersection(state, bit);
            }
            all = cdds.union(all, state);
            sets[bits].add(zone);
        }
        let tight = cdds.tighten(all);
        let reduced = cdds.reduce(all);
        for (bits, set) in sets.iter().enumerate() {
            let booleans = [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4];
            for point in &points {
                let expected = set.contains(point, UNIT);
                for diagram in [all, tight, reduced] {
                    assert_eq!(cdds.contains(diagram, &booleans, point, UNIT), expected);
                }
            }
        }
    }
}

#[test]
fn bounds_at_the_limit() {
    let most = Bound::LIMIT - 1;
    let far = Zone::from_constraints(2, &[Constraint::new(0, 1, Bound::lt(-(most - 1)))]);
    let mut cdds = Cdds::new(0, 2);
    let diagram = cdds.zone(&far);
    let rest = cdds.complement(diagram);
    assert!(cdds.includes_zone(diagram, &far) && !cdds.meets_zone(rest, &far));
    assert_eq!(cdds.union(diagram, rest), Cdd::TRUE);
    let point = Zone::from_constraints(2, &[Constraint::new(1, 0, Bound::le(0))]);
    assert!(cdds.includes_zone(rest, &point) && !cdds.is_empty(rest));
}
