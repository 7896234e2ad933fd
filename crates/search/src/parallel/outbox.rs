//! Successors of one thread on their way into the store.
//!
//! They are collected by shard and stored in batches: one lock serves many, and a shard's lines move to this processor once. Collecting costs no copy: a
//! successor is exchanged for a state of an earlier batch.

use super::Level;
use super::shards::{SHARDS, ShardedStore, join, shard_of};
use crate::reach::{End, Part, Watcher};
use guidepost_explore::{Explorer, Failure, Inserted, Packing, Probe, Replace, StateId, SymbolicState};
use guidepost_network::EvalError;
use std::ops::ControlFlow;
use std::sync::Arc;

/// States of one shard that are worth a lock.
const BATCH: usize = 16;

/// Successors after which everything is stored, and those that were covered are forgotten.
const WINDOW: usize = 1 << 12;

/// A state that is to be stored.
struct Pending {
    state: SymbolicState,
    key: Vec<u32>,
    hash: u64,
    parent: StateId,
    ordinal: u32,
    /// Where it is in [`Outbox::order`].
    place: usize,
    /// Its discrete part, once it is stored.
    part: Part,
}

/// States that are to be stored in one shard: the first `used`; the others are from earlier batches.
#[derive(Default)]
struct Batch {
    pending: Vec<Pending>,
    used: usize,
}

/// The outbox of one thread.
pub(super) struct Outbox {
    batches: Vec<Batch>,
    packing: Arc<Packing>,
    probe: Probe,
    /// The latest successors in the order in which they were generated: their ids, once they are stored, unless they were covered.
    order: Vec<Option<StateId>>,
    /// Before those: the states that were stored.
    stored: Vec<StateId>,
    /// The chunks whose successors these are: their places in the level, and where their successors end.
    chunks: Vec<(usize, usize)>,
    /// Stored states that deserve a closer look.
    interesting: Vec<(StateId, Part, SymbolicState)>,
    /// A watcher's test failed on a successor of this state.
    fault: Option<(StateId, EvalError)>,
    /// Successors that were covered.
    pub(super) covered: u64,
}

impl Outbox {
    pub(super) fn new(explorer: &Explorer<'_>) -> Self {
        Self {
            batches: (0..SHARDS).map(|_| Batch::default()).collect(),
            packing: explorer.packing_handle(),
            probe: explorer.probe(),
            order: Vec::new(),
            stored: Vec::new(),
            chunks: Vec::new(),
            interesting: Vec::new(),
            fault: None,
            covered: 0,
        }
    }

    /// Takes a successor, leaving another state in its place; stores a batch when it is large enough.
    pub(super) fn put<W: Watcher>(
        &mut self,
        state: &mut SymbolicState,
        parent: StateId,
        ordinal: u32,
        level: &Level<'_>,
        watcher: &mut W,
    ) {
        self.probe.set(&self.packing, state);
        let (key, hash) = (self.probe.key(), self.probe.hash());
        let shard = shard_of(hash);
        debug_assert!(self.order.len() < WINDOW);
        let place = self.order.len();
        self.order.push(None);
        let Batch { pending, used } = &mut self.batches[shard];
        if let Some(slot) = pending.get_mut(*used) {
            std::mem::swap(&mut slot.state, state);
            slot.key.copy_from_slice(key);
            (slot.hash, slot.parent, slot.ordinal, slot.place) = (hash, parent, ordinal, place);
        } else {
            let (state, key) = (state.clone(), key.to_vec());
            pending.push(Pending { state, key, hash, parent, ordinal, place, part: Part::default() });
        }
        *used += 1;
        if *used == BATCH {
            self.store(shard, level, watcher);
        }
        if self.order.len() == WINDOW {
            self.empty(level, watcher);
        }
    }

    /// The states that were stored.
    pub(super) fn stored(&self) -> &[StateId] {
        &self.stored
    }

    /// The states that were stored, by the places of the chunks that they are successors of.
    pub(super) fn stored_by_chunk(&self) -> impl Iterator<Item = (usize, &[StateId])> {
        let starts = std::iter::once(0).chain(self.chunks.iter().map(|&(_, end)| end));
        starts.zip(&self.chunks).map(|(start, &(place, end))| (place, &self.stored[start..end]))
    }

    /// Forgets the states that were stored.
    pub(super) fn forget_stored(&mut self) {
        self.stored.clear();
        self.chunks.clear();
    }

    /// Stores what is left of the successors of a chunk, given its place in the level.
    pub(super) fn end_chunk<W: Watcher>(&mut self, place: usize, level: &Level<'_>, watcher: &mut W) {
        self.empty(level, watcher);
        self.chunks.push((place, self.stored.len()));
    }

    /// Stores what is left.
    fn empty<W: Watcher>(&mut self, level: &Level<'_>, watcher: &mut W) {
        for shard in 0..SHARDS {
            if self.batches[shard].used > 0 {
                self.store(shard, level, watcher);
            }
        }
        debug_assert!(self.batches.iter().all(|batch| batch.used == 0), "nothing is left");
        self.stored.extend(self.order.drain(..).flatten());
    }

    fn store<W: Watcher>(&mut self, shard: usize, level: &Level<'_>, watcher: &mut W) {
        let replace = level.replace(shard);
        let batch = &mut self.batches[shard];
        let batch = &mut batch.pending[..std::mem::take(&mut batch.used)];
        let mut store = level.store.shard(shard);
        for pending in &mut *batch {
            self.probe.set_packed(&pending.key, pending.hash);
            let inserted = store.insert_probed(
                &mut self.probe,
                &pending.state,
                Some(pending.parent),
                pending.ordinal,
                replace,
                (),
            );
            match inserted {
                Inserted::New(local) => {
                    self.order[pending.place] = Some(join(shard, local));
                    pending.part = Part(Some((shard, store.discrete(local))));
                }
                Inserted::Covered(_) => self.covered += 1,
            }
        }
        level.store.publish(shard, &store);
        drop(store);
        for pending in batch {
            let Some(id) = self.order[pending.place] else { continue };
            match watcher.stored(&pending.state, pending.part) {
                Ok(true) => self.interesting.push((id, pending.part, pending.state.clone())),
                Ok(false) => {}
                Err(error) => self.fault = Some((pending.parent, error)),
            }
        }
    }

    /// Stores an initial state.
    pub(super) fn put_initial<W: Watcher>(
        &mut self,
        state: &SymbolicState,
        ordinal: u32,
        store: &ShardedStore,
        watcher: &mut W,
    ) -> Result<(), Failure> {
        self.probe.set(&self.packing, state);
        let shard = shard_of(self.probe.hash());
        let mut store = store.shard(shard);
        let inserted = store.insert_probed(&mut self.probe, state, None, ordinal, Replace::Covered, ());
        if let Inserted::New(local) = inserted {
            let (id, part) = (join(shard, local), Part(Some((shard, store.discrete(local)))));
            self.stored.push(id);
            self.chunks.push((ordinal as usize, self.stored.len()));
            if watcher.stored(state, part).map_err(Failure::outside)? {
                self.interesting.push((id, part, state.clone()));
            }
        }
        Ok(())
    }

    /// Takes the closer looks; not while the explorer expands a state.
    pub(super) fn examine<W: Watcher>(
        &mut self,
        explorer: &mut Explorer<'_>,
        watcher: &mut W,
    ) -> Result<(), End> {
        if let Some((parent, error)) = self.fault.take() {
            return Err(End::Failed(Some(parent), Failure::outside(error)));
        }
        for (id, part, state) in self.interesting.drain(..) {
            match watcher.examine(id, &state, part, explorer) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Err(End::Satisfied),
                Err(failure) => return Err(End::Failed(Some(id), failure)),
            }
        }
        Ok(())
    }
}
