//! Processes that have to be looked at in a state of a large network.
//!
//! A transition moves few of a thousand processes, and most of the others are where there is nothing to look at: no invariant, no clock. Who is elsewhere is found once for all successors of a
//! state; in a successor, only these and those that have moved are looked at.

use guidepost_network::{EdgeId, Network};

/// With fewer processes, looking at all of them is faster.
const MANY: usize = 64;

/// Some processes of a source, and of the target of a transition, in ascending order. Empty and unknown in small networks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Concerned {
    is_worth: bool,
    is_known: bool,
    source: Vec<u32>,
    target: Vec<u32>,
}

impl Concerned {
    /// None are known yet.
    pub(crate) fn new(network: &Network) -> Self {
        Self { is_worth: network.processes.len() >= MANY, ..Self::default() }
    }

    /// Finds those of a source, by their locations.
    #[inline]
    pub(crate) fn find(&mut self, locations: &[i32], is_concerned: impl Fn(i32) -> bool) {
        self.is_known = self.is_worth;
        if self.is_worth {
            self.source.clear();
            let all = (0..).zip(locations).filter(|&(_, &location)| is_concerned(location));
            self.source.extend(all.map(|(process, _): (u32, _)| process));
        }
    }

    /// The source is another one.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.is_known = false;
    }

    /// Those of the target of a transition: whoever moves may be one as well.
    #[inline]
    pub(crate) fn move_along(&mut self, network: &Network, edges: &[EdgeId]) {
        if !self.is_known {
            return;
        }
        self.target.clone_from(&self.source);
        for edge in edges {
            let process = network.edges[edge.index()].process.0;
            if let Err(place) = self.target.binary_search(&process) {
                self.target.insert(place, process);
            }
        }
        debug_assert!(self.target.is_sorted_by(|left, right| left < right));
    }

    /// Whether they are known.
    #[inline]
    pub(crate) fn are_known(&self) -> bool {
        self.is_known
    }

    /// Those of the target.
    #[inline]
    pub(crate) fn processes(&self) -> &[u32] {
        &self.target
    }
}
