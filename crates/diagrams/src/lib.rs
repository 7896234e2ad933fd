//! Decision diagrams: machines with more states than anybody can list, checked as sets.
//!
//! [`check`] takes a system of state/event machines and returns what is wrong with it. Every [`Method`] gives the same answers; they differ in how many machines they look at.
#![forbid(unsafe_code)]

mod backward;
mod check;
mod checked;
mod encoding;
mod evidence;
mod forward;
mod method;
mod order;
mod patience;
mod relation;
mod sort;
mod space;
mod statistics;
mod walks;
mod zones;

pub use check::{Findings, Options, Subject, Undecided, check};
pub use method::{Method, UnknownMethod};
pub use space::Stopped;
pub use statistics::Statistics;
pub use zones::{Differences, Discrete};
