//! Databases of two processes: what both pay together, where one cannot move without the other.
//!
//! Alone, a process that needs a partner for a step gets it for nothing. Where only one other process can be that partner, both have to be looked at: the product of their graphs, in which such steps
//! are joint ones, has a cheapest way from every pair of locations to the goal. Everything else is left out, as in [`graph`](super::graph): data, clocks beyond the times that edges make
//! their process wait, and all other processes, who take part in whatever they can take part in. So the cheapest way is a lower bound of what the two pay. As no process is in two pairs,
//! and each pays for itself, bounds of pairs and of the others add up. The partner need not have a goal: a machine that is paid for by the minute has none.
//!
//! For time there is nothing to add up: it passes for both at once.

use super::graph::{Exit, ProcessGraph};
use crate::space::NEVER;
use guidepost_network::{ChannelId, Network, Sync};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Products with more pairs of locations are not built.
const LARGEST: usize = 20_000;
/// For so many pairs of processes, it is looked whether they gain something.
const MOST_TRIALS: usize = 2000;

/// Two processes and what they pay from each pair of locations on.
pub(super) struct Pair {
    /// The cells of both.
    cells: (usize, usize),
    firsts: (u32, u32),
    count: usize,
    /// By both locations: what is paid from there on, staying where they are left out.
    costs: Vec<i64>,
}

impl Pair {
    pub(super) fn cost(&self, cells: &[i32]) -> i64 {
        let at = |cell: usize, first: u32| (cells[cell] as u32 - first) as usize;
        self.costs[at(self.cells.0, self.firsts.0) * self.count + at(self.cells.1, self.firsts.1)]
    }

    pub(super) fn has(&self, cell: usize) -> bool {
        self.cells.0 == cell || self.cells.1 == cell
    }
}

/// Pairs of processes that together pay more than each for itself, at least at the start: the greatest gains first, and no process twice. `graphs` has all processes of the network.
pub(super) fn pairs(network: &Network, graphs: &[ProcessGraph]) -> Vec<Pair> {
    let partners = Partners::new(network);
    let initial = network.initial_cells();
    let pays = |graph: &ProcessGraph| {
        graph.locations.iter().any(|place| place.rate > 0 || place.exits.iter().any(|exit| exit.price > 0))
    };
    let mut gains = Vec::new();
    let mut trials = 0;
    for (index, first) in graphs.iter().enumerate() {
        for second in &graphs[index + 1..] {
            let is_of_use = !(first.is_idle() && second.is_idle()) && (pays(first) || pays(second));
            let size = first.locations.len() * second.locations.len();
            if !is_of_use || size > LARGEST || !partners.need_each_other(first.cell, second.cell) {
                continue;
            }
            trials += 1;
            if trials > MOST_TRIALS {
                break;
            }
            let pair = partners.product(first, second);
            let alone = first.cost(&initial).saturating_add(second.cost(&initial));
            let gain = pair.cost(&initial) - alone;
            if gain > 0 {
                gains.push((gain, pair));
            }
        }
    }
    gains.sort_by_key(|(gain, pair)| (Reverse(*gain), pair.cells));
    let mut chosen: Vec<Pair> = Vec::new();
    for (_, pair) in gains {
        if !chosen.iter().any(|other| other.has(pair.cells.0) || other.has(pair.cells.1)) {
            chosen.push(pair);
        }
    }
    chosen
}

/// Who can take part in a synchronisation with whom.
struct Partners<'n> {
    network: &'n Network,
    /// By channel: the processes that send and those that receive.
    senders: Vec<Vec<usize>>,
    receivers: Vec<Vec<usize>>,
}

impl<'n> Partners<'n> {
    fn new(network: &'n Network) -> Self {
        let none = vec![Vec::new(); network.channels.len()];
        let mut partners = Self { network, senders: none.clone(), receivers: none };
        for edge in &network.edges {
            let (lists, channel) = match &edge.sync {
                Sync::Send(channel) => (&mut partners.senders, channel),
                Sync::Receive(channel) => (&mut partners.receivers, channel),
                Sync::Internal | Sync::Join(_) => continue,
            };
            for id in channel.candidates() {
                if !lists[id.index()].contains(&edge.process.index()) {
                    lists[id.index()].push(edge.process.index());
                }
            }
        }
        partners
    }

    fn is_broadcast(&self, channel: ChannelId) -> bool {
        self.network.channels[channel.index()].broadcast
    }

    /// Whether an edge can be taken without a given process.
    fn may_go_without(&self, exit: &Exit, other: usize) -> bool {
        let edge = &self.network.edges[exit.edge.index()];
        let is_other = |process: &usize| *process != edge.process.index() && *process != other;
        match &edge.sync {
            Sync::Internal | Sync::Join(_) => true,
            Sync::Send(channel) => channel
                .candidates()
                .iter()
                .any(|&id| self.is_broadcast(id) || self.receivers[id.index()].iter().any(&is_other)),
            Sync::Receive(channel) => {
                channel.candidates().iter().any(|id| self.senders[id.index()].iter().any(&is_other))
            }
        }
    }

    /// Whether two edges can be taken together.
    fn may_meet(&self, first: &Exit, second: &Exit) -> bool {
        let sync = |exit: &Exit| &self.network.edges[exit.edge.index()].sync;
        match (sync(first), sync(second)) {
            (Sync::Send(sent), Sync::Receive(received)) | (Sync::Receive(received), Sync::Send(sent)) => {
                sent.candidates().iter().any(|id| received.candidates().contains(id))
            }
            _ => false,
        }
    }

    /// Whether some step of one process needs the other.
    fn need_each_other(&self, first: usize, second: usize) -> bool {
        let needs = |process: usize, other: usize| {
            let edges = self.network.processes[process].edges.clone();
            edges.into_iter().any(|edge| {
                let exit = Exit::only(guidepost_network::EdgeId(edge));
                !self.may_go_without(&exit, other)
            })
        };
        needs(first, second) || needs(second, first)
    }

    /// The costs of all pairs of locations, by Dijkstra's algorithm from the goals backwards.
    ///
    /// A node has both locations, and for each process whether it came there on the way, so that it has to wait for as long as the next edge demands; at the start it may have waited already.
    fn product(&self, first: &ProcessGraph, second: &ProcessGraph) -> Pair {
        let (rows, columns) = (first.locations.len(), second.locations.len());
        let node = |a: usize, came: usize, b: usize, too: usize| ((a * 2 + came) * columns + b) * 2 + too;
        let mut back: Vec<Vec<(u32, i64)>> = vec![Vec::new(); 4 * rows * columns];
        let mut add = |to: usize, from: usize, price: i64| back[to].push((from as u32, price));
        for a in 0..rows {
            for b in 0..columns {
                for (came, too) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let from = node(a, came, b, too);
                    let (here, there) = (&first.locations[a], &second.locations[b]);
                    for exit in here.exits.iter().filter(|exit| self.may_go_without(exit, second.cell)) {
                        add(node(exit.target, 1, b, too), from, here.price_of(exit, came == 1));
                    }
                    for exit in there.exits.iter().filter(|exit| self.may_go_without(exit, first.cell)) {
                        add(node(a, came, exit.target, 1), from, there.price_of(exit, too == 1));
                    }
                    for exit in &here.exits {
                        for other in there.exits.iter().filter(|other| self.may_meet(exit, other)) {
                            let price = here.price_of(exit, came == 1) + there.price_of(other, too == 1);
                            add(node(exit.target, 1, other.target, 1), from, price);
                        }
                    }
                }
            }
        }
        let mut costs = vec![NEVER; back.len()];
        let mut open = BinaryHeap::new();
        for a in (0..rows).filter(|&a| first.locations[a].is_goal) {
            for b in (0..columns).filter(|&b| second.locations[b].is_goal) {
                for (came, too) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    costs[node(a, came, b, too)] = 0;
                    open.push(Reverse((0, node(a, came, b, too))));
                }
            }
        }
        while let Some(Reverse((cost, at))) = open.pop() {
            if cost > costs[at] {
                continue;
            }
            for &(from, price) in &back[at] {
                let total = cost.saturating_add(price).min(NEVER);
                if total < costs[from as usize] {
                    costs[from as usize] = total;
                    open.push(Reverse((total, from as usize)));
                }
            }
        }
        let costs = (0..rows * columns).map(|both| costs[node(both / columns, 0, both % columns, 0)]);
        let (cells, firsts) = ((first.cell, second.cell), (first.first, second.first));
        Pair { cells, firsts, count: columns, costs: costs.collect() }
    }
}
