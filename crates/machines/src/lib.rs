//! State machines that are not timed automata: how they are written, what they mean, and what can be wrong with them.
#![forbid(unsafe_code)]

mod checked;
mod finding;
mod limits;
pub mod scxml;
pub mod sem;
pub mod timed;

pub use checked::{Checked, Located, Note};
pub use finding::{Finding, Kind};
pub use limits::{Limits, Stop};
