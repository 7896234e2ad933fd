//! `guidepost check` from the outside: answers, evidence, exit codes, limits, messages.

mod common;

use common::{Ran, Scratch, check, guidepost, root};
use serde_json::Value;

/// The models of the repository, each with the queries and expectations stored in it or beside it.
fn stored() -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("models")).expect("the models are there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if [".xml", ".xta", ".ta", ".tck"].iter().any(|extension| name.ends_with(extension)) {
            found.push(format!("models/{name}"));
        }
    }
    found.sort();
    assert!(found.len() >= 13, "{found:?}");
    found
}

fn results(answer: &Value) -> &[Value] {
    answer["results"].as_array().expect("results")
}

/// The verdicts, with the values of `sup` and similar queries; what must not depend on how states are explored.
fn verdicts(answer: &Value) -> Vec<(String, String)> {
    let one = |result: &Value| {
        (result["verdict"].as_str().expect("a verdict").to_owned(), result["values"].to_string())
    };
    results(answer).iter().map(one).collect()
}

fn is_plain(text: &str) -> bool {
    !text.contains('\u{1b}') && !text.contains('\r')
}

const TWO_STEPS: &str = "clock x;
process P() { state A { x <= 3 }, B { x <= 5 }, C; init A; trans A -> B { guard x >= 2; }, B -> C { guard x == 5; }; }
system P;
";

/// `n` leaves its range with the third transition.
const OVERFLOW: &str = "int[0,2] n;
clock x;
process P() {
    state A { x <= 4 };
    init A;
    trans A -> A { guard x >= 1; assign n = n + 1, x = 0; };
}
system P;
";

// ---- the models of the repository

#[test]
fn stored_queries_are_answered_as_expected_with_runs() {
    for model in stored() {
        let answer = check(&[&model, "--trace", "some", "--format", "json"]).expect(0).json();
        for result in results(&answer) {
            let query = result["query"].as_str().unwrap();
            assert_ne!(result["verdict"], "undecided", "{model}: {query}");
            assert_ne!(result["expected"], false, "{model}: {query}");
            let found = if result["verdict"] == "satisfied" { ["E<>", "E[]"] } else { ["A[]", "A<>"] };
            if found.iter().any(|path| query.starts_with(path)) {
                assert!(result["trace"]["steps"].is_array(), "{model}: {query} comes with a run");
            }
        }
    }
}

#[test]
fn shortest_runs_are_no_longer_than_others() {
    for model in stored() {
        let some =
            check(&[&model, "--trace", "some", "--search", "dfs", "--format", "json"]).expect(0).json();
        let shortest = check(&[&model, "--trace", "shortest", "--format", "json"]).expect(0).json();
        for (some, shortest) in results(&some).iter().zip(results(&shortest)) {
            let query = some["query"].as_str().unwrap();
            let reachability = query.starts_with("E<>") || query.starts_with("A[]");
            if !reachability || some["trace"].is_null() {
                continue;
            }
            assert_eq!(shortest["trace"]["optimal"], true, "{model}: {query}");
            let length = |result: &Value| result["trace"]["length"].as_u64().expect("a length");
            assert!(length(shortest) <= length(some), "{model}: {query}");
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_the_order() {
    for model in stored() {
        let usual = verdicts(&check(&[&model, "--format", "json"]).expect(0).json());
        for order in [&["--search", "dfs"][..], &["--search", "rdfs"], &["--search", "rdfs", "--seed", "7"]] {
            let args = [&[model.as_str(), "--format", "json", "--trace", "some"], order].concat();
            assert_eq!(verdicts(&check(&args).expect(0).json()), usual, "{model} {order:?}");
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_the_abstraction() {
    let mut choices: Vec<Vec<&str>> =
        vec![vec!["--subsumption", "inclusion"], vec!["--extrapolation", "none"]];
    for extrapolation in ["m", "m+", "lu", "lu+"] {
        for subsumption in ["inclusion", "alu"] {
            choices.push(vec!["--extrapolation", extrapolation, "--subsumption", subsumption]);
        }
    }
    for model in stored() {
        let usual = verdicts(&check(&[&model, "--format", "json"]).expect(0).json());
        for choice in &choices {
            let args = [&[model.as_str(), "--format", "json", "--trace", "some"], choice.as_slice()].concat();
            assert_eq!(verdicts(&check(&args).expect(0).json()), usual, "{model} {choice:?}");
        }
    }
}

#[test]
fn a_seed_fixes_a_random_search() {
    let run = || {
        check(&[
            "models/fischer-faulty.xml",
            "--search",
            "rdfs",
            "--seed",
            "5",
            "--trace",
            "some",
            "--format",
            "json",
        ])
    };
    let without_time = |ran: &Ran| -> Vec<Value> {
        let answer = ran.json();
        results(&answer)
            .iter()
            .map(|result| serde_json::json!([result["statistics"]["explored"], result["trace"]]))
            .collect()
    };
    assert_eq!(without_time(&run()), without_time(&run()));
}

// ---- exit codes and choosing queries

#[test]
fn the_exit_code_is_the_verdict() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    check(&[&model, "--query", "E<> P.C"]).expect(0);
    check(&[&model, "--query", "E<> P.C", "--query", "A[] not P.C"]).expect(1);
    check(&[&model, "--query", "E<> P.Nowhere", "--query", "A[] not P.C"]).expect(2);
    check(&[&model, "--query", "E<> P.A and P.B", "--state-limit", "1", "--search", "bfs"]).expect(3);
}

#[test]
fn an_unexpected_answer_is_1() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    scratch.file("two.q", "// expect: not satisfied\nE<> P.C\n\n// expect: not satisfied\nA[] not P.C\n");
    let ran = check(&[&model]).expect(1);
    assert!(ran.stdout.contains("This is NOT what the author expects"), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 NOT as expected"), "{}", ran.stdout);
    check(&[&model, "--select", "2"]).expect(0);
}

#[test]
fn queries_are_selected_by_number() {
    let ran =
        check(&["models/light-switch.xml", "--select", "6", "--select", "2", "--format", "json"]).expect(0);
    let answer = ran.json();
    let numbers: Vec<&Value> = results(&answer).iter().map(|result| &result["number"]).collect();
    assert_eq!(numbers, [6, 2]);
    for wrong in ["0", "9"] {
        let ran = check(&["models/light-switch.xml", "--select", wrong]).expect(2);
        assert!(ran.stderr.contains("numbered from 1 to 8") && ran.stdout.is_empty(), "{}", ran.stderr);
    }
    check(&["models/light-switch.xml", "--select", "two"]).expect(2);
}

#[test]
fn queries_come_from_the_command_line_or_a_file() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    let answer =
        check(&[&model, "--query", "E<> P.C", "--query", "sup: x", "--query", "A<> P.B", "--format", "json"])
            .expect(0)
            .json();
    assert_eq!(results(&answer).len(), 3);
    let file = scratch.file("other.q", "/* the end */\nE<> P.C\n\nA[] x <= 3 or not P.A\n");
    let answer = check(&[&model, "--queries", &file, "--format", "json"]).expect(0).json();
    assert_eq!(results(&answer).len(), 2);
    let ran = check(&[&model, "--queries", &scratch.path("missing.q")]).expect(2);
    assert!(ran.stderr.contains("cannot read") && ran.stderr.contains("missing.q"), "{}", ran.stderr);
    let ran = check(&[&model, "--queries", &scratch.file("empty.q", "// nothing\n")]).expect(2);
    assert!(ran.stderr.contains("no queries"), "{}", ran.stderr);
}

#[test]
fn contradictory_options_are_2() {
    let model = "models/light-switch.xml";
    let wrong: [(&[&str], &str); 7] = [
        (&["--query", "E<> true", "--queries", "models/lamp.q"], "cannot be used with"),
        (&["--trace", "shortest", "--search", "dfs"], "--trace shortest"),
        (&["--trace", "shortest", "--search", "rdfs"], "--trace shortest"),
        (&["--time-limit", "0"], "makes no sense"),
        (&["--time-limit", "-1"], ""),
        (&["--extrapolation", "none", "--subsumption", "inclusion"], "may never end"),
        (&["--trace", "longest"], "possible values"),
    ];
    for (args, message) in wrong {
        let ran = check(&[&[model], args].concat()).expect(2);
        assert!(ran.stdout.is_empty() && ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
    check(&[
        model,
        "--extrapolation",
        "none",
        "--subsumption",
        "inclusion",
        "--state-limit",
        "100000",
        "--select",
        "1",
    ])
    .expect(0);
}

#[test]
fn no_queries_is_an_error_with_advice() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    let ran = check(&[&model]).expect(2);
    assert!(ran.stderr.contains("stores no queries") && ran.stderr.contains("--query"), "{}", ran.stderr);
    let ran = check(&[&model, "--query", " "]).expect(2);
    assert!(ran.stderr.contains("the query is empty"), "{}", ran.stderr);
}

// ---- bad queries and bad models

#[test]
fn bad_queries_are_named_and_the_others_answered() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    let args =
        ["--query", "E<> Q.C", "--query", "E<> P.C and", "--query", "Pr[<=10](<> P.C)", "--query", "E<> P.C"];
    let ran = check(&[&[model.as_str()], &args[..]].concat()).expect(2);
    assert!(
        ran.stderr.contains("there is no process `Q`") && ran.stderr.contains("the only process is P"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--query 2:1:12"), "the place of the syntax error: {}", ran.stderr);
    assert!(ran.stdout.contains("`Pr` queries are not supported"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Formula is satisfied."), "{}", ran.stdout);
    assert!(ran.stdout.contains("4 queries: 1 satisfied, 3 not answered."), "{}", ran.stdout);
}

#[test]
fn what_is_wrong_with_a_query_is_in_the_json() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    let args = ["--format", "json", "--query", "E<> P.C and", "--query", "E<> Q.C", "--query", "E<> P.C"];
    let ran = check(&[&[model.as_str()], &args[..]].concat()).expect(2);
    let answer = ran.json();
    assert_eq!(answer["results"][1]["reason"], "there is no process `Q`", "{answer}");
    assert_ne!(answer["results"][0]["reason"], answer["results"][1]["reason"]);
    assert_eq!(answer["results"][2]["verdict"], "satisfied");
    for message in ["error[E008]", "error[E027]", "--query 1:1:12", "--query 2:1:5"] {
        assert_eq!(ran.stderr.matches(message).count(), 1, "{message}: {}", ran.stderr);
    }
}

#[test]
fn expected_values_are_compared() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    let ask = |text: &str| {
        let queries = scratch.file("two.q", text);
        check(&[&model, "--queries", &queries])
    };
    let ran = ask("// expect: 1\nsup: P.C\n// expect: 0\ninf: P.C\n").expect(0);
    assert!(ran.stdout.ends_with("2 queries: 2 measured; all as expected.\n"), "{}", ran.stdout);
    let ran = ask("// expect: 2\nsup: P.C\n").expect(1);
    assert!(ran.stdout.contains("This is NOT what the author expects."), "{}", ran.stdout);
}

#[test]
fn a_clock_that_becomes_negative_is_an_error_with_the_way_there() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "negative.xta",
        "clock x, y; process P() { state A { x <= 3 }, B { x <= 3 }, C; init A;
         trans A -> B { assign x = 0; }, B -> C { guard x >= 1; assign y = x - 2; }; } system P;",
    );
    for query in ["A[] not P.C", "E[] P.A or P.B", "A<> P.C", "P.B --> P.C", "A[] not deadlock", "sup: x"] {
        let ran = check(&[&model, "--trace", "some", "--query", query]).expect(2);
        assert!(ran.stderr.contains("clock y would become negative"), "{query}: {}", ran.stderr);
        assert!(ran.stdout.contains("P goes from B to C"), "{query}: {}", ran.stdout);
        assert!(ran.stdout.contains("The way there:"), "{query}: {}", ran.stdout);
    }
}

#[test]
fn liveness_shows_the_way_to_a_model_error() {
    let scratch = Scratch::new();
    let model = scratch.file("overflow.xta", OVERFLOW);
    for query in ["E[] n <= 2", "A<> n > 7", "n == 1 --> n == 7"] {
        let answer =
            check(&[&model, "--query", query, "--trace", "some", "--format", "json"]).expect(2).json();
        let error = &answer["results"][0]["model_error"];
        assert_eq!(error["trace"]["length"], 2, "{query}: {answer}");
    }
}

#[test]
fn a_range_error_is_shown_where_it_is_with_the_way_there() {
    let scratch = Scratch::new();
    let model = scratch.file("overflow.xta", OVERFLOW);
    let ran = check(&[&model, "--query", "A[] n <= 2", "--trace", "some"]).expect(2);
    assert!(ran.stderr.contains("error[E080]") && ran.stderr.contains("overflow.xta:6:41"), "{}", ran.stderr);
    for part in [
        "the model has an error",
        "value 3 is outside int[0,2]",
        "P goes from A to A",
        "The way there:",
        "n: 1 -> 2",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("satisfied"), "{}", ran.stdout);
    let ran = check(&[&model, "--query", "A[] n <= 2"]).expect(2);
    assert!(ran.stderr.contains("--trace some"), "how to see the way there: {}", ran.stderr);
    // What is found before is found.
    check(&[&model, "--query", "E<> n == 2"]).expect(0);
}

#[test]
fn several_queries_share_one_message_about_the_model() {
    let scratch = Scratch::new();
    let model = scratch.file("overflow.xta", OVERFLOW);
    let ran = check(&[&model, "--query", "A[] n <= 2", "--query", "E<> n > 7", "--trace", "some"]).expect(2);
    assert_eq!(ran.stderr.matches("error[E080]").count(), 1, "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("n: 1 -> 2").count(), 1, "{}", ran.stdout);
}

#[test]
fn a_model_without_an_initial_state_is_refused() {
    let scratch = Scratch::new();
    let text = "clock x;\nprocess P() { state A { x >= 1 }, B; init A; trans A -> B { }; }\nsystem P;\n";
    let model = scratch.file("never.xta", text);
    for args in [&["check", &model, "--query", "A[] false"][..], &["states", &model]] {
        let ran = guidepost(args).expect(2);
        assert!(ran.stderr.contains("the initial state violates the invariant of P.A"), "{}", ran.stderr);
        assert!(ran.stderr.contains("never.xta:2:25") && ran.stdout.is_empty(), "{}", ran.stderr);
    }
}

/// Each timer moves on at the end of its time. Whoever is first, somebody moves; unless one of them does not.
#[test]
fn a_race_of_timers_is_stuck_only_if_one_of_them_is() {
    let scratch = Scratch::new();
    for (guard, code) in [("x >= early", 0), ("x > early", 1), ("x < early", 1), ("x >= 2", 0)] {
        let text = format!(
            "process Timer(const int early) {{\nclock x;\nstate Early {{ x <= early }}, Late {{ x <= 50 }};\ninit Early;\n\
             trans Early -> Late {{ guard x >= early; }}, Late -> Early {{ guard x >= 50; assign x = 0; }};\n}}\n\
             process Last(const int early) {{\nclock x;\nstate Early {{ x <= early }}, Late {{ x <= 50 }};\ninit Early;\n\
             trans Early -> Late {{ guard {guard}; }}, Late -> Early {{ guard x >= 50; assign x = 0; }};\n}}\n\
             A = Timer(3); B = Timer(4); C = Timer(5); D = Timer(6); E = Last(7);\nsystem A, B, C, D, E;\n"
        );
        let model = scratch.file("race.xta", &text);
        for search in ["auto", "bfs", "dfs"] {
            check(&[&model, "--query", "A[] not deadlock", "--search", search]).expect(code);
        }
    }
}

#[test]
fn a_time_lock_is_a_deadlock() {
    let scratch = Scratch::new();
    let text = "clock x;\nprocess P() { state A { x <= 3 }, B { x <= 5 }; init A; trans A -> B { guard x >= 2; }; }\nsystem P;\n";
    let model = scratch.file("timelock.xta", text);
    check(&[&model, "--query", "E<> deadlock"]).expect(0);
    let ran = check(&[&model, "--query", "A[] not deadlock", "--trace", "some"]).expect(1);
    assert!(ran.stdout.contains("A -> B"), "{}", ran.stdout);
    let ran = check(&[&model, "--query", "E[] not P.C or true", "--query", "A<> false", "--trace", "some"]);
    assert_eq!(ran.code, 2, "P.C does not exist: {}", ran.stdout);
    let ran = check(&[&model, "--query", "A<> false", "--trace", "some"]).expect(1);
    assert!(ran.stdout.contains("time comes to a halt"), "{}", ran.stdout);
}

#[test]
fn warnings_are_counted_not_shown() {
    let scratch = Scratch::new();
    let text =
        "chan a;\nprocess P() { state A, B, C; init A; trans A -> B { }, A -> B { sync a!; }; }\nsystem P;\n";
    let model = scratch.file("odd.xta", text);
    let ran = check(&[&model, "--query", "E<> P.B"]).expect(0);
    assert_eq!(ran.stderr, format!("2 warnings; see `guidepost info {model}`\n"));
    let ran = check(&[&model, "--query", "E<> P.B", "--message-format", "json"]).expect(0);
    let codes: Vec<Value> = ran
        .stderr
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["code"].clone())
        .collect();
    assert_eq!(codes.len(), 2, "{}", ran.stderr);
    assert!(codes.contains(&"W002".into()) && codes.contains(&"W015".into()), "{codes:?}");
    let ran = guidepost(&["info", &model]).expect(0);
    let all = ran.stdout + &ran.stderr;
    assert!(all.contains("W002") && all.contains("W015"), "{all}");
}

// ---- options

#[test]
fn options_without_use_are_refused_or_mentioned() {
    let model = "models/light-switch.xml";
    let refused: [&[&str]; 13] = [
        &["--search", "greedy", "--weight", "2"],
        &["--weight", "2"],
        &["--search", "greedy", "--beam-width", "7"],
        &["--beam-width", "7"],
        &["--search", "bfs", "--ties", "lifo"],
        &["--ties", "lifo"],
        &["--search", "ida", "--ties", "lifo"],
        &["--search", "dfs", "--deferred"],
        &["--deferred"],
        &["--preferred"],
        &["--search", "astar", "--preferred"],
        &["--search", "bfs", "--abstract-states", "5"],
        &["--search", "dfs", "--abstract-time", "5"],
    ];
    for options in refused {
        let ran = check(&[&[model, "--query", "E<> true"], options].concat()).expect(2);
        assert!(ran.stderr.contains("needs"), "{options:?}: {}", ran.stderr);
    }
    for (options, named) in [
        (&["--heuristic", "dpr"][..], "--heuristic is used for"),
        (&["--search", "dfs"], "--search is used for"),
        (&["--search", "greedy", "--heuristic", "hu"], "--search and --heuristic are used for"),
        (&["--threads", "2"], "--threads is used for"),
    ] {
        for query in ["true --> true", "A<> true", "E[] true"] {
            let ran = check(&[&[model, "--query", query], options].concat()).expect(0);
            assert!(ran.stderr.contains(named), "{options:?}: {}", ran.stderr);
        }
        let ran = check(&[&[model, "--query", "E<> true"], options].concat()).expect(0);
        assert!(!ran.stderr.contains("note:"), "{options:?}: {}", ran.stderr);
    }
}

#[test]
fn an_overruled_abstraction_is_mentioned() {
    let model = "models/light-switch.xml";
    let note = "used for E<> and A[] without `deadlock` only";
    let ran = check(&[model, "--extrapolation", "lu"]).expect(0);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let ran = check(&[model, "--extrapolation", "lu", "--select", "1"]).expect(0);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
}

// ---- the look of it

#[test]
fn standard_output_is_nothing_but_json() {
    let scratch = Scratch::new();
    let overflow = scratch.file("overflow.xta", OVERFLOW);
    let commands: [(&[&str], i32); 4] = [
        (&["models/train-gate.xml", "--trace", "some"], 0),
        (&[&overflow, "--query", "A[] n <= 2"], 2),
        (&[&overflow, "--query", "E<> Q.A"], 2),
        (&["models/light-switch.xml", "--query", "sup: Lamp.y, now"], 0),
    ];
    for (args, code) in commands {
        let ran = check(&[args, &["--format", "json"]].concat()).expect(code);
        assert_eq!(ran.json()["tool"], "guidepost");
        assert!(is_plain(&ran.stdout) && is_plain(&ran.stderr));
    }
}

#[test]
fn piped_output_is_plain() {
    for args in [
        &["models/train-gate.xml", "--trace", "some"][..],
        &["models/fischer-faulty.xml", "--trace", "shortest"],
    ] {
        let ran = check(args).expect(0);
        assert!(is_plain(&ran.stdout) && ran.stderr.is_empty(), "{}", ran.stderr);
        assert!(ran.stdout.lines().all(|line| line.trim_end() == line), "no spaces at the ends of lines");
    }
}

#[test]
fn several_answers_end_with_a_summary() {
    let ran = check(&["models/light-switch.xml", "--trace", "some"]).expect(0);
    assert!(
        ran.stdout.contains("1  satisfied      as expected  E<> Lamp.Bright and now <= 2\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.ends_with("8 queries: 5 satisfied, 2 not satisfied, 1 measured; all as expected.\n"),
        "{}",
        ran.stdout
    );
    let ran = check(&["models/light-switch.xml", "--select", "8"]).expect(0);
    assert!(ran.stdout.starts_with("sup{not Lamp.Off}: Lamp.y\n  Lamp.y <= 20\n"), "{}", ran.stdout);
}

#[test]
fn queries_about_locations_and_data_share_an_exploration() {
    let ran = check(&["models/fischer.xml", "--search", "bfs"]).expect(0);
    assert!(ran.stdout.contains("found in the same exploration as 1"), "{}", ran.stdout);
    let ran = check(&["models/fischer.xml", "--search", "bfs", "--state-limit", "3"]).expect(3);
    assert!(ran.stdout.contains("looked for in the same exploration as 1"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("found in the same exploration"), "{}", ran.stdout);
}

// ---- directed search

#[test]
fn a_heuristic_alone_gets_the_search_that_suits_it() {
    let model = "models/fischer-faulty.xml";
    for (heuristic, search) in [("hu", "ut"), ("du", "greedy"), ("hu,hl", "multi")] {
        let ran = check(&[model, "--select", "2", "--heuristic", heuristic, "--format", "json"]).expect(0);
        let result = &ran.json()["results"][0];
        assert_eq!(result["search"], search);
        assert_eq!(result["heuristic"], heuristic);
    }
}

#[test]
fn contradictions_of_search_and_heuristic_are_refused() {
    let model = "models/fischer-faulty.xml";
    let refusals: [(&[&str], &str); 6] = [
        (&["--heuristic", "hx"], "there is no heuristic `hx`; there are none, hamming, dl"),
        (&["--search", "astar", "--heuristic", "hu", "--trace", "shortest"], "does not find shortest runs"),
        (&["--search", "ut", "--heuristic", "du"], "can leave out edges"),
        (&["--search", "bfs", "--heuristic", "hl"], "takes no heuristic"),
        (&["--search", "wastar", "--weight", "0"], "makes no sense"),
        (&["--search", "greedy", "--heuristic", "hl", "--preferred"], "prefers transitions"),
    ];
    for (options, message) in refusals {
        let ran = check(&[&[model, "--select", "2"], options].concat()).expect(2);
        assert!(ran.stderr.contains(message), "{options:?}: {}", ran.stderr);
    }
}

#[test]
fn a_shortest_run_is_proved_by_astar() {
    let model = "models/fischer-faulty.xml";
    let length = |search: &[&str]| {
        let args = [&[model, "--select", "2", "--trace", "shortest", "--format", "json"], search].concat();
        let trace = check(&args).expect(0).json()["results"][0]["trace"].clone();
        assert_eq!(trace["optimal"], true);
        trace["length"].clone()
    };
    let shortest = length(&["--search", "bfs"]);
    for heuristic in ["none", "dl", "hl", "hlx", "lmcut", "cartesian", "te", "pa", "pa(b=1)"] {
        assert_eq!(length(&["--search", "astar", "--heuristic", heuristic]), shortest);
        assert_eq!(length(&["--search", "ida", "--heuristic", heuristic]), shortest);
    }
}

#[test]
fn the_model_is_never_overwritten() {
    let scratch = Scratch::new();
    let model = scratch.file("two.xta", TWO_STEPS);
    let ran = check(&[&model, "--query", "E<> P.C", "--trace-file", &model]).expect(2);
    assert!(ran.stderr.contains("is read by this command"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(&model).unwrap(), TWO_STEPS);
}
