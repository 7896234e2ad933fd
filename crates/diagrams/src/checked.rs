//! What was found, as it is shown for every kind of machine.

use crate::check::{Findings, Subject};
use crate::space::Stopped;
use guidepost_answer::StopReason;
use guidepost_language::source::Span;
use guidepost_machines::sem::{Places, System};
use guidepost_machines::{Checked, Located, Note, Stop};

/// More machines than this are counted only.
const MOST_NAMED: usize = 12;

impl Findings {
    /// The findings with their places in the text of the system, in the order of the text.
    #[must_use]
    pub fn checked(self, system: &System, places: &Places) -> Checked {
        let mut notes: Vec<Note> = self
            .undecided
            .iter()
            .map(|open| {
                let message = format!("not decided, {}: {} {}", open.stopped, open.kind, open.place);
                Note { message, span: None }
            })
            .collect();
        for &at in &self.not_shortest {
            let message = format!(
                "perhaps there is a shorter way to the {} {}",
                self.findings[at].kind, self.findings[at].place
            );
            notes.push(Note { message, span: None });
        }
        if !system.timers.is_empty() {
            let message = "timers (`after`) may ring at any time while their state is active; `guidepost convert` makes a network of it that knows the times";
            notes.push(Note { message: message.to_owned(), span: None });
        }
        let stop = self.undecided.first().map(|open| stop(open.stopped));
        let located = self.findings.into_iter().zip(self.subjects).map(|(mut finding, subject)| {
            finding.because = reasons(&finding.because);
            Located { finding, span: span(subject, places) }
        });
        let mut findings: Vec<Located> = located.collect();
        findings.sort_by_key(|located| located.span.map(|span| span.start));
        let (states, transitions) = (system.states.len() - 1, system.transitions.len());
        Checked { states, transitions, findings, notes, stop, explored: 0 }
    }
}

/// The machines of a proof in a sentence.
fn reasons(machines: &[String]) -> Vec<String> {
    match machines {
        [] => Vec::new(),
        [only] => vec![format!("the proof uses {only} only")],
        few if few.len() <= MOST_NAMED => vec![format!("the proof uses {}", few.join(", "))],
        many => {
            vec![format!("the proof uses {} machines: {}, …", many.len(), many[..MOST_NAMED].join(", "))]
        }
    }
}

fn span(subject: Subject, places: &Places) -> Option<Span> {
    let (list, at) = match subject {
        Subject::State(state) => (&places.states, state.index()),
        Subject::Transition(id) | Subject::Pair(_, id) => (&places.transitions, id.index()),
        Subject::Event(event) => (&places.events, event.index()),
        Subject::Output(output) => (&places.outputs, output.index()),
    };
    list.get(at).copied()
}

fn stop(stopped: Stopped) -> Stop {
    match stopped.reason() {
        StopReason::Time => Stop::Time,
        StopReason::Interrupt => Stop::Interrupt,
        StopReason::States => Stop::States,
        StopReason::Memory | StopReason::Full | StopReason::Lost(_) | StopReason::Incomplete => Stop::Memory,
    }
}
