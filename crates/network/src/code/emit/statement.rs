//! Functions and statements.

use super::Emitter;
use crate::code::instruction::{FunctionEntry, Instruction};
use crate::code::term::{Parameter, Statement, Unit};
use guidepost_language::source::Span;

impl Emitter<'_> {
    /// Compiles a function; its index counts the functions of the program.
    pub(crate) fn function(mut self, unit: &Unit) -> usize {
        let entry = self.here();
        self.depth = unit.params.len() as u32;
        for parameter in unit.params.iter().rev() {
            self.parameter(parameter);
        }
        self.statements(&unit.body);
        self.push(Instruction::Const(0));
        self.push(Instruction::Return);
        self.segment.functions.push(FunctionEntry { entry, stack: self.deepest, steps: self.steps });
        self.segment.functions.len() - 1
    }

    fn parameter(&mut self, parameter: &Parameter) {
        self.pop();
        match parameter {
            Parameter::Value { cell, min, max, subject, span } => {
                self.store_checked(*cell, (*min, *max), subject.clone(), *span);
            }
            Parameter::Reference { cell } => self.push(Instruction::Store(*cell)),
            Parameter::Aggregate { cell, plan, span } => {
                // The address waits in the first cell of its own target.
                self.push(Instruction::Store(*cell));
                self.push(Instruction::Const(*cell as i32));
                self.push_value();
                self.push(Instruction::Load(*cell));
                self.copy(plan, *span);
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Eval(term) => self.effect(term),
            Statement::If(condition, then, otherwise) => {
                self.branch(
                    condition,
                    |emitter| emitter.statements(then),
                    |emitter| emitter.statements(otherwise),
                );
            }
            Statement::While { condition, body, after, test_first } => {
                let entry = test_first.then(|| self.jump(Instruction::Jump(0)));
                let start = self.here();
                self.statements(body);
                self.statements(after);
                if let Some(entry) = entry {
                    self.land(entry);
                }
                self.value(condition);
                let done = self.jump(Instruction::JumpIfZero(0));
                self.count_steps(u64::MAX);
                self.push(Instruction::Loop(start));
                self.land(done);
            }
            Statement::Iterate { cell, low, high, body } => {
                self.push(Instruction::Const(*low));
                self.push(Instruction::Store(*cell));
                let start = self.here();
                let around = self.repeat(*low, *high);
                self.statements(body);
                self.advance(*cell, *high, start, Span::default());
                self.repetitions = around;
            }
            Statement::Return(value) => {
                if let Some(value) = value {
                    self.value(value);
                }
                self.push(Instruction::Return);
            }
            Statement::Assert(condition, span) => {
                self.value(condition);
                self.push_at(Instruction::Assert, *span);
            }
        }
    }
}
