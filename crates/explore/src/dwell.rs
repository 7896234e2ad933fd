//! Waiting in a state while avoiding something.
//!
//! Liveness asks for runs on which a condition holds at *every* moment, also while time passes. From a convex set A of clock values, the
//! values that can be reached by waiting without meeting a convex set B on the way are those not after B, and those that come from the
//! part of A behind B:
//!
//! > (A↑ \ B↑) ∪ ((A ∩ B↑) \ B)↑
//!
//! For a union of sets B the results are intersected: on a line in time direction, A is an interval, and starting as late as possible is
//! best for all of them at once.

use crate::explorer::Explorer;
use crate::moves::Failure;
use crate::state::SymbolicState;
use guidepost_network::EvalError;
use guidepost_zones::{Constraint, Federation, Zone};
use std::ops::ControlFlow;

impl Explorer<'_> {
    /// Whether time may pass in a state, and the bounds that its invariants set.
    fn waiting_conditions(&mut self, state: &SymbolicState) -> Result<(bool, Vec<Constraint>), EvalError> {
        self.moves.set_source(&state.cells);
        self.moves.stay()?;
        let invariants = self.moves.invariants().iter().map(|&invariant| state.constraint(invariant));
        Ok((self.moves.may_delay(), invariants.collect()))
    }

    /// Visits the states that can be reached by waiting in a state, within the invariants and without meeting `avoid`; widened. The visitor may break off.
    pub fn dwell(
        &mut self,
        state: &SymbolicState,
        avoid: &Federation,
        visit: &mut dyn FnMut(SymbolicState) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        for zone in self.stay(state, avoid)?.into_zones() {
            let mut waited = state.clone();
            waited.zone = zone;
            if self.widened(waited, visit).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The valuations that can be reached by waiting in a state, within the invariants and without meeting `avoid`, as they are.
    pub fn stay(&mut self, state: &SymbolicState, avoid: &Federation) -> Result<Federation, Failure> {
        let conditions = self.waiting_conditions(state);
        let (may_wait, invariants) = conditions.map_err(Failure::outside)?;
        // A state that was widened contains valuations that no longer satisfy the invariants.
        let mut inside = state.zone.clone();
        let mut reached = Federation::empty(inside.dim());
        if !inside.constrain_all(&invariants) {
            return Ok(reached);
        }
        let mut start = Federation::from(inside);
        start.subtract(avoid);
        for zone in start.into_zones() {
            reached.unite(if may_wait { wait(&zone, &invariants, avoid) } else { Federation::from(zone) });
        }
        Ok(reached)
    }

    /// Whether time may pass in a state, forever if its zone has no upper bounds.
    pub fn may_wait(&mut self, state: &SymbolicState) -> Result<bool, Failure> {
        self.moves.set_source(&state.cells);
        self.moves.source_lets_time_pass().map_err(Failure::outside)
    }
}

fn wait(from: &Zone, invariants: &[Constraint], avoid: &Federation) -> Federation {
    let mut future = from.clone();
    future.up();
    let mut reached = Federation::empty(from.dim());
    let mut allowed = future.clone();
    if allowed.constrain_all(invariants) {
        reached.add(allowed);
    }
    for obstacle in avoid.zones() {
        let mut behind = obstacle.clone();
        behind.up();
        let mut free = Federation::from(future.clone());
        free.subtract_zone(&behind);
        let mut late = Federation::from(from.clone());
        late.intersect_zone(&behind);
        late.subtract_zone(obstacle);
        late.up();
        free.unite(late);
        reached = reached.intersection(&free);
    }
    reached
}
