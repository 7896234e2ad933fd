//! The machine that runs compiled code.
//!
//! An engine keeps one machine per thread, writes the discrete state into [`state_mut`](Machine::state_mut) and evaluates. A machine knows the code of its
//! network; before it evaluates that of a goal, it is [told](Machine::attach) which segment that stands in.
//! Nothing is allocated while code runs: memory and stack have their final size from the start, clock operations go into a vector
//! that the caller reuses.

use super::instruction::{Access, CopyPlan, Instruction, RangeCheck};
use super::{CLOCK_LIMIT, Code, Codes, EvalError, Fault, Memory, Program, Segment, Subject};
use crate::network::{ClockConstraint, ClockId, ClockOp, Operand, VarId};
use crate::query::{Expression, Goal};
use guidepost_language::source::Span;
use std::sync::Arc;

/// How many loop iterations and calls one evaluation may take.
pub const STEP_LIMIT: u32 = 10_000_000;

/// Memory and stack for running the code of one [`Program`], and of queries about its network.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    /// The segment of the goal or expression whose code is being evaluated.
    attached: Option<Arc<Segment>>,
    memory: Vec<i32>,
    stack: Vec<i32>,
    returns: Vec<u32>,
    /// Where results wrapped around; see [`Machine::wraps`].
    wraps: Vec<Span>,
    /// Instructions executed so far; see [`Machine::executed`].
    executed: u64,
    /// What updates have paid since somebody asked; see [`Machine::take_price`].
    price: i64,
}

impl<'p> Machine<'p> {
    /// A machine for the code of a program.
    pub fn new(program: &'p Program) -> Self {
        let mut memory = vec![0; program.state_size()];
        memory.extend_from_slice(&program.memory.scratch);
        let stack = vec![0; program.segment.stack as usize + 1];
        Self {
            program,
            attached: None,
            memory,
            stack,
            returns: Vec::with_capacity(16),
            wraps: Vec::new(),
            executed: 0,
            price: 0,
        }
    }

    /// A machine for the code of a program and of some goals, which come from one query.
    pub fn for_goals(program: &'p Program, goals: &[Goal]) -> Self {
        let mut machine = Self::new(program);
        machine.attach(Goal::common_segment(goals));
        machine
    }

    /// From now on, code of queries is code of this segment. Cheap when it is attached already.
    #[inline]
    pub fn attach(&mut self, segment: &Arc<Segment>) {
        if !self.attached.as_ref().is_some_and(|attached| Arc::ptr_eq(attached, segment)) {
            self.attach_anew(segment);
        }
    }

    #[cold]
    fn attach_anew(&mut self, segment: &Arc<Segment>) {
        // Without code of its own a goal speaks in code of the network.
        if segment.is_empty() {
            return;
        }
        let base = self.program.memory.size();
        assert_eq!(segment.base as usize, base, "the query was compiled for another network");
        self.memory.truncate(base);
        self.memory.extend_from_slice(&segment.cells);
        let room = self.program.segment.stack.max(segment.stack) as usize + 1;
        self.stack.resize(room.max(self.stack.len()), 0);
        self.attached = Some(Arc::clone(segment));
    }

    /// A look into the code that the machine knows.
    pub fn codes(&self) -> Codes<'_> {
        Codes::new(self.program, self.attached.as_deref().unwrap_or(&self.program.segment))
    }

    /// The program this machine runs.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state: one cell per process (a [`LocationId`](crate::LocationId)), then one per variable.
    #[inline]
    pub fn state(&self) -> &[i32] {
        &self.memory[..self.program.state_size()]
    }

    /// The state, to be written.
    #[inline]
    pub fn state_mut(&mut self) -> &mut [i32] {
        &mut self.memory[..self.program.state_size()]
    }

    /// The variables part of the state.
    #[inline]
    pub fn variables(&self) -> &[i32] {
        &self.memory[self.program.location_cells()..self.program.state_size()]
    }

    /// The variables part of the state, to be written.
    #[inline]
    pub fn variables_mut(&mut self) -> &mut [i32] {
        &mut self.memory[self.program.location_cells()..self.program.state_size()]
    }

    /// Copies a whole state in.
    #[inline]
    pub fn load(&mut self, state: &[i32]) {
        self.state_mut().copy_from_slice(state);
    }

    /// The value of an expression.
    #[inline]
    pub fn eval(&mut self, code: Code) -> Result<i32, EvalError> {
        if let Some(value) = self.glance(code) {
            self.executed += 1;
            return Ok(value);
        }
        // Pure code emits no clock operations, and an empty vector does not allocate.
        self.run(code, &mut Vec::new()).map_err(|error| *error)
    }

    /// The value of an expression of a query.
    pub fn evaluate(&mut self, expression: &Expression) -> Result<i32, EvalError> {
        self.attach(&expression.segment);
        self.eval(expression.code)
    }

    /// The value of a code that is one comparison, without starting the machine: most guards are.
    #[inline]
    fn glance(&self, code: Code) -> Option<i32> {
        let segment = segment_of(self.program, self.attached.as_ref(), code);
        let at = segment.entry(code);
        let [first, Instruction::Halt] = segment.instructions.get(at..at + 2)? else { return None };
        let cell = |cell: u16| self.memory[cell as usize];
        let truth = match *first {
            Instruction::CellEq(address, value) => cell(address) == value,
            Instruction::CellNe(address, value) => cell(address) != value,
            Instruction::CellLt(address, value) => cell(address) < value,
            Instruction::CellGt(address, value) => cell(address) > value,
            _ => return None,
        };
        Some(i32::from(truth))
    }

    /// Whether all conditions are non-zero; stops at the first that is not.
    #[inline]
    pub fn holds(&mut self, conditions: &[Code]) -> Result<bool, EvalError> {
        for &code in conditions {
            if self.eval(code)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The bound of a clock constraint in this state; `None` when its condition does not hold, so that it does not count.
    #[inline]
    pub fn bound(&mut self, constraint: &ClockConstraint) -> Result<Option<i32>, EvalError> {
        if let Some(condition) = constraint.condition
            && self.eval(condition)? == 0
        {
            return Ok(None);
        }
        match constraint.bound {
            Operand::Const(value) => Ok(Some(value)),
            Operand::Code(code, ..) => self.eval(code).map(Some),
        }
    }

    /// Runs an update on the state; what it does to clocks is appended to `ops` in order.
    #[inline]
    pub fn run_update(&mut self, code: Code, ops: &mut Vec<ClockOp>) -> Result<(), EvalError> {
        self.run(code, ops).map(|_| ()).map_err(|error| *error)
    }

    /// What updates have paid (`cost += e`) since this was last asked.
    #[inline]
    pub fn take_price(&mut self) -> i64 {
        std::mem::take(&mut self.price)
    }

    /// The rate at which cost grows while time passes in the state: the sum over the current locations.
    pub fn cost_rate(&mut self, network: &crate::Network) -> Result<i64, EvalError> {
        let mut sum = 0;
        for process in 0..network.processes.len() {
            let location = &network.locations[self.state()[process] as usize];
            if let Some(code) = location.cost_rate {
                sum += i64::from(self.eval(code)?);
            }
        }
        Ok(sum)
    }

    /// Where results did not fit into 32 bits and wrapped around, in all evaluations so far; not all places, if there are many.
    pub fn wraps(&self) -> Vec<Span> {
        let mut spans = self.wraps.clone();
        spans.sort_unstable();
        spans
    }

    /// How many instructions have been executed in all evaluations so far: what they cost, the same on every machine.
    #[inline]
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// Cells behind the state, for reading aggregate results of constant expressions.
    pub(crate) fn cells(&self, address: u32, count: u32) -> &[i32] {
        &self.memory[address as usize..(address + count) as usize]
    }

    #[inline(never)]
    #[expect(
        clippy::too_many_lines,
        reason = "one arm per instruction; splitting it would cost a call per instruction"
    )]
    fn run(&mut self, code: Code, ops: &mut Vec<ClockOp>) -> Result<i32, Box<EvalError>> {
        let layout = &self.program.memory;
        let segment = segment_of(self.program, self.attached.as_ref(), code);
        let instructions = segment.instructions.as_slice();
        let memory = self.memory.as_mut_slice();
        let stack = self.stack.as_mut_slice();
        let returns = &mut self.returns;
        let wraps = &mut self.wraps;
        let executed = &mut self.executed;
        let mut count = 0_u64;
        let price = &mut self.price;
        returns.clear();
        let (mut pc, mut sp, mut acc) = (segment.entry(code), 0_usize, 0_i32);
        let mut fuel = STEP_LIMIT;

        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => {
                        *executed += count;
                        return Err(error(segment, pc, fault));
                    }
                }
            };
        }
        macro_rules! wrapping {
            ($result:expr) => {{
                let (value, wrapped) = $result;
                if wrapped {
                    note(wraps, segment, pc);
                }
                value
            }};
        }
        macro_rules! pop {
            () => {{
                sp -= 1;
                stack[sp]
            }};
        }

        loop {
            let instruction = instructions[pc];
            pc += 1;
            count += 1;
            match instruction {
                Instruction::Halt => {
                    *executed += count;
                    return Ok(acc);
                }
                Instruction::Const(value) => acc = value,
                Instruction::Load(address) => acc = memory[address as usize],
                Instruction::Push => {
                    stack[sp] = acc;
                    sp += 1;
                }
                Instruction::Pop => acc = pop!(),
                Instruction::Arith(op) => acc = wrapping!(attempt!(op.apply(pop!(), acc))),
                Instruction::ArithConst(op, value) => acc = wrapping!(attempt!(op.apply(acc, value))),
                Instruction::ArithCell(op, cell) => {
                    acc = wrapping!(attempt!(op.apply(acc, memory[cell as usize])));
                }
                Instruction::AddConst(value) => acc = wrapping!(acc.overflowing_add(value)),
                Instruction::AddCell(cell) => {
                    acc = wrapping!(acc.overflowing_add(memory[cell as usize]));
                }
                Instruction::SubCell(cell) => {
                    acc = wrapping!(acc.overflowing_sub(memory[cell as usize]));
                }
                Instruction::EqConst(value) => acc = i32::from(acc == value),
                Instruction::LtConst(value) => acc = i32::from(acc < value),
                Instruction::GtConst(value) => acc = i32::from(acc > value),
                Instruction::Compare(op) => acc = i32::from(op.test(pop!(), acc)),
                Instruction::CompareConst(op, value) => acc = i32::from(op.test(acc, value)),
                Instruction::CompareCell(op, cell) => acc = i32::from(op.test(acc, memory[cell as usize])),
                Instruction::CellEq(cell, value) => acc = i32::from(memory[cell as usize] == value),
                Instruction::CellNe(cell, value) => acc = i32::from(memory[cell as usize] != value),
                Instruction::CellLt(cell, value) => acc = i32::from(memory[cell as usize] < value),
                Instruction::CellGt(cell, value) => acc = i32::from(memory[cell as usize] > value),
                Instruction::Negate => acc = wrapping!(acc.overflowing_neg()),
                Instruction::Abs => acc = wrapping!(acc.overflowing_abs()),
                Instruction::Not => acc = i32::from(acc == 0),
                Instruction::Truth => acc = i32::from(acc != 0),
                Instruction::Jump(target) => pc = target as usize,
                Instruction::Loop(target) => {
                    fuel = attempt!(fuel.checked_sub(1).ok_or(Fault::StepLimit));
                    pc = target as usize;
                }
                Instruction::JumpIfZero(target) => {
                    if acc == 0 {
                        pc = target as usize;
                    }
                }
                Instruction::JumpIfNot(target) => {
                    if acc != 0 {
                        pc = target as usize;
                    }
                }
                Instruction::Store(address) => memory[address as usize] = acc,
                Instruction::SetCell(cell, value) => {
                    memory[cell as usize] = value;
                    acc = value;
                }
                Instruction::StoreChecked(check) => {
                    let check = &segment.checks[check as usize];
                    attempt!(within(check, acc));
                    memory[check.address as usize] = acc;
                }
                Instruction::AddTo(check, by) => {
                    let check = &segment.checks[check as usize];
                    acc = wrapping!(memory[check.address as usize].overflowing_add(by));
                    attempt!(within(check, acc));
                    memory[check.address as usize] = acc;
                }
                Instruction::Check(check) => attempt!(within(&segment.checks[check as usize], acc)),
                Instruction::Index(access) => {
                    acc = attempt!(offset(&segment.accesses[access as usize], acc)) as i32;
                }
                Instruction::LoadAt(access) => {
                    acc = memory[segment.accesses[access as usize].base as usize + acc as usize];
                }
                Instruction::LoadElement(access) => {
                    let access = &segment.accesses[access as usize];
                    acc = memory[access.base as usize + attempt!(offset(access, acc)) as usize];
                }
                Instruction::StoreAt(access) => {
                    let access = &segment.accesses[access as usize];
                    let address = access.base + pop!() as u32;
                    attempt!(storable(layout, access, address, acc));
                    memory[address as usize] = acc;
                }
                Instruction::Address(access) => acc += segment.accesses[access as usize].base as i32,
                Instruction::Copy(plan) => {
                    let target = pop!() as u32;
                    attempt!(copy(memory, &segment.copies[plan as usize], layout, target, acc as u32));
                    acc = target as i32;
                }
                Instruction::Equal(length) => {
                    let (left, right, length) = (pop!() as usize, acc as usize, length as usize);
                    acc = i32::from(memory[left..left + length] == memory[right..right + length]);
                }
                Instruction::Call(entry) => {
                    fuel = attempt!(fuel.checked_sub(1).ok_or(Fault::StepLimit));
                    returns.push(pc as u32);
                    pc = entry as usize;
                }
                Instruction::Return => {
                    let Some(back) = returns.pop() else {
                        *executed += count;
                        return Ok(acc);
                    };
                    pc = back as usize;
                }
                Instruction::Assert => attempt!(if acc == 0 { Err(Fault::Assertion) } else { Ok(()) }),
                Instruction::ResetClock(clock, value) => ops.push(ClockOp::Set(ClockId(clock.into()), value)),
                Instruction::SetClock(clock) => ops.push(attempt!(clock_set(clock, acc))),
                Instruction::SetClockAt => ops.push(attempt!(clock_set(pop!() as u32, acc))),
                Instruction::CopyClock => {
                    let source = ClockId(pop!() as u32);
                    ops.push(ClockOp::Copy(ClockId(pop!() as u32), source, acc));
                }
                Instruction::Pay => {
                    attempt!(if acc < 0 { Err(Fault::NegativePrice(acc)) } else { Ok(()) });
                    *price += i64::from(acc);
                }
                Instruction::Fail(fault) => {
                    return Err(error(segment, pc, segment.faults[fault as usize].clone()));
                }
            }
        }
    }
}

/// Remembers that the instruction before `pc` made a result that wrapped around.
#[cold]
fn note(wraps: &mut Vec<Span>, segment: &Segment, pc: usize) {
    const MOST: usize = 100;
    if wraps.len() < MOST {
        let span = segment.span_at(pc - 1);
        if !wraps.contains(&span) {
            wraps.push(span);
        }
    }
}

/// The segment that a code stands in.
#[inline]
fn segment_of<'m>(program: &'m Program, attached: Option<&'m Arc<Segment>>, code: Code) -> &'m Segment {
    // The question is asked first that is nearly always answered in the same way.
    if code.is_of_query() { attached.map_or(&program.segment, Arc::as_ref) } else { &program.segment }
}

#[cold]
#[expect(
    clippy::unnecessary_box_returns,
    reason = "the result of a run that succeeds then fits into registers"
)]
fn error(segment: &Segment, pc: usize, fault: Fault) -> Box<EvalError> {
    Box::new(EvalError { fault, span: segment.span_at(pc - 1) })
}

#[inline]
fn within(check: &RangeCheck, value: i32) -> Result<(), Fault> {
    if check.min <= value && value <= check.max {
        return Ok(());
    }
    Err(Fault::OutOfRange { subject: check.subject.clone(), value, min: check.min, max: check.max })
}

/// Where an element lies in its array, in cells.
#[inline]
fn offset(access: &Access, index: i32) -> Result<u32, Fault> {
    // Layouts keep |low| below 2^30, so a distance outside the array cannot wrap into it.
    let position = index.wrapping_sub(access.low) as u32;
    if position < access.count {
        return Ok(position * access.stride);
    }
    let high = access.low.wrapping_add(access.count as i32 - 1);
    Err(Fault::Index { index, low: access.low, high })
}

/// Checks a store to a computed address. Through a reference the variable's own range counts, not the parameter's.
#[inline]
fn storable(layout: &Memory, access: &Access, address: u32, value: i32) -> Result<(), Fault> {
    let variable = address.wrapping_sub(layout.processes);
    let bounds = layout.bounds.get(variable as usize);
    let &(min, max) = bounds.unwrap_or(&(access.min, access.max));
    if min <= value && value <= max {
        return Ok(());
    }
    let subject = if bounds.is_some() { Subject::Variable(VarId(variable)) } else { access.subject.clone() };
    Err(Fault::OutOfRange { subject, value, min, max })
}

fn copy(memory: &mut [i32], plan: &CopyPlan, layout: &Memory, target: u32, source: u32) -> Result<(), Fault> {
    for (offset, &(min, max)) in plan.ranges.iter().enumerate() {
        let value = memory[source as usize + offset];
        if value < min || max < value {
            let variable = (target + offset as u32).wrapping_sub(layout.processes);
            let in_state = variable < layout.variables;
            let subject = if in_state { Subject::Variable(VarId(variable)) } else { plan.subject.clone() };
            return Err(Fault::OutOfRange { subject, value, min, max });
        }
    }
    let source = source as usize;
    memory.copy_within(source..source + plan.length as usize, target as usize);
    Ok(())
}

fn clock_set(clock: u32, value: i32) -> Result<ClockOp, Fault> {
    if (0..CLOCK_LIMIT).contains(&value) {
        return Ok(ClockOp::Set(ClockId(clock), value));
    }
    Err(Fault::ClockValue(ClockId(clock), value))
}
