//! Labels for data: the variables whose values matter.
//!
//! A label stands for all discrete states with the same locations that agree with the node's own on some variables, the *kept* ones. Nothing is kept until it matters:
//!
//! - A transition that data forbid must be forbidden by what is kept: one condition of a guard that does not hold suffices.
//! - A transition that is possible keeps what it sets clocks to, and what bounds of clocks depend on. An update that fails has no successor, so what its range checks depend on is kept only where it does.
//! - Where it matters that a guard *holds*, its variables are kept as well: who receives a broadcast, whether an urgent synchronisation stops time. With priorities everything is kept.
//! - A goal that is not met keeps one condition that does not hold.
//! - What a label keeps must follow from the parent's: the variables that the kept values are computed from.
//!
//! So all states of a label have the same candidates and the same constraints on clocks, and lead into the labels of the same successors, unless their updates fail. Errors of the model are those of exact states: a proof
//! says that no run without an error reaches the goal.

use crate::arena::Arena;
use crate::dependencies::{Condition, Dependencies, Mask, Matter, contains, unite};
use crate::graph::{Graph, NONE};
use guidepost_network::{
    EdgeId, EvalError, Goal, LocationKind, Machine, Network, RangeViolation, Sync, VarId,
};
use std::str::FromStr;

/// How data are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Data {
    /// Not at all.
    #[default]
    Exact,
    /// Labels keep the values of some variables.
    Values,
}

impl FromStr for Data {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "exact" => Ok(Data::Exact),
            "values" => Ok(Data::Values),
            _ => Err(()),
        }
    }
}

/// Labels for data.
pub(crate) struct DataLabels<'n> {
    network: &'n Network,
    pub(crate) dependencies: Dependencies,
    machine: Machine<'n>,
    /// By node: what it keeps, in the arena.
    kept: Vec<u32>,
    masks: Arena<u32>,
    words: usize,
    pub(crate) strengthened: Vec<u32>,
    pub(crate) rounds: u64,
}

impl<'n> DataLabels<'n> {
    pub(crate) fn new(network: &'n Network, goals: &[Goal], packing: &guidepost_explore::Packing) -> Self {
        Self {
            network,
            dependencies: Dependencies::new(network, goals, packing),
            machine: Machine::for_goals(&network.program, goals),
            kept: Vec::new(),
            masks: Arena::new(0),
            words: packing.words(),
            strengthened: Vec::new(),
            rounds: 0,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * self.kept.capacity() + self.masks.bytes()
    }

    /// What a node keeps.
    #[inline]
    pub(crate) fn kept(&self, node: u32) -> &[u32] {
        self.masks.get(self.kept[node as usize], self.words)
    }

    /// The variables that some node keeps.
    pub(crate) fn kept_anywhere(&self) -> Vec<VarId> {
        let mut all = self.dependencies.none();
        for node in 0..self.kept.len() as u32 {
            unite(&mut all, self.kept(node));
        }
        self.dependencies.variables(&all).collect()
    }

    /// Whether a node agrees with another one on what the other keeps.
    #[inline]
    pub(crate) fn may_cover(&self, graph: &Graph, node: u32, by: u32) -> bool {
        let parts =
            (graph.packed(graph.nodes[node as usize].part), graph.packed(graph.nodes[by as usize].part));
        let differ = parts.0.iter().zip(parts.1).zip(self.kept(by));
        differ.fold(0, |found, ((own, other), kept)| found | ((own ^ other) & kept)) == 0
    }

    #[inline]
    pub(crate) fn fits(&self, graph: &Graph, node: u32, within: u32) -> bool {
        contains(self.kept(node), self.kept(within)) && self.may_cover(graph, node, within)
    }

    /// Makes a node keep what another one keeps. `false`: they do not agree on it, because the other one keeps more now.
    pub(crate) fn fit(&mut self, graph: &Graph, node: u32, within: u32) -> bool {
        while !contains(self.kept(node), self.kept(within)) {
            let demanded: Mask = self.kept(within).into();
            self.keep(graph, node, &demanded);
        }
        self.may_cover(graph, node, within)
    }

    /// A new node, with the cells of its discrete state.
    pub(crate) fn add(&mut self, graph: &Graph, node: u32, cells: &[i32]) {
        debug_assert_eq!(self.kept.len(), node as usize);
        self.kept.push(self.masks.add(&self.dependencies.none()));
        let always = if self.network.features.priorities {
            self.dependencies.all.clone()
        } else {
            self.dependencies.of_locations(&cells[..self.network.processes.len()])
        };
        self.keep(graph, node, &always);
    }

    /// Makes a node keep variables, and all above it what that takes.
    pub(crate) fn keep(&mut self, graph: &Graph, node: u32, variables: &[u32]) {
        if contains(self.kept(node), variables) {
            return;
        }
        self.rounds += 1;
        let (mut node, mut demanded): (u32, Mask) = (node, variables.into());
        while unite(self.masks.get_mut(self.kept[node as usize], self.words), &demanded) {
            self.strengthened.push(node);
            let parent = graph.nodes[node as usize].parent;
            if parent == NONE {
                break;
            }
            demanded.copy_from_slice(self.kept(node));
            self.dependencies.before(&graph.operation(node).edges, &mut demanded, Matter::Effect);
            node = parent;
        }
    }

    /// Makes a node keep everything.
    pub(crate) fn pin(&mut self, graph: &Graph, node: u32) {
        let all = self.dependencies.all.clone();
        self.keep(graph, node, &all);
    }

    /// Makes a node keep why it cannot take the transitions that its data forbid, and what the others are decided by.
    pub(crate) fn keep_openings(&mut self, graph: &Graph, node: u32, cells: &[i32]) -> Result<(), EvalError> {
        self.machine.load(cells);
        let network = self.network;
        let locations = &cells[..network.processes.len()];
        let is_committed =
            |location: i32| network.locations[location as usize].kind == LocationKind::Committed;
        let committed = locations.iter().any(|&location| is_committed(location));
        let outgoing = |location: i32| {
            let range = &network.locations[location as usize].outgoing;
            (range.start..range.end).map(EdgeId)
        };
        let mut reasons = Reasons { kept: self.kept(node).into(), open: Vec::new() };
        for (process, &location) in (0..).zip(locations) {
            for edge in outgoing(location) {
                match &network.edges[edge.index()].sync {
                    Sync::Internal if committed && !is_committed(location) => {}
                    Sync::Internal | Sync::Join(_) => self.decide(&mut reasons, &[edge])?,
                    Sync::Receive(_) => {}
                    Sync::Send(channel) => {
                        let channels = channel.candidates();
                        let is_broadcast = channels.iter().any(|id| network.channels[id.index()].broadcast);
                        if is_broadcast {
                            self.decide(&mut reasons, &[edge])?;
                        }
                        let others = (0..).zip(locations).filter(|&(other, _): &(u32, _)| other != process);
                        for (_, &at) in others {
                            let may_go = !committed || is_committed(location) || is_committed(at);
                            for receive in outgoing(at) {
                                let Sync::Receive(there) = &network.edges[receive.index()].sync else {
                                    continue;
                                };
                                let meets = there.candidates().iter().any(|id| channels.contains(id));
                                if !meets {
                                    continue;
                                }
                                if is_broadcast {
                                    self.keep_guard(&mut reasons, edge, receive)?;
                                } else if may_go {
                                    self.decide(&mut reasons, &[edge, receive])?;
                                }
                            }
                        }
                    }
                }
            }
        }
        let kept = reasons.settle();
        self.keep(graph, node, &kept);
        Ok(())
    }

    /// One of the guards of some edges that are to go together must be kept not to hold; where all hold, what their clock guards depend on is kept.
    fn decide(&mut self, reasons: &mut Reasons, edges: &[EdgeId]) -> Result<(), EvalError> {
        let mut options: Vec<Mask> = Vec::new();
        for &edge in edges {
            for condition in &self.dependencies.edge(edge).guard {
                match holds(&mut self.machine, self.network, condition) {
                    Ok(true) => {}
                    Ok(false) => options.push(condition.reads.clone()),
                    // Protected by one that does not hold.
                    Err(_) if !options.is_empty() => break,
                    Err(error) => return Err(error),
                }
            }
        }
        if options.is_empty() {
            for &edge in edges {
                unite(&mut reasons.kept, &self.dependencies.edge(edge).bounds);
            }
        } else {
            reasons.open.push(options);
        }
        Ok(())
    }

    /// What decides whether an edge receives a broadcast of another one, if that can be sent.
    fn keep_guard(&mut self, reasons: &mut Reasons, send: EdgeId, receive: EdgeId) -> Result<(), EvalError> {
        for condition in &self.dependencies.edge(send).guard {
            if !holds(&mut self.machine, self.network, condition)? {
                return Ok(());
            }
        }
        let data = self.dependencies.edge(receive);
        for condition in &data.guard {
            if !holds(&mut self.machine, self.network, condition)? {
                reasons.open.push(vec![condition.reads.clone()]);
                return Ok(());
            }
        }
        for condition in &data.guard {
            unite(&mut reasons.kept, &condition.reads);
        }
        unite(&mut reasons.kept, &data.bounds);
        Ok(())
    }

    /// Makes a node keep what a transition that it can take depends on.
    pub(crate) fn keep_step(&mut self, graph: &Graph, node: u32, edges: &[EdgeId]) {
        let mut demanded = self.dependencies.none();
        self.dependencies.before(edges, &mut demanded, Matter::Effect);
        self.keep(graph, node, &demanded);
    }

    /// Makes a node keep why a transition leads nowhere: its update fails, or it does not lead into the invariants of where it ends.
    pub(crate) fn keep_out(&mut self, graph: &Graph, node: u32, edges: &[EdgeId], cells: &[i32]) {
        let mut locations = cells[..self.network.processes.len()].to_vec();
        for edge in edges.iter().map(|edge| &self.network.edges[edge.index()]) {
            locations[edge.process.index()] = edge.target.0 as i32;
        }
        let mut demanded = self.dependencies.of_data_invariants(&locations);
        unite(&mut demanded, &self.dependencies.of_locations(&locations));
        self.dependencies.before(edges, &mut demanded, Matter::Success);
        self.keep(graph, node, &demanded);
    }

    /// Makes a node keep why it meets no goal, as far as data say that.
    pub(crate) fn keep_goals(
        &mut self,
        graph: &Graph,
        node: u32,
        cells: &[i32],
        goals: &[Goal],
    ) -> Result<(), EvalError> {
        let mut reasons = Reasons { kept: self.kept(node).into(), open: Vec::new() };
        for (goal, data) in goals.iter().zip(&self.dependencies.goals) {
            if !crate::goals::admits(goal, cells) {
                continue;
            }
            self.machine.load(cells);
            self.machine.attach(&goal.segment);
            let mut fails = false;
            for condition in &data.conditions {
                if data.may_fail {
                    unite(&mut reasons.kept, &condition.reads);
                }
                if self.machine.eval(condition.code)? == 0 {
                    reasons.open.push(vec![condition.reads.clone()]);
                    fails = true;
                    break;
                }
            }
            if !fails {
                unite(&mut reasons.kept, &data.bounds);
            }
        }
        let kept = reasons.settle();
        self.keep(graph, node, &kept);
        Ok(())
    }
}

/// What is to be kept: some variables, and one of several sets for each of some reasons.
struct Reasons {
    kept: Mask,
    open: Vec<Vec<Mask>>,
}

impl Reasons {
    /// Chooses sets that add little.
    fn settle(mut self) -> Mask {
        self.open.sort_by_key(Vec::len);
        for options in &self.open {
            let added = |option: &&Mask| {
                option.iter().zip(&self.kept).map(|(option, kept)| (option & !kept).count_ones()).sum::<u32>()
            };
            if let Some(least) = options.iter().min_by_key(added) {
                unite(&mut self.kept, least);
            }
        }
        self.kept
    }
}

fn holds(machine: &mut Machine<'_>, network: &Network, condition: &Condition) -> Result<bool, EvalError> {
    match machine.eval(condition.code) {
        Err(_) if network.range_violation == RangeViolation::Tolerated => Ok(false),
        value => value.map(|value| value != 0),
    }
}
