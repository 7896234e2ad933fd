//! Successors of symbolic states, with the complete semantics of the language.
//!
//! A state is ⟨locations, values, zone⟩ with a zone that is closed under delay. Its successors are computed in three steps: *guards* restrict the source
//! zone; the *update* runs on the data and says what happens to clocks; the *zone step* carries the zone into the clocks that matter in the target,
//! lets time pass as far as the invariants allow, and abstracts. Resets, copies and the change of dimension are one pass over the
//! matrix. Nothing is allocated per successor in the ordinary case; broadcasts whose receivers test clocks, priorities and diagonal
//! constraints split zones and take a slower way.

mod split;
mod update;
mod zone_step;

use crate::bounds::LocalBounds;
use crate::diagonals::Diagonals;
use crate::enabled::Candidates;
use crate::index::{self, EdgeIndex};
use crate::options::{Abstraction, Extrapolation};
use crate::packing::Packing;
use crate::probe::Probe;
use crate::state::{ActiveClocks, SymbolicState};
use guidepost_answer::Unsupported;
use guidepost_network::{ClockConstraint, ClockId, ClockOp, EdgeId, EvalError, Goal, Machine, Network, Sync};
use guidepost_zones::{Bound, Constraint, Zone};
use std::ops::ControlFlow;
use std::sync::Arc;

/// An evaluation that failed while a state was expanded.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// What went wrong, and where in the model.
    pub error: EvalError,
    /// The edges of the transition during which it happened; empty when it happened while looking for transitions.
    pub edges: Vec<EdgeId>,
}

/// Where a clock of the target comes from: a clock of the source zone (or the zero clock) plus an offset.
#[derive(Clone, Copy, Debug)]
struct Origin {
    place: usize,
    offset: i32,
}

/// Whether a network can be explored with zones, perhaps with an over-approximation of its stop-watches.
pub fn supports(network: &Network, approximate_stopwatches: bool) -> Result<(), Unsupported> {
    if network.features.stopwatches && !approximate_stopwatches {
        return Err(Unsupported::Stopwatches);
    }
    if network.features.guarded_urgent_channels {
        return Err(Unsupported::GuardedUrgentChannel);
    }
    Ok(())
}

/// Computes successors. One per thread.
pub struct Explorer<'n> {
    pub(crate) network: &'n Network,
    pub(crate) machine: Machine<'n>,
    pub(crate) index: EdgeIndex,
    pub(crate) source: SymbolicState,
    pub(crate) candidates: Candidates,
    abstraction: Abstraction,
    bounds: LocalBounds,
    active: ActiveClocks,
    packing: Arc<Packing>,
    diagonals: Diagonals,
    target: SymbolicState,
    guarded: Zone,
    /// Cells of `meta` variables with the value they have outside of transitions.
    meta: Vec<(usize, i32)>,
    operations: Vec<ClockOp>,
    origins: Vec<Origin>,
    /// Clocks that the update sets to less than the clock they come from, in order.
    lowered: Vec<(ClockId, Origin)>,
    sources: Vec<usize>,
    invariants: Vec<Constraint>,
    maxima: Vec<i32>,
    time_passes: bool,
    /// Successors are wanted as they are entered, before any delay.
    entries_only: bool,
    /// The part of the source that the last successor came from, when it had to be split.
    fired: Option<Zone>,
    /// Some zone was widened beyond what is exact: a stop-watch, or values that are too large.
    approximated: bool,
}

impl<'n> Explorer<'n> {
    /// An explorer for a network, precise enough for the given goals.
    pub fn new(network: &'n Network, goals: &[&Goal], abstraction: Abstraction) -> Result<Self, Unsupported> {
        supports(network, abstraction.approximate_stopwatches)?;
        let diagonals = Diagonals::new(network, goals);
        // With diagonals, only the bisimulation-based extrapolation of split zones is sound, and plain inclusion.
        let abstraction = if diagonals.is_empty() {
            abstraction
        } else {
            let extrapolation = if diagonals.is_complete() { Extrapolation::M } else { Extrapolation::None };
            Abstraction {
                extrapolation,
                approximate_stopwatches: abstraction.approximate_stopwatches,
                ..Abstraction::BISIMULATION
            }
        };
        Ok(Self {
            network,
            machine: Machine::new(&network.program),
            index: EdgeIndex::new(network),
            source: SymbolicState::new(network),
            candidates: Candidates::new(network.channels.len(), network.vectors.len()),
            abstraction,
            bounds: LocalBounds::new(network, goals, &diagonals, abstraction.precision),
            active: ActiveClocks::new(network),
            packing: Arc::new(Packing::new(network)),
            diagonals,
            target: SymbolicState::new(network),
            guarded: Zone::zero(1),
            meta: meta_cells(network),
            operations: Vec::new(),
            origins: vec![Origin { place: 0, offset: 0 }; network.clocks.len()],
            lowered: Vec::new(),
            sources: Vec::new(),
            invariants: Vec::new(),
            maxima: Vec::new(),
            time_passes: false,
            entries_only: false,
            fired: None,
            approximated: false,
        })
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The abstraction in force (diagonal constraints can force another one than was asked for).
    pub fn abstraction(&self) -> Abstraction {
        self.abstraction
    }

    /// The machine that evaluates for it.
    pub fn machine(&self) -> &Machine<'n> {
        &self.machine
    }

    /// How discrete states are packed.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// A probe for the states of this explorer.
    pub fn probe(&self) -> Probe {
        Probe::new(&self.packing, self.abstraction.subsumption)
    }

    /// The packing, to be kept while the explorer works.
    pub fn packing_handle(&self) -> Arc<Packing> {
        Arc::clone(&self.packing)
    }

    /// Whether a zone had to be over-approximated so far.
    pub fn is_approximate(&self) -> bool {
        self.approximated
    }

    /// Makes a clock's exact value count up to a bound everywhere, for questions about its range.
    pub fn observe(&mut self, clock: ClockId, value: i32) {
        self.bounds.observe(clock, value);
    }

    /// Whether diagonal constraints split states.
    pub(crate) fn splits_states(&self) -> bool {
        !self.diagonals.list().is_empty()
    }

    /// The source state of the last expansion.
    pub fn source(&self) -> &SymbolicState {
        &self.source
    }

    /// The part of the source zone that the last visited successor came from, when receivers that stay out or priorities split it.
    pub fn piece(&self) -> Option<&Zone> {
        self.fired.as_ref()
    }

    /// Visits the initial states: one, or several pieces of it when diagonal constraints split it, or none when an invariant does not hold.
    pub fn initial(&mut self, visit: &mut dyn FnMut(&SymbolicState)) -> Result<(), Failure> {
        self.target.cells.copy_from_slice(self.packing.initial());
        self.machine.load(&self.target.cells);
        self.operations.clear();
        for origin in &mut self.origins {
            *origin = Origin { place: 0, offset: 0 };
        }
        for (origin, clock) in self.origins.iter_mut().zip(&self.network.clocks) {
            origin.offset = clock.initial;
        }
        let failure = |error| Failure { error, edges: Vec::new() };
        let entered = self.enter_discrete();
        if !self.tolerate(entered, false).map_err(failure)? {
            return Ok(());
        }
        let start = Zone::zero(1);
        if self.zone_step(&start) {
            let _ = self.emit(&mut |state| {
                visit(state);
                ControlFlow::Continue(())
            });
        }
        Ok(())
    }

    /// The initial states, as [`Explorer::initial`] visits them.
    pub fn initial_states(&mut self) -> Result<Vec<SymbolicState>, Failure> {
        let mut states = Vec::new();
        self.initial(&mut |state| states.push(state.clone()))?;
        Ok(states)
    }

    /// Visits all successors of a state, in a fixed order, until the visitor breaks off.
    pub fn expand(
        &mut self,
        state: &SymbolicState,
        visit: &mut dyn FnMut(&SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.source.assign(state);
        self.expand_source(visit)
    }

    /// As [`Explorer::expand`], for the state that [`Explorer::load_source`] loaded.
    pub fn expand_source(
        &mut self,
        visit: &mut dyn FnMut(&SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.hand_out_successors(&mut |state, edges| visit(state, edges))
    }

    /// As [`Explorer::expand_source`], for visitors that keep successors: they may exchange one for any other state of the network, which costs less than
    /// a copy.
    pub fn hand_out_successors(
        &mut self,
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.machine.load(&self.source.cells);
        self.find_candidates().map_err(|error| Failure { error, edges: Vec::new() })?;
        let candidates = std::mem::take(&mut self.candidates);
        let mut result = Ok(ControlFlow::Continue(()));
        for position in 0..candidates.list.len() {
            result = self.fire(&candidates, position, visit);
            if !matches!(result, Ok(ControlFlow::Continue(()))) {
                break;
            }
        }
        self.candidates = candidates;
        result.map(|_| ())
    }

    /// Loads a stored state as the source: its cells, then the zone over the clocks that matter there.
    pub fn load_source(&mut self, cells: impl FnOnce(&Packing, &mut [i32]), zone: impl FnOnce(&mut Zone)) {
        cells(&self.packing, &mut self.source.cells);
        self.source.find_clocks(&self.bounds, self.network.processes.len(), &mut self.active);
        zone(&mut self.source.zone);
    }

    #[inline]
    fn fire(
        &mut self,
        candidates: &Candidates,
        position: usize,
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Failure> {
        let candidate = &candidates.list[position];
        let edges = candidates.edges(&candidate.edges);
        let needs_splitting = !candidate.excluded.is_empty() || self.network.features.priorities;
        let result = if needs_splitting {
            self.fire_split(candidates, position, edges, visit)
        } else {
            self.fire_convex(edges, visit)
        };
        let result = self.tolerate(result, ControlFlow::Continue(()));
        result.map_err(|error| Failure { error, edges: edges.to_vec() })
    }

    /// The ordinary case: the guard cuts a zone out of the source.
    fn fire_convex(
        &mut self,
        edges: &[EdgeId],
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, EvalError> {
        self.machine.load(&self.source.cells);
        self.fired = None;
        let Some(is_restricted) = self.guard(edges)? else { return Ok(ControlFlow::Continue(())) };
        if !self.update(edges)? {
            return Ok(ControlFlow::Continue(()));
        }
        let from = if is_restricted { &self.guarded } else { &self.source.zone };
        self.check_copies(from, edges)?;
        if !self.enter_discrete()? {
            return Ok(ControlFlow::Continue(()));
        }
        self.find_sources();
        let from = if is_restricted { &self.guarded } else { &self.source.zone };
        from.gather(&self.sources, &mut self.target.zone);
        if !self.finish_zone() {
            return Ok(ControlFlow::Continue(()));
        }
        Ok(self.emit(&mut |state| visit(state, edges)))
    }

    /// Restricts the source zone by the guards of some edges. `None`: nothing is left. Otherwise whether the result is in
    /// [`Explorer::guarded`] (and not the source zone itself).
    #[inline]
    fn guard(&mut self, edges: &[EdgeId]) -> Result<Option<bool>, EvalError> {
        let network = self.network;
        let mut is_restricted = false;
        for &edge in edges {
            for constraint in &network.edges[edge.index()].clock_guard {
                let Some(constraint) = Self::constraint(&mut self.machine, &self.source, constraint)? else {
                    continue;
                };
                if !is_restricted {
                    if self.source.zone.satisfies(constraint) {
                        continue;
                    }
                    self.guarded.assign(&self.source.zone);
                    is_restricted = true;
                }
                if !self.guarded.constrain(constraint.left.into(), constraint.right.into(), constraint.bound)
                {
                    return Ok(None);
                }
            }
        }
        Ok(Some(is_restricted))
    }

    /// A constraint in terms of a state's zone, evaluated in the machine's current state; `None` when its condition does not hold.
    #[inline]
    pub(crate) fn constraint(
        machine: &mut Machine<'_>,
        state: &SymbolicState,
        constraint: &ClockConstraint,
    ) -> Result<Option<Constraint>, EvalError> {
        let Some(value) = machine.bound(constraint)? else { return Ok(None) };
        let bound = if constraint.strict { Bound::lt(value) } else { Bound::le(value) };
        let place = |clock| state.place(clock).expect("clocks that are tested are active");
        Ok(Some(Constraint::new(place(constraint.left), place(constraint.right), bound)))
    }

    /// With the target's cells in place: checks data invariants, finds the clocks that matter, evaluates clock invariants, and decides whether time
    /// may pass.
    fn enter_discrete(&mut self) -> Result<bool, EvalError> {
        let network = self.network;
        let processes = network.processes.len();
        let mut facts = 0;
        for process in 0..processes {
            facts |= self.index.facts(self.target.cells[process]);
        }
        if facts & index::DATA_INVARIANT != 0 {
            for process in 0..processes {
                let location = &network.locations[self.target.cells[process] as usize];
                if !location.data_invariant.is_empty() && !self.machine.holds(&location.data_invariant)? {
                    return Ok(false);
                }
            }
        }
        self.target.find_clocks(&self.bounds, processes, &mut self.active);
        self.invariants.clear();
        if facts & index::CLOCK_INVARIANT != 0 {
            for process in 0..processes {
                let location = self.target.cells[process];
                if self.index.facts(location) & index::CLOCK_INVARIANT == 0 {
                    continue;
                }
                for constraint in &network.locations[location as usize].clock_invariant {
                    let constraint = Self::constraint(&mut self.machine, &self.target, constraint)?;
                    self.invariants.extend(constraint);
                }
            }
        }
        self.time_passes = self.may_delay_with(facts)?;
        Ok(true)
    }

    /// Whether time may pass in the machine's state.
    pub(crate) fn may_delay(&mut self) -> Result<bool, EvalError> {
        let locations = &self.machine.state()[..self.network.processes.len()];
        let facts = locations.iter().fold(0, |facts, &location| facts | self.index.facts(location));
        self.may_delay_with(facts)
    }

    /// As [`Explorer::may_delay`], with what is known of the current locations.
    #[inline]
    fn may_delay_with(&mut self, facts: u8) -> Result<bool, EvalError> {
        if facts & index::STOPS_TIME != 0 {
            return Ok(false);
        }
        if facts & index::URGENT_CHANNEL != 0 { Ok(!self.can_synchronise_urgently()?) } else { Ok(true) }
    }

    /// Whether an urgent channel has a sender and (unless it is a broadcast) a receiver whose data guards hold.
    fn can_synchronise_urgently(&mut self) -> Result<bool, EvalError> {
        let network = self.network;
        let mut sends = Vec::new();
        let mut receives = Vec::new();
        for process in 0..network.processes.len() {
            let location = self.machine.state()[process];
            for position in 0..self.index.at(location).urgent.len() {
                let id = self.index.at(location).urgent[position];
                let edge = &network.edges[id.index()];
                let holds = self.machine.holds(&edge.data_guard);
                if !self.tolerate(holds, false)? {
                    continue;
                }
                match &edge.sync {
                    Sync::Send(channel) => {
                        let Some(channel) = self.channel_if_any(channel)? else { continue };
                        if !network.channels[channel.index()].urgent {
                            continue;
                        }
                        if network.channels[channel.index()].broadcast {
                            return Ok(true);
                        }
                        sends.push((channel, process));
                    }
                    Sync::Receive(channel) => {
                        receives.extend(self.channel_if_any(channel)?.map(|channel| (channel, process)));
                    }
                    Sync::Internal | Sync::Join(_) => {}
                }
            }
        }
        Ok(sends.iter().any(|send| receives.iter().any(|receive| send.0 == receive.0 && send.1 != receive.1)))
    }
}

impl Explorer<'_> {
    /// Visits the initial state as it is, before any delay.
    pub fn initial_entry(&mut self, visit: &mut dyn FnMut(&SymbolicState)) -> Result<(), Failure> {
        self.entries_only = true;
        let result = self.initial(visit);
        self.entries_only = false;
        result
    }

    /// As [`Explorer::expand`], but successors are visited as they are entered, before any delay.
    pub fn expand_entries(
        &mut self,
        state: &SymbolicState,
        visit: &mut dyn FnMut(&SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.entries_only = true;
        let result = self.expand(state, visit);
        self.entries_only = false;
        result
    }
}

/// `meta` variables live within a transition only: outside they have their initial value.
fn meta_cells(network: &Network) -> Vec<(usize, i32)> {
    let first = network.processes.len();
    let variables = network.variables.iter().enumerate().filter(|(_, variable)| variable.meta);
    variables.map(|(index, variable)| (first + index, variable.initial)).collect()
}
