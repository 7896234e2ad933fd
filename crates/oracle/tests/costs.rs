//! Cheapest and fastest runs against priced regions, on random networks: all representations, all orders, with and without lower bounds.

mod common;

use common::{Mismatch, Plan, Subject, hunt, judge};
use guidepost_answer::{Answer, Engine, Limits, Measure, Question, RunKind, Verdict};
use guidepost_cost::{Cheapest, LowerBounds, Order, Representation};
use guidepost_network::interpreter::Random;
use guidepost_oracle::Profile;
use guidepost_oracle::generate::QueryKind;
use std::fmt::Write;

#[test]
fn cheapest_runs_cost_what_priced_regions_say() {
    let plan = Plan {
        first: 90_000_000,
        networks: 5000,
        kind: QueryKind::Reachability,
        queries: 2,
        profile: Profile::priced,
    };
    hunt(&plan, &check);
}

/// Two locations, and a way around that is cheaper than waiting; the numbers are those of the literature.
#[test]
fn an_example_by_hand() {
    let text = |alpha: i32, beta: i32| {
        format!(
            "clock x, y, z; process P() {{ state A {{ cost' == 1 }}, B {{ cost' == 1 }}, C {{ cost' == 1 }}, D {{ cost' == {beta} }}, E; init A; trans \
             A -> B {{ assign x = 0; }}, B -> C {{ assign y = 0, z = 0; }}, C -> C {{ assign y = 0, cost += {alpha}; }}, \
             C -> D {{ guard x >= 2 && y <= 1; }}, D -> E {{ guard z >= 3; }}; }} system P;"
        )
    };
    for (alpha, beta, least) in [(1, 3, 4), (2, 2, 5), (5, 1, 4)] {
        let text = text(alpha, beta);
        judge(&text, &["E<> P.E"], &|subject| {
            let answer = answer(subject, 0, &Cheapest { run: RunKind::Cheapest, ..Cheapest::default() })?;
            let cost = answer.cost.and_then(|cost| cost.value);
            if cost == Some(least) {
                Ok(())
            } else {
                Err(Mismatch::new(None, format!("{cost:?} instead of {least}")))
            }
        });
        judge(&text, &["E<> P.E"], &check);
    }
}

#[test]
fn an_infimum_that_is_not_attained_is_said_to_be_one() {
    let text = "clock x; process P() { state A { cost' == 3 }, B { cost' == 1 }, C; init A; trans \
                A -> B { assign cost += 5; }, B -> C { guard x > 1; assign cost += 1; }; } system P;";
    judge(text, &["E<> P.C"], &check);
    judge(text, &["E<> P.C"], &|subject| {
        let answer = answer(subject, 0, &Cheapest { run: RunKind::Cheapest, ..Cheapest::default() })?;
        let cost = answer.cost.ok_or_else(|| Mismatch::new(None, "no cost"))?;
        let is_right = cost.value == Some(7) && !cost.attained && cost.is_proved();
        if is_right { Ok(()) } else { Err(Mismatch::new(None, format!("{cost:?}"))) }
    });
}

/// A receiver that stays out only where a clock is beyond all constants.
#[test]
fn who_stays_out_of_a_broadcast_is_known_of_clocks_that_are_far() {
    let text = "clock x, y; broadcast chan h; process P() { state L0, L2 { y <= 0 }; init L0; trans L0 -> L2 { sync h!; assign y = 0; }; } \
                process Q() { state L0, L1; init L0; trans L0 -> L1 { guard x < 3; sync h?; assign cost += 2; }; } system P, Q;";
    judge(text, &["E<> P.L2", "E<> P.L2 and Q.L0"], &check);
}

/// Who has no goal is not on the way to one, however freely it moves.
#[test]
fn moves_of_those_without_a_goal_do_not_go_first() {
    let text = "process T() { state L0, L1; init L0; trans L0 -> L1 { }, L1 -> L0 { }; } P = T(); Q = T(); system P, Q;";
    judge(text, &["E<> Q.L1", "E<> P.L1", "E<> P.L1 and Q.L1", "E<> P.L1 or Q.L1"], &check);
}

/// Jobs that take locks one after the other or two at once, may hold them for longer or not, and some in a hurry: bounds, free moves and exchanges.
#[test]
fn small_shops_take_as_long_as_priced_regions_say() {
    let mut random = Random::new(16);
    for _ in 0..60 {
        let mut text = "bool busy[3];".to_owned();
        for job in 0..2 {
            let (mut places, mut edges) = (String::new(), Vec::new());
            for step in 0..3 {
                let (lock, length) = (random.below(3), 1 + random.below(3));
                let also = (random.below(4) == 0).then(|| (lock + 1) % 3);
                let (asks, takes, gives) = also.map_or_else(Default::default, |also| {
                    let set = |value| format!(", busy[{also}] = {value}");
                    (format!(" && !busy[{also}]"), set(true), set(false))
                });
                let forced =
                    if random.below(2) == 0 { format!(" {{ x <= {length} }}") } else { String::new() };
                let hurry = if random.below(6) == 0 { " { x <= 4 }" } else { "" };
                let _ = write!(places, "W{step}{hurry}, B{step}{forced}, ");
                edges.push(format!("W{step} -> B{step} {{ guard !busy[{lock}]{asks}; assign busy[{lock}] = true{takes}, x = 0; }}"));
                let next = if step == 2 { "Done".to_owned() } else { format!("W{}", step + 1) };
                edges.push(format!(
                    "B{step} -> {next} {{ guard x >= {length}; assign busy[{lock}] = false{gives}; }}"
                ));
            }
            let _ = write!(
                text,
                " process J{job}() {{ clock x; state {places}Done; init W0; trans {}; }}",
                edges.join(", ")
            );
        }
        text.push_str(" system J0, J1;");
        judge(&text, &["E<> J0.Done and J1.Done"], &check);
    }
}

/// Broadcasts with priorities cut zones in pieces; a piece that has an upper bound of the cost would never be covered.
#[test]
fn pieces_of_zones_have_no_most_cost() {
    let text = "const int N = 2; clock x; int[0,1] v = 1; broadcast chan h; chan priority default < h; \
                process T0() { state L0, L1; init L0; trans L0 -> L1 { sync h!; }, L1 -> L0 { }, L0 -> L1 { sync h!; assign x = 0; }; } \
                process T1() { clock t; state L0, L1; init L0; trans L0 -> L1 { guard t == N; sync h?; }; } \
                process T2() { state L0 { x <= 1 }, L1, L2; init L0; trans L0 -> L1 { guard x > 0; }, L1 -> L2 { sync h!; }, L2 -> L0 { }; } \
                system T0, T1 < T2;";
    judge(text, &["E<> T2.L1 and T1.L1"], &check);
}

fn answer(subject: &Subject<'_>, query: usize, engine: &Cheapest) -> Result<Answer, Mismatch> {
    let queries = std::slice::from_ref(&subject.queries[query]);
    let answers = engine.answers(subject.network, queries);
    let answer = answers.map_err(|error| Mismatch::new(Some(query), error.to_string()))?.swap_remove(0);
    match &answer.internal {
        Some(error) => Err(Mismatch::new(Some(query), format!("{engine:?}: {error}"))),
        None => Ok(answer),
    }
}

/// Compares every way of finding the best run with the reference.
fn check(subject: &Subject<'_>) -> Result<(), Mismatch> {
    if !subject.graph.failures.is_empty() {
        return Ok(());
    }
    for (index, query) in subject.queries.iter().enumerate() {
        let (goals, holds_if_found) = match &query.question {
            Question::LeastCost(predicate) => (predicate.goals.as_slice(), true),
            question => question.target().expect("the queries are about reachability"),
        };
        let failed = |message: String| Mismatch::new(Some(index), message);
        let wanted = subject.graph.satisfying_any(goals).map_err(|error| failed(error.to_string()))?;
        for measure in [Measure::Cost, Measure::Time] {
            let least = subject.graph.least_cost(&wanted, measure == Measure::Time);
            let least = least.map_err(|error| failed(error.to_string()))?;
            for engine in engines(measure, subject.seed) {
                let answer = answer(subject, index, &engine)?;
                if engine.order == Order::DepthFirst && !answer.outcome.is_decided() {
                    // It may go astray among states that are ever more expensive.
                    check_bounds(index, &answer, least, &engine)?;
                    continue;
                }
                let found = answer.cost.and_then(|cost| cost.value);
                let is_proved = answer.cost.is_none_or(|cost| cost.is_proved());
                let expected = if least.is_some() == holds_if_found {
                    Verdict::Satisfied
                } else {
                    Verdict::NotSatisfied
                };
                if found != least || !is_proved || answer.verdict() != expected {
                    let what = format!(
                        "{measure:?}: {found:?} (proved: {is_proved}), the regions say {least:?}; {engine:?}"
                    );
                    return Err(failed(what));
                }
            }
            check_stopped(subject, index, measure, least)?;
        }
    }
    Ok(())
}

/// A search that is stopped names a cost that its run has, and a bound that is one.
fn check_stopped(
    subject: &Subject<'_>,
    query: usize,
    measure: Measure,
    least: Option<i64>,
) -> Result<(), Mismatch> {
    let limits = Limits { states: Some(2 + subject.seed % 30), ..Limits::default() };
    for engine in engines(measure, subject.seed) {
        let engine = Cheapest { limits: limits.clone(), ..engine };
        check_bounds(query, &answer(subject, query, &engine)?, least, &engine)?;
    }
    Ok(())
}

/// What is known of the cost is true.
fn check_bounds(
    query: usize,
    answer: &Answer,
    least: Option<i64>,
    engine: &Cheapest,
) -> Result<(), Mismatch> {
    let Some(cost) = answer.cost else { return Ok(()) };
    let is_reached = cost.value.is_none_or(|value| least.is_some_and(|least| least <= value));
    let is_bound = least.is_none_or(|least| cost.lower_bound.is_some_and(|bound| bound <= least));
    if is_reached && is_bound {
        return Ok(());
    }
    let what = format!("stopped, {cost:?}, the regions say {least:?}; {engine:?}");
    Err(Mismatch::new(Some(query), what))
}

/// All orders with the representation that is chosen, and one with the general one; with bounds and without.
fn engines(measure: Measure, seed: u64) -> Vec<Cheapest> {
    let run = if measure == Measure::Time { RunKind::Fastest } else { RunKind::Cheapest };
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    let usual = Cheapest { run, limits, ..Cheapest::default() };
    // Random networks have no `heur`.
    let orders = || Order::NAMES.iter().map(|&(_, order)| order).filter(|&order| order != Order::Heur);
    let mut engines: Vec<Cheapest> = orders().map(|order| Cheapest { order, ..usual.clone() }).collect();
    // One kind of bounds alone; the model's own are not trusted by anybody who has none.
    let kinds = [
        LowerBounds::None,
        LowerBounds::Processes,
        LowerBounds::Locks,
        LowerBounds::Pairs,
        LowerBounds::Layers,
    ];
    let bounds = kinds[(seed / 4) as usize % kinds.len()];
    engines.push(Cheapest { order: Order::BestFirst, bounds, ..usual.clone() });
    if measure == Measure::Cost {
        let order = orders().nth(seed as usize % orders().count()).unwrap_or_default();
        engines.push(Cheapest { order, representation: Some(Representation::Function), ..usual });
    }
    engines
}
