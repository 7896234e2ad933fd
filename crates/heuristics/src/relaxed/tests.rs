//! Cuts and landmarks against what follows from the definition: a landmark is a fact without which the goal cannot be reached.

use super::Relaxed;
use super::landmarks::Landmarks;
use super::lmcut::LandmarkCut;
use crate::test_networks::{compiled, initial};
use crate::{EdgeMask, Estimate, Heuristic, Preparation};
use guidepost_answer::Landmark;
use guidepost_network::{Goal, Network};

fn task(network: &Network, goals: &[Goal]) -> Relaxed {
    Relaxed::new(network, goals, &mut Preparation::default()).expect("a small network")
}

fn cuts(text: &str, query: &str) -> Estimate {
    let (network, goals) = compiled(text, query);
    LandmarkCut::new(task(&network, &goals)).estimate(&initial(&network))
}

/// Two processes that each have to go two steps, alone.
const APART: &str =
    "process P() { state A, B, C; init A; trans A -> B { }, B -> C { }; } P1 = P(); P2 = P(); system P1, P2;";

#[test]
fn work_of_several_processes_is_added_up() {
    assert_eq!(cuts(APART, "E<> P1.C && P2.C"), Estimate::steps(4));
    assert_eq!(cuts(APART, "E<> P1.C || P2.B"), Estimate::steps(1));
    assert_eq!(cuts(APART, "E<> P1.A"), Estimate::ZERO);
}

#[test]
fn a_transition_of_two_processes_counts_once() {
    let text = "chan c; process P() { state A, B; init A; trans A -> B { sync c!; }; }
        process Q() { state A, B; init A; trans A -> B { sync c?; }; } system P, Q;";
    assert_eq!(cuts(text, "E<> P.B && Q.B"), Estimate::steps(1));
}

/// The receiver uses what the sender has just written.
#[test]
fn what_is_handed_over_costs_nothing() {
    let text = "chan c; int[0,7] v; int[0,7] w; process P() { state A, B; init A; trans A -> B { sync c!; assign v := 5; }; }
        process Q() { state A, B; init A; trans A -> B { sync c?; assign w := v; }; } system P, Q;";
    assert_eq!(cuts(text, "E<> w == 5 && v == 5"), Estimate::steps(1));
    assert_eq!(cuts(text, "E<> w == 4"), Estimate::DEAD_END);
}

/// Every value of a counter is a transition of its own, whatever range it is declared with.
#[test]
fn counters_are_counted() {
    let text = |kind: &str| {
        format!(
            "{kind} v; process P() {{ state A, B; init A; trans A -> A {{ guard v < 9; assign v++; }}, A -> B {{ guard v == 7; }}; }} system P;"
        )
    };
    for kind in ["int[0,9]", "int", "int[-3,120]"] {
        assert_eq!(cuts(&text(kind), "E<> P.B"), Estimate::steps(8), "{kind}");
    }
}

/// By definition: without the fact, nothing leads to the goal.
fn is_needed(task: &Relaxed, facts: &[u32], without: u32) -> bool {
    let mut reached = vec![false; task.facts];
    for &fact in facts {
        reached[fact as usize] = true;
    }
    let mut grows = true;
    while std::mem::take(&mut grows) {
        for operator in 0..task.costs.len() {
            if task.needs.row(operator).iter().all(|&fact| reached[fact as usize]) {
                for &fact in task.makes.row(operator).iter().filter(|&&fact| fact != without) {
                    grows |= !std::mem::replace(&mut reached[fact as usize], true);
                }
            }
        }
    }
    !reached[task.goal as usize]
}

#[test]
fn landmarks_are_what_the_goal_cannot_be_reached_without() {
    let models = [
        (APART, "E<> P1.C && P2.C"),
        (
            "int[0,3] x; int[0,2] y; chan c; process P() { state A, B, C, D; init A; trans
            A -> B { assign x++; }, A -> C { assign y++; }, B -> A { guard x < 3; }, C -> A { guard y < 2; },
            B -> D { guard x + y > 2; sync c!; }, C -> D { guard x > 0; }; }
            process Q() { state A, B, C; init A; trans A -> B { guard x > 1; }, A -> C { guard y == 2; }, B -> C { sync c?; }; } system P, Q;",
            "E<> Q.C && P.D",
        ),
    ];
    for (text, query) in models {
        let (network, goals) = compiled(text, query);
        let (task, mut facts) = (task(&network, &goals), Vec::new());
        assert!(task.facts_of(&network.initial_cells(), &mut facts));
        let values = 0..task.values() as u32;
        let expected: Vec<(usize, i32)> = values
            .filter(|fact| !facts.contains(fact) && is_needed(&task, &facts, *fact))
            .filter_map(|fact| task.value(fact))
            .collect();
        let mut found: Vec<(usize, i32)> = Landmarks::new(task)
            .on_the_way(&network, &network.initial_cells())
            .into_iter()
            .filter_map(|landmark| match landmark {
                Landmark::Location { process, locations } => match locations[..] {
                    [location] => Some((process.index(), location.0 as i32)),
                    _ => None,
                },
                Landmark::Value { variable, values } => match values[..] {
                    [value] => Some((network.processes.len() + variable.index(), value)),
                    _ => None,
                },
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{query}");
        assert!(!found.is_empty());
    }
}

#[test]
fn landmarks_come_in_an_order_that_is_possible() {
    let (network, goals) = compiled(APART, "E<> P1.C");
    let list = Landmarks::new(task(&network, &goals)).on_the_way(&network, &network.initial_cells());
    let names: Vec<&str> = list
        .iter()
        .map(|landmark| match landmark {
            Landmark::Location { locations, .. } => network.locations[locations[0].index()].name.as_str(),
            Landmark::Value { .. } => panic!("there are no variables"),
        })
        .collect();
    assert_eq!(names, ["B", "C"]);
}

#[test]
fn without_its_edges_a_goal_is_a_dead_end() {
    let (network, goals) = compiled(APART, "E<> P1.C");
    let state = initial(&network);
    let mut mask = EdgeMask::new(network.edges.len());
    let mut heuristics: [Box<dyn Heuristic>; 2] = [
        Box::new(LandmarkCut::new(task(&network, &goals))),
        Box::new(Landmarks::new(task(&network, &goals))),
    ];
    for heuristic in &mut heuristics {
        mask.clear();
        mask.insert(1);
        assert_eq!(
            heuristic.estimate_without(&state, &mask, Estimate::DEAD_END, u64::MAX),
            Some(Estimate::DEAD_END)
        );
        mask.clear();
        mask.insert(3);
        assert_eq!(
            heuristic.estimate_without(&state, &mask, Estimate::DEAD_END, u64::MAX),
            Some(Estimate::steps(2))
        );
        assert_eq!(heuristic.estimate(&state), Estimate::steps(2), "nothing is left of the mask");
        assert_eq!(heuristic.estimate_within(&state, 0), None, "not even begun");
    }
}

#[test]
fn preferred_transitions_make_a_landmark() {
    let (network, goals) = compiled(APART, "E<> P1.C");
    let mut landmarks = Landmarks::new(task(&network, &goals));
    landmarks.estimate(&initial(&network));
    let mut mask = EdgeMask::new(network.edges.len());
    landmarks.preferred(&mut mask);
    let preferred: Vec<u32> = (0..network.edges.len() as u32).filter(|&edge| mask.contains(edge)).collect();
    assert_eq!(preferred, [0], "the first step of P1");
}

/// A value that a variable has only while an update runs is none that it can have.
#[test]
fn updates_may_go_through_other_values() {
    let text =
        "int[0,3] v; process P() { state A, B; init A; trans A -> B { assign v += 3, v = 0; }; } system P;";
    assert_eq!(cuts(text, "E<> P.B"), Estimate::steps(1));
}
