//! Questions for which processes are left out, against the region graph of the whole network.

use super::compare::{answer, check_engines, compare_reachability, limited};
use super::{Mismatch, Subject};
use guidepost_answer::{Reductions, RunKind};
use guidepost_search::{Algorithm, Configuration, Directed, HeuristicSpec, Order, Strategy};
use std::cell::Cell;

/// Verdicts, shortest lengths and runs of all kinds of searches where processes may be left out; counts questions, and those for which somebody was.
pub(crate) fn check_bystanders(
    subject: &Subject<'_>,
    asked: &Cell<u64>,
    left_out: &Cell<u64>,
) -> Result<(), Mismatch> {
    let sliced = Reductions { slicing: true, ..Reductions::NONE };
    let optimal = Directed::new(Algorithm::AStar, HeuristicSpec::Layers);
    let greedy = Directed::new(Algorithm::UselessTransitions, HeuristicSpec::Solution);
    let (any, shortest) = (RunKind::Any, RunKind::Shortest);
    let breadth_first = || Strategy::Blind(Order::BreadthFirst);
    let searches = [
        ("slicing alone", breadth_first(), shortest, sliced, 1),
        // A goal that is only found in what is left has no run, and so is looked for again: here it would show.
        ("without runs", breadth_first(), RunKind::None, sliced, 1),
        ("breadth-first", breadth_first(), any, Reductions::default(), 1),
        ("two threads", breadth_first(), any, Reductions::default(), 2),
        ("depth-first", Strategy::Blind(Order::DepthFirst), any, Reductions::default(), 1),
        ("astar", Strategy::Directed(optimal), shortest, Reductions::default(), 1),
        ("ut", Strategy::Directed(greedy), any, sliced, 1),
    ];
    for (position, (name, strategy, run, reductions, threads)) in searches.into_iter().enumerate() {
        // Behind dead ends, errors may hide.
        if subject.graph.failure_layer().is_some() && matches!(strategy, Strategy::Directed(_)) {
            continue;
        }
        let configuration = Configuration { strategy, run, reductions, threads, ..limited() };
        for (index, answer) in answer(subject, &configuration)?.iter().enumerate() {
            compare_reachability(subject, index, answer, configuration.is_shortest())
                .map_err(|message| Mismatch::new(Some(index), format!("{name}: {message}")))?;
            if position == 0 {
                asked.set(asked.get() + 1);
                left_out.set(left_out.get() + u64::from(answer.statistics.bystanders > 0));
            }
        }
    }
    check_engines(subject, &["auto"])
}
