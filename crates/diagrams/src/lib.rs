//! Decision diagrams: machines with more states than anybody can list, checked as sets.

mod backward;
mod check;
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

pub use check::{Findings, Options, Undecided, check};
pub use method::{Method, UnknownMethod};
pub use space::Stopped;
pub use statistics::Statistics;
