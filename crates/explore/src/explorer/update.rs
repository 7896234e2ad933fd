//! The update of a transition: what it does to the data, and where every clock's value comes from afterwards.

use super::{Explorer, Origin};
use guidepost_network::{ClockEffect, ClockId, ClockOp, EdgeId, EvalError, Fault, RangeViolation};
use guidepost_zones::Zone;

impl Explorer<'_> {
    /// Runs the updates of a transition: afterwards the target's cells are in place. `false`: the transition is not possible.
    pub(super) fn update(&mut self, edges: &[EdgeId]) -> Result<bool, EvalError> {
        match self.run_updates(edges) {
            Ok(()) => {}
            Err(error) if self.is_tolerant() || self.disables(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
        for &edge in edges {
            let edge = &self.network.edges[edge.index()];
            self.machine.state_mut()[edge.process.index()] = edge.target.0 as i32;
        }
        for &(cell, initial) in &self.meta {
            self.machine.state_mut()[cell] = initial;
        }
        self.target.cells.copy_from_slice(self.machine.state());
        self.trace_clocks();
        Ok(true)
    }

    /// An update `x := y - c` that makes a clock negative for some valuation of the zone it starts from is an error of the model. With stopped clocks the
    /// zone may contain valuations that do not exist, so there they are only left out, and likewise in abstractions.
    #[inline]
    pub(super) fn check_copies(&self, from: &Zone, edges: &[EdgeId]) -> Result<(), EvalError> {
        if self.lowered.is_empty() || self.network.features.stopwatches || self.is_tolerant() {
            return Ok(());
        }
        // The bound on 0 - y is minus the least value of y.
        let is_negative =
            |&&(_, origin): &&(ClockId, Origin)| from.get(0, origin.place).constant() > origin.offset;
        let Some(&(clock, _)) = self.lowered.iter().find(is_negative) else { return Ok(()) };
        let span = edges.iter().map(|edge| &self.network.edges[edge.index()]).find_map(|edge| {
            let sets = |effect: &ClockEffect| effect.clock == clock;
            edge.clock_effects.iter().any(sets).then_some(edge.origin.span)
        });
        Err(EvalError { fault: Fault::NegativeClock(clock), span: span.unwrap_or_default() })
    }

    /// Whether evaluations that fail are no errors.
    #[inline]
    pub(crate) fn is_tolerant(&self) -> bool {
        self.network.range_violation == RangeViolation::Tolerated
    }

    /// What an evaluation says, and where failing is no error, what it says then.
    #[inline]
    pub(crate) fn tolerate<T>(&self, result: Result<T, EvalError>, otherwise: T) -> Result<T, EvalError> {
        match result {
            Err(_) if self.is_tolerant() => Ok(otherwise),
            result => result,
        }
    }

    fn disables(&self, error: &EvalError) -> bool {
        self.network.range_violation == RangeViolation::Disables && error.fault.is_variable_range()
    }

    fn run_updates(&mut self, edges: &[EdgeId]) -> Result<(), EvalError> {
        self.operations.clear();
        let network = self.network;
        if let Some(code) = network.before_update {
            self.machine.run_update(code, &mut self.operations)?;
        }
        for &edge in edges {
            if let Some(code) = network.edges[edge.index()].update {
                self.machine.run_update(code, &mut self.operations)?;
            }
        }
        if let Some(code) = network.after_update {
            self.machine.run_update(code, &mut self.operations)?;
        }
        Ok(())
    }

    /// Finds out where every clock's value comes from.
    fn trace_clocks(&mut self) {
        for (place, &clock) in self.source.clocks.iter().enumerate() {
            self.origins[clock as usize] = Origin { place, offset: 0 };
        }
        self.lowered.clear();
        for &operation in &self.operations {
            match operation {
                ClockOp::Set(clock, value) => {
                    self.origins[clock.index()] = Origin { place: 0, offset: value }
                }
                ClockOp::Copy(clock, from, offset) => {
                    let origin = self.origins[from.index()];
                    let origin = Origin { place: origin.place, offset: origin.offset + offset };
                    self.origins[clock.index()] = origin;
                    // Clocks that something is subtracted from are active, see `LocalBounds`; others may have no origin here.
                    if offset < 0 && origin.offset < 0 {
                        self.lowered.push((clock, origin));
                    }
                }
            }
        }
    }
}
