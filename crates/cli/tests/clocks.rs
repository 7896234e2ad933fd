//! `guidepost check` and clocks: those that stand still, those that are compared with each other, and the borders of numbers.

mod common;

use common::{Scratch, check, guidepost};

/// Where y stands still while x and z run, a zone forgets how much of the time has gone by.
const STOPWATCH: &str = "clock x, y, z;
process P() {
    state A { y' == 0 }, B, C, D;
    init A;
    trans A -> B { guard x >= 2; assign x = 0; }, B -> C { guard y >= 7 && x < 7; }, B -> D { guard y >= 3; };
}
system P;
";

const DIAGONAL: &str = "clock x, y;
process P() {
    state A, B, C;
    init A;
    trans A -> A { guard x >= 2; assign x = 0; }, A -> B { guard y - x > 3; }, A -> C { guard x - y > 0; };
}
system P;
";

#[test]
fn stopwatches_are_refused_by_name() {
    let scratch = Scratch::new();
    let model = scratch.file("stopwatch.xta", STOPWATCH);
    for args in [&["check", &model, "--query", "E<> P.C"][..], &["states", &model]] {
        let ran = guidepost(args).expect(2);
        for part in ["E085", "stop-watch", "stopwatch.xta:3:15", "--approximate"] {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    }
}

#[test]
fn approximate_answers_say_may() {
    let scratch = Scratch::new();
    let model = scratch.file("stopwatch.xta", STOPWATCH);
    let ran = check(&[&model, "--approximate", "--query", "E<> P.D"]).expect(3);
    assert!(ran.stdout.contains("Formula MAY be satisfied."), "{}", ran.stdout);
    let answer = check(&[&model, "--approximate", "--query", "E<> P.D", "--format", "json"]).expect(3).json();
    assert_eq!(
        (&answer["results"][0]["verdict"], &answer["results"][0]["approximate"]),
        (&"satisfied".into(), &true.into())
    );
    // A run that replays is proof.
    let ran = check(&[&model, "--approximate", "--query", "E<> P.B", "--trace", "some"]).expect(0);
    assert!(ran.stdout.contains("Formula is satisfied.") && ran.stdout.contains("A -> B"), "{}", ran.stdout);
    // What is unreachable even so is unreachable.
    check(&[&model, "--approximate", "--query", "E<> P.C"]).expect(1);
    // What cannot happen is more than an over-approximation knows.
    for query in [
        "A[] not deadlock",
        "E<> deadlock",
        "A<> P.D",
        "A<> P.B",
        "E[] P.A",
        "P.A --> P.D",
        "P.A --> P.B",
        "sup: x",
    ] {
        let ran = check(&[&model, "--approximate", "--trace", "some", "--query", query]).expect(3);
        assert!(ran.stdout.contains("MAY"), "{query}: {}", ran.stdout);
    }
}

#[test]
fn diagonal_constraints_are_answered_exactly() {
    let scratch = Scratch::new();
    let model = scratch.file("diagonal.xta", DIAGONAL);
    let queries = ["--query", "E<> P.B", "--query", "A[] not P.C", "--query", "A[] y - x <= 3 or P.A or P.B"];
    let ran = check(&[&[model.as_str(), "--trace", "shortest"], &queries[..]].concat()).expect(0);
    assert!(ran.stdout.contains("a shortest run of 2 transitions"), "{}", ran.stdout);
    let ran =
        check(&[&[model.as_str(), "--extrapolation", "lu", "--subsumption", "alu"], &queries[..]].concat())
            .expect(0);
    assert!(
        ran.stderr.contains("compares clocks with each other"),
        "the choice is overruled: {}",
        ran.stderr
    );
}

/// Whether a receiver stays out, or a stronger transition is possible, can follow from the side of a diagonal.
#[test]
fn runs_stay_on_the_side_of_a_diagonal() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "out.xta",
        "clock x, y; int[0,1] f = 1; broadcast chan h;
         process S() { state A; init A; trans A -> A { sync h!; assign y = 1, f = 0; }; }
         process R() { state A, B; init A;
             trans A -> B { guard f < 1; }, A -> A { guard x <= y; sync h?; assign f = 1; }; }
         system S, R;",
    );
    check(&[&model, "--query", "E<> R.B", "--trace", "some"]).expect(0);
    let model = scratch.file(
        "weak.xta",
        "clock x, y; chan h; chan priority default < h;
         process S() { state A, B; init A; trans A -> A { guard x <= y; sync h!; assign y = 1; }, A -> B { }; }
         process R() { state A; init A; trans A -> A { sync h?; }; }
         system S, R;",
    );
    check(&[&model, "--query", "E<> S.B", "--trace", "some"]).expect(0);
}

/// A bound that may have any of many values is not listed value by value.
#[test]
fn computed_diagonals_are_answered() {
    let scratch = Scratch::new();
    for range in ["int", "int[0,100000000]", "int[0,20]"] {
        let model = scratch.file(
            "computed.xta",
            format!(
                "clock x, y; {range} n = 3;
                 process P() {{ state A {{ x <= 5 }}, B, C; urgent B; init A;
                     trans A -> A {{ assign y = 0, n = 2; }}, A -> B {{ guard x - y >= n; }}, B -> C {{ guard x - y > n + 3; }}; }}
                 system P;"
            ),
        );
        let queries = ["--query", "E<> P.B", "--query", "A[] not P.C", "--query", "A[] not (P.B and x < 2)"];
        let ran = check(&[&[model.as_str(), "--trace", "some"], &queries[..]].concat()).expect(0);
        assert!(ran.stdout.contains("3 satisfied"), "{range}: {}", ran.stdout);
    }
}

#[test]
fn integers_are_measured_over_all_32_bits() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "wide.xta",
        "int[0,2000000000] n; int[-2147483647 - 1,2147483647] m; process P() { state A, B; init A;
             trans A -> B { assign n = 1900000000, m = -2147483647 - 1; }, B -> A { assign m = 2147483647; }; }
         system P;",
    );
    let answer =
        check(&[&model, "--query", "sup: n", "--query", "bounds: m", "--format", "json"]).expect(0).json();
    let value = |query: usize| &answer["results"][query]["values"][0];
    assert_eq!(value(0)["sup"]["value"], 1_900_000_000, "{answer}");
    assert_eq!(value(1)["inf"]["value"], -2_147_483_648_i64, "{answer}");
    assert_eq!(value(1)["sup"]["value"], 2_147_483_647, "{answer}");
}

/// The largest constant that is allowed, and sums with it, are exact.
#[test]
fn large_clock_constants_are_exact() {
    let scratch = Scratch::new();
    let model = |constant: &str| {
        format!(
            "const int T = {constant}; clock x, y, z;
             process P() {{ state A {{ x <= T - 1 }}, B {{ y <= T }}, C {{ z <= T }}, D, E, F; urgent D; init A;
                 trans A -> B {{ guard x >= T - 1; assign y = 0; }}, B -> C {{ guard y >= T; assign z = 0; }},
                     A -> D {{ guard x > T - 2; }}, D -> E {{ guard x >= T; }},
                     C -> F {{ guard z >= T && x <= T; }}; }}
             system P;"
        )
    };
    let file = scratch.file("large.xta", model("134217727"));
    let queries =
        ["--query", "E<> P.C", "--query", "A[] not P.E", "--query", "A[] not P.F", "--query", "sup{P.A}: x"];
    let ran = check(&[&[file.as_str(), "--trace", "some"], &queries[..]].concat()).expect(0);
    assert!(ran.stdout.contains("x <= 134217726") && ran.stdout.contains("3 satisfied"), "{}", ran.stdout);
    let file = scratch.file("larger.xta", model("134217728"));
    let ran = check(&[&[file.as_str()], &queries[..]].concat()).expect(2);
    assert!(ran.stderr.contains("E086"), "{}", ran.stderr);
}

/// Zones of this many clocks are larger than what the store takes from the system at a time.
#[test]
fn many_hundreds_of_clocks_are_explored() {
    let scratch = Scratch::new();
    let guards: Vec<String> = (0..520).map(|i| format!("x[{i}] >= 1")).collect();
    let model = scratch.file(
        "many.xta",
        format!(
            "clock x[520]; bool b; process P() {{ state A, B; init A; trans A -> B {{ }}, B -> A {{ guard b && {}; }}; }}
             system P;",
            guards.join(" && ")
        ),
    );
    check(&[&model, "--query", "E<> P.B", "--trace", "some", "--search", "bfs"]).expect(0);
}
