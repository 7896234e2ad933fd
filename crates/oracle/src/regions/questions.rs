//! Questions about the region graph, each a search or a fixpoint over all states.

use super::discrete::{Failure, all_hold, bounded};
use super::graph::{Delay, RegionGraph};
use super::moves::within;
use guidepost_network::{ClockId, Expression, Goal, Machine, Predicate};

/// The supremum or infimum of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extreme {
    /// The value, and whether it is only approached.
    Value(i32, bool),
    /// Beyond the largest constant of the clock.
    Far,
    /// No state satisfies the condition.
    Nothing,
}

impl RegionGraph<'_> {
    /// The states that satisfy a goal, given those that are deadlocked.
    fn satisfying(
        &self,
        goal: &Goal,
        machine: &mut Machine<'_>,
        dead: &[bool],
        out: &mut [bool],
    ) -> Result<(), Failure> {
        let mut clocks = Vec::with_capacity(self.discrete.len());
        for discrete in &self.discrete {
            let cells = &discrete.cells;
            let located = goal.locations.iter().all(|(process, admissible)| {
                admissible.iter().any(|location| location.0 as i32 == cells[process.index()])
            });
            machine.load(cells);
            machine.attach(&goal.segment);
            let holds = located && discrete.admissible && all_hold(machine, &goal.data)?;
            clocks.push(if holds { Some(bounded(machine, &goal.clocks)?) } else { None });
        }
        for state in 0..self.len() as u32 {
            let bounds = &clocks[self.discrete_of(state)];
            let clocks_agree = bounds.as_ref().is_some_and(|bounds| within(self.region(state), bounds));
            out[state as usize] |=
                clocks_agree && goal.deadlock.is_none_or(|wanted| wanted == dead[state as usize]);
        }
        Ok(())
    }

    /// Which states satisfy one of the goals.
    pub fn satisfying_any(&self, goals: &[Goal]) -> Result<Vec<bool>, Failure> {
        let mut machine = Machine::new(&self.network.program);
        let dead = self.deadlocked();
        let mut result = vec![false; self.len()];
        for goal in goals {
            self.satisfying(goal, &mut machine, &dead, &mut result)?;
        }
        Ok(result)
    }

    /// Which states satisfy a predicate. Its negation must say the opposite, or the compiler of queries is wrong.
    pub fn holding(&self, predicate: &Predicate) -> Result<Vec<bool>, Failure> {
        let holds = self.satisfying_any(&predicate.goals)?;
        let fails = self.satisfying_any(&predicate.negation)?;
        assert!(
            holds.iter().zip(&fails).all(|(holds, fails)| holds != fails),
            "predicate and negation overlap"
        );
        Ok(holds)
    }

    /// The smallest number of transitions to one of the given states.
    pub fn distance(&self, wanted: &[bool]) -> Option<u32> {
        (0..self.len() as u32).filter(|&state| wanted[state as usize]).map(|state| self.layer(state)).min()
    }

    /// Which states have no transition, now or after any delay.
    pub fn deadlocked(&self) -> Vec<bool> {
        let mut dead: Vec<Option<bool>> = vec![None; self.len()];
        for start in 0..self.len() as u32 {
            let mut chain = Vec::new();
            let mut state = start;
            let verdict = loop {
                if let Some(known) = dead[state as usize] {
                    break known;
                }
                chain.push(state);
                if !self.actions(state).is_empty() {
                    break false;
                }
                match self.delay(state) {
                    Delay::To(next) => state = next,
                    Delay::Forever | Delay::Blocked => break true,
                }
            };
            // All before the last of the chain have no transition of their own.
            for state in chain {
                dead[state as usize] = Some(verdict);
            }
        }
        dead.into_iter().map(|dead| dead.expect("every state was visited")).collect()
    }

    /// From which states a maximal run stays within the given ones for ever.
    ///
    /// A run is maximal when it is infinite (in no matter what time), when time diverges, or when it ends where neither a
    /// transition nor a delay that changes anything is possible.
    pub fn can_stay(&self, allowed: &[bool]) -> Vec<bool> {
        let mut stays = allowed.to_vec();
        let may_end = |state: u32| match self.delay(state) {
            Delay::Forever => true,
            Delay::Blocked => self.actions(state).is_empty(),
            Delay::To(_) => false,
        };
        loop {
            let mut changed = false;
            for state in (0..self.len() as u32).rev() {
                if !stays[state as usize] || may_end(state) {
                    continue;
                }
                let waits = matches!(self.delay(state), Delay::To(next) if stays[next as usize]);
                let acts = || self.actions(state).iter().any(|action| stays[action.target as usize]);
                if !waits && !acts() {
                    stays[state as usize] = false;
                    changed = true;
                }
            }
            if !changed {
                return stays;
            }
        }
    }

    /// `E[] p`
    pub fn potentially_always(&self, p: &Predicate) -> Result<bool, Failure> {
        Ok(self.can_stay(&self.holding(p)?).first().copied().unwrap_or(false))
    }

    /// `A<> p`
    pub fn eventually(&self, p: &Predicate) -> Result<bool, Failure> {
        let avoids: Vec<bool> = self.holding(p)?.into_iter().map(|holds| !holds).collect();
        Ok(!self.can_stay(&avoids).first().copied().unwrap_or(false))
    }

    /// `p --> q`
    pub fn leads_to(&self, p: &Predicate, q: &Predicate) -> Result<bool, Failure> {
        let avoids: Vec<bool> = self.holding(q)?.into_iter().map(|holds| !holds).collect();
        let stays = self.can_stay(&avoids);
        Ok(!self.holding(p)?.iter().zip(&stays).any(|(p, stays)| *p && *stays))
    }

    /// The supremum (or infimum) of a clock over the given states.
    pub fn extreme_of_clock(&self, clock: ClockId, within: &[bool], is_supremum: bool) -> Extreme {
        let states = (0..self.len() as u32).filter(|&state| within[state as usize]);
        let values = states.map(|state| self.region(state).value(clock.index()));
        // Twice the bound; odd values lie strictly between integers.
        let key = |value: Option<(i32, bool)>| {
            value.map_or(i32::MAX, |(integer, exact)| 2 * integer + i32::from(!exact))
        };
        let best = if is_supremum { values.map(key).max() } else { values.map(key).min() };
        match best {
            None => Extreme::Nothing,
            Some(i32::MAX) => Extreme::Far,
            Some(value) if value % 2 == 0 => Extreme::Value(value / 2, false),
            Some(value) => Extreme::Value(if is_supremum { value / 2 + 1 } else { value / 2 }, true),
        }
    }

    /// The smallest and largest value of an expression over the given states.
    pub fn range_of(&self, expression: &Expression, within: &[bool]) -> Result<Option<(i32, i32)>, Failure> {
        let mut machine = Machine::new(&self.network.program);
        let mut range: Option<(i32, i32)> = None;
        for state in (0..self.len() as u32).filter(|&state| within[state as usize]) {
            machine.load(self.cells(state));
            let value = machine.evaluate(expression)?;
            range = Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
        }
        Ok(range)
    }
}
