//! Searches that can be continued, for those who let several take turns.

use crate::best_first::{Allowance, BestFirst};
use crate::configuration::Configuration;
use crate::finished::Finished;
use crate::frontier::Order;
use crate::job::{Job, Lookout, can_fail, guided_explorer_for, sliced_explorer_for};
use crate::merging::Trail;
use crate::outlook::{Advance, Outlook, outlook};
use crate::prepared_heuristics::PreparedHeuristics;
use crate::reach::{End, Search};
use crate::strategy::Directed;
use crate::{ENGINE, ProgressObserver};
use guidepost_answer::{Answer, Estimate, Limits, Method, Statistics, Unsupported, Watch};
use guidepost_explore::GoalTest;
use guidepost_heuristics::{Budget, LocationDeadEnds};
use guidepost_network::Network;

/// A directed search for the goal of one query, to be continued in turns.
pub struct DirectedTurns<'q, 'n> {
    search: BestFirst<'n>,
    job: Job<'q>,
    test: GoalTest<'n>,
    directed: Directed,
    /// How it ended, when it has.
    end: Option<End>,
    /// After every turn that has found a better estimate than all before.
    advances: Vec<Advance>,
}

impl<'q, 'n> DirectedTurns<'q, 'n> {
    /// A search that has not begun. Its heuristics are prepared within a budget, and within the limits of the search.
    pub fn new(
        network: &'n Network,
        job: Job<'q>,
        configuration: &Configuration,
        directed: &Directed,
        limits: &Limits,
    ) -> Result<Self, Unsupported> {
        let prepared = PreparedHeuristics::prepare(
            network,
            job.goals,
            &directed.heuristics,
            limits,
            configuration.budget,
            None,
        );
        Self::guided(network, job, configuration, directed, prepared)
    }

    /// A search with heuristics that are worth having only if they can be built completely within a budget, and if `is_worth` says so, given whether they
    /// prove that there is nothing to be found. `preparing` limits the preparation, `limits` the search.
    #[expect(clippy::too_many_arguments, reason = "two kinds of limits, and who decides")]
    pub fn with_database(
        network: &'n Network,
        job: Job<'q>,
        configuration: &Configuration,
        directed: &Directed,
        budget: Budget,
        preparing: &Limits,
        limits: impl FnOnce() -> Limits,
        is_worth: impl FnOnce(bool) -> bool,
    ) -> Database<Self> {
        let mut prepared =
            PreparedHeuristics::prepare(network, job.goals, &directed.heuristics, preparing, budget, None);
        if !prepared.is_complete {
            return Database::TooLarge;
        }
        if !is_worth(prepared.remarks.proof.is_some()) {
            return Database::NotWorth;
        }
        prepared.watch = Watch::new(&limits());
        match Self::guided(network, job, configuration, directed, prepared) {
            Ok(search) => Database::Built(Box::new(search)),
            Err(_) => Database::NotWorth,
        }
    }

    fn guided(
        network: &'n Network,
        job: Job<'q>,
        configuration: &Configuration,
        directed: &Directed,
        prepared: PreparedHeuristics<'n>,
    ) -> Result<Self, Unsupported> {
        let explorer = guided_explorer_for(network, &job, configuration, directed)?;
        let search = BestFirst::new(explorer, prepared, directed, job.guideposts);
        Ok(Self {
            search,
            job,
            test: GoalTest::new(network),
            directed: directed.clone(),
            end: None,
            advances: Vec::new(),
        })
    }

    /// Continues until it is over or has used up what it is allowed; says how it ended, if it has.
    pub fn advance<'o>(
        &mut self,
        allowance: Allowance,
        observe: Option<&'o mut ProgressObserver<'o>>,
    ) -> Option<&End> {
        if self.end.is_none() && self.search.effort() < allowance.effort {
            let test = std::mem::replace(&mut self.test, GoalTest::new(self.search.explorer.network()));
            let mut lookout = Lookout { jobs: vec![self.job.clone()], test, observe };
            let before = self.search.best_estimate();
            self.end = self.search.advance(&mut lookout, allowance);
            if self.search.best_estimate() < before {
                self.advances.push(Advance {
                    effort: self.search.effort(),
                    explored: self.search.statistics.explored,
                    estimate: self.search.best_estimate(),
                });
            }
            let Lookout { mut jobs, test, .. } = lookout;
            self.job = jobs.remove(0);
            self.test = test;
        }
        self.end.as_ref()
    }

    /// How it gets on.
    pub fn outlook(&self) -> Outlook {
        let initial = self.search.statistics.initial_estimate.unwrap_or(Estimate::DEAD_END);
        outlook(initial, &self.advances, self.search.effort())
    }

    /// The query.
    pub fn job(&self) -> &Job<'q> {
        &self.job
    }

    /// What it has done so far.
    pub fn statistics(&self) -> &Statistics {
        &self.search.statistics
    }

    /// Whether its heuristics prove that there is nothing to be found.
    pub fn has_proof(&self) -> bool {
        self.search.remarks.proof.is_some()
    }

    /// Whether the model or the goals can contain an error that shows when something is evaluated.
    pub fn can_fail(&self) -> bool {
        self.job.can_fail(self.search.explorer.network())
    }

    /// Estimates that were abandoned because each of them took longer than allowed.
    pub fn abandoned(&self) -> u64 {
        self.search.abandoned
    }

    /// States that were ever stored, and the memory in use.
    pub fn usage(&self) -> (u64, usize) {
        self.search.usage()
    }

    /// From now on, so many states of others, and their bytes, count against the limits as well.
    pub fn count_beside(&mut self, states: u64, bytes: usize) {
        self.search.count_beside(states, bytes);
    }

    /// The answer, once it is over.
    pub fn conclude(self, configuration: &Configuration) -> (usize, Answer) {
        let end = self.end.expect("a search is concluded when it is over");
        let BestFirst { store, statistics, mut explorer, remarks, .. } = self.search;
        let ways = Trail::new(store, None).into_ways();
        let finished = Finished { jobs: vec![self.job], end, statistics, approximate: false, ways };
        let (method, optimal) = (self.directed.method(), self.directed.is_optimal());
        let mut answers = finished.answers(&mut explorer, configuration, &method, optimal);
        let (index, answer) = answers.remove(0);
        (index, Answer { remarks, ..answer })
    }
}

/// What came of building a database.
pub enum Database<S> {
    /// It does not fit into the budget.
    TooLarge,
    /// It is not worth it.
    NotWorth,
    /// The search that it guides.
    Built(Box<S>),
}

/// A blind search for the goals of several queries, to be continued in turns.
pub struct BlindTurns<'q, 'n> {
    search: Search<'n>,
    order: Order,
    jobs: Vec<Job<'q>>,
    test: GoalTest<'n>,
}

impl<'q, 'n> BlindTurns<'q, 'n> {
    /// A search that has not begun.
    pub fn new(
        network: &'n Network,
        mut jobs: Vec<Job<'q>>,
        configuration: &Configuration,
        order: Order,
        limits: &Limits,
    ) -> Result<Self, Unsupported> {
        for job in &mut jobs {
            // Others may find a deadlock at greater depth.
            job.gives_up = order == Order::BreadthFirst;
            job.deadlock_trial = configuration.deadlock_trial;
        }
        let explorer = sliced_explorer_for(network, &jobs, configuration)?;
        let is_shortest = configuration.is_shortest() && order == Order::BreadthFirst;
        let search =
            Search::new(explorer, order, limits).shortest(is_shortest).reduced(configuration.reductions);
        let mut turns = Self { search, order, jobs, test: GoalTest::new(network) };
        turns.leave_out_dead_ends();
        Ok(turns)
    }

    /// Leaves out states from which no open goal can be reached, unless an error of the model may hide behind them.
    fn leave_out_dead_ends(&mut self) {
        let network = self.search.explorer.network();
        if !can_fail(network, &self.jobs) {
            let open = self.jobs.iter().filter(|job| job.hit.is_none());
            let dead_ends: Option<Vec<_>> =
                open.map(|job| LocationDeadEnds::new(network, job.goals)).collect();
            self.search.leave_out(dead_ends.unwrap_or_default());
        }
    }

    /// Continues until it is over or has come to so much effort in all; says how it ended, if it has.
    pub fn advance<'o>(&mut self, effort: u64, observe: &'o mut ProgressObserver<'o>) -> Option<End> {
        let network = self.search.explorer.network();
        let test = std::mem::replace(&mut self.test, GoalTest::new(network));
        let jobs = std::mem::take(&mut self.jobs);
        let mut lookout = Lookout { jobs, test, observe: Some(observe) };
        let end = self.search.advance(&mut lookout, effort);
        (self.jobs, self.test) = (lookout.jobs, lookout.test);
        end
    }

    /// Whether the goal of a query was found.
    pub fn has_found(&self, index: usize) -> bool {
        self.jobs.iter().any(|job| job.index == index && job.hit.is_some())
    }

    /// Whether all goals were found.
    pub fn has_found_all(&self) -> bool {
        self.jobs.iter().all(|job| job.hit.is_some())
    }

    /// Leaves a query to others.
    pub fn forget(&mut self, index: usize) {
        self.jobs.retain(|job| job.index != index);
        self.leave_out_dead_ends();
    }

    /// Leaves all queries to others whose goals it has not found.
    pub fn forget_open(&mut self) {
        self.jobs.retain(|job| job.hit.is_some());
    }

    /// What it has done so far.
    pub fn statistics(&self) -> Statistics {
        self.search.numbers()
    }

    /// Work so far, in the units of [`Allowance`].
    pub fn effort(&self) -> u64 {
        self.search.effort()
    }

    /// States that were ever stored, and the memory in use.
    pub fn usage(&self) -> (u64, usize) {
        self.search.usage()
    }

    /// From now on, so many states of others, and their bytes, count against the limits as well.
    pub fn count_beside(&mut self, states: u64, bytes: usize) {
        self.search.count_beside(states, bytes);
    }

    /// The answers to all queries that were not left to others, with statistics that include what others did for them.
    pub fn conclude(
        self,
        end: End,
        statistics: Statistics,
        configuration: &Configuration,
    ) -> Vec<(usize, Answer)> {
        let (mut explorer, trail) = self.search.into_trail();
        let ways = trail.into_ways();
        let finished = Finished { jobs: self.jobs, end, statistics, approximate: false, ways };
        let method = Method::blind(ENGINE, self.order.name());
        let optimal = configuration.is_shortest() && self.order == Order::BreadthFirst;
        finished.answers(&mut explorer, configuration, &method, optimal)
    }
}
