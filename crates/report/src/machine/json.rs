//! For programs.

use super::MachineReport;
use serde_json::{Map, Value, json};

impl MachineReport<'_> {
    /// The whole answer.
    pub fn json(&self) -> Value {
        let findings: Vec<Value> =
            self.checked.findings.iter().map(|located| self.finding(located)).collect();
        let note = |note: &guidepost_machines::Note| match self.position(note.span) {
            Some(at) => format!("{}:{}: {}", at.line, at.column, note.message),
            None => note.message.clone(),
        };
        let mut value = json!({
            "model": self.model,
            "states": self.checked.states,
            "transitions": self.checked.transitions,
            "explored": self.checked.explored,
            "findings": findings,
            "notes": self.checked.notes.iter().map(note).collect::<Vec<_>>(),
        });
        if let Some(stop) = self.checked.stop {
            value["stopped"] = stop.describe().into();
        }
        value
    }

    fn finding(&self, located: &guidepost_machines::Located) -> Value {
        let finding = &located.finding;
        let mut value = Map::new();
        value.insert("kind".into(), finding.kind.name().into());
        value.insert("where".into(), finding.place.clone().into());
        if let Some(evidence) = &finding.evidence {
            value.insert("evidence".into(), evidence.clone().into());
        }
        value.insert("certain".into(), finding.certain.into());
        if !finding.because.is_empty() {
            value.insert("because".into(), finding.because.clone().into());
        }
        if let Some(at) = self.position(located.span) {
            value.insert("line".into(), at.line.into());
            value.insert("column".into(), at.column.into());
        }
        value.into()
    }
}
