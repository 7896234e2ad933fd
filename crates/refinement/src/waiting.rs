//! In which order nodes are expanded.
//!
//! A proof expands all of them, so the order matters where there is a goal to be found: in an abstraction that hides too much, there nearly always is. A directed search finds it with few nodes.

use crate::graph::{Graph, UNKNOWN};
use guidepost_answer::{Deadline, Estimate};
use guidepost_explore::SymbolicState;
use guidepost_heuristics::{Budget, Heuristic, HeuristicSpec, Preparation};
use guidepost_network::{Goal, Network};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::str::FromStr;

/// How a goal is looked for in an abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Nodes come in the order in which they were found.
    BreadthFirst,
    /// First those on the shortest way, as the layers of the monotonicity abstraction estimate it.
    #[default]
    AStar,
    /// First those that are the nearest to a goal.
    Greedy,
}

impl FromStr for Order {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "bfs" => Ok(Order::BreadthFirst),
            "astar" => Ok(Order::AStar),
            "greedy" => Ok(Order::Greedy),
            _ => Err(()),
        }
    }
}

impl Order {
    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Order::BreadthFirst => "bfs",
            Order::AStar => "astar",
            Order::Greedy => "greedy",
        }
    }

    /// What guides it.
    pub(crate) fn heuristic(self) -> &'static str {
        match self {
            Order::BreadthFirst => "none",
            Order::AStar | Order::Greedy => "hl",
        }
    }
}

/// Nodes that wait.
pub(crate) enum Waiting<'n> {
    InOrder(VecDeque<u32>),
    Directed(Box<Directed<'n>>),
}

/// Nodes that wait, the most promising first.
pub(crate) struct Directed<'n> {
    heuristic: Box<dyn Heuristic + 'n>,
    is_greedy: bool,
    /// Rank, when it came, node.
    heap: BinaryHeap<Reverse<(u32, u32, u32)>>,
    came: u32,
    /// By discrete state.
    estimates: Vec<u32>,
}

impl<'n> Waiting<'n> {
    pub(crate) fn new(network: &'n Network, goals: &[Goal], order: Order, deadline: Deadline) -> Self {
        if order == Order::BreadthFirst {
            return Waiting::InOrder(VecDeque::new());
        }
        let mut preparation = Preparation::new(Budget::default(), deadline);
        Waiting::Directed(Box::new(Directed {
            heuristic: HeuristicSpec::Layers.bind(network, goals, &mut preparation),
            is_greedy: order == Order::Greedy,
            heap: BinaryHeap::new(),
            came: 0,
            estimates: Vec::new(),
        }))
    }

    /// Whether it wants to see a state of each discrete state before nodes of it come.
    pub(crate) fn wants(&self, part: u32) -> bool {
        match self {
            Waiting::InOrder(_) => false,
            Waiting::Directed(directed) => directed.estimate(part) == UNKNOWN,
        }
    }

    /// Looks at a state of a discrete state.
    pub(crate) fn see(&mut self, part: u32, state: &SymbolicState) {
        if let Waiting::Directed(directed) = self {
            directed.see(part, state);
        }
    }

    pub(crate) fn push(&mut self, graph: &Graph, node: u32) {
        match self {
            Waiting::InOrder(nodes) => nodes.push_back(node),
            Waiting::Directed(directed) => directed.push(graph, node),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<u32> {
        match self {
            Waiting::InOrder(nodes) => nodes.pop_front(),
            Waiting::Directed(directed) => directed.heap.pop().map(|Reverse((.., node))| node),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Waiting::InOrder(nodes) => nodes.len(),
            Waiting::Directed(directed) => directed.heap.len(),
        }
    }

    /// What estimates have taken.
    pub(crate) fn effort(&self) -> u64 {
        match self {
            Waiting::InOrder(_) => 0,
            Waiting::Directed(directed) => directed.heuristic.effort(),
        }
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Waiting::InOrder(nodes) => 4 * nodes.capacity(),
            Waiting::Directed(directed) => 12 * directed.heap.capacity() + 4 * directed.estimates.capacity(),
        }
    }
}

impl Directed<'_> {
    fn estimate(&self, part: u32) -> u32 {
        self.estimates.get(part as usize).copied().unwrap_or(UNKNOWN)
    }

    fn see(&mut self, part: u32, state: &SymbolicState) {
        let estimate = self.heuristic.estimate(state);
        if self.estimates.len() <= part as usize {
            self.estimates.resize(part as usize + 1, UNKNOWN);
        }
        // Those without hope come last: they belong to a proof.
        let most = Estimate::steps(u32::MAX / 2);
        self.estimates[part as usize] = estimate.min(most).as_steps().unwrap_or(0);
    }

    fn push(&mut self, graph: &Graph, node: u32) {
        let own = &graph.nodes[node as usize];
        let behind = if self.is_greedy { 0 } else { own.depth };
        let rank = self.estimate(own.part).saturating_add(behind);
        self.heap.push(Reverse((rank, self.came, node)));
        self.came = self.came.wrapping_add(1);
    }
}
