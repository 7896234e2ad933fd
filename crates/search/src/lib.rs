//! Searches over symbolic state spaces, and the answers to queries.
#![forbid(unsafe_code)]

mod answer;
mod auto;
mod beam;
mod best_first;
mod bounds;
mod closer_look;
mod deepening;
mod directed;
mod frontier;
mod guidance;
mod limits;
mod liveness;
mod open;
mod parallel;
mod reach;
mod statistics;
mod strategy;
mod survey;
mod verify;

pub use answer::{Answer, BoundValue, Evidence, InternalError, ModelError, RunEnding, Verdict};
pub use frontier::Order;
pub use guidance::Remarks;
pub use guidepost_explore::GoalTest;
pub use guidepost_heuristics::{AbstractionProof, Budget, Estimate, HeuristicSpec, Stage};
pub use limits::{Limits, StopReason};
pub use reach::{Outcome, Search, Watcher};
pub use statistics::{Progress, Statistics};
pub use strategy::{Algorithm, Directed, Strategy, Ties};
pub use survey::{Halts, Survey, halts, survey};
pub use verify::{Configuration, Event, verify, verify_each};
