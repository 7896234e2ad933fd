//! Which machines a set speaks of.
//!
//! A *sort* is a set of machines together with a state, its *base*, that is taken to be active: sets of the sort depend on these machines only, and speak of configurations
//! with an active base. The machines between the base and a machine of the sort belong to it.

use crate::encoding::Encoding;
use crate::space::{Made, Set};
use guidepost_machines::sem::{StateId, System};
use std::collections::BTreeSet;

/// Some machines below a state that is active.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Sort {
    pub(crate) base: StateId,
    pub(crate) members: BTreeSet<usize>,
}

impl Sort {
    /// The least sort with these machines and a base that is or is above `lowest`.
    pub(crate) fn of(
        encoding: &Encoding,
        lowest: StateId,
        machines: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut sort = Sort { base: lowest, members: machines.into_iter().collect() };
        let hierarchy = encoding.hierarchy();
        let has_all = |base: StateId, members: &BTreeSet<usize>| {
            members.iter().all(|&machine| hierarchy.contains(base, encoding.state_of(machine)))
        };
        let mut bases = encoding.system.ancestors(lowest);
        sort.base = bases.find(|&base| has_all(base, &sort.members)).unwrap_or(System::ROOT);
        let between: Vec<usize> = sort
            .members
            .iter()
            .flat_map(|&machine| encoding.above(encoding.state_of(machine)))
            .filter(|&machine| hierarchy.contains(sort.base, encoding.state_of(machine)))
            .collect();
        sort.members.extend(between);
        // A base that is a machine itself is one of them.
        sort.members.extend(hierarchy.place(sort.base));
        sort
    }

    /// All machines but those that a base fixes.
    pub(crate) fn everything(encoding: &Encoding, base: StateId) -> Self {
        let above = encoding.above(base);
        let members = (0..encoding.machines()).filter(|machine| !above.contains(machine)).collect();
        Sort { base, members }
    }

    /// A set of this sort as one of a sort with more machines and a base that is or is above this one.
    pub(crate) fn lift(&self, encoding: &Encoding, to: &Sort, set: &Set) -> Made {
        encoding.space.and(set, &encoding.active_within(to.base, self.base)?)
    }
}
