//! Reachability queries that are being answered: what is looked for, and what was found.

use crate::configuration::{Configuration, DEADLOCK_TRIAL};
use crate::reach::{Part, Watcher};
use crate::strategy::Directed;
use crate::stuck::{Doubts, StuckParts};
use guidepost_answer::{Progress, RunEnding, Unsupported};
use guidepost_explore::{
    ClockDifference, Explorer, Failure, GoalTest, SharpLocations, StateId, SymbolicState, differences,
};
use guidepost_network::{CompiledQuery, EvalError, Goal, Guidepost, Network};
use guidepost_zones::{Bound, Federation};
use std::ops::ControlFlow;

/// A reachability query that is being answered.
#[derive(Clone)]
pub struct Job<'q> {
    /// Which query it is.
    pub index: usize,
    pub(crate) goals: &'q [Goal],
    /// Where its author would look first.
    pub(crate) guideposts: &'q [Guidepost],
    /// Whether the query holds if a goal is found.
    pub(crate) holds_if_found: bool,
    /// The goal that was found.
    pub hit: Option<Hit>,
    /// Where it must be told apart what is deadlocked.
    pub sharp: SharpLocations,
    /// Where that would have to be told apart as well.
    pub(crate) doubts: Doubts,
    /// Discrete states with and without deadlocks.
    stuck: StuckParts,
    /// Whether the search for it may end with doubts before everything is explored.
    pub(crate) gives_up: bool,
    /// See [`Configuration::deadlock_trial`].
    pub(crate) deadlock_trial: u32,
}

/// A goal that was found.
#[derive(Clone)]
pub struct Hit {
    /// The state that meets it.
    pub state: StateId,
    /// What a run must satisfy at its end.
    pub finally: Vec<ClockDifference>,
    /// How a run goes on from there.
    pub ending: RunEnding,
}

impl<'q> Job<'q> {
    /// A query, by its index; `None` when it does not ask about reachability.
    pub fn new(index: usize, query: &'q CompiledQuery) -> Option<Self> {
        let (goals, holds_if_found) = query.question.target()?;
        Some(Self { index, guideposts: &query.guideposts, holds_if_found, ..Self::seeking(goals) })
    }

    /// For somebody who wants to know whether one of some goals is reachable.
    pub(crate) fn seeking(goals: &'q [Goal]) -> Self {
        Self {
            index: 0,
            goals,
            guideposts: &[],
            holds_if_found: true,
            hit: None,
            sharp: SharpLocations::NONE,
            doubts: Doubts::default(),
            stuck: StuckParts::default(),
            gives_up: false,
            deadlock_trial: DEADLOCK_TRIAL,
        }
    }

    /// What is looked for.
    pub fn goals(&self) -> &'q [Goal] {
        self.goals
    }

    /// Whether the query holds if a goal is found.
    pub fn holds_if_found(&self) -> bool {
        self.holds_if_found
    }

    /// Whether the model or the goals can contain an error that shows when something is evaluated.
    pub fn can_fail(&self, network: &Network) -> bool {
        can_fail(network, std::slice::from_ref(self))
    }

    /// Where zones are too coarse to know that there is no deadlock.
    pub fn doubts(&self) -> SharpLocations {
        self.doubts.with(|doubts| doubts.clone())
    }

    /// Adds doubts of somebody else who looks for the same.
    pub fn doubt(&self, others: &SharpLocations) {
        self.doubts.with(|doubts| doubts.unite(others));
    }

    /// The same query from the beginning, with zones that leave no doubt where there is some.
    pub(crate) fn sharpened(&self) -> Self {
        let mut sharp = self.doubts.take();
        sharp.unite(&self.sharp);
        Self { hit: None, sharp, stuck: StuckParts::default(), ..self.clone() }
    }

    /// Whether one of its goals is a deadlock.
    pub(crate) fn seeks_deadlock(&self) -> bool {
        self.goals.iter().any(|goal| goal.deadlock == Some(true))
    }

    /// Whether its goals are about locations and data alone. What is asked about clocks refines the abstraction, and would make others pay.
    pub(crate) fn is_plain(&self) -> bool {
        self.goals.iter().all(|goal| goal.clocks.is_empty() && goal.deadlock.is_none())
    }
}

/// Looks for the goals of several queries at once.
pub struct Lookout<'q, 'o, 'n> {
    /// The queries.
    pub jobs: Vec<Job<'q>>,
    /// Tests whether states are goals.
    pub test: GoalTest<'n>,
    /// Hears of progress; the main thread's business.
    pub observe: Option<&'o mut (dyn FnMut(&Progress) + Send)>,
}

impl Watcher for Lookout<'_, '_, '_> {
    fn begins(&mut self) {
        for job in &mut self.jobs {
            job.stuck = StuckParts::default();
        }
    }

    fn stored(&mut self, state: &SymbolicState, part: Part) -> Result<bool, EvalError> {
        for job in self.jobs.iter_mut().filter(|job| job.hit.is_none()) {
            job.stuck.count();
            let is_no_deadlock = job.stuck.can_wait() || job.stuck.all_move(part);
            for goal in job.goals.iter().filter(|goal| !(is_no_deadlock && goal.deadlock == Some(true))) {
                if self.test.meets(goal, state)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn wants_expansions(&mut self) -> bool {
        let jobs = self.jobs.iter_mut().filter(|job| job.seeks_deadlock());
        jobs.map(|job| job.stuck.hear_of_expansions(job.deadlock_trial)).count() > 0
    }

    fn expanded(&mut self, part: Part, moves_at_once: bool) -> bool {
        let mut is_due = false;
        for job in self.jobs.iter_mut().filter(|job| job.seeks_deadlock() && job.hit.is_none()) {
            is_due |= job.stuck.expanded(part, moves_at_once);
        }
        is_due
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        part: Part,
        explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        for job in self.jobs.iter_mut().filter(|job| job.hit.is_none()) {
            for goal in job.goals {
                if let Some(finally) =
                    job.stuck.confirm(goal, state, part, explorer, &mut self.test, &job.doubts)?
                {
                    let ending = match goal.deadlock {
                        Some(true) => halt(state, explorer)?,
                        _ => RunEnding::Goal,
                    };
                    job.hit = Some(Hit { state: id, finally, ending });
                    break;
                }
            }
        }
        let is_over = |job: &Job<'_>| job.hit.is_some() || (job.gives_up && job.stuck.has_all_doubts());
        Ok(if self.jobs.iter().all(is_over) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn bytes(&self) -> usize {
        self.jobs.iter().map(|job| job.stuck.bytes()).sum()
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(observe) = &mut self.observe {
            observe(progress);
        }
    }
}

impl StuckParts {
    /// Whether the goal is met, with its `deadlock` condition; if so, what a run must satisfy at its end.
    fn confirm(
        &mut self,
        goal: &Goal,
        state: &SymbolicState,
        part: Part,
        explorer: &mut Explorer<'_>,
        test: &mut GoalTest<'_>,
        doubts: &Doubts,
    ) -> Result<Option<Vec<ClockDifference>>, Failure> {
        if !test.meets(goal, state).map_err(Failure::outside)? {
            return Ok(None);
        }
        let mut met = Federation::from(test.zone().clone());
        match goal.deadlock {
            None if goal.clocks.is_empty() => return Ok(Some(Vec::new())),
            None => {}
            Some(true) => {
                met = doubts.with(|doubts| self.deadlocked(state, Some(&met), part, explorer, doubts))?;
            }
            Some(false) => met.subtract(&explorer.deadlocked(state)?),
        }
        Ok(met.zones().first().map(|zone| differences(state, zone)))
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

/// Whether estimates guide a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guidance {
    None,
    /// They may know nothing of states that are not reachable, but images of reachable ones.
    Estimates,
    /// So they do, and whoever is guided has to see all states that are near enough, so that leaving some out is worth a look at the structure of the network.
    ShortestRuns,
}

impl Guidance {
    /// That of a directed search.
    pub(crate) fn of(directed: &Directed) -> Self {
        if directed.is_optimal() { Self::ShortestRuns } else { Self::Estimates }
    }
}

/// An explorer that is precise enough for the goals of some queries, without variables that cannot influence whether a goal is met, and with one order of independent steps; for searches that look at nothing else.
pub fn sliced_explorer_for<'n>(
    network: &'n Network,
    jobs: &[Job<'_>],
    configuration: &Configuration,
) -> Result<Explorer<'n>, Unsupported> {
    let mut explorer = explorer_for(network, jobs, configuration, Guidance::None)?;
    let goals: Vec<&Goal> = jobs.iter().flat_map(|job| job.goals).collect();
    if configuration.reductions.slicing {
        explorer.leave_out_idle_variables(&goals);
    }
    if configuration.reductions.partial_order {
        explorer.order_independent_steps(&goals);
    }
    Ok(explorer)
}

/// An explorer for a directed search for the goals of a query. Where the run found is to be a shortest one, the search has to look at all that seems near enough, and independent steps are taken in one order only.
pub(crate) fn guided_explorer_for<'n>(
    network: &'n Network,
    job: &Job<'_>,
    configuration: &Configuration,
    directed: &Directed,
) -> Result<Explorer<'n>, Unsupported> {
    let jobs = std::slice::from_ref(job);
    let mut explorer = explorer_for(network, jobs, configuration, Guidance::of(directed))?;
    // Guideposts look at all states on the way.
    if configuration.reductions.partial_order && directed.is_optimal() && job.guideposts.is_empty() {
        explorer.order_independent_steps(&job.goals.iter().collect::<Vec<_>>());
    }
    Ok(explorer)
}

/// An explorer that is precise enough for the goals of some queries.
fn explorer_for<'n>(
    network: &'n Network,
    jobs: &[Job<'_>],
    configuration: &Configuration,
    guidance: Guidance,
) -> Result<Explorer<'n>, Unsupported> {
    let all: Vec<&Goal> = jobs.iter().flat_map(|job| job.goals).collect();
    // What can still move is represented by what can still move; what is stuck need not be.
    let seek_deadlock = jobs.iter().any(Job::seeks_deadlock);
    let abstraction =
        if seek_deadlock { configuration.deadlocks(network) } else { configuration.reachability() };
    let mut sharp = SharpLocations::NONE;
    for job in jobs {
        sharp.unite(&job.sharp);
    }
    // Guideposts tell apart what a symmetry does not.
    let is_guided = guidance != Guidance::None && jobs.iter().any(|job| !job.guideposts.is_empty());
    // A goal that may fail to be evaluated may do so for one order of members and not for another.
    let is_wanted =
        configuration.reductions.symmetry && !is_guided && !all.iter().any(|goal| goal.segment.can_fail());
    let questions: Vec<&[Goal]> = jobs.iter().map(|job| job.goals).collect();
    let symmetries = is_wanted
        .then(|| network.symmetries.for_goals(network, &questions))
        .filter(|found| !found.are_none());
    let Some(symmetries) = symmetries else {
        let mut explorer = Explorer::with_sharp(network, &all, abstraction, sharp)?;
        if is_wanted && guidance == Guidance::ShortestRuns {
            explorer.exploit_exchanges(&all);
        }
        return Ok(explorer);
    };
    sharp.add_images(network, &symmetries);
    let mut explorer = Explorer::with_sharp(network, &all, abstraction, sharp)?;
    if guidance == Guidance::None || symmetries.keep_initial(network) {
        explorer.exploit_symmetry(symmetries);
    }
    Ok(explorer)
}
