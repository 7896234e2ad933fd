//! The default search.
//!
//! It is not known in advance whether there is a goal. If there is one, directed search finds it soon; if there is none, everything has to be explored, and every estimate is
//! wasted. So both searches take turns. Directed search begins: with useless transitions and h^U for any run, with A* and h^L for a shortest one. What it does not
//! find quickly is searched by breadth-first search as well, all queries in one exploration, while the directed searches go on with a small part
//! of the effort. The search that finishes first gives the answer; so a property that holds costs little more than breadth-first search.
//!
//! A query that is still open then is hard, and an abstraction may pay off: a pattern database (`dpr`) is built with a small part of the effort
//! so far, and again with a larger part when that was not enough. If the abstraction cannot reach the goal, that is the answer. Where a shortest
//! run is wanted, A* with the database takes over from A* with h^L.
//!
//! Effort is counted in transitions, and in estimation steps that take about as long, never in seconds: the same question gets the same answer in the same way on every
//! machine.

use crate::best_first::{Allowance, BestFirst, effort_of_transition};
use crate::configuration::Configuration;
use crate::finished::Finished;
use crate::guidance::Guidance;
use crate::job::{Job, Lookout, explorer_for};
use crate::reach::{End, Search};
use crate::strategy::{Algorithm, Directed};
use crate::{ENGINE, Order, ProgressObserver};
use guidepost_answer::{Answer, Estimate, Limits, Method, StopReason, Unsupported, Watch};
use guidepost_explore::GoalTest;
use guidepost_heuristics::{Budget, HeuristicSpec};
use guidepost_network::Network;
use std::time::Instant;

/// Effort of a directed search before anything else is tried: less than a tenth of a second.
const HEAD_START: u64 = 60_000;
/// Whatever the effort, a directed search expands at least this many states: in large systems a single estimate takes long, and the goal may be near anyway.
const LEAST_STATES: u64 = 100;
/// Unless that takes more effort than this.
const LEAST_STATES_EFFORT: u64 = 4 * HEAD_START;
/// The directed searches together get one of this many parts of the effort after that.
const SHARE: u64 = 8;
/// Effort before the first database is tried, and by how much it has to grow before the next.
const FIRST_DATABASE: u64 = 200_000;
const NEXT_DATABASE: u64 = 3;
/// An abstract state for so much effort; each of them takes some transitions.
const EFFORT_PER_STATE: u64 = 6;
/// A database pays only if it leaves out most of the system: the largest part of it that is kept, in percent.
const SHARE_KEPT: u64 = 75;
/// Breadth-first search goes on by at least this many transitions at a time.
const SLICE: u64 = 10_000;

/// Looks for the goals of some queries in the way that suits them.
pub(crate) fn reach(
    network: &Network,
    jobs: Vec<Job<'_>>,
    configuration: &Configuration,
    seed: u64,
    observe: &mut ProgressObserver<'_>,
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    let begin = Instant::now();
    let directed = choose(configuration, seed);
    let limits = attempt_limits(configuration, jobs.len(), begin);
    let mut answers = Vec::new();
    let mut attempts = Vec::new();
    for job in jobs {
        let mut attempt = Attempt::new(network, job, configuration, &directed, &limits, begin)?;
        match attempt.advance(HEAD_START, Some(&mut *observe)) {
            Some(end) if attempt.is_final(&end) => {
                answers.push(attempt.conclude(end, configuration));
            }
            Some(_) => attempts.push(Attempt { is_over: true, ..attempt }),
            None => attempts.push(attempt),
        }
    }
    if !attempts.is_empty() {
        answers.extend(alternate(network, attempts, configuration, begin, observe)?);
    }
    Ok(answers)
}

fn choose(configuration: &Configuration, seed: u64) -> Directed {
    if configuration.is_shortest() {
        return Directed::new(Algorithm::AStar, HeuristicSpec::Layers);
    }
    let algorithm = Algorithm::UselessTransitions;
    Directed { ties: algorithm.usual_ties(seed), ..Directed::new(algorithm, HeuristicSpec::Solution) }
}

/// A directed search for the goal of one query.
struct Attempt<'q, 'n> {
    search: BestFirst<'n>,
    job: Job<'q>,
    test: GoalTest<'n>,
    directed: Directed,
    /// It has come to an end without an answer.
    is_over: bool,
    /// The effort of breadth-first search at which a database is tried.
    database_at: u64,
    /// What it may use up beside the breadth-first search.
    limits: Limits,
    /// When everything began: limits of time hold for all of it together.
    begin: Instant,
}

impl<'q, 'n> Attempt<'q, 'n> {
    fn new(
        network: &'n Network,
        job: Job<'q>,
        configuration: &Configuration,
        directed: &Directed,
        limits: &Limits,
        begin: Instant,
    ) -> Result<Self, Unsupported> {
        let explorer = explorer_for(network, std::slice::from_ref(&job), configuration)?;
        // What the attempts before this one took counts as well.
        let limits = Limits { time: configuration.limits.left_since(begin).time, ..limits.clone() };
        let specs = &directed.heuristics;
        let guidance = Guidance::prepare(network, job.goals, specs, &limits, configuration.budget, None);
        let search = BestFirst::new(explorer, guidance, directed);
        let test = GoalTest::new(network);
        let directed = directed.clone();
        let database_at = FIRST_DATABASE;
        Ok(Self { search, job, test, directed, is_over: false, database_at, limits, begin })
    }

    /// Continues until it is over or its effort in all is used up.
    fn advance<'o>(&mut self, effort: u64, observe: Option<&'o mut ProgressObserver<'o>>) -> Option<End> {
        let allowance = Allowance { effort, least_states: LEAST_STATES, most_effort: LEAST_STATES_EFFORT };
        if self.search.has_used_up(allowance) {
            return None;
        }
        let test = std::mem::replace(&mut self.test, GoalTest::new(self.search.explorer.network()));
        let mut lookout = Lookout { jobs: vec![self.job.clone()], test, observe };
        let end = self.search.advance(&mut lookout, allowance);
        let Lookout { mut jobs, test, .. } = lookout;
        self.job = jobs.remove(0);
        self.test = test;
        if end.is_none() {
            // An estimate of 0 says nothing: the goal is about clocks or deadlocks only.
            self.is_over = self.search.statistics.initial_estimate == Some(Estimate::ZERO);
        }
        end
    }

    /// Sees to it that all searches together stay within the limit on states, of which so many are stored.
    fn share_states(&mut self, stored: u64, configuration: &Configuration) {
        let (Some(limit), Some(share)) = (configuration.limits.states, self.limits.states) else { return };
        let own = self.search.usage().0;
        let left = limit.saturating_sub(stored.saturating_sub(own));
        self.search.count_beside(share.saturating_sub(left), 0);
    }

    /// Tries an abstraction, when breadth-first search has worked long enough; `used` is the memory in use so far.
    fn reconsider(&mut self, effort: u64, used: usize, configuration: &Configuration) {
        if effort < self.database_at {
            return;
        }
        self.database_at = effort.saturating_mul(NEXT_DATABASE);
        let network = self.search.explorer.network();
        let directed = Directed::new(Algorithm::AStar, HeuristicSpec::Refinement);
        let budget = Budget {
            states: configuration.budget.states.min(effort / EFFORT_PER_STATE),
            share: SHARE_KEPT,
            ..configuration.budget
        };
        let left = configuration.limits.left_since(self.begin);
        let memory = left.memory.map(|bytes| bytes.saturating_sub(used));
        let (specs, limits) = (&directed.heuristics, Limits { memory, ..left });
        let mut guidance = Guidance::prepare(network, self.job.goals, specs, &limits, budget, None);
        if !guidance.is_complete {
            return;
        }
        self.database_at = u64::MAX;
        if guidance.remarks.proof.is_none() && !configuration.is_shortest() {
            return;
        }
        let Ok(explorer) = explorer_for(network, std::slice::from_ref(&self.job), configuration) else {
            return;
        };
        guidance.watch = Watch::new(&Limits {
            time: configuration.limits.left_since(self.begin).time,
            ..self.limits.clone()
        });
        self.search = BestFirst::new(explorer, guidance, &directed);
        self.directed = directed;
        self.is_over = false;
    }

    /// Whether nothing better is to be had. A directed search that runs into an error of the model may have gone where breadth-first search, which finds
    /// the goal first, would not have gone; what is too much for one may not be for the other; and behind states that were forgotten as dead ends, an error
    /// of the model may hide that its author wants to hear of. (Unless there is a proof: then breadth-first search has looked for errors long enough.)
    fn is_final(&self, end: &End) -> bool {
        match end {
            End::Satisfied => true,
            End::Exhausted => {
                self.search.remarks.proof.is_some()
                    || self.search.statistics.dead_ends == 0
                    || !self.can_fail()
            }
            End::Stopped(reason) => matches!(reason, StopReason::Time | StopReason::Interrupt),
            End::Failed(..) => false,
        }
    }

    /// Whether the model or the goals can contain an error that shows when something is evaluated.
    fn can_fail(&self) -> bool {
        let goals = self.job.goals.iter();
        self.search.explorer.network().program.can_fail()
            || goals.map(|goal| &goal.segment).any(|code| code.can_fail())
    }

    fn conclude(self, end: End, configuration: &Configuration) -> (usize, Answer) {
        let BestFirst { store, statistics, mut explorer, remarks, .. } = self.search;
        let ordinals = Box::new(move |id| store.ordinals(id));
        let finished = Finished { jobs: vec![self.job], end, statistics, approximate: false, ordinals };
        let (method, optimal) = (self.directed.method(), self.directed.is_optimal());
        let mut answers = finished.answers(&mut explorer, configuration, &method, optimal);
        let (index, answer) = answers.remove(0);
        (index, Answer { remarks, ..answer })
    }
}

/// What a directed search may use up beside the breadth-first one and the others.
fn attempt_limits(configuration: &Configuration, attempts: usize, begin: Instant) -> Limits {
    let parts = SHARE * attempts as u64;
    Limits {
        memory: configuration.limits.memory.map(|bytes| bytes / parts as usize),
        states: configuration.limits.states.map(|states| states / parts),
        ..configuration.limits.left_since(begin)
    }
}

/// States that the directed searches have stored, and the memory they use.
fn usage(attempts: &[Attempt<'_, '_>]) -> (u64, usize) {
    let usages = attempts.iter().map(|attempt| attempt.search.usage());
    usages.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
}

/// Breadth-first search for all that is left, and the directed searches periodically.
fn alternate<'q, 'n>(
    network: &'n Network,
    mut attempts: Vec<Attempt<'q, 'n>>,
    configuration: &Configuration,
    begin: Instant,
    observe: &mut ProgressObserver<'_>,
) -> Result<Vec<(usize, Answer)>, Unsupported> {
    let jobs: Vec<Job<'q>> = attempts.iter().map(|attempt| attempt.job.clone()).collect();
    let explorer = explorer_for(network, &jobs, configuration)?;
    let mut lookout = Lookout { jobs, test: GoalTest::new(network), observe: Some(observe) };
    let limits = configuration.limits.left_since(begin);
    let mut run = Search::new(explorer, Order::BreadthFirst, &limits).shortest(configuration.is_shortest());
    let mut answers = Vec::new();
    let end = loop {
        let done = run.numbers().generated;
        let (states, bytes) = usage(&attempts);
        run.count_beside(states, bytes);
        if let Some(end) = run.advance(&mut lookout, done + SLICE.max(done / 4)) {
            break end;
        }
        let blind_effort = run.numbers().generated * effort_of_transition(network);
        let effort = HEAD_START + blind_effort / SHARE / attempts.len().max(1) as u64;
        let (own, others) = (run.usage(), usage(&attempts));
        let used = (own.0 + others.0, own.1 + others.1);
        let mut rest = Vec::new();
        for mut attempt in attempts {
            let is_found = lookout.jobs.iter().any(|job| job.index == attempt.job.index && job.hit.is_some());
            if !is_found {
                attempt.reconsider(blind_effort, used.1, configuration);
            }
            attempt.share_states(used.0, configuration);
            let over = if is_found || attempt.is_over { None } else { attempt.advance(effort, None) };
            match over {
                Some(end) if attempt.is_final(&end) => {
                    lookout.jobs.retain(|job| job.index != attempt.job.index);
                    let (index, mut answer) = attempt.conclude(end, configuration);
                    // Breadth-first search has looked for it as well.
                    answer.statistics.add_effort(&run.numbers());
                    answers.push((index, answer));
                }
                Some(_) => rest.push(Attempt { is_over: true, ..attempt }),
                None => rest.push(attempt),
            }
        }
        attempts = rest;
        if lookout.jobs.iter().all(|job| job.hit.is_some()) {
            break End::Satisfied;
        }
    };
    let mut statistics = run.numbers();
    let Search { mut explorer, store, .. } = run;
    for attempt in &attempts {
        statistics.add_effort(&attempt.search.statistics);
    }
    let ordinals = Box::new(move |id| store.ordinals(id));
    let finished = Finished { jobs: lookout.jobs, end, statistics, approximate: false, ordinals };
    let method = Method::blind(ENGINE, Order::BreadthFirst.name());
    answers.extend(finished.answers(&mut explorer, configuration, &method, configuration.is_shortest()));
    Ok(answers)
}
