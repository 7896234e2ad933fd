//! The network without its [bystanders](crate::bystanders()), and its runs as runs of the whole network.
//!
//! It keeps the memory layout, and all ids but those of edges. A bystander stays in its initial location, which is its only one, and what only bystanders write keeps its initial value: neither takes room in states. Clocks
//! that only bystanders test are tested by nobody, so that they are in no zone.
//!
//! A run of it is one of the whole network, in which bystanders receive the broadcasts that they have to receive. By which of their edges depends on where they are then; so the run is followed in the whole network,
//! step by step, and replayed by that.

use crate::bystanders::bystanders;
use guidepost_network::interpreter::{ReplayError, ReplayStep, ReplayedStep, replay_beside};
use guidepost_network::{Edge, EdgeId, Goal, LocationKind, Network};

/// A network without bystanders.
#[derive(Clone, Debug)]
pub struct Retained {
    /// The network.
    pub network: Network,
    /// By edge: which one it is in the whole network.
    edges: Vec<EdgeId>,
    /// By process: whether it stands by.
    bystanders: Vec<bool>,
}

impl Retained {
    /// What is left of a network for some questions, each given by its goals; `aside` are goals that are looked at on the way. `None`: all of it.
    pub fn new(whole: &Network, questions: &[&[Goal]], aside: &[&[Goal]]) -> Option<Self> {
        let bystanders = bystanders(whole, questions, aside);
        if !bystanders.contains(&true) {
            return None;
        }
        let ids = (0..whole.edges.len() as u32).map(EdgeId);
        let edges: Vec<EdgeId> =
            ids.filter(|id| !bystanders[whole.edges[id.index()].process.index()]).collect();
        let network = network(whole, &bystanders, &edges);
        Some(Self { network, edges, bystanders })
    }

    /// The names of the bystanders.
    pub fn names(&self) -> Vec<String> {
        let processes = self.network.processes.iter().zip(&self.bystanders);
        processes.filter(|(_, stands_by)| **stands_by).map(|(process, _)| process.name.clone()).collect()
    }

    /// The edges of the whole network that some edges are.
    pub fn edges_of_whole(&self, edges: &[EdgeId]) -> Vec<EdgeId> {
        edges.iter().map(|edge| self.edges[edge.index()]).collect()
    }

    /// Those of some edges of the whole network that are left.
    pub fn edges_left_of(&self, edges: &[EdgeId]) -> Vec<EdgeId> {
        let left = edges.iter().filter_map(|edge| self.edges.binary_search(edge).ok());
        left.map(|index| EdgeId(index as u32)).collect()
    }

    /// A run as one of the whole network.
    ///
    /// # Errors
    /// Where it is none; that is a bug.
    pub fn run_of_whole(
        &self,
        whole: &Network,
        run: &[ReplayedStep],
    ) -> Result<Vec<ReplayedStep>, ReplayError> {
        let mut steps: Vec<ReplayStep> = run.iter().map(ReplayStep::from).collect();
        for step in &mut steps {
            step.edges = self.edges_of_whole(&step.edges);
        }
        replay_beside(whole, &steps, &self.bystanders)
    }
}

fn network(whole: &Network, bystanders: &[bool], edges: &[EdgeId]) -> Network {
    let mut network =
        Network { edges: edges.iter().map(|id| whole.edges[id.index()].clone()).collect(), ..whole.clone() };
    for (process, &stands_by) in network.processes.iter_mut().zip(bystanders) {
        if stands_by {
            process.locations = process.initial.0..process.initial.0 + 1;
        }
    }
    for location in &mut network.locations {
        if bystanders[location.process.index()] {
            location.kind = LocationKind::Normal;
            location.data_invariant.clear();
            location.clock_invariant.clear();
            location.cost_rate = None;
        }
    }
    place_edges(&mut network);
    fix_values(&mut network, whole);
    network.refresh_features();
    network.symmetries = whole.symmetries.beside(&network, bystanders, edges);
    network
}

/// Says where the edges of each location and process are: they are sorted by source.
fn place_edges(network: &mut Network) {
    let position = |location: u32| network.edges.partition_point(|edge| edge.source.0 < location) as u32;
    for (index, location) in (0..).zip(&mut network.locations) {
        location.outgoing = position(index)..position(index + 1);
    }
    for process in &mut network.processes {
        process.edges = position(process.locations.start)..position(process.locations.end);
    }
}

/// What was written, and no longer is, has one value.
fn fix_values(network: &mut Network, whole: &Network) {
    let written = |edges: &[Edge]| {
        let mut written = vec![false; whole.variables.len()];
        for variable in
            edges.iter().filter_map(|edge| edge.update).flat_map(|update| whole.program.writes(update))
        {
            written[variable.index()] = true;
        }
        written
    };
    let (before, after) = (written(&whole.edges), written(&network.edges));
    for (index, variable) in network.variables.iter_mut().enumerate() {
        if before[index] && !after[index] && !variable.meta {
            variable.min = variable.initial;
            variable.max = variable.initial;
        }
    }
}
