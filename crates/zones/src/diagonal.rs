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
//! assignment must be covered too. [`Pieces`] raises M to |c| for both clocks of every `x - y ≺ c`,
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
    let mut cuts = Cuts::new(zone.to_zone());
    core::iter::from_fn(|| cuts.next(diagonals)).collect()
}

/// Normalises a zone, possibly empty, for a model whose diagonal guards are among `diagonals` and whose
/// clocks are compared with constants up to `max`; see [`Pieces`].
pub fn normalise<S: AsRef<[Bound]>>(zone: &Dbm<S>, max: &[i32], diagonals: &[Constraint]) -> Federation {
    let mut result = Federation::empty(zone.dim());
    for piece in Pieces::new(zone.to_zone(), max.to_vec(), diagonals.to_vec()) {
        result.add(piece);
    }
    result
}

/// A zone while it is cut, depth first: there may be more pieces than anybody has time for.
#[derive(Clone, Debug)]
struct Cuts {
    /// Pieces, and the number of the diagonal that they are cut along next.
    waiting: Vec<(Zone, usize)>,
}

impl Cuts {
    fn new(zone: Zone) -> Self {
        let mut waiting = Vec::new();
        if !zone.is_empty() {
            waiting.push((zone, 0));
        }
        Self { waiting }
    }

    /// The next piece that is not crossed.
    fn next(&mut self, diagonals: &[Constraint]) -> Option<Zone> {
        let (mut piece, first) = self.waiting.pop()?;
        for (index, &diagonal) in diagonals.iter().enumerate().skip(first) {
            if piece.satisfies(diagonal) || piece.satisfies(diagonal.negated()) {
                continue;
            }
            let mut outside = piece.clone();
            let outside_left = outside.constrain_all(&[diagonal.negated()]);
            let inside_left = piece.constrain_all(&[diagonal]);
            debug_assert!(outside_left && inside_left, "both sides of a diagonal that crosses have points");
            self.waiting.push((outside, index + 1));
        }
        Some(piece)
    }
}

/// The pieces of a normalised zone, one after the other.
///
/// Every piece satisfies each diagonal throughout or nowhere and contains only valuations that are
/// equivalent to one of the zone; together they contain the zone. There are finitely many results.
#[derive(Clone, Debug)]
pub struct Pieces {
    cuts: Cuts,
    max: Vec<i32>,
    diagonals: Vec<Constraint>,
    sides: Vec<Constraint>,
}

impl Pieces {
    /// For a zone, possibly empty, of a model whose diagonal guards are among `diagonals` and whose clocks
    /// are compared with constants up to `max` (in the form of [`LuBounds`](crate::LuBounds),
    /// [`NO_BOUND`](crate::NO_BOUND) for none).
    pub fn new(zone: Zone, mut max: Vec<i32>, diagonals: Vec<Constraint>) -> Self {
        assert_eq!(max.len(), zone.dim(), "one bound per clock");
        for diagonal in &diagonals {
            let constant = diagonal.bound.constant().abs();
            for clock in [diagonal.left, diagonal.right].map(usize::from) {
                if clock != 0 {
                    max[clock] = max[clock].max(constant);
                }
            }
        }
        Self { cuts: Cuts::new(zone), max, diagonals, sides: Vec::new() }
    }
}

impl Iterator for Pieces {
    type Item = Zone;

    fn next(&mut self) -> Option<Zone> {
        let mut piece = self.cuts.next(&self.diagonals)?;
        self.sides.clear();
        let side = |&diagonal: &Constraint| {
            if piece.satisfies(diagonal) { diagonal } else { diagonal.negated() }
        };
        self.sides.extend(self.diagonals.iter().map(side));
        piece.extrapolate_m(&self.max);
        // With M raised to the diagonals' constants nothing spills over: `Extra_M` leaves bounds between -M
        // and M as they are. The last step of Bengtsson & Yi is kept for what it costs: one look per guard.
        let left = piece.constrain_all(&self.sides);
        debug_assert!(left, "the piece itself is on these sides");
        Some(piece)
    }
}
