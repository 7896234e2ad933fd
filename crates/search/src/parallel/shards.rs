//! A store that several threads share: cut into shards by the hash of the discrete part, so that states that could cover each other always meet in
//! the same shard, each behind a lock of its own.
//!
//! Locks, and what changes behind them, are what two processors fight over: a line of memory that one has written comes to the other slowly. So threads bring and
//! fetch states in batches, and what is asked for often is published beside the lock.

use guidepost_answer::FULL;
use guidepost_explore::{Explorer, StateId, Store};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARD_BITS: u32 = 4;
/// With this many, threads that come with batches rarely meet, and a batch for each fits into a processor's cache.
pub(super) const SHARDS: usize = 1 << SHARD_BITS;

/// States beyond which a shard is full: ids have no room for more, and threads bring some before they look.
const MOST_STATES: usize = (1 << (32 - SHARD_BITS)) - (1 << 20);

/// A store in shards. Ids are those of the shard, shifted to make room for its number.
pub(crate) struct ShardedStore {
    shards: Vec<Shard>,
}

/// Two cache lines apart from its neighbours, so that taking its lock does not disturb theirs.
#[repr(align(128))]
struct Shard {
    store: Mutex<Store>,
    /// States that were ever stored, and [`Store::demand`], as of the last batch.
    len: AtomicUsize,
    demand: AtomicUsize,
}

impl ShardedStore {
    pub(super) fn new(explorer: &Explorer<'_>) -> Self {
        let shard = || Shard {
            store: Mutex::new(Store::new(explorer)),
            len: AtomicUsize::new(0),
            demand: AtomicUsize::new(0),
        };
        Self { shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    pub(super) fn shard(&self, shard: usize) -> MutexGuard<'_, Store> {
        // A panic elsewhere is on its way to the user already.
        self.shards[shard].store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what has become of a shard; called with its lock held.
    pub(super) fn publish(&self, shard: usize, store: &Store) {
        self.shards[shard].len.store(store.len(), Ordering::Relaxed);
        let demand = if store.len() > MOST_STATES { FULL } else { store.demand() };
        self.shards[shard].demand.store(demand, Ordering::Relaxed);
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

    pub(super) fn total(&self, number: impl Fn(&Store) -> u64) -> u64 {
        (0..SHARDS).map(|shard| number(&self.shard(shard))).sum()
    }

    /// States that were ever stored, as of the last batches.
    pub(super) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len.load(Ordering::Relaxed) as u64).sum()
    }

    /// [`Store::demand`] of all shards, as of the last batches.
    pub(super) fn demand(&self) -> usize {
        let demands = self.shards.iter().map(|shard| shard.demand.load(Ordering::Relaxed));
        demands.fold(0, usize::saturating_add)
    }

    /// By shard, how many states there are.
    pub(super) fn ends(&self) -> Vec<StateId> {
        (0..SHARDS).map(|shard| StateId(self.shard(shard).len() as u32)).collect()
    }
}

/// The shard of a state, and its number there.
pub(super) fn split(id: StateId) -> (usize, StateId) {
    (id.index() % SHARDS, StateId(id.0 >> SHARD_BITS))
}

/// The state with a number in a shard.
pub(super) fn join(shard: usize, local: StateId) -> StateId {
    assert!(local.0 < 1 << (32 - SHARD_BITS), "a search ends when a shard is full");
    StateId(local.0 << SHARD_BITS | shard as u32)
}

/// Bits that depend on the whole discrete part, and that the hash table of a shard does not use: hers are the lowest and the highest.
pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> 19) as usize % SHARDS
}
