//! Queries are answered here: which abstraction is sound for which question, which queries can share an exploration, and how evidence is made.

use crate::answer::{Answer, Evidence, InternalError, ModelError, RunEnding, Verdict};
use crate::frontier::Order;
use crate::limits::Limits;
use crate::parallel::ParallelSearch;
use crate::reach::{Outcome, Search, Watcher};
use crate::statistics::{Progress, Statistics};
use crate::strategy::Strategy;
use crate::{auto, bounds, directed, liveness};
use guidepost_explore::GoalTest;
use guidepost_explore::{
    Abstraction, ClockDifference, Explorer, Extrapolation, Failure, PathStep, StateId, Store, Subsumption,
    SymbolicState, Unsupported,
};
use guidepost_heuristics::Budget;
use guidepost_network::interpreter::{Interpreter, replay};
use guidepost_network::{CompiledQuery, EvalError, Goal, Network, Question};
use guidepost_zones::Bound;
use std::ops::ControlFlow;

/// How queries are to be answered.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// How goals are searched for.
    pub strategy: Strategy,
    /// Whether evidence is wanted.
    pub trace: bool,
    /// Whether the evidence must be shortest; asks for a strategy that finds shortest runs.
    pub shortest: bool,
    /// What each exploration may use up.
    pub limits: Limits,
    /// What the preprocessing of heuristics may use up.
    pub budget: Budget,
    /// The extrapolation for reachability; `None` chooses.
    pub extrapolation: Option<Extrapolation>,
    /// The subsumption for reachability; `None` chooses.
    pub subsumption: Option<Subsumption>,
    /// Stop-watches are over-approximated instead of refused.
    pub approximate: bool,
    /// Threads that explore; only reachability in breadth-first order uses more than one.
    pub threads: usize,
}

impl Default for Configuration {
    fn default() -> Self {
        Self {
            strategy: Strategy::default(),
            trace: false,
            shortest: false,
            limits: Limits::default(),
            budget: Budget::default(),
            extrapolation: None,
            subsumption: None,
            approximate: false,
            threads: 1,
        }
    }
}

impl Configuration {
    /// Whether reachability is explored by several threads.
    pub(crate) fn is_parallel(&self) -> bool {
        self.threads > 1 && self.strategy.order() == Order::BreadthFirst
    }

    /// The abstraction for plain reachability.
    pub fn reachability(&self) -> Abstraction {
        let default = Abstraction::REACHABILITY;
        Abstraction {
            extrapolation: self.extrapolation.unwrap_or(default.extrapolation),
            subsumption: self.subsumption.unwrap_or(default.subsumption),
            approximate_stopwatches: self.approximate,
            ..default
        }
    }

    /// The abstraction for everything that says what a state can *not* do.
    pub fn bisimulation(&self) -> Abstraction {
        Abstraction { approximate_stopwatches: self.approximate, ..Abstraction::BISIMULATION }
    }
}

/// What happens while queries are answered.
pub enum Event<'e> {
    /// How the search for the answer to a query (by its index) is getting on.
    Progress(usize, &'e Progress),
    /// The answer to a query is known.
    Answered(usize, Box<Answer>),
}

/// Answers queries of a network, in order. `observe` hears of progress with the number of the query being worked on.
pub fn verify(
    network: &Network,
    queries: &[CompiledQuery],
    configuration: &Configuration,
    observe: &mut (dyn FnMut(usize, &Progress) + Send),
) -> Result<Vec<Answer>, Unsupported> {
    let mut answers: Vec<Option<Answer>> = vec![None; queries.len()];
    verify_each(network, queries, configuration, &mut |event| match event {
        Event::Progress(index, progress) => observe(index, progress),
        Event::Answered(index, answer) => answers[index] = Some(*answer),
    })?;
    Ok(answers.into_iter().map(|answer| answer.expect("every query is in a group")).collect())
}

/// Answers queries of a network, and tells each answer as soon as it is known. Queries that share an exploration are answered together.
pub fn verify_each(
    network: &Network,
    queries: &[CompiledQuery],
    configuration: &Configuration,
    tell: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<(), Unsupported> {
    for group in groups(queries) {
        let jobs: Vec<Job<'_>> =
            group.iter().map(|&index| Job::new(index, &queries[index].question)).collect();
        let first = group[0];
        let mut observe = |progress: &Progress| tell(Event::Progress(first, progress));
        let question = &queries[first].question;
        let answers = match question {
            Question::Possibly(_) | Question::Always(_) => seek(network, jobs, configuration, &mut observe)?,
            Question::Bound { .. } => {
                vec![(first, bounds::measure(network, question, configuration, &mut observe)?)]
            }
            _ => {
                let answer = liveness::decide(network, question, configuration, &mut observe)?;
                vec![(first, Answer { search: Order::DepthFirst.name(), ..answer })]
            }
        };
        for (index, answer) in answers {
            tell(Event::Answered(index, Box::new(weakened(answer, &queries[index], network))));
        }
    }
    Ok(())
}

/// With stopped clocks, only what is unreachable is known for sure: that a state can *not* go on is more than an over-approximation can tell, and a run
/// that replays proves how to get there, not what is impossible there.
fn weakened(mut answer: Answer, query: &CompiledQuery, network: &Network) -> Answer {
    let is_plain = matches!(query.question, Question::Possibly(_) | Question::Always(_))
        && goals(&query.question).iter().all(|goal| goal.deadlock.is_none());
    if network.features.stopwatches && answer.verdict != Verdict::Undecided && !is_plain {
        answer.approximate = true;
        answer.evidence = None;
    }
    answer
}

/// Queries that can share an exploration: reachability without clocks and deadlock in the goal. What is asked about clocks refines the abstraction, and
/// would make the others pay.
fn groups(queries: &[CompiledQuery]) -> Vec<Vec<usize>> {
    let mut shared = None;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, query) in queries.iter().enumerate() {
        let goals = goals(&query.question);
        let is_plain = goals.iter().all(|goal| goal.clocks.is_empty() && goal.deadlock.is_none());
        match query.question {
            Question::Possibly(_) | Question::Always(_) if is_plain => {
                // Together with the first of them, so that answers come nearly in order.
                let group = *shared.get_or_insert(groups.len());
                if group == groups.len() {
                    groups.push(Vec::new());
                }
                groups[group].push(index);
            }
            _ => groups.push(vec![index]),
        }
    }
    groups
}

/// What a reachability query looks for.
fn goals(question: &Question) -> &[Goal] {
    match question {
        Question::Possibly(predicate) => &predicate.goals,
        Question::Always(predicate) => &predicate.negation,
        _ => &[],
    }
}

/// A reachability query that is being answered.
#[derive(Clone)]
pub(crate) struct Job<'q> {
    pub(crate) index: usize,
    pub(crate) goals: &'q [Goal],
    /// What finding the goal means for the query.
    pub(crate) found: Verdict,
    pub(crate) hit: Option<Hit>,
}

#[derive(Clone)]
pub(crate) struct Hit {
    pub(crate) state: StateId,
    pub(crate) finally: Vec<ClockDifference>,
    pub(crate) ending: RunEnding,
}

impl<'q> Job<'q> {
    fn new(index: usize, question: &'q Question) -> Self {
        let found =
            if matches!(question, Question::Always(_)) { Verdict::NotSatisfied } else { Verdict::Satisfied };
        Self { index, goals: goals(question), found, hit: None }
    }

    fn not_found(&self) -> Verdict {
        if self.found == Verdict::Satisfied { Verdict::NotSatisfied } else { Verdict::Satisfied }
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

/// Looks for goals in the way that was asked for.
fn seek(
    network: &Network,
    jobs: Vec<Job<'_>>,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    match &configuration.strategy {
        Strategy::Blind(_) => reach(network, &jobs, configuration, observe),
        Strategy::Directed(directed) => {
            jobs.iter().map(|job| directed::reach(network, job, configuration, directed, observe)).collect()
        }
        Strategy::Auto { seed } => auto::reach(network, jobs, configuration, *seed, observe),
    }
}

fn reach(
    network: &Network,
    jobs: &[Job<'_>],
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    let make = || explorer_for(network, jobs, configuration);
    let mut explorer = make()?;
    let finished = if configuration.is_parallel() {
        reach_in_parallel(&make, jobs, configuration, observe)?
    } else {
        reach_alone(&mut explorer, jobs.to_vec(), configuration, observe)
    };
    let optimal = configuration.strategy.order() == Order::BreadthFirst && configuration.shortest;
    let mut answers = finished.answers(&mut explorer, configuration, optimal);
    for (_, answer) in &mut answers {
        answer.search = configuration.strategy.order().name();
    }
    Ok(answers)
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

/// How a run goes on from a deadlock: time passes forever, or comes to a halt.
pub(crate) fn halt(state: &SymbolicState, explorer: &mut Explorer<'_>) -> Result<RunEnding, Failure> {
    let is_bounded = (1..state.zone.dim()).any(|clock| state.zone.get(clock, 0) != Bound::INFINITY);
    Ok(if explorer.may_wait(state)? && !is_bounded { RunEnding::Waits } else { RunEnding::Stuck })
}

/// A search that is over, with the way to any of its states.
pub(crate) struct Finished<'q> {
    pub(crate) jobs: Vec<Job<'q>>,
    pub(crate) outcome: Outcome,
    pub(crate) statistics: Statistics,
    pub(crate) approximate: bool,
    pub(crate) ordinals: Box<dyn Fn(StateId) -> Vec<u32>>,
}

impl Finished<'_> {
    /// The answers, with runs where they are wanted; `optimal` says whether those are shortest.
    pub(crate) fn answers(
        &self,
        explorer: &mut Explorer<'_>,
        configuration: &Configuration,
        optimal: bool,
    ) -> Vec<(usize, Answer)> {
        let approximate = explorer.is_approximate() || self.approximate;
        let answer = |job: &Job<'_>| {
            let mut answer = conclude(job, self, explorer, configuration);
            answer.approximate = approximate && answer.verdict == job.found;
            if let (Some(hit), true) = (&job.hit, configuration.trace) {
                let ordinals = (self.ordinals)(hit.state);
                let run = evidence(explorer, &ordinals, &hit.finally, optimal);
                attach(&mut answer, run.map(|run| Evidence { ending: hit.ending, ..run }));
            }
            (job.index, answer)
        };
        self.jobs.iter().map(answer).collect()
    }
}

fn reach_alone<'q, 'n>(
    explorer: &mut Explorer<'n>,
    jobs: Vec<Job<'q>>,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Finished<'q> {
    let mut store = Store::new(explorer);
    let mut lookout = Lookout { jobs, test: GoalTest::new(explorer.network()), observe: Some(observe) };
    let search = Search {
        explorer,
        store: &mut store,
        order: configuration.strategy.order(),
        shortest: configuration.shortest,
        limits: &configuration.limits,
    };
    let (outcome, statistics) = search.run(&mut lookout);
    let ordinals = Box::new(move |id| store.ordinals(id));
    Finished { jobs: lookout.jobs, outcome, statistics, approximate: false, ordinals }
}

fn reach_in_parallel<'q, 'n>(
    make: &dyn Fn() -> Result<Explorer<'n>, Unsupported>,
    jobs: &[Job<'q>],
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Finished<'q>, Unsupported> {
    let mut workers = Vec::new();
    for _ in 0..configuration.threads {
        let explorer = make()?;
        let test = GoalTest::new(explorer.network());
        workers.push((explorer, Lookout { jobs: jobs.to_vec(), test, observe: None }));
    }
    let search = ParallelSearch { shortest: configuration.shortest, limits: &configuration.limits };
    let done = search.run(&mut workers, &mut share_hits, observe);
    let approximate = workers.iter().any(|(explorer, _)| explorer.is_approximate());
    let mut lookouts: Vec<Lookout<'q, '_, 'n>> = workers.into_iter().map(|(_, lookout)| lookout).collect();
    share_hits(&mut lookouts.iter_mut().collect::<Vec<_>>());
    let jobs = lookouts.swap_remove(0).jobs;
    let states = done.states;
    let ordinals = Box::new(move |id| states.ordinals(id));
    Ok(Finished { jobs, outcome: done.outcome, statistics: done.statistics, approximate, ordinals })
}

/// What one worker found need not be looked for by the others; says whether everything is found.
fn share_hits(lookouts: &mut [&mut Lookout<'_, '_, '_>]) -> bool {
    let count = lookouts[0].jobs.len();
    for job in 0..count {
        let hit = lookouts.iter().find_map(|lookout| lookout.jobs[job].hit.clone());
        for lookout in &mut *lookouts {
            lookout.jobs[job].hit.clone_from(&hit);
        }
    }
    lookouts[0].jobs.iter().all(|job| job.hit.is_some())
}

pub(crate) fn conclude(
    job: &Job<'_>,
    finished: &Finished<'_>,
    explorer: &mut Explorer<'_>,
    configuration: &Configuration,
) -> Answer {
    let statistics = finished.statistics;
    match &finished.outcome {
        _ if job.hit.is_some() => Answer::new(job.found, statistics),
        Outcome::Satisfied | Outcome::Exhausted => Answer::new(job.not_found(), statistics),
        Outcome::Stopped(reason) => Answer::undecided(reason.describe(), statistics),
        Outcome::Failed(state, failure) => {
            let ordinals = state.map(|state| (finished.ordinals)(state));
            model_failed(failure, ordinals.as_deref(), statistics, explorer, configuration.trace)
        }
    }
}

/// Attaches evidence to an answer. With an over-approximation a run may not exist; otherwise a missing one is a bug.
pub(crate) fn attach(answer: &mut Answer, evidence: Result<Evidence, InternalError>) {
    match evidence {
        Ok(evidence) => {
            answer.evidence = Some(evidence);
            answer.approximate = false;
        }
        Err(_) if answer.approximate => {}
        Err(error) => answer.internal = Some(error),
    }
}

/// The answer when the model failed.
pub(crate) fn model_failed(
    failure: &Failure,
    ordinals: Option<&[u32]>,
    statistics: Statistics,
    explorer: &mut Explorer<'_>,
    with_trace: bool,
) -> Answer {
    let evidence = match ordinals {
        Some(ordinals) if with_trace => evidence(explorer, ordinals, &[], false).ok(),
        _ => None,
    };
    failed(failure, evidence, statistics)
}

/// As [`model_failed`], with the way there.
pub(crate) fn failed(failure: &Failure, evidence: Option<Evidence>, statistics: Statistics) -> Answer {
    let mut answer = Answer::undecided("the model has an error", statistics);
    answer.model_error =
        Some(ModelError { error: failure.error.clone(), edges: failure.edges.clone(), evidence });
    answer
}

/// A replayed run along the numbers of successors.
pub(crate) fn evidence(
    explorer: &mut Explorer<'_>,
    ordinals: &[u32],
    finally: &[ClockDifference],
    optimal: bool,
) -> Result<Evidence, InternalError> {
    let path = explorer.path(ordinals)?;
    replayed(explorer, &path, finally, optimal, RunEnding::Goal)
}

/// Times for a path, replayed.
pub(crate) fn replayed(
    explorer: &mut Explorer<'_>,
    path: &[PathStep],
    finally: &[ClockDifference],
    optimal: bool,
    ending: RunEnding,
) -> Result<Evidence, InternalError> {
    let steps = explorer.concretise(path, finally)?;
    let network = explorer.network();
    let steps = replay(network, &steps)?;
    Ok(Evidence { initial: Interpreter::new(network).initial(), steps, optimal, ending })
}
