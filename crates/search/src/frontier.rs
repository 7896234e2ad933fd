//! In which order states are expanded.

use crate::queue::Queue;
use guidepost_explore::StateId;
use guidepost_network::interpreter::Random;

/// The order of a blind search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Shallow states first; where runs must be shortest, the first goal found is a nearest one.
    BreadthFirst,
    /// Deep states first.
    DepthFirst,
    /// Deep states first, successors in random order.
    RandomDepthFirst(u64),
}

impl Order {
    /// What it is called in answers.
    pub fn name(self) -> &'static str {
        match self {
            Order::BreadthFirst => "bfs",
            Order::DepthFirst => "dfs",
            Order::RandomDepthFirst(_) => "rdfs",
        }
    }
}

/// States to be expanded.
pub(crate) enum Frontier {
    Queue(Queue),
    Stack { states: Vec<StateId>, batch: usize, random: Option<Random> },
}

impl Frontier {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::BreadthFirst => Frontier::Queue(Queue::default()),
            Order::DepthFirst => Frontier::Stack { states: Vec::new(), batch: 0, random: None },
            Order::RandomDepthFirst(seed) => {
                Frontier::Stack { states: Vec::new(), batch: 0, random: Some(Random::new(seed)) }
            }
        }
    }

    /// A state was stored, and others were dropped for it.
    #[inline]
    pub(crate) fn push(&mut self, id: StateId, dropped: &[StateId]) {
        match self {
            Frontier::Stack { states, .. } => states.push(id),
            Frontier::Queue(queue) => queue.push(id, dropped),
        }
    }

    /// All successors of a state have been pushed: the first one found is to be expanded first.
    pub(crate) fn end_batch(&mut self) {
        if let Frontier::Stack { states, batch, random } = self {
            debug_assert!(*batch <= states.len(), "a batch ends where the stack does");
            let fresh = &mut states[*batch..];
            match random {
                Some(random) => shuffle(random, fresh),
                None => fresh.reverse(),
            }
            *batch = states.len();
        }
    }

    /// The next state, which may have been dropped in the meantime, and whether it is its turn: some states are expanded before it.
    #[inline]
    pub(crate) fn pop(&mut self, stored: usize) -> Option<(StateId, bool)> {
        match self {
            Frontier::Queue(queue) => queue.pop(stored),
            Frontier::Stack { states, batch, .. } => {
                let id = states.pop();
                *batch = states.len();
                id.map(|id| (id, true))
            }
        }
    }

    /// How many states wait, those covered in the meantime included.
    pub(crate) fn waiting(&self, stored: usize) -> u64 {
        match self {
            Frontier::Queue(queue) => queue.waiting(stored),
            Frontier::Stack { states, .. } => states.len() as u64,
        }
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Frontier::Queue(queue) => queue.bytes(),
            Frontier::Stack { states, .. } => states.capacity() * size_of::<StateId>(),
        }
    }
}

fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        let other = random.next_bits() % (last as u64 + 1);
        items.swap(last, other as usize);
    }
}
