//! Predicates over bounded data.
//!
//! A predicate is a set of values of a few variables (`predicate`). A *cube* says of each predicate that it holds, that it does not, or nothing (`cube`). What a transition makes of a cube is
//! computed exactly, as far as that takes no more than [`COMBINATIONS`]: all values of the variables that matter are tried out (`transfer`), by the code of the model itself. Where it takes more,
//! nothing is known afterwards. `learning` finds predicates that exclude a run.

mod cube;
mod learning;
mod predicate;
mod transfer;
mod trial;

pub(crate) use cube::implies;
pub use learning::Interpolants;
pub(crate) use learning::{Dead, Learner};
pub(crate) use predicate::Predicate;
pub(crate) use transfer::{Predicates, update};

/// So many combinations of values are tried out: enough for one variable without limits of its own.
const COMBINATIONS: usize = 1 << 17;
