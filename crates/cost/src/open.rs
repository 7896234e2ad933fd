//! States that wait to be expanded, in the orders of the searches.

use crate::space::{Found, NEVER};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::str::FromStr;

/// In which order states are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Depth by depth in turns, the most promising state of each: good runs early, and proofs in the end (Kao, Sewell & Jacobson 2009, *A branch, bound, and remember
    /// algorithm for the `1|r_i|Σt_i` scheduling problem*). Every other turn is for the smallest lower bound, wherever it is, so that models that can go on for ever
    /// are searched at most twice as long as from the smallest bound on.
    #[default]
    Cyclic,
    /// The smallest lower bound first: the first goal that is reached is the best.
    BestFirst,
    /// Depth-first branch and bound, the most promising successor first.
    DepthFirst,
    /// Breadth-first branch and bound.
    BreadthFirst,
    /// The smallest value of the model's own variable `heur` first.
    Heur,
}

impl Order {
    /// All orders, with their names.
    pub const NAMES: &[(&str, Order)] = &[
        ("cyclic", Order::Cyclic),
        ("best", Order::BestFirst),
        ("depth", Order::DepthFirst),
        ("breadth", Order::BreadthFirst),
        ("heur", Order::Heur),
    ];

    /// Its name in answers and options.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, order)| *order == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, order)| *order).ok_or_else(|| "not cyclic, best, depth, breadth or heur".to_owned())
    }
}

/// A state that waits: its bound, minus its depth, its guide and its number, so that the best is the smallest.
type Waiting = (i64, Reverse<u32>, i64, Reverse<u32>);

fn waiting(found: Found, depth: u32) -> Waiting {
    (found.bound, Reverse(depth), found.guide, Reverse(found.id))
}

/// The same with the guide and the bound in each other's place.
fn by_guide(found: Found, depth: u32) -> Waiting {
    waiting(Found { bound: found.guide, guide: found.bound, ..found }, depth)
}

/// The states that wait.
pub(crate) enum Open {
    Cyclic(Cycle),
    BestFirst(BinaryHeap<Reverse<Waiting>>),
    DepthFirst(Vec<Waiting>),
    BreadthFirst(VecDeque<Waiting>),
    /// With guides in the place of bounds.
    Heur(BinaryHeap<Reverse<Waiting>>),
}

impl Open {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::Cyclic => Open::Cyclic(Cycle::default()),
            Order::BestFirst => Open::BestFirst(BinaryHeap::new()),
            Order::DepthFirst => Open::DepthFirst(Vec::new()),
            Order::BreadthFirst => Open::BreadthFirst(VecDeque::new()),
            Order::Heur => Open::Heur(BinaryHeap::new()),
        }
    }

    /// Adds the successors of a state, which are so deep.
    pub(crate) fn extend(&mut self, found: &mut [Found], depth: u32) {
        match self {
            Open::Cyclic(cycle) => cycle.extend(found, depth),
            Open::BestFirst(heap) => heap.extend(found.iter().map(|&found| Reverse(waiting(found, depth)))),
            Open::DepthFirst(stack) => {
                found.sort_by_key(|found| Reverse((found.bound, found.guide)));
                stack.extend(found.iter().map(|&found| waiting(found, depth)));
            }
            Open::BreadthFirst(queue) => queue.extend(found.iter().map(|&found| waiting(found, depth))),
            Open::Heur(heap) => heap.extend(found.iter().map(|&found| Reverse(by_guide(found, depth)))),
        }
    }

    /// The next state, its bound and its depth.
    pub(crate) fn pop(&mut self) -> Option<(u32, i64, u32)> {
        let next = match self {
            Open::Cyclic(cycle) => cycle.pop(),
            Open::BestFirst(heap) => heap.pop().map(|Reverse(next)| next),
            Open::DepthFirst(stack) => stack.pop(),
            Open::BreadthFirst(queue) => queue.pop_front(),
            Open::Heur(heap) => {
                heap.pop().map(|Reverse((guide, depth, bound, id))| (bound, depth, guide, id))
            }
        };
        next.map(|(bound, Reverse(depth), _, Reverse(id))| (id, bound, depth))
    }

    /// The smallest bound of all that wait; [`NEVER`] if nothing does.
    pub(crate) fn bound(&self) -> i64 {
        let least = match self {
            Open::Cyclic(cycle) => return cycle.bound(),
            Open::BestFirst(heap) => heap.peek().map(|Reverse(next)| next.0),
            Open::DepthFirst(stack) => stack.iter().map(|next| next.0).min(),
            Open::BreadthFirst(queue) => queue.iter().map(|next| next.0).min(),
            Open::Heur(heap) => heap.iter().map(|Reverse(next)| next.2).min(),
        };
        least.unwrap_or(NEVER)
    }

    /// Whether good runs matter before the proof.
    pub(crate) fn improves(&self) -> bool {
        matches!(self, Open::Cyclic(_))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Open::Cyclic(cycle) => cycle.count,
            Open::BestFirst(heap) | Open::Heur(heap) => heap.len(),
            Open::DepthFirst(stack) => stack.len(),
            Open::BreadthFirst(queue) => queue.len(),
        }
    }
}

/// A round goes so much deeper than the one before: without a limit, the first one would never end where runs can go on for ever.
const REACH: usize = 256;

/// States by depth. Each depth has two queues, one by bounds and one by guides: bounds alone find proofs, and guides find good runs where many bounds are equal. They take turns, with each other
/// and with the queue of all states.
#[derive(Default)]
pub(crate) struct Cycle {
    all: BinaryHeap<Reverse<Waiting>>,
    is_for_all: bool,
    by_bound: Vec<BinaryHeap<Reverse<Waiting>>>,
    by_guide: Vec<BinaryHeap<Reverse<Waiting>>>,
    /// By number of a state: whether it has been taken from one of its queues.
    taken: Vec<bool>,
    at: usize,
    /// How often all depths had their turns.
    rounds: usize,
    guides: bool,
    count: usize,
}

impl Cycle {
    fn extend(&mut self, found: &[Found], depth: u32) {
        let depth = depth as usize;
        if self.by_bound.len() <= depth {
            self.by_bound.resize_with(depth + 1, BinaryHeap::new);
            self.by_guide.resize_with(depth + 1, BinaryHeap::new);
        }
        for &found in found {
            self.count += 1;
            self.all.push(Reverse(waiting(found, depth as u32)));
            self.by_bound[depth].push(Reverse(waiting(found, depth as u32)));
            self.by_guide[depth].push(Reverse(by_guide(found, depth as u32)));
            let id = found.id as usize;
            if self.taken.len() <= id {
                self.taken.resize(id + 1, false);
            }
        }
    }

    fn pop(&mut self) -> Option<Waiting> {
        if self.count == 0 {
            return None;
        }
        self.count -= 1;
        self.is_for_all = !self.is_for_all;
        while self.is_for_all
            && let Some(Reverse(next)) = self.all.pop()
        {
            if !std::mem::replace(&mut self.taken[next.3.0 as usize], true) {
                return Some(next);
            }
        }
        loop {
            if self.at >= self.by_bound.len().min((self.rounds + 1) * REACH) {
                self.at = 0;
                self.rounds += 1;
                self.guides = !self.guides;
            }
            let queues = if self.guides { &mut self.by_guide } else { &mut self.by_bound };
            self.at += 1;
            while let Some(Reverse(next)) = queues[self.at - 1].pop() {
                let is_taken = &mut self.taken[next.3.0 as usize];
                if std::mem::replace(is_taken, true) {
                    continue;
                }
                let (first, depth, second, id) = next;
                return Some(if self.guides { (second, depth, first, id) } else { next });
            }
        }
    }

    fn bound(&self) -> i64 {
        // The top may have been taken from another queue; the next ones are no smaller, so this is a bound as well.
        self.all.peek().map_or(NEVER, |Reverse(next)| next.0)
    }
}
