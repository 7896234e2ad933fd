//! Transitions that take place in only a part of the zone where their own guards hold, and not in a convex one.
//!
//! A receiver of a broadcast that is able to take part must take part: a transition without it happens only where its guard does not hold. And a
//! transition of low priority happens only where none of a higher one does, which takes guards, updates and the invariants of the target of all stronger
//! ones. Both cut pieces out of the source zone; what is left is a union of zones, and each of them has a successor of its own.

use super::{Explorer, Origin};
use crate::enabled::Candidates;
use crate::state::SymbolicState;
use guidepost_network::{EdgeId, EvalError};
use guidepost_zones::{Bound, Constraint, Federation};
use std::cmp::Reverse;
use std::ops::ControlFlow;

impl Explorer<'_> {
    /// Splits the source zone by who stays out and by what goes first.
    pub(super) fn fire_split(
        &mut self,
        candidates: &Candidates,
        position: usize,
        edges: &[EdgeId],
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, EvalError> {
        let mut zones = self.guard_zones(candidates, position)?;
        if self.network.features.priorities {
            self.subtract_stronger(candidates, position, &mut zones)?;
        }
        if zones.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        self.machine.load(&self.source.cells);
        if !self.update(edges)? {
            return Ok(ControlFlow::Continue(()));
        }
        for zone in zones.zones() {
            self.check_copies(zone, edges)?;
        }
        if !self.enter_discrete()? {
            return Ok(ControlFlow::Continue(()));
        }
        // The visitor may have exchanged the target when it comes to the second zone.
        let entered = (zones.zones().len() > 1).then(|| self.target.clone());
        for zone in zones.zones() {
            if let Some(entered) = &entered {
                self.target.assign(entered);
            }
            self.fired = Some(zone.clone());
            if self.zone_step(zone) && self.emit(&mut |state| visit(state, edges)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Leaves of some zones what no stronger candidate takes away. The strongest come first: a candidate that is blocked wherever it is asked for never happens,
    /// so it cannot fail either.
    fn subtract_stronger(
        &mut self,
        candidates: &Candidates,
        position: usize,
        zones: &mut Federation,
    ) -> Result<(), EvalError> {
        let priority = |position: usize| candidates.list[position].priority;
        let own = priority(position);
        let mut stronger: Vec<usize> =
            (0..candidates.list.len()).filter(|&other| priority(other) > own).collect();
        stronger.sort_by_key(|&other| Reverse(priority(other)));
        for other in stronger {
            if zones.is_empty() {
                break;
            }
            match self.enabled_zones(candidates, other) {
                Ok(enabled) => zones.subtract(&enabled),
                Err(error) => {
                    if !zones.intersection(&self.guard_zones(candidates, other)?).is_empty() {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// The part of the source zone in which the guards of the candidate hold and those of the excluded edges do not.
    pub(crate) fn guard_zones(
        &mut self,
        candidates: &Candidates,
        position: usize,
    ) -> Result<Federation, EvalError> {
        let candidate = &candidates.list[position];
        self.machine.load(&self.source.cells);
        let dim = self.source.zone.dim();
        let Some(is_restricted) = self.guard(candidates.edges(&candidate.edges))? else {
            return Ok(Federation::empty(dim));
        };
        let zone = if is_restricted { self.guarded.clone() } else { self.source.zone.clone() };
        let mut zones = Federation::empty(dim);
        zones.add(zone);
        for &edge in candidates.edges(&candidate.excluded) {
            if let Some(is_restricted) = self.guard(&[edge])? {
                let excluded = if is_restricted { &self.guarded } else { &self.source.zone };
                zones.subtract_zone(excluded);
            }
        }
        Ok(zones)
    }

    /// The part of the source zone in which a candidate can be taken: its guards hold and it leads into the target's invariants.
    pub(crate) fn enabled_zones(
        &mut self,
        candidates: &Candidates,
        position: usize,
    ) -> Result<Federation, EvalError> {
        let mut zones = self.guard_zones(candidates, position)?;
        let dim = self.source.zone.dim();
        if zones.is_empty() {
            return Ok(zones);
        }
        self.machine.load(&self.source.cells);
        let edges = candidates.edges(&candidates.list[position].edges);
        if !self.update(edges)? {
            return Ok(Federation::empty(dim));
        }
        for zone in zones.zones() {
            self.check_copies(zone, edges)?;
        }
        if !self.enter_discrete()? {
            return Ok(Federation::empty(dim));
        }
        for index in 0..self.invariants.len() {
            let constraint = self.invariants[index];
            let left = self.origin_in_target(constraint.left.into());
            let right = self.origin_in_target(constraint.right.into());
            let shift = i64::from(right.offset) - i64::from(left.offset);
            let value = i64::from(constraint.bound.constant()) + shift;
            let Ok(bound) = Bound::new(value, constraint.bound.is_strict()) else { continue };
            if left.place == right.place {
                if bound < Bound::LE_ZERO {
                    return Ok(Federation::empty(dim));
                }
            } else {
                zones.constrain(Constraint::new(left.place, right.place, bound));
            }
        }
        Ok(zones)
    }

    /// Where the clock at a place of the target zone comes from.
    fn origin_in_target(&self, place: usize) -> Origin {
        self.origins[self.target.clocks[place] as usize]
    }
}
