//! The update of a transition: what it does to the data, and where every clock's value comes from afterwards.

use super::{Moves, Origin};
use guidepost_network::{ClockEffect, ClockId, ClockOp, EdgeId, EvalError, Fault, RangeViolation};

impl Moves<'_> {
    /// Runs the updates of a transition: afterwards the machine's state is the target. `false`: the transition is not possible.
    #[inline]
    pub(super) fn update(&mut self, edges: &[EdgeId]) -> Result<bool, EvalError> {
        self.forget_origins();
        match self.run_updates(edges) {
            Ok(()) => {}
            Err(error) if self.is_tolerant() || self.disables(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
        for &edge in edges {
            let step = self.index.step(edge);
            debug_assert_eq!(
                self.source[step.process.index()],
                self.network.edges[edge.index()].source.0 as i32,
                "it is where the edge starts"
            );
            self.machine.state_mut()[step.process.index()] = step.target;
        }
        for &(cell, initial) in &self.meta {
            self.machine.state_mut()[cell] = initial;
        }
        self.trace_clocks();
        Ok(true)
    }

    /// An update `x := y - c` that makes a clock negative for some valuation it starts from is an error of the model. With stopped clocks there
    /// may be valuations that do not exist, so there they are only left out, and likewise in abstractions.
    #[inline]
    pub(super) fn check_copies(
        &self,
        edges: &[EdgeId],
        may_be_below: impl Fn(ClockId, i32) -> bool,
    ) -> Result<(), EvalError> {
        if self.lowered.is_empty() || self.network.features.stopwatches || self.is_tolerant() {
            return Ok(());
        }
        let is_negative = |&&(_, origin): &&(ClockId, Origin)| may_be_below(origin.clock, -origin.offset);
        let Some(&(clock, _)) = self.lowered.iter().find(is_negative) else { return Ok(()) };
        let span = edges.iter().map(|edge| &self.network.edges[edge.index()]).find_map(|edge| {
            let sets = |effect: &ClockEffect| effect.clock == clock;
            edge.clock_effects.iter().any(sets).then_some(edge.origin.span)
        });
        Err(EvalError { fault: Fault::NegativeClock(clock), span: span.unwrap_or_default() })
    }

    fn disables(&self, error: &EvalError) -> bool {
        self.network.range_violation == RangeViolation::Disables && error.fault.is_variable_range()
    }

    fn run_updates(&mut self, edges: &[EdgeId]) -> Result<(), EvalError> {
        let network = self.network;
        self.machine.take_price();
        if let Some(code) = network.before_update {
            self.machine.run_update(code, &mut self.operations)?;
        }
        for &edge in edges {
            if let Some(code) = self.index.step(edge).update {
                self.machine.run_update(code, &mut self.operations)?;
            }
        }
        if let Some(code) = network.after_update {
            self.machine.run_update(code, &mut self.operations)?;
        }
        Ok(())
    }

    /// Clocks that the last update touched are unchanged again.
    #[inline]
    pub(super) fn forget_origins(&mut self) {
        for operation in self.operations.drain(..) {
            let (ClockOp::Set(clock, _) | ClockOp::Copy(clock, ..)) = operation;
            self.origins[clock.index()] = Origin::unchanged(clock);
        }
        self.lowered.clear();
        debug_assert!(
            (0..).map(ClockId).zip(&self.origins).all(|(clock, &origin)| origin == Origin::unchanged(clock)),
            "every clock is its own origin before an update"
        );
    }

    /// Finds out where every clock's value comes from.
    #[inline]
    pub(super) fn trace_clocks(&mut self) {
        for &operation in &self.operations {
            match operation {
                ClockOp::Set(clock, value) => {
                    debug_assert!(clock != ClockId::ZERO && value >= 0, "clocks are set to what they can be");
                    self.origins[clock.index()] = Origin { clock: ClockId::ZERO, offset: value };
                }
                ClockOp::Copy(clock, from, offset) => {
                    let origin = self.origins[from.index()];
                    let origin = Origin { clock: origin.clock, offset: origin.offset + offset };
                    self.origins[clock.index()] = origin;
                    if offset < 0 && origin.offset < 0 {
                        self.lowered.push((clock, origin));
                    }
                }
            }
        }
    }
}
