//! The reference itself, on models whose answers are known by hand.

mod common;

use common::prepare;
use guidepost_language::load_text;
use guidepost_network::{Goal, Question, build};
use guidepost_oracle::regions::Limits;
use guidepost_oracle::{Profile, RegionGraph, explore, random, random_model};
use std::collections::BTreeSet;

const LIMITS: Limits = Limits { states: 10_000, constant: 20 };

/// Whether each query holds; for `E<>` also in how many steps.
fn ask(text: &str, queries: &[&str]) -> Vec<String> {
    let queries: Vec<String> = queries.iter().map(|&query| query.to_owned()).collect();
    let (network, compiled) = prepare(text, &queries).expect("the model loads");
    let predicates = compiled.iter().flat_map(|query| query.question.predicates());
    let goals: Vec<&Goal> = predicates.flat_map(|p| p.goals.iter().chain(&p.negation)).collect();
    let graph = explore(&network, &goals, &[], LIMITS).expect("the model is small");
    let answer = |question: &Question| match question {
        Question::Possibly(p) => match graph.distance(&graph.holding(p).unwrap()) {
            Some(distance) => distance.to_string(),
            None => "no".into(),
        },
        Question::PotentiallyAlways(p) => graph.potentially_always(p).unwrap().to_string(),
        Question::Eventually(p) => graph.eventually(p).unwrap().to_string(),
        Question::LeadsTo(p, q) => graph.leads_to(p, q).unwrap().to_string(),
        _ => unreachable!("not asked here"),
    };
    compiled.iter().map(|query| answer(&query.question)).collect()
}

#[test]
fn clocks_and_distances() {
    let text = "clock x, y; process P() { state A { x <= 2 }, B, C; init A;
        trans A -> A { guard x == 2; assign x = 0; }, A -> B { guard y > 4 && x < 1; }, B -> C { guard x == 0; }; } system P;";
    let queries = ["E<> P.A and y == 2", "E<> P.B", "E<> P.C", "E<> P.A and x > 2", "E<> y == 3 and x == 1"];
    assert_eq!(ask(text, &queries), ["0", "3", "5", "no", "1"]);
}

#[test]
fn maximal_runs() {
    let text = "clock x; process P() { state A { x < 2 }, B, C { x <= 3 }; init A;
        trans A -> B { guard x > 0; }, B -> C { guard x >= 1; }; } system P;";
    // In A time stops before 2, but a transition stays possible; B can be stayed in for ever; C ends in a time-lock.
    let queries =
        ["E[] P.A", "E[] not P.C", "A<> P.B", "A<> P.C", "P.B --> P.C", "P.C --> P.A", "A<> P.B or P.C"];
    assert_eq!(ask(text, &queries), ["false", "true", "true", "false", "false", "false", "true"]);
    let stuck =
        "clock x; process P() { state A { x < 2 }, B; init A; trans A -> B { guard x >= 2; }; } system P;";
    assert_eq!(ask(stuck, &["E[] P.A", "A<> x >= 1", "E<> deadlock"]), ["true", "true", "0"]);
}

#[test]
fn zeno_runs_count() {
    let text = "clock x; process P() { state A; urgent A; init A; trans A -> A { }; } system P;";
    assert_eq!(ask(text, &["E[] P.A", "E<> x > 0", "E<> deadlock"]), ["true", "no", "no"]);
}

#[test]
fn urgent_channels_and_committed_locations() {
    let text = "clock x; urgent chan u; bool b;
        process P() { state A, B; init A; trans A -> B { guard b; sync u!; }; }
        process Q() { state A, B; init A; trans A -> B { sync u?; }; }
        process R() { state A, B, C; commit B; init A; trans A -> B { assign b = true; }, B -> C { }; } system P, Q, R;";
    // The synchronisation has to wait for the committed location, and time for both.
    let queries = [
        "E<> P.B and R.B",
        "E<> P.B",
        "E<> R.B and x > 1",
        "E<> R.C and P.A and x > 1",
        "E<> P.A and b and x == 1",
    ];
    assert_eq!(ask(text, &queries), ["no", "3", "1", "2", "1"]);
}

#[test]
fn broadcasts_and_priorities() {
    let text = "clock x; broadcast chan h; chan priority h < default;
        process S() { state A, B; init A; trans A -> B { sync h!; }; }
        process R() { state A, B; init A; trans A -> B { guard x >= 1; sync h?; }; }
        process T() { state A, B; init A; trans A -> B { guard x >= 2; }; } system S, R, T;";
    let queries =
        ["E<> S.B and R.A", "E<> S.B and R.B", "E<> S.B and R.A and T.B", "E<> S.A and T.A and x > 2"];
    assert_eq!(ask(text, &queries), ["1", "1", "2", "0"]);
    let never = ["E<> S.B and T.A and R.A and x < 2", "E<> S.B and R.B and T.A and x > 1"];
    assert_eq!(ask(text, &never), ["1", "1"]);
}

/// A weak participant stays out only where it has no edge on the vector.
#[test]
fn weak_participants_of_vectors() {
    let text = |guard: &str| {
        format!(
            "system:s\nevent:go\nclock:1:x\nint:1:0:1:0:v\nprocess:P\nlocation:P:A{{initial:}}\nlocation:P:B{{}}\nedge:P:A:B:go{{}}\n\
             process:Q\nlocation:Q:A{{initial:}}\nlocation:Q:B{{}}\nlocation:Q:C{{}}\nevent:tau\nedge:Q:A:B:go{{provided:{guard}}}\nedge:Q:A:C:tau{{}}\n\
             sync:P@go:Q@go?\n"
        )
    };
    let places = |guard: &str| {
        let loaded = load_text("model.tck", &text(guard));
        assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics);
        let network = build(&loaded.model).0.expect("the model is right");
        let graph = explore(&network, &[], &[], LIMITS).expect("the model is small");
        let name = |cell: i32| network.locations[cell as usize].name.clone();
        let all = (0..graph.len() as u32)
            .map(|state| graph.cells(state)[..2].iter().map(|&c| name(c)).collect::<String>());
        all.collect::<BTreeSet<String>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(places("v==0"), ["AA", "AC", "BB", "BC"]);
    assert_eq!(places("v==1"), ["AA", "AC", "BC"]);
    assert_eq!(places("x>1"), ["AA", "AC", "BB", "BC"]);
}

#[test]
fn seeds_fix_models_and_all_of_them_load() {
    for seed in 0..500 {
        let profile = Profile::of(seed);
        let text = random_model(seed, profile);
        assert_eq!(text, random(seed, profile).to_string());
        if let Err(message) = prepare(&text, &[]) {
            panic!("seed {seed}: {message}\n{text}");
        }
    }
}

/// Deadlock, distance and maximal runs do not depend on the order in which states were found.
#[test]
fn layers_are_shortest() {
    for seed in 0..200 {
        let text = random_model(seed, Profile::PLAIN);
        let (network, _) = prepare(&text, &[]).expect("the model loads");
        let Ok(graph) = explore(&network, &[], &[], Limits { states: 500, constant: 9 }) else { continue };
        for state in 0..graph.len() as u32 {
            let lowest = predecessors_layer(&graph, state);
            assert!(state == 0 || lowest == Some(graph.layer(state)), "seed {seed}");
        }
    }
}

/// The smallest layer that any predecessor allows.
fn predecessors_layer(graph: &RegionGraph<'_>, state: u32) -> Option<u32> {
    let by_action = (0..graph.len() as u32)
        .filter(|&from| graph.actions(from).iter().any(|action| action.target == state))
        .map(|from| graph.layer(from) + 1);
    let by_delay = (0..graph.len() as u32)
        .filter(|&from| graph.delay(from) == guidepost_oracle::regions::Delay::To(state))
        .map(|from| graph.layer(from));
    by_action.chain(by_delay).min()
}
