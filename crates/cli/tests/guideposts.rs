//! Guideposts of the user, landmarks, and searches where there is nothing to aim at, as the command shows them.

mod common;

use common::{Scratch, check};

/// Two counters that look the same; only one of them leads to the goal, and only far out.
const COUNTERS: &str = "
    int[0,60] a; int[0,60] b; bool open;
    process A() { state S; init S; trans S -> S { guard a < 60; assign a++; }; }
    process B() { state S; init S; trans S -> S { guard b < 60; assign b++; }, S -> S { guard b == 60 && a == 0; assign open = true; }; }
    process P() { state Start, Goal; init Start; trans Start -> Goal { guard open; }; }
    system A, B, P;";

fn explored(args: &[&str]) -> u64 {
    let ran = check(&[args, &["--format", "json"]].concat()).expect(0);
    ran.json()["results"][0]["statistics"]["explored"].as_u64().expect("a number")
}

#[test]
fn guideposts_shorten_a_search_and_are_shown() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.xta", COUNTERS);
    let search = [model.as_str(), "--query", "E<> P.Goal", "--search", "greedy", "--heuristic", "none"];
    let posts = ["--guidepost", "a == 0 and b > 20", "--guidepost", "b > 40", "--guidepost", "b == 60"];
    let (without, with) = (explored(&search), explored(&[&search[..], &posts].concat()));
    assert!(with <= without, "{with} instead of {without}");
    let ran = check(&[&search[..], &posts, &["--trace", "some"]].concat()).expect(0);
    assert!(ran.stdout.contains("Guidepost `b > 40`: passed in step 41"), "{}", ran.stdout);
    let ran = check(&[&search[..], &posts, &["--trace", "some", "--format", "json"]].concat()).expect(0);
    let shown = &ran.json()["results"][0]["trace"]["guideposts"];
    assert_eq!(shown[2]["condition"], "b == 60");
    assert_eq!(shown[2]["step"], 60);
}

#[test]
fn guideposts_are_stored_with_queries() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.xta", COUNTERS);
    let queries = scratch.file("stored.q", "// The gate is open.\n// guidepost: b > 30\nE<> P.Goal\n");
    let ran = check(&[&model, "--queries", &queries, "--trace", "some"]).expect(0);
    assert!(ran.stdout.contains("Guidepost `b > 30`: passed in step 31"), "{}", ran.stdout);
    let wrong = scratch.file("wrong.q", "// guidepost: Q.S\nE<> P.Goal\n");
    let ran = check(&[&model, "--queries", &wrong]).expect(2);
    assert!(ran.stderr.contains('Q'), "{}", ran.stderr);
}

#[test]
fn wrong_guideposts_and_idle_options_are_refused() {
    let model = "models/fischer-faulty.xml";
    let refusals: [(&[&str], &str); 7] = [
        (&["--processes", "2", "--guidepost", "turn == 1"], "`--guidepost` is not for them"),
        (&["--guidepost", "P(1).x > 2"], "locations and variables"),
        (&["--guidepost", "nonsense.there"], "nonsense"),
        (&["--search", "bfs", "--guidepost", "turn == 1"], "`--guidepost` needs"),
        (&["--search", "greedy", "--epsilon", "0.5"], "`--epsilon` needs"),
        (&["--search", "epsilon", "--epsilon", "1.5"], "between 0 and 1"),
        (&["--heuristic", "user"], "heur"),
    ];
    for (options, message) in refusals {
        let ran = check(&[&[model, "--select", "2"], options].concat()).expect(2);
        assert!(ran.stderr.contains(message), "{options:?}: {}", ran.stderr);
    }
}

#[test]
fn landmarks_are_shown() {
    let args = ["models/fischer-faulty.xml", "--select", "2", "--search", "greedy", "--heuristic", "lm"];
    let ran = check(&args).expect(0);
    assert!(ran.stdout.contains("On the way: "), "{}", ran.stdout);
    let landmarks =
        check(&[&args[..], &["--format", "json"]].concat()).expect(0).json()["results"][0]["landmarks"]
            .clone();
    let names: Vec<&str> =
        landmarks.as_array().expect("a list").iter().filter_map(|name| name.as_str()).collect();
    let place = |name: &str| {
        names.iter().position(|other| *other == name).unwrap_or_else(|| panic!("{name} in {names:?}"))
    };
    assert!(place("P(1).Trying") < place("P(1).Pausing") && place("P(1).Pausing") < place("P(1).Critical"));
}

/// All estimates of distances are 0; a tenth of breadth-first search's states is enough for one that looks at who moves.
#[test]
fn a_deadlock_is_found_where_there_is_nothing_to_aim_at() {
    let model = "models/robots.xta";
    let blind = explored(&[model, "--search", "bfs"]);
    let guided = explored(&[model, "--search", "greedy", "--heuristic", "interleaving"]);
    assert!(10 * guided <= blind, "{guided} of {blind}");
}

#[test]
fn every_new_search_and_heuristic_finds_the_error() {
    let model = "models/fischer-faulty.xml";
    for search in ["novelty", "types", "epsilon", "ehc"] {
        explored(&[model, "--select", "2", "--search", search]);
    }
    for heuristic in ["lm", "lmcut", "cartesian", "te", "te(k=2,turn)", "coverage", "interleaving"] {
        explored(&[model, "--select", "2", "--heuristic", heuristic]);
    }
    for heuristic in ["lmcut", "cartesian", "te(k=9)", "max(lmcut,cartesian)"] {
        let args =
            [model, "--select", "2", "--trace", "shortest", "--heuristic", heuristic, "--format", "json"];
        let trace = check(&args).expect(0).json()["results"][0]["trace"].clone();
        assert_eq!(
            (trace["length"].as_u64(), trace["optimal"].as_bool()),
            (Some(6), Some(true)),
            "{heuristic}"
        );
    }
}
