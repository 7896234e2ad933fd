//! `E[] p`, `A<> p` and `p --> q`: runs on which a condition holds forever.
//!
//! All three ask for a maximal run within a condition: `E[] p` for one within p, `A<> p` for none within `not p`, and `p --> q` for none within `not q` that
//! starts in a reachable state with p. A run is maximal if it is infinite, if time passes forever, or if nothing is possible any more. So a depth-first
//! search through the symbolic states within the condition looks for a cycle, for a state in which time can diverge, and for a state that is stuck.
//!
//! Zones are exact up to bisimulation (`Extra_M`). A cycle is closed only by an *equal* zone: a state that is merely included in one on
//! the path need not be able to go round again. A state that is included in one whose search ended without success is dropped: its runs are
//! among the other's. While time passes the condition has to hold as well, see [`Explorer::dwell`].

use crate::answer::{Answer, RunEnding, Verdict};
use crate::frontier::Order;
use crate::limits::{StopReason, Watch};
use crate::reach::{Outcome, Search, Watcher};
use crate::statistics::{Progress, Statistics};
use crate::verify::{Configuration, attach, failed, model_failed, replayed};
use guidepost_explore::GoalTest;
use guidepost_explore::{
    Explorer, Failure, PathStep, StateId, Store, SymbolicState, Unsupported, differences,
};
use guidepost_network::{EdgeId, EvalError, Goal, Network, Predicate, Question};
use guidepost_zones::{Bound, Federation};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Decides a liveness question.
pub(crate) fn decide(
    network: &Network,
    question: &Question,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Answer, Unsupported> {
    let all: Vec<&Goal> =
        question.predicates().into_iter().flat_map(|p| p.goals.iter().chain(&p.negation)).collect();
    let mut explorer = Explorer::new(network, &all, configuration.bisimulation())?;
    let mut answer = match question {
        Question::PotentiallyAlways(p) => {
            from_start(&mut explorer, &p.negation, Verdict::Satisfied, configuration, observe)
        }
        Question::Eventually(p) => {
            from_start(&mut explorer, &p.goals, Verdict::NotSatisfied, configuration, observe)
        }
        Question::LeadsTo(p, q) => leads_to(&mut explorer, p, q, configuration, observe),
        _ => unreachable!("only liveness questions come here"),
    };
    answer.approximate = explorer.is_approximate() && answer.verdict != Verdict::Undecided;
    Ok(answer)
}

fn opposite(verdict: Verdict) -> Verdict {
    if verdict == Verdict::Satisfied { Verdict::NotSatisfied } else { Verdict::Satisfied }
}

/// Looks for a maximal run from the initial state that avoids all of `avoid`.
fn from_start(
    explorer: &mut Explorer<'_>,
    avoid: &[Goal],
    found: Verdict,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Answer {
    let mut entries = Vec::new();
    let started = explorer.initial_entry(&mut |state| entries.push(state.clone()));
    let mut hunt = Hunt::new(explorer, avoid, configuration, observe);
    let result = started.map_err(End::from).and_then(|()| {
        let mut starts = Vec::new();
        for entry in entries {
            let stays = hunt.stays(&entry).map_err(|end| end.after(Vec::new()))?;
            starts.extend(stays.into_iter().map(|state| Child { state, edges: Vec::new(), ordinal: 0 }));
        }
        hunt.search(starts)
    });
    let statistics = hunt.numbers();
    match result {
        Ok(None) => Answer::new(opposite(found), statistics),
        Ok(Some(witness)) => {
            let mut answer = Answer::new(found, statistics);
            if configuration.trace {
                let evidence =
                    replayed(hunt.explorer, &witness.path, &witness.finally, false, witness.ending);
                attach(&mut answer, evidence);
            }
            answer
        }
        Err(End::Stopped(reason)) => Answer::undecided(reason.describe(), statistics),
        Err(End::Failed(failure, path)) => {
            let mut evidence = None;
            if let (Some(path), true) = (path, configuration.trace) {
                evidence = replayed(hunt.explorer, &path, &[], false, RunEnding::Goal).ok();
            }
            failed(&failure, evidence, statistics)
        }
    }
}

/// Every reachable state with p is left towards q on all runs.
fn leads_to(
    explorer: &mut Explorer<'_>,
    p: &Predicate,
    q: &Predicate,
    configuration: &Configuration,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Answer {
    let mut store = Store::new(explorer);
    let network = explorer.network();
    let mut triggers =
        Triggers { p: &p.goals, q: &q.goals, test: GoalTest::new(network), found: Vec::new(), observe };
    let search = Search {
        explorer,
        store: &mut store,
        order: Order::BreadthFirst,
        shortest: false,
        limits: &configuration.limits,
    };
    let (outcome, mut statistics) = search.run(&mut triggers);
    let (found, observe) = (triggers.found, triggers.observe);
    match outcome {
        Outcome::Stopped(reason) => return Answer::undecided(reason.describe(), statistics),
        Outcome::Failed(state, failure) => {
            let ordinals = state.map(|state| store.ordinals(state));
            return model_failed(&failure, ordinals.as_deref(), statistics, explorer, configuration.trace);
        }
        Outcome::Satisfied | Outcome::Exhausted => {}
    }
    let mut hunt = Hunt::new(explorer, &q.goals, configuration, observe);
    let mut result = Ok(None);
    let mut culprit = None;
    for (id, trigger) in found {
        let pieces = hunt.stays(&trigger).map_err(|end| end.after(Vec::new()));
        result = pieces.and_then(|pieces| {
            let starts =
                pieces.into_iter().map(|state| Child { state, edges: Vec::new(), ordinal: 0 }).collect();
            hunt.search(starts)
        });
        if !matches!(result, Ok(None)) {
            culprit = Some((id, trigger));
            break;
        }
    }
    statistics.add(&hunt.numbers());
    match (result, culprit) {
        (Ok(Some(witness)), Some((id, trigger))) => {
            let mut answer = Answer::new(Verdict::NotSatisfied, statistics);
            if configuration.trace {
                attach(&mut answer, leads_to_evidence(explorer, &store, id, &trigger, witness));
            }
            answer
        }
        (Err(End::Stopped(reason)), _) => Answer::undecided(reason.describe(), statistics),
        (Err(End::Failed(failure, path)), culprit) => {
            let mut evidence = None;
            if let (Some((id, trigger)), Some(path), true) = (culprit, path, configuration.trace) {
                let way = Witness { path, finally: Vec::new(), ending: RunEnding::Goal };
                evidence = leads_to_evidence(explorer, &store, id, &trigger, way).ok();
            }
            failed(&failure, evidence, statistics)
        }
        _ => Answer::new(Verdict::Satisfied, statistics),
    }
}

/// The way to the trigger, then the run that never leads to q.
fn leads_to_evidence(
    explorer: &mut Explorer<'_>,
    store: &Store,
    id: StateId,
    trigger: &SymbolicState,
    witness: Witness,
) -> Result<crate::answer::Evidence, crate::answer::InternalError> {
    let mut path = explorer.path(&store.ordinals(id))?;
    let prefix = path.len();
    let mut rest = witness.path;
    let mut finally = witness.finally;
    // The trigger holds at some moment before the first transition of the rest; asking for it at the transition itself would be too
    // much, so it is only asked for where the run ends there.
    if rest.is_empty() && finally.is_empty() {
        finally = differences(trigger, &trigger.zone);
    }
    path.append(&mut rest);
    let ending = match witness.ending {
        RunEnding::Loop(at) => RunEnding::Loop(at + prefix),
        other => other,
    };
    replayed(explorer, &path, &finally, false, ending)
}

/// Collects the reachable states with p and without q.
struct Triggers<'q, 'o, 'n> {
    p: &'q [Goal],
    q: &'q [Goal],
    test: GoalTest<'n>,
    found: Vec<(StateId, SymbolicState)>,
    observe: &'o mut (dyn FnMut(&Progress) + Send),
}

impl Watcher for Triggers<'_, '_, '_> {
    fn stored(&mut self, state: &SymbolicState) -> Result<bool, EvalError> {
        Ok(self.test.find(self.p, state)?.is_some())
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        _explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        let failure = |error| Failure { error, edges: Vec::new() };
        let mut part = self.test.region(self.p, state).map_err(failure)?;
        part.intersect_zone(&state.zone);
        let answered = self.test.region(self.q, state).map_err(failure)?;
        part.subtract(&answered);
        for zone in part.into_zones() {
            let mut trigger = state.clone();
            trigger.zone = zone;
            self.found.push((id, trigger));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn progress(&mut self, progress: &Progress) {
        (self.observe)(progress);
    }
}

/// Why a hunt ended without an answer.
enum End {
    Stopped(StopReason),
    /// The model failed; with the way there, if it is known.
    Failed(Failure, Option<Vec<PathStep>>),
}

impl End {
    /// The same end, at the end of a path.
    fn after(self, path: Vec<PathStep>) -> Self {
        match self {
            End::Failed(failure, _) => End::Failed(failure, Some(path)),
            stopped @ End::Stopped(_) => stopped,
        }
    }
}

impl From<Failure> for End {
    fn from(failure: Failure) -> Self {
        End::Failed(failure, None)
    }
}

/// A maximal run within the condition.
struct Witness {
    path: Vec<PathStep>,
    finally: Vec<guidepost_explore::ClockDifference>,
    ending: RunEnding,
}

/// How a run ends, and what must hold of clocks there.
type Ending = (RunEnding, Vec<guidepost_explore::ClockDifference>);

/// A state that a search may go on with.
struct Child {
    state: SymbolicState,
    edges: Vec<EdgeId>,
    /// Its number among the successors of the state it was reached from.
    ordinal: usize,
}

struct Node {
    state: SymbolicState,
    on_path: bool,
}

struct Frame {
    node: usize,
    edges: Vec<EdgeId>,
    ordinal: usize,
    children: std::vec::IntoIter<Child>,
}

/// The depth-first search.
struct Hunt<'s, 'n> {
    explorer: &'s mut Explorer<'n>,
    test: GoalTest<'n>,
    avoid: &'s [Goal],
    nodes: Vec<Node>,
    by_cells: HashMap<Vec<i32>, Vec<usize>>,
    watch: Watch,
    statistics: Statistics,
    observe: &'s mut (dyn FnMut(&Progress) + Send),
}

impl<'s, 'n> Hunt<'s, 'n> {
    fn new(
        explorer: &'s mut Explorer<'n>,
        avoid: &'s [Goal],
        configuration: &Configuration,
        observe: &'s mut (dyn FnMut(&Progress) + Send),
    ) -> Self {
        let test = GoalTest::new(explorer.network());
        Self {
            explorer,
            test,
            avoid,
            nodes: Vec::new(),
            by_cells: HashMap::new(),
            watch: Watch::new(&configuration.limits),
            statistics: Statistics::default(),
            observe,
        }
    }

    fn numbers(&self) -> Statistics {
        Statistics {
            stored: self.nodes.len() as u64,
            discrete: self.by_cells.len() as u64,
            bytes: self.bytes() as u64,
            seconds: self.watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }

    fn bytes(&self) -> usize {
        self.nodes.last().map_or(0, |node| bytes_of(&node.state) * self.nodes.len())
    }

    /// Where the condition does not hold, given a state's locations and data.
    fn obstacles(&mut self, state: &SymbolicState) -> Result<Federation, End> {
        let region = self.test.region(self.avoid, state);
        region.map_err(|error| End::from(Failure { error, edges: Vec::new() }))
    }

    /// The states reached from an entry by waiting within the condition.
    fn stays(&mut self, entry: &SymbolicState) -> Result<Vec<SymbolicState>, End> {
        let avoid = self.obstacles(entry)?;
        self.waits(entry, &avoid)
    }

    /// The states reached from an entry by waiting without meeting some valuations.
    fn waits(&mut self, entry: &SymbolicState, avoid: &Federation) -> Result<Vec<SymbolicState>, End> {
        let (mut stays, mut stopped) = (Vec::new(), None);
        let (watch, known) = (&mut self.watch, self.nodes.len());
        self.explorer.dwell(entry, avoid, &mut |state| {
            stopped = watch.check_successor(|| bytes_of(&state) * (known + stays.len()));
            stays.push(state);
            if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        stopped.map_or(Ok(stays), |reason| Err(End::Stopped(reason)))
    }

    fn search(&mut self, starts: Vec<Child>) -> Result<Option<Witness>, End> {
        let root = Frame { node: usize::MAX, edges: Vec::new(), ordinal: 0, children: starts.into_iter() };
        let mut path = vec![root];
        while let Some(frame) = path.last_mut() {
            let Some(child) = frame.children.next() else {
                if frame.node != usize::MAX {
                    self.nodes[frame.node].on_path = false;
                }
                path.pop();
                continue;
            };
            if let Some(ending) = self.meets_known(&child, &path) {
                match ending {
                    Some(ending) => return self.witness(&path, Some(child), ending, Vec::new()).map(Some),
                    None => continue,
                }
            }
            path.push(self.enter(child)?);
            match self.open(&mut path) {
                Ok(Some((ending, finally))) => return self.witness(&path, None, ending, finally).map(Some),
                Ok(None) => {}
                Err(end) => {
                    let way = self.witness(&path, None, RunEnding::Goal, Vec::new())?;
                    return Err(end.after(way.path));
                }
            }
        }
        Ok(None)
    }

    /// Finds out how to go on from the last state of a path, or whether a run can end there.
    fn open(&mut self, path: &mut [Frame]) -> Result<Option<Ending>, End> {
        let Some(frame) = path.last_mut() else { return Ok(None) };
        frame.children = self.children(frame.node)?.into_iter();
        self.ends(frame.node)
    }

    /// `Some(None)`: nothing new. `Some(Some(_))`: a cycle.
    #[expect(clippy::option_option, reason = "unknown, known to be useless, or known and on the path")]
    fn meets_known(&mut self, child: &Child, path: &[Frame]) -> Option<Option<RunEnding>> {
        self.statistics.generated += 1;
        let known = self.by_cells.get(&child.state.cells)?;
        for &node in known {
            let other = &self.nodes[node];
            if other.on_path {
                if other.state.zone == child.state.zone {
                    // Frame 0 is the root; the frame of the node at depth d has d transitions before it.
                    let at = path.iter().position(|frame| frame.node == node).expect("it is on the path");
                    return Some(Some(RunEnding::Loop(at - 1)));
                }
            } else if child.state.zone.is_subset(&other.state.zone) {
                self.statistics.covered += 1;
                return Some(None);
            }
        }
        None
    }

    /// Remembers a state; what follows it is found by [`Hunt::open`].
    fn enter(&mut self, child: Child) -> Result<Frame, End> {
        let stored = self.nodes.len() as u64;
        let bytes = self.bytes();
        if let Some(reason) = self.watch.check(stored, || bytes) {
            return Err(End::Stopped(reason));
        }
        if self.watch.is_report_due() {
            let progress = Progress {
                statistics: self.numbers(),
                waiting: 0,
                depth: 0,
                best_estimate: None,
                stage: None,
            };
            (self.observe)(&progress);
        }
        let node = self.nodes.len();
        self.by_cells.entry(child.state.cells.clone()).or_default().push(node);
        self.nodes.push(Node { state: child.state, on_path: true });
        Ok(Frame { node, edges: child.edges, ordinal: child.ordinal, children: Vec::new().into_iter() })
    }

    fn children(&mut self, node: usize) -> Result<Vec<Child>, End> {
        self.statistics.explored += 1;
        let (mut entries, mut stopped) = (Vec::new(), None);
        let (watch, known) = (&mut self.watch, self.nodes.len());
        self.explorer.expand_entries(&self.nodes[node].state, &mut |state, edges| {
            stopped = watch.check_successor(|| bytes_of(state) * (known + entries.len()));
            entries.push((state.clone(), edges.to_vec()));
            if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(reason) = stopped {
            return Err(End::Stopped(reason));
        }
        let mut children = Vec::new();
        for (ordinal, (entry, edges)) in entries.into_iter().enumerate() {
            let stays = self.stays(&entry)?;
            children.extend(stays.into_iter().map(|state| Child { state, edges: edges.clone(), ordinal }));
        }
        Ok(children)
    }

    /// Whether a run within the condition can end in a state: time diverges, or nothing is possible any more.
    fn ends(&mut self, node: usize) -> Result<Option<Ending>, End> {
        let state = self.nodes[node].state.clone();
        let may_wait = self.explorer.may_wait(&state)?;
        let is_unbounded = (1..state.zone.dim()).all(|clock| state.zone.get(clock, 0) == Bound::INFINITY);
        if may_wait && is_unbounded {
            return Ok(Some((RunEnding::Waits, Vec::new())));
        }
        let nothing = Federation::empty(state.zone.dim());
        let mut future = nothing.clone();
        for later in self.waits(&state, &nothing)? {
            future.add(later.zone);
        }
        let mut stuck = self.stuck(&state, &future)?;
        if may_wait && !stuck.is_empty() {
            // Valuations that can wait until the condition fails do not end a run within it.
            let mut leaving = self.obstacles(&state)?.intersection(&future);
            leaving.down();
            stuck.subtract(&leaving);
        }
        Ok(stuck.zones().first().map(|zone| (RunEnding::Stuck, differences(&state, zone))))
    }

    /// The part of a state from which no transition is possible, now or anywhere in its future.
    fn stuck(&mut self, state: &SymbolicState, future: &Federation) -> Result<Federation, End> {
        let mut stuck = Federation::from(state.zone.clone());
        let mut piece = state.clone();
        for zone in future.zones() {
            piece.zone.assign(zone);
            // What can move on from this piece of the future, and what can wait for it.
            let mut moving = Federation::from(zone.clone());
            moving.subtract(&self.explorer.deadlocked(&piece)?);
            if self.explorer.may_wait(state)? {
                moving.down();
            }
            stuck.subtract(&moving);
        }
        Ok(stuck)
    }

    fn witness(
        &mut self,
        path: &[Frame],
        last: Option<Child>,
        ending: RunEnding,
        finally: Vec<guidepost_explore::ClockDifference>,
    ) -> Result<Witness, End> {
        let mut steps: Vec<PathStep> = Vec::new();
        for pair in path.windows(2) {
            if pair[0].node != usize::MAX {
                steps.push(self.step(pair[0].node, &pair[1].edges, pair[1].ordinal)?);
            }
        }
        if let (Some(child), Some(frame)) = (last, path.last()) {
            steps.push(self.step(frame.node, &child.edges, child.ordinal)?);
        }
        Ok(Witness { path: steps, finally, ending })
    }

    /// A transition from a node: it must leave from the node's zone, and from the part of it that the transition came from.
    fn step(&mut self, node: usize, edges: &[EdgeId], ordinal: usize) -> Result<PathStep, End> {
        let state = &self.nodes[node].state;
        let mut restriction = differences(state, &state.zone);
        let mut seen = 0;
        self.explorer.expand_entries(state, &mut |_, _| {
            seen += 1;
            if seen > ordinal { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(piece) = self.explorer.piece() {
            restriction.extend(differences(state, piece));
        }
        Ok(PathStep { edges: edges.to_vec(), restriction })
    }
}

/// What a state takes in memory, about.
fn bytes_of(state: &SymbolicState) -> usize {
    state.cells.len() * 8 + state.zone.entries().len() * 4 + state.clocks.len() * 16 + 200
}
