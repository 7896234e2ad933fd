//! What the differential tests share: random subjects, and the hunt for mismatches.
//!
//! Every test goes through a fixed range of seeds. For a long run:
//!
//! ```text
//! GUIDEPOST_ORACLE_NETWORKS=100000 GUIDEPOST_ORACLE_SEED=1 cargo test --release -p guidepost-oracle -- --nocapture
//! ```
//!
//! `GUIDEPOST_ORACLE_NETWORKS` is the number of networks per test, `GUIDEPOST_ORACLE_SEED` moves their seeds, `GUIDEPOST_ORACLE_STATES` the largest region graph,
//! and with `GUIDEPOST_ORACLE_KEEP_GOING` all mismatches are shown before the test fails. A mismatch is shown with the model, the query, both answers and the smallest model on
//! which the answers still differ.
#![allow(dead_code, reason = "every test file uses its own part")]

pub(crate) mod abstractions;
pub(crate) mod bystanders;
pub(crate) mod certificates;
pub(crate) mod compare;
pub(crate) mod estimates;
pub(crate) mod flat;
pub(crate) mod ranges;
pub(crate) mod tampering;
pub(crate) mod textbook;

use guidepost_language::diagnostic::Diagnostics;
use guidepost_language::load_text;
use guidepost_network::interpreter::{Rational, State};
use guidepost_network::{BoundItem, ClockId, CompiledQuery, Goal, Network, Question, build, compile_query};
use guidepost_oracle::generate::QueryKind;
use guidepost_oracle::regions::Limits;
use guidepost_oracle::shrink::shrink;
use guidepost_oracle::{GiveUp, Model, Profile, RegionGraph, explore, random, random_queries};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Clocks that are asked about are told apart up to this value.
pub(crate) const HORIZON: i32 = 5;

/// A network with its queries and its region graph.
pub(crate) struct Subject<'n> {
    pub(crate) network: &'n Network,
    pub(crate) queries: &'n [CompiledQuery],
    pub(crate) graph: &'n RegionGraph<'n>,
    pub(crate) seed: u64,
}

/// What differs, and for which query.
pub(crate) struct Mismatch {
    pub(crate) query: Option<usize>,
    pub(crate) message: String,
}

impl Mismatch {
    pub(crate) fn new(query: Option<usize>, message: impl Into<String>) -> Self {
        Self { query, message: message.into() }
    }
}

pub(crate) type Check<'c> = &'c dyn Fn(&Subject<'_>) -> Result<(), Mismatch>;

/// A family of random subjects.
pub(crate) struct Plan {
    /// The first seed: every test has networks of its own.
    pub(crate) first: u64,
    pub(crate) networks: u64,
    pub(crate) kind: QueryKind,
    pub(crate) queries: usize,
    pub(crate) profile: fn(u64) -> Profile,
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Goes through the plan and panics with a report when a check fails.
pub(crate) fn hunt(plan: &Plan, check: Check<'_>) {
    quiet_panics();
    let count = number("GUIDEPOST_ORACLE_NETWORKS", plan.networks);
    let first = plan.first + number("GUIDEPOST_ORACLE_SEED", 0);
    let keep_going = std::env::var_os("GUIDEPOST_ORACLE_KEEP_GOING").is_some();
    let (mut checked, mut too_large, mut clocks, mut states, mut mismatches) = (0, 0, 0, 0, 0);
    for seed in first..first + count {
        let profile = (plan.profile)(seed);
        let model = random(seed, profile);
        let queries = random_queries(&model, profile, plan.kind, seed, plan.queries);
        match examine(&model.to_string(), &queries, seed, check) {
            Seen::Agrees(size) => {
                checked += 1;
                states += size;
            }
            Seen::GivenUp(GiveUp::States) => too_large += 1,
            Seen::GivenUp(_) => clocks += 1,
            Seen::Invalid(message) => panic!("seed {seed}: the model does not load: {message}\n{model}"),
            Seen::Differs(mismatch) => {
                mismatches += 1;
                let report = report(seed, &model, &queries, &mismatch, check);
                assert!(keep_going, "{report}");
                println!("{report}");
            }
        }
    }
    println!(
        "{checked} networks checked ({states} states), {too_large} too large, {clocks} with clocks too large"
    );
    assert_eq!(mismatches, 0, "mismatches");
    assert!(checked * 10 >= count * 6, "too many networks were skipped");
}

/// One model and its queries under a check.
pub(crate) fn judge(text: &str, queries: &[&str], check: Check<'_>) {
    quiet_panics();
    let queries: Vec<String> = queries.iter().map(|&query| query.to_owned()).collect();
    // The seed chooses configurations: all of them.
    for seed in 0..6 {
        match examine(text, &queries, seed, check) {
            Seen::Agrees(_) => {}
            Seen::Differs(mismatch) => panic!("{}\n{queries:?}\n{text}", mismatch.message),
            Seen::Invalid(message) => panic!("{message}\n{text}"),
            Seen::GivenUp(reason) => panic!("given up: {reason:?}\n{text}"),
        }
    }
}

/// What became of a subject.
enum Seen {
    Agrees(usize),
    GivenUp(GiveUp),
    Invalid(String),
    Differs(Mismatch),
}

fn examine(text: &str, queries: &[String], seed: u64, check: Check<'_>) -> Seen {
    let (network, queries) = match prepare(text, queries) {
        Ok(prepared) => prepared,
        Err(message) => return Seen::Invalid(message),
    };
    let predicates = queries.iter().flat_map(|query| query.question.predicates());
    let goals: Vec<&Goal> = predicates.flat_map(|p| p.goals.iter().chain(&p.negation)).collect();
    let limits = Limits { states: number("GUIDEPOST_ORACLE_STATES", 4000) as usize, constant: 9 };
    let graph = match explore(&network, &goals, &observed(&queries), limits) {
        Ok(graph) => graph,
        Err(reason) => return Seen::GivenUp(reason),
    };
    let subject = Subject { network: &network, queries: &queries, graph: &graph, seed };
    QUIET.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(|| check(&subject)));
    QUIET.set(false);
    match outcome {
        Ok(Ok(())) => Seen::Agrees(graph.len()),
        Ok(Err(mismatch)) => Seen::Differs(mismatch),
        Err(_) => Seen::Differs(Mismatch::new(None, format!("panic: {}", LAST_PANIC.take()))),
    }
}

thread_local! {
    /// Panics of this thread are caught and reported as mismatches.
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics inside checks from printing: shrinking provokes many.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if QUIET.get() {
                LAST_PANIC.set(info.to_string());
            } else {
                loud(info);
            }
        }));
    });
}

fn observed(queries: &[CompiledQuery]) -> Vec<(ClockId, i32)> {
    let items = queries.iter().filter_map(|query| match &query.question {
        Question::Bound { items, .. } => Some(items),
        _ => None,
    });
    let clock = |item: &BoundItem| match item {
        BoundItem::Clock(clock) => Some((*clock, HORIZON)),
        BoundItem::Value { .. } => None,
    };
    items.flatten().filter_map(clock).collect()
}

/// Loads a model and its queries.
pub(crate) fn prepare(text: &str, queries: &[String]) -> Result<(Network, Vec<CompiledQuery>), String> {
    let mut loaded = load_text("model.xta", text);
    let show = |diagnostics: &Diagnostics| format!("{diagnostics:#?}");
    if loaded.diagnostics.has_errors() {
        return Err(show(&loaded.diagnostics));
    }
    let (network, diagnostics) = build(&loaded.model);
    let Some(network) = network else { return Err(show(&diagnostics)) };
    let mut compiled = Vec::new();
    for query in queries {
        let mut diagnostics = Diagnostics::default();
        let checked = loaded.queries_from_text("query", query, &mut diagnostics);
        if diagnostics.has_errors() {
            return Err(format!("{query}: {}", show(&diagnostics)));
        }
        let query = compile_query(&network, &loaded.model, &checked[0]);
        compiled.push(query.map_err(|diagnostics| show(&diagnostics))?);
    }
    Ok((network, compiled))
}

fn report(seed: u64, model: &Model, queries: &[String], mismatch: &Mismatch, check: Check<'_>) -> String {
    let mut kept = queries.to_vec();
    if let Some(index) = mismatch.query {
        kept = vec![queries[index].clone()];
        if !matches!(examine(&model.to_string(), &kept, seed, check), Seen::Differs(_)) {
            kept = queries.to_vec();
        }
    }
    let is_panic = mismatch.message.starts_with("panic");
    let mut message = mismatch.message.clone();
    let mut fails = |model: &Model, kept: &[String]| match examine(&model.to_string(), kept, seed, check) {
        Seen::Differs(mismatch) if mismatch.message.starts_with("panic") == is_panic => {
            message = mismatch.message;
            true
        }
        _ => false,
    };
    let mut at = 0;
    while kept.len() > 1 && at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        if fails(model, &fewer) { kept = fewer } else { at += 1 }
    }
    let small = shrink(model, &mut |model| fails(model, &kept));
    format!(
        "== MISMATCH, seed {seed}: {}\nqueries: {queries:#?}\n{model}\n-- smaller: {message}\nqueries: {kept:#?}\n{small}",
        mismatch.message
    )
}

/// The region of a concrete state.
pub(crate) fn find(subject: &Subject<'_>, state: &State) -> Option<u32> {
    let cells: Vec<i32> = state
        .locations
        .iter()
        .map(|location| location.0 as i32)
        .chain(state.variables.iter().copied())
        .collect();
    let (values, denominator) = common_denominator(&state.clocks);
    subject.graph.find(&cells, &values, denominator)
}

/// Fractions with one denominator.
pub(crate) fn common_denominator(clocks: &[Rational]) -> (Vec<i64>, i64) {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let denominator = clocks.iter().map(|clock| clock.denominator()).fold(1, |a, b| a / gcd(a, b) * b);
    (
        clocks.iter().map(|clock| clock.numerator() * (denominator / clock.denominator())).collect(),
        denominator,
    )
}
