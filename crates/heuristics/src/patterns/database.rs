//! The pattern database: for every state of an abstraction, how far it is to the goal.
//!
//! A look-up projects a state to the kept cells and finds the abstract states with the same cells. Whatever the state can do, *every* abstract state that
//! covers it can do in as many steps or fewer, so the distance of each of them is a lower bound, and the largest is the best. There is one: the exploration of the
//! abstraction has gone the state's way, and where it stopped, it had found a covering state. (Unless the search widens zones, or diagonal constraints
//! split them: then no single abstract state may cover the whole state, and the smallest distance of all with the same cells is taken.) A state that finds
//! no abstract state, or whose bound is infinite, is a dead end.

use super::cover::CoverTest;
use super::space::{AbstractTransition, PartClocks, Space};
use crate::Estimate;
use guidepost_abstraction::AbstractNetwork;
use guidepost_explore::{Packing, SymbolicState, hash_packed};
use guidepost_network::ClockId;
use guidepost_zones::{Bound, LuBounds, Zone};
use hashbrown::HashTable;
use std::collections::VecDeque;

const UNREACHED: u32 = u32::MAX;

/// The distances of an abstraction.
pub(super) struct Database {
    hidden_cells: Vec<(u32, i32)>,
    packing: Packing,
    table: HashTable<u32>,
    packed: Vec<u32>,
    parts: Vec<Part>,
    /// By discrete part.
    clocks: Vec<PartClocks>,
    /// Distance and place of the zone, discrete part by discrete part, nearest first.
    entries: Vec<(u32, usize)>,
    bounds: Vec<Bound>,
    cells: Vec<i32>,
    words: Vec<u32>,
    probe: Zone,
    places: Vec<usize>,
    test: CoverTest,
}

/// What is known of one discrete part.
#[derive(Clone, Copy, Debug)]
struct Part {
    entries: (u32, u32),
    /// All zones have the same distance, so none needs to be looked at.
    is_uniform: bool,
}

impl Database {
    /// Arranges distances for look-ups.
    pub(super) fn new(abstraction: &AbstractNetwork, space: Space, distances: &[u32]) -> Self {
        let mut lists: Vec<Vec<(u32, usize)>> = vec![Vec::new(); space.clocks.len()];
        for (state, &distance) in space.states.iter().zip(distances) {
            lists[state.discrete as usize].push((distance, state.zone));
        }
        let (mut entries, mut parts) = (Vec::new(), Vec::new());
        for mut list in lists {
            list.sort_unstable();
            let distance = |entry: Option<&(u32, usize)>| entry.map(|(distance, _)| *distance);
            let is_uniform = distance(list.first()) == distance(list.last());
            let from = entries.len() as u32;
            entries.extend(list);
            parts.push(Part { entries: (from, entries.len() as u32), is_uniform });
        }
        debug_assert_eq!(entries.len(), space.states.len(), "every state is in one list");
        Self {
            hidden_cells: abstraction.hidden_cells().to_vec(),
            words: vec![0; space.packing.words()],
            packing: space.packing,
            table: space.table,
            packed: space.packed,
            parts,
            clocks: space.clocks,
            entries,
            bounds: space.bounds,
            cells: Vec::new(),
            probe: Zone::zero(1),
            places: Vec::new(),
            test: space.test,
        }
    }

    /// Whether zones never make a difference.
    pub(super) fn is_discrete(&self) -> bool {
        self.parts.iter().all(|part| part.is_uniform)
    }

    /// The distance of a state in the abstraction.
    pub(super) fn look_up(&mut self, state: &SymbolicState) -> Estimate {
        self.cells.clone_from(&state.cells);
        for &(cell, value) in &self.hidden_cells {
            self.cells[cell as usize] = value;
        }
        self.packing.pack(&self.cells, &mut self.words);
        let size = self.packing.words();
        let same = |&id: &u32| self.packed[id as usize * size..(id as usize + 1) * size] == self.words[..];
        let Some(&id) = self.table.find(hash_packed(&self.words), same) else { return Estimate::DEAD_END };
        let part = self.parts[id as usize];
        debug_assert!(part.entries.0 < part.entries.1, "no discrete part without a state");
        let (from, to) = (part.entries.0 as usize, part.entries.1 as usize);
        if part.is_uniform {
            return estimate(self.entries[from].0);
        }
        self.set_probe(state, id as usize);
        let size = self.probe.entries().len();
        let covering = self.entries[from..to]
            .iter()
            .rev()
            .find(|(_, zone)| self.test.is_covered_by(&self.bounds[*zone..zone + size]));
        estimate(covering.unwrap_or(&self.entries[from]).0)
    }

    /// Prepares the state's zone over the clocks of the abstraction. A clock that does not matter in the state may have any value.
    fn set_probe(&mut self, state: &SymbolicState, part: usize) {
        let PartClocks { clocks, lower, upper } = &self.clocks[part];
        self.places.clear();
        self.places.extend(clocks.iter().map_while(|&clock| state.place(ClockId(clock))));
        self.probe.reshape(clocks.len());
        if self.places.len() == clocks.len() {
            state.zone.extract(&self.places, &mut self.probe);
        } else {
            self.probe.set_universe();
            for (i, &left) in clocks.iter().enumerate() {
                let Some(left) = state.place(ClockId(left)) else { continue };
                for (j, &right) in clocks.iter().enumerate() {
                    if let Some(right) = state.place(ClockId(right)) {
                        self.probe.set(i, j, state.zone.get(left, right));
                    }
                }
            }
            self.probe.close();
        }
        self.test.set(&self.probe, LuBounds { lower, upper });
    }
}

/// A distance of the table as an estimate.
pub(super) fn estimate(distance: u32) -> Estimate {
    if distance == UNREACHED { Estimate::DEAD_END } else { Estimate::steps(distance) }
}

/// The distance of every state to the goal, when transitions cost 0 or 1; `u32::MAX` where there is no way.
pub(super) fn distances(space: &Space, cost: impl Fn(&AbstractTransition) -> u32) -> Vec<u32> {
    let states = space.states.len();
    let mut starts = vec![0_u32; states + 1];
    for transition in &space.transitions {
        starts[transition.to as usize + 1] += 1;
    }
    for state in 0..states {
        starts[state + 1] += starts[state];
    }
    let mut fill = starts.clone();
    let mut into = vec![0_u32; space.transitions.len()];
    for (index, transition) in (0..).zip(&space.transitions) {
        let slot = &mut fill[transition.to as usize];
        into[*slot as usize] = index;
        *slot += 1;
    }
    let mut distance = vec![UNREACHED; states];
    let mut open = VecDeque::new();
    for (state, _) in (0..).zip(&space.is_goal).filter(|(_, goal)| **goal) {
        distance[state as usize] = 0;
        open.push_back((state, 0));
    }
    while let Some((state, known)) = open.pop_front() {
        if distance[state as usize] < known {
            continue;
        }
        for &index in &into[starts[state as usize] as usize..starts[state as usize + 1] as usize] {
            let transition = &space.transitions[index as usize];
            let step = if transition.leader.is_some() { cost(transition) } else { 0 };
            let through = known + step;
            let from = &mut distance[transition.from as usize];
            if through < *from {
                *from = through;
                if step == 0 {
                    open.push_front((transition.from, through));
                } else {
                    open.push_back((transition.from, through));
                }
            }
        }
    }
    debug_assert!((0..).zip(&space.is_goal).all(|(state, goal): (usize, _)| !goal || distance[state] == 0));
    debug_assert!(
        space.transitions.iter().all(|transition| {
            let step = if transition.leader.is_some() { cost(transition) } else { 0 };
            let (from, to) = (distance[transition.from as usize], distance[transition.to as usize]);
            from <= to.saturating_add(step)
        }),
        "no transition leads nearer to the goal than it costs"
    );
    distance
}
