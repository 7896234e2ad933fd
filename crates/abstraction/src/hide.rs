//! The network without hidden symbols.
//!
//! It keeps the memory layout of the original: a hidden process stays in its initial location, a hidden variable keeps its initial value, and hidden clocks are
//! never looked at, so that code need not be compiled again and a state is projected by overwriting cells.
//!
//! Every change must *allow* at least what was allowed before:
//!
//! - guards, invariants and goals are weakened ([`weaken`]); a clock bound that depends on something hidden
//!   becomes the largest bound it can be;
//! - steps of updates that mention something hidden are dropped: since the set is closed, they write hidden symbols only;
//! - what is left of an edge may change nothing at all; such an edge is dropped, since the abstraction need not move when the original does;
//! - who may synchronise with whom is the business of [`synchronisation`](crate::synchronisation);
//! - priorities only ever forbid, and with weaker guards they would forbid too much: they are dropped, and so is the urgency of channels on which a guard was
//!   weakened;
//! - while a kept process is in a committed location, a hidden one may be, too, and move together with a third; so where hidden processes synchronise out of
//!   committed locations, committed becomes urgent;
//! - evaluations may fail where the original never gets: there they count as "not possible" ([`RangeViolation::Tolerated`]).

use crate::structure::mentions;
use crate::symbols::{Symbol, SymbolSet};
use crate::synchronisation::{Partners, Variant, thin_out};
use crate::weaken::{Weakened, retain_steps, weaken};
use guidepost_network::{
    ClockConstraint, ClockId, Code, Codes, Edge, EdgeId, Goal, LocationId, LocationKind, Network, Operand,
    Program, RangeViolation, Segment, Symmetries, Sync, Term,
};
use std::sync::Arc;

/// A network without hidden symbols.
#[derive(Clone, Debug)]
pub struct AbstractNetwork {
    /// The network; processes, locations, variables, clocks and channels have the same ids as in the original.
    pub network: Network,
    /// The goals, weakened.
    pub goals: Vec<Goal>,
    /// By edge: the edge of the original that it comes from; `None` for what stands for hidden senders.
    pub origins: Vec<Option<EdgeId>>,
    /// By edge: whether it stands for a receiver of a broadcast that takes no part.
    pub stays_out: Vec<bool>,
    /// The cells of hidden processes and variables, with the value they always have here.
    hidden_cells: Vec<(u32, i32)>,
}

impl AbstractNetwork {
    /// Projects a state of the original to a state of the abstraction.
    pub fn project(&self, cells: &mut [i32]) {
        for &(cell, value) in &self.hidden_cells {
            cells[cell as usize] = value;
        }
    }

    /// The cells of hidden processes and variables, with the value they always have here.
    pub fn hidden_cells(&self) -> &[(u32, i32)] {
        &self.hidden_cells
    }
}

impl AbstractNetwork {
    /// The edges of the original that some edges of the abstraction stand for.
    pub fn taken(&self, edges: &[EdgeId]) -> Vec<EdgeId> {
        let taken = edges.iter().filter(|edge| !self.stays_out[edge.index()]);
        taken.filter_map(|edge| self.origins[edge.index()]).collect()
    }
}

/// Hides a closed set of symbols.
pub fn hide(network: &Network, hidden: &SymbolSet, goals: &[Goal]) -> AbstractNetwork {
    without(network, hidden, goals, false)
}

/// As [`hide`], and edges are kept that change nothing but what is hidden: for whoever follows that in another way.
pub fn hide_in_place(network: &Network, hidden: &SymbolSet, goals: &[Goal]) -> AbstractNetwork {
    without(network, hidden, goals, true)
}

fn without(network: &Network, hidden: &SymbolSet, goals: &[Goal], keeps_idle: bool) -> AbstractNetwork {
    let mut hiding = Hider { hidden, program: network.program.clone(), query: Segment::default() };
    let goals = hiding.goals(goals);
    let before_update = network.before_update.and_then(|code| hiding.update(code));
    let after_update = network.after_update.and_then(|code| hiding.update(code));
    // What runs with every transition makes a difference even where the edge does not.
    let has_hooks = before_update.is_some() || after_update.is_some();
    let mut locations = network.locations.clone();
    let mut kept_edges: Vec<(Option<EdgeId>, Variant)> = Vec::new();
    let partners = Partners::new(network, hidden);
    let softens = partners.softens_committed(network, hidden);
    let mut weak_channels = vec![false; network.channels.len()];
    for (index, location) in locations.iter_mut().enumerate() {
        location.outgoing = 0..0;
        if hidden.contains(Symbol::Process(location.process)) {
            location.kind = LocationKind::Normal;
            location.data_invariant.clear();
            location.clock_invariant.clear();
            location.rates.clear();
            location.cost_rate = None;
            if network.processes[location.process.index()].initial.index() == index {
                let at = LocationId(index as u32);
                for edge in partners.anonymous_senders(network, at) {
                    // It can always send, but it need not.
                    for channel in edge.sync.channels() {
                        weak_channels[channel.index()] = true;
                    }
                    kept_edges.push((None, Variant { edge, stays_out: false }));
                }
            }
            continue;
        }
        if softens && location.kind == LocationKind::Committed {
            location.kind = LocationKind::Urgent;
        }
        location.data_invariant = hiding.conditions(&location.data_invariant).0;
        location.clock_invariant = hiding.constraints(&location.clock_invariant).0;
        location.rates.retain(|(clock, _)| !hidden.contains(Symbol::Clock(*clock)));
        location.cost_rate = location.cost_rate.filter(|code| !hiding.is_touched(*code));
        for id in network.locations[index].outgoing.clone() {
            let (edge, weakening) = hiding.edge(&network.edges[id as usize]);
            let channel_hidden = |code: Code| hiding.is_touched(code);
            let variants = partners.variants(network, edge, weakening, channel_hidden, &mut weak_channels);
            let moving =
                variants.into_iter().filter(|variant| keeps_idle || has_hooks || !is_idle(&variant.edge));
            kept_edges.extend(moving.map(|variant| (Some(EdgeId(id)), variant)));
        }
    }
    let mut result = Network {
        locations,
        before_update,
        after_update,
        hook_effects: hiding.clock_effects(&network.hook_effects),
        range_violation: RangeViolation::Tolerated,
        edges: Vec::new(),
        program: Program::default(),
        symmetries: Symmetries::default(),
        ..network.clone()
    };
    result.program = hiding.program;
    narrow(&mut result, hidden);
    thin_out(&mut result, hidden);
    for (channel, is_weak) in result.channels.iter_mut().zip(weak_channels) {
        channel.urgent &= !is_weak;
    }
    let origins = kept_edges.iter().map(|(origin, _)| *origin).collect();
    let stays_out = kept_edges.iter().map(|(_, variant)| variant.stays_out).collect();
    arrange(&mut result, kept_edges);
    result.refresh_features();
    let hidden_cells = hidden_cells(&result, hidden);
    AbstractNetwork { network: result, goals, origins, stays_out, hidden_cells }
}

/// Whether taking an edge changes nothing: the abstraction can as well stay where it is.
fn is_idle(edge: &Edge) -> bool {
    edge.source == edge.target && edge.update.is_none() && matches!(edge.sync, Sync::Internal)
}

/// Hidden processes and variables have one place and one value; nothing has priority.
fn narrow(network: &mut Network, hidden: &SymbolSet) {
    for (index, process) in network.processes.iter_mut().enumerate() {
        if hidden.hiding().processes[index] {
            process.locations = process.initial.0..process.initial.0 + 1;
        }
    }
    for (index, variable) in network.variables.iter_mut().enumerate() {
        if hidden.hiding().variables[index] {
            variable.min = variable.initial;
            variable.max = variable.initial;
        }
    }
    if !hidden.is_empty() {
        network.processes.iter_mut().for_each(|process| process.priority = 0);
        network.channels.iter_mut().for_each(|channel| channel.priority = 0);
        network.internal_priority = 0;
    }
}

/// Puts the edges, which are sorted by source, in place.
fn arrange(network: &mut Network, edges: Vec<(Option<EdgeId>, Variant)>) {
    network.edges = edges.into_iter().map(|(_, variant)| variant.edge).collect();
    let position = |location: u32| network.edges.partition_point(|edge| edge.source.0 < location) as u32;
    for (index, location) in (0..).zip(&mut network.locations) {
        location.outgoing = position(index)..position(index + 1);
    }
    for process in &mut network.processes {
        process.edges = position(process.locations.start)..position(process.locations.end);
    }
}

fn hidden_cells(network: &Network, hidden: &SymbolSet) -> Vec<(u32, i32)> {
    let processes = (0..).zip(&network.processes).zip(&hidden.hiding().processes);
    let locations = processes.filter(|(_, hidden)| **hidden);
    let locations = locations.map(|((cell, process), _)| (cell, process.initial.0 as i32));
    let variables = (network.processes.len() as u32..).zip(&network.variables);
    let variables = variables.zip(&hidden.hiding().variables).filter(|(_, hidden)| **hidden);
    locations.chain(variables.map(|((cell, variable), _)| (cell, variable.initial))).collect()
}

/// What became weaker in the guard of an edge.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weakening {
    pub(crate) data: bool,
    pub(crate) clocks: bool,
}

struct Hider<'h> {
    hidden: &'h SymbolSet,
    program: Program,
    /// The code of the goals that are being weakened.
    query: Segment,
}

impl Hider<'_> {
    fn codes(&self) -> Codes<'_> {
        Codes::new(&self.program, &self.query)
    }

    fn is_touched(&self, code: Code) -> bool {
        self.hidden.hiding().touches(&self.codes().footprint(code))
    }

    /// Compiles what is left of a condition, beside the original.
    fn add(&mut self, original: Code, term: &Term) -> Code {
        if original.is_of_query() {
            self.query.add_condition(&self.program, term)
        } else {
            self.program.add_condition(term)
        }
    }

    /// Weakened conditions, and whether any of them is weaker than before.
    fn conditions(&mut self, codes: &[Code]) -> (Vec<Code>, bool) {
        let mut kept = Vec::new();
        let mut is_weaker = false;
        for &code in codes {
            match weaken(self.codes(), code, self.hidden.hiding()) {
                Weakened::Same => kept.push(code),
                Weakened::Changed(term) => {
                    kept.push(self.add(code, &term));
                    is_weaker = true;
                }
                Weakened::True => is_weaker = true,
            }
        }
        (kept, is_weaker)
    }

    /// Weakened constraints, and whether any of them is weaker than before.
    fn constraints(&self, constraints: &[ClockConstraint]) -> (Vec<ClockConstraint>, bool) {
        let mut kept = Vec::new();
        let mut is_weaker = false;
        let is_hidden = |clock: ClockId| self.hidden.contains(Symbol::Clock(clock));
        for constraint in constraints {
            let conditional = constraint.condition.is_some_and(|code| self.is_touched(code));
            if is_hidden(constraint.left) || is_hidden(constraint.right) || conditional {
                is_weaker = true;
                continue;
            }
            let mut constraint = constraint.clone();
            if let Operand::Code(code, _, largest) = constraint.bound
                && self.is_touched(code)
            {
                constraint.bound = Operand::Const(largest);
                is_weaker = true;
            }
            kept.push(constraint);
        }
        (kept, is_weaker)
    }

    fn update(&mut self, code: Code) -> Option<Code> {
        let hidden = self.hidden;
        retain_steps(&mut self.program, code, |step| !mentions(step, hidden))
    }

    fn clock_effects(
        &self,
        effects: &[guidepost_network::ClockEffect],
    ) -> Vec<guidepost_network::ClockEffect> {
        let kept = effects.iter().filter(|effect| !self.hidden.contains(Symbol::Clock(effect.clock)));
        kept.copied().collect()
    }

    fn edge(&mut self, edge: &Edge) -> (Edge, Weakening) {
        let (data_guard, data) = self.conditions(&edge.data_guard);
        let (clock_guard, clocks) = self.constraints(&edge.clock_guard);
        let edge = Edge {
            data_guard,
            clock_guard,
            update: edge.update.and_then(|code| self.update(code)),
            clock_effects: self.clock_effects(&edge.clock_effects),
            ..edge.clone()
        };
        (edge, Weakening { data, clocks })
    }

    fn goals(&mut self, goals: &[Goal]) -> Vec<Goal> {
        let mut weaker = Vec::new();
        for of_one_query in goals.chunk_by(|one, other| Arc::ptr_eq(&one.segment, &other.segment)) {
            self.query = of_one_query[0].segment.as_ref().clone();
            let goals: Vec<Goal> = of_one_query.iter().map(|goal| self.goal(goal)).collect();
            let segment = Arc::new(std::mem::take(&mut self.query));
            weaker.extend(goals.into_iter().map(|goal| Goal { segment: Arc::clone(&segment), ..goal }));
        }
        weaker
    }

    fn goal(&mut self, goal: &Goal) -> Goal {
        let mut locations = goal.locations.clone();
        locations.retain(|(process, _)| !self.hidden.contains(Symbol::Process(*process)));
        Goal {
            locations,
            data: self.conditions(&goal.data).0,
            clocks: self.constraints(&goal.clocks).0,
            ..Goal::default()
        }
    }
}
