//! Search in the whole network, or in another abstraction, that is led along a run of an abstraction.
//!
//! The run of an abstraction is a sequence of transitions, some of whose participants are hidden. A run of the network *follows* it if it consists of these transitions, in
//! this order, and between them of others that the abstraction does not show. So a state is searched together with how many transitions of the run have been taken: a
//! transition either is the next one, or shows nothing. That is what the network would do together with a test automaton that runs along the abstract run, without building one; nothing
//! is left out that follows the run, so if the search ends without a goal, none does. It need not come to that: a search that takes much longer than finding the abstract run did is ended, and
//! what has to be shown is learned from the furthest states it has come to.

use crate::lazy::has_diagonals;
use guidepost_abstraction::AbstractNetwork;
use guidepost_answer::{StopReason, Watch};
use guidepost_explore::{Explorer, Failure, GoalTest, SymbolicState, effort};
use guidepost_network::{EdgeId, Goal, Network, Sync};
use guidepost_zones::Zone;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// A transition of the abstract run, in terms of the network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    /// The edges that are taken and can be seen.
    pub(crate) edges: Vec<EdgeId>,
}

/// A state that has been reached.
struct Reached {
    state: SymbolicState,
    parent: u32,
    /// Its number among the successors of its parent.
    ordinal: u32,
}

/// How the search ends.
pub(crate) enum Led {
    /// A goal: the successors that lead there, see [`Explorer::path`], and which goal it is.
    Found(Vec<u32>, SymbolicState, usize),
    /// The search has followed the abstract run for so many transitions and no further.
    Stuck(DeadEnd),
    Halted(Halt),
    Failed(Vec<u32>, Failure),
}

/// Why a search ends before its end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halt {
    /// A limit.
    Limit(StopReason),
    /// It is not its turn any more.
    Paused,
}

/// Where no way leads on.
pub(crate) struct DeadEnd {
    /// How many transitions of the abstract run lead there.
    pub(crate) at: usize,
    /// Some states from which the next one is not possible.
    pub(crate) states: Vec<SymbolicState>,
    /// Whether all ways were tried.
    pub(crate) is_certain: bool,
}

/// How many stuck states are kept.
const KEPT: usize = 200;
/// A step takes so many times what it takes a search that keeps its states packed.
const FOLLOWING: u64 = 3;

/// The search.
pub(crate) struct LedSearch<'s, 'n> {
    pub(crate) explorer: &'s mut Explorer<'n>,
    /// Where the search is, and what it looks for.
    pub(crate) network: &'n Network,
    pub(crate) goals: &'n [Goal],
    /// What that is an abstraction of, if it is one.
    pub(crate) original: Option<(&'s AbstractNetwork, &'s Network)>,
    /// By edge of the original: whether the abstraction that has the run shows it.
    pub(crate) is_shown: &'s [bool],
    pub(crate) stages: &'s [Stage],
    pub(crate) watch: &'s mut Watch,
    /// How many states may be expanded: where that is not enough, it is better to learn from how far it has come.
    pub(crate) patience: u64,
    /// The effort at which it has to pause.
    pub(crate) allowance: u64,
    pub(crate) done: Done,
}

/// What led searches have done.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Done {
    /// States that were expanded.
    pub(crate) explored: u64,
    /// States that were kept.
    pub(crate) stored: u64,
    /// All of it, see [`effort`].
    pub(crate) effort: u64,
}

impl Done {
    pub(crate) fn add(&mut self, other: Done) {
        self.explored += other.explored;
        self.stored += other.stored;
        self.effort += other.effort;
    }
}

impl LedSearch<'_, '_> {
    pub(crate) fn run(&mut self) -> Led {
        let mut test = GoalTest::new(self.network);
        let mut reached: Vec<Reached> = Vec::new();
        // By stage: the states that wait there.
        let mut open: Vec<Vec<u32>> = vec![Vec::new(); self.stages.len() + 1];
        let mut seen: FxHashMap<(usize, Vec<i32>), Vec<Zone>> = FxHashMap::default();
        let (mut bytes, mut generated) = (0, 0);
        let cells = self.explorer.packing().initial().len();
        let compares_clocks = has_diagonals(self.network, self.goals);
        let initial = match self.explorer.initial_states() {
            Ok(initial) => initial,
            Err(failure) => return Led::Failed(vec![0], failure),
        };
        let mut found: Vec<(SymbolicState, usize, u32, u32)> = Vec::new();
        found.extend((0..).zip(initial).map(|(ordinal, state)| (state, 0, u32::MAX, ordinal)));
        let (mut furthest, mut stuck) = (0, Vec::new());
        loop {
            for (state, stage, parent, ordinal) in found.drain(..) {
                let stage = self.skip_empty(stage);
                let zones = seen.entry((stage, state.cells.clone())).or_default();
                let covers = |zone: &Zone| {
                    if compares_clocks {
                        state.zone.is_subset(zone)
                    } else {
                        state.zone.is_subset_alu(zone, state.bounds())
                    }
                };
                if zones.iter().any(covers) {
                    continue;
                }
                bytes += 8 * state.zone.entries().len() + 12 * state.cells.len() + 200;
                zones.push(state.zone.clone());
                let number = reached.len() as u32;
                let goal = if stage == self.stages.len() { test.find(self.goals, &state) } else { Ok(None) };
                reached.push(Reached { state, parent, ordinal });
                self.done.stored += 1;
                match goal {
                    Ok(Some(goal)) => {
                        let state = reached[number as usize].state.clone();
                        return Led::Found(way(&reached, number), state, goal);
                    }
                    Ok(None) => open[stage].push(number),
                    Err(error) => return Led::Failed(way(&reached, number), Failure::outside(error)),
                }
            }
            // The furthest first.
            let Some((stage, number)) = (0..open.len()).rev().find_map(|at| Some((at, open[at].pop()?)))
            else {
                return Led::Stuck(DeadEnd { at: furthest, states: stuck, is_certain: true });
            };
            if let Some(reason) = self.watch.check(reached.len() as u64, || bytes) {
                return Led::Halted(Halt::Limit(reason));
            }
            self.done.effort = FOLLOWING * effort::of_steps(cells, self.done.explored, generated)
                + effort::of_entries(self.explorer.entries())
                + effort::of_instructions(self.explorer.machine().executed());
            if self.done.effort >= self.allowance {
                return Led::Halted(Halt::Paused);
            }
            if self.done.explored == self.patience {
                return Led::Stuck(DeadEnd { at: furthest, states: stuck, is_certain: false });
            }
            self.done.explored += 1;
            if stage > furthest {
                furthest = stage;
                stuck.clear();
            }
            let state = reached[number as usize].state.clone();
            let mut ordinal = 0;
            let (is_shown, wanted) = (self.is_shown, self.stages.get(stage));
            let (network, original) = (self.network, self.original);
            let expanded = self.explorer.expand(&state, &mut |successor, edges| {
                let next = match original {
                    None => next_stage(network, is_shown, wanted, edges),
                    Some((abstraction, network)) => {
                        next_stage(network, is_shown, wanted, &abstraction.taken(edges))
                    }
                };
                match next {
                    Next::Same => found.push((successor.clone(), stage, number, ordinal)),
                    Next::Following => found.push((successor.clone(), stage + 1, number, ordinal)),
                    Next::Elsewhere => {}
                }
                ordinal += 1;
                generated += 1;
                ControlFlow::Continue(())
            });
            if let Err(failure) = expanded {
                return Led::Failed(way(&reached, number), failure);
            }
            if stage == furthest && stuck.len() < KEPT {
                stuck.push(state);
            }
        }
    }

    /// Transitions that show nothing in the network are taken by doing nothing.
    fn skip_empty(&self, mut stage: usize) -> usize {
        while self.stages.get(stage).is_some_and(|stage| stage.edges.is_empty()) {
            stage += 1;
        }
        stage
    }
}

enum Next {
    /// The transition shows nothing.
    Same,
    /// It is the next one.
    Following,
    Elsewhere,
}

fn next_stage(network: &Network, is_shown: &[bool], wanted: Option<&Stage>, edges: &[EdgeId]) -> Next {
    let mut shown = edges.iter().filter(|edge| is_shown[edge.index()]).peekable();
    if shown.peek().is_none() {
        return Next::Same;
    }
    let Some(wanted) = wanted else { return Next::Elsewhere };
    let receives = |edge: &EdgeId| matches!(network.edges[edge.index()].sync, Sync::Receive(_));
    // The abstraction may let a receiver stay where it is that moves in the network.
    let is_next = wanted.edges.iter().all(|edge| edges.contains(edge))
        && shown.all(|edge| wanted.edges.contains(edge) || receives(edge));
    if is_next { Next::Following } else { Next::Elsewhere }
}

/// The numbers of successors from the initial state to a state.
fn way(reached: &[Reached], number: u32) -> Vec<u32> {
    let above = |&number: &u32| Some(reached[number as usize].parent).filter(|&parent| parent != u32::MAX);
    let mut ordinals: Vec<u32> =
        std::iter::successors(Some(number), above).map(|number| reached[number as usize].ordinal).collect();
    ordinals.reverse();
    ordinals
}
