//! Parts of a network that can be exchanged for each other, found in its structure.
//!
//! Two clients of an arbiter that do the same are alike, whether or not their author gave them a [scalar set](crate::symmetry): exchange them, and exchange what the arbiter does for the one with what
//! it does for the other, and the network is what it was. An [`Exchange`] is such a permutation of processes, locations, channels and edges which is its own inverse.
//!
//! **Claim.** If s →t→ s' is a transition, so is σ s →σ t→ σ s', and s is a goal exactly if σ s is one.
//!
//! *Argument.* σ maps edges to edges between the images of their locations, on the images of their channels, in the same role. Whatever looks at data or clocks stays where it is: such an edge or
//! location is its own image, so guards, invariants and updates are the same in both states, which have the same data and clocks. Kinds of locations, priorities, and kinds of channels are the same for
//! images. Nothing looks at locations but the goals, and σ maps the locations that a goal allows to locations that it allows. ∎ The initial state is its own image, so what is reachable
//! has reachable images.
//!
//! **How they are found.** Colours tell apart what certainly differs (colour refinement). Then two processes of one colour are taken to be images of each other, and what follows for their
//! neighbours is concluded, step by step; where there is a choice, the first one is taken, and things stay where they are if they can. What comes out is checked from scratch (`Graph::is_kept_by`), so
//! that nothing depends on how it was found. (Automorphisms of planning tasks: Pochter, Zohar, Rosenschein 2011; Domshlak, Katz, Shleyfman 2012.)

mod graph;
mod matching;

use crate::network::{EdgeId, Network};
use crate::query::Goal;
use graph::Graph;

/// Larger networks are not looked at: their locations, edges and channels together.
const LARGEST: usize = 20_000;
/// So many of these are looked at for all exchanges together.
const PATIENCE: usize = 2_000_000;

/// Parts of a network that change places; doing it twice changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// Processes that change places or locations, ascending, and with whom.
    processes: Vec<(u32, u32)>,
    /// By location: its image.
    locations: Vec<u32>,
    /// By edge: its image.
    edges: Vec<u32>,
}

impl Exchange {
    /// Those that leave all goals as they are, small ones first.
    pub fn all(network: &Network, goals: &[&Goal]) -> Vec<Self> {
        let size = network.locations.len() + network.edges.len() + network.channels.len();
        if size > LARGEST || !is_simple(network, goals) {
            return Vec::new();
        }
        let graph = Graph::new(network, goals);
        let mut found: Vec<Self> = Vec::new();
        for (one, other) in graph.pairs().into_iter().take(PATIENCE / size.max(1)) {
            let Some(image) = graph.exchange(one, other) else { continue };
            let exchange = Self::new(network, &graph, &image);
            if !found.contains(&exchange) {
                found.push(exchange);
            }
        }
        found.sort_by_key(|exchange| exchange.processes.len());
        found
    }

    fn new(network: &Network, graph: &Graph, image: &[u32]) -> Self {
        let locations = graph.locations(image);
        let moves = |process: usize| {
            network.processes[process]
                .locations
                .clone()
                .any(|location| locations[location as usize] != location)
        };
        let pairs = (0..network.processes.len()).filter(|&process| moves(process));
        let processes = pairs.map(|process| (process as u32, image[process])).collect();
        Self { processes, edges: graph.edges(image), locations }
    }

    /// Whether the image of a state comes before it when their locations are compared in order.
    #[inline]
    pub fn improves(&self, cells: &[i32]) -> bool {
        for &(process, other) in &self.processes {
            let before = cells[process as usize];
            let after = self.locations[cells[other as usize] as usize] as i32;
            if before != after {
                return after < before;
            }
        }
        false
    }

    /// Makes a state its image.
    pub fn apply(&self, cells: &mut [i32]) {
        for &(process, other) in self.processes.iter().filter(|(process, other)| process <= other) {
            let (one, two) = (cells[process as usize], cells[other as usize]);
            cells[process as usize] = self.locations[two as usize] as i32;
            cells[other as usize] = self.locations[one as usize] as i32;
        }
    }

    /// The image of an edge.
    pub fn edge(&self, edge: EdgeId) -> EdgeId {
        EdgeId(self.edges[edge.index()])
    }

    /// Locations that change places, each with its image.
    pub fn moved(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(self.locations.iter().copied()).filter(|(location, image)| location != image)
    }
}

/// Whether nothing but the locations that goals name looks at locations.
fn is_simple(network: &Network, goals: &[&Goal]) -> bool {
    let codes = network.program.codes();
    let of_edges = network.edges.iter().flat_map(crate::Edge::codes);
    let of_locations = network.locations.iter().flat_map(crate::Location::codes);
    let is_blind = |goal: &&Goal| {
        let codes = goal.codes(&network.program);
        goal.deadlock.is_none() && goal.data.iter().all(|&code| codes.footprint(code).locations.is_empty())
    };
    network.vectors.is_empty()
        && network.before_update.is_none()
        && network.after_update.is_none()
        && of_edges.chain(of_locations).all(|code| codes.footprint(code).locations.is_empty())
        && goals.iter().all(is_blind)
}
