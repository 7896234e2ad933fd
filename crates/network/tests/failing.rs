//! Which models cannot fail, whatever happens; and what evaluating costs.

mod common;

use common::{network, once};
use guidepost_network::Machine;

fn can_fail(declarations: &str, update: &str) -> bool {
    network(&once(declarations, update)).program.can_fail()
}

#[test]
fn what_stays_within_its_bounds_cannot_fail() {
    for (declarations, update) in [
        ("int[0,3] v, w;", "v = 3, w = v"),
        ("int[0,3] v; int[0,9] w;", "w = v + v + 2"),
        ("int[0,9] a[4]; int[0,3] i;", "i = 2, a[3] = 5"),
        ("int[0,9] a[4]; int[0,3] i; int[0,9] v;", "v = a[i]"),
        ("int[0,9] v;", "v = v / 2, v = v % 4"),
        ("bool b; bool a[4];", "b = forall (i : int[0,3]) a[i]"),
        ("int[0,9] a[4]; int[0,9] b[4];", "a = b"),
        ("clock x; bool b;", "x = 3, b = true"),
        ("bool a[3]; void f() { for (i : int[0,2]) { a[i] = true; } }", "f()"),
    ] {
        // Stores to computed places are checked when they happen.
        let stores = update == "f()";
        assert_eq!(can_fail(declarations, update), stores, "{declarations} {update}");
    }
}

#[test]
fn what_may_leave_its_bounds_can_fail() {
    for (declarations, update) in [
        ("int[0,3] v;", "v++"),
        ("int[0,3] v; int[0,4] w;", "v = w"),
        ("int[0,9] a[4]; int[0,4] i; int[0,9] v;", "v = a[i]"),
        ("int[0,9] v; int[0,3] w;", "v = 9 / w"),
        ("int v; int[0,40] w;", "v = 1 << w"),
        ("int[0,9] a[4]; int[0,8] b[4];", "b = a"),
        ("clock x; int v;", "x = v"),
        ("int v; void f() { while (v > 0) { v = 1; } }", "f()"),
        (
            "bool b; bool a[4096]; typedef int[0,4095] t;",
            "b = forall (i : t) exists (j : t) a[i] && a[j] && i != j",
        ),
        ("bool b; void f() { assert(b); }", "f()"),
    ] {
        assert!(can_fail(declarations, update), "{declarations} {update}");
    }
}

#[test]
fn executed_instructions_are_counted() {
    let loops = "int[0,9] s; int[0,9] a[8]; void last() { for (i : int[0,7]) { s = a[i]; } }";
    let network = network(&once(loops, "last()"));
    let update = network.edges[0].update.expect("an update");
    let mut machine = Machine::new(&network.program);
    let mut cost = || {
        let before = machine.executed();
        machine.run_update(update, &mut Vec::new()).expect("nothing is out of range");
        machine.executed() - before
    };
    let (first, second) = (cost(), cost());
    assert!(first >= 8 * 4, "{first}");
    assert_eq!(first, second);
}
