//! The largest of several estimates: admissible where all of them are, and at least as good as each.

use crate::{Estimate, Heuristic};
use guidepost_explore::SymbolicState;

/// The maximum of some heuristics.
pub(crate) struct Maximum<'n> {
    parts: Vec<Box<dyn Heuristic + 'n>>,
}

impl<'n> Maximum<'n> {
    pub(crate) fn new(parts: Vec<Box<dyn Heuristic + 'n>>) -> Self {
        Self { parts }
    }
}

impl Heuristic for Maximum<'_> {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        let mut largest = Estimate::ZERO;
        for part in &mut self.parts {
            largest = largest.max(part.estimate(state));
            if largest.is_dead_end() {
                break;
            }
        }
        largest
    }

    fn is_discrete(&self) -> bool {
        self.parts.iter().all(|part| part.is_discrete())
    }

    fn effort(&self) -> u64 {
        self.parts.iter().map(|part| part.effort()).sum()
    }
}
