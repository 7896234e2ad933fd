//! Beam search: level by level, but only the most promising states of each level.
//!
//! Memory and time grow with the width and not with the state space, but the goal may be missed. A beam that ends without finding the goal
//! proves nothing, unless no state was ever left out. So the width is doubled and the search starts again until one of the two is the case: the
//! answer is always correct.

use crate::closer_look::CloserLook;
use crate::open::{Open, Priority, STEP};
use crate::reach::{End, Watcher};
use crate::strategy::Ties;
use guidepost_answer::{Estimate, Progress, Statistics, Watch};
use guidepost_explore::{Explorer, Inserted, Replace, StateId, Store};
use guidepost_heuristics::Heuristic;
use std::ops::ControlFlow;

/// A beam search.
pub(crate) struct Beam<'n> {
    pub(crate) explorer: Explorer<'n>,
    pub(crate) store: Store,
    pub(crate) statistics: Statistics,
    heuristic: Box<dyn Heuristic + 'n>,
    ties: Ties,
    watch: Watch,
    closer: CloserLook,
    next: Open,
    depth: u64,
    best: Estimate,
}

impl<'n> Beam<'n> {
    pub(crate) fn new(
        explorer: Explorer<'n>,
        heuristic: Box<dyn Heuristic + 'n>,
        ties: Ties,
        watch: Watch,
    ) -> Self {
        Self {
            store: Store::new(&explorer),
            explorer,
            statistics: Statistics::default(),
            heuristic,
            ties,
            watch,
            closer: CloserLook::default(),
            next: Open::new(ties),
            depth: 0,
            best: Estimate::DEAD_END,
        }
    }

    pub(crate) fn run(&mut self, width: usize, watcher: &mut dyn Watcher) -> End {
        let mut width = width;
        let end = loop {
            match self.pass(width, watcher) {
                Ok(true) => width = width.saturating_mul(2),
                Ok(false) => break End::Exhausted,
                Err(end) => break end,
            }
        };
        self.count();
        end
    }

    /// One search with a width; whether states were left out.
    fn pass(&mut self, width: usize, watcher: &mut dyn Watcher) -> Result<bool, End> {
        self.store = Store::new(&self.explorer);
        self.next = Open::new(self.ties);
        self.depth = 0;
        self.start(watcher)?;
        let mut left_out = false;
        loop {
            let mut level = std::mem::replace(&mut self.next, Open::new(self.ties));
            if level.len() == 0 {
                return Ok(left_out);
            }
            for _ in 0..width {
                let Some((id, _)) = level.pop() else { break };
                self.expand(id, watcher)?;
            }
            left_out |= level.len() > 0;
            self.depth += 1;
        }
    }

    fn start(&mut self, watcher: &mut dyn Watcher) -> Result<(), End> {
        let pieces = self.explorer.initial_states().map_err(|failure| End::Failed(None, failure))?;
        let packing = self.explorer.packing_handle();
        for (ordinal, state) in (0..).zip(&pieces) {
            let inserted = self.store.insert(&packing, state, None, ordinal, Replace::Covered);
            if let Inserted::New(id) = inserted {
                self.closer.consider(watcher, id, state);
                let estimate = self.heuristic.estimate(state);
                let initial = self.statistics.initial_estimate.map_or(estimate, |known| known.min(estimate));
                self.statistics.initial_estimate = Some(initial);
                enqueue(&mut self.next, id, estimate);
            }
        }
        self.closer.take(None, &self.store, &mut self.explorer, watcher)
    }

    fn expand(&mut self, id: StateId, watcher: &mut dyn Watcher) -> Result<(), End> {
        if !self.store.is_alive(id) {
            return Ok(());
        }
        let store = &self.store;
        if let Some(reason) = self.watch.check(store.len() as u64, || store.demand()) {
            return Err(End::Stopped(reason));
        }
        if self.watch.is_report_due() {
            self.count();
            let (waiting, depth) = (self.next.len() as u64, self.depth);
            let best_estimate = self.best.as_steps();
            watcher.progress(&Progress {
                statistics: self.statistics,
                waiting,
                depth,
                best_estimate,
                stage: None,
            });
        }
        self.store.load(id, &mut self.explorer);
        self.statistics.explored += 1;
        self.next.next_age();
        let Self { explorer, store, statistics, heuristic, closer, next, best, watch, .. } = self;
        let packing = explorer.packing_handle();
        let mut ordinal = 0;
        let mut stopped = None;
        let result = explorer.expand_source(&mut |state, edges| {
            stopped = watch.check_successor(|| store.demand());
            if stopped.is_some() {
                return ControlFlow::Break(());
            }
            statistics.generated += 1;
            watcher.transition(edges, state);
            match store.insert(&packing, state, Some(id), ordinal, Replace::Covered) {
                Inserted::Covered => statistics.covered += 1,
                Inserted::New(new) => {
                    closer.consider(watcher, new, state);
                    let estimate = heuristic.estimate(state);
                    statistics.evaluations += 1;
                    statistics.dead_ends += u64::from(estimate.is_dead_end());
                    *best = (*best).min(estimate);
                    enqueue(next, new, estimate);
                }
            }
            ordinal += 1;
            ControlFlow::Continue(())
        });
        result.map_err(|failure| End::Failed(Some(id), failure))?;
        self.closer.take(Some(id), &self.store, &mut self.explorer, watcher)?;
        stopped.map_or(Ok(()), |reason| Err(End::Stopped(reason)))
    }

    fn count(&mut self) {
        self.statistics.stored = self.store.len() as u64 - self.store.covered();
        self.statistics.discrete = self.store.discrete_states() as u64;
        self.statistics.bytes = self.statistics.bytes.max(self.store.bytes() as u64);
        self.statistics.seconds = self.watch.elapsed().as_secs_f64();
    }
}

fn enqueue(open: &mut Open, id: StateId, estimate: Estimate) {
    if let Some(steps) = estimate.as_steps() {
        open.push(id, Priority { value: STEP * u64::from(steps), is_useless: false, estimate: steps });
    }
}
