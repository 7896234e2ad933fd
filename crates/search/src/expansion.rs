//! One expansion: the successors of a state, one by one, under limits.
//!
//! Every search of this crate expands states here, whatever it does with the successors: they are counted, shown to the watcher, and numbered, and between
//! them the limits are checked, since in large systems a state has many successors and each of them may take long.

use crate::examination::Examination;
use crate::reach::{End, Part, Watcher};
use guidepost_answer::{Statistics, Watch};
use guidepost_explore::{Explorer, Inserted, Packing, Replace, StateId, Store, SymbolicState};
use guidepost_network::EdgeId;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What a search does with the successors of a state.
pub trait Successors<W: ?Sized> {
    /// Successors are wanted as they are entered, before any delay.
    const ENTRIES_ONLY: bool = false;

    /// Memory in use as limits see it.
    fn demand(&self) -> usize;

    /// Takes a successor, given the edges that lead to it and its number among all of them. It may be exchanged for any other state of the network.
    fn take(
        &mut self,
        state: &mut SymbolicState,
        edges: &[EdgeId],
        ordinal: u32,
        watcher: &mut W,
        statistics: &mut Statistics,
    ) -> Fate;

    /// All of them were taken, or a limit was hit.
    fn conclude(
        &mut self,
        _from: StateId,
        _explorer: &mut Explorer<'_>,
        _watcher: &mut W,
    ) -> Result<(), End> {
        Ok(())
    }
}

/// What became of a successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is new, or that is not known yet.
    Kept,
    /// Another state covers it.
    Covered,
}

/// An expansion that is about to begin: of the state that is loaded in the explorer.
pub struct Expansion<'e, 'n, W: ?Sized> {
    /// Computes successors.
    pub explorer: &'e mut Explorer<'n>,
    /// Watches the limits.
    pub watch: &'e mut Watch,
    /// Counts.
    pub statistics: &'e mut Statistics,
    /// Looks on.
    pub watcher: &'e mut W,
}

impl<W: Watcher + ?Sized> Expansion<'_, '_, W> {
    /// Expands the state; says how the search ends if it does.
    pub fn run<S: Successors<W>>(self, from: StateId, successors: &mut S) -> Result<(), End> {
        let Self { explorer, watch, statistics, watcher } = self;
        let before = (statistics.generated, statistics.covered);
        let first = explorer.first_ordinal();
        let mut ordinal = first;
        let mut stopped = None;
        let mut visit = |state: &mut SymbolicState, edges: &[EdgeId]| {
            stopped = watch.check_successor(|| successors.demand().saturating_add(watcher.bytes()));
            if stopped.is_some() {
                return ControlFlow::Break(());
            }
            statistics.generated += 1;
            watcher.transition(edges, state);
            let fate = successors.take(state, edges, ordinal, watcher, statistics);
            statistics.covered += u64::from(fate == Fate::Covered);
            ordinal += 1;
            ControlFlow::Continue(())
        };
        let result = if S::ENTRIES_ONLY {
            explorer.hand_out_entries(&mut visit)
        } else {
            explorer.hand_out_successors(&mut visit)
        };
        let count = u64::from(ordinal - first);
        debug_assert_eq!(statistics.generated - before.0, count, "each successor counts once");
        debug_assert!(statistics.covered - before.1 <= count);
        result.map_err(|failure| End::Failed(Some(from), failure))?;
        successors.conclude(from, explorer, watcher)?;
        stopped.map_or(Ok(()), |reason| Err(End::Stopped(reason)))
    }
}

/// What a search does with states that are new in its store.
pub(crate) trait Newcomers {
    /// Memory in use as limits see it.
    fn demand(&self, store: &Store) -> usize {
        store.demand()
    }

    /// Which stored states a new one may drop.
    fn replace(&self) -> Replace<'_> {
        Replace::Covered
    }

    /// Whether the watcher is asked about a state as soon as it is stored.
    fn are_examined(&self) -> bool {
        true
    }

    /// Takes up a state that was just stored.
    fn take_up(
        &mut self,
        new: StateId,
        state: &SymbolicState,
        edges: &[EdgeId],
        store: &Store,
        statistics: &mut Statistics,
    );
}

/// Successors that go into a store.
pub(crate) struct Storing<'s, N> {
    pub(crate) store: &'s mut Store,
    pub(crate) packing: Arc<Packing>,
    /// `None`: these are the initial states.
    pub(crate) parent: Option<StateId>,
    pub(crate) examination: &'s mut Examination,
    /// The watcher wants to hear which states were expanded.
    pub(crate) reports_expansions: bool,
    pub(crate) newcomers: N,
}

impl<N: Newcomers> Storing<'_, N> {
    /// Stores initial states. They are no successors, so they do not count as such.
    pub(crate) fn take_initial(
        &mut self,
        states: &[SymbolicState],
        watcher: &mut dyn Watcher,
        statistics: &mut Statistics,
    ) {
        debug_assert!(self.parent.is_none() && self.store.is_empty());
        watcher.begins();
        for (ordinal, state) in (0..).zip(states) {
            self.store(state, &[], ordinal, watcher, statistics);
        }
    }

    #[inline]
    fn store<W: Watcher + ?Sized>(
        &mut self,
        state: &SymbolicState,
        edges: &[EdgeId],
        ordinal: u32,
        watcher: &mut W,
        statistics: &mut Statistics,
    ) -> Fate {
        let replace = self.newcomers.replace();
        match self.store.insert(&self.packing, state, self.parent, ordinal, replace) {
            Inserted::Covered(_) => Fate::Covered,
            Inserted::New(new) => {
                debug_assert_eq!(new.index() + 1, self.store.len(), "ids are dense");
                if self.newcomers.are_examined() {
                    self.examination.consider(watcher, new, state, self.store);
                }
                self.newcomers.take_up(new, state, edges, self.store, statistics);
                Fate::Kept
            }
        }
    }
}

impl<W: Watcher + ?Sized, N: Newcomers> Successors<W> for Storing<'_, N> {
    fn demand(&self) -> usize {
        self.newcomers.demand(self.store)
    }

    #[inline]
    fn take(
        &mut self,
        state: &mut SymbolicState,
        edges: &[EdgeId],
        ordinal: u32,
        watcher: &mut W,
        statistics: &mut Statistics,
    ) -> Fate {
        self.store(state, edges, ordinal, watcher, statistics)
    }

    fn conclude(&mut self, from: StateId, explorer: &mut Explorer<'_>, watcher: &mut W) -> Result<(), End> {
        if self.reports_expansions && watcher.expanded(Part::of(from, self.store), explorer.moves_at_once()) {
            self.examination.add(from);
        }
        self.examination.run(Some(from), self.store, explorer, watcher)
    }
}
