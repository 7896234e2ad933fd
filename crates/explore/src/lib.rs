//! Zone exploration: symbolic states, their successors, the store, and concrete traces.
#![forbid(unsafe_code)]

mod blocks;
mod bounds;
mod deadlock;
mod diagonals;
mod dwell;
mod enabled;
mod explorer;
mod goal;
mod index;
mod matrix;
mod options;
mod outline;
mod packing;
mod probe;
mod state;
mod store;
mod trace;

pub use bounds::{ClockBound, LocalBounds, Precision};
pub use explorer::{Explorer, Failure, supports};
pub use goal::GoalTest;
pub use guidepost_answer::Unsupported;
pub use options::{Abstraction, Extrapolation, Subsumption};
pub use packing::Packing;
pub use probe::{Probe, hash_packed};
pub use state::SymbolicState;
pub use store::{Inserted, Replace, StateId, Store};
pub use trace::{ClockDifference, PathStep, TraceError, differences};
