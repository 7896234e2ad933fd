//! The search for the cheapest run: branch and bound.
//!
//! States wait in some order. Whatever the order, a state whose bound is not below the cost of the best run so far is dropped: nothing behind it is cheaper, since costs never
//! fall. When nothing waits, the best run is proved to be one. Until then, every run costs at least the smallest bound of all states that wait.

use crate::open::{Open, Order};
use crate::space::{NEVER, Space, Successors};
use guidepost_answer::{Limits, Progress, Statistics, StopReason, Watch};
use guidepost_explore::Failure;
use std::time::Duration;

/// How a search ends.
pub(crate) enum End {
    /// Everything that could be cheaper has been seen.
    Exhausted,
    /// A limit was reached.
    Stopped(StopReason),
    /// The model failed in a state, or before the first one.
    Failed(Option<u32>, Failure),
}

/// What is heard of a search.
pub(crate) enum Heard {
    Progress(Progress),
    /// The best cost so far ([`NEVER`]: none), and the bound.
    Improved(i64, i64),
}

/// Bounds are told at most so often.
const PERIOD: Duration = Duration::from_millis(500);

/// After so many expansions, neighbours of the best run are looked at.
const TURN: u64 = 16;
/// So many events are looked at then, which takes about as long as the expansions.
const EFFORT: usize = 50_000;

/// A search through a space.
pub(crate) struct Search<'s> {
    space: &'s mut dyn Space,
    open: Open,
    watch: Watch,
    statistics: Statistics,
    /// No run costs less.
    bound: i64,
    last_told: (i64, i64, Duration),
}

impl<'s> Search<'s> {
    pub(crate) fn new(space: &'s mut dyn Space, order: Order, limits: &Limits) -> Self {
        Self {
            space,
            open: Open::new(order),
            watch: Watch::new(limits),
            statistics: Statistics::default(),
            bound: 0,
            last_told: (NEVER, 0, Duration::ZERO),
        }
    }

    pub(crate) fn run(&mut self, hear: &mut dyn FnMut(Heard)) -> End {
        let mut successors = Successors::default();
        if let Err(failure) = self.space.begin(&mut successors) {
            return End::Failed(None, failure);
        }
        self.open.extend(&mut successors.found, 0);
        self.bound = self.open.bound().min(self.space.best());
        self.tell(hear);
        loop {
            let Some((id, bound, depth)) = self.open.pop() else {
                self.bound = self.space.best();
                return End::Exhausted;
            };
            if bound >= self.space.best() || !self.space.is_alive(id) {
                continue;
            }
            let space = &*self.space;
            if let Some(reason) = self.watch.check(space.stored().0, || space.demand()) {
                // What was taken out still waits.
                self.bound = self.bound.max(self.open.bound().min(bound)).min(self.space.best());
                return End::Stopped(reason);
            }
            if self.watch.is_report_due() {
                let waiting = self.open.len() as u64;
                let statistics = self.numbers();
                hear(Heard::Progress(Progress {
                    statistics,
                    waiting,
                    depth: depth.into(),
                    ..Progress::default()
                }));
                if self.watch.elapsed() > self.last_told.2 + PERIOD {
                    self.bound = self.bound.max(self.open.bound().min(bound)).min(self.space.best());
                    self.tell(hear);
                }
            }
            self.statistics.explored += 1;
            successors.clear();
            let before = self.space.best();
            if let Err(failure) = self.space.expand(id, &mut successors) {
                self.count(&mut successors);
                return End::Failed(Some(id), failure);
            }
            for found in &mut successors.found {
                // What every run through a state costs holds for those through its successors.
                found.bound = found.bound.max(bound);
            }
            self.open.extend(&mut successors.found, depth + 1);
            if self.open.improves() && self.statistics.explored.is_multiple_of(TURN) {
                self.space.improve(EFFORT);
            }
            if self.space.best() < before {
                self.bound = self.bound.max(self.open.bound()).min(self.space.best());
                self.tell(hear);
            }
            self.count(&mut successors);
        }
    }

    fn count(&mut self, successors: &mut Successors) {
        self.statistics.generated += std::mem::take(&mut successors.generated);
        self.statistics.covered += std::mem::take(&mut successors.covered);
        self.statistics.dead_ends += std::mem::take(&mut successors.pruned);
    }

    /// Tells the best cost and the bound, if one of them is new.
    fn tell(&mut self, hear: &mut dyn FnMut(Heard)) {
        let (best, bound) = (self.space.best(), self.bound);
        if (best, bound) != (self.last_told.0, self.last_told.1) {
            hear(Heard::Improved(best, bound));
        }
        self.last_told = (best, bound, self.watch.elapsed());
    }

    /// No run costs less than this; [`NEVER`]: there is none.
    pub(crate) fn bound(&self) -> i64 {
        self.bound
    }

    pub(crate) fn numbers(&self) -> Statistics {
        let (stored, covered) = self.space.stored();
        Statistics {
            stored: stored - covered,
            covered: self.statistics.covered + covered,
            discrete: self.space.discrete(),
            bytes: self.space.demand() as u64,
            seconds: self.watch.elapsed().as_secs_f64(),
            ..self.statistics
        }
    }
}
