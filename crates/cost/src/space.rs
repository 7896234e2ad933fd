//! A space of states with costs, as searches see it: numbers, bounds, and the best way to a goal so far.

use guidepost_answer::InternalError;
use guidepost_explore::{ClockDifference, Failure};
use guidepost_network::interpreter::ReplayStep;
use guidepost_network::{EvalError, Goal, Machine};

/// More than any cost: no run at all.
pub(crate) const NEVER: i64 = i64::MAX / 4;

/// What a goal demands of clocks in a discrete state.
pub(crate) fn demands(
    machine: &mut Machine<'_>,
    goal: &Goal,
    cells: &[i32],
) -> Result<Vec<ClockDifference>, EvalError> {
    machine.load(cells);
    machine.attach(&goal.segment);
    let mut demands = Vec::new();
    for constraint in &goal.clocks {
        if let Some(value) = machine.bound(constraint)? {
            demands.push(ClockDifference::new(constraint.left, constraint.right, value, constraint.strict));
        }
    }
    Ok(demands)
}

/// A state that was stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// Its number.
    pub(crate) id: u32,
    /// Every run through it to a goal costs at least this.
    pub(crate) bound: i64,
    /// Which of two states with the same bound looks better: the smaller one.
    pub(crate) guide: i64,
}

/// The successors of a state that are worth anything, and what became of the others.
#[derive(Default, Debug)]
pub(crate) struct Successors {
    /// Those that were stored.
    pub(crate) found: Vec<Found>,
    /// How many there were.
    pub(crate) generated: u64,
    /// How many were covered by stored states.
    pub(crate) covered: u64,
    /// How many cannot reach a goal, or only at a cost that nobody wants any more.
    pub(crate) pruned: u64,
}

impl Successors {
    pub(crate) fn clear(&mut self) {
        self.found.clear();
    }
}

/// States with costs. Cost never falls along a transition.
pub(crate) trait Space {
    /// Stores the initial states. Like all others, only those whose bound is below the cost of the best run.
    fn begin(&mut self, successors: &mut Successors) -> Result<(), Failure>;

    /// Stores the successors of a state.
    fn expand(&mut self, id: u32, successors: &mut Successors) -> Result<(), Failure>;

    /// Looks for better runs among neighbours of the best one, with an effort of so many events.
    fn improve(&mut self, _effort: usize) {}

    /// Whether no later state covers this one.
    fn is_alive(&self, id: u32) -> bool;

    /// The cost of the best run to a goal so far; [`NEVER`] before there is one.
    fn best(&self) -> i64;

    /// Times for the best run so far.
    fn schedule(&mut self) -> Result<Vec<ReplayStep>, InternalError>;

    /// Times for the way to a state, to show an error that was met there.
    fn way(&mut self, id: u32) -> Option<Vec<ReplayStep>>;

    /// How many states are stored, and how many were covered later.
    fn stored(&self) -> (u64, u64);

    /// How many different combinations of locations and values there are.
    fn discrete(&self) -> u64;

    /// Memory in use as limits see it.
    fn demand(&self) -> usize;
}
