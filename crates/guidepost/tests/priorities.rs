//! What a higher priority blocks never happens: its update cannot fail. Its guard is evaluated anyway.

use guidepost::{Interpreter, RunEnd, Session, Settings, Verdict};

fn model(guard: &str) -> Session {
    let text = format!(
        "int[0,1] w = 1; int zero; broadcast chan h; chan priority default < h;
         process P() {{ state A; init A; trans A -> A {{ sync h!; }}; }}
         process Q() {{ state A, B; init A; trans A -> B {{ guard {guard}; assign w = w + 1; }}; }}
         system P, Q;"
    );
    Session::parse("m.xta", &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_update_that_a_priority_blocks_cannot_fail() {
    let mut system = model("true");
    let answer = system.ask("E<> Q.B", &Settings::default()).unwrap();
    assert_eq!(answer.verdict(), Verdict::NotSatisfied);
    assert!(answer.model_error().is_none(), "{:?}", answer.model_error());
    assert_eq!(system.simulate(1, 5).end, RunEnd::Length);
}

#[test]
fn a_guard_is_evaluated_whatever_goes_first() {
    let mut system = model("1 / zero == 1");
    let answer = system.ask("E<> Q.B", &Settings::default()).unwrap();
    assert!(answer.model_error().is_some(), "{answer:?}");
    let mut interpreter = Interpreter::new(system.network());
    let state = interpreter.initial();
    assert!(interpreter.enabled(&state).is_err());
}
