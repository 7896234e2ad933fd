//! Distances against those of all states, on networks without clocks.

use super::{Cartesian, CartesianOptions};
use crate::factored::Factored;
use crate::test_networks::{compiled, distances, initial};
use crate::{Estimate, Heuristic, Preparation};
use guidepost_network::{Goal, Network};

fn bound(network: &Network, goals: &[Goal], states: u32, preparation: &mut Preparation<'_>) -> Cartesian {
    let factored = Factored::new(network, goals, preparation).expect("a small network");
    let options = CartesianOptions { states, ..CartesianOptions::DEFAULT };
    Cartesian::new(network, goals, factored, &options, preparation).expect("nobody interrupts")
}

const MODELS: &[(&str, &str)] = &[
    (
        "process P() { state A, B, C; init A; trans A -> B { }, B -> C { }; } P1 = P(); P2 = P(); system P1, P2;",
        "E<> P1.C && P2.C",
    ),
    (
        "int[0,3] x; int[0,2] y; chan c; process P() { state A, B, C, D; init A; trans
        A -> B { assign x++; }, A -> C { assign y++; }, B -> A { guard x < 3; }, C -> A { guard y < 2; },
        B -> D { guard x + y > 2; sync c!; }, C -> D { guard x > 0; }; }
        process Q() { state A, B, C; init A; trans A -> B { guard x > 1; }, A -> C { guard y == 2; }, B -> C { sync c?; }; } system P, Q;",
        "E<> Q.C && P.D || x == 3 && y == 1",
    ),
    (
        "broadcast chan go; bool ready; int n; process S() { state A, B; init A; trans A -> B { guard n < 4; sync go!; assign n++; }, B -> A { }; }
        process R() { state A, B; init A; trans A -> B { sync go?; assign ready := true; }, B -> A { guard n > 1; assign ready := false; }; } system S, R;",
        "E<> n == 4 && !ready",
    ),
];

/// Enough boxes make the estimate of the initial state exact, and none ever exceeds a distance.
#[test]
fn estimates_are_exact_where_refinement_ends() {
    for &(text, query) in MODELS {
        let (network, goals) = compiled(text, query);
        let all = distances(&network, &goals);
        for states in [1, 2, 3, 5, 10, 100, 5000] {
            let mut heuristic = bound(&network, &goals, states, &mut Preparation::default());
            for (state, distance) in &all {
                let estimate = heuristic.estimate(state).as_steps();
                assert!(
                    distance.is_none_or(|distance| estimate.is_some_and(|steps| steps <= distance)),
                    "{query}: {estimate:?} instead of {distance:?} with {states} boxes in {:?}",
                    state.cells
                );
            }
            if states == 5000 {
                assert_eq!(heuristic.estimate(&all[0].0).as_steps(), all[0].1, "{query}");
            }
        }
    }
}

#[test]
fn what_cannot_be_reached_is_proved() {
    // Relaxed, both can be in B.
    let text = "bool free = true; process P() { state A, B; init A; trans
        A -> B { guard free; assign free := false; }, B -> A { assign free := true; }; } P1 = P(); P2 = P(); system P1, P2;";
    let (network, goals) = compiled(text, "E<> P1.B && P2.B");
    let mut preparation = Preparation::default();
    let mut heuristic = bound(&network, &goals, 1000, &mut preparation);
    assert_eq!(heuristic.estimate(&initial(&network)), Estimate::DEAD_END);
    assert!(preparation.proof().is_some_and(|proof| proof.states < 50));
}
