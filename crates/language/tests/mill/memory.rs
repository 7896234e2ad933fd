//! An allocator that knows how much is in use.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// More than this at once and the process gives up, rather than the machine.
const LIMIT: usize = 3 << 30;

/// Counts on behalf of the system's allocator.
pub(crate) struct Memory {
    used: AtomicUsize,
    peak: AtomicUsize,
}

impl Memory {
    /// Nothing is in use.
    pub(crate) const fn new() -> Self {
        Self { used: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Forgets the peak; what is in use now.
    pub(crate) fn reset_peak(&self) -> usize {
        let used = self.used.load(Relaxed);
        self.peak.store(used, Relaxed);
        used
    }

    /// The most that was in use since the peak was forgotten.
    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }

    fn add(&self, size: usize) -> bool {
        let used = self.used.fetch_add(size, Relaxed) + size;
        self.peak.fetch_max(used, Relaxed);
        used <= LIMIT
    }

    fn remove(&self, size: usize) {
        self.used.fetch_sub(size, Relaxed);
    }
}

// SAFETY: all memory comes from the system's allocator, with the layouts that were asked for; this only counts.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !self.add(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.remove(layout.size());
        // SAFETY: the caller keeps to the contract of `dealloc`, and the pointer came from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}
