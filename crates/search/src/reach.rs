//! Reachability: expand states until what is searched for is found, nothing is left, or a limit is hit.
//!
//! The loop is the same for every order; what to look for is the [`Watcher`]'s business, so that one exploration can serve several queries.

use crate::effort;
use crate::examination::Examination;
use crate::expansion::{Expansion, Newcomers, Storing};
use crate::frontier::{Frontier, Order};
use crate::merging::{Explored, Merging, Trail};
use crate::queue::Queue;
use guidepost_answer::{Limits, Progress, Reductions, Statistics, StopReason, Watch};
use guidepost_explore::{Explorer, Extrapolation, Failure, Replace, StateId, Store, SymbolicState};
use guidepost_heuristics::LocationDeadEnds;
use guidepost_network::{EdgeId, EvalError};
use std::ops::ControlFlow;

/// How a search ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// The watcher has seen enough.
    Satisfied,
    /// All states were expanded.
    Exhausted,
    /// A limit was hit.
    Stopped(StopReason),
    /// The model failed: while expanding this state (`None`: the initial one).
    Failed(Option<StateId>, Failure),
}

/// The discrete part of a state, by its number in a store; `None` where no store numbers them. Parallel searches have several stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part(pub Option<(usize, u32)>);

impl Part {
    /// The discrete part of a state in the one store that there is.
    #[inline]
    pub fn of(id: StateId, store: &Store) -> Self {
        Self(Some((0, store.discrete(id))))
    }
}

/// Looks at a search while it runs.
pub trait Watcher {
    /// A search begins, with an empty store: numbers of states and of their discrete parts have a new meaning.
    fn begins(&mut self) {}

    /// A transition was computed, covered or not.
    fn transition(&mut self, _edges: &[EdgeId], _target: &SymbolicState) {}

    /// A state was stored; whether it deserves a closer look with [`Watcher::examine`].
    fn stored(&mut self, _state: &SymbolicState, _part: Part) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// The search will tell which states were [expanded](Watcher::expanded); whether anybody wants to hear it.
    fn wants_expansions(&mut self) -> bool {
        false
    }

    /// A state was expanded, and perhaps that [showed](Explorer::moves_at_once) that nothing with its discrete part is deadlocked; whether the state deserves a closer look now.
    fn expanded(&mut self, _part: Part, _moves_at_once: bool) -> bool {
        false
    }

    /// A closer look at a stored state, when the explorer is free. Breaking ends the search.
    fn examine(
        &mut self,
        _id: StateId,
        _state: &SymbolicState,
        _part: Part,
        _explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        Ok(ControlFlow::Continue(()))
    }

    /// Memory that it uses itself, in bytes; it counts against the limits.
    fn bytes(&self) -> usize {
        0
    }

    /// Progress, reported periodically.
    fn progress(&mut self, _progress: &Progress) {}
}

impl Watcher for () {}

/// A blind search that can be continued.
pub struct Search<'n> {
    /// Computes successors.
    pub explorer: Explorer<'n>,
    /// Holds the states.
    pub store: Store,
    frontier: Frontier,
    /// Whether states must be found on a shortest way; only in breadth-first order.
    shortest: bool,
    watch: Watch,
    statistics: Statistics,
    /// First state of the next depth (breadth-first only).
    depth_end: u32,
    depth: u64,
    examination: Examination,
    started: bool,
    /// Merges states that wait; only in breadth-first order.
    merging: Option<Merging>,
    /// States that need not be expanded are in all of them, unless there are none.
    dead_ends: Vec<LocationDeadEnds>,
    /// The watcher wants to hear which states were expanded.
    reports_expansions: bool,
    /// Transitions that could be left for later, over time, when that was looked at last.
    postponed: u64,
}

/// After so many expansions it is decided whether looking for independent steps is worth it where time passes,
const TRIAL: u64 = 4096;
/// which it is if so many transitions were left for later.
const WORTHWHILE: u64 = TRIAL / 16;

impl<'n> Search<'n> {
    /// A search in some order, within limits.
    pub fn new(explorer: Explorer<'n>, order: Order, limits: &Limits) -> Self {
        Self {
            store: Store::new(&explorer),
            explorer,
            frontier: Frontier::new(order),
            shortest: false,
            watch: Watch::new(limits),
            statistics: Statistics::default(),
            depth_end: 0,
            depth: 0,
            examination: Examination::default(),
            started: false,
            merging: None,
            dead_ends: Vec::new(),
            reports_expansions: false,
            postponed: 0,
        }
    }

    /// From now on, states are not expanded from which none of the goals can be reached that these are about.
    pub(crate) fn leave_out(&mut self, dead_ends: Vec<LocationDeadEnds>) {
        self.dead_ends = dead_ends;
    }

    /// The search with reductions of breadth-first order, if that is its order: late states catch up, unless states must be found on a shortest way, and states that wait are
    /// merged, if zones are as they were reached.
    #[must_use]
    pub fn reduced(self, reductions: Reductions) -> Self {
        let Frontier::Queue(_) = self.frontier else { return self };
        let is_plain = self.explorer.abstraction().extrapolation == Extrapolation::None
            && self.explorer.abstraction().is_simulation();
        let frontier = Frontier::Queue(Queue::new(reductions.order && !self.shortest));
        let merging = (reductions.merging && is_plain).then(Merging::default);
        Self { frontier, merging, ..self }
    }

    /// The search, with one state for all that have the same locations and data, whose zone is their convex hull: an over-approximation. Only in breadth-first order.
    #[must_use]
    pub fn with_hulls(self, wanted: bool) -> Self {
        debug_assert!(!wanted || (matches!(self.frontier, Frontier::Queue(_)) && !self.shortest));
        if wanted { Self { merging: Some(Merging::to_hulls()), ..self } } else { self }
    }

    /// Whether states contain more than was reached.
    pub(crate) fn has_hulls(&self) -> bool {
        self.merging.as_ref().is_some_and(Merging::is_approximate)
    }

    /// The search, finding states on a shortest way; only in breadth-first order. To be said before what it is [reduced](Self::reduced) by.
    #[must_use]
    pub fn shortest(self, shortest: bool) -> Self {
        debug_assert!(!shortest || matches!(self.frontier, Frontier::Queue(_)));
        Self { shortest, ..self }
    }

    /// Runs to the end.
    pub fn run(&mut self, watcher: &mut dyn Watcher) -> End {
        self.advance(watcher, u64::MAX).unwrap_or(End::Exhausted)
    }

    /// Continues until the search is over or has come to so much effort in all; `None` when it is not over.
    pub fn advance(&mut self, watcher: &mut dyn Watcher, effort: u64) -> Option<End> {
        self.go_on(watcher, effort).unwrap_or_else(Some)
    }

    fn go_on(&mut self, watcher: &mut dyn Watcher, effort: u64) -> Result<Option<End>, End> {
        if !std::mem::replace(&mut self.started, true) {
            self.start(watcher)?;
            self.depth_end = self.store.len() as u32;
        }
        while self.effort() < effort
            && let Some((id, is_its_turn)) = self.frontier.pop(self.store.len())
        {
            if !self.store.is_alive(id) {
                continue;
            }
            debug_assert!(id.index() < self.store.len());
            if is_its_turn && id.0 >= self.depth_end {
                self.depth_end = self.store.len() as u32;
                self.depth += 1;
            }
            let beside = self.frontier.bytes() + self.merging.as_ref().map_or(0, Merging::bytes);
            let demand = || self.store.demand().saturating_add(watcher.bytes() + beside);
            if let Some(reason) = self.watch.check(self.store.len() as u64, demand) {
                return Ok(Some(End::Stopped(reason)));
            }
            if self.watch.is_report_due() {
                watcher.progress(&self.progress());
            }
            self.statistics.early += u64::from(!is_its_turn);
            self.expand(id, watcher)?;
            self.frontier.end_batch();
        }
        let is_over = self.frontier.waiting(self.store.len()) == 0;
        Ok(is_over.then_some(End::Exhausted))
    }

    fn start(&mut self, watcher: &mut dyn Watcher) -> Result<(), End> {
        let initial = self.explorer.initial_states().map_err(|failure| End::Failed(None, failure))?;
        let mut storing = Storing {
            store: &mut self.store,
            packing: self.explorer.packing_handle(),
            parent: None,
            examination: &mut self.examination,
            reports_expansions: false,
            newcomers: Queued {
                frontier: &mut self.frontier,
                replace: Replace::Covered,
                merging: self.merging.as_ref(),
            },
        };
        storing.take_initial(&initial, watcher, &mut self.statistics);
        self.reports_expansions = watcher.wants_expansions();
        if self.reports_expansions {
            self.explorer.watch_for_moves_at_once();
        }
        self.examination.run(None, &self.store, &mut self.explorer, watcher)
    }

    fn expand(&mut self, id: StateId, watcher: &mut dyn Watcher) -> Result<(), End> {
        let stored = self.store.len();
        self.store.load(id, &mut self.explorer);
        let source = self.explorer.source();
        if !self.dead_ends.is_empty() && self.dead_ends.iter().all(|all| all.contain(source)) {
            self.statistics.dead_ends += 1;
            return Ok(());
        }
        self.statistics.explored += 1;
        debug_assert!(self.statistics.explored <= self.store.len() as u64, "a state is expanded once");
        if self.statistics.explored.is_multiple_of(TRIAL) {
            self.weigh_partial_orders();
        }
        let replace =
            if self.shortest { Replace::Except(id, StateId(self.depth_end)) } else { Replace::Covered };
        let mut storing = Storing {
            store: &mut self.store,
            packing: self.explorer.packing_handle(),
            parent: Some(id),
            examination: &mut self.examination,
            reports_expansions: self.reports_expansions,
            newcomers: Queued { frontier: &mut self.frontier, replace, merging: self.merging.as_ref() },
        };
        let (explorer, watch, statistics) = (&mut self.explorer, &mut self.watch, &mut self.statistics);
        Expansion { explorer, watch, statistics, watcher }.run(id, &mut storing)?;
        let explored = self.explored();
        if let (Some(merging), Frontier::Queue(queue)) = (&mut self.merging, &mut self.frontier) {
            // Where runs must be shortest, with states of the same depth.
            let oldest = StateId(if self.shortest { self.depth_end } else { 0 });
            merging.merge(explored, stored, oldest, &mut self.store, queue, &mut self.explorer);
            let hulls = merging.take_hulls();
            if !hulls.is_empty() {
                for (hull, state) in hulls.iter().filter(|(hull, _)| self.store.is_alive(*hull)) {
                    self.examination.consider(watcher, *hull, state, &self.store);
                }
                self.examination.run(Some(id), &self.store, &mut self.explorer, watcher)?;
            }
        }
        Ok(())
    }

    /// Stops looking for independent steps where time passes, if that is in vain.
    fn weigh_partial_orders(&mut self) {
        let before = std::mem::replace(&mut self.postponed, self.explorer.postponed_over_time());
        if self.postponed - before < WORTHWHILE {
            self.explorer.keep_to_moments();
        }
    }

    /// The explorer, and the ways to all states.
    pub(crate) fn into_trail(self) -> (Explorer<'n>, Trail) {
        (self.explorer, Trail::new(self.store, self.merging))
    }

    /// Work so far; see [`effort`].
    #[inline]
    pub(crate) fn effort(&self) -> u64 {
        let merging = self.merging.as_ref().map_or(0, Merging::touched);
        self.explored().effort + effort::of_looking(merging)
    }

    /// What exploring alone has taken.
    #[inline]
    fn explored(&self) -> Explored {
        let effort = effort::of_exploration(&self.explorer, &self.store, &self.statistics);
        Explored { states: self.statistics.explored, effort }
    }

    /// States that were ever stored, and the memory in use.
    pub(crate) fn usage(&self) -> (u64, usize) {
        (self.store.len() as u64, self.store.bytes())
    }

    /// From now on, so many states of others, and their bytes, count against the limits as well.
    pub(crate) fn count_beside(&mut self, states: u64, bytes: usize) {
        self.watch.count_beside(states, bytes);
    }

    fn progress(&self) -> Progress {
        Progress {
            statistics: self.numbers(),
            waiting: self.frontier.waiting(self.store.len()),
            depth: self.depth,
            best_estimate: None,
            stage: None,
        }
    }

    /// What it has done so far.
    pub fn numbers(&self) -> Statistics {
        debug_assert!(
            self.store.len() as u64 + self.statistics.covered >= self.statistics.generated,
            "every successor was stored or covered"
        );
        Statistics {
            stored: self.store.len() as u64 - self.store.covered(),
            covered: self.statistics.covered + self.store.covered(),
            discrete: self.store.discrete_states() as u64,
            bytes: self.store.bytes() as u64,
            postponed: self.explorer.postponed(),
            left_out: self.explorer.idle_variables() as u64,
            merged: self.merging.as_ref().map_or(0, Merging::merged),
            seconds: self.watch.elapsed().as_secs_f64(),
            effort: self.effort(),
            ..self.statistics
        }
    }
}

/// New states wait to be expanded.
struct Queued<'s> {
    frontier: &'s mut Frontier,
    replace: Replace<'static>,
    merging: Option<&'s Merging>,
}

impl Newcomers for Queued<'_> {
    fn demand(&self, store: &Store) -> usize {
        let merging = self.merging.map_or(0, Merging::bytes);
        store.demand().saturating_add(self.frontier.bytes() + merging)
    }

    #[inline]
    fn replace(&self) -> Replace<'_> {
        self.replace
    }

    #[inline]
    fn take_up(
        &mut self,
        new: StateId,
        _state: &SymbolicState,
        _edges: &[EdgeId],
        store: &Store,
        _statistics: &mut Statistics,
    ) {
        self.frontier.push(new, store.dropped());
    }
}
