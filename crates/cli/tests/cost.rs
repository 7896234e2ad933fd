//! Cheapest and fastest runs on the command line.

mod common;

use common::{Scratch, check, guidepost};

/// Prices, and no rates.
const FEES: &str = "clock x; process P() { state A, B, C; init A; trans \
                    A -> B { guard x >= 1; assign cost += 3; }, B -> C { guard x >= 2; assign cost += 4; }; } system P;";
const FREE: &str = "clock x; process P() { state A, B; init A; trans A -> B { guard x >= 1; }; } system P;";

#[test]
fn a_rate_that_fails_is_an_error_of_the_model_whatever_is_asked() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "rate.xta",
        "int n = 0; clock x; process P() { state A { cost' == n }, B { cost' == n }, C; init A; trans \
         A -> B { guard x >= 1; assign n = -1; }, B -> C { guard x >= 2; }; } system P;",
    );
    for trace in ["none", "some", "shortest", "cheapest", "fastest"] {
        let ran = check(&[&model, "--query", "E<> P.C", "--trace", trace]).expect(2);
        assert!(ran.stderr.contains("error[E080]: rate of the cost: value -1"), "{trace}: {}", ran.stderr);
    }
}

#[test]
fn runs_of_models_with_fees_alone_have_costs() {
    let scratch = Scratch::new();
    let model = scratch.file("fees.xta", FEES);
    for trace in ["some", "cheapest"] {
        let ran = check(&[&model, "--query", "E<> P.C", "--trace", trace]).expect(0);
        assert!(ran.stdout.contains("2     2     +1     7  P        B -> C"), "{}", ran.stdout);
    }
}

#[test]
fn what_is_of_no_use_to_the_least_cost_is_said_to_be() {
    let scratch = Scratch::new();
    let (fees, free) = (scratch.file("fees.xta", FEES), scratch.file("free.xta", FREE));
    let least = ["--query", "inf{P.C}: cost"];
    for (options, part) in [
        (&["--search", "greedy"][..], "note: --search is not used for the least cost, which is found by"),
        (&["--heuristic", "hl"], "note: --heuristic is not used for the least cost"),
        (&["--search", "bfs", "--threads", "2"], "note: --threads is not used for the least cost"),
        (&["--extrapolation", "m"], "note: --extrapolation is not used for the least cost"),
    ] {
        let ran = check(&[&[fees.as_str()], &least[..], options].concat()).expect(0);
        assert!(ran.stderr.contains(part), "{options:?}: {}", ran.stderr);
    }
    for options in [&[][..], &["--search", "astar"], &["--search", "bfs"], &["--heuristic", "none"]] {
        let ran = check(&[&[fees.as_str()], &least[..], options].concat()).expect(0);
        assert_eq!(ran.stderr, "", "{options:?}");
    }
    let ran = check(&[&free, "--query", "E<> P.B", "--trace", "cheapest"]).expect(0);
    assert!(ran.stderr.contains("note: the model has no prices"), "{}", ran.stderr);
    let ran = check(&[&free, "--query", "E<> P.B", "--trace", "fastest"]).expect(0);
    assert_eq!(ran.stderr, "");
}

#[test]
fn deadlocks_are_refused_with_advice() {
    let scratch = Scratch::new();
    let model = scratch.file("fees.xta", FEES);
    let ran = check(&[&model, "--query", "E<> deadlock", "--trace", "cheapest"]).expect(2);
    assert!(ran.stdout.contains("`--trace some` or `shortest` does"), "{}", ran.stdout);
}

#[test]
fn other_ways_to_write_costs_are_explained() {
    let scratch = Scratch::new();
    let process = |body: &str| {
        format!("process P() {{ state A, B; init A; trans A -> B {{ assign {body}; }}; }} system P;")
    };
    for (text, part) in [
        (format!("clock cost; {}", process("cost += 3")), "leave out `clock cost;`"),
        (
            "clock cost; process P() { state A { cost' == 3 }; init A; } system P;".to_owned(),
            "leave out `clock cost;`",
        ),
        (process("cost -= 1"), "it can only be added to, `cost += e`"),
        (process("cost = 0"), "it is the cost of the whole run so far"),
    ] {
        let model = scratch.file("model.xta", &text);
        let ran = check(&[&model, "--query", "E<> P.A"]).expect(2);
        assert!(ran.stderr.contains(part), "{text}: {}", ran.stderr);
    }
}

#[test]
fn problems_from_files_take_nothing_else() {
    for (words, part) in [
        (&["job-shop", "3", "--instance", "F"][..], "`3` is too much; it is `job-shop --instance FILE`"),
        (&["job-shop", "--faulty", "--instance", "F"], "`--faulty` is too much"),
        (&["aircraft-landing", "2"], "`2` is too much; it is `aircraft-landing --instance FILE"),
        (&["job-shop"], "`--instance FILE` is missing"),
        (&["job-shop", "--instance", "F", "--runways", "2"], "`job-shop` does not take `--runways`"),
        (&["fischer", "a", "2", "--instance", "F"], "`fischer` does not take `--instance`"),
    ] {
        let ran = guidepost(&[&["generate"], words].concat()).expect(2);
        assert!(ran.stderr.contains(part), "{words:?}: {}", ran.stderr);
    }
}

/// Two ways to the goal; the cheap one is long. `remaining` says what it still costs, and `heur` prefers it.
fn advised(remaining: i32) -> String {
    format!(
        "meta int remaining = {remaining}; meta int heur = 0; clock x; process P() {{ state A {{ x <= 2 && cost' == 1 }}, B {{ x <= 2 && cost' == 1 }}, C, D; init A; trans \
         A -> B {{ guard x >= 2; assign x = 0, remaining -= 2; }}, B -> C {{ guard x >= 2; assign remaining -= 2; }}, \
         A -> D {{ assign cost += 9, heur = 5; }}, D -> C {{ }}; }} system P;"
    )
}

#[test]
fn the_word_of_the_author_is_used_and_named() {
    let scratch = Scratch::new();
    let good = scratch.file("good.xta", advised(4));
    let asks = ["--query", "E<> P.C", "--trace", "cheapest", "--format", "json", "--engine"];
    let user =
        check(&[&[good.as_str()], &asks[..], &["cost(order=best,bound=user)"]].concat()).expect(0).json();
    let cost = &user["results"][0]["cost"];
    assert_eq!((cost["value"].as_str(), cost["proved"].as_bool()), (Some("4"), Some(true)));
    assert_eq!(cost["trusts"], "remaining");
    let blind =
        check(&[&[good.as_str()], &asks[..], &["cost(order=best,bound=none)"]].concat()).expect(0).json();
    assert!(blind["results"][0]["cost"]["trusts"].is_null());
    let text = check(&[&good, "--query", "E<> P.C", "--engine", "cost(bound=user)"]).expect(0).stdout;
    assert!(
        text.contains("The least cost is 4. This holds if `remaining` is never more than the cost to come."),
        "{text}"
    );
    let heur = check(&[&[good.as_str()], &asks[..], &["cost(order=heur)"]].concat()).expect(0).json();
    assert_eq!(heur["results"][0]["cost"]["value"], "4");
    assert_eq!(heur["results"][0]["search"], "heur");
}

#[test]
fn a_word_that_is_not_kept_proves_nothing() {
    let scratch = Scratch::new();
    // At the start it claims that 30 are still to come, but a run costs 4.
    let bad = scratch.file("bad.xta", advised(30));
    let ran = check(&[&bad, "--query", "E<> P.C", "--engine", "cost(order=best,bound=user)"]).expect(0);
    assert!(
        ran.stdout.contains("Nothing is proved: `remaining` is too large at the start"),
        "{}",
        ran.stdout
    );
    let plain = scratch.file("plain.xta", FEES);
    for (option, part) in [("bound=user", "a variable `remaining`"), ("order=heur", "a variable `heur`")] {
        let engine = format!("cost({option})");
        let ran = check(&[&plain, "--query", "E<> P.C", "--engine", &engine]).expect(2);
        assert!(ran.stdout.contains(part), "{}", ran.stdout);
    }
}

/// The machine has no goal, and is paid for by the minute; the job cannot do without it.
#[test]
fn what_a_partner_pays_is_bounded_too() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "machine.xta",
        "chan start, stop; clock x; process Job() { state New, Worked, Done; init New; trans New -> Worked { sync start!; }, Worked -> Done { sync stop!; }; } \
         process Machine() { state Idle, Busy { cost' == 5 }; init Idle; trans Idle -> Busy { sync start?; assign x = 0, cost += 2; }, Busy -> Idle { guard x >= 4; sync stop?; }; } \
         system Job, Machine;",
    );
    let bound = |name: &str| {
        let engine = format!("cost(bound={name})");
        let query =
            ["--query", "E<> Job.Done", "--trace", "cheapest", "--state-limit", "1", "--format", "json"];
        let answer = check(&[&[model.as_str(), "--engine", &engine], &query[..]].concat()).json();
        answer["results"][0]["cost"]["lower_bound"].as_str().map(str::to_owned)
    };
    assert_eq!(bound("process").as_deref(), Some("2"), "what was paid for the first step");
    assert_eq!(bound("pairs").as_deref(), Some("22"));
    assert_eq!(bound("model").as_deref(), Some("22"));
    let list = guidepost(&["heuristics", "--format", "json"]).expect(0).json();
    let names: Vec<&str> =
        list["bounds"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["model", "process", "locks", "pairs", "layers", "user", "none"]);
    assert!(list["heuristics"].as_array().unwrap().iter().all(|one| one["measures"] == "steps"));
}

/// The goal waits for a value that takes another process, without a goal, some time and money; each process alone needs nothing.
#[test]
fn what_processes_need_from_each_other_is_bounded_by_layers() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "needs.xta",
        "int[0,2] n; clock x; process Waits() { state New, Done; init New; trans New -> Done { guard n == 2; assign cost += 1; }; } \
         process Makes() { state Rest, Busy { cost' == 3 }; init Rest; \
         trans Rest -> Busy { guard n < 2; assign x = 0, cost += 4; }, Busy -> Rest { guard x >= 5; assign n = n + 1, cost += 2; }; } \
         system Waits, Makes;",
    );
    let bound = |name: &str, run: &str| {
        let engine = format!("cost(bound={name})");
        let query = ["--query", "E<> Waits.Done", "--trace", run, "--state-limit", "1", "--format", "json"];
        let answer = check(&[&[model.as_str(), "--engine", &engine], &query[..]].concat()).json();
        answer["results"][0]["cost"]["lower_bound"].as_str().map(str::to_owned)
    };
    // One round costs 4 + 5 * 3 + 2, and the second one adds at least the last price; then there is the goal's own.
    assert_eq!(
        bound("process", "cheapest").as_deref(),
        Some("5"),
        "the first step, and the goal's own price"
    );
    assert_eq!(bound("layers", "cheapest").as_deref(), Some("24"));
    assert_eq!(bound("process", "fastest").as_deref(), Some("0"));
    assert_eq!(bound("layers", "fastest").as_deref(), Some("5"));
    let query = ["--query", "E<> Waits.Done", "--trace", "cheapest", "--engine", "cost(bound=layers)"];
    let ran = check(&[&[model.as_str()], &query[..]].concat()).expect(0);
    assert!(ran.stdout.contains("The least cost is 43."), "{}", ran.stdout);
}
