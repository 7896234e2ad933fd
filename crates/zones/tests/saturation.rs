//! Bounds near the limit: nothing overflows, no valuation is lost.

use guidepost_zones::{Bound, Zone};

/// Bounds near the limit: no overflow, no lost valuation.
#[test]
fn saturation_is_safe() {
    let big = Bound::LIMIT - 1;
    let mut zone = Zone::zero(3);
    let mut now = [0_i64, 0, 0];
    for _ in 0..8 {
        zone.up();
        assert!(zone.constrain(0, 1, Bound::le(-big)), "waiting is possible");
        now = [0, i64::from(big), now[2] + i64::from(big)];
        assert!(zone.contains(&now, 1), "{zone:?}");
        zone.reset(1, 0);
        now[1] = 0;
        assert!(zone.contains(&now, 1), "{zone:?}");
        assert!(zone.entries().iter().all(|&b| b >= Bound::MIN && b <= Bound::INFINITY));
    }
    assert!(zone.is_far());
    zone.extrapolate_m(&[0, 10, 10]);
    assert!(!zone.is_far() && zone.is_canonical() && zone.contains(&now, 1));
    for _ in 0..8 {
        assert!(zone.shift(2, big));
        now[2] += i64::from(big);
        assert!(zone.contains(&now, 1), "{zone:?}");
    }
}

/// Three bounds near the limit in one row: the sum would not fit into an `i32`.
#[test]
fn saturation_of_chained_bounds() {
    let big = i64::from(Bound::LIMIT - 1);
    let mut zone = Zone::universe(4);
    let far = Bound::new(-big, false).unwrap();
    assert!(zone.constrain(2, 3, far) && zone.constrain(0, 1, far) && zone.constrain(1, 2, far));
    assert!(zone.entries().iter().all(|&b| b >= Bound::MIN && b <= Bound::INFINITY));
    assert!(zone.contains(&[0, big, 2 * big, 3 * big], 1), "{zone:?}");
}
