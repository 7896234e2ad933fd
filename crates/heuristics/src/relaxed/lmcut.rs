//! `lmcut`: landmark cuts (Helmert, Domshlak: *Landmarks, Critical Paths and Abstractions: What's the Difference Anyway?*, 2009).
//!
//! Suppose that of everything an operator needs, only the fact that is most expensive to reach (its *supporter*) counts. Then solutions are paths from the state to the goal. Those
//! facts from which the goal can be reached for nothing are the *goal zone*; every path enters it by an operator of the *cut*, and each of these costs 1. So every solution
//! takes one of them: the cut is a landmark. It is counted, its operators become free, and the rest of the solution is looked at in the same way, until the goal is reached for
//! nothing. No operator counts twice, so the number of cuts never exceeds the number of transitions: it is admissible, and in practice close to the best that can be said
//! of a system in which nothing is ever lost. It is never below `hl`, as far as both see the same conditions.
//!
//! **Incremental.** Between two cuts only costs of the operators in the first one change; so only facts that become cheaper by that are looked at again.
//!
//! It is not consistent: A* may have to expand states again.

use super::{FILLED_AT_ONCE, Relaxed, TOUCHES};
use crate::monotonicity::Layers;
use crate::{EdgeMask, Estimate, Heuristic, Preparation};
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Network};

const UNREACHED: u32 = u32::MAX;
const NOBODY: u32 = u32::MAX;

/// `lmcut`, or `hl` where there are too many operators for it.
pub(crate) fn bind<'n>(
    network: &'n Network,
    goals: &[Goal],
    preparation: &mut Preparation<'_>,
) -> Box<dyn Heuristic + 'n> {
    match Relaxed::new(network, goals, preparation) {
        Ok(task) => Box::new(LandmarkCut::new(task)),
        Err(exceeded) => {
            preparation.note(format!("no landmark cuts ({exceeded}); `hl` is used instead"));
            Box::new(Layers::new(network, goals, preparation.deadline()))
        }
    }
}

/// Where a fact lies on the way to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Zone {
    Elsewhere,
    /// The goal can be reached from here for nothing.
    Goal,
    /// Reached from the state without entering the goal zone.
    Before,
}

pub(crate) struct LandmarkCut {
    task: Relaxed,
    /// By fact: what it costs to reach it.
    reach: Vec<u32>,
    zones: Vec<Zone>,
    /// By operator.
    costs: Vec<u8>,
    missing: Vec<u16>,
    supporters: Vec<u32>,
    /// Facts to look at, by what they cost to reach.
    buckets: Vec<Vec<u32>>,
    facts: Vec<u32>,
    stack: Vec<u32>,
    cut: Vec<u32>,
    /// Operators that are left out.
    masked: Vec<bool>,
    touched: u64,
    patience: u64,
}

impl LandmarkCut {
    pub(crate) fn new(task: Relaxed) -> Self {
        let (facts, operators) = (task.facts, task.costs.len());
        Self {
            reach: vec![UNREACHED; facts],
            zones: vec![Zone::Elsewhere; facts],
            costs: task.costs.clone(),
            missing: vec![0; operators],
            supporters: vec![NOBODY; operators],
            buckets: Vec::new(),
            facts: Vec::new(),
            stack: Vec::new(),
            cut: Vec::new(),
            masked: Vec::new(),
            touched: 0,
            patience: u64::MAX,
            task,
        }
    }

    /// The number of cuts; `None` when it takes too long to find them.
    fn count(&mut self, cells: &[i32], bound: u32) -> Option<Estimate> {
        let mut facts = std::mem::take(&mut self.facts);
        let is_known = self.task.facts_of(cells, &mut facts);
        let estimate = if is_known { self.count_from(&facts, bound) } else { Some(Estimate::ZERO) };
        self.facts = facts;
        estimate
    }

    fn count_from(&mut self, facts: &[u32], bound: u32) -> Option<Estimate> {
        self.start(facts);
        self.spread();
        if self.reach[self.task.goal as usize] == UNREACHED {
            return Some(Estimate::DEAD_END);
        }
        let mut cuts = 0;
        while self.reach[self.task.goal as usize] > 0 {
            if self.effort() >= self.patience {
                return None;
            }
            cuts += 1;
            if cuts > bound {
                break;
            }
            self.mark_goal_zone();
            self.find_cut(facts);
            debug_assert!(!self.cut.is_empty(), "the goal costs something, so every way to it is cut");
            self.make_free();
            self.zones.fill(Zone::Elsewhere);
            self.touched += self.zones.len() as u64 / FILLED_AT_ONCE;
        }
        Some(Estimate::steps(cuts))
    }

    /// Forgets the last state and puts the facts of another into the queue.
    fn start(&mut self, facts: &[u32]) {
        self.reach.fill(UNREACHED);
        self.zones.fill(Zone::Elsewhere);
        self.costs.copy_from_slice(&self.task.costs);
        self.supporters.fill(NOBODY);
        for (operator, missing) in self.missing.iter_mut().enumerate() {
            let is_masked = self.masked.get(operator).is_some_and(|masked| *masked);
            // One that is left out waits for something that never comes.
            *missing = self.task.needs.row(operator).len() as u16 + u16::from(is_masked);
        }
        self.touched += (self.reach.len() + 4 * self.missing.len()) as u64 / FILLED_AT_ONCE;
        for &fact in facts {
            self.improve(fact, 0);
        }
    }

    /// A fact can be reached at some cost.
    fn improve(&mut self, fact: u32, cost: u32) {
        if self.reach[fact as usize] > cost {
            self.reach[fact as usize] = cost;
            while self.buckets.len() <= cost as usize {
                self.buckets.push(Vec::new());
            }
            self.buckets[cost as usize].push(fact);
        }
    }

    /// A cheapest one of the facts to look at, at this cost or above it; those that have become cheaper since were looked at before.
    fn next_cheapest(&mut self, cost: &mut usize) -> Option<u32> {
        while *cost < self.buckets.len() {
            match self.buckets[*cost].pop() {
                Some(fact) if self.reach[fact as usize] < *cost as u32 => {}
                Some(fact) => return Some(fact),
                None => *cost += 1,
            }
        }
        None
    }

    /// Computes what all facts cost, cheapest first, and the supporters of all operators.
    fn spread(&mut self) {
        let mut cost = 0;
        while let Some(fact) = self.next_cheapest(&mut cost) {
            for place in 0..self.task.needed_by.row(fact as usize).len() {
                let operator = self.task.needed_by.row(fact as usize)[place] as usize;
                self.touched += 1;
                self.missing[operator] -= 1;
                if self.missing[operator] == 0 {
                    // The last one to be reached is the most expensive one.
                    self.supporters[operator] = fact;
                    self.make(operator, cost as u32);
                }
            }
        }
    }

    /// What an operator makes can be reached at what its supporter and itself cost.
    fn make(&mut self, operator: usize, supporter_cost: u32) {
        let cost = supporter_cost + u32::from(self.costs[operator]);
        for place in 0..self.task.makes.row(operator).len() {
            let fact = self.task.makes.row(operator)[place];
            self.touched += 1;
            self.improve(fact, cost);
        }
    }

    /// The facts from which the goal can be reached for nothing.
    fn mark_goal_zone(&mut self) {
        self.zones[self.task.goal as usize] = Zone::Goal;
        self.stack.push(self.task.goal);
        while let Some(fact) = self.stack.pop() {
            for &operator in self.task.made_by.row(fact as usize) {
                self.touched += 1;
                let supporter = self.supporters[operator as usize];
                if supporter != NOBODY
                    && self.costs[operator as usize] == 0
                    && self.zones[supporter as usize] == Zone::Elsewhere
                {
                    self.zones[supporter as usize] = Zone::Goal;
                    self.stack.push(supporter);
                }
            }
        }
    }

    /// The operators by which the goal zone is entered from the state.
    fn find_cut(&mut self, facts: &[u32]) {
        self.cut.clear();
        for &fact in facts {
            debug_assert!(self.zones[fact as usize] != Zone::Goal, "the goal costs something");
            self.zones[fact as usize] = Zone::Before;
            self.stack.push(fact);
        }
        while let Some(fact) = self.stack.pop() {
            for &operator in self.task.needed_by.row(fact as usize) {
                self.touched += 1;
                if self.supporters[operator as usize] != fact {
                    continue;
                }
                let made = self.task.makes.row(operator as usize);
                if made.iter().any(|&fact| self.zones[fact as usize] == Zone::Goal) {
                    debug_assert!(self.costs[operator as usize] > 0, "its supporter would be in the zone");
                    self.cut.push(operator);
                    continue;
                }
                for &fact in made {
                    if self.zones[fact as usize] == Zone::Elsewhere {
                        self.zones[fact as usize] = Zone::Before;
                        self.stack.push(fact);
                    }
                }
            }
        }
    }

    /// The operators of the cut cost nothing from now on; what becomes cheaper by that is looked at again.
    fn make_free(&mut self) {
        debug_assert!(self.buckets.iter().all(Vec::is_empty), "nothing is left to look at");
        for place in 0..self.cut.len() {
            let operator = self.cut[place] as usize;
            self.costs[operator] = 0;
            self.make(operator, self.reach[self.supporters[operator] as usize]);
        }
        let mut cost = 0;
        while let Some(fact) = self.next_cheapest(&mut cost) {
            for place in 0..self.task.needed_by.row(fact as usize).len() {
                let operator = self.task.needed_by.row(fact as usize)[place] as usize;
                self.touched += 1;
                if self.supporters[operator] == fact {
                    self.find_supporter(operator);
                }
            }
        }
    }

    /// The supporter of an operator has become cheaper: perhaps another one is the most expensive now.
    fn find_supporter(&mut self, operator: usize) {
        let needs = self.task.needs.row(operator);
        self.touched += needs.len() as u64;
        let dearest = needs.iter().copied().max_by_key(|&fact| self.reach[fact as usize]);
        let dearest = dearest.expect("every operator needs something");
        let old = self.supporters[operator];
        // Of several that cost the same, the old one stays: the order would decide otherwise.
        if self.reach[dearest as usize] > self.reach[old as usize] {
            self.supporters[operator] = dearest;
        }
        self.make(operator, self.reach[dearest as usize]);
    }

    fn within(&mut self, cells: &[i32], bound: u32, effort: u64) -> Option<Estimate> {
        self.patience = self.effort().saturating_add(effort);
        let estimate = self.count(cells, bound);
        self.patience = u64::MAX;
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        estimate
    }
}

impl Heuristic for LandmarkCut {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        self.within(&state.cells, u32::MAX, u64::MAX).unwrap_or(Estimate::ZERO)
    }

    fn estimate_within(&mut self, state: &SymbolicState, effort: u64) -> Option<Estimate> {
        self.within(&state.cells, u32::MAX, effort)
    }

    fn estimate_without(
        &mut self,
        state: &SymbolicState,
        edges: &EdgeMask,
        bound: Estimate,
        effort: u64,
    ) -> Option<Estimate> {
        let mut masked = std::mem::take(&mut self.masked);
        self.task.mark_masked(edges, &mut masked);
        self.touched += masked.len() as u64;
        self.masked = masked;
        let estimate = self.within(&state.cells, bound.as_steps().unwrap_or(u32::MAX), effort);
        self.masked.clear();
        estimate
    }

    fn effort(&self) -> u64 {
        self.touched / TOUCHES
    }
}
