//! Breadth-first search with several threads.
//!
//! Level by level: the threads share the states of one depth among themselves, a chunk at a time, and store those of the next in batches ([`outbox`]).
//! Since a level is finished before the next one begins, the first goal found is still a nearest one; which of several equally near ones it is depends on the
//! threads.
//!
//! States are expanded in the order in which one thread would have generated them, whoever did: zones that cover others tend to come early in it, and in
//! another order more states are stored that later ones cover. A chunk is as large as fairness allows: states with a common parent have successors in
//! common, which then are still in the processor's cache. Threads and their buffers last as long as the search, since memory that a new thread gets has to be
//! cleared by the system first.

mod outbox;
mod shards;
mod worker;

use crate::reach::{End, Watcher};
use guidepost_answer::{Limits, Progress, Statistics, Watch};
use guidepost_explore::{Explorer, Replace, StateId, Store};
use shards::SHARDS;
pub(crate) use shards::ShardedStore;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use worker::{Helper, Worker};

/// States that a thread takes from a level at a time, at least and at most; in between, a small part of what there is for each.
const CHUNKS: (usize, usize) = (16, 256);
/// Into how many chunks the share of a thread is cut.
const CHUNKS_PER_THREAD: usize = 16;

/// A breadth-first search with one worker per thread.
pub(crate) struct ParallelSearch<'s> {
    pub(crate) shortest: bool,
    pub(crate) limits: &'s Limits,
}

/// A search that is over.
pub(crate) struct Done {
    pub(crate) end: End,
    pub(crate) statistics: Statistics,
    pub(crate) states: ShardedStore,
}

/// What the threads of one level share.
struct Level<'l> {
    /// In the order in which they were generated.
    states: Vec<StateId>,
    /// How many of these a thread takes at a time.
    chunk: usize,
    next: AtomicUsize,
    store: &'l ShardedStore,
    /// By shard: first state of this level, and first one behind it.
    marks: Vec<(StateId, StateId)>,
    shortest: bool,
    stop: AtomicBool,
    end: Mutex<Option<End>>,
}

impl Level<'_> {
    /// States that nobody has taken, and where they begin.
    fn take(&self) -> Option<(usize, &[StateId])> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let from = self.next.fetch_add(self.chunk, Ordering::Relaxed);
        let end = self.states.len().min(from + self.chunk);
        self.states.get(from..end).filter(|states| !states.is_empty()).map(|states| (from, states))
    }

    /// Which states of a shard those of the next level may drop.
    fn replace(&self, shard: usize) -> Replace<'static> {
        if self.shortest {
            let (first, end) = self.marks[shard];
            Replace::Except(first, end)
        } else {
            Replace::Covered
        }
    }

    fn end(&self, end: End) {
        self.stop.store(true, Ordering::Relaxed);
        let mut place = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        // An error is worth more than a limit that another thread ran into.
        let replaces = matches!(end, End::Failed(..)) || place.is_none();
        if replaces {
            *place = Some(end);
        }
    }
}

impl ParallelSearch<'_> {
    /// Runs the search. `level_end` sees all watchers after each level and may end the search.
    pub(crate) fn run<'n, W: Watcher + Send>(
        &self,
        workers: &mut [(Explorer<'n>, W)],
        level_end: &mut dyn FnMut(&mut [&mut W]) -> bool,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Done {
        let store = ShardedStore::new(&workers[0].0);
        let watch = Watch::new(self.limits);
        let mut workers: Vec<_> = workers.iter_mut().map(|worker| Worker::new(worker, &watch)).collect();
        let mut end = workers[0].start(&store);
        let mut statistics = Statistics::default();
        let mut satisfied = false;
        std::thread::scope(|scope| {
            let helpers: Vec<_> = workers[1..].iter().map(|_| Helper::spawn(scope)).collect();
            let mut begins = vec![StateId(0); SHARDS];
            for depth in 1.. {
                let watchers = workers.iter_mut().map(|worker| &mut *worker.watcher);
                satisfied = level_end(&mut watchers.collect::<Vec<_>>());
                let states = take_stored(&mut workers);
                if end.is_some() || satisfied || states.is_empty() {
                    break;
                }
                let ends = store.ends();
                let marks = std::mem::replace(&mut begins, ends.clone()).into_iter().zip(ends).collect();
                end = run_level(&mut workers, &helpers, self.level(states, &store, marks, helpers.len() + 1));
                statistics = workers.iter().map(Worker::statistics).fold(Statistics::default(), sum);
                observe(&Progress {
                    statistics: numbers(statistics, &store, &watch),
                    waiting: workers.iter().map(|worker| worker.outbox.stored().len() as u64).sum(),
                    depth,
                    best_estimate: None,
                    stage: None,
                });
            }
        });
        let otherwise = if satisfied { End::Satisfied } else { End::Exhausted };
        let statistics = numbers(statistics, &store, &watch);
        Done { end: end.unwrap_or(otherwise), statistics, states: store }
    }

    fn level<'l>(
        &self,
        states: Vec<StateId>,
        store: &'l ShardedStore,
        marks: Vec<(StateId, StateId)>,
        threads: usize,
    ) -> Level<'l> {
        let (least, most) = CHUNKS;
        Level {
            chunk: (states.len() / threads / CHUNKS_PER_THREAD).clamp(least, most),
            states,
            next: AtomicUsize::new(0),
            store,
            marks,
            shortest: self.shortest,
            stop: AtomicBool::new(false),
            end: Mutex::new(None),
        }
    }
}

/// What the threads have stored, in the order of the states it was generated from.
fn take_stored<W: Watcher>(workers: &mut [Worker<'_, '_, W>]) -> Vec<StateId> {
    let mut parts: Vec<_> = workers.iter().flat_map(|worker| worker.outbox.stored_by_chunk()).collect();
    parts.sort_unstable_by_key(|&(place, _)| place);
    debug_assert!(
        parts.iter().zip(parts.iter().skip(1)).all(|(one, next)| one.0 != next.0),
        "a chunk has one thread"
    );
    let states = parts.iter().flat_map(|(_, states)| states.iter().copied()).collect();
    for worker in workers {
        worker.outbox.forget_stored();
    }
    states
}

/// Adds up what two threads did.
fn sum(left: Statistics, right: Statistics) -> Statistics {
    Statistics {
        explored: left.explored + right.explored,
        generated: left.generated + right.generated,
        covered: left.covered + right.covered,
        ..left
    }
}

fn numbers(statistics: Statistics, store: &ShardedStore, watch: &Watch) -> Statistics {
    let dropped = store.total(Store::covered);
    Statistics {
        stored: store.total(|store| store.len() as u64) - dropped,
        covered: statistics.covered + dropped,
        discrete: store.total(|store| store.discrete_states() as u64),
        bytes: store.total(|store| store.bytes() as u64),
        seconds: watch.elapsed().as_secs_f64(),
        ..statistics
    }
}

/// Expands the states of a level; says how the search ends if it does.
fn run_level<'w, 'n, 'l, W: Watcher + Send>(
    workers: &mut Vec<Worker<'w, 'n, W>>,
    helpers: &[Helper<'w, 'n, 'l, W>],
    level: Level<'l>,
) -> Option<End> {
    // Small levels are not worth a thread.
    let useful = level.states.len().div_ceil(level.chunk).clamp(1, workers.len());
    let level = Arc::new(level);
    let busy = &helpers[..useful - 1];
    for (helper, worker) in busy.iter().zip(workers.drain(1..useful)) {
        helper.begin(worker, &level);
    }
    workers[0].work(&level);
    for (position, helper) in (1..).zip(busy) {
        workers.insert(position, helper.end());
    }
    debug_assert_eq!(workers.len(), helpers.len() + 1, "all workers are back");
    level.end.lock().unwrap_or_else(PoisonError::into_inner).take()
}
