//! `E[] p`, `A<> p` and `p --> q`: runs on which a condition holds forever.
//!
//! All three ask for a maximal run within a condition: `E[] p` for one within p, `A<> p` for none within `not p`, and `p --> q` for none within `not q` that
//! starts in a reachable state with p. A run is maximal if it is infinite, if time passes forever, or if nothing is possible any more. So a depth-first
//! search through the symbolic states within the condition looks for a cycle, for a state in which time can diverge, and for a state that is stuck.
//!
//! Zones are exact up to bisimulation (`Extra_M`). A cycle is closed only by an *equal* zone: a state that is merely included in one on
//! the path need not be able to go round again. A state that is included in one whose search ended without success is dropped: its runs are
//! among the other's. While time passes the condition has to hold as well, see [`Explorer::dwell`].

mod hunt;

use crate::configuration::Configuration;
use crate::evidence::{failed, failed_at, no_run, replayed};
use crate::frontier::Order;
use crate::reach::{End, Part, Search, Watcher};
use crate::{ENGINE, ProgressObserver};
use guidepost_answer::{
    Answer, Evidence, Exploration, InternalError, Method, Outcome, Progress, RunEnding, Statistics,
    Unsupported,
};
use guidepost_explore::{Explorer, Failure, GoalTest, SetAside, StateId, Store, SymbolicState, differences};
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
    let explorer = Explorer::new(network, &all, configuration.bisimulation())?;
    let (found, is_approximate) = match question {
        Question::PotentiallyAlways(p) => from_start(explorer, &p.negation, true, configuration, observe),
        Question::Eventually(p) => from_start(explorer, &p.goals, false, configuration, observe),
        Question::LeadsTo(p, q) => leads_to(explorer, p, q, configuration, observe),
        _ => unreachable!("only liveness questions come here"),
    };
    let method = Method::blind(ENGINE, Order::DepthFirst.name());
    let mut answer = Answer::new(found.outcome, method, Exploration(index), found.statistics);
    if let Some(evidence) = found.evidence {
        answer.attach(evidence);
    }
    answer.approximate = is_approximate && answer.outcome.is_decided();
    Ok(answer)
}

/// What a search for a maximal run came to.
struct Findings {
    outcome: Outcome<bool>,
    statistics: Statistics,
    evidence: Option<Result<Evidence, InternalError>>,
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
    let wants_run = configuration.wants_run();
    let mut evidence = None;
    let outcome = match result {
        Ok(None) => Outcome::Decided(!holds_if_found),
        Ok(Some(Witness { path, finally, ending })) => {
            evidence = wants_run.then(|| replayed(&mut explorer, &path, &finally, false, ending));
            Outcome::Decided(holds_if_found)
        }
        Err(Interruption::Stopped(reason)) => Outcome::Stopped(reason),
        Err(Interruption::Failed(failure, path)) => {
            let path = path.filter(|_| wants_run);
            let way = path.and_then(|path| replayed(&mut explorer, &path, &[], false, RunEnding::Goal).ok());
            failed(&failure, way)
        }
    };
    (Findings { outcome, statistics, evidence }, explorer.is_approximate())
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
    let mut search = Search::new(explorer, Order::BreadthFirst, &configuration.limits);
    let end = search.run(&mut triggers);
    let mut statistics = search.numbers();
    let Triggers { found, observe, .. } = triggers;
    let Search { mut explorer, store, .. } = search;
    let wants_run = configuration.wants_run();
    let mut evidence = None;
    let outcome = match end {
        End::Stopped(reason) => Outcome::Stopped(reason),
        End::Failed(state, failure) => {
            let ordinals = state.map(|state| store.ordinals(state));
            failed_at(&failure, ordinals.as_deref(), &mut explorer, wants_run)
        }
        End::Satisfied | End::Exhausted => {
            let limits = configuration.limits.left_since(begin);
            let mut hunt = Hunt::new(&mut explorer, &q.goals, &limits, observe);
            hunt.count_beside(0, store.bytes() + found.bytes());
            let (result, culprit) = hunt.search_from_any(&found);
            statistics.add(&hunt.numbers());
            match (result, culprit) {
                (Ok(Some(witness)), Some((id, trigger))) => {
                    evidence =
                        wants_run.then(|| leads_to_evidence(&mut explorer, &store, id, &trigger, witness));
                    Outcome::Decided(false)
                }
                (Err(Interruption::Stopped(reason)), _) => Outcome::Stopped(reason),
                (Err(Interruption::Failed(failure, path)), culprit) => {
                    let mut way = None;
                    if let (Some((id, trigger)), Some(path), true) = (culprit, path, wants_run) {
                        let witness = Witness { path, finally: Vec::new(), ending: RunEnding::Goal };
                        way = leads_to_evidence(&mut explorer, &store, id, &trigger, witness).ok();
                    }
                    failed(&failure, way)
                }
                _ => Outcome::Decided(true),
            }
        }
    };
    (Findings { outcome, statistics, evidence }, explorer.is_approximate())
}

/// The way to the trigger, then the run that never leads to q.
fn leads_to_evidence(
    explorer: &mut Explorer<'_>,
    store: &Store,
    id: StateId,
    trigger: &SymbolicState,
    witness: Witness,
) -> Result<Evidence, InternalError> {
    let mut path = explorer.path(&store.ordinals(id)).map_err(no_run)?;
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
    replayed(explorer, &path, &finally, false, ending)
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
