//! Sets of states that contain all that can be reached, made for being checked by somebody else.
//!
//! A store whose zones are compared by simulation is not closed under transitions: what a state leads to is *simulated* by a stored state, not contained in one. So a set is made by an
//! exploration of its own. Every successor is widened (`Extra+_LU`, which goes no further than simulation does) and left out only if one stored zone includes it. At
//! the end every stored zone has been expanded, and its exact successors lie within their widened forms, which lie within stored zones.
//! The widened zones contain states that cannot be reached, but no goal among them, since the constants of goals count as bounds.
//!
//! Whether a state is deadlocked is more than simulation preserves. There zones can be widened by `Extra+_M`, no further than bisimulation allows. Often no state of the coarse zones is deadlocked either, and then that set is as good; whoever checks it knows.
//! Symmetry, slicing and dead ends are left out: the set is one of states of the network, and all of them.

use crate::configuration::Configuration;
use crate::frontier::Order;
use crate::job::{Job, Lookout};
use crate::reach::{End, Search};
use guidepost_answer::{
    ClockBound, Inducing, Induction, InductiveSet, Limits, Progress, Reductions, StopReason, Unsupported,
    VisitStates,
};
use guidepost_explore::{
    Explorer, Extrapolation, GoalTest, StateId, Subsumption, SymbolicState, ZoneAbstraction,
};
use guidepost_network::{Goal, Network};

/// What widens zones no further than bisimulation allows, and compares them by inclusion.
pub(crate) const EXACT: ZoneAbstraction =
    ZoneAbstraction { extrapolation: Extrapolation::MPlus, ..ZoneAbstraction::BISIMULATION };

/// Makes a set by exploring all states that can be reached, and some more.
pub struct InductiveExploration<'n, 'q> {
    /// `None` when it is over.
    search: Option<Search<'n>>,
    network: &'n Network,
    jobs: Vec<Job<'q>>,
}

impl<'n, 'q> InductiveExploration<'n, 'q> {
    /// Nothing is explored yet. Goals about `deadlock` are not for it.
    ///
    /// # Errors
    /// When the network cannot be explored with zones.
    pub fn new(network: &'n Network, goals: &'q [Goal], limits: &Limits) -> Result<Self, Unsupported> {
        debug_assert!(goals.iter().all(|goal| goal.deadlock.is_none()), "zones are too coarse for deadlocks");
        Self::with(coarse(), network, goals, limits)
    }

    fn with(
        abstraction: ZoneAbstraction,
        network: &'n Network,
        goals: &'q [Goal],
        limits: &Limits,
    ) -> Result<Self, Unsupported> {
        let all: Vec<&Goal> = goals.iter().collect();
        let explorer = Explorer::new(network, &all, abstraction)?;
        let search = Search::new(explorer, Order::BreadthFirst, limits).reduced(REDUCTIONS);
        Ok(Self { search: Some(search), network, jobs: vec![Job::seeking(goals)] })
    }
}

/// Whatever leaves states out is left out.
pub(crate) const REDUCTIONS: Reductions = Reductions { order: true, ..Reductions::NONE };

impl<'n> Inducing<'n> for InductiveExploration<'n, '_> {
    fn advance(
        &mut self,
        effort: u64,
        beside: usize,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Option<Induction<'n>> {
        let mut search = self.search.take()?;
        search.count_beside(0, beside);
        let jobs = std::mem::take(&mut self.jobs);
        let mut lookout = Lookout { jobs, test: GoalTest::new(self.network), observe: Some(observe) };
        let end = search.advance(&mut lookout, effort);
        self.jobs = lookout.jobs;
        Some(match end {
            None => {
                self.search = Some(search);
                return None;
            }
            Some(End::Exhausted) => Induction::Closed(Box::new(Explored { search })),
            Some(End::Satisfied) => Induction::Reached,
            Some(End::Stopped(reason)) => Induction::Stopped(reason),
            Some(End::Failed(_, failure)) => Induction::Failed(failure.error),
        })
    }

    fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.usage().1)
    }
}

/// How far zones are widened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widening {
    /// No further than simulation allows: a set without a goal, unless that is about `deadlock`.
    Simulation,
    /// No further than bisimulation allows.
    Bisimulation,
}

/// As [`InductiveExploration`], without a pause.
///
/// # Errors
/// When the network cannot be explored with zones.
pub fn inductive_set<'n>(
    network: &'n Network,
    goals: &[Goal],
    widening: Widening,
    limits: &Limits,
    observe: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Induction<'n>, Unsupported> {
    let abstraction = match widening {
        Widening::Simulation => coarse(),
        Widening::Bisimulation => EXACT,
    };
    let mut exploration = InductiveExploration::with(abstraction, network, goals, limits)?;
    let made = exploration.advance(u64::MAX, 0, observe);
    Ok(made.unwrap_or(Induction::Stopped(StopReason::Incomplete)))
}

/// What widens zones no further than simulation allows.
fn coarse() -> ZoneAbstraction {
    ZoneAbstraction {
        extrapolation: Extrapolation::LuPlus,
        subsumption: Subsumption::Inclusion,
        ..Configuration::default().reachability()
    }
}

/// What an exploration has stored.
struct Explored<'n> {
    search: Search<'n>,
}

impl InductiveSet for Explored<'_> {
    fn visit(&mut self, visit: &mut VisitStates<'_>) {
        let Search { explorer, store, .. } = &mut self.search;
        for id in (0..store.len() as u32).map(StateId).filter(|&id| store.is_alive(id)) {
            store.load(id, explorer);
            let state = explorer.source();
            visit(&state.cells, &bounds(state), 0);
        }
    }
}

/// What the zone of a state demands of clocks.
pub(crate) fn bounds(state: &SymbolicState) -> Vec<ClockBound> {
    let mut minimal = Vec::new();
    state.zone.minimal_form(&mut minimal);
    let clock = |place: u16| state.clocks[place as usize];
    let bounds = minimal.iter().map(|constraint| {
        let bound = constraint.bound;
        (clock(constraint.left), clock(constraint.right), bound.constant(), bound.is_strict())
    });
    bounds.collect()
}
