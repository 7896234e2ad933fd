//! Who can get in whose way: what edges read and write, where those stand that could change it, and with whom they move.
//!
//! Variables and clocks are *items* here: the variables come first, the clocks behind them. An edge reads what its guard, the index of its channel and its update read, and what the invariant of its target
//! reads. Instead of edges, lists name the locations that they leave: what matters is whether a process can get there.

use crate::slice::{condition_reads, location_reads};
use guidepost_network::{
    ChannelId, ClockConstraint, Edge, EdgeId, Location, LocationKind, Network, ProcessId, Sync, VarId,
};
use std::ops::Range;

/// What an edge has to do with variables and clocks.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that have nothing to do with each other")]
pub(super) struct Touch {
    /// What its own guard and the index of its channel read.
    pub(super) guard: Vec<u32>,
    /// All that it reads.
    pub(super) reads: Vec<u32>,
    /// All that it writes.
    pub(super) writes: Vec<u32>,
    /// It may block others or be blocked by them in ways that are not looked into: it writes something that an invariant of another process reads.
    pub(super) is_entangled: bool,
    /// It leads from a location that is not committed to one that is.
    pub(super) commits: bool,
    /// Nothing but its guard can keep it from being taken: every invariant that it meets is about clocks that it sets low enough.
    pub(super) enters_freely: bool,
    /// It has nothing to do with time: it looks at no clock and sets none, and where it leads to, time passes.
    pub(super) is_timeless: bool,
    /// Broadcast channels on which its process listens behind it.
    pub(super) hears: Vec<u32>,
}

/// The tables of a network. Lists of locations are in ascending order.
#[derive(Debug)]
pub(super) struct Interference {
    /// By edge.
    pub(super) touches: Vec<Touch>,
    /// By item: locations of edges that write it.
    pub(super) writers: Vec<Vec<u32>>,
    /// By item: locations of edges that read or write it.
    pub(super) users: Vec<Vec<u32>>,
    /// By channel: locations of edges that may send on it.
    pub(super) senders: Vec<Vec<u32>>,
    /// By channel: locations of edges that may receive on it.
    pub(super) receivers: Vec<Vec<u32>>,
    /// By location: its process.
    pub(super) processes: Vec<u32>,
    /// Locations of edges whose evaluation may fail.
    pub(super) failing: Vec<u32>,
    /// Locations of edges that enter a committed location.
    pub(super) committing: Vec<u32>,
    variables: usize,
    /// By location: where its process may come to, as bits.
    reach: Vec<Vec<u64>>,
    /// By process: its locations.
    locations: Vec<Range<u32>>,
}

impl Interference {
    pub(super) fn new(network: &Network) -> Self {
        let variables = network.variables.len();
        let items = variables + network.clocks.len();
        let bounded = readers_of_invariants(network);
        let mut tables = Self {
            touches: network.edges.iter().map(|edge| touch(network, edge, &bounded)).collect(),
            writers: vec![Vec::new(); items],
            users: vec![Vec::new(); items],
            senders: vec![Vec::new(); network.channels.len()],
            receivers: vec![Vec::new(); network.channels.len()],
            processes: network.locations.iter().map(|location| location.process.0).collect(),
            failing: Vec::new(),
            committing: Vec::new(),
            variables,
            reach: Vec::new(),
            locations: network.processes.iter().map(|process| process.locations.clone()).collect(),
        };
        for (edge, id) in network.edges.iter().zip(0..).map(|(edge, id)| (edge, EdgeId(id))) {
            tables.add(network, edge, id);
        }
        tables.note_listeners(network);
        let Self { writers, users, senders, receivers, failing, committing, .. } = &mut tables;
        for list in [writers, users, senders, receivers].into_iter().flatten().chain([failing, committing]) {
            list.sort_unstable();
            list.dedup();
        }
        // In an abstraction, a process may have fewer locations than the network has for it.
        tables.reach.resize(network.locations.len(), Vec::new());
        for process in &network.processes {
            for (location, set) in process.locations.clone().zip(reach(network, process.locations.clone())) {
                tables.reach[location as usize] = set;
            }
        }
        tables
    }

    fn add(&mut self, network: &Network, edge: &Edge, id: EdgeId) {
        let source = edge.source.0;
        let touch = &self.touches[id.index()];
        if touch.commits {
            self.committing.push(source);
        }
        for &item in &touch.writes {
            note(&mut self.writers[item as usize], source);
            note(&mut self.users[item as usize], source);
        }
        for &item in &touch.reads {
            note(&mut self.users[item as usize], source);
        }
        let list = match &edge.sync {
            Sync::Send(_) => &mut self.senders,
            Sync::Receive(_) => &mut self.receivers,
            Sync::Internal | Sync::Join(_) => return self.note_failing(network, edge),
        };
        for channel in edge.sync.channels() {
            list[channel.index()].push(source);
        }
        self.note_failing(network, edge);
    }

    /// Who takes part in a broadcast depends on the guards of those who listen: the senders look at what those read.
    fn note_listeners(&mut self, network: &Network) {
        for (edge, touch) in network.edges.iter().zip(&self.touches) {
            for channel in heard_channels(network, edge) {
                for &item in &touch.guard {
                    self.users[item as usize].extend_from_slice(&self.senders[channel.index()]);
                }
            }
        }
    }

    fn note_failing(&mut self, network: &Network, edge: &Edge) {
        let codes = network.program.codes();
        if edge.codes().any(|code| !codes.is_silent(code)) {
            self.failing.push(edge.source.0);
        }
    }

    /// The item that is a clock.
    pub(super) fn clock(&self, clock: usize) -> usize {
        self.variables + clock
    }

    /// Whether a process that is in one of its locations may come to another one, or is there.
    #[inline]
    pub(super) fn may_reach(&self, process: u32, from: i32, to: u32) -> bool {
        let own = &self.locations[process as usize];
        own.contains(&to) && {
            let place = (to - own.start) as usize;
            self.reach[from as usize][place / 64] & (1 << (place % 64)) != 0
        }
    }
}

/// Adds a location to a list that is sorted later. The many edges of one location that `select` makes come one after the other.
fn note(list: &mut Vec<u32>, location: u32) {
    if list.last() != Some(&location) {
        list.push(location);
    }
}

/// By item: the process that has an invariant about it; `Err` when several have.
pub(super) type Bounded = Vec<Option<Result<ProcessId, ()>>>;

pub(super) fn readers_of_invariants(network: &Network) -> Bounded {
    let items = network.variables.len() + network.clocks.len();
    let mut bounded: Bounded = vec![None; items];
    for location in &network.locations {
        for item in invariant_items(network, location) {
            let known = &mut bounded[item as usize];
            *known = match known {
                Some(other) if *other != Ok(location.process) => Some(Err(())),
                _ => Some(Ok(location.process)),
            };
        }
    }
    bounded
}

fn invariant_items(network: &Network, location: &Location) -> Vec<u32> {
    let mut items = variable_items(location_reads(network, location));
    items.extend(clock_items(network, &location.clock_invariant));
    items
}

fn variable_items(variables: Vec<VarId>) -> Vec<u32> {
    variables.into_iter().map(|variable| variable.0).collect()
}

fn clock_items(network: &Network, constraints: &[ClockConstraint]) -> Vec<u32> {
    let first = network.variables.len() as u32;
    constraints
        .iter()
        .flat_map(|constraint| [constraint.left, constraint.right])
        .filter(|clock| clock.index() != 0)
        .map(|clock| first + clock.0)
        .collect()
}

pub(super) fn touch(network: &Network, edge: &Edge, bounded: &Bounded) -> Touch {
    let target = &network.locations[edge.target.index()];
    let mut guard = variable_items(condition_reads(network, edge));
    guard.extend(clock_items(network, &edge.clock_guard));
    let footprint = edge.update.map(|update| network.program.footprint(update)).unwrap_or_default();
    let mut reads = guard.clone();
    reads.extend(variable_items(footprint.reads));
    reads.extend(invariant_items(network, target));
    let mut writes = variable_items(footprint.writes);
    writes.extend(edge.clock_effects.iter().map(|effect| network.variables.len() as u32 + effect.clock.0));
    for items in [&mut guard, &mut reads, &mut writes] {
        #[expect(clippy::stable_sort_primitive, reason = "arrays are ascending runs, which it merges")]
        items.sort();
        items.dedup();
    }
    let is_foreign = |item: &u32| bounded[*item as usize].is_some_and(|process| process != Ok(edge.process));
    let is_committed = |location: &Location| location.kind == LocationKind::Committed;
    let mut hears: Vec<u32> = if edge.source == edge.target {
        Vec::new()
    } else {
        let there = target.outgoing.clone().map(|id| &network.edges[id as usize]);
        there.flat_map(|edge| heard_channels(network, edge)).map(|channel| channel.0).collect()
    };
    hears.sort_unstable();
    hears.dedup();
    Touch {
        is_timeless: edge.clock_guard.is_empty()
            && edge.clock_effects.is_empty()
            && target.clock_invariant.is_empty()
            && target.kind == LocationKind::Normal,
        hears,
        is_entangled: writes.iter().any(is_foreign),
        commits: is_committed(target) && !is_committed(&network.locations[edge.source.index()]),
        enters_freely: target.data_invariant.is_empty()
            && target.clock_invariant.iter().all(|constraint| is_met_by(edge, constraint)),
        guard,
        reads,
        writes,
    }
}

/// The broadcast channels on which an edge may receive.
fn heard_channels<'n>(network: &'n Network, edge: &'n Edge) -> impl Iterator<Item = ChannelId> + 'n {
    let channels = if matches!(edge.sync, Sync::Receive(_)) { edge.sync.channels() } else { &[] };
    channels.iter().copied().filter(|channel| network.channels[channel.index()].broadcast)
}

/// Whether an upper bound of a clock holds for certain because the edge sets the clock.
fn is_met_by(edge: &Edge, constraint: &ClockConstraint) -> bool {
    use guidepost_network::{ClockValue, Operand};
    let Operand::Const(bound) = constraint.bound else { return false };
    let is_low = |value: ClockValue| matches!(value, ClockValue::Constant(_, high) if high < bound || (high == bound && !constraint.strict));
    constraint.right.index() == 0
        && edge
            .clock_effects
            .iter()
            .any(|effect| effect.clock == constraint.left && effect.always && is_low(effect.value))
}

/// By location of a process: the locations that can be reached from it, itself among them, as bits.
fn reach(network: &Network, locations: Range<u32>) -> Vec<Vec<u64>> {
    let first = locations.start;
    let words = locations.len().div_ceil(64);
    let mut sets: Vec<Vec<u64>> = locations
        .clone()
        .map(|location| {
            let mut set = vec![0; words];
            let place = (location - first) as usize;
            set[place / 64] |= 1 << (place % 64);
            set
        })
        .collect();
    let mut is_changing = true;
    while is_changing {
        is_changing = false;
        for location in locations.clone().rev() {
            let place = (location - first) as usize;
            for edge in network.locations[location as usize].outgoing.clone() {
                let target = (network.edges[edge as usize].target.0 - first) as usize;
                if target == place {
                    continue;
                }
                let behind = std::mem::take(&mut sets[target]);
                for (word, other) in sets[place].iter_mut().zip(&behind) {
                    is_changing |= *other & !*word != 0;
                    *word |= other;
                }
                sets[target] = behind;
            }
        }
    }
    sets
}
