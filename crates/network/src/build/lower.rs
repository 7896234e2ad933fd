//! Expressions become terms.
//!
//! Lowering resolves names in the current process and folds constants on the way, lazily: the right side of `id > 0 && a[id - 1]` is not even looked
//! at in the process whose `id` is 0. `conditional` counts how many conditions that are not known yet stand between the
//! expression and its evaluation.

use super::Builder;
use super::limits::{MAX_EXPANSION, UNROLLED};
use super::names::{Binding, Object, Origin};
use super::place::is_aggregate;
use super::walk::selects_processes;
use crate::code::term::{Quantified, Term, and, arith, compare, conditional, negate, not, or, truth};
use crate::code::{Arithmetic, Comparison};
use crate::network::ProcessId;
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::model::{
    BinaryOp, Builtin, Expr, ExprKind, ProcessRef, Quantifier, SymbolId, Type, UnaryOp,
};
use guidepost_language::source::Span;
use std::sync::Arc;

impl Builder<'_> {
    /// The value of a data expression.
    pub(crate) fn value(&mut self, expr: &Expr) -> Option<Term> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Bool(value) => Some(Term::Const(i32::from(*value))),
            ExprKind::Int(value) => Some(Term::Const(*value)),
            ExprKind::Double(_) => self.report.unsupported(span, "a value of type double"),
            ExprKind::String(_) => self.report.unsupported(span, "a string"),
            ExprKind::Symbol(_) | ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Member(..) => {
                let located = self.locate(expr)?;
                self.load(located, span)
            }
            ExprKind::Call(function, args) => self.call(*function, args, span),
            ExprKind::Builtin(Builtin::Abs, args) => self.absolute(args, span),
            ExprKind::Builtin(Builtin::Float(name), _) => self.report.unsupported(span, &format!("`{name}`")),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ExprKind::Assign(op, target, value) => self.assign(*op, target, value, span),
            ExprKind::Step { increment, prefix, target } => self.step(*increment, *prefix, target, span),
            ExprKind::Conditional(condition, then, otherwise) => self.choice(condition, then, otherwise),
            ExprKind::Quantified(quantifier, binder, body) => {
                self.quantified(*quantifier, *binder, body, span)
            }
            ExprKind::Rate(_) => self.report.unsupported(span, "the rate of a clock in an expression"),
            ExprKind::AtLocation(process, location) => {
                let process = self.process_ref(process)?;
                let first = self.names.processes[process.index()].first_location;
                Some(at_location(process, first + *location as u32))
            }
            ExprKind::LocationIndex(process) => {
                let process = self.process_ref(process)?;
                let first = self.names.processes[process.index()].first_location;
                Some(arith(Arithmetic::Sub, Term::Location(process.0), Term::Const(first as i32), span))
            }
            ExprKind::Label(label) => {
                let places = self.labelled(label);
                Some(or(places.into_iter().map(|(process, location)| at_location(process, location))))
            }
            ExprKind::Deadlock => self.report.error(
                Code::BadDeadlock,
                span,
                "deadlock cannot be part of an expression over values",
            ),
            ExprKind::Error => self.report.reported(),
        }
    }

    fn absolute(&mut self, args: &[Expr], span: Span) -> Option<Term> {
        let value = self.value(args.first()?)?;
        Some(match value {
            Term::Const(value) => {
                self.note_wrap(value.overflowing_abs(), span);
                Term::Const(value.wrapping_abs())
            }
            value => Term::Abs(Box::new(value), span),
        })
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Option<Term> {
        let value = self.value(operand)?;
        match op {
            UnaryOp::Plus => Some(value),
            UnaryOp::Not => Some(not(value)),
            UnaryOp::Minus => {
                if let Some(value) = value.as_const() {
                    self.note_wrap(value.overflowing_neg(), span);
                }
                self.faultless(negate(value, span))
            }
        }
    }

    /// `left ∘ right`; a constant that wraps around deserves a warning.
    pub(crate) fn arithmetic(&mut self, op: Arithmetic, left: Term, right: Term, span: Span) -> Option<Term> {
        if let (Some(left), Some(right)) = (left.as_const(), right.as_const())
            && let Ok(result) = op.apply(left, right)
        {
            self.note_wrap(result, span);
        }
        self.faultless(arith(op, left, right, span))
    }

    fn note_wrap(&mut self, (value, wrapped): (i32, bool), span: Span) {
        if wrapped {
            let message = format!("the result does not fit into 32 bits: it wraps around to {value}");
            self.report.push(Diagnostic::new(Code::WrapsAround, span, message));
        }
    }

    /// A folded fault is an error of the model when the code is certain to run.
    pub(crate) fn faultless(&mut self, term: Term) -> Option<Term> {
        match term {
            Term::Fault(fault, span) => self.certain_fault(*fault, span),
            term => Some(term),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Option<Term> {
        match op {
            BinaryOp::And => self.junction(left, right, false, and, 0),
            BinaryOp::Or => self.junction(left, right, false, or, 1),
            BinaryOp::Imply => self.junction(left, right, true, or, 1),
            BinaryOp::Xor => {
                let (left, right) = (self.value(left), self.value(right));
                Some(compare(Comparison::Ne, truth(left?), truth(right?)))
            }
            _ => match (Arithmetic::of(op), Comparison::of(op)) {
                (Some(op), _) => {
                    let (left, right) = (self.value(left), self.value(right));
                    self.arithmetic(op, left?, right?, span)
                }
                (_, Some(op)) => self.comparison(op, left, right, span),
                _ => None,
            },
        }
    }

    /// `and`, `or` and `imply`; `absorbing` is the value of the left side that decides the whole.
    fn junction(
        &mut self,
        left: &Expr,
        right: &Expr,
        negated: bool,
        join: fn([Term; 2]) -> Term,
        absorbing: i32,
    ) -> Option<Term> {
        let left = truth(self.value(left)?);
        let left = if negated { not(left) } else { left };
        match left.as_const() {
            Some(value) if value == absorbing => Some(left),
            Some(_) => self.value(right).map(truth),
            None => {
                let right = self.under_condition(|builder| builder.value(right))?;
                Some(join([left, right]))
            }
        }
    }

    pub(crate) fn under_condition<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.conditional += 1;
        let result = lower(self);
        self.conditional -= 1;
        result
    }

    fn comparison(&mut self, op: Comparison, left: &Expr, right: &Expr, span: Span) -> Option<Term> {
        if is_clock(&left.ty) || is_clock(&right.ty) {
            return self.report.unsupported(span, "a clock test inside an expression over values");
        }
        if !is_aggregate(&left.ty) {
            let (left, right) = (self.value(left), self.value(right));
            return Some(compare(op, left?, right?));
        }
        let (left, layout) = self.aggregate_address(left)?;
        let (right, other) = self.aggregate_address(right)?;
        if layout.size != other.size {
            return self.report.error(Code::TypeMismatch, span, "values of different sizes are compared");
        }
        let equal = Term::Equal(Box::new(left), Box::new(right), layout.size.data);
        Some(if op == Comparison::Eq { equal } else { not(equal) })
    }

    fn choice(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Option<Term> {
        let condition = self.value(condition)?;
        match condition.as_const() {
            Some(0) => self.value(otherwise),
            Some(_) => self.value(then),
            None => self.under_condition(|builder| {
                let (then, otherwise) = (builder.value(then), builder.value(otherwise));
                Some(conditional(condition, then?, otherwise?))
            }),
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binder: SymbolId,
        body: &Expr,
        span: Span,
    ) -> Option<Term> {
        let (low, high) = self.domain(&self.model.symbol(binder).ty, span)?;
        let count = (i64::from(high) - i64::from(low) + 1) as u64;
        let product = self.expansion.saturating_mul(count);
        let must_unroll = selects_processes(body);
        if must_unroll && product > MAX_EXPANSION {
            let message = format!("the quantifier expands to {product} parts, more than {MAX_EXPANSION}");
            return self.report.error(Code::TooLarge, span, message);
        }
        if !must_unroll && product > UNROLLED {
            return self.looped(quantifier, binder, (low, high), body, span);
        }
        let outer = std::mem::replace(&mut self.expansion, product);
        let result = self.unrolled(quantifier, binder, (low, high), body, span);
        self.expansion = outer;
        result
    }

    fn unrolled(
        &mut self,
        quantifier: Quantifier,
        binder: SymbolId,
        (low, high): (i32, i32),
        body: &Expr,
        span: Span,
    ) -> Option<Term> {
        let mut parts = Vec::new();
        for value in low..=high {
            self.locals.push((binder, Binding::Value(value)));
            let undecided = parts.iter().any(|part: &Term| part.as_const().is_none());
            let part = if undecided && quantifier != Quantifier::Sum {
                self.under_condition(|builder| builder.value(body))
            } else {
                self.value(body)
            };
            self.locals.pop();
            parts.push(part?);
            // What follows is never evaluated.
            match (quantifier, parts.last().and_then(Term::as_const)) {
                (Quantifier::Forall, Some(0)) => break,
                (Quantifier::Exists, Some(value)) if value != 0 => break,
                _ => {}
            }
        }
        match quantifier {
            Quantifier::Forall => Some(and(parts)),
            Quantifier::Exists => Some(or(parts)),
            Quantifier::Sum => {
                let mut parts = parts.into_iter();
                let first = parts.next().unwrap_or(Term::Const(0));
                parts.try_fold(first, |sum, part| self.arithmetic(Arithmetic::Add, sum, part, span))
            }
        }
    }

    fn looped(
        &mut self,
        quantifier: Quantifier,
        binder: SymbolId,
        (low, high): (i32, i32),
        body: &Expr,
        span: Span,
    ) -> Option<Term> {
        let cell = self.frame(1, span)?;
        let object = self.loop_object(binder, cell, (low, high));
        self.locals.push((binder, Binding::Object(object)));
        let body = self.under_condition(|builder| builder.value(body));
        self.locals.pop();
        Some(Term::Quantified(Box::new(Quantified { quantifier, cell, low, high, body: body?, span })))
    }

    /// The object behind a loop variable.
    pub(crate) fn loop_object(&self, binder: SymbolId, cell: u32, (min, max): (i32, i32)) -> Object {
        use super::layout::{Kind, Layout, Sizes};
        let kind = Kind::Int { min, max, boolean: false };
        Object {
            layout: Arc::new(Layout { kind, size: Sizes { data: 1, ..Sizes::default() } }),
            name: self.model.symbol(binder).name.clone(),
            data: Origin::Fixed(cell),
            clocks: Origin::Fixed(0),
            channels: Origin::Fixed(0),
        }
    }

    /// The process an expression names.
    pub(crate) fn process_ref(&mut self, reference: &ProcessRef) -> Option<ProcessId> {
        let mut args = Vec::new();
        for arg in &reference.args {
            let Term::Const(value) = self.value(arg)? else {
                let message = "which process is meant must be known before the run";
                return self.report.error(Code::NotConstant, arg.span, message);
            };
            args.push(value);
        }
        let set = self.names.sets.get(reference.process)?;
        match set.member(&args) {
            // A process that could not be declared is missing; that has been said.
            Ok(process) if process.index() >= self.names.processes.len() => self.report.reported(),
            Ok(process) => Some(process),
            Err(position) => {
                let (low, count) = set.dimensions[position];
                let high = i64::from(low) + i64::from(count) - 1;
                let message = format!(
                    "there is no process with parameter {}; it ranges over [{low},{high}]",
                    args[position]
                );
                self.report.error(Code::OutOfRange, reference.args[position].span, message)
            }
        }
    }

    /// All locations with a label, by process.
    pub(crate) fn labelled(&self, label: &str) -> Vec<(ProcessId, u32)> {
        self.labels
            .iter()
            .filter(|(name, ..)| &**name == label)
            .map(|&(_, process, location)| (process, location))
            .collect()
    }
}

/// The process is in the location.
pub(crate) fn at_location(process: ProcessId, location: u32) -> Term {
    Term::Compare(Comparison::Eq, Box::new(Term::Location(process.0)), Box::new(Term::Const(location as i32)))
}

/// Whether a value depends on clocks.
pub(crate) fn is_clock(ty: &Type) -> bool {
    matches!(ty, Type::Clock { .. } | Type::Difference | Type::Rate | Type::Cost)
}
