//! The heuristic as a whole, on small systems whose distances can be counted.

use super::database::{Part, Regression};
use super::refinement;
use super::split::Interactions;
use super::transitions::Steps;
use crate::{Budget, Estimate, HeuristicSpec, Preparation};
use guidepost_explore::{Explorer, ZoneAbstraction};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_network::{Goal, Meetings, Network, Question};
use std::collections::BTreeMap;
use std::time::Duration;

fn load(text: &str, query: &str) -> (Network, Vec<Goal>) {
    let mut loaded = guidepost_language::load_text("test.xta", text);
    let (network, diagnostics) = guidepost_network::build(&loaded.model);
    let network = network.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let query = &loaded.queries_from_text("query", query, &mut Diagnostics::default())[0];
    let query = guidepost_network::compile_query(&network, &loaded.model, query).expect("a query");
    let Question::Possibly(predicate) = query.question else { panic!("not a reachability query") };
    (network, predicate.goals)
}

/// The estimate of the initial state, and the notes.
fn initial(network: &Network, goals: &[Goal], spec: &str, budget: Budget) -> (Estimate, Vec<String>) {
    let list: Vec<&Goal> = goals.iter().collect();
    let mut explorer = Explorer::new(network, &list, ZoneAbstraction::REACHABILITY).expect("supported");
    let mut preparation = Preparation::new(budget, crate::Deadline::default());
    let spec: HeuristicSpec = spec.parse().expect("a heuristic");
    let mut heuristic = spec.bind(network, goals, &mut preparation);
    let mut estimate = None;
    explorer.initial(&mut |state| estimate = Some(heuristic.estimate(state))).expect("no fault");
    (estimate.expect("an initial state"), preparation.notes().to_vec())
}

fn initial_steps(network: &Network, goals: &[Goal], spec: &str) -> Option<u32> {
    initial(network, goals, spec, Budget::default()).0.as_steps()
}

/// A counter, and a client that takes a token from a server whenever the counter is high.
const SERVICE: &str = "int[0,5] n; bool busy; chan take, give; clock x;
    process Count() { state C; init C; trans C -> C { guard n < 5; assign n = n + 1; }, C -> C { guard n > 0; assign n = n - 1; }; }
    process Client() { state Out, Asking, In; init Out;
        trans Out -> Asking { guard n >= 3; assign busy = 1; }, Asking -> In { sync take!; }, In -> Out { sync give!; }; }
    process Server() { state Full, Empty; init Full;
        trans Full -> Empty { sync take?; assign x = 0; }, Empty -> Full { guard x >= 2; sync give?; }; }
    process Idler() { state I; init I; trans I -> I { }; }
    system Count, Client, Server, Idler;";

#[test]
fn parts_grow_around_processes_that_affect_the_goal() {
    let (network, goals) = load(SERVICE, "E<> Client.In and n == 0");
    let interactions = Interactions::new(&network, &goals, &mut Preparation::default()).expect("in time");
    let split = |bound| interactions.split(bound);
    // Server affects no condition of the goal by itself, but meets the client; the idler stays alone.
    assert_eq!(split(1).parts, [[0], [1]]);
    assert_eq!(split(2).parts, [[0, 1]]);
    assert_eq!(split(3).parts, [[0, 1, 2]]);
    assert_eq!(split(3).part_of, [Some(0), Some(0), Some(0), None]);
}

#[test]
fn a_shared_transition_is_charged_once() {
    let text = "chan a; process P() { state A, B; init A; trans A -> B { sync a!; }; }
        process Q() { state A, B; init A; trans A -> B { sync a?; }; } system P, Q;";
    let (network, goals) = load(text, "E<> P.B and Q.B");
    assert_eq!(initial_steps(&network, &goals, "pa(b=1)"), Some(1));
    assert_eq!(initial_steps(&network, &goals, "pa"), Some(1));
    assert_eq!(initial_steps(&network, &goals, "pa(b=1,sum)"), Some(2));
}

#[test]
fn distances_of_small_systems() {
    let (network, goals) = load(SERVICE, "E<> Client.In and n == 0");
    // Three up, ask, take, three down.
    assert_eq!(initial_steps(&network, &goals, "pa(b=3)"), Some(8));
    assert_eq!(initial_steps(&network, &goals, "pa(predicates=ar,b=3,rounds=20)"), Some(8));
    // Alone, the client cannot know that it has to wait for the counter.
    assert_eq!(initial_steps(&network, &goals, "pa(b=1)"), Some(2));
}

#[test]
fn clocks_make_dead_ends() {
    let text = "clock x; process P() { state A { x <= 3 }, B, C; init A;
        trans A -> B { guard x <= 2; }, B -> C { guard x > 5; }, A -> C { guard x > 3; }; } system P;";
    let (network, goals) = load(text, "E<> P.C");
    assert_eq!(initial_steps(&network, &goals, "pa"), Some(2));
    let (network, goals) = load(text, "E<> P.C and x < 5");
    assert_eq!(initial_steps(&network, &goals, "pa"), None);
}

#[test]
fn beyond_the_budget_estimates_are_smaller_and_nothing_is_a_dead_end() {
    let (network, goals) = load(SERVICE, "E<> Client.In and n == 0");
    let part = "part Count, Client, Server";
    for (budget, told) in [
        (Budget { states: 0, ..Budget::default() }, part),
        (Budget { time: Duration::ZERO, ..Budget::default() }, "no abstraction: too much time"),
        (Budget { bytes: 0, ..Budget::default() }, part),
    ] {
        for spec in ["pa(b=3)", "pa(b=3,predicates=ar)"] {
            let (estimate, notes) = initial(&network, &goals, spec, budget);
            assert_eq!(estimate, Estimate::ZERO, "{spec}");
            assert!(notes[0].contains(told), "{notes:?}");
        }
    }
}

/// Regression against the definition: with every value told apart and no clocks, abstract distances are those of all combinations of kept values, found by
/// taking the steps of the network forwards.
#[test]
fn regression_agrees_with_a_naive_computation() {
    let text = "int[0,3] a, b; int[0,1] t[2]; chan c;
        process P() { state A, B; init A;
            trans A -> B { guard a < 3; sync c!; assign a = a + 1, b = a; }, B -> A { guard t[a % 2] == 0; assign t[b % 2] = 1; }, B -> B { assign a = 0; }; }
        process Q() { state A, B; init A; trans A -> B { sync c?; assign b = 3 - b; }, B -> A { guard b != 1; }; } system P, Q;";
    let (network, goals) = load(text, "E<> P.A and Q.B and a == 3 and b == 0");
    let interactions = Interactions::new(&network, &goals, &mut Preparation::default()).expect("in time");
    let division = interactions.split(2);
    assert_eq!(division.parts, [[0, 1]]);
    let symbols = [interactions.symbols(&network, &[0, 1])];
    let steps = Steps::all(&network, &Meetings::new(&network), &division, &symbols, true);
    let part = Part::new(&network, &goals, symbols[0].clone(), steps);
    let precision = refinement::syntactic(&part);
    let (regression, outcome) =
        Regression::run(&network, &part, &precision, &mut 0, &mut Preparation::default());
    assert_eq!(outcome, Ok(()));

    let next = |cells: &[i32]| forwards(cells);
    let all: Vec<Vec<i32>> = combinations(&network);
    let mut distances: BTreeMap<Vec<i32>, u32> = BTreeMap::new();
    for cells in &all {
        let is_goal = cells[0] == 0 && cells[1] == 3 && cells[2] == 3 && cells[3] == 0;
        if is_goal {
            distances.insert(cells.clone(), 0);
        }
    }
    for round in 1..100 {
        let known = distances.clone();
        for cells in &all {
            if !known.contains_key(cells) && next(cells).iter().any(|to| known.contains_key(to)) {
                distances.insert(cells.clone(), round);
            }
        }
        if known.len() == distances.len() {
            break;
        }
    }
    assert!(distances.len() > 20, "the example is too small");
    for cells in &all {
        let steps = regression.path(cells).map(|path| path.len() as u32);
        assert!(steps <= distances.get(cells).copied() || !distances.contains_key(cells), "{cells:?}");
        assert!(steps.is_some() || !distances.contains_key(cells), "{cells:?}");
    }
    let exact = all.iter().filter(|cells| {
        regression.path(cells).map(|path| path.len() as u32) == distances.get(*cells).copied()
    });
    assert!(exact.count() * 10 >= all.len() * 9, "regression should be nearly exact here");
}

/// P's and Q's location, a, b, t[0], t[1]: all combinations.
fn combinations(network: &Network) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    let locations = network
        .processes
        .iter()
        .map(|process| (process.locations.start as i32, process.locations.end as i32 - 1));
    let variables = network.variables.iter().map(|variable| (variable.min, variable.max));
    for (low, high) in locations.chain(variables) {
        let extend = |cells: &Vec<i32>| {
            let with = |value| cells.iter().copied().chain([value]).collect::<Vec<i32>>();
            (low..=high).map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

/// What the example can do, written down by hand.
fn forwards(cells: &[i32]) -> Vec<Vec<i32>> {
    let &[p, q, a, b, t0, t1] = cells else { panic!("six cells") };
    let mut next = Vec::new();
    if p == 0 && q == 2 && a < 3 {
        next.push(vec![1, 3, a + 1, 3 - (a + 1), t0, t1]);
    }
    if p == 1 {
        let t = [t0, t1];
        if t[(a % 2) as usize] == 0 {
            let mut t = t;
            t[(b % 2) as usize] = 1;
            next.push(vec![0, q, a, b, t[0], t[1]]);
        }
        next.push(vec![1, q, 0, b, t0, t1]);
    }
    if q == 3 && b != 1 {
        next.push(vec![p, 2, a, b, t0, t1]);
    }
    next
}

#[test]
fn specs_are_written_as_they_are_read() {
    for text in ["pa", "pa(b=3)", "pa(sum)", "pa(b=1,predicates=ar,rounds=7,sum)"] {
        assert_eq!(text.parse::<HeuristicSpec>().expect("a heuristic").to_string(), text);
    }
    for text in ["pa(b=0)", "pa(b=x)", "pa(predicates=many)", "pa(rounds=3)", "pa(product)", "pa(d=3)"] {
        assert!(text.parse::<HeuristicSpec>().is_err(), "{text}");
    }
    let is_admissible =
        |text: &str| text.parse::<HeuristicSpec>().expect("a heuristic").properties().admissible;
    assert!(is_admissible("pa(b=3)") && !is_admissible("pa(sum)") && !is_admissible("max(hl,pa(sum))"));
}
