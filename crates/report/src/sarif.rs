//! For editors and code hosts: SARIF 2.1.0, whatever is found.

use guidepost_language::diagnostic::{Diagnostics, Severity};
use guidepost_language::source::{SourceMap, Span};
use serde_json::{Value, json};

/// A log with its rules and results.
pub(crate) fn log(rules: &[Value], results: &[Value]) -> Value {
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

/// A place in a file, or the file as a whole.
pub(crate) fn location(file: &str, region: Option<Value>) -> Value {
    let mut location = json!({"physicalLocation": {"artifactLocation": {"uri": file.replace('\\', "/")}}});
    if let Some(region) = region {
        location["physicalLocation"]["region"] = region;
    }
    location
}

/// Messages about a model, each a result; a rule for each code that occurs.
pub fn sarif(diagnostics: &Diagnostics, sources: &SourceMap) -> Value {
    let mut rules: Vec<Value> = Vec::new();
    let mut results = Vec::new();
    for diagnostic in diagnostics {
        let id = diagnostic.code.id();
        if !rules.iter().any(|rule| rule["id"] == id) {
            rules.push(json!({"id": id}));
        }
        let mut message = diagnostic.message.clone();
        for hint in &diagnostic.hints {
            message.push_str("; ");
            message.push_str(hint);
        }
        let level = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let related: Vec<Value> = diagnostic
            .related
            .iter()
            .map(|(span, label)| {
                let mut place = place(*span, sources);
                place["message"] = json!({"text": label});
                place
            })
            .collect();
        let mut result = json!({
            "ruleId": id,
            "level": level,
            "message": {"text": message},
            "locations": [place(diagnostic.span, sources)],
        });
        if !related.is_empty() {
            result["relatedLocations"] = Value::Array(related);
        }
        results.push(result);
    }
    log(&rules, &results)
}

fn place(span: Span, sources: &SourceMap) -> Value {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let region = json!({
        "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column,
    });
    location(&file.name, Some(region))
}

#[cfg(test)]
mod tests {
    use super::*;
    use guidepost_language::load_text;

    #[test]
    fn messages_become_results_with_places() {
        let loaded = load_text("m.xta", "clock x;\nprocess P() { state A { x <= n }; init A; } system P, Q;");
        let log = sarif(&loaded.diagnostics, &loaded.sources);
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 2);
        assert_eq!(results[0]["ruleId"], "E020");
        assert_eq!(results[0]["level"], "error");
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "m.xta");
        assert_eq!(
            place["region"],
            json!({"startLine": 2, "startColumn": 30, "endLine": 2, "endColumn": 31})
        );
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"], json!([{"id": "E020"}]));
    }
}
