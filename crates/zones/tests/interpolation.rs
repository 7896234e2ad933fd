//! Interpolants against their definition, on random zones.

mod common;

use common::Rng;
use guidepost_zones::{Bound, Constraint, Zone};

/// The first zone satisfies an interpolant, nothing of the second does, none of its constraints can be left out or weakened.
#[test]
fn interpolants_keep_zones_apart_and_say_no_more_than_that() {
    let mut rng = Rng(81);
    let (mut singles, mut more) = (0, 0);
    for round in 0..60_000 {
        let dim = 2 + round % 4;
        let (first, second) = (rng.zone(dim, 3), rng.zone(dim, 3));
        if first.intersects(&second) {
            continue;
        }
        let mut reason = Vec::new();
        first.interpolant(&second, &mut reason);
        assert!(reason.iter().all(|&constraint| first.satisfies(constraint)), "{first:?} {reason:?}");
        let is_apart = |constraints: &[Constraint]| !second.clone().constrain_all(constraints);
        assert!(is_apart(&reason), "{second:?} {reason:?}");
        for at in 0..reason.len() {
            let mut fewer = reason.clone();
            fewer.remove(at);
            assert!(!is_apart(&fewer), "{first:?} {second:?} {reason:?}");
            let mut weaker = reason.clone();
            weaker[at].bound = Bound::from_raw(weaker[at].bound.raw() + 1);
            assert!(!is_apart(&weaker), "{first:?} {second:?} {reason:?}");
        }
        if reason.len() == 1 { singles += 1 } else { more += 1 }
    }
    assert!(singles > 1000 && more > 10, "{singles} {more}");
}

/// No bound of one zone contradicts a bound of the other, but three of them do.
#[test]
fn a_reason_may_have_several_parts() {
    let le = |left, right, value| Constraint::new(left, right, Bound::le(value));
    let first = Zone::from_constraints(5, &[le(1, 2, 0), le(3, 4, 0)]);
    let second = Zone::from_constraints(5, &[le(2, 3, -1), le(4, 1, 0)]);
    let mut reason = Vec::new();
    first.interpolant(&second, &mut reason);
    reason.sort_unstable();
    assert_eq!(reason.len(), 2, "{reason:?}");
    assert_eq!((reason[0].left, reason[0].right), (1, 2));
    assert_eq!((reason[1].left, reason[1].right), (3, 4));
}
