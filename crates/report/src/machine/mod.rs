//! What a check of a state machine has found: for people, programs, continuous integration and editors.

mod html;
mod json;
mod junit;
mod layout;
mod sarif;
mod svg;
mod text;

use guidepost_language::source::{Position, SourceMap, Span};
use guidepost_machines::{Checked, Kind, Located};

/// A check of a machine, to be shown.
pub struct MachineReport<'a> {
    /// The file, as it was named.
    pub model: &'a str,
    /// What was found.
    pub checked: &'a Checked,
    /// The text.
    pub sources: &'a SourceMap,
}

impl MachineReport<'_> {
    fn position(&self, span: Option<Span>) -> Option<Position> {
        let span = span?;
        Some(self.sources.file(span.file).position(span.start))
    }
}

/// All kinds of findings, in the order in which they are explained.
const KINDS: [Kind; 7] = [
    Kind::UnreachableState,
    Kind::DeadTransition,
    Kind::Conflict,
    Kind::DeadOutput,
    Kind::UnusedEvent,
    Kind::Deadlock,
    Kind::Endless,
];

/// What a kind of finding means, in a sentence.
fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::UnreachableState => "No sequence of events activates the state.",
        Kind::DeadTransition => "No sequence of events takes the transition.",
        Kind::Conflict => {
            "An event enables both transitions, and nothing but their order decides, or chance."
        }
        Kind::DeadOutput => "It is never generated: neither raised nor sent nor put out.",
        Kind::UnusedEvent => "No transition waits for the event.",
        Kind::Deadlock => {
            "Not at its end, and no event makes it move: the machine as a whole, or one of its regions."
        }
        Kind::Endless => "Transitions follow each other for ever without waiting for an event.",
    }
}

/// A finding in one line.
fn sentence(located: &Located) -> String {
    let finding = &located.finding;
    let place = &finding.place;
    let perhaps = if finding.certain { "" } else { "perhaps " };
    match finding.kind {
        Kind::UnreachableState => format!("state `{place}` is {perhaps}never active"),
        Kind::DeadTransition => format!("transition `{place}` is {perhaps}never taken"),
        Kind::Conflict => format!("{perhaps}in conflict: `{}`", place.replace(" and ", "` and `")),
        Kind::DeadOutput => format!("`{place}` is {perhaps}never generated"),
        Kind::UnusedEvent => format!("no transition waits for the event `{place}`"),
        Kind::Deadlock => format!("{perhaps}no event moves `{place}` any more"),
        Kind::Endless => format!("`{place}` {perhaps}begins a step that never ends"),
    }
}
