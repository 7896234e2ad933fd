//! Processes that cannot influence a question are left out, and nobody else is.
//!
//! Each test of somebody who must not be left out has a model in which leaving it out would change the answer.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Reductions};
use guidepost_search::{Order, Strategy};

fn answer(text: &str, query: &str, settings: &Settings) -> Answer {
    let mut session = Session::parse("bystanders.xta", text).unwrap_or_else(|error| panic!("{error}"));
    session.ask(query, settings).unwrap_or_else(|error| panic!("{error}"))
}

fn ask(text: &str, query: &str, reductions: Reductions) -> Answer {
    let strategy = Some(Strategy::Blind(Order::BreadthFirst));
    answer(text, query, &Settings { run: RunKind::Shortest, reductions, strategy, ..Settings::default() })
}

/// The answer with slicing alone, which is that without any reduction, in verdict and length.
fn sliced(text: &str, query: &str) -> Answer {
    let sliced = ask(text, query, Reductions { slicing: true, ..Reductions::NONE });
    let whole = ask(text, query, Reductions::NONE);
    let length = |answer: &Answer| answer.evidence.as_ref().map(guidepost::Evidence::length);
    assert_eq!((sliced.verdict(), length(&sliced)), (whole.verdict(), length(&whole)), "{query}\n{text}");
    assert!(sliced.internal.is_none(), "{:?} {query}\n{text}", sliced.internal);
    assert_eq!(whole.statistics.bystanders, 0);
    sliced
}

fn left_out(text: &str, query: &str) -> u64 {
    sliced(text, query).statistics.bystanders
}

/// A walker who needs three time units, and somebody else.
fn beside(declarations: &str, other: &str) -> String {
    format!(
        "{declarations}
         process Walker() {{ clock x; state A {{ x <= 3 }}, B, C; init A; trans A -> B {{ guard x >= 3; assign x = 0; }}, B -> C {{ guard x >= 2; }}; }}
         {other}
         system Walker, Other;"
    )
}

#[test]
fn who_does_something_else_is_left_out() {
    let text = beside(
        "int[0,5] n;",
        "process Other() { clock y; state S, T { y <= 1 }, U; urgent U; init S;
           trans S -> T { assign y = 0, n = 3; }, T -> U { guard y >= 1; }, U -> S { guard n > 2; assign n = 0; }; }",
    );
    let query = "E<> Walker.C and Walker.x < 2";
    let whole = ask(&text, query, Reductions::NONE);
    let sliced = sliced(&text, query);
    assert_eq!((sliced.verdict(), sliced.statistics.bystanders), (Verdict::NotSatisfied, 1));
    // A, B and C; and n, which only the other looks at.
    assert_eq!((sliced.statistics.discrete, sliced.statistics.left_out), (3, 1));
    assert!(whole.statistics.stored > 3 * sliced.statistics.stored, "{:?}", whole.statistics);
    let notes = sliced.remarks.notes;
    assert_eq!(notes, ["left out, since nothing they do can influence the question: Other"]);
}

#[test]
fn the_question_counts() {
    let other =
        "process Other() { clock y; state S, T; init S; trans S -> T { guard y >= 4; assign n = 3; }; }";
    let text = beside("int[0,5] n;", other);
    for (query, expected) in [
        ("E<> Walker.C", 1),
        ("E<> Walker.C and Other.T", 0),
        ("E<> Walker.C and n == 3", 0),
        ("E<> Walker.C and Other.y > 4", 1),
        ("E<> false", 0),
        ("E<> Walker.C and deadlock", 0),
        ("A[] not Walker.C", 1),
    ] {
        assert_eq!(left_out(&text, query), expected, "{query}");
    }
    // The walker has an invariant, so it is kept although nobody asks.
    assert_eq!(left_out(&text, "E<> Other.T"), 0);
}

#[test]
fn directed_searches_and_the_default_leave_out_the_same() {
    let other = "process Other() { int[0,2] k; state S, T; init S; trans S -> T { assign k = 1; }, T -> S { assign k = 2; }; }";
    let text = beside("", other);
    let settings = Settings { run: RunKind::Any, ..Settings::default() };
    let found = answer(&text, "E<> Walker.C", &settings);
    assert_eq!((found.verdict(), found.statistics.bystanders), (Verdict::Satisfied, 1));
    assert_eq!(found.evidence.expect("a run").steps.last().expect("steps").after.locations.len(), 2);
}

#[test]
fn several_who_only_talk_to_each_other_are_left_out_together() {
    let text = "chan ping, pong; int[0,3] ball; bool done;
        process Player() { state Here, There; init Here; trans Here -> There { sync ping!; assign ball = 1; }, There -> Here { sync pong?; }; }
        process Partner() { state Waits, Has; init Waits; trans Waits -> Has { sync ping?; }, Has -> Waits { guard ball == 1; sync pong!; }; }
        process P() { state A, B; init A; trans A -> B { assign done = true; }; }
        system P, Player, Partner;";
    assert_eq!(left_out(text, "E<> P.B"), 2);
    assert_eq!(left_out(text, "E<> ball == 1"), 1);
    assert_eq!(left_out(text, "E<> Partner.Has"), 1);
}

#[test]
fn who_writes_what_matters_is_kept() {
    // By way of another, which nobody asks about.
    let text = "int[0,3] a, b, c;
        process First() { state S, T; init S; trans S -> T { assign a = 1; }; }
        process Second() { state S, T; init S; trans S -> T { guard a == 1; assign b = a; }; }
        process Third() { state S, T; init S; trans S -> T { assign c = b; }; }
        system First, Second, Third;";
    assert_eq!(left_out(text, "E<> c == 1"), 0);
    assert_eq!(left_out(text, "E<> b == 1"), 1);
    assert_eq!(left_out(text, "E<> a == 1"), 2);
}

#[test]
fn who_sets_a_clock_that_matters_is_kept() {
    let text = "clock x; process P() { state A, B; init A; trans A -> B { guard x < 1 && y > 4; }; }
        process Q() { state S; init S; trans S -> S { assign x = 0; }; }
        system P, Q;"
        .replace("clock x;", "clock x, y;");
    assert_eq!(left_out(&text, "E<> P.B"), 0);
    let copies = text.replace("y > 4", "z < 1 && y > 4").replace("y;", "y, z;");
    let copies = copies
        .replace("state A, B;", "state A, B, C;")
        .replace("trans A", "trans C -> C { assign z = x; }, A");
    assert_eq!(left_out(&copies, "E<> P.B"), 0);
}

/// Nobody can do without its partner.
#[test]
fn partners_are_kept() {
    let text = "CHAN c; process P() { state A, B; init A; trans A -> B { sync c!; }; }
        process Q() { state S, T; init S; trans S -> T { sync c?; }; }
        system P, Q;";
    for (channel, query, kept) in [
        ("chan", "E<> P.B", true),
        ("chan", "E<> Q.T", true),
        ("broadcast chan", "E<> Q.T", true),
        // A receiver of a broadcast holds up nobody.
        ("broadcast chan", "E<> P.B", false),
        ("urgent chan", "E<> P.B", true),
        ("urgent broadcast chan", "E<> P.B", false),
    ] {
        let text = text.replace("CHAN", channel);
        assert_eq!(left_out(&text, query), u64::from(!kept), "{channel} {query}");
    }
    // A partner that is never there: the sender waits for ever, whoever looks.
    let text = text.replace("CHAN", "chan").replace("S -> T", "T -> T");
    assert_eq!(sliced(&text, "E<> P.B").verdict(), Verdict::NotSatisfied);
}

/// Receivers move although nobody asks about them, and runs show it.
#[test]
fn bystanders_receive_what_they_have_to_receive() {
    let text = "broadcast chan c; int[0,9] heard; clock x;
        process P() { int[0,3] n; state A, B; init A; trans A -> A { guard x >= 2 && n < 3; sync c!; assign x = 0, n = n < 3 ? n + 1 : n; }, A -> B { guard n == 3; }; }
        process Log() { state S, T; init S; trans S -> T { sync c?; assign heard = 1; }, T -> S { sync c?; assign heard = 2; }, S -> S { guard x > 2; sync c?; assign heard = 3; }; }
        system P, Log;"
        .replace("n < 3 ? n + 1 : n", "n == 0 ? 1 : n == 1 ? 2 : 3");
    let answer = sliced(&text, "E<> P.B");
    assert_eq!((answer.verdict(), answer.statistics.bystanders), (Verdict::Satisfied, 1));
    let run = answer.evidence.expect("a run");
    let heard: Vec<i32> = run.steps.iter().map(|step| step.after.variables[0]).collect();
    assert_eq!(heard, [1, 2, 1, 1]);
    let moved: Vec<usize> =
        run.steps.iter().filter_map(|step| Some(step.transition.as_ref()?.edges.len())).collect();
    assert_eq!(moved, [2, 2, 2, 1]);
}

/// Where a broadcast leads to a location with an invariant, time may stop, or the broadcast may be impossible.
#[test]
fn who_is_called_where_it_cannot_stay_is_kept() {
    let text = "broadcast chan c; clock x; process P() { state A, B, C; init A; trans A -> B { guard x == 2; sync c!; }, B -> C { guard x >= 5; }; }
        process Q() { clock y; state S, T INVARIANT; KIND init S; trans S -> T { sync c?; assign y = 0; }; }
        system P, Q;";
    for (invariant, kind, kept) in [
        ("", "", false),
        ("{ y <= 1 }", "", true),
        ("{ x <= 1 }", "", true),
        ("", "urgent T;", true),
        ("", "commit T;", true),
    ] {
        let text = text.replace("INVARIANT", invariant).replace("KIND", kind);
        let answer = sliced(&text, "E<> P.C");
        assert_eq!(answer.statistics.bystanders, u64::from(!kept), "{invariant}{kind}");
        assert_eq!(answer.verdict() == Verdict::Satisfied, !kept, "{invariant}{kind}");
    }
}

/// While somebody is in a committed location, others move only together with somebody who leaves one: such as a receiver.
#[test]
fn who_leaves_a_committed_location_with_others_is_kept() {
    let text = "broadcast chan c; chan d; clock x;
        process P() { state A, B; init A; trans A -> B { sync c!; }; }
        process K() { state A, B, C; commit B; init A; trans A -> B { sync d!; }, B -> C { guard x > 9; }; }
        process Q() { state S, T, U; commit T; init S; trans S -> T { sync d?; }, T -> U { sync c?; }; }
        system P, K, Q;";
    assert_eq!(left_out(text, "E<> P.B and K.B"), 0);
    // Alone, Q is called nowhere but in a committed location, which it need not enter.
    let alone = text.replace("sync d!;", "").replace("sync d?;", "");
    let answer = sliced(&alone, "E<> P.B and K.B");
    assert_eq!((answer.verdict(), answer.statistics.bystanders), (Verdict::Satisfied, 0));
}

/// Who stops time where it begins, for a while or for ever.
#[test]
fn who_cannot_stay_where_it_begins_is_kept() {
    for (state, kind, kept) in [
        ("S", "", false),
        ("S { y <= 2 }", "", true),
        ("S", "urgent S;", true),
        ("S", "commit S;", true),
        // Elsewhere it may do as it likes: it need not go there.
        ("S, T { y <= 2 }", "urgent T;", false),
        ("S, T", "commit T;", false),
    ] {
        let other = format!(
            "process Other() {{ clock y; state {state}, V; {kind} init S; trans S -> V {{ guard y > 7; }}; }}"
        );
        let text = beside("", &other);
        let answer = sliced(&text, "E<> Walker.C");
        assert_eq!(answer.statistics.bystanders, u64::from(!kept), "{state} {kind}");
        assert_eq!(answer.verdict() == Verdict::Satisfied, !kept, "{state} {kind}");
    }
    let data = "process Other() { state S { n == 0 }; init S; }";
    let text = beside("int[0,1] n;", data).replace("assign x = 0;", "assign x = 0, n = 1;");
    let answer = sliced(&text, "E<> Walker.C");
    assert_eq!((answer.verdict(), answer.statistics.bystanders), (Verdict::NotSatisfied, 0));
}

/// Something urgent among others stops time for all.
#[test]
fn who_has_something_urgent_to_do_is_kept() {
    let other = "process Other() { state S; init S; trans S -> S { sync hurry!; }; }
        process Third() { state S; init S; trans S -> S { sync hurry?; }; }";
    let text = beside("urgent chan hurry;", other).replace("Walker, Other", "Walker, Other, Third");
    let answer = sliced(&text, "E<> Walker.C");
    assert_eq!((answer.verdict(), answer.statistics.bystanders), (Verdict::NotSatisfied, 0));
    // Without a partner, it never happens.
    let alone = text.replace("sync hurry?;", "");
    assert_eq!(left_out(&alone, "E<> Walker.C"), 2);
    let broadcast = alone.replace("urgent chan", "urgent broadcast chan");
    let answer = sliced(&broadcast, "E<> Walker.C");
    assert_eq!((answer.verdict(), answer.statistics.bystanders), (Verdict::NotSatisfied, 1));
}

/// A transition of higher priority goes first, whoever takes it.
#[test]
fn priorities_keep_everybody() {
    let text = "process P() { state A, B; init A; trans A -> B { }; } process Q() { state S; init S; trans S -> S { }; } system P < Q;";
    assert_eq!((left_out(text, "E<> P.B"), sliced(text, "E<> P.B").verdict()), (0, Verdict::NotSatisfied));
    let equal = text.replace('<', ",");
    assert_eq!((left_out(&equal, "E<> P.B"), sliced(&equal, "E<> P.B").verdict()), (1, Verdict::Satisfied));
}

/// What runs around every transition runs with those of bystanders.
#[test]
fn updates_around_transitions_keep_everybody() {
    let text = "int[0,3] n; void count() { n = n == 3 ? 3 : n == 2 ? 3 : n == 1 ? 2 : 1; }
        process P() { state A, B; init A; trans A -> B { guard n == 2; }; } process Q() { state S; init S; trans S -> S { }; }
        system P, Q;";
    assert_eq!(left_out(text, "E<> P.B"), 1);
    let hooked = text.replace("process P", "before_update { count() } process P");
    assert_eq!((left_out(&hooked, "E<> P.B"), sliced(&hooked, "E<> P.B").verdict()), (0, Verdict::Satisfied));
}

/// Errors of the model are reported, wherever they are.
#[test]
fn who_may_fail_is_kept() {
    for other in [
        "process Other() { int[0,2] n; state S; init S; trans S -> S { assign n++; }; }",
        "process Other() { int[0,2] n; bool a[2]; state S, T; init S; trans S -> S { assign n = 2; }, S -> T { guard a[n]; }; }",
        "process Other() { clock y; int[-1,2] n; state S; init S; trans S -> S { assign n = -1; }, S -> S { assign y = n; }; }",
        "process Other() { clock y, z; state S; init S; trans S -> S { assign y = z - 3; }; }",
        "process Other() { int[-2147483648,2147483647] n; state S, T; init S; trans S -> T { assign n = 2147483647; }, T -> S { assign n = n + 1; }; }",
    ] {
        let text = beside("", other);
        for reductions in [Reductions { slicing: true, ..Reductions::NONE }, Reductions::NONE] {
            let answer = ask(&text, "E<> Walker.C and Walker.x < 1", reductions);
            assert_eq!(answer.statistics.bystanders, 0, "{other}");
            let wraps = other.contains("2147483647");
            assert_eq!(answer.model_error().is_some(), !wraps, "{other} {reductions:?}");
        }
    }
}

/// An error of somebody who matters is shown with a run of the whole network.
#[test]
fn errors_are_told_in_terms_of_the_whole_network() {
    let text = "broadcast chan c;
        process Log() { int[0,1] heard; state S, T; init S; trans S -> T { sync c?; assign heard = 1; }; }
        process P() { int[0,2] n; state A, B; init A; trans A -> A { sync c!; assign n++; }; }
        system Log, P;";
    let settings = |reductions| Settings {
        run: RunKind::Shortest,
        reductions,
        strategy: Some(Strategy::Blind(Order::BreadthFirst)),
        ..Settings::default()
    };
    let sliced = answer(text, "E<> P.B", &settings(Reductions::default()));
    let whole = answer(text, "E<> P.B", &settings(Reductions::NONE));
    assert_eq!(sliced.statistics.bystanders, 1);
    let (sliced, whole) = (sliced.model_error().expect("an error"), whole.model_error().expect("an error"));
    assert_eq!((&sliced.edges, &sliced.error), (&whole.edges, &whole.error));
    let steps = |error: &guidepost_answer::ModelError| error.evidence.clone().expect("a run").steps;
    assert_eq!(steps(sliced), steps(whole));
}

/// Who can be exchanged for each other is left out, or kept, together; and exchanged as before.
#[test]
fn symmetry_and_bystanders() {
    let text = "typedef int[1,4] id_t; int[0,4] id; bool seen;
        process P(const id_t pid) { clock x; state Idle, Asks { x <= 2 }, Waits, In; init Idle;
          trans Idle -> Asks { guard id == 0; assign x = 0; }, Asks -> Waits { guard x <= 2; assign x = 0, id = pid; }, Waits -> Asks { guard id == 0; assign x = 0; },
                Waits -> In { guard x > 2 && id == pid; }, In -> Idle { assign id = 0; }; }
        process Log(const id_t pid) { clock y; state Off, On; init Off; trans Off -> On { guard id == pid; assign y = 0; }, On -> Off { guard y >= 1; }; }
        system P, Log;";
    let query = "E<> P(1).In and P(2).In";
    let both = ask(text, query, Reductions::default());
    let alone = ask(text, query, Reductions { symmetry: true, ..Reductions::NONE });
    assert_eq!((both.verdict(), alone.verdict()), (Verdict::NotSatisfied, Verdict::NotSatisfied));
    assert_eq!(both.statistics.bystanders, 4);
    let (few, many) = (both.statistics, alone.statistics);
    assert!(few.renamed > 0 && few.explored * 4 < many.explored, "{few:?} {many:?}");
    // Independent ones: some are asked about, so the others are told apart from them.
    let text = "process P(const int[1,4] pid) { clock x; state A, B, C; init A; trans A -> B { guard x > 1; assign x = 0; }, B -> C { guard x > 1; }; } system P;";
    for (query, expected) in
        [("E<> P(1).C", 3), ("E<> P(1).C and P(3).B", 2), ("E<> exists (i : int[1,4]) P(i).C", 0)]
    {
        let answer = ask(text, query, Reductions::default());
        assert_eq!(
            (answer.verdict(), answer.statistics.bystanders),
            (Verdict::Satisfied, expected),
            "{query}"
        );
        assert!(answer.internal.is_none());
    }
}

/// Whoever takes part in a vector is needed, and a weak participant whose guard does not hold is in the way.
#[test]
fn participants_of_vectors_are_kept() {
    let text = "system:s\nevent:a\nevent:b\nevent:c\nclock:1:x\n\
        process:P\nlocation:P:l{initial:}\nlocation:P:m{}\nedge:P:l:m:a{}\n\
        process:Q\nlocation:Q:l{initial:}\nlocation:Q:m{}\nedge:Q:l:m:b{GUARD}\n\
        process:R\nlocation:R:l{initial:}\nlocation:R:m{}\nedge:R:l:m:c{}\nedge:R:m:l:c{}\nSYNC\n";
    for (sync, guard, expected) in [
        ("sync:P@a:Q@b", "", Verdict::Satisfied),
        ("sync:P@a:Q@b", "provided: x<0", Verdict::NotSatisfied),
        ("sync:P@a:Q@b?", "provided: x<0", Verdict::NotSatisfied),
    ] {
        let text = text.replace("SYNC", sync).replace("GUARD", guard);
        let mut session = Session::parse("vectors.tck", &text).unwrap_or_else(|error| panic!("{error}"));
        let answer = session.ask("E<> P.m", &Settings::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((answer.verdict(), answer.statistics.bystanders), (expected, 1), "{sync} {guard}");
    }
}

/// Thirty bystanders have a choice each time: nobody tries out all combinations.
#[test]
fn choices_of_bystanders_are_not_multiplied() {
    let text = "broadcast chan go; process P() { state A, B, C; init A; trans A -> B { sync go!; }, B -> C { sync go!; }; }
        process R(const int[1,30] id) { state A, B, C; init A; trans A -> B { sync go?; }, A -> C { sync go?; }, B -> A { sync go?; }; }
        system P, R;";
    for run in [RunKind::Any, RunKind::Shortest] {
        let answer = answer(text, "E<> P.C", &Settings { run, ..Settings::default() });
        assert_eq!((answer.verdict(), answer.statistics.bystanders), (Verdict::Satisfied, 30));
        let run = answer.evidence.expect("a run");
        assert_eq!(run.steps[1].transition.as_ref().map(|transition| transition.edges.len()), Some(31));
    }
}
