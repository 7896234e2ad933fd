//! Getting somewhere by waiting, without passing what must be avoided.
//!
//! Urgency, deadlocks and liveness all ask the same question: from which valuations can one let time pass
//! until `good` is reached, with no point on the way in `bad`? On a line through a *convex* B there are
//! points before B, in B, and behind it. Either B is never met from here on, and then it is enough to
//! reach G at all; or G is reached before B begins, at a point that is not in B but from which B still
//! lies ahead (Maler, Pnueli & Sifakis 1995; Cassez, David, Fleury, Larsen & Lime 2005, *Efficient
//! On-the-Fly Algorithms for the Analysis of Timed Games*):
//!
//! > pred_t(G, B) = (G↓ \ B↓) ∪ ((G ∩ B↓) \ B)↓
//!
//! Unions come apart: `pred_t(G₁ ∪ G₂, B)` is the union of the two (reach one or the other), and
//! `pred_t(G, B₁ ∪ B₂)` is the intersection, because of two waits that each end in G the shorter one
//! avoids both. The latter holds for each G as a whole, so the intersection is taken outside.

use crate::dbm::Zone;
use crate::federation::Federation;

/// The valuations from which some delay, possibly none, ends in `good` while no point on the way, start
/// and end included, is in `bad`.
#[must_use]
pub fn pred_t(good: &Federation, bad: &Federation) -> Federation {
    assert_eq!(good.dim(), bad.dim());
    let mut past = good.clone();
    past.down();
    let mut result = past.clone();
    for zone in bad.zones() {
        result = result.intersection(&pred_t_convex(good, &past, zone));
    }
    result
}

/// The formula for one convex `bad`; `past` is `good↓`.
fn pred_t_convex(good: &Federation, past: &Federation, bad: &Zone) -> Federation {
    let mut before_bad = bad.clone();
    before_bad.down();
    let mut never_met = past.clone();
    never_met.subtract_zone(&before_bad);
    let mut met_later = good.clone();
    met_later.intersect_zone(&before_bad);
    met_later.subtract_zone(bad);
    met_later.down();
    met_later.unite(never_met);
    met_later
}
