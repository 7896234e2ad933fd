//! Functions and their calls.
//!
//! A function of a template is compiled once per process, so that parameters are constants in it; a global one once. Its frame cells are at
//! fixed addresses: there is no recursion, so a function is active at most once, whatever process it belongs to, and all
//! processes can share the cells.

use super::Builder;
use super::assign::copy_plan;
use super::declare::is_const;
use super::layout::{Kind, Layout, default_value};
use super::limits::MAX_CELLS;
use super::names::{Binding, Object, Origin};
use super::place::Space;
use crate::code::Subject;
use crate::code::emit::Emitter;
use crate::code::instruction::{CopyPlan, Mode};
use crate::code::term::{
    AggregateCopy, Assignment, Base, Call, Checked, Parameter, Place, Statement, Term, Unit, sequence, truth,
};
use guidepost_language::diagnostic::Code;
use guidepost_language::model::{
    Expr, ExprKind, FunctionId, Init, ParamMode, Stmt, Symbol, SymbolId, SymbolKind, Type,
};
use guidepost_language::source::Span;
use std::sync::Arc;

/// The function that is being compiled.
#[derive(Clone)]
pub(crate) struct Activation {
    pub(crate) function: Option<FunctionId>,
    /// How many of its frame slots are in use.
    pub(crate) slots: usize,
    /// Layout and cell of the result.
    result: Option<(Arc<Layout>, u32)>,
}

impl Activation {
    pub(crate) const OUTSIDE: Activation = Activation { function: None, slots: 0, result: None };
}

impl Builder<'_> {
    /// Cells for a local variable of the current function.
    pub(crate) fn frame(&mut self, size: u32, span: Span) -> Option<u32> {
        let position = self.activation.slots;
        self.activation.slots += 1;
        let slots = self.frames.entry(self.activation.function).or_default();
        match slots.get(position) {
            Some(&(address, room)) if room >= size => return Some(address),
            _ => {}
        }
        if self.program.memory.scratch.len() as u64 + u64::from(size) > 4 * MAX_CELLS {
            return self.report.error(Code::TooLarge, span, "the local variables of functions are too large");
        }
        let address = self.program.memory.allocate((0..size).map(|_| 0));
        let slots = self.frames.entry(self.activation.function).or_default();
        slots.resize(slots.len().max(position + 1), (0, 0));
        slots[position] = (address, size);
        Some(address)
    }

    /// A call for its value.
    pub(crate) fn call(&mut self, id: FunctionId, args: &[Expr], span: Span) -> Option<Term> {
        let result = &self.model.function(id).result;
        let range = match result {
            Type::Void => (i32::MIN, i32::MAX),
            Type::Struct(_) | Type::Array(_) => {
                return self.report.error(Code::TypeMismatch, span, "a single value was expected");
            }
            ty => match self.layout(ty, false, span)?.kind {
                Kind::Int { min, max, .. } => (min, max),
                Kind::Unsupported(what) => return self.report.unsupported(span, what),
                _ => return self.report.unsupported(span, "a function with this result"),
            },
        };
        self.call_term(id, args, range, None, span)
    }

    /// A call that returns a struct: the call, the address of the copied result, its layout.
    pub(crate) fn struct_call(&mut self, expr: &Expr) -> Option<(Term, u32, Arc<Layout>)> {
        let ExprKind::Call(id, args) = &expr.kind else { return None };
        let layout = self.layout(&self.model.function(*id).result, false, expr.span)?;
        self.pure_data(&layout, expr.span)?;
        let address = self.frame(layout.size.data.max(1), expr.span)?;
        let plan = copy_plan(&layout, &layout, Subject::Result(self.model.function(*id).name.clone()));
        let call = self.call_term(*id, args, (i32::MIN, i32::MAX), Some((address, plan)), expr.span)?;
        Some((call, address, layout))
    }

    fn call_term(
        &mut self,
        id: FunctionId,
        args: &[Expr],
        (min, max): (i32, i32),
        result: Option<(u32, CopyPlan)>,
        span: Span,
    ) -> Option<Term> {
        let (function, origin) = self.function(id)?;
        let params = &self.model.function(id).params;
        let mut lowered = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            lowered.push(self.call_argument(*param, arg)?);
        }
        Some(Term::Call(Box::new(Call { origin, function, args: lowered, result, min, max, span })))
    }

    fn call_argument(&mut self, param: SymbolId, arg: &Expr) -> Option<Term> {
        let symbol: &Symbol = self.model.symbol(param);
        let by_reference = matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference));
        if !by_reference {
            if super::place::is_aggregate(&symbol.ty) {
                return self.aggregate_address(arg).map(|(address, _)| address);
            }
            return self.value(arg);
        }
        let located = self.locate(arg)?;
        if let Some(value) = located.constant {
            let cell = self.program.memory.allocate([value]);
            return Some(Term::Const(cell as i32));
        }
        if let Some(what) = located.layout.unsupported() {
            return self.report.unsupported(arg.span, what);
        }
        let size = located.layout.size;
        let term = match (size.data > 0, size.clocks > 0, size.channels > 0) {
            (true, false, false) => Term::Address(Box::new(self.place(&located, Space::Data)), Mode::Both),
            (false, true, false) => Term::Number(Box::new(self.place(&located, Space::Clocks))),
            (false, false, true) => Term::Number(Box::new(self.place(&located, Space::Channels))),
            _ => return self.report.unsupported(arg.span, "a reference to a struct of data and clocks"),
        };
        Some(super::place::after(located.prelude, term))
    }

    /// The compiled function, which is compiled now if it is needed for the first time.
    fn function(&mut self, id: FunctionId) -> Option<(usize, (FunctionId, Option<u32>))> {
        let model = self.model;
        let function = model.function(id);
        let key = (id, function.template.and(self.instance));
        if let Some(&index) = self.functions.get(&key) {
            return Some((index, key));
        }
        let outer = std::mem::replace(
            &mut self.activation,
            Activation { function: Some(id), slots: 0, result: None },
        );
        let height = self.locals.len();
        let expansion = std::mem::replace(&mut self.expansion, 1);
        let unit = self.under_condition(|builder| builder.unit(id));
        self.locals.truncate(height);
        self.expansion = expansion;
        self.activation = outer;
        let unit = unit?;
        let index = Emitter::new(&mut self.program).function(&unit);
        debug_assert_eq!(
            self.program.segment.units.len(),
            index,
            "units are kept in the order of the functions"
        );
        self.program.segment.units.push(unit);
        self.functions.insert(key, index);
        Some((index, key))
    }

    fn unit(&mut self, id: FunctionId) -> Option<Unit> {
        let function = self.model.function(id);
        if !matches!(function.result, Type::Void) {
            let layout = self.layout(&function.result, false, function.span)?;
            let cell =
                if layout.is_aggregate() { self.frame(layout.size.data.max(1), function.span)? } else { 0 };
            self.activation.result = Some((layout, cell));
        }
        let mut params = Vec::new();
        for &param in &function.params {
            params.push(self.parameter(param)?);
        }
        let body = self.block(&function.body)?;
        Some(Unit { params, body })
    }

    fn parameter(&mut self, id: SymbolId) -> Option<Parameter> {
        let symbol: &Symbol = self.model.symbol(id);
        let layout = self.layout(&symbol.ty, is_const(symbol), symbol.span)?;
        if let Some(what) = layout.unsupported() {
            return self.report.unsupported(symbol.span, what);
        }
        let (name, span) = (symbol.name.clone(), symbol.span);
        if matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference)) {
            let cell = self.frame(1, span)?;
            let origin = Origin::Indirect(cell);
            let object = Object { layout, name, data: origin, clocks: origin, channels: origin };
            self.locals.push((id, Binding::Object(object)));
            return Some(Parameter::Reference { cell });
        }
        self.pure_data(&layout, span)?;
        let cell = self.frame(layout.size.data.max(1), span)?;
        self.bind_cell(id, layout.clone(), cell);
        let subject = Subject::Argument(name);
        if let Kind::Int { min, max, .. } = layout.kind {
            return Some(Parameter::Value { cell, min, max, subject, span });
        }
        // The argument's ranges are not known here: every cell is checked.
        let mut ranges = Vec::new();
        layout.ranges(&mut ranges);
        let plan = CopyPlan { length: layout.size.data, ranges, subject };
        Some(Parameter::Aggregate { cell, plan, span })
    }

    fn bind_cell(&mut self, id: SymbolId, layout: Arc<Layout>, cell: u32) {
        let name = self.model.symbol(id).name.clone();
        let (data, none) = (Origin::Fixed(cell), Origin::Fixed(0));
        let object = Object { layout, name, data, clocks: none, channels: none };
        self.locals.push((id, Binding::Object(object)));
    }

    // ---- statements

    fn block(&mut self, statements: &[Stmt]) -> Option<Vec<Statement>> {
        let mut lowered = Vec::new();
        for statement in statements {
            self.statement(statement, &mut lowered)?;
        }
        Some(lowered)
    }

    fn body(&mut self, statement: &Stmt) -> Option<Vec<Statement>> {
        let mut lowered = Vec::new();
        self.statement(statement, &mut lowered)?;
        Some(lowered)
    }

    fn statement(&mut self, statement: &Stmt, out: &mut Vec<Statement>) -> Option<()> {
        match statement {
            Stmt::Local(symbol) => self.local(*symbol, out)?,
            Stmt::Block(statements) => out.extend(self.block(statements)?),
            Stmt::Expr(expr) => out.push(Statement::Eval(self.value(expr)?)),
            Stmt::If(conditions, then, otherwise) => {
                let condition = self.values(conditions)?;
                match condition.as_const() {
                    Some(0) => {
                        if let Some(otherwise) = otherwise {
                            self.statement(otherwise, out)?;
                        }
                    }
                    Some(_) => self.statement(then, out)?,
                    None => {
                        let then = self.body(then)?;
                        let otherwise = match otherwise {
                            Some(otherwise) => self.body(otherwise)?,
                            None => Vec::new(),
                        };
                        out.push(Statement::If(condition, then, otherwise));
                    }
                }
            }
            Stmt::While(conditions, body) => {
                let (condition, body) = (self.values(conditions)?, self.body(body)?);
                out.push(Statement::While { condition, body, after: Vec::new(), test_first: true });
            }
            Stmt::DoWhile(body, conditions) => {
                let (body, condition) = (self.body(body)?, self.values(conditions)?);
                out.push(Statement::While { condition, body, after: Vec::new(), test_first: false });
            }
            Stmt::For(init, conditions, step, body) => {
                out.push(Statement::Eval(self.values(init)?));
                let condition = self.values(conditions)?;
                let after = vec![Statement::Eval(self.values(step)?)];
                let body = self.body(body)?;
                out.push(Statement::While { condition, body, after, test_first: true });
            }
            Stmt::Iterate(binder, body) => {
                let span = self.model.symbol(*binder).span;
                let (low, high) = self.domain(&self.model.symbol(*binder).ty, span)?;
                let cell = self.frame(1, span)?;
                let object = self.loop_object(*binder, cell, (low, high));
                self.locals.push((*binder, Binding::Object(object)));
                let body = self.body(body)?;
                out.push(Statement::Iterate { cell, low, high, body });
            }
            Stmt::Return(value, span) => {
                let value = match value {
                    Some(value) => Some(self.returned(value, *span)?),
                    None => None,
                };
                out.push(Statement::Return(value));
            }
            Stmt::Assert(condition) => {
                let span = condition.span;
                out.push(Statement::Assert(truth(self.value(condition)?), span));
            }
        }
        Some(())
    }

    /// A comma list: all for their effects, the last for its value.
    fn values(&mut self, exprs: &[Expr]) -> Option<Term> {
        let mut terms = Vec::new();
        for expr in exprs {
            terms.push(self.value(expr)?);
        }
        Some(if terms.is_empty() { Term::Const(1) } else { sequence(terms) })
    }

    fn returned(&mut self, value: &Expr, span: Span) -> Option<Term> {
        let Some((layout, cell)) = self.activation.result.clone() else { return self.value(value) };
        let name = self.activation.function.map(|id| self.model.function(id).name.clone());
        let subject = Subject::Result(name.unwrap_or_else(|| "function".into()));
        if let Kind::Int { min, max, .. } = layout.kind {
            let value = self.value(value)?;
            return Some(Term::Check(Box::new(Checked { value, min, max, subject, span })));
        }
        let (source, given) = self.aggregate_address(value)?;
        let target = Term::Const(cell as i32);
        let plan = copy_plan(&layout, &given, subject);
        Some(Term::Copy(Box::new(AggregateCopy { target, source, plan, span })))
    }

    fn local(&mut self, id: SymbolId, out: &mut Vec<Statement>) -> Option<()> {
        let symbol: &Symbol = self.model.symbol(id);
        let init = match &symbol.kind {
            SymbolKind::Constant(init) | SymbolKind::Variable { init, .. } => init.as_ref(),
            _ => None,
        };
        let layout = self.layout(&symbol.ty, is_const(symbol), symbol.span)?;
        if layout.size.clocks > 0 {
            return self.report.unsupported(symbol.span, "a clock declared in a function");
        }
        self.pure_data(&layout, symbol.span)?;
        if let (true, Kind::Int { .. }, Some(Init::Expr(expr))) = (is_const(symbol), &layout.kind, init)
            && let Term::Const(value) = self.value(expr)?
        {
            self.locals.push((id, Binding::Value(value)));
            return Some(());
        }
        let cell = self.frame(layout.size.data.max(1), symbol.span)?;
        self.initialise(&layout, init, cell, symbol, out)?;
        // Bound last: the initialiser of `int i = i;` means the outer `i`.
        self.bind_cell(id, layout, cell);
        Some(())
    }

    /// Statements that give a fresh local its value. Without an initialiser it is the default, every time.
    fn initialise(
        &mut self,
        layout: &Arc<Layout>,
        init: Option<&Init>,
        cell: u32,
        symbol: &Symbol,
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let subject = Subject::Local(symbol.name.clone());
        match (&layout.kind, init) {
            (Kind::Int { min, max, .. }, init) => {
                let (value, span) = match init {
                    Some(Init::Expr(expr)) => (self.value(expr)?, expr.span),
                    _ => (Term::Const(default_value(*min, *max)), symbol.span),
                };
                let place = Place {
                    base: Base::Fixed(cell),
                    offset: 0,
                    indices: Vec::new(),
                    extent: Some((cell, 1)),
                    min: *min,
                    max: *max,
                    subject,
                };
                let assignment = Assignment { place, op: None, value, postfix: false, span };
                out.push(Statement::Eval(Term::Assign(Box::new(assignment))));
            }
            (Kind::Array { element, .. }, Some(Init::List(items, _))) => {
                for (position, item) in items.iter().enumerate() {
                    let cell = cell + element.size.data * position as u32;
                    self.initialise(element, Some(item), cell, symbol, out)?;
                }
            }
            (Kind::Struct(fields), Some(Init::List(items, _))) => {
                for (field, item) in fields.iter().zip(items) {
                    self.initialise(&field.layout, Some(item), cell + field.offset.data, symbol, out)?;
                }
            }
            (_, Some(Init::Expr(expr))) => {
                let (source, given) = self.aggregate_address(expr)?;
                let plan = copy_plan(layout, &given, subject);
                out.push(copy_statement(cell, source, plan, expr.span));
            }
            _ => {
                let mut ranges = Vec::new();
                layout.ranges(&mut ranges);
                let defaults = ranges.iter().map(|&(min, max)| default_value(min, max));
                let image = self.program.memory.allocate(defaults);
                let plan = CopyPlan { length: layout.size.data, ranges: Vec::new(), subject };
                out.push(copy_statement(cell, Term::Const(image as i32), plan, symbol.span));
            }
        }
        Some(())
    }
}

fn copy_statement(cell: u32, source: Term, plan: CopyPlan, span: Span) -> Statement {
    let target = Term::Const(cell as i32);
    Statement::Eval(Term::Copy(Box::new(AggregateCopy { target, source, plan, span })))
}
