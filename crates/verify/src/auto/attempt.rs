//! The directed searches for the goal of one query, and refinement beside them.

use super::contest::Room;
use super::refining::{Inquiry, Refining};
use super::schedule::Schedule;
use guidepost_answer::{Answer, Estimate, Limits, Statistics, StopReason, Unsupported};
use guidepost_heuristics::{Budget, HeuristicSpec};
use guidepost_network::Network;
use guidepost_search::{
    Algorithm, Allowance, Configuration, Database, Directed, DirectedTurns, End, Job, Outlook,
};
use std::time::Instant;

/// A database pays only if it leaves out most of the system: the largest part of it that is kept, in percent.
const SHARE_KEPT: u64 = 75;
/// Choosing what a database keeps takes as long as exploring an abstract state for each of so many edges, at least.
const EDGES_PER_STATE: u64 = 16;
/// A search gives up its heuristic when so many estimates, and most of all, took too long.
const ABANDONED: u64 = 8;

/// What a directed search goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guide {
    /// A* with h^L, for shortest runs.
    Layers,
    /// Useless transitions with h^U.
    Solution,
    /// Greedy with d^U.
    GraphDistance,
    /// By what no state has had before, and then by the number of open conditions.
    Conditions,
    /// A* with a database.
    Database,
}

impl Guide {
    fn directed(self, seed: u64) -> Directed {
        let (algorithm, heuristic) = match self {
            Guide::Layers => (Algorithm::AStar, HeuristicSpec::Layers),
            Guide::Solution => (Algorithm::UselessTransitions, HeuristicSpec::Solution),
            Guide::GraphDistance => (Algorithm::Greedy, HeuristicSpec::GraphSum),
            Guide::Conditions => (Algorithm::Novelty, HeuristicSpec::Hamming),
            Guide::Database => (Algorithm::AStar, HeuristicSpec::Refinement),
        };
        Directed { ties: algorithm.usual_ties(seed), ..Directed::new(algorithm, heuristic) }
    }

    /// Whether it is worth its effort even where it has nothing to say: all states are alike to it then, and it takes them in a random order, as no other search does.
    fn may_be_blind(self) -> bool {
        self == Guide::GraphDistance
    }

    /// Whether it has its head start before the others begin: where several find the goal soon, its runs are the best.
    fn goes_first(self) -> bool {
        matches!(self, Guide::Layers | Guide::Solution)
    }

    /// Its part of the effort.
    fn weight(self) -> u64 {
        match self {
            Guide::Layers | Guide::Database | Guide::Conditions => 1,
            Guide::GraphDistance => 2,
            Guide::Solution => 3,
        }
    }
}

/// All that is done for the goal of one query alone.
pub(super) struct Attempt<'c, 'q, 'n> {
    pub(super) job: Job<'q>,
    network: &'n Network,
    configuration: &'c Configuration,
    seed: u64,
    /// When everything began: limits of time hold for all of it together.
    begin: Instant,
    /// Those that have not begun yet.
    planned: Vec<Guide>,
    searches: Vec<(Guide, DirectedTurns<'q, 'n>)>,
    refining: Refining<'q>,
    /// What searches did that are over.
    spent: Statistics,
    /// The effort of breadth-first search when a database was tried.
    last_database: Option<u64>,
}

/// What came of a turn.
pub(super) enum Turn {
    /// The query is answered.
    Answered(usize, Box<Answer>),
    /// Others have to go on.
    Open,
}

impl<'c, 'q, 'n: 'q> Attempt<'c, 'q, 'n> {
    pub(super) fn new(
        network: &'n Network,
        job: Job<'q>,
        configuration: &'c Configuration,
        seed: u64,
        begin: Instant,
    ) -> Self {
        let planned = if configuration.is_shortest() {
            vec![Guide::Layers]
        } else {
            vec![Guide::Solution, Guide::GraphDistance, Guide::Conditions]
        };
        let (searches, refining, spent) = (Vec::new(), Refining::Planned, Statistics::default());
        Self {
            job,
            network,
            configuration,
            seed,
            begin,
            planned,
            searches,
            refining,
            spent,
            last_database: None,
        }
    }

    /// The weight of all its searches.
    pub(super) fn weight(&self) -> u64 {
        let planned = self.planned.iter().map(|guide| guide.weight()).sum::<u64>();
        planned + self.searches.iter().map(|(guide, _)| guide.weight()).sum::<u64>()
    }

    /// States stored, and the memory in use.
    pub(super) fn usage(&self) -> (u64, usize) {
        let usages = self.searches.iter().map(|(_, search)| search.usage());
        usages.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    }

    /// What was done for the query.
    pub(super) fn statistics(&self) -> Statistics {
        let mut statistics = self.spent;
        for (_, search) in &self.searches {
            statistics.add_effort(search.statistics());
        }
        statistics.add_effort(&self.refining.statistics());
        statistics
    }

    /// Everybody has a turn; `weights` are those of all searches of the contest, and `used` states and bytes are those of all.
    pub(super) fn advance(
        &mut self,
        schedule: Schedule,
        weights: u64,
        room: Room<'_>,
        used: (u64, usize),
    ) -> Result<Turn, Unsupported> {
        if let Some(answer) = self.refine(schedule, weights, room, used) {
            return Ok(answer);
        }
        self.reconsider(schedule, room, used);
        self.begin_planned(room)?;
        let arriving = self.arriving();
        for index in (0..self.searches.len()).rev() {
            let (guide, search) = &mut self.searches[index];
            let is_arriving = arriving == Some(*guide);
            let outlook = if is_arriving || arriving.is_none() { search.outlook() } else { Outlook::Stuck };
            let mut effort = schedule.beside(guide.weight(), weights, guide.goes_first(), outlook);
            if is_arriving {
                effort = effort.max(schedule.arriving());
            }
            let beside = room.beside(used, search.usage());
            search.count_beside(beside.0, beside.1);
            let end = search.advance(Allowance { effort, estimate: schedule.patience() }, None).cloned();
            match end {
                Some(end) if is_final(search, &end) => {
                    let (_, search) = self.searches.remove(index);
                    let has_proof = search.has_proof();
                    let (query, mut answer) = search.conclude(self.configuration);
                    if has_proof {
                        answer.note_errors(self.network);
                    }
                    answer.statistics.add_effort(&self.statistics());
                    return Ok(Turn::Answered(query, Box::new(answer)));
                }
                Some(_) => self.dismiss(index),
                None if is_of_no_use(*guide, search) => self.dismiss(index),
                None => {}
            }
        }
        Ok(Turn::Open)
    }

    /// What the search goes by that will be the first to arrive at its goal, if it goes on like this; `None` where none will soon.
    fn arriving(&self) -> Option<Guide> {
        let arrivals = self.searches.iter().filter_map(|(guide, search)| match search.outlook() {
            Outlook::Arriving(left) => Some((left, *guide)),
            Outlook::Nearer | Outlook::Stuck => None,
        });
        arrivals.min_by_key(|(left, _)| *left).map(|(_, guide)| guide)
    }

    /// Refinement has its turn; the answer, if there is one.
    fn refine(
        &mut self,
        schedule: Schedule,
        weights: u64,
        room: Room<'_>,
        used: (u64, usize),
    ) -> Option<Turn> {
        let limits = Limits {
            time: self.configuration.limits.left_since(self.begin).time,
            ..room.limits_beside(used)
        };
        let (network, job, configuration) = (self.network, &self.job, self.configuration);
        let inquiry = Inquiry { network, job, configuration };
        let mut answer = self.refining.advance(&inquiry, schedule, weights, &limits)?;
        answer.statistics.add_effort(&self.statistics());
        Some(Turn::Answered(self.job.index, Box::new(answer)))
    }

    /// Begins with the searches that are planned.
    fn begin_planned(&mut self, room: Room<'_>) -> Result<(), Unsupported> {
        for guide in std::mem::take(&mut self.planned) {
            let directed = guide.directed(self.seed);
            // What was done before counts as well.
            let limits =
                Limits { time: self.configuration.limits.left_since(self.begin).time, ..room.limits() };
            let search =
                DirectedTurns::new(self.network, self.job.clone(), self.configuration, &directed, &limits)?;
            self.searches.insert(0, (guide, search));
        }
        Ok(())
    }

    /// Frees a search that is of no use any more.
    fn dismiss(&mut self, index: usize) {
        let (_, search) = self.searches.remove(index);
        // Its states are gone; what it did is not undone.
        self.spent.add_effort(&Statistics { stored: 0, bytes: 0, ..*search.statistics() });
    }

    /// Frees all searches.
    fn dismiss_searches(&mut self) {
        self.planned.clear();
        while !self.searches.is_empty() {
            self.dismiss(0);
        }
    }

    /// Frees everything.
    pub(super) fn dismiss_all(&mut self) {
        self.dismiss_searches();
        self.spent.add_effort(&self.refining.statistics());
        self.refining = Refining::Over;
    }

    /// Tries a database, when breadth-first search has worked long enough; `used` states and bytes are in use so far.
    fn reconsider(&mut self, schedule: Schedule, room: Room<'_>, used: (u64, usize)) {
        let Some(states) = schedule.database(self.last_database) else { return };
        // Where every state has thousands of successors, few have been expanded so far.
        if states < self.network.edges.len() as u64 / EDGES_PER_STATE {
            return;
        }
        self.last_database = Some(schedule.blind());
        let configuration = self.configuration;
        let budget = Budget {
            states: configuration.budget.states.min(states),
            share: SHARE_KEPT,
            ..configuration.budget
        };
        let left = || configuration.limits.left_since(self.begin);
        let preparing = Limits { memory: left().memory.map(|bytes| bytes.saturating_sub(used.1)), ..left() };
        let limits = || Limits { time: left().time, ..room.limits() };
        // Its estimates guide only the search for shortest runs; elsewhere a database is worth what it proves.
        let is_worth = |has_proof| has_proof || configuration.is_shortest();
        let directed = Guide::Database.directed(self.seed);
        let job = self.job.clone();
        let database = DirectedTurns::with_database(
            self.network,
            job,
            configuration,
            &directed,
            budget,
            &preparing,
            limits,
            is_worth,
        );
        match database {
            Database::TooLarge => {}
            Database::NotWorth => self.last_database = Some(u64::MAX),
            Database::Built(search) => {
                self.last_database = Some(u64::MAX);
                self.dismiss_searches();
                self.searches.push((Guide::Database, *search));
            }
        }
    }
}

/// Whether a search cannot be expected to find anything that others do not.
fn is_of_no_use(guide: Guide, search: &DirectedTurns<'_, '_>) -> bool {
    // An estimate of 0 says nothing: the goal is about clocks or deadlocks only, or about something else than the heuristic looks at.
    let is_blind = !guide.may_be_blind() && search.statistics().initial_estimate == Some(Estimate::ZERO);
    let is_slow = search.abandoned() >= ABANDONED && 2 * search.abandoned() > search.statistics().evaluations;
    is_blind || is_slow
}

/// Whether nothing better is to be had. A directed search that runs into an error of the model may have gone where breadth-first search, which finds
/// the goal first, would not have gone; what is too much for one may not be for the other; and behind states that were forgotten as dead ends, an error
/// of the model may hide that its author wants to hear of. (Unless there is a proof: then breadth-first search has looked for errors long enough.)
fn is_final(search: &DirectedTurns<'_, '_>, end: &End) -> bool {
    match end {
        End::Satisfied => true,
        End::Exhausted => search.has_proof() || search.statistics().dead_ends == 0 || !search.can_fail(),
        End::Stopped(reason) => matches!(reason, StopReason::Time | StopReason::Interrupt),
        End::Failed(..) => false,
    }
}
