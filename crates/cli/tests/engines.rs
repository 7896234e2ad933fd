//! `--engine` and `guidepost engines`.

mod common;

use common::{Scratch, check, guidepost};

const FAULTY: &str = "models/fischer-faulty.xml";

#[test]
fn engines_are_listed_and_can_be_named() {
    let list = guidepost(&["engines", "--format", "json"]).expect(0).json();
    let names: Vec<&str> =
        list["engines"].as_array().unwrap().iter().map(|engine| engine["name"].as_str().unwrap()).collect();
    assert!(
        names.contains(&"auto") && ["zones", "cost", "walk"].iter().all(|name| names.contains(name)),
        "{names:?}"
    );
    let text = guidepost(&["engines"]).expect(0).stdout;
    for name in names {
        assert!(text.lines().any(|line| line.starts_with(name)), "{text}");
        // What is there, nobody can exclude.
        let code = if name == "ranges" { 3 } else { 0 };
        let answer =
            check(&[FAULTY, "--select", "2", "--engine", name, "--format", "json"]).expect(code).json();
        assert_eq!(answer["configuration"]["engine"], name);
        let engine = &answer["results"][0]["engine"];
        assert_eq!(engine, if name == "auto" { "zones" } else { name });
    }
}

/// A counter of three processes that stops at 15 because of another one.
const ROUNDS: &str = "int[0,30] timer[3]; int[0,30] round[3]; int[0,9] lucky;
    bool late(int id) { return timer[id] > 15 + round[id]; }
    void tick(int id) {
        if (timer[id] >= 30) timer[id] = 0;
        timer[id]++;
        if (late(id)) { round[id]++; timer[id] = 0; }
    }
    process Node(const int[0,2] id) { state Work, GivenUp; init Work; trans
        Work -> Work { guard id > 0 || lucky < LAST; assign tick(id), lucky = (lucky + 1) % 10; },
        Work -> GivenUp { guard round[id] == 16; }; }
    system Node;";

#[test]
fn ranges_of_variables_prove() {
    let scratch = Scratch::new();
    let rounds = scratch.file("rounds.xta", ROUNDS.replace("LAST", "9"));
    let queries = ["--query", "A[] not Node(1).GivenUp", "--query", "E<> round[0] == 15"];
    let ran = check(&[&[rounds.as_str(), "--engine", "ranges"], &queries[..]].concat()).expect(3);
    assert!(ran.stdout.contains("Formula is satisfied."), "{}", ran.stdout);
    assert!(ran.stdout.contains("proved for runs without errors of the model"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the ranges of variables do not exclude it"), "{}", ran.stdout);
    let ran = check(&[&rounds, "--engine", "ranges", "--query", "A[] not deadlock"]);
    assert!(ran.stderr.contains("deadlock") || ran.stdout.contains("deadlock"), "{}", ran.stderr);
    // Among all others, too, when there are too many states to look at.
    let answer = check(&[&rounds, "--query", queries[1], "--format", "json"]).expect(0).json();
    assert_eq!(answer["results"][0]["engine"], "ranges");
    // A proof that cannot be certified is not claimed.
    let certified = ["--engine", "ranges", "--certified", "--time-limit", "1"];
    let ran = check(&[&[rounds.as_str()], &queries[..2], &certified[..]].concat()).expect(3);
    assert!(ran.stdout.contains("Undecided: the time limit was reached."), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("an answer was found, but no certificate of it could be made and checked"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("proved"), "{}", ran.stdout);
}

#[test]
fn engines_that_cannot_be_meant_are_refused() {
    for (engine, part) in [
        ("zone", "did you mean `zones`?"),
        ("zones(x=1)", "it has no options"),
        ("walk(lengt=3)", "its options are walks=N, length=N"),
        ("walk(length=3,length=4)", "given twice"),
        ("walk(length=x)", "`x` is no value for `length`"),
        ("walk(length=3", "parentheses"),
    ] {
        let ran = check(&[FAULTY, "--engine", engine]).expect(2);
        assert!(ran.stderr.contains(part), "{engine}: {}", ran.stderr);
    }
}

#[test]
fn options_of_another_engine_are_refused() {
    for option in [
        &["--search", "bfs"][..],
        &["--heuristic", "hl"],
        &["--threads", "2"],
        &["--extrapolation", "lu"],
        &["--approximate"],
        &["--state-limit", "10"],
    ] {
        let ran = check(&[&[FAULTY, "--engine", "walk"], option].concat()).expect(2);
        assert!(ran.stderr.contains("for the engine `zones`"), "{option:?}: {}", ran.stderr);
    }
}

#[test]
fn what_an_engine_does_not_answer_leaves_the_rest_answered() {
    let answer =
        check(&["models/fischer.xml", "--engine", "walk(walks=10)", "--format", "json"]).expect(3).json();
    let results = answer["results"].as_array().unwrap();
    let refused = |result: &&serde_json::Value| {
        result["reason"].as_str().is_some_and(|reason| reason.contains("the engine `walk` does not answer"))
    };
    let count = results.iter().filter(refused).count();
    assert!(count > 0 && count < results.len(), "{answer:#}");
    assert!(results.iter().any(|result| result["verdict"] == "satisfied"), "{answer:#}");
}

/// Zones refuse a clock that stops; a walk finds the run, and it is replayed.
#[test]
fn walks_take_what_zones_refuse() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "stop.xta",
        "clock x, y; process P() { state A { x' == 0 && y <= 5 }, B, C; init A;
         trans A -> B { guard y >= 4; }, B -> C { guard x == 2; }; } system P;",
    );
    let refused = check(&[&model, "--query", "E<> P.C and y >= 6"]).expect(2);
    assert!(refused.stderr.contains("--engine walk"), "{}", refused.stderr);
    let found =
        check(&[&model, "--query", "E<> P.C and y >= 6", "--engine", "walk", "--trace", "some"]).expect(0);
    assert!(found.stdout.contains("B -> C"), "{}", found.stdout);
    // The clock stands still for at least four time units before it can reach two.
    check(&[&model, "--query", "E<> P.C and y < 6 and x <= 2", "--engine", "walk"]).expect(3);
}

#[test]
fn ranges_of_numbers_are_no_query() {
    let ran = check(&[FAULTY, "--select", "1-3"]).expect(2);
    assert!(ran.stderr.contains("--select 1,2,3"), "{}", ran.stderr);
}

#[test]
fn options_about_runs_without_a_run_are_noted() {
    let ran = check(&[FAULTY, "--select", "2", "--clocks"]).expect(0);
    assert!(ran.stderr.contains("`--trace some` shows them"), "{}", ran.stderr);
}

#[test]
fn refinement_says_what_it_learned() {
    for engine in [
        "lazy",
        "lazy(clocks=fw)",
        "lazy(clocks=lu,data=values)",
        "combined",
        "eager",
        "hidden",
        "hidden(search=greedy)",
    ] {
        let answer = check(&["models/fischer.xml", "--select", "1", "--engine", engine, "--format", "json"]);
        let answer = answer.expect(0).json();
        let refinement = &answer["results"][0]["refinement"];
        assert!(refinement["nodes"].as_u64().unwrap() > 0, "{engine}: {refinement}");
        let precision = refinement["precision"].as_array().unwrap();
        assert!(!precision.is_empty(), "{engine}: {refinement}");
        let text = check(&["models/fischer.xml", "--select", "1", "--engine", engine]).expect(0).stdout;
        assert!(text.contains("what matters: "), "{engine}: {text}");
    }
}

#[test]
fn refinement_finds_runs() {
    for engine in ["lazy", "lazy(clocks=lu)", "lazy(data=values)", "combined", "eager", "hidden"] {
        let args = &[FAULTY, "--select", "2", "--engine", engine, "--trace", "some", "--format", "json"];
        let answer = check(args).expect(0).json();
        let result = &answer["results"][0];
        assert_eq!(result["verdict"], "satisfied", "{engine}");
        assert!(result["trace"]["length"].as_u64().unwrap() > 0, "{engine}");
    }
}

#[test]
fn refinement_has_limits_and_refuses_by_name() {
    let undecided = |option: &[&str], reason: &str| {
        for engine in ["lazy", "combined", "eager", "hidden"] {
            let args = [&["models/fischer.xml", "--select", "1", "--engine", engine], option].concat();
            let text = check(&args).expect(3).stdout;
            assert!(text.contains(reason), "{engine}: {text}");
        }
    };
    undecided(&["--state-limit", "3"], "state limit");
    let deadlock = &["models/fischer.xml", "--query", "A[] not deadlock", "--engine", "lazy"];
    let refused = check(deadlock).expect(2);
    assert!(
        refused.stdout.contains("the engine `lazy` does not answer questions about `deadlock`"),
        "{}",
        refused.stdout
    );
}

/// Only one value of `v` makes the guard hold, and only with `x` beyond it does the update fail.
#[test]
fn errors_of_the_model_are_errors_for_lazy_abstraction_too() {
    let scratch = Scratch::new();
    let model = "clock x; int[0,3] v; process P() { state A { x <= 2 }, B; init A; trans A -> A { guard x == 2; assign v = v + 1, x = 0; }, A -> B { guard x > 5; assign v = 9; }; } system P;";
    let path = scratch.file("counter.xta", model);
    for engine in ["lazy", "lazy(clocks=fw)", "lazy(clocks=lu)"] {
        let text = check(&[&path, "--query", "E<> P.B", "--engine", engine]).expect(2).stdout;
        assert!(text.contains("the model has an error"), "{engine}: {text}");
    }
    // Nothing depends on `v`, so nobody counts as far as the error.
    let text = check(&[&path, "--query", "E<> P.B", "--engine", "lazy(data=values)"]).expect(1).stdout;
    assert!(text.contains("proved for runs without errors of the model"), "{text}");
    // The update that fails is never reached: that it would is nobody's business.
    let fine = model.replace("v = v + 1, ", "");
    let path = scratch.file("fine.xta", &fine);
    for engine in
        ["lazy", "lazy(clocks=fw)", "lazy(clocks=lu)", "lazy(data=values)", "combined", "eager", "hidden"]
    {
        check(&[&path, "--query", "E<> P.B", "--engine", engine]).expect(1);
    }
}

#[test]
fn zones_can_be_kept_in_diagrams() {
    let asked = ["check", "models/fischer.xml", "--select", "1", "--store", "cdd", "--format", "json"];
    let answers = guidepost(&asked).expect(0).json();
    let result = &answers["results"][0];
    assert_eq!((&result["engine"], &answers["configuration"]["store"]), (&"cdd".into(), &"cdd".into()));
    assert!(result["statistics"]["nodes"].as_u64().is_some_and(|nodes| nodes > 0), "{result}");
    let text = guidepost(&asked[..6]).expect(0).stdout;
    assert!(text.contains(" nodes, "), "{text}");
    guidepost(&[&asked[..6], &["--search", "bfs", "--extrapolation", "m"]].concat()).expect(0);
    for (more, why) in [
        (["--search", "dfs"], "--search"),
        (["--engine", "lazy"], "`lazy` has its own store"),
        (["--engine", "cdd(reduce=true,discrete=diagram)"], "exclude each other"),
    ] {
        let refused = guidepost(&[&asked[..6], &more[..]].concat()).expect(2).stderr;
        assert!(refused.contains(why), "{refused}");
    }
}

/// In TChecker's models an update that leaves a range is not possible: where it is not, what it depends on has to be kept.
#[test]
fn updates_that_are_not_possible_are_told_apart() {
    let scratch = Scratch::new();
    let model = "system:down\nevent:a\nint:1:0:3:0:v\nprocess:P\nlocation:P:A{initial:}\nlocation:P:B{}\nedge:P:A:A:a{do:v=v+1}\nedge:P:A:B:a{do:v=v-1}\n";
    let path = scratch.file("down.tck", model);
    for engine in ["lazy", "lazy(data=values)", "combined", "eager(domain=predicates,prune=lazy)", "hidden"] {
        check(&[&path, "--query", "E<> P.B", "--engine", engine]).expect(0);
    }
}

/// The proof needs neither the counters of trams nor the processes that keep them.
#[test]
fn the_line_segment_is_proved_with_the_controllers_alone() {
    for engine in ["hidden", "combined"] {
        let args = ["models/plc/line-segment.plc:E1", "--engine", engine, "--format", "json"];
        let answer = check(&args).expect(0).json();
        let result = &answer["results"][0];
        assert!(result["statistics"]["explored"].as_u64().unwrap() < 100_000, "{engine}: {result}");
        let precision = result["refinement"]["precision"].to_string();
        assert!(precision.contains("Main") && !precision.contains("Waiting"), "{engine}: {precision}");
    }
}
