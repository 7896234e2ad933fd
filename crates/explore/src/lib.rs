//! Zone exploration: symbolic states, their successors, the store, and concrete traces.
#![forbid(unsafe_code)]

mod arena;
mod blocks;
mod bounds;
mod chunks;
mod covering;
mod deadlock;
mod diagonals;
mod dwell;
pub mod effort;
mod explorer;
mod goal;
mod live;
mod matrix;
mod moves;
mod outline;
mod packing;
mod probe;
mod pull_back;
mod set_aside;
mod sharp;
mod slice;
mod state;
mod store;
mod symmetry;
mod table;
mod time_domain;
mod trace;
mod zone_abstraction;
mod zone_pool;

pub use bounds::{ClockBound, LocalBounds, Preserved};
pub use covering::{Covering, NewState, StoredState};
pub use diagonals::DiagonalRange;
pub use explorer::{Explorer, supports};
pub use goal::GoalTest;
pub use guidepost_answer::Unsupported;
pub use moves::{Candidate, Candidates, Failure, Moves, Origin};
pub use packing::Packing;
pub use probe::{Probe, hash_packed};
pub use set_aside::SetAside;
pub use sharp::SharpLocations;
pub use state::SymbolicState;
pub use store::{Inserted, Replace, StateId, Store};
pub use time_domain::{ClockDifference, TimeDomain};
pub use trace::{PathStep, TraceError, differences};
pub use zone_abstraction::{Extrapolation, Subsumption, ZoneAbstraction};
