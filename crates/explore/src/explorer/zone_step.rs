//! The zone step: carrying a zone through a transition, letting time pass, abstracting.

use super::Explorer;
use crate::bounds::{LARGEST_BOUND, Preserved};
use crate::diagonals::Diagonal;
use crate::state::SymbolicState;
use crate::zone_abstraction::Extrapolation;
use guidepost_network::ClockId;
use guidepost_network::interpreter::Rational;
use guidepost_zones::diagonal::Pieces;
use guidepost_zones::{Bound, Constraint, Zone};
use std::ops::ControlFlow;

impl Explorer<'_> {
    /// Carries a guarded source zone into the target: resets, invariants, delay. `false`: nothing is left.
    pub(super) fn zone_step(&mut self, from: &Zone) -> bool {
        self.find_sources();
        from.gather(&self.sources, &mut self.target.zone);
        self.finish_zone()
    }

    /// Enters the initial state where clocks do not begin with whole numbers: with their region instead, which consists of all valuations that agree with
    /// them on the order of differences and whole numbers. Bounds are whole numbers, so whatever is possible from one valuation of a region is possible from
    /// all of them (Alur, Dill 1994: A theory of timed automata), though at other times.
    pub(super) fn enter_initial_region(&mut self) -> bool {
        let (network, target) = (self.network, &mut self.target);
        let value = |&clock: &u32| network.initial_value(ClockId(clock));
        let values: Vec<Rational> = target.clocks.iter().map(value).collect();
        target.zone.reshape(values.len());
        for (i, left) in values.iter().enumerate() {
            for (j, &right) in values.iter().enumerate() {
                let difference =
                    left.minus(right).expect("clock values are far from the limits of fractions");
                let whole = difference.numerator().div_euclid(difference.denominator()) as i32;
                let bound =
                    if difference.denominator() == 1 { Bound::le(whole) } else { Bound::lt(whole + 1) };
                target.zone.set(i, j, bound);
            }
        }
        debug_assert!(target.zone.is_canonical(), "the differences of a point are as tight as they can be");
        if !target.zone.constrain_all(&self.invariants) {
            return false;
        }
        if self.moves.may_delay() && !self.entries_only {
            self.delay();
        }
        true
    }

    /// For each clock of the target, the clock of the source that its value comes from.
    pub(super) fn find_sources(&mut self) {
        self.sources.clear();
        let (moves, source) = (&self.moves, &self.source);
        let place = |&clock: &u32| source.active_place(moves.origin(ClockId(clock)).clock);
        self.sources.extend(self.target.clocks.iter().map(place));
    }

    /// With the source's rows in the target: offsets, invariants, delay.
    pub(super) fn finish_zone(&mut self) -> bool {
        let target = &mut self.target;
        for (place, &clock) in target.clocks.iter().enumerate().skip(1) {
            let offset = self.moves.origin(ClockId(clock)).offset;
            if offset != 0 && !target.zone.shift(place, offset) {
                return false;
            }
        }
        debug_assert_eq!(self.sources.len(), target.zone.dim(), "every clock has an origin");
        if !target.zone.constrain_all(&self.invariants) {
            return false;
        }
        if self.moves.may_delay() && !self.entries_only {
            self.delay();
        }
        true
    }

    /// Lets time pass as far as the invariants allow; they hold now.
    fn delay(&mut self) {
        let zone = &mut self.target.zone;
        if self.network.features.stopwatches {
            self.delay_with_stopwatches();
            return;
        }
        let all_upper = self.invariants.iter().all(|constraint| constraint.right == 0);
        if all_upper {
            zone.up_below(&self.invariants);
        } else {
            zone.up();
            let possible = zone.constrain_all(&self.invariants);
            debug_assert!(possible, "the invariants held before");
        }
    }

    fn delay_with_stopwatches(&mut self) {
        let mut stopped = vec![false; self.target.clocks.len()];
        let (target, approximated) = (&self.target, &mut self.approximated);
        self.moves.stopped_clocks(|clock| {
            if let Some(place) = target.place(clock) {
                stopped[place] = true;
                *approximated = true;
            }
        });
        self.target.zone.up_stopped(|place| stopped[place]);
        let possible = self.target.zone.constrain_all(&self.invariants);
        debug_assert!(possible, "the invariants held before");
    }

    /// Abstracts the target and hands it out, in pieces if diagonal constraints cut it.
    pub(super) fn emit(
        &mut self,
        visit: &mut dyn FnMut(&mut SymbolicState) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.entries += self.target.zone.entries().len() as u64;
        if self.entries_only {
            return visit(&mut self.target);
        }
        if self.splits_states() {
            return self.emit_split(visit);
        }
        if !self.diagonals.is_complete() || self.diagonals.compared_ranges().is_some() {
            self.approximated |= blur_far_values(&mut self.target.zone);
            return self.hand_out(visit);
        }
        let state = &mut self.target;
        let (lower, upper) = (&state.lower, &state.upper);
        let bounds = guidepost_zones::LuBounds { lower, upper };
        match self.abstraction.extrapolation {
            Extrapolation::None => {
                if state.zone.is_far() {
                    if self.abstraction.preserved == Preserved::Simulation {
                        state.zone.extrapolate_lu_plus(bounds);
                    } else {
                        state.maxima(&mut self.maxima);
                        state.zone.extrapolate_m(&self.maxima);
                    }
                }
            }
            Extrapolation::Lu => {
                state.zone.extrapolate_lu(bounds);
            }
            Extrapolation::LuPlus => {
                state.zone.extrapolate_lu_plus(bounds);
            }
            Extrapolation::M | Extrapolation::MPlus => {
                state.maxima(&mut self.maxima);
                if self.abstraction.extrapolation == Extrapolation::M {
                    state.zone.extrapolate_m(&self.maxima);
                } else {
                    state.zone.extrapolate_m_plus(&self.maxima);
                }
            }
        }
        debug_assert!(!self.target.zone.is_empty(), "no state without a valuation");
        self.hand_out(visit)
    }

    /// Hands out the target, or its representative.
    #[inline]
    fn hand_out(&mut self, visit: &mut dyn FnMut(&mut SymbolicState) -> ControlFlow<()>) -> ControlFlow<()> {
        if let Some(representatives) = &mut self.representatives {
            representatives.represent(&mut self.target, &self.bounds, &mut self.active);
        }
        if let Some(exchanges) = &mut self.exchanges {
            exchanges.represent(&mut self.target.cells);
        }
        visit(&mut self.target)
    }

    fn emit_split(
        &mut self,
        visit: &mut dyn FnMut(&mut SymbolicState) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let whole = self.target.clone();
        for piece in self.pieces(&whole) {
            self.target.assign(&whole);
            self.target.zone = piece;
            visit(&mut self.target)?;
        }
        ControlFlow::Continue(())
    }

    /// Widens a state: by `Extra+_LU` where simulation is enough, otherwise piece by piece along the diagonal constraints of the model.
    pub(crate) fn widened(
        &mut self,
        mut state: SymbolicState,
        visit: &mut dyn FnMut(SymbolicState) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.diagonals.is_complete() {
            self.approximated |= blur_far_values(&mut state.zone);
            return visit(state);
        }
        if self.abstraction.is_simulation() {
            let SymbolicState { zone, lower, upper, .. } = &mut state;
            zone.extrapolate_lu_plus(guidepost_zones::LuBounds { lower, upper });
            return visit(state);
        }
        for piece in self.pieces(&state) {
            let mut widened = state.clone();
            widened.zone = piece;
            visit(widened)?;
        }
        ControlFlow::Continue(())
    }

    /// `Extra_M` of a state's zone, piece by piece along the diagonal constraints of the model.
    fn pieces(&self, state: &SymbolicState) -> Pieces {
        let constraint = |&(left, right, bound): &Diagonal| {
            Some(Constraint::new(state.place(left)?, state.place(right)?, bound))
        };
        let constraints = self.diagonals.cuts().iter().filter_map(constraint).collect();
        let mut maxima = Vec::new();
        state.maxima(&mut maxima);
        Pieces::new(state.zone.clone(), maxima, constraints)
    }
}

/// Where zones are not widened, clocks can grow beyond what bounds can tell. Then the zone becomes too large, and this says so.
fn blur_far_values(zone: &mut Zone) -> bool {
    let is_far = zone.is_far();
    if is_far {
        let mut largest = vec![LARGEST_BOUND; zone.dim()];
        largest[0] = 0;
        zone.extrapolate_m(&largest);
    }
    is_far
}
