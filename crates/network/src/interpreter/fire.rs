//! Taking a transition.

use super::{Failure, Interpreter, Rational, State, Transition};
use crate::code::{Code, EvalError};
use crate::network::{ClockOp, LocationId, RangeViolation};

/// What taking a transition leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fired {
    /// A new state.
    Reached(State),
    /// Nothing: the transition is not possible after all.
    Blocked(Blocked),
}

/// Why a transition whose guards hold is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// The invariant of this location would not hold.
    Invariant(LocationId),
    /// A variable would leave its range, which disables transitions in `TChecker` models.
    Range(EvalError),
}

impl Interpreter<'_> {
    /// Takes a transition: updates in order, then the new locations, then the invariants. Guards are not asked; see
    /// [`candidates`](Self::candidates).
    pub fn fire(&mut self, state: &State, transition: &Transition) -> Result<Fired, Failure> {
        let (mut next, ops) = match self.update(state, transition)? {
            Ok(updated) => updated,
            Err(error) => return Ok(Fired::Blocked(Blocked::Range(error))),
        };
        for op in ops {
            apply(&mut next, op)?;
        }
        Ok(match self.violated_invariant(&next)? {
            Some(location) => Fired::Blocked(Blocked::Invariant(location)),
            None => Fired::Reached(next),
        })
    }

    /// The new locations and data, with the clocks as they were and what happens to them; or the range that is left where that disables transitions.
    pub(crate) fn update(
        &mut self,
        state: &State,
        transition: &Transition,
    ) -> Result<Result<(State, Vec<ClockOp>), EvalError>, Failure> {
        self.load(state);
        self.machine.take_price();
        let mut ops = Vec::new();
        match self.run_updates(transition, &mut ops) {
            Ok(()) => {}
            Err(error)
                if self.network.range_violation == RangeViolation::Disables
                    && error.fault.is_variable_range() =>
            {
                return Ok(Err(error));
            }
            Err(error) => return Err(error.into()),
        }
        let mut next = state.clone();
        next.variables.copy_from_slice(self.machine.variables());
        // `meta` variables live within a transition only.
        for (value, variable) in next.variables.iter_mut().zip(&self.network.variables) {
            if variable.meta {
                *value = variable.initial;
            }
        }
        for edge in &transition.edges {
            let edge = &self.network.edges[edge.index()];
            next.locations[edge.process.index()] = edge.target;
        }
        Ok(Ok((next, ops)))
    }

    /// What the transition that was fired last has paid.
    pub(crate) fn price(&mut self) -> Rational {
        Rational::from(self.machine.take_price())
    }

    fn run_updates(&mut self, transition: &Transition, ops: &mut Vec<ClockOp>) -> Result<(), EvalError> {
        let network = self.network;
        let own = transition.edges.iter().filter_map(|edge| network.edges[edge.index()].update);
        let updates: Vec<Code> =
            network.before_update.into_iter().chain(own).chain(network.after_update).collect();
        updates.into_iter().try_for_each(|update| self.machine.run_update(update, ops))
    }
}

fn apply(state: &mut State, op: ClockOp) -> Result<(), Failure> {
    match op {
        ClockOp::Set(clock, value) => state.clocks[clock.index()] = value.into(),
        ClockOp::Copy(clock, source, offset) => {
            let value = state.clocks[source.index()].plus(offset.into())?;
            if value.is_negative() {
                return Err(Failure::NegativeClock(clock));
            }
            state.clocks[clock.index()] = value;
        }
    }
    Ok(())
}
