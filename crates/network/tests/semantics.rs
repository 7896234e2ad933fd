//! Transitions and delays at concrete points.

mod common;

use common::{enabled_after, network, places, r, step};
use guidepost_network::interpreter::{Interpreter, ReplayReason, ReplayStep, RunEnd, replay, simulate};
use guidepost_network::{EdgeId, Network, build};

fn start(network: &Network) -> (Interpreter<'_>, guidepost_network::interpreter::State) {
    let interpreter = Interpreter::new(network);
    let state = interpreter.initial();
    (interpreter, state)
}

#[test]
fn delays_respect_invariants() {
    let network = network(
        "clock x, y; process P() { state A { x <= 5 && y < 3 }, B; init A; trans A -> B { guard x > 1; }; } system P;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(interpreter.max_delay(&state).unwrap(), Some((r("3"), true)));
    assert!(interpreter.can_delay(&state, r("5/2")).unwrap());
    assert!(!interpreter.can_delay(&state, r("3")).unwrap());
    assert!(!interpreter.can_delay(&state, r("-1")).unwrap());
    assert!(enabled_after(&mut interpreter, &state, "1").is_empty());
    assert_eq!(enabled_after(&mut interpreter, &state, "3/2"), ["P:A->B"]);
}

#[test]
fn stopped_clocks_stand_still() {
    let network = network(
        "clock x, y; process P() { state A { x' == 0 && y <= 4 && x <= 1 }, B; init A; trans A -> B { guard y >= 2; }; } system P;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(interpreter.max_delay(&state).unwrap(), Some((r("4"), false)));
    let later = interpreter.delay(&state, r("3")).unwrap();
    assert_eq!(later.clocks, [r("0"), r("0"), r("3")]);
}

#[test]
fn urgent_and_committed_locations_stop_time() {
    let network = network(
        "process P() { state A, B; urgent A; init A; trans A -> B {}; }
         process Q() { state A, B, C; commit B; init A; trans A -> B {}, B -> C {}; } system P, Q;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(interpreter.max_delay(&state).unwrap(), Some((r("0"), false)));
    let enabled = interpreter.enabled(&state).unwrap();
    assert_eq!(enabled.len(), 2);
    let guidepost_network::interpreter::Fired::Reached(committed) =
        interpreter.fire(&state, &enabled[1]).unwrap()
    else {
        panic!()
    };
    assert_eq!(places(&network, &committed), ["A", "B"]);
    assert_eq!(enabled_after(&mut interpreter, &committed, "0"), ["Q:B->C"]);
}

#[test]
fn urgent_channels_stop_time_when_they_become_enabled() {
    let text = |guard: &str| {
        format!(
            "urgent chan c; clock x; int v; process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync c!; }}; }}
             process Q() {{ state A, B; init A; trans A -> B {{ sync c?; }}; }} system P, Q;"
        )
    };
    let limit = |guard: &str| {
        let network = network(&text(guard));
        let (mut interpreter, state) = start(&network);
        interpreter.max_delay(&state).unwrap()
    };
    assert_eq!(limit("v == 0"), Some((r("0"), false)));
    assert_eq!(limit("v == 1"), None);
    assert_eq!(limit("x >= 2"), Some((r("2"), false)));
    assert_eq!(limit("x > 2"), Some((r("2"), false)));
    assert_eq!(limit("x < 0"), None);
}

#[test]
fn sender_updates_before_receiver() {
    let network = network(
        "chan c; int v; process R() { state A; init A; trans A -> A { sync c?; assign v = v * 2; }; }
         process S() { state A; init A; trans A -> A { sync c!; assign v = v + 1; }; } system R, S;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(enabled_after(&mut interpreter, &state, "0"), ["S:A->A+R:A->A"]);
    assert_eq!(step(&mut interpreter, &state, "0").variables, [2]);
}

#[test]
fn everybody_who_can_receives_a_broadcast() {
    let network = network(
        "broadcast chan c; clock x; int v;
         process R(const int[0,2] id) { state A, B, C; init A;
            trans A -> B { guard id < 2; sync c?; assign v = v * 10 + id; }, A -> C { guard id == 1 && x >= 1; sync c?; }; }
         process S() { state A; init A; trans A -> A { sync c!; assign v = 9; }; } system R, S;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(enabled_after(&mut interpreter, &state, "0"), ["S:A->A+R(0):A->B+R(1):A->B"]);
    assert_eq!(step(&mut interpreter, &state, "0").variables, [901]);
    assert_eq!(
        enabled_after(&mut interpreter, &state, "1"),
        ["S:A->A+R(0):A->B+R(1):A->B", "S:A->A+R(0):A->B+R(1):A->C"]
    );
    assert!(network.features.broadcast && network.features.guarded_broadcast_receivers);
}

#[test]
fn a_receiver_that_may_not_arrive_blocks_the_broadcast() {
    let network = network(
        "broadcast chan c; clock x; process R() { state A, B { x <= 1 }; init A; trans A -> B { sync c?; }; }
         process S() { state A; init A; trans A -> A { sync c!; }; } system R, S;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(enabled_after(&mut interpreter, &state, "1").len(), 1);
    assert!(enabled_after(&mut interpreter, &state, "2").is_empty());
}

#[test]
fn higher_priorities_go_first() {
    let network = network(
        "chan a, b; clock x; chan priority a < default < b;
         process P() { state A; init A; trans A -> A { sync a!; }, A -> A { guard x >= 1; sync b!; }, A -> A { guard x >= 2; }; }
         process Q() { state A; init A; trans A -> A { sync a?; }, A -> A { guard x <= 2; sync b?; }; } system P, Q;",
    );
    let (mut interpreter, state) = start(&network);
    let kinds = |interpreter: &mut Interpreter<'_>, delay: &str| {
        let later = interpreter.delay(&state, r(delay)).unwrap();
        interpreter
            .enabled(&later)
            .unwrap()
            .iter()
            .map(|transition| transition.edges[0].0)
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&mut interpreter, "0"), [0]);
    assert_eq!(kinds(&mut interpreter, "1"), [1]);
    assert_eq!(kinds(&mut interpreter, "2"), [1]);
    assert_eq!(kinds(&mut interpreter, "3"), [2]);
}

#[test]
fn process_priorities_decide_between_equal_channels() {
    let network = network(
        "process P() { state A; init A; trans A -> A {}; } process Q() { state A; init A; trans A -> A {}; } system P < Q;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(enabled_after(&mut interpreter, &state, "0"), ["Q:A->A"]);
}

#[test]
fn rendezvous_of_equals_update_in_process_order() {
    let network = network(
        "chan c; int v; process P(const int[0,1] id) { state A; init A; trans A -> A { sync c; assign v = v * 10 + id + 1; }; } system P;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(enabled_after(&mut interpreter, &state, "0").len(), 1);
    assert_eq!(step(&mut interpreter, &state, "0").variables, [12]);
}

#[test]
fn clocks_are_copied_in_order() {
    let network = network(
        "clock x, y, z; process P() { state A, B; init A; trans A -> B { guard x >= 3; assign z = x + 1, x = 0, y = x; }; } system P;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(step(&mut interpreter, &state, "7/2").clocks, [r("0"), r("0"), r("0"), r("9/2")]);
    assert!(network.features.clock_copies);
}

#[test]
fn hooks_run_around_every_transition() {
    let network = network(
        "int v; before_update { v = v + 1 } after_update { v = v * 10 }
         process P() { state A, B; init A; trans A -> B { assign v = v * 2; }; } system P;",
    );
    let (mut interpreter, state) = start(&network);
    assert_eq!(step(&mut interpreter, &state, "0").variables, [20]);
}

#[test]
fn vectors_with_weak_participants() {
    let text = "system:s\nevent:a\nevent:b\nclock:1:x\nint:1:0:9:0:v\n\
        process:P\nlocation:P:l{initial:}\nedge:P:l:l:a{do: v=v+1}\n\
        process:Q\nlocation:Q:l{initial:}\nedge:Q:l:l:a{provided: x>=2 : do: v=v*2}\n\
        process:R\nlocation:R:l{initial:}\nlocation:R:m{}\nedge:R:l:m:b{}\n\
        sync:P@a:Q@a?:R@b\n";
    let loaded = guidepost_language::load_text("m.tck", text);
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
    let (network, diagnostics) = build(&loaded.model);
    let network = network.unwrap_or_else(|| panic!("{diagnostics:#?}"));
    assert_eq!(network.vectors.len(), 1);
    let (mut interpreter, state) = start(&network);
    // Q has an edge on the vector, so it cannot stay out: its guard blocks the others.
    assert!(enabled_after(&mut interpreter, &state, "0").is_empty());
    assert_eq!(enabled_after(&mut interpreter, &state, "2"), ["P:l->l+Q:l->l+R:l->m"]);
    assert_eq!(step(&mut interpreter, &state, "2").variables, [2]);
}

#[test]
fn ranges_disable_in_tchecker_models_and_fail_in_others() {
    let text =
        "system:s\nevent:a\nint:1:0:1:1:v\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a{do: v=v+1}\n";
    let loaded = guidepost_language::load_text("m.tck", text);
    let network_tck = build(&loaded.model).0.unwrap();
    let (mut interpreter, state) = start(&network_tck);
    assert!(interpreter.enabled(&state).unwrap().is_empty());
    assert_eq!(simulate(&network_tck, 1, 5).end, RunEnd::Deadlock);
    let uppaal = network(
        "int[0,1] v = 1; process P() { state A; init A; trans A -> A { assign v = v + 1; }; } system P;",
    );
    assert!(matches!(simulate(&uppaal, 1, 5).end, RunEnd::Failure(_)));
}

#[test]
fn runs_end_in_deadlocks_and_time_locks() {
    let dead = network("process P() { state A, B; init A; trans A -> B {}; } system P;");
    let run = simulate(&dead, 3, 10);
    assert_eq!((run.steps.len(), run.end), (1, RunEnd::Deadlock));
    let stuck = network(
        "clock x; process P() { state A { x <= 2 }, B; init A; trans A -> B { guard x >= 3; }; } system P;",
    );
    assert_eq!(simulate(&stuck, 3, 10).end, RunEnd::TimeLock);
    let wrong = network("clock x; process P() { state A { x >= 2 }; init A; } system P;");
    assert_eq!(simulate(&wrong, 3, 10).end, RunEnd::Initial);
}

#[test]
fn replay_says_what_is_wrong() {
    let network = network(
        "clock x; chan c; int[0,1] v; process P() { state A { x <= 5 }, B, C { v == 0 }; init A;
            trans A -> B { guard x >= 2; assign x = 0; }, B -> C { assign v = 1; }, B -> B { sync c!; }; }
         process Q() { state A; init A; trans A -> A { sync c?; }; } system P, Q;",
    );
    let go = |steps: &[(&str, &[u32])]| {
        let steps: Vec<ReplayStep> = steps
            .iter()
            .map(|(delay, edges)| ReplayStep {
                delay: r(delay),
                edges: edges.iter().copied().map(EdgeId).collect(),
            })
            .collect();
        replay(&network, &steps).map(|steps| steps.len()).map_err(|error| (error.step, error.reason))
    };
    assert_eq!(go(&[("5/2", &[0]), ("1", &[3, 2]), ("0", &[])]), Ok(3));
    assert_eq!(go(&[("6", &[0])]), Err((0, ReplayReason::Delay(r("5"), false))));
    assert_eq!(go(&[("1", &[0])]), Err((0, ReplayReason::Guard(EdgeId(0)))));
    assert_eq!(go(&[("2", &[1])]), Err((0, ReplayReason::Source(EdgeId(1)))));
    assert_eq!(go(&[("2", &[0]), ("0", &[2])]), Err((1, ReplayReason::Synchronisation)));
    assert!(matches!(go(&[("2", &[0]), ("0", &[1])]), Err((1, ReplayReason::Blocked(_)))));
    assert_eq!(go(&[("2", &[99])]), Err((0, ReplayReason::Source(EdgeId(99)))));
}
