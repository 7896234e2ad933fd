//! The graph of one process, and the cheapest ways to its goal locations.
//!
//! An edge with the guard `x >= c` whose clock is set by every edge into its source (to at most v) keeps the process there for at least c - v. Other processes may
//! set the clock, but only to 0, which makes the wait longer. All other conditions are left out: they can only make ways longer, or block them.

use super::Since;
use crate::source::Clocks;
use crate::space::NEVER;
use guidepost_network::{
    ClockConstraint, ClockId, ClockValue, Edge, EdgeId, Goal, LocationId, LocationKind, Network, Operand,
    Process,
};
use guidepost_zones::PricedZone;

/// A process, as far as it has to get somewhere.
pub(super) struct ProcessGraph {
    /// Its cell in the state.
    pub(super) cell: usize,
    /// Its first location.
    pub(super) first: u32,
    pub(super) locations: Vec<Place>,
}

/// A location of the process.
pub(super) struct Place {
    /// A goal: nothing is left to do.
    pub(super) is_goal: bool,
    /// Time from here to a goal location, counted from entering.
    pub(super) time: i64,
    /// What it costs from here to a goal location, counted from entering.
    cost: i64,
    /// What staying costs per time unit, at least.
    pub(super) rate: i64,
    /// The ways on that can lead to a goal location.
    pub(super) exits: Vec<Exit>,
}

/// An edge that leaves a location.
pub(super) struct Exit {
    pub(super) edge: EdgeId,
    /// The location that it leads to, counted from the first.
    pub(super) target: usize,
    /// Clocks and what they have to reach.
    pub(super) waits: Vec<(ClockId, i64)>,
    /// Time in the location before this edge, counted from entering.
    pub(super) dwell: i64,
    /// What the step costs at least.
    pub(super) price: i64,
}

impl Place {
    /// What it costs to leave by an edge, with the time that one has to wait for it after entering or without.
    pub(super) fn price_of(&self, exit: &Exit, with_waiting: bool) -> i64 {
        let waiting = if with_waiting { self.rate.saturating_mul(exit.dwell) } else { 0 };
        exit.price.saturating_add(waiting)
    }
}

impl Exit {
    /// An edge of which nothing is known.
    pub(super) fn only(edge: EdgeId) -> Self {
        Self { edge, target: 0, waits: Vec::new(), dwell: 0, price: 0 }
    }

    /// When it can be taken at the earliest.
    pub(super) fn earliest(&self, now: i64, since: &Since<'_>) -> i64 {
        let waits = self.waits.iter().filter_map(|&(clock, value)| Some(since(clock)? + value));
        waits.fold(now, i64::max)
    }
}

/// The graphs of all processes that a goal says something about.
pub(super) fn graphs(network: &Network, goal: &Goal) -> Vec<ProcessGraph> {
    let owners = owners(network);
    let graph = |(process, admissible): &(guidepost_network::ProcessId, Vec<LocationId>)| {
        ProcessGraph::new(network, process.index(), admissible, &owners)
    };
    goal.locations.iter().map(graph).collect()
}

/// The graphs of all processes; where a goal says nothing about one, all its locations will do.
pub(super) fn all_graphs(network: &Network, goal: &Goal) -> Vec<ProcessGraph> {
    let owners = owners(network);
    let graph = |cell: usize| {
        let own = goal.locations.iter().find(|(process, _)| process.index() == cell);
        let all = || network.processes[cell].locations.clone().map(LocationId).collect();
        let admissible: Vec<LocationId> = own.map_or_else(all, |(_, admissible)| admissible.clone());
        ProcessGraph::new(network, cell, &admissible, &owners)
    };
    (0..network.processes.len()).map(graph).collect()
}

/// Who sets a clock to anything but 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    One(usize),
    Several,
}

/// Who sets each clock to anything but 0.
fn owners(network: &Network) -> Vec<Owner> {
    let mut owners = vec![Owner::Nobody; network.clocks.len()];
    let is_reset = |value: ClockValue| matches!(value, ClockValue::Constant(_, 0));
    for edge in &network.edges {
        for effect in edge.clock_effects.iter().filter(|effect| !is_reset(effect.value)) {
            let owner = &mut owners[effect.clock.index()];
            let own = Owner::One(edge.process.index());
            *owner = if *owner == Owner::Nobody || *owner == own { own } else { Owner::Several };
        }
    }
    for effect in network.hook_effects.iter().filter(|effect| !is_reset(effect.value)) {
        owners[effect.clock.index()] = Owner::Several;
    }
    owners
}

impl ProcessGraph {
    fn new(network: &Network, cell: usize, admissible: &[LocationId], owners: &[Owner]) -> Self {
        let process = &network.processes[cell];
        let first = process.locations.start;
        let is_reliable = |clock: ClockId| {
            matches!(owners[clock.index()], Owner::Nobody) || owners[clock.index()] == Owner::One(cell)
        };
        let places = process.locations.clone().map(|id| {
            let location = &network.locations[id as usize];
            let rate = location.cost_rate.map_or(0, |code| network.program.codes().range(code).0.max(0));
            let exits = location.outgoing.clone().map(|edge| {
                let reads = &network.edges[edge as usize];
                let waits: Vec<(ClockId, i64)> = reads
                    .clock_guard
                    .iter()
                    .filter_map(lower_bound)
                    .filter(|(clock, _)| is_reliable(*clock))
                    .collect();
                let wait = |&(clock, value): &(ClockId, i64)| {
                    entry_value(network, process, id, clock).map_or(0, |entered| (value - entered).max(0))
                };
                let dwell = waits.iter().map(wait).max().unwrap_or(0);
                let price = reads.update.map_or(0, |update| network.program.codes().least_price(update));
                Exit { edge: EdgeId(edge), target: (reads.target.0 - first) as usize, waits, dwell, price }
            });
            let is_goal = admissible.iter().any(|goal| goal.0 == id);
            let rate = if location.kind == LocationKind::Normal { rate } else { 0 };
            Place { is_goal, time: NEVER, cost: NEVER, rate, exits: exits.collect() }
        });
        let mut graph = Self { cell, first, locations: places.collect() };
        graph.find_distances();
        graph
    }

    /// Distances to the goal locations, by going backwards until nothing changes: graphs are small.
    fn find_distances(&mut self) {
        loop {
            let mut is_settled = true;
            for index in 0..self.locations.len() {
                let place = &self.locations[index];
                let time = |exit: &Exit| self.locations[exit.target].time.saturating_add(exit.dwell);
                let cost =
                    |exit: &Exit| self.locations[exit.target].cost.saturating_add(place.price_of(exit, true));
                let (time, cost) = if place.is_goal {
                    (0, 0)
                } else {
                    (
                        place.exits.iter().map(time).min().unwrap_or(NEVER).min(NEVER),
                        place.exits.iter().map(cost).min().unwrap_or(NEVER).min(NEVER),
                    )
                };
                if (time, cost) != (place.time, place.cost) {
                    is_settled = false;
                    (self.locations[index].time, self.locations[index].cost) = (time, cost);
                }
            }
            if is_settled {
                break;
            }
        }
        let reaches: Vec<bool> = self.locations.iter().map(|place| place.time < NEVER).collect();
        for place in &mut self.locations {
            place.exits.retain(|exit| reaches[exit.target]);
        }
    }

    /// Whether it has nowhere to go: all its locations are goals.
    pub(super) fn is_idle(&self) -> bool {
        self.locations.iter().all(|place| place.is_goal)
    }

    /// Where the process is.
    pub(super) fn at(&self, cells: &[i32]) -> &Place {
        &self.locations[(cells[self.cell] as u32 - self.first) as usize]
    }

    /// The number of the location where the process is, counted from its first.
    pub(super) fn index(&self, cells: &[i32]) -> usize {
        (cells[self.cell] as u32 - self.first) as usize
    }

    /// When it gets to a goal location at the earliest.
    pub(super) fn arrival(&self, cells: &[i32], now: i64, since: &Since<'_>) -> i64 {
        let place = self.at(cells);
        if place.is_goal {
            return now;
        }
        let ways =
            place.exits.iter().map(|exit| exit.earliest(now, since) + self.locations[exit.target].time);
        ways.min().unwrap_or(NEVER)
    }

    /// What it still pays at least, whatever the clocks say.
    pub(super) fn cost(&self, cells: &[i32]) -> i64 {
        let place = self.at(cells);
        if place.is_goal {
            return 0;
        }
        let ways = place.exits.iter().map(|exit| exit.price + self.locations[exit.target].cost);
        ways.min().unwrap_or(NEVER)
    }

    /// What it pays at least for staying where it is, beyond what [`ProcessGraph::cost`] counts: a number, and what depends on clocks added to the weights. Where a rate is paid until a clock reaches
    /// a value, that is the rate times what the clock still lacks, as long as it does lack something everywhere in the zone.
    pub(super) fn stay_with(
        &self,
        cells: &[i32],
        priced: &PricedZone,
        clocks: &Clocks,
        extra: &mut [i64],
    ) -> i64 {
        let place = self.at(cells);
        if place.is_goal || place.rate == 0 {
            return 0;
        }
        let common = place.exits.first().and_then(|exit| {
            exit.waits.iter().find_map(|&(clock, _)| {
                let values = place
                    .exits
                    .iter()
                    .map(|exit| exit.waits.iter().filter(|wait| wait.0 == clock).map(|wait| wait.1).max());
                let least = values.collect::<Option<Vec<i64>>>()?.into_iter().min()?;
                let at = clocks.find(clock)?;
                let upper = priced.zone.get(at, 0);
                (!upper.is_infinite() && i64::from(upper.constant()) <= least).then_some((at, least))
            })
        });
        if let Some((at, value)) = common {
            extra[at] -= place.rate;
            return place.rate * value;
        }
        0
    }
}

/// A guard of the form `x >= c` with a known c.
pub(crate) fn lower_bound(constraint: &ClockConstraint) -> Option<(ClockId, i64)> {
    let is_lower = constraint.left == ClockId::ZERO && constraint.right != ClockId::ZERO;
    match constraint.bound {
        Operand::Const(bound) if is_lower && constraint.condition.is_none() => {
            Some((constraint.right, -i64::from(bound)))
        }
        _ => None,
    }
}

/// The largest value that a clock has when the process enters a location, where every way in sets it.
fn entry_value(network: &Network, process: &Process, location: u32, clock: ClockId) -> Option<i64> {
    let mut largest = 0;
    if process.initial.0 == location {
        largest = i64::from(network.clocks[clock.index()].initial);
    }
    let into = |edge: &&Edge| edge.target.0 == location;
    for edge in network.edges[process.edges.start as usize..process.edges.end as usize].iter().filter(into) {
        let effect = edge.clock_effects.iter().find(|effect| effect.clock == clock && effect.always)?;
        let ClockValue::Constant(_, high) = effect.value else { return None };
        largest = largest.max(i64::from(high));
    }
    Some(largest)
}
