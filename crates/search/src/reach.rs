//! Reachability: expand states until what is looked for is found, nothing is left, or a limit is hit.
//!
//! The loop is the same for every order; what to look for is the [`Watcher`]'s business, so that one exploration can serve several queries.

use crate::closer_look::CloserLook;
use crate::frontier::{Frontier, Order};
use crate::limits::{Limits, StopReason, Watch};
use crate::statistics::{Progress, Statistics};
use guidepost_explore::{Explorer, Failure, Inserted, Replace, StateId, Store, SymbolicState};
use guidepost_network::{EdgeId, EvalError};
use std::ops::ControlFlow;

/// How a search ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The watcher has seen enough.
    Satisfied,
    /// All states were expanded.
    Exhausted,
    /// A limit was hit.
    Stopped(StopReason),
    /// The model failed: while expanding this state (`None`: the initial one).
    Failed(Option<StateId>, Failure),
}

/// Looks at a search while it runs.
pub trait Watcher {
    /// A transition was computed, covered or not.
    fn transition(&mut self, _edges: &[EdgeId], _target: &SymbolicState) {}

    /// A state was stored; whether it deserves a closer look with [`Watcher::examine`].
    fn stored(&mut self, _state: &SymbolicState) -> Result<bool, EvalError> {
        Ok(false)
    }

    /// A closer look at a stored state, with an explorer at hand. Breaking off ends the search.
    fn examine(
        &mut self,
        _id: StateId,
        _state: &SymbolicState,
        _explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        Ok(ControlFlow::Continue(()))
    }

    /// Now and then.
    fn progress(&mut self, _progress: &Progress) {}
}

impl Watcher for () {}

/// A search, ready to run.
pub struct Search<'s, 'n> {
    /// Computes successors.
    pub explorer: &'s mut Explorer<'n>,
    /// Holds the states; empty at first.
    pub store: &'s mut Store,
    /// In which order.
    pub order: Order,
    /// Whether states must be found on a shortest way; only in breadth-first order.
    pub shortest: bool,
    /// What may be used up.
    pub limits: &'s Limits,
}

impl<'s, 'n> Search<'s, 'n> {
    /// Runs the search.
    pub fn run(self, watcher: &mut dyn Watcher) -> (Outcome, Statistics) {
        let mut run = self.prepare();
        let outcome = run.advance(watcher, u64::MAX).unwrap_or(Outcome::Exhausted);
        (outcome, run.numbers())
    }

    /// The search, to be run bit by bit.
    pub(crate) fn prepare(self) -> Run<'s, 'n> {
        Run {
            explorer: self.explorer,
            store: self.store,
            frontier: Frontier::new(self.order),
            shortest: self.shortest,
            watch: Watch::new(self.limits),
            statistics: Statistics::default(),
            depth_end: 0,
            depth: 0,
            closer: CloserLook::default(),
            started: false,
        }
    }
}

/// A search that can be continued.
pub(crate) struct Run<'s, 'n> {
    explorer: &'s mut Explorer<'n>,
    store: &'s mut Store,
    frontier: Frontier,
    shortest: bool,
    watch: Watch,
    statistics: Statistics,
    /// First state of the next depth (breadth-first only).
    depth_end: u32,
    depth: u64,
    closer: CloserLook,
    started: bool,
}

impl Run<'_, '_> {
    /// Goes on until the search is over or has computed so many transitions in all; `None` when it is not over.
    pub(crate) fn advance(&mut self, watcher: &mut dyn Watcher, transitions: u64) -> Option<Outcome> {
        self.go_on(watcher, transitions).unwrap_or_else(Some)
    }

    fn go_on(&mut self, watcher: &mut dyn Watcher, transitions: u64) -> Result<Option<Outcome>, Outcome> {
        if !std::mem::replace(&mut self.started, true) {
            self.start(watcher)?;
            self.depth_end = self.store.len() as u32;
        }
        while self.statistics.generated < transitions
            && let Some(id) = self.frontier.pop(self.store.len())
        {
            if !self.store.is_alive(id) {
                continue;
            }
            if id.0 >= self.depth_end {
                self.depth_end = self.store.len() as u32;
                self.depth += 1;
            }
            if let Some(reason) = self.watch.check(self.store.len() as u64, || self.store.demand()) {
                return Ok(Some(Outcome::Stopped(reason)));
            }
            if self.watch.is_report_due() {
                watcher.progress(&self.progress());
            }
            self.expand(id, watcher)?;
            self.frontier.end_batch();
        }
        let is_over = self.frontier.waiting(self.store.len()) == 0;
        Ok(is_over.then_some(Outcome::Exhausted))
    }

    fn start(&mut self, watcher: &mut dyn Watcher) -> Result<(), Outcome> {
        let packing = self.explorer.packing_handle();
        let (store, frontier, closer) = (&mut *self.store, &mut self.frontier, &mut self.closer);
        let mut ordinal = 0;
        let result = self.explorer.initial(&mut |state| {
            if let Inserted::New(id) = store.insert(&packing, state, None, ordinal, Replace::Covered) {
                frontier.push(id);
                closer.consider(watcher, id, state);
            }
            ordinal += 1;
        });
        result.map_err(|failure| Outcome::Failed(None, failure))?;
        self.closer.take(None, self.store, self.explorer, watcher)
    }

    fn expand(&mut self, id: StateId, watcher: &mut dyn Watcher) -> Result<(), Outcome> {
        self.store.load(id, self.explorer);
        self.statistics.explored += 1;
        let replace =
            if self.shortest { Replace::Except(id, StateId(self.depth_end)) } else { Replace::Covered };
        let (store, frontier, statistics, closer) =
            (&mut *self.store, &mut self.frontier, &mut self.statistics, &mut self.closer);
        let packing = self.explorer.packing_handle();
        let mut ordinal = 0;
        let watch = &mut self.watch;
        let mut stopped = None;
        let result = self.explorer.expand_source(&mut |state, edges| {
            stopped = watch.check_successor(|| store.demand());
            if stopped.is_some() {
                return ControlFlow::Break(());
            }
            statistics.generated += 1;
            watcher.transition(edges, state);
            match store.insert(&packing, state, Some(id), ordinal, replace) {
                Inserted::New(new) => {
                    frontier.push(new);
                    closer.consider(watcher, new, state);
                }
                Inserted::Covered => statistics.covered += 1,
            }
            ordinal += 1;
            ControlFlow::Continue(())
        });
        result.map_err(|failure| Outcome::Failed(Some(id), failure))?;
        self.closer.take(Some(id), self.store, self.explorer, watcher)?;
        stopped.map_or(Ok(()), |reason| Err(Outcome::Stopped(reason)))
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

    pub(crate) fn numbers(&self) -> Statistics {
        Statistics {
            stored: self.store.len() as u64 - self.store.covered(),
            covered: self.statistics.covered + self.store.covered(),
            discrete: self.store.discrete_states() as u64,
            bytes: self.store.bytes() as u64,
            seconds: self.watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }
}
