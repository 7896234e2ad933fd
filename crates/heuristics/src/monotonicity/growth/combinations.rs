//! Conditions and updates over several cells: evaluated for combinations of values, each once.

use super::{COMBINATIONS, Growth, TRIAL, TRIALS, UNTOUCHED};
use crate::monotonicity::task::Task;
use guidepost_network::Code;

impl Growth<'_> {
    /// Whether a condition over several cells holds for some combination with a new value.
    pub(super) fn try_compound(&mut self, task: &Task, index: usize, place: usize, fact: u32, is_any: bool) {
        let compound = &task.compounds[index];
        let operands = &compound.operands;
        if operands
            .iter()
            .enumerate()
            .any(|(other, &cell)| other != place && self.counts[cell] == 0 && !self.is_any(task, cell))
        {
            return;
        }
        let mut product = 1_usize;
        for (other, &cell) in operands.iter().enumerate() {
            if other != place {
                product = product.saturating_mul(self.counts[cell].max(1) as usize);
            }
        }
        let is_vague = is_any
            || product > COMBINATIONS
            || operands.iter().any(|&cell| self.is_any(task, cell))
            || !self.may_try(index, product, compound.cost);
        let found = is_vague || self.search_combinations(task, operands, place, fact, compound.code);
        if found {
            let at = self.pool.len() as u32;
            for (other, &cell) in operands.iter().enumerate() {
                let operand = if is_vague && other == place {
                    fact
                } else if is_vague {
                    self.first_fact(task, cell)
                } else {
                    let value = self.machine.state()[cell];
                    task.domains.fact(cell, value).expect("a value of the cell")
                };
                self.pool.push(operand);
            }
            self.satisfied[task.tabulated + index] = at;
            self.count_down(task, (task.tabulated + index) as u32);
        }
    }

    /// Something that holds for the cell.
    fn first_fact(&self, task: &Task, cell: usize) -> u32 {
        if self.counts[cell] == 0 {
            return task.domains.any(cell);
        }
        let value = self.values[task.domains.first(cell) as usize];
        task.domains.fact(cell, value).expect("a value of the cell")
    }

    /// Tries all combinations in which the operand at a place has a given value; leaves the first that satisfies the condition in the machine.
    fn search_combinations(
        &mut self,
        task: &Task,
        operands: &[usize],
        place: usize,
        fact: u32,
        code: Code,
    ) -> bool {
        self.start_odometer(task, operands, Some((place, fact)));
        loop {
            if matches!(self.machine.eval(code), Ok(value) if value != 0) || self.is_due(1) {
                return true;
            }
            if !self.turn_odometer(task, operands, Some(place)) {
                return false;
            }
        }
    }

    /// Whether so many combinations of the operands of a condition or program may be tried; those with loops over large arrays soon may not.
    fn may_try(&mut self, trial: usize, combinations: usize, cost: u32) -> bool {
        let cost_in_all = cost.saturating_mul(combinations as u32);
        let tried = &mut self.tried[trial];
        *tried = tried.saturating_add(cost_in_all);
        let may_try = *tried <= TRIAL.max(cost) && self.tried_in_all <= TRIALS;
        if may_try {
            self.tried_in_all += u64::from(cost_in_all);
        }
        may_try
    }

    /// Whether a program will not be tried any more, when there are at least so many combinations from now on.
    fn are_always_too_many(&self, combinations: usize, index: usize, task: &Task) -> bool {
        let cost = task.programs[index].cost;
        let tried = self.tried[task.compounds.len() + index];
        combinations > COMBINATIONS
            || tried.saturating_add(cost.saturating_mul(combinations as u32)) > TRIAL.max(cost)
            || self.tried_in_all > TRIALS
    }

    fn start_odometer(&mut self, task: &Task, operands: &[usize], fixed: Option<(usize, u32)>) {
        self.odometer.clear();
        self.touched += operands.len() as u64;
        for (place, &cell) in operands.iter().enumerate() {
            let value = match fixed {
                Some((at, fact)) if at == place => task.domains.value(fact),
                _ => self.values[task.domains.first(cell) as usize],
            };
            self.machine.state_mut()[cell] = value;
            self.odometer.push(0);
        }
    }

    /// The next combination; false when there is none.
    fn turn_odometer(&mut self, task: &Task, operands: &[usize], fixed: Option<usize>) -> bool {
        for (place, &cell) in operands.iter().enumerate() {
            if fixed == Some(place) {
                continue;
            }
            let digit = &mut self.odometer[place];
            *digit = if *digit + 1 < self.counts[cell] { *digit + 1 } else { 0 };
            let value = self.values[task.domains.first(cell) as usize + *digit as usize];
            self.machine.state_mut()[cell] = value;
            if *digit != 0 {
                return true;
            }
        }
        false
    }

    /// Runs an update for all combinations (in which the operand at a place has a given value).
    pub(super) fn run_program(&mut self, task: &Task, index: usize, fixed: Option<(usize, u32)>, now: bool) {
        // All that could come of it is there. An update of large arrays has many operands, and whatever it writes is among them again.
        if self.vague_from[index] <= self.layer + u32::from(!now) {
            return;
        }
        let program = &task.programs[index];
        let operands = &program.operands;
        self.touched += operands.len() as u64;
        let is_missing = |growth: &Self, place: usize, cell: usize| {
            fixed.is_none_or(|(at, _)| at != place) && growth.counts[cell] == 0 && !growth.is_any(task, cell)
        };
        if operands.iter().enumerate().any(|(place, &cell)| is_missing(self, place, cell)) {
            return;
        }
        let (mut product, mut most) = (1_usize, 1);
        for (place, &cell) in operands.iter().enumerate() {
            let count = self.counts[cell].max(1) as usize;
            most = most.max(count);
            if fixed.is_none_or(|(at, _)| at != place) {
                product = product.saturating_mul(count);
            }
        }
        let is_fixed_any = fixed.is_some_and(|(_, fact)| fact == task.domains.any(task.domains.cell(fact)));
        let are_too_many = product > COMBINATIONS;
        let is_vague = is_fixed_any
            || are_too_many
            || operands.iter().any(|&cell| self.is_any(task, cell))
            || !self.may_try(task.compounds.len() + index, product, program.cost);
        if is_vague {
            self.give_up_program(task, index, now);
            // Combinations may be fewer when it is another operand that has one value only; all other reasons remain.
            if !are_too_many || self.are_always_too_many(product / most, index, task) {
                self.vague_from[index] = self.layer + u32::from(!now);
            }
            return;
        }
        let place = fixed.map(|(place, _)| place);
        self.start_odometer(task, operands, fixed);
        loop {
            self.run_once(task, index, now);
            if self.is_due(1) || !self.turn_odometer(task, operands, place) {
                break;
            }
        }
    }

    /// Lets all that an update writes have any value.
    fn give_up_program(&mut self, task: &Task, index: usize, now: bool) {
        let program = &task.programs[index];
        let evidence = self.pool.len() as u32;
        self.touched += (program.operands.len() + program.targets.len()) as u64;
        let mut is_used = false;
        for &cell in &program.operands {
            let fact = self.first_fact(task, cell);
            self.pool.push(fact);
        }
        for (effect, &target) in (program.first_effect as u32..).zip(&program.targets) {
            is_used |= self.add(task.domains.any(target), effect, evidence, now);
        }
        if !is_used {
            self.pool.truncate(evidence as usize);
        }
        self.is_due(1);
    }

    /// Runs an update on the values in the machine and collects what it writes.
    fn run_once(&mut self, task: &Task, index: usize, now: bool) {
        let program = &task.programs[index];
        let evidence = self.pool.len() as u32;
        for &cell in &program.operands {
            let value = self.machine.state()[cell];
            self.pool.push(task.domains.fact(cell, value).expect("a value of the cell"));
        }
        let operands_end = self.pool.len();
        for &target in &program.unread {
            self.machine.state_mut()[target] = UNTOUCHED;
        }
        self.touched += (program.operands.len() + 2 * program.targets.len()) as u64;
        self.operations.clear();
        let result = self.machine.run_update(program.code, &mut self.operations);
        let mut is_used = false;
        if result.is_ok() {
            for (effect, &target) in (program.first_effect as u32..).zip(&program.targets) {
                let value = self.machine.state()[target];
                if let Some(fact) = task.domains.fact(target, value) {
                    is_used |= self.add(fact, effect, evidence, now);
                }
            }
        }
        // The operands were overwritten; put them back for the next combination.
        for (place, &cell) in program.operands.iter().enumerate() {
            self.machine.state_mut()[cell] = task.domains.value(self.pool[evidence as usize + place]);
        }
        self.pool.truncate(if is_used { operands_end } else { evidence as usize });
    }
}
