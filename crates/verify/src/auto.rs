//! The default engine.
//!
//! It is not known in advance whether there is a goal, nor what finds it. If there is one, a directed search may find it soon, or a cheap one, or depth-first
//! search; if there is none, everything has to be explored, and everything else is wasted. So several searches take turns, in slices that grow: directed
//! search with good estimates, greedy search with cheap ones, breadth-first search and depth-first search, plain and random. At first all of them get about the same, which is next to nothing;
//! then breadth-first search gets most of the effort, so that a property that holds costs little more than breadth-first search alone. The search
//! that finishes first gives the answer. See [`contest`] for who takes part, and [`schedule`] for how long.
//!
//! A property may hold because of the ranges of single variables ([`ranging`]). Or it may hold because of a small part of the system, and then refinement (`hidden`) proves it, however many states there are: see [`refining`] for when, and for what its proofs pass over.
//!
//! A query that is still open after that is hard, and an abstraction may pay off: a pattern database (`dpr`) is built with a small part of the effort
//! so far, and again with a larger part when that was not enough. If the abstraction cannot reach the goal, that is the answer. Where a shortest
//! run is wanted, A* with the database takes over from A* with h^L.
//!
//! Effort is counted in what is done, weighted by how long it takes, never in seconds: the same question gets the same answer in the same way on every
//! machine.

mod attempt;
mod contest;
mod ranging;
mod refining;
mod schedule;

use contest::Contest;
use guidepost_answer::{CompiledQuery, Engine, Observe, Unsupported};
use guidepost_network::Network;
use guidepost_search::{Configuration, Zones};

/// The engine for those who have not chosen one.
pub(crate) struct Auto {
    pub(crate) configuration: Configuration,
    /// The seed of random choices.
    pub(crate) seed: u64,
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn accepts(&self, network: &Network, query: &CompiledQuery) -> Result<(), Unsupported> {
        self.zones().accepts(network, query)
    }

    fn answer(
        &self,
        network: &Network,
        queries: &[CompiledQuery],
        observe: &mut Observe<'_>,
    ) -> Result<(), Unsupported> {
        self.zones().answer_with(network, queries, observe, &mut |network, jobs, configuration, observe| {
            Contest::new(network, jobs, configuration, self.seed).run(observe)
        })
    }
}

impl Auto {
    /// Whoever answers what is not about reachability.
    fn zones(&self) -> Zones {
        Zones { configuration: self.configuration.clone() }
    }
}
