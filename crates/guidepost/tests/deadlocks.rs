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
