//! Re-checks a trace step by step: the product's own safety net.

use super::transitions::{Resolved, priority};
use super::{Blocked, Failure, Fired, Interpreter, Rational, State, Transition};
use crate::network::{EdgeId, Network, ProcessId};
use std::fmt;

/// One step of a trace: wait, then take these edges (none: only wait).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayStep {
    /// How long to wait.
    pub delay: Rational,
    /// The edges, in any order.
    pub edges: Vec<EdgeId>,
}

/// A step that has been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayedStep {
    /// How long was waited.
    pub delay: Rational,
    /// The state after waiting.
    pub before: State,
    /// The transition; `None` when the step only waits.
    pub transition: Option<Transition>,
    /// The state after the transition.
    pub after: State,
    /// What this step costs: waiting and the transition.
    pub cost: Rational,
}

impl From<&ReplayedStep> for ReplayStep {
    fn from(step: &ReplayedStep) -> Self {
        let edges = step.transition.as_ref().map_or_else(Vec::new, |transition| transition.edges.clone());
        Self { delay: step.delay, edges }
    }
}

/// The step of a trace that is not possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("step {step}: {reason}")]
pub struct ReplayError {
    /// Which step, from 0.
    pub step: usize,
    /// Why it is not possible.
    pub reason: ReplayReason,
}

/// Why a step is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayReason {
    /// The initial state violates an invariant.
    Initial,
    /// So much time may not pass; at most this (excluded itself when `true`).
    Delay(Rational, bool),
    /// A process is not where the edge begins, or takes two edges.
    Source(EdgeId),
    /// A guard does not hold.
    Guard(EdgeId),
    /// The edges do not form a synchronisation, or one that others have to take part in as well.
    Synchronisation,
    /// Another process is in a committed location.
    Committed,
    /// A transition of higher priority is enabled.
    Priority(Transition),
    /// An invariant would not hold, or a range would be left.
    Blocked(Blocked),
    /// An evaluation failed.
    Failure(Failure),
}

impl fmt::Display for ReplayReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayReason::Initial => f.write_str("the initial state violates an invariant"),
            ReplayReason::Delay(limit, true) => write!(f, "the delay must be less than {limit}"),
            ReplayReason::Delay(limit, false) => write!(f, "the delay must be at most {limit}"),
            ReplayReason::Source(edge) => write!(f, "no process is ready for edge {}", edge.0),
            ReplayReason::Guard(edge) => write!(f, "the guard of edge {} does not hold", edge.0),
            ReplayReason::Synchronisation => f.write_str("the edges do not synchronise in this state"),
            ReplayReason::Committed => f.write_str("a process in a committed location has to move first"),
            ReplayReason::Priority(_) => f.write_str("a transition of higher priority is enabled"),
            ReplayReason::Blocked(Blocked::Invariant(location)) => {
                write!(f, "the invariant of location {} would not hold", location.0)
            }
            ReplayReason::Blocked(Blocked::Range(error)) => write!(f, "{error}"),
            ReplayReason::Failure(failure) => write!(f, "{failure}"),
        }
    }
}

/// Checks a trace from the initial state on; gives the states on the way, or the step that fails and why.
pub fn replay(network: &Network, steps: &[ReplayStep]) -> Result<Vec<ReplayedStep>, ReplayError> {
    replay_beside(network, steps, &vec![false; network.processes.len()])
}

/// As [`replay`], where the steps do not say what some processes (by number: `true`) do: they take part where others make them, by the first edges that they can take, and
/// do nothing else.
pub fn replay_beside(
    network: &Network,
    steps: &[ReplayStep],
    bystanders: &[bool],
) -> Result<Vec<ReplayedStep>, ReplayError> {
    let mut interpreter = Interpreter::new(network);
    let mut state = interpreter.initial();
    match interpreter.invariants_hold(&state) {
        Ok(true) => {}
        Ok(false) => return Err(ReplayError { step: 0, reason: ReplayReason::Initial }),
        Err(failure) => return Err(ReplayError { step: 0, reason: ReplayReason::Failure(failure) }),
    }
    let mut replayed = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let done = interpreter
            .step_beside(&state, step, bystanders)
            .map_err(|reason| ReplayError { step: index, reason })?;
        state = done.after.clone();
        replayed.push(done);
    }
    Ok(replayed)
}

impl From<Failure> for ReplayReason {
    fn from(failure: Failure) -> Self {
        ReplayReason::Failure(failure)
    }
}

impl Interpreter<'_> {
    /// Checks and takes one step.
    pub fn replay_step(&mut self, state: &State, step: &ReplayStep) -> Result<ReplayedStep, ReplayReason> {
        self.step_beside(state, step, &vec![false; self.network.processes.len()])
    }

    fn step_beside(
        &mut self,
        state: &State,
        step: &ReplayStep,
        bystanders: &[bool],
    ) -> Result<ReplayedStep, ReplayReason> {
        if !self.can_delay(state, step.delay)? {
            let (limit, strict) = self.max_delay(state)?.unwrap_or((Rational::ZERO, false));
            return Err(ReplayReason::Delay(limit, strict));
        }
        let before = self.delay(state, step.delay)?;
        let delay = step.delay;
        let waiting = self.waiting_cost(state, delay)?;
        if step.edges.is_empty() {
            let after = before.clone();
            return Ok(ReplayedStep { delay, before, transition: None, after, cost: waiting });
        }
        let transition = self.matching(&before, &step.edges, bystanders)?;
        match self.fire(&before, &transition)? {
            Fired::Blocked(blocked) => Err(ReplayReason::Blocked(blocked)),
            Fired::Reached(after) => {
                let cost = waiting.plus(self.price()).map_err(Failure::from)?;
                // Nothing has priority where somebody stands by, and what they could do need not be looked at.
                if self.network.features.priorities || !bystanders.contains(&true) {
                    self.outranked(&before, &transition)?;
                }
                Ok(ReplayedStep { delay, before, transition: Some(transition), after, cost })
            }
        }
    }

    /// The candidate transition with exactly these edges, and perhaps some of bystanders.
    fn matching(
        &mut self,
        state: &State,
        edges: &[EdgeId],
        bystanders: &[bool],
    ) -> Result<Transition, ReplayReason> {
        let network = self.network;
        let stands_by = |edge: &EdgeId| {
            network.edges.get(edge.index()).is_some_and(|edge| bystanders[edge.process.index()])
        };
        let sorted = |edges: &[EdgeId]| {
            let mut edges = edges.to_vec();
            edges.retain(|edge| !stands_by(edge));
            edges.sort_unstable();
            edges
        };
        let wanted = sorted(edges);
        let candidates = self.candidates_beside(state, bystanders)?;
        if let Some(found) = candidates.into_iter().find(|candidate| sorted(&candidate.edges) == wanted) {
            return Ok(found);
        }
        Err(self.mismatch(state, edges)?)
    }

    /// The candidates in which bystanders do nothing but receive, each by the first edge that it can take.
    fn candidates_beside(&mut self, state: &State, bystanders: &[bool]) -> Result<Vec<Transition>, Failure> {
        let mut offers = self.offers(state)?;
        let mut seen = Vec::new();
        offers.retain(|offer| {
            let stands_by = bystanders[offer.process.index()];
            let is_ready = offer.window.contains(Rational::ZERO);
            let is_first = is_ready && (!stands_by || !seen.contains(&(offer.process, offer.sync)));
            if stands_by && is_first {
                seen.push((offer.process, offer.sync));
            }
            is_first && (!stands_by || matches!(offer.sync, Resolved::Receive(_)))
        });
        Ok(self.candidates_among(state, &offers))
    }

    /// Why no candidate has these edges.
    fn mismatch(&mut self, state: &State, edges: &[EdgeId]) -> Result<ReplayReason, Failure> {
        let mut seen: Vec<ProcessId> = Vec::new();
        for &id in edges {
            let Some(edge) = self.network.edges.get(id.index()) else { return Ok(ReplayReason::Source(id)) };
            if state.locations[edge.process.index()] != edge.source || seen.contains(&edge.process) {
                return Ok(ReplayReason::Source(id));
            }
            seen.push(edge.process);
            self.load(state);
            let holds =
                self.machine.holds(&edge.data_guard)? && self.constraints_hold(state, &edge.clock_guard)?;
            if !holds {
                return Ok(ReplayReason::Guard(id));
            }
        }
        let committed = |location: &crate::LocationId| {
            self.network.locations[location.index()].kind == crate::LocationKind::Committed
        };
        let leaves = edges.iter().any(|edge| committed(&self.network.edges[edge.index()].source));
        if state.locations.iter().any(committed) && !leaves {
            return Ok(ReplayReason::Committed);
        }
        Ok(ReplayReason::Synchronisation)
    }

    /// Complains when a possible transition has a higher priority.
    fn outranked(&mut self, state: &State, transition: &Transition) -> Result<(), ReplayReason> {
        let own = priority(self.network, transition);
        let enabled = self.enabled(state)?;
        match enabled.into_iter().find(|other| priority(self.network, other) > own) {
            Some(higher) => Err(ReplayReason::Priority(higher)),
            None => Ok(()),
        }
    }
}
