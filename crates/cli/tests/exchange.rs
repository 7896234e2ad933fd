//! Runs leave guidepost as files and come back.

mod common;

use common::{Scratch, guidepost};
use serde_json::Value;

const QUERY: &str = "E<> Train(0).OnBridge and Train(1).Halted";
const MODEL: &str = "models/train-gate.xml";

fn recorded(scratch: &Scratch) -> (String, String) {
    let path = scratch.path("trace.json");
    guidepost(&["check", MODEL, "--query", QUERY, "--search", "bfs", "--trace-file", &path]).expect(0);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

#[test]
fn a_recorded_run_replays() {
    let scratch = Scratch::new();
    let (path, text) = recorded(&scratch);
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["format_version"], 1);
    assert_eq!(file["model"], MODEL);
    assert_eq!(file["traces"][0]["query"], QUERY);
    let steps = file["traces"][0]["trace"]["steps"].as_array().unwrap();
    assert!(
        steps.iter().all(|step| step.get("state").is_none() && step.get("changes").is_some()),
        "only what changed"
    );
    let ran = guidepost(&["replay", MODEL, &path]).expect(0);
    assert!(ran.stdout.contains("The run replays"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "");
    let json = guidepost(&["replay", MODEL, &path, "--format", "json"]).expect(0).json();
    assert_eq!(json["results"][0]["replays"], true);
    assert_eq!(json["results"][0]["steps"], steps.len());
}

#[test]
fn answers_and_simulations_replay_too() {
    let scratch = Scratch::new();
    for (args, model) in [
        (
            vec!["check", "models/fischer-faulty.xml", "--trace", "some", "--format", "json"],
            "models/fischer-faulty.xml",
        ),
        (
            vec!["simulate", "models/vending-machine.xml", "--steps", "30", "--format", "json"],
            "models/vending-machine.xml",
        ),
        (
            vec!["simulate", "models/fischer-3.tck", "--steps", "30", "--format", "json"],
            "models/fischer-3.tck",
        ),
        (
            vec!["simulate", "models/priorities.xml", "--steps", "30", "--format", "json"],
            "models/priorities.xml",
        ),
    ] {
        let answer = guidepost(&args).expect(0).stdout;
        let path = scratch.file("run.json", answer);
        guidepost(&["replay", model, &path]).expect(0);
    }
}

#[test]
fn the_step_that_fails_is_named_with_its_reason() {
    let scratch = Scratch::new();
    let (_, text) = recorded(&scratch);
    let mut file: Value = serde_json::from_str(&text).unwrap();
    let steps = file["traces"][0]["trace"]["steps"].as_array_mut().unwrap();
    let late = steps.iter().position(|step| step["delay"] != "0").unwrap();
    steps[late]["delay"] = "400".into();
    let ran = guidepost(&["replay", MODEL, &scratch.file("late.json", file.to_string())]).expect(1);
    assert!(ran.stderr.contains(&format!("step {}: the delay must be at most", late + 1)), "{}", ran.stderr);
    steps_of(&mut file)[late]["delay"] = "0".into();
    let ran = guidepost(&["replay", MODEL, &scratch.file("early.json", file.to_string())]).expect(1);
    assert!(ran.stderr.contains("guard of Train(0)'s edge Coming -> OnBridge"), "{}", ran.stderr);
    let json =
        guidepost(&["replay", MODEL, &scratch.path("early.json"), "--format", "json"]).expect(1).json();
    assert_eq!(json["results"][0]["failing_step"], late + 1);
}

fn steps_of(file: &mut Value) -> &mut Vec<Value> {
    file["traces"][0]["trace"]["steps"].as_array_mut().unwrap()
}

#[test]
fn a_state_that_is_not_the_recorded_one_is_noticed() {
    let scratch = Scratch::new();
    let (_, text) = recorded(&scratch);
    let changed = text.replacen("\"Box.count\":1", "\"Box.count\":2", 1);
    assert_ne!(changed, text);
    let ran = guidepost(&["replay", MODEL, &scratch.file("changed.json", changed)]).expect(1);
    assert!(ran.stderr.contains("`Box.count` was recorded as 2 and is 1"), "{}", ran.stderr);
}

#[test]
fn edges_are_found_by_their_names() {
    let scratch = Scratch::new();
    let (_, text) = recorded(&scratch);
    let mut file: Value = serde_json::from_str(&text).unwrap();
    for step in steps_of(&mut file) {
        for edge in step["transition"]["edges"].as_array_mut().unwrap() {
            edge.as_object_mut().unwrap().remove("edge");
        }
    }
    guidepost(&["replay", MODEL, &scratch.file("named.json", file.to_string())]).expect(0);
}

#[test]
fn bad_files_are_refused_with_what_is_wrong() {
    let scratch = Scratch::new();
    let (path, text) = recorded(&scratch);
    let newer = text.replacen("\"format_version\": 1", "\"format_version\": 7", 1);
    let older =
        text.replacen("\"format_version\": 1", "\"format_version\": 0", 1).replacen("0.1.0", "0.0.3", 1);
    let lacking = text.replacen("\"delay\"", "\"pause\"", 1).replacen("0.1.0", "0.0.3", 1);
    let cases = [
        (text[..text.len() / 2].to_owned(), "cut off"),
        (String::new(), "cut off"),
        ("hello".to_owned(), "not JSON"),
        ("{\"tool\": \"other\"}".to_owned(), "not one that guidepost wrote"),
        ("[1, 2]".to_owned(), "not one that guidepost wrote"),
        (newer, "written by a newer guidepost"),
        (older, "written by an older guidepost (0.0.3)"),
        (lacking, "there is no `delay` (the file was written by guidepost 0.0.3"),
        ("{\"tool\":\"guidepost\",\"results\":[]}".to_owned(), "contains no run"),
        (text.replacen("\"delay\":\"0\"", "\"delay\":\"-1\"", 1), "is negative"),
        (text.replacen("\"delay\":\"0\"", "\"delay\":\"1/0\"", 1), "not a time"),
    ];
    for (content, message) in cases {
        let bad = scratch.file("bad.json", &content);
        for args in [["replay", MODEL, &bad], ["report", MODEL, &bad]] {
            if args[0] == "report" && message == "contains no run" {
                continue;
            }
            let ran = guidepost(&args).expect(2);
            assert!(ran.stderr.contains(message), "{args:?} {message}:\n{}", ran.stderr);
        }
    }
    let ran = guidepost(&["replay", "models/fischer.xml", &path]).expect(2);
    assert!(
        ran.stderr.contains("there is no process `Train(0)`; is this a run of another model?"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("note: the run was recorded on"), "{}", ran.stderr);
    guidepost(&["replay", MODEL, &scratch.path("missing.json")]).expect(2);
    guidepost(&["replay", MODEL, &scratch.file("binary.json", [0xff, 0xfe, 0x00])]).expect(2);
}

#[test]
fn without_a_run_no_file_is_written() {
    let scratch = Scratch::new();
    let path = scratch.path("none.json");
    let ran = guidepost(&["check", MODEL, "--query", "A[] not deadlock", "--trace-file", &path]).expect(0);
    assert!(ran.stderr.contains("no answer has a run"), "{}", ran.stderr);
    assert!(!std::path::Path::new(&path).exists());
    let nowhere = scratch.path("no/such/folder/out.json");
    let ran = guidepost(&["check", MODEL, "--query", QUERY, "--trace-file", &nowhere]).expect(2);
    assert!(ran.stderr.contains("cannot write"), "{}", ran.stderr);
    assert!(ran.stdout.is_empty(), "noticed before the search begins: {}", ran.stdout);
}

#[test]
fn a_loop_must_close() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "loop.xta",
        "clock x; int i; process P() { state a { x <= 2 }, b { x <= 2 }; init a;
         trans a -> b { assign x = 0; }, b -> a { assign x = 0; }; }
         process Q() { state c, d; init c; trans c -> d { assign i = 1; }; } system P, Q;",
    );
    let path = scratch.path("trace.json");
    guidepost(&["check", &model, "--query", "A<> P.a and P.b", "--trace-file", &path]).expect(1);
    let file: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let ending = &file["traces"][0]["trace"]["ending"];
    assert!(ending["loop"].is_u64(), "{ending}");
    guidepost(&["replay", &model, &path]).expect(0);
    let with_ending = |ending: Value| {
        let mut file = file.clone();
        file["traces"][0]["trace"]["ending"] = ending;
        scratch.file("changed.json", file.to_string())
    };
    for at in [1_000_000_000_u64, u64::MAX] {
        let changed = with_ending(serde_json::json!({ "loop": at }));
        let ran = guidepost(&["replay", &model, &changed]).expect(1);
        assert!(ran.stderr.contains("said to repeat from transition"), "{}", ran.stderr);
        let json = guidepost(&["replay", &model, &changed, "--format", "json"]).expect(1).json();
        assert_eq!(json["results"][0]["replays"], false);
    }
    // From its last transition on, the run would have to be where it is not.
    let transitions = file["traces"][0]["trace"]["steps"].as_array().unwrap().len();
    let last = with_ending(serde_json::json!({ "loop": transitions - 1 }));
    let ran = guidepost(&["replay", &model, &last]).expect(1);
    assert!(ran.stderr.contains("does not come back"), "{}", ran.stderr);
    // `P` cannot wait forever anywhere.
    let ran = guidepost(&["replay", &model, &with_ending("waits".into())]).expect(1);
    assert!(ran.stderr.contains("wait forever"), "{}", ran.stderr);
}
