//! A finite automaton: one cell of the state, or the product of several, shrunk.
//!
//! Transitions are kept by *class*: labels with the same transitions in this automaton share one relation. A label that is of no concern to an automaton has
//! no class there; it leaves every state as it is.

use crate::factored::Relation;
use std::collections::VecDeque;

/// A state that does not exist any more: it cannot be reached, or no goal can be reached from it.
pub(super) const PRUNED: u32 = u32::MAX;
/// The distance of what cannot be reached.
pub(super) const UNREACHABLE: u32 = u32::MAX;

/// How the labels of a class are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    /// By some step.
    pub(super) steps: bool,
    /// By some goal: a state with a transition is a goal as far as this automaton knows.
    pub(super) goals: bool,
}

/// An automaton.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    pub(super) states: usize,
    pub(super) initial: u32,
    /// By class.
    pub(super) relations: Vec<Relation>,
    /// By state: steps to the nearest goal.
    pub(super) to_goal: Vec<u32>,
    /// By state: steps from the initial state.
    pub(super) from_initial: Vec<u32>,
    /// Its table.
    pub(super) table: usize,
}

impl Automaton {
    pub(super) fn new(states: usize, initial: u32, relations: Vec<Relation>, table: usize) -> Self {
        Self { states, initial, relations, to_goal: Vec::new(), from_initial: Vec::new(), table }
    }

    /// How many transitions there are.
    pub(super) fn transitions(&self) -> usize {
        self.relations.iter().map(Vec::len).sum()
    }

    /// Computes distances. Every state is a goal if some goal is of no concern here.
    pub(super) fn measure(&mut self, usage: &[Usage], every_state_is_goal: bool) {
        let steps: Vec<(u32, u32)> = (self.relations.iter().zip(usage))
            .filter(|(_, usage)| usage.steps)
            .flat_map(|(relation, _)| relation.iter().copied())
            .collect();
        let mut is_goal = vec![every_state_is_goal; self.states];
        for (relation, _) in self.relations.iter().zip(usage).filter(|(_, usage)| usage.goals) {
            for &(from, _) in relation {
                is_goal[from as usize] = true;
            }
        }
        let goals = (0..self.states as u32).filter(|&state| is_goal[state as usize]);
        self.to_goal = distances(self.states, goals, steps.iter().map(|&(from, to)| (to, from)));
        self.from_initial = distances(
            self.states,
            (0..self.states as u32).filter(|&state| state == self.initial),
            steps.iter().copied(),
        );
    }

    /// The states worth keeping, renumbered, and how many they are; `None` if that is all of them. There is always one.
    pub(super) fn useful(&self) -> Option<(Vec<u32>, usize)> {
        let mut count = 0;
        let map: Vec<u32> = (0..self.states)
            .map(|state| {
                let is_useful = self.to_goal[state] != UNREACHABLE && self.from_initial[state] != UNREACHABLE;
                count += usize::from(is_useful);
                if is_useful { count as u32 - 1 } else { PRUNED }
            })
            .collect();
        (count < self.states).then_some((map, count))
    }

    /// Replaces every state by its image; states without one vanish.
    pub(super) fn map(&mut self, map: &[u32], states: usize) {
        for relation in &mut self.relations {
            for pair in relation.iter_mut() {
                *pair = (map[pair.0 as usize], map[pair.1 as usize]);
            }
            relation.retain(|&(from, to)| from != PRUNED && to != PRUNED);
            relation.sort_unstable();
            relation.dedup();
        }
        self.initial = map[self.initial as usize];
        debug_assert!(
            self.relations.iter().flatten().all(|&(from, to)| (from.max(to) as usize) < states),
            "images are states"
        );
        self.states = states;
    }

    /// Whether a relation leaves every state as it is.
    pub(super) fn is_identity(&self, relation: &[(u32, u32)]) -> bool {
        relation.len() == self.states && relation.iter().all(|(from, to)| from == to)
    }
}

/// Breadth-first search from some states along some arcs.
fn distances(
    states: usize,
    from: impl Iterator<Item = u32>,
    arcs: impl Iterator<Item = (u32, u32)> + Clone,
) -> Vec<u32> {
    let next = Arcs::new(states, arcs);
    let mut distance = vec![UNREACHABLE; states];
    let mut queue: VecDeque<u32> = from.collect();
    for &state in &queue {
        distance[state as usize] = 0;
    }
    while let Some(state) = queue.pop_front() {
        for &to in next.of(state) {
            if distance[to as usize] == UNREACHABLE {
                distance[to as usize] = distance[state as usize] + 1;
                queue.push_back(to);
            }
        }
    }
    debug_assert!(
        (0..states as u32).all(|state| {
            let reach = distance[state as usize].saturating_add(1);
            next.of(state).iter().all(|&to| distance[to as usize] <= reach)
        }),
        "no arc is a short cut"
    );
    distance
}

/// Items by state, end to end in one vector; in the order in which they were given.
#[derive(Debug)]
pub(super) struct Arcs<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Arcs<T> {
    pub(super) fn new(states: usize, arcs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0_u32; states + 1];
        for (state, _) in arcs.clone() {
            starts[state as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut items = vec![T::default(); starts[states] as usize];
        let mut place = starts.clone();
        for (state, item) in arcs {
            items[place[state as usize] as usize] = item;
            place[state as usize] += 1;
        }
        Self { starts, items }
    }

    #[inline]
    pub(super) fn of(&self, state: u32) -> &[T] {
        &self.items[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }
}
