//! Whether a symbolic state contains a state that satisfies a goal.

use crate::SymbolicState;
use guidepost_network::{EvalError, Goal, LocationId, Machine, Network, ProcessId};
use guidepost_zones::{Bound, Federation, Zone};

/// Tests symbolic states for goals: locations, data and clocks. `deadlock` takes an explorer to decide and is a step of its own.
pub struct GoalTest<'n> {
    machine: Machine<'n>,
    zone: Zone,
}

impl<'n> GoalTest<'n> {
    /// A test for goals of a network.
    pub fn new(network: &'n Network) -> Self {
        Self { machine: Machine::new(&network.program), zone: Zone::zero(1) }
    }

    /// The first of the goals that some valuation of the state satisfies, as far as locations, data and clocks go.
    pub fn find(&mut self, goals: &[Goal], state: &SymbolicState) -> Result<Option<usize>, EvalError> {
        for (index, goal) in goals.iter().enumerate() {
            if self.meets(goal, state)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Whether some valuation of the state satisfies the goal's locations, data and clocks; leaves those valuations in [`GoalTest::zone`].
    pub fn meets(&mut self, goal: &Goal, state: &SymbolicState) -> Result<bool, EvalError> {
        if !self.admits_data(goal, state)? {
            return Ok(false);
        }
        self.zone.assign(&state.zone);
        let meets = self.restrict(goal, state)?;
        debug_assert!(
            !meets || self.zone.is_subset(&state.zone),
            "what meets the goal is a part of the state"
        );
        Ok(meets)
    }

    /// Whether the locations and data of the state satisfy the goal.
    pub fn admits_data(&mut self, goal: &Goal, state: &SymbolicState) -> Result<bool, EvalError> {
        let located = |(process, admissible): &(ProcessId, Vec<LocationId>)| {
            let at = state.cells[process.index()] as u32;
            admissible.iter().any(|location| location.0 == at)
        };
        if !goal.locations.iter().all(located) {
            return Ok(false);
        }
        if goal.data.is_empty() && goal.clocks.is_empty() {
            return Ok(true);
        }
        self.machine.load(&state.cells);
        self.machine.attach(&goal.segment);
        self.machine.holds(&goal.data)
    }

    /// Restricts [`GoalTest::zone`] by the goal's clock constraints, in the data of the last state.
    fn restrict(&mut self, goal: &Goal, state: &SymbolicState) -> Result<bool, EvalError> {
        for constraint in &goal.clocks {
            let Some(value) = self.machine.bound(constraint)? else { continue };
            let bound = if constraint.strict { Bound::lt(value) } else { Bound::le(value) };
            let place = |clock| state.place(clock).expect("the query's clocks are active everywhere");
            if !self.zone.constrain(place(constraint.left), place(constraint.right), bound) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The part of clock space in which one of the goals holds, given the locations and data of the state.
    pub fn region(&mut self, goals: &[Goal], state: &SymbolicState) -> Result<Federation, EvalError> {
        let dim = state.zone.dim();
        let mut region = Federation::empty(dim);
        for goal in goals {
            if self.admits_data(goal, state)? {
                self.zone = Zone::universe(dim);
                if self.restrict(goal, state)? {
                    region.add(self.zone.clone());
                }
            }
        }
        Ok(region)
    }

    /// The valuations that satisfied the last goal that was met.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }
}
