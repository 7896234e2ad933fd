//! Successors of symbolic states: moves over zones.
//!
//! A state is ⟨locations, values, zone⟩ with a zone that is closed under delay. [`Moves`] says what may happen; here it happens to zones: *guards* restrict the
//! source zone; the *zone step* carries it into the clocks that matter in the target, lets time pass as far as the invariants allow, and abstracts. Resets,
//! copies and the change of dimension are one pass over the matrix. Nothing is allocated per successor in the ordinary case; broadcasts whose receivers
//! test clocks, priorities and diagonal constraints split zones and take a slower way.

mod source_zone;
mod zone_step;

pub(crate) use source_zone::SourceZone;

use crate::at_once::AtOnce;
use crate::bounds::{LocalBounds, Preserved};
use crate::diagonals::{DiagonalRange, Diagonals};
use crate::exchanges::Exchanges;
use crate::live::LiveVariables;
use crate::moves::{Candidates, Concerned, Escapes, Failure, Moves, Stubborn};
use crate::packing::Packing;
use crate::probe::Probe;
use crate::sharp::SharpLocations;
use crate::slice;
use crate::state::{ActiveClocks, SymbolicState};
use crate::symmetry::Representatives;
use crate::time_domain::TimeDomain;
use crate::trace::Represented;
use crate::zone_abstraction::{Extrapolation, Subsumption, ZoneAbstraction};
use guidepost_answer::Unsupported;
use guidepost_network::{ClockId, Edge, EdgeId, EvalError, Goal, Machine, Network};
use guidepost_zones::{Constraint, Zone};
use std::ops::ControlFlow;
use std::sync::Arc;

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

/// Marks the numbers of successors that were found while independent steps were looked for only where time stands still.
const KEPT_TO_MOMENTS: u32 = 1 << 31;

/// Computes successors. One per thread.
#[expect(clippy::struct_excessive_bools, reason = "facts that have nothing to do with each other")]
pub struct Explorer<'n> {
    pub(crate) network: &'n Network,
    pub(crate) moves: Moves<'n>,
    pub(crate) source: SymbolicState,
    pub(crate) candidates: Candidates,
    abstraction: ZoneAbstraction,
    pub(crate) bounds: LocalBounds,
    /// By edge: whether the same clocks matter, up to the same constants, before and after it as far as its process is concerned.
    keeps_clocks: Vec<bool>,
    /// The clocks of the source are those of the present bounds.
    has_own_source: bool,
    pub(crate) sharp: SharpLocations,
    /// Cells that do not matter, with the values that they get.
    idle: Vec<(usize, i32)>,
    /// Which variables may be looked at again, where that is to be considered.
    live: LiveVariables,
    active: ActiveClocks,
    /// Processes of a source that was loaded at whose locations clocks matter, in large networks where they follow from the locations one by one.
    timed: Concerned,
    packing: Arc<Packing>,
    diagonals: Diagonals,
    target: SymbolicState,
    guarded: Zone,
    /// By clock of the target: the place in the source zone that its value comes from.
    sources: Vec<usize>,
    /// The target's invariants, in terms of its zone.
    invariants: Vec<Constraint>,
    maxima: Vec<i32>,
    /// Successors are wanted as they are entered, before any delay.
    entries_only: bool,
    /// The part of the source that the last successor came from, when it had to be split.
    fired: Option<Zone>,
    /// Successors that differ in the names of scalars only have one representative.
    pub(crate) representatives: Option<Representatives<'n>>,
    /// Successors that differ by parts that can be exchanged have one representative.
    pub(crate) exchanges: Option<Exchanges>,
    /// Where time cannot run out, once somebody has asked for deadlocks.
    pub(crate) escapes: Option<Escapes>,
    /// Which expansions show that a state moves, once somebody wants to hear of it.
    at_once: Option<AtOnce>,
    /// Where time stands still, independent steps are taken in one order only.
    stubborn: Option<Stubborn>,
    /// States are widened when they are kept.
    widens_kept: bool,
    /// Some zone was widened beyond what is exact: a stop-watch, or values that are too large.
    approximated: bool,
    /// Entries of all zones that were handed out.
    entries: u64,
}

impl<'n> Explorer<'n> {
    /// An explorer for a network, precise enough for the given goals.
    pub fn new(
        network: &'n Network,
        goals: &[&Goal],
        abstraction: ZoneAbstraction,
    ) -> Result<Self, Unsupported> {
        Self::with_sharp(network, goals, abstraction, SharpLocations::NONE)
    }

    /// An explorer for a network, precise enough for the given goals, and for deadlocks at some locations.
    pub fn with_sharp(
        network: &'n Network,
        goals: &[&Goal],
        abstraction: ZoneAbstraction,
        sharp: SharpLocations,
    ) -> Result<Self, Unsupported> {
        supports(network, abstraction.approximate_stopwatches)?;
        let is_exact = abstraction.extrapolation == Extrapolation::None
            && abstraction.preserved == Preserved::Simulation;
        let may_compare = is_exact && abstraction.subsumption == Subsumption::AluWithDiagonals;
        let diagonals = Diagonals::new(network, goals, may_compare);
        let abstraction = if diagonals.is_empty() {
            let subsumption = match abstraction.subsumption {
                Subsumption::AluWithDiagonals => Subsumption::Alu,
                other => other,
            };
            ZoneAbstraction { subsumption, ..abstraction }
        } else if diagonals.compared_ranges().is_some() {
            abstraction
        } else {
            // Only the bisimulation-based extrapolation of split zones is sound, and plain inclusion.
            let extrapolation = if diagonals.is_complete() { Extrapolation::M } else { Extrapolation::None };
            ZoneAbstraction {
                extrapolation,
                approximate_stopwatches: abstraction.approximate_stopwatches,
                ..ZoneAbstraction::BISIMULATION
            }
        };
        let bounds = LocalBounds::new(network, goals, &diagonals, abstraction.preserved, &sharp);
        Ok(Self {
            network,
            moves: Moves::new(network),
            source: SymbolicState::new(network),
            candidates: Candidates::new(network),
            abstraction,
            keeps_clocks: network.edges.iter().map(|edge| keeps_clocks(&bounds, edge)).collect(),
            bounds,
            has_own_source: false,
            sharp,
            idle: Vec::new(),
            live: LiveVariables::default(),
            active: ActiveClocks::new(network),
            timed: Concerned::new(network),
            packing: Arc::new(Packing::new(network)),
            diagonals,
            target: SymbolicState::new(network),
            guarded: Zone::zero(1),
            sources: Vec::new(),
            invariants: Vec::new(),
            maxima: Vec::new(),
            entries_only: false,
            fired: None,
            representatives: None,
            exchanges: None,
            escapes: None,
            at_once: None,
            stubborn: None,
            widens_kept: false,
            approximated: false,
            entries: 0,
        })
    }

    /// Leaves variables out of states that cannot influence, or can no longer influence, whether some goals are met, or whether states are deadlocked.
    pub fn leave_out_idle_variables(&mut self, goals: &[&Goal]) {
        self.idle = slice::idle_cells(self.network, goals);
        self.live = LiveVariables::new(self.network, goals, &self.idle);
    }

    /// How many variables are left out, of all states or of some.
    pub fn idle_variables(&self) -> usize {
        self.idle.len() + self.live.len()
    }

    /// Takes independent steps in one order only where time stands still, for searches that look for some goals and nothing else.
    pub fn order_independent_steps(&mut self, goals: &[&Goal]) {
        self.stubborn = Stubborn::new(self.network, goals);
    }

    /// How many transitions were left for later because they are independent of those that were taken.
    pub fn postponed(&self) -> u64 {
        self.stubborn.as_ref().map_or(0, |stubborn| stubborn.postponed().in_all)
    }

    /// How many of them were left for later although time may pass before they are taken.
    pub fn postponed_over_time(&self) -> u64 {
        self.stubborn.as_ref().map_or(0, |stubborn| stubborn.postponed().over_time)
    }

    /// From now on, takes independent steps in one order only where time stands still.
    pub fn keep_to_moments(&mut self) {
        if let Some(stubborn) = &mut self.stubborn {
            stubborn.look_over_time(false);
        }
    }

    /// The number of the first successor of a state. Numbers also say how independent steps are treated at the time, so that successors can be found again by them.
    #[inline]
    pub fn first_ordinal(&self) -> u32 {
        if self.stubborn.as_ref().is_none_or(Stubborn::looks_over_time) { 0 } else { KEPT_TO_MOMENTS }
    }

    /// Treats independent steps as they were treated when a successor got its number; says which one it was among all.
    pub fn recall(&mut self, ordinal: u32) -> u32 {
        if let Some(stubborn) = &mut self.stubborn {
            stubborn.look_over_time(ordinal & KEPT_TO_MOMENTS == 0);
        }
        ordinal & !KEPT_TO_MOMENTS
    }

    /// From now on, [`Explorer::moves_at_once`] tells.
    pub fn watch_for_moves_at_once(&mut self) {
        let features = &self.network.features;
        if !features.priorities && !features.stopwatches {
            self.escapes.get_or_insert_with(|| Escapes::new(self.network));
            self.at_once.get_or_insert_with(|| AtOnce::new(self.network));
        }
    }

    /// Whether the last expansion has shown that no valuation with the locations and data of the source is deadlocked, reached or not. Only a sufficient condition.
    pub fn moves_at_once(&self) -> bool {
        self.at_once.as_ref().is_some_and(AtOnce::is_settled)
    }

    /// An expansion begins that may show whether the source moves.
    #[inline]
    fn begin_to_watch(&mut self) {
        if self.at_once.is_none() {
            return;
        }
        let is_bounded = self.moves.source_has_clock_invariants();
        let moments = if is_bounded { self.moments_of_source() } else { None };
        if let Some(at_once) = &mut self.at_once {
            at_once.begin(moments);
        }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The abstraction in force (diagonal constraints can force another one than was asked for).
    pub fn abstraction(&self) -> ZoneAbstraction {
        self.abstraction
    }

    /// The machine that evaluates for it.
    pub fn machine(&self) -> &Machine<'n> {
        self.moves.machine()
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

    /// Entries of the zones of all successors so far: what computing them takes.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Whether a zone had to be over-approximated so far.
    pub fn is_approximate(&self) -> bool {
        self.approximated
    }

    /// Paths lead through states that were widened ([`SymbolicState::widen`]) when they were kept, where that is sound: zones that stand for each other then become the same, whichever is
    /// found first. Successors stay as they are, so that only states that are new have to be widened. Says whether it is so.
    pub fn widen_kept_states(&mut self) -> bool {
        let is_exact = self.abstraction.extrapolation == Extrapolation::None
            && self.abstraction.subsumption == Subsumption::Alu
            && self.abstraction.preserved == Preserved::Simulation;
        self.widens_kept = is_exact && self.diagonals.is_empty();
        self.widens_kept
    }

    /// A state as it is kept.
    pub(crate) fn kept(&self, mut state: SymbolicState) -> SymbolicState {
        if self.widens_kept {
            state.widen();
        }
        state
    }

    /// Makes a clock's exact value count up to a bound everywhere, for questions about its range.
    pub fn observe(&mut self, clock: ClockId, value: i32) {
        self.bounds.observe(clock, value);
        self.has_own_source = false;
    }

    /// Whether there are things whose images are not known to be there as well.
    pub(crate) fn may_be_asymmetric(&self) -> bool {
        !self.diagonals.is_empty() || self.network.features.stopwatches
    }

    /// How the last successor became a representative, if it was not one.
    pub fn renaming(&self) -> Option<Represented> {
        let renaming = self.representatives.as_ref().and_then(Representatives::renaming);
        renaming.cloned().map(Represented::Renamed).or_else(|| self.exchanges.as_ref()?.last())
    }

    /// Whether diagonal constraints split states.
    pub fn splits_states(&self) -> bool {
        !self.diagonals.cuts().is_empty()
    }

    /// The diagonals that are respected when states are compared.
    pub fn compared_diagonals(&self) -> Arc<[DiagonalRange]> {
        self.diagonals.compared_ranges().cloned().unwrap_or_default()
    }

    /// The clocks of the target.
    pub(crate) fn target_clocks(&self) -> &[u32] {
        &self.target.clocks
    }

    /// The invariants of the target.
    pub(crate) fn target_invariants(&self) -> &[Constraint] {
        &self.invariants
    }

    /// The source state of the last expansion.
    pub fn source(&self) -> &SymbolicState {
        &self.source
    }

    /// The source state, for those who exchange it for one that stands for the same.
    pub fn source_mut(&mut self) -> &mut SymbolicState {
        &mut self.source
    }

    /// The part of the source zone that the last visited successor came from, when receivers that stay out or priorities split it.
    pub fn piece(&self) -> Option<&Zone> {
        self.fired.as_ref()
    }

    /// Visits the initial states: one, or several pieces of it when diagonal constraints split it, or none when an invariant does not hold.
    pub fn initial(&mut self, visit: &mut dyn FnMut(&SymbolicState)) -> Result<(), Failure> {
        if !self.moves.start().map_err(Failure::outside)? {
            return Ok(());
        }
        self.has_own_source = false;
        // Runs begin with the initial state itself.
        let representatives = self.representatives.take();
        self.enter_target(&[]);
        let has_entered = if self.network.initial_fractions.is_empty() {
            self.zone_step(&Zone::zero(1))
        } else {
            self.enter_initial_region()
        };
        if has_entered {
            let _ = self.emit(&mut |state| {
                visit(state);
                ControlFlow::Continue(())
            });
        }
        self.representatives = representatives;
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
        self.set_source(state);
        self.expand_source(visit)
    }

    /// Sets the source to a state.
    pub fn set_source(&mut self, state: &SymbolicState) {
        self.source.assign(state);
        self.has_own_source = false;
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
        debug_assert_eq!(self.source.zone.dim(), self.source.clocks.len());
        self.moves.set_source(&self.source.cells);
        self.begin_to_watch();
        let mut candidates = std::mem::take(&mut self.candidates);
        let found = self.moves.find(&SourceZone(&self.source), &mut candidates);
        let mut result = found.map(ControlFlow::Continue).map_err(Failure::outside);
        let mut stubborn = self.stubborn.take();
        let chosen = stubborn.as_mut().filter(|_| result.is_ok());
        let chosen = chosen
            .and_then(|set| set.choose(&self.moves, &SourceZone(&self.source), &candidates).then_some(&*set));
        for position in 0..candidates.len() {
            if !matches!(result, Ok(ControlFlow::Continue(()))) {
                break;
            }
            if chosen.is_none_or(|set| set.takes(&self.moves, &candidates.get(position))) {
                result = self.fire(&candidates, position, visit);
            }
        }
        self.stubborn = stubborn;
        self.candidates = candidates;
        result.map(|_| ())
    }

    /// Loads a stored state as the source: its cells, then the zone over the clocks that matter there.
    pub fn load_source(&mut self, cells: impl FnOnce(&Packing, &mut [i32]), zone: impl FnOnce(&mut Zone)) {
        cells(&self.packing, &mut self.source.cells);
        self.source.find_clocks(&self.bounds, self.network.processes.len(), &mut self.active);
        if self.bounds.is_in_order() {
            let (bounds, locations) = (&self.bounds, &self.source.cells[..self.network.processes.len()]);
            self.timed.find(locations, |location| bounds.count_at(location as usize) > 0);
        } else {
            self.timed.forget();
        }
        self.has_own_source = true;
        zone(&mut self.source.zone);
        debug_assert!(
            self.source.zone.is_far() || self.source.zone.is_canonical(),
            "what was stored is a zone over the clocks that matter"
        );
    }

    /// Visits the successors of a state by some of its transitions: usually one each, several where the state has to be split, none where it is not possible.
    pub fn follow(
        &mut self,
        state: &SymbolicState,
        fits: &dyn Fn(&[EdgeId]) -> bool,
        visit: &mut dyn FnMut(&SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.set_source(state);
        self.moves.set_source(&self.source.cells);
        let mut candidates = std::mem::take(&mut self.candidates);
        let found = self.moves.find(&SourceZone(&self.source), &mut candidates);
        let mut result = found.map(ControlFlow::Continue).map_err(Failure::outside);
        for position in 0..candidates.len() {
            if !matches!(result, Ok(ControlFlow::Continue(()))) {
                break;
            }
            if fits(candidates.get(position).edges) {
                result = self.fire(&candidates, position, &mut |state, edges| visit(state, edges));
            }
        }
        self.candidates = candidates;
        result.map(|_| ())
    }

    #[inline]
    fn fire(
        &mut self,
        candidates: &Candidates,
        position: usize,
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Failure> {
        let candidate = candidates.get(position);
        self.moves.rewind();
        let result = if self.moves.needs_splitting(candidate) {
            self.fire_split(candidates, position, visit)
        } else {
            self.fire_convex(candidate.edges, visit)
        };
        let result = self.moves.tolerate(result, ControlFlow::Continue(()));
        result.map_err(|error| Failure { error, edges: candidate.edges.to_vec() })
    }

    /// The ordinary case: the guard cuts a zone out of the source.
    #[inline]
    fn fire_convex(
        &mut self,
        edges: &[EdgeId],
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, EvalError> {
        self.fired = None;
        let Some(is_restricted) = self.guard(edges)? else { return Ok(ControlFlow::Continue(())) };
        let from = if is_restricted { &self.guarded } else { &self.source.zone };
        debug_assert!(!from.is_empty(), "candidates without a valuation end here");
        let is_below = |clock, value| source_zone::may_be_below(&self.source, from, clock, value);
        if !self.moves.arrive(edges, is_below)? {
            return Ok(ControlFlow::Continue(()));
        }
        if let Some(at_once) = &mut self.at_once {
            at_once.arrive(&self.moves);
        }
        self.enter_target(edges);
        if self.target.zone.dim() == 1 {
            // No clock matters there, so there is no more to say about them than that somewhere the guard held.
            self.target.zone.set_zero();
            return Ok(self.emit(&mut |state| visit(state, edges)));
        }
        self.find_sources();
        let from = if is_restricted { &self.guarded } else { &self.source.zone };
        from.gather(&self.sources, &mut self.target.zone);
        if !self.finish_zone() {
            return Ok(ControlFlow::Continue(()));
        }
        Ok(self.emit(&mut |state| visit(state, edges)))
    }

    /// Where some receivers stay out or others have priority, what is left of the source zone is a union of zones, and each has a successor of its own.
    fn fire_split(
        &mut self,
        candidates: &Candidates,
        position: usize,
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, EvalError> {
        let domain = SourceZone(&self.source);
        let part = self.moves.possible(candidates, position, &domain)?;
        let edges = candidates.get(position).edges;
        let is_below = |clock, value| domain.may_be_below(&part, clock, value);
        if part.is_empty() || !self.moves.arrive(edges, is_below)? {
            return Ok(ControlFlow::Continue(()));
        }
        self.enter_target(edges);
        // The visitor may have exchanged the target when it comes to the second zone.
        let entered = (part.zones().len() > 1).then(|| self.target.clone());
        for zone in part.zones() {
            if let Some(entered) = &entered {
                self.target.assign(entered);
            }
            self.fired = Some(zone.clone());
            if self.zone_step(zone) && self.emit(&mut |state| visit(state, edges)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Restricts the source zone by the guards of some edges. `None`: nothing is left. Otherwise whether the result is in
    /// [`Explorer::guarded`] (and not the source zone itself).
    #[inline]
    fn guard(&mut self, edges: &[EdgeId]) -> Result<Option<bool>, EvalError> {
        let (source, guarded, at_once) = (&self.source, &mut self.guarded, &mut self.at_once);
        let mut is_restricted = false;
        if let Some(at_once) = at_once {
            at_once.consider(edges);
        }
        let is_possible = self.moves.guard(edges, |constraint| {
            if let Some(at_once) = at_once {
                at_once.restrict(constraint);
            }
            let constraint = source.constraint(constraint);
            if !is_restricted {
                if source.zone.satisfies(constraint) {
                    return true;
                }
                guarded.assign(&source.zone);
                is_restricted = true;
            }
            guarded.constrain(constraint.left.into(), constraint.right.into(), constraint.bound)
        })?;
        Ok(is_possible.then_some(is_restricted))
    }

    /// Takes over where [`Moves::arrive`] has arrived: the cells, the clocks that matter there, and the invariants in terms of them.
    #[inline]
    fn enter_target(&mut self, edges: &[EdgeId]) {
        let target = &mut self.target;
        target.price = self.moves.take_price();
        target.cells.copy_from_slice(self.moves.cells());
        for &(cell, value) in &self.idle {
            target.cells[cell] = value;
        }
        self.live.forget(&mut target.cells);
        if self.has_own_source && edges.iter().all(|edge| self.keeps_clocks[edge.index()]) {
            target.copy_clocks(&self.source);
        } else if self.has_own_source && self.timed.are_known() {
            self.timed.move_along(self.network, edges);
            let processes = self.timed.processes().iter().map(|&process| process as usize);
            target.concatenate_clocks(&self.bounds, processes);
        } else {
            target.find_clocks(&self.bounds, self.network.processes.len(), &mut self.active);
        }
        self.invariants.clear();
        self.invariants.extend(self.moves.invariants().iter().map(|&invariant| target.constraint(invariant)));
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

    /// As [`Explorer::hand_out_successors`], but successors are visited as they are entered, before any delay.
    pub fn hand_out_entries(
        &mut self,
        visit: &mut dyn FnMut(&mut SymbolicState, &[EdgeId]) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.entries_only = true;
        let result = self.hand_out_successors(visit);
        self.entries_only = false;
        result
    }
}

/// Whether the same clocks matter, up to the same constants, before and after an edge as far as its process is concerned.
fn keeps_clocks(bounds: &LocalBounds, edge: &Edge) -> bool {
    bounds.at(edge.source.index()) == bounds.at(edge.target.index())
}
