//! `E[] p`, `A<> p` and `p --> q`: runs on which a condition holds forever.
//!
//! All three ask for a maximal run within a condition: `E[] p` for one within p, `A<> p` for none within `not p`, and `p --> q` for none within `not q` that
//! starts in a reachable state with p. A run is maximal if it is infinite, if time passes forever, or if nothing is possible any more. So a depth-first
//! search through the symbolic states within the condition looks for a cycle, for a state in which time can diverge, and for a state that is stuck.
//!
//! Zones are widened by `Extra+_LU` and compared by aLU, with the constants of the condition on both sides. What stands for a valuation simulates it, and can do all
//! that it can do: go on for ever (Li 2009, *Timed Büchi automata emptiness with LU abstractions*), or wait for ever. A cycle in the graph of zones is an infinite run for the
//! same reason. It is closed only by a state that simulates one on the path: one that is merely simulated need not be able to go round again. A state
//! that one simulates whose search ended without success is dropped (Laarman and others 2013, *Multi-core emptiness checking of timed Büchi automata using inclusion abstraction*).
//!
//! That nothing is possible any more is more than a simulation can tell. A state is stuck only where it is [deadlocked](guidepost_explore::Explorer::may_be_deadlocked); where valuations may
//! be, the search begins again with [sharp](guidepost_explore::SharpLocations) locations, unless it has found a run meanwhile. With diagonal constraints, zones are exact up to
//! bisimulation (`Extra_M`).
//!
//! While time passes the condition has to hold as well, see [`Explorer::dwell`].

mod hunt;
mod ranking;

pub use ranking::ranked_set;

use crate::configuration::Configuration;
use crate::evidence::{Ways, failed, failed_at};
use crate::frontier::Order;
use crate::reach::{End, Part, Search, Watcher};
use crate::{ENGINE, ProgressObserver};
use guidepost_answer::{
    Answer, Evidence, Exploration, InternalError, Method, Outcome, Progress, Reductions, RunEnding,
    Statistics, Unsupported,
};
use guidepost_explore::{
    Explorer, Failure, GoalTest, SetAside, SharpLocations, StateId, SymbolicState, differences,
};
use guidepost_network::{EvalError, Goal, Network, Predicate, Question};
use hunt::{Hunt, Interruption, Witness};
use std::ops::ControlFlow;
use std::time::Instant;

/// Decides a liveness question.
pub(crate) fn decide(
    network: &Network,
    index: usize,
    question: &Question,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> Result<Answer, Unsupported> {
    let all: Vec<&Goal> =
        question.predicates().into_iter().flat_map(|p| p.goals.iter().chain(&p.negation)).collect();
    let begin = Instant::now();
    let mut abstraction = configuration.liveness(network);
    let mut reductions = configuration.reductions;
    let mut sharp = SharpLocations::NONE;
    let mut before: Option<Statistics> = None;
    let (mut found, is_approximate) = loop {
        let explorer = Explorer::with_sharp(network, &all, abstraction, sharp.clone())?;
        let configuration = Configuration {
            limits: configuration.limits.left_since(begin),
            reductions,
            ..configuration.clone()
        };
        let (found, is_approximate) =
            answer(explorer, question, &configuration, &mut |progress| observe(progress));
        let can_be_exact = abstraction.is_simulation() || reductions != Reductions::NONE;
        let is_lost = can_be_exact && matches!(found.evidence, Some(Err(_)));
        if !is_lost && found.doubts.is_empty() {
            break (found, is_approximate);
        }
        // A run exists, but leads through pieces of zones that were mixed up on the way.
        if is_lost && reductions == Reductions::NONE {
            abstraction = configuration.bisimulation();
        } else if is_lost {
            reductions = Reductions::NONE;
        }
        sharp.unite(&found.doubts);
        before.get_or_insert_default().add(&found.statistics);
    };
    if let Some(before) = before {
        found.statistics.add(&before);
    }
    let method = Method::blind(ENGINE, Order::DepthFirst.name());
    let mut answer = Answer::new(found.outcome, method, Exploration(index), found.statistics);
    if let Some(evidence) = found.evidence {
        answer.attach(evidence);
    }
    answer.approximate = is_approximate && answer.outcome.is_decided();
    Ok(answer)
}

fn answer(
    explorer: Explorer<'_>,
    question: &Question,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> (Findings, bool) {
    match question {
        Question::PotentiallyAlways(p) => from_start(explorer, &p.negation, true, configuration, observe),
        Question::Eventually(p) => from_start(explorer, &p.goals, false, configuration, observe),
        Question::LeadsTo(p, q) => leads_to(explorer, p, q, configuration, observe),
        _ => unreachable!("only liveness questions come here"),
    }
}

/// What a search for a maximal run came to.
struct Findings {
    outcome: Outcome<bool>,
    statistics: Statistics,
    evidence: Option<Result<Evidence, InternalError>>,
    /// Where a run may end that was not seen, if none was found.
    doubts: SharpLocations,
}

/// Looks for a maximal run from the initial state that avoids all of `avoid`; `holds_if_found` says what it means for the query.
fn from_start(
    mut explorer: Explorer<'_>,
    avoid: &[Goal],
    holds_if_found: bool,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> (Findings, bool) {
    let mut hunt = Hunt::new(&mut explorer, avoid, &configuration.limits, observe);
    let result = hunt.search_from_start();
    let statistics = hunt.numbers();
    let doubts = if matches!(result, Ok(None)) { hunt.doubts } else { SharpLocations::NONE };
    let wants_run = configuration.wants_run();
    let mut evidence = None;
    let outcome = match result {
        Ok(None) => Outcome::Decided(!holds_if_found),
        Ok(Some(Witness { path, finally, ending })) => {
            evidence = wants_run.then(|| explorer.run_along(&path, &finally, false, ending));
            Outcome::Decided(holds_if_found)
        }
        Err(Interruption::Stopped(reason)) => Outcome::Stopped(reason),
        Err(Interruption::Failed(failure, path)) => {
            let path = path.filter(|_| wants_run);
            let way = path.and_then(|path| explorer.run_along(&path, &[], false, RunEnding::Goal).ok());
            failed(&failure, way)
        }
    };
    (Findings { outcome, statistics, evidence, doubts }, explorer.is_approximate())
}

/// Every reachable state with p is left towards q on all runs.
fn leads_to(
    explorer: Explorer<'_>,
    p: &Predicate,
    q: &Predicate,
    configuration: &Configuration,
    observe: &mut ProgressObserver<'_>,
) -> (Findings, bool) {
    let begin = Instant::now();
    let (test, found) = (GoalTest::new(explorer.network()), SetAside::new(explorer.packing()));
    let mut triggers = Triggers { p: &p.goals, q: &q.goals, test, found, observe };
    let search = Search::new(explorer, Order::BreadthFirst, &configuration.limits);
    let mut search = search.reduced(configuration.reductions);
    let end = search.run(&mut triggers);
    let mut statistics = search.numbers();
    let Triggers { found, observe, .. } = triggers;
    let (mut explorer, trail) = search.into_trail();
    let bytes = trail.store.bytes();
    let ways = trail.into_ways();
    let wants_run = configuration.wants_run();
    let (mut evidence, mut doubts) = (None, SharpLocations::NONE);
    let outcome = match end {
        End::Stopped(reason) => Outcome::Stopped(reason),
        End::Failed(state, failure) => failed_at(&failure, state, &ways, &mut explorer, wants_run),
        End::Satisfied | End::Exhausted => {
            let limits = configuration.limits.left_since(begin);
            let mut hunt = Hunt::new(&mut explorer, &q.goals, &limits, observe);
            hunt.count_beside(0, bytes + found.bytes());
            let (result, culprit) = hunt.search_from_any(&found);
            statistics.add(&hunt.numbers());
            if matches!(result, Ok(None)) {
                doubts = hunt.doubts;
            }
            match (result, culprit) {
                (Ok(Some(witness)), Some((id, trigger))) => {
                    evidence =
                        wants_run.then(|| leads_to_evidence(&mut explorer, &ways, id, &trigger, witness));
                    Outcome::Decided(false)
                }
                (Err(Interruption::Stopped(reason)), _) => Outcome::Stopped(reason),
                (Err(Interruption::Failed(failure, path)), culprit) => {
                    let mut way = None;
                    if let (Some((id, trigger)), Some(path), true) = (culprit, path, wants_run) {
                        let witness = Witness { path, finally: Vec::new(), ending: RunEnding::Goal };
                        way = leads_to_evidence(&mut explorer, &ways, id, &trigger, witness).ok();
                    }
                    failed(&failure, way)
                }
                _ => Outcome::Decided(true),
            }
        }
    };
    (Findings { outcome, statistics, evidence, doubts }, explorer.is_approximate())
}

/// The way to the trigger, then the run that never leads to q.
fn leads_to_evidence(
    explorer: &mut Explorer<'_>,
    ways: &Ways<'_>,
    id: StateId,
    trigger: &SymbolicState,
    witness: Witness,
) -> Result<Evidence, InternalError> {
    // The run goes on from somewhere in the trigger.
    let from = differences(trigger, &trigger.zone);
    let mut path = ways(id, &from, explorer)?;
    let prefix = path.len();
    let mut rest = witness.path;
    let mut finally = witness.finally;
    // The trigger holds at some moment before the first transition of the rest; asking for it at the transition itself would be too
    // much, so it is only asked for where the run ends there.
    if rest.is_empty() && finally.is_empty() {
        finally = differences(trigger, &trigger.zone);
    }
    path.append(&mut rest);
    let ending = match witness.ending {
        RunEnding::Loop(at) => RunEnding::Loop(at + prefix),
        other => other,
    };
    explorer.run_along(&path, &finally, false, ending)
}

/// Collects the reachable states with p and without q.
struct Triggers<'q, 'o, 'n> {
    p: &'q [Goal],
    q: &'q [Goal],
    test: GoalTest<'n>,
    found: SetAside<StateId>,
    observe: &'o mut ProgressObserver<'o>,
}

impl Watcher for Triggers<'_, '_, '_> {
    fn stored(&mut self, state: &SymbolicState, _part: Part) -> Result<bool, EvalError> {
        Ok(self.test.find(self.p, state)?.is_some())
    }

    fn examine(
        &mut self,
        id: StateId,
        state: &SymbolicState,
        _part: Part,
        explorer: &mut Explorer<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        let mut part = self.test.region(self.p, state).map_err(Failure::outside)?;
        part.intersect_zone(&state.zone);
        let answered = self.test.region(self.q, state).map_err(Failure::outside)?;
        part.subtract(&answered);
        for zone in part.into_zones() {
            let mut trigger = state.clone();
            trigger.zone = zone;
            self.found.push(explorer.packing(), &trigger, id);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn bytes(&self) -> usize {
        self.found.bytes()
    }

    fn progress(&mut self, progress: &Progress) {
        (self.observe)(progress);
    }
}
