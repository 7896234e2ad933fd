//! What estimates cost, and what that makes of them.

use super::{Layers, RelaxedSolution};
use crate::test_networks::{compiled, initial};
use crate::{Deadline, Estimate, Heuristic, LocationDeadEnds};
use guidepost_network::{Goal, Network};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn layers(text: &str, query: &str) -> Option<u32> {
    let (network, goals) = compiled(text, query);
    Layers::new(&network, &goals, Deadline::default()).estimate(&initial(&network)).as_steps()
}

/// Rows of a matrix are joined, by a function that reads all of it.
const MATRIX: &str = "
    const int N = 6; typedef int[0, N - 1] row; bool m[N][N];
    void join(row a, row b) { for (i : row) { bool either = m[a][i] || m[b][i]; m[a][i] = either; m[b][i] = either; } }
    process P(const row id) { state A, B; init A;
        trans A -> B { assign m[id][id] = true; }, B -> B { select other : row; assign join(id, other); }; }
    system P;";

/// Only values near the initial one have facts; all others count as any value, which is never too far.
#[test]
fn values_far_away_are_any_value() {
    let model = |update: &str| {
        format!("int v; process P() {{ state A, B; init A; trans A -> B {{ assign {update}; }}; }} system P;")
    };
    assert_eq!(layers(&model("v = 30000"), "E<> v == 30000"), Some(1));
    assert_eq!(layers(&model("v = -30000"), "E<> v == -30000 && P.B"), Some(1));
    assert_eq!(layers(&model("v = 100"), "E<> v == 30000"), None, "that value is never assigned");
    assert_eq!(layers(&model("v = v + 20000"), "E<> v == 20000"), Some(1));
    let far = model("v = v + 1").replace("int v;", "int v = 32000;");
    assert_eq!(layers(&far, "E<> v == 32001"), Some(1));
    assert_eq!(layers(&far, "E<> v == 0"), None);
}

#[test]
fn an_estimate_that_takes_too_long_is_abandoned() {
    let (network, goals) = compiled(MATRIX, "E<> forall (i : row) forall (j : row) m[i][j]");
    let state = initial(&network);
    let mut heuristic = RelaxedSolution::new(&network, &goals, Deadline::default());
    let whole = heuristic.estimate(&state);
    let effort = heuristic.effort();
    assert!(effort > 1000, "{effort}");
    assert_eq!(heuristic.estimate_within(&state, effort / 100), None);
    let spent = heuristic.effort() - effort;
    assert!(spent < effort / 20, "{spent} of {effort}");
    // What was abandoned leaves no trace.
    assert_eq!(heuristic.estimate_within(&state, 2 * effort), Some(whole));
    assert_eq!(heuristic.estimate(&state), whole);
}

/// Trying all combinations of the matrix would take a hundred times as long.
#[test]
fn expensive_updates_are_not_tried_with_all_values() {
    let (network, goals) = compiled(MATRIX, "E<> forall (i : row) forall (j : row) m[i][j]");
    let mut heuristic = RelaxedSolution::new(&network, &goals, Deadline::default());
    let estimate = heuristic.estimate(&initial(&network));
    assert!(estimate >= Estimate::steps(2) && !estimate.is_dead_end(), "{estimate}");
    assert!(heuristic.effort() < 500_000, "{}", heuristic.effort());
}

/// Many processes wait in a queue: one edge for each of them shifts all of it, and reads what it writes.
fn queue(processes: u32) -> (Network, Vec<Goal>) {
    let text = format!(
        "const int N = {processes}; typedef int[0, N - 1] number; chan come[N], go[N]; number list[N + 1]; int[0, N] len;
         void enqueue(number e) {{ list[len++] = e; }}
         void dequeue() {{ int i = 0; len -= 1; while (i < len) {{ list[i] = list[i + 1]; i++; }} list[i] = 0; }}
         process P(const number id) {{ state Away, Here, Gone; init Away; trans Away -> Here {{ sync come[id]!; }}, Here -> Gone {{ sync go[id]!; }}; }}
         process Q() {{ state A; init A; trans A -> A {{ select e : number; guard len < N; sync come[e]?; assign enqueue(e); }},
             A -> A {{ select e : number; guard len > 0 && e == list[0]; sync go[e]?; assign dequeue(); }}; }}
         system P, Q;"
    );
    compiled(&text, "E<> len == 6 && P(1).Gone")
}

/// When all that an update writes can be anything, new values of what it reads make no difference.
#[test]
fn updates_of_large_arrays_are_given_up_once() {
    let (network, goals) = queue(100);
    let mut heuristic = RelaxedSolution::new(&network, &goals, Deadline::default());
    let estimate = heuristic.estimate(&initial(&network));
    assert!(!estimate.is_dead_end(), "{estimate}");
    // Running them for each new value takes 3,200,000.
    assert!(heuristic.effort() < 1_000_000, "{}", heuristic.effort());
}

/// Whoever is in the middle of such updates listens as well.
#[test]
fn an_estimate_among_large_arrays_is_interrupted() {
    let (network, goals) = queue(500);
    let state = initial(&network);
    let flag = Arc::new(AtomicBool::new(false));
    let mut heuristic = RelaxedSolution::new(&network, &goals, Deadline::new(None, Some(Arc::clone(&flag))));
    let begin = Instant::now();
    let interrupting = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        flag.store(true, Ordering::Relaxed);
    });
    heuristic.estimate(&state);
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    interrupting.join().expect("a flag is set");
}

#[test]
fn locations_that_cannot_be_left_for_the_goal_are_dead_ends() {
    let text = "process P() { state A, B, C, D; init A; trans A -> B { }, A -> C { }, C -> D { }; }
        process Q() { state A, B; init A; trans A -> B { }, B -> A { }; } system P, Q;";
    let at = |network: &Network, name: &str| {
        let location = network.locations.iter().position(|location| location.name == name).expect(name);
        let mut state = initial(network);
        state.cells[0] = location as i32;
        state
    };
    let (network, goals) = compiled(text, "E<> P.D && Q.B || P.C");
    let dead_ends = LocationDeadEnds::new(&network, &goals).expect("P cannot come back");
    assert!(dead_ends.contain(&at(&network, "B")));
    for name in ["A", "C", "D"] {
        assert!(!dead_ends.contain(&at(&network, name)), "{name}");
    }
    let (network, goals) = compiled(text, "E<> P.D || Q.B");
    assert!(LocationDeadEnds::new(&network, &goals).is_none(), "Q always gets there");
}
