//! Queries, compiled against a finished network.
//!
//! A state predicate is compiled into its disjunctive normal form: a list of [`Goal`]s, each a conjunction that heuristics can work on. The engines
//! need the negation as often as the predicate itself (`A[] p` looks for `not p`), and negating a list of conjunctions is not
//! their business, so both are given. A goal list means exactly what the formula means.

mod normal_form;

use crate::build::Builder;
use crate::build::formula::Formula as Condition;
use crate::code::Code;
use crate::code::interval::interval;
use crate::code::term::{Place, Term};
use crate::network::{ClockConstraint, ClockId, LocationId, Network, ProcessId};
use guidepost_language::diagnostic::{Code as DiagnosticCode, Diagnostics};
use guidepost_language::model::{BoundKind, Expr, Formula, Model, Query, Type};

/// A query, ready for an engine.
#[derive(Clone, Debug)]
pub struct CompiledQuery {
    /// The query as one line of text.
    pub text: String,
    /// What it asks.
    pub question: Question,
}

/// What a query asks.
#[derive(Clone, Debug)]
pub enum Question {
    /// `E<> p`
    Possibly(Predicate),
    /// `A[] p`
    Always(Predicate),
    /// `E[] p`
    PotentiallyAlways(Predicate),
    /// `A<> p`
    Eventually(Predicate),
    /// `p --> q`
    LeadsTo(Predicate, Predicate),
    /// `sup{p}: e, …` and similar queries.
    Bound {
        /// Which bounds are asked for.
        kind: BoundKind,
        /// Only states that satisfy this count.
        within: Option<Predicate>,
        /// What is measured.
        items: Vec<BoundItem>,
    },
}

impl Question {
    /// All predicates of the question.
    pub fn predicates(&self) -> Vec<&Predicate> {
        match self {
            Question::Possibly(p)
            | Question::Always(p)
            | Question::PotentiallyAlways(p)
            | Question::Eventually(p) => vec![p],
            Question::LeadsTo(p, q) => vec![p, q],
            Question::Bound { within, .. } => within.iter().collect(),
        }
    }
}

/// A condition on states: any of the goals.
#[derive(Clone, Debug, Default)]
pub struct Predicate {
    /// The condition holds in exactly the states that satisfy one of these.
    pub goals: Vec<Goal>,
    /// The condition does not hold in exactly the states that satisfy one of these.
    pub negation: Vec<Goal>,
}

impl Predicate {
    /// Whether `deadlock` occurs in it.
    pub fn mentions_deadlock(&self) -> bool {
        self.goals.iter().chain(&self.negation).any(|goal| goal.deadlock.is_some())
    }
}

/// A conjunction of conditions on a state.
#[derive(Clone, Debug, Default)]
pub struct Goal {
    /// Processes that must be in one of the given locations, by ascending process.
    pub locations: Vec<(ProcessId, Vec<LocationId>)>,
    /// Conditions on data (and perhaps locations), to be evaluated in order: an earlier one may protect a later one from a fault.
    pub data: Vec<Code>,
    /// Conditions on clocks.
    pub clocks: Vec<ClockConstraint>,
    /// `Some(true)`: the state must be a deadlock; `Some(false)`: it must not be one.
    pub deadlock: Option<bool>,
}

/// One expression of a `sup`, `inf` or `bounds` query.
#[derive(Clone, Debug)]
pub enum BoundItem {
    /// A clock.
    Clock(ClockId),
    /// An integer expression, with bounds that follow from the ranges of the variables.
    Value {
        /// The expression.
        code: Code,
        /// No value is smaller.
        min: i32,
        /// No value is larger.
        max: i32,
    },
}

/// Compiles a query. Code is appended to the network's program; machines made before do not know it.
pub fn compile_query(
    network: &mut Network,
    model: &Model,
    query: &Query,
) -> Result<CompiledQuery, Diagnostics> {
    let mut builder = Builder::for_query(model, network);
    let question = builder.question(query);
    network.names = std::mem::take(&mut builder.names);
    network.program = std::mem::take(&mut builder.program);
    match question {
        Some(question) if !builder.report.failed => Ok(CompiledQuery { text: query.text.clone(), question }),
        _ => Err(builder.report.diagnostics),
    }
}

impl Builder<'_> {
    fn question(&mut self, query: &Query) -> Option<Question> {
        Some(match &query.formula {
            Formula::Possibly(p) => Question::Possibly(self.predicate(p)?),
            Formula::Always(p) => Question::Always(self.predicate(p)?),
            Formula::PotentiallyAlways(p) => Question::PotentiallyAlways(self.predicate(p)?),
            Formula::Eventually(p) => Question::Eventually(self.predicate(p)?),
            Formula::LeadsTo(p, q) => {
                let (p, q) = (self.predicate(p), self.predicate(q));
                Question::LeadsTo(p?, q?)
            }
            Formula::Bound(kind, within, items) => {
                let within = match within {
                    Some(within) => Some(self.predicate(within)?),
                    None => None,
                };
                let items = items.iter().map(|item| self.bound_item(item)).collect::<Option<Vec<_>>>()?;
                Question::Bound { kind: *kind, within, items }
            }
            Formula::Foreign(name) => {
                let message = format!("`{name}` queries are not offered here");
                return self.report.error(DiagnosticCode::QueryNotSupported, query.span, message);
            }
            Formula::Empty => {
                return self.report.error(DiagnosticCode::BadQuery, query.span, "the query is empty");
            }
            Formula::Error => return self.report.reported(),
        })
    }

    fn predicate(&mut self, expr: &Expr) -> Option<Predicate> {
        self.outside_functions();
        let positive = self.formula(expr, true)?;
        let goals = self.goals(&positive, expr)?;
        self.outside_functions();
        let negative = self.formula(expr, false)?;
        let negation = self.goals(&negative, expr)?;
        Some(Predicate { goals, negation })
    }

    fn goals(&mut self, condition: &Condition, expr: &Expr) -> Option<Vec<Goal>> {
        let Some(conjuncts) = normal_form::disjuncts(condition, &self.location_ranges()) else {
            let message = "the condition on clocks has too many alternatives";
            return self.report.error(DiagnosticCode::TooLarge, expr.span, message);
        };
        let mut goals = Vec::new();
        for conjunct in conjuncts {
            let data = self.condition_codes(&conjunct.data);
            let clocks = self.constraints(&conjunct.clocks)?;
            goals.push(Goal { locations: conjunct.locations, data, clocks, deadlock: conjunct.deadlock });
        }
        Some(goals)
    }

    fn bound_item(&mut self, expr: &Expr) -> Option<BoundItem> {
        self.outside_functions();
        if matches!(expr.ty, Type::Clock { .. } | Type::Difference) {
            let linear = self.linear(expr)?;
            if let Some(Term::Fault(fault, span)) = &linear.fault {
                return self.report.fault(fault, *span);
            }
            let clock = linear.plus.first().and_then(Place::address);
            return match (clock, linear.plus.len(), linear.minus.len(), linear.offset.as_const()) {
                (Some(clock), 1, 0, Some(0)) => Some(BoundItem::Clock(ClockId(clock))),
                _ => self.report.unsupported(expr.span, "the bound of anything but one clock or an integer"),
            };
        }
        let term = self.value(expr)?;
        let (min, max) = interval(&term);
        Some(BoundItem::Value { code: self.code(&term), min: min as i32, max: max as i32 })
    }
}
