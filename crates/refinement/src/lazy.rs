//! Lazy abstraction: building the graph.
//!
//! Nodes are taken in the order in which they were found. One whose exact zone is within the label of an expanded node is covered, if its own label can be strengthened to fit;
//! otherwise it is expanded. Each transition that locations and data allow either has a successor, or is impossible from the exact zone, and then the label is strengthened until it is
//! impossible from there too. Whenever a label has been strengthened, those whom its node covers are looked at again. When nothing waits, every state that can
//! be reached is in the label of some expanded node, and none of those contains a goal. `check` verifies that in debug builds.
//!
//! # Why that is sound for the whole language
//!
//! Transitions are found among all valuations that satisfy the invariants, not only those of the exact zone. So whatever happens to some valuation of the label happens in one of them:
//!
//! - *Guards and invariants* are conjunctions of constraints, with bounds that depend on the discrete state alone, and that is the same for the node and whom it covers.
//! - *Receivers that stay out of a broadcast, and priorities*, are negations. They cut what satisfies the invariants into zones, once for the discrete state, and each of these zones is
//!   the guard of a transition of its own ([`Moves::possible`] of everything). Exact zones and labels are then treated as with any other guard.
//! - *Urgency* depends on locations and data: guards on urgent channels test no clocks, or the network is refused.
//! - *Errors* of the model are those that the exact zone meets. Guards may fail to be evaluated only because something is tried that the exact zone excludes: then the node's label becomes
//!   the exact zone itself, and its transitions are found among that ([`Labels::pin`]). An update that would make a clock negative is an error, so where it does not from the
//!   exact zone, that is a transition to be disabled.
//! - *Clocks that do not matter* in a discrete state are in no label of it. Zones whose bounds are too large to compute with are extrapolated, as everywhere.

use crate::data_labels::{Data, DataLabels};
use crate::evidence::{evidence, path};
use crate::expansion::Openings;
use crate::goals::Goals;
use crate::graph::{Graph, NONE};
use crate::labels::{Clocks, Coverage, Labels};
use crate::predicates::Predicates;
use crate::setting::Scope;
use crate::waiting::Waiting;
use guidepost_answer::{
    Answer, Evidence, Exploration, FULL, InternalError, Limits, Method, ModelError, Outcome, Progress,
    RunKind, Statistics, StopReason, Unsupported, Watch,
};
use guidepost_explore::{Candidates, ClockDifference, Explorer, Failure, Moves, ZoneAbstraction, effort};
use guidepost_network::{ClockConstraint, EdgeId, Goal, Network};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How building the graph ends.
pub(crate) enum End {
    /// A node contains a goal; what it demands of clocks there.
    Found(u32, Vec<ClockDifference>),
    /// Every reachable state is in the label of a node, and none is a goal.
    Proved,
    Stopped(StopReason),
    /// It is not its turn any more.
    Paused,
    /// The model failed in a node, or before the first one.
    Failed(u32, Failure),
}

/// Builds the graph.
pub(crate) struct Builder<'n> {
    pub(crate) network: &'n Network,
    pub(crate) moves: Moves<'n>,
    pub(crate) candidates: Candidates,
    /// Knows which clocks matter where, up to which constants, and finds times for paths.
    pub(crate) explorer: Explorer<'n>,
    pub(crate) goals: Goals<'n>,
    pub(crate) graph: Graph,
    pub(crate) labels: Coverage<'n>,
    /// What is followed of data that the network hides.
    pub(crate) predicates: Option<Predicates<'n>>,
    /// What is known of predicates where the moves have arrived.
    pub(crate) cube: Vec<u32>,
    /// Classes by locations, where labels say something about data; by cells, where there are predicates.
    pub(crate) classes: FxHashMap<Box<[i32]>, u32>,
    pub(crate) waiting: Waiting<'n>,
    /// By node that has a larger zone and waits: those who come after it.
    parked: FxHashMap<u32, Vec<u32>>,
    released: Vec<u32>,
    pub(crate) statistics: Statistics,
    /// The effort at which to pause.
    pub(crate) allowance: u64,
    /// Transitions that were tried, and entries of zones that were made for them.
    pub(crate) tried: u64,
    pub(crate) entries: u64,
    /// Labels know all constants of the model from the beginning: time is not abstracted further.
    pub(crate) knows_constants: bool,
    /// Which clocks zones have.
    pub(crate) scope: Scope,
    /// The setting before the root.
    pub(crate) nowhere: u32,
    /// Differences of clocks are tested.
    pub(crate) has_diagonals: bool,
    /// Some zone was widened beyond what is exact.
    pub(crate) is_approximate: bool,
    /// The cells of the node that is expanded.
    pub(crate) cells: Vec<i32>,
    pub(crate) openings: Openings,
}

impl<'n> Builder<'n> {
    pub(crate) fn new(
        network: &'n Network,
        goals: &'n [Goal],
        clocks: Clocks,
        data: Data,
    ) -> Result<Self, Unsupported> {
        let all: Vec<&Goal> = goals.iter().collect();
        let explorer = Explorer::new(network, &all, ZoneAbstraction::REACHABILITY)?;
        let has_diagonals = has_diagonals(network, goals);
        let clocks = if has_diagonals && clocks == Clocks::Bounds { Clocks::Backward } else { clocks };
        let mut graph = Graph::new(explorer.packing_handle(), 0);
        let data = (data == Data::Values).then(|| DataLabels::new(network, goals, explorer.packing()));
        let nowhere = graph.settings.intern(network.clocks.len(), &[0], &[], true);
        Ok(Self {
            network,
            moves: Moves::new(network),
            candidates: Candidates::new(network),
            goals: Goals::new(network, goals),
            labels: Coverage { time: Labels::new(clocks), data, cubes: false },
            predicates: None,
            cube: Vec::new(),
            classes: FxHashMap::default(),
            explorer,
            graph,
            nowhere,
            knows_constants: false,
            scope: Scope::Active,
            waiting: Waiting::InOrder(VecDeque::new()),
            parked: FxHashMap::default(),
            released: Vec::new(),
            statistics: Statistics::default(),
            allowance: u64::MAX,
            tried: 0,
            entries: 0,
            has_diagonals,
            is_approximate: false,
            cells: network.initial_cells(),
            openings: Openings::default(),
        })
    }

    /// Follows predicates about data that the network hides. Nothing has been built yet.
    pub(crate) fn follow(&mut self, predicates: Predicates<'n>) {
        debug_assert_eq!(self.graph.part_count(), 0);
        self.graph = Graph::new(self.explorer.packing_handle(), predicates.words());
        self.nowhere = self.graph.settings.intern(self.network.clocks.len(), &[0], &[], true);
        self.labels.cubes = true;
        self.cube = predicates.initial();
        self.predicates = Some(predicates);
    }

    /// Builds the graph until a goal is found or none is left to be found.
    pub(crate) fn run(&mut self, limits: &Limits, observe: &mut dyn FnMut(&Progress)) -> (End, Statistics) {
        let mut watch = Watch::new(limits);
        let end = self.build(&mut watch, observe);
        if cfg!(debug_assertions) && matches!(end, End::Proved) {
            self.check();
        }
        (end, self.numbers(&watch))
    }

    fn build(&mut self, watch: &mut Watch, observe: &mut dyn FnMut(&Progress)) -> End {
        if self.graph.nodes.is_empty() {
            match self.begin() {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(failure) => return End::Failed(NONE, failure),
            }
        }
        loop {
            // Before a node is taken, so that nobody is forgotten during a pause.
            if self.effort() >= self.allowance && self.waiting.len() > 0 {
                return End::Paused;
            }
            let Some(node) = self.waiting.pop() else { break };
            let bytes = || if self.graph.is_full() { FULL } else { self.bytes() };
            if let Some(reason) = watch.check(self.graph.nodes.len() as u64, bytes) {
                return End::Stopped(reason);
            }
            if watch.is_report_due() {
                let depth = self.graph.nodes[node as usize].depth.into();
                let parked: usize = self.parked.values().map(Vec::len).sum();
                let waiting = (self.waiting.len() + parked) as u64;
                let statistics = self.numbers(watch);
                observe(&Progress { statistics, waiting, depth, ..Progress::default() });
            }
            if self.close(node) {
                self.bring_back(node);
                continue;
            }
            // Whoever has a larger zone may cover it, once expanded.
            if let Some(larger) = self.graph.larger_waiting(node) {
                self.parked.entry(larger).or_default().push(node);
                continue;
            }
            match self.expand(node, watch) {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(failure) => return End::Failed(node, failure),
            }
            self.look_again();
            self.bring_back(node);
        }
        debug_assert!(self.parked.is_empty(), "nobody is forgotten");
        End::Proved
    }

    /// Those who were to come after a node wait again.
    fn bring_back(&mut self, node: u32) {
        for node in self.parked.remove(&node).into_iter().flatten() {
            self.waiting.push(&self.graph, node);
        }
    }

    fn numbers(&self, watch: &Watch) -> Statistics {
        let nodes = self.graph.nodes.len() as u64;
        Statistics {
            stored: nodes,
            covered: self.graph.covered,
            discrete: self.graph.part_count() as u64,
            bytes: self.bytes() as u64,
            effort: self.effort(),
            seconds: watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }

    /// Work so far, in [units of effort](effort).
    fn effort(&self) -> u64 {
        let executed = self.moves.machine().executed() + self.explorer.machine().executed();
        effort::of_steps(self.cells.len(), self.statistics.explored, self.tried)
            + effort::of_entries(self.entries + self.labels.time.entries())
            + effort::of_instructions(executed)
            + self.waiting.effort()
    }

    /// The edges of the transitions to a node.
    pub(crate) fn path_edges(&self, node: u32) -> Vec<Vec<EdgeId>> {
        path(&self.graph, node).into_iter().map(|step| step.edges).collect()
    }

    /// The answer that an end gives, with a run if it is wanted.
    pub(crate) fn answer(
        &mut self,
        end: End,
        holds_if_found: bool,
        run: RunKind,
        method: Method,
        exploration: Exploration,
        statistics: Statistics,
    ) -> Answer {
        let wants_run = run != RunKind::None;
        let (outcome, found) = match end {
            End::Found(node, finally) => (Outcome::Decided(holds_if_found), Some((node, finally))),
            End::Proved => (Outcome::Decided(!holds_if_found), None),
            End::Stopped(reason) => (Outcome::Stopped(reason), None),
            // Whoever lets it pause does not ask for an answer.
            End::Paused => (Outcome::Stopped(StopReason::Incomplete), None),
            End::Failed(node, failure) => {
                let has_way = wants_run && node != NONE;
                let evidence = has_way.then(|| self.evidence(node, &[]).ok()).flatten();
                let error = ModelError { error: failure.error, edges: failure.edges, evidence };
                (Outcome::Failed(Box::new(error)), None)
            }
        };
        let mut answer = Answer::new(outcome, method, exploration, statistics);
        if let Some((node, finally)) = found {
            answer.approximate = self.is_approximate;
            if wants_run {
                answer.attach(self.evidence(node, &finally));
            }
        }
        answer
    }

    /// A replayed run along the path to a node, such that some constraints hold at its end.
    pub(crate) fn evidence(
        &mut self,
        node: u32,
        finally: &[ClockDifference],
    ) -> Result<Evidence, InternalError> {
        evidence(&self.graph, node, finally, &mut self.explorer)
    }

    /// The names of the clocks and variables that some label says something about.
    pub(crate) fn precision(&self) -> Vec<String> {
        let mut matters = vec![false; self.network.clocks.len()];
        for node in 0..self.graph.nodes.len() as u32 {
            if self.graph.nodes[node as usize].label != NONE {
                self.labels.time.mark_clocks(&self.graph, node, &mut matters);
            }
        }
        let clocks = self.network.clocks.iter().zip(matters).skip(1);
        let clocks = clocks.filter(|(_, matters)| *matters).map(|(clock, _)| clock.name.clone());
        let data = self.labels.data.iter().flat_map(DataLabels::kept_anywhere);
        clocks.chain(data.map(|variable| self.network.variables[variable.index()].name.clone())).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.graph.bytes() + self.labels.bytes() + self.waiting.bytes()
    }

    /// Lets an expanded node cover a node, if one can.
    fn close(&mut self, node: u32) -> bool {
        debug_assert_eq!(self.graph.nodes[node as usize].coverer, NONE);
        let mut candidates = self.labels.candidates(&self.graph, node);
        while let Some(other) = self.labels.next_candidate(&self.graph, &mut candidates) {
            if self.labels.fit(&mut self.graph, node, other) {
                self.graph.cover(node, other);
                self.look_again();
                // Looking again may have released it, if the other one is above it.
                return true;
            }
        }
        self.look_again();
        false
    }

    /// Nodes whose coverer has a stronger label now wait again, unless they fit still.
    fn look_again(&mut self) {
        while let Some(node) = self.labels.next_strengthened() {
            let labels = &self.labels;
            let fits = |graph: &Graph, covered: u32| labels.fits(graph, covered, node);
            self.graph.release(node, fits, &mut self.released);
        }
        for node in self.released.drain(..) {
            self.waiting.push(&self.graph, node);
        }
    }
}

/// Whether differences of clocks are tested.
pub(crate) fn has_diagonals(network: &Network, goals: &[Goal]) -> bool {
    network.features.diagonals || goals.iter().flat_map(|goal| &goal.clocks).any(ClockConstraint::is_diagonal)
}
