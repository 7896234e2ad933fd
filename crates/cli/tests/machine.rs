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

#[test]
fn machines_become_networks() {
    let scratch = Scratch::new();
    let path = scratch.path("coffee.xml");
    let converted = guidepost(&["convert", COFFEE, &path]).expect(0);
    assert!(converted.stderr.contains("a unit of time is a second"), "{}", converted.stderr);
    guidepost(&["check", &path]).expect(0);
    let early = "E<> in_idle && since_brewed < 2 && cups > 0";
    guidepost(&["check", &path, "--query", early]).expect(1);
    let path = scratch.path("lamp.xta");
    guidepost(&["convert", "models/machines/lamp.sem", &path]).expect(0);
    let answers = guidepost(&["check", &path, "--format", "json"]).expect(1).json();
    let no =
        answers["results"].as_array().expect("a list").iter().filter(|one| one["verdict"] == "not satisfied");
    assert_eq!(no.map(|one| one["query"].as_str().unwrap()).collect::<Vec<_>>(), ["E<> Button.Stuck"]);
    assert!(
        guidepost(&["convert", COFFEE, "-", "--to", "xml", "--flat"]).expect(2).stderr.contains("--flat")
    );
    for machine in [COFFEE, "models/machines/lamp.sem", "models/machines/crossing-light.json"] {
        let refused = guidepost(&["check", machine]).expect(2).stderr;
        assert!(refused.contains("`guidepost machine FILE` checks it"), "{refused}");
    }
}

#[test]
fn slips_and_unheard_events_are_named() {
    let scratch = Scratch::new();
    let path = scratch.path("slips.scxml");
    let text = "<!DOCTYPE scxml [<!ENTITY x 'y'>]><scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>
        <state id='a'><transition evnt='e' event='e' cond=\"In('nope')\" target='b'/></state><final id='b'/></scxml>";
    std::fs::write(&path, text).expect("it can be written");
    let checked = guidepost(&["machine", &path]).expect(1);
    assert!(checked.stderr.contains("has no attribute `evnt`"), "{}", checked.stderr);
    assert!(checked.stderr.contains("there is no state `nope`"), "{}", checked.stderr);
    assert!(
        checked.stdout.contains("entities that the file declares are not expanded"),
        "{}",
        checked.stdout
    );
    let ran = guidepost(&["machine", COFFEE, "--run", "button,knock"]).expect(0);
    assert!(ran.stderr.contains("no transition waits for `knock`"), "{}", ran.stderr);
    let junit = guidepost(&["machine", COFFEE, "--format", "junit"]).expect(1).stdout;
    assert!(junit.contains("\n  after: button, lift"), "{junit}");
}
