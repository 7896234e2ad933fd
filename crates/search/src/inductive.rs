//! Sets of states that contain all that can be reached, made for being checked by somebody else.
//!
//! A store whose zones are compared by simulation is not closed under transitions: what a state leads to is *simulated* by a stored state, not contained in one. So a set is made by an
//! exploration of its own. Every successor is widened (`Extra+_LU`, which goes no further than simulation does) and left out only if one stored zone includes it. At
//! the end every stored zone has been expanded, and its exact successors lie within their widened forms, which lie within stored zones.
//! The widened zones contain states that cannot be reached, but no goal among them, since the constants of goals count as bounds.
//!
//! Whether a state is deadlocked is more than simulation preserves, so there zones are widened by `Extra+_M`. Symmetry, slicing and dead ends are left out: the set is
//! one of states of the network, and all of them.

use crate::ProgressObserver;
use crate::configuration::Configuration;
use crate::frontier::Order;
use crate::job::{Job, Lookout};
use crate::reach::{End, Search};
use guidepost_answer::{ClockBound, Induction, InductiveSet, Limits, Reductions, Unsupported};
use guidepost_explore::{Explorer, Extrapolation, GoalTest, StateId, Subsumption, ZoneAbstraction};
use guidepost_network::{CompiledQuery, Goal, Network};

/// What an exploration has stored.
struct Explored<'n> {
    search: Search<'n>,
}

/// Explores all states that can be reached, and some more, for a question about reachability; `None` for other questions.
///
/// # Errors
/// When the network cannot be explored with zones.
pub fn inductive_set<'n>(
    network: &'n Network,
    query: &CompiledQuery,
    limits: &Limits,
    observe: &mut ProgressObserver<'_>,
) -> Option<Result<Induction<'n>, Unsupported>> {
    let job = Job::new(0, query)?;
    let goals: Vec<&Goal> = job.goals.iter().collect();
    let explorer = match Explorer::new(network, &goals, abstraction(&job)) {
        Ok(explorer) => explorer,
        Err(reason) => return Some(Err(reason)),
    };
    let mut lookout = Lookout { jobs: vec![job], test: GoalTest::new(network), observe: Some(observe) };
    let reductions = Reductions { order: true, ..Reductions::NONE };
    let mut search = Search::new(explorer, Order::BreadthFirst, limits).reduced(reductions);
    Some(Ok(match search.run(&mut lookout) {
        End::Exhausted => Induction::Closed(Box::new(Explored { search })),
        End::Satisfied => Induction::Reached,
        End::Stopped(reason) => Induction::Stopped(reason),
        End::Failed(_, failure) => Induction::Failed(failure.error),
    }))
}

fn abstraction(job: &Job<'_>) -> ZoneAbstraction {
    if job.goals.iter().any(|goal| goal.deadlock.is_some()) {
        return ZoneAbstraction { extrapolation: Extrapolation::MPlus, ..ZoneAbstraction::BISIMULATION };
    }
    ZoneAbstraction {
        extrapolation: Extrapolation::LuPlus,
        subsumption: Subsumption::Inclusion,
        ..Configuration::default().reachability()
    }
}

impl InductiveSet for Explored<'_> {
    fn visit(&mut self, visit: &mut dyn FnMut(&[i32], &[ClockBound])) {
        let Search { explorer, store, .. } = &mut self.search;
        let (mut minimal, mut bounds) = (Vec::new(), Vec::new());
        for id in (0..store.len() as u32).map(StateId).filter(|&id| store.is_alive(id)) {
            store.load(id, explorer);
            let state = explorer.source();
            state.zone.minimal_form(&mut minimal);
            bounds.clear();
            bounds.extend(minimal.iter().map(|constraint| {
                let clock = |place: u16| state.clocks[place as usize];
                let bound = constraint.bound;
                (clock(constraint.left), clock(constraint.right), bound.constant(), bound.is_strict())
            }));
            visit(&state.cells, &bounds);
        }
    }
}
