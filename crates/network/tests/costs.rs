//! Prices and rates: what runs cost, and which models are refused.

mod common;

use common::{codes, load, message, network, query, r};
use guidepost_language::diagnostic::Code;
use guidepost_network::interpreter::{ReplayStep, ReplayedStep, replay};
use guidepost_network::{EdgeId, Question, build};

fn steps(text: &str, path: &[(&str, &[u32])]) -> Vec<ReplayedStep> {
    let steps: Vec<ReplayStep> = path
        .iter()
        .map(|(delay, edges)| ReplayStep {
            delay: r(delay),
            edges: edges.iter().copied().map(EdgeId).collect(),
        })
        .collect();
    replay(&network(text), &steps).unwrap()
}

#[test]
fn rates_and_prices_of_all_processes_add_up() {
    let text = "clock x; chan c; int v = 2;
        process P() { state A { cost' == 3 }, B { x <= 9 && cost' == v }; init A; trans A -> B { sync c!; assign v = 5, cost += v, cost += 1; }; }
        process Q() { state A { cost' == 1 }, B; init A; trans A -> B { sync c?; assign cost += v; }; } system P, Q;";
    let steps = steps(text, &[("1/2", &[0, 1]), ("3", &[])]);
    // Half a time unit at 3 + 1; then the sender pays 5 + 1, and the receiver the new value.
    assert_eq!(steps[0].cost, r("13"));
    assert_eq!(steps[1].cost, r("15"), "B costs v, which is 5");
}

#[test]
fn functions_and_hooks_pay() {
    let text = "int v; void twice(int k) { cost += k; if (k > 1) cost += k; }
        before_update { cost += 10 }
        process P() { state A; init A; trans A -> A { assign twice(1), twice(3), cost++; }; } system P;";
    assert_eq!(steps(text, &[("0", &[0])])[0].cost, r("18"));
}

#[test]
fn what_cannot_be_is_refused() {
    let system = |update: &str, invariant: &str, guard: &str| {
        format!(
            "int v; process P() {{ state A {{ {invariant} }}; init A; trans A -> A {{ guard {guard}; assign {update}; }}; }} system P;"
        )
    };
    assert_eq!(codes(&system("cost += 2", "cost' == 3", "v == 0")), []);
    assert_eq!(codes(&system("cost += -2", "cost' == 3", "true")), [Code::NegativeCost]);
    assert_eq!(codes(&system("cost += 2", "cost' == -3", "true")), [Code::NegativeCost]);
    assert_eq!(codes(&system("cost = 0", "true", "true")), [Code::NotAssignable]);
    assert_eq!(codes(&system("cost += 1", "true", "cost < 5")), [Code::NotAGuard]);
    assert_eq!(codes(&system("cost -= 1", "true", "true")), [Code::TypeMismatch]);
    assert_eq!(message("int[-3,3] v = -2;", "cost += v"), "the price -2 is negative");
}

#[test]
fn the_least_cost_is_a_question_of_its_own() {
    let mut loaded =
        load("process P() { state A, B; init A; trans A -> B { assign cost += 2; }; } system P;");
    let network = build(&loaded.model).0.unwrap();
    let least = query(&mut loaded, &network, "inf{P.B}: cost");
    assert!(matches!(least.question, Question::LeastCost(predicate) if predicate.goals.len() == 1));
}
