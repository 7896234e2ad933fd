//! From terms to instructions.
//!
//! Every term leaves its value in the accumulator. The emitter follows the depth of the operand stack, so that machines
//! can be built with a stack that is exactly deep enough; after each complete code the depth is zero again, which is asserted.

mod place;
mod statement;

use super::instruction::{CopyPlan, Instruction};
use super::interval::interval;
use super::term::{Call, Place, Quantified, Term};
use super::{Arithmetic, Code, Comparison, Memory, Program, Segment};
use guidepost_language::model::Quantifier;
use guidepost_language::source::Span;

/// Appends code to a segment.
pub(crate) struct Emitter<'p> {
    segment: &'p mut Segment,
    memory: &'p Memory,
    depth: u32,
    deepest: u32,
    /// How often the loops around may run what stands here, and the most iterations and calls so far.
    repetitions: u64,
    steps: u64,
}

impl<'p> Emitter<'p> {
    pub(crate) fn new(program: &'p mut Program) -> Self {
        Self::into_segment(&mut program.segment, &program.memory)
    }

    pub(crate) fn into_segment(segment: &'p mut Segment, memory: &'p Memory) -> Self {
        Self { segment, memory, depth: 0, deepest: 0, repetitions: 1, steps: 0 }
    }

    /// Code whose value is the term's.
    pub(crate) fn code(mut self, term: &Term) -> Code {
        let entry = self.here();
        self.value(term);
        self.finish(entry, vec![term.clone()])
    }

    /// Code that runs the terms for their effects.
    pub(crate) fn update(mut self, terms: &[Term]) -> Code {
        let entry = self.here();
        for term in terms {
            self.effect(term);
        }
        self.finish(entry, terms.to_vec())
    }

    fn finish(self, entry: u32, terms: Vec<Term>) -> Code {
        debug_assert_eq!(self.depth, 0, "code leaves the stack as it found it");
        self.segment.instructions.push(Instruction::Halt);
        self.segment.stack = self.segment.stack.max(self.deepest);
        self.segment.steps = self.segment.steps.max(self.steps);
        self.segment.listing.push((entry, terms));
        self.segment.code_at(entry)
    }

    fn here(&self) -> u32 {
        self.segment.instructions.len() as u32
    }

    fn push(&mut self, instruction: Instruction) {
        self.segment.instructions.push(instruction);
    }

    /// An instruction that can fail, with its place in the source.
    fn push_at(&mut self, instruction: Instruction, span: Span) {
        let at = self.here();
        self.segment.spans.push((at, span));
        self.push(instruction);
    }

    fn push_value(&mut self) {
        self.push(Instruction::Push);
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    fn popped(&mut self, entries: u32) {
        self.depth -= entries;
    }

    fn pop(&mut self) {
        self.push(Instruction::Pop);
        self.popped(1);
    }

    /// A jump whose target is set by [`land`](Self::land).
    fn jump(&mut self, instruction: Instruction) -> usize {
        self.push(instruction);
        self.segment.instructions.len() - 1
    }

    /// Lets a jump lead here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.segment.instructions[jump] {
            Instruction::Jump(target) | Instruction::JumpIfZero(target) | Instruction::JumpIfNot(target) => {
                *target = here;
            }
            other => debug_assert!(false, "{other:?} is no jump"),
        }
    }

    fn effect(&mut self, term: &Term) {
        match term {
            Term::Assign(assignment) => self.assign(assignment, false),
            Term::Sequence(terms) => terms.iter().for_each(|term| self.effect(term)),
            Term::If(condition, then, otherwise) => {
                self.branch(condition, |emitter| emitter.effect(then), |emitter| emitter.effect(otherwise));
            }
            Term::Const(_) => {}
            other => self.value(other),
        }
    }

    fn value(&mut self, term: &Term) {
        match term {
            Term::Const(value) => self.push(Instruction::Const(*value)),
            Term::Fault(fault, span) => {
                self.segment.faults.push((**fault).clone());
                self.push_at(Instruction::Fail(self.segment.faults.len() as u32 - 1), *span);
            }
            Term::Location(process) => self.push(Instruction::Load(*process)),
            Term::Load(place) => self.load(place),
            Term::Negate(value, span) => self.unary(value, Instruction::Negate, *span),
            Term::Abs(value, span) => self.unary(value, Instruction::Abs, *span),
            Term::Not(value) => self.unary(value, Instruction::Not, Span::default()),
            Term::Truth(value) => self.unary(value, Instruction::Truth, Span::default()),
            Term::Arith(op, left, right, span) => self.arith(*op, left, right, *span),
            Term::Compare(op, left, right) => self.compare(*op, left, right),
            Term::And(parts) => self.junction(parts, Instruction::JumpIfZero(0)),
            Term::Or(parts) => self.junction(parts, Instruction::JumpIfNot(0)),
            Term::If(condition, then, otherwise) => {
                self.branch(condition, |emitter| emitter.value(then), |emitter| emitter.value(otherwise));
            }
            Term::Assign(assignment) => self.assign(assignment, true),
            Term::Call(call) => self.call(call),
            Term::Quantified(quantified) => self.quantified(quantified),
            Term::Address(place, mode) => self.address(place, *mode),
            Term::Number(place) => self.number(place),
            Term::Equal(left, right, length) => {
                self.value(left);
                self.push_value();
                self.value(right);
                self.push(Instruction::Equal(*length));
                self.popped(1);
            }
            Term::Copy(copy) => {
                self.value(&copy.target);
                self.push_value();
                self.value(&copy.source);
                self.copy(&copy.plan, copy.span);
            }
            Term::SetClock(place, value, span) => self.set_clock(place, value, *span),
            Term::CopyClock(target, source, offset) => {
                self.number(target);
                self.push_value();
                self.number(source);
                self.push_value();
                self.value(offset);
                self.push(Instruction::CopyClock);
                self.popped(2);
            }
            Term::Pay(price, span) => {
                self.value(price);
                self.push_at(Instruction::Pay, *span);
            }
            Term::Sequence(terms) => {
                let Some((last, before)) = terms.split_last() else { return };
                for term in before {
                    self.effect(term);
                }
                self.value(last);
            }
            Term::Check(checked) => {
                self.value(&checked.value);
                let (low, high) = interval(&checked.value);
                if low < checked.min.into() || i64::from(checked.max) < high {
                    let check = self.check(0, (checked.min, checked.max), checked.subject.clone());
                    self.push_at(Instruction::Check(check), checked.span);
                }
            }
        }
    }

    fn unary(&mut self, value: &Term, instruction: Instruction, span: Span) {
        self.value(value);
        if matches!(instruction, Instruction::Negate | Instruction::Abs) {
            self.push_at(instruction, span);
        } else {
            self.push(instruction);
        }
    }

    fn arith(&mut self, op: Arithmetic, left: &Term, right: &Term, span: Span) {
        self.value(left);
        match right {
            Term::Const(value) => self.push_at(arith_const(op, *value), span),
            Term::Load(place) if place.address().is_some() => {
                let cell = place.address().unwrap_or_default();
                self.push_at(arith_cell(op, cell), span);
            }
            right => {
                self.push_value();
                self.value(right);
                self.push_at(Instruction::Arith(op), span);
                self.popped(1);
            }
        }
    }

    fn compare(&mut self, op: Comparison, left: &Term, right: &Term) {
        if let (Some(cell), Some(value)) = (cell_of(left), right.as_const())
            && let Some(fused) = fuse(op, cell, value)
        {
            return self.push(fused);
        }
        self.value(left);
        match (right, cell_of(right)) {
            (Term::Const(value), _) => self.push(compare_const(op, *value)),
            (_, Some(cell)) => self.push(Instruction::CompareCell(op, cell)),
            _ => {
                self.push_value();
                self.value(right);
                self.push(Instruction::Compare(op));
                self.popped(1);
            }
        }
    }

    fn junction(&mut self, parts: &[Term], leave: Instruction) {
        let mut exits = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            self.value(part);
            if !part.is_boolean() {
                self.push(Instruction::Truth);
            }
            if position + 1 < parts.len() {
                exits.push(self.jump(leave));
            }
        }
        for exit in exits {
            self.land(exit);
        }
    }

    fn branch(&mut self, condition: &Term, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        self.value(condition);
        let to_else = self.jump(Instruction::JumpIfZero(0));
        then(self);
        let to_end = self.jump(Instruction::Jump(0));
        self.land(to_else);
        otherwise(self);
        self.land(to_end);
    }

    fn call(&mut self, call: &Call) {
        if let Some((target, _)) = call.result {
            self.push(Instruction::Const(target as i32));
            self.push_value();
        }
        for arg in &call.args {
            self.value(arg);
            self.push_value();
        }
        let callee = self.segment.functions[call.function];
        self.deepest = self.deepest.max(self.depth + callee.stack);
        self.count_steps(callee.steps.saturating_add(1));
        self.push_at(Instruction::Call(callee.entry), call.span);
        self.popped(call.args.len() as u32);
        if let Some((_, plan)) = &call.result {
            self.copy(plan, call.span);
        }
    }

    fn copy(&mut self, plan: &CopyPlan, span: Span) {
        self.segment.copies.push(plan.clone());
        self.push_at(Instruction::Copy(self.segment.copies.len() as u32 - 1), span);
        self.popped(1);
    }

    fn set_clock(&mut self, place: &Place, value: &Term, span: Span) {
        match (place.address(), value) {
            (Some(clock), Term::Const(value)) if clock <= u16::MAX.into() && *value >= 0 => {
                self.push(Instruction::ResetClock(clock as u16, *value));
            }
            (Some(clock), value) => {
                self.value(value);
                self.push_at(Instruction::SetClock(clock), span);
            }
            (None, value) => {
                self.number(place);
                self.push_value();
                self.value(value);
                self.push_at(Instruction::SetClockAt, span);
                self.popped(1);
            }
        }
    }

    /// Runs the body for every value of the binder's cell; `exit` says how the body's value leaves early.
    fn quantified(&mut self, quantified: &Quantified) {
        let Quantified { quantifier, cell, low, high, body, span } = quantified;
        let is_sum = *quantifier == Quantifier::Sum;
        if is_sum {
            self.push(Instruction::Const(0));
            self.push_value();
        }
        self.push(Instruction::Const(*low));
        self.push(Instruction::Store(*cell));
        let start = self.here();
        let around = self.repeat(*low, *high);
        self.value(body);
        let early = match quantifier {
            Quantifier::Forall => Some(self.jump(Instruction::JumpIfZero(0))),
            Quantifier::Exists => Some(self.jump(Instruction::JumpIfNot(0))),
            Quantifier::Sum => {
                self.push_at(Instruction::Arith(Arithmetic::Add), *span);
                // The sum goes back to where it came from.
                self.push(Instruction::Push);
                None
            }
        };
        self.advance(*cell, *high, start, *span);
        self.repetitions = around;
        if is_sum {
            self.pop();
        } else {
            self.push(Instruction::Const(i32::from(*quantifier == Quantifier::Forall)));
        }
        if let Some(early) = early {
            self.land(early);
            self.push(Instruction::Truth);
        }
    }

    /// What follows is run for all values of a range; says how often what stands around it is run.
    fn repeat(&mut self, low: i32, high: i32) -> u64 {
        let times = (i64::from(high) - i64::from(low) + 1).max(0) as u64;
        let around = self.repetitions;
        self.repetitions = around.saturating_mul(times);
        around
    }

    /// What stands here takes so many iterations and calls.
    fn count_steps(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(self.repetitions.saturating_mul(steps));
    }

    /// Steps a loop cell and goes back to `start` while it has not passed `high`.
    fn advance(&mut self, cell: u32, high: i32, start: u32, span: Span) {
        self.push(Instruction::Load(cell));
        self.push(Instruction::LtConst(high));
        let done = self.jump(Instruction::JumpIfZero(0));
        self.push(Instruction::Load(cell));
        self.push(Instruction::AddConst(1));
        self.push(Instruction::Store(cell));
        self.count_steps(1);
        self.push_at(Instruction::Loop(start), span);
        self.land(done);
    }
}

/// The cell a term reads, if that is all it does.
fn cell_of(term: &Term) -> Option<u32> {
    match term {
        Term::Location(process) => Some(*process),
        Term::Load(place) => place.address(),
        _ => None,
    }
}

/// One instruction for a comparison of a cell with a constant. `<=` and `>=` become `<` and `>`.
fn fuse(op: Comparison, cell: u32, value: i32) -> Option<Instruction> {
    let cell = u16::try_from(cell).ok()?;
    Some(match op {
        Comparison::Eq => Instruction::CellEq(cell, value),
        Comparison::Ne => Instruction::CellNe(cell, value),
        Comparison::Lt => Instruction::CellLt(cell, value),
        Comparison::Gt => Instruction::CellGt(cell, value),
        Comparison::Le => Instruction::CellLt(cell, value.checked_add(1)?),
        Comparison::Ge => Instruction::CellGt(cell, value.checked_sub(1)?),
    })
}

fn arith_const(op: Arithmetic, value: i32) -> Instruction {
    match (op, value.checked_neg()) {
        (Arithmetic::Add, _) => Instruction::AddConst(value),
        (Arithmetic::Sub, Some(negated)) => Instruction::AddConst(negated),
        _ => Instruction::ArithConst(op, value),
    }
}

fn arith_cell(op: Arithmetic, cell: u32) -> Instruction {
    match op {
        Arithmetic::Add => Instruction::AddCell(cell),
        Arithmetic::Sub => Instruction::SubCell(cell),
        _ => Instruction::ArithCell(op, cell),
    }
}

fn compare_const(op: Comparison, value: i32) -> Instruction {
    match (op, value.checked_add(1), value.checked_sub(1)) {
        (Comparison::Eq, ..) => Instruction::EqConst(value),
        (Comparison::Lt, ..) => Instruction::LtConst(value),
        (Comparison::Gt, ..) => Instruction::GtConst(value),
        (Comparison::Le, Some(above), _) => Instruction::LtConst(above),
        (Comparison::Ge, _, Some(below)) => Instruction::GtConst(below),
        _ => Instruction::CompareConst(op, value),
    }
}
