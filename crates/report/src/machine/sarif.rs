//! For editors and code hosts: SARIF 2.1.0.

use super::{KINDS, MachineReport, meaning, sentence};
use crate::sarif::{location, log};
use serde_json::{Value, json};

impl MachineReport<'_> {
    /// The whole log.
    pub fn sarif(&self) -> Value {
        let rules: Vec<Value> = KINDS
            .iter()
            .map(|kind| json!({"id": kind.name(), "shortDescription": {"text": meaning(*kind)}}))
            .collect();
        let results: Vec<Value> = self.checked.findings.iter().map(|located| self.result(located)).collect();
        log(&rules, &results)
    }

    fn result(&self, located: &guidepost_machines::Located) -> Value {
        let finding = &located.finding;
        let mut message = sentence(located);
        for reason in &finding.because {
            message.push_str("; ");
            message.push_str(reason);
        }
        if let Some(evidence) = finding.evidence.as_ref().filter(|evidence| !evidence.is_empty()) {
            message.push_str("; after: ");
            message.push_str(&evidence.join(", "));
        }
        let region =
            self.position(located.span).map(|at| json!({"startLine": at.line, "startColumn": at.column}));
        json!({
            "ruleId": finding.kind.name(),
            "level": if finding.certain { "warning" } else { "note" },
            "message": {"text": message},
            "locations": [location(self.model, region)],
        })
    }
}
