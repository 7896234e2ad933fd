//! Which parts of the state a code may read and write.
//!
//! Found by walking the instructions (or, for part of a code, the terms), calls included, without running them. A computed index counts as the whole array; an address that is taken
//! (reference arguments, copies) counts where it is taken. So the answer is a superset, which is what slicing and
//! dependency analyses need.

use super::instruction::Instruction;
use super::machine::STEP_LIMIT;
use super::term::{Place, Term};
use super::{Code, Codes, Memory, Segment};
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
pub(super) struct Touched {
    pub(super) reads: Vec<u32>,
    pub(super) writes: Vec<u32>,
}

impl Codes<'_> {
    /// What a code may touch.
    pub fn footprint(&self, code: Code) -> Footprint {
        let segment = self.segment_of(code);
        segment.touched_from(segment.entry(code) as u32, &self.program.memory).sort_out(&self.program.memory)
    }

    /// Variables a code may read.
    pub fn reads(&self, code: Code) -> Vec<VarId> {
        self.footprint(code).reads
    }

    /// Variables a code may write.
    pub fn writes(&self, code: Code) -> Vec<VarId> {
        self.footprint(code).writes
    }

    /// Whether running a code can do nothing but write variables: it cannot fail, wrap around, or pay.
    pub fn is_silent(&self, code: Code) -> bool {
        let segment = self.segment_of(code);
        let has_place = |at: u32| segment.spans.binary_search_by_key(&at, |&(at, _)| at).is_ok();
        let may_tell =
            |&at: &u32| has_place(at) || matches!(segment.instructions[at as usize], Instruction::Pay);
        let visited = segment.visited_from(segment.entry(code) as u32, &mut |_| ());
        segment.steps < u64::from(STEP_LIMIT) && !visited.iter().any(may_tell)
    }

    /// Cells of the state that a code may read, in ascending order.
    pub fn cells_read(&self, code: Code) -> Vec<usize> {
        let footprint = self.footprint(code);
        let processes = self.program.location_cells();
        let locations = footprint.locations.iter().map(|process| process.index());
        locations.chain(footprint.reads.iter().map(|variable| processes + variable.index())).collect()
    }
}

impl Segment {
    /// What the code from an instruction on may touch.
    fn touched_from(&self, entry: u32, memory: &Memory) -> Touched {
        let mut touched = Touched::default();
        self.visited_from(entry, &mut |instruction| self.touch(instruction, memory, &mut touched));
        touched
    }

    /// The instructions that can be run from one on; each is visited once.
    fn visited_from(&self, entry: u32, visit: &mut dyn FnMut(Instruction)) -> BTreeSet<u32> {
        let mut visited = BTreeSet::new();
        let mut open = vec![entry];
        while let Some(mut at) = open.pop() {
            while visited.insert(at) {
                let instruction = self.instructions[at as usize];
                visit(instruction);
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
        visited
    }

    /// What one instruction may touch itself.
    pub(super) fn touched_by(&self, instruction: Instruction, memory: &Memory) -> Touched {
        let mut touched = Touched::default();
        self.touch(instruction, memory, &mut touched);
        touched
    }

    fn touch(&self, instruction: Instruction, memory: &Memory, touched: &mut Touched) {
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
                let cells = start..(start + length).min(memory.state_size() as u32);
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
}

impl Memory {
    /// The variables of the state among some cells.
    pub(super) fn variables<'c>(&self, cells: impl Iterator<Item = &'c u32>) -> Vec<VarId> {
        let state = self.processes..self.state_size() as u32;
        cells.filter(|cell| state.contains(cell)).map(|&cell| VarId(cell - self.processes)).collect()
    }
}

impl Touched {
    fn sort_out(self, memory: &Memory) -> Footprint {
        let [reads, writes] = [self.reads, self.writes].map(|mut cells| {
            #[expect(clippy::stable_sort_primitive, reason = "arrays are ascending runs, which it merges")]
            cells.sort();
            cells.dedup();
            cells
        });
        let locations = reads.iter().take_while(|&&cell| cell < memory.processes);
        Footprint {
            locations: locations.map(|&cell| ProcessId(cell)).collect(),
            reads: memory.variables(reads.iter()),
            writes: memory.variables(writes.iter()),
        }
    }
}

impl Term {
    /// What the term may touch; its calls are of functions of the segment.
    pub(super) fn footprint(&self, segment: &Segment, memory: &Memory) -> Footprint {
        let mut touched = Touched::default();
        touched.term(self, segment, memory);
        touched.sort_out(memory)
    }
}

impl Touched {
    fn term(&mut self, term: &Term, segment: &Segment, memory: &Memory) {
        match term {
            Term::Location(process) => {
                self.reads.push(*process);
            }
            Term::Load(place) => self.place(place, true, false, memory),
            Term::Address(place, mode) => self.place(place, mode.reads(), mode.writes(), memory),
            Term::Assign(assignment) => {
                let reads = assignment.op.is_some() || assignment.postfix;
                self.place(&assignment.place, reads, true, memory);
            }
            Term::Call(call) => {
                let inside = segment.touched_from(segment.functions[call.function].entry, memory);
                self.reads.extend(inside.reads);
                self.writes.extend(inside.writes);
            }
            _ => {}
        }
        term.for_each_part(|part| self.term(part, segment, memory));
    }

    fn place(&mut self, place: &Place, reads: bool, writes: bool, memory: &Memory) {
        // What a reference stands for is said where it is made.
        let (start, length) = place.extent.unwrap_or_default();
        let cells = start..(start + length).min(memory.state_size() as u32);
        if reads {
            self.reads.extend(cells.clone());
        }
        if writes {
            self.writes.extend(cells);
        }
    }
}
