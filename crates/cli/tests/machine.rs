//! `guidepost machine`: statecharts.

mod common;

use common::{Scratch, guidepost};

const COFFEE: &str = "models/machines/coffee.scxml";

#[test]
fn findings_as_json() {
    let answer = guidepost(&["machine", COFFEE, "--format", "json"]).expect(1).json();
    assert_eq!((answer["states"].as_u64(), answer["transitions"].as_u64()), (Some(10), Some(10)));
    let findings = answer["findings"].as_array().expect("a list");
    let found: Vec<(&str, &str)> = findings
        .iter()
        .map(|finding| (finding["kind"].as_str().unwrap(), finding["where"].as_str().unwrap()))
        .collect();
    assert!(found.contains(&("deadlock", "stuck")), "{found:?}");
    assert!(found.contains(&("unreachable-state", "descaling")), "{found:?}");
    assert!(found.contains(&("dead-transition", "dirty --button--> brewing")), "{found:?}");
    let stuck = findings.iter().find(|finding| finding["where"] == "stuck").unwrap();
    assert_eq!(stuck["evidence"], serde_json::json!(["button", "lift"]));
    assert_eq!(stuck["certain"], true);
    assert_eq!(stuck["line"], 29);
}

#[test]
fn evidence_can_be_run() {
    let ran = guidepost(&["machine", COFFEE, "--run", "button,lift"]).expect(0);
    assert_eq!(ran.stdout.lines().last(), Some("lift             stuck filled"));
}

#[test]
fn other_formats_say_the_same() {
    let junit = guidepost(&["machine", COFFEE, "--format", "junit"]).expect(1).stdout;
    assert!(junit.contains("<failure type=\"deadlock\""), "{junit}");
    let sarif = guidepost(&["machine", COFFEE, "--format", "sarif"]).expect(1).json();
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    assert!(results.iter().any(|one| one["ruleId"] == "deadlock"), "{results:?}");
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    assert!(region["startLine"].as_u64().is_some_and(|line| line > 1), "{region}");
}

#[test]
fn the_report_is_one_file_with_a_drawing() {
    let scratch = Scratch::new();
    let path = scratch.path("out.html");
    guidepost(&["machine", COFFEE, "--report", &path]).expect(1);
    let html = std::fs::read_to_string(path).expect("it was written");
    assert!(html.contains("<svg class=\"statechart\""));
    assert!(html.contains("state atomic dead\"><title>descaling"));
    assert!(!html.contains("src=") && !html.contains("href="), "it needs nothing else");
}

#[test]
fn wrong_files_and_limits() {
    assert!(
        guidepost(&["machine", "nowhere.scxml"]).expect(2).stderr.contains("cannot read `nowhere.scxml`")
    );
    assert!(guidepost(&["machine", "models/fischer.xml"]).expect(2).stderr.contains("not `<scxml>`"));
    let ran = guidepost(&["machine", COFFEE, "--state-limit", "2"]);
    assert!(ran.stdout.contains("the state limit was reached"), "{}", ran.stdout);
}
