//! Independent steps in one order only: the same answers from fewer states, and nothing is missed that only another order shows.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Reductions};
use guidepost_search::{Order, Strategy};

const WITH: Reductions = Reductions { partial_order: true, ..Reductions::NONE };

/// Ten processes that act at the same moment, again and again.
const SENSORS: &str = "typedef int[0,9] id_t;
    process Sensor(const id_t id) { clock x; state Waits { x <= 10 }; init Waits; trans Waits -> Waits { guard x >= 10; assign x = 0; }; }
    system Sensor;";

fn ask(text: &str, query: &str, reductions: Reductions) -> Answer {
    let mut session = Session::parse("model.xta", text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let strategy = Some(Strategy::Blind(Order::BreadthFirst));
    let settings = Settings { run: RunKind::Shortest, reductions, strategy, ..Settings::default() };
    session.ask(query, &settings).unwrap_or_else(|error| panic!("{query}: {error:?}"))
}

fn steps(answer: &Answer) -> Option<usize> {
    let evidence = answer.evidence.as_ref()?;
    Some(evidence.steps.iter().filter(|step| step.transition.is_some()).count())
}

/// Asks with and without; says how many transitions were left for later.
fn compare(text: &str, query: &str, expected: Verdict) -> u64 {
    let (plain, reduced) = (ask(text, query, Reductions::NONE), ask(text, query, WITH));
    assert_eq!(plain.verdict(), expected, "{query}\n{text}");
    assert_eq!(reduced.verdict(), expected, "{query}\n{text}");
    assert_eq!(steps(&reduced), steps(&plain), "shortest runs stay shortest: {query}\n{text}");
    reduced.statistics.postponed
}

#[test]
fn many_steps_at_one_moment() {
    let query = "A[] not deadlock";
    let (plain, reduced) = (ask(SENSORS, query, Reductions::NONE), ask(SENSORS, query, WITH));
    assert_eq!((plain.verdict(), reduced.verdict()), (Verdict::Satisfied, Verdict::Satisfied));
    assert!(plain.statistics.stored > 1000, "{:?}", plain.statistics);
    assert!(reduced.statistics.stored <= 10 * 10, "{:?}", reduced.statistics);
}

#[test]
fn a_moment_between_two_steps() {
    // Sensor 9 has acted and sensor 3 has not: an order that others need not be in.
    let query = "E<> Sensor(9).x == 0 and Sensor(3).x == 10 and Sensor(5).x == 10";
    compare(SENSORS, query, Verdict::Satisfied);
    assert!(compare(SENSORS, "E<> Sensor(1).x == 4 and Sensor(2).x == 5", Verdict::NotSatisfied) > 0);
}

/// Processes in urgent locations, some of which touch the same variable.
fn urgent(kind: &str, updates: [&str; 3]) -> String {
    let [a, b, c] = updates;
    format!(
        "int[0,20] n = 1; int[0,20] m; bool go[3];
         process A() {{ state S, T; {kind} S; init S; trans S -> T {{ assign {a}; }}; }}
         process B() {{ state S, T; {kind} S; init S; trans S -> T {{ assign {b}; }}; }}
         process C() {{ state S, T; {kind} S; init S; trans S -> T {{ assign {c}; }}; }}
         system A, B, C;"
    )
}

#[test]
fn steps_that_do_not_commute() {
    for kind in ["urgent", "commit"] {
        // Addition and doubling give another result in another order.
        let text = urgent(kind, ["n = n + 3", "n = n * 2", "go[2] = true"]);
        compare(&text, "E<> n == 5", Verdict::Satisfied);
        compare(&text, "E<> n == 8", Verdict::Satisfied);
        compare(&text, "E<> n == 7", Verdict::NotSatisfied);
        // One reads what another writes.
        let text = urgent(kind, ["m = n", "n = 4", "go[2] = true"]);
        compare(&text, "E<> m == 1 and n == 4 and go[2]", Verdict::Satisfied);
        compare(&text, "E<> m == 4", Verdict::Satisfied);
        // Nothing in common: one order is enough, unless the goal tells them apart.
        let text = urgent(kind, ["go[0] = true", "go[1] = true", "go[2] = true"]);
        assert!(compare(&text, "E<> A.T and B.T and C.T", Verdict::Satisfied) > 0);
        compare(&text, "E<> go[2] and !go[1] and !go[0]", Verdict::Satisfied);
        compare(&text, "E<> C.T and B.S and A.T", Verdict::Satisfied);
    }
}

#[test]
fn an_error_in_one_order_only() {
    // Where B has doubled before A adds, n leaves its range.
    let text =
        urgent("urgent", ["n = n + 9", "n = n * 2", "m = 1"]).replace("int[0,20] n = 1", "int[0,20] n = 6");
    for reductions in [Reductions::NONE, WITH] {
        let answer = ask(&text, "E<> n == 0", reductions);
        assert!(answer.model_error().is_some(), "{answer:?}");
    }
}

#[test]
fn steps_that_stop_others() {
    // Who enters the committed location keeps the others back, so that the goal is only met if it goes last.
    let text = "int[0,3] n;
        process A() { state S, C, T; urgent S; commit C; init S; trans S -> C { }, C -> T { assign n = 3; }; }
        process B() { state S, T; urgent S; init S; trans S -> T { guard n < 3; }; }
        process D() { state S, T; urgent S; init S; trans S -> T { guard n < 3; }; }
        system A, B, D;";
    compare(text, "E<> A.C and B.T and D.T", Verdict::Satisfied);
    compare(text, "E<> A.T and B.T and D.S", Verdict::Satisfied);
    // An invariant about data of another process.
    let text = "int[0,3] n;
        process A() { state S, T; urgent S; init S; trans S -> T { assign n = 2; }; }
        process B() { state S { n < 2 }, T; urgent S; init S; trans S -> T { }; }
        process D() { state S, T; urgent S; init S; trans S -> T { }; }
        system A, B, D;";
    compare(text, "E<> A.T and B.T", Verdict::Satisfied);
    compare(text, "E<> A.T and B.S", Verdict::NotSatisfied);
}

#[test]
fn partners_that_come_later() {
    // B can only be met once D has let it go; A has another step meanwhile.
    let text = "chan meet, let; int[0,2] n;
        process A() { state S, T, U; urgent S; init S; trans S -> T { sync meet!; }, S -> U { }; }
        process B() { state R, S, T; init R; trans R -> S { sync let?; }, S -> T { sync meet?; }; }
        process D() { state S, T; urgent S; init S; trans S -> T { sync let!; }; }
        process E() { state S, T; urgent S; init S; trans S -> T { assign n = 1; }; }
        system A, B, D, E;";
    compare(text, "E<> A.T and B.T", Verdict::Satisfied);
    compare(text, "E<> A.U and B.R and E.T", Verdict::Satisfied);
    compare(text, "E<> A.U and B.T", Verdict::NotSatisfied);
    // Broadcasts: who hears it depends on who was faster.
    let text = text.replace("chan meet", "broadcast chan meet");
    compare(&text, "E<> A.T and B.T", Verdict::Satisfied);
    compare(&text, "E<> A.T and B.R and D.T", Verdict::NotSatisfied);
    compare(&text, "E<> A.T and B.S", Verdict::Satisfied);
}

#[test]
fn steps_that_make_somebody_listen() {
    // The broadcast goes first, or it is heard.
    let text = "bool f; broadcast chan b;
        process S() { state W, D; urgent W; init W; trans W -> D { sync b!; }; }
        process R() { state I, J; init I; trans I -> J { guard f; sync b?; }; }
        process T() { state W, D; urgent W; init W; trans W -> D { assign f = true; }; }
        s = S(); r = R(); t = T(); system s, r, t;";
    compare(text, "E<> s.D and r.I and t.D", Verdict::Satisfied);
    compare(text, "E<> s.D and r.J and t.D", Verdict::Satisfied);
    let text = "clock y; urgent broadcast chan b;
        process P() { state L0, L1, L2; urgent L0; init L0; trans L0 -> L1 { }, L1 -> L2 { sync b?; }; }
        process Q() { state L0, L1; init L0; trans L0 -> L1 { sync b!; }; }
        p = P(); q = Q(); system p, q;";
    compare(text, "E<> p.L1 and y == 2", Verdict::Satisfied);
    let text = text.replace("urgent broadcast", "broadcast").replace("urgent L0", "commit L0");
    let text = text.replace("state L0, L1; init", "state L0, L1; commit L0; init");
    compare(&text, "E<> p.L1 and q.L1", Verdict::Satisfied);
}

#[test]
fn a_deadlock_behind_one_order() {
    // Whoever takes the lock last keeps it; B never gives it back.
    let text = "int[0,2] owner; clock x;
        process A() { state S, T, U; urgent S; init S; trans S -> T { assign owner = 1; }, T -> U { guard owner == 1; }, U -> T { }; }
        process B() { state S, T; urgent S; init S; trans S -> T { assign owner = 2; }; }
        process C() { int[0,3] k; state S, T; urgent S; init S; trans S -> T { assign k = 1; }; }
        system A, B, C;";
    compare(text, "E<> deadlock", Verdict::Satisfied);
    compare(text, "E<> deadlock and owner == 1", Verdict::NotSatisfied);
}

#[test]
fn a_deadlock_in_a_committed_location() {
    // While B is in its urgent location, A may enter the committed one, where it waits for B for ever: B could move before, and cannot now.
    let text = "chan c;
        process A() { state S, T, C; commit C; init S; trans S -> T { }, T -> C { }, C -> T { sync c!; }; }
        process B() { state S, U; urgent U; init S; trans U -> S { }, S -> U { sync c?; }; }
        process D() { state S, U; urgent U; init S; trans U -> S { }, S -> U { }; }
        system A, B, D;";
    compare(text, "E<> deadlock and B.U", Verdict::Satisfied);
    compare(text, "A[] not deadlock", Verdict::NotSatisfied);
}

#[test]
fn a_clock_that_another_sets_back() {
    // Time stands still because of x, unless B sets it back; then C has all the time it needs.
    let text = "clock x, y;
        process A() { state S { x <= 3 }, T; init S; trans S -> T { guard x >= 3; }; }
        process B() { state S, T; init S; trans S -> T { guard x >= 3; assign x = 0; }; }
        process C() { state S, T; init S; trans S -> T { guard y >= 5; }; }
        system A, B, C;";
    compare(text, "E<> A.S and C.T", Verdict::Satisfied);
    compare(text, "E<> A.S and y > 6", Verdict::NotSatisfied);
}

/// Steps that have nothing to do with time are independent of delays as well.
#[test]
fn steps_without_clocks() {
    let text = "clock x; bool done[3]; chan go;
        process A() { state S, T, U; init S; trans S -> T { assign done[0] = true; }, T -> U { assign done[0] = false; }; }
        process B() { state S, T, U; init S; trans S -> T { assign done[1] = true; }, T -> U { guard done[1]; }; }
        process C() { state S { x <= 5 }, T, U; init S; trans S -> T { guard x >= 3; assign x = 0, done[2] = true; }, T -> U { guard x > 1; }; }
        system A, B, C;";
    assert!(compare(text, "E<> A.U and B.U and C.U", Verdict::Satisfied) > 0);
    compare(text, "E<> C.U and x < 1", Verdict::NotSatisfied);
    assert!(compare(text, "A[] not (A.U and done[0])", Verdict::Satisfied) > 0);
    compare(text, "E<> A.T and B.T and C.T and x == 0", Verdict::Satisfied);
    compare(text, "E<> A.S and B.U and C.U and x >= 7", Verdict::Satisfied);
    compare(text, "E<> A.T and x > 5 and C.S", Verdict::NotSatisfied);
    compare(text, "E<> deadlock and A.U and B.U and C.U", Verdict::Satisfied);
    compare(text, "E<> deadlock and A.T", Verdict::NotSatisfied);
    // What sets a clock, or waits for one, does depend on delays.
    let text = "clock x, y; process A() { state S, T; init S; trans S -> T { assign x = 0; }; }
        process B() { state S, T; init S; trans S -> T { guard y >= 4; }; }
        process C() { state S, T { y <= 3 }; init S; trans S -> T { }; }
        system A, B, C;";
    compare(text, "E<> A.T and B.T and x == 0 and y == 4", Verdict::Satisfied);
    compare(text, "E<> A.T and B.T and x == 4 and y == 4", Verdict::Satisfied);
    compare(text, "E<> B.T and C.T", Verdict::NotSatisfied);
    compare(text, "E<> B.T and C.S and A.S", Verdict::Satisfied);
}

/// Who listens to a broadcast changes what the sender does.
#[test]
fn broadcasts() {
    let with = |listener: &str| {
        format!(
            "broadcast chan all; bool on; int[0,3] heard;
             process Sender() {{ state S, T; init S; trans S -> T {{ sync all!; }}; }}
             process Listener() {{ state S, L, H; init S; trans {listener}; }}
             process Switch() {{ state S, T; init S; trans S -> T {{ assign on = true; }}; }}
             process Other() {{ state S, T, U; init S; trans S -> T {{ }}, T -> U {{ }}; }}
             system Sender, Listener, Switch, Other;"
        )
    };
    // It comes to listen, or not in time.
    let text = with("S -> L { }, L -> H { sync all?; }");
    for query in ["E<> Listener.H", "E<> Sender.T and Listener.L", "E<> Sender.T and Listener.S and Other.U"]
    {
        compare(&text, query, Verdict::Satisfied);
    }
    compare(&text, "E<> Listener.H and Sender.S", Verdict::NotSatisfied);
    // Somebody else makes it listen.
    let text = with("S -> H { guard on; sync all?; assign heard = 1; }");
    for query in ["E<> Listener.H", "E<> Sender.T and Switch.T and Listener.S", "E<> heard == 1 and Other.S"]
    {
        compare(&text, query, Verdict::Satisfied);
    }
    compare(&text, "E<> Listener.H and Switch.S", Verdict::NotSatisfied);
    assert!(compare(&text, "E<> heard == 2", Verdict::NotSatisfied) > 0);
}

/// A search that stops looking for independent steps still finds its way back through states where it found some.
#[test]
fn a_search_that_changes_its_mind() {
    let text = "int[0,19] n[3]; int[0,60] sum; bool ready[2];
        process Count(const int[0,2] i) { state S; init S; trans S -> S { guard n[i] < 19 && sum < 60; assign n[i] = n[i] + 1, sum = sum + 1; }; }
        process First() { state S, T, U; init S; trans S -> T { assign ready[0] = true; }, T -> U { assign ready[1] = true; }; }
        system Count, First;";
    let answer = ask(text, "E<> n[0] == 19 and n[1] == 19 and n[2] == 19", WITH);
    assert_eq!(answer.verdict(), Verdict::Satisfied);
    assert!(answer.statistics.explored > 4096, "{:?}", answer.statistics);
    assert!(answer.internal.is_none());
    assert!(steps(&answer).is_some_and(|steps| steps >= 57), "{answer:?}");
}
