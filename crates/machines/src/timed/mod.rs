//! Machines as networks of timed automata, for every other engine.
//!
//! A front end makes a plan: automata whose locations are what a machine can be at, and what leads from one to another. Writing it gives names to all of it, as
//! near to the author's as the language allows, and makes the text of a model, with a question for every state of the machine.

mod names;
mod plan;
mod write;

pub(crate) use plan::{Arrow, Due, Part, Place, Plan, Sync, Value};

use crate::Note;
use guidepost_language::Loaded;
use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::load::load_text;
use guidepost_language::parse::queries;
use guidepost_language::source::Fragment;
use std::fmt::Write;

/// More locations than this are no automaton that anybody wants.
pub(crate) const MOST_PLACES: usize = 10_000;
/// More edges neither.
pub(crate) const MOST_ARROWS: usize = 200_000;

/// A machine as a network of timed automata.
#[derive(Debug, Clone)]
pub struct Timed {
    /// The network, in UPPAAL's textual language.
    pub model: String,
    /// The states of the machine, each with the condition of the network that says it is active.
    pub states: Vec<(String, String)>,
    /// What is not modelled exactly.
    pub notes: Vec<Note>,
}

impl Timed {
    /// A question for every state of the machine that is neither always active nor never, with the state in a comment.
    #[must_use]
    pub fn questions(&self) -> String {
        let mut text = String::new();
        for (state, condition) in
            self.states.iter().filter(|(_, condition)| condition != "true" && condition != "false")
        {
            let state = state.replace("*/", "* /");
            let _ = writeln!(text, "/* {state} can be active */\nE<> {condition}\n");
        }
        text
    }

    /// The network as a checked model. `name` is that of the machine's file.
    #[must_use]
    pub fn load(&self, name: &str) -> Loaded {
        let mut loaded = load_text(&format!("{name} as a network.xta"), &self.model);
        // Warnings about the translation, such as a clock that nobody reads, are no news about the machine.
        loaded.diagnostics = loaded.diagnostics.iter().filter(|one| one.is_error()).cloned().collect();
        debug_assert!(loaded.diagnostics.is_empty(), "{:?}\n{}", loaded.diagnostics, self.model);
        let mut out = Diagnostics::default();
        let asked = format!("{name} as a network.q");
        let questions = self.questions();
        loaded.model.queries = loaded.queries_from_text(&asked, &questions, &mut out);
        let file = loaded.sources.add(&asked, questions.as_str());
        loaded.document.queries = queries(&Fragment::whole(file, &questions), &mut out);
        debug_assert!(!out.has_errors(), "{out:?}\n{questions}");
        loaded
    }
}
