//! Who reads and writes what: the facts about a network that closing, cones of influence and safe symbols rest on.

use crate::symbols::{Symbol, SymbolSet};
use crate::weaken::{UpdateStep, update_steps};
use guidepost_network::{
    ChannelId, ChannelRef, ClockConstraint, ClockId, Code, Codes, EdgeId, Footprint, Goal, Network, Operand,
    ProcessId, Sync,
};

/// The dependencies of a network.
#[derive(Clone, Debug)]
pub struct Structure {
    /// By edge.
    pub(crate) edges: Vec<EdgeFacts>,
    /// What runs around every transition.
    pub(crate) hooks: Vec<UpdateStep>,
    /// Clocks whose rate a location sets: where, which, and what the rate depends on.
    pub(crate) rates: Vec<(ProcessId, ClockId, Vec<Symbol>)>,
}

/// What an edge depends on and changes.
#[derive(Clone, Debug)]
pub(crate) struct EdgeFacts {
    pub(crate) process: ProcessId,
    /// Whether the process is elsewhere afterwards.
    pub(crate) moves: bool,
    /// What the guard and the choice of the channel read.
    pub(crate) guard: Vec<Symbol>,
    pub(crate) channels: Vec<ChannelId>,
    /// Whether it takes part in a synchronisation vector.
    pub(crate) is_joined: bool,
    pub(crate) steps: Vec<UpdateStep>,
}

impl Structure {
    /// Looks through a network.
    pub fn new(network: &Network) -> Self {
        let steps =
            |code: Option<Code>| code.map_or_else(Vec::new, |code| update_steps(&network.program, code));
        let codes = network.program.codes();
        let edges = network.edges.iter().map(|edge| {
            let mut guard = Vec::new();
            read_by_conditions(codes, &edge.data_guard, &edge.clock_guard, &mut guard);
            if let Sync::Send(ChannelRef::Dynamic(code, _)) | Sync::Receive(ChannelRef::Dynamic(code, _)) =
                &edge.sync
            {
                read_by(codes, *code, &mut guard);
            }
            EdgeFacts {
                process: edge.process,
                moves: edge.source != edge.target,
                guard,
                channels: edge.sync.channels().to_vec(),
                is_joined: matches!(edge.sync, Sync::Join(_)),
                steps: steps(edge.update),
            }
        });
        let edges = edges.collect();
        let mut rates = Vec::new();
        for location in &network.locations {
            for &(clock, code) in &location.rates {
                let mut symbols = Vec::new();
                read_by(codes, code, &mut symbols);
                rates.push((location.process, clock, symbols));
            }
        }
        let hooks = [network.before_update, network.after_update].into_iter().flat_map(steps).collect();
        Self { edges, hooks, rates }
    }
}

impl Structure {
    /// The clocks and variables that an edge may write.
    pub fn written_by(&self, edge: EdgeId) -> impl Iterator<Item = Symbol> + '_ {
        self.edges[edge.index()].steps.iter().flat_map(writes)
    }
}

fn read_by(codes: Codes<'_>, code: Code, symbols: &mut Vec<Symbol>) {
    symbols.extend(read_in(&codes.footprint(code)));
}

fn read_by_conditions(
    codes: Codes<'_>,
    data: &[Code],
    clocks: &[ClockConstraint],
    symbols: &mut Vec<Symbol>,
) {
    for &code in data {
        read_by(codes, code, symbols);
    }
    for constraint in clocks {
        read_by_constraint(codes, constraint, symbols);
    }
}

fn read_by_constraint(codes: Codes<'_>, constraint: &ClockConstraint, symbols: &mut Vec<Symbol>) {
    let clocks = [constraint.left, constraint.right];
    symbols.extend(clocks.into_iter().filter(|clock| *clock != ClockId::ZERO).map(Symbol::Clock));
    if let Operand::Code(code, ..) = constraint.bound {
        read_by(codes, code, symbols);
    }
    if let Some(code) = constraint.condition {
        read_by(codes, code, symbols);
    }
}

fn read_in(footprint: &Footprint) -> impl Iterator<Item = Symbol> + '_ {
    let locations = footprint.locations.iter().map(|&process| Symbol::Process(process));
    locations.chain(footprint.reads.iter().map(|&variable| Symbol::Variable(variable)))
}

/// What a step reads.
pub(crate) fn reads(step: &UpdateStep) -> impl Iterator<Item = Symbol> + '_ {
    let clocks = step.source_clocks().filter(|clock| *clock != ClockId::ZERO);
    read_in(&step.footprint).chain(clocks.map(Symbol::Clock))
}

/// What a step writes.
pub(crate) fn writes(step: &UpdateStep) -> impl Iterator<Item = Symbol> + '_ {
    let variables = step.footprint.writes.iter().map(|&variable| Symbol::Variable(variable));
    variables.chain(step.clocks.iter().map(|effect| Symbol::Clock(effect.clock)))
}

/// Whether a step mentions a symbol of the set.
pub(crate) fn mentions(step: &UpdateStep, set: &SymbolSet) -> bool {
    reads(step).chain(writes(step)).any(|symbol| set.contains(symbol))
}

/// The symbols in goals.
pub fn symbols_of_goals(network: &Network, goals: &[Goal]) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for goal in goals {
        symbols.extend(goal.locations.iter().map(|(process, _)| Symbol::Process(*process)));
        read_by_conditions(goal.codes(&network.program), &goal.data, &goal.clocks, &mut symbols);
    }
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

/// The symbols that the guards and invariants of a process read.
pub fn symbols_tested_by(network: &Network, structure: &Structure, process: ProcessId) -> Vec<Symbol> {
    let own = &network.processes[process.index()];
    let mut symbols = Vec::new();
    for facts in &structure.edges[own.edges.start as usize..own.edges.end as usize] {
        symbols.extend(&facts.guard);
    }
    for location in &network.locations[own.locations.start as usize..own.locations.end as usize] {
        read_by_conditions(
            network.program.codes(),
            &location.data_invariant,
            &location.clock_invariant,
            &mut symbols,
        );
    }
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}
