//! For continuous integration: `JUnit`'s XML, one test case for each kind of finding.

use super::{KINDS, MachineReport, meaning, sentence};
use crate::drawing::escaped;
use std::fmt::Write;

impl MachineReport<'_> {
    /// The whole file.
    pub fn junit(&self) -> String {
        let found = |kind| self.checked.findings.iter().filter(move |located| located.finding.kind == kind);
        let failures = KINDS.iter().filter(|&&kind| found(kind).next().is_some()).count();
        let errors = usize::from(self.checked.stop.is_some());
        let model = escaped(self.model);
        let numbers = format!(
            "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\"",
            KINDS.len() + errors
        );
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"guidepost\" {numbers}>\n  <testsuite name=\"{model}\" {numbers}>\n"
        );
        for kind in KINDS {
            let _ = writeln!(text, "    <testcase classname=\"{model}\" name=\"{kind}\">");
            let lines: Vec<String> = found(kind)
                .map(|located| {
                    let at = self.position(located.span);
                    let at = at.map_or_else(String::new, |at| format!("{}:{}: ", at.line, at.column));
                    let mut line = format!("{at}{}", sentence(located));
                    let finding = &located.finding;
                    match finding.evidence.as_deref() {
                        None => {}
                        Some([]) => line.push_str("\n  at once, without any event"),
                        Some(events) => {
                            let _ = write!(line, "\n  after: {}", events.join(", "));
                        }
                    }
                    for reason in &finding.because {
                        let _ = write!(line, "\n  {reason}");
                    }
                    line
                })
                .collect();
            if !lines.is_empty() {
                let _ = writeln!(
                    text,
                    "      <failure type=\"{kind}\" message=\"{}\">{}</failure>",
                    escaped(meaning(kind)),
                    escaped(&lines.join("\n"))
                );
            }
            text.push_str("    </testcase>\n");
        }
        if let Some(stop) = self.checked.stop {
            let _ = writeln!(
                text,
                "    <testcase classname=\"{model}\" name=\"complete\">\n      <error type=\"undecided\" message=\"{}\"/>\n    </testcase>",
                escaped(stop.describe())
            );
        }
        text.push_str("  </testsuite>\n</testsuites>\n");
        text
    }
}
