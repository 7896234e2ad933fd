//! Facts and operators: what it costs at least to make a fact true, if nothing that was true once is ever given up.
//!
//! An operator can be applied when all its needs are true, and makes others true at its weight more than the *dearest* of its needs: h^max of planning (Bonet, Geffner: *Planning as
//! heuristic search*, 2001). Costs of needs are never added up, as one step may serve all of them. Facts are settled in the order of their costs, by Dijkstra's algorithm for and-or graphs (Knuth 1977),
//! so that an operator costs what the last of its needs does, plus its weight.

use crate::space::NEVER;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Something that may become true.
pub(super) type Fact = u32;

struct Operator {
    needs: u32,
    weight: i64,
    /// What it makes true, in `adds`: from and to.
    adds: (u32, u32),
}

/// Facts and operators, with the work space for finding costs.
#[derive(Default)]
pub(super) struct Relaxation {
    operators: Vec<Operator>,
    adds: Vec<Fact>,
    /// By fact: the operators that need it.
    waiting: Vec<Vec<u32>>,
    /// By fact: what it costs, as far as known.
    costs: Vec<i64>,
    /// By operator: how many of its needs are not settled.
    missing: Vec<u32>,
    open: BinaryHeap<Reverse<(i64, Fact)>>,
    /// The fact whose cost is asked for.
    wanted: Fact,
}

impl Relaxation {
    /// One more fact.
    pub(super) fn fact(&mut self) -> Fact {
        self.waiting.push(Vec::new());
        self.waiting.len() as Fact - 1
    }

    /// So many more facts; the first of them.
    pub(super) fn facts(&mut self, count: usize) -> Fact {
        let first = self.waiting.len();
        self.waiting.resize(first + count, Vec::new());
        first as Fact
    }

    /// One more operator, with at least one need.
    pub(super) fn operator(&mut self, mut needs: Vec<Fact>, weight: i64, adds: &[Fact]) {
        needs.sort_unstable();
        needs.dedup();
        debug_assert!(!needs.is_empty(), "nothing would ever apply it");
        for &need in &needs {
            self.waiting[need as usize].push(self.operators.len() as u32);
        }
        let first = self.adds.len() as u32;
        self.adds.extend_from_slice(adds);
        self.operators.push(Operator {
            needs: needs.len() as u32,
            weight,
            adds: (first, self.adds.len() as u32),
        });
    }

    /// How large it is.
    pub(super) fn size(&self) -> usize {
        self.waiting.len() + self.operators.len() + self.adds.len()
    }

    /// Asks for the cost of a fact, and forgets what does not help to make it true.
    pub(super) fn ask_for(&mut self, wanted: Fact) {
        let mut makers = vec![Vec::new(); self.waiting.len()];
        let mut needs = vec![Vec::new(); self.operators.len()];
        for (operator, one) in self.operators.iter().enumerate() {
            for place in one.adds.0..one.adds.1 {
                makers[self.adds[place as usize] as usize].push(operator);
            }
        }
        for (fact, waiting) in self.waiting.iter().enumerate() {
            for &operator in waiting {
                needs[operator as usize].push(fact);
            }
        }
        let mut is_relevant = vec![false; self.operators.len()];
        let mut open = vec![wanted as usize];
        while let Some(fact) = open.pop() {
            for &operator in &makers[fact] {
                if !std::mem::replace(&mut is_relevant[operator], true) {
                    open.extend_from_slice(&needs[operator]);
                }
            }
        }
        for waiting in &mut self.waiting {
            waiting.retain(|&operator| is_relevant[operator as usize]);
        }
        self.wanted = wanted;
    }

    /// Nothing is true any more.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.costs.clear();
        self.costs.resize(self.waiting.len(), NEVER);
        self.missing.clear();
        self.missing.extend(self.operators.iter().map(|operator| operator.needs));
    }

    /// A fact is true at this cost.
    pub(super) fn assume(&mut self, fact: Fact, cost: i64) {
        let is_of_use = fact == self.wanted || !self.waiting[fact as usize].is_empty();
        if is_of_use && cost < self.costs[fact as usize] {
            self.costs[fact as usize] = cost;
            self.open.push(Reverse((cost, fact)));
        }
    }

    /// What the fact that is wanted costs at least, given what was assumed.
    pub(super) fn cost(&mut self) -> i64 {
        while let Some(Reverse((cost, fact))) = self.open.pop() {
            if cost > self.costs[fact as usize] {
                continue;
            }
            if fact == self.wanted {
                return cost;
            }
            for index in 0..self.waiting[fact as usize].len() {
                let operator = self.waiting[fact as usize][index] as usize;
                self.missing[operator] -= 1;
                if self.missing[operator] == 0 {
                    let Operator { weight, adds: (first, end), .. } = self.operators[operator];
                    let total = cost.saturating_add(weight).min(NEVER);
                    for place in first..end {
                        self.assume(self.adds[place as usize], total);
                    }
                }
            }
        }
        NEVER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two needs cost as much as the dearer one, and the cheaper of two ways counts.
    #[test]
    fn the_dearest_need_of_the_cheapest_operator_counts() {
        let mut relaxation = Relaxation::default();
        let [start, cheap, dear, goal, other] = std::array::from_fn(|_| relaxation.fact());
        relaxation.operator(vec![start], 2, &[cheap]);
        relaxation.operator(vec![start], 7, &[dear]);
        relaxation.operator(vec![cheap, dear, cheap], 1, &[goal]);
        relaxation.operator(vec![other], 0, &[goal]);
        relaxation.ask_for(goal);
        for _ in 0..2 {
            relaxation.clear();
            relaxation.assume(start, 0);
            assert_eq!(relaxation.cost(), 8);
        }
        relaxation.clear();
        relaxation.assume(start, 0);
        relaxation.assume(other, 5);
        assert_eq!(relaxation.cost(), 5);
        relaxation.clear();
        relaxation.assume(cheap, 0);
        assert_eq!(relaxation.cost(), NEVER, "nothing makes the dear one");
    }
}
