//! The four extrapolations against the paper, against `a_LU` and against region equivalence.

mod common;

use std::collections::BTreeSet;

use common::{Entry, Naive, Rng, assert_canonical, grid, has, naive, naive_close, region, tighter};
use guidepost_zones::{LuBounds, Zone};

const ZERO: Entry = Some((0, false));

/// `constant > limit`, where a missing constant is infinite and a negative limit is minus infinity.
fn above(entry: Entry, limit: i32) -> bool {
    entry.is_none_or(|(c, _)| limit < 0 || c > i64::from(limit))
}

/// `(<, -limit)`, but no bound (or non-negativity, in row 0) if there is no limit.
fn beyond(row: usize, limit: i32) -> Entry {
    match (row, limit) {
        (0, ..0) => ZERO,
        (_, ..0) => None,
        _ => Some((-i64::from(limit), true)),
    }
}

/// `-constant > limit` for a lower bound in row 0: the clock as a whole is beyond the limit. The paper
/// compares constants; with `semantic`, `x > limit` itself counts as well.
fn is_beyond(zero: Entry, limit: i32, semantic: bool) -> bool {
    let (c, strict) = zero.unwrap();
    limit < 0 || -c > i64::from(limit) || (semantic && strict && -c == i64::from(limit))
}

fn paper(zone: &Zone, lower: &[i32], upper: &[i32], plus: bool, semantic: bool) -> Naive {
    let n = zone.dim();
    let d = naive(zone);
    let mut result = d.clone();
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            let drop = i != 0 && above(d[i][j], lower[i]);
            let low = tighter(d[i][j], beyond(i, upper[j]));
            result[i][j] = if plus {
                let from = i != 0 && is_beyond(d[0][i], lower[i], semantic);
                let to = j != 0 && is_beyond(d[0][j], upper[j], semantic);
                match (i, drop || from, to) {
                    (0, _, true) => beyond(0, upper[j]),
                    (0, _, false) => d[i][j],
                    (_, true, _) | (_, _, true) => None,
                    _ => d[i][j],
                }
            } else if drop {
                None
            } else if low && j != 0 {
                beyond(i, upper[j])
            } else {
                d[i][j]
            };
        }
    }
    assert!(naive_close(&mut result));
    result
}

fn is_below(a: &Naive, b: &Naive) -> bool {
    a.iter().flatten().zip(b.iter().flatten()).all(|(&x, &y)| !tighter(y, x))
}

#[test]
fn agrees_with_the_paper_and_stays_within_a_lu() {
    let mut rng = Rng(21);
    let mut coarser = 0;
    for round in 0..20_000 {
        let dim = 2 + round % 13;
        let zone = rng.zone(dim, 9);
        let (lower, upper) = (rng.maxima(dim, 6), rng.maxima(dim, 6));
        let max: Vec<i32> = lower.iter().zip(&upper).map(|(&l, &u)| l.max(u)).collect();
        let bounds = LuBounds { lower: &lower, upper: &upper };
        let [mut m, mut m_plus, mut lu, mut lu_plus] = [(); 4].map(|()| zone.clone());
        let grown = [
            m.extrapolate_m(&max),
            m_plus.extrapolate_m_plus(&max),
            lu.extrapolate_lu(bounds),
            lu_plus.extrapolate_lu_plus(bounds),
        ];
        for (wide, grown) in [&m, &m_plus, &lu, &lu_plus].into_iter().zip(grown) {
            assert_canonical(wide);
            assert!(zone.is_subset(wide), "extrapolation is an over-approximation");
            assert!(grown || *wide == zone);
            assert!(wide.is_subset_alu(&zone, bounds), "{wide:?} from {zone:?} with {bounds:?}");
        }
        assert_eq!(naive(&m), paper(&zone, &max, &max, false, false));
        assert_eq!(naive(&lu), paper(&zone, &lower, &upper, false, false));
        for (ours, l, u) in [(&m_plus, &max, &max), (&lu_plus, &lower, &upper)] {
            let (theirs, ours) = (paper(&zone, l, u, true, false), naive(ours));
            assert_eq!(ours, paper(&zone, l, u, true, true));
            assert!(is_below(&theirs, &ours));
            coarser += usize::from(theirs != ours);
        }
        assert!(
            m.is_subset(&m_plus) && m.is_subset(&lu) && lu.is_subset(&lu_plus) && m_plus.is_subset(&lu_plus)
        );
    }
    assert!(coarser > 100);
}

/// The M operators add only valuations that are region-equivalent to one of the zone.
#[test]
fn m_operators_stay_within_regions() {
    let mut rng = Rng(22);
    let (near, far) = (grid(3, 6, 2), grid(3, 12, 2));
    for _ in 0..400 {
        let zone = rng.zone(3, 5);
        let max = rng.maxima(3, 3);
        let regions: BTreeSet<_> =
            far.iter().filter(|p| has(&zone, p)).map(|p| region(p, &max, &[])).collect();
        let (mut m, mut m_plus) = (zone.clone(), zone.clone());
        m.extrapolate_m(&max);
        m_plus.extrapolate_m_plus(&max);
        for point in &near {
            if has(&m, point) || has(&m_plus, point) {
                assert!(regions.contains(&region(point, &max, &[])), "{point:?} {zone:?} {max:?}");
            }
        }
    }
}

#[test]
fn no_bounds_at_all_leave_nothing() {
    let mut zone = Zone::zero(4);
    zone.reset(2, 5);
    zone.extrapolate_lu_plus(LuBounds { lower: &[0, -1, -1, -1], upper: &[0, -1, -1, -1] });
    assert_eq!(zone, Zone::universe(4));
}

/// More clocks than the row set of the implementation tells apart.
#[test]
fn many_clocks() {
    let mut rng = Rng(23);
    for _ in 0..10 {
        let zone = rng.zone(70, 9);
        let (lower, upper) = (rng.maxima(70, 6), rng.maxima(70, 6));
        let mut wide = zone.clone();
        wide.extrapolate_lu_plus(LuBounds { lower: &lower, upper: &upper });
        assert_eq!(naive(&wide), paper(&zone, &lower, &upper, true, true));
    }
}
