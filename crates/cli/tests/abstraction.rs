//! `guidepost abstract`, and proofs by abstraction that it confirms.

mod common;

use common::{Scratch, guidepost};
use serde_json::Value;

/// The lights never show go together, whatever the inputs do; a counter makes the system large without mattering.
const LIGHTS: &str = "bool go1, go2, wants; int[0,9] cars; chan change;
process Control() { state First, Second; init First;
  trans First -> Second { guard !go1; sync change!; }, Second -> First { guard !go2; sync change!; }; }
process Light1() { state Red, Green; init Red;
  trans Red -> Green { guard Control_at == 0 && wants; assign go1 = true; }, Green -> Red { assign go1 = false; }; }
process Counter() { state Count; init Count; trans Count -> Count { sync change?; assign cars = (cars + 1) % 10; }; }
process Driver() { state D; init D; trans D -> D { assign wants = !wants; }; }
system Control, Light1, Counter, Driver;";

fn lights() -> String {
    LIGHTS.replace("int[0,9] cars", "int[0,1] Control_at; int[0,9] cars")
}

#[test]
fn hidden_parts_are_gone_and_the_rest_can_be_checked() {
    let scratch = Scratch::new();
    let model = scratch.file("lights.xta", lights());
    let output = scratch.path("small.xta");
    let query = "E<> Light1.Green and Control.Second";
    let ran =
        guidepost(&["abstract", &model, &output, "--hide", "Counter,wants", "--query", query]).expect(0);
    assert!(ran.stderr.contains("hidden: 2 of 4 processes"), "{}", ran.stderr);
    let text = std::fs::read_to_string(&output).unwrap();
    for gone in ["Counter", "cars", "wants", "Driver"] {
        assert!(!text.contains(gone), "{gone} in\n{text}");
    }
    assert!(text.contains("Control_at == 0"), "what is not hidden stays:\n{text}");
    // The partner of `change!` is hidden: the controller moves alone.
    guidepost(&["check", &output]).expect(0);
}

#[test]
fn a_proof_names_an_abstraction_that_confirms_it() {
    let scratch = Scratch::new();
    let model = scratch.file("lights.xta", lights());
    let query = "E<> Light1.Green and not go1";
    let ran = guidepost(&[
        "check",
        &model,
        "--query",
        query,
        "--search",
        "astar",
        "--heuristic",
        "rd",
        "--format",
        "json",
    ])
    .expect(1);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let result = &answer["results"][0];
    assert_eq!(result["verdict"], "not satisfied");
    assert_eq!(result["statistics"]["explored"], 0);
    let proof = &result["proof"];
    assert_eq!(proof["processes"], 4);
    let hidden: Vec<&str> = proof["hidden"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(hidden.contains(&"Counter"), "{hidden:?}");
    let output = scratch.path("proof.xml");
    guidepost(&["abstract", &model, &output, "--hide", &hidden.join(","), "--query", query]).expect(0);
    guidepost(&["check", &output, "--search", "bfs"]).expect(1);
}

/// What holds of the abstraction holds of the model, so the answer must be the one that says so.
#[test]
fn queries_keep_their_sense() {
    let scratch = Scratch::new();
    let model = scratch.file("lights.xta", lights());
    scratch.file("lights.q", "A[] not (Light1.Green and not go1)\nLight1.Green --> not Light1.Green\n");
    let output = scratch.path("sense.xml");
    let ran = guidepost(&["abstract", &model, &output, "--hide", "Counter"]).expect(0);
    assert!(ran.stderr.contains("is left out: abstractions preserve reachability only"), "{}", ran.stderr);
    let checked = guidepost(&["check", &output, "--search", "bfs"]).expect(0);
    assert!(checked.stdout.contains("A[]") && checked.stdout.contains("is satisfied"), "{}", checked.stdout);
}

#[test]
fn what_cannot_be_hidden_is_refused() {
    let scratch = Scratch::new();
    let model = scratch.file("lights.xta", lights());
    let output = scratch.path("out.xta");
    let refused = |args: &[&str], words: &str| {
        let ran = guidepost(&[&["abstract", model.as_str(), output.as_str()], args].concat()).expect(2);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    };
    refused(&[], "say what to hide");
    refused(&["--hide", "Countr"], "did you mean `Counter`?");
    refused(&["--auto", "rd"], "choose it with `--select N` or `--query`");
    refused(&["--auto", "hl", "--query", "E<> Light1.Green"], "finds no pattern");
    refused(&["--auto", "rx", "--query", "E<> Light1.Green"], "there is no heuristic `rx`");
}

/// A guard on an urgent channel is weakened; if the channel stayed urgent, no time could pass and the error would be gone.
#[test]
fn urgency_goes_with_the_guard_in_the_written_model_as_well() {
    let scratch = Scratch::new();
    let text = "bool ready; clock x; urgent broadcast chan hurry;
        process P() { state Wait, Late, Done; init Wait;
          trans Wait -> Done { guard ready; sync hurry!; }, Wait -> Late { guard x > 5; }; }
        process Q() { state A, B; init A; trans A -> B { guard x > 7; assign ready = true; }; }
        system P, Q;";
    let model = scratch.file("urgent.xta", text);
    let query = ["--query", "E<> P.Late"];
    guidepost(&[&["check", model.as_str()], &query[..]].concat()).expect(0);
    let output = scratch.path("abstract.xta");
    guidepost(&[&["abstract", model.as_str(), output.as_str(), "--hide", "Q"], &query[..]].concat())
        .expect(0);
    guidepost(&["check", &output]).expect(0);
}

#[test]
fn patterns_of_unknown_names_are_refused() {
    let scratch = Scratch::new();
    let model = scratch.file("lights.xta", lights());
    let ran =
        guidepost(&["check", &model, "--query", "E<> Light1.Green", "--heuristic", "max(hl,pdb(Countr))"]);
    assert!(ran.expect(2).stderr.contains("nothing is called `Countr`; did you mean `Counter`?"));
}
