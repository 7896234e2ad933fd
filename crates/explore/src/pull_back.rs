//! One step backwards: where a transition has to be taken from to arrive in a part of its target.

use crate::explorer::Explorer;
use guidepost_network::{ClockId, EdgeId, EvalError};
use guidepost_zones::{Bound, Zone};

impl Explorer<'_> {
    /// The part of the source from which the successor that was just visited is entered such that waiting there leads into `part`, a subset of the successor's zone.
    /// `None`: there is no such part, which only happens where the successor was widened.
    ///
    /// A bound on clocks of the target is a bound on the clocks that their values come from, shifted by the offsets of the update.
    pub fn pull_back(&mut self, edges: &[EdgeId], part: &Zone) -> Result<Option<Zone>, EvalError> {
        debug_assert_eq!(part.dim(), self.target_clocks().len(), "a part of the target");
        let original =
            self.representatives.as_ref().and_then(|all| all.original_part(part, self.target_clocks()));
        let (clocks, mut entered) = match original {
            Some((clocks, part)) => (clocks.to_vec(), part),
            None => (self.target_clocks().to_vec(), part.clone()),
        };
        if self.moves.may_delay() {
            entered.down();
        }
        if !entered.constrain_all(self.target_invariants()) {
            return Ok(None);
        }
        let mut bounds = Vec::new();
        entered.minimal_form(&mut bounds);
        let origins: Vec<_> = clocks.iter().map(|&clock| self.moves.origin(ClockId(clock))).collect();
        let mut from = self.piece().unwrap_or(&self.source.zone).clone();
        for bound in &bounds {
            let (left, right) = (origins[usize::from(bound.left)], origins[usize::from(bound.right)]);
            let value = i64::from(bound.bound.constant()) - i64::from(left.offset) + i64::from(right.offset);
            // What is beyond all bounds restricts nothing.
            let Ok(shifted) = Bound::new(value, bound.bound.is_strict()) else { continue };
            let (left, right) = (self.source.active_place(left.clock), self.source.active_place(right.clock));
            let is_possible =
                if left == right { shifted >= Bound::LE_ZERO } else { from.constrain(left, right, shifted) };
            if !is_possible {
                return Ok(None);
            }
        }
        self.moves.rewind();
        let source = &self.source;
        let is_possible = self.moves.guard(edges, |constraint| {
            let constraint = source.constraint(constraint);
            from.constrain(constraint.left.into(), constraint.right.into(), constraint.bound)
        })?;
        Ok(is_possible.then_some(from))
    }
}
