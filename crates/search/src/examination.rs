//! States that a watcher wants to see again when the explorer is free.

use crate::reach::{End, Part, Watcher};
use guidepost_explore::{Explorer, Failure, StateId, Store, SymbolicState};
use guidepost_network::EvalError;
use std::ops::ControlFlow;

/// Collects such states while successors are being generated, when the explorer is busy.
#[derive(Default)]
pub(crate) struct Examination {
    states: Vec<StateId>,
    fault: Option<EvalError>,
}

impl Examination {
    /// Asks the watcher whether a state deserves a closer look.
    #[inline]
    pub(crate) fn consider<W: Watcher + ?Sized>(
        &mut self,
        watcher: &mut W,
        id: StateId,
        state: &SymbolicState,
        store: &Store,
    ) {
        match watcher.stored(state, Part::of(id, store)) {
            Ok(true) => self.states.push(id),
            Ok(false) => {}
            Err(error) => self.fault = Some(error),
        }
    }

    /// A state deserves a closer look.
    pub(crate) fn add(&mut self, id: StateId) {
        self.states.push(id);
    }

    /// Whether there is nothing to look at.
    pub(crate) fn is_idle(&self) -> bool {
        self.states.is_empty() && self.fault.is_none()
    }

    /// Takes the closer looks; `from` is the state whose successors these are. Ends the search when the watcher has seen enough.
    pub(crate) fn run<W: Watcher + ?Sized>(
        &mut self,
        from: Option<StateId>,
        store: &Store,
        explorer: &mut Explorer<'_>,
        watcher: &mut W,
    ) -> Result<(), End> {
        if let Some(error) = self.fault.take() {
            return Err(End::Failed(from, Failure::outside(error)));
        }
        for id in self.states.drain(..) {
            // A state that was covered at once is covered by one that deserves a look as well.
            if !store.is_alive(id) {
                continue;
            }
            debug_assert!(id.index() < store.len());
            store.load(id, explorer);
            let state = explorer.source().clone();
            match watcher.examine(id, &state, Part::of(id, store), explorer) {
                Ok(ControlFlow::Break(())) => return Err(End::Satisfied),
                Ok(ControlFlow::Continue(())) => {}
                Err(failure) => return Err(End::Failed(Some(id), failure)),
            }
        }
        Ok(())
    }
}
