//! The events of a run and what each waits for.

use crate::remaining::{Deed, find_locks, lower_bound};
use guidepost_network::{ClockId, ClockValue, EdgeId, Network, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What matters of the edges of a network.
pub(super) struct EdgeFacts {
    edges: Vec<Facts>,
    clocks: Vec<i64>,
    locks: usize,
}

#[derive(Default)]
struct Facts {
    process: u32,
    takes: Vec<u32>,
    gives: Vec<u32>,
    /// Clocks and what they have to reach.
    waits: Vec<(ClockId, i64)>,
    /// Clocks and what they are set to.
    sets: Vec<(ClockId, i64)>,
    /// Variables that are no locks.
    reads: Vec<VarId>,
    writes: Vec<VarId>,
}

impl EdgeFacts {
    pub(super) fn new(network: &Network) -> Self {
        let locks = find_locks(network);
        let is_lock = |var: &VarId| locks.iter().any(|(lock, _)| lock == var);
        let edges = network.edges.iter().enumerate().map(|(index, edge)| {
            let doing = |deed: Deed| {
                let of_lock = (0..).zip(&locks).filter(move |(_, (_, deeds))| deeds[index] == Some(deed));
                of_lock.map(|(lock, _)| lock).collect()
            };
            let sets = edge.clock_effects.iter().filter_map(|effect| match effect.value {
                ClockValue::Constant(_, high) => Some((effect.clock, i64::from(high))),
                ClockValue::Clock(..) => None,
            });
            let program = &network.program;
            let codes = edge.data_guard.iter().chain(&edge.update);
            Facts {
                process: edge.process.0,
                takes: doing(Deed::Takes),
                gives: doing(Deed::Gives),
                waits: edge.clock_guard.iter().filter_map(lower_bound).collect(),
                sets: sets.collect(),
                reads: codes.flat_map(|&code| program.reads(code)).filter(|var| !is_lock(var)).collect(),
                writes: edge
                    .update
                    .map_or_else(Vec::new, |code| program.writes(code))
                    .into_iter()
                    .filter(|var| !is_lock(var))
                    .collect(),
            }
        });
        let clocks = network.clocks.iter().map(|clock| i64::from(clock.initial)).collect();
        Self { edges: edges.collect(), clocks, locks: locks.len() }
    }

    pub(super) fn has_locks(&self) -> bool {
        self.locks > 0
    }
}

/// A lock from being taken to being given back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) take: u32,
    /// The event that gives it back, if there is one.
    pub(super) give: Option<u32>,
}

/// The events of a run, from 1; event 0 is the start. Whatever the order of users of locks, an event keeps its place in its processes and among events that use the same variables.
pub(super) struct Events {
    pub(super) transitions: Vec<Vec<EdgeId>>,
    /// By event: events that wait for it, and for how long at least.
    pub(super) after: Vec<Vec<(u32, i64)>>,
    /// By event: what it waits for.
    pub(super) before: Vec<Vec<(u32, i64)>>,
    pub(super) uses: Vec<Use>,
    /// By lock: its uses in the order of the run.
    pub(super) orders: Vec<Vec<u32>>,
}

impl Events {
    /// The events of a run; `None` if no lock is handed over.
    pub(super) fn new(facts: &EdgeFacts, path: &[Vec<EdgeId>]) -> Option<Self> {
        let mut builder = Builder::new(facts);
        for (event, edges) in (1..).zip(path) {
            builder.add(event, edges.iter().map(|edge| &facts.edges[edge.index()]));
        }
        let Builder { arcs, uses, orders, .. } = builder;
        let (mut before, mut after) = (vec![Vec::new(); path.len() + 1], vec![Vec::new(); path.len() + 1]);
        for ((from, to), least) in arcs {
            before[to as usize].push((from, least));
            after[from as usize].push((to, least));
        }
        let is_handed_over = orders.iter().any(|order: &Vec<u32>| order.len() > 1);
        is_handed_over.then(|| Self { transitions: path.to_vec(), after, before, uses, orders })
    }

    pub(super) fn len(&self) -> usize {
        self.after.len()
    }
}

struct Builder {
    /// From event to event: the least time between them.
    arcs: BTreeMap<(u32, u32), i64>,
    uses: Vec<Use>,
    orders: Vec<Vec<u32>>,
    /// By process: its last event.
    last: FxHashMap<u32, u32>,
    /// By clock: the event that set it last, and to what.
    set: Vec<(u32, i64)>,
    /// By variable: the event that wrote it last, and those that have read it since.
    written: FxHashMap<VarId, (u32, Vec<u32>)>,
}

impl Builder {
    fn new(facts: &EdgeFacts) -> Self {
        Self {
            arcs: BTreeMap::new(),
            uses: Vec::new(),
            orders: vec![Vec::new(); facts.locks],
            last: FxHashMap::default(),
            set: facts.clocks.iter().map(|&value| (0, value)).collect(),
            written: FxHashMap::default(),
        }
    }

    fn arc(&mut self, from: u32, to: u32, least: i64) {
        if from != to {
            let known = self.arcs.entry((from, to)).or_insert(least);
            *known = least.max(*known);
        }
    }

    fn add<'f>(&mut self, event: u32, edges: impl Iterator<Item = &'f Facts> + Clone) {
        for edge in edges.clone() {
            let last = self.last.insert(edge.process, event).unwrap_or(0);
            self.arc(last, event, 0);
            for &(clock, value) in &edge.waits {
                let (since, from) = self.set[clock.index()];
                self.arc(since, event, (value - from).max(0));
            }
            for var in &edge.reads {
                let (writer, readers) = self.written.entry(*var).or_default();
                let writer = *writer;
                readers.push(event);
                self.arc(writer, event, 0);
            }
        }
        for edge in edges {
            for var in &edge.writes {
                let (writer, readers) = self.written.insert(*var, (event, Vec::new())).unwrap_or_default();
                for earlier in readers.into_iter().chain([writer]) {
                    self.arc(earlier, event, 0);
                }
            }
            for &(clock, value) in &edge.sets {
                self.set[clock.index()] = (event, value);
            }
            for &lock in &edge.gives {
                if let Some(&used) = self.orders[lock as usize].last() {
                    self.uses[used as usize].give = Some(event);
                }
            }
            for &lock in &edge.takes {
                self.orders[lock as usize].push(self.uses.len() as u32);
                self.uses.push(Use { take: event, give: None });
            }
        }
    }
}
