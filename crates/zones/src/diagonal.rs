//! Extrapolation in the presence of diagonal guards.
//!
//! Guards such as `x - y < 2` break every extrapolation of the usual kind: widening may cross the diagonal
//! and let through what must not pass (Bouyer 2003, *Untameable Timed Automata!*). Bengtsson & Yi (2003,
//! *On Clock Difference Constraints and Termination in Reachability Analysis of Timed Automata*) repair it:
//! cut the zone along every diagonal guard of the model first; then each piece lies on one side of each of
//! them; widen the piece with `Extra_M`, and cut what has spilt over a diagonal off again.
//!
//! The result is equivalent to the zone under *diagonal region equivalence*: valuations in the same region
//! up to M that satisfy the same diagonals. For that to be a bisimulation, what a diagonal becomes by an
//! assignment must be covered too. [`normalise`] raises M to |c| for both clocks of every `x - y ≺ c`,
//! which covers `x := 0`. The *caller* must see to the rest: for a reset `x := d` also |d - c| for `y` (and
//! |c + d| for `x` if `y := d`), and for a copy `x := z` also the diagonal `z - y ≺ c`.
//!
//! The price is a number of pieces exponential in the number of diagonals in the worst case. Models with
//! diagonals are rare, those with many are rarer.

use crate::bound::{Bound, Constraint};
use crate::dbm::{Dbm, Zone};
use crate::federation::Federation;

/// Cuts a zone, possibly empty, into disjoint pieces none of which is crossed by a diagonal: each satisfies
/// each constraint throughout or nowhere.
pub fn split<S: AsRef<[Bound]>>(zone: &Dbm<S>, diagonals: &[Constraint]) -> Vec<Zone> {
    let mut pieces = Vec::new();
    if !zone.is_empty() {
        pieces.push(zone.to_zone());
    }
    for &diagonal in diagonals {
        // Pieces appended by this very pass are on one side already, so the range is fixed beforehand.
        for index in 0..pieces.len() {
            let piece = &pieces[index];
            if piece.satisfies(diagonal) || piece.satisfies(diagonal.negated()) {
                continue;
            }
            let mut outside = piece.clone();
            let outside_left = outside.constrain_all(&[diagonal.negated()]);
            let inside_left = pieces[index].constrain_all(&[diagonal]);
            debug_assert!(outside_left && inside_left, "both sides of a diagonal that crosses have points");
            pieces.push(outside);
        }
    }
    pieces
}

/// Normalises a zone, possibly empty, for a model whose diagonal guards are among `diagonals` and whose
/// clocks are compared with constants up to `max` (in the form of
/// [`LuBounds`](crate::LuBounds), [`NO_BOUND`](crate::NO_BOUND) for none).
///
/// Every piece of the result satisfies each diagonal throughout or nowhere, contains only valuations that
/// are equivalent to one of the zone, and together they contain the zone. There are finitely many results.
pub fn normalise<S: AsRef<[Bound]>>(zone: &Dbm<S>, max: &[i32], diagonals: &[Constraint]) -> Federation {
    assert_eq!(max.len(), zone.dim(), "one bound per clock");
    let mut max = max.to_vec();
    for diagonal in diagonals {
        let constant = diagonal.bound.constant().abs();
        for clock in [diagonal.left, diagonal.right].map(usize::from) {
            if clock != 0 {
                max[clock] = max[clock].max(constant);
            }
        }
    }
    let mut result = Federation::empty(zone.dim());
    let mut sides = Vec::with_capacity(diagonals.len());
    for mut piece in split(zone, diagonals) {
        sides.clear();
        sides.extend(diagonals.iter().map(|&d| if piece.satisfies(d) { d } else { d.negated() }));
        piece.extrapolate_m(&max);
        // With M raised to the diagonals' constants nothing spills over: `Extra_M` leaves bounds between -M
        // and M as they are. The last step of Bengtsson & Yi is kept for what it costs: one look per guard.
        let left = piece.constrain_all(&sides);
        debug_assert!(left, "the piece itself is on these sides");
        result.add(piece);
    }
    result
}
