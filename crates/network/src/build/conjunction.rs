//! Conditions become conjunctions, which is all that edges and locations hold.
//!
//! An integer condition beside a clock bound (`b || x < 2`) becomes a bound with a condition: the bound counts when `b` is false. Only a disjunction
//! of several clock bounds really needs several conjunctions: a guard is then split into several edges; an invariant must not be one.

use super::Builder;
use super::formula::{Atom, Formula};
use super::limits::MAX_ALTERNATIVES;
use crate::code::emit::Emitter;
use crate::code::interval::interval;
use crate::code::term::{Checked, Term, and, conditional, not, or};
use crate::code::{CLOCK_LIMIT, Code, Subject};
use crate::network::{ClockConstraint, ClockId, Operand};
use guidepost_language::diagnostic::Code as DiagnosticCode;
use guidepost_language::source::Span;

/// A conjunction of data conditions, clock bounds and rates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conjunction {
    pub(crate) data: Vec<Term>,
    /// Bounds, each with the condition under which it counts.
    pub(crate) clocks: Vec<(Atom, Term)>,
    pub(crate) rates: Vec<(ClockId, Term)>,
    pub(crate) cost_rates: Vec<Term>,
}

impl Conjunction {
    /// Whether it is known not to hold.
    pub(crate) fn never_holds(&self) -> bool {
        self.data.iter().any(|term| term.as_const() == Some(0))
    }

    fn and(mut self, other: &Conjunction) -> Conjunction {
        self.data.extend(other.data.iter().cloned());
        self.clocks.extend(other.clocks.iter().cloned());
        self.rates.extend(other.rates.iter().cloned());
        self.cost_rates.extend(other.cost_rates.iter().cloned());
        self
    }
}

/// The formula as alternatives of conjunctions, under a premise: `premise → formula`. `None` when there are too many.
pub(crate) fn alternatives(formula: Formula, premise: &Term) -> Option<Vec<Conjunction>> {
    let mut single = Conjunction::default();
    match formula {
        Formula::Data(term) => single.data.push(or([not(premise.clone()), term])),
        Formula::Clock(atom) => single.clocks.push((atom, premise.clone())),
        Formula::Rate(clock, rate) => {
            single.rates.push((clock, conditional(premise.clone(), rate, Term::Const(1))));
        }
        Formula::CostRate(rate) => {
            single.cost_rates.push(conditional(premise.clone(), rate, Term::Const(0)));
        }
        discrete @ Formula::At { .. } => single.data.push(or([not(premise.clone()), discrete.into_term()])),
        // Queries have their own normal form.
        Formula::Deadlock(_) => return None,
        Formula::And(parts) => {
            let mut product = vec![single];
            for part in parts {
                let part = alternatives(part, premise)?;
                if product.len() * part.len() > MAX_ALTERNATIVES {
                    return None;
                }
                product = product
                    .iter()
                    .flat_map(|left| part.iter().map(|right| left.clone().and(right)))
                    .collect();
            }
            return Some(product);
        }
        Formula::Or(parts) => return disjunction(parts, premise),
    }
    Some(vec![single])
}

fn disjunction(parts: Vec<Formula>, premise: &Term) -> Option<Vec<Conjunction>> {
    let (discrete, timed): (Vec<_>, Vec<_>) = parts.into_iter().partition(Formula::is_discrete);
    let discrete = or(discrete.into_iter().map(Formula::into_term));
    let mut timed = timed.into_iter();
    match (timed.next(), timed.len()) {
        (None, _) => alternatives(Formula::Data(discrete), premise),
        (Some(only), 0) => alternatives(only, &and([premise.clone(), not(discrete)])),
        (Some(first), _) => {
            let mut all = Vec::new();
            if discrete.as_const() != Some(0) {
                all.extend(alternatives(Formula::Data(discrete), premise)?);
            }
            for part in std::iter::once(first).chain(timed) {
                all.extend(alternatives(part, premise)?);
                if all.len() > MAX_ALTERNATIVES {
                    return None;
                }
            }
            Some(all)
        }
    }
}

impl Builder<'_> {
    /// Compiles conditions, one code per conjunct; what always holds is left out.
    pub(crate) fn condition_codes(&mut self, terms: &[Term]) -> Vec<Code> {
        let mut codes = Vec::new();
        for term in terms {
            match term {
                Term::Const(value) if *value != 0 => {}
                Term::And(parts) => codes.extend(parts.iter().map(|part| self.code(part))),
                term => codes.push(self.code(term)),
            }
        }
        codes
    }

    /// Compiles a term for its value.
    pub(crate) fn code(&mut self, term: &Term) -> Code {
        Emitter::new(&mut self.program).code(term)
    }

    /// Compiles clock bounds.
    pub(crate) fn constraints(&mut self, clocks: &[(Atom, Term)]) -> Option<Vec<ClockConstraint>> {
        let mut constraints = Vec::new();
        for (atom, condition) in clocks {
            let condition = match condition.as_const() {
                Some(0) => continue,
                Some(_) => None,
                None => Some(self.code(condition)),
            };
            let bound = self.operand(&atom.bound, atom.span)?;
            let (left, right, strict) = (atom.left, atom.right, atom.strict);
            constraints.push(ClockConstraint { left, right, strict, bound, condition });
        }
        Some(constraints)
    }

    /// A clock bound: a constant, or code with the range of its values.
    fn operand(&mut self, bound: &Term, span: Span) -> Option<Operand> {
        const LARGEST: i32 = CLOCK_LIMIT - 1;
        match bound {
            Term::Const(value) if (-LARGEST..=LARGEST).contains(value) => Some(Operand::Const(*value)),
            Term::Const(value) => {
                let message = format!("the clock constant {value} is too large");
                let hint = format!("constants must be smaller than {CLOCK_LIMIT} in absolute value");
                let code = DiagnosticCode::ClockConstantTooLarge;
                self.report
                    .push(guidepost_language::diagnostic::Diagnostic::new(code, span, message).hint(hint));
                None
            }
            term => {
                let (low, high) = interval(term);
                let fits = -i64::from(LARGEST) <= low && high <= i64::from(LARGEST);
                let code = if fits {
                    self.code(term)
                } else {
                    let (value, subject) = (term.clone(), Subject::ClockBound);
                    self.code(&Term::Check(Box::new(Checked {
                        value,
                        min: -LARGEST,
                        max: LARGEST,
                        subject,
                        span,
                    })))
                };
                let clip = |value: i64| value.clamp(-i64::from(LARGEST), LARGEST.into()) as i32;
                Some(Operand::Code(code, clip(low), clip(high)))
            }
        }
    }
}
