//! Variables that cannot influence a question are left out, and nothing else changes.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Reductions};
use guidepost_search::{Order, Strategy};

/// Two workers; `last`, `trail` and `copy` are written and never tested, `turn` is, and `n` may leave its range.
const MODEL: &str = "
    int[0,3] last; bool trail[3]; int[0,3] copy; int[0,1] turn; int[0,5] n; int[0,3] via; int[0,3] shown;
    process Worker(const int[0,1] me) {
        state Idle, Busy; init Idle;
        trans Idle -> Busy { guard turn == me; assign last = me + 1, trail[me] = !trail[me]; },
              Busy -> Idle { assign turn = 1 - me, copy = last; },
              Busy -> Idle { assign turn = 1 - me, via = 3; },
              Busy -> Busy { guard shown == 0; assign shown = via; };
    }
    A = Worker(0); B = Worker(1);
    system A, B;";

fn ask(text: &str, query: &str, reductions: Reductions, run: RunKind) -> Answer {
    let mut session = Session::parse("slicing.xta", text).unwrap_or_else(|error| panic!("{error}"));
    let strategy = Some(Strategy::Blind(Order::BreadthFirst));
    let settings = Settings { run, reductions, strategy, ..Settings::default() };
    session.ask(query, &settings).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_nobody_tests_is_left_out() {
    let sliced = ask(MODEL, "E<> false", Reductions::default(), RunKind::None);
    let whole = ask(MODEL, "E<> false", Reductions::NONE, RunKind::None);
    // last, trail[0..2], copy; and n, which is never written. `via` decides `shown`, which a guard tests. Nobody looks
    // at `turn` while both are busy: it is written before.
    assert_eq!((sliced.statistics.left_out, whole.statistics.left_out), (7, 0));
    assert!(
        sliced.statistics.discrete * 4 < whole.statistics.discrete,
        "{:?} {:?}",
        sliced.statistics,
        whole.statistics
    );
}

#[test]
fn what_the_question_is_about_matters() {
    // Beside what nobody tests, `turn` is dead somewhere, and `last` where it is copied only. Nobody writes `n`: then nobody matters, and nothing else does.
    for (query, left_out) in [("E<> copy == 2", 6), ("E<> trail[0] and not trail[1]", 5), ("E<> n == 1", 8)] {
        let sliced = ask(MODEL, query, Reductions::default(), RunKind::Shortest);
        let whole = ask(MODEL, query, Reductions::NONE, RunKind::Shortest);
        assert_eq!(sliced.verdict(), whole.verdict(), "{query}");
        assert_eq!(sliced.statistics.left_out, left_out, "{query}");
        let length = |answer: &Answer| answer.evidence.as_ref().map(|run| run.steps.len());
        assert_eq!(length(&sliced), length(&whole), "{query}");
    }
}

#[test]
fn an_error_behind_a_variable_that_nobody_tests_is_reported() {
    let text = MODEL.replace("copy = last;", "copy = last, n++;");
    for reductions in [Reductions::default(), Reductions::NONE] {
        let answer = ask(&text, "E<> false", reductions, RunKind::None);
        assert!(answer.model_error().is_some(), "{reductions:?}: n leaves its range");
    }
}

#[test]
fn runs_have_all_variables() {
    let answer = ask(MODEL, "E<> turn == 1 and B.Busy", Reductions::default(), RunKind::Any);
    assert_eq!(answer.verdict(), Verdict::Satisfied);
    let run = answer.evidence.expect("a run");
    let last = run.steps.last().expect("some steps").after.clone();
    // The first variable is `last`: B wrote 2.
    assert_eq!(last.variables[0], 2, "{last:?}");
}

/// A controller in one location: it polls a sensor, works, and acts upon what it has polled. `STEP` is how it goes on after it has polled.
const CONTROLLER: &str = "
    int[0,2] sensor;
    process Sensor() { state S; init S; trans S -> S { guard sensor < 2; assign sensor++; }, S -> S { assign sensor = 0; }; }
    process Controller() {
        int[0,3] pc; int[0,2] polled; bool light;
        state Cycle, Alarm; init Cycle;
        trans Cycle -> Cycle { guard pc == 0; assign polled = sensor, pc = 1; },
              Cycle -> Cycle { guard pc == 1; assign STEP; },
              Cycle -> Cycle { guard pc == 2 and polled == 0; assign light = false, pc = 3; },
              Cycle -> Cycle { guard pc == 2 and polled > 0; assign light = true, pc = 3; },
              Cycle -> Alarm { guard pc == 3 and light; },
              Cycle -> Cycle { guard pc == 3; assign pc = 0; };
    }
    OTHERS
    system Sensor, Controller OTHER;";

fn controller(step: &str) -> String {
    CONTROLLER.replace("STEP", step).replace("OTHERS", "").replace("OTHER", "")
}

/// What was polled is forgotten once it has been acted upon, although the location is the same all the time: `polled` matters while `pc` is 1 or 2, `light` while it is 3.
#[test]
fn what_a_counter_says_is_a_part_of_where_a_process_is() {
    for step in ["pc = 2", "pc++", "pc = 1, pc++"] {
        let text = controller(step);
        let query = "E<> Controller.Alarm and sensor == 0";
        let sliced = ask(&text, query, Reductions::default(), RunKind::Shortest);
        let whole = ask(&text, query, Reductions::NONE, RunKind::Shortest);
        assert_eq!((sliced.verdict(), whole.verdict()), (Verdict::Satisfied, Verdict::Satisfied), "{step}");
        let length = |answer: &Answer| answer.evidence.as_ref().map(|run| run.steps.len());
        assert_eq!(length(&sliced), length(&whole), "{step}");
        let sliced = ask(&text, "E<> false", Reductions::default(), RunKind::None);
        // For three values of the sensor: pc 0; 1 and 2 with three values of `polled`; 3 with two of `light`; and the alarm.
        assert_eq!(sliced.statistics.discrete, 3 * (1 + 3 + 3 + 2 + 1), "{step}");
    }
}

/// At the ends of all integers, and one step beyond.
#[test]
fn counters_may_be_as_large_as_integers() {
    let text = "process P() { int[2147483645,2147483647] pc = 2147483645; int[0,1] polled; state S, T; init S; trans
        S -> S { guard pc == 2147483645; assign polled = 1, pc++; }, S -> S { guard pc == 2147483646; assign pc++; },
        S -> T { guard pc == 2147483647 and polled == 1; }, S -> S { guard pc == 2147483647; assign STEP; }; } system P;";
    for (step, fails) in [("pc = 2147483645", false), ("pc++", true)] {
        for reductions in [Reductions::default(), Reductions::NONE] {
            let text = text.replace("STEP", step);
            let whole = ask(&text, "E<> false", reductions, RunKind::None);
            assert_eq!(whole.model_error().is_some(), fails, "{step} {reductions:?}");
            // The error is as near as the goal.
            let found = ask(&text, "E<> P.T", reductions, RunKind::None);
            assert_eq!(found.verdict() == Verdict::Satisfied, !fails, "{step} {reductions:?}");
        }
    }
}

/// A value that cannot be foreseen leads anywhere: nothing is forgotten that may be looked at there.
#[test]
fn counters_may_go_anywhere() {
    let text = controller("pc = sensor > 1 ? 2 : 1");
    let sliced = ask(&text, "E<> Controller.Alarm", Reductions::default(), RunKind::Shortest);
    let whole = ask(&text, "E<> Controller.Alarm", Reductions::NONE, RunKind::Shortest);
    let length = |answer: &Answer| answer.evidence.as_ref().map(|run| run.steps.len());
    assert_eq!((sliced.verdict(), length(&sliced)), (whole.verdict(), length(&whole)));
}

/// What others may write is no counter: here somebody sets the controller back to where it looks at what it polled a while ago.
#[test]
fn what_others_write_is_no_counter() {
    let meddler = "int[0,3] pc; process Meddler() { state M, Done; init M; trans M -> Done { guard pc == 0; assign pc = 2; }; }";
    let text = CONTROLLER
        .replace("int[0,3] pc; int[0,2] polled; bool light;", "int[0,2] polled; bool light;")
        .replace("STEP", "pc = 0")
        .replace("OTHERS", "")
        .replace("OTHER", ", Meddler")
        .replacen("int[0,2] sensor;", &format!("int[0,2] sensor; {meddler}"), 1);
    for reductions in [Reductions::default(), Reductions::NONE] {
        let answer = ask(&text, "E<> Controller.Alarm", reductions, RunKind::None);
        assert_eq!(answer.verdict(), Verdict::Satisfied, "{reductions:?}");
    }
}

/// A guard that fails to be evaluated is an error of the model, whatever its other conditions say.
#[test]
fn an_error_in_a_guard_is_not_forgotten() {
    let text = "bool a[3]; process P() { int[0,1] pc; int[0,5] i; state S, T; init S;
        trans S -> S { guard pc == 0; assign i = 4, pc = 1; }, S -> S { guard pc == 1; assign pc = 0; }, S -> T { guard a[i] and pc == 0; }; } system P;";
    for reductions in [Reductions::default(), Reductions::NONE] {
        let answer = ask(text, "E<> P.T", reductions, RunKind::None);
        assert!(answer.model_error().is_some(), "{reductions:?}: {:?}", answer.verdict());
    }
}
