//! Conditions over clocks and data, in negation normal form.
//!
//! Guards, invariants and query predicates mix integer conditions with clock bounds. Lowering pushes negations down to the atoms, expands quantifiers over
//! clocks, and turns every comparison of clocks into atoms `x - y ≺ bound`, where the bound may still be an integer term. What has no clock
//! in it stays one data term.

use super::Builder;
use super::layout::{Kind, Layout};
use super::limits::MAX_EXPANSION;
use super::lower::{at_location, is_clock};
use super::names::Binding;
use super::place::Space;
use crate::code::Comparison;
use crate::code::interval::interval;
use crate::code::term::{Checked, Place, Term, and, arith, compare, conditional, negate, not, or, truth};
use crate::code::{Arithmetic, CLOCK_LIMIT, Fault, Subject};
use crate::network::{ClockId, ProcessId};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::model::{BinaryOp, Expr, ExprKind, Quantifier, SymbolId, Type, UnaryOp};
use guidepost_language::source::Span;

/// A condition in negation normal form.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Data(Term),
    /// The process is (or is not) in the location; only made for queries.
    At {
        process: ProcessId,
        location: u32,
        inside: bool,
    },
    Clock(Atom),
    Rate(ClockId, Term),
    CostRate(Term),
    Deadlock(bool),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

/// `left - right ≺ bound`
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub(crate) left: ClockId,
    pub(crate) right: ClockId,
    pub(crate) strict: bool,
    pub(crate) bound: Term,
    pub(crate) span: Span,
}

/// A sum of clocks and an integer: `Σ plus - Σ minus + offset`.
pub(crate) struct Linear {
    pub(crate) plus: Vec<Place>,
    pub(crate) minus: Vec<Place>,
    pub(crate) offset: Term,
    /// A clock outside its array: the value does not exist.
    pub(crate) fault: Option<Term>,
}

impl Formula {
    const TRUE: Formula = Formula::Data(Term::Const(1));
    const FALSE: Formula = Formula::Data(Term::Const(0));

    fn known(&self) -> Option<bool> {
        match self {
            Formula::Data(Term::Const(value)) => Some(*value != 0),
            _ => None,
        }
    }

    /// Whether it only speaks of data and locations.
    pub(crate) fn is_discrete(&self) -> bool {
        match self {
            Formula::Data(_) | Formula::At { .. } => true,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().all(Formula::is_discrete),
            _ => false,
        }
    }

    /// A condition over data and locations as one term.
    pub(crate) fn into_term(self) -> Term {
        match self {
            Formula::Data(term) => term,
            Formula::At { process, location, inside } => {
                let at = at_location(process, location);
                if inside { at } else { not(at) }
            }
            Formula::And(parts) => and(parts.into_iter().map(Formula::into_term)),
            Formula::Or(parts) => or(parts.into_iter().map(Formula::into_term)),
            _ => {
                debug_assert!(false, "only discrete formulas are terms");
                Term::Const(0)
            }
        }
    }

    pub(crate) fn and(parts: Vec<Formula>) -> Formula {
        Self::join(parts, false)
    }

    pub(crate) fn or(parts: Vec<Formula>) -> Formula {
        Self::join(parts, true)
    }

    fn join(parts: Vec<Formula>, absorbing: bool) -> Formula {
        let mut kept = Vec::new();
        for part in parts {
            match (part.known(), part) {
                (Some(value), _) if value == absorbing => {
                    return if absorbing { Formula::TRUE } else { Formula::FALSE };
                }
                (Some(_), _) => {}
                (None, Formula::And(inner)) if !absorbing => kept.extend(inner),
                (None, Formula::Or(inner)) if absorbing => kept.extend(inner),
                (None, part) => kept.push(part),
            }
        }
        match kept.len() {
            0 if absorbing => Formula::FALSE,
            0 => Formula::TRUE,
            1 => kept.remove(0),
            _ if absorbing => Formula::Or(kept),
            _ => Formula::And(kept),
        }
    }
}

impl Builder<'_> {
    /// The condition, or its negation.
    pub(crate) fn formula(&mut self, expr: &Expr, positive: bool) -> Option<Formula> {
        if !self.query && !matches!(expr.ty, Type::Constraint(_)) {
            return self.data(expr, positive);
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.formula(operand, !positive),
            ExprKind::Binary(op, left, right) => self.binary_formula(expr, *op, left, right, positive),
            ExprKind::Quantified(quantifier @ (Quantifier::Forall | Quantifier::Exists), binder, body) => {
                self.expanded(*quantifier, *binder, body, positive, expr.span)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                if !matches!(expr.ty, Type::Constraint(_)) {
                    return self.data(expr, positive);
                }
                let when = self.formula(condition, true)?;
                let unless = self.formula(condition, false)?;
                self.under_condition(|builder| {
                    let then = builder.formula(then, positive)?;
                    let otherwise = builder.formula(otherwise, positive)?;
                    let arms = vec![Formula::and(vec![when, then]), Formula::and(vec![unless, otherwise])];
                    Some(Formula::or(arms))
                })
            }
            ExprKind::AtLocation(process, location) if self.query => {
                let process = self.process_ref(process)?;
                let location = self.names.processes[process.index()].first_location + *location as u32;
                Some(Formula::At { process, location, inside: positive })
            }
            ExprKind::Label(label) if self.query => {
                let places = self.labelled(label).into_iter();
                let atoms =
                    places.map(|(process, location)| Formula::At { process, location, inside: positive });
                Some(if positive { Formula::or(atoms.collect()) } else { Formula::and(atoms.collect()) })
            }
            ExprKind::Deadlock => Some(Formula::Deadlock(positive)),
            _ => self.data(expr, positive),
        }
    }

    fn data(&mut self, expr: &Expr, positive: bool) -> Option<Formula> {
        let value = truth(self.value(expr)?);
        Some(Formula::Data(if positive { value } else { not(value) }))
    }

    fn binary_formula(
        &mut self,
        whole: &Expr,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        positive: bool,
    ) -> Option<Formula> {
        match op {
            BinaryOp::And => self.joined((left, positive), (right, positive), !positive),
            BinaryOp::Or => self.joined((left, positive), (right, positive), positive),
            BinaryOp::Imply => self.joined((left, !positive), (right, positive), positive),
            _ if matches!(left.ty, Type::Rate) || matches!(right.ty, Type::Rate) => {
                self.rate(left, right, positive, whole.span)
            }
            BinaryOp::Xor | BinaryOp::Ne | BinaryOp::Eq if is_condition(left) || is_condition(right) => {
                // One of the two but not both; `==` on conditions is its opposite.
                let differ = positive != (op == BinaryOp::Eq);
                let one = self.joined((left, true), (right, !differ), false)?;
                let other = self.joined((left, false), (right, differ), false)?;
                Some(Formula::or(vec![one, other]))
            }
            _ => match Comparison::of(op) {
                Some(op) if is_clock(&left.ty) || is_clock(&right.ty) => {
                    let op = if positive { op } else { op.negated() };
                    self.clock_comparison(op, left, right, whole.span)
                }
                _ => self.data(whole, positive),
            },
        }
    }

    /// Two conditions, each with its polarity, joined by `or` or `and`.
    fn joined(&mut self, left: (&Expr, bool), right: (&Expr, bool), disjunction: bool) -> Option<Formula> {
        let left = self.formula(left.0, left.1)?;
        match left.known() {
            Some(value) if value == disjunction => return Some(left),
            Some(_) => return self.formula(right.0, right.1),
            None => {}
        }
        let right = self.under_condition(|builder| builder.formula(right.0, right.1))?;
        Some(if disjunction { Formula::or(vec![left, right]) } else { Formula::and(vec![left, right]) })
    }

    fn expanded(
        &mut self,
        quantifier: Quantifier,
        binder: SymbolId,
        body: &Expr,
        positive: bool,
        span: Span,
    ) -> Option<Formula> {
        let (low, high) = self.domain(&self.model.symbol(binder).ty, span)?;
        let count = (i64::from(high) - i64::from(low) + 1) as u64;
        let product = self.expansion.saturating_mul(count);
        if product > MAX_EXPANSION {
            let message = format!("the quantifier expands to {product} parts, more than {MAX_EXPANSION}");
            return self.report.error(Code::TooLarge, span, message);
        }
        let disjunction = (quantifier == Quantifier::Exists) == positive;
        let outer = std::mem::replace(&mut self.expansion, product);
        let mut parts: Vec<Formula> = Vec::new();
        let mut complete = true;
        for value in low..=high {
            self.locals.push((binder, Binding::Value(value)));
            let part = if parts.is_empty() {
                self.formula(body, positive)
            } else {
                self.under_condition(|builder| builder.formula(body, positive))
            };
            self.locals.pop();
            let Some(part) = part else {
                complete = false;
                break;
            };
            let decided = part.known() == Some(disjunction);
            parts.push(part);
            if decided {
                break;
            }
        }
        self.expansion = outer;
        complete.then(|| if disjunction { Formula::or(parts) } else { Formula::and(parts) })
    }

    // ---- clocks

    /// An expression over clocks as a sum.
    pub(crate) fn linear(&mut self, expr: &Expr) -> Option<Linear> {
        if !is_clock(&expr.ty) {
            let offset = self.value(expr)?;
            return Some(Linear { plus: Vec::new(), minus: Vec::new(), offset, fault: None });
        }
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (mut left, right) = (self.linear(left)?, self.linear(right)?);
                left.fault = left.fault.or(right.fault);
                if *op == BinaryOp::Add {
                    left.plus.extend(right.plus);
                    left.minus.extend(right.minus);
                    left.offset = self.offsets(Arithmetic::Add, left.offset, right.offset, expr.span)?;
                } else {
                    left.plus.extend(right.minus);
                    left.minus.extend(right.plus);
                    left.offset = self.offsets(Arithmetic::Sub, left.offset, right.offset, expr.span)?;
                }
                Some(left)
            }
            ExprKind::Unary(UnaryOp::Plus, operand) => self.linear(operand),
            ExprKind::Unary(UnaryOp::Minus, operand) => {
                let linear = self.linear(operand)?;
                let offset = self.faultless(negate(linear.offset, expr.span))?;
                Some(Linear { plus: linear.minus, minus: linear.plus, offset, fault: linear.fault })
            }
            ExprKind::Symbol(_) | ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Member(..) => {
                let mut located = self.locate(expr)?;
                self.one_clock(&located.layout, expr.span)?;
                let place = self.place(&located, Space::Clocks);
                let fault = located.prelude.pop();
                Some(Linear { plus: vec![place], minus: Vec::new(), offset: Term::Const(0), fault })
            }
            ExprKind::Error => self.report.reported(),
            _ => {
                let message = "zones cannot represent this expression over clocks";
                self.report.error(Code::NonlinearClock, expr.span, message)
            }
        }
    }

    /// The sum or difference of two integers beside clocks. Clocks do not wrap around, so what is moved from one side of a comparison to the other must not either.
    fn offsets(&mut self, op: Arithmetic, left: Term, right: Term, span: Span) -> Option<Term> {
        const LARGEST: i32 = CLOCK_LIMIT - 1;
        if left.as_const() == Some(0) || right.as_const() == Some(0) {
            return self.faultless(arith(op, left, right, span));
        }
        let [left, right] = [left, right].map(|value| {
            let (low, high) = interval(&value);
            if -i64::from(LARGEST) <= low && high <= i64::from(LARGEST) {
                return value;
            }
            let subject = Subject::ClockBound;
            Term::Check(Box::new(Checked { value, min: -LARGEST, max: LARGEST, subject, span }))
        });
        self.faultless(arith(op, left, right, span))
    }

    fn clock_comparison(&mut self, op: Comparison, left: &Expr, right: &Expr, span: Span) -> Option<Formula> {
        if matches!(left.ty, Type::Cost) || matches!(right.ty, Type::Cost) {
            let message = "what a run has cost cannot be asked about in a condition";
            let hint = "a run must not depend on its cost; bound it with a clock or a variable, or ask for the cheapest run";
            self.report.push(Diagnostic::new(Code::NotAGuard, span, message).hint(hint));
            return None;
        }
        let (left, right) = (self.linear(left)?, self.linear(right)?);
        if let Some(fault) = left.fault.or(right.fault) {
            return Some(Formula::Data(fault));
        }
        let (mut plus, mut minus) = (left.plus, left.minus);
        plus.extend(right.minus);
        minus.extend(right.plus);
        cancel(&mut plus, &mut minus);
        if plus.len() > 1 || minus.len() > 1 {
            let message = "a constraint may compare at most the difference of two clocks";
            return self.report.error(Code::NonlinearClock, span, message);
        }
        let bound = self.offsets(Arithmetic::Sub, right.offset, left.offset, span)?;
        if plus.is_empty() && minus.is_empty() {
            return Some(Formula::Data(compare(op, Term::Const(0), bound)));
        }
        let (plus, minus) = (plus.first(), minus.first());
        let upper = |builder: &mut Self, strict| builder.bounded(plus, minus, strict, &bound, span);
        let lower = |builder: &mut Self, strict| {
            let bound = builder.faultless(negate(bound.clone(), span))?;
            builder.bounded(minus, plus, strict, &bound, span)
        };
        match op {
            Comparison::Lt => upper(self, true),
            Comparison::Le => upper(self, false),
            Comparison::Gt => lower(self, true),
            Comparison::Ge => lower(self, false),
            Comparison::Eq => Some(Formula::and(vec![upper(self, false)?, lower(self, false)?])),
            Comparison::Ne => Some(Formula::or(vec![upper(self, true)?, lower(self, true)?])),
        }
    }

    /// `plus - minus ≺ bound`; a clock of an array with a computed index gives one case per element.
    fn bounded(
        &mut self,
        plus: Option<&Place>,
        minus: Option<&Place>,
        strict: bool,
        bound: &Term,
        span: Span,
    ) -> Option<Formula> {
        let mut cases = Vec::new();
        for (when, left) in choices(plus)? {
            for (also, right) in choices(minus)? {
                let atom = if left == right {
                    let op = if strict { Comparison::Lt } else { Comparison::Le };
                    Formula::Data(compare(op, Term::Const(0), bound.clone()))
                } else {
                    Formula::Clock(Atom { left, right, strict, bound: bound.clone(), span })
                };
                let when = and([when.clone(), also.clone()]);
                // Exactly one case applies, so both readings are right; each suits one normal form.
                cases.push(if self.query {
                    Formula::and(vec![Formula::Data(when), atom])
                } else {
                    Formula::or(vec![Formula::Data(not(when)), atom])
                });
            }
        }
        Some(if self.query { Formula::or(cases) } else { Formula::and(cases) })
    }

    /// Complains about anything but a clock.
    fn one_clock(&mut self, layout: &Layout, span: Span) -> Option<()> {
        match layout.kind {
            Kind::Clock => Some(()),
            Kind::Unsupported(what) => self.report.unsupported(span, what),
            _ => self.report.error(Code::TypeMismatch, span, "a clock was expected"),
        }
    }

    /// `x' == e`
    fn rate(&mut self, left: &Expr, right: &Expr, positive: bool, span: Span) -> Option<Formula> {
        let (rate, value) = if matches!(left.ty, Type::Rate) { (left, right) } else { (right, left) };
        let ExprKind::Rate(clock) = &rate.kind else { return self.report.reported() };
        if !positive || self.query {
            return self.report.unsupported(span, "the rate of a clock in this place");
        }
        let value = self.value(value)?;
        if matches!(clock.ty, Type::Cost) {
            if let Some(rate) = value.as_const().filter(|rate| *rate < 0) {
                let hint = "searches for the cheapest run rely on cost that never falls";
                let message = Fault::NegativeRate(rate).to_string();
                self.report.push(Diagnostic::new(Code::NegativeCost, span, message).hint(hint));
                return None;
            }
            let (subject, (least, _)) = (Subject::CostRate, interval(&value));
            let checked =
                |value| Term::Check(Box::new(Checked { value, min: 0, max: i32::MAX, subject, span }));
            return Some(Formula::CostRate(if least < 0 { checked(value) } else { value }));
        }
        if let Some(constant) = value.as_const()
            && !matches!(constant, 0 | 1)
        {
            if self.is_declared_cost(clock) {
                return self.report.declared_cost(span);
            }
            return self.report.unsupported(span, "a rate other than 0 and 1");
        }
        let value = Term::Check(Box::new(Checked { value, min: 0, max: 1, subject: Subject::Rate, span }));
        let located = self.locate(clock)?;
        self.one_clock(&located.layout, span)?;
        let place = self.place(&located, Space::Clocks);
        let cases = choices(Some(&place))?
            .into_iter()
            .map(|(when, clock)| Formula::Rate(clock, conditional(when, value.clone(), Term::Const(1))));
        Some(Formula::and(cases.collect()))
    }
}

fn is_condition(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Constraint(_))
}

/// Removes clocks that occur on both sides.
fn cancel(plus: &mut Vec<Place>, minus: &mut Vec<Place>) {
    plus.retain(|place| {
        let same = |other: &Place| place.address().is_some() && other.address() == place.address();
        match minus.iter().position(same) {
            Some(position) => {
                minus.remove(position);
                false
            }
            None => true,
        }
    });
}

/// The clocks a place can mean, each with the condition under which it does.
fn choices(place: Option<&Place>) -> Option<Vec<(Term, ClockId)>> {
    let Some(place) = place else { return Some(vec![(Term::Const(1), ClockId::ZERO)]) };
    if let Some(clock) = place.address() {
        return Some(vec![(Term::Const(1), ClockId(clock))]);
    }
    let is = |clock: u32| {
        let number = Box::new(Term::Number(Box::new(place.clone())));
        Term::Compare(Comparison::Eq, number, Box::new(Term::Const(clock as i32)))
    };
    Some(place.candidates()?.into_iter().map(|clock| (is(clock), ClockId(clock))).collect())
}
