//! Whether a condition can fail, as far as a glance tells.

use super::instruction::{Access, Instruction};
use super::{Code, Codes};

impl Codes<'_> {
    /// Whether evaluating a code may fail or wrap around. Comparisons do not, and neither does an element of an array whose index is a variable that stays within
    /// its limits; of whatever jumps, calls or computes, this says that it may.
    pub fn may_fail(&self, code: Code) -> bool {
        let segment = self.segment_of(code);
        let memory = &self.program.memory;
        // What the accumulator can be, where that is known.
        let mut range: Option<(i32, i32)> = None;
        for &instruction in &segment.instructions[segment.entry(code)..] {
            range = match instruction {
                Instruction::Halt => return false,
                Instruction::Const(value) => Some((value, value)),
                Instruction::Load(address) => {
                    let variable = address.wrapping_sub(memory.processes);
                    memory.bounds.get(variable as usize).copied()
                }
                Instruction::LoadElement(access) => {
                    let access = &segment.accesses[access as usize];
                    if !range.is_some_and(|range| is_within(range, access)) {
                        return true;
                    }
                    None
                }
                Instruction::Push
                | Instruction::Pop
                | Instruction::Compare(_)
                | Instruction::CompareConst(..)
                | Instruction::CompareCell(..)
                | Instruction::EqConst(_)
                | Instruction::LtConst(_)
                | Instruction::GtConst(_)
                | Instruction::CellEq(..)
                | Instruction::CellNe(..)
                | Instruction::CellLt(..)
                | Instruction::CellGt(..)
                | Instruction::Not
                | Instruction::Truth => None,
                _ => return true,
            };
        }
        true
    }
}

/// Whether all indices of a range are those of elements.
fn is_within((low, high): (i32, i32), access: &Access) -> bool {
    access.low <= low && i64::from(high) < i64::from(access.low) + i64::from(access.count)
}
