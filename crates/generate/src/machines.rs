//! Random systems of state/event machines, as texts of `.sem` files.
//!
//! *Machines*: flat machines in groups. A guard asks about machines near by in the group, seldom about one of the group above; groups form a binary tree, so that what a
//! machine depends on stays small while the system grows, as in the industrial systems of J. Lind-Nielsen et al., Verification of large state/event systems using
//! compositionality and dependency analysis, 2001.
//!
//! *Cells*: a cell is a parallel state with a few machines, whose states may be cells again (G. Behrmann et al., Verification of hierarchical state/event systems using
//! reusability and compositionality, 2002). The probability that a guard asks about a state falls exponentially with its distance. Each level has events of its
//! own, so that inner and outer transitions never compete.

use crate::family::{FAMILIES, FamilyError, Words};
use std::fmt::Write;

/// More machines than this are a mistake in typing.
const MOST_MACHINES: u32 = 100_000;
/// The parser does not read deeper texts.
const DEEPEST: u32 = 60;
/// Machines of a cell, and states of a machine of a cell.
const CELL: (u32, u32) = (3, 4);

/// A family of machines with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineFamily {
    /// Side by side.
    Machines {
        /// How many.
        count: u32,
        /// What fixes the random choices.
        seed: u64,
    },
    /// Within each other.
    Cells {
        /// About how many.
        count: u32,
        /// How many levels.
        depth: u32,
        /// What fixes the random choices.
        seed: u64,
    },
}

impl MachineFamily {
    /// The system that words name, if the first one names a family of machines.
    pub fn from_words(words: &[&str]) -> Option<Result<Self, FamilyError>> {
        let (name, rest) = words.split_first()?;
        let usage = FAMILIES.iter().find(|usage| usage.name == *name)?;
        let mut words = Words::new(rest, usage);
        let mut read = || {
            let count = words.number("the number of machines", 1, MOST_MACHINES)?;
            let depth = match *name {
                "cells" => Some(words.number("the number of levels", 1, DEEPEST)?),
                _ => None,
            };
            let seed = if words.is_empty() { 1 } else { words.number("the seed", 0, u32::MAX)? };
            let seed = u64::from(seed);
            Ok(match depth {
                Some(depth) => MachineFamily::Cells { count, depth, seed },
                None => MachineFamily::Machines { count, seed },
            })
        };
        if !matches!(*name, "machines" | "cells") {
            return None;
        }
        let family = read();
        Some(family.and_then(|family| words.finish().map(|()| family)))
    }

    /// The text of its `.sem` file.
    pub fn text(self) -> String {
        match self {
            Self::Machines { count, seed } => machines(count, seed),
            Self::Cells { count, depth, seed } => cells(count, depth, CELL.0, CELL.1, seed),
        }
    }
}

/// Random choices that a seed fixes for ever (`SplitMix64`).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Machines of one group.
const GROUP: usize = 12;

/// Flat machines with two to four states each, named `M0`, `M1` and so on; state `k` of `M7` is `M7.k7_k`.
pub fn machines(count: u32, seed: u64) -> String {
    let count = count as usize;
    let mut random = Random(seed);
    let sizes: Vec<usize> = (0..count).map(|_| [2, 2, 2, 3, 4][random.below(5)]).collect();
    let groups = count.div_ceil(GROUP);
    let mut text = format!("// {count} random machines, seed {seed}.\n\n");
    for group in 0..groups {
        let events: Vec<String> = (0..2 * GROUP).map(|event| format!("e{group}_{event}")).collect();
        let _ = writeln!(text, "event {};", events.join(", "));
    }
    for machine in 0..count {
        let _ = writeln!(text, "\nmachine M{machine} {{");
        let size = sizes[machine];
        for state in 0..size {
            let _ = writeln!(text, "    state k{machine}_{state};");
        }
        let group = machine / GROUP;
        for state in 0..size {
            // A cycle, so that without guards everything is reachable; and sometimes a way back or a jump.
            let mut targets = vec![(state + 1) % size];
            if random.chance(60) {
                targets.push(random.below(size));
            }
            let first = random.below(2 * GROUP);
            for (at, target) in targets.into_iter().enumerate() {
                let event = (first + at) % (2 * GROUP);
                let _ = write!(text, "    k{machine}_{state} -> k{machine}_{target} on e{group}_{event}");
                let guard = flat_guard(&mut random, machine, &sizes);
                let _ = writeln!(text, "{guard};");
            }
        }
        text.push_str("}\n");
    }
    text
}

/// A condition on one or two machines, mostly near by.
fn flat_guard(random: &mut Random, machine: usize, sizes: &[usize]) -> String {
    if random.chance(45) {
        return String::new();
    }
    let group = machine / GROUP;
    let mut parts = Vec::new();
    for _ in 0..=random.below(2) {
        let other = if random.chance(4) && group > 0 {
            (group - 1) / 2 * GROUP + random.below(GROUP)
        } else {
            let first = (machine.saturating_sub(3)).max(group * GROUP);
            let last = (machine + 2).min(group * GROUP + GROUP - 1).min(sizes.len() - 1);
            first + random.below(last - first + 1)
        };
        if other != machine {
            let not = if random.chance(35) { "not " } else { "" };
            parts.push(format!("{not}k{other}_{}", random.below(sizes[other])));
        }
    }
    if parts.is_empty() { String::new() } else { format!(" if {}", parts.join(" and ")) }
}

/// A machine among the cells: its level, and its states by their numbers.
struct Cell {
    machine: usize,
    level: usize,
    states: Vec<usize>,
}

/// Cells with `side` machines of `states` states each, nested up to `depth` levels; at least `count` machines in all. Machines are `M0`…, states `s0`…
pub fn cells(count: u32, depth: u32, side: u32, states: u32, seed: u64) -> String {
    let (depth, side, states) = (depth as usize, side as usize, states as usize);
    let mut random = Random(seed);
    let mut plan = Plan { states, cells: Vec::new(), inside: Vec::new(), above: Vec::new() };
    // As many cells as there have to be below the root; the root is as wide as it takes.
    let inner = if depth > 1 { (count as usize).saturating_sub(side) / side } else { 0 };
    let wide = if depth > 1 { side } else { count as usize };
    for _ in 0..wide {
        plan.add_machine(None, 1);
    }
    // Every second cell goes as deep as it can, so that the depth is reached.
    for number in 0..inner {
        let open: Vec<usize> = (0..plan.inside.len())
            .filter(|&state| plan.inside[state].is_none() && plan.level(state) < depth)
            .collect();
        let state = if number % 2 == 0 {
            open.iter().copied().max_by_key(|&state| plan.level(state))
        } else {
            open.get(random.below(open.len().max(1))).copied()
        };
        let Some(state) = state else {
            for _ in 0..side {
                plan.add_machine(None, 1);
            }
            continue;
        };
        let level = plan.level(state) + 1;
        plan.inside[state] = Some((0..side).map(|_| plan.add_machine(Some(state), level)).collect());
    }
    plan.text(&mut random, seed, depth)
}

struct Plan {
    /// How many states a machine has.
    states: usize,
    cells: Vec<Cell>,
    /// For every state, the machines in it.
    inside: Vec<Option<Vec<usize>>>,
    /// For every state, its machine, and the state around that.
    above: Vec<(usize, Option<usize>)>,
}

impl Plan {
    fn add_machine(&mut self, around: Option<usize>, level: usize) -> usize {
        let machine = self.cells.len();
        let first = self.inside.len();
        let states: Vec<usize> = (first..first + self.states).collect();
        self.inside.resize(first + self.states, None);
        self.above.resize(first + self.states, (machine, around));
        self.cells.push(Cell { machine, level, states });
        machine
    }

    fn level(&self, state: usize) -> usize {
        self.cells[self.above[state].0].level
    }

    fn text(&self, random: &mut Random, seed: u64, depth: usize) -> String {
        let mut text = format!("// {} machines in cells, {depth} levels, seed {seed}.\n\n", self.cells.len());
        for level in 1..=depth {
            let events: Vec<String> = (0..2 * self.states).map(|event| format!("l{level}_{event}")).collect();
            let _ = writeln!(text, "event {};", events.join(", "));
        }
        for cell in &self.cells {
            if self.above[cell.states[0]].1.is_none() {
                text.push('\n');
                self.machine(&mut text, random, cell, 0);
            }
        }
        text
    }

    fn machine(&self, text: &mut String, random: &mut Random, cell: &Cell, indent: usize) {
        let space = "    ".repeat(indent);
        let _ = writeln!(text, "{space}machine M{} {{", cell.machine);
        for &state in &cell.states {
            match &self.inside[state] {
                None => {
                    let _ = writeln!(text, "{space}    state s{state};");
                }
                Some(machines) => {
                    let _ = writeln!(text, "{space}    parallel s{state} {{");
                    for &machine in machines {
                        self.machine(text, random, &self.cells[machine], indent + 2);
                    }
                    let _ = writeln!(text, "{space}    }}");
                }
            }
        }
        for (at, &state) in cell.states.iter().enumerate() {
            let next = cell.states[(at + 1) % cell.states.len()];
            let event = random.below(2 * self.states);
            let guard = self.guard(random, cell);
            let _ = writeln!(text, "{space}    s{state} -> s{next} on l{}_{event}{guard};", cell.level);
        }
        let _ = writeln!(text, "{space}}}");
    }

    /// A condition on a state, the less likely the farther away it is.
    fn guard(&self, random: &mut Random, cell: &Cell) -> String {
        if random.chance(40) {
            return String::new();
        }
        let mut around = self.above[cell.states[0]].1;
        while around.is_some() && random.chance(25) {
            around = around.and_then(|state| self.above[state].1);
        }
        let mut beside: Vec<usize> = if let Some(state) = around {
            self.inside[state].clone().unwrap_or_default()
        } else {
            // Machines side by side at the top, in groups of their own where there are many.
            let top = (0..self.cells.len()).filter(|&machine| self.cells[machine].level == 1);
            top.filter(|machine| machine / GROUP == cell.machine / GROUP).collect()
        };
        // What is around the machine is active anyway.
        let mut inner = vec![cell.machine];
        let mut around = self.above[cell.states[0]].1;
        while let Some(state) = around {
            inner.push(self.above[state].0);
            around = self.above[state].1;
        }
        beside.retain(|machine| !inner.contains(machine));
        if beside.is_empty() {
            return String::new();
        }
        let machine = beside[random.below(beside.len())];
        let state = self.cells[machine].states[random.below(self.states)];
        let not = if random.chance(40) { "not " } else { "" };
        format!(" if {not}s{state}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_system() {
        assert_eq!(machines(30, 7), machines(30, 7));
        assert_ne!(machines(30, 7), machines(30, 8));
        assert_eq!(cells(40, 4, 3, 3, 1), cells(40, 4, 3, 3, 1));
    }

    #[test]
    fn words_name_systems() {
        let family = |words: &str| {
            let words: Vec<&str> = words.split(' ').collect();
            MachineFamily::from_words(&words).map(|family| family.map_err(|error| error.to_string()))
        };
        assert_eq!(family("fischer a 3"), None);
        assert_eq!(family("machines 40"), Some(Ok(MachineFamily::Machines { count: 40, seed: 1 })));
        assert_eq!(family("cells 40 5 7"), Some(Ok(MachineFamily::Cells { count: 40, depth: 5, seed: 7 })));
        let wrong = |message: &str| Some(Err(message.to_owned()));
        assert_eq!(
            family("cells 40"),
            wrong("the number of levels is missing; it is `cells N DEPTH [SEED]`")
        );
        assert_eq!(family("machines 4 1 2"), wrong("`2` is too much; it is `machines N [SEED]`"));
        assert_eq!(family("machines 0"), wrong("the number of machines must be between 1 and 100000, not 0"));
    }

    #[test]
    fn there_are_as_many_machines_as_asked_for() {
        let count = |text: &str| text.matches("machine M").count();
        assert_eq!(count(&machines(40, 1)), 40);
        assert_eq!(count(&cells(100, 1, 3, 3, 1)), 100);
        let deep = cells(100, 6, 3, 3, 1);
        assert!((98..=101).contains(&count(&deep)), "{}", count(&deep));
        assert!(deep.contains("on l6_"), "the depth is reached");
    }
}
