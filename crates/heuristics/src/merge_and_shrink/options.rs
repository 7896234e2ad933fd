//! What can be chosen: `ms(n=500)`.

use crate::arguments::{Arguments, SpecError};
use std::fmt;

/// The options of merge-and-shrink.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MergeAndShrinkOptions {
    /// `n`: how many states an automaton may have.
    pub states: u32,
}

impl MergeAndShrinkOptions {
    /// What is taken when nothing is said.
    pub const DEFAULT: Self = Self { states: 5000 };

    pub(crate) fn read(arguments: &mut Arguments) -> Result<Self, SpecError> {
        let states = arguments.option("n")?.unwrap_or(Self::DEFAULT.states);
        if states == 0 {
            return Err(SpecError::Argument("`n` of `ms` is a number of states, at least 1".into()));
        }
        Ok(Self { states })
    }
}

/// Options that are not the usual ones, in parentheses.
impl fmt::Display for MergeAndShrinkOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::DEFAULT { Ok(()) } else { write!(f, "(n={})", self.states) }
    }
}
