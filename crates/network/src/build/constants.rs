//! Constant expressions: sizes, ranges, initial values.
//!
//! There is one evaluator in this crate, the machine, and constants go through it as well: the expression is lowered, and if folding did not
//! already leave a number, the code runs on the constants known so far. While constants are computed no variable may be read.

use super::Builder;
use super::layout::{Kind, Layout, default_value};
use crate::code::emit::Emitter;
use crate::code::term::Term;
use crate::code::{Fault, Machine, Subject};
use guidepost_language::diagnostic::Code;
use guidepost_language::model::{Expr, Init};
use guidepost_language::source::Span;
use std::sync::Arc;

impl Builder<'_> {
    /// The value of a constant expression.
    pub(crate) fn constant(&mut self, expr: &Expr) -> Option<i32> {
        let outer = std::mem::replace(&mut self.constant_only, true);
        let term = self.value(expr);
        self.constant_only = outer;
        self.evaluate(&term?, expr.span)
    }

    fn evaluate(&mut self, term: &Term, span: Span) -> Option<i32> {
        match term {
            Term::Const(value) => Some(*value),
            Term::Fault(fault, at) => self.report.fault(fault, *at),
            term => {
                let code = Emitter::new(&mut self.program).code(term);
                let result = Machine::new(&self.program).eval(code);
                result.map_or_else(|error| self.report.eval_error(&error, span), Some)
            }
        }
    }

    /// The data cells of a constant array or struct expression.
    fn constant_cells(&mut self, expr: &Expr, layout: &Layout) -> Option<Vec<i32>> {
        let outer = std::mem::replace(&mut self.constant_only, true);
        let term = self.aggregate_address(expr);
        self.constant_only = outer;
        let (term, found) = term?;
        if found.size != layout.size {
            return self.report.error(Code::BadInitialiser, expr.span, "the initialiser has another size");
        }
        let code = Emitter::new(&mut self.program).code(&term);
        let mut machine = Machine::new(&self.program);
        match machine.eval(code) {
            Ok(address) => Some(machine.cells(address as u32, layout.size.data).to_vec()),
            Err(error) => self.report.eval_error(&error, expr.span),
        }
    }

    /// The initial value of every data cell, and of every clock, of an object.
    pub(crate) fn initial_values(
        &mut self,
        layout: &Arc<Layout>,
        init: Option<&Init>,
        name: &str,
    ) -> Option<Initial> {
        let mut initial = Initial::default();
        self.fill(layout, init, name, &mut initial)?;
        Some(initial)
    }

    fn fill(
        &mut self,
        layout: &Arc<Layout>,
        init: Option<&Init>,
        name: &str,
        out: &mut Initial,
    ) -> Option<()> {
        match (&layout.kind, init) {
            (Kind::Int { min, max, .. }, None) => out.data.push(default_value(*min, *max)),
            (Kind::Int { min, max, .. }, Some(Init::Expr(expr))) => {
                let value = self.constant(expr)?;
                self.in_range(value, (*min, *max), &Subject::Local(name.into()), expr.span)?;
                out.data.push(value);
            }
            (Kind::Clock, None) => out.clocks.push(0),
            (Kind::Clock, Some(Init::Expr(expr))) => out.clocks.push(self.clock_start(expr)?),
            (Kind::Channel { .. } | Kind::Unsupported(_), _) => {}
            (Kind::Array { count, element, .. }, Some(Init::List(items, at))) => {
                if items.len() != *count as usize {
                    let message = format!("{} values for an array of {count} elements", items.len());
                    return self.report.error(Code::BadInitialiser, *at, message);
                }
                for item in items {
                    self.fill(element, Some(item), name, out)?;
                }
            }
            (Kind::Array { count, element, .. }, None) => {
                for _ in 0..*count {
                    self.fill(element, None, name, out)?;
                }
            }
            (Kind::Struct(fields), Some(Init::List(items, at))) => {
                if items.len() != fields.len() {
                    let message = format!("{} values for a struct of {} fields", items.len(), fields.len());
                    return self.report.error(Code::BadInitialiser, *at, message);
                }
                for (field, item) in fields.iter().zip(items) {
                    self.fill(&field.layout, Some(item), name, out)?;
                }
            }
            (Kind::Struct(fields), None) => {
                for field in fields {
                    self.fill(&field.layout, None, name, out)?;
                }
            }
            (_, Some(Init::Expr(expr))) => self.fill_from(layout, expr, name, out)?,
            (_, Some(Init::List(_, at))) => {
                return self.report.error(Code::BadInitialiser, *at, "a list for a single value");
            }
        }
        Some(())
    }

    fn fill_from(&mut self, layout: &Arc<Layout>, expr: &Expr, name: &str, out: &mut Initial) -> Option<()> {
        let cells = self.constant_cells(expr, layout)?;
        let mut ranges = Vec::new();
        layout.ranges(&mut ranges);
        for (value, range) in cells.iter().zip(ranges) {
            self.in_range(*value, range, &Subject::Local(name.into()), expr.span)?;
        }
        out.data.extend(cells);
        out.clocks.extend((0..layout.size.clocks).map(|_| 0));
        Some(())
    }

    fn clock_start(&mut self, expr: &Expr) -> Option<i32> {
        let value = self.constant(expr)?;
        if (0..crate::code::CLOCK_LIMIT).contains(&value) {
            return Some(value);
        }
        self.report.error(Code::ClockConstantTooLarge, expr.span, format!("a clock cannot start at {value}"))
    }

    /// Complains when a constant does not fit.
    pub(crate) fn in_range(
        &mut self,
        value: i32,
        (min, max): (i32, i32),
        subject: &Subject,
        span: Span,
    ) -> Option<()> {
        if min <= value && value <= max {
            return Some(());
        }
        let fault = Fault::OutOfRange { subject: subject.clone(), value, min, max };
        self.report.fault(&fault, span)
    }
}

/// Initial values of an object.
#[derive(Default)]
pub(crate) struct Initial {
    pub(crate) data: Vec<i32>,
    pub(crate) clocks: Vec<i32>,
}
