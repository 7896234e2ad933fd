//! What a code may learn from the state that it begins in, and what it certainly leaves behind.
//!
//! A read is *exposed* if there is a way to it on which the variable was not written. If no read of a variable is, its value before the code does not matter to the code. Found by walking the
//! instructions from one to the next with the cells that were written on every way to there; a called function is looked at once. Elements with a computed index and what is reached by reference are read where the address is
//! taken, and are never certain to be written.

use super::instruction::Instruction;
use super::{Code, Codes, Memory, Segment};
use crate::network::VarId;
use std::collections::{BTreeMap, BTreeSet};

/// Reads that see what was there before, and writes that happen for certain. Each list is in ascending order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exposure {
    /// Variables that may be read before they are written.
    pub reads: Vec<VarId>,
    /// Variables that are written whenever the code comes to its end.
    pub writes: Vec<VarId>,
}

impl Codes<'_> {
    /// What a code may learn from the state that it begins in, and what it certainly leaves behind.
    pub fn exposure(&self, code: Code) -> Exposure {
        let segment = self.segment_of(code);
        let memory = &self.program.memory;
        let mut walk = Walk { segment, memory, functions: BTreeMap::new() };
        let summary = walk.summary(segment.entry(code) as u32);
        Exposure {
            reads: memory.variables(summary.reads.iter()),
            writes: memory.variables(summary.writes.iter()),
        }
    }
}

/// Cells that a piece of code may read before it writes them, and cells that it has written at its end.
#[derive(Clone, Default)]
struct Summary {
    reads: Vec<u32>,
    writes: BTreeSet<u32>,
}

struct Walk<'a> {
    segment: &'a Segment,
    memory: &'a Memory,
    /// By first instruction.
    functions: BTreeMap<u32, Summary>,
}

impl Walk<'_> {
    /// The summary of what runs from an instruction on, until it halts or returns.
    fn summary(&mut self, entry: u32) -> Summary {
        let mut reads = Vec::new();
        // Where nothing halts or returns, everything fails.
        let mut at_end: Option<BTreeSet<u32>> = None;
        // By instruction: what was written on all ways to it.
        let mut written: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::from([(entry, BTreeSet::new())]);
        let mut open = vec![entry];
        while let Some(at) = open.pop() {
            let instruction = self.segment.instructions[at as usize];
            let mut after = written[&at].clone();
            let effect = self.effect(instruction);
            reads.extend(effect.reads.into_iter().filter(|cell| !after.contains(cell)));
            after.extend(effect.writes);
            let next: &[u32] = match instruction {
                Instruction::Fail(_) => &[],
                Instruction::Halt | Instruction::Return => {
                    meet(&mut at_end, &after);
                    &[]
                }
                Instruction::Jump(target) | Instruction::Loop(target) => &[target],
                Instruction::JumpIfZero(target) | Instruction::JumpIfNot(target) => &[target, at + 1],
                _ => &[at + 1],
            };
            for &next in next {
                let mut there = written.remove(&next);
                if meet(&mut there, &after) {
                    open.push(next);
                }
                written.extend(there.map(|there| (next, there)));
            }
        }
        reads.sort_unstable();
        reads.dedup();
        Summary { reads, writes: at_end.unwrap_or_default() }
    }

    fn effect(&mut self, instruction: Instruction) -> Summary {
        if let Instruction::Call(function) = instruction {
            if let Some(summary) = self.functions.get(&function) {
                return summary.clone();
            }
            let summary = self.summary(function);
            self.functions.insert(function, summary.clone());
            return summary;
        }
        let touched = self.segment.touched_by(instruction, self.memory);
        let is_certain = matches!(
            instruction,
            Instruction::Store(_)
                | Instruction::SetCell(..)
                | Instruction::StoreChecked(_)
                | Instruction::AddTo(..)
        );
        let writes = if is_certain { touched.writes.into_iter().collect() } else { BTreeSet::new() };
        Summary { reads: touched.reads, writes }
    }
}

/// Keeps what is known on both ways; says whether less is known than before.
fn meet(known: &mut Option<BTreeSet<u32>>, other: &BTreeSet<u32>) -> bool {
    match known {
        None => {
            *known = Some(other.clone());
            true
        }
        Some(known) => {
            let before = known.len();
            known.retain(|cell| other.contains(cell));
            known.len() < before
        }
    }
}
