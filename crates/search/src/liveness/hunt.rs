//! The depth-first search for a maximal run within a condition.

use crate::ProgressObserver;
use crate::configuration::Configuration;
use guidepost_answer::{Progress, RunEnding, Statistics, StopReason, Watch};
use guidepost_explore::{
    ClockDifference, Explorer, Failure, GoalTest, PathStep, StateId, SymbolicState, differences,
};
use guidepost_network::{EdgeId, Goal};
use guidepost_zones::{Bound, Federation};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Why a hunt ended without an answer.
pub(super) enum Interruption {
    Stopped(StopReason),
    /// The model failed; with the way there, if it is known.
    Failed(Failure, Option<Vec<PathStep>>),
}

impl Interruption {
    /// The same end, at the end of a path.
    fn after(self, path: Vec<PathStep>) -> Self {
        match self {
            Interruption::Failed(failure, _) => Interruption::Failed(failure, Some(path)),
            stopped @ Interruption::Stopped(_) => stopped,
        }
    }
}

impl From<Failure> for Interruption {
    fn from(failure: Failure) -> Self {
        Interruption::Failed(failure, None)
    }
}

/// A maximal run within the condition.
pub(super) struct Witness {
    pub(super) path: Vec<PathStep>,
    pub(super) finally: Vec<ClockDifference>,
    pub(super) ending: RunEnding,
}

/// A maximal run from one of some states, and that state.
type FromAny = (Result<Option<Witness>, Interruption>, Option<(StateId, SymbolicState)>);

/// How a run ends, and what must hold of clocks there.
type Ending = (RunEnding, Vec<ClockDifference>);

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
pub(super) struct Hunt<'s, 'n> {
    explorer: &'s mut Explorer<'n>,
    test: GoalTest<'n>,
    avoid: &'s [Goal],
    nodes: Vec<Node>,
    by_cells: HashMap<Vec<i32>, Vec<usize>>,
    watch: Watch,
    statistics: Statistics,
    observe: &'s mut ProgressObserver<'s>,
}

impl<'s, 'n> Hunt<'s, 'n> {
    pub(super) fn new(
        explorer: &'s mut Explorer<'n>,
        avoid: &'s [Goal],
        configuration: &Configuration,
        observe: &'s mut ProgressObserver<'s>,
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

    pub(super) fn numbers(&self) -> Statistics {
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

    /// Looks for a maximal run from the initial state.
    pub(super) fn search_from_start(&mut self) -> Result<Option<Witness>, Interruption> {
        let mut entries = Vec::new();
        self.explorer.initial_entry(&mut |state| entries.push(state.clone()))?;
        let mut starts = Vec::new();
        for entry in entries {
            starts.extend(self.starts(&entry)?);
        }
        self.search(starts)
    }

    /// Looks for a maximal run from one of some states; with the state from which there is one, or at which the hunt ended.
    pub(super) fn search_from_any(&mut self, states: Vec<(StateId, SymbolicState)>) -> FromAny {
        for (id, state) in states {
            let result = self.starts(&state).and_then(|starts| self.search(starts));
            if !matches!(result, Ok(None)) {
                return (result, Some((id, state)));
            }
        }
        (Ok(None), None)
    }

    fn starts(&mut self, entry: &SymbolicState) -> Result<Vec<Child>, Interruption> {
        let stays = self.stays(entry).map_err(|end| end.after(Vec::new()))?;
        Ok(stays.into_iter().map(|state| Child { state, edges: Vec::new(), ordinal: 0 }).collect())
    }

    /// Where the condition does not hold, given a state's locations and data.
    fn obstacles(&mut self, state: &SymbolicState) -> Result<Federation, Interruption> {
        let region = self.test.region(self.avoid, state);
        region.map_err(|error| Interruption::from(Failure { error, edges: Vec::new() }))
    }

    /// The states reached from an entry by waiting within the condition.
    fn stays(&mut self, entry: &SymbolicState) -> Result<Vec<SymbolicState>, Interruption> {
        let avoid = self.obstacles(entry)?;
        self.waits(entry, &avoid)
    }

    /// The states reached from an entry by waiting without meeting some valuations.
    fn waits(
        &mut self,
        entry: &SymbolicState,
        avoid: &Federation,
    ) -> Result<Vec<SymbolicState>, Interruption> {
        let (mut stays, mut stopped) = (Vec::new(), None);
        let (watch, known) = (&mut self.watch, self.nodes.len());
        self.explorer.dwell(entry, avoid, &mut |state| {
            stopped = watch.check_successor(|| bytes_of(&state) * (known + stays.len()));
            stays.push(state);
            if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        stopped.map_or(Ok(stays), |reason| Err(Interruption::Stopped(reason)))
    }

    fn search(&mut self, starts: Vec<Child>) -> Result<Option<Witness>, Interruption> {
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
    fn open(&mut self, path: &mut [Frame]) -> Result<Option<Ending>, Interruption> {
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
    fn enter(&mut self, child: Child) -> Result<Frame, Interruption> {
        let stored = self.nodes.len() as u64;
        let bytes = self.bytes();
        if let Some(reason) = self.watch.check(stored, || bytes) {
            return Err(Interruption::Stopped(reason));
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

    fn children(&mut self, node: usize) -> Result<Vec<Child>, Interruption> {
        self.statistics.explored += 1;
        let (mut entries, mut stopped) = (Vec::new(), None);
        let (watch, known) = (&mut self.watch, self.nodes.len());
        self.explorer.expand_entries(&self.nodes[node].state, &mut |state, edges| {
            stopped = watch.check_successor(|| bytes_of(state) * (known + entries.len()));
            entries.push((state.clone(), edges.to_vec()));
            if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(reason) = stopped {
            return Err(Interruption::Stopped(reason));
        }
        let mut children = Vec::new();
        for (ordinal, (entry, edges)) in entries.into_iter().enumerate() {
            let stays = self.stays(&entry)?;
            children.extend(stays.into_iter().map(|state| Child { state, edges: edges.clone(), ordinal }));
        }
        Ok(children)
    }

    /// Whether a run within the condition can end in a state: time diverges, or nothing is possible any more.
    fn ends(&mut self, node: usize) -> Result<Option<Ending>, Interruption> {
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
    fn stuck(&mut self, state: &SymbolicState, future: &Federation) -> Result<Federation, Interruption> {
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
        finally: Vec<ClockDifference>,
    ) -> Result<Witness, Interruption> {
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
    fn step(&mut self, node: usize, edges: &[EdgeId], ordinal: usize) -> Result<PathStep, Interruption> {
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
