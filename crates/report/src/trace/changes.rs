//! What a step does to the data: only what is different afterwards.

use super::Step;
use guidepost_network::interpreter::{Interpreter, Rational, State};
use guidepost_network::{ClockId, VarId};

/// What is different after a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Variables with their old and new values.
    pub variables: Vec<(VarId, i32, i32)>,
    /// Clocks that the transition set to another value than they had after the delay, with that value.
    pub clocks: Vec<(ClockId, Rational)>,
}

impl Changes {
    /// Compares the states around a step. The interpreter says what the delay alone does to the clocks: stop-watches stand still.
    pub fn of(step: &Step<'_>, before: &State, interpreter: &mut Interpreter<'_>) -> Self {
        let waited = interpreter.delay(before, step.delay);
        let waited = waited.as_ref().unwrap_or(before);
        let cells = before.variables.iter().zip(&step.after.variables).enumerate();
        let clocks = waited.clocks.iter().zip(&step.after.clocks).enumerate();
        Self {
            variables: cells
                .filter(|(_, (old, new))| old != new)
                .map(|(id, (&old, &new))| (VarId(id as u32), old, new))
                .collect(),
            clocks: clocks
                .filter(|(_, (old, new))| old != new)
                .map(|(id, (_, &new))| (ClockId(id as u32), new))
                .collect(),
        }
    }
}
