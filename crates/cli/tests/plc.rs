//! Controllers from the outside: variants, answers, conversions.

mod common;

use common::{Scratch, guidepost};
use serde_json::Value;

const LINE: &str = "models/plc/line-segment.plc";
const MUTEX: &str = "models/plc/mutex.plc";

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&guidepost(args).expect(0).stdout).expect("JSON")
}

#[test]
fn answers_are_compared_with_what_the_file_expects() {
    guidepost(&["check", "models/plc/watchdog.plc"]).expect(0);
    let answer = json(&[
        "check",
        MUTEX,
        "--variant",
        "naive",
        "--search",
        "bfs",
        "--trace",
        "shortest",
        "--format",
        "json",
    ]);
    assert_eq!(answer["model"], "models/plc/mutex.plc:naive");
    let result = &answer["results"][0];
    assert_eq!(result["verdict"], "not satisfied");
    assert_eq!(result["trace"]["length"], 18);
}

#[test]
fn a_variant_is_an_option_or_a_part_of_the_name() {
    let option = json(&["info", LINE, "--variant", "C9", "--format", "json"]);
    let name = json(&["info", "models/plc/line-segment.plc:C9", "--format", "json"]);
    assert_eq!(option, name);
    assert_eq!(option["format"], "plc");
    assert_eq!(option["sizes"]["processes"], 10);
    let unknown = guidepost(&["info", LINE, "--variant", "C10"]).expect(2);
    assert!(unknown.stderr.contains("there is no variant `C10`"), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("did you mean `C1`?"), "{}", unknown.stderr);
    let other = guidepost(&["info", "models/fischer.xml", "--variant", "C1"]).expect(2);
    assert!(other.stderr.contains("--variant is for models"), "{}", other.stderr);
}

/// Runs speak of the controller's own locations and signals.
#[test]
fn runs_have_the_names_of_the_file() {
    let run = guidepost(&["simulate", MUTEX, "--variant", "M1", "--seed", "1"]).expect(0).stdout;
    assert!(run.contains("Wait2_poll -> Wait2_check"), "{run}");
    assert!(run.contains("Control_grant2 = false"), "{run}");
}

/// What is written is the same model: same sizes, same answer after as many states.
#[test]
fn conversions_keep_sizes_and_answers() {
    let folder = Scratch::new();
    let explored = |model: &str| {
        let args = ["check", model, "--search", "bfs", "--trace", "shortest", "--format", "json"];
        let result = json(&args)["results"][0].clone();
        (
            result["verdict"].clone(),
            result["trace"]["length"].clone(),
            result["statistics"]["explored"].clone(),
        )
    };
    for (file, variant) in [(MUTEX, "M1"), (LINE, "C1")] {
        let original = explored(&format!("{file}:{variant}"));
        for ending in ["xml", "xta"] {
            let path = folder.path(&format!("{variant}.{ending}"));
            guidepost(&["convert", file, &path, "--variant", variant]).expect(0);
            assert_eq!(explored(&path), original, "{variant} as {ending}");
        }
    }
}

#[test]
fn drawings_show_guards_and_updates() {
    let folder = Scratch::new();
    let path = folder.path("mutex.svg");
    guidepost(&["draw", MUTEX, &path]).expect(0);
    let drawing = std::fs::read_to_string(path).expect("a drawing");
    assert!(drawing.contains("Control_held &gt;= 2000") && drawing.contains("S1_grant = Control_grant1"));
}
