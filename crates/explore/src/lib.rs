//! Zone exploration: symbolic states, their successors, the store, and concrete traces.
#![forbid(unsafe_code)]

mod bounds;
mod enabled;
mod explorer;
mod index;
mod options;
mod packing;
mod state;

pub use bounds::{ClockBound, LocalBounds, Precision};
pub use explorer::{Explorer, Failure, Unsupported};
pub use options::{Abstraction, Extrapolation, Subsumption};
pub use packing::Packing;
pub use state::SymbolicState;
