//! How to get from a state to another.
//!
//! The question is asked of a network that begins where the run is: the same locations, the same values, the same clocks, fractions included. So an answer is about
//! exactly this state, not about others with the same locations; the run that shows it begins here, and the interpreter replays it from here. That a
//! goal cannot be reached is proved, as it is for the initial state.

use super::{Position, Simulator};
use crate::ModelError;
use guidepost_answer::{Answer, Unsupported};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_network::{CompiledQuery, Network, Question};
use guidepost_verify::Settings;

/// A goal, and where to start.
pub struct Way {
    network: Network,
    query: CompiledQuery,
}

impl Simulator {
    /// Prepares the search for a way from a position to states that satisfy a condition, such as `P.B and x > 2`; `E<> P.B` is the same as `P.B`.
    ///
    /// # Errors
    /// What is wrong with the condition.
    pub fn way(&self, at: Position, goal: &str) -> Result<Way, ModelError> {
        let mut session = self.session.clone();
        let goal = goal.trim();
        // Without parentheses around it: those of the goal have to match each other.
        let query = if is_query(goal) { goal.to_owned() } else { format!("E<> {goal}") };
        let query = session.compile(&query)?;
        if !matches!(query.question, Question::Possibly(_)) {
            let message = "a way leads to states: give a condition such as `P.B and x > 2`, or `E<>` of one";
            return Err(session.bad_query(Diagnostics::default(), message));
        }
        let network = self.network().starting_at(self.state(at));
        let network =
            network.map_err(|beyond| session.bad_query(Diagnostics::default(), &beyond.to_string()))?;
        Ok(Way { network, query })
    }
}

/// Whether a text is a query rather than a condition.
fn is_query(text: &str) -> bool {
    ["E<>", "A[]", "A<>", "E[]"].iter().any(|word| text.starts_with(word)) || text.contains("-->")
}

impl Way {
    /// Searches. The engine is always `zones`, as directed as the strategy says; it is the one that can begin between whole numbers.
    ///
    /// # Errors
    /// What of the model zones cannot do.
    pub fn search(&self, settings: &Settings) -> Result<Answer, Unsupported> {
        let engine = "zones".parse().expect("there is such an engine");
        let settings = Settings { engine, ..settings.clone() };
        let engine = settings.engine();
        engine.accepts(&self.network, &self.query)?;
        engine
            .answers(&self.network, std::slice::from_ref(&self.query))
            .map(|mut answers| answers.swap_remove(0))
    }

    /// The network that begins where the way does, for messages.
    pub fn network(&self) -> &Network {
        &self.network
    }
}
