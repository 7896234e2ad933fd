//! Abstraction refinement guided by counterexamples.
//!
//! Symbols of the network are hidden, which gives a network that can do more and is smaller ([`guidepost_abstraction`]). If it cannot reach the goal, neither can the original. If it can, a search
//! in the original is led along its run (`led`). It finds a goal, or ends where the original cannot follow: then `hints` says which hidden symbols are the reason, and they are shown from then on. In the end nothing is hidden, so each
//! question gets an answer. [`Eager`] and [`Combined`] hide data; [`Hidden`] hides everything that the goal does not name (the loop of Kupferschmid's thesis on directed model checking, chapter 9).
//!
//! What a round does is here; `turns` is the loop of rounds.
//!
//! An error of the model that the abstraction meets is none: there what fails is not possible. An error that the original meets on the way is reported. A proof says that no run without an error reaches the goal.

use crate::Domain;
use crate::data_labels::Data;
use crate::evidence::replayed;
use crate::exclusion::Exclusion;
use crate::hints::{Failing, Hints};
use crate::labels::Clocks;
use crate::lazy::{Builder, End};
use crate::led::{DeadEnd, Done, Halt, Led, LedSearch, Stage};
use crate::precision::Precision;
use crate::predicates::{Dead, Interpolants, Learner, Predicate, Predicates};
use crate::pruning::{Kept, Prune};
use crate::setting::Scope;
use crate::waiting::{Order, Waiting};
use guidepost_abstraction::{AbstractNetwork, Structure, Symbol, hide, hide_in_place};
use guidepost_answer::{
    Answer, Event, Exploration, Limits, Method, ModelError, Observe, Outcome, RunKind, Statistics,
    Unsupported, Watch,
};
use guidepost_explore::{Explorer, Failure, GoalTest, SymbolicState, ZoneAbstraction, differences};
use guidepost_network::{EdgeId, Goal, Network};
use std::time::Instant;

/// To follow a run, so many states may be expanded for each node of the abstract graph,
const PATIENCE: u64 = 10;
/// and so many in any case.
const LEAST_PATIENCE: u64 = 1000;

/// What it takes to hide symbols, and to find out what they depend on, for each part of the network.
const HIDING: u64 = 100;
const CLOSING: u64 = 10;

/// What is hidden at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hiding {
    /// All data that the goal does not name.
    Data,
    /// Everything that the goal does not name.
    Everything,
    /// All data; predicates are followed instead.
    DataBehindPredicates,
}

impl Hiding {
    /// How data are hidden for a domain.
    pub(crate) fn of_data(domain: Domain) -> Self {
        match domain {
            Domain::Values => Hiding::Data,
            Domain::Predicates => Hiding::DataBehindPredicates,
        }
    }
}

/// What a loop does in each round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) hiding: Hiding,
    pub(crate) interpolants: Interpolants,
    /// How time is abstracted; `None`: not at all.
    pub(crate) clocks: Option<Clocks>,
    pub(crate) scope: Scope,
    pub(crate) order: Order,
    pub(crate) prune: Prune,
}

/// What a refinement loop is for, and how it does it.
pub(crate) struct Loop<'q> {
    pub(crate) engine: &'static str,
    pub(crate) way: Way,
    pub(crate) run: RunKind,
    pub(crate) network: &'q Network,
    pub(crate) goals: &'q [Goal],
    pub(crate) holds_if_found: bool,
    pub(crate) index: usize,
}

/// What has been done so far.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) rounds: u64,
    pub(crate) nodes: u64,
    pub(crate) covered: u64,
    /// Nodes of the last round.
    last_nodes: u64,
    /// The edges of the run that the network could not follow last.
    last_run: Vec<Vec<EdgeId>>,
    /// What is left of the graph of the last round.
    pub(crate) kept: Option<Box<Kept>>,
    pub(crate) statistics: Statistics,
}

/// What rounds may use up.
#[derive(Clone, Copy)]
pub(crate) struct Turn<'t> {
    pub(crate) limits: &'t Limits,
    /// When it began: limits of time count from then on.
    pub(crate) begin: Instant,
    /// The effort in all at which to pause.
    pub(crate) effort: u64,
}

impl Turn<'_> {
    /// What rounds and led searches so far have left of the limits.
    fn left(self, record: &Record) -> Limits {
        let left = self.limits.left_since(self.begin);
        Limits { states: left.states.map(|states| states.saturating_sub(record.statistics.stored)), ..left }
    }

    /// What they have left of the effort.
    fn allowance(self, record: &Record) -> u64 {
        self.effort.saturating_sub(record.statistics.effort)
    }
}

/// What a round found out.
pub(crate) enum Round {
    Over(Box<Answer>),
    /// These symbols have to be shown.
    Show(Vec<Symbol>),
    /// These predicates have to be followed. The first node of the run that they are about has so many transitions before it; what can be kept of the graph.
    Learn(Vec<Predicate>, usize, Option<Box<Kept>>),
    /// The whole graph has to be built again.
    Again,
    /// Nothing: the turn is over.
    Paused,
}

impl<'q> Loop<'q> {
    /// What is known at first.
    pub(crate) fn precision(&self, structure: &Structure) -> Precision<'q> {
        Precision::new(self.network, self.goals, structure, self.way.hiding)
    }

    /// Whether predicates are followed.
    fn follows(&self) -> bool {
        self.way.hiding == Hiding::DataBehindPredicates
    }

    pub(crate) fn round(
        &self,
        precision: &Precision<'_>,
        structure: &Structure,
        turn: Turn<'_>,
        record: &mut Record,
        observe: &mut Observe<'_>,
    ) -> Result<Round, Unsupported> {
        let limits = turn.left(record);
        let Precision { hidden, predicates, .. } = precision;
        if hidden.is_empty() {
            return self.last_round(turn, record, observe);
        }
        record.statistics.effort += of_hiding(self.network);
        let hide = if self.follows() { hide_in_place } else { hide };
        let abstraction = hide(self.network, hidden, self.goals);
        let mut builder = self.builder(&abstraction.network, &abstraction.goals, &limits)?;
        builder.allowance = turn.allowance(record);
        if self.follows() {
            builder.follow(Predicates::new(self.network, &abstraction, hidden, self.goals, predicates));
        }
        let kept = record.kept.take();
        let is_continued = kept.is_some();
        if let Some(kept) = kept {
            builder.resume(*kept);
        }
        let (end, statistics) =
            builder.run(&limits, &mut |progress| observe(Event::Progress(self.index, progress)));
        record.add(&statistics);
        Ok(match end {
            End::Proved => Round::Over(Box::new(self.proved())),
            End::Stopped(reason) => self.over(Outcome::Stopped(reason)),
            End::Paused => Round::Paused,
            // A goal that cannot be evaluated in the abstraction says nothing of the original.
            End::Failed(..) => Round::Show(hidden.iter().collect()),
            End::Found(node, _) => {
                let path = builder.path_edges(node);
                match self.follow(&abstraction, precision, structure, &path, turn, record)? {
                    // What was kept knows too little of predicates.
                    Round::Show(_) if is_continued => Round::Again,
                    Round::Learn(predicates, at, _) if at > 0 && self.way.prune == Prune::Lazy => {
                        let kept = builder.keep(node, at as u32 - 1);
                        Round::Learn(predicates, at, Some(Box::new(kept)))
                    }
                    round => round,
                }
            }
        })
    }

    /// The goal cannot be reached, as far as an abstraction says.
    fn proved(&self) -> Answer {
        let mut answer = self.answer(Outcome::Decided(!self.holds_if_found));
        answer.note_errors(self.network);
        answer
    }

    /// Nothing is hidden any more.
    fn last_round(
        &self,
        turn: Turn<'_>,
        record: &mut Record,
        observe: &mut Observe<'_>,
    ) -> Result<Round, Unsupported> {
        let limits = turn.left(record);
        let mut builder = self.builder(self.network, self.goals, &limits)?;
        builder.allowance = turn.allowance(record);
        let (end, statistics) =
            builder.run(&limits, &mut |progress| observe(Event::Progress(self.index, progress)));
        record.add(&statistics);
        if matches!(end, End::Paused) {
            return Ok(Round::Paused);
        }
        Ok(Round::Over(Box::new(builder.answer(
            end,
            self.holds_if_found,
            self.run,
            self.method(),
            Exploration(self.index),
            statistics,
        ))))
    }

    fn builder<'b>(
        &self,
        network: &'b Network,
        goals: &'b [Goal],
        limits: &Limits,
    ) -> Result<Builder<'b>, Unsupported> {
        let mut builder =
            Builder::new(network, goals, self.way.clocks.unwrap_or(Clocks::Bounds), Data::Exact)?;
        builder.waiting = Waiting::new(network, goals, self.way.order, Watch::new(limits).deadline());
        builder.scope = self.way.scope;
        // Differences of clocks have no largest constant: there zones are abstracted all the same.
        builder.knows_constants = self.way.clocks.is_none() && !builder.has_diagonals;
        Ok(builder)
    }

    /// Lets the original follow a run of the abstraction.
    fn follow(
        &self,
        abstraction: &AbstractNetwork,
        precision: &Precision<'_>,
        structure: &Structure,
        run: &[Vec<EdgeId>],
        turn: Turn<'_>,
        record: &mut Record,
    ) -> Result<Round, Unsupported> {
        let mut is_shown = vec![false; self.network.edges.len()];
        // Processes that can do what they do at any time, and take no part in anything else, need not be led.
        let is_free = |edge: &EdgeId| {
            precision.deferred.contains(Symbol::Process(self.network.edges[edge.index()].process))
        };
        let shown = abstraction.origins.iter().flatten().filter(|edge| !is_free(edge));
        shown.for_each(|origin| is_shown[origin.index()] = true);
        let run: Vec<Vec<EdgeId>> = run.iter().map(|edges| abstraction.taken(edges)).collect();
        let led = |edges: &Vec<EdgeId>| edges.iter().copied().filter(|edge| !is_free(edge)).collect();
        let stages: Vec<Stage> = run.iter().map(|edges| Stage { edges: led(edges) }).collect();
        let mut watch = Watch::new(&turn.left(record));
        if let Some(round) =
            self.exclude(precision, structure, &is_shown, &stages, turn, &mut watch, record)?
        {
            return Ok(round);
        }
        let all: Vec<&Goal> = self.goals.iter().collect();
        let mut explorer = Explorer::new(self.network, &all, ZoneAbstraction::REACHABILITY)?;
        let mut search = LedSearch {
            explorer: &mut explorer,
            network: self.network,
            goals: self.goals,
            original: None,
            is_shown: &is_shown,
            stages: &stages,
            watch: &mut watch,
            patience: record.patience(),
            allowance: turn.allowance(record),
            done: Done::default(),
        };
        let led = search.run();
        record.add_led(search.done);
        Ok(match led {
            Led::Halted(halt) => self.halted(halt),
            Led::Failed(ordinals, failure) => self.failed(&ordinals, failure, &mut explorer),
            Led::Found(ordinals, state, goal) => {
                let mut answer = self.answer(Outcome::Decided(self.holds_if_found));
                if self.run != RunKind::None {
                    let mut test = GoalTest::new(self.network);
                    let meets = test.meets(&self.goals[goal], &state).unwrap_or(false);
                    debug_assert!(meets, "it has just been found");
                    let finally = if self.goals[goal].clocks.is_empty() {
                        Vec::new()
                    } else {
                        differences(&state, test.zone())
                    };
                    answer.attach(replayed(&ordinals, &finally, &mut explorer));
                }
                Round::Over(Box::new(answer))
            }
            Led::Stuck(DeadEnd { at, states, .. }) => {
                if let Some((predicates, from)) = self.learn(precision, run, at, &states, record) {
                    return Ok(Round::Learn(predicates, from, None));
                }
                Round::Show(self.reasons(precision, &stages, at, &states))
            }
        })
    }

    /// Shows few symbols that exclude a run; `None`, if none are known.
    #[expect(clippy::too_many_arguments, reason = "what is known, the run, and what may be used up")]
    fn exclude(
        &self,
        precision: &Precision<'_>,
        structure: &Structure,
        is_shown: &[bool],
        stages: &[Stage],
        turn: Turn<'_>,
        watch: &mut Watch,
        record: &mut Record,
    ) -> Result<Option<Round>, Unsupported> {
        if self.follows() || self.way.interpolants == Interpolants::Newton {
            return Ok(None);
        }
        let Precision { hidden, deferred, .. } = precision;
        let mut exclusion = Exclusion {
            network: self.network,
            goals: self.goals,
            structure,
            hidden,
            deferred,
            is_shown,
            stages,
            patience: record.patience(),
            allowance: turn.allowance(record),
            done: Done::default(),
            halt: None,
        };
        let mentioned = Hints::new(self.network, hidden, deferred).mentioned(stages);
        let least = exclusion.least(mentioned, watch)?;
        record.add_led(exclusion.done);
        if let Some(halt) = exclusion.halt {
            return Ok(Some(self.halted(halt)));
        }
        Ok((!least.is_empty()).then_some(Round::Show(least)))
    }

    /// What keeps some states of the network from following a run further.
    fn reasons(
        &self,
        precision: &Precision<'_>,
        stages: &[Stage],
        at: usize,
        states: &[SymbolicState],
    ) -> Vec<Symbol> {
        let mut hints = Hints::new(self.network, &precision.hidden, &precision.deferred);
        let edges = stages.get(at).map_or(&[][..], |stage| &stage.edges);
        let reasons = match self.way.interpolants {
            Interpolants::Sequence => hints.fewest(states, edges),
            Interpolants::Newton => hints.all(states, edges),
        };
        let mut symbols = reasons.clone();
        if hints.are_deferred(&symbols) {
            symbols = hints.latest(&stages[..at]);
        }
        if hints.are_deferred(&symbols) {
            symbols = hints.fewest_around(states, edges);
        }
        // With none at all, whatever is not to be shown last is shown.
        if hints.are_deferred(&symbols) {
            symbols = if precision.is_only_deferred() { reasons } else { Vec::new() };
        }
        symbols
    }

    /// Predicates that exclude a run of the abstraction, which the network cannot follow further than to some states, and the number of transitions before the first node that they are about. `None`: none that are new.
    fn learn(
        &self,
        precision: &Precision<'_>,
        run: Vec<Vec<EdgeId>>,
        at: usize,
        states: &[SymbolicState],
        record: &mut Record,
    ) -> Option<(Vec<Predicate>, usize)> {
        if !self.follows() {
            return None;
        }
        // A run that comes again was not excluded: something else than data guards stands against it.
        let is_old = run == record.last_run;
        record.last_run = run;
        if is_old {
            return None;
        }
        let edges = record.last_run.get(at).map(Vec::as_slice);
        let mut hints = Hints::new(self.network, &precision.hidden, &precision.deferred);
        let Failing { condition, goal, is_after, .. } = hints.failing(states, edges, self.goals)?;
        let dead = Dead { after: at + usize::from(is_after), condition, goal };
        let found =
            Learner::new(self.network, self.goals).exclude(&record.last_run, dead, self.way.interpolants);
        let from = found.iter().map(|(_, at)| *at).min()?;
        let found = found.into_iter().map(|(predicate, _)| predicate).collect();
        Some((precision.new_among(found)?, from))
    }

    fn failed(&self, ordinals: &[u32], failure: Failure, explorer: &mut Explorer<'_>) -> Round {
        let wants_run = self.run != RunKind::None;
        let evidence = wants_run.then(|| replayed(ordinals, &[], explorer).ok()).flatten();
        let error = ModelError { error: failure.error, edges: failure.edges, evidence };
        self.over(Outcome::Failed(Box::new(error)))
    }

    fn halted(&self, halt: Halt) -> Round {
        match halt {
            Halt::Limit(reason) => self.over(Outcome::Stopped(reason)),
            Halt::Paused => Round::Paused,
        }
    }

    fn over(&self, outcome: Outcome<bool>) -> Round {
        Round::Over(Box::new(self.answer(outcome)))
    }

    fn answer(&self, outcome: Outcome<bool>) -> Answer {
        Answer::new(outcome, self.method(), Exploration(self.index), Statistics::default())
    }

    fn method(&self) -> Method {
        let order = self.way.order;
        Method { engine: self.engine, search: order.name(), heuristic: order.heuristic().into() }
    }
}

impl Record {
    /// How many states may be expanded to find out what is wrong with a run.
    fn patience(&self) -> u64 {
        LEAST_PATIENCE + PATIENCE * self.last_nodes
    }

    fn add_led(&mut self, done: Done) {
        self.statistics.explored += done.explored;
        self.statistics.stored += done.stored;
        self.statistics.effort += done.effort;
    }

    fn add(&mut self, statistics: &Statistics) {
        self.nodes += statistics.explored;
        self.last_nodes = statistics.explored;
        self.covered = statistics.covered;
        let bytes = self.statistics.bytes.max(statistics.bytes);
        let discrete = self.statistics.discrete.max(statistics.discrete);
        self.statistics.add(statistics);
        self.statistics.bytes = bytes;
        self.statistics.discrete = discrete;
    }
}

/// What it takes to hide symbols of a network, and to begin to explore what is left.
pub(crate) fn of_hiding(network: &Network) -> u64 {
    HIDING * size(network)
}

/// What it takes to find out what symbols of a network depend on.
pub(crate) fn of_closing(network: &Network) -> u64 {
    CLOSING * size(network)
}

fn size(network: &Network) -> u64 {
    (network.edges.len() + network.locations.len() + network.variables.len() + network.clocks.len()) as u64
}
