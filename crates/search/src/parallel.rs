//! Breadth-first search with several threads.
//!
//! Level by level: the threads share the states of one depth among themselves, a chunk of one shard at a time, and store those of the next in batches
//! ([`Outbox`]). Since a level is finished before the next one begins, the first goal found is still a nearest one; which of several equally near ones it is
//! depends on the threads.

mod outbox;
mod shards;

use crate::limits::{Limits, Watch};
use crate::reach::{Outcome, Watcher};
use crate::statistics::{Progress, Statistics};
use guidepost_explore::{Explorer, Failure, Inserted, Replace, StateId, Store, SymbolicState};
use outbox::Outbox;
pub(crate) use shards::ShardedStore;
use shards::{SHARDS, join, shard_of};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// States that a thread takes from a level at a time.
const CHUNK: usize = 32;

/// A breadth-first search with one worker per thread.
pub(crate) struct ParallelSearch<'s> {
    pub(crate) shortest: bool,
    pub(crate) limits: &'s Limits,
}

/// A search that is over.
pub(crate) struct Done {
    pub(crate) outcome: Outcome,
    pub(crate) statistics: Statistics,
    pub(crate) states: ShardedStore,
}

/// What the threads of one level share.
struct Level<'l> {
    /// Shards with some of their states, for the threads to take.
    chunks: Vec<(usize, Range<u32>)>,
    next: AtomicUsize,
    store: &'l ShardedStore,
    /// By shard: first state of this level, and first one behind it.
    marks: Vec<(StateId, StateId)>,
    shortest: bool,
    stop: AtomicBool,
    outcome: Mutex<Option<Outcome>>,
}

impl<'l> Level<'l> {
    /// The states between the marks.
    fn new(store: &'l ShardedStore, marks: Vec<(StateId, StateId)>, shortest: bool) -> Self {
        let mut chunks = Vec::new();
        for (shard, (first, end)) in marks.iter().enumerate() {
            let starts = (first.0..end.0).step_by(CHUNK);
            chunks.extend(starts.map(|start| (shard, start..end.0.min(start + CHUNK as u32))));
        }
        Self {
            chunks,
            next: AtomicUsize::new(0),
            store,
            marks,
            shortest,
            stop: AtomicBool::new(false),
            outcome: Mutex::new(None),
        }
    }

    /// A chunk that nobody has taken.
    fn take(&self) -> Option<(usize, Range<u32>)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.chunks.get(self.next.fetch_add(1, Ordering::Relaxed)).cloned()
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

    fn end(&self, outcome: Outcome) {
        self.stop.store(true, Ordering::Relaxed);
        let mut place = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        // An error is worth more than a limit that another thread ran into.
        let replaces = matches!(outcome, Outcome::Failed(..)) || place.is_none();
        if replaces {
            *place = Some(outcome);
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
        let mut watch = Watch::new(self.limits);
        let mut statistics = Statistics::default();
        let mut depth = 0;
        let mut outcome = start(&mut workers[0], &store);
        let mut begins = vec![StateId(0); SHARDS];
        let mut ends = store.ends();
        while outcome.is_none() && begins != ends {
            if level_end(&mut workers.iter_mut().map(|(_, watcher)| watcher).collect::<Vec<_>>()) {
                outcome = Some(Outcome::Satisfied);
                break;
            }
            let marks = begins.iter().copied().zip(ends.iter().copied()).collect();
            let level = Level::new(&store, marks, self.shortest);
            let shares = run_level(workers, &level, &mut watch);
            outcome = level.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
            for share in shares {
                statistics.explored += share.explored;
                statistics.generated += share.generated;
                statistics.covered += share.covered;
            }
            begins = std::mem::replace(&mut ends, store.ends());
            depth += 1;
            let numbers = numbers(statistics, &store, &watch);
            observe(&Progress {
                statistics: numbers,
                waiting: begins.iter().zip(&ends).map(|(first, end)| u64::from(end.0 - first.0)).sum(),
                depth,
                best_estimate: None,
                stage: None,
            });
        }
        let all_found = level_end(&mut workers.iter_mut().map(|(_, watcher)| watcher).collect::<Vec<_>>());
        let outcome = match outcome {
            Some(outcome) => outcome,
            None if all_found => Outcome::Satisfied,
            None => Outcome::Exhausted,
        };
        Done { outcome, statistics: numbers(statistics, &store, &watch), states: store }
    }
}

fn numbers(statistics: Statistics, store: &ShardedStore, watch: &Watch) -> Statistics {
    let dropped = store.total(Store::covered);
    Statistics {
        stored: store.total(|store| store.len() as u64) - dropped,
        covered: statistics.covered + dropped,
        discrete: store.total(|store| store.discrete_states() as u64),
        bytes: store.bytes() as u64,
        seconds: watch.elapsed().as_secs_f64(),
        ..statistics
    }
}

/// Stores the initial states; says how the search ends if it does so at once.
fn start<W: Watcher>((explorer, watcher): &mut (Explorer<'_>, W), store: &ShardedStore) -> Option<Outcome> {
    let packing = explorer.packing_handle();
    let initial = match explorer.initial_states() {
        Ok(states) => states,
        Err(failure) => return Some(Outcome::Failed(None, failure)),
    };
    let mut probe = explorer.probe();
    for (ordinal, state) in initial.iter().enumerate() {
        probe.set(&packing, state);
        let shard = shard_of(probe.hash());
        let inserted =
            store.shard(shard).insert_probed(&mut probe, state, None, ordinal as u32, Replace::Covered);
        if let Inserted::New(local) = inserted {
            match examine(watcher, explorer, join(shard, local), state) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Some(Outcome::Satisfied),
                Err(failure) => return Some(Outcome::Failed(None, failure)),
            }
        }
    }
    None
}

fn examine(
    watcher: &mut dyn Watcher,
    explorer: &mut Explorer<'_>,
    id: StateId,
    state: &SymbolicState,
) -> Result<ControlFlow<()>, Failure> {
    let interesting = watcher.stored(state).map_err(|error| Failure { error, edges: Vec::new() })?;
    if interesting { watcher.examine(id, state, explorer) } else { Ok(ControlFlow::Continue(())) }
}

fn run_level<W: Watcher + Send>(
    workers: &mut [(Explorer<'_>, W)],
    level: &Level<'_>,
    watch: &mut Watch,
) -> Vec<Statistics> {
    // Small levels are not worth a thread.
    let useful = level.chunks.len().clamp(1, workers.len());
    let (first, others) = workers[..useful].split_first_mut().expect("at least one worker");
    std::thread::scope(|scope| {
        let threads: Vec<_> = others
            .iter_mut()
            .map(|worker| {
                let mut watch = watch.clone();
                scope.spawn(move || work(worker, level, &mut watch))
            })
            .collect();
        let mut shares = vec![work(first, level, watch)];
        for thread in threads {
            match thread.join() {
                Ok(share) => shares.push(share),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        shares
    })
}

/// What one thread does in a level; says how much that was.
fn work<W: Watcher>(
    (explorer, watcher): &mut (Explorer<'_>, W),
    level: &Level<'_>,
    watch: &mut Watch,
) -> Statistics {
    let outbox = Outbox::new(explorer);
    let mut worker = Worker {
        explorer,
        watcher,
        level,
        watch,
        outbox,
        chunk: Vec::new(),
        statistics: Statistics::default(),
    };
    if let Err(outcome) = worker.run() {
        level.end(outcome);
    }
    Statistics { covered: worker.outbox.covered, ..worker.statistics }
}

/// One thread in a level.
struct Worker<'w, 'n, W> {
    explorer: &'w mut Explorer<'n>,
    watcher: &'w mut W,
    level: &'w Level<'w>,
    watch: &'w mut Watch,
    outbox: Outbox,
    /// The states of the chunk in hand.
    chunk: Vec<(StateId, SymbolicState)>,
    statistics: Statistics,
}

impl<W: Watcher> Worker<'_, '_, W> {
    fn run(&mut self) -> Result<(), Outcome> {
        while let Some((shard, range)) = self.level.take() {
            let states = self.fetch(shard, range);
            for position in 0..states {
                self.expand(position)?;
                self.outbox.examine(self.explorer, self.watcher)?;
            }
        }
        self.outbox.empty(self.level, self.watcher);
        self.outbox.examine(self.explorer, self.watcher)
    }

    /// Gets the states of a chunk that are still worth expanding, with one lock for all; says how many these are.
    fn fetch(&mut self, shard: usize, range: Range<u32>) -> usize {
        let store = self.level.store.shard(shard);
        let mut used = 0;
        for local in range.map(StateId).filter(|&local| store.is_alive(local)) {
            if used == self.chunk.len() {
                self.chunk.push((local, self.explorer.source().clone()));
            }
            let (id, state) = &mut self.chunk[used];
            *id = join(shard, local);
            store.load(local, self.explorer);
            self.explorer.exchange_source(state);
            used += 1;
        }
        used
    }

    fn expand(&mut self, position: usize) -> Result<(), Outcome> {
        let Self { explorer, watcher, level, watch, outbox, chunk, statistics } = self;
        let stored = if watch.counts_states() { level.store.len() } else { 0 };
        if let Some(reason) = watch.check(stored, || level.store.bytes()) {
            return Err(Outcome::Stopped(reason));
        }
        statistics.explored += 1;
        let (id, state) = &mut chunk[position];
        explorer.exchange_source(state);
        let mut ordinal = 0;
        let mut stopped = None;
        let result = explorer.hand_out_successors(&mut |state, edges| {
            stopped = watch.check_successor(|| level.store.bytes());
            if stopped.is_some() {
                return ControlFlow::Break(());
            }
            statistics.generated += 1;
            watcher.transition(edges, state);
            outbox.put(state, *id, ordinal, level, *watcher);
            ordinal += 1;
            ControlFlow::Continue(())
        });
        result.map_err(|failure| Outcome::Failed(Some(*id), failure))?;
        stopped.map_or(Ok(()), |reason| Err(Outcome::Stopped(reason)))
    }
}
