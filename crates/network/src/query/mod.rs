//! Queries, compiled against a finished network.
//!
//! A state predicate is compiled into its disjunctive normal form: a list of [`Goal`]s, each a conjunction that heuristics can work on. The engines
//! need the negation as often as the predicate itself (`A[] p` looks for `not p`), and negating a list of conjunctions is not
//! their business, so both are given. A goal list means exactly what the formula means.
//!
//! The network does not change: a query's code stands in a [`Segment`] of its own, which its goals and expressions carry with them.

mod normal_form;

use crate::build::Builder;
use crate::build::formula::Formula as Condition;
use crate::code::interval::interval;
use crate::code::term::{Place, Term};
use crate::code::{Code, Codes, Program, Segment};
use crate::network::{ClockConstraint, ClockId, LocationId, Network, ProcessId};
use guidepost_language::diagnostic::{Code as DiagnosticCode, Diagnostics};
use guidepost_language::model::{BoundKind, Expr, Formula, Model, Query, Type};
use guidepost_language::source::Span;
use normal_form::Conjunct;
use std::sync::{Arc, LazyLock};

/// A query, ready for an engine.
#[derive(Clone, Debug)]
pub struct CompiledQuery {
    /// The query as one line of text.
    pub text: String,
    /// What it asks.
    pub question: Question,
    /// The expressions of a `sup`, `inf` or `bounds` query, as written.
    pub expressions: Vec<String>,
    /// Conditions that states on the way are likely to meet; searches may look there first.
    pub guideposts: Vec<Guidepost>,
}

/// A condition that states on the way to an answer are likely to meet (Yang, Dill 1998).
#[derive(Clone, Debug)]
pub struct Guidepost {
    /// As it was written.
    pub text: String,
    /// It is met by the states that satisfy one of these.
    pub goals: Vec<Goal>,
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
    /// `inf{p}: cost`
    LeastCost(Predicate),
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
    /// What a question about reachability looks for, and whether it holds if that is found; `None` for other questions.
    pub fn target(&self) -> Option<(&[Goal], bool)> {
        match self {
            Question::Possibly(predicate) => Some((&predicate.goals, true)),
            Question::Always(predicate) => Some((&predicate.negation, false)),
            _ => None,
        }
    }

    /// All predicates of the question.
    pub fn predicates(&self) -> Vec<&Predicate> {
        match self {
            Question::Possibly(p)
            | Question::Always(p)
            | Question::PotentiallyAlways(p)
            | Question::Eventually(p)
            | Question::LeastCost(p) => vec![p],
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
#[derive(Clone, Debug)]
pub struct Goal {
    /// Processes that must be in one of the given locations, by ascending process.
    pub locations: Vec<(ProcessId, Vec<LocationId>)>,
    /// Conditions on data (and perhaps locations), to be evaluated in order: an earlier one may protect a later one from a fault.
    pub data: Vec<Code>,
    /// Conditions on clocks.
    pub clocks: Vec<ClockConstraint>,
    /// `Some(true)`: the state must be a deadlock; `Some(false)`: it must not be one.
    pub deadlock: Option<bool>,
    /// Where the codes stand, as far as they are not codes of the network.
    pub segment: Arc<Segment>,
}

impl Default for Goal {
    /// Holds in every state.
    fn default() -> Self {
        Self {
            locations: Vec::new(),
            data: Vec::new(),
            clocks: Vec::new(),
            deadlock: None,
            segment: Arc::clone(&NO_CODE),
        }
    }
}

static NO_CODE: LazyLock<Arc<Segment>> = LazyLock::new(Arc::default);

impl Goal {
    /// A look into its code, and that of the network.
    pub fn codes<'a>(&'a self, program: &'a Program) -> Codes<'a> {
        Codes::new(program, &self.segment)
    }

    /// The one segment in which all codes of the goals stand that are not codes of the network.
    ///
    /// # Panics
    /// When there are several: goals of different queries have nothing in common.
    pub(crate) fn common_segment(goals: &[Goal]) -> &Arc<Segment> {
        let mut segments = goals.iter().map(|goal| &goal.segment).filter(|segment| !segment.is_empty());
        let Some(first) = segments.next() else { return &NO_CODE };
        assert!(segments.all(|other| Arc::ptr_eq(first, other)), "the goals come from one query");
        first
    }
}

/// An expression over the data of a state, compiled on its own; a [`Machine`](crate::Machine) evaluates it.
#[derive(Clone, Debug)]
pub struct Expression {
    pub(crate) code: Code,
    pub(crate) segment: Arc<Segment>,
}

/// One expression of a `sup`, `inf` or `bounds` query.
#[derive(Clone, Debug)]
pub enum BoundItem {
    /// A clock.
    Clock(ClockId),
    /// An integer expression, with bounds that follow from the ranges of the variables.
    Value {
        /// The expression.
        expression: Expression,
        /// No value is smaller.
        min: i32,
        /// No value is larger.
        max: i32,
    },
}

/// Compiles a query about a network, which was built from the model.
pub fn compile_query(network: &Network, model: &Model, query: &Query) -> Result<CompiledQuery, Diagnostics> {
    let mut builder = Builder::for_query(model, network, &query.text);
    match builder.question(query) {
        Some(mut question) if !builder.report.failed => {
            question.settle(&Arc::new(builder.into_segment()));
            let expressions = match &query.formula {
                Formula::Bound(_, _, quantities) => quantities.iter().map(|item| item.text.clone()).collect(),
                _ => Vec::new(),
            };
            Ok(CompiledQuery { text: query.text.clone(), question, expressions, guideposts: Vec::new() })
        }
        _ => Err(builder.report.diagnostics),
    }
}

/// The value of an integer expression in the states of a network that was built from the model, with the bounds that follow
/// from the ranges of the variables; `None` when it cannot be computed.
pub fn compile_expression(network: &Network, model: &Model, expr: &Expr) -> Option<(Expression, i32, i32)> {
    let mut builder = Builder::for_query(model, network, "");
    let BoundItem::Value { mut expression, min, max } = builder.bound_item(expr)? else { return None };
    if builder.report.failed {
        return None;
    }
    expression.segment = Arc::new(builder.into_segment());
    Some((expression, min, max))
}

impl Question {
    /// Says where all the code stands, once it is complete.
    fn settle(&mut self, segment: &Arc<Segment>) {
        let settle = |predicate: &mut Predicate| {
            for goal in predicate.goals.iter_mut().chain(&mut predicate.negation) {
                goal.segment = Arc::clone(segment);
            }
        };
        match self {
            Question::Possibly(p)
            | Question::Always(p)
            | Question::PotentiallyAlways(p)
            | Question::Eventually(p)
            | Question::LeastCost(p) => settle(p),
            Question::LeadsTo(p, q) => {
                settle(p);
                settle(q);
            }
            Question::Bound { within, items, .. } => {
                within.iter_mut().for_each(settle);
                for item in items {
                    if let BoundItem::Value { expression, .. } = item {
                        expression.segment = Arc::clone(segment);
                    }
                }
            }
        }
    }
}

/// What a condition is taken to be in the state before the first step, where that chooses the initial state.
#[derive(Clone, Copy)]
enum Before {
    Holds,
    DoesNotHold,
}

impl Builder<'_> {
    fn question(&mut self, query: &Query) -> Option<Question> {
        Some(match &query.formula {
            Formula::Possibly(p) => Question::Possibly(self.predicate(p, Before::DoesNotHold)?),
            Formula::Always(p) => Question::Always(self.predicate(p, Before::Holds)?),
            Formula::PotentiallyAlways(p) => Question::PotentiallyAlways(self.predicate(p, Before::Holds)?),
            Formula::Eventually(p) => Question::Eventually(self.predicate(p, Before::DoesNotHold)?),
            Formula::LeadsTo(p, q) => {
                let (p, q) = (self.predicate(p, Before::DoesNotHold), self.predicate(q, Before::DoesNotHold));
                Question::LeadsTo(p?, q?)
            }
            Formula::Bound(kind, within, items) => {
                let of_cost = items.iter().filter(|item| matches!(item.expr.ty, Type::Cost)).count();
                if of_cost > 0 && (*kind != BoundKind::Inf || items.len() > 1) {
                    let message =
                        "of the cost, only the least can be asked for, and alone: `inf{goal}: cost`";
                    return self.report.error(DiagnosticCode::QueryNotSupported, query.span, message);
                }
                let within = match within {
                    Some(within) => Some(self.predicate(within, Before::DoesNotHold)?),
                    None if self.model.chooses_start => {
                        let anywhere = |holds| Condition::Data(Term::Const(i32::from(holds)));
                        let before = Before::DoesNotHold;
                        Some(self.masked(anywhere(true), anywhere(false), before, query.span)?)
                    }
                    None => None,
                };
                if of_cost > 0 {
                    let anywhere = Predicate { goals: vec![Goal::default()], negation: Vec::new() };
                    return Some(Question::LeastCost(within.unwrap_or(anywhere)));
                }
                let items =
                    items.iter().map(|item| self.bound_item(&item.expr)).collect::<Option<Vec<_>>>()?;
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

    fn predicate(&mut self, expr: &Expr, before: Before) -> Option<Predicate> {
        self.outside_functions();
        let positive = self.formula(expr, true)?;
        self.outside_functions();
        let negative = self.formula(expr, false)?;
        self.masked(positive, negative, before, expr.span)
    }

    /// A condition and its negation as goals. Where the first step chooses the initial state, the state before it counts as said.
    fn masked(
        &mut self,
        mut positive: Condition,
        mut negative: Condition,
        before: Before,
        span: Span,
    ) -> Option<Predicate> {
        if self.model.chooses_start
            && let (Some(process), Some(template)) =
                (self.names.processes.first(), self.model.templates.first())
        {
            let location = process.first_location + template.initial as u32;
            let at = |inside| Condition::At { process: ProcessId(0), location, inside };
            let (weaker, stronger) = match before {
                Before::Holds => (&mut positive, &mut negative),
                Before::DoesNotHold => (&mut negative, &mut positive),
            };
            *weaker = Condition::or(vec![at(true), weaker.clone()]);
            *stronger = Condition::and(vec![at(false), stronger.clone()]);
        }
        let goals = self.goals(&positive, span)?;
        let negation = self.goals(&negative, span)?;
        Some(Predicate { goals, negation })
    }

    fn goals(&mut self, condition: &Condition, span: Span) -> Option<Vec<Goal>> {
        let Some(conjuncts) = normal_form::disjuncts(condition, &self.location_ranges()) else {
            let message = "the condition on clocks has too many alternatives";
            return self.report.error(DiagnosticCode::TooLarge, span, message);
        };
        let mut goals = Vec::new();
        for conjunct in conjuncts {
            let data = self.condition_codes(&conjunct.data);
            let clocks = self.constraints(&conjunct.clocks)?;
            let Conjunct { locations, deadlock, .. } = conjunct;
            goals.push(Goal { locations, data, clocks, deadlock, ..Goal::default() });
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
        let expression = Expression { code: self.code(&term), segment: Arc::clone(&NO_CODE) };
        Some(BoundItem::Value { expression, min: min as i32, max: max as i32 })
    }
}
