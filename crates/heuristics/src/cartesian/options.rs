//! What can be chosen: `cartesian(states=10000,clocks=true)`.

use crate::arguments::SpecError;
use guidepost_answer::Arguments;
use std::fmt;

/// The options of Cartesian abstractions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CartesianOptions {
    /// `states`: how many abstract states there may be in all.
    pub states: u32,
    /// `clocks`: whether lower bounds of clocks are looked at.
    pub clocks: bool,
}

impl CartesianOptions {
    /// What is taken when nothing is said.
    pub const DEFAULT: Self = Self { states: 10_000, clocks: true };

    pub(crate) fn read(arguments: &mut Arguments) -> Result<Self, SpecError> {
        let states = arguments.option("states")?.unwrap_or(Self::DEFAULT.states);
        if states == 0 {
            return Err(SpecError::Argument(
                "`states` of `cartesian` is a number of abstract states, at least 1".into(),
            ));
        }
        let clocks = arguments.option("clocks")?.unwrap_or(Self::DEFAULT.clocks);
        Ok(Self { states, clocks })
    }
}

/// Options that are not the usual ones, in parentheses.
impl fmt::Display for CartesianOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = (self.states != Self::DEFAULT.states).then(|| format!("states={}", self.states));
        let clocks = (self.clocks != Self::DEFAULT.clocks).then(|| format!("clocks={}", self.clocks));
        let parts: Vec<String> = states.into_iter().chain(clocks).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, "({})", parts.join(",")) }
    }
}
