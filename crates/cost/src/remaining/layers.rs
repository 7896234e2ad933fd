//! Relaxed layers with costs: the cheapest way to a goal if no process ever left a location and no variable ever lost a value.
//!
//! The bound of [`graph`](super::graph) looks at each process alone. This one follows what processes need from each other: values of variables, and partners of synchronisations. A process at a
//! location and a variable with a value are *facts*; edges are *operators* of a [`Relaxation`]. A goal costs what the dearest of its conditions does.
//!
//! # Why it is a lower bound
//!
//! Along a run from the state, every fact costs at most what the run has paid when the fact is first true. That holds at the start, where what is true costs nothing. A transition of the run finds
//! the conditions of its edges true, and by induction they cost no more than what was paid so far. What an edge makes true costs the dearest of these conditions, and at most what the transition
//! pays: its own price, and the least price of a partner that it cannot do without. Costs of conditions are never added up.
//!
//! Time is counted where an edge has to wait for a clock that every edge into its location sets: it is taken not before the process has *entered* the location and waited. While it waits,
//! its own rate is paid and the least rate of every other process, whatever they do. If the process is there from the start, what the clocks still lack counts instead.
//!
//! # What is left out
//!
//! Invariants, urgency, priorities, clocks beyond waiting. Conditions over several variables count as true. A variable that is meta or written around every transition may have any value from the start, one that an edge computes in another
//! way than from a constant or from a variable before the step, any value from then on. Values beyond a window around the first one count as any value. If a partner in the same transition may have written what an edge reads,
//! the result is any value, too: otherwise the price of the transition would count twice.

use super::graph::{ProcessGraph, all_graphs};
use super::relaxation::{Fact, Relaxation};
use crate::space::NEVER;
use guidepost_abstraction::regression::{Value, simultaneous};
use guidepost_network::{ChannelId, ClockId, Code, Edge, Goal, LocationKind, Machine, Network, Sync, VarId};
use std::collections::BTreeMap;

/// So many values of a variable have facts, at most.
const WINDOW: i64 = 64;
/// How much of the window lies below the first value.
const BELOW: i64 = WINDOW / 8;
/// Larger tasks are given up.
const LARGEST: usize = 400_000;

/// What is paid for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tariff {
    /// Time.
    Time,
    /// Time, and prices.
    TimeAndPrices,
    /// Prices.
    Prices,
    /// Rates, and prices.
    RatesAndPrices,
}

impl Tariff {
    fn has_prices(self) -> bool {
        self != Tariff::Time
    }
}

/// The time that a clock still lacks to a value, at least.
pub(super) type Lack<'s> = dyn Fn(ClockId, i64) -> i64 + 's;

/// The relaxed task of some goals.
pub(super) struct Layers {
    relaxation: Relaxation,
    cells: Vec<Cell>,
    /// By location: the edges that wait for clocks.
    waiting: Vec<Vec<Waiting>>,
    processes: usize,
    /// Always true.
    start: Fact,
}

/// The facts of a cell: one for each value, and behind them, one for any value. A cell without values is not looked at.
#[derive(Clone, Copy)]
struct Cell {
    first: Fact,
    low: i32,
    size: u32,
}

impl Cell {
    fn any(self) -> Fact {
        self.first + self.size
    }

    /// The fact that the cell has a value.
    fn fact(self, value: i32) -> Fact {
        let offset = i64::from(value) - i64::from(self.low);
        if (0..i64::from(self.size)).contains(&offset) { self.first + offset as Fact } else { self.any() }
    }

    fn is_free(self) -> bool {
        self.size == 0
    }

    fn values(self) -> impl Iterator<Item = (i32, Fact)> {
        (0..self.size).map(move |offset| (self.low + offset as i32, self.first + offset))
    }
}

/// An edge that waits for clocks.
struct Waiting {
    /// It has waited for long enough.
    ready: Fact,
    waits: Vec<(ClockId, i64)>,
    /// What a time unit costs.
    rate: i64,
}

impl Layers {
    /// The task of some goals; `None` if it is too large.
    pub(super) fn new(network: &Network, goals: &[Goal], tariff: Tariff) -> Option<Self> {
        let mut builder = Builder::new(network, goals, tariff);
        let graphs = all_graphs(network, &Goal::default());
        for graph in &graphs {
            builder.add_waiting(graph);
        }
        for graph in &graphs {
            builder.add_process(graph);
            if builder.relaxation.size() > LARGEST {
                return None;
            }
        }
        let (start, goal) = (builder.relaxation.fact(), builder.relaxation.fact());
        for one in goals {
            if let Some(needs) = builder.needs_of(one, start) {
                builder.relaxation.operator(needs, 0, &[goal]);
            }
        }
        let Builder { mut relaxation, cells, waiting, .. } = builder;
        relaxation.ask_for(goal);
        Some(Self { relaxation, cells, waiting, processes: network.processes.len(), start })
    }

    /// What is paid at least from a state to a goal.
    pub(super) fn cost(&mut self, cells: &[i32], lack: &Lack<'_>) -> i64 {
        self.relaxation.clear();
        self.relaxation.assume(self.start, 0);
        for (cell, &value) in self.cells.iter().zip(cells) {
            self.relaxation.assume(cell.fact(value), 0);
        }
        for &location in &cells[..self.processes] {
            for edge in &self.waiting[location as usize] {
                let wait = edge.waits.iter().map(|&(clock, value)| lack(clock, value)).fold(0, i64::max);
                self.relaxation.assume(edge.ready, edge.rate.saturating_mul(wait).min(NEVER));
            }
        }
        self.relaxation.cost()
    }
}

/// What is known of a condition.
enum Condition {
    Always,
    Never,
    When(Fact),
}

/// What an edge makes true.
#[derive(Default)]
struct Effects {
    facts: Vec<Fact>,
    /// Cells that get what another (or the same) cell was before, plus a constant.
    shifts: Vec<(Cell, Cell, i32)>,
}

/// Who sends or receives on a channel: that somebody can, and what it costs at least.
#[derive(Clone, Copy)]
struct Side {
    ready: Fact,
    price: i64,
}

struct Builder<'n> {
    network: &'n Network,
    tariff: Tariff,
    machine: Machine<'n>,
    relaxation: Relaxation,
    cells: Vec<Cell>,
    waiting: Vec<Vec<Waiting>>,
    /// By location: that a process enters it, where an edge waits there.
    entered: Vec<Option<Fact>>,
    /// By edge: that it has waited.
    ready: Vec<Option<Fact>>,
    /// By channel: those who send, and those who receive.
    sides: Vec<[Side; 2]>,
    /// By variable: the processes that write it when they synchronise.
    writers: Vec<Vec<usize>>,
    /// By cell and values: the condition that it has one of them.
    known: BTreeMap<Vec<Fact>, Fact>,
    /// What a time unit costs in each process at least.
    least_rates: Vec<i64>,
}

impl<'n> Builder<'n> {
    fn new(network: &'n Network, goals: &[Goal], tariff: Tariff) -> Self {
        let mut relaxation = Relaxation::default();
        let cells = cells(network, &mut relaxation);
        let sides = sides(network, tariff, &mut relaxation);
        Self {
            network,
            tariff,
            machine: Machine::for_goals(&network.program, goals),
            relaxation,
            cells,
            waiting: network.locations.iter().map(|_| Vec::new()).collect(),
            entered: vec![None; network.locations.len()],
            ready: vec![None; network.edges.len()],
            sides,
            writers: writers(network),
            known: BTreeMap::new(),
            least_rates: Vec::new(),
        }
        .with_rates()
    }

    fn with_rates(mut self) -> Self {
        let network = self.network;
        self.least_rates = (0..network.processes.len())
            .map(|process| {
                let locations = network.processes[process].locations.clone();
                let places =
                    locations.filter(|&id| network.locations[id as usize].kind == LocationKind::Normal);
                places.map(|id| rate(network, id)).min().unwrap_or(0)
            })
            .collect();
        self
    }

    /// What a time unit costs while a process is at a location.
    fn rate(&self, process: usize, own: i64) -> i64 {
        match self.tariff {
            Tariff::Time | Tariff::TimeAndPrices => 1,
            Tariff::Prices => 0,
            Tariff::RatesAndPrices => {
                let all: i64 = self.least_rates.iter().sum();
                own + all - self.least_rates[process]
            }
        }
    }

    /// The waits for clocks of the edges of a process.
    fn add_waiting(&mut self, graph: &ProcessGraph) {
        for (id, place) in (graph.first as usize..).zip(&graph.locations) {
            let rate = self.rate(graph.cell, place.rate);
            for exit in place.exits.iter().filter(|exit| rate > 0 && !exit.waits.is_empty()) {
                let entered = *self.entered[id].get_or_insert_with(|| self.relaxation.fact());
                let ready = self.relaxation.fact();
                self.relaxation.operator(vec![entered], rate.saturating_mul(exit.dwell), &[ready]);
                self.ready[exit.edge.index()] = Some(ready);
                self.waiting[id].push(Waiting { ready, waits: exit.waits.clone(), rate });
            }
        }
    }

    fn add_process(&mut self, graph: &ProcessGraph) {
        for place in &graph.locations {
            for exit in &place.exits {
                let edge = &self.network.edges[exit.edge.index()];
                let at = self.cells[graph.cell].fact(edge.source.0 as i32);
                let start = self.ready[exit.edge.index()].unwrap_or(at);
                let Some(needs) = self.all(vec![start], &edge.data_guard) else { continue };
                let price = if self.tariff.has_prices() { exit.price } else { 0 };
                let effects = self.effects(edge);
                self.add_edge(edge, needs, price, &effects);
            }
        }
    }

    /// An edge, alone or with whoever it needs.
    fn add_edge(&mut self, edge: &Edge, needs: Vec<Fact>, price: i64, effects: &Effects) {
        let (channel, own, other) = match &edge.sync {
            Sync::Internal | Sync::Join(_) => return self.apply(needs, price, effects),
            Sync::Send(channel) => (channel, SENDERS, RECEIVERS),
            Sync::Receive(channel) => (channel, RECEIVERS, SENDERS),
        };
        let enabled = self.relaxation.fact();
        let side = |id: &ChannelId| self.sides[id.index()];
        let sides: Vec<Fact> = channel.candidates().iter().map(|id| side(id)[own].ready).collect();
        self.relaxation.operator(needs, 0, &[&sides[..], &[enabled]].concat());
        for id in channel.candidates() {
            if own == SENDERS && self.network.channels[id.index()].broadcast {
                self.apply(vec![enabled], price, effects);
            } else {
                let partner = self.sides[id.index()][other];
                let price = price.saturating_add(partner.price);
                self.apply(vec![enabled, partner.ready], price, effects);
            }
        }
    }

    fn apply(&mut self, needs: Vec<Fact>, price: i64, effects: &Effects) {
        if effects.shifts.is_empty() {
            return self.relaxation.operator(needs, price, &effects.facts);
        }
        let enabled = self.relaxation.fact();
        self.relaxation.operator(needs, 0, &[enabled]);
        self.relaxation.operator(vec![enabled], price, &effects.facts);
        for &(source, target, by) in &effects.shifts {
            for (value, fact) in source.values() {
                let made = value.checked_add(by).map_or(target.any(), |value| target.fact(value));
                self.relaxation.operator(vec![enabled, fact], price, &[made]);
            }
            self.relaxation.operator(vec![enabled, source.any()], price, &[target.any()]);
        }
    }

    fn effects(&self, edge: &Edge) -> Effects {
        let mut effects = Effects::default();
        effects.facts.push(self.cells[edge.process.index()].fact(edge.target.0 as i32));
        effects.facts.extend(self.entered[edge.target.index()]);
        let Some(code) = edge.update else { return effects };
        let cell = |var: VarId| self.cells[self.network.processes.len() + var.index()];
        let Some(assignments) = simultaneous(self.network, code) else {
            let written = self.network.program.writes(code).into_iter().map(cell);
            effects.facts.extend(written.filter(|target| !target.is_free()).map(Cell::any));
            return effects;
        };
        for (var, value) in assignments.into_iter().filter(|&(var, _)| !cell(var).is_free()) {
            match value {
                Value::Const(value) => effects.facts.push(cell(var).fact(value)),
                Value::Of(source, 0) if source == var => {}
                Value::Of(source, by) if !cell(source).is_free() && !self.is_handed_over(edge, source) => {
                    effects.shifts.push((cell(source), cell(var), by));
                }
                Value::Of(..) => effects.facts.push(cell(var).any()),
            }
        }
        effects
    }

    /// Whether another process may write a variable in the same transition.
    fn is_handed_over(&self, edge: &Edge, var: VarId) -> bool {
        let is_other = |&process: &usize| process != edge.process.index();
        !matches!(edge.sync, Sync::Internal) && self.writers[var.index()].iter().any(is_other)
    }

    /// What a goal needs; `None` when it never holds.
    fn needs_of(&mut self, goal: &Goal, start: Fact) -> Option<Vec<Fact>> {
        let mut needs = vec![start];
        for (process, locations) in &goal.locations {
            let cell = self.cells[process.index()];
            let at = locations.iter().map(|location| cell.fact(location.0 as i32)).collect();
            match self.one_of(cell, at) {
                Condition::Always => {}
                Condition::Never => return None,
                Condition::When(fact) => needs.push(fact),
            }
        }
        self.all(needs, &goal.data)
    }

    /// Some needs, and those of conditions; `None` when one of them never holds.
    fn all(&mut self, mut needs: Vec<Fact>, codes: &[Code]) -> Option<Vec<Fact>> {
        for &code in codes {
            match self.condition(code) {
                Condition::Always => {}
                Condition::Never => return None,
                Condition::When(fact) => needs.push(fact),
            }
        }
        Some(needs)
    }

    fn condition(&mut self, code: Code) -> Condition {
        // One that fails ends the search: whether it holds does not matter.
        let holds = |machine: &mut Machine<'_>| machine.eval(code) != Ok(0);
        match self.machine.codes().cells_read(code)[..] {
            [] if holds(&mut self.machine) => Condition::Always,
            [] => Condition::Never,
            [index] if !self.cells[index].is_free() => {
                let cell = self.cells[index];
                let mut facts = Vec::new();
                for (value, fact) in cell.values() {
                    self.machine.state_mut()[index] = value;
                    if holds(&mut self.machine) {
                        facts.push(fact);
                    }
                }
                self.one_of(cell, facts)
            }
            _ => Condition::Always,
        }
    }

    /// That a cell has one of some values; any value will do, too.
    fn one_of(&mut self, cell: Cell, mut facts: Vec<Fact>) -> Condition {
        if facts.len() == cell.size as usize {
            return Condition::Always;
        }
        facts.push(cell.any());
        facts.sort_unstable();
        if let Some(&known) = self.known.get(&facts) {
            return Condition::When(known);
        }
        let condition = self.relaxation.fact();
        for &fact in &facts {
            self.relaxation.operator(vec![fact], 0, &[condition]);
        }
        self.known.insert(facts, condition);
        Condition::When(condition)
    }
}

/// The facts of all cells.
fn cells(network: &Network, relaxation: &mut Relaxation) -> Vec<Cell> {
    let mut cell = |low: i32, size: u32| {
        let first = relaxation.facts(size as usize + 1);
        let cell = Cell { first, low, size };
        let values: Vec<Fact> = cell.values().map(|(_, fact)| fact).collect();
        if size > 0 {
            relaxation.operator(vec![cell.any()], 0, &values);
        }
        cell
    };
    let places = network.processes.iter().map(|own| (own.locations.start as i32, own.locations.len() as u32));
    let mut cells: Vec<Cell> = places.map(|(low, size)| cell(low, size)).collect();
    for (variable, is_hooked) in network.variables.iter().zip(network.written_by_hooks()) {
        let (min, max) = (i64::from(variable.min), i64::from(variable.max));
        let size = (max - min + 1).min(WINDOW);
        let low = (i64::from(variable.initial) - BELOW).clamp(min, max + 1 - size);
        let is_free = variable.meta || is_hooked;
        cells.push(cell(low as i32, if is_free { 0 } else { size as u32 }));
    }
    cells
}

const SENDERS: usize = 0;
const RECEIVERS: usize = 1;

/// Both sides of all channels.
fn sides(network: &Network, tariff: Tariff, relaxation: &mut Relaxation) -> Vec<[Side; 2]> {
    let mut side = || Side { ready: relaxation.fact(), price: NEVER };
    let mut sides: Vec<[Side; 2]> = network.channels.iter().map(|_| [side(), side()]).collect();
    for edge in &network.edges {
        let (channel, own) = match &edge.sync {
            Sync::Internal | Sync::Join(_) => continue,
            Sync::Send(channel) => (channel, SENDERS),
            Sync::Receive(channel) => (channel, RECEIVERS),
        };
        let price = edge.update.map_or(0, |update| network.program.codes().least_price(update));
        let price = if tariff.has_prices() { price } else { 0 };
        for id in channel.candidates() {
            let least = &mut sides[id.index()][own].price;
            *least = price.min(*least);
        }
    }
    sides
}

/// By variable: the processes that write it when they synchronise.
fn writers(network: &Network) -> Vec<Vec<usize>> {
    let mut writers = vec![Vec::new(); network.variables.len()];
    for edge in network.edges.iter().filter(|edge| !matches!(edge.sync, Sync::Internal)) {
        for var in edge.update.map_or_else(Vec::new, |update| network.program.writes(update)) {
            if !writers[var.index()].contains(&edge.process.index()) {
                writers[var.index()].push(edge.process.index());
            }
        }
    }
    writers
}

/// What a time unit at a location costs for its own process.
fn rate(network: &Network, location: u32) -> i64 {
    let rate = network.locations[location as usize].cost_rate;
    rate.map_or(0, |code| network.program.codes().range(code).0.max(0))
}
