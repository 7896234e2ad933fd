//! Whether an abstract state covers a state with the same cells: can it do whatever the other can do?

use guidepost_explore::{Subsumption, SymbolicState};
use guidepost_zones::{Bound, LuBounds, Zone, ZoneRef, alu_query, is_covered};

/// Tests whether stored zones cover one.
#[derive(Clone, Debug)]
pub(super) struct CoverTest {
    subsumption: Subsumption,
    query: Vec<Bound>,
}

impl CoverTest {
    pub(super) fn new(subsumption: Subsumption) -> Self {
        Self { subsumption, query: Vec::new() }
    }

    /// Prepares the question whether a zone is covered.
    pub(super) fn set(&mut self, zone: &Zone, bounds: LuBounds<'_>) {
        self.query.clear();
        match self.subsumption {
            Subsumption::Alu => {
                self.query.resize(zone.entries().len(), Bound::LE_ZERO);
                alu_query(zone, bounds, &mut self.query);
            }
            // A zone lies in another if none of its bounds is larger.
            Subsumption::Inclusion | Subsumption::AluWithDiagonals => {
                self.query.extend_from_slice(zone.entries());
            }
        }
    }

    /// Whether a stored zone covers the one in question.
    pub(super) fn is_covered_by(&self, stored: &[Bound]) -> bool {
        is_covered(&self.query, stored)
    }

    /// Whether a state covers a stored zone.
    pub(super) fn covers(&self, state: &SymbolicState, stored: &[Bound]) -> bool {
        let stored = ZoneRef::from_entries(state.zone.dim(), stored);
        match self.subsumption {
            Subsumption::Alu => stored.is_subset_alu(&state.zone, state.bounds()),
            Subsumption::Inclusion | Subsumption::AluWithDiagonals => stored.is_subset(&state.zone),
        }
    }
}
