//! Deadlocks that a stored zone merely stands for.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_search::{Order, Strategy};

/// `L` is entered with x = 2 and with x = 6, and nobody asks there whether x is large, so that the first stands for the second. Both have deadlocks (x > 5), but only the second
/// has one while y < 3.
const MODEL: &str = "
    clock x, y;
    process P() {
        state A, L { y <= 4 }; init A;
        trans A -> L { guard x == 2; assign y = 0; }, A -> L { guard x == 6; assign y = 0; }, L -> L { guard x <= 5; };
    }
    system P;";

#[test]
fn a_deadlock_with_clocks_shows_although_another_one_is_stored() {
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        for (query, expected) in [
            ("E<> deadlock and y < 3 and P.L", Verdict::Satisfied),
            ("E<> deadlock and y > 3 and x < 6 and P.L", Verdict::Satisfied),
            ("E<> deadlock and y < 3 and x < 6 and P.L", Verdict::NotSatisfied),
        ] {
            let mut session = Session::parse("m.xta", MODEL).unwrap_or_else(|error| panic!("{error}"));
            let strategy = Some(Strategy::Blind(order));
            let settings = Settings { run: RunKind::Any, strategy, ..Settings::default() };
            let answer = session.ask(query, &settings).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(answer.verdict(), expected, "{query} by {order:?}");
            assert_eq!(answer.evidence.is_some(), expected == Verdict::Satisfied, "{query}");
        }
    }
}

/// Whether a model is free of deadlocks, by every blind search; `guidepost states` must say the same.
fn is_free(text: &str) -> bool {
    let mut session = Session::parse("m.xta", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let verdicts = [Order::BreadthFirst, Order::DepthFirst].map(|order| {
        let strategy = Some(Strategy::Blind(order));
        let settings = Settings { run: RunKind::Any, strategy, ..Settings::default() };
        session.ask("A[] not deadlock", &settings).unwrap_or_else(|error| panic!("{error}")).verdict()
    });
    assert_eq!(verdicts[0], verdicts[1], "{text}");
    let space = session.survey(&Settings::default(), &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let halts = space.halts.expect("no clocks are stopped");
    assert!(halts.outcome.is_decided());
    let is_free = halts.deadlock.is_none() && halts.timelock.is_none();
    assert_eq!(verdicts[0] == Verdict::Satisfied, is_free, "{text}");
    is_free
}

/// A process with clocks x and y that goes round, with an invariant, a guard and other declarations.
fn round(invariant: &str, guard: &str, declarations: &str) -> String {
    format!(
        "clock x, y; {declarations} process P() {{ state L {{ {invariant} }}; init L; trans L -> L {{ guard {guard}; assign x = 0, y = 0; }}; }} system P;"
    )
}

#[test]
fn the_last_moment_of_a_bound() {
    for (invariant, guard, expected) in [
        ("x <= 5", "x >= 5", true),
        ("x <= 5", "x > 5", false),
        ("x <= 5", "x == 5", true),
        ("x <= 5", "x < 5", false),
        // There is no last moment, but there are moments that are late enough.
        ("x < 5", "x > 4", true),
        ("x < 5", "x >= 4", true),
        ("x < 5", "x >= 5", false),
        ("x < 5 && y <= 5", "x > 4", true),
        ("x <= 5 && y < 5", "x >= 5", false),
        // The stronger of two bounds counts.
        ("x <= 5 && x <= 3", "x >= 4", false),
        ("x <= 5 && x < 5", "x >= 5", false),
        ("x <= 5 && x < 5", "x > 4", true),
        // Nothing bounds time.
        ("true", "x >= 7", true),
        ("true", "x >= 7 && y > 9", true),
        ("y >= 0", "x >= 7", true),
        // Constants near the limit.
        ("x <= 100000000", "x >= 100000000", true),
        ("x < 100000000", "x >= 100000000", false),
    ] {
        assert_eq!(is_free(&round(invariant, guard, "")), expected, "{invariant}; {guard}");
    }
    // A moment that lets somebody else move first.
    assert!(!is_free(&round("true", "x <= 3", "")));
}

#[test]
fn bounds_that_are_computed() {
    for (bound, expected) in [(4, true), (5, true), (6, false)] {
        let text = round("x <= limit", &format!("x >= {bound}"), "int[0,9] limit = 5;");
        assert_eq!(is_free(&text), expected, "{bound}");
    }
}

/// Both clocks have a bound, and a way on at the end of only one of them: y is ahead of x by a time that depends on the way.
#[test]
fn the_other_clock_may_be_first() {
    let text = |from: i32, to: i32| {
        format!(
            "clock x, y; process P() {{ state A {{ y <= {to} }}, L {{ x <= 5 && y <= 9 }}; init A; trans A -> L {{ guard y >= {from}; assign x = 0; }}, L -> A {{ guard x >= 5; assign x = 0, y = 0; }}; }} system P;"
        )
    };
    assert!(!is_free(&text(4, 5)), "y may be at its bound first");
    assert!(is_free(&text(2, 4)), "x is first");
    // The invariant of the target is met at the last moment or not.
    let into = |bound: i32| {
        format!(
            "clock x, y; process P() {{ state L {{ x <= 5 }}, M {{ y <= {bound} }}; init L; trans L -> M {{ guard x >= 5; }}, M -> L {{ assign x = 0, y = 0; }}; }} system P;"
        )
    };
    assert!(is_free(&into(5)) && !is_free(&into(4)));
}

#[test]
fn where_time_stands_still() {
    for kind in ["urgent", "commit"] {
        for (guard, expected) in [("x >= 3", true), ("x > 3", false), ("x <= 3", true)] {
            let text = format!(
                "clock x; process P() {{ state A {{ x <= 3 }}, B; {kind} B; init A; trans A -> B {{ guard x >= 3; }}, B -> A {{ guard {guard}; assign x = 0; }}; }} system P;"
            );
            assert_eq!(is_free(&text), expected, "{kind}, {guard}");
        }
    }
    // An urgent channel stops time as soon as both sides are there.
    for (partner, expected) in [("true", true), ("x >= 2", false)] {
        let text = format!(
            "clock x; urgent chan go; process P() {{ state A, B; init A; trans A -> B {{ sync go!; }}, B -> B {{ guard {partner}; assign x = 0; }}; }}
             process Q() {{ state C, D {{ x <= 0 }}; init C; trans C -> D {{ sync go?; assign x = 0; }}; }} system P, Q;"
        );
        assert_eq!(is_free(&text), expected, "{partner}");
    }
}

/// Who receives a broadcast depends on clocks, and so does whether the receiver's target can be entered.
#[test]
fn broadcasts_at_the_last_moment() {
    let text = |hears: &str, invariant: &str| {
        format!(
            "clock x, y; broadcast chan b; process S() {{ state A {{ x <= 5 }}; init A; trans A -> A {{ guard x >= 5; sync b!; assign x = 0; }}; }}
             process R() {{ state C, D {{ {invariant} }}; init C; trans C -> D {{ guard {hears}; sync b?; }}, D -> C {{ assign y = 0; }}; }} system S, R;"
        )
    };
    assert!(is_free(&text("y >= 0", "y <= 5")));
    assert!(is_free(&text("y > 5", "y <= 10")), "it is deaf at first");
    assert!(!is_free(&text("y > 5", "y <= 9")), "and later it must hear and cannot");
    assert!(!is_free(&text("y >= 5", "y <= 4")), "it must hear and cannot");
    assert!(is_free(&text("y < 5", "y <= 4")), "it never hears");
}

#[test]
fn diagonals_and_priorities() {
    for (guard, expected) in [("x - y <= 0", true), ("x - y < 0", false), ("x - y >= 0 && x >= 2", true)] {
        assert_eq!(is_free(&round("x <= 5", guard, "")), expected, "{guard}");
    }
    let text = |limit: i32| {
        format!(
            "clock x; chan a, b; chan priority a < b; process P() {{ state A {{ x <= 5 }}, B {{ x <= {limit} }}; init A; trans A -> A {{ guard x >= 5; sync a!; assign x = 0; }}, A -> B {{ guard x >= 5; sync b!; }}, B -> A {{ assign x = 0; }}; }}
             process Q() {{ state C; init C; trans C -> C {{ sync a?; }}, C -> C {{ sync b?; }}; }} system P, Q;"
        )
    };
    assert!(is_free(&text(5)) && is_free(&text(4)), "what cannot be entered takes nothing away");
}

/// What is done before every update can break an invariant of somebody else, and so keep back a transition that nothing else keeps back.
#[test]
fn hooks_keep_transitions_back() {
    for (hook, expected) in
        [("before_update { b = false }", false), ("after_update { b = false }", false), ("", true)]
    {
        let text = format!(
            "clock x; bool b = true; {hook} process P() {{ state A {{ x <= 1 && b }}, B; init A; trans A -> B {{ }}, B -> B {{ }}; }} Q = P(); R = P(); system Q, R;"
        );
        assert_eq!(is_free(&text), expected, "{hook}");
    }
}

/// Ten stations work for 3 time units each, one after the other. Whether they come back in time shows only in finer zones: a clock that is never asked whether it is large stands for any that is larger. The counter
/// makes for more states than a search with doubts has patience for.
#[test]
fn doubts_about_many_processes() {
    let ring = |bound: i32| {
        format!(
            "typedef int[0,9] id_t; int[0,9] turn; int[0,63] n; clock t, z; urgent chan go;
             process S(const id_t id) {{ clock x; state Idle, Works {{ t <= 3 }}, Late {{ x <= {bound} }}; urgent Late; init Idle;
               trans Idle -> Works {{ guard turn == id; sync go!; assign t = 0; }}, Works -> Late {{ guard t >= 3; }}, Late -> Idle {{ assign x = 0, turn = (turn + 1) % 10; }}; }}
             process Ring() {{ state R; init R; trans R -> R {{ sync go?; }}; }}
             process Counter() {{ state N; init N; trans N -> N {{ guard z >= 1 && n < 63; assign z = 0, n++; }}, N -> N {{ guard z >= 1 && n == 63; assign z = 0, n = 0; }}; }}
             system S, Ring, Counter;"
        )
    };
    assert!(is_free(&ring(30)));
    assert!(!is_free(&ring(29)));
}
