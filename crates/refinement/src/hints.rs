//! Hints: what has to be shown for an abstract run to end where the network does.
//!
//! A state of the network from which the next transition of the abstract run is not possible says why: guards of it do not hold, or a partner is not ready. The hidden symbols in these
//! reasons are a hint, and the state with the fewest of them is the one to learn from. Symbols that can be brought into any state at any time ([`Structure::safe_symbols`]), and what depends on them, are shown last: a run without
//! them can be turned into one with them, so hardly any proof needs them, and they multiply states.
//!
//! [`Structure::safe_symbols`]: guidepost_abstraction::Structure::safe_symbols

use crate::goals::admits;
use crate::led::Stage;
use crate::predicates::update;
use guidepost_abstraction::{Symbol, SymbolSet};
use guidepost_explore::SymbolicState;
use guidepost_network::{
    ClockConstraint, ClockId, Code, EdgeId, Goal, LocationKind, Machine, Network, Operand, ProcessId, Sync,
};
use guidepost_zones::Bound;

/// A condition on hidden data that does not hold.
pub(crate) struct Failing {
    pub(crate) condition: Code,
    /// The goal that it belongs to, if it is not of the network.
    pub(crate) goal: Option<usize>,
    /// Whether it is an invariant of where a transition leads.
    pub(crate) is_after: bool,
    /// Whether it is about variables that are to be shown last.
    is_deferred: bool,
    /// How many hidden variables it is about.
    hidden: usize,
}

/// Looks for hints.
pub(crate) struct Hints<'h, 'n> {
    network: &'n Network,
    hidden: &'h SymbolSet,
    /// Symbols to be shown last.
    deferred: &'h SymbolSet,
    machine: Machine<'n>,
}

impl<'h, 'n> Hints<'h, 'n> {
    pub(crate) fn new(network: &'n Network, hidden: &'h SymbolSet, deferred: &'h SymbolSet) -> Self {
        Self { network, hidden, deferred, machine: Machine::new(&network.program) }
    }

    /// The fewest hidden symbols for which one of some states cannot take some edges; empty when no state has a reason.
    pub(crate) fn fewest(&mut self, states: &[SymbolicState], edges: &[EdgeId]) -> Vec<Symbol> {
        let reasons: Vec<Vec<Symbol>> = states.iter().map(|state| self.reasons(state, edges)).collect();
        self.least(reasons)
    }

    /// As [`Hints::fewest`], where all guards hold: what invariants and committed locations around the edges depend on.
    pub(crate) fn fewest_around(&mut self, states: &[SymbolicState], edges: &[EdgeId]) -> Vec<Symbol> {
        let around = |state: &SymbolicState| {
            let mut symbols = Vec::new();
            self.add_surroundings(state, edges, &mut symbols);
            self.only_hidden(symbols)
        };
        let reasons: Vec<Vec<Symbol>> = states.iter().map(around).collect();
        self.least(reasons)
    }

    /// The hidden symbols that guards and invariants depend on at the last transition of a run where there are some: what was hidden there may have made it come too soon or too late.
    pub(crate) fn latest(&self, run: &[Stage]) -> Vec<Symbol> {
        let mut all = run.iter().rev().map(|stage| {
            let mut symbols = Vec::new();
            for edge in stage.edges.iter().map(|edge| &self.network.edges[edge.index()]) {
                let target = &self.network.locations[edge.target.index()];
                edge.data_guard.iter().for_each(|&code| self.add_read(code, &mut symbols));
                for constraint in edge.clock_guard.iter().chain(&target.clock_invariant) {
                    self.add_constraint(constraint, &mut symbols);
                }
            }
            self.only_hidden(symbols)
        });
        all.find(|symbols| !symbols.is_empty() && !self.are_deferred(symbols)).unwrap_or_default()
    }

    /// The hidden symbols that a run has to do with: what guards and invariants along it depend on, and who takes part. Those that are to be shown last are not among them.
    pub(crate) fn mentioned(&self, run: &[Stage]) -> Vec<Symbol> {
        let mut edges: Vec<EdgeId> = run.iter().flat_map(|stage| stage.edges.iter().copied()).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut symbols = Vec::new();
        self.add_partners(&edges, &mut symbols);
        for edge in edges.iter().map(|edge| &self.network.edges[edge.index()]) {
            edge.data_guard.iter().for_each(|&code| self.add_read(code, &mut symbols));
            edge.clock_guard.iter().for_each(|constraint| self.add_constraint(constraint, &mut symbols));
            for location in [edge.source, edge.target].map(|id| &self.network.locations[id.index()]) {
                location
                    .clock_invariant
                    .iter()
                    .for_each(|constraint| self.add_constraint(constraint, &mut symbols));
                location.data_invariant.iter().for_each(|&code| self.add_read(code, &mut symbols));
            }
        }
        let symbols = self.only_hidden(symbols);
        if self.are_deferred(&symbols) { Vec::new() } else { symbols }
    }

    fn least(&self, reasons: Vec<Vec<Symbol>>) -> Vec<Symbol> {
        let reasons = reasons.into_iter().filter(|symbols| !symbols.is_empty());
        reasons.min_by_key(|symbols| (self.are_deferred(symbols), symbols.len())).unwrap_or_default()
    }

    /// The hidden ones of some symbols, without those that are to be shown last unless there are no others.
    fn only_hidden(&self, mut symbols: Vec<Symbol>) -> Vec<Symbol> {
        symbols.sort_unstable();
        symbols.dedup();
        symbols.retain(|&symbol| self.hidden.contains(symbol));
        self.prefer(&mut symbols);
        symbols
    }

    /// All hidden symbols for which one of some states cannot take some edges.
    pub(crate) fn all(&mut self, states: &[SymbolicState], edges: &[EdgeId]) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = states.iter().flat_map(|state| self.reasons(state, edges)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        self.prefer(&mut symbols);
        symbols
    }

    /// Leaves out symbols that are to be shown last, unless there are no others.
    fn prefer(&self, symbols: &mut Vec<Symbol>) {
        if !self.are_deferred(symbols) {
            symbols.retain(|&symbol| !self.deferred.contains(symbol));
        }
    }

    /// Whether all of some symbols, if there are any, are to be shown last.
    pub(crate) fn are_deferred(&self, symbols: &[Symbol]) -> bool {
        symbols.iter().all(|&symbol| self.deferred.contains(symbol))
    }

    /// A condition on hidden data that keeps one of some states from taking some edges, or without edges from meeting a goal: the one about the fewest hidden variables.
    pub(crate) fn failing(
        &mut self,
        states: &[SymbolicState],
        edges: Option<&[EdgeId]>,
        goals: &[Goal],
    ) -> Option<Failing> {
        let mut found: Vec<Failing> = Vec::new();
        for state in states {
            match edges {
                Some(edges) => self.failing_edges(state, edges, &mut found),
                None => self.failing_goals(state, goals, &mut found),
            }
        }
        found.into_iter().min_by_key(|failing| (failing.is_deferred, failing.hidden))
    }

    fn failing_edges(&mut self, state: &SymbolicState, edges: &[EdgeId], found: &mut Vec<Failing>) {
        let network = self.network;
        let own = || edges.iter().map(|edge| &network.edges[edge.index()]);
        self.machine.load(&state.cells);
        let before = found.len();
        for &code in own().flat_map(|edge| &edge.data_guard) {
            if !self.holds(code) {
                found.extend(self.failing_condition(code, None, false));
            }
        }
        if found.len() > before || !update(network, edges, &mut self.machine) {
            return;
        }
        for &code in own().flat_map(|edge| &network.locations[edge.target.index()].data_invariant) {
            if !self.holds(code) {
                found.extend(self.failing_condition(code, None, true));
            }
        }
    }

    fn failing_goals(&mut self, state: &SymbolicState, goals: &[Goal], found: &mut Vec<Failing>) {
        self.machine.load(&state.cells);
        for (index, goal) in goals.iter().enumerate().filter(|(_, goal)| admits(goal, &state.cells)) {
            self.machine.attach(&goal.segment);
            if let Some(&code) = goal.data.iter().find(|&&code| !self.holds(code)) {
                found.extend(self.failing_condition(code, Some(index), false));
            }
        }
    }

    fn holds(&mut self, condition: Code) -> bool {
        self.machine.eval(condition).is_ok_and(|value| value != 0)
    }

    /// A condition that does not hold, if it is about hidden variables.
    fn failing_condition(&self, condition: Code, goal: Option<usize>, is_after: bool) -> Option<Failing> {
        let reads = self.machine.codes().reads(condition).into_iter().map(Symbol::Variable);
        let hidden: Vec<Symbol> = reads.filter(|&symbol| self.hidden.contains(symbol)).collect();
        let is_deferred = hidden.iter().any(|&symbol| self.deferred.contains(symbol));
        let hidden = hidden.len();
        (hidden > 0).then_some(Failing { condition, goal, is_after, is_deferred, hidden })
    }

    fn reasons(&mut self, state: &SymbolicState, edges: &[EdgeId]) -> Vec<Symbol> {
        self.machine.load(&state.cells);
        let mut symbols = Vec::new();
        for &edge in edges {
            let edge = &self.network.edges[edge.index()];
            for &code in &edge.data_guard {
                if !self.machine.eval(code).is_ok_and(|value| value != 0) {
                    self.add_read(code, &mut symbols);
                }
            }
            for constraint in &edge.clock_guard {
                if !self.is_met(state, constraint) {
                    self.add_constraint(constraint, &mut symbols);
                }
            }
        }
        if symbols.is_empty() {
            self.add_partners(edges, &mut symbols);
        }
        self.only_hidden(symbols)
    }

    fn is_met(&mut self, state: &SymbolicState, constraint: &ClockConstraint) -> bool {
        let Ok(value) = self.machine.bound(constraint) else { return false };
        let Some(value) = value else { return true };
        let bound = if constraint.strict { Bound::lt(value) } else { Bound::le(value) };
        match (state.place(constraint.left), state.place(constraint.right)) {
            (Some(left), Some(right)) => state.zone.get(right, left) + bound >= Bound::LE_ZERO,
            _ => true,
        }
    }

    fn add_read(&self, code: Code, symbols: &mut Vec<Symbol>) {
        let footprint = self.network.program.codes().footprint(code);
        symbols.extend(footprint.locations.into_iter().map(Symbol::Process));
        symbols.extend(footprint.reads.into_iter().map(Symbol::Variable));
    }

    fn add_constraint(&self, constraint: &ClockConstraint, symbols: &mut Vec<Symbol>) {
        let clocks = [constraint.left, constraint.right].into_iter().filter(|&clock| clock != ClockId::ZERO);
        symbols.extend(clocks.map(Symbol::Clock));
        if let Operand::Code(code, ..) = constraint.bound {
            self.add_read(code, symbols);
        }
        if let Some(code) = constraint.condition {
            self.add_read(code, symbols);
        }
    }

    /// Hidden processes that could be partners of some edges.
    fn add_partners(&self, edges: &[EdgeId], symbols: &mut Vec<Symbol>) {
        for &edge in edges {
            let sync = &self.network.edges[edge.index()].sync;
            let vector = if let Sync::Join(vector) = sync { Some(*vector) } else { None };
            for other in &self.network.edges {
                let meets = other.sync.channels().iter().any(|channel| sync.channels().contains(channel))
                    || matches!(other.sync, Sync::Join(own) if Some(own) == vector);
                if meets && self.hidden.contains(Symbol::Process(other.process)) {
                    symbols.push(Symbol::Process(other.process));
                }
            }
        }
    }

    /// What the invariants around a transition and committed locations depend on.
    fn add_surroundings(&self, state: &SymbolicState, edges: &[EdgeId], symbols: &mut Vec<Symbol>) {
        let targets = edges.iter().map(|edge| self.network.edges[edge.index()].target);
        let here = state.cells[..self.network.processes.len()].iter();
        let here = here.map(|&at| guidepost_network::LocationId(at as u32));
        for location in here.chain(targets).map(|id| &self.network.locations[id.index()]) {
            location.clock_invariant.iter().for_each(|constraint| self.add_constraint(constraint, symbols));
            location.data_invariant.iter().for_each(|&code| self.add_read(code, symbols));
            if location.kind != LocationKind::Normal {
                symbols.push(Symbol::Process(location.process));
            }
        }
        if self.network.features.priorities {
            symbols.extend((0..self.network.processes.len() as u32).map(|id| Symbol::Process(ProcessId(id))));
        }
    }
}
