//! Reachability queries that are being answered: what is looked for, and what was found.

use crate::configuration::Configuration;
use crate::reach::Watcher;
use guidepost_answer::{Progress, RunEnding, Unsupported};
use guidepost_explore::{ClockDifference, Explorer, Failure, GoalTest, StateId, SymbolicState};
use guidepost_network::{EvalError, Goal, Network, Question};
use guidepost_zones::Bound;
use std::ops::ControlFlow;

/// A reachability query that is being answered.
#[derive(Clone)]
pub struct Job<'q> {
    /// Which query it is.
    pub index: usize,
    pub(crate) goals: &'q [Goal],
    /// Whether the query holds if a goal is found.
    pub(crate) holds_if_found: bool,
    pub(crate) hit: Option<Hit>,
}

/// A goal that was found.
#[derive(Clone)]
pub(crate) struct Hit {
    pub(crate) state: StateId,
    pub(crate) finally: Vec<ClockDifference>,
    pub(crate) ending: RunEnding,
}

impl<'q> Job<'q> {
    /// A query, by its index; `None` when it does not ask about reachability.
    pub fn new(index: usize, question: &'q Question) -> Option<Self> {
        let (goals, holds_if_found) = question.target()?;
        Some(Self { index, goals, holds_if_found, hit: None })
    }

    /// Whether its goals are about locations and data alone. What is asked about clocks refines the abstraction, and would make others pay.
    pub(crate) fn is_plain(&self) -> bool {
        self.goals.iter().all(|goal| goal.clocks.is_empty() && goal.deadlock.is_none())
    }
}

/// Looks for the goals of several queries at once.
pub(crate) struct Lookout<'q, 'o, 'n> {
    pub(crate) jobs: Vec<Job<'q>>,
    pub(crate) test: GoalTest<'n>,
    /// Hears of progress; the main thread's business.
    pub(crate) observe: Option<&'o mut (dyn FnMut(&Progress) + Send)>,
}

impl Watcher for Lookout<'_, '_, '_> {
    fn stored(&mut self, state: &SymbolicState) -> Result<bool, EvalError> {
        for job in self.jobs.iter().filter(|job| job.hit.is_none()) {
            if self.test.find(job.goals, state)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        for job in self.jobs.iter_mut().filter(|job| job.hit.is_none()) {
            for goal in job.goals {
                if let Some(finally) = self.test.confirm(goal, state, explorer)? {
                    let ending = match goal.deadlock {
                        Some(true) => halt(state, explorer)?,
                        _ => RunEnding::Goal,
                    };
                    job.hit = Some(Hit { state: id, finally, ending });
                    break;
                }
            }
        }
        let all_found = self.jobs.iter().all(|job| job.hit.is_some());
        Ok(if all_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(observe) = &mut self.observe {
            observe(progress);
        }
    }
}

/// Whether the model or the goals of some queries can contain an error that shows when something is evaluated.
pub(crate) fn can_fail(network: &Network, jobs: &[Job<'_>]) -> bool {
    let goals = jobs.iter().flat_map(|job| job.goals);
    network.program.can_fail() || goals.map(|goal| &goal.segment).any(|code| code.can_fail())
}

/// How a run goes on from a deadlock: time passes forever, or comes to a halt.
pub(crate) fn halt(state: &SymbolicState, explorer: &mut Explorer<'_>) -> Result<RunEnding, Failure> {
    let is_bounded = (1..state.zone.dim()).any(|clock| state.zone.get(clock, 0) != Bound::INFINITY);
    Ok(if explorer.may_wait(state)? && !is_bounded { RunEnding::Waits } else { RunEnding::Stuck })
}

/// An explorer that is precise enough for the goals of some queries.
pub(crate) fn explorer_for<'n>(
    network: &'n Network,
    jobs: &[Job<'_>],
    configuration: &Configuration,
) -> Result<Explorer<'n>, Unsupported> {
    let all: Vec<&Goal> = jobs.iter().flat_map(|job| job.goals).collect();
    let about_deadlock = all.iter().any(|goal| goal.deadlock.is_some());
    let abstraction =
        if about_deadlock { configuration.bisimulation() } else { configuration.reachability() };
    Explorer::new(network, &all, abstraction)
}
