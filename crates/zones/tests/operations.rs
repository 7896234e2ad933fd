//! Every operation on zones against its meaning for valuations on a grid.

mod common;

use common::{Rng, UNIT, assert_canonical, delayed, grid, has, naive, naive_close, with};
use guidepost_zones::{Bound, Constraint, FREE, Relation, Zone};

const MAX: i64 = 4;
const LIMIT: i64 = 9;
/// No witness that is needed lies further out than this (in eighths).
const FAR: i64 = 16 * UNIT;

/// Compares `result` with what `member` says, on valuations in and around both zones.
fn compare(rng: &mut Rng, before: &Zone, result: &Zone, member: impl Fn(&[i64]) -> bool) {
    assert!(
        result.is_empty() || {
            assert_canonical(result);
            true
        }
    );
    for round in 0..60 {
        let point = match round % 3 {
            0 => rng.point(result.dim(), LIMIT),
            1 if before.dim() == result.dim() => rng.point_near(before, LIMIT),
            _ if result.is_empty() => rng.point(result.dim(), LIMIT),
            _ => rng.point_near(result, LIMIT),
        };
        assert_eq!(has(result, &point), member(&point), "{point:?}/8 in {result:?}, from {before:?}");
    }
}

/// Runs `operation` on random zones of two and three clocks and compares with the meaning that `member`
/// gives it: is this valuation in the result, given the zone before?
fn check(seed: u64, mut operation: impl FnMut(&mut Rng, &mut Zone) -> Box<dyn Fn(&Zone, &[i64]) -> bool>) {
    let mut rng = Rng(seed);
    for round in 0..2000 {
        let before = rng.zone(3 + round % 2, MAX);
        let mut after = before.clone();
        let member = operation(&mut rng, &mut after);
        compare(&mut rng, &before, &after, |point| member(&before, point));
    }
}

#[test]
fn random_zones_are_canonical_and_not_trivial() {
    let mut rng = Rng(1);
    let mut distinct = std::collections::BTreeSet::new();
    for _ in 0..1000 {
        let zone = rng.zone(3, MAX);
        assert_canonical(&zone);
        distinct.insert(zone.entries().to_vec());
    }
    assert!(distinct.len() > 300, "{}", distinct.len());
}

#[test]
fn constrain() {
    check(2, |rng, zone| {
        let c = rng.constraint(zone.dim(), MAX);
        let expected = zone.meets(c);
        assert_eq!(zone.constrain(c.left.into(), c.right.into(), c.bound), expected);
        assert_eq!(zone.is_empty(), !expected);
        assert!(zone.is_empty() || zone.satisfies(c));
        Box::new(move |before, p| {
            has(before, p) && c.bound.admits(p[usize::from(c.left)] - p[usize::from(c.right)], UNIT)
        })
    });
}

#[test]
fn constrain_several() {
    check(3, |rng, zone| {
        let all: Vec<Constraint> = (0..3).map(|_| rng.constraint(zone.dim(), MAX)).collect();
        zone.constrain_all(&all);
        Box::new(move |before, p| {
            has(before, p)
                && all.iter().all(|c| c.bound.admits(p[usize::from(c.left)] - p[usize::from(c.right)], UNIT))
        })
    });
}

#[test]
fn up() {
    check(4, |_, zone| {
        zone.up();
        Box::new(|before, p| (0..FAR).any(|d| delayed(p, -d).is_some_and(|q| has(before, &q))))
    });
}

#[test]
fn down() {
    check(5, |_, zone| {
        zone.down();
        Box::new(|before, p| (0..FAR).any(|d| delayed(p, d).is_some_and(|q| has(before, &q))))
    });
}

/// Exact if at most one clock runs or none is stopped, a superset otherwise; never larger than needed.
#[test]
fn up_stopped() {
    let mut rng = Rng(6);
    for round in 0..600 {
        let before = rng.zone(3 + round % 2, MAX);
        let mask = rng.below(16);
        let stopped = |x: usize| mask >> x & 1 == 1;
        let mut after = before.clone();
        after.up_stopped(stopped);
        assert_canonical(&after);
        let past = |p: &[i64], d: i64| -> Vec<i64> {
            p.iter().enumerate().map(|(x, v)| if x == 0 || stopped(x) { *v } else { v - d }).collect()
        };
        let member = |p: &[i64]| (0..FAR).any(|d| has(&before, &past(p, d)));
        let running = (1..before.dim()).filter(|&x| !stopped(x)).count();
        if running <= 1 || running == before.dim() - 1 {
            compare(&mut rng, &before, &after, member);
        } else {
            for _ in 0..30 {
                let p = rng.point_near(&before, LIMIT);
                let q = past(&p, -2 * rng.below(20));
                assert!(!has(&before, &p) || has(&after, &q));
            }
        }
        // The smallest zone: what remains bounded is bounded as before.
        for (old, new) in before.entries().iter().zip(after.entries()) {
            assert!(new == old || new.is_infinite());
        }
    }
}

#[test]
fn free() {
    check(7, |rng, zone| {
        let x = rng.clock(zone.dim());
        zone.free(x);
        Box::new(move |before, p| (0..FAR).any(|v| has(before, &with(p, x, v))))
    });
}

#[test]
fn reset() {
    check(8, |rng, zone| {
        let (x, value) = (rng.clock(zone.dim()), rng.below(5));
        zone.reset(x, value as i32);
        Box::new(move |before, p| p[x] == value * UNIT && (0..FAR).any(|v| has(before, &with(p, x, v))))
    });
}

#[test]
fn copy() {
    check(9, |rng, zone| {
        let (x, y) = (rng.clock(zone.dim()), rng.index(zone.dim()));
        zone.copy(x, y);
        Box::new(move |before, p| {
            if x == y {
                has(before, p)
            } else {
                p[x] == p[y] && (0..FAR).any(|v| has(before, &with(p, x, v)))
            }
        })
    });
}

#[test]
fn shift() {
    check(10, |rng, zone| {
        let (x, offset) = (rng.clock(zone.dim()), rng.below(7) - 3);
        let left = zone.shift(x, offset as i32);
        assert_eq!(left, !zone.is_empty());
        Box::new(move |before, p| p[x] >= offset * UNIT && has(before, &with(p, x, p[x] - offset * UNIT)))
    });
}

#[test]
fn assign_offset() {
    check(11, |rng, zone| {
        let (x, y, offset) = (rng.clock(zone.dim()), rng.clock(zone.dim()), rng.below(7) - 3);
        let left = zone.assign_offset(x, y, offset as i32);
        assert_eq!(left, !zone.is_empty());
        Box::new(move |before, p| {
            if x == y {
                p[x] >= offset * UNIT && has(before, &with(p, x, p[x] - offset * UNIT))
            } else {
                p[x] == p[y] + offset * UNIT && (0..FAR).any(|v| has(before, &with(p, x, v)))
            }
        })
    });
}

#[test]
fn intersect() {
    check(12, |rng, zone| {
        let other = rng.zone(zone.dim(), MAX);
        let expected = zone.intersects(&other);
        assert!(!expected || !zone.surely_disjoint(&other));
        assert_eq!(zone.intersect(&other), expected);
        assert_eq!(zone.is_empty(), !expected);
        Box::new(move |before, p| has(before, p) && has(&other, p))
    });
}

/// Two matrices closed together are what closing all their bounds gives, in every dimension; also where most zones have nothing in common.
#[test]
fn intersect_in_every_dimension() {
    let mut rng = Rng(21);
    let (mut empty, mut non_empty) = (0, 0);
    for round in 0..6000 {
        let mut zone = rng.zone(2 + round % 20, 9);
        let dim = zone.dim();
        // Every other time a piece of the zone, so that not all pairs are far apart.
        let mut other = if round % 2 == 0 { rng.zone(dim, 9) } else { zone.clone() };
        for _ in 0..round % 5 {
            let c = rng.constraint(dim, 9);
            let mut piece = other.clone();
            if piece.constrain_all(&[c]) {
                other = piece;
            }
            let mut piece = zone.clone();
            if piece.constrain_all(&[rng.constraint(dim, 9)]) {
                zone = piece;
            }
        }
        let mut model = naive(&zone);
        for (row, others) in model.iter_mut().zip(naive(&other)) {
            for (entry, theirs) in row.iter_mut().zip(others) {
                if common::tighter(theirs, *entry) {
                    *entry = theirs;
                }
            }
        }
        let left = naive_close(&mut model);
        assert_eq!(zone.intersects(&other), left);
        assert_eq!(zone.intersect(&other), left);
        assert!(!left || naive(&zone) == model);
        *(if left { &mut non_empty } else { &mut empty }) += 1;
    }
    assert!(empty > 500 && non_empty > 500, "{empty} {non_empty}");
}

#[test]
fn intersection_with_nothing() {
    let (mut zone, empty) = (Zone::zero(3), Zone::empty(3));
    assert!(!zone.intersect(&empty) && zone.is_empty());
    zone.convex_hull(&Zone::zero(3));
    assert_eq!(zone, Zone::zero(3));
    zone.convex_hull(&empty);
    assert_eq!(zone, Zone::zero(3));
    assert_eq!(empty.to_string(), "false");
    assert_eq!(Zone::universe(3).to_string(), "true");
}

/// Contains both, and no bound can be lowered without losing a point of one of them.
#[test]
fn convex_hull() {
    let mut rng = Rng(13);
    for round in 0..2000 {
        let a = rng.zone(3 + round % 2, MAX);
        let b = rng.zone(a.dim(), MAX);
        let mut hull = a.clone();
        hull.convex_hull(&b);
        assert_canonical(&hull);
        assert!(a.is_subset(&hull) && b.is_subset(&hull));
        for i in 0..a.dim() {
            for j in 0..a.dim() {
                assert!(hull.get(i, j) == a.get(i, j) || hull.get(i, j) == b.get(i, j));
            }
        }
    }
}

/// The points of two zones on the grid tell how they lie to each other.
#[test]
fn relations() {
    let mut rng = Rng(14);
    let points = grid(3, 9, 2);
    let mut seen = [0; 4];
    for _ in 0..1500 {
        let a = rng.zone(3, 2);
        let mut b = rng.zone(3, 2);
        if rng.chance(50) {
            b = a.clone();
            let c = rng.constraint(3, 2);
            if b.meets(c) {
                b.constrain_all(&[c]);
            }
            if rng.chance(30) {
                b.up();
            }
        }
        let a_only = points.iter().any(|p| has(&a, p) && !has(&b, p));
        let b_only = points.iter().any(|p| !has(&a, p) && has(&b, p));
        let (expected, index) = match (a_only, b_only) {
            (false, false) => (Relation::Equal, 0),
            (false, true) => (Relation::Subset, 1),
            (true, false) => (Relation::Superset, 2),
            (true, true) => (Relation::Incomparable, 3),
        };
        seen[index] += 1;
        assert_eq!(a.relation(&b), expected, "{a:?} {b:?}");
        assert_eq!(a.is_subset(&b), !a_only);
        assert_eq!(b.is_subset(&a), !b_only);
        assert_eq!(a == b, !a_only && !b_only);
    }
    assert!(seen.iter().all(|&n| n > 30), "{seen:?}");
}

/// Blocks and remainders of the inclusion test: one entry at a time, in matrices of all sizes.
#[test]
fn inclusion_looks_at_every_entry() {
    for dim in 2..=13 {
        let zone = Zone::universe(dim);
        for i in 1..dim {
            for j in (0..dim).filter(|&j| j != i) {
                let mut smaller = zone.clone();
                assert!(smaller.constrain(i, j, Bound::le(5)));
                assert!(smaller.is_subset(&zone) && !zone.is_subset(&smaller));
                assert_eq!(zone.relation(&smaller), Relation::Superset);
                assert_eq!(smaller.relation(&zone), Relation::Subset);
            }
        }
    }
}

#[test]
fn close_arbitrary_constraints() {
    let mut rng = Rng(15);
    let (mut empty, mut non_empty) = (0, 0);
    for round in 0..4000 {
        let dim = 2 + round % 13;
        let all: Vec<Constraint> = (0..dim).map(|_| rng.constraint(dim, 9)).collect();
        let mut zone = Zone::universe(dim);
        let mut model = naive(&zone);
        for c in &all {
            let (i, j) = (usize::from(c.left), usize::from(c.right));
            let entry = Some((i64::from(c.bound.constant()), c.bound.is_strict()));
            if common::tighter(entry, model[i][j]) {
                model[i][j] = entry;
            }
        }
        let left = naive_close(&mut model);
        assert_eq!(zone.set_constraints(&all), left);
        assert_eq!(zone.is_empty(), !left);
        assert_eq!(Zone::universe(dim).constrain_all(&all), left);
        if left {
            assert_eq!(naive(&zone), model);
            non_empty += 1;
        } else {
            empty += 1;
        }
    }
    assert!(empty > 500 && non_empty > 500);
}

/// One constraint after the other gives what closing all at once gives, in every dimension.
#[test]
fn constrain_step_by_step() {
    let mut rng = Rng(20);
    for round in 0..6000 {
        let mut zone = rng.zone(2 + round % 14, 9);
        let mut model = naive(&zone);
        let c = rng.constraint(zone.dim(), 9);
        let (i, j) = (usize::from(c.left), usize::from(c.right));
        let entry = Some((i64::from(c.bound.constant()), c.bound.is_strict()));
        if common::tighter(entry, model[i][j]) {
            model[i][j] = entry;
        }
        let left = naive_close(&mut model);
        assert_eq!(zone.constrain(i, j, c.bound), left);
        assert!(!left || naive(&zone) == model);
    }
}

/// Any change of the bounds of one clock, also of the zero clock.
#[test]
fn close_one_clock() {
    let mut rng = Rng(16);
    let mut empty = 0;
    for round in 0..4000 {
        let dim = 3 + round % 12;
        let mut zone = rng.zone(dim, 9);
        let x = rng.index(dim);
        for y in (0..dim).filter(|&y| y != x) {
            for (i, j) in [(x, y), (y, x)] {
                if rng.chance(60) {
                    let bound = if rng.chance(30) { Bound::INFINITY } else { rng.bound(9) };
                    zone.set(i, j, bound);
                }
            }
        }
        let mut full = zone.clone();
        let left = full.close();
        if x == 0 {
            // Non-negativity of the other clocks is a matter of row 0 only.
            assert_eq!(zone.close_clock(0), left);
        } else {
            assert_eq!(zone.close_clock(x), left);
        }
        empty += usize::from(!left);
        assert_eq!(zone, full);
        if left {
            assert_canonical(&zone);
        }
    }
    assert!(empty > 500 && empty < 3500, "{empty}");
}

#[test]
fn minimal_form_round_trip() {
    let mut rng = Rng(17);
    let (mut form, mut total, mut kept) = (Vec::new(), 0, 0);
    for round in 0..4000 {
        let zone = rng.zone(2 + round % 8, 9);
        zone.minimal_form(&mut form);
        assert_eq!(Zone::from_constraints(zone.dim(), &form), zone);
        for leave_out in 0..form.len() {
            let mut fewer = form.clone();
            fewer.remove(leave_out);
            assert_ne!(Zone::from_constraints(zone.dim(), &fewer), zone, "{form:?} is not minimal");
        }
        total += zone.dim() * (zone.dim() - 1);
        kept += form.len();
        let other = rng.zone(zone.dim(), 9);
        let mut open = Vec::new();
        zone.minimal_form_against(&other, &mut open);
        form.retain(|&constraint| !other.satisfies(constraint));
        assert_eq!(open, form);
    }
    assert!(kept * 2 < total);
}

#[test]
fn projection_and_insertion() {
    let mut rng = Rng(18);
    for round in 0..600 {
        let before = rng.zone(3 + round % 2, MAX);
        let x = rng.clock(before.dim());
        let put = |p: &[i64], v: i64| {
            let mut longer = p.to_vec();
            longer.insert(x, v);
            longer
        };
        let cut = |p: &[i64]| {
            let mut shorter = p.to_vec();
            shorter.remove(x);
            shorter
        };
        let mut removed = before.clone();
        removed.remove_clock(x);
        compare(&mut rng, &before, &removed, |p| (0..FAR).any(|v| has(&before, &put(p, v))));
        let mut freed = before.clone();
        freed.insert_free(x);
        compare(&mut rng, &before, &freed, |p| has(&before, &cut(p)));
        let mut zeroed = before.clone();
        zeroed.insert_zero(x);
        compare(&mut rng, &before, &zeroed, |p| p[x] == 0 && has(&before, &cut(p)));
        freed.remove_clock(x);
        zeroed.remove_clock(x);
        assert!(freed == before && zeroed == before);
    }
}

#[test]
fn gather_extract_scatter() {
    let mut rng = Rng(19);
    for _ in 0..600 {
        let before = rng.zone(4, MAX);
        let mut target = Zone::zero(4);
        let sources: Vec<usize> =
            [0].into_iter().chain((1..4).map(|_| [0, 1, 2, 3, FREE][rng.index(5)])).collect();
        before.gather(&sources, &mut target);
        let taken = |p: &[i64]| {
            // A valuation q of the old clocks that agrees with p on all that were taken.
            let fixed = |clock: usize| {
                let values: Vec<i64> = (0..4).filter(|&i| sources[i] == clock).map(|i| p[i]).collect();
                (values.first().copied(), values.windows(2).all(|w| w[0] == w[1]))
            };
            if (0..4).any(|clock| !fixed(clock).1) {
                return false;
            }
            let mut projected = before.clone();
            let mut q = vec![0; 4];
            for (clock, value) in q.iter_mut().enumerate().skip(1) {
                match fixed(clock).0 {
                    Some(v) => *value = v,
                    None => projected.free(clock),
                }
            }
            has(&projected, &q)
        };
        compare(&mut rng, &before, &target, taken);

        let kept: Vec<usize> = (0..4).filter(|&x| x == 0 || rng.chance(50)).collect();
        let mut small = Zone::zero(kept.len());
        before.extract(&kept, &mut small);
        let mut large = Zone::zero(4);
        small.scatter(&kept, &mut large);
        let mut expected = before.clone();
        (1..4).filter(|x| !kept.contains(x)).for_each(|x| expected.free(x));
        assert_eq!(large, expected);
    }
}

#[test]
fn borrowed_views_do_the_same() {
    let mut buffer = [Bound::LE_ZERO; 9];
    let mut zone = guidepost_zones::ZoneMut::from_entries(3, &mut buffer[..]);
    zone.set_zero();
    zone.up();
    assert!(zone.constrain(1, 0, Bound::le(4)));
    zone.reset(2, 1);
    let mut owned = Zone::zero(3);
    owned.up();
    owned.constrain(1, 0, Bound::le(4));
    owned.reset(2, 1);
    assert!(zone == owned && zone.view() == owned.view());
    let mut other = Zone::zero(1);
    other.assign(&zone);
    assert_eq!(other, owned);
    assert_eq!(format!("{owned:?}"), "Zone[3](x1 <= 4 and x2 >= 1 and x2 <= 1)");
}
