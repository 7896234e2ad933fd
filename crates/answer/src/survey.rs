//! What a whole exploration found.

use crate::{Evidence, Outcome, Statistics};
use guidepost_language::source::Span;

/// A look at the whole state space.
#[derive(Clone, Debug)]
pub struct Survey {
    /// How the exploration ended; decided means that it saw everything.
    pub outcome: Outcome<()>,
    /// Its numbers.
    pub statistics: Statistics,
    /// By location: whether some process ever is there.
    pub reached: Vec<bool>,
    /// By edge: whether it is ever taken.
    pub taken: Vec<bool>,
    /// By variable: smallest and largest value in stored states.
    pub ranges: Vec<(i32, i32)>,
    /// Where results did not fit into 32 bits and wrapped around.
    pub wraps: Vec<Span>,
}

/// States without a way on.
#[derive(Clone, Debug)]
pub struct Halts {
    /// How the search for them ended; decided means that what was not found does not exist.
    pub outcome: Outcome<()>,
    /// A state in which no transition is ever possible again, but time goes on.
    pub deadlock: Option<Evidence>,
    /// A state in which no transition is ever possible again and time comes to a halt, too.
    pub timelock: Option<Evidence>,
}
