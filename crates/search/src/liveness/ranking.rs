//! A proof that something happens on every run, made for being checked by somebody else.
//!
//! The hunt for a maximal run without it ends without success exactly when there is none. Then the states that it has visited are a proof: whatever follows one of them was visited before it came to its end, so ranks can be
//! given such that every transition leads to a smaller one; in none of them time can pass for ever, and none is stuck. As for [reachability](crate::inductive), zones are compared by inclusion, so that what
//! follows a state lies within a visited one. They are widened no further than bisimulation allows, since it matters what is *not* possible.

use super::hunt::{Hunt, Interruption, Rank, Visited};
use super::{Search, Triggers};
use crate::frontier::Order;
use crate::inductive::{EXACT, REDUCTIONS, bounds};
use crate::reach::End;
use guidepost_answer::{Induction, InductiveSet, Limits, Progress, Unsupported, VisitStates};
use guidepost_explore::{Explorer, GoalTest, SetAside, StateId, Store};
use guidepost_network::{Goal, Network, Predicate, Question};
use std::time::Instant;

/// Who hears of progress.
type Observe<'o> = dyn FnMut(&Progress) + Send + 'o;

/// Makes a set with ranks for a question about what happens on every run; `None` for other questions.
///
/// # Errors
/// When the network cannot be explored with zones.
pub fn ranked_set<'n>(
    network: &'n Network,
    question: &Question,
    limits: &Limits,
    observe: &mut Observe<'_>,
) -> Option<Result<Induction<'n>, Unsupported>> {
    let goals: Vec<&Goal> =
        question.predicates().into_iter().flat_map(|p| p.goals.iter().chain(&p.negation)).collect();
    let explorer = || Explorer::new(network, &goals, EXACT);
    Some(match question {
        Question::PotentiallyAlways(p) => {
            explorer().map(|explorer| from_start(explorer, &p.negation, limits, observe))
        }
        Question::Eventually(p) => explorer().map(|explorer| from_start(explorer, &p.goals, limits, observe)),
        Question::LeadsTo(p, q) => explorer().map(|explorer| after(explorer, p, q, limits, observe)),
        _ => return None,
    })
}

fn from_start<'n>(
    mut explorer: Explorer<'n>,
    awaited: &[Goal],
    limits: &Limits,
    observe: &mut Observe<'_>,
) -> Induction<'n> {
    let mut observe = |progress: &Progress| observe(progress);
    let mut hunt = Hunt::new(&mut explorer, awaited, limits, &mut observe);
    let found = hunt.search_from_start().map(|witness| witness.is_some());
    let waiting = hunt.into_visited();
    ended(found, Ranked { explorer, idle: None, waiting })
}

/// All states that can be reached, and those that wait for q after p.
fn after<'n>(
    explorer: Explorer<'n>,
    p: &Predicate,
    q: &Predicate,
    limits: &Limits,
    observe: &mut Observe<'_>,
) -> Induction<'n> {
    let begin = Instant::now();
    let mut observe = |progress: &Progress| observe(progress);
    let (test, found) = (GoalTest::new(explorer.network()), SetAside::new(explorer.packing()));
    let mut triggers = Triggers { p: &p.goals, q: &q.goals, test, found, observe: &mut observe };
    let mut search = Search::new(explorer, Order::BreadthFirst, limits).reduced(REDUCTIONS);
    match search.run(&mut triggers) {
        End::Stopped(reason) => return Induction::Stopped(reason),
        End::Failed(_, failure) => return Induction::Failed(failure.error),
        End::Satisfied | End::Exhausted => {}
    }
    let Triggers { found, observe, .. } = triggers;
    let (mut explorer, trail) = search.into_trail();
    let limits = limits.left_since(begin);
    let mut hunt = Hunt::new(&mut explorer, &q.goals, &limits, observe);
    hunt.count_beside(0, trail.store.bytes() + found.bytes());
    let result = hunt.search_from_any(&found).0.map(|witness| witness.is_some());
    let waiting = hunt.into_visited();
    ended(result, Ranked { explorer, idle: Some(trail.store), waiting })
}

/// What a hunt came to: whether it found a run, or why it ended.
fn ended(found: Result<bool, Interruption>, set: Ranked<'_>) -> Induction<'_> {
    match found {
        Ok(false) => Induction::Closed(Box::new(set)),
        Ok(true) => Induction::Reached,
        Err(Interruption::Stopped(reason)) => Induction::Stopped(reason),
        Err(Interruption::Failed(failure, _)) => Induction::Failed(failure.error),
    }
}

/// What the search and the hunt have stored.
struct Ranked<'n> {
    explorer: Explorer<'n>,
    /// All reachable states, if something is awaited after some of them only.
    idle: Option<Store>,
    waiting: Store<Rank, Visited>,
}

impl InductiveSet for Ranked<'_> {
    fn visit(&mut self, visit: &mut VisitStates<'_>) {
        let Self { explorer, idle, waiting } = self;
        if let Some(store) = idle {
            for id in (0..store.len() as u32).map(StateId).filter(|&id| store.is_alive(id)) {
                store.load(id, explorer);
                visit(&explorer.source().cells, &bounds(explorer.source()), 0);
            }
        }
        for id in (0..waiting.len() as u32).map(StateId) {
            waiting.load(id, explorer);
            visit(&explorer.source().cells, &bounds(explorer.source()), *waiting.payload(id));
        }
    }
}
