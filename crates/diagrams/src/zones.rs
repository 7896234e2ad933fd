//! The engine `cdd`: zones that were explored are kept as clock difference diagrams.
//!
//! A store of zones asks whether *one* stored zone covers a new one. Here the zones of a discrete state are one set, and a new zone is covered if that contains it: perhaps by the union of many.
//! So fewer states may have to be explored, and what zones have in common is stored once, also across discrete states. The price is that asking for inclusion walks through a
//! diagram, with a zone in hand.
//!
//! States are explored breadth-first with extrapolated zones (`Extra+_LU` if nothing else is said), for which covering is inclusion: each valuation of a covered zone is in a zone whose successors are (or will be) explored.
//!
//! This stands beside the store of the engine `zones` and does not replace it: that one compares zones modulo simulation, which a union of zones cannot be asked for, and is faster wherever
//! it was measured (docs/engines.md has the numbers).

mod passed;

use guidepost_answer::{
    Answer, CompiledQuery, Engine, Event, Evidence, Exploration, InternalError, Limits, Method, ModelError,
    Observe, Outcome, Progress, RunEnding, RunKind, Statistics, StopReason, Unsupported, Watch, answer_each,
};
use guidepost_explore::{
    ClockDifference, Explorer, Extrapolation, Failure, GoalTest, Subsumption, SymbolicState, ZoneAbstraction,
    differences,
};
use guidepost_network::{EdgeId, Goal, Network};
pub use passed::Discrete;
use passed::Passed;
use std::collections::VecDeque;
use std::ops::ControlFlow;

const NAME: &str = "cdd";

/// Exploration with clock difference diagrams.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// How the discrete part of states is kept.
    pub discrete: Discrete,
    /// Whether paths that contradict themselves are removed after every union.
    pub reduce: bool,
    /// How zones are widened; `Extra+_LU` if nothing is said.
    pub extrapolation: Option<Extrapolation>,
    /// The evidence that is wanted.
    pub run: RunKind,
    /// What the exploration for each query may use up.
    pub limits: Limits,
}

impl Engine for Differences {
    fn name(&self) -> &'static str {
        NAME
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        let refuse = |what| Err(Unsupported::Question { engine: NAME, what });
        let Some((goals, _)) = query.question.target() else {
            return refuse("anything but `E<>` and `A[]`");
        };
        if matches!(self.run, RunKind::Fastest | RunKind::Cheapest) {
            return refuse("queries with fastest or cheapest runs");
        }
        if goals.iter().any(|goal| goal.deadlock.is_some()) {
            return refuse("questions about `deadlock`");
        }
        guidepost_explore::supports(network, false)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        answer_each(self, network, queries, observe, |goals, holds_if_found, index, observe| {
            let mut exploring = Exploring::new(self, network, goals)?;
            let end = exploring.run(&mut |progress| observe(Event::Progress(index, progress)));
            Ok(exploring.answer(end, holds_if_found, index))
        })
    }
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
struct Way {
    parent: u32,
    /// The number of the successor, or of the initial state.
    ordinal: u32,
    depth: u32,
}

/// The parent of initial states.
const NONE: u32 = u32::MAX;

/// How an exploration ends.
enum End {
    Found(u32, Vec<ClockDifference>),
    Exhausted,
    Stopped(StopReason),
    Failed(u32, Failure),
}

/// An exploration for the goals of one query.
struct Exploring<'e, 'n> {
    engine: &'e Differences,
    explorer: Explorer<'n>,
    goals: &'e [Goal],
    test: GoalTest<'n>,
    watch: Watch,
    passed: Passed,
    ways: Vec<Way>,
    waiting: VecDeque<(u32, SymbolicState)>,
    statistics: Statistics,
    /// The most memory that was in use: diagrams shrink when what they do not need is forgotten.
    peak: usize,
}

impl<'e, 'n> Exploring<'e, 'n> {
    fn new(engine: &'e Differences, network: &'n Network, goals: &'e [Goal]) -> Result<Self, Unsupported> {
        let wanted: Vec<&Goal> = goals.iter().collect();
        let abstraction = ZoneAbstraction {
            extrapolation: engine.extrapolation.unwrap_or(Extrapolation::LuPlus),
            subsumption: Subsumption::Inclusion,
            ..ZoneAbstraction::REACHABILITY
        };
        let explorer = Explorer::new(network, &wanted, abstraction)?;
        let passed = Passed::new(network, explorer.packing(), engine.discrete, engine.reduce);
        Ok(Self {
            engine,
            explorer,
            goals,
            test: GoalTest::new(network),
            watch: Watch::new(&engine.limits),
            passed,
            ways: Vec::new(),
            waiting: VecDeque::new(),
            statistics: Statistics::default(),
            peak: 0,
        })
    }

    fn run(&mut self, observe: &mut dyn FnMut(&Progress)) -> End {
        let initial = match self.explorer.initial_states() {
            Ok(states) => states,
            Err(failure) => return End::Failed(NONE, failure),
        };
        for (ordinal, state) in (0..).zip(initial) {
            if let Some(end) = self.take(state, Way { parent: NONE, ordinal, depth: 0 }) {
                return end;
            }
        }
        while let Some((number, state)) = self.waiting.pop_front() {
            let bytes = self.measure();
            if let Some(reason) = self.watch.check(self.ways.len() as u64, || bytes) {
                return End::Stopped(reason);
            }
            if self.watch.is_report_due() {
                let (waiting, depth) = (self.waiting.len() as u64, self.ways[number as usize].depth.into());
                observe(&Progress { statistics: self.numbers(), waiting, depth, ..Progress::default() });
            }
            if let Some(end) = self.expand(number, &state) {
                return end;
            }
        }
        End::Exhausted
    }

    fn expand(&mut self, number: u32, state: &SymbolicState) -> Option<End> {
        self.statistics.explored += 1;
        let mut successors = Vec::new();
        let result = self.explorer.expand(state, &mut |successor, _| {
            successors.push(successor.clone());
            ControlFlow::Continue(())
        });
        if let Err(failure) = result {
            return Some(End::Failed(number, failure));
        }
        let depth = self.ways[number as usize].depth + 1;
        for (ordinal, successor) in (0..).zip(successors) {
            self.statistics.generated += 1;
            let bytes = self.measure();
            if let Some(reason) = self.watch.check_successor(|| bytes) {
                return Some(End::Stopped(reason));
            }
            let end = self.take(successor, Way { parent: number, ordinal, depth });
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Takes up a state, unless what was explored contains it; says whether that ends the exploration.
    fn take(&mut self, state: SymbolicState, way: Way) -> Option<End> {
        if !self.passed.add(self.explorer.packing(), &state) {
            self.statistics.covered += 1;
            return None;
        }
        let number = self.ways.len() as u32;
        self.ways.push(way);
        for goal in self.goals {
            match self.test.meets(goal, &state) {
                Ok(false) => {}
                Ok(true) if goal.clocks.is_empty() => return Some(End::Found(number, Vec::new())),
                Ok(true) => return Some(End::Found(number, differences(&state, self.test.zone()))),
                Err(error) => return Some(End::Failed(number, Failure::outside(error))),
            }
        }
        self.waiting.push_back((number, state));
        None
    }

    /// The memory in use.
    fn measure(&mut self) -> usize {
        let bytes = self.bytes();
        self.peak = self.peak.max(bytes);
        bytes
    }

    fn bytes(&self) -> usize {
        let state = self.waiting.front().map_or(0, |(_, state)| {
            size_of_val(&state.cells[..]) + size_of_val(state.zone.entries()) + size_of::<SymbolicState>()
        });
        self.passed.bytes() + self.ways.capacity() * size_of::<Way>() + self.waiting.len() * state
    }

    fn numbers(&self) -> Statistics {
        Statistics {
            stored: self.ways.len() as u64,
            discrete: self.passed.discrete_states() as u64,
            bytes: self.peak.max(self.bytes()) as u64,
            seconds: self.watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }

    fn answer(&mut self, end: End, holds_if_found: bool, index: usize) -> Answer {
        let statistics = Statistics { nodes: self.passed.nodes() as u64, ..self.numbers() };
        let wants_run = self.engine.run != RunKind::None;
        let mut found = None;
        let outcome = match end {
            End::Found(number, finally) => {
                found = Some((number, finally));
                Outcome::Decided(holds_if_found)
            }
            End::Exhausted => Outcome::Decided(!holds_if_found),
            End::Stopped(reason) => Outcome::Stopped(reason),
            End::Failed(number, Failure { error, edges }) => {
                let has_way = wants_run && number != NONE;
                let evidence = has_way.then(|| self.evidence(number, &[]).ok()).flatten();
                Outcome::Failed(Box::new(ModelError { error, edges, evidence }))
            }
        };
        let mut answer = Answer::new(outcome, Method::blind(NAME, "bfs"), Exploration(index), statistics);
        if let Some((number, finally)) = found {
            answer.approximate = self.explorer.is_approximate();
            if wants_run {
                answer.attach(self.evidence(number, &finally));
            }
        }
        answer
    }

    /// What must hold at the end of a run, in an exact last state, given what must hold in the one that stands for it; `None`: this one will not do.
    fn demands(
        &mut self,
        state: &SymbolicState,
        finally: &[ClockDifference],
    ) -> Option<Vec<ClockDifference>> {
        if finally.is_empty() {
            return Some(Vec::new());
        }
        let is_met = self.goals.iter().any(|goal| self.test.meets(goal, state).unwrap_or(false));
        is_met.then(|| differences(state, self.test.zone()))
    }

    /// A replayed run to a state, such that some constraints hold at its end. The states were taken up level by level, so no run is shorter.
    fn evidence(&mut self, number: u32, finally: &[ClockDifference]) -> Result<Evidence, InternalError> {
        let above = |&number: &u32| Some(self.ways[number as usize].parent).filter(|&parent| parent != NONE);
        let mut ordinals: Vec<u32> = std::iter::successors(Some(number), above)
            .map(|number| self.ways[number as usize].ordinal)
            .collect();
        ordinals.reverse();
        let edges: Vec<Vec<EdgeId>> =
            self.explorer.path(&ordinals)?.into_iter().map(|step| step.edges).collect();
        let wanted: Vec<&Goal> = self.goals.iter().collect();
        let exact = Explorer::new(self.explorer.network(), &wanted, ZoneAbstraction::REACHABILITY);
        let mut exact = exact.map_err(|error| InternalError::NoRun(error.to_string()))?;
        let (ordinals, finally) = exactly(&mut exact, &edges, |state| self.demands(state, finally))
            .ok_or_else(|| InternalError::NoRun("no exact states along the path".to_owned()))?;
        self.explorer = exact;
        let path = self.explorer.path(&ordinals)?;
        let optimal = self.engine.run == RunKind::Shortest;
        self.explorer.run_along(&path, &finally, optimal, RunEnding::Goal)
    }
}

/// The numbers of successors along some transitions, in exact zones, to a state that will do, with what must hold there.
///
/// Extrapolated zones have valuations that only behave like reachable ones. Where a transition splits a zone (receivers that stay out, priorities), reachable valuations may be in another part than
/// those that stand for them: so the parts are tried one after the other.
fn exactly(
    explorer: &mut Explorer<'_>,
    edges: &[Vec<EdgeId>],
    mut demands: impl FnMut(&SymbolicState) -> Option<Vec<ClockDifference>>,
) -> Option<(Vec<u32>, Vec<ClockDifference>)> {
    let initial = explorer.initial_states().ok()?;
    let mut open: Vec<(Vec<u32>, SymbolicState)> =
        (0..).zip(initial).map(|(ordinal, state)| (vec![ordinal], state)).collect();
    while let Some((ordinals, state)) = open.pop() {
        let Some(next) = edges.get(ordinals.len() - 1) else {
            if let Some(finally) = demands(&state) {
                return Some((ordinals, finally));
            }
            continue;
        };
        let mut ordinal = 0;
        let visited = explorer.expand(&state, &mut |successor, edges| {
            if edges == next {
                open.push((ordinals.iter().copied().chain([ordinal]).collect(), successor.clone()));
            }
            ordinal += 1;
            ControlFlow::Continue(())
        });
        debug_assert!(visited.is_ok(), "whoever fails here has failed before");
    }
    None
}
