//! Clocks that decide, and clocks that do not.

use crate::cartesian::{Cartesian, CartesianOptions};
use crate::factored::Factored;
use crate::test_networks::compiled;
use crate::{Estimate, Heuristic, Preparation};
use guidepost_answer::AbstractionProof;
use guidepost_explore::{Explorer, Extrapolation, SymbolicState, ZoneAbstraction};
use guidepost_network::{ClockId, EdgeId, Goal, Network};
use std::ops::ControlFlow;

/// The heuristic with its defaults, and what it has proved.
fn bound(network: &Network, goals: &[Goal], clocks: bool) -> (Cartesian, Option<AbstractionProof>) {
    let mut preparation = Preparation::default();
    let factored = Factored::new(network, goals, &mut preparation).expect("a small network");
    let options = CartesianOptions { clocks, ..CartesianOptions::DEFAULT };
    let cartesian = Cartesian::new(network, goals, factored, &options, &mut preparation);
    (cartesian.expect("nobody interrupts"), preparation.proof().cloned())
}

/// All states of the zone graph; the initial one first.
fn states(network: &Network, goals: &[Goal]) -> Vec<SymbolicState> {
    let list: Vec<&Goal> = goals.iter().collect();
    let abstraction = ZoneAbstraction { extrapolation: Extrapolation::M, ..ZoneAbstraction::BISIMULATION };
    let mut explorer = Explorer::new(network, &list, abstraction).expect("supported");
    let mut states = explorer.initial_states().expect("an initial state");
    let mut at = 0;
    while at < states.len() {
        let source = states[at].clone();
        let visit = &mut |state: &SymbolicState, _: &[EdgeId]| {
            if !states.iter().any(|known| known.cells == state.cells && known.zone == state.zone) {
                states.push(state.clone());
            }
            ControlFlow::Continue(())
        };
        explorer.expand(&source, visit).expect("no failure");
        at += 1;
    }
    states
}

/// The estimate of the initial state.
fn initially(text: &str, query: &str) -> Estimate {
    let (network, goals) = compiled(text, query);
    let (mut heuristic, _) = bound(&network, &goals, true);
    heuristic.estimate(&states(&network, &goals)[0])
}

/// One process, which passes a guard, then another.
fn two_guards(first: &str, second: &str) -> String {
    format!(
        "clock x, y; int[0,9] v = 4; process P() {{ state A, B, C; init A; trans
        A -> B {{ guard {first}; }}, B -> C {{ guard {second}; }}; }} system P;"
    )
}

#[test]
fn late_then_early_is_impossible() {
    let text = two_guards("x >= 5", "x <= 3");
    let (network, goals) = compiled(&text, "E<> P.C");
    let (mut heuristic, proof) = bound(&network, &goals, true);
    assert_eq!(heuristic.estimate(&states(&network, &goals)[0]), Estimate::DEAD_END);
    assert!(!heuristic.is_discrete(), "estimates look at zones");
    let proof = proof.expect("it is unreachable");
    assert_eq!(proof.hidden, ["y"], "x is what the proof is about");
    let (mut heuristic, proof) = bound(&network, &goals, false);
    assert_eq!(heuristic.estimate(&states(&network, &goals)[0]), Estimate::steps(2));
    assert!(heuristic.is_discrete() && proof.is_none());
}

#[test]
fn bounds_may_be_strict() {
    let possible = [
        ("x >= 5", "x <= 5"),
        ("x > 4", "x < 5"),
        ("x >= 0", "x <= 0"),
        ("x > 0", "x < 1"),
        ("x <= 3", "x >= 5"),
        ("x >= 134217727", "x <= 134217727"),
        // Bounds that are computed may be anything within their range.
        ("x >= v + 1", "x <= 1"),
        ("x >= 9", "x <= v"),
        // What is said of differences is not known.
        ("x - y > 3", "x < 3"),
    ];
    let impossible = [
        ("x > 5", "x <= 5"),
        ("x >= 5", "x < 5"),
        ("x > 4", "x <= 4"),
        ("x > 0", "x <= 0"),
        ("x >= 0", "x < 0"),
        ("x >= 134217727", "x < 134217727"),
        ("x >= v + 1", "x < 1"),
        ("x >= 10", "x <= v"),
        ("x >= 3 && x <= 2", "true"),
    ];
    for (first, second) in possible {
        assert_eq!(initially(&two_guards(first, second), "E<> P.C"), Estimate::steps(2), "{first}, {second}");
    }
    for (first, second) in impossible {
        assert_eq!(initially(&two_guards(first, second), "E<> P.C"), Estimate::DEAD_END, "{first}, {second}");
    }
}

/// A way around, where the clock is reset, is longer.
#[test]
fn resets_make_the_way_longer() {
    let text = |value: u32| {
        format!(
            "clock x; process P() {{ state A, B, C, D, E {{ x <= 9 }}; init A; trans A -> B {{ guard x > 5; }}, B -> C {{ guard x <= 3; }},
            B -> D {{ assign x := {value}; }}, D -> E {{ }}, E -> B {{ }}; }} system P;"
        )
    };
    assert_eq!(initially(&text(0), "E<> P.C"), Estimate::steps(5));
    assert_eq!(initially(&text(3), "E<> P.C"), Estimate::steps(5));
    assert_eq!(initially(&text(4), "E<> P.C"), Estimate::DEAD_END, "4 is too large");
    assert_eq!(initially(&text(10), "E<> P.E"), Estimate::DEAD_END, "the invariant of E does not hold");
}

/// What updates may do instead counts, too.
#[test]
fn resets_that_are_not_certain() {
    let text = |update: &str| {
        format!(
            "clock x, y; int[0,9] v; void maybe() {{ if (v > 3) x = 0; }} void surely() {{ if (v > 3) x = 1; else x = 2; }}
            process P() {{ state A, B, C, D; init A; trans A -> B {{ guard x >= 5; }}, B -> C {{ assign {update}; }}, C -> D {{ guard x <= 1; }}; }} system P;"
        )
    };
    for update in ["maybe()", "surely()", "x := v", "x := y", "x := y + 1", "v := 1, x := 1"] {
        assert_eq!(initially(&text(update), "E<> P.D"), Estimate::steps(3), "{update}");
    }
    for update in ["x := v + 2", "x := y + 2", "y := 0", "x := 0, x := 2"] {
        assert_eq!(initially(&text(update), "E<> P.D"), Estimate::DEAD_END, "{update}");
    }
}

/// A clock that may become large may also stay small.
#[test]
fn larger_values_that_are_not_certain() {
    let text = |update: &str| {
        format!(
            "clock x; int[0,9] v; void maybe() {{ if (v > 3) x = 9; }}
            process P() {{ state A, B, C; init A; trans A -> B {{ assign {update}; }}, B -> C {{ guard x <= 1; }}; }} system P;"
        )
    };
    assert_eq!(initially(&text("maybe()"), "E<> P.C"), Estimate::steps(2));
    assert_eq!(initially(&text("x := v + 1"), "E<> P.C"), Estimate::steps(2));
    assert_eq!(initially(&text("x := 9"), "E<> P.C"), Estimate::DEAD_END);
}

/// What happens around every step happens with each.
#[test]
fn resets_around_steps() {
    let text = two_guards("x >= 5", "x <= 3");
    let may = "void may() { if (v > 4) x = 3; } after_update { may() }";
    for hook in ["before_update { x = 0 }", "after_update { x = 3 }", may] {
        let text = text.replace("process", &format!("{hook} process"));
        assert_eq!(initially(&text, "E<> P.C"), Estimate::steps(2), "{hook}");
    }
    let text = text.replace("process", "after_update { x = 4 } process");
    assert_eq!(initially(&text, "E<> P.C"), Estimate::DEAD_END);
}

/// More ways to treat clocks than a label is split into: one label, which allows what any of them allows.
#[test]
fn too_many_ways_to_tell_apart() {
    let edges: Vec<String> = (0..70)
        .map(|bound| format!("A -> B {{ guard x >= {bound} && x <= {}; sync go!; }}", bound + 1))
        .collect();
    let text = format!(
        "clock x; chan go; process P() {{ state A, B, C; init A; trans {}, B -> C {{ guard x < 2; }}, B -> A {{ guard x > 90; }}; }}
        process Q() {{ state A; init A; trans A -> A {{ sync go?; }}; }} system P, Q;",
        edges.join(", ")
    );
    assert_eq!(initially(&text, "E<> P.C"), Estimate::steps(2));
}

#[test]
fn two_processes_share_a_clock() {
    // One can only pass late, the other only early; nobody resets.
    let text = "clock x; process P() { state A, B; init A; trans A -> B { guard x >= 5; }; }
        process Q() { state A, B, C; init A; trans A -> B { guard x <= 3; }, B -> C { }; } system P, Q;";
    assert_eq!(initially(text, "E<> P.B && Q.B"), Estimate::steps(2), "first Q, then P");
    let text = &text.replace(
        "init A; trans A -> B { guard x <= 3; }",
        "init A; trans A -> B { sync go?; guard x <= 3; }",
    );
    let text =
        &text.replace("guard x >= 5;", "sync go!; guard x >= 5;").replace("clock x;", "clock x; chan go;");
    assert_eq!(initially(text, "E<> Q.B"), Estimate::DEAD_END, "both at once is impossible");
}

/// Edges on one channel that do nothing but move become one label, and are told apart by what they do to clocks.
#[test]
fn edges_of_one_label_are_told_apart() {
    let text = "clock x; chan go; process P() { state A, B, C, D; init A; trans
        A -> B { guard x >= 5; sync go!; }, B -> C { sync go!; assign x := 0; }, B -> D { guard x <= 3; sync go!; }, C -> D { guard x <= 3; sync go!; }; }
        process Q() { state A; init A; trans A -> A { sync go?; }; } system P, Q;";
    assert_eq!(initially(text, "E<> P.D"), Estimate::steps(3));
}

/// A receiver that is not ready stays out: its guard is none of the sender's business.
#[test]
fn receivers_that_stay_out() {
    let text = "clock x; broadcast chan go; process P() { state A, B, C; init A; trans A -> B { guard x >= 5; }, B -> C { sync go!; }; }
        process Q() { state A, B; init A; trans A -> A { guard x <= 3; sync go?; }, A -> B { guard x <= 2; sync go?; }; } system P, Q;";
    assert_eq!(initially(text, "E<> P.C"), Estimate::steps(2));
    assert_eq!(initially(text, "E<> P.C && Q.B"), Estimate::DEAD_END);
}

#[test]
fn goals_and_their_invariants() {
    let text = "clock x; process P() { state A, B { x <= 4 }, C; init A; trans A -> B { }, A -> C { guard x >= 3; }; }
        process Q() { state A, B; init A; trans A -> B { guard x > 4; }; } system P, Q;";
    assert_eq!(initially(text, "E<> P.C && x < 3"), Estimate::DEAD_END);
    assert_eq!(initially(text, "E<> P.C && x <= 3"), Estimate::steps(1));
    assert_eq!(initially(text, "E<> P.B && x > 4"), Estimate::DEAD_END, "the invariant of B");
    assert_eq!(initially(text, "E<> P.B && Q.B"), Estimate::DEAD_END, "Q is late, and so is B");
    assert_eq!(initially(text, "E<> P.C && Q.B"), Estimate::steps(2));
}

/// The zone of a state says more than the way that was followed: y is as old as x.
#[test]
fn zones_are_looked_at() {
    let text = "clock x, y; process P() { state A, B, C, D; init A; trans
        A -> B { guard y >= 7; assign y := 0; }, B -> C { assign x := 0, y := 0; }, B -> D { guard x <= 5; }, C -> D { guard x <= 5; }; } system P;";
    let (network, goals) = compiled(text, "E<> P.D");
    let (mut heuristic, _) = bound(&network, &goals, true);
    let states = states(&network, &goals);
    assert!(!heuristic.is_discrete());
    let estimates: Vec<(i32, Estimate)> =
        states.iter().map(|state| (state.cells[0], heuristic.estimate(state))).collect();
    let expected = [(0, 3), (1, 2), (2, 1), (3, 0)].map(|(place, steps)| (place, Estimate::steps(steps)));
    assert_eq!(estimates, expected);
    // As if x had been reset before: then B leads to D.
    let mut early = states[1].clone();
    let place = early.place(ClockId(1)).expect("x matters in B");
    early.zone.set_universe();
    assert_eq!(early.zone.get(0, place), guidepost_zones::Bound::LE_ZERO);
    assert_eq!(heuristic.estimate(&early), Estimate::steps(1));
}

/// More bounds than values: whatever is left out is weaker, and nothing that is possible is lost.
#[test]
fn many_constants() {
    let edges: Vec<String> = (1..200)
        .map(|bound| format!("L{} -> L{bound} {{ guard x <= {bound} && x >= {bound}; }}", bound - 1))
        .collect();
    let names: Vec<String> = (0..200).map(|place| format!("L{place}")).collect();
    let text = format!(
        "clock x; process P() {{ state {}, Z; init L0; trans {}, L199 -> Z {{ guard x < 100; }}; }} system P;",
        names.join(", "),
        edges.join(", ")
    );
    assert_eq!(initially(&text, "E<> P.L199"), Estimate::steps(199));
    assert_eq!(initially(&text, "E<> P.Z"), Estimate::DEAD_END);
}

/// A clock that is never too large has no cell.
#[test]
fn most_clocks_do_not_matter() {
    let text = "clock x; process P() { state A { x <= 9 }, B; init A; trans A -> B { guard x >= 5; assign x := 0; }, B -> A { guard x <= 9; assign x := 0; }; } system P;";
    let (network, goals) = compiled(text, "E<> P.B");
    let mut factored = Factored::new(&network, &goals, &mut Preparation::default()).expect("a small network");
    let cells = factored.cells.len();
    let clocks = super::Clocks::add_to(&mut factored, &network, &goals);
    assert!(clocks.cells.is_empty() && factored.cells.len() == cells);
}
