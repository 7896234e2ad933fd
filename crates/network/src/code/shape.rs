//! What a code looks like, for engines that want to see through simple ones.
//!
//! Heuristics and abstractions reason about conditions such as `v == 3` and updates such as `v := v + 1`. Those are single instructions, so their shape
//! is read off the program; whatever is more complicated is [`Shape::Opaque`] and can still be evaluated.

use super::instruction::Instruction;
use super::{Code, Codes, Comparison, Memory, Segment};
use crate::network::{ClockId, LocationId, ProcessId, VarId};

/// The shape of a condition or of one step of an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Always this value.
    Const(i32),
    /// The value of a variable, taken as it is.
    Var(VarId),
    /// A variable compared with a constant; `<=` and `>=` are normally written as `<` and `>`.
    VarCmpConst {
        /// The variable.
        var: VarId,
        /// The comparison.
        op: Comparison,
        /// The constant.
        value: i32,
    },
    /// Two variables compared.
    VarCmpVar {
        /// The variable on the left.
        left: VarId,
        /// The comparison.
        op: Comparison,
        /// The variable on the right.
        right: VarId,
    },
    /// A process is (or is not) in a location.
    AtLocation {
        /// The process.
        process: ProcessId,
        /// The location.
        location: LocationId,
        /// Whether it has to be there, rather than elsewhere.
        inside: bool,
    },
    /// `var := value`
    AssignConst {
        /// The variable.
        var: VarId,
        /// The constant.
        value: i32,
    },
    /// `var := source`
    AssignVar {
        /// The variable that is written.
        var: VarId,
        /// The variable that is read.
        source: VarId,
    },
    /// `var := var + by`
    Increment {
        /// The variable.
        var: VarId,
        /// What is added.
        by: i32,
    },
    /// `clock := value`
    ResetClock {
        /// The clock.
        clock: ClockId,
        /// The constant.
        value: i32,
    },
    /// Anything else.
    Opaque,
}

impl<'a> Codes<'a> {
    /// The shape of a condition, or of an update of one step. An update of several steps is [`Shape::Opaque`] here; see
    /// [`shapes`](Codes::shapes).
    pub fn shape(&self, code: Code) -> Shape {
        let (decoder, entry) = self.decoder(code);
        match decoder.decode(entry) {
            (shape, next) if decoder.segment.instructions.get(next) == Some(&Instruction::Halt) => shape,
            _ => Shape::Opaque,
        }
    }

    /// The steps of an update in order, when each of them is simple; `None` when some step is not.
    pub fn shapes(&self, code: Code) -> Option<Vec<Shape>> {
        let (decoder, mut at) = self.decoder(code);
        let mut shapes = Vec::new();
        while decoder.segment.instructions.get(at)? != &Instruction::Halt {
            // What a step costs changes nothing.
            if let [Instruction::Const(_), Instruction::Pay] = decoder.segment.instructions.get(at..at + 2)? {
                at += 2;
                continue;
            }
            let (shape, next) = decoder.decode(at);
            let is_step = matches!(
                shape,
                Shape::AssignConst { .. }
                    | Shape::AssignVar { .. }
                    | Shape::Increment { .. }
                    | Shape::ResetClock { .. }
            );
            if !is_step {
                return None;
            }
            shapes.push(shape);
            at = next;
        }
        Some(shapes)
    }

    fn decoder(&self, code: Code) -> (Decoder<'a>, usize) {
        let segment = self.segment_of(code);
        (Decoder { segment, memory: &self.program.memory }, segment.entry(code))
    }
}

/// Reads shapes off the instructions of a segment.
struct Decoder<'a> {
    segment: &'a Segment,
    memory: &'a Memory,
}

impl Decoder<'_> {
    fn variable(&self, address: u32) -> Option<VarId> {
        let variable = address.wrapping_sub(self.memory.processes);
        (variable < self.memory.variables).then_some(VarId(variable))
    }

    /// The shape that begins at an instruction, and the instruction behind it.
    fn decode(&self, at: usize) -> (Shape, usize) {
        let fetch = |at: usize| self.segment.instructions.get(at).copied().unwrap_or(Instruction::Halt);
        let compare = |cell: u16, op, value| self.cell_comparison(cell.into(), op, value);
        let single = match fetch(at) {
            Instruction::CellEq(cell, value) => compare(cell, Comparison::Eq, value),
            Instruction::CellNe(cell, value) => compare(cell, Comparison::Ne, value),
            Instruction::CellLt(cell, value) => compare(cell, Comparison::Lt, value),
            Instruction::CellGt(cell, value) => compare(cell, Comparison::Gt, value),
            Instruction::SetCell(cell, value) => {
                self.variable(cell.into()).map(|var| Shape::AssignConst { var, value })
            }
            Instruction::AddTo(check, by) => {
                let address = self.segment.checks[check as usize].address;
                self.variable(address).map(|var| Shape::Increment { var, by })
            }
            Instruction::ResetClock(clock, value) => {
                Some(Shape::ResetClock { clock: ClockId(clock.into()), value })
            }
            Instruction::Const(value) if fetch(at + 1) == Instruction::Halt => Some(Shape::Const(value)),
            Instruction::Load(address) => return self.decode_load(address, fetch(at + 1), at),
            _ => None,
        };
        (single.unwrap_or(Shape::Opaque), at + 1)
    }

    fn cell_comparison(&self, cell: u32, op: Comparison, value: i32) -> Option<Shape> {
        if let Some(var) = self.variable(cell) {
            return Some(Shape::VarCmpConst { var, op, value });
        }
        let inside = match op {
            _ if cell >= self.memory.processes => return None,
            Comparison::Eq => true,
            Comparison::Ne => false,
            _ => return None,
        };
        Some(Shape::AtLocation { process: ProcessId(cell), location: LocationId(value as u32), inside })
    }

    /// Two-instruction shapes that begin by loading a cell.
    fn decode_load(&self, address: u32, next: Instruction, at: usize) -> (Shape, usize) {
        let Some(source) = self.variable(address) else { return (Shape::Opaque, at + 1) };
        let assigned = |address| match self.variable(address) {
            Some(var) => (Shape::AssignVar { var, source }, at + 2),
            None => (Shape::Opaque, at + 2),
        };
        match next {
            Instruction::Halt => (Shape::Var(source), at + 1),
            Instruction::Not => (Shape::VarCmpConst { var: source, op: Comparison::Eq, value: 0 }, at + 2),
            Instruction::Store(address) => assigned(address),
            Instruction::StoreChecked(check) => assigned(self.segment.checks[check as usize].address),
            Instruction::CompareConst(op, value) => (Shape::VarCmpConst { var: source, op, value }, at + 2),
            Instruction::EqConst(value) => {
                (Shape::VarCmpConst { var: source, op: Comparison::Eq, value }, at + 2)
            }
            Instruction::LtConst(value) => {
                (Shape::VarCmpConst { var: source, op: Comparison::Lt, value }, at + 2)
            }
            Instruction::GtConst(value) => {
                (Shape::VarCmpConst { var: source, op: Comparison::Gt, value }, at + 2)
            }
            Instruction::CompareCell(op, cell) => match self.variable(cell) {
                Some(right) => (Shape::VarCmpVar { left: source, op, right }, at + 2),
                None => (Shape::Opaque, at + 2),
            },
            _ => (Shape::Opaque, at + 1),
        }
    }
}
