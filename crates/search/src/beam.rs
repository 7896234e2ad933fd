//! Beam search: level by level, but only the most promising states of each level.
//!
//! Memory and time grow with the width and not with the state space, but the goal may be missed. A beam that ends without finding the goal
//! proves nothing, unless no state was ever left out. So the width is doubled and the search starts again until one of the two is the case: the
//! answer is always correct.

use crate::examination::Examination;
use crate::expansion::{Expansion, Newcomers, Storing};
use crate::open::{Open, Priority, UNITS};
use crate::reach::{End, Watcher};
use crate::strategy::Ties;
use guidepost_answer::{Estimate, Progress, Statistics, Watch};
use guidepost_explore::{Explorer, StateId, Store, SymbolicState};
use guidepost_heuristics::Heuristic;
use guidepost_network::EdgeId;

/// A beam search.
pub(crate) struct Beam<'n> {
    pub(crate) explorer: Explorer<'n>,
    pub(crate) store: Store,
    pub(crate) statistics: Statistics,
    heuristic: Box<dyn Heuristic + 'n>,
    ties: Ties,
    watch: Watch,
    examination: Examination,
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
            examination: Examination::default(),
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
            debug_assert!(self.next.len() <= self.store.len(), "only stored states wait");
            self.depth += 1;
        }
    }

    fn start(&mut self, watcher: &mut dyn Watcher) -> Result<(), End> {
        let initial = self.explorer.initial_states().map_err(|failure| End::Failed(None, failure))?;
        let mut best = Estimate::DEAD_END;
        let mut storing = Storing {
            store: &mut self.store,
            packing: self.explorer.packing_handle(),
            parent: None,
            examination: &mut self.examination,
            reports_expansions: false,
            newcomers: Estimated { heuristic: &mut *self.heuristic, next: &mut self.next, best: &mut best },
        };
        // The initial estimate is a number of its own.
        storing.take_initial(&initial, watcher, &mut Statistics::default());
        if !self.store.is_empty() {
            let known = self.statistics.initial_estimate.map_or(best, |known| known.min(best));
            self.statistics.initial_estimate = Some(known);
        }
        self.examination.run(None, &self.store, &mut self.explorer, watcher)
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
        let Self { explorer, store, statistics, heuristic, examination, next, best, watch, .. } = self;
        let packing = explorer.packing_handle();
        let newcomers = Estimated { heuristic: &mut **heuristic, next, best };
        let mut storing =
            Storing { store, packing, parent: Some(id), examination, reports_expansions: false, newcomers };
        Expansion { explorer, watch, statistics, watcher }.run(id, &mut storing)
    }

    fn count(&mut self) {
        self.statistics.stored = self.store.len() as u64 - self.store.covered();
        self.statistics.discrete = self.store.discrete_states() as u64;
        self.statistics.bytes = self.statistics.bytes.max(self.store.bytes() as u64);
        self.statistics.seconds = self.watch.elapsed().as_secs_f64();
    }
}

/// New states are estimated and wait, the most promising first; dead ends are forgotten.
struct Estimated<'s, 'n> {
    heuristic: &'s mut (dyn Heuristic + 'n),
    next: &'s mut Open,
    best: &'s mut Estimate,
}

impl Newcomers for Estimated<'_, '_> {
    fn take_up(
        &mut self,
        new: StateId,
        state: &SymbolicState,
        _edges: &[EdgeId],
        _store: &Store,
        statistics: &mut Statistics,
    ) {
        let estimate = self.heuristic.estimate(state);
        statistics.evaluations += 1;
        statistics.dead_ends += u64::from(estimate.is_dead_end());
        *self.best = (*self.best).min(estimate);
        if let Some(steps) = estimate.as_steps() {
            let value = UNITS * u64::from(steps);
            self.next.push(new, Priority::of(value, steps));
        }
    }
}
