//! What else could have happened: for each state of a run, the transitions that were possible and not taken.
//!
//! The interpreter lists them, with the delays that allow them. Runs can be long and networks large, so there is a limit on how many are listed;
//! behind it, nothing is said.

use super::data::{Channels, moves};
use crate::obstacle::intervals;
use crate::trace::Trace;
use crate::words::Words;
use guidepost_network::Network;
use guidepost_network::interpreter::{Choice, Interpreter, Transition};
use serde_json::{Value, json};

/// Transitions that are listed in a report at most.
const MOST: usize = 20_000;
/// States that are asked at most.
const MOST_STATES: usize = 2_000;

/// Reads off the states of runs what else is possible, as long as there is room.
pub(super) struct Others<'n> {
    network: &'n Network,
    interpreter: Interpreter<'n>,
    transitions: usize,
    states: usize,
}

impl<'n> Others<'n> {
    pub(super) fn new(network: &'n Network) -> Self {
        Self { network, interpreter: Interpreter::new(network), transitions: MOST, states: MOST_STATES }
    }

    /// By step, what was possible instead of it: `[channel, moves, delays]` each. The list ends where there are too many; a step that cannot be told is null.
    pub(super) fn of(&mut self, trace: &Trace<'_>, channels: &mut Channels) -> Vec<Value> {
        let mut list = Vec::new();
        for (index, step) in trace.steps.iter().enumerate() {
            let Some(left) = self.states.checked_sub(1) else { break };
            self.states = left;
            let Ok(choices) = self.interpreter.choices(trace.before(index)) else {
                list.push(Value::Null);
                continue;
            };
            let others: Vec<&Choice> =
                choices.transitions.iter().filter(|choice| !is_taken(choice, step.transition)).collect();
            let Some(left) = self.transitions.checked_sub(others.len()) else { break };
            self.transitions = left;
            list.push(others.into_iter().map(|choice| self.choice(choice, channels)).collect());
        }
        list
    }

    fn choice(&self, choice: &Choice, channels: &mut Channels) -> Value {
        let channel = Words(self.network).channel(choice.transition.kind);
        let channel = channel.map_or(-1, |name| channels.number(name) as i64);
        json!([channel, moves(self.network, &choice.transition.edges), intervals(&choice.delays)])
    }
}

fn is_taken(choice: &Choice, taken: Option<&Transition>) -> bool {
    taken.is_some_and(|taken| taken.edges == choice.transition.edges && taken.kind == choice.transition.kind)
}
