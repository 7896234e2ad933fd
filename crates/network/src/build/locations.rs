//! The locations of a process: invariants, rates and what time may do.

use super::conjunction::alternatives;
use super::{Builder, bare_location};
use crate::code::term::Term;
use crate::network::{Location, LocationKind, ProcessId};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::model::{self, Expr, Template};

impl Builder<'_> {
    /// Compiles all locations of a process.
    pub(crate) fn locations(&mut self, process: ProcessId, template: &Template, out: &mut Vec<Location>) {
        for (index, location) in template.locations.iter().enumerate() {
            let mut built = bare_location(process, &location.name, index as u32);
            built.kind = kind(location);
            built.labels = location.labels.iter().map(ToString::to_string).collect();
            if let Some(invariant) = &location.invariant
                && self.invariant(invariant, &mut built).is_none()
            {
                self.report.failed = true;
            }
            out.push(built);
        }
    }

    fn invariant(&mut self, invariant: &Expr, location: &mut Location) -> Option<()> {
        self.outside_functions();
        let formula = self.formula(invariant, true)?;
        let all = alternatives(formula, &Term::Const(1)).unwrap_or_default();
        let [conjunction] = all.as_slice() else {
            self.report.push(
                Diagnostic::new(
                    Code::NotAnInvariant,
                    invariant.span,
                    "a disjunction of clock bounds is no invariant",
                )
                .hint("split the location, or guard each bound by a condition on variables"),
            );
            return None;
        };
        location.data_invariant = self.condition_codes(&conjunction.data);
        location.clock_invariant = self.constraints(&conjunction.clocks)?;
        for (clock, rate) in &conjunction.rates {
            let code = self.code(rate);
            location.rates.push((*clock, code));
        }
        match conjunction.cost_rates.as_slice() {
            [] => {}
            [rate] => location.cost_rate = Some(self.code(rate)),
            _ => return self.report.unsupported(invariant.span, "more than one cost rate in a location"),
        }
        Some(())
    }
}

fn kind(location: &model::Location) -> LocationKind {
    match (location.committed, location.urgent) {
        (true, _) => LocationKind::Committed,
        (false, true) => LocationKind::Urgent,
        (false, false) => LocationKind::Normal,
    }
}
