//! Regression: from the states after a transition, an update or a delay to those before it.
//!
//! Of a network some symbols are [kept](Kept): locations of processes, variables, clocks. Sets of states over them are [regions](Region): a set of values for
//! every cell and a zone, independent of each other. No solver is needed: literals on one cell are sets of values, literals on clocks are zones, and conditions and
//! updates over several cells are tried out for all combinations of values.
//!
//! Everything errs on one side: what is computed contains all states from which the transition can lead into the region. Of what is not kept, anything may be true;
//! more than [`COMBINATIONS`] combinations are not tried: the condition counts as true, the results as any value.

mod assignments;
mod kept;
pub mod mask;
mod region;
mod transition;
mod update;

pub use assignments::{Value, simultaneous};
pub use kept::{Cell, Kept};
pub use region::{COMBINATIONS, Condition, Region, bounds};
pub use transition::{Beside, Invariants, Transition};
pub use update::{Source, Update};
