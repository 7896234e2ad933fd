//! Searches that are under way, so that they can be stopped.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The flags of running searches, by the names that their tabs gave them.
#[derive(Default)]
pub(crate) struct Searches {
    flags: Mutex<BTreeMap<String, Arc<AtomicBool>>>,
}

impl Searches {
    /// Begins a search: its flag, which [`Searches::stop`] sets. A tab that begins another one gives up the first.
    pub(crate) fn begin(&self, name: &str) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(false));
        let mut flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = flags.insert(name.to_owned(), Arc::clone(&flag)) {
            earlier.store(true, Ordering::Relaxed);
        }
        flag
    }

    /// Stops a search, if it is still under way.
    pub(crate) fn stop(&self, name: &str) {
        if let Some(flag) = self.flags.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// The search is over.
    pub(crate) fn end(&self, name: &str, flag: &Arc<AtomicBool>) {
        let mut flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner);
        if flags.get(name).is_some_and(|current| Arc::ptr_eq(current, flag)) {
            flags.remove(name);
        }
    }
}
