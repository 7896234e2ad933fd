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

use guidepost_answer::{Answer, CompiledQuery, Engine, Estimate, Limits, Observe, StopReason, Unsupported};
use guidepost_heuristics::{Budget, HeuristicSpec};
use guidepost_network::Network;
use guidepost_search::{
    Algorithm, Allowance, BlindTurns, Configuration, Directed, DirectedTurns, End, Exchange, Job,
    ProgressObserver, Zones,
};
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

/// The engine for those who have not chosen one.
pub(crate) struct Auto {
    pub(crate) configuration: Configuration,
    /// The seed of random choices.
    pub(crate) seed: u64,
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        self.zones().accepts(network, query)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        self.zones().answer_with(network, queries, observe, &mut |jobs, configuration, observe| {
            reach(network, jobs, configuration, self.seed, observe)
        })
    }
}

impl Auto {
    /// Whoever answers what is not about reachability.
    fn zones(&self) -> Zones {
        Zones { configuration: self.configuration.clone() }
    }
}

/// Looks for the goals of some queries in the way that suits them.
fn reach(
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
        if attempt.advance(HEAD_START, Some(&mut *observe)) {
            answers.push(attempt.search.conclude(configuration));
        } else {
            attempts.push(attempt);
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
    search: DirectedTurns<'q, 'n>,
    /// It has come to an end without an answer, or is not worth more turns.
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
        // What the attempts before this one took counts as well.
        let limits = Limits { time: configuration.limits.left_since(begin).time, ..limits.clone() };
        let search = DirectedTurns::new(network, job, configuration, directed, &limits)?;
        Ok(Self { search, is_over: false, database_at: FIRST_DATABASE, limits, begin })
    }

    /// Continues until it is over or its effort in all is used up. Says whether its answer stands.
    fn advance<'o>(&mut self, effort: u64, observe: Option<&'o mut ProgressObserver<'o>>) -> bool {
        let allowance = Allowance { effort, least_states: LEAST_STATES, most_effort: LEAST_STATES_EFFORT };
        let end = self.search.advance(allowance, observe).cloned();
        // An estimate of 0 says nothing: the goal is about clocks or deadlocks only.
        self.is_over = end.is_some() || self.search.statistics().initial_estimate == Some(Estimate::ZERO);
        end.is_some_and(|end| self.is_final(&end))
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
        let directed = Directed::new(Algorithm::AStar, HeuristicSpec::Refinement);
        let budget = Budget {
            states: configuration.budget.states.min(effort / EFFORT_PER_STATE),
            share: SHARE_KEPT,
            ..configuration.budget
        };
        let left = || configuration.limits.left_since(self.begin);
        let preparing = Limits { memory: left().memory.map(|bytes| bytes.saturating_sub(used)), ..left() };
        let limits = || Limits { time: left().time, ..self.limits.clone() };
        // Its estimates guide only the search for shortest runs; elsewhere a database is worth what it proves.
        let is_worth = |has_proof| has_proof || configuration.is_shortest();
        match self.search.exchanged(configuration, &directed, budget, &preparing, limits, is_worth) {
            Exchange::TooLarge => {}
            Exchange::NotWorth => self.database_at = u64::MAX,
            Exchange::Done(search) => {
                self.database_at = u64::MAX;
                self.search = *search;
                self.is_over = false;
            }
        }
    }

    /// Whether nothing better is to be had. A directed search that runs into an error of the model may have gone where breadth-first search, which finds
    /// the goal first, would not have gone; what is too much for one may not be for the other; and behind states that were forgotten as dead ends, an error
    /// of the model may hide that its author wants to hear of. (Unless there is a proof: then breadth-first search has looked for errors long enough.)
    fn is_final(&self, end: &End) -> bool {
        match end {
            End::Satisfied => true,
            End::Exhausted => {
                self.search.has_proof() || self.search.statistics().dead_ends == 0 || !self.search.can_fail()
            }
            End::Stopped(reason) => matches!(reason, StopReason::Time | StopReason::Interrupt),
            End::Failed(..) => false,
        }
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
    let jobs: Vec<Job<'q>> = attempts.iter().map(|attempt| attempt.search.job().clone()).collect();
    let limits = configuration.limits.left_since(begin);
    let mut blind = BlindTurns::new(network, jobs, configuration, &limits)?;
    let mut answers = Vec::new();
    let end = loop {
        let done = blind.statistics().generated;
        let (states, bytes) = usage(&attempts);
        blind.count_beside(states, bytes);
        if let Some(end) = blind.advance(done + SLICE.max(done / 4), &mut *observe) {
            break end;
        }
        let blind_effort = blind.effort();
        let effort = HEAD_START + blind_effort / SHARE / attempts.len().max(1) as u64;
        let (own, others) = (blind.usage(), usage(&attempts));
        let used = (own.0 + others.0, own.1 + others.1);
        let mut rest = Vec::new();
        for mut attempt in attempts {
            let query = attempt.search.job().index;
            let is_found = blind.has_found(query);
            if !is_found {
                attempt.reconsider(blind_effort, used.1, configuration);
            }
            attempt.share_states(used.0, configuration);
            if !is_found && !attempt.is_over && attempt.advance(effort, None) {
                blind.forget(query);
                let (index, mut answer) = attempt.search.conclude(configuration);
                // Breadth-first search has looked for it as well.
                answer.statistics.add_effort(&blind.statistics());
                answers.push((index, answer));
            } else {
                rest.push(attempt);
            }
        }
        attempts = rest;
        if blind.has_found_all() {
            break End::Satisfied;
        }
    };
    let mut statistics = blind.statistics();
    for attempt in &attempts {
        statistics.add_effort(attempt.search.statistics());
    }
    answers.extend(blind.conclude(end, statistics, configuration));
    Ok(answers)
}
