//! What can be chosen: `ms(n=500)`.

use crate::arguments::SpecError;
use guidepost_answer::Arguments;
use std::fmt;

/// How many states an automaton may have if nothing is said, and there are not many of them.
const USUAL: usize = 5000;
/// How many states all automata together may have if nothing is said: every one of them takes part in a merge, and that takes time.
const ALTOGETHER: usize = 160_000;

/// The options of merge-and-shrink.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MergeAndShrinkOptions {
    /// `n`: how many states an automaton may have; by default a few thousand, fewer if there are many automata.
    pub states: Option<u32>,
}

impl MergeAndShrinkOptions {
    /// What is taken when nothing is said.
    pub const DEFAULT: Self = Self { states: None };

    pub(crate) fn read(arguments: &mut Arguments) -> Result<Self, SpecError> {
        let states = arguments.option("n")?;
        if states == Some(0) {
            return Err(SpecError::Argument("`n` of `ms` is a number of states, at least 1".into()));
        }
        Ok(Self { states })
    }

    /// How many states each of this many automata may have.
    pub(super) fn most(&self, automata: usize) -> usize {
        match self.states {
            Some(states) => states as usize,
            None => USUAL.min(ALTOGETHER / automata.max(1)).max(1),
        }
    }
}

/// Options that are not the usual ones, in parentheses.
impl fmt::Display for MergeAndShrinkOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.states.map_or(Ok(()), |states| write!(f, "(n={states})"))
    }
}
