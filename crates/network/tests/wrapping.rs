//! Integers of 32 bits: results wrap around, limits have names, and who computes beyond them is told.

mod common;

use common::{codes, load, network, once, outcome, query};
use guidepost_language::diagnostic::Code;
use guidepost_network::interpreter::{RunEnd, simulate};

const WIDE: &str = "int[INT32_MIN, INT32_MAX] v = INT32_MAX; int[INT32_MIN, INT32_MAX] w = INT32_MIN;";

#[test]
fn results_wrap_around_and_only_assignments_check_ranges() {
    assert_eq!(outcome(WIDE, "v++"), Ok(vec![i32::MIN, i32::MIN]));
    assert_eq!(outcome(WIDE, "w = v + 2 + w"), Ok(vec![i32::MAX, 1]));
    assert_eq!(outcome(WIDE, "w = -w, v = v * 2"), Ok(vec![-2, i32::MIN]));
    assert_eq!(outcome(WIDE, "w = w / -1, v -= w"), Ok(vec![-1, i32::MIN]));
    assert_eq!(outcome(WIDE, "v = abs(w)"), Ok(vec![i32::MIN, i32::MIN]));
    assert_eq!(outcome(WIDE, "v = 1 << 31"), Ok(vec![i32::MIN, i32::MIN]));
    assert_eq!(outcome(WIDE, "v = sum (i : int[0,99]) v"), Ok(vec![-100, i32::MIN]));
    assert_eq!(outcome("int[0,9] v; int[0,9] w;", "v = (INT32_MAX + 1) == INT32_MIN"), Ok(vec![1, 0]));
    assert!(
        outcome("int[0,100] v = 100; int big = 30000;", "v = big * big * 3").is_err(),
        "2700000000 is negative"
    );
    assert!(outcome("int v, w;", "v = 1 / w").is_err());
    assert!(outcome("int v, w = 32;", "v = 1 << w").is_err());
}

/// What the ranges of operands say of a result must hold for one that wraps around, too.
#[test]
fn conditions_are_not_decided_by_ranges_that_wrap() {
    for (declaration, condition) in [
        ("int[0, INT32_MAX] v = INT32_MAX;", "v + 1 < 0"),
        ("int[INT32_MAX - 1, INT32_MAX] v = INT32_MAX;", "v + 1 < 0"),
        ("int[INT32_MIN, INT32_MIN + 1] v = INT32_MIN;", "-v < 0"),
        ("int[INT32_MIN, INT32_MIN + 1] v = INT32_MIN;", "abs(v) < 0"),
        ("int[65536, 65537] v = 65536;", "v * v == 0"),
    ] {
        let text = format!(
            "{declaration} process P() {{ state A, B; init A; trans A -> B {{ guard {condition}; }}; }} system P;"
        );
        let run = simulate(&network(&text), 1, 5);
        assert_eq!((run.steps.len(), &run.end), (1, &RunEnd::Deadlock), "{condition}");
        assert_eq!(run.wraps.len(), 1, "{condition}");
    }
}

#[test]
fn constants_that_wrap_get_a_warning() {
    assert!(codes(&once("int[INT32_MIN, INT32_MAX] v;", "v = INT32_MAX + 1")).contains(&Code::WrapsAround));
    assert!(codes(&once("const int K = -INT32_MIN; int v;", "v = K > 0")).contains(&Code::WrapsAround));
    assert!(!codes(&once("int[INT32_MIN, INT32_MAX] v;", "v = INT32_MAX - 1")).contains(&Code::WrapsAround));
}

#[test]
fn limits_have_values() {
    let limits = "INT8_MIN + INT8_MAX == -1 && UINT8_MAX == 255 && INT16_MIN + INT16_MAX == -1 && UINT16_MAX == 65535 \
                  && INT32_MIN + INT32_MAX == -1";
    assert_eq!(outcome("bool v;", &format!("v = {limits}")), Ok(vec![1]));
    let mut loaded = load(&once("int v;", "v = 1"));
    let network = guidepost_network::build(&loaded.model).0.expect("no errors");
    query(&mut loaded, &network, "E<> v < INT16_MAX");
    assert_eq!(
        outcome("const int BIG = INT32_MAX; int a[UINT8_MAX]; int v;", "v = BIG == INT32_MAX")
            .map(|v| v[255]),
        Ok(1)
    );
}

#[test]
fn every_bit_can_be_selected() {
    let text = "int[INT32_MIN, INT32_MAX] v; process P() { state A; init A;
        trans A -> A { select bit : int[0, 31]; guard (v & (1 << bit)) == 0; assign v = v | (1 << bit); }; } system P;";
    let run = simulate(&network(text), 3, 100);
    assert_eq!((run.steps.len(), run.end), (32, RunEnd::Deadlock));
    assert_eq!(run.wraps, []);
}

#[test]
fn a_constant_of_a_function_has_its_value_when_the_function_runs() {
    let functions = "int a[3] = { 4, 5, 6 }; int v;
        int f(int i) { const int t = a[i]; const int u[2] = { t, t + 1 }; return t * 10 + u[1]; }";
    assert_eq!(outcome(functions, "a[1] = 7, v = f(1)").map(|v| v[3]), Ok(78));
    let size = "int a[3]; int f(int i) { const int n = a[i]; int b[n]; return 0; }";
    assert_eq!(codes(&once(size, "a[0] = f(1)")), [Code::NotConstant]);
}

#[test]
fn the_edge_behind_a_branch_point_can_select() {
    let text = "int[0,9] v; process P() { state A, B; branchpoint p; init A;
        trans A -> p { select i : int[1,2]; assign v = i; }, p -> B { select k : int[3,5]; assign v = v + k; }; } system P;";
    let network = network(text);
    assert_eq!(network.edges.len(), 6);
    let values: std::collections::BTreeSet<i32> =
        (0..60).map(|seed| simulate(&network, seed, 1).steps[0].state.variables[0]).collect();
    assert_eq!(values.into_iter().collect::<Vec<_>>(), [4, 5, 6, 7]);
}

#[test]
fn errors_in_templates_that_are_not_used_are_warnings() {
    let text = "process P() { state A; init A; } process Q() { state A; init A; trans A -> A { guard nothing > 0; }; } ";
    assert_eq!(codes(&format!("{text} system P, Q;")), [Code::UnknownName]);
    assert!(network(&format!("{text} system P;")).edges.is_empty());
}
