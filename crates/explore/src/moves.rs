//! Moves: what may happen in a discrete state, as far as locations and data say.
//!
//! This is the semantics of transitions without a representation of time. For a source (locations and values), [`Moves`] finds the candidates: who moves
//! together, which receivers must stay out, what has priority. For each of them it gives the guard as constraints on clocks (bounds are evaluated), runs the
//! update, and says what the target is: its cells, where the value of every clock comes from, the constraints of its invariants, and whether time may pass there.
//!
//! An engine brings a representation of clock values, see [`TimeDomain`](crate::TimeDomain), and applies all that to it:
//!
//! 1. [`Moves::set_source`], then [`Moves::find`];
//! 2. for a candidate, the part of the values that it can be taken from: by [`Moves::guard`] where only its own guards count
//!    ([`Moves::needs_splitting`] says so), otherwise by [`Moves::possible`];
//! 3. unless nothing is left, [`Moves::arrive`]; then the engine carries the values over ([`Moves::origin`]), restricts them ([`Moves::invariants`]), and
//!    lets time pass if it may ([`Moves::may_delay`]).
//!
//! Nothing is allocated per candidate in the ordinary case.

mod candidates;
mod concerned;
mod escape;
mod index;
mod interference;
mod split;
mod stubborn;
mod update;
mod urgency;

pub use candidates::{Candidate, Candidates};
pub(crate) use concerned::Concerned;
pub(crate) use escape::Escapes;
pub(crate) use stubborn::Stubborn;

use crate::time_domain::ClockDifference;
use guidepost_network::{
    ClockConstraint, ClockId, ClockOp, EdgeId, EvalError, Machine, Network, RangeViolation, Variable,
};
use index::EdgeIndex;

/// An evaluation that failed while a state was expanded.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// What went wrong, and where in the model.
    pub error: EvalError,
    /// The edges of the transition during which it happened; empty when it happened while looking for transitions.
    pub edges: Vec<EdgeId>,
}

impl Failure {
    /// A failure outside of transitions.
    pub fn outside(error: EvalError) -> Self {
        Self { error, edges: Vec::new() }
    }
}

/// Where a clock's value comes from: a clock of the source (or the zero clock) plus an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The clock of the source.
    pub clock: ClockId,
    /// What is added.
    pub offset: i32,
}

impl Origin {
    /// The clock keeps its value.
    fn unchanged(clock: ClockId) -> Self {
        Self { clock, offset: 0 }
    }
}

/// Computes moves. One per thread.
pub struct Moves<'n> {
    network: &'n Network,
    /// Works on the source, and after [`Moves::arrive`] on the target.
    machine: Machine<'n>,
    index: EdgeIndex,
    source: Vec<i32>,
    /// What entering the locations of the source has to look at.
    source_facts: u8,
    /// Processes of the source at whose locations there is more to look at than urgent channels, in large networks.
    concerned: Concerned,
    /// Cells of `meta` variables with the value they have outside of transitions.
    meta: Vec<(usize, i32)>,
    operations: Vec<ClockOp>,
    /// By clock; clocks that the last update did not touch are unchanged.
    origins: Vec<Origin>,
    /// Clocks that the update sets to less than the clock they come from, in order.
    lowered: Vec<(ClockId, Origin)>,
    invariants: Vec<ClockDifference>,
    may_delay: bool,
}

impl<'n> Moves<'n> {
    /// The moves of a network.
    pub fn new(network: &'n Network) -> Self {
        let clocks = (0..network.clocks.len() as u32).map(ClockId);
        Self {
            network,
            machine: Machine::new(&network.program),
            index: EdgeIndex::new(network),
            source: network.initial_cells(),
            source_facts: u8::MAX,
            concerned: Concerned::new(network),
            meta: meta_cells(network),
            operations: Vec::new(),
            origins: clocks.map(Origin::unchanged).collect(),
            lowered: Vec::new(),
            invariants: Vec::new(),
            may_delay: false,
        }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The machine that evaluates for it.
    pub fn machine(&self) -> &Machine<'n> {
        &self.machine
    }

    /// Sets the source: one cell per process (its location), then one per variable.
    #[inline]
    pub fn set_source(&mut self, cells: &[i32]) {
        debug_assert!(
            self.are_cells(cells),
            "locations belong to their processes, and values to their ranges"
        );
        self.source.copy_from_slice(cells);
        let locations = &self.source[..self.network.processes.len()];
        self.source_facts = self.index.facts_of(locations);
        let index = &self.index;
        self.concerned.find(locations, |location| index.facts(location) & !index::URGENT_CHANNEL != 0);
        self.rewind();
    }

    /// Goes back to the source.
    #[inline]
    pub fn rewind(&mut self) {
        self.machine.load(&self.source);
    }

    /// The cells of the target, after [`Moves::arrive`].
    #[inline]
    pub fn cells(&self) -> &[i32] {
        self.machine.state()
    }

    /// Whether some invariant of the source is about clocks.
    #[inline]
    pub(crate) fn source_has_clock_invariants(&self) -> bool {
        self.source_facts & index::CLOCK_INVARIANT != 0
    }

    /// Where a clock's value comes from, after [`Moves::arrive`].
    #[inline]
    pub fn origin(&self, clock: ClockId) -> Origin {
        self.origins[clock.index()]
    }

    /// Clocks that the update sets to less than the clock they come from, after [`Moves::arrive`]: where that makes them negative, the model is wrong.
    #[inline]
    pub fn lowered(&self) -> &[(ClockId, Origin)] {
        &self.lowered
    }

    /// What the invariants demand of clocks, after [`Moves::arrive`] or [`Moves::stay`].
    #[inline]
    pub fn invariants(&self) -> &[ClockDifference] {
        &self.invariants
    }

    /// Whether time may pass, after [`Moves::arrive`] or [`Moves::stay`].
    #[inline]
    pub fn may_delay(&self) -> bool {
        self.may_delay
    }

    /// What the transition pays, after [`Moves::arrive`].
    #[inline]
    pub fn take_price(&mut self) -> i64 {
        self.machine.take_price()
    }

    /// The rate at which cost grows in the target, after [`Moves::arrive`] or [`Moves::stay`].
    pub fn cost_rate(&mut self) -> Result<i64, EvalError> {
        self.machine.cost_rate(self.network)
    }

    /// Enters the initial state, as [`Moves::arrive`]: every clock comes from the zero clock. `false`: an invariant about data does not hold.
    pub fn start(&mut self) -> Result<bool, EvalError> {
        self.source = self.network.initial_cells();
        self.source_facts = u8::MAX;
        self.concerned.forget();
        self.rewind();
        self.forget_origins();
        let clocks = (0..).map(ClockId).zip(&self.network.clocks).skip(1);
        self.operations.extend(clocks.map(|(id, clock)| ClockOp::Set(id, clock.initial)));
        self.trace_clocks();
        let entered = self.enter();
        self.tolerate(entered, false)
    }

    /// Enters the source itself, for its invariants and whether time may pass. `false`: an invariant about data does not hold.
    pub fn stay(&mut self) -> Result<bool, EvalError> {
        self.rewind();
        self.forget_origins();
        self.enter()
    }

    /// Visits the constraints of some edges' guards in the source, until the visitor says that nothing satisfies them; says whether it did not.
    #[inline]
    pub fn guard(
        &mut self,
        edges: &[EdgeId],
        mut visit: impl FnMut(ClockDifference) -> bool,
    ) -> Result<bool, EvalError> {
        debug_assert_eq!(self.machine.state(), self.source, "guards are about the source");
        let network = self.network;
        for &edge in edges {
            if let Some(guard) = self.index.guard_of(edge) {
                if !guard.iter().all(|&constraint| visit(constraint)) {
                    return Ok(false);
                }
                continue;
            }
            for constraint in &network.edges[edge.index()].clock_guard {
                if let Some(constraint) = self.evaluate(constraint)?
                    && !visit(constraint)
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Takes the edges of a candidate in the order of their updates. `false`: it is not possible after all. `may_be_below` says whether a clock is
    /// below a number in some of the values that it is taken from.
    #[inline]
    pub fn arrive(
        &mut self,
        edges: &[EdgeId],
        may_be_below: impl Fn(ClockId, i32) -> bool,
    ) -> Result<bool, EvalError> {
        debug_assert_eq!(self.machine.state(), self.source, "a transition leaves from the source");
        if !self.update(edges)? {
            return Ok(false);
        }
        self.check_copies(edges, may_be_below)?;
        let facts = edges.iter().fold(self.source_facts, |facts, &edge| facts | self.index.step(edge).facts);
        if facts == 0 {
            // Nothing to look at, before or after.
            self.invariants.clear();
            self.may_delay = true;
            return Ok(true);
        }
        self.concerned.move_along(self.network, edges);
        if !self.concerned.are_known() {
            return self.enter();
        }
        let concerned = std::mem::take(&mut self.concerned);
        let urgent = self.source_facts & index::URGENT_CHANNEL;
        let processes = concerned.processes().iter().map(|&process| process as usize);
        let entered = self.enter_some(processes, urgent);
        self.concerned = concerned;
        entered
    }

    /// A clock constraint in the machine's state; `None` when its condition does not hold.
    #[inline]
    fn evaluate(&mut self, constraint: &ClockConstraint) -> Result<Option<ClockDifference>, EvalError> {
        evaluate(&mut self.machine, constraint)
    }

    /// Checks the data invariants of the machine's state, evaluates its clock invariants and rates, and decides whether time may pass.
    #[inline]
    fn enter(&mut self) -> Result<bool, EvalError> {
        self.enter_some(0..self.network.processes.len(), 0)
    }

    /// As [`Moves::enter`], where nothing has to be looked at but the locations of some processes, in ascending order, and what is known of the others.
    #[inline]
    fn enter_some(
        &mut self,
        processes: impl Iterator<Item = usize> + Clone,
        mut facts: u8,
    ) -> Result<bool, EvalError> {
        let network = self.network;
        if self.index.has_data_invariants() {
            for process in processes.clone() {
                let location = self.machine.state()[process];
                if self.index.facts(location) & index::DATA_INVARIANT != 0
                    && !self.machine.holds(&network.locations[location as usize].data_invariant)?
                {
                    return Ok(false);
                }
            }
        }
        self.invariants.clear();
        for process in processes {
            let location = self.machine.state()[process];
            let here = self.index.facts(location);
            facts |= here;
            if here & index::CLOCK_INVARIANT == 0 {
                continue;
            }
            if let Some(invariant) = self.index.invariant_of(location) {
                for &constraint in invariant {
                    self.invariants.push(constraint);
                }
                continue;
            }
            for constraint in &network.locations[location as usize].clock_invariant {
                let constraint = self.evaluate(constraint)?;
                self.invariants.extend(constraint);
            }
        }
        if facts & index::COMPUTED_RATE != 0 {
            // Whoever asks about costs or not: a rate that fails is an error of the model.
            self.machine.cost_rate(network)?;
        }
        self.may_delay = self.lets_time_pass(facts)?;
        debug_assert!(
            self.invariants.iter().all(|invariant| invariant.left != invariant.right),
            "invariants are about clocks"
        );
        Ok(true)
    }

    /// Visits the clocks that stand still in the target, after [`Moves::arrive`].
    pub fn stopped_clocks(&mut self, mut visit: impl FnMut(ClockId)) {
        let network = self.network;
        for process in 0..network.processes.len() {
            let location = &network.locations[self.machine.state()[process] as usize];
            for &(clock, rate) in &location.rates {
                if self.machine.eval(rate).is_ok_and(|rate| rate == 0) {
                    visit(clock);
                }
            }
        }
    }

    /// Whether cells are a discrete state of the network.
    fn are_cells(&self, cells: &[i32]) -> bool {
        let (locations, variables) = cells.split_at(self.network.processes.len());
        let processes = self.network.processes.iter();
        let in_range = |(variable, value): (&Variable, &i32)| {
            variable.meta || (variable.min..=variable.max).contains(value)
        };
        locations.iter().zip(processes).all(|(&at, process)| process.locations.contains(&(at as u32)))
            && variables.len() == self.network.variables.len()
            && self.network.variables.iter().zip(variables).all(in_range)
    }

    /// Whether evaluations that fail are no errors.
    #[inline]
    fn is_tolerant(&self) -> bool {
        self.network.range_violation == RangeViolation::Tolerated
    }

    /// What an evaluation says, and where failing is no error, what it says then.
    #[inline]
    pub fn tolerate<T>(&self, result: Result<T, EvalError>, otherwise: T) -> Result<T, EvalError> {
        tolerate(self.network, result, otherwise)
    }
}

/// A clock constraint in a machine's state; `None` when its condition does not hold.
#[inline]
fn evaluate(
    machine: &mut Machine<'_>,
    constraint: &ClockConstraint,
) -> Result<Option<ClockDifference>, EvalError> {
    let difference =
        |value| ClockDifference::new(constraint.left, constraint.right, value, constraint.strict);
    Ok(machine.bound(constraint)?.map(difference))
}

/// What an evaluation says, and where failing is no error, what it says then.
#[inline]
fn tolerate<T>(network: &Network, result: Result<T, EvalError>, otherwise: T) -> Result<T, EvalError> {
    match result {
        Err(_) if network.range_violation == RangeViolation::Tolerated => Ok(otherwise),
        result => result,
    }
}

/// `meta` variables live within a transition only: outside they have their initial value.
fn meta_cells(network: &Network) -> Vec<(usize, i32)> {
    let first = network.processes.len();
    let variables = network.variables.iter().enumerate().filter(|(_, variable)| variable.meta);
    variables.map(|(index, variable)| (first + index, variable.initial)).collect()
}
