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
    // Beside what nobody tests, `turn` is dead somewhere, and `last` where it is copied only.
    for (query, left_out) in [("E<> copy == 2", 6), ("E<> trail[0] and not trail[1]", 5), ("E<> n == 1", 6)] {
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
