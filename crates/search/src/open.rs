//! States that wait to be expanded, the most promising first.

use crate::strategy::Ties;
use guidepost_explore::StateId;
use guidepost_network::interpreter::Random;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What decides who goes first: smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Priority {
    /// Guideposts that are still to be passed, where they come before everything else.
    pub(crate) ahead: u32,
    /// The value of the search's function, in [`UNITS`].
    pub(crate) value: u64,
    /// Among equals, those go first that are not behind a useless transition.
    pub(crate) is_useless: bool,
    /// Among those, the ones that have passed most guideposts.
    pub(crate) behind: u32,
    /// Among those, the smaller estimate.
    pub(crate) estimate: u32,
}

impl Priority {
    /// That of a value of the search's function, and the estimate in it.
    pub(crate) fn of(value: u64, estimate: u32) -> Self {
        Self { ahead: 0, value, is_useless: false, behind: 0, estimate }
    }
}

/// What one transition counts for: a fraction of it is the finest weight.
pub(crate) const UNITS: u64 = 1 << 10;

/// Random ties are broken among states of about the same age, the newer ones first: so many expansions count as one age. A choice among states of all
/// ages would carry the search away from where it is getting on.
const BLOCK: u64 = 8;

/// A priority queue.
pub(crate) struct Open {
    heap: BinaryHeap<Reverse<(Priority, u64, StateId)>>,
    ties: Ties,
    random: Random,
    count: u64,
    /// Expansions so far.
    age: u64,
}

impl Open {
    pub(crate) fn new(ties: Ties) -> Self {
        let seed = if let Ties::Random(seed) = ties { seed } else { 0 };
        Self { heap: BinaryHeap::new(), ties, random: Random::new(seed), count: 0, age: 0 }
    }

    pub(crate) fn push(&mut self, id: StateId, priority: Priority) {
        debug_assert!(
            priority.value >= u64::from(priority.estimate) || priority.estimate == 0,
            "no weight makes an estimate worth less than a unit"
        );
        self.count += 1;
        let tie = match self.ties {
            Ties::Fifo => self.count,
            Ties::Lifo => u64::MAX - self.count,
            Ties::Random(_) => (u64::from(u32::MAX) - self.age / BLOCK) << 32 | self.random.next_bits() >> 32,
        };
        self.heap.push(Reverse((priority, tie, id)));
    }

    /// A state has been expanded, and its successors are about to be pushed.
    pub(crate) fn next_age(&mut self) {
        self.age += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<(StateId, Priority)> {
        self.heap.pop().map(|Reverse((priority, _, id))| (id, priority))
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Reverse<(Priority, u64, StateId)>>()
    }
}
