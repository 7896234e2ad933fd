//! The report of a machine: one HTML file that needs nothing else.

use super::{MachineReport, meaning, sentence, svg};
use crate::html::kit::{self, escaped, fill};
use guidepost_machines::scxml::Chart;
use std::fmt::Write;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("chart.css");
/// Larger charts are not drawn: nobody could read them.
const MOST_STATES: usize = 600;

impl MachineReport<'_> {
    /// The whole file.
    pub fn html(&self, chart: &Chart) -> String {
        let file_name = self.model.rsplit(['/', '\\']).next().unwrap_or(self.model);
        let drawing = if chart.states.len() > MOST_STATES {
            format!("<p class=\"notice\">{} states are too many for a drawing.</p>", self.checked.states)
        } else {
            svg::svg(chart, self.checked)
        };
        let parts = [
            ("{{title}}", escaped(&format!("{file_name} · guidepost"))),
            ("{{model}}", escaped(self.model)),
            ("{{name}}", escaped(file_name)),
            ("{{style}}", format!("{}{STYLE}", kit::STYLE)),
            ("{{summary}}", escaped(&self.summary())),
            ("{{findings}}", self.findings()),
            ("{{drawing}}", drawing),
            ("{{notes}}", self.notes_list()),
        ];
        fill(PAGE, &parts)
    }

    fn summary(&self) -> String {
        let checked = self.checked;
        let end = checked.stop.map_or_else(
            || if checked.explored == 0 { "all decided".to_owned() } else { "all explored".to_owned() },
            |stop| stop.describe().to_owned(),
        );
        // Diagrams list nothing.
        let explored =
            if checked.explored == 0 { String::new() } else { format!("{} situations, ", checked.explored) };
        format!("{} states, {} transitions; {explored}{end}", checked.states, checked.transitions)
    }

    fn findings(&self) -> String {
        let mut text = String::new();
        for located in &self.checked.findings {
            let finding = &located.finding;
            let (class, sign) = if finding.certain { ("no", "✗") } else { ("open", "≈") };
            let at = self
                .position(located.span)
                .map_or_else(String::new, |at| format!("{}:{}", at.line, at.column));
            let mut more = String::new();
            for reason in &finding.because {
                let _ = write!(more, "<div class=\"remark\">{}</div>", coded(reason));
            }
            if let Some(evidence) = &finding.evidence {
                let events = if evidence.is_empty() { "at once".to_owned() } else { evidence.join(", ") };
                let _ = write!(more, "<div class=\"remark\">after: <code>{}</code></div>", escaped(&events));
            }
            let _ = writeln!(
                text,
                "<tr><td class=\"number\">{at}</td><td class=\"verdict {class}\" title=\"{}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span>{}</td><td>{}{more}</td></tr>",
                escaped(meaning(finding.kind)),
                finding.kind,
                coded(&sentence(located))
            );
        }
        if text.is_empty() {
            text.push_str("<tr><td></td><td class=\"verdict yes\"><span class=\"sign\" aria-hidden=\"true\">✓</span>nothing found</td><td></td></tr>\n");
        }
        text
    }

    fn notes_list(&self) -> String {
        let mut text = String::new();
        for note in &self.checked.notes {
            let at = self
                .position(note.span)
                .map_or_else(String::new, |at| format!("{}:{}: ", at.line, at.column));
            let _ = writeln!(text, "<li>{at}{}</li>", coded(&note.message));
        }
        if text.is_empty() {
            text.push_str("<li>Everything is modelled exactly.</li>\n");
        }
        text
    }
}

/// A sentence, with what stands between back quotes as code.
fn coded(text: &str) -> String {
    let mut html = String::new();
    for (at, part) in text.split('`').enumerate() {
        let part = escaped(part);
        let _ = if at % 2 == 0 { write!(html, "{part}") } else { write!(html, "<code>{part}</code>") };
    }
    html
}
