//! The configuration of a search: the orders of blind searches, and all parameters of directed ones.

use crate::ENGINE;
use crate::frontier::Order;
use guidepost_answer::Method;
use guidepost_heuristics::HeuristicSpec;

/// How goals are searched for.
#[derive(Clone, PartialEq, Debug)]
pub enum Strategy {
    /// Without any idea where the goal is.
    Blind(Order),
    /// Guided by estimates.
    Directed(Directed),
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::Blind(Order::BreadthFirst)
    }
}

impl Strategy {
    /// The order when nothing guides the search.
    pub fn order(&self) -> Order {
        match self {
            Strategy::Blind(order) => *order,
            Strategy::Directed(_) => Order::BreadthFirst,
        }
    }
}

/// A directed search.
#[derive(Clone, PartialEq, Debug)]
pub struct Directed {
    /// How estimates become priorities.
    pub algorithm: Algorithm,
    /// The heuristic; several for [`Algorithm::Alternating`].
    pub heuristics: Vec<HeuristicSpec>,
    /// Which of two equally good states goes first.
    pub ties: Ties,
    /// States are estimated when they are expanded rather than when they are generated; until then they have their parent's estimate.
    pub deferred: bool,
    /// Successors by transitions that the heuristic would begin with have a queue of their own.
    pub preferred: bool,
}

impl Directed {
    /// A search with its usual tie-breaking.
    pub fn new(algorithm: Algorithm, heuristic: HeuristicSpec) -> Self {
        Self {
            algorithm,
            heuristics: vec![heuristic],
            ties: algorithm.usual_ties(0),
            deferred: false,
            preferred: false,
        }
    }

    /// Whether the first goal found is a nearest one.
    pub fn is_optimal(&self) -> bool {
        let exact = match self.algorithm {
            Algorithm::AStar | Algorithm::IterativeDeepening => true,
            Algorithm::WeightedAStar(weight) => weight <= 1.0,
            _ => false,
        };
        exact && !self.deferred && self.heuristics.iter().all(|spec| spec.properties().admissible)
    }

    /// What it is called in answers.
    pub fn search_name(&self) -> &'static str {
        match self.algorithm {
            Algorithm::Greedy => "greedy",
            Algorithm::AStar => "astar",
            Algorithm::WeightedAStar(_) => "wastar",
            Algorithm::UselessTransitions => "ut",
            Algorithm::IterativeDeepening => "ida",
            Algorithm::Beam(_) => "beam",
            Algorithm::Alternating => "multi",
            Algorithm::Novelty => "novelty",
            Algorithm::TypeBased => "types",
            Algorithm::EpsilonGreedy(_) => "epsilon",
            Algorithm::HillClimbing => "ehc",
        }
    }

    /// What answers say of it.
    pub(crate) fn method(&self) -> Method {
        Method { engine: ENGINE, search: self.search_name(), heuristic: self.heuristic_name().into() }
    }

    /// The names of its heuristics.
    pub fn heuristic_name(&self) -> String {
        let names: Vec<String> = self.heuristics.iter().map(ToString::to_string).collect();
        names.join(",")
    }
}

/// How estimates become priorities. c is the number of steps to a state, h the estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    /// Smallest h first.
    Greedy,
    /// Smallest c + h first.
    AStar,
    /// Smallest c + w·h first.
    WeightedAStar(f64),
    /// Smallest h first, but c + h behind a transition without which the goal seems just as near (Wehrle, Kupferschmid, Podelski, 2008).
    UselessTransitions,
    /// Depth-first within a bound on c + h that grows; stores only the current path.
    IterativeDeepening,
    /// Level by level, only the best states of each level; with ever more of them until none has been left out.
    Beam(usize),
    /// Greedy with a queue for each heuristic, in turns; a queue that leads to a better estimate gets more turns.
    Alternating,
    /// States first that have something which no state with the same estimate had before, then by h (Lipovetzky, Geffner, 2017).
    Novelty,
    /// Greedy in turns with any state of any type, where c and h make the type (Xie, Müller, Holte, Imai, 2014).
    TypeBased,
    /// Greedy, but with this probability any state that waits (Valenzano, Sturtevant, Schaeffer, Xie, 2014).
    EpsilonGreedy(f64),
    /// Breadth-first from the best state so far until there is a better one, then from that (Hoffmann, Nebel, 2001).
    HillClimbing,
}

impl Algorithm {
    /// First come, first served where short traces are wanted; where speed is, states of about the same age in any order, the newest first.
    pub fn usual_ties(self, seed: u64) -> Ties {
        match self {
            Algorithm::AStar | Algorithm::WeightedAStar(_) | Algorithm::IterativeDeepening => Ties::Fifo,
            _ => Ties::Random(seed),
        }
    }
}

/// Which of two states with the same priority goes first (after the one with the smaller estimate).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The older one.
    Fifo,
    /// The newer one.
    Lifo,
    /// Any of those found at about the same time, by this seed; newer ones first.
    Random(u64),
}
