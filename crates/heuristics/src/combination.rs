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
        self.estimate_within(state, u64::MAX).unwrap_or(Estimate::ZERO)
    }

    fn estimate_within(&mut self, state: &SymbolicState, effort: u64) -> Option<Estimate> {
        let mut largest = Estimate::ZERO;
        let before = self.effort();
        for index in 0..self.parts.len() {
            let left = effort.saturating_sub(self.effort() - before);
            largest = largest.max(self.parts[index].estimate_within(state, left)?);
            if largest.is_dead_end() {
                break;
            }
        }
        Some(largest)
    }

    fn is_discrete(&self) -> bool {
        self.parts.iter().all(|part| part.is_discrete())
    }

    fn effort(&self) -> u64 {
        self.parts.iter().map(|part| part.effort()).sum()
    }
}
