//! Statements and calls.

use super::{ActiveCall, Evaluated, Range, RangeMachine, Stop, Written};
use crate::code::term::{Call, Parameter, Statement, Term};

impl<'p> RangeMachine<'p> {
    pub(super) fn call(&mut self, call: &'p Call) -> Evaluated {
        let mut arguments = Vec::with_capacity(call.args.len());
        for argument in &call.args {
            arguments.push(self.evaluate(argument)?);
        }
        let unit = &self.segment.units[call.function];
        self.calls.push(ActiveCall { begin: self.trail.len(), endings: Vec::new() });
        let passed = unit.params.iter().zip(arguments).rev();
        let passed = passed.map(|(parameter, argument)| self.pass(parameter, argument));
        match passed.collect::<Result<(), Stop>>().and_then(|()| self.statements(&unit.body)) {
            Ok(()) => self.leave(Range::ZERO),
            Err(Stop::Nowhere) => {}
            Err(Stop::TooMuch) => return Err(Stop::TooMuch),
        }
        let Some(ended) = self.calls.pop() else { return Err(Stop::TooMuch) };
        let (ends, values): (Vec<Written>, Vec<Range>) = ended.endings.into_iter().unzip();
        self.join(ended.begin, &ends)?;
        let value = values.into_iter().reduce(Range::hull).ok_or(Stop::Nowhere)?;
        match &call.result {
            Some((target, plan)) => {
                let target = Range::of(*target as i32);
                self.copy_cells(plan, target, value)?;
                Ok(target)
            }
            None => Ok(value),
        }
    }

    fn pass(&mut self, parameter: &'p Parameter, argument: Range) -> Result<(), Stop> {
        match parameter {
            Parameter::Value { cell, min, max, .. } => {
                let value = argument.meet(Range::new(*min, *max)).ok_or(Stop::Nowhere)?;
                self.write(*cell, value);
            }
            Parameter::Reference { cell } => self.write(*cell, argument),
            Parameter::Aggregate { cell, plan, .. } => {
                self.copy_cells(plan, Range::of(*cell as i32), argument)?;
            }
        }
        Ok(())
    }

    /// The active function ends here with a value.
    fn leave(&mut self, value: Range) {
        let begin = self.calls.last().map_or(0, |call| call.begin);
        let written = self.written_since(begin);
        if let Some(call) = self.calls.last_mut() {
            call.endings.push((written, value));
        }
    }

    fn statements(&mut self, statements: &'p [Statement]) -> Result<(), Stop> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'p Statement) -> Result<(), Stop> {
        self.spend()?;
        match statement {
            Statement::Eval(term) => {
                self.evaluate(term)?;
            }
            Statement::If(condition, then, otherwise) => {
                self.choose(
                    condition,
                    |machine| machine.statements(then).map(|()| Range::ZERO),
                    |machine| machine.statements(otherwise).map(|()| Range::ZERO),
                )?;
            }
            Statement::While { condition, body, after, test_first } => {
                self.repeat(condition, body, after, *test_first)?;
            }
            Statement::Iterate { cell, low, high, body } => {
                for value in *low..=(*high).max(*low) {
                    self.write(*cell, Range::of(value));
                    self.statements(body)?;
                }
            }
            Statement::Return(value) => {
                let value = match value {
                    Some(value) => self.evaluate(value)?,
                    None => Range::ZERO,
                };
                self.leave(value);
                // What follows is not run after this.
                return Err(Stop::Nowhere);
            }
            Statement::Assert(condition, _) => {
                if self.evaluate(condition)?.truth() == Some(false) {
                    return Err(Stop::Nowhere);
                }
                self.assume(condition, true)?;
            }
        }
        Ok(())
    }

    /// A loop ends after each iteration after which its condition may not hold.
    fn repeat(
        &mut self,
        condition: &'p Term,
        body: &'p [Statement],
        after: &'p [Statement],
        test_first: bool,
    ) -> Result<(), Stop> {
        let begin = self.trail.len();
        let mut ends = Vec::new();
        let mut is_tested = test_first;
        loop {
            let end = self.iterate(condition, body, after, is_tested, begin, &mut ends);
            match end {
                Ok(true) => is_tested = true,
                Ok(false) => {
                    ends.push(self.written_since(begin));
                    break;
                }
                Err(Stop::Nowhere) => break,
                Err(Stop::TooMuch) => return Err(Stop::TooMuch),
            }
        }
        self.join(begin, &ends)
    }

    /// One iteration; says whether there may be another. An end before it is put aside.
    fn iterate(
        &mut self,
        condition: &'p Term,
        body: &'p [Statement],
        after: &'p [Statement],
        is_tested: bool,
        begin: usize,
        ends: &mut Vec<Written>,
    ) -> Result<bool, Stop> {
        self.spend()?;
        if is_tested {
            match self.evaluate(condition)?.truth() {
                Some(true) => {}
                Some(false) => return Ok(false),
                None => {
                    let mark = self.trail.len();
                    if self.assume(condition, false) != Err(Stop::Nowhere) {
                        ends.push(self.written_since(begin));
                    }
                    self.take_back(mark);
                    self.assume(condition, true)?;
                }
            }
        }
        self.statements(body)?;
        self.statements(after)?;
        Ok(true)
    }
}
