//! A number of steps, or none at all.

use std::fmt;

/// How many transitions it takes to a goal, as far as a heuristic can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Estimate(u32);

impl Estimate {
    /// No goal can be reached; greater than every number of steps.
    pub const DEAD_END: Estimate = Estimate(u32::MAX);
    /// Perhaps the state is a goal.
    pub const ZERO: Estimate = Estimate(0);

    /// So many steps.
    pub fn steps(steps: u32) -> Self {
        Estimate(steps.min(u32::MAX - 1))
    }

    /// Whether no goal can be reached.
    #[inline]
    pub fn is_dead_end(self) -> bool {
        self == Self::DEAD_END
    }

    /// The number of steps, unless no goal can be reached.
    #[inline]
    pub fn as_steps(self) -> Option<u32> {
        (!self.is_dead_end()).then_some(self.0)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_steps() {
            Some(steps) => write!(f, "{steps}"),
            None => f.write_str("∞"),
        }
    }
}
