//! Hiding over-approximates: a variant that only hides can do whatever the whole system can do, as far as it is visible.
//!
//! Random systems are explored as a whole and with random symbols hidden. Whatever combination of locations the whole system reaches, the variant
//! must reach; and what the variant promises, the whole system must keep.

mod common;

use common::system;
use guidepost_answer::{Engine, Limits, RunKind, Verdict};
use guidepost_language::model::Query;
use guidepost_network::interpreter::Random;
use guidepost_network::{build, compile_query};
use guidepost_plc::load_text;
use guidepost_search::{Configuration, Order, Strategy, Zones};
use std::collections::BTreeMap;

const SYSTEMS: u64 = 120;
const VARIANTS: usize = 3;
const MOST_STATES: u64 = 4_000;

/// What is known of each property, by its name. Runs that show something have been replayed.
fn verdicts(text: &str, variant: Option<&str>) -> BTreeMap<String, Verdict> {
    let loaded = load_text("random.plc", text, variant);
    assert!(!loaded.diagnostics.has_errors(), "{text}\n{:?}", loaded.diagnostics);
    assert!(loaded.query_diagnostics.is_empty(), "{text}\n{:?}", loaded.query_diagnostics);
    let (network, found) = build(&loaded.model);
    let network = network.unwrap_or_else(|| panic!("{text}\n{found:?}"));
    let compile = |query: &Query| compile_query(&network, &loaded.model, query).expect("supported");
    let queries: Vec<_> = loaded.model.queries.iter().map(compile).collect();
    let configuration = Configuration {
        strategy: Strategy::Blind(Order::BreadthFirst),
        run: RunKind::Any,
        limits: Limits { states: Some(MOST_STATES), ..Limits::default() },
        ..Configuration::default()
    };
    let answers = Zones { configuration }.answers(&network, &queries).expect("supported");
    let name = |query: &Query| query.property.as_ref().expect("properties have names").name.to_string();
    let mut verdicts = BTreeMap::new();
    for (query, answer) in loaded.model.queries.iter().zip(answers) {
        assert!(answer.internal.is_none() && answer.model_error().is_none(), "{text}\n{}", query.text);
        assert_eq!(answer.evidence.is_some(), answer.verdict() == Verdict::NotSatisfied, "{text}");
        verdicts.insert(name(query), answer.verdict());
    }
    verdicts
}

#[test]
fn what_is_left_can_do_what_the_whole_system_can_do() {
    let (mut reached, mut excluded) = (0, 0);
    for seed in 0..SYSTEMS {
        let mut random = Random::new(seed);
        let system = system(&mut random);
        let whole = verdicts(&system.text, None);
        for _ in 0..VARIANTS {
            let text = system.with_variant(&mut random);
            for (property, verdict) in verdicts(&text, Some("hidden")) {
                match (whole[&property], verdict) {
                    (Verdict::NotSatisfied, Verdict::Satisfied) => {
                        panic!("seed {seed}: `{property}` holds of the variant only\n{text}")
                    }
                    (Verdict::NotSatisfied, Verdict::NotSatisfied) => reached += 1,
                    (Verdict::Satisfied, Verdict::Satisfied) => excluded += 1,
                    _ => {}
                }
            }
        }
    }
    assert!(reached > 1000 && excluded > 100, "the comparison means something: {reached}, {excluded}");
}
