//! `lm`: facts that every run to the goal has to pass (Hoffmann, Porteous, Sebastia 2004; all of them at once: Zhu, Givan 2003, and Keyder, Richter, Helmert 2010).
//!
//! In the relaxed task, what has to be passed on the way to a fact follows from what has to be passed on the way to others: to every operator that
//! makes the fact, everything that one of its needs has to pass; to the fact, what *all* of these operators have in common, and the fact itself. That is
//! a system of equations over sets, and its greatest solution is exact: with it, a fact is in the set of the goal if and only if the goal could not be reached without it. So nothing has
//! to be removed by way of trial, and the sets depend on the state alone, whatever its history. They also have an order: what is in the set of a landmark has to be passed
//! before it.
//!
//! The estimate is the number of landmarks of the goal that do not hold yet: locations, values, and conditions (one of several locations or values) none of whose members is a landmark itself. One
//! transition can make several of them, and some may hold by themselves later, so it is not admissible. A transition that makes one of them at once is preferred.

use super::{FILLED_AT_ONCE, Relaxed, TOUCHES};
use crate::monotonicity::RelaxedSolution;
use crate::{EdgeMask, Estimate, Heuristic, Preparation};
use guidepost_answer::Landmark;
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, LocationId, Network, ProcessId, VarId};
use std::collections::VecDeque;

/// So many facts can be landmarks; locations come before values, and values before conditions.
const TRACKED: usize = 2048;
const NONE: u32 = u32::MAX;

/// `lm`, or `hu` where there are too many operators for it.
pub(crate) fn bind<'n>(
    network: &'n Network,
    goals: &[Goal],
    preparation: &mut Preparation<'_>,
) -> Box<dyn Heuristic + 'n> {
    match Relaxed::new(network, goals, preparation) {
        Ok(task) => {
            let mut landmarks = Landmarks::new(task);
            let list = landmarks.on_the_way(network, &network.initial_cells());
            preparation.show_landmarks(list);
            Box::new(landmarks)
        }
        Err(exceeded) => {
            preparation.note(format!("no landmarks ({exceeded}); `hu` is used instead"));
            Box::new(RelaxedSolution::new(network, goals, preparation.deadline()))
        }
    }
}

pub(crate) struct Landmarks {
    task: Relaxed,
    /// By fact: its bit, or [`NONE`].
    bits: Vec<u32>,
    /// By bit: the fact.
    tracked: Vec<u32>,
    words: usize,
    /// By fact: the bits of what has to be passed on the way to it; of meaning only where it is reached.
    sets: Vec<u64>,
    reached: Vec<bool>,
    /// By operator: needs that are not reached.
    missing: Vec<u16>,
    /// Operators whose needs have changed.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    facts: Vec<u32>,
    /// By fact: whether it holds in the state.
    holds: Vec<bool>,
    /// Work space.
    passed: Vec<u64>,
    masked: Vec<bool>,
    touched: u64,
    patience: u64,
}

impl Landmarks {
    pub(crate) fn new(task: Relaxed) -> Self {
        let is_made = |fact: &u32| !task.made_by.row(*fact as usize).is_empty();
        let values = (0..task.values() as u32).filter(is_made);
        let conditions = task.conditions.iter().map(|&(condition, _)| condition).filter(is_made);
        let tracked: Vec<u32> = values.chain(conditions).take(TRACKED).collect();
        let mut bits = vec![NONE; task.facts];
        for (bit, &fact) in (0..).zip(&tracked) {
            bits[fact as usize] = bit;
        }
        let words = tracked.len().div_ceil(64);
        Self {
            bits,
            words,
            sets: vec![0; words * task.facts],
            reached: vec![false; task.facts],
            missing: vec![0; task.costs.len()],
            queue: VecDeque::new(),
            is_queued: vec![false; task.costs.len()],
            facts: Vec::new(),
            holds: vec![false; task.facts],
            passed: vec![0; words],
            masked: Vec::new(),
            touched: 0,
            patience: u64::MAX,
            tracked,
            task,
        }
    }

    /// Solves the equations for a state; `None` when that takes too long, and false when the goal cannot be reached.
    fn solve(&mut self, cells: &[i32]) -> Option<bool> {
        let mut facts = std::mem::take(&mut self.facts);
        let is_known = self.task.facts_of(cells, &mut facts);
        self.facts = facts;
        if !is_known {
            return None;
        }
        self.start();
        while let Some(operator) = self.queue.pop_front() {
            self.is_queued[operator as usize] = false;
            self.take(operator);
            if self.effort() >= self.patience {
                return None;
            }
        }
        Some(self.reached[self.task.goal as usize])
    }

    fn start(&mut self) {
        while let Some(operator) = self.queue.pop_front() {
            self.is_queued[operator as usize] = false;
        }
        self.reached.fill(false);
        self.holds.fill(false);
        for (operator, missing) in self.missing.iter_mut().enumerate() {
            let is_masked = self.masked.get(operator).is_some_and(|masked| *masked);
            *missing = self.task.needs.row(operator).len() as u16 + u16::from(is_masked);
        }
        self.touched += (2 * self.reached.len() + 2 * self.missing.len()) as u64 / FILLED_AT_ONCE;
        for place in 0..self.facts.len() {
            let fact = self.facts[place] as usize;
            self.sets[fact * self.words..(fact + 1) * self.words].fill(0);
            self.holds[fact] = true;
            self.reached[fact] = true;
            self.count_down(fact);
        }
    }

    /// A fact is reached for the first time.
    fn count_down(&mut self, fact: usize) {
        for &operator in self.task.needed_by.row(fact) {
            self.touched += 1;
            let missing = &mut self.missing[operator as usize];
            *missing -= 1;
            if *missing == 0 {
                self.is_queued[operator as usize] = true;
                self.queue.push_back(operator);
            }
        }
    }

    /// Looks at what an operator makes: that has to pass only what all of its makers have to.
    fn take(&mut self, operator: u32) {
        let words = self.words;
        self.passed.fill(0);
        for &fact in self.task.needs.row(operator as usize) {
            let set = &self.sets[fact as usize * words..(fact as usize + 1) * words];
            for (word, own) in self.passed.iter_mut().zip(set) {
                *word |= own;
            }
            self.touched += words as u64;
        }
        for place in 0..self.task.makes.row(operator as usize).len() {
            let fact = self.task.makes.row(operator as usize)[place] as usize;
            self.touched += words as u64;
            if self.holds[fact] {
                continue;
            }
            let set = &mut self.sets[fact * words..(fact + 1) * words];
            if std::mem::replace(&mut self.reached[fact], true) {
                let bit = self.bits[fact];
                let mut has_changed = false;
                for (at, (word, passed)) in set.iter_mut().zip(&self.passed).enumerate() {
                    let own = if bit != NONE && bit as usize / 64 == at { 1 << (bit % 64) } else { 0 };
                    let common = *word & (passed | own);
                    has_changed |= common != *word;
                    *word = common;
                }
                if has_changed {
                    self.requeue(fact);
                }
            } else {
                set.copy_from_slice(&self.passed);
                if self.bits[fact] != NONE {
                    set[self.bits[fact] as usize / 64] |= 1 << (self.bits[fact] % 64);
                }
                self.count_down(fact);
            }
        }
    }

    /// The operators that need a fact have to be looked at again.
    fn requeue(&mut self, fact: usize) {
        for &operator in self.task.needed_by.row(fact) {
            self.touched += 1;
            let place = operator as usize;
            if self.missing[place] == 0 && !std::mem::replace(&mut self.is_queued[place], true) {
                self.queue.push_back(operator);
            }
        }
    }

    fn has(&self, of: u32, fact: u32) -> bool {
        let bit = self.bits[fact as usize];
        bit != NONE && self.sets[of as usize * self.words + bit as usize / 64] >> (bit % 64) & 1 != 0
    }

    /// The landmarks of the goal: facts that do not hold yet, conditions only where they say something of their own.
    fn of_goal(&self) -> impl Iterator<Item = u32> + '_ {
        let goal = self.task.goal;
        let is_known = move |condition: u32| {
            let at = self.task.conditions.binary_search_by_key(&condition, |(condition, _)| *condition);
            at.is_ok_and(|at| {
                self.task.conditions[at]
                    .1
                    .iter()
                    .any(|&fact| self.holds[fact as usize] || self.has(goal, fact))
            })
        };
        self.tracked.iter().copied().filter(move |&fact| self.has(goal, fact) && !is_known(fact))
    }

    /// The landmarks of a state, in an order in which they can be passed.
    pub(crate) fn on_the_way(&mut self, network: &Network, cells: &[i32]) -> Vec<Landmark> {
        if self.solve(cells) != Some(true) {
            return Vec::new();
        }
        let mut list: Vec<u32> = self.of_goal().collect();
        let size = |fact: u32| {
            let set = &self.sets[fact as usize * self.words..(fact as usize + 1) * self.words];
            set.iter().map(|word| word.count_ones()).sum::<u32>()
        };
        // What has to be passed before another one has to pass less.
        list.sort_by_key(|&fact| (size(fact), fact));
        list.into_iter().map(|fact| self.describe(network, fact)).collect()
    }

    fn describe(&self, network: &Network, fact: u32) -> Landmark {
        let members = match self.task.conditions.binary_search_by_key(&fact, |(condition, _)| *condition) {
            Ok(at) => self.task.conditions[at].1.clone(),
            Err(_) => vec![fact],
        };
        let values = members.iter().filter_map(|&fact| self.task.value(fact));
        let cell = values.clone().next().map_or(0, |(cell, _)| cell);
        let values = values.map(|(_, value)| value);
        match cell.checked_sub(network.processes.len()) {
            None => Landmark::Location {
                process: ProcessId(cell as u32),
                locations: values.map(|value| LocationId(value as u32)).collect(),
            },
            Some(variable) => Landmark::Value { variable: VarId(variable as u32), values: values.collect() },
        }
    }

    fn within(&mut self, cells: &[i32], effort: u64) -> Option<Estimate> {
        self.patience = self.effort().saturating_add(effort);
        let solved = self.solve(cells);
        self.patience = u64::MAX;
        Some(if solved? { Estimate::steps(self.of_goal().count() as u32) } else { Estimate::DEAD_END })
    }

    /// Whether an operator can be taken in the state.
    fn is_possible(&self, operator: u32) -> bool {
        self.task.needs.row(operator as usize).iter().all(|&fact| {
            let at = self.task.conditions.binary_search_by_key(&fact, |(condition, _)| *condition);
            self.holds[fact as usize]
                || at.is_ok_and(|at| {
                    self.task.conditions[at].1.iter().any(|&member| self.holds[member as usize])
                })
        })
    }
}

impl Heuristic for Landmarks {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        self.within(&state.cells, u64::MAX).unwrap_or(Estimate::ZERO)
    }

    fn estimate_within(&mut self, state: &SymbolicState, effort: u64) -> Option<Estimate> {
        self.within(&state.cells, effort)
    }

    fn estimate_without(
        &mut self,
        state: &SymbolicState,
        edges: &EdgeMask,
        _bound: Estimate,
        effort: u64,
    ) -> Option<Estimate> {
        let mut masked = std::mem::take(&mut self.masked);
        self.task.mark_masked(edges, &mut masked);
        self.touched += masked.len() as u64;
        self.masked = masked;
        let estimate = self.within(&state.cells, effort);
        self.masked.clear();
        estimate
    }

    fn preferred(&self, edges: &mut EdgeMask) {
        for landmark in self.of_goal() {
            for &operator in self.task.made_by.row(landmark as usize) {
                if self.is_possible(operator) {
                    self.task.edges_of(operator).for_each(|edge| edges.insert(edge));
                }
            }
        }
    }

    fn effort(&self) -> u64 {
        self.touched / TOUCHES
    }
}
