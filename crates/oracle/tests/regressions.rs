//! Models on which an engine was wrong once, each shrunk by the hunt, and models for what random ones rarely hit.

mod common;

use common::compare::{check_deadlocks, check_liveness, check_reachability, check_transitions};
use common::estimates::check_zone_estimates;
use common::judge;

/// The copy is in another process than the test of the clock.
#[test]
fn bounds_pass_through_copies_of_other_processes() {
    let text = "clock x, z; process P() { state A, B; init A; trans A -> B { assign z = x; }, B -> A { assign x = 1; }; }
        process Q() { state A, B { z <= 1 }; init A; trans A -> B { }; } system P, Q;";
    judge(text, &[], &check_transitions);
    judge(text, &["E<> deadlock"], &check_deadlocks);
}

/// Time stands still at x = 2, where Q can make a step first that leaves it in a state which is covered by the one before; the step of R was put off, and with it the deadlock.
#[test]
fn a_step_that_is_possible_in_a_zone_only_puts_off_no_deadlock() {
    let text = "clock x; int[0,1] w; broadcast chan g[2];
        process P() { state A { x <= 2 }, B { x <= 0 }; init A; trans A -> B { sync g[(w + 1) % 2]!; }; }
        process R() { clock own; state A, B, C; init A; trans A -> A { }, A -> C { guard own >= 2; }, C -> B { }; }
        process Q() { clock own; state A; init A; trans A -> A { guard own >= 1; assign own = 0, w = 0; }; }
        system R, Q, P;";
    judge(text, &["A[] not deadlock", "E<> deadlock and R.B"], &check_deadlocks);
}

/// Only the query tests the copied clock.
#[test]
fn bounds_of_the_query_pass_through_copies() {
    let text = "clock x, t; process P() { state A { x <= 1 }, B, C; urgent C; init A; trans A -> B { }, B -> C { assign t = x; }; }
        process Q() { state A, B; init A; trans A -> B { assign x = 0; }; } system P, Q;";
    judge(text, &["E<> t >= 2", "E<> P.C and t < 1", "E<> P.C and t >= 2 and x < 2"], &check_reachability);
    let text = "clock x, y; process P() { state A { y < 1 }, B, C; commit B; init A; trans A -> B { assign y = x; }; } system P;";
    judge(text, &["A[] not (y >= 1 or P.C)"], &check_reachability);
}

#[test]
fn bounds_pass_through_hooks() {
    let text = "clock x, y; before_update { x = y }
        process P() { state A, B { x <= 1 }; init A; trans A -> B { guard x > 1; }; } system P;";
    judge(text, &[], &check_transitions);
}

#[test]
fn runs_of_liveness_respect_priorities() {
    let text = "clock y; process P() { state A, B; init A; trans A -> B { }; }
        process Q() { state A { y <= 1 }, B { y <= 0 }; init A; trans A -> B { }; } system P < Q;";
    judge(text, &["E[] not Q.B"], &check_liveness);
}

#[test]
fn runs_of_liveness_respect_receivers() {
    let text = "clock x; broadcast chan h; process S() { state A; init A; trans A -> A { sync h!; }; }
        process R() { state A, B, C { x >= 1 }; init A; trans A -> B { }, B -> C { guard x <= 0; sync h?; }; } system S, R;";
    judge(text, &["E[] not (x == 1)"], &check_liveness);
}

/// Who stays out of a broadcast needs the complement of the guard, and so its bound on the other side.
#[test]
fn receivers_that_stay_out_count_in_the_bounds() {
    let text = "clock x; broadcast chan h;
        process S() { state A, B, C; urgent B; init A; trans A -> B { guard x < 1; }, B -> C { sync h!; }; }
        process R() { state A, B; init A; trans A -> B { guard x < 1; sync h?; }; } system S, R;";
    judge(text, &[], &check_transitions);
    judge(text, &["E<> S.C and R.A"], &check_reachability);
}

/// A function that may reset a clock, or may not.
#[test]
fn a_reset_that_may_not_happen_keeps_the_bounds() {
    let text = "clock x; bool b; void f() { if (b) x = 0; }
        process P() { state A { x <= 3 }, B, C; urgent B; init A; trans A -> B { assign f(); }, B -> C { guard x >= 2; }; }
        process Q() { state A, B; init A; trans A -> B { assign b = true; }; } system P, Q;";
    judge(text, &[], &check_transitions);
    judge(text, &["E<> P.C", "E<> P.C and Q.B"], &check_reachability);
}

/// What a higher priority blocks never happens, so it cannot fail either.
#[test]
fn blocked_transitions_do_not_fail() {
    let text = "int[0,1] w; broadcast chan h; chan priority default < h;
        process P() { state A, B; init A; trans A -> B { assign w += 2; }, A -> A { sync h!; }; } system P;";
    judge(text, &[], &check_transitions);
    judge(text, &["E<> deadlock"], &check_deadlocks);
}

/// A clock that an update makes negative is an error of the model, wherever only some valuations do so, and also when nobody asks for the clock afterwards.
#[test]
fn clocks_that_become_negative_are_an_error() {
    for (guard, offset) in [("x >= 1", 2), ("x > 1", 2), ("x < 3", 1), ("x >= 2", 2), ("x > 1", 1)] {
        let text = format!(
            "clock x, y; process P() {{ state A {{ x <= 4 }}, B, C; init A;
             trans A -> B {{ guard {guard}; assign y = x - {offset}; }}, B -> C {{ guard y <= 1; }}; }} system P;"
        );
        judge(&text, &[], &check_transitions);
        judge(&text, &["E<> P.C", "E<> P.B and y > 3", "A[] not P.B"], &check_reachability);
        let unused = text.replace("guard y <= 1;", "");
        judge(&unused, &[], &check_transitions);
        judge(&unused, &["E<> P.C", "E<> deadlock"], &check_deadlocks);
    }
}

/// One step back and two forth: only what is below zero in between fails.
#[test]
fn clocks_may_go_down_and_up_within_a_transition() {
    let text = "clock x, y, z, w; process P() { state A { x <= 4 }, B { w <= 2 }; init A;
        trans A -> B { guard x >= 2; assign y = x - 2, z = y + 1, w = z - 1; }; } system P;";
    judge(text, &[], &check_transitions);
    judge(text, &["E<> P.B and w > 1", "E<> P.B and z > 3", "E<> P.B and y < 0"], &check_reachability);
}

/// `w++` leaves its range, but a broadcast of higher priority goes first.
#[test]
fn blocked_transitions_do_not_fail_when_they_block_others() {
    let text = "int[-1,1] w; broadcast chan h; chan priority default < h;
        process P() { state A, B; init A; trans A -> B { }; }
        process Q() { state A, B; init A; trans B -> A { sync h!; assign w = 1; }, B -> A { assign w++; }, A -> B { }; }
        system P < Q;";
    judge(text, &["E<> Q.A and not P.A"], &check_reachability);
}

/// The invariant of the receiver's target holds because the sender resets the clock.
#[test]
fn estimates_with_clocks_wait_for_all_participants() {
    let text = "clock x, y; chan c;
        process P() { state A, B { y <= 1 }; init A; trans A -> B { sync c?; }, A -> A { guard x > 1; }; }
        process Q() { state A, B; init A; trans A -> B { sync c!; assign y = 1; }; } system P, Q;";
    judge(text, &["E<> Q.B and not (x <= 0)"], &check_zone_estimates);
}

/// The update undoes what the hook before it has done to the clock.
#[test]
fn estimates_with_clocks_keep_the_order_of_hooks_and_updates() {
    let text = "clock x; int[0,1] v = 1; before_update { x = 2 }
        process P() { state A, B { x <= 1 }, C; init A; trans A -> B { assign x = 0; }, B -> C { assign v = 0; }; } system P;";
    judge(text, &["E<> x <= 2 and v == 0"], &check_zone_estimates);
}

/// That the receiver stays out follows from the side of a diagonal that the state lies on; the times of the run must see to it.
#[test]
fn runs_stay_on_the_side_of_a_diagonal() {
    let text = "clock x, y; int[0,1] f = 1; broadcast chan h;
        process S() { state A { x <= 2 && y <= 3 }; init A; trans A -> A { sync h!; assign y = 1, f = 0; }; }
        process R() { state A, B; init A; trans A -> B { guard f < 1; }, A -> A { guard x <= y; sync h?; assign f = 1; }; } system S, R;";
    judge(text, &["E<> R.B"], &check_reachability);
    let text = "clock x, y; chan h; chan priority default < h;
        process S() { state A { x <= 2 && y <= 3 }, B; urgent B; init A; trans A -> A { guard x <= y; sync h!; assign y = 1; }, A -> B { }; }
        process R() { state A; init A; trans A -> A { sync h?; }; } system S, R;";
    judge(text, &["E<> S.B"], &check_reachability);
}

/// A clock that is set turns a diagonal into a bound of the other one, and that has to be told apart before.
#[test]
fn resets_turn_diagonals_into_bounds() {
    let text = "clock x, y, z;
        process P() { state L { z < 1 }, M, N, B; init L; urgent M, N;
            trans L -> M { guard z > 0; assign z = 0; }, M -> N { assign y = 1; }, N -> B { guard x - y > 0; }; } system P;";
    judge(text, &["E<> P.B"], &check_reachability);
    let text = "clock x, y, z;
        process P() { state L { z < 1 }, M, N, B; init L; urgent M, N;
            trans L -> M { guard z > 0; assign z = 0; }, M -> N { assign y = 2; }, N -> B { guard y - x <= 1; }; } system P;";
    judge(text, &["E<> P.B"], &check_reachability);
}

/// A copy turns a diagonal into another one.
#[test]
fn copies_turn_diagonals_into_others() {
    let text = "clock w, x, y, z;
        process P() { state K { z <= 2 }, L { z < 1 }, M, N, B; init K; urgent M, N, B;
            trans K -> L { guard z > 1; assign x = 0, z = 0; }, L -> M { guard z > 0; assign y = 0, z = 0; }, M -> N { assign w = x; },
                N -> B { guard w - y >= 1; }; } system P;";
    judge(text, &["E<> P.B"], &check_reachability);
}

/// A state with one transition that fails and another that is possible is not deadlocked.
#[test]
fn a_failing_transition_does_not_hide_another() {
    let text = "clock x; int[0,2] v = 2;
        process P() { state A; init A; trans A -> A { assign v++; }; }
        process Q() { state A, B; init A; trans A -> B { }; } system P, Q;";
    judge(text, &["E<> not deadlock and x <= v"], &check_deadlocks);
}

/// The same locations are reached with clock values that move at once, and with others that do not: an invariant of the target, a guard, or a receiver that has to take part and cannot keeps them back.
#[test]
fn what_moves_for_one_zone_may_be_stuck_for_another() {
    let text = |back: &str, receiver: &str| {
        format!(
            "clock x; broadcast chan h;
            process S() {{ state A, B, C {{ x <= 3 }}; urgent B; init A;
                trans A -> B {{ guard x < 3; }}, A -> B {{ guard x >= 5; }}, {back}, C -> A {{ assign x = 0; }}; }}
            process R() {{ state A, B {{ x <= 3 }}; init A; trans A -> B {{ {receiver} sync h?; }}; }} system S, R;"
        )
    };
    for (back, receiver) in [
        ("B -> C { }", ""),
        ("B -> A { guard x <= 3; }", ""),
        ("B -> A { sync h!; }", "guard x >= 5;"),
        ("B -> A { sync h!; assign x = 0; }", "guard x >= 5;"),
    ] {
        judge(&text(back, receiver), &["E<> deadlock", "E<> S.B and deadlock"], &check_deadlocks);
    }
}
