//! State machines that are not timed automata: how they are written, what they mean, and what can be wrong with them.

mod finding;
pub mod sem;

pub use finding::{Finding, Kind};
