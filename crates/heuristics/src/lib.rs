//! How far is it from a state to a goal? One file per estimate, all behind one trait, listed in one [registry](REGISTRY).
//!
//! A heuristic is *admissible* when it never says more than the number of transitions that a shortest way takes: with one, A* finds shortest traces.
//! Every heuristic here is *safe*: when it says [`Estimate::DEAD_END`], no goal can be reached, and a search may forget the state. A heuristic that finds the
//! initial state to be a dead end has proved the property without any search.
//!
//! ```
//! use guidepost_heuristics::{Estimate, HeuristicSpec, Preparation};
//! use guidepost_explore::{ZoneAbstraction, Explorer};
//!
//! let text = "int[0,9] v; process P() { state A, B; init A; trans A -> A { assign v++; }, A -> B { guard v >= 3; }; } system P;";
//! let mut loaded = guidepost_language::load_text("count.xta", text);
//! let network = guidepost_network::build(&loaded.model).0.unwrap();
//! let query = &loaded.queries_from_text("query", "E<> P.B", &mut Default::default())[0];
//! let query = guidepost_network::compile_query(&network, &loaded.model, query).unwrap();
//! let guidepost_network::Question::Possibly(predicate) = &query.question else { unreachable!() };
//!
//! let goals: Vec<_> = predicate.goals.iter().collect();
//! let mut explorer = Explorer::new(&network, &goals, ZoneAbstraction::REACHABILITY).unwrap();
//! let spec: HeuristicSpec = "hl".parse().unwrap();
//! let mut heuristic = spec.bind(&network, &predicate.goals, &mut Preparation::default());
//! explorer.initial(&mut |state| assert_eq!(heuristic.estimate(state), Estimate::steps(4))).unwrap();
//! ```
#![forbid(unsafe_code)]

mod arguments;
mod blind;
mod cartesian;
mod combination;
mod factored;
mod graph_distance;
mod hamming;
mod heuristic;
mod interference;
mod merge_and_shrink;
mod monotonicity;
mod patterns;
mod predicates;
mod preparation;
mod registry;
mod relaxed;
mod rows;
mod spec;
mod structural;
mod target_enlargement;
#[cfg(test)]
mod test_networks;
mod user;

pub use arguments::SpecError;
pub use cartesian::CartesianOptions;
pub use graph_distance::LocationDeadEnds;
pub use guidepost_answer::{Deadline, Estimate};
pub use heuristic::{EdgeMask, Heuristic};
pub use interference::Interference;
pub use merge_and_shrink::MergeAndShrinkOptions;
pub use predicates::{PredicateOptions, Selection};
pub use preparation::{Budget, Exceeded, Preparation};
pub use registry::{CostClass, Properties, REGISTRY};
pub use spec::HeuristicSpec;
pub use target_enlargement::TargetOptions;
