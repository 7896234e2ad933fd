//! Estimates against the distances in the graph of all states, on networks without clocks: there, without shrinking, they have to be the same.

use super::automaton::Automaton;
use super::system::System;
use super::{MergeAndShrink, MergeAndShrinkOptions, label_reduction, merge_all, product};
use crate::factored::Cells;
use crate::test_networks::{compiled, distances};
use crate::{Budget, Estimate, Heuristic, Preparation};
use guidepost_network::{Goal, Network};

/// Guards over two variables, an array that is indexed, a function, and a rendezvous that hands a value over.
const DATA: &str = "
    int[0,3] x; int[0,3] y; int[0,2] a[2]; int[0,1] i; chan c;
    int[0,3] twice(int[0,3] v) { return v <= 1 ? 2 * v : 3; }
    process P() { state A, B; init A; trans
        A -> A { guard x < 3; assign x++; },
        A -> A { guard x > y; assign y := x, i := 1 - i; },
        A -> B { guard a[i] == 2; sync c!; assign x := 1; },
        B -> A { guard x <= y; assign y := twice(x); }; }
    process Q() { state A, B, C; init A; trans
        A -> A { guard a[0] + a[1] < 4; assign a[i] := a[i] < 2 ? a[i] + 1 : 2; },
        A -> B { sync c?; assign y := x; },
        B -> C { guard y == 2; }, B -> A { assign a[0] := 0; }; }
    system P, Q;";

/// Broadcasts to receivers with and without guards, and committed locations.
const BROADCAST: &str = "
    broadcast chan go; chan done; int[0,3] n; bool ready;
    process Sender() { state S, T, U; init S; commit T; trans
        S -> T { sync go!; assign n := n < 3 ? n + 1 : n; }, T -> S { guard n < 3; }, T -> U { guard n == 3; sync done!; }, U -> S { assign n := 0; }; }
    process Always() { state A, B, C; init A; trans A -> B { sync go?; }, B -> C { sync go?; assign ready := true; }, C -> A { assign ready := false; }; }
    process Sometimes() { state A, B; init A; trans A -> B { guard ready; sync go?; }, B -> A { sync done?; assign ready := false; }; }
    system Sender, Always, Sometimes;";

fn bound(network: &Network, goals: &[Goal], states: u32) -> MergeAndShrink {
    MergeAndShrink::new(
        network,
        goals,
        &MergeAndShrinkOptions { states: Some(states) },
        &mut Preparation::default(),
    )
}

fn as_estimate(distance: Option<u32>) -> Estimate {
    distance.map_or(Estimate::DEAD_END, Estimate::steps)
}

#[test]
fn without_shrinking_the_estimate_is_the_distance() {
    for (text, query) in [
        (DATA, "E<> Q.C"),
        (DATA, "E<> x == y and a[0] == a[1] and P.B"),
        (DATA, "E<> (P.B and y == 3) or (Q.B and x + y == 5)"),
        (BROADCAST, "E<> Always.C and Sometimes.B"),
    ] {
        let (network, goals) = compiled(text, query);
        let mut heuristic = bound(&network, &goals, u32::MAX);
        let states = distances(&network, &goals);
        assert!(states.len() > 10 && states.iter().any(|(_, distance)| *distance > Some(2)), "{query}");
        for (state, distance) in states {
            // A guarded receiver may stay out in the abstraction, so only a bound is known there.
            if text == BROADCAST {
                assert!(heuristic.estimate(&state) <= as_estimate(distance), "{query} {:?}", state.cells);
            } else {
                assert_eq!(heuristic.estimate(&state), as_estimate(distance), "{query} {:?}", state.cells);
            }
        }
    }
}

#[test]
fn shrinking_never_raises_an_estimate() {
    for (text, query) in [(DATA, "E<> Q.C"), (BROADCAST, "E<> Always.C and Sometimes.B")] {
        let (network, goals) = compiled(text, query);
        let mut exact = bound(&network, &goals, u32::MAX);
        let mut shrunk: Vec<MergeAndShrink> =
            [1, 2, 5, 10, 30].map(|states| bound(&network, &goals, states)).into();
        for (state, _) in distances(&network, &goals) {
            let bound = exact.estimate(&state);
            for heuristic in &mut shrunk {
                assert!(heuristic.estimate(&state) <= bound);
            }
        }
    }
}

/// The one automaton that is left when everything is multiplied, with and without label reduction and the pruning that goes with it.
#[test]
fn label_reduction_keeps_distances() {
    let (network, goals) = compiled(DATA, "E<> Q.C");
    let cells = Cells::new(&network);
    let start = |system: &System| {
        let informed = system.members().filter(|(_, automaton)| automaton.states > 1);
        informed.map(|(_, automaton): (u32, &Automaton)| automaton.to_goal[automaton.initial as usize]).max()
    };
    let mut preparation = Preparation::default();
    let mut naive = System::new(&network, &goals, &cells, &mut preparation).expect("small");
    for right in 1..naive.automata.len() as u32 {
        product::merge(&mut naive, 0, right, &mut preparation).expect("small");
    }
    naive.measure_all();
    let mut reduced = System::new(&network, &goals, &cells, &mut preparation).expect("small");
    let before = reduced.labels.len();
    assert!(label_reduction::reduce(&mut reduced, &mut preparation).expect("small") > 0);
    assert!(reduced.labels.len() < before);
    merge_all(&mut reduced, usize::MAX, &mut preparation).expect("small");
    assert_eq!(start(&naive), start(&reduced));
    assert_eq!(start(&naive), Some(5));
}

#[test]
fn beyond_the_budget_the_parts_still_count() {
    let (network, goals) = compiled(DATA, "E<> Q.C");
    let states = distances(&network, &goals);
    for allowed in [0, 10, 20, 40, 80] {
        let budget = Budget { states: allowed, ..Budget::default() };
        let mut preparation = Preparation::new(budget, crate::Deadline::default());
        let options = MergeAndShrinkOptions::DEFAULT;
        let mut heuristic = MergeAndShrink::new(&network, &goals, &options, &mut preparation);
        assert_eq!(preparation.notes().len(), 1);
        for (state, distance) in &states {
            assert!(heuristic.estimate(state) <= as_estimate(*distance));
        }
    }
}

/// The second network is refuted by the product of two automata, while others are still to be merged.
#[test]
fn a_goal_out_of_reach_is_proved_to_be() {
    const SEVERAL: &str = "
        int[0,1] v; chan c;
        process P() { state A, B; init A; trans A -> B { assign v := 1; }, B -> A { assign v := 0; }; }
        process Q() { state A, B, C; init A; trans A -> B { sync c!; }, B -> C { }, C -> A { }; }
        process R() { state A, B, C; init A; trans A -> B { sync c?; }, B -> C { }, C -> A { }; }
        system P, Q, R;";
    for (text, query) in [
        (DATA, "E<> Q.C and a[0] == 0 and a[1] == 0 and x == 0"),
        (SEVERAL, "E<> P.A and v == 1 and Q.C and R.C"),
    ] {
        let (network, goals) = compiled(text, query);
        let states = distances(&network, &goals);
        assert!(states.iter().all(|(_, distance)| distance.is_none()));
        for most in [4, 1000] {
            assert!(
                bound(&network, &goals, most).estimate(&states[0].0).is_dead_end() || most == 4,
                "{query}"
            );
        }
    }
}
