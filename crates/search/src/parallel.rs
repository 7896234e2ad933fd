//! Breadth-first search with several threads.
//!
//! Level by level: the threads share the states of one depth among themselves and collect those of the next. The store is cut into shards by the hash
//! of the discrete part, each behind a lock of its own, so that states that could cover each other always meet in the same shard. With many
//! more shards than threads, two rarely want the same one. Since a level is finished before the next one begins, the first goal found is still a nearest
//! one; which of several equally near ones it is depends on the threads.

use crate::limits::{Limits, StopReason, Watch};
use crate::reach::{Outcome, Watcher};
use crate::statistics::{Progress, Statistics};
use guidepost_explore::{
    Explorer, Failure, Inserted, Packing, Probe, Replace, StateId, Store, SymbolicState,
};
use guidepost_network::{EdgeId, EvalError};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;
/// Expanded states after which a thread adds up the memory of all shards; a multiple of those after which it looks at limits.
const ADD_UP: u32 = 512;
/// States that a thread takes from a level at a time.
const CHUNK: usize = 16;

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

/// A store in shards. Ids are those of the shard, shifted to make room for its number.
pub(crate) struct ShardedStore {
    shards: Vec<Shard>,
    /// States that were ever stored, as of the last chunks.
    len: AtomicU64,
}

/// Two cache lines apart from its neighbours, so that taking its lock does not disturb theirs.
#[repr(align(128))]
struct Shard(Mutex<Store>);

impl ShardedStore {
    fn new(explorer: &Explorer<'_>) -> Self {
        let shards = (0..SHARDS).map(|_| Shard(Mutex::new(Store::new(explorer)))).collect();
        Self { shards, len: AtomicU64::new(0) }
    }

    fn shard(&self, shard: usize) -> MutexGuard<'_, Store> {
        // A panic elsewhere is on its way to the user already.
        self.shards[shard].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The way to a state.
    pub(crate) fn ordinals(&self, id: StateId) -> Vec<u32> {
        let mut ordinals = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let (shard, local) = split(id);
            let store = self.shard(shard);
            ordinals.push(store.ordinal(local));
            at = store.parent(local);
        }
        ordinals.reverse();
        ordinals
    }

    fn total(&self, number: impl Fn(&Store) -> u64) -> u64 {
        (0..SHARDS).map(|shard| number(&self.shard(shard))).sum()
    }

    fn bytes(&self) -> usize {
        self.total(|store| store.bytes() as u64) as usize
    }
}

fn split(id: StateId) -> (usize, StateId) {
    (id.index() % SHARDS, StateId(id.0 >> SHARD_BITS))
}

fn join(shard: usize, local: StateId) -> StateId {
    assert!(local.0 < 1 << (32 - SHARD_BITS), "fewer than 2^26 states per shard");
    StateId(local.0 << SHARD_BITS | shard as u32)
}

/// Bits that depend on the whole discrete part, and that the hash table of a shard does not use: hers are the lowest and the highest.
fn shard_of(hash: u64) -> usize {
    (hash >> 19) as usize % SHARDS
}

/// What the threads of one level share.
struct Level<'l> {
    states: &'l [StateId],
    next: AtomicUsize,
    store: &'l ShardedStore,
    /// By shard: first state of this level, and first one behind it.
    marks: Vec<(StateId, StateId)>,
    shortest: bool,
    stop: AtomicBool,
    outcome: Mutex<Option<Outcome>>,
}

impl Level<'_> {
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

/// What one thread found in a level.
#[derive(Default)]
struct Share {
    next: Vec<StateId>,
    statistics: Statistics,
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
        let (mut states, mut outcome) = start(&mut workers[0], &store);
        let mut begins = vec![StateId(0); SHARDS];
        while outcome.is_none() && !states.is_empty() {
            if level_end(&mut workers.iter_mut().map(|(_, watcher)| watcher).collect::<Vec<_>>()) {
                outcome = Some(Outcome::Satisfied);
                break;
            }
            let ends: Vec<StateId> =
                (0..SHARDS).map(|shard| StateId(store.shard(shard).len() as u32)).collect();
            let level = Level {
                states: &states,
                next: AtomicUsize::new(0),
                store: &store,
                marks: begins.iter().copied().zip(ends.iter().copied()).collect(),
                shortest: self.shortest,
                stop: AtomicBool::new(false),
                outcome: Mutex::new(None),
            };
            let shares = run_level(workers, &level, self.limits, &mut watch);
            outcome = level.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
            states = Vec::new();
            for share in shares {
                states.extend(share.next);
                statistics.explored += share.statistics.explored;
                statistics.generated += share.statistics.generated;
                statistics.covered += share.statistics.covered;
            }
            begins = ends;
            depth += 1;
            let numbers = numbers(statistics, &store, &watch);
            observe(&Progress {
                statistics: numbers,
                waiting: states.len() as u64,
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

/// Stores the initial states.
fn start<W: Watcher>(
    (explorer, watcher): &mut (Explorer<'_>, W),
    store: &ShardedStore,
) -> (Vec<StateId>, Option<Outcome>) {
    let packing = explorer.packing_handle();
    let mut states = Vec::new();
    let mut initial = Vec::new();
    let result = explorer.initial(&mut |state| initial.push(state.clone()));
    if let Err(failure) = result {
        return (states, Some(Outcome::Failed(None, failure)));
    }
    let mut probe = explorer.probe();
    for (ordinal, state) in initial.iter().enumerate() {
        probe.set(&packing, state);
        let shard = shard_of(probe.hash());
        let inserted =
            store.shard(shard).insert_probed(&mut probe, state, None, ordinal as u32, Replace::Covered);
        if let Inserted::New(local) = inserted {
            let id = join(shard, local);
            states.push(id);
            match examine(watcher, explorer, id, state) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return (states, Some(Outcome::Satisfied)),
                Err(failure) => return (states, Some(Outcome::Failed(None, failure))),
            }
        }
    }
    (states, None)
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
    limits: &Limits,
    watch: &mut Watch,
) -> Vec<Share> {
    // Small levels are not worth a thread.
    let useful = level.states.len().div_ceil(CHUNK).clamp(1, workers.len());
    let (first, others) = workers[..useful].split_first_mut().expect("at least one worker");
    std::thread::scope(|scope| {
        let threads: Vec<_> = others
            .iter_mut()
            .map(|worker| {
                let mut watch = watch.sibling(limits);
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

fn work<W: Watcher>(
    (explorer, watcher): &mut (Explorer<'_>, W),
    level: &Level<'_>,
    watch: &mut Watch,
) -> Share {
    let mut share = Share::default();
    let packing = explorer.packing_handle();
    let mut probe = explorer.probe();
    let mut counted = 0;
    while !level.stop.load(Ordering::Relaxed) {
        let from = level.next.fetch_add(CHUNK, Ordering::Relaxed);
        let Some(chunk) = level.states.get(from..level.states.len().min(from + CHUNK)) else { break };
        if chunk.is_empty() {
            break;
        }
        for &id in chunk {
            if let Err(outcome) =
                expand(explorer, watcher, level, id, &packing, &mut probe, &mut share, watch)
            {
                level.end(outcome);
                return share;
            }
        }
        level.store.len.fetch_add((share.next.len() - counted) as u64, Ordering::Relaxed);
        counted = share.next.len();
    }
    share
}

#[expect(clippy::too_many_arguments, reason = "the state of one thread, which has no other home")]
fn expand<W: Watcher>(
    explorer: &mut Explorer<'_>,
    watcher: &mut W,
    level: &Level<'_>,
    id: StateId,
    packing: &Packing,
    probe: &mut Probe,
    share: &mut Share,
    watch: &mut Watch,
) -> Result<(), Outcome> {
    let (shard, local) = split(id);
    {
        let store = level.store.shard(shard);
        if !store.is_alive(local) {
            return Ok(());
        }
        store.load(local, explorer);
    }
    // Those of the present chunk count when it is done.
    let stored = level.store.len.load(Ordering::Relaxed);
    if let Some(reason) = watch.check_shared(stored, || level.store.bytes()) {
        return Err(Outcome::Stopped(reason));
    }
    share.statistics.explored += 1;
    let mut ordinal = 0;
    let mut fault: Option<EvalError> = None;
    let mut interesting: Vec<(StateId, SymbolicState)> = Vec::new();
    let result = explorer.expand_source(&mut |state: &SymbolicState, edges: &[EdgeId]| {
        share.statistics.generated += 1;
        watcher.transition(edges, state);
        // All that can be computed without the lock.
        probe.set(packing, state);
        probe.prepare(state);
        let shard = shard_of(probe.hash());
        let replace = if level.shortest {
            let (first, end) = level.marks[shard];
            Replace::Except(first, end)
        } else {
            Replace::Covered
        };
        let inserted = level.store.shard(shard).insert_probed(probe, state, Some(id), ordinal, replace);
        match inserted {
            Inserted::New(local) => {
                let new = join(shard, local);
                share.next.push(new);
                match watcher.stored(state) {
                    Ok(true) => interesting.push((new, state.clone())),
                    Ok(false) => {}
                    Err(error) => fault = Some(error),
                }
            }
            Inserted::Covered => share.statistics.covered += 1,
        }
        ordinal += 1;
        ControlFlow::Continue(())
    });
    result.map_err(|failure| Outcome::Failed(Some(id), failure))?;
    if let Some(error) = fault {
        return Err(Outcome::Failed(Some(id), Failure { error, edges: Vec::new() }));
    }
    for (new, state) in interesting {
        match watcher.examine(new, &state, explorer) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return Err(Outcome::Satisfied),
            Err(failure) => return Err(Outcome::Failed(Some(new), failure)),
        }
    }
    Ok(())
}

impl Watch {
    /// A watch for another thread of the same search.
    fn sibling(&self, limits: &Limits) -> Watch {
        self.with_limits(limits)
    }

    /// As [`Watch::check`], but adding up bytes means locking every shard, so it is done once in a while only.
    fn check_shared(&mut self, states: u64, bytes: impl Fn() -> usize) -> Option<StopReason> {
        let adds_up = self.is_every(ADD_UP);
        self.check(states, || if adds_up { bytes() } else { 0 })
    }
}
