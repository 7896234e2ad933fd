//! The concrete semantics: one point in time, exact clock values, no zones.
//!
//! Written plainly and independently of the zone engine, because each checks the other: a trace found by zones is replayed here before it is shown, and random
//! runs made here must be possible there. Only the network is shared. Speed is no concern.

mod choices;
mod delay;
mod fire;
mod initial;
mod obstacles;
mod random;
mod rational;
mod replay;
mod shares;
mod simulate;
mod start;
mod transitions;
mod window;

pub use choices::{Choice, Choices};
pub use fire::{Blocked, Fired};
pub use initial::initial_violations;
pub use obstacles::Obstacle;
pub use random::Random;
pub use rational::{NotARational, Rational, TooPrecise};
pub use replay::{ReplayError, ReplayReason, ReplayStep, ReplayedStep, replay, replay_beside};
pub use shares::Share;
pub use simulate::{Run, RunEnd, RunStep, simulate};
pub use start::BeyondClocks;
pub use transitions::{Transition, TransitionKind};
pub use window::Interval;

use crate::code::{EvalError, Machine};
use crate::network::{ClockConstraint, ClockId, LocationId, Network, Operand};
use crate::query::Goal;
use window::Window;

/// A concrete state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Where each process is.
    pub locations: Vec<LocationId>,
    /// The value of each variable.
    pub variables: Vec<i32>,
    /// The value of each clock; the first is the constant zero.
    pub clocks: Vec<Rational>,
}

/// Why the meaning of a state or a transition could not be computed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// An expression has no value: a range was left, a division by zero, …
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// `x = y - 3` made a clock negative.
    #[error("clock #{} would become negative", .0.0)]
    NegativeClock(ClockId),
    /// Clock values outgrew their representation.
    #[error(transparent)]
    TooPrecise(#[from] TooPrecise),
}

/// Runs a network on concrete states.
#[derive(Clone, Debug)]
pub struct Interpreter<'n> {
    network: &'n Network,
    machine: Machine<'n>,
}

impl<'n> Interpreter<'n> {
    /// An interpreter of the network.
    pub fn new(network: &'n Network) -> Self {
        Self { network, machine: Machine::new(&network.program) }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The state in which everything begins. It may violate an invariant; see [`invariants_hold`](Self::invariants_hold).
    pub fn initial(&self) -> State {
        State {
            locations: self.network.processes.iter().map(|process| process.initial).collect(),
            variables: self.network.variables.iter().map(|variable| variable.initial).collect(),
            clocks: (0..self.network.clocks.len() as u32)
                .map(|clock| self.network.initial_value(ClockId(clock)))
                .collect(),
        }
    }

    /// Whether all invariants hold.
    pub fn invariants_hold(&mut self, state: &State) -> Result<bool, Failure> {
        Ok(self.violated_invariant(state)?.is_none())
    }

    /// A current location whose invariant does not hold. Where all do, the rates of the cost have values.
    pub(crate) fn violated_invariant(&mut self, state: &State) -> Result<Option<LocationId>, Failure> {
        self.load(state);
        for &id in &state.locations {
            let location = &self.network.locations[id.index()];
            let holds = self.machine.holds(&location.data_invariant)?
                && self.constraints_hold(state, &location.clock_invariant)?;
            if !holds {
                return Ok(Some(id));
            }
        }
        if self.network.features.costs {
            self.machine.cost_rate(self.network)?;
        }
        Ok(None)
    }

    /// Whether the state satisfies a goal. `deadlock` is left to the caller, who knows how it wants to decide it.
    pub fn satisfies(&mut self, state: &State, goal: &Goal) -> Result<bool, Failure> {
        Ok(self.satisfies_discretely(state, goal)? && self.constraints_hold(state, &goal.clocks)?)
    }

    /// The earliest moment at which waiting in a state makes it satisfy a goal, or one soon after it where that is excluded; `None` when waiting does not
    /// help. `deadlock` is left to the caller. The state must satisfy its invariants.
    pub fn delay_to(&mut self, state: &State, goal: &Goal) -> Result<Option<Rational>, Failure> {
        if !self.satisfies_discretely(state, goal)? {
            return Ok(None);
        }
        let rates = self.rates(state)?;
        let mut window = self.window(state, &rates, &goal.clocks)?;
        if let Some((limit, is_excluded)) = self.max_delay(state)? {
            // Not to wait is always possible.
            window = window.and(&Window::until(limit, is_excluded && limit != Rational::ZERO));
        }
        if window.is_empty() {
            return Ok(None);
        }
        Ok(Some(match (window.lower_strict, window.upper) {
            (false, _) => window.lower,
            (true, Some((upper, _))) => window.lower.midpoint(upper)?,
            (true, None) => window.lower.plus(1.into())?,
        }))
    }

    /// Whether the locations and data of a state satisfy a goal; leaves the state loaded, with the goal's code.
    fn satisfies_discretely(&mut self, state: &State, goal: &Goal) -> Result<bool, Failure> {
        let located = |(process, admissible): &(crate::ProcessId, Vec<LocationId>)| {
            admissible.contains(&state.locations[process.index()])
        };
        if !goal.locations.iter().all(located) {
            return Ok(false);
        }
        self.load(state);
        self.machine.attach(&goal.segment);
        Ok(self.machine.holds(&goal.data)?)
    }

    /// Puts the discrete part of a state into the machine.
    fn load(&mut self, state: &State) {
        let cells = self.machine.state_mut();
        let (locations, variables) = cells.split_at_mut(state.locations.len());
        for (cell, location) in locations.iter_mut().zip(&state.locations) {
            *cell = location.0 as i32;
        }
        variables.copy_from_slice(&state.variables);
    }

    /// The constraints that count in the loaded state, with their bounds.
    fn active<'c>(
        &mut self,
        constraints: &'c [ClockConstraint],
    ) -> Result<Vec<(&'c ClockConstraint, Rational)>, Failure> {
        let mut active = Vec::new();
        for constraint in constraints {
            let counts = match constraint.condition {
                Some(condition) => self.machine.eval(condition)? != 0,
                None => true,
            };
            if counts {
                let bound = match constraint.bound {
                    Operand::Const(value) => value,
                    Operand::Code(code, ..) => self.machine.eval(code)?,
                };
                active.push((constraint, bound.into()));
            }
        }
        Ok(active)
    }

    fn constraints_hold(&mut self, state: &State, constraints: &[ClockConstraint]) -> Result<bool, Failure> {
        for (constraint, bound) in self.active(constraints)? {
            let difference =
                state.clocks[constraint.left.index()].minus(state.clocks[constraint.right.index()])?;
            if difference > bound || (constraint.strict && difference == bound) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The delays after which the constraints hold, in the loaded state.
    fn window(
        &mut self,
        state: &State,
        rates: &[bool],
        constraints: &[ClockConstraint],
    ) -> Result<Window, Failure> {
        let mut window = Window::ALWAYS;
        for (constraint, bound) in self.active(constraints)? {
            let (left, right) = (constraint.left.index(), constraint.right.index());
            let slack = bound.minus(state.clocks[left].minus(state.clocks[right])?)?;
            let part = match (rates[left], rates[right]) {
                (true, false) => Window::until(slack, constraint.strict),
                (false, true) => Window::from(Rational::ZERO.minus(slack)?, constraint.strict),
                _ if slack.is_negative() || (constraint.strict && slack == Rational::ZERO) => Window::NEVER,
                _ => Window::ALWAYS,
            };
            window = window.and(&part);
        }
        Ok(window)
    }
}
