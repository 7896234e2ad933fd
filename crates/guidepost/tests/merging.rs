//! Merged states: the same answers from fewer states, and runs that lead through them.

use guidepost::{RunKind, Session, Settings, Verdict};
use guidepost_answer::{Answer, Reductions};
use guidepost_search::{Order, Strategy};

/// Processes that each start a clock once, in any order, then run a gauntlet of guards on all clocks.
fn starters(count: usize) -> Session {
    let clocks: Vec<String> = (1..=count).map(|n| format!("x{n}")).collect();
    let pinned: Vec<String> =
        clocks.iter().zip([3, 1, 2, 5, 4]).map(|(x, value)| format!("{x} == {value}")).collect();
    let starters: Vec<String> = (1..=count).map(|n| format!("S{n} = Starter(x{n});")).collect();
    let names: Vec<String> = (1..=count).map(|n| format!("S{n}")).collect();
    let text = format!(
        "clock {}; int[0,{count}] started; broadcast chan go;
         process Starter(clock &x) {{ state Idle, On; init Idle; trans Idle -> On {{ assign x = 0, started++; }}; }}
         process Judge() {{ state Wait, Ready, Pinned, Never; init Wait;
           trans Wait -> Ready {{ guard started == {count}; }},
                 Ready -> Pinned {{ guard {}; }},
                 Ready -> Never {{ guard x1 == 1 && x2 > 1 && x2 < 2 && x3 == 2; }}; }}
         {} system {}, Judge;",
        clocks.join(", "),
        pinned.join(" && "),
        starters.join(" "),
        names.join(", "),
    )
    .replace("", "");
    Session::parse("starters.xta", &text).unwrap_or_else(|error| panic!("{error}"))
}

fn ask(session: &mut Session, query: &str, run: RunKind, reductions: Reductions) -> Answer {
    let strategy = Some(Strategy::Blind(Order::BreadthFirst));
    let settings = Settings { run, reductions, strategy, ..Settings::default() };
    session.ask(query, &settings).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn orders_of_independent_steps_become_one_state() {
    let mut session = starters(5);
    let merged = ask(&mut session, "E<> false", RunKind::None, Reductions::default());
    let plain = ask(&mut session, "E<> false", RunKind::None, Reductions::NONE);
    assert!(merged.statistics.merged > 0 && plain.statistics.merged == 0);
    assert_eq!(merged.statistics.discrete, plain.statistics.discrete);
    assert!(
        merged.statistics.explored * 4 < plain.statistics.explored,
        "{:?} {:?}",
        merged.statistics,
        plain.statistics
    );
    assert_eq!(merged.statistics.stored, merged.statistics.discrete, "one zone each is enough here");
}

#[test]
fn a_run_through_merged_states_takes_the_order_that_its_end_needs() {
    let mut session = starters(5);
    for run in [RunKind::Any, RunKind::Shortest] {
        let answer = ask(&mut session, "E<> Judge.Pinned", run, Reductions::default());
        assert_eq!(answer.verdict(), Verdict::Satisfied);
        assert!(answer.statistics.merged > 0);
        let evidence = answer.evidence.expect("a run that was replayed");
        assert_eq!(evidence.steps.iter().filter(|step| step.transition.is_some()).count(), 7);
        assert_eq!(evidence.optimal, run == RunKind::Shortest);
    }
    let answer = ask(&mut session, "E<> Judge.Never and x3 < 2", RunKind::Any, Reductions::default());
    assert_eq!(answer.verdict(), Verdict::NotSatisfied);
}

/// A goal about clocks in a merged state itself, for every order.
#[test]
fn the_end_of_a_run_can_lie_in_any_part_of_a_merged_state() {
    let mut session = starters(3);
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        let [a, b, c] = order;
        let query = format!("E<> started == 3 and x{a} == 7 and x{b} > 4 and x{b} < 5 and x{c} <= 1");
        let answer = ask(&mut session, &query, RunKind::Shortest, Reductions::default());
        assert_eq!(answer.verdict(), Verdict::Satisfied, "{query}");
        let evidence = answer.evidence.unwrap_or_else(|| panic!("{query}: {:?}", answer.internal));
        assert_eq!(evidence.steps.iter().filter(|step| step.transition.is_some()).count(), 3);
    }
}

/// Zones of one discrete state whose hull has more than them: the hull reaches what they do not.
#[test]
fn a_hull_may_reach_more_and_never_less() {
    let text = "clock x; process P() {
        state A, B, C, D; init A;
        trans A -> B { guard x <= 1; assign x = 0; }, A -> B { guard x >= 3; assign x = 5; },
              B -> C { guard x >= 5; }, B -> D { guard x > 2 && x < 5; }; urgent B; }
        system P;";
    let ask = |query: &str, hulls: bool| {
        let mut session = Session::parse("hull.xta", text).unwrap_or_else(|error| panic!("{error}"));
        let strategy = Some(Strategy::Blind(Order::BreadthFirst));
        let settings = Settings { run: RunKind::Any, strategy, hulls, ..Settings::default() };
        session.ask(query, &settings).unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(ask("E<> P.D", false).verdict(), Verdict::NotSatisfied);
    let may = ask("E<> P.D", true);
    assert!(may.approximate && may.evidence.is_none(), "{may:?}");
    let sure = ask("E<> P.C", true);
    assert!(!sure.approximate && sure.verdict() == Verdict::Satisfied, "{sure:?}");
    assert_eq!(sure.evidence.map(|run| run.steps.len()), Some(2));
    let never = ask("E<> P.C and x < 5", true);
    assert!(!never.approximate && never.verdict() == Verdict::NotSatisfied, "{never:?}");
}
