//! Zones that together are a zone, against subtraction.

mod common;

use common::Rng;
use guidepost_zones::{Bound, Federation, Unions, Zone};

fn is_covered(zone: &Zone, parts: &[Zone]) -> bool {
    let mut rest = Federation::from(zone.clone());
    for part in parts {
        rest.subtract_zone(part);
    }
    rest.is_empty()
}

/// What comes out is a union of zones that went in, contains the first, and some pair is left over only if its hull is not such a union.
#[test]
fn a_grown_zone_is_a_union() {
    let mut rng = Rng(71);
    let (mut grown, mut failed) = (0, 0);
    for round in 0..20_000 {
        let dim = 2 + round % 3;
        let zones: Vec<Zone> = (0..2 + round % 4).map(|_| rng.zone(dim, 3)).collect();
        let mut unions = Unions::new();
        for zone in &zones {
            unions.push(zone.clone());
        }
        let Some(union) = unions.grow_first() else {
            failed += 1;
            for other in zones[1..].iter().filter(|other| !other.is_subset(&zones[0])) {
                if zones[0].is_apart(other) {
                    continue;
                }
                let mut hull = zones[0].clone();
                hull.convex_hull(other);
                assert!(!is_covered(&hull, &zones), "{hull:?} is made of {zones:?}");
            }
            continue;
        };
        grown += 1;
        assert!(union.is_canonical() && zones[0].is_subset(&union));
        let within: Vec<Zone> = unions.within(&union).map(|position| zones[position].clone()).collect();
        assert!(is_covered(&union, &zones), "{union:?} is more than {zones:?}");
        assert!(
            within.len() >= 2 || zones.iter().any(|zone| zone.is_subset(&zones[0])),
            "{union:?} of {zones:?}"
        );
    }
    assert!(grown > 2_000 && failed > 2_000, "{grown} {failed}: the sample says too little");
}

/// All orders of clocks: no two neighbours of an order are enough, all together are everything.
#[test]
fn all_orders_together_are_everything() {
    let clocks = 4;
    let mut orders = vec![vec![]];
    for clock in 1..=clocks {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, clock);
                    longer
                })
            })
            .collect();
    }
    let mut unions = Unions::new();
    for order in &orders {
        let mut zone = Zone::universe(clocks + 1);
        for pair in order.windows(2) {
            assert!(zone.constrain(pair[0], pair[1], Bound::LE_ZERO));
        }
        unions.push(zone);
    }
    assert_eq!(orders.len(), 24);
    assert_eq!(unions.grow_first(), Some(Zone::universe(clocks + 1)));
}
