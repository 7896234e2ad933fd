//! `guidepost states` from the outside: sizes, dead code, deadlocks, limits.

mod common;

use common::{Ran, Scratch, guidepost};
use serde_json::{Value, json};

fn states(args: &[&str]) -> Ran {
    guidepost(&[&["states"], args].concat())
}

const CLEAN: [&str; 4] =
    ["models/light-switch.xml", "models/train-gate.xml", "models/fischer.xml", "models/token-ring.xml"];

const UNTIDY: &str = "typedef int[0,5] id_t;
chan a; broadcast chan b; int[0,9] n; int[0,7] cells[4]; bool on; bool off = true; clock x;
process P(id_t id) {
    state A, B, C, D { x <= 9 };
    init A;
    trans A -> B { guard n < 2; assign n++, cells[n] = n; },
        B -> C { guard n > 5; },
        A -> A { sync a!; },
        A -> D { guard n == 2; assign x = 0; };
}
process Q() { state A; init A; trans A -> A { sync b?; }; }
system P, Q;
";

#[test]
fn a_tidy_model_has_nothing_to_report() {
    for model in CLEAN {
        let ran = states(&[model]).expect(0);
        for part in
            ["deadlocks while time goes on: none\n", "(time-locks): none\n", "edges never taken: none\n"]
        {
            assert!(ran.stdout.contains(part), "{model}: {}", ran.stdout);
        }
        assert!(ran.stdout.starts_with(model) && ran.stderr.is_empty(), "{model}: {}", ran.stderr);
        assert!(!ran.stdout.contains('\u{1b}'));
    }
}

#[test]
fn the_numbers_do_not_depend_on_the_order() {
    for model in CLEAN {
        let discrete = |order: &str| {
            let answer = states(&[model, "--search", order, "--format", "json"]).expect(0).json();
            assert_eq!(answer["complete"], true);
            answer["statistics"]["discrete"].as_u64().expect("a number")
        };
        assert_eq!(discrete("bfs"), discrete("dfs"), "{model}");
        assert_eq!(discrete("bfs"), discrete("rdfs"), "{model}");
    }
}

#[test]
fn dead_code_is_listed_once_per_template() {
    let scratch = Scratch::new();
    let model = scratch.file("untidy.xta", UNTIDY);
    let ran = states(&[&model]).expect(0);
    let parts = [
        "locations never reached:\n    P(0) to P(5): C\n",
        "edges never taken:\n    P(0) to P(5): B -> C (line 7)\n    P(0) to P(5): A -> A, a! (line 8)\n",
        "receivers never served:\n    Q: A -> A, b? (line 11)\n",
        "n is 0 to 2, of 0 to 9\n",
        "cells[..] is 0 to 2, of 0 to 7\n",
        "on is always false\n",
        "off is always true\n",
    ];
    for part in parts {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let answer = states(&[&model, "--format", "json"]).expect(0).json();
    assert_eq!(answer["unreached"].as_array().map(Vec::len), Some(6));
    let receiver = &answer["unserved"][0];
    assert_eq!(
        (&receiver["process"], &receiver["sync"], &receiver["line"]),
        (&json!("Q"), &json!("b?"), &json!(11))
    );
}

#[test]
fn deadlocks_and_time_locks_come_with_a_run() {
    let scratch = Scratch::new();
    let model = scratch.file("untidy.xta", UNTIDY);
    let answer = states(&[&model, "--format", "json"]).expect(0).json();
    let halts = &answer["deadlocks"];
    assert_eq!(halts["complete"], true);
    assert_eq!(halts["timelock"]["ending"], "stuck", "{halts}");
    let last =
        |trace: &Value| trace["steps"].as_array().and_then(|steps| steps.last()).cloned().expect("a step");
    let locations = last(&halts["timelock"])["state"]["locations"].clone();
    assert!(
        locations.as_object().is_some_and(|all| all.values().any(|location| location == "D")),
        "{locations}"
    );
    let ran = states(&[&model]).expect(0);
    assert!(ran.stdout.contains("(time-locks): yes, for example after\n  step"), "{}", ran.stdout);
}

#[test]
fn a_deadlock_at_the_start_is_said_to_be_one() {
    let scratch = Scratch::new();
    let model = scratch.file("still.xta", "process P() { state A; init A; } system P;");
    let ran = states(&[&model]).expect(0);
    assert!(
        ran.stdout.contains("deadlocks while time goes on: yes, the initial state is one"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_error_of_the_model_is_2() {
    let scratch = Scratch::new();
    let text = "int[0,2] n;\nprocess P() { state A; init A; trans A -> A { assign n++; }; }\nsystem P;\n";
    let model = scratch.file("overflow.xta", text);
    let ran = states(&[&model]).expect(2);
    assert!(ran.stdout.contains("not explored completely: variable n: value 3"), "{}", ran.stdout);
    assert!(ran.stderr.contains("overflow.xta:2:") && ran.stderr.contains("--trace some"), "{}", ran.stderr);
    // The advice is good.
    let ran = guidepost(&["check", &model, "--query", "A[] true", "--trace", "some"]).expect(2);
    assert!(ran.stdout.contains("n: 1 -> 2"), "{}", ran.stdout);
}

#[test]
fn limits_are_3_and_named() {
    let limited = states(&["models/train-gate.xml", "--state-limit", "10"]).expect(3);
    assert!(limited.stdout.contains("not explored completely: state limit"), "{}", limited.stdout);
    assert!(!limited.stdout.contains("never taken"), "nobody knows yet: {}", limited.stdout);
    let answer =
        states(&["models/train-gate.xml", "--state-limit", "10", "--format", "json"]).expect(3).json();
    assert_eq!(
        (&answer["complete"], &answer["reason"], &answer["deadlocks"]),
        (&json!(false), &json!("state limit"), &json!(null))
    );
}

#[test]
fn stopped_clocks_are_over_approximated_on_demand() {
    let scratch = Scratch::new();
    let text = "clock x, y;\nprocess P() { state A { x <= 4 && y' == 0 }, B; init A; trans A -> B { guard y >= 0; }; }\nsystem P;\n";
    let model = scratch.file("stopwatch.xta", text);
    states(&[&model]).expect(2);
    let ran = states(&[&model, "--approximate"]).expect(0);
    assert!(
        ran.stdout.contains("over-approximated") && ran.stdout.contains("not looked for"),
        "{}",
        ran.stdout
    );
}

#[test]
fn results_that_wrap_around_are_told() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "wraps.xta",
        "int[INT32_MAX - 1, INT32_MAX] n = INT32_MAX - 1; bool b;
process P() { state A; init A; trans A -> A { guard n < INT32_MAX; assign n++; }, A -> A { assign b = n + 1 < 0; }; }
system P;
",
    );
    for command in ["states", "simulate"] {
        let ran = guidepost(&[command, &model]).expect(0);
        let warnings = ran.stderr.matches("warning[W022]").count();
        assert_eq!(warnings, 1, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("wraps.xta:2:103"), "{command}: {}", ran.stderr);
    }
    let constant = scratch.file(
        "constant.xta",
        "const int K = INT32_MAX + 1; process P() { state A { K < 0 }; init A; } system P;",
    );
    let ran = guidepost(&["info", &constant]).expect(0);
    assert!(
        format!("{}{}", ran.stdout, ran.stderr).contains("wraps around to -2147483648"),
        "{}",
        ran.stdout
    );
}
