//! Files of UPPAAL's command-line tools: symbolic traces (`.xtr`) and the compiled model that gives their numbers a meaning (`.if`).
//!
//! Both name nothing: processes, locations, edges, clocks and variables are counted as they stand in the document. A network counts otherwise (it
//! expands `select` and alternatives of guards into edges), so [`Numbering`] translates.

mod intermediate;
mod numbering;
mod symbolic;
mod xtr;

pub use intermediate::{label, to_if};
pub use numbering::Numbering;
pub use symbolic::{NotSymbolic, Situation, SymbolicRun};
pub use xtr::{UnreadableXtr, read_xtr, to_xtr};
