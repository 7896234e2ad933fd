//! What an update may do to the clocks, without running it.
//!
//! An abstract run of the update: for every clock the set of values it may have afterwards, in terms of the values before. Straight-line code
//! replaces, branches join, loops are iterated to a fixpoint (widened after a few rounds). The result feeds the
//! bounds analysis of the zone engine, so it must be a superset of what can happen.

use crate::code::CLOCK_LIMIT;
use crate::code::interval::interval;
use crate::code::term::{Base, Parameter, Place, Statement, Term, Unit};
use crate::network::{ClockEffect, ClockId, ClockValue};
use std::collections::BTreeMap;

const LARGEST: i32 = CLOCK_LIMIT - 1;
/// Rounds of a loop before offsets are widened.
const ROUNDS: usize = 3;

/// For each clock that may be written, the values it may have; a clock's own old value is `Clock(itself, 0, 0)`.
type Clocks = BTreeMap<ClockId, Vec<ClockValue>>;

/// The effects of running the terms in order.
pub(crate) fn clock_effects(terms: &[Term], units: &[Unit]) -> Vec<ClockEffect> {
    let mut run = AbstractRun {
        units,
        clocks: Clocks::new(),
        alive: true,
        returned: None,
        references: BTreeMap::new(),
    };
    for term in terms {
        run.term(term);
    }
    let mut effects = Vec::new();
    for (clock, values) in run.clocks {
        let always = values.len() == 1;
        let unchanged = ClockValue::Clock(clock, 0, 0);
        effects.extend(values.into_iter().filter(|value| *value != unchanged).map(|value| ClockEffect {
            clock,
            always,
            value,
        }));
    }
    effects
}

struct AbstractRun<'u> {
    units: &'u [Unit],
    clocks: Clocks,
    /// Whether control can be here; not behind a `return`.
    alive: bool,
    /// What the `return`s of the current function have left behind.
    returned: Option<Clocks>,
    /// The clocks that reference parameters stand for, by frame cell.
    references: BTreeMap<u32, Vec<u32>>,
}

impl AbstractRun<'_> {
    fn targets(&self, place: &Place) -> Vec<ClockId> {
        let bases = match place.base {
            Base::Fixed(_) => {
                return place.candidates().unwrap_or_default().into_iter().map(ClockId).collect();
            }
            Base::Indirect(cell) => self.references.get(&cell).cloned().unwrap_or_default(),
        };
        let at = |base: u32| Place { base: Base::Fixed(base), ..place.clone() };
        bases.into_iter().flat_map(|base| at(base).candidates().unwrap_or_default()).map(ClockId).collect()
    }

    fn current(&self, clock: ClockId) -> Vec<ClockValue> {
        self.clocks.get(&clock).cloned().unwrap_or_else(|| vec![ClockValue::Clock(clock, 0, 0)])
    }

    fn write(&mut self, place: &Place, values: &[ClockValue]) {
        let targets = self.targets(place);
        for &clock in &targets {
            let mut all = if targets.len() == 1 { Vec::new() } else { self.current(clock) };
            for value in values {
                merge(&mut all, *value);
            }
            self.clocks.insert(clock, all);
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::SetClock(place, value, _) => {
                self.term(value);
                let (low, high) = interval(value);
                let clip = |bound: i64| bound.clamp(0, LARGEST.into()) as i32;
                self.write(place, &[ClockValue::Constant(clip(low), clip(high))]);
            }
            Term::CopyClock(target, source, offset) => {
                self.term(offset);
                let (low, high) = interval(offset);
                let mut values = Vec::new();
                for clock in self.targets(source) {
                    for value in self.current(clock) {
                        merge(&mut values, shifted(value, low, high));
                    }
                }
                self.write(target, &values);
            }
            Term::If(condition, then, otherwise) => {
                self.term(condition);
                self.branches(|run| run.term(then), |run| run.term(otherwise));
            }
            Term::And(parts) | Term::Or(parts) => {
                if let Some((first, rest)) = parts.split_first() {
                    self.term(first);
                    self.branches(|run| rest.iter().for_each(|part| run.term(part)), |_| {});
                }
            }
            Term::Call(call) => {
                call.args.iter().for_each(|arg| self.term(arg));
                self.call(call.function, &call.args);
            }
            Term::Quantified(quantified) => self.repeat(|run| run.term(&quantified.body)),
            Term::Sequence(terms) => terms.iter().for_each(|term| self.term(term)),
            Term::Assign(assignment) => self.term(&assignment.value),
            Term::Negate(value, _) | Term::Abs(value, _) | Term::Not(value) | Term::Truth(value) => {
                self.term(value);
            }
            Term::Arith(_, left, right, _) | Term::Compare(_, left, right) | Term::Equal(left, right, _) => {
                self.term(left);
                self.term(right);
            }
            Term::Pay(price, _) => self.term(price),
            Term::Check(checked) => self.term(&checked.value),
            Term::Copy(copy) => {
                self.term(&copy.target);
                self.term(&copy.source);
            }
            Term::Const(_) | Term::Fault(..) | Term::Location(_) => {}
            Term::Load(place) | Term::Address(place, _) | Term::Number(place) => {
                place.indices.iter().for_each(|index| self.term(&index.index));
            }
        }
    }

    fn call(&mut self, function: usize, args: &[Term]) {
        let units = self.units;
        let Some(unit) = units.get(function) else { return };
        for (parameter, arg) in unit.params.iter().zip(args) {
            if let (Parameter::Reference { cell }, Term::Number(place)) = (parameter, arg) {
                let clocks = self.targets(place).into_iter().map(|clock| clock.0).collect();
                self.references.insert(*cell, clocks);
            }
        }
        let outer = self.returned.take();
        self.statements(&unit.body);
        match std::mem::replace(&mut self.returned, outer) {
            Some(returned) if self.alive => self.join(&returned),
            Some(returned) => self.clocks = returned,
            None => {}
        }
        self.alive = true;
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.alive {
                self.statement(statement);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Eval(term) | Statement::Assert(term, _) => self.term(term),
            Statement::Return(value) => {
                if let Some(value) = value {
                    self.term(value);
                }
                if let Some(returned) = self.returned.take() {
                    self.join(&returned);
                }
                self.returned = Some(self.clocks.clone());
                self.alive = false;
            }
            Statement::If(condition, then, otherwise) => {
                self.term(condition);
                self.branches(|run| run.statements(then), |run| run.statements(otherwise));
            }
            Statement::While { condition, body, after, test_first } => {
                if *test_first {
                    self.term(condition);
                } else {
                    self.statements(body);
                    self.term(condition);
                }
                self.repeat(|run| {
                    run.statements(body);
                    run.statements(after);
                    run.term(condition);
                });
            }
            Statement::Iterate { body, .. } => {
                // The domain is never empty: the body runs at least once.
                self.statements(body);
                self.repeat(|run| run.statements(body));
            }
        }
    }

    fn branches(&mut self, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let before = self.clocks.clone();
        then(self);
        let after_then = std::mem::replace(&mut self.clocks, before);
        let then_alive = std::mem::replace(&mut self.alive, true);
        otherwise(self);
        match (then_alive, self.alive) {
            (true, true) => self.join(&after_then),
            (true, false) => self.clocks = after_then,
            (false, _) => {}
        }
        self.alive |= then_alive;
    }

    /// Runs the body any number of times, zero included.
    fn repeat(&mut self, body: impl Fn(&mut Self)) {
        for round in 0.. {
            let before = self.clocks.clone();
            body(self);
            if std::mem::replace(&mut self.alive, true) {
                self.join(&before);
            } else {
                self.clocks.clone_from(&before);
            }
            if self.clocks == before {
                return;
            }
            if round >= ROUNDS {
                self.clocks.values_mut().flatten().for_each(widen);
            }
        }
    }

    /// Either what happened here or what happened there.
    fn join(&mut self, other: &Clocks) {
        let clocks: Vec<ClockId> = self.clocks.keys().chain(other.keys()).copied().collect();
        for clock in clocks {
            let mut values = self.current(clock);
            match other.get(&clock) {
                Some(others) => others.iter().for_each(|value| merge(&mut values, *value)),
                None => merge(&mut values, ClockValue::Clock(clock, 0, 0)),
            }
            self.clocks.insert(clock, values);
        }
    }
}

fn shifted(value: ClockValue, low: i64, high: i64) -> ClockValue {
    let add = |bound: i32, by: i64| (i64::from(bound) + by).clamp(-i64::from(LARGEST), LARGEST.into()) as i32;
    match value {
        ClockValue::Constant(min, max) => ClockValue::Constant(add(min, low).max(0), add(max, high).max(0)),
        ClockValue::Clock(clock, min, max) => ClockValue::Clock(clock, add(min, low), add(max, high)),
    }
}

/// Adds a value to a set, as a hull with a value of the same kind.
fn merge(values: &mut Vec<ClockValue>, value: ClockValue) {
    for old in values.iter_mut() {
        match (old, value) {
            (ClockValue::Constant(min, max), ClockValue::Constant(low, high)) => {
                (*min, *max) = ((*min).min(low), (*max).max(high));
                return;
            }
            (ClockValue::Clock(clock, min, max), ClockValue::Clock(other, low, high)) if *clock == other => {
                (*min, *max) = ((*min).min(low), (*max).max(high));
                return;
            }
            _ => {}
        }
    }
    values.push(value);
}

fn widen(value: &mut ClockValue) {
    match value {
        ClockValue::Constant(min, max) => (*min, *max) = (0, LARGEST),
        ClockValue::Clock(_, 0, 0) => {}
        ClockValue::Clock(_, min, max) => (*min, *max) = (-LARGEST, LARGEST),
    }
}
