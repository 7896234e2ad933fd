//! Searches over symbolic state spaces.
#![forbid(unsafe_code)]

mod frontier;
mod goal;
mod limits;
mod reach;
mod statistics;

pub use frontier::Order;
pub use goal::GoalTest;
pub use limits::{Limits, StopReason};
pub use reach::{Outcome, Reachability, Visit, search};
pub use statistics::{Progress, Statistics};
