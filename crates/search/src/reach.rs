//! Reachability: expand states until a goal is found, nothing is left, or a limit is hit.

use crate::frontier::{Frontier, Order};
use crate::goal::GoalTest;
use crate::limits::{Limits, StopReason, Watch};
use crate::statistics::{Progress, Statistics};
use guidepost_explore::{Explorer, Failure, Inserted, Replace, StateId, Store, SymbolicState};
use guidepost_network::EdgeId;
use std::ops::ControlFlow;

/// How a search ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// A state satisfies a goal: the state and the goal's index.
    Found(StateId, usize),
    /// All states were expanded, and none satisfies a goal.
    Exhausted,
    /// A limit was hit.
    Stopped(StopReason),
    /// The model failed: while expanding this state (or the initial one).
    Failed(Option<StateId>, Failure),
}

/// Looks at a search while it runs.
pub trait Visit {
    /// A transition was computed, covered or not.
    fn transition(&mut self, _edges: &[EdgeId], _target: &SymbolicState) {}
    /// A state is about to be expanded.
    fn state(&mut self, _id: StateId, _state: &SymbolicState) {}
    /// Now and then.
    fn progress(&mut self, _progress: &Progress) {}
}

impl Visit for () {}

/// A reachability search, ready to run.
pub struct Reachability<'s, 'n> {
    /// Computes successors.
    pub explorer: &'s mut Explorer<'n>,
    /// Holds the states; empty at first.
    pub store: &'s mut Store,
    /// In which order.
    pub order: Order,
    /// Whether the first goal found must be a nearest one; only in breadth-first order.
    pub shortest: bool,
    /// What may be used up.
    pub limits: &'s Limits,
}

/// Runs a search for any of the goals.
pub fn search<'n>(
    search: Reachability<'_, 'n>,
    goals: &mut GoalTest<'_, 'n>,
    visit: &mut dyn Visit,
) -> (Outcome, Statistics) {
    let mut run = Run {
        explorer: search.explorer,
        store: search.store,
        frontier: Frontier::new(search.order),
        shortest: search.shortest,
        watch: Watch::new(search.limits),
        statistics: Statistics::default(),
        depth_end: 0,
        depth: 0,
        fresh: Vec::new(),
    };
    let outcome = run.run(goals, visit).unwrap_or_else(|outcome| outcome);
    (outcome, run.finish())
}

struct Run<'s, 'n> {
    explorer: &'s mut Explorer<'n>,
    store: &'s mut Store,
    frontier: Frontier,
    shortest: bool,
    watch: Watch,
    statistics: Statistics,
    /// First state of the next depth (breadth-first only).
    depth_end: u32,
    depth: u64,
    fresh: Vec<StateId>,
}

impl<'n> Run<'_, 'n> {
    fn run(&mut self, goals: &mut GoalTest<'_, 'n>, visit: &mut dyn Visit) -> Result<Outcome, Outcome> {
        self.start().map_err(|failure| Outcome::Failed(None, failure))?;
        self.test_fresh(goals)?;
        self.depth_end = self.store.len() as u32;
        while let Some(id) = self.frontier.pop(self.store.len()) {
            if !self.store.is_alive(id) {
                continue;
            }
            if id.0 >= self.depth_end {
                self.depth_end = self.store.len() as u32;
                self.depth += 1;
            }
            if let Some(reason) = self.watch.check(self.store.len() as u64, || self.store.bytes()) {
                return Ok(Outcome::Stopped(reason));
            }
            if self.watch.is_report_due() {
                visit.progress(&self.progress());
            }
            self.expand(id, visit)?;
            self.test_fresh(goals)?;
            self.frontier.end_batch();
        }
        Ok(Outcome::Exhausted)
    }

    fn start(&mut self) -> Result<(), Failure> {
        let packing = self.explorer.packing_handle();
        let (store, frontier, fresh) = (&mut *self.store, &mut self.frontier, &mut self.fresh);
        let mut ordinal = 0;
        self.explorer.initial(&mut |state| {
            if let Inserted::New(id) = store.insert(&packing, state, None, ordinal, Replace::Covered) {
                frontier.push(id);
                fresh.push(id);
            }
            ordinal += 1;
        })
    }

    fn expand(&mut self, id: StateId, visit: &mut dyn Visit) -> Result<(), Outcome> {
        self.store.load(id, self.explorer);
        visit.state(id, self.explorer.source());
        self.statistics.explored += 1;
        let replace = if self.shortest {
            Replace::Except(id, StateId(self.depth_end))
        } else {
            Replace::Covered
        };
        let (store, frontier, statistics, fresh) =
            (&mut *self.store, &mut self.frontier, &mut self.statistics, &mut self.fresh);
        let mut ordinal = 0;
        let packing = self.explorer.packing_handle();
        let result = self.explorer.expand_source(&mut |state, edges| {
            statistics.generated += 1;
            visit.transition(edges, state);
            match store.insert(&packing, state, Some(id), ordinal, replace) {
                Inserted::New(new) => {
                    frontier.push(new);
                    fresh.push(new);
                }
                Inserted::Covered => statistics.covered += 1,
            }
            ordinal += 1;
            ControlFlow::Continue(())
        });
        result.map_err(|failure| Outcome::Failed(Some(id), failure))
    }

    /// Looks for a goal among the states that were just stored.
    fn test_fresh(&mut self, goals: &mut GoalTest<'_, 'n>) -> Result<(), Outcome> {
        if goals.is_empty() {
            self.fresh.clear();
            return Ok(());
        }
        for position in 0..self.fresh.len() {
            let id = self.fresh[position];
            if !self.store.is_alive(id) {
                continue;
            }
            self.store.load(id, self.explorer);
            let state = self.explorer.source().clone();
            match goals.find(&state, self.explorer) {
                Ok(Some(goal)) => return Err(Outcome::Found(id, goal)),
                Ok(None) => {}
                Err(failure) => return Err(Outcome::Failed(Some(id), failure)),
            }
        }
        self.fresh.clear();
        Ok(())
    }

    fn progress(&self) -> Progress {
        Progress {
            statistics: self.numbers(),
            waiting: self.frontier.waiting(self.store.len()),
            depth: self.depth,
        }
    }

    fn numbers(&self) -> Statistics {
        Statistics {
            stored: self.store.len() as u64 - self.store.covered(),
            covered: self.statistics.covered + self.store.covered(),
            discrete: self.store.discrete_states() as u64,
            bytes: self.store.bytes() as u64,
            seconds: self.watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }

    fn finish(self) -> Statistics {
        self.numbers()
    }
}
