//! Constraints that compare clocks with each other: zones are not cut along them, and a bound that is computed is not listed value by value.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Limits};
use guidepost_search::{Order, Strategy};

/// Workers that may finish when one began long enough after another. All clocks grow without end.
fn workers(bound: &str) -> String {
    format!(
        "const int N = 3; typedef int[0,N-1] id_t;
         clock x[N]; int[0,100000] gap = 2; bool late;
         process Worker(const id_t i) {{
             state Idle, Busy; init Idle;
             trans Idle -> Busy {{ assign x[i] = 0, gap = 2 + i; }},
                   Busy -> Idle {{ guard x[(i + 1) % N] - x[i] >= {bound} && x[i] >= 1; }},
                   Busy -> Busy {{ guard x[i] - x[(i + 1) % N] > gap + 5 && x[i] < 4; assign late = true; }};
         }}
         system Worker;"
    )
}

fn ask(text: &str, query: &str, run: RunKind) -> Answer {
    let mut session = Session::parse("workers.xta", text).unwrap_or_else(|error| panic!("{error}"));
    let settings = Settings {
        strategy: Some(Strategy::Blind(Order::BreadthFirst)),
        limits: Limits { states: Some(20_000), ..Limits::default() },
        run,
        ..Settings::default()
    };
    session.ask(query, &settings).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_exploration_with_diagonals_ends() {
    for bound in ["3", "gap"] {
        let text = workers(bound);
        let all = ask(&text, "E<> false", RunKind::None);
        assert_eq!(all.verdict(), Verdict::NotSatisfied, "{bound}: {:?}", all.statistics);
        assert!(all.statistics.stored < 1_000, "{bound}: {:?}", all.statistics);
        // x[i] < 4, so the difference is below 4, too.
        assert_eq!(ask(&text, "A[] not late", RunKind::None).verdict(), Verdict::Satisfied, "{bound}");
    }
}

#[test]
fn goals_may_compare_clocks() {
    let text = workers("gap");
    let reached = ask(&text, "E<> Worker(1).Busy and x[0] - x[1] == 77 and x[1] <= 1", RunKind::Shortest);
    assert_eq!(reached.verdict(), Verdict::Satisfied);
    assert_eq!(reached.evidence.map(|run| run.steps.len()), Some(1));
    let never = ask(&text, "E<> x[0] - x[1] > 3 and x[0] < 3", RunKind::None);
    assert_eq!(never.verdict(), Verdict::NotSatisfied);
}
