//! Several models at once, models from standard input, and the order of arguments.

mod common;

use common::{Scratch, guidepost, root};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder with one model that is fine, one with a surprise, one that is wrong, one without queries, and one further down.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("guidepost-many-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    let model = "process P() { state A, B; init A; trans A -> B { }; } system P;";
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).unwrap();
    write("a.xta", model);
    write("a.q", "E<> P.B\nA[] not deadlock // never\n");
    write("b.xta", "process P( { } system");
    write("c.xta", model);
    write("sub/d.xta", model);
    write("sub/d.q", "// expect: satisfied\nE<> P.B\n");
    write("notes.txt", "no model");
    folder
}

#[test]
fn one_table_for_a_folder() {
    let folder = folder("table");
    let ran = guidepost(&["check", folder.to_str().unwrap(), "--jobs", "2"]).expect(2);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("model"), "{}", ran.stdout);
    let names: Vec<&str> = lines[1..]
        .iter()
        .filter_map(|line| line.split(".xta").next())
        .filter_map(|name| name.rsplit('/').next())
        .collect();
    assert_eq!(names[0], "a", "{}", ran.stdout);
    let line = |end: &str| {
        lines.iter().find(|line| line.contains(end)).unwrap_or_else(|| panic!("{end}:\n{}", ran.stdout))
    };
    assert!(line("a.xta").contains("satisfied") && line("b.xta").contains("ERROR"));
    assert!(line("c.xta").contains("no queries") && line("d.xta").contains("satisfied, as expected"));
    assert!(ran.stdout.contains("NOT satisfied"));
    let last = lines.last().unwrap();
    assert_eq!(
        *last,
        "2 of 4 models have no surprise; 1 with queries that are not satisfied or not as expected; 1 with errors."
    );
    // The order is that of the names, however many work.
    let rows = |jobs: &str| {
        let text = guidepost(&["check", folder.to_str().unwrap(), "--jobs", jobs]).stdout;
        text.lines().map(|line| line.split_whitespace().next().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rows("1"), rows("3"));
}

#[test]
fn one_file_for_continuous_integration() {
    let folder = folder("junit");
    let ran = guidepost(&["check", folder.to_str().unwrap(), "--format", "junit"]).expect(2);
    assert_eq!(ran.stdout.matches("<testsuite ").count(), 3, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("<testsuites name=\"guidepost\" tests=\"4\" failures=\"1\" errors=\"1\""),
        "{}",
        ran.stdout
    );
    let empty = folder.join("c.xta");
    let empty = empty.to_str().unwrap();
    let sum = guidepost(&["check", empty, empty, "--format", "junit"]);
    assert!(!sum.stdout.contains("-0.0"), "{}", sum.stdout);
    let json: Value = guidepost(&["check", folder.to_str().unwrap(), "--format", "json"]).expect(2).json();
    let models = json["models"].as_array().unwrap();
    assert_eq!(models.len(), 4);
    assert_eq!(models[0]["results"][0]["verdict"], "satisfied");
    assert!(models[1]["error"].is_string() && models[2]["results"].as_array().unwrap().is_empty());
}

#[test]
fn the_first_surprise_can_be_the_last() {
    let folder = folder("fast");
    let ran = guidepost(&["check", folder.to_str().unwrap(), "--fail-fast"]).expect(1);
    assert!(ran.stdout.contains("NOT satisfied") && !ran.stdout.contains("d.xta"), "{}", ran.stdout);
    assert!(ran.stdout.contains("3 left out"), "{}", ran.stdout);
    let files = ["models/fischer.xml", "models/lamp.ta"];
    let ran = guidepost(&["check", files[0], files[1], "--fail-fast"]).expect(0);
    assert!(ran.stdout.ends_with("2 of 2 models have no surprise.\n"), "{}", ran.stdout);
}

#[test]
fn what_belongs_to_one_model_is_refused_for_several() {
    for option in
        [&["--report", "x.html"][..], &["--trace-file", "x.json"], &["--certified"], &["--log", "jsonl"]]
    {
        let args = [&["check", "models/fischer.xml", "models/lamp.ta"], option].concat();
        assert!(guidepost(&args).expect(2).stderr.contains("is for one model"));
    }
    let ran = guidepost(&["check", "models/fischer.xml", "models/lamp.ta", "models/lamp.q"]).expect(2);
    assert!(ran.stderr.contains("has queries: give one model and then its queries"), "{}", ran.stderr);
}

/// What one asks of one model can be asked of several.
#[test]
fn values_runs_and_places_are_told_of_several_models() {
    let folder = Scratch::new();
    let wrong = folder.file("wrong.xta", "process P() { state A; init A; } system P;");
    folder.file("wrong.q", "E<> P.B\n");
    let ran = guidepost(&["check", &wrong, "models/fischer-faulty.xml", "--trace", "some"]).expect(2);
    assert!(ran.stdout.contains("wrong.q:1:"), "the place of the error: {}", ran.stdout);
    assert!(
        ran.stdout.contains("models/fischer-faulty.xml, 1: ") && ran.stdout.contains("step  time"),
        "{}",
        ran.stdout
    );
    let ran = guidepost(&["check", "models/train-gate.xml", "models/fischer.xml"]);
    assert!(
        ran.stdout.contains("measured, as expected") && ran.stdout.contains("sup: Box.count: Box.count <= 3"),
        "{}",
        ran.stdout
    );
    let ran = guidepost(&["check", "-", "-"]).expect(2);
    assert!(ran.stderr.contains("standard input can be read once"), "{}", ran.stderr);
    let ran = guidepost(&["check", "models/fischer.xml", "--select", "-1"]).expect(2);
    assert!(ran.stderr.contains("numbered from 1"), "{}", ran.stderr);
}

#[test]
fn queries_behind_the_model_and_several_selected() {
    let ran = guidepost(&[
        "check",
        "models/fischer.xta",
        "models/fischer.q",
        "--select",
        "1,3",
        "--format",
        "json",
    ])
    .expect(0);
    let json = ran.json();
    let numbers: Vec<u64> =
        json["results"].as_array().unwrap().iter().filter_map(|result| result["number"].as_u64()).collect();
    assert_eq!(numbers, [1, 3]);
    let ran = guidepost(&["check", "models/fischer.xml", "--select", "1-3"]).expect(2);
    assert!(ran.stderr.contains("--select 1,2,3"), "{}", ran.stderr);
}

fn piped(args: &[&str], file: &str) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_guidepost"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let text = std::fs::read(root().join(file)).unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn models_come_from_standard_input_in_every_language() {
    for file in ["models/fischer.xml", "models/fischer.xta", "models/fischer-3.tck", "models/lamp.ta"] {
        let (code, text) = piped(&["check", "-", "--query", "A[] not false"], file);
        assert!(code == 0 && text.contains("Formula is satisfied"), "{file}: {text}");
    }
    assert_eq!(piped(&["check", "-"], "models/fischer.xml").0, 0);
}

#[test]
fn the_model_comes_first_and_the_other_order_is_understood() {
    let folder = folder("order");
    let (trace, report) = (folder.join("t.json"), folder.join("t.html"));
    let (trace, report) = (trace.to_str().unwrap(), report.to_str().unwrap());
    let model = "models/fischer-faulty.xml";
    guidepost(&["check", model, "--select", "1", "--trace-file", trace]).expect(0);
    for args in [&["replay", model, trace][..], &["report", model, trace, "-o", report]] {
        assert!(!guidepost(args).expect(0).stderr.contains("note:"));
    }
    for args in [&["replay", trace, model][..], &["report", trace, model, "-o", report]] {
        let ran = guidepost(args).expect(0);
        assert!(ran.stderr.contains("the model comes first"), "{}", ran.stderr);
    }
}
