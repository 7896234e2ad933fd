//! All reachable states, shallow ones first.
//!
//! Exploration goes in layers: all states that time alone leads to belong to the layer they start from, transitions lead to the next one. So the
//! layer of a state is the smallest number of transitions to it.

use super::discrete::{Discrete, Failure};
use super::moves::{self, within};
use super::region::{Region, Trouble};
use guidepost_network::{ClockId, ClockOp, EdgeId, EvalError, Goal, Machine, Network, RangeViolation};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::ops::Range;

/// What exploration may use up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most states.
    pub states: usize,
    /// Largest constant of a clock.
    pub constant: i32,
}

/// Why a network was not explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GiveUp {
    /// There are too many states.
    States,
    /// A clock is compared with too large a constant, or grows too much where differences of clocks matter.
    Clocks,
    /// Clocks stand still.
    Stopwatches,
}

/// What time does in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delay {
    /// It leads to this state.
    To(u32),
    /// It goes on for ever and changes nothing any more.
    Forever,
    /// It may not pass, or only so little that nothing changes.
    Blocked,
}

/// A transition of the region graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The edges, in the order of their updates.
    pub edges: Vec<EdgeId>,
    /// Where it leads.
    pub target: u32,
}

/// The reachable part of the region graph.
#[derive(Clone, Debug)]
pub struct RegionGraph<'n> {
    pub(crate) network: &'n Network,
    /// Largest constant per clock.
    caps: Vec<i32>,
    pub(crate) discrete: Vec<Discrete>,
    ids: FxHashMap<Vec<i32>, u32>,
    states: IndexSet<(u32, Region), FxBuildHasher>,
    layers: Vec<u32>,
    delays: Vec<Delay>,
    actions: Vec<Vec<Action>>,
    has_exact_clocks: bool,
    /// What went wrong, and in the expansion of which state.
    pub failures: Vec<(Option<u32>, Failure)>,
}

/// Why exploration stopped early.
enum Stop {
    GiveUp(GiveUp),
    Raise(usize, i32),
}

/// Explores a network, exactly enough for the given goals, and to tell apart values of the observed clocks up to the given ones.
pub fn explore<'n>(
    network: &'n Network,
    goals: &[&Goal],
    observed: &[(ClockId, i32)],
    limits: Limits,
) -> Result<RegionGraph<'n>, GiveUp> {
    if network.locations.iter().any(|location| !location.rates.is_empty()) {
        return Err(GiveUp::Stopwatches);
    }
    let (mut caps, is_diagonal) = constants(network, goals);
    for (clock, value) in observed {
        caps[clock.index()] = caps[clock.index()].max(*value);
    }
    if is_diagonal {
        caps.iter_mut().skip(1).for_each(|cap| *cap = limits.constant);
    }
    loop {
        if caps.iter().any(|&cap| cap > limits.constant) {
            return Err(GiveUp::Clocks);
        }
        let mut exploration = Exploration {
            graph: RegionGraph::empty(network, caps.clone(), is_diagonal),
            machine: Machine::new(&network.program),
            limits,
            is_diagonal,
        };
        match exploration.run() {
            Ok(()) => return Ok(exploration.graph),
            Err(Stop::GiveUp(reason)) => return Err(reason),
            Err(Stop::Raise(_, _)) if is_diagonal => return Err(GiveUp::Clocks),
            Err(Stop::Raise(clock, cap)) => caps[clock] = cap,
        }
    }
}

/// The largest constant that each clock is compared with, and whether two clocks are compared with each other.
fn constants(network: &Network, goals: &[&Goal]) -> (Vec<i32>, bool) {
    let mut caps = vec![-1; network.clocks.len()];
    caps[0] = 0;
    let mut is_diagonal = false;
    let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
    let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
    for constraint in guards.chain(invariants).chain(goals.iter().flat_map(|goal| &goal.clocks)) {
        let (low, high) = constraint.bound.range();
        let reach = low.saturating_abs().max(high.saturating_abs());
        for clock in [constraint.left, constraint.right].into_iter().filter(|&clock| clock != ClockId::ZERO) {
            caps[clock.index()] = caps[clock.index()].max(reach);
        }
        is_diagonal |= constraint.is_diagonal();
    }
    (caps, is_diagonal)
}

impl<'n> RegionGraph<'n> {
    fn empty(network: &'n Network, caps: Vec<i32>, has_exact_clocks: bool) -> Self {
        Self {
            network,
            caps,
            has_exact_clocks,
            discrete: Vec::new(),
            ids: FxHashMap::default(),
            states: IndexSet::default(),
            layers: Vec::new(),
            delays: Vec::new(),
            actions: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether not even the initial state satisfies the invariants.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Locations and values of a state.
    pub fn cells(&self, state: u32) -> &[i32] {
        &self.discrete[self.states[state as usize].0 as usize].cells
    }

    pub(crate) fn discrete_of(&self, state: u32) -> usize {
        self.states[state as usize].0 as usize
    }

    /// The region of a state.
    pub fn region(&self, state: u32) -> &Region {
        &self.states[state as usize].1
    }

    /// The smallest number of transitions to a state.
    pub fn layer(&self, state: u32) -> u32 {
        self.layers[state as usize]
    }

    /// What time does in a state.
    pub fn delay(&self, state: u32) -> Delay {
        self.delays[state as usize]
    }

    /// The transitions of a state.
    pub fn actions(&self, state: u32) -> &[Action] {
        &self.actions[state as usize]
    }

    /// The state with these cells and the clock values `values[i] / denominator`, if it is reachable.
    pub fn find(&self, cells: &[i32], values: &[i64], denominator: i64) -> Option<u32> {
        let discrete = *self.ids.get(cells)?;
        let region = Region::of(values, denominator, &self.caps);
        self.states.get_index_of(&(discrete, region)).map(|index| index as u32)
    }

    /// Whether time may pass in a state at all, be it as little that the region stays the same.
    pub(crate) fn lets_time_pass(&self, state: u32) -> bool {
        let meaning = &self.discrete[self.discrete_of(state)];
        let is_urgent = |offers| moves::is_urgent(self.network, offers, self.region(state));
        !meaning.timeless && !meaning.offers.as_ref().is_ok_and(|offers| is_urgent(offers))
    }

    /// Whether clocks stay exact because their differences matter; then time that goes on for ever is given up, and never seen.
    pub fn has_exact_clocks(&self) -> bool {
        self.has_exact_clocks
    }

    /// The layer in which something went wrong first.
    pub fn failure_layer(&self) -> Option<u32> {
        self.failures.iter().map(|(state, _)| state.map_or(0, |state| self.layer(state))).min()
    }
}

struct Exploration<'n> {
    graph: RegionGraph<'n>,
    machine: Machine<'n>,
    limits: Limits,
    is_diagonal: bool,
}

impl Exploration<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        let network = self.graph.network;
        let locations = network.processes.iter().map(|process| process.initial.0 as i32);
        let values = network.variables.iter().map(|variable| variable.initial);
        let cells: Vec<i32> = locations.chain(values).collect();
        let region = Region::at(network.clocks.iter().map(|clock| clock.initial), &self.graph.caps);
        match self.enter(&cells, region, 0)? {
            Ok(_) => {}
            Err(failure) => self.graph.failures.push((None, failure)),
        }
        let mut layer = 0..self.graph.len();
        while !layer.is_empty() {
            let mut state = layer.start;
            while state < self.graph.len() {
                let delay = self.wait(state as u32)?;
                self.graph.delays.push(delay);
                state += 1;
            }
            layer.end = self.graph.len();
            self.act(layer.clone())?;
            layer = layer.end..self.graph.len();
        }
        Ok(())
    }

    /// Adds a state unless it violates an invariant; says which one it is.
    fn enter(
        &mut self,
        cells: &[i32],
        region: Region,
        layer: u32,
    ) -> Result<Result<Option<u32>, Failure>, Stop> {
        if self.is_diagonal && region.has_far() {
            return Err(Stop::GiveUp(GiveUp::Clocks));
        }
        let graph = &mut self.graph;
        let discrete = match graph.ids.get(cells) {
            Some(&id) => id,
            None => match Discrete::new(graph.network, &mut self.machine, cells) {
                Ok(discrete) => {
                    graph.ids.insert(cells.to_vec(), graph.discrete.len() as u32);
                    graph.discrete.push(discrete);
                    graph.discrete.len() as u32 - 1
                }
                Err(failure) => return Ok(Err(failure)),
            },
        };
        let meaning = &graph.discrete[discrete as usize];
        if !meaning.admissible || !within(&region, &meaning.invariant) {
            return Ok(Ok(None));
        }
        let (index, is_new) = graph.states.insert_full((discrete, region));
        if is_new {
            graph.layers.push(layer);
            if graph.len() > self.limits.states {
                return Err(Stop::GiveUp(GiveUp::States));
            }
        }
        Ok(Ok(Some(index as u32)))
    }

    /// Lets time pass to the next region.
    fn wait(&mut self, state: u32) -> Result<Delay, Stop> {
        let graph = &self.graph;
        let (discrete, region) = &graph.states[state as usize];
        let meaning = &graph.discrete[*discrete as usize];
        let is_urgent =
            meaning.offers.as_ref().is_ok_and(|offers| moves::is_urgent(graph.network, offers, region));
        if meaning.timeless || is_urgent {
            return Ok(Delay::Blocked);
        }
        let later = region.later(&graph.caps);
        if later == *region {
            return Ok(Delay::Forever);
        }
        let (cells, layer) = (meaning.cells.clone(), graph.layers[state as usize]);
        Ok(match self.enter(&cells, later, layer)? {
            Ok(Some(next)) => Delay::To(next),
            Ok(None) | Err(_) => Delay::Blocked,
        })
    }

    /// Takes all transitions of the states of a layer.
    fn act(&mut self, layer: Range<usize>) -> Result<(), Stop> {
        for state in layer {
            let mut actions = Vec::new();
            if let Err(failure) = self.act_in(state as u32, &mut actions)? {
                self.graph.failures.push((Some(state as u32), failure));
            }
            self.graph.actions.push(actions);
        }
        Ok(())
    }

    /// Only the moves of the highest priority that lead somewhere count.
    fn act_in(&mut self, state: u32, actions: &mut Vec<Action>) -> Result<Result<(), Failure>, Stop> {
        let (discrete, region) = self.graph.states[state as usize].clone();
        let meaning = &self.graph.discrete[discrete as usize];
        let offers = match &meaning.offers {
            Ok(offers) => offers,
            Err(failure) => return Ok(Err(failure.clone())),
        };
        let mut moves = moves::moves(self.graph.network, meaning, offers, &region);
        moves.sort_by_key(|item| std::cmp::Reverse(item.priority));
        let cells = meaning.cells.clone();
        let layer = self.graph.layer(state) + 1;
        let mut reached = None;
        for item in moves {
            if reached.is_some_and(|priority| priority > item.priority) {
                break;
            }
            match self.fire(&cells, &region, &item.edges, layer)? {
                Ok(Some(target)) => {
                    reached = Some(item.priority);
                    actions.push(Action { edges: item.edges, target });
                }
                Ok(None) => {}
                Err(failure) => return Ok(Err(failure)),
            }
        }
        Ok(Ok(()))
    }

    /// Runs the updates, in order, then enters the target.
    fn fire(
        &mut self,
        cells: &[i32],
        region: &Region,
        edges: &[EdgeId],
        layer: u32,
    ) -> Result<Result<Option<u32>, Failure>, Stop> {
        let network = self.graph.network;
        self.machine.load(cells);
        let mut operations = Vec::new();
        if let Err(error) = self.update(edges, &mut operations) {
            let is_disabled =
                network.range_violation == RangeViolation::Disables && error.fault.is_variable_range();
            return Ok(if is_disabled { Ok(None) } else { Err(error.into()) });
        }
        let mut cells = self.machine.state().to_vec();
        for edge in edges.iter().map(|edge| &network.edges[edge.index()]) {
            cells[edge.process.index()] = edge.target.0 as i32;
        }
        let mut region = region.clone();
        match region.apply(&operations, &self.graph.caps) {
            Ok(()) => self.enter(&cells, region, layer),
            Err(Trouble::Raise(clock, cap)) => Err(Stop::Raise(clock, cap)),
            Err(Trouble::Negative(clock)) => Ok(Err(Failure::NegativeClock(ClockId(clock as u32)))),
        }
    }

    fn update(&mut self, edges: &[EdgeId], operations: &mut Vec<ClockOp>) -> Result<(), EvalError> {
        let network = self.graph.network;
        let own = edges.iter().map(|edge| network.edges[edge.index()].update);
        let all = std::iter::once(network.before_update).chain(own).chain([network.after_update]);
        all.flatten().try_for_each(|code| self.machine.run_update(code, operations))
    }
}
