//! For editors and code hosts: SARIF 2.1.0.

use super::{KINDS, MachineReport, meaning, sentence};
use serde_json::{Value, json};

impl MachineReport<'_> {
    /// The whole log.
    pub fn sarif(&self) -> Value {
        let rules: Vec<Value> = KINDS
            .iter()
            .map(|kind| json!({"id": kind.name(), "shortDescription": {"text": meaning(*kind)}}))
            .collect();
        let results: Vec<Value> = self.checked.findings.iter().map(|located| self.result(located)).collect();
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "guidepost",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                }},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }],
        })
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
        let mut location =
            json!({"physicalLocation": {"artifactLocation": {"uri": self.model.replace('\\', "/")}}});
        if let Some(at) = self.position(located.span) {
            location["physicalLocation"]["region"] = json!({"startLine": at.line, "startColumn": at.column});
        }
        json!({
            "ruleId": finding.kind.name(),
            "level": if finding.certain { "warning" } else { "note" },
            "message": {"text": message},
            "locations": [location],
        })
    }
}
