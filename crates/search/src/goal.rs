//! Whether a symbolic state contains a state that satisfies a goal.

use guidepost_explore::{Explorer, Failure, SymbolicState};
use guidepost_network::{EvalError, Goal, Machine, Operand};
use guidepost_zones::{Bound, Constraint, Zone};

/// Tests states for any of some goals.
pub struct GoalTest<'g, 'n> {
    goals: &'g [Goal],
    machine: Machine<'n>,
    zone: Zone,
}

impl<'g, 'n> GoalTest<'g, 'n> {
    /// A test for a disjunction of goals.
    pub fn new(goals: &'g [Goal], explorer: &Explorer<'n>) -> Self {
        Self { goals, machine: Machine::new(&explorer.network().program), zone: Zone::zero(1) }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// The first goal that some valuation of the state satisfies.
    pub fn find(&mut self, state: &SymbolicState, explorer: &mut Explorer<'n>) -> Result<Option<usize>, Failure> {
        for index in 0..self.goals.len() {
            if self.meets(index, state).map_err(|error| Failure { error, edges: Vec::new() })?
                && self.deadlock_agrees(index, state, explorer)?
            {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Whether locations, data and clocks satisfy a goal; leaves the satisfying zone in [`GoalTest::zone`].
    pub fn meets(&mut self, index: usize, state: &SymbolicState) -> Result<bool, EvalError> {
        let goal = &self.goals[index];
        let at = |process: usize, location: u32| state.cells[process] == location as i32;
        let admissible = |(process, locations): &(guidepost_network::ProcessId, Vec<guidepost_network::LocationId>)| {
            locations.iter().any(|location| at(process.index(), location.0))
        };
        if !goal.locations.iter().all(admissible) {
            return Ok(false);
        }
        if goal.data.is_empty() && goal.clocks.is_empty() && goal.deadlock.is_none() {
            return Ok(true);
        }
        self.machine.load(&state.cells);
        if !self.machine.holds(&goal.data)? {
            return Ok(false);
        }
        self.zone.assign(&state.zone);
        for constraint in &goal.clocks {
            if let Some(condition) = constraint.condition {
                if self.machine.eval(condition)? == 0 {
                    continue;
                }
            }
            let value = match constraint.bound {
                Operand::Const(value) => value,
                Operand::Code(code, ..) => self.machine.eval(code)?,
            };
            let bound = if constraint.strict { Bound::lt(value) } else { Bound::le(value) };
            let place = |clock| state.place(clock).expect("the query's clocks are active everywhere");
            let constraint = Constraint::new(place(constraint.left), place(constraint.right), bound);
            if !self.zone.constrain(constraint.left.into(), constraint.right.into(), constraint.bound) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The valuations that satisfied the last goal that was met.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    fn deadlock_agrees(
        &mut self,
        index: usize,
        state: &SymbolicState,
        explorer: &mut Explorer<'n>,
    ) -> Result<bool, Failure> {
        let Some(wanted) = self.goals[index].deadlock else { return Ok(true) };
        let dead = explorer.deadlocked(state)?;
        let mut part = guidepost_zones::Federation::from(self.zone.clone());
        if wanted {
            part = part.intersection(&dead);
        } else {
            part.subtract(&dead);
        }
        if let Some(zone) = part.zones().first() {
            self.zone.assign(zone);
        }
        Ok(!part.is_empty())
    }
}
