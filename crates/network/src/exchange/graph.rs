//! A network as a graph with colours: processes, locations, channels and edges, and how they belong together.

use crate::network::{ChannelRef, Edge, Location, LocationKind, Network, Sync};
use crate::query::Goal;
use std::collections::{BTreeMap, HashMap};

/// How a vertex belongs to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Tie {
    Process,
    Location,
    Source,
    Leaves,
    Target,
    Enters,
    Channel,
    User,
}

/// What is seen of a vertex at first. What looks at data or clocks is like nothing else.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Look {
    Process { priority: u32, goals: Vec<u32> },
    Location { is_initial: bool, kind: u8, goals: Vec<u32> },
    Channel { broadcast: bool, urgent: bool, priority: u32 },
    Edge { role: u8 },
    Unique(u32),
}

/// A graph of all parts of a network. Vertices are numbered: processes, locations, channels, edges.
pub(super) struct Graph {
    processes: u32,
    locations: u32,
    channels: u32,
    /// By vertex: whom it belongs to, sorted.
    pub(super) ties: Vec<Vec<(Tie, u32)>>,
    looks: Vec<Look>,
    /// By vertex: those of different colours cannot be images of each other.
    pub(super) colours: Vec<u32>,
}

impl Graph {
    pub(super) fn new(network: &Network, goals: &[&Goal]) -> Self {
        let (processes, locations) = (network.processes.len() as u32, network.locations.len() as u32);
        let channels = network.channels.len() as u32;
        let mut graph = Self {
            processes,
            locations,
            channels,
            ties: Vec::new(),
            looks: looks(network, goals),
            colours: Vec::new(),
        };
        graph.ties.resize(graph.looks.len(), Vec::new());
        graph.connect(network);
        graph.colour();
        graph
    }

    fn connect(&mut self, network: &Network) {
        for (id, location) in (0..).zip(&network.locations) {
            self.tie(self.location(id), Tie::Process, Tie::Location, location.process.0);
        }
        for (id, edge) in (0..).zip(&network.edges) {
            let vertex = self.edge(id);
            self.tie(vertex, Tie::Source, Tie::Leaves, self.location(edge.source.0));
            self.tie(vertex, Tie::Target, Tie::Enters, self.location(edge.target.0));
            for channel in edge.sync.channels() {
                self.tie(vertex, Tie::Channel, Tie::User, self.processes + self.locations + channel.0);
            }
        }
        self.ties.iter_mut().for_each(|ties| ties.sort_unstable());
    }

    fn tie(&mut self, one: u32, tie: Tie, back: Tie, other: u32) {
        self.ties[one as usize].push((tie, other));
        self.ties[other as usize].push((back, one));
    }

    fn location(&self, id: u32) -> u32 {
        self.processes + id
    }

    fn edge(&self, id: u32) -> u32 {
        self.processes + self.locations + self.channels + id
    }

    /// Tells vertices apart by their looks, then by the colours of those they belong to, until nothing changes.
    fn colour(&mut self) {
        let mut numbers: BTreeMap<&Look, u32> = self.looks.iter().map(|look| (look, 0)).collect();
        numbers.values_mut().zip(0..).for_each(|(number, place)| *number = place);
        let mut count = numbers.len();
        self.colours = self.looks.iter().map(|look| numbers[look]).collect();
        loop {
            let mut known: HashMap<(u32, Vec<(Tie, u32)>), u32> = HashMap::new();
            let mut refined = Vec::with_capacity(self.colours.len());
            for (vertex, &colour) in self.colours.iter().enumerate() {
                let mut seen: Vec<(Tie, u32)> = self.ties[vertex]
                    .iter()
                    .map(|&(tie, other)| (tie, self.colours[other as usize]))
                    .collect();
                seen.sort_unstable();
                let next = known.len() as u32;
                refined.push(*known.entry((colour, seen)).or_insert(next));
            }
            self.colours = refined;
            if known.len() == count {
                return;
            }
            count = known.len();
        }
    }

    /// Processes of one colour, each with the next.
    pub(super) fn pairs(&self) -> Vec<(u32, u32)> {
        let mut last: HashMap<u32, u32> = HashMap::new();
        let pair = |process: u32| Some((last.insert(self.colours[process as usize], process)?, process));
        (0..self.processes).filter_map(pair).collect()
    }

    /// Whether a permutation of the vertices leaves everything as it is.
    pub(super) fn is_kept_by(&self, image: &[u32]) -> bool {
        let is_kept = |vertex: usize| {
            let other = image[vertex] as usize;
            let mut images: Vec<(Tie, u32)> =
                self.ties[vertex].iter().map(|&(tie, to)| (tie, image[to as usize])).collect();
            images.sort_unstable();
            self.looks[vertex] == self.looks[other]
                && image[other] as usize == vertex
                && images == self.ties[other]
        };
        (0..self.looks.len()).all(is_kept)
    }

    /// By location: its image.
    pub(super) fn locations(&self, image: &[u32]) -> Vec<u32> {
        let places = self.processes as usize..(self.processes + self.locations) as usize;
        image[places].iter().map(|vertex| vertex - self.processes).collect()
    }

    /// By edge: its image.
    pub(super) fn edges(&self, image: &[u32]) -> Vec<u32> {
        let first = self.edge(0);
        image[first as usize..].iter().map(|vertex| vertex - first).collect()
    }
}

fn looks(network: &Network, goals: &[&Goal]) -> Vec<Look> {
    let of_goals = |is_in: &dyn Fn(&Goal) -> bool| -> Vec<u32> {
        (0..).zip(goals).filter(|(_, goal)| is_in(goal)).map(|(number, _)| number).collect()
    };
    let mut looks = Vec::new();
    for (id, process) in (0..).zip(&network.processes) {
        let goals = of_goals(&|goal| goal.locations.iter().any(|(constrained, _)| constrained.0 == id));
        looks.push(Look::Process { priority: process.priority, goals });
    }
    for (id, location) in (0..).zip(&network.locations) {
        let goals =
            of_goals(&|goal| goal.locations.iter().any(|(_, there)| there.iter().any(|one| one.0 == id)));
        let is_initial = network.processes[location.process.index()].initial.0 == id;
        let kind = match location.kind {
            LocationKind::Normal => 0,
            LocationKind::Urgent => 1,
            LocationKind::Committed => 2,
        };
        let look = Look::Location { is_initial, kind, goals };
        looks.push(if is_plain_location(location) { look } else { Look::Unique(looks.len() as u32) });
    }
    let computed = computed_channels(network);
    for (channel, is_computed) in network.channels.iter().zip(computed) {
        let &crate::Channel { broadcast, urgent, priority, .. } = channel;
        let look = Look::Channel { broadcast, urgent, priority };
        looks.push(if is_computed { Look::Unique(looks.len() as u32) } else { look });
    }
    for edge in &network.edges {
        let role = match edge.sync {
            Sync::Internal | Sync::Join(_) => 0,
            Sync::Send(_) => 1,
            Sync::Receive(_) => 2,
        };
        looks.push(if is_plain_edge(edge) { Look::Edge { role } } else { Look::Unique(looks.len() as u32) });
    }
    looks
}

/// Channels that some edge finds by computing them.
fn computed_channels(network: &Network) -> Vec<bool> {
    let mut computed = vec![false; network.channels.len()];
    for edge in &network.edges {
        if let Sync::Send(ChannelRef::Dynamic(_, channels))
        | Sync::Receive(ChannelRef::Dynamic(_, channels)) = &edge.sync
        {
            for channel in channels {
                computed[channel.index()] = true;
            }
        }
    }
    computed
}

/// Whether a location has nothing to do with data or clocks.
fn is_plain_location(location: &Location) -> bool {
    location.clock_invariant.is_empty() && location.codes().next().is_none()
}

/// Whether an edge has nothing to do with data or clocks.
fn is_plain_edge(edge: &Edge) -> bool {
    edge.clock_guard.is_empty() && edge.clock_effects.is_empty() && edge.codes().next().is_none()
}
