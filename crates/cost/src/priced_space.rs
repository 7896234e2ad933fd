//! States with priced zones, for networks whose locations have different rates.
//!
//! A state is ⟨locations, values, priced zone⟩, closed under delay as far as its piece goes. Delays and resets make several pieces of one, see
//! [`PricedZone`], and each is a state of its own: the number of successors of a state is not the number of its transitions. So a state remembers the edges that lead to it.
//!
//! There must be finitely many zones for the search to end. Extrapolation is out of the question, as it would change costs. But a clock that is larger than
//! everything it will be compared with may have any such value: it is forgotten, and set to the first integer beyond. A zone that reaches beyond only in part is cut in two
//! if the clock has no bound in it that the constants of the model give, which is what the bounding transformation of Behrmann et al. (2001,
//! *Minimum-Cost Reachability for Priced Timed Automata*) does to the model. Then all bounds are bounded, and since prices are natural numbers and costs never
//! negative, there is no infinite sequence of states none of which covers a later one.

use crate::remaining::Remaining;
use crate::source::{Clocks, Source};
use crate::space::{Found, NEVER, Space, Successors, demands};
use guidepost_answer::InternalError;
use guidepost_explore::{
    Candidates, ClockDifference, Explorer, Failure, Moves, PathStep, TimeDomain, ZoneAbstraction,
};
use guidepost_network::interpreter::ReplayStep;
use guidepost_network::{ClockId, EdgeId, EvalError, Goal, LocationId, Machine, Network, ProcessId};
use guidepost_zones::{Bound, Constraint, PricedZone, Zone};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A stored state.
struct Stored {
    discrete: u32,
    priced: Option<PricedZone>,
    parent: Option<u32>,
    step: PathStep,
}

/// Locations and values, with the clocks that matter there.
struct Discrete {
    cells: Box<[i32]>,
    clocks: Arc<Clocks>,
    /// The states with it that nothing covers.
    states: Vec<u32>,
}

struct Best {
    cost: i64,
    parent: Option<u32>,
    step: PathStep,
    finally: Vec<ClockDifference>,
}

/// The space of a network with rates.
pub(crate) struct PricedSpace<'n> {
    network: &'n Network,
    /// Knows which clocks matter where, and finds times for paths.
    explorer: Explorer<'n>,
    moves: Moves<'n>,
    candidates: Candidates,
    /// Beyond this, a bound does not come from the constants of the model.
    horizon: i32,
    goals: &'n [Goal],
    machine: Machine<'n>,
    remaining: Remaining,
    table: FxHashMap<Box<[i32]>, u32>,
    discrete: Vec<Discrete>,
    states: Vec<Stored>,
    covered: u64,
    bytes: usize,
    best: Option<Best>,
}

/// Where a transition leads, as far as data say.
struct Arrival {
    cells: Box<[i32]>,
    price: i64,
    rate: i64,
    may_delay: bool,
    clocks: Arc<Clocks>,
    invariants: Vec<Constraint>,
    /// By clock of the target: where it comes from in the source, and what is added.
    sources: Vec<usize>,
    offsets: Vec<i32>,
}

impl<'n> PricedSpace<'n> {
    pub(crate) fn new(
        network: &'n Network,
        goals: &'n [Goal],
        remaining: Remaining,
    ) -> Result<Self, guidepost_answer::Unsupported> {
        let all: Vec<&Goal> = goals.iter().collect();
        let explorer = Explorer::new(network, &all, ZoneAbstraction::REACHABILITY)?;
        let mut space = Self {
            network,
            explorer,
            moves: Moves::new(network),
            candidates: Candidates::new(network),
            horizon: 0,
            goals,
            machine: Machine::for_goals(&network.program, goals),
            remaining,
            table: FxHashMap::default(),
            discrete: Vec::new(),
            states: Vec::new(),
            covered: 0,
            bytes: 0,
            best: None,
        };
        space.horizon = largest_constant(network, goals);
        Ok(space)
    }

    /// The clocks that matter in some cells.
    fn clocks(&mut self, cells: &[i32]) -> Arc<Clocks> {
        if let Some(&known) = self.table.get(cells) {
            return Arc::clone(&self.discrete[known as usize].clocks);
        }
        self.explorer.load_source(|_, own| own.copy_from_slice(cells), Zone::set_zero);
        Arc::new(Clocks::new(self.network, self.explorer.source()))
    }

    /// Takes over where the moves have arrived, from a source with some clocks.
    fn arrival(&mut self, from: &Clocks) -> Result<Arrival, EvalError> {
        let price = self.moves.take_price();
        let rate = self.moves.cost_rate()?;
        let cells: Box<[i32]> = self.moves.cells().into();
        let clocks = self.clocks(&cells);
        let origins = clocks.ids.iter().map(|&id| self.moves.origin(id));
        let (sources, offsets) = origins.map(|origin| (from.place(origin.clock), origin.offset)).unzip();
        let invariants =
            self.moves.invariants().iter().map(|&invariant| clocks.constraint(invariant)).collect();
        Ok(Arrival {
            cells,
            price,
            rate,
            may_delay: self.moves.may_delay(),
            clocks,
            invariants,
            sources,
            offsets,
        })
    }

    /// Carries a guarded priced zone through a transition and the delay after it: the pieces of the result.
    fn carried(&self, from: PricedZone, arrival: &Arrival) -> Vec<PricedZone> {
        let mut pieces = vec![from];
        for clock in 1..pieces[0].zone.dim() {
            if !arrival.sources.contains(&clock) {
                pieces = pieces.into_iter().flat_map(|piece| piece.forgetting(clock)).collect();
            }
        }
        let mut after = Vec::new();
        for piece in pieces {
            let Some(mut piece) = piece.gathered(&arrival.sources, &arrival.offsets) else { continue };
            piece.offset += arrival.price;
            if !piece.zone.constrain_all(&arrival.invariants) {
                continue;
            }
            if arrival.may_delay {
                after.extend(piece.delayed(arrival.rate));
            } else {
                after.push(piece);
            }
        }
        after.retain_mut(|piece| piece.zone.constrain_all(&arrival.invariants));
        after.into_iter().flat_map(|piece| self.bounded(piece, &arrival.clocks)).collect()
    }

    /// The pieces of a priced zone in which no clock is larger than it has to be.
    fn bounded(&self, piece: PricedZone, clocks: &Clocks) -> Vec<PricedZone> {
        // Differences of clocks can be told apart beyond all constants.
        if self.network.features.diagonals {
            return vec![piece];
        }
        let mut pieces = vec![piece];
        for clock in 1..clocks.ids.len() {
            let beyond = clocks.maxima[clock].saturating_add(1);
            pieces = pieces.into_iter().flat_map(|piece| self.cut(piece, clock, beyond)).collect();
        }
        pieces
    }

    /// Cuts a priced zone where a clock is `beyond`, if it goes further than the horizon, and forgets how far.
    fn cut(&self, piece: PricedZone, clock: usize, beyond: i32) -> Vec<PricedZone> {
        let (lower, upper) = (piece.zone.get(0, clock), piece.zone.get(clock, 0));
        // x > M is as good as x >= M + 1: no constraint tells them apart.
        let is_beyond = lower < Bound::le(1 - beyond);
        if is_beyond {
            return if upper <= Bound::le(beyond) { vec![piece] } else { pinned(piece, clock, beyond) };
        }
        if upper <= Bound::le(self.horizon.max(beyond)) {
            return vec![piece];
        }
        let mut far = piece.clone();
        let mut near = piece;
        let mut pieces = Vec::new();
        if far.zone.constrain(0, clock, Bound::le(-beyond)) {
            pieces = pinned(far, clock, beyond);
        }
        if near.zone.constrain(clock, 0, Bound::le(beyond)) {
            pieces.push(near);
        }
        pieces
    }

    /// Looks at a new state, and stores it if it is worth it.
    fn take(
        &mut self,
        priced: PricedZone,
        arrival: &Arrival,
        parent: Option<u32>,
        step: &PathStep,
        successors: &mut Successors,
    ) -> Result<(), Failure> {
        if parent.is_some() {
            successors.generated += 1;
        }
        let cost = priced.least();
        if cost >= self.best() {
            successors.pruned += 1;
            return Ok(());
        }
        self.visit_goals(&priced, arrival, parent, step).map_err(Failure::outside)?;
        let bound = self.remaining.cost_over(&arrival.cells, &priced, &arrival.clocks).max(cost);
        if bound >= self.best() {
            successors.pruned += 1;
            return Ok(());
        }
        let discrete = self.intern(arrival);
        if self.is_covered(discrete, &priced) {
            successors.covered += 1;
            return Ok(());
        }
        let id = self.states.len() as u32;
        self.bytes += 96 + 24 * priced.rates.len() + 4 * priced.zone.entries().len() + 4 * step.edges.len();
        self.states.push(Stored { discrete, priced: Some(priced), parent, step: step.clone() });
        self.discrete[discrete as usize].states.push(id);
        let guide = self.remaining.heur(&arrival.cells).unwrap_or(0);
        successors.found.push(Found { id, bound, guide });
        Ok(())
    }

    /// Whether a stored state covers a new one; drops those that it covers itself.
    fn is_covered(&mut self, discrete: u32, priced: &PricedZone) -> bool {
        let (states, all) = (&mut self.states, &mut self.discrete[discrete as usize].states);
        let zone_of = |states: &[Stored], id: u32| -> Option<bool> {
            states[id as usize].priced.as_ref().map(|stored| stored.covers(priced))
        };
        if all.iter().any(|&id| zone_of(states, id) == Some(true)) {
            return true;
        }
        let before = all.len();
        all.retain(|&id| {
            let stored = &mut states[id as usize].priced;
            let is_covered = stored.as_ref().is_some_and(|stored| priced.covers(stored));
            if is_covered {
                *stored = None;
            }
            !is_covered
        });
        self.covered += (before - all.len()) as u64;
        false
    }

    fn intern(&mut self, arrival: &Arrival) -> u32 {
        if let Some(&known) = self.table.get(&arrival.cells) {
            return known;
        }
        let id = self.discrete.len() as u32;
        self.table.insert(arrival.cells.clone(), id);
        self.bytes += 8 * arrival.cells.len() + 16 * arrival.clocks.ids.len() + 96;
        let (cells, clocks) = (arrival.cells.clone(), Arc::clone(&arrival.clocks));
        self.discrete.push(Discrete { cells, clocks, states: Vec::new() });
        id
    }

    /// Whether goals are met in a state, and cheaper than so far.
    fn visit_goals(
        &mut self,
        priced: &PricedZone,
        arrival: &Arrival,
        parent: Option<u32>,
        step: &PathStep,
    ) -> Result<(), EvalError> {
        for goal in self.goals {
            let located = |(process, admissible): &(ProcessId, Vec<LocationId>)| {
                let at = arrival.cells[process.index()] as u32;
                admissible.iter().any(|location| location.0 == at)
            };
            if !goal.locations.iter().all(located) {
                continue;
            }
            self.machine.load(&arrival.cells);
            self.machine.attach(&goal.segment);
            if !self.machine.holds(&goal.data)? {
                continue;
            }
            let mut within = priced.clone();
            let finally = demands(&mut self.machine, goal, &arrival.cells)?;
            let constraints: Vec<Constraint> =
                finally.iter().map(|&difference| arrival.clocks.constraint(difference)).collect();
            if !within.zone.constrain_all(&constraints) {
                continue;
            }
            let cost = within.least();
            if cost < self.best() {
                self.best = Some(Best { cost, parent, step: step.clone(), finally });
            }
        }
        Ok(())
    }

    /// Fires one candidate.
    fn fire(
        &mut self,
        candidates: &Candidates,
        position: usize,
        id: u32,
        source: &Source<'_>,
        successors: &mut Successors,
    ) -> Result<(), Failure> {
        let candidate = candidates.get(position);
        let edges: Vec<EdgeId> = candidate.edges.to_vec();
        let fail = |error| Failure { error, edges: edges.clone() };
        self.moves.set_source(source.cells);
        let is_split = self.moves.needs_splitting(candidate);
        let part = if is_split {
            self.moves.possible(candidates, position, source).map_err(fail)?
        } else {
            let mut part = source.whole();
            self.moves
                .guard(&edges, |constraint| {
                    source.restrict(&mut part, constraint);
                    !part.is_empty()
                })
                .map_err(fail)?;
            part
        };
        if part.is_empty() {
            return Ok(());
        }
        let is_below = |clock, value| source.may_be_below(&part, clock, value);
        if !self.moves.arrive(&edges, is_below).map_err(fail)? {
            return Ok(());
        }
        let arrival = self.arrival(source.clocks).map_err(fail)?;
        // Who stays out and what goes first can also follow from the piece that the source is.
        let features = &self.network.features;
        let is_partial = is_split || features.guarded_broadcast_receivers || features.priorities;
        for zone in part.zones() {
            let restriction = if is_partial { source.restriction(zone) } else { Vec::new() };
            let step = PathStep { edges: edges.clone(), restriction, renaming: None };
            let from = PricedZone { zone: zone.clone(), ..source.priced.clone() };
            for piece in self.carried(from, &arrival) {
                self.take(piece, &arrival, Some(id), &step, successors)?;
            }
        }
        Ok(())
    }

    /// The steps to a state.
    fn steps(&self, id: Option<u32>) -> Vec<PathStep> {
        let ids = std::iter::successors(id, |&id| self.states[id as usize].parent);
        let mut steps: Vec<PathStep> = ids.map(|id| self.states[id as usize].step.clone()).collect();
        steps.pop();
        steps.reverse();
        steps
    }
}

/// A clock is set to a value, whatever it was.
fn pinned(piece: PricedZone, clock: usize, value: i32) -> Vec<PricedZone> {
    let pieces = piece.forgetting(clock);
    pieces
        .into_iter()
        .map(|mut piece| {
            piece.zone.reset(clock, value);
            piece
        })
        .collect()
}

/// The largest constant that a clock is compared with or set to, and one more.
fn largest_constant(network: &Network, goals: &[Goal]) -> i32 {
    let guards = network.edges.iter().flat_map(|edge| &edge.clock_guard);
    let invariants = network.locations.iter().flat_map(|location| &location.clock_invariant);
    let constraints = guards.chain(invariants).chain(goals.iter().flat_map(|goal| &goal.clocks));
    let constants = constraints.map(|constraint| match constraint.bound {
        guidepost_network::Operand::Const(value) => value.saturating_abs(),
        guidepost_network::Operand::Code(_, low, high) => low.saturating_abs().max(high.saturating_abs()),
    });
    let initial = network.clocks.iter().map(|clock| clock.initial);
    constants.chain(initial).max().unwrap_or(0).saturating_add(1).min(Bound::FAR)
}

impl Space for PricedSpace<'_> {
    fn begin(&mut self, successors: &mut Successors) -> Result<(), Failure> {
        if !self.moves.start().map_err(Failure::outside)? {
            return Ok(());
        }
        let arrival = self.arrival(&Clocks::none(self.network)).map_err(Failure::outside)?;
        let step = PathStep { edges: Vec::new(), restriction: Vec::new(), renaming: None };
        for piece in self.carried(PricedZone::flat(Zone::zero(1), 0), &arrival) {
            self.take(piece, &arrival, None, &step, successors)?;
        }
        Ok(())
    }

    fn expand(&mut self, id: u32, successors: &mut Successors) -> Result<(), Failure> {
        let Some(priced) = self.states[id as usize].priced.clone() else { return Ok(()) };
        let discrete = &self.discrete[self.states[id as usize].discrete as usize];
        let (cells, clocks) = (discrete.cells.clone(), Arc::clone(&discrete.clocks));
        let source = Source { cells: &cells, clocks: &clocks, priced: &priced };
        self.moves.set_source(&cells);
        let mut candidates = std::mem::replace(&mut self.candidates, Candidates::new(self.network));
        let found = self.moves.find(&source, &mut candidates).map_err(Failure::outside);
        let fired = found.and_then(|()| {
            (0..candidates.len())
                .try_for_each(|position| self.fire(&candidates, position, id, &source, successors))
        });
        self.candidates = candidates;
        fired
    }

    fn is_alive(&self, id: u32) -> bool {
        self.states[id as usize].priced.is_some()
    }

    fn best(&self) -> i64 {
        self.best.as_ref().map_or(NEVER, |best| best.cost)
    }

    fn schedule(&mut self) -> Result<Vec<ReplayStep>, InternalError> {
        let best = self.best.as_ref().ok_or_else(|| InternalError::NoRun("there is none".to_owned()))?;
        let (step, finally) = (best.step.clone(), best.finally.clone());
        let mut steps = self.steps(best.parent);
        if best.parent.is_some() {
            steps.push(step);
        }
        let times = self.explorer.concretise_cheaply(&steps, &finally);
        times.map_err(|error| InternalError::NoRun(error.to_string()))
    }

    fn way(&mut self, id: u32) -> Option<Vec<ReplayStep>> {
        let steps = self.steps(Some(id));
        self.explorer.concretise(&steps, &[]).ok()
    }

    fn stored(&self) -> (u64, u64) {
        (self.states.len() as u64, self.covered)
    }

    fn discrete(&self) -> u64 {
        self.discrete.len() as u64
    }

    fn demand(&self) -> usize {
        self.bytes
    }
}

impl Source<'_> {
    /// What a run must satisfy to be in a part of the source. Of clocks that are beyond all constants it is known only that they are.
    fn restriction(&self, part: &Zone) -> Vec<ClockDifference> {
        let mut known = part.clone();
        let mut restriction = Vec::new();
        for (place, (&clock, &largest)) in self.clocks.ids.iter().zip(&self.clocks.maxima).enumerate().skip(1)
        {
            let beyond = Bound::le(largest.saturating_add(1).saturating_neg());
            if part.get(0, place) <= beyond {
                known.free(place);
                restriction.push(ClockDifference::new(ClockId::ZERO, clock, -largest, true));
            }
        }
        let mut constraints = Vec::new();
        known.minimal_form(&mut constraints);
        restriction.extend(constraints.iter().map(|constraint| ClockDifference {
            left: self.clocks.ids[usize::from(constraint.left)],
            right: self.clocks.ids[usize::from(constraint.right)],
            bound: constraint.bound,
        }));
        restriction
    }
}
