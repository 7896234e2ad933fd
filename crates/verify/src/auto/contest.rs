//! The searches that take turns for some queries, and what becomes of them.
//!
//! Every query has directed searches and refinement of its own; breadth-first and depth-first search look for all goals at once. The limits hold for all of them together. A search
//! that is over without an answer, or of no use any more, is freed; and when memory becomes short, all but the breadth-first one are.

use super::attempt::{Attempt, Turn};
use super::ranging::Ranging;
use super::schedule::Schedule;
use guidepost_answer::{Answer, Limits, Statistics, Unsupported};
use guidepost_network::Network;
use guidepost_search::{BlindTurns, Configuration, End, Job, Order, Outlook, ProgressObserver};
use std::time::Instant;

/// A search beside the breadth-first one may use one of this many parts of the memory, and of the states.
const PARTS: u64 = 8;
/// The weight of a depth-first search.
const DEPTH_FIRST: u64 = 1;

/// Searches that take turns.
pub(super) struct Contest<'c, 'q, 'n> {
    network: &'n Network,
    configuration: &'c Configuration,
    begin: Instant,
    schedule: Schedule,
    attempts: Vec<Attempt<'c, 'q, 'n>>,
    breadth_first: Option<BlindTurns<'q, 'n>>,
    /// Those that are not over.
    depth_first: Vec<DepthFirst<'q, 'n>>,
    ranging: Ranging<'n>,
    /// What directed searches did for queries that a blind one has answered.
    spent: Statistics,
    answers: Vec<(usize, Answer)>,
}

/// A depth-first search, which begins later than the others.
enum DepthFirst<'q, 'n> {
    Planned(Order),
    Running(Box<BlindTurns<'q, 'n>>),
}

impl<'q, 'n> DepthFirst<'q, 'n> {
    fn running(&self) -> Option<&BlindTurns<'q, 'n>> {
        match self {
            DepthFirst::Planned(_) => None,
            DepthFirst::Running(blind) => Some(blind),
        }
    }

    /// Leaves a query to others.
    fn forget(&mut self, query: usize) {
        if let DepthFirst::Running(blind) = self {
            blind.forget(query);
        }
    }
}

impl<'c, 'q, 'n: 'q> Contest<'c, 'q, 'n> {
    /// Nothing has begun yet.
    pub(super) fn new(
        network: &'n Network,
        jobs: Vec<Job<'q>>,
        configuration: &'c Configuration,
        seed: u64,
    ) -> Self {
        let begin = Instant::now();
        let attempt = |job| Attempt::new(network, job, configuration, seed, begin);
        // The one that takes successors as they come sees a part of the states that depends on how the model is written; where that part is large and empty, the other one gets out of it.
        let deep = [Order::DepthFirst, Order::RandomDepthFirst(seed)].map(DepthFirst::Planned);
        Self {
            network,
            configuration,
            begin,
            schedule: Schedule::new(jobs.len()),
            attempts: jobs.into_iter().map(attempt).collect(),
            breadth_first: None,
            depth_first: if configuration.is_shortest() { Vec::new() } else { Vec::from(deep) },
            ranging: Ranging::Planned,
            spent: Statistics::default(),
            answers: Vec::new(),
        }
    }

    /// Lets the searches take turns until all queries are answered.
    pub(super) fn run(
        mut self,
        observe: &mut ProgressObserver<'_>,
    ) -> Result<Vec<(usize, Answer)>, Unsupported> {
        while !self.attempts.is_empty() {
            self.find_ranges();
            self.direct()?;
            if self.attempts.is_empty() {
                break;
            }
            if let Some(end) = self.search_breadth_first(observe)? {
                self.settle(end);
                break;
            }
            self.search_deep()?;
            self.make_room();
            if let Some(blind) = &self.breadth_first {
                self.schedule.next(blind.effort(), blind.statistics().explored);
            }
        }
        self.end_deep();
        Ok(self.answers)
    }

    /// The directed searches have their turns.
    fn direct(&mut self) -> Result<(), Unsupported> {
        let room = Room { limits: &self.configuration.limits, parts: PARTS * self.attempts.len() as u64 };
        let weights = self.weights();
        let mut used = self.usage();
        let mut open = Vec::new();
        for mut attempt in std::mem::take(&mut self.attempts) {
            let before = attempt.usage();
            match attempt.advance(self.schedule, weights, room, used)? {
                Turn::Answered(query, answer) => self.answered(query, *answer),
                Turn::Open => open.push(attempt),
            }
            let after = open.last().map_or((0, 0), Attempt::usage);
            used = (used.0 + after.0 - before.0.min(used.0), used.1 + after.1 - before.1.min(used.1));
        }
        self.attempts = open;
        Ok(())
    }

    /// A query is answered by somebody who has looked for its goal alone: the others need not look for it any more.
    fn answered(&mut self, query: usize, mut answer: Answer) {
        if let Some(blind) = &mut self.breadth_first {
            blind.forget(query);
            // Breadth-first search has looked for it as well.
            answer.statistics.add_effort(&blind.statistics());
        }
        for deep in self.depth_first.iter().filter_map(DepthFirst::running) {
            answer.statistics.add_effort(&deep.statistics());
        }
        self.depth_first.iter_mut().for_each(|deep| deep.forget(query));
        self.answers.push((query, answer));
    }

    /// Finding ranges has its turn.
    fn find_ranges(&mut self) {
        let jobs = self.attempts.iter().map(|attempt| &attempt.job);
        for (query, mut answer) in self.ranging.advance(self.network, self.schedule, jobs) {
            for attempt in self.attempts.extract_if(.., |attempt| attempt.job.index == query) {
                answer.statistics.add_effort(&attempt.statistics());
            }
            self.answered(query, answer);
        }
    }

    /// Breadth-first search has its turn; says how it ended, if it has.
    fn search_breadth_first(
        &mut self,
        observe: &mut ProgressObserver<'_>,
    ) -> Result<Option<End>, Unsupported> {
        let others = self.usage();
        if self.breadth_first.is_none() {
            self.breadth_first = Some(self.blind(Order::BreadthFirst, &self.configuration.limits)?);
        }
        let Some(blind) = &mut self.breadth_first else { return Ok(None) };
        let own = blind.usage();
        blind.count_beside(others.0.saturating_sub(own.0), others.1.saturating_sub(own.1));
        let end = blind.advance(self.schedule.breadth_first(), observe);
        let is_all_found = blind.has_found_all();
        for attempt in self.attempts.extract_if(.., |attempt| blind.has_found(attempt.job.index)) {
            self.spent.add_effort(&attempt.statistics());
            self.depth_first.iter_mut().for_each(|deep| deep.forget(attempt.job.index));
        }
        Ok(end.or(is_all_found.then_some(End::Satisfied)))
    }

    /// Depth-first searches have their turns. Progress is that of breadth-first search: numbers of several would jump to and fro.
    fn search_deep(&mut self) -> Result<(), Unsupported> {
        // One that is over is taken out of its place.
        let mut place = 0;
        while place < self.depth_first.len() && !self.attempts.is_empty() {
            match self.search_depth_first(place)? {
                None => place += 1,
                // All states were explored: what was not found is not there.
                Some(End::Exhausted) => {
                    for attempt in self.attempts.drain(..) {
                        self.spent.add_effort(&attempt.statistics());
                    }
                    self.conclude_depth_first(place, End::Exhausted);
                }
                Some(_) => self.end_depth_first(place),
            }
        }
        Ok(())
    }

    /// One of them has its turn; says how it ended, if it has.
    fn search_depth_first(&mut self, place: usize) -> Result<Option<End>, Unsupported> {
        let room = Room { limits: &self.configuration.limits, parts: PARTS };
        if let DepthFirst::Planned(order) = self.depth_first[place]
            && self.schedule.has_depth_first()
        {
            self.depth_first[place] = DepthFirst::Running(Box::new(self.blind(order, &room.limits())?));
        }
        let (used, weights) = (self.usage(), self.weights());
        let DepthFirst::Running(blind) = &mut self.depth_first[place] else { return Ok(None) };
        let beside = room.beside(used, blind.usage());
        blind.count_beside(beside.0, beside.1);
        let end =
            blind.advance(self.schedule.beside(DEPTH_FIRST, weights, false, Outlook::Stuck), &mut |_| {});
        let found: Vec<Attempt<'_, '_, '_>> =
            self.attempts.extract_if(.., |attempt| blind.has_found(attempt.job.index)).collect();
        for attempt in found {
            self.spent.add_effort(&attempt.statistics());
            if let Some(breadth_first) = &mut self.breadth_first {
                breadth_first.forget(attempt.job.index);
            }
            for (_, other) in self.depth_first.iter_mut().enumerate().filter(|(other, _)| *other != place) {
                other.forget(attempt.job.index);
            }
        }
        Ok(end)
    }

    /// Depth-first searches are over: what they have found is answered, the rest is left to others.
    fn end_deep(&mut self) {
        while !self.depth_first.is_empty() {
            self.end_depth_first(0);
        }
    }

    fn end_depth_first(&mut self, place: usize) {
        if let DepthFirst::Running(blind) = &mut self.depth_first[place] {
            blind.forget_open();
        }
        self.conclude_depth_first(place, End::Satisfied);
    }

    fn conclude_depth_first(&mut self, place: usize, end: End) {
        let DepthFirst::Running(blind) = self.depth_first.remove(place) else { return };
        let mut statistics = blind.statistics();
        statistics.add_effort(&self.spent);
        let others = self.depth_first.iter().filter_map(DepthFirst::running);
        for other in others.chain(&self.breadth_first) {
            statistics.add_effort(&other.statistics());
        }
        self.answers.extend(blind.conclude(end, statistics, self.configuration));
    }

    /// Breadth-first search is over, and with it everything.
    fn settle(&mut self, end: End) {
        let Some(blind) = self.breadth_first.take() else { return };
        let mut statistics = blind.statistics();
        statistics.add_effort(&self.spent);
        for attempt in self.attempts.drain(..) {
            statistics.add_effort(&attempt.statistics());
        }
        for deep in self.depth_first.iter().filter_map(DepthFirst::running) {
            statistics.add_effort(&deep.statistics());
        }
        self.answers.extend(blind.conclude(end, statistics, self.configuration));
    }

    /// Frees the other searches when breadth-first search will need the memory.
    fn make_room(&mut self) {
        let (states, bytes) = self.usage();
        let limits = &self.configuration.limits;
        let is_short = limits.memory.is_some_and(|limit| bytes > limit / 2)
            || limits.states.is_some_and(|limit| states > limit / 2);
        if is_short {
            self.attempts.iter_mut().for_each(Attempt::dismiss_all);
            self.end_deep();
        }
    }

    fn blind(&self, order: Order, limits: &Limits) -> Result<BlindTurns<'q, 'n>, Unsupported> {
        let jobs = self.attempts.iter().map(|attempt| attempt.job.clone()).collect();
        let limits = Limits { time: self.configuration.limits.left_since(self.begin).time, ..limits.clone() };
        BlindTurns::new(self.network, jobs, self.configuration, order, &limits)
    }

    /// The weights of all searches but the breadth-first one.
    fn weights(&self) -> u64 {
        let depth_first = DEPTH_FIRST * self.depth_first.len() as u64;
        depth_first + self.attempts.iter().map(Attempt::weight).sum::<u64>()
    }

    /// States that all searches have stored, and the memory they use.
    fn usage(&self) -> (u64, usize) {
        let blind = self.depth_first.iter().filter_map(DepthFirst::running).chain(&self.breadth_first);
        let usages = blind.map(BlindTurns::usage).chain(self.attempts.iter().map(Attempt::usage));
        usages.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    }
}

/// What a search beside the breadth-first one may use: one of some parts of what there is, and no more than the others leave.
#[derive(Clone, Copy)]
pub(super) struct Room<'c> {
    limits: &'c Limits,
    parts: u64,
}

impl Room<'_> {
    /// Its part.
    pub(super) fn limits(self) -> Limits {
        Limits {
            memory: self.limits.memory.map(|bytes| bytes / self.parts as usize),
            states: self.limits.states.map(|states| states / self.parts),
            ..self.limits.clone()
        }
    }

    /// What is left of its part, beside what others use, for whoever keeps nothing from one turn to the next.
    pub(super) fn limits_beside(self, used: (u64, usize)) -> Limits {
        let (part, beside) = (self.limits(), self.beside(used, (0, 0)));
        Limits {
            memory: part.memory.map(|bytes| bytes.saturating_sub(beside.1)),
            states: part.states.map(|states| states.saturating_sub(beside.0)),
            ..part
        }
    }

    /// What counts beside its own states and bytes, so that it stops at its part and all together stop at the limits.
    pub(super) fn beside(self, used: (u64, usize), own: (u64, usize)) -> (u64, usize) {
        let beyond =
            |limit: u64, others: u64| (limit / self.parts).saturating_sub(limit.saturating_sub(others));
        let states = self.limits.states.map_or(0, |limit| beyond(limit, used.0.saturating_sub(own.0)));
        let others = used.1.saturating_sub(own.1) as u64;
        (states, self.limits.memory.map_or(0, |limit| beyond(limit as u64, others) as usize))
    }
}
