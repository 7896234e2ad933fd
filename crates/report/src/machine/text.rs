//! For people.

use super::{MachineReport, sentence};
use crate::Look;
use crate::appearance::{HEADING, NAME, TROUBLE, count};
use std::fmt::Write;

/// More notes than this are counted only.
const MOST_NOTES: usize = 12;

impl MachineReport<'_> {
    /// The whole answer.
    pub fn text(&self, look: Look) -> String {
        let checked = self.checked;
        let mut text = format!(
            "{}: {}, {}\n",
            look.paint(NAME, self.model),
            count(checked.states, "state", "states"),
            count(checked.transitions, "transition", "transitions")
        );
        for located in &checked.findings {
            let finding = &located.finding;
            let at = self.position(located.span);
            let at = at.map_or_else(String::new, |at| format!("{}:{}", at.line, at.column));
            let _ = writeln!(
                text,
                "\n{}  {}",
                look.paint(TROUBLE, &format!("{at:>7}  {:<17}", finding.kind.name())),
                sentence(located)
            );
            for reason in &finding.because {
                let _ = writeln!(text, "         {reason}");
            }
            match finding.evidence.as_deref() {
                None => {}
                Some([]) => text.push_str("         at once, without any event\n"),
                Some(events) => {
                    let lines = look.list(events, 16);
                    let _ = writeln!(text, "         after: {}", lines.join("\n                "));
                }
            }
        }
        text.push('\n');
        self.notes(&mut text, look);
        let found = count(checked.findings.len(), "finding", "findings");
        let explored = count(checked.explored, "situation", "situations");
        let end = match checked.stop {
            Some(stop) if checked.explored == 0 => format!("{found}; {}", stop.describe()),
            Some(stop) => format!("{found}; {} after {explored}", stop.describe()),
            // Diagrams list nothing.
            None if checked.explored == 0 => found,
            None => format!("{found}; {explored} explored"),
        };
        let _ = writeln!(text, "{end}");
        text
    }

    fn notes(&self, text: &mut String, look: Look) {
        let notes = &self.checked.notes;
        for note in notes.iter().take(MOST_NOTES) {
            let at = self.position(note.span);
            let at = at.map_or_else(String::new, |at| format!("{}:{}: ", at.line, at.column));
            let _ = writeln!(text, "{} {at}{}", look.paint(HEADING, "note:"), note.message);
        }
        if notes.len() > MOST_NOTES {
            let _ = writeln!(
                text,
                "{} {} more with `--format json`",
                look.paint(HEADING, "note:"),
                notes.len() - MOST_NOTES
            );
        }
    }
}
