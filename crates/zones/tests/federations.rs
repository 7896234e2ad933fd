//! Federations against sets of grid points, and the laws of sets.

mod common;

use common::{Rng, UNIT, assert_canonical, delayed, grid, has};
use guidepost_zones::{Federation, Zone, pred_t};

const MAX: i64 = 3;

fn federation(rng: &mut Rng, dim: usize, most: i64) -> Federation {
    let mut result = Federation::empty(dim);
    for _ in 0..rng.below(most + 1) {
        let zone = rng.zone(dim, MAX);
        result.add(zone);
    }
    result
}

fn holds(federation: &Federation, point: &[i64]) -> bool {
    federation.contains(point, UNIT)
}

/// The invariant of the type, and the meaning on the grid.
fn assert_means(federation: &Federation, points: &[Vec<i64>], member: impl Fn(&[i64]) -> bool) {
    for (index, zone) in federation.zones().iter().enumerate() {
        assert_canonical(zone);
        for (other, second) in federation.zones().iter().enumerate() {
            assert!(index == other || !zone.is_subset(second), "{federation:?} is not reduced");
        }
    }
    for point in points {
        assert_eq!(holds(federation, point), member(point), "{point:?} in {federation:?}");
    }
}

#[test]
fn algebra_on_points() {
    let mut rng = Rng(41);
    let points = grid(3, 5, 2);
    for _ in 0..1500 {
        let (a, b) = (federation(&mut rng, 3, 3), federation(&mut rng, 3, 3));
        let zone = rng.zone(3, MAX);
        let mut union = a.clone();
        union.unite(b.clone());
        assert_means(&union, &points, |p| holds(&a, p) || holds(&b, p));
        assert_means(&a.intersection(&b), &points, |p| holds(&a, p) && holds(&b, p));
        assert_means(&(a.clone() - &b), &points, |p| holds(&a, p) && !holds(&b, p));
        let mut within = a.clone();
        within.intersect_zone(&zone);
        assert_means(&within, &points, |p| holds(&a, p) && has(&zone, p));
        let mut merged = union.clone();
        merged.merge();
        assert!(merged.zones().len() <= union.zones().len());
        assert_means(&merged, &points, |p| holds(&union, p));
        assert_eq!(merged, union);
    }
}

#[test]
fn three_clocks() {
    let mut rng = Rng(42);
    let points = grid(4, 3, 4);
    for _ in 0..60 {
        let (a, b) = (federation(&mut rng, 4, 2), federation(&mut rng, 4, 2));
        assert_means(&(a.clone() - &b), &points, |p| holds(&a, p) && !holds(&b, p));
        assert_means(&a.intersection(&b), &points, |p| holds(&a, p) && holds(&b, p));
    }
}

#[test]
fn inclusion_and_equality() {
    let mut rng = Rng(43);
    let points = grid(3, 8, 2);
    let mut yes = 0;
    for _ in 0..600 {
        let a = federation(&mut rng, 3, 3);
        let zone = rng.zone(3, MAX);
        let expected = points.iter().all(|p| !has(&zone, p) || holds(&a, p));
        assert_eq!(a.includes_zone(&zone), expected);
        yes += usize::from(expected);
        assert!(a.includes_zone(&Zone::empty(3)));
        let b = federation(&mut rng, 3, 2);
        let both = points.iter().all(|p| holds(&a, p) == holds(&b, p));
        assert_eq!(a == b, both);
        assert_eq!(a.includes(&b), points.iter().all(|p| !holds(&b, p) || holds(&a, p)));
    }
    assert!(yes > 30, "{yes}");
}

#[test]
fn delay_and_past() {
    let mut rng = Rng(44);
    let points = grid(3, 5, 2);
    for _ in 0..30 {
        let a = federation(&mut rng, 3, 3);
        let (mut future, mut past) = (a.clone(), a.clone());
        future.up();
        past.down();
        let reaches = |p: &[i64], sign: i64| {
            (0..12 * UNIT).any(|d| delayed(p, sign * d).is_some_and(|q| holds(&a, &q)))
        };
        assert_means(&future, &points, |p| reaches(p, -1));
        assert_means(&past, &points, |p| reaches(p, 1));
    }
}

/// Laws that hold for all sets, here with equality decided by the crate itself.
#[test]
fn laws() {
    let mut rng = Rng(45);
    let universe = Federation::universe(4);
    for _ in 0..120 {
        let [a, b, c] = [(); 3].map(|()| federation(&mut rng, 4, 2));
        let union = |x: &Federation, y: &Federation| {
            let mut both = x.clone();
            both.unite(y.clone());
            both
        };
        let minus = |x: &Federation, y: &Federation| x.clone() - y;
        assert!(minus(&a, &a).is_empty());
        assert_eq!(minus(&universe, &minus(&universe, &a)), a);
        assert_eq!(union(&minus(&a, &b), &a.intersection(&b)), a);
        assert_eq!(
            minus(&universe, &union(&a, &b)),
            minus(&universe, &a).intersection(&minus(&universe, &b))
        );
        assert_eq!(a.intersection(&union(&b, &c)), union(&a.intersection(&b), &a.intersection(&c)));
        assert_eq!(minus(&minus(&a, &b), &c), minus(&a, &union(&b, &c)));
        assert!(minus(&a, &b).intersection(&b).is_empty());
        assert!(universe.includes(&a) && union(&a, &b).includes(&b));
        assert_eq!(union(&a, &b), union(&b, &a));
    }
}

/// What is cut off a zone comes in disjoint pieces, no more than the other has facets.
#[test]
fn subtraction_is_frugal() {
    let mut rng = Rng(46);
    let mut facets = Vec::new();
    for round in 0..2000 {
        let (a, b) = (rng.zone(3 + round % 3, 6), rng.zone(3 + round % 3, 6));
        let mut rest = Federation::from(a.clone());
        rest.subtract_zone(&b);
        b.minimal_form(&mut facets);
        assert!(rest.zones().len() <= facets.len().max(1));
        for (index, piece) in rest.zones().iter().enumerate() {
            assert!(piece.is_subset(&a) && !piece.intersects(&b));
            assert!(rest.zones()[..index].iter().all(|other| !piece.intersects(other)), "{rest:?}");
        }
    }
}

/// A wait that ends in `good` with nothing of `bad` on the way, searched on the grid.
#[test]
fn predecessors_avoiding() {
    let mut rng = Rng(47);
    let points = grid(3, 5, 2);
    let mut interesting = 0;
    for _ in 0..150 {
        let (good, bad) = (federation(&mut rng, 3, 2), federation(&mut rng, 3, 2));
        let result = pred_t(&good, &bad);
        let mut past = good.clone();
        past.down();
        interesting += usize::from(!result.is_empty() && result != past);
        assert_means(&result, &points, |p| {
            for d in 0..10 * UNIT {
                let q = delayed(p, d).unwrap();
                if holds(&bad, &q) {
                    return false;
                }
                if holds(&good, &q) {
                    return true;
                }
            }
            false
        });
    }
    assert!(interesting > 30, "{interesting}");
}
