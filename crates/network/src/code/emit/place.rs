//! Reading and writing places: fixed cells, array elements, references.

use super::Emitter;
use crate::code::instruction::{Access, Instruction, Mode, RangeCheck};
use crate::code::interval::interval;
use crate::code::term::{Assignment, Base, Indexing, Place, Term};
use crate::code::{Arithmetic, Subject};
use guidepost_language::source::Span;

impl Emitter<'_> {
    /// The computed part of an address: offsets of all non-constant indices, and the reference's address.
    fn computed(&mut self, place: &Place) {
        for (position, index) in place.indices.iter().enumerate() {
            if position > 0 {
                self.push_value();
            }
            self.value(&index.index);
            let access = self.access(place, Mode::Read, position);
            self.push_index(Instruction::Index(access), index);
            if position > 0 {
                self.push(Instruction::Arith(Arithmetic::Add));
                self.popped(1);
            }
        }
        if let Base::Indirect(cell) = place.base {
            if place.indices.is_empty() {
                self.push(Instruction::Load(cell));
            } else {
                self.push(Instruction::AddCell(cell));
            }
        } else if place.indices.is_empty() {
            self.push(Instruction::Const(0));
        }
    }

    /// An instruction that computes an index, which can fail unless all its values are inside.
    fn push_index(&mut self, instruction: Instruction, index: &Indexing) {
        let (low, high) = interval(&index.index);
        if i64::from(index.low) <= low && high < i64::from(index.low) + i64::from(index.count) {
            self.push(instruction);
        } else {
            self.push_at(instruction, index.span);
        }
    }

    /// A table entry for an access to a place; `position` says which index its bounds are those of.
    fn access(&mut self, place: &Place, mode: Mode, position: usize) -> u32 {
        let (base, extent) = match place.base {
            Base::Fixed(base) => (base + place.offset, place.extent),
            Base::Indirect(_) => (place.offset, None),
        };
        let (low, count, stride) =
            place.indices.get(position).map_or((0, 0, 0), |index| (index.low, index.count, index.stride));
        let (min, max, subject) = (place.min, place.max, place.subject.clone());
        self.segment.accesses.push(Access { base, low, count, stride, extent, min, max, mode, subject });
        self.segment.accesses.len() as u32 - 1
    }

    pub(super) fn load(&mut self, place: &Place) {
        if let Some(address) = place.address() {
            return self.push(Instruction::Load(address));
        }
        if let (Base::Fixed(_), [index]) = (place.base, place.indices.as_slice()) {
            self.value(&index.index);
            let access = self.access(place, Mode::Read, 0);
            return self.push_index(Instruction::LoadElement(access), index);
        }
        self.computed(place);
        let access = self.access(place, Mode::Read, 0);
        self.push(Instruction::LoadAt(access));
    }

    pub(super) fn address(&mut self, place: &Place, mode: Mode) {
        self.computed(place);
        let access = self.access(place, mode, 0);
        self.push(Instruction::Address(access));
    }

    /// The number of a clock or channel: like an address, but of no concern to memory.
    pub(super) fn number(&mut self, place: &Place) {
        if let Some(number) = place.address() {
            return self.push(Instruction::Const(number as i32));
        }
        self.computed(place);
        let base = if let Base::Fixed(base) = place.base { base } else { 0 };
        if base + place.offset > 0 {
            self.push(Instruction::AddConst((base + place.offset) as i32));
        }
    }

    pub(super) fn assign(&mut self, assignment: &Assignment, value_used: bool) {
        match assignment.place.address() {
            Some(address) => self.assign_cell(assignment, address),
            None => self.assign_computed(assignment),
        }
        if let (true, true, Some(op), Term::Const(by)) =
            (value_used, assignment.postfix, assignment.op, &assignment.value)
        {
            let back = if op == Arithmetic::Add { Arithmetic::Sub } else { Arithmetic::Add };
            self.push(Instruction::ArithConst(back, *by));
        }
    }

    fn assign_cell(&mut self, assignment: &Assignment, address: u32) {
        let Assignment { place, op, value, span, .. } = assignment;
        if let (None, Term::Const(value)) = (op, value)
            && place.min <= *value
            && *value <= place.max
            && let Ok(cell) = u16::try_from(address)
        {
            return self.push(Instruction::SetCell(cell, *value));
        }
        if let Some(by) = increment(assignment, address)
            && let check = self.cell_check(place, address)
            && let Ok(check) = u16::try_from(check)
        {
            return self.push_at(Instruction::AddTo(check, by), *span);
        }
        match op {
            None => self.value(value),
            Some(op) => {
                let old = Term::Load(Box::new(place.clone()));
                self.arith(*op, &old, value, *span);
            }
        }
        let (low, high) = if op.is_none() { interval(value) } else { (i64::MIN, i64::MAX) };
        if i64::from(place.min) <= low && high <= i64::from(place.max) {
            self.push(Instruction::Store(address));
        } else {
            let check = self.cell_check(place, address);
            self.push_at(Instruction::StoreChecked(check), *span);
        }
    }

    fn assign_computed(&mut self, assignment: &Assignment) {
        let Assignment { place, op, value, span, .. } = assignment;
        self.computed(place);
        self.push_value();
        if let Some(op) = op {
            let access = self.access(place, Mode::Read, 0);
            self.push(Instruction::LoadAt(access));
            self.push_value();
            self.value(value);
            self.push_at(Instruction::Arith(*op), *span);
            self.popped(1);
        } else {
            self.value(value);
        }
        let access = self.access(place, Mode::Write, 0);
        self.push_at(Instruction::StoreAt(access), *span);
        self.popped(1);
    }

    pub(super) fn store_checked(&mut self, cell: u32, range: (i32, i32), subject: Subject, span: Span) {
        if range == (i32::MIN, i32::MAX) {
            return self.push(Instruction::Store(cell));
        }
        let check = self.check(cell, range, subject);
        self.push_at(Instruction::StoreChecked(check), span);
    }

    fn cell_check(&mut self, place: &Place, address: u32) -> u32 {
        let variable = address.wrapping_sub(self.memory.processes);
        let subject = if variable < self.memory.variables {
            Subject::Variable(crate::network::VarId(variable))
        } else {
            place.subject.clone()
        };
        self.check(address, (place.min, place.max), subject)
    }

    pub(super) fn check(&mut self, address: u32, (min, max): (i32, i32), subject: Subject) -> u32 {
        let checks = &mut self.segment.checks;
        // Checks of the same variable are many and equal; those of the last few codes are worth looking at.
        let recent = checks.iter().enumerate().rev().take(16);
        let same = recent.into_iter().find(|(_, old)| {
            old.address == address && old.min == min && old.max == max && old.subject == subject
        });
        if let Some((index, _)) = same {
            return index as u32;
        }
        checks.push(RangeCheck { address, min, max, subject });
        checks.len() as u32 - 1
    }
}

/// By how much an assignment changes its cell, if that is all it does: `v += c`, `v = v - c`.
fn increment(assignment: &Assignment, address: u32) -> Option<i32> {
    let (op, by) = match (assignment.op, &assignment.value) {
        (Some(op), Term::Const(by)) => (op, *by),
        (None, Term::Arith(op, left, right, _)) => match (left.as_ref(), right.as_ref()) {
            (Term::Load(place), Term::Const(by)) if place.address() == Some(address) => (*op, *by),
            _ => return None,
        },
        _ => return None,
    };
    match op {
        Arithmetic::Add => Some(by),
        Arithmetic::Sub => by.checked_neg(),
        _ => None,
    }
}
