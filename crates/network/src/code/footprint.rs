//! Which parts of the state a code may read and write.
//!
//! Found by walking the instructions, calls included, without running them. A computed index counts as the whole array; an address that is taken
//! (reference arguments, copies) counts where it is taken. So the answer is a superset, which is what slicing and
//! dependency analyses need.

use super::instruction::Instruction;
use super::{Code, Program};
use crate::network::{ProcessId, VarId};
use std::collections::BTreeSet;

/// What a code may touch, each list in ascending order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// Processes whose location it may look at.
    pub locations: Vec<ProcessId>,
    /// Variables it may read.
    pub reads: Vec<VarId>,
    /// Variables it may write.
    pub writes: Vec<VarId>,
}

/// Cells in any order, some of them several times.
#[derive(Default)]
struct Touched {
    reads: Vec<u32>,
    writes: Vec<u32>,
}

impl Program {
    /// What a code may touch.
    pub fn footprint(&self, code: Code) -> Footprint {
        let mut touched = Touched::default();
        let mut visited = BTreeSet::new();
        let mut open = vec![code.0];
        while let Some(mut at) = open.pop() {
            while visited.insert(at) {
                let instruction = self.instructions[at as usize];
                self.touch(instruction, &mut touched);
                match instruction {
                    Instruction::Halt | Instruction::Return | Instruction::Fail(_) => break,
                    Instruction::Jump(target) => at = target,
                    Instruction::JumpIfZero(target)
                    | Instruction::JumpIfNot(target)
                    | Instruction::Loop(target)
                    | Instruction::Call(target) => {
                        open.push(target);
                        at += 1;
                    }
                    _ => at += 1,
                }
            }
        }
        self.sort_out(touched)
    }

    /// Variables a code may read.
    pub fn reads(&self, code: Code) -> Vec<VarId> {
        self.footprint(code).reads
    }

    /// Variables a code may write.
    pub fn writes(&self, code: Code) -> Vec<VarId> {
        self.footprint(code).writes
    }

    fn touch(&self, instruction: Instruction, touched: &mut Touched) {
        match instruction {
            Instruction::Load(cell)
            | Instruction::ArithCell(_, cell)
            | Instruction::AddCell(cell)
            | Instruction::SubCell(cell)
            | Instruction::CompareCell(_, cell) => {
                touched.reads.push(cell);
            }
            Instruction::CellEq(cell, _)
            | Instruction::CellNe(cell, _)
            | Instruction::CellLt(cell, _)
            | Instruction::CellGt(cell, _) => {
                touched.reads.push(cell.into());
            }
            Instruction::Store(cell) => {
                touched.writes.push(cell);
            }
            Instruction::SetCell(cell, _) => {
                touched.writes.push(cell.into());
            }
            Instruction::StoreChecked(check) => {
                touched.writes.push(self.checks[check as usize].address);
            }
            Instruction::AddTo(check, _) => {
                let address = self.checks[check as usize].address;
                touched.reads.push(address);
                touched.writes.push(address);
            }
            Instruction::LoadAt(access)
            | Instruction::LoadElement(access)
            | Instruction::StoreAt(access)
            | Instruction::Address(access) => {
                let access = &self.accesses[access as usize];
                let Some((start, length)) = access.extent else { return };
                // Only the state matters; constants behind it may be long.
                let cells = start..(start + length).min(self.state_size() as u32);
                if access.mode.reads() {
                    touched.reads.extend(cells.clone());
                }
                if access.mode.writes() {
                    touched.writes.extend(cells);
                }
            }
            _ => {}
        }
    }

    fn sort_out(&self, touched: Touched) -> Footprint {
        let [reads, writes] = [touched.reads, touched.writes].map(|mut cells| {
            cells.sort_unstable();
            cells.dedup();
            cells
        });
        let variables = |cells: &[u32]| {
            let state = self.processes..self.state_size() as u32;
            let variables = cells.iter().filter(|cell| state.contains(cell));
            variables.map(|&cell| VarId(cell - self.processes)).collect()
        };
        let locations = reads.iter().take_while(|&&cell| cell < self.processes);
        Footprint {
            locations: locations.map(|&cell| ProcessId(cell)).collect(),
            reads: variables(&reads),
            writes: variables(&writes),
        }
    }
}
