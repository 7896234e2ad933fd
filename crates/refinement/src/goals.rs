//! What is looked for, as far as locations and data of a discrete state decide it.

use guidepost_explore::ClockDifference;
use guidepost_network::{EvalError, Goal, LocationId, Machine, Network, ProcessId};

/// Goals, and what each discrete state still demands of clocks to meet one.
pub(crate) struct Goals<'q> {
    pub(crate) sought: &'q [Goal],
    machine: Machine<'q>,
    /// By number: for each goal that locations and data admit, what it demands of clocks.
    demands: Vec<Vec<Vec<ClockDifference>>>,
}

impl<'q> Goals<'q> {
    pub(crate) fn new(network: &'q Network, goals: &'q [Goal]) -> Self {
        Self { sought: goals, machine: Machine::for_goals(&network.program, goals), demands: Vec::new() }
    }

    /// All demands, for other goals that are the same.
    pub(crate) fn into_demands(self) -> Vec<Vec<Vec<ClockDifference>>> {
        self.demands
    }

    /// Knows demands already that the same goals have led to.
    pub(crate) fn set_demands(&mut self, demands: Vec<Vec<Vec<ClockDifference>>>) {
        self.demands = demands;
    }

    /// The number of what a discrete state demands; `None`: it meets no goal, whatever clocks say. Goals that are not possible for other reasons are left out.
    pub(crate) fn demands_of(
        &mut self,
        cells: &[i32],
        mut is_possible: impl FnMut(usize) -> bool,
    ) -> Result<Option<u32>, EvalError> {
        let mut demands = Vec::new();
        for (index, goal) in self.sought.iter().enumerate() {
            if !admits(goal, cells) || !is_possible(index) {
                continue;
            }
            self.machine.load(cells);
            self.machine.attach(&goal.segment);
            if !self.machine.holds(&goal.data)? {
                continue;
            }
            let mut demanded = Vec::new();
            for constraint in &goal.clocks {
                if let Some(value) = self.machine.bound(constraint)? {
                    let (left, right) = (constraint.left, constraint.right);
                    demanded.push(ClockDifference::new(left, right, value, constraint.strict));
                }
            }
            demands.push(demanded);
        }
        if demands.is_empty() {
            return Ok(None);
        }
        self.demands.push(demands);
        Ok(Some(self.demands.len() as u32 - 1))
    }

    /// For each goal that a discrete state may meet, what it demands of clocks.
    pub(crate) fn demands(&self, number: u32) -> &[Vec<ClockDifference>] {
        &self.demands[number as usize]
    }
}

/// Whether the locations of a discrete state are those of a goal.
pub(crate) fn admits(goal: &Goal, cells: &[i32]) -> bool {
    let located = |(process, admissible): &(ProcessId, Vec<LocationId>)| {
        let at = cells[process.index()] as u32;
        admissible.iter().any(|location| location.0 == at)
    };
    goal.locations.iter().all(located)
}
