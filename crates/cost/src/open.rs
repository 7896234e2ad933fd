//! States that wait to be expanded, in the orders of the searches.

use crate::space::{Found, NEVER};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::str::FromStr;

/// In which order states are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Depth by depth in turns, the most promising state of each: good runs early, and proofs in the end (Kao, Sewell & Jacobson 2009, *A branch, bound, and remember
    /// algorithm for the 1|r_i|Σt_i scheduling problem*).
    #[default]
    Cyclic,
    /// The smallest lower bound first: the first goal that is reached is the best.
    BestFirst,
    /// Depth-first branch and bound, the most promising successor first.
    DepthFirst,
    /// Breadth-first branch and bound.
    BreadthFirst,
}

impl Order {
    /// All orders, with their names.
    pub const NAMES: &[(&str, Order)] = &[
        ("cyclic", Order::Cyclic),
        ("best", Order::BestFirst),
        ("depth", Order::DepthFirst),
        ("breadth", Order::BreadthFirst),
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
        found.map(|(_, order)| *order).ok_or_else(|| "not cyclic, best, depth or breadth".to_owned())
    }
}

/// Where lower bounds of what is still to be paid come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LowerBounds {
    /// They are read off the model.
    #[default]
    Model,
    /// There are none.
    None,
}

impl FromStr for LowerBounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "model" => Ok(LowerBounds::Model),
            "none" => Ok(LowerBounds::None),
            _ => Err("not model or none".to_owned()),
        }
    }
}

/// A state that waits: its bound, minus its depth, its guide and its number, so that the best is the smallest.
type Waiting = (i64, Reverse<u32>, i64, Reverse<u32>);

fn waiting(found: Found, depth: u32) -> Waiting {
    (found.bound, Reverse(depth), found.guide, Reverse(found.id))
}

/// The states that wait.
pub(crate) enum Open {
    Cyclic { by_depth: Vec<BinaryHeap<Reverse<Waiting>>>, at: usize, count: usize },
    BestFirst(BinaryHeap<Reverse<Waiting>>),
    DepthFirst(Vec<Waiting>),
    BreadthFirst(VecDeque<Waiting>),
}

impl Open {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::Cyclic => Open::Cyclic { by_depth: Vec::new(), at: 0, count: 0 },
            Order::BestFirst => Open::BestFirst(BinaryHeap::new()),
            Order::DepthFirst => Open::DepthFirst(Vec::new()),
            Order::BreadthFirst => Open::BreadthFirst(VecDeque::new()),
        }
    }

    /// Adds the successors of a state, which are so deep.
    pub(crate) fn extend(&mut self, found: &mut [Found], depth: u32) {
        match self {
            Open::Cyclic { by_depth, count, .. } => {
                if by_depth.len() <= depth as usize {
                    by_depth.resize_with(depth as usize + 1, BinaryHeap::new);
                }
                *count += found.len();
                by_depth[depth as usize].extend(found.iter().map(|&found| Reverse(waiting(found, depth))));
            }
            Open::BestFirst(heap) => heap.extend(found.iter().map(|&found| Reverse(waiting(found, depth)))),
            Open::DepthFirst(stack) => {
                found.sort_by_key(|found| Reverse((found.bound, found.guide)));
                stack.extend(found.iter().map(|&found| waiting(found, depth)));
            }
            Open::BreadthFirst(queue) => queue.extend(found.iter().map(|&found| waiting(found, depth))),
        }
    }

    /// The next state, its bound and its depth.
    pub(crate) fn pop(&mut self) -> Option<(u32, i64, u32)> {
        let next = match self {
            Open::Cyclic { by_depth, at, count } => {
                if *count == 0 {
                    return None;
                }
                *count -= 1;
                loop {
                    if *at >= by_depth.len() {
                        *at = 0;
                    }
                    *at += 1;
                    if let Some(Reverse(next)) = by_depth[*at - 1].pop() {
                        break Some(next);
                    }
                }
            }
            Open::BestFirst(heap) => heap.pop().map(|Reverse(next)| next),
            Open::DepthFirst(stack) => stack.pop(),
            Open::BreadthFirst(queue) => queue.pop_front(),
        };
        next.map(|(bound, Reverse(depth), _, Reverse(id))| (id, bound, depth))
    }

    /// The smallest bound of all that wait; [`NEVER`] if nothing does.
    pub(crate) fn bound(&self) -> i64 {
        let least = match self {
            Open::Cyclic { by_depth, .. } => {
                by_depth.iter().filter_map(BinaryHeap::peek).map(|Reverse(next)| next.0).min()
            }
            Open::BestFirst(heap) => heap.peek().map(|Reverse(next)| next.0),
            Open::DepthFirst(stack) => stack.iter().map(|next| next.0).min(),
            Open::BreadthFirst(queue) => queue.iter().map(|next| next.0).min(),
        };
        least.unwrap_or(NEVER)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Open::Cyclic { count, .. } => *count,
            Open::BestFirst(heap) => heap.len(),
            Open::DepthFirst(stack) => stack.len(),
            Open::BreadthFirst(queue) => queue.len(),
        }
    }
}
