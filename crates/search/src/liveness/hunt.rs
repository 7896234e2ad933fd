//! The depth-first search for a maximal run within a condition.
//!
//! A state whose search ended without success covers what it simulates. One on the path is met again by a state that simulates it and that it simulates: from there the
//! same way can be gone again, for ever.
//!
//! All states are where memory limits see them: those that were visited in a store, those that wait beside the path set aside, packed like stored
//! ones. The path is a list of ids; the edges along it are found again when a run is wanted.

use crate::ProgressObserver;
use crate::expansion::{Expansion, Fate, Successors};
use crate::reach::{End, Part};
use crate::stuck::StuckParts;
use guidepost_answer::{Limits, Progress, RunEnding, Statistics, StopReason, Watch};
use guidepost_explore::{
    ClockDifference, Covering, Explorer, Failure, GoalTest, Inserted, NewState, Packing, PathStep, Replace,
    SetAside, SharpLocations, StateId, Store, StoredState, Subsumption, SymbolicState, differences,
};
use guidepost_network::{EdgeId, Goal};
use guidepost_zones::{Bound, Federation, Zone};
use std::ops::ControlFlow;
use std::sync::Arc;

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

impl From<End> for Interruption {
    fn from(end: End) -> Self {
        match end {
            End::Stopped(reason) => Interruption::Stopped(reason),
            End::Failed(_, failure) => failure.into(),
            End::Satisfied | End::Exhausted => unreachable!("nobody watches who could be satisfied"),
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

/// The rank of a visited state whose search ended without success: more than that of whatever follows it. On the path it is not known yet.
pub(super) type Rank = u32;

const ON_PATH: Rank = 0;

/// A state whose search ended without success covers what is below it in the order of zones. One on the path only covers what is above it as well, and then that closes a
/// cycle: a state that is merely below need not be able to go round again.
pub(super) struct Visited(Subsumption);

impl Covering<Rank> for Visited {
    const IS_REFINED: bool = true;

    fn zones(&self) -> Subsumption {
        self.0
    }

    fn covers(&self, stored: StoredState<'_, Rank>, new: NewState<'_, Rank>) -> bool {
        *stored.payload != ON_PATH || stored.is_within(&new.state.zone)
    }
}

/// A state on the path.
struct Frame {
    /// `None`: where the search begins.
    node: Option<StateId>,
    /// How many states were set aside before its successors.
    aside: usize,
    /// The largest rank of those that followed it so far.
    rank: Rank,
}

/// The states that follow another, and their numbers among its successors; several can have the same one.
type Children = Vec<(u32, SymbolicState)>;

/// What became of a state that a search went on to.
enum Visit {
    Entered(StateId),
    /// A visited state covers it.
    Known,
    /// It closes a cycle that begins there.
    Loop(StateId),
}

/// The depth-first search.
pub(super) struct Hunt<'s, 'n> {
    explorer: &'s mut Explorer<'n>,
    packing: Arc<Packing>,
    test: GoalTest<'n>,
    avoid: &'s [Goal],
    visited: Store<Rank, Visited>,
    /// What waits beside the path, with numbers among the successors of the state before; those of the last state on the path come last.
    waiting: SetAside<u32>,
    path: Vec<Frame>,
    watch: Watch,
    statistics: Statistics,
    observe: &'s mut ProgressObserver<'s>,
    stuck: StuckParts,
    /// Where a run may end that is not seen.
    pub(super) doubts: SharpLocations,
}

impl<'s, 'n> Hunt<'s, 'n> {
    pub(super) fn new(
        explorer: &'s mut Explorer<'n>,
        avoid: &'s [Goal],
        limits: &Limits,
        observe: &'s mut ProgressObserver<'s>,
    ) -> Self {
        Self {
            packing: explorer.packing_handle(),
            test: GoalTest::new(explorer.network()),
            visited: Store::with_covering(explorer, Visited(explorer.abstraction().subsumption)),
            waiting: SetAside::new(explorer.packing()),
            explorer,
            avoid,
            path: Vec::new(),
            watch: Watch::new(limits),
            statistics: Statistics::default(),
            observe,
            stuck: StuckParts::default(),
            doubts: SharpLocations::NONE,
        }
    }

    /// From now on, so many states and bytes of an exploration that came before count against the limits as well.
    pub(super) fn count_beside(&mut self, states: u64, bytes: usize) {
        self.watch.count_beside(states, bytes);
    }

    pub(super) fn numbers(&self) -> Statistics {
        Statistics {
            stored: self.visited.len() as u64,
            discrete: self.visited.discrete_states() as u64,
            bytes: self.bytes() as u64,
            seconds: self.watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }

    fn bytes(&self) -> usize {
        self.visited.bytes()
            + self.waiting.bytes()
            + self.stuck.bytes()
            + self.path.capacity() * size_of::<Frame>()
    }

    /// Memory in use as limits see it.
    fn demand(&self) -> usize {
        self.bytes().max(self.visited.demand())
    }

    /// Looks for a maximal run from the initial state.
    pub(super) fn search_from_start(&mut self) -> Result<Option<Witness>, Interruption> {
        let mut entries = Vec::new();
        self.explorer.initial_entry(&mut |state| entries.push(state.clone()))?;
        let mut starts = Vec::new();
        for entry in entries {
            starts.extend(self.starts(&entry)?);
        }
        self.search(&starts)
    }

    /// Looks for a maximal run from one of some states; with the state from which there is one, or at which the hunt ended.
    pub(super) fn search_from_any(&mut self, states: &SetAside<StateId>) -> FromAny {
        for position in 0..states.len() {
            let id = states.load(position, self.explorer);
            let state = self.explorer.source().clone();
            let result = self.starts(&state).and_then(|starts| self.search(&starts));
            if !matches!(result, Ok(None)) {
                return (result, Some((id, state)));
            }
        }
        (Ok(None), None)
    }

    fn starts(&mut self, entry: &SymbolicState) -> Result<Children, Interruption> {
        let stays = self.stays(entry).map_err(|end| end.after(Vec::new()))?;
        Ok(stays.into_iter().map(|state| (0, state)).collect())
    }

    /// Where the condition does not hold, given a state's locations and data.
    fn obstacles(&mut self, state: &SymbolicState) -> Result<Federation, Interruption> {
        let region = self.test.region(self.avoid, state);
        region.map_err(|error| Interruption::from(Failure::outside(error)))
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
        let demand = self.demand();
        let watch = &mut self.watch;
        self.explorer.dwell(entry, avoid, &mut |state| {
            stopped = watch.check_successor(|| demand.saturating_add(bytes_of(&state) * stays.len()));
            stays.push(state);
            if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        stopped.map_or(Ok(stays), |reason| Err(Interruption::Stopped(reason)))
    }

    fn search(&mut self, starts: &[(u32, SymbolicState)]) -> Result<Option<Witness>, Interruption> {
        debug_assert!(self.path.is_empty() && self.waiting.is_empty(), "the search before came to its end");
        self.path.push(Frame { node: None, aside: 0, rank: 0 });
        self.set_aside(starts);
        while let Some(&Frame { node, aside, rank }) = self.path.last() {
            debug_assert!(self.waiting.len() >= aside, "what waits belongs to the path");
            if self.waiting.len() == aside {
                self.path.pop();
                if let Some(node) = node {
                    *self.visited.payload_mut(node) = rank + 1;
                    self.follows(rank + 1);
                }
                continue;
            }
            debug_assert!(
                node.is_none_or(|node| *self.visited.payload(node) == ON_PATH),
                "its states know that they are on the path"
            );
            match self.go_on(node)? {
                (Visit::Known, _) => {}
                (Visit::Loop(begin), ordinal) => {
                    let at = self.path.iter().position(|frame| frame.node == Some(begin));
                    // Frame 0 is where the search begins; the frame at depth d has d - 1 transitions before it.
                    let ending = RunEnding::Loop(at.expect("it is on the path") - 1);
                    return self.witness(Some(ordinal), ending, Vec::new()).map(Some);
                }
                (Visit::Entered(id), _) => match self.open(id) {
                    Ok(Some((ending, finally))) => return self.witness(None, ending, finally).map(Some),
                    Ok(None) => {}
                    Err(end) => {
                        let way = self.witness(None, RunEnding::Goal, Vec::new())?;
                        return Err(end.after(way.path));
                    }
                },
            }
        }
        Ok(None)
    }

    /// Something of this rank follows the last state of the path.
    fn follows(&mut self, rank: Rank) {
        if let Some(last) = self.path.last_mut() {
            last.rank = last.rank.max(rank);
        }
    }

    /// All states that were visited, with their ranks.
    pub(super) fn into_visited(self) -> Store<Rank, Visited> {
        self.visited
    }

    /// Goes on to the next of the states that wait behind the last state of the path; with its number among the successors.
    fn go_on(&mut self, from: Option<StateId>) -> Result<(Visit, u32), Interruption> {
        let ordinal = self.waiting.pop(self.explorer).expect("something waits");
        self.statistics.generated += 1;
        let state = self.explorer.source();
        let inserted =
            self.visited.insert_with(&self.packing, state, from, ordinal, Replace::Nothing, ON_PATH);
        let visit = match inserted {
            Inserted::Covered(by) if *self.visited.payload(by) == ON_PATH => Visit::Loop(by),
            Inserted::Covered(by) => {
                self.statistics.covered += 1;
                self.follows(*self.visited.payload(by));
                Visit::Known
            }
            Inserted::New(id) => {
                self.check_limits()?;
                self.path.push(Frame { node: Some(id), aside: self.waiting.len(), rank: 0 });
                Visit::Entered(id)
            }
        };
        Ok((visit, ordinal))
    }

    fn check_limits(&mut self) -> Result<(), Interruption> {
        let (known, demand) = (self.visited.len() as u64 - 1, self.demand());
        if let Some(reason) = self.watch.check(known, || demand) {
            return Err(Interruption::Stopped(reason));
        }
        if self.watch.is_report_due() {
            let progress = Progress {
                statistics: self.numbers(),
                waiting: self.waiting.len() as u64,
                depth: self.path.len() as u64,
                best_estimate: None,
                stage: None,
            };
            (self.observe)(&progress);
        }
        Ok(())
    }

    /// Sets states aside so that the first of them is the next.
    fn set_aside(&mut self, children: &[(u32, SymbolicState)]) {
        for (ordinal, state) in children.iter().rev() {
            self.waiting.push(&self.packing, state, *ordinal);
        }
    }

    /// Finds out how to go on from the last state of the path, or whether a run can end there.
    fn open(&mut self, id: StateId) -> Result<Option<Ending>, Interruption> {
        self.visited.load(id, self.explorer);
        let state = self.explorer.source().clone();
        let children = self.children(id)?;
        self.set_aside(&children);
        self.ends(&state, Part(Some((0, self.visited.discrete(id)))))
    }

    /// The states that follow the explorer's source.
    fn children(&mut self, id: StateId) -> Result<Children, Interruption> {
        self.statistics.explored += 1;
        let mut entries = Entries { states: Vec::new(), demand: self.demand() };
        // Successors count when the search goes on to them.
        let (watch, statistics) = (&mut self.watch, &mut Statistics::default());
        let explorer = &mut *self.explorer;
        Expansion { explorer, watch, statistics, watcher: &mut () }.run(id, &mut entries)?;
        let mut children = Vec::new();
        for (ordinal, entry) in (0..).zip(&entries.states) {
            children.extend(self.stays(entry)?.into_iter().map(|state| (ordinal, state)));
        }
        Ok(children)
    }

    /// Whether a run within the condition can end in a state: time diverges, or nothing is possible any more.
    fn ends(&mut self, state: &SymbolicState, part: Part) -> Result<Option<Ending>, Interruption> {
        let may_wait = self.explorer.may_wait(state)?;
        let obstacles = self.obstacles(state)?;
        if may_wait {
            let stays = self.explorer.stay(state, &obstacles)?;
            if stays.zones().iter().any(is_unbounded) {
                return Ok(Some((RunEnding::Waits, Vec::new())));
            }
        }
        if self.stuck.is_settled(state, part, self.explorer, &mut self.doubts) {
            return Ok(None);
        }
        let future = self.explorer.stay(state, &Federation::empty(state.zone.dim()))?;
        let mut stuck = self.stuck(state, &future)?;
        if may_wait && !stuck.is_empty() {
            // Valuations that can wait until the condition fails do not end a run within it.
            let mut leaving = obstacles.intersection(&future);
            leaving.down();
            stuck.subtract(&leaving);
        }
        Ok(stuck.zones().first().map(|zone| (RunEnding::Stuck, differences(state, zone))))
    }

    /// The part of a state from which no transition is possible, now or anywhere in its future.
    fn stuck(&mut self, state: &SymbolicState, future: &Federation) -> Result<Federation, Interruption> {
        let mut stuck = Federation::from(state.zone.clone()).intersection(future);
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

    /// The run along the path, and a last transition with this number.
    fn witness(
        &mut self,
        last: Option<u32>,
        ending: RunEnding,
        finally: Vec<ClockDifference>,
    ) -> Result<Witness, Interruption> {
        let nodes: Vec<StateId> = self.path.iter().filter_map(|frame| frame.node).collect();
        let ordinals = nodes.iter().skip(1).map(|&node| self.visited.ordinal(node)).chain(last);
        let transitions: Vec<(StateId, u32)> = nodes.iter().copied().zip(ordinals).collect();
        debug_assert_eq!(transitions.len() + 1, nodes.len().max(1) + usize::from(last.is_some()));
        let path = transitions.into_iter().map(|(from, ordinal)| self.transition(from, ordinal));
        Ok(Witness { path: path.collect::<Result<_, _>>()?, finally, ending })
    }

    /// A transition from a node: it must leave from the node's zone, and from the part of it that the transition came from.
    fn transition(&mut self, from: StateId, ordinal: u32) -> Result<PathStep, Interruption> {
        self.visited.load(from, self.explorer);
        let state = self.explorer.source().clone();
        let mut restriction = differences(&state, &state.zone);
        let (mut seen, mut taken) = (0, Vec::new());
        self.explorer.hand_out_entries(&mut |_, edges| {
            if seen == ordinal {
                taken = edges.to_vec();
                return ControlFlow::Break(());
            }
            seen += 1;
            ControlFlow::Continue(())
        })?;
        debug_assert!(!taken.is_empty(), "the transition is found again");
        if let Some(piece) = self.explorer.piece() {
            restriction.extend(differences(&state, piece));
        }
        Ok(PathStep { edges: taken, restriction, renaming: None })
    }
}

/// Whether time can pass for ever.
fn is_unbounded(zone: &Zone) -> bool {
    (1..zone.dim()).all(|clock| zone.get(clock, 0) == Bound::INFINITY)
}

/// Successors as they are entered, before any delay.
struct Entries {
    states: Vec<SymbolicState>,
    /// Memory in use by all others.
    demand: usize,
}

impl Successors<()> for Entries {
    const ENTRIES_ONLY: bool = true;

    fn demand(&self) -> usize {
        let own = self.states.first().map_or(0, |state| bytes_of(state) * self.states.len());
        self.demand.saturating_add(own)
    }

    fn take(
        &mut self,
        state: &mut SymbolicState,
        _edges: &[EdgeId],
        _ordinal: u32,
        _watcher: &mut (),
        _statistics: &mut Statistics,
    ) -> Fate {
        self.states.push(state.clone());
        Fate::Kept
    }
}

/// What a state takes in memory, about.
fn bytes_of(state: &SymbolicState) -> usize {
    state.cells.len() * 8 + state.zone.entries().len() * 4 + state.clocks.len() * 16 + 200
}
