//! Terms become expressions again.

use super::names::Scope;
use super::syntax::{
    all, any, assign, at, binary, call, conditional, field, ident, index, literal, name, range_type, truth,
    unary,
};
use super::{FlatError, Flattener};
use crate::build::place::Space;
use crate::code::interval::interval;
use crate::code::term::{Assignment, Base, Place, Quantified, Term};
use crate::code::{Arithmetic, Code, Codes, Comparison};
use crate::network::ProcessId;
use guidepost_language::syntax::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Flattener<'_> {
    /// The one term of a code that is evaluated for its value.
    pub(super) fn value_term(&self, code: Code) -> Result<Term, FlatError> {
        match Codes::new(&self.network.program, &self.goal).listing(code).terms() {
            [term] => Ok(term.clone()),
            _ => Err(FlatError::inexpressible("code without a term")),
        }
    }

    /// A code that is evaluated for its value.
    pub(super) fn value(&mut self, scope: Scope, code: Code) -> Result<Expr, FlatError> {
        let term = self.value_term(code)?;
        self.term(scope, &term)
    }

    /// The steps of an update.
    pub(super) fn update(&mut self, scope: Scope, code: Option<Code>) -> Result<Vec<Expr>, FlatError> {
        let network = self.network;
        let terms = code.map_or(&[][..], |code| network.program.codes().listing(code).terms());
        terms.iter().map(|term| self.term(scope, term)).collect()
    }

    /// A term where a truth value is wanted.
    pub(super) fn condition(&mut self, scope: Scope, term: &Term) -> Result<Expr, FlatError> {
        match term {
            Term::Const(value) => Ok(truth(*value != 0)),
            term => self.term(scope, term),
        }
    }

    pub(super) fn term(&mut self, scope: Scope, term: &Term) -> Result<Expr, FlatError> {
        Ok(match term {
            Term::Const(value) => literal(*value),
            Term::Fault(..) => self.fault(),
            Term::Location(process) => {
                let first = self.network.processes[*process as usize].locations.start;
                binary(BinaryOp::Add, self.location_index(scope, *process)?, literal(first as i32))
            }
            Term::Load(place) => self.leaf(scope, Space::Data, place)?,
            Term::Negate(value, _) => unary(UnaryOp::Minus, self.term(scope, value)?),
            Term::Abs(value, _) => call("abs", vec![self.term(scope, value)?]),
            Term::Not(value) => unary(UnaryOp::Not, self.term(scope, value)?),
            Term::Truth(value) => binary(BinaryOp::Ne, self.term(scope, value)?, literal(0)),
            Term::Arith(op, left, right, _) => self.arithmetic(scope, *op, left, right)?,
            Term::Compare(op, left, right) => self.comparison(scope, *op, left, right)?,
            Term::And(parts) => all(self.conditions(scope, parts)?).unwrap_or_else(|| truth(true)),
            Term::Or(parts) => any(self.conditions(scope, parts)?).unwrap_or_else(|| truth(false)),
            Term::If(condition, then, otherwise) => {
                let condition = self.condition(scope, condition)?;
                conditional(condition, self.term(scope, then)?, self.term(scope, otherwise)?)
            }
            Term::Assign(assignment) => self.assignment(scope, assignment)?,
            Term::Call(call) => self.call(scope, call)?.0,
            Term::Quantified(quantified) => self.quantified(scope, quantified)?,
            Term::Address(..) | Term::Number(_) => {
                return Err(FlatError::inexpressible("an address as a value"));
            }
            Term::Equal(left, right, size) => {
                let (left, right) = self.same_aggregates(scope, left, right, *size)?;
                binary(BinaryOp::Eq, left.0, right.0)
            }
            Term::Copy(copy) => self.copy(scope, copy)?.0,
            Term::SetClock(place, value, _) => {
                let clock = self.leaf(scope, Space::Clocks, place)?;
                assign(None, clock, self.term(scope, value)?)
            }
            Term::CopyClock(target, source, offset) => {
                let (clock, source) =
                    (self.leaf(scope, Space::Clocks, target)?, self.leaf(scope, Space::Clocks, source)?);
                let value = match offset.as_const() {
                    Some(0) => source,
                    _ => binary(BinaryOp::Add, source, self.term(scope, offset)?),
                };
                assign(None, clock, value)
            }
            Term::Pay(price, _) => assign(Some(BinaryOp::Add), name("cost"), self.term(scope, price)?),
            Term::Sequence(terms) => self.sequence(scope, terms)?,
            // Rates and bounds of clocks are checked wherever they are computed.
            Term::Check(checked) => self.term(scope, &checked.value)?,
        })
    }

    fn conditions(&mut self, scope: Scope, terms: &[Term]) -> Result<Vec<Expr>, FlatError> {
        terms.iter().map(|term| self.condition(scope, term)).collect()
    }

    /// Whether a process is (or is not) in a location.
    pub(super) fn at_location(
        &mut self,
        scope: Scope,
        process: u32,
        location: u32,
    ) -> Result<Expr, FlatError> {
        let locations = &self.network.processes[process as usize].locations;
        if !locations.contains(&location) {
            return Ok(truth(false));
        }
        Ok(field(self.process(scope, process)?, &self.locations[location as usize]))
    }

    pub(super) fn location_index(&mut self, scope: Scope, process: u32) -> Result<Expr, FlatError> {
        Ok(field(self.process(scope, process)?, "location"))
    }

    fn process(&self, scope: Scope, process: u32) -> Result<Expr, FlatError> {
        if scope.is_some() {
            return Err(FlatError::inexpressible("the location of a process, asked for by a process"));
        }
        if self.omitted.processes[process as usize] {
            return Err(FlatError::Omitted(self.network.processes[process as usize].name.clone()));
        }
        Ok(name(self.process_name(ProcessId(process))))
    }

    fn arithmetic(
        &mut self,
        scope: Scope,
        op: Arithmetic,
        left: &Term,
        right: &Term,
    ) -> Result<Expr, FlatError> {
        if let (Arithmetic::Sub, Term::Location(process), Some(first)) = (op, left, right.as_const())
            && self.network.processes[*process as usize].locations.start as i32 == first
        {
            return self.location_index(scope, *process);
        }
        // `e + -3` reads better as `e - 3`.
        let (op, right) = match (op, right) {
            (Arithmetic::Add, Term::Const(value)) if *value < 0 && *value != i32::MIN => {
                (Arithmetic::Sub, literal(-value))
            }
            (op, right) => (op, self.term(scope, right)?),
        };
        Ok(binary(op.operator(), self.term(scope, left)?, right))
    }

    fn comparison(
        &mut self,
        scope: Scope,
        op: Comparison,
        left: &Term,
        right: &Term,
    ) -> Result<Expr, FlatError> {
        match (op, left, right) {
            (Comparison::Eq | Comparison::Ne, Term::Location(process), Term::Const(location)) => {
                let inside = self.at_location(scope, *process, *location as u32)?;
                Ok(if op == Comparison::Eq { inside } else { unary(UnaryOp::Not, inside) })
            }
            (Comparison::Eq | Comparison::Ne, Term::Number(place), Term::Const(number)) => {
                self.is_element(scope, op, place, *number as u32)
            }
            _ => Ok(binary(op.operator(), self.term(scope, left)?, self.term(scope, right)?)),
        }
    }

    /// Whether the clock at a place with computed indices is a certain one: a condition on the indices.
    fn is_element(
        &mut self,
        scope: Scope,
        op: Comparison,
        place: &Place,
        number: u32,
    ) -> Result<Expr, FlatError> {
        let Base::Fixed(base) = place.base else {
            return Err(FlatError::inexpressible("a reference outside of its function"));
        };
        let distance = i64::from(number) - i64::from(base + place.offset);
        let distance = i32::try_from(distance).map_err(|_| FlatError::inexpressible("a clock"))?;
        let mut terms = Vec::new();
        for index in &place.indices {
            let (low, high) = (index.low, index.low + (index.count as i32 - 1));
            let (least, most) = interval(&index.index);
            let mut position = self.term(scope, &index.index)?;
            if least < i64::from(low) || i64::from(high) < most {
                // An index outside the array must go on being an error.
                position = self.checked_index(low, high, position);
            }
            terms.push((position, low, index.stride as i32));
        }
        if let [(position, low, stride)] = &terms[..]
            && distance % stride == 0
        {
            return Ok(binary(op.operator(), position.clone(), literal(low + distance / stride)));
        }
        let steps = terms.into_iter().map(|(position, low, stride)| {
            let from_zero = if low == 0 { position } else { binary(BinaryOp::Sub, position, literal(low)) };
            binary(BinaryOp::Mul, from_zero, literal(stride))
        });
        let sum = steps.reduce(|left, right| binary(BinaryOp::Add, left, right));
        Ok(binary(op.operator(), sum.unwrap_or_else(|| literal(0)), literal(distance)))
    }

    fn assignment(&mut self, scope: Scope, assignment: &Assignment) -> Result<Expr, FlatError> {
        let target = self.leaf(scope, Space::Data, &assignment.place)?;
        if let (Some(op @ (Arithmetic::Add | Arithmetic::Sub)), Some(1)) =
            (assignment.op, assignment.value.as_const())
        {
            let (increment, prefix) = (op == Arithmetic::Add, !assignment.postfix);
            return Ok(at(ExprKind::Step { increment, prefix, target: Box::new(target) }));
        }
        let value = self.term(scope, &assignment.value)?;
        Ok(assign(assignment.op.map(Arithmetic::operator), target, value))
    }

    fn quantified(&mut self, scope: Scope, quantified: &Quantified) -> Result<Expr, FlatError> {
        let depth = self.taken.depth();
        let binder = self.taken.enter(scope, "i");
        self.binders.push((quantified.cell, binder.clone()));
        let body = self.term(scope, &quantified.body);
        self.binders.pop();
        self.taken.leave(depth);
        let domain = Box::new(range_type(quantified.low, quantified.high));
        Ok(at(ExprKind::Quantified(quantified.quantifier, ident(&binder), domain, Box::new(body?))))
    }

    /// An expression that always fails: an element that does not exist.
    pub(super) fn fault(&mut self) -> Expr {
        let single = self.identity(0, 0);
        index(name(&single), literal(1))
    }

    fn checked_index(&mut self, low: i32, high: i32, position: Expr) -> Expr {
        let identity = self.identity(low, high);
        index(name(&identity), position)
    }
}
