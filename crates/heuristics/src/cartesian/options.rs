//! What can be chosen: `cartesian(states=10000)`.

use crate::arguments::SpecError;
use guidepost_answer::Arguments;
use std::fmt;

/// The options of Cartesian abstractions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CartesianOptions {
    /// `states`: how many abstract states there may be in all.
    pub states: u32,
}

impl CartesianOptions {
    /// What is taken when nothing is said.
    pub const DEFAULT: Self = Self { states: 10_000 };

    pub(crate) fn read(arguments: &mut Arguments) -> Result<Self, SpecError> {
        let states = arguments.option("states")?.unwrap_or(Self::DEFAULT.states);
        if states == 0 {
            return Err(SpecError::Argument(
                "`states` of `cartesian` is a number of abstract states, at least 1".into(),
            ));
        }
        Ok(Self { states })
    }
}

/// Options that are not the usual ones, in parentheses.
impl fmt::Display for CartesianOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::DEFAULT { Ok(()) } else { write!(f, "(states={})", self.states) }
    }
}
