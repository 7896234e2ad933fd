//! aLU subsumption against its definition.

mod common;

use common::{Naive, Rng, UNIT, grid, has, naive, naive_close};
use guidepost_zones::simulation::Diagonals;
use guidepost_zones::{Bound, Constraint, LuBounds, Zone, alu_query, is_covered};

/// The definition of v ≼ v'.
fn simulated(v: &[i64], w: &[i64], lower: &[i32], upper: &[i32]) -> bool {
    (1..v.len()).all(|x| {
        let no_lower = lower[x] < 0 || w[x] > i64::from(lower[x]) * UNIT;
        let no_upper = upper[x] < 0 || v[x] > i64::from(upper[x]) * UNIT;
        (w[x] >= v[x] || no_lower) && (w[x] <= v[x] || no_upper)
    })
}

/// Is there a v' in the zone with v ≼ v'? Such v' form a box around v: intersect it with the zone, in
/// eighths, and close by the textbook.
fn in_abstraction(zone: &Naive, v: &[i64], lower: &[i32], upper: &[i32]) -> bool {
    let mut m = zone.clone();
    for x in 1..v.len() {
        let low = if lower[x] < 0 {
            (0, false)
        } else if v[x] > i64::from(lower[x]) * UNIT {
            (-i64::from(lower[x]) * UNIT, true)
        } else {
            (-v[x], false)
        };
        if common::tighter(Some(low), m[0][x]) {
            m[0][x] = Some(low);
        }
        let above_upper = upper[x] < 0 || v[x] > i64::from(upper[x]) * UNIT;
        if !above_upper && common::tighter(Some((v[x], false)), m[x][0]) {
            m[x][0] = Some((v[x], false));
        }
    }
    naive_close(&mut m)
}

fn scaled(zone: &Zone) -> Naive {
    let mut m = naive(zone);
    m.iter_mut().flatten().flatten().for_each(|(c, _)| *c *= UNIT);
    m
}

fn ask(a: &Zone, b: &Zone, lower: &[i32], upper: &[i32]) -> bool {
    let bounds = LuBounds { lower, upper };
    let mut query = vec![Bound::LE_ZERO; a.entries().len()];
    alu_query(a, bounds, &mut query);
    let answer = a.is_subset_alu(b, bounds);
    assert_eq!(answer, is_covered(&query, b.entries()), "the query and the direct test differ");
    assert!(answer || !a.is_subset(b), "inclusion is finer");
    answer
}

fn agrees_with_definition(seed: u64, dim: usize, max: i64, limit: i64, rounds: usize) {
    let mut rng = Rng(seed);
    let points = grid(dim, limit, 2);
    let mut yes = 0;
    for _ in 0..rounds {
        let (a, b) = (rng.zone(dim, max), rng.zone(dim, max));
        let (lower, upper) = (rng.maxima(dim, max), rng.maxima(dim, max));
        let target = scaled(&b);
        let expected = points.iter().all(|v| !has(&a, v) || in_abstraction(&target, v, &lower, &upper));
        assert_eq!(ask(&a, &b, &lower, &upper), expected, "{a:?} in {b:?} with {lower:?} {upper:?}");
        yes += usize::from(expected);
    }
    assert!(yes * 10 > rounds && yes * 10 < rounds * 9, "{yes} of {rounds}: the sample says too little");
}

#[test]
fn two_clocks() {
    agrees_with_definition(31, 3, 3, 7, 30_000);
}

#[test]
fn one_clock() {
    agrees_with_definition(32, 2, 4, 9, 5_000);
}

#[test]
fn three_clocks() {
    agrees_with_definition(33, 4, 2, 5, 1_500);
}

/// The hull contains the abstraction, and no more than it needs where all clocks are within their bounds.
#[test]
fn the_hull_contains_the_abstraction() {
    let mut rng = Rng(35);
    let points = grid(3, 7, 2);
    let (mut wide, mut missing) = (0, 0);
    for _ in 0..20_000 {
        let zone = rng.zone(3, 3);
        let (lower, upper) = (rng.maxima(3, 4), rng.maxima(3, 4));
        let mut hull = zone.clone();
        hull.widen_to_alu_hull(LuBounds { lower: &lower, upper: &upper });
        assert!(hull.is_canonical());
        let target = scaled(&zone);
        for v in points.iter().filter(|v| in_abstraction(&target, v, &lower, &upper)) {
            assert!(has(&hull, v), "{v:?} of {zone:?} not in {hull:?} with {lower:?} {upper:?}");
        }
        wide += usize::from(hull != zone);
        missing += usize::from(points.iter().any(|v| !has(&hull, v)));
    }
    assert!(wide > 2_000 && missing > 10_000, "{wide} {missing}: the sample says too little");
}

/// The hull is what closing gives of the bounds that may be kept, in every dimension.
#[test]
fn the_hull_is_closed() {
    let mut rng = Rng(36);
    let mut followed = 0;
    for round in 0..6000 {
        let zone = rng.zone(2 + round % 9, 6);
        let dim = zone.dim();
        let (lower, upper) = (rng.maxima(dim, 7), rng.maxima(dim, 7));
        let within = |x: usize, limit: &[i32]| limit[x] >= 0 && zone.get(x, 0) <= Bound::le(limit[x]);
        let mut kept = naive(&zone);
        for x in 0..dim {
            for y in (0..dim).filter(|&y| y != x) {
                if x == 0 {
                    let most = if upper[y] < 0 { (0, false) } else { (-i64::from(upper[y]), true) };
                    if common::tighter(kept[0][y], Some(most)) {
                        kept[0][y] = Some(most);
                    }
                } else if !(within(x, &lower) && within(y, &upper)) {
                    kept[x][y] = None;
                }
            }
        }
        let before = kept.clone();
        assert!(naive_close(&mut kept));
        let mut hull = zone.clone();
        hull.widen_to_alu_hull(LuBounds { lower: &lower, upper: &upper });
        assert_eq!(naive(&hull), kept, "{zone:?} with {lower:?} {upper:?}");
        followed += usize::from(before != kept);
    }
    assert!(followed > 500, "{followed}");
}

/// The box above is itself checked by searching the grid for v'.
#[test]
fn the_box_is_the_definition() {
    let mut rng = Rng(34);
    let fine = grid(3, 7, 1);
    for _ in 0..300 {
        let zone = rng.zone(3, 2);
        let (lower, upper) = (rng.maxima(3, 2), rng.maxima(3, 2));
        let target = scaled(&zone);
        for _ in 0..10 {
            let v = rng.point(3, 4);
            let found = fine.iter().any(|w| simulated(&v, w, &lower, &upper) && has(&zone, w));
            assert_eq!(found, in_abstraction(&target, &v, &lower, &upper), "{v:?} {zone:?}");
        }
    }
}

/// The condition as it is written in the paper, on pairs of constants and strictness.
fn formula(a: &Zone, b: &Zone, lower: &[i32], upper: &[i32]) -> bool {
    let (d, e) = (naive(a), naive(b));
    let plus = |entry: common::Entry, c: i64| entry.map(|(k, _)| (k + c, true));
    let n = d.len();
    let refuted = |x: usize, y: usize| {
        !common::tighter(d[0][x], Some((-i64::from(upper[x]), false)))
            && common::tighter(e[y][x], d[y][x])
            && common::tighter(plus(e[y][x], -i64::from(lower[y])), d[0][x])
    };
    !(0..n).any(|x| upper[x] >= 0 && (0..n).any(|y| x != y && lower[y] >= 0 && refuted(x, y)))
}

#[test]
fn many_clocks() {
    let mut rng = Rng(36);
    let mut yes = 0;
    for round in 0..20_000 {
        let dim = if round % 50 == 0 { 30 + round / 50 % 10 } else { 2 + round % 13 };
        let a = rng.zone(dim, 9);
        let mut b = a.clone();
        for _ in 0..=rng.below(5) {
            let (x, c) = (rng.clock(dim), rng.constraint(dim, 9));
            match rng.below(6) {
                0 => b.free(x),
                1 => b.up(),
                _ => {
                    if b.meets(c) {
                        b.constrain_all(&[c]);
                    }
                }
            }
        }
        let (lower, upper) = (rng.maxima(dim, 15), rng.maxima(dim, 15));
        let expected = formula(&a, &b, &lower, &upper);
        assert_eq!(ask(&a, &b, &lower, &upper), expected);
        yes += usize::from(expected);
    }
    assert!(yes > 2000 && yes < 17_000, "{yes}");
}

/// A preorder: reflexive, and transitive for the same bounds.
#[test]
fn preorder() {
    let mut rng = Rng(35);
    let mut chains = 0;
    for round in 0..60_000 {
        let dim = 2 + round % 3;
        let zones = [(); 3].map(|()| rng.zone(dim, 3));
        let (lower, upper) = (rng.maxima(dim, 3), rng.maxima(dim, 3));
        let below = |a: usize, b: usize| ask(&zones[a], &zones[b], &lower, &upper);
        assert!(below(0, 0));
        if below(0, 1) && below(1, 2) {
            chains += 1;
            assert!(below(0, 2));
        }
    }
    assert!(chains > 1000);
}

/// A computed bound with more values than anybody has time for: nothing is covered that should not be.
#[test]
fn large_ranges_of_diagonals_are_respected() {
    let all = [Diagonals { left: 1, right: 2, is_strict: true, low: -1_000_000, high: 1_000_000 }];
    let bounds = LuBounds { lower: &[0, 1, 1], upper: &[0, 1, 1] };
    let mut above = Zone::universe(3);
    assert!(above.constrain(0, 2, Bound::le(-2)));
    assert!(above.is_simulated_by(&above, bounds, &all));
    let mut far = above.clone();
    assert!(far.constrain(2, 1, Bound::le(-5)));
    // 1 - 2 >= 5 can do less than what may also be below, but what is below can do more.
    assert!(far.is_simulated_by(&above, bounds, &all) && !above.is_simulated_by(&far, bounds, &all));
    let mut middle = above.clone();
    assert!(middle.constrain(1, 2, Bound::le(7)) && middle.constrain(2, 1, Bound::le(-7)));
    assert!(far.is_subset_alu(&middle, bounds) && !above.is_simulated_by(&middle, bounds, &all));
}

/// With diagonals: the valuation that simulates another satisfies all that the other satisfies.
#[test]
fn diagonals_are_respected() {
    let mut rng = Rng(37);
    let points = grid(3, 9, 2);
    let (mut yes, mut finer, mut no) = (0, 0, 0);
    for round in 0..6_000 {
        let (a, b) = (rng.zone(3, 3), rng.zone(3, 3));
        let (lower, upper) = (rng.maxima(3, 2), rng.maxima(3, 2));
        let diagonals: Vec<Diagonals> = (0..=round % 3)
            .map(|_| {
                let (left, low) = (1 + rng.below(2) as u16, rng.below(5) as i32 - 2);
                let high = low + rng.below(1 + round % 3) as i32;
                Diagonals { left, right: 3 - left, is_strict: rng.chance(50), low, high }
            })
            .collect();
        let all = diagonals.iter().flat_map(|range| {
            (range.low..=range.high).map(|c| {
                let bound = if range.is_strict { Bound::lt(c) } else { Bound::le(c) };
                Constraint::new(range.left.into(), range.right.into(), bound)
            })
        });
        let all: Vec<Constraint> = all.collect();
        let expected = points.iter().filter(|v| has(&a, v)).all(|v| {
            let satisfied =
                |c: &&Constraint| c.bound.admits(v[usize::from(c.left)] - v[usize::from(c.right)], UNIT);
            let satisfied: Vec<Constraint> = all.iter().filter(satisfied).copied().collect();
            let mut within = b.clone();
            within.constrain_all(&satisfied) && in_abstraction(&scaled(&within), v, &lower, &upper)
        });
        let bounds = LuBounds { lower: &lower, upper: &upper };
        let found = a.is_simulated_by(&b, bounds, &diagonals);
        assert_eq!(found, expected, "{a:?} in {b:?} with {lower:?} {upper:?} {diagonals:?}");
        yes += usize::from(found && !a.is_subset(&b));
        finer += usize::from(!found && a.is_subset_alu(&b, bounds));
        no += usize::from(!found);
    }
    assert!(yes > 200 && finer > 200 && no > 2_000, "{yes} {finer} {no}: the sample says too little");
}
