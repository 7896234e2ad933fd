//! What `--format json` prints is what the schemas in `docs/` promise.
//!
//! The validator knows just the keywords that our schemas use, and refuses a schema with any other: the crates that know all of JSON Schema
//! bring some eighty others along.

mod common;

use common::{Scratch, guidepost, root};
use serde_json::{Value, json};

/// A schema document.
struct Schema {
    root: Value,
}

/// What says nothing about an instance by itself; `then` and `else` are looked at with `if`.
const SILENT: [&str; 6] = ["$schema", "title", "description", "$defs", "then", "else"];

impl Schema {
    fn load(name: &str) -> Self {
        let text = std::fs::read_to_string(root().join("docs").join(name)).expect("the schema is there");
        Self { root: serde_json::from_str(&text).expect("the schema is JSON") }
    }

    /// All violations, each with the place of the offending value.
    fn violations(&self, instance: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.check(&self.root, instance, "", &mut found);
        found
    }

    fn accepts(&self, schema: &Value, instance: &Value) -> bool {
        let mut found = Vec::new();
        self.check(schema, instance, "", &mut found);
        found.is_empty()
    }

    fn check(&self, schema: &Value, instance: &Value, at: &str, found: &mut Vec<String>) {
        let rules = schema.as_object().unwrap_or_else(|| panic!("a schema is an object: {schema}"));
        for (keyword, rule) in rules.iter().filter(|(keyword, _)| !SILENT.contains(&keyword.as_str())) {
            let mut require = |holds: bool| {
                if !holds {
                    found.push(format!("{at}: {instance} violates {keyword} {rule}"));
                }
            };
            match keyword.as_str() {
                "type" => require(match rule {
                    Value::Array(types) => types.iter().any(|ty| has_type(instance, ty)),
                    ty => has_type(instance, ty),
                }),
                "const" => require(instance == rule),
                "enum" => require(list(rule).contains(instance)),
                "minimum" => require(instance.as_f64().is_none_or(|number| number >= number_of(rule))),
                "minLength" => require(
                    instance.as_str().is_none_or(|text| text.chars().count() as f64 >= number_of(rule)),
                ),
                "pattern" => require(instance.as_str().is_none_or(|text| matches_pattern(text, rule))),
                "minItems" => {
                    require(instance.as_array().is_none_or(|items| items.len() as f64 >= number_of(rule)));
                }
                "maxItems" => {
                    require(instance.as_array().is_none_or(|items| items.len() as f64 <= number_of(rule)));
                }
                "required" => require(
                    instance
                        .is_object()
                        .then(|| list(rule))
                        .into_iter()
                        .flatten()
                        .all(|key| has(instance, key)),
                ),
                "dependentRequired" => require(members(rule).all(|(key, needs)| {
                    instance.get(key).is_none() || list(needs).iter().all(|need| has(instance, need))
                })),
                "anyOf" => require(list(rule).iter().any(|option| self.accepts(option, instance))),
                "$ref" => self.check(self.definition(rule), instance, at, found),
                "if" => {
                    let branch = if self.accepts(rule, instance) { "then" } else { "else" };
                    if let Some(branch) = rules.get(branch) {
                        self.check(branch, instance, at, found);
                    }
                }
                "properties" => {
                    for (key, rule) in members(rule) {
                        if let Some(value) = instance.get(key) {
                            self.check(rule, value, &format!("{at}/{key}"), found);
                        }
                    }
                }
                "additionalProperties" => {
                    assert!(
                        !rules.contains_key("properties"),
                        "additionalProperties beside properties is not implemented"
                    );
                    for (key, value) in instance.as_object().into_iter().flatten() {
                        self.check(rule, value, &format!("{at}/{key}"), found);
                    }
                }
                "items" => {
                    for (index, value) in instance.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, value, &format!("{at}/{index}"), found);
                    }
                }
                other => panic!("the keyword `{other}` is not implemented"),
            }
        }
    }

    fn definition(&self, reference: &Value) -> &Value {
        let name =
            reference.as_str().and_then(|text| text.strip_prefix("#/$defs/")).expect("a reference to $defs");
        self.root["$defs"].get(name).unwrap_or_else(|| panic!("there is no definition `{name}`"))
    }
}

fn list(rule: &Value) -> &[Value] {
    rule.as_array().unwrap_or_else(|| panic!("a list: {rule}"))
}

fn members(rule: &Value) -> impl Iterator<Item = (&String, &Value)> {
    rule.as_object().unwrap_or_else(|| panic!("an object: {rule}")).iter()
}

fn number_of(rule: &Value) -> f64 {
    rule.as_f64().unwrap_or_else(|| panic!("a number: {rule}"))
}

fn has(instance: &Value, key: &Value) -> bool {
    instance.get(key.as_str().expect("keys are strings")).is_some()
}

fn has_type(instance: &Value, ty: &Value) -> bool {
    match ty.as_str().expect("types are strings") {
        "object" => instance.is_object(),
        "array" => instance.is_array(),
        "string" => instance.is_string(),
        "boolean" => instance.is_boolean(),
        "null" => instance.is_null(),
        "number" => instance.is_number(),
        "integer" => instance.is_i64() || instance.is_u64(),
        other => panic!("there is no type `{other}`"),
    }
}

/// Numbers and fractions are the only pattern we use.
fn matches_pattern(text: &str, pattern: &Value) -> bool {
    assert_eq!(pattern, "^[0-9]+(/[1-9][0-9]*)?$", "other patterns are not implemented");
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('/') {
        None => digits(text),
        Some((above, below)) => digits(above) && digits(below) && !below.starts_with('0'),
    }
}

#[track_caller]
fn validate(schema: &Schema, args: &[&str]) -> Value {
    let ran = guidepost(args);
    let answer = ran.json();
    let violations = schema.violations(&answer);
    assert!(violations.is_empty(), "{args:?}:\n{}", violations.join("\n"));
    answer
}

const MODELS: [&str; 9] = [
    "models/light-switch.xml",
    "models/fischer-faulty.xml",
    "models/train-gate.xml",
    "models/csma-cd.xml",
    "models/vending-machine.xml",
    "models/priorities.xml",
    "models/plc/watchdog.plc",
    "models/lamp.ta",
    "models/fischer-3.tck",
];

#[test]
fn answers_of_check_follow_the_schema() {
    let schema = Schema::load("check.schema.json");
    for model in MODELS {
        let with = validate(&schema, &["check", model, "--format", "json", "--trace", "some"]);
        assert!(with["results"].as_array().is_some_and(|results| !results.is_empty()));
        validate(&schema, &["check", model, "--format", "json"]);
    }
}

#[test]
fn undecided_and_failed_answers_follow_the_schema() {
    let schema = Schema::load("check.schema.json");
    let gate = "models/train-gate.xml";
    let limited = validate(&schema, &["check", gate, "--format", "json", "--state-limit", "5"]);
    assert!(list(&limited["results"]).iter().any(|result| result["reason"] == "state limit"));
    let foreign = [
        "check",
        gate,
        "--format",
        "json",
        "--query",
        "Pr[<=10](<> Train(0).OnBridge)",
        "--query",
        "E<> nobody",
    ];
    let foreign = validate(&schema, &foreign);
    assert!(list(&foreign["results"]).iter().all(|result| result["verdict"] == "undecided"), "{foreign}");

    let scratch = Scratch::new();
    let model = scratch.file(
        "overflow.xta",
        "int[0,2] n; clock x; process P() { state A { x <= 4 }; init A; trans A -> A { guard x >= 1; assign n++, x = 0; }; } system P;",
    );
    let failed =
        validate(&schema, &["check", &model, "--format", "json", "--trace", "some", "--query", "A[] n < 3"]);
    assert_eq!(failed["results"][0]["model_error"]["trace"]["length"], 2, "{failed}");
    let bounds =
        ["check", &model, "--format", "json", "--query", "sup: x", "--query", "bounds{n == 7}: x, n"];
    validate(&schema, &bounds);
}

#[test]
fn state_spaces_follow_the_schema() {
    let schema = Schema::load("states.schema.json");
    for model in MODELS {
        let whole = validate(&schema, &["states", model, "--format", "json"]);
        assert_eq!(whole["complete"], true, "{model}");
        validate(&schema, &["states", model, "--format", "json", "--state-limit", "3"]);
    }
    let scratch = Scratch::new();
    let model = scratch.file(
        "dead.xta",
        "chan a; broadcast chan b; int[0,3] n; bool on; clock x;
         process P() { state A, B, C, D { x <= 9 }; init A; trans A -> B { }, B -> C { guard n > 2; }, A -> A { sync a!; }, A -> D { assign x = 0; }; }
         process Q() { state A; init A; trans A -> A { sync b?; }; }
         system P, Q;",
    );
    let dead = validate(&schema, &["states", &model, "--format", "json"]);
    assert_eq!(dead["unreached"], json!(["P.C"]));
    assert_eq!(dead["untaken"].as_array().map(Vec::len), Some(2), "{dead}");
    assert_eq!(dead["unserved"][0]["sync"], "b?");
    assert!(dead["deadlocks"]["deadlock"].is_object() && dead["deadlocks"]["timelock"].is_object(), "{dead}");
}

#[test]
fn the_schemas_are_no_rubber_stamps() {
    let schema = Schema::load("check.schema.json");
    let good = guidepost(&["check", "models/light-switch.xml", "--format", "json", "--trace", "some"]).json();
    assert!(schema.violations(&good).is_empty());
    let spoilers: [(&str, Value); 9] = [
        ("/results/0/verdict", json!("yes")),
        ("/results/0/statistics/explored", json!(-1)),
        ("/results/0/statistics/seconds", json!("fast")),
        ("/results/0/search", json!("luck")),
        ("/results/0/trace/steps/0/delay", json!(0.5)),
        ("/results/0/trace/steps/0/delay", json!("1/0")),
        ("/results/0/trace/steps/0/transition/edges", json!([])),
        ("/results/0/trace/ending", json!("happily")),
        ("/results", json!([])),
    ];
    for (place, value) in spoilers {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place} is there")) = value;
        assert!(!schema.violations(&bad).is_empty(), "{place}");
    }
    let mut bad = good;
    bad["results"][0].as_object_mut().unwrap().remove("statistics");
    assert!(!schema.violations(&bad).is_empty(), "a verdict without statistics");
}
