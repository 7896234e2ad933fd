//! Normalisation with diagonal guards: within diagonal regions, on one side of each guard, finite.

mod common;

use std::collections::BTreeSet;

use common::{Rng, UNIT, assert_canonical, grid, has, region};
use guidepost_zones::diagonal::{normalise, split};
use guidepost_zones::{Bound, Constraint, Zone};

fn diagonals(rng: &mut Rng, dim: usize) -> Vec<Constraint> {
    (0..rng.below(4))
        .map(|_| {
            loop {
                let c = rng.constraint(dim, 2);
                if c.is_diagonal() {
                    break c;
                }
            }
        })
        .collect()
}

#[test]
fn pieces_are_a_partition_and_not_crossed() {
    let mut rng = Rng(51);
    for round in 0..500 {
        let zone = rng.zone(3 + round % 2, 4);
        let guards = diagonals(&mut rng, zone.dim());
        let pieces = split(&zone, &guards);
        for (index, piece) in pieces.iter().enumerate() {
            assert_canonical(piece);
            assert!(guards.iter().all(|&g| piece.satisfies(g) || !piece.meets(g)));
            assert!(pieces[..index].iter().all(|other| !piece.intersects(other)));
        }
        for _ in 0..60 {
            let point = rng.point_near(&zone, 7);
            assert_eq!(has(&zone, &point), pieces.iter().any(|piece| has(piece, &point)));
        }
    }
    assert!(split(&Zone::empty(3), &[]).is_empty());
}

#[test]
fn normalisation_stays_within_diagonal_regions() {
    let mut rng = Rng(52);
    let (near, far) = (grid(3, 6, 2), grid(3, 14, 2));
    for _ in 0..1500 {
        let zone = rng.zone(3, 5);
        let guards = diagonals(&mut rng, 3);
        let max = rng.maxima(3, 3);
        let mut raised = max.clone();
        for g in &guards {
            for x in [g.left, g.right].map(usize::from) {
                raised[x] = raised[x].max(g.bound.constant().abs());
            }
        }
        let normal = normalise(&zone, &max, &guards);
        assert!(normal.includes_zone(&zone));
        for piece in normal.zones() {
            assert_canonical(piece);
            assert!(guards.iter().all(|&g| piece.satisfies(g) || !piece.meets(g)));
        }
        let regions: BTreeSet<_> =
            far.iter().filter(|p| has(&zone, p)).map(|p| region(p, &raised, &guards)).collect();
        for point in near.iter().filter(|p| normal.contains(p, UNIT)) {
            assert!(
                regions.contains(&region(point, &raised, &guards)),
                "{point:?} {zone:?} {guards:?} {max:?}"
            );
        }
    }
}

/// A clock that is never reset runs away; normalised, the zones repeat.
#[test]
fn finitely_many() {
    let guards = [Constraint::new(1, 2, Bound::lt(1)), Constraint::new(2, 1, Bound::le(-2))];
    let mut seen = BTreeSet::new();
    let mut waiting = vec![Zone::zero(3)];
    while let Some(mut zone) = waiting.pop() {
        zone.up();
        zone.constrain(2, 0, Bound::le(1));
        for piece in normalise(&zone, &[0, 3, 1], &guards).into_zones() {
            if seen.insert(piece.entries().to_vec()) {
                let mut next = piece;
                if next.constrain(0, 2, Bound::le(-1)) {
                    next.reset(2, 0);
                    waiting.push(next);
                }
            }
        }
        assert!(seen.len() < 100);
    }
}
