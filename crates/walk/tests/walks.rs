//! What random walks find, and what they do not claim.

use guidepost_answer::{Answer, Engine, Outcome, RunEnding, RunKind, StopReason, Unsupported};
use guidepost_language::load_text;
use guidepost_network::{build, compile_query};
use guidepost_walk::Walk;

fn ask(engine: &Walk, model: &str, query: &str) -> Result<Answer, Unsupported> {
    let mut loaded = load_text("model.xta", model);
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
    let network = build(&loaded.model).0.expect("a network");
    let queries =
        loaded.queries_from_text("query", query, &mut guidepost_language::diagnostic::Diagnostics::default());
    let compiled = compile_query(&network, &loaded.model, &queries[0]).expect("a query");
    engine.accepts(&network, &compiled)?;
    Ok(engine.answers(&network, &[compiled])?.remove(0))
}

fn with_runs() -> Walk {
    Walk { run: RunKind::Any, ..Walk::default() }
}

/// Zones can only over-approximate a clock that stops; a walk follows it exactly.
const STOPWATCH: &str = "clock x, y;
    process P() { state Work { x' == 1 }, Pause { x' == 0 && y <= 7 }, Done; init Work;
        trans Work -> Pause { guard x == 2; assign y = 0; }, Pause -> Work { guard y >= 3; },
              Work -> Done { guard x == 4; }; }
    system P;";

#[test]
fn a_stopped_clock_is_followed_exactly() {
    let answer = ask(&with_runs(), STOPWATCH, "E<> P.Done").unwrap();
    assert_eq!(answer.outcome.decision(), Some(&true));
    let run = answer.evidence.expect("a run was asked for");
    assert!(answer.internal.is_none() && run.length() >= 1);
    let never = ask(&with_runs(), STOPWATCH, "E<> P.Done and x > 4 and x < 4").unwrap();
    assert_eq!(never.stop_reason(), Some(StopReason::Incomplete));
}

#[test]
fn that_nothing_is_found_proves_nothing() {
    let text = "process P() { state A, B; init A; trans A -> A { }; } system P;";
    for (query, walks) in [("E<> P.B", 3), ("A[] P.A", 3), ("E<> P.B", 0)] {
        let answer = ask(&Walk { walks, length: 10, ..with_runs() }, text, query).unwrap();
        assert!(matches!(answer.outcome, Outcome::Stopped(StopReason::Incomplete)), "{query}");
        assert_eq!((answer.statistics.explored, answer.statistics.generated), (walks * 11, walks * 10));
    }
}

#[test]
fn goals_between_transitions_are_met() {
    let text =
        "clock x; process P() { state A, B; init A; trans A -> B { guard x > 3 && x < 5; }; } system P;";
    let answer = ask(&with_runs(), text, "E<> P.A and x > 3").unwrap();
    assert_eq!(answer.outcome.decision(), Some(&true));
    assert_eq!(answer.evidence.map(|run| run.length()), Some(0));
}

#[test]
fn goals_are_met_at_any_moment_of_a_delay() {
    let text =
        "clock x; process A() { state S { x <= 9 }, T; init S; trans S -> T { guard x >= 7; }; } system A;";
    for query in [
        "E<> x == 3",
        "E<> A.S and x > 0 and x < 7",
        "E<> x > 3 and x < 4",
        "E<> A.T and x > 100",
        "A[] x < 9",
    ] {
        let answer = ask(&Walk { walks: 1, length: 1, ..with_runs() }, text, query).unwrap();
        assert!(answer.outcome.is_decided() && answer.internal.is_none(), "{query}: {answer:?}");
    }
    let never = ask(&with_runs(), text, "E<> A.S and x > 9").unwrap();
    assert_eq!(never.stop_reason(), Some(StopReason::Incomplete));
}

#[test]
fn walks_see_where_nothing_is_possible() {
    let text = "clock x; process P() { state A, B, C { x <= 2 }; init A; trans A -> B { }, A -> C { assign x = 0; }; } system P;";
    let answer = ask(&with_runs(), text, "E<> deadlock and P.B").unwrap();
    assert_eq!(answer.evidence.map(|run| run.ending), Some(RunEnding::Waits));
    let answer = ask(&with_runs(), text, "A[] not deadlock or P.A or P.B").unwrap();
    assert_eq!(answer.outcome.decision(), Some(&false));
    assert_eq!(answer.evidence.map(|run| run.ending), Some(RunEnding::Stuck));
    // The initial state is no deadlock.
    let answer = ask(&with_runs(), text, "E<> deadlock and P.A").unwrap();
    assert_eq!(answer.stop_reason(), Some(StopReason::Incomplete));
}

#[test]
fn errors_of_the_model_are_told_with_the_way_there() {
    let text = "int[0,3] n; process P() { state A, B; init A; trans A -> A { assign n++; }; } system P;";
    let answer = ask(&with_runs(), text, "E<> P.B").unwrap();
    let error = answer.model_error().expect("n leaves its range");
    assert_eq!(error.evidence.as_ref().map(guidepost_answer::Evidence::length), Some(3));
}

#[test]
fn other_questions_are_refused_by_name() {
    let text = "process P() { state A, B; init A; trans A -> B { }; } system P;";
    let refused = ask(&with_runs(), text, "A<> P.B").unwrap_err();
    assert_eq!(refused.to_string(), "the engine `walk` does not answer anything but `E<>` and `A[]`");
    let shortest = Walk { run: RunKind::Shortest, ..Walk::default() };
    assert!(ask(&shortest, text, "E<> P.B").is_err());
}
