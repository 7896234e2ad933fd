//! In which order states are expanded.

use guidepost_explore::StateId;

/// The order of a blind search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Shallow states first; the first goal found is a nearest one.
    BreadthFirst,
    /// Deep states first.
    DepthFirst,
    /// Deep states first, successors in random order.
    RandomDepthFirst(u64),
}

/// States to be expanded.
pub(crate) enum Frontier {
    /// States are stored in the order they are found: the next one to expand is a position.
    Queue {
        next: u32,
    },
    Stack {
        states: Vec<StateId>,
        batch: usize,
        random: Option<Random>,
    },
}

impl Frontier {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::BreadthFirst => Frontier::Queue { next: 0 },
            Order::DepthFirst => Frontier::Stack { states: Vec::new(), batch: 0, random: None },
            Order::RandomDepthFirst(seed) => {
                Frontier::Stack { states: Vec::new(), batch: 0, random: Some(Random(seed)) }
            }
        }
    }

    /// A state was stored.
    #[inline]
    pub(crate) fn push(&mut self, id: StateId) {
        if let Frontier::Stack { states, .. } = self {
            states.push(id);
        }
    }

    /// All successors of a state have been pushed: the first one found is to be expanded first.
    pub(crate) fn end_batch(&mut self) {
        if let Frontier::Stack { states, batch, random } = self {
            let fresh = &mut states[*batch..];
            match random {
                Some(random) => random.shuffle(fresh),
                None => fresh.reverse(),
            }
            *batch = states.len();
        }
    }

    /// The next state; it may have been covered in the meantime.
    #[inline]
    pub(crate) fn pop(&mut self, stored: usize) -> Option<StateId> {
        match self {
            Frontier::Queue { next } => {
                let id = StateId(*next);
                (id.index() < stored).then(|| {
                    *next += 1;
                    id
                })
            }
            Frontier::Stack { states, batch, .. } => {
                let id = states.pop();
                *batch = states.len();
                id
            }
        }
    }

    /// How many states wait, those covered in the meantime included.
    pub(crate) fn waiting(&self, stored: usize) -> u64 {
        match self {
            Frontier::Queue { next } => stored as u64 - u64::from(*next),
            Frontier::Stack { states, .. } => states.len() as u64,
        }
    }
}

/// `SplitMix64` (Steele, Lea & Flood 2014): small, seedable, the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            items.swap(last, other as usize);
        }
    }
}
