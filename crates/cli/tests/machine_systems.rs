//! `guidepost machine` with systems of state/event machines (`.sem`), and their generators.

mod common;

use common::{Scratch, guidepost};

const HI_FI: &str = "models/machines/hi-fi.sem";

#[test]
fn all_methods_find_the_same() {
    let found = |method: &str| {
        let answer = guidepost(&["machine", HI_FI, "--format", "json", "--method", method]).expect(1).json();
        let findings = answer["findings"].as_array().expect("a list").clone();
        let told = |finding: &serde_json::Value| {
            (
                finding["kind"].to_string(),
                finding["where"].to_string(),
                finding["evidence"].as_array().map(Vec::len),
            )
        };
        findings.iter().map(told).collect::<Vec<_>>()
    };
    let expected = found("reusable-compositional");
    assert_eq!(expected.len(), 6);
    for method in ["forward", "forward-full", "backward-full", "backward-closed", "compositional", "reusable"]
    {
        assert_eq!(found(method), expected, "{method}");
    }
}

#[test]
fn findings_stand_where_they_are_in_the_file() {
    let answer = guidepost(&["machine", HI_FI, "--format", "json"]).expect(1).json();
    let findings = answer["findings"].as_array().expect("a list");
    let stuck = findings.iter().find(|finding| finding["kind"] == "deadlock").expect("there is one");
    assert_eq!((&stuck["where"], &stuck["line"]), (&"Disc".into(), &78.into()));
    let dead = findings.iter().find(|finding| finding["kind"] == "dead-transition").expect("there is one");
    assert_eq!(dead["because"][0], "the proof uses Source, Power, Tape, Door");
}

#[test]
fn evidence_can_be_run() {
    let ran = guidepost(&["machine", HI_FI, "--run", "power,source,source,insert,play,shake"]).expect(0);
    let last = ran.stdout.lines().last().expect("a line");
    assert!(last.ends_with("Disc.Scratched"), "{last}");
    let ran = guidepost(&["machine", HI_FI, "--run", "power arm light"]).expect(0);
    assert!(ran.stdout.lines().last().is_some_and(|line| line.starts_with("  or ")), "{}", ran.stdout);
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let scratch = Scratch::new();
    let file = scratch.file("wrong.sem", "event e;\nmachine A { state X; X -> Y on e; }\n");
    let ran = guidepost(&["machine", &file]).expect(2);
    assert!(ran.stderr.contains("there is no state `Y`"), "{}", ran.stderr);
    let ran = guidepost(&["machine", HI_FI, "--method", "magic"]).expect(2);
    assert!(ran.stderr.contains("there is no method `magic`"), "{}", ran.stderr);
    guidepost(&["machine", HI_FI, "--state-limit", "5"]).expect(2);
    guidepost(&["machine", "models/machines/coffee.scxml", "--method", "forward"]).expect(2);
}

#[test]
fn generated_systems_are_checked() {
    let scratch = Scratch::new();
    let file = scratch.path("m.sem");
    guidepost(&["generate", "machines", "30", "7", "-o", &file]).expect(0);
    guidepost(&["generate", "machines", "30", "7", "-o", &file]).expect(2);
    let answer = guidepost(&["machine", &file, "--format", "json"]).expect(1).json();
    assert!(answer["findings"].as_array().is_some_and(|findings| !findings.is_empty()));
    let file = scratch.path("c.sem");
    guidepost(&["generate", "cells", "30", "4", "-o", &file]).expect(0);
    let answer = guidepost(&["machine", &file, "--format", "json"]).json();
    assert!(answer["states"].as_u64().is_some_and(|states| states > 100));
    guidepost(&["generate", "cells", "30", "4", "-o", &scratch.path("c.xta")]).expect(2);
}

#[test]
fn the_report_draws_the_machines() {
    let scratch = Scratch::new();
    let path = scratch.path("out.html");
    guidepost(&["machine", HI_FI, "--report", &path]).expect(1);
    let html = std::fs::read_to_string(path).expect("it was written");
    assert!(html.contains("state atomic dead\"><title>Jammed"), "the dead state is marked");
    assert_eq!(html.matches("class=\"transition dead\"").count(), 1);
    assert!(!html.contains("0 situations"));
}

#[test]
fn what_needs_a_timer_is_only_perhaps() {
    let answer = guidepost(&["machine", "models/machines/lamp.sem", "--format", "json"]).expect(1).json();
    let finding = &answer["findings"][0];
    assert_eq!((&finding["where"], &finding["certain"]), (&"Button".into(), &false.into()));
    assert_eq!(finding["evidence"], serde_json::json!(["press", "Button.Held@5"]));
    let run =
        guidepost(&["machine", "models/machines/lamp.sem", "--run", "press,Lamp.On@120"]).expect(0).stdout;
    assert!(run.ends_with("Lamp.Warning, Button.Held\n"), "{run}");
}
