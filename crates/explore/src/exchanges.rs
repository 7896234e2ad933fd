//! One state for all that differ by parts of the network that can be exchanged for each other.
//!
//! An [`Exchange`] maps transitions to transitions and goals to goals, so of a state and its image one is enough. Exchanges are tried in turn, small ones first, for as long as one makes the locations
//! of the state smaller when they are compared in order. What is left need not be the smallest of all images: any representative is sound, and one that is not unique only costs states.
//!
//! Zones stay as they are, since nothing that looks at clocks is moved. As for scalars, a run through representatives has to be straightened: if σ maps the representative back to the
//! state of the run, and the next step ends with the exchanges g₁ to gₖ, then it is σ g₁ … gₖ after that, each exchange being its own inverse.

use crate::bounds::LocalBounds;
use crate::explorer::Explorer;
use crate::moves::Failure;
use crate::trace::{PathStep, Represented};
use guidepost_network::{EdgeId, Exchange, Goal, Network};

/// Maps states to representatives.
#[derive(Debug)]
pub(crate) struct Exchanges {
    all: Vec<Exchange>,
    /// Those that made the last state a representative.
    last: Vec<u32>,
    /// How many states were exchanged for another so far.
    exchanged: u64,
}

impl Exchanges {
    /// Makes the locations of a state those of its representative.
    pub(crate) fn represent(&mut self, cells: &mut [i32]) {
        self.last.clear();
        let mut since = 0;
        // Each one makes the state smaller, so this ends.
        for (number, exchange) in (0..).zip(&self.all).cycle() {
            if exchange.improves(cells) {
                exchange.apply(cells);
                self.last.push(number);
                since = 0;
            }
            since += 1;
            if since > self.all.len() {
                break;
            }
        }
        self.exchanged += u64::from(!self.last.is_empty());
    }

    /// Those that made the last state a representative.
    pub(crate) fn last(&self) -> Option<Represented> {
        (!self.last.is_empty()).then(|| Represented::Exchanged(self.last.clone()))
    }

    /// How many states were exchanged for another so far.
    pub(crate) fn exchanged(&self) -> u64 {
        self.exchanged
    }

    /// The run of the network behind a path through representatives.
    pub(crate) fn straighten(&self, network: &Network, mut path: Vec<PathStep>) -> Vec<PathStep> {
        let mut so_far = Vec::new();
        for step in &mut path {
            step.edges = self.undone(network, &step.edges, &so_far);
            so_far.extend(exchanges_of(step));
            step.renaming = None;
        }
        path
    }

    /// A failure in the last representative of a path, as it happens in the run behind the path.
    pub(crate) fn straighten_failure(
        &self,
        network: &Network,
        path: &[PathStep],
        failure: &Failure,
    ) -> Failure {
        let so_far: Vec<u32> = path.iter().flat_map(exchanges_of).collect();
        Failure { error: failure.error.clone(), edges: self.undone(network, &failure.edges, &so_far) }
    }

    /// Edges that are taken together in a representative, as the run takes them. Receivers of a broadcast come in the order of their processes.
    fn undone(&self, network: &Network, edges: &[EdgeId], so_far: &[u32]) -> Vec<EdgeId> {
        let image = |&edge: &EdgeId| {
            so_far.iter().rev().fold(edge, |edge, &number| self.all[number as usize].edge(edge))
        };
        let mut images: Vec<EdgeId> = edges.iter().map(image).collect();
        if let Some((_, receivers)) = images.split_first_mut() {
            receivers.sort_unstable_by_key(|edge| network.edges[edge.index()].process);
        }
        images
    }
}

/// The exchanges after a step, in order.
fn exchanges_of(step: &PathStep) -> Vec<u32> {
    match &step.renaming {
        Some(Represented::Exchanged(exchanges)) => exchanges.clone(),
        _ => Vec::new(),
    }
}

impl Explorer<'_> {
    /// From now on, successors are representatives of those that differ by parts that can be exchanged, as far as some goals do not tell them apart. Says whether there are any.
    ///
    /// The initial state stays as it is.
    pub fn exploit_exchanges(&mut self, goals: &[&Goal]) -> bool {
        let mut all = if self.may_be_asymmetric() || self.representatives.is_some() {
            Vec::new()
        } else {
            Exchange::all(self.network(), goals)
        };
        all.retain(|exchange| keeps_bounds(exchange, &self.bounds));
        self.exchanges = (!all.is_empty()).then(|| Exchanges { all, last: Vec::new(), exchanged: 0 });
        self.exchanges.is_some()
    }
}

/// Whether the clocks that matter at a location are those that matter at its image, up to the same constants.
fn keeps_bounds(exchange: &Exchange, bounds: &LocalBounds) -> bool {
    exchange.moved().all(|(location, image)| bounds.at(location as usize) == bounds.at(image as usize))
}
