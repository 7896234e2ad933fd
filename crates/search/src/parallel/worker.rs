//! One thread's part in a search, and the threads that play these parts.

use super::Level;
use super::outbox::Outbox;
use super::shards::{ShardedStore, split};
use crate::expansion::{Expansion, Fate, Successors};
use crate::reach::{End, Watcher};
use guidepost_answer::Statistics;
use guidepost_answer::Watch;
use guidepost_explore::{Explorer, StateId, SymbolicState};
use guidepost_network::EdgeId;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// One thread's part in a search.
pub(super) struct Worker<'w, 'n, W> {
    explorer: &'w mut Explorer<'n>,
    pub(super) watcher: &'w mut W,
    watch: Watch,
    pub(super) outbox: Outbox,
    statistics: Statistics,
}

impl<'w, 'n, W: Watcher> Worker<'w, 'n, W> {
    pub(super) fn new((explorer, watcher): &'w mut (Explorer<'n>, W), watch: &Watch) -> Self {
        let (watch, outbox) = (watch.clone(), Outbox::new(explorer));
        Self { explorer, watcher, watch, outbox, statistics: Statistics::default() }
    }

    /// What it has done so far.
    pub(super) fn statistics(&self) -> Statistics {
        Statistics { covered: self.outbox.covered, ..self.statistics }
    }

    /// Stores the initial states; says how the search ends if it does so at once.
    pub(super) fn start(&mut self, store: &ShardedStore) -> Option<End> {
        let initial = match self.explorer.initial_states() {
            Ok(states) => states,
            Err(failure) => return Some(End::Failed(None, failure)),
        };
        self.watcher.begins();
        for (ordinal, state) in (0..).zip(&initial) {
            if let Err(failure) = self.outbox.put_initial(state, ordinal, store, self.watcher) {
                return Some(End::Failed(None, failure));
            }
        }
        self.outbox.examine(self.explorer, self.watcher).err()
    }

    /// Takes part in a level.
    pub(super) fn work(&mut self, level: &Level<'_>) {
        if let Err(end) = self.expand_all(level) {
            level.end(end);
        }
    }

    fn expand_all(&mut self, level: &Level<'_>) -> Result<(), End> {
        while let Some((place, chunk)) = level.take() {
            for &id in chunk {
                self.expand(id, level)?;
                self.outbox.examine(self.explorer, self.watcher)?;
            }
            self.outbox.end_chunk(place, level, self.watcher);
            self.outbox.examine(self.explorer, self.watcher)?;
        }
        Ok(())
    }

    fn expand(&mut self, id: StateId, level: &Level<'_>) -> Result<(), End> {
        let (shard, local) = split(id);
        {
            let store = level.store.shard(shard);
            if !store.is_alive(local) {
                return Ok(());
            }
            store.load(local, self.explorer);
        }
        let Self { explorer, watcher, watch, outbox, statistics } = self;
        let stored = if watch.counts_states() { level.store.len() } else { 0 };
        if let Some(reason) = watch.check(stored, || level.store.demand()) {
            return Err(End::Stopped(reason));
        }
        statistics.explored += 1;
        let mut sending = Sending { outbox, from: id, level };
        Expansion { explorer, watch, statistics, watcher: *watcher }.run(id, &mut sending)
    }
}

/// Successors that go into the outbox.
struct Sending<'s, 'l> {
    outbox: &'s mut Outbox,
    from: StateId,
    level: &'s Level<'l>,
}

impl<W: Watcher> Successors<W> for Sending<'_, '_> {
    fn demand(&self) -> usize {
        self.level.store.demand()
    }

    fn take(
        &mut self,
        state: &mut SymbolicState,
        _edges: &[EdgeId],
        ordinal: u32,
        watcher: &mut W,
        _statistics: &mut Statistics,
    ) -> Fate {
        self.outbox.put(state, self.from, ordinal, self.level, watcher);
        Fate::Kept
    }
}

/// A worker with the level that it is to take part in.
type Assignment<'w, 'n, 'l, W> = (Worker<'w, 'n, W>, Arc<Level<'l>>);

/// A thread that takes part in a level when it is given a worker, and gives it back.
pub(super) struct Helper<'w, 'n, 'l, W> {
    jobs: Sender<Assignment<'w, 'n, 'l, W>>,
    done: Receiver<Worker<'w, 'n, W>>,
}

impl<'w, 'n, 'l, W: Watcher + Send> Helper<'w, 'n, 'l, W> {
    /// A thread that ends when the helper is dropped.
    pub(super) fn spawn<'s>(scope: &'s Scope<'s, '_>) -> Self
    where
        'w: 's,
        'n: 's,
        'l: 's,
        W: 's,
    {
        let (jobs, inbox) = channel::<Assignment<'w, 'n, 'l, W>>();
        let (outbox, done) = channel();
        scope.spawn(move || {
            for (mut worker, level) in inbox {
                worker.work(&level);
                drop(level);
                if outbox.send(worker).is_err() {
                    break;
                }
            }
        });
        Self { jobs, done }
    }

    /// Lets a worker take part in a level.
    pub(super) fn begin(&self, worker: Worker<'w, 'n, W>, level: &Arc<Level<'l>>) {
        assert!(self.jobs.send((worker, Arc::clone(level))).is_ok(), "{GONE}");
    }

    /// Waits for the worker.
    pub(super) fn end(&self) -> Worker<'w, 'n, W> {
        self.done.recv().expect(GONE)
    }
}

/// A thread ends early only if it panics, which it has reported itself.
const GONE: &str = "the threads of the search are alive";
