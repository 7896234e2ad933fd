//! State/event machines, flat and hierarchical, in a text format of their own: `.sem`, described in `docs/sem.md`.
//!
//! Machines run side by side and wait for the same events. A transition may ask which states of other machines are active, and generates outputs. States may have states in
//! them: one at a time, one at a time with history, or all together.
//!
//! ```
//! use guidepost_machines::sem;
//!
//! let loaded = sem::load_text("door.sem", "event push; machine Door { state Shut; state Open; Shut -> Open on push; }");
//! let system = loaded.system.expect("nothing is wrong with it");
//! let door = sem::Interpreter::new(&system);
//! let open = &door.steps(&door.initial(), sem::EventId(0))[0].target;
//! assert_eq!(door.describe(open), "Door.Open");
//! ```

mod drawing;
mod hierarchy;
mod interpreter;
mod lexer;
pub mod lockstep;
mod model;
mod names;
mod parse;
mod resolve;
mod syntax;
mod timed;
mod write;

pub use drawing::drawing;
pub use hierarchy::Hierarchy;
pub use interpreter::{Configuration, Interpreter, Step};
pub use model::{
    EventId, Guard, OutputId, State, StateId, StateKind, System, Timer, Transition, TransitionId,
};
pub use resolve::Places;
pub use timed::timed;
pub use write::write;

use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::load::{NOT_A_TEXT, is_text, read_text};
use guidepost_language::source::{SourceMap, Span};
use std::path::Path;

/// What was read of a file.
#[derive(Debug)]
pub struct Loaded {
    /// The text.
    pub sources: SourceMap,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// The system, unless something is wrong.
    pub system: Option<System>,
    /// Where its parts stand in the text.
    pub places: Places,
}

/// Reads a `.sem` file.
#[must_use]
pub fn load_file(path: &Path) -> Loaded {
    let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::default());
    let name = path.display().to_string();
    match read_text(path, &name, &mut sources, &mut diagnostics) {
        Some(text) if is_text(&text) => return load_text(&name, &text),
        Some(_) => {
            let file = sources.add(&name, "");
            diagnostics.push(Diagnostic::new(Code::UnknownFormat, Span::new(file, 0, 0), NOT_A_TEXT));
        }
        None => {}
    }
    Loaded { sources, diagnostics, system: None, places: Places::default() }
}

/// Reads a system from a text. `name` is how messages call it.
#[must_use]
pub fn load_text(name: &str, text: &str) -> Loaded {
    let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::default());
    let id = sources.add(name, text);
    let file = parse::parse(id, text, &mut diagnostics);
    let (system, places) = resolve::resolve(&file, Span::new(id, 0, 0), &mut diagnostics);
    diagnostics.sort();
    let system = (!diagnostics.has_errors()).then_some(system);
    Loaded { sources, diagnostics, system, places }
}
