//! How fast estimates are, and that they allocate nothing once they have their work space.
//!
//!     cargo bench -p guidepost-heuristics [-- MODEL QUERY]
//!
//! Estimates the first states of a breadth-first exploration, over and over.

use guidepost_explore::{Explorer, Inserted, Replace, StateId, Store, SymbolicState, ZoneAbstraction};
use guidepost_generate::Family;
use guidepost_heuristics::{HeuristicSpec, Preparation};
use guidepost_language::diagnostic::Diagnostics;
use guidepost_network::{Goal, Network, Question, build, compile_query};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Counts allocations.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: passes everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const STATES: usize = 2000;
const ROUNDS: usize = 50;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if let [model, query] = &args[..] {
        let text = std::fs::read_to_string(model).expect("the model can be read");
        return measure(model, &text, query);
    }
    for words in ["fischer a 15 --faulty", "fischer b 100 --faulty", "arbiter 5 --faulty"] {
        let generated = words.parse::<Family>().expect("a family").generate();
        measure(words, &generated.model, &generated.queries[0].formula);
    }
}

fn measure(name: &str, text: &str, query: &str) {
    let mut loaded = guidepost_language::load_text(name, text);
    let network = build(&loaded.model).0.expect("the model is good");
    let query = loaded.queries_from_text("query", query, &mut Diagnostics::default()).remove(0);
    let query = compile_query(&network, &loaded.model, &query).expect("the query is good");
    let goals = match &query.question {
        Question::Possibly(predicate) => &predicate.goals,
        Question::Always(predicate) => &predicate.negation,
        _ => panic!("a reachability query is wanted"),
    };
    let states = states(&network, goals);
    for spec in [HeuristicSpec::GraphMaximum, HeuristicSpec::Layers, HeuristicSpec::Solution] {
        let mut heuristic = spec.bind(&network, goals, &mut Preparation::default());
        for state in &states {
            heuristic.estimate(state);
        }
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let begin = Instant::now();
        let mut sum = 0_u64;
        for _ in 0..ROUNDS {
            for state in &states {
                sum += u64::from(heuristic.estimate(state).as_steps().unwrap_or(0));
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        let count = ROUNDS * states.len();
        let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
        println!(
            "{name}: {spec}: {:.0} estimates/s, {allocations} allocations in {count} estimates, mean {:.2}",
            count as f64 / seconds,
            sum as f64 / count as f64
        );
        assert_eq!(allocations, 0, "estimates must not allocate");
    }
}

/// The first states of a breadth-first exploration.
fn states(network: &Network, goals: &[Goal]) -> Vec<SymbolicState> {
    let goals: Vec<&Goal> = goals.iter().collect();
    let mut explorer =
        Explorer::new(network, &goals, ZoneAbstraction::REACHABILITY).expect("zones can do it");
    let packing = explorer.packing_handle();
    let mut store = Store::new(&explorer);
    let mut states = Vec::new();
    explorer
        .initial(&mut |state| {
            store.insert(&packing, state, None, 0, Replace::Covered);
            states.push(state.clone());
        })
        .expect("the model does not fail");
    let mut at = 0;
    while at < store.len() && states.len() < STATES {
        let id = StateId(at as u32);
        at += 1;
        if !store.is_alive(id) {
            continue;
        }
        store.load(id, &mut explorer);
        explorer
            .expand_source(&mut |state, _| {
                if let Inserted::New(_) = store.insert(&packing, state, Some(id), 0, Replace::Covered) {
                    states.push(state.clone());
                }
                ControlFlow::Continue(())
            })
            .expect("the model does not fail");
    }
    states
}
