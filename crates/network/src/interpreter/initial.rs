//! Whether there is an initial state.

use super::{Interpreter, State};
use crate::network::{Location, Network};
use crate::query::Goal;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::model::Model;

/// Says which invariants the initial state violates. A model whose initial state is none has no states at all, and everything would hold of them.
pub fn initial_violations(network: &Network, model: &Model) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    let mut interpreter = Interpreter::new(network);
    let state = interpreter.initial();
    if interpreter.invariants_hold(&state).is_ok_and(|hold| hold) {
        return diagnostics;
    }
    for (process, id) in network.processes.iter().zip(&state.locations) {
        let location = &network.locations[id.index()];
        if is_violated(&mut interpreter, &state, location) {
            let message =
                format!("the initial state violates the invariant of {}.{}", process.name, location.name);
            let written = &model.templates[process.template as usize].locations[location.origin as usize];
            let span = written.invariant.as_ref().map_or(written.span, |invariant| invariant.span);
            let hint = "the model has no state at all, so no query about it has a useful answer";
            diagnostics.push(Diagnostic::new(Code::NotAnInvariant, span, message).hint(hint));
        }
    }
    diagnostics
}

/// What cannot be evaluated is for the engine to report.
fn is_violated(interpreter: &mut Interpreter<'_>, state: &State, location: &Location) -> bool {
    let invariant = Goal {
        data: location.data_invariant.clone(),
        clocks: location.clock_invariant.clone(),
        ..Goal::default()
    };
    interpreter.satisfies(state, &invariant).is_ok_and(|holds| !holds)
}
