//! Code without some of the symbols: what abstraction by hiding needs.
//!
//! A *condition* is weakened: it must hold wherever the original can hold, whatever the hidden cells contain. In a conjunction the parts that mention
//! a hidden cell are dropped; in a disjunction such a part makes the whole true. (Negations have been pushed inwards when terms were made, so everything
//! stands in positive position.) Short-circuit evaluation needs care: `h > 0 && a[i] == 1` keeps `a[i]` from being evaluated where the
//! index is wrong, and with `h` hidden that protection is gone. On the outermost level this does no harm, since an abstraction takes
//! a condition that cannot be evaluated as one that does not hold; below a disjunction it would make the condition stronger, so there parts that can fail are
//! dropped together with their protection.
//!
//! An *update* consists of steps. A step is kept or dropped as a whole: whoever hides symbols closes the set first, so that a step that reads something hidden
//! only writes what is hidden as well.

use super::interval::can_fault;
use super::term::{Place, Term, and, or};
use super::{Code, Footprint, Program};
use crate::build::clock_effects;
use crate::code::emit::Emitter;
use crate::network::{ClockEffect, ClockId, ProcessId, VarId};
use guidepost_language::model::Quantifier;
use std::collections::BTreeSet;

/// Cells that code must not mention any more.
#[derive(Clone, Debug, Default)]
pub struct Hiding {
    /// By process: its location is hidden.
    pub processes: Vec<bool>,
    /// By variable: its value is hidden.
    pub variables: Vec<bool>,
    /// By clock.
    pub clocks: Vec<bool>,
}

impl Hiding {
    /// Whether a code with this footprint mentions something hidden.
    pub fn touches(&self, footprint: &Footprint) -> bool {
        footprint.locations.iter().any(|process| self.processes[process.index()])
            || footprint.reads.iter().chain(&footprint.writes).any(|var| self.variables[var.index()])
    }
}

/// A condition without what is hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weakened {
    /// Nothing in it is hidden.
    Same,
    /// Some part of it is gone.
    Changed(Code),
    /// Nothing is left: it always holds.
    True,
}

/// One step of an update: an assignment, a call, …
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The data it may touch.
    pub footprint: Footprint,
    /// What it may do to clocks.
    pub clocks: Vec<ClockEffect>,
}

/// Cells of the state that a term touches.
#[derive(Default)]
struct Touched {
    locations: BTreeSet<ProcessId>,
    reads: BTreeSet<VarId>,
    writes: BTreeSet<VarId>,
}

impl Program {
    /// The steps of an update in order.
    pub fn steps(&self, update: Code) -> Vec<Step> {
        self.terms(update).iter().map(|term| self.step(term)).collect()
    }

    fn step(&self, term: &Term) -> Step {
        let clocks = clock_effects(std::slice::from_ref(term), &self.units);
        Step { footprint: self.term_footprint(term), clocks }
    }

    /// The update with only those of its steps that satisfy the condition; `None` when there are none.
    pub fn retain_steps(&mut self, update: Code, keep: impl Fn(&Step) -> bool) -> Option<Code> {
        let terms = self.terms(update);
        let kept: Vec<Term> = terms.iter().filter(|term| keep(&self.step(term))).cloned().collect();
        if kept.len() == terms.len() {
            return Some(update);
        }
        (!kept.is_empty()).then(|| Emitter::new(self).update(&kept))
    }

    /// Weakens a condition.
    pub fn weaken(&mut self, condition: Code, hiding: &Hiding) -> Weakened {
        if !hiding.touches(&self.footprint(condition)) {
            return Weakened::Same;
        }
        let [term] = self.terms(condition) else { return Weakened::True };
        match self.weakened(term, hiding, false) {
            Term::Const(value) if value != 0 => Weakened::True,
            weaker => Weakened::Changed(Emitter::new(self).code(&weaker)),
        }
    }

    /// A term in a position where true is weaker than false. Below a disjunction, nothing may be evaluated that was protected before.
    fn weakened(&self, term: &Term, hiding: &Hiding, is_protected: bool) -> Term {
        if !hiding.touches(&self.term_footprint(term)) {
            return term.clone();
        }
        match term {
            Term::And(parts) => {
                let mut kept = Vec::new();
                let mut is_weaker = false;
                for part in parts {
                    if is_protected && is_weaker && can_fault(part) {
                        continue;
                    }
                    is_weaker |= hiding.touches(&self.term_footprint(part));
                    kept.push(self.weakened(part, hiding, is_protected));
                }
                and(kept)
            }
            Term::Or(parts) => or(parts.iter().map(|part| self.weakened(part, hiding, true))),
            Term::Truth(value) => self.weakened(value, hiding, is_protected),
            Term::If(condition, then, otherwise) => {
                let then = self.weakened(then, hiding, true);
                let otherwise = self.weakened(otherwise, hiding, true);
                if !hiding.touches(&self.term_footprint(condition)) {
                    return Term::If(condition.clone(), Box::new(then), Box::new(otherwise));
                }
                if can_fault(&then) || can_fault(&otherwise) {
                    return Term::Const(1);
                }
                or([then, otherwise])
            }
            Term::Quantified(quantified) if quantified.quantifier != Quantifier::Sum => {
                match self.weakened(&quantified.body, hiding, true) {
                    Term::Const(value) if value != 0 => Term::Const(1),
                    body => {
                        let mut weaker = quantified.clone();
                        weaker.body = body;
                        Term::Quantified(weaker)
                    }
                }
            }
            _ => Term::Const(1),
        }
    }

    fn term_footprint(&self, term: &Term) -> Footprint {
        let mut touched = Touched::default();
        self.walk(term, &mut touched);
        Footprint {
            locations: touched.locations.into_iter().collect(),
            reads: touched.reads.into_iter().collect(),
            writes: touched.writes.into_iter().collect(),
        }
    }

    fn walk(&self, term: &Term, touched: &mut Touched) {
        match term {
            Term::Const(_) | Term::Fault(..) => {}
            Term::Location(process) => {
                touched.locations.insert(ProcessId(*process));
            }
            Term::Load(place) => self.walk_place(place, true, false, touched),
            Term::Address(place, mode) => self.walk_place(place, mode.reads(), mode.writes(), touched),
            Term::Number(place) => self.walk_indices(place, touched),
            Term::Negate(value, _) | Term::Abs(value, _) | Term::Not(value) | Term::Truth(value) => {
                self.walk(value, touched);
            }
            Term::Arith(_, left, right, _) | Term::Compare(_, left, right) | Term::Equal(left, right, _) => {
                self.walk(left, touched);
                self.walk(right, touched);
            }
            Term::And(parts) | Term::Or(parts) | Term::Sequence(parts) => {
                for part in parts {
                    self.walk(part, touched);
                }
            }
            Term::If(condition, then, otherwise) => {
                for part in [condition, then, otherwise] {
                    self.walk(part, touched);
                }
            }
            Term::Assign(assignment) => {
                let reads = assignment.op.is_some() || assignment.postfix;
                self.walk_place(&assignment.place, reads, true, touched);
                self.walk(&assignment.value, touched);
            }
            Term::Call(call) => {
                call.args.iter().for_each(|arg| self.walk(arg, touched));
                let inside = self.footprint(Code(self.functions[call.function].entry));
                touched.locations.extend(inside.locations);
                touched.reads.extend(inside.reads);
                touched.writes.extend(inside.writes);
            }
            Term::Quantified(quantified) => self.walk(&quantified.body, touched),
            Term::Copy(copy) => {
                self.walk(&copy.target, touched);
                self.walk(&copy.source, touched);
            }
            Term::SetClock(place, value, _) => {
                self.walk_indices(place, touched);
                self.walk(value, touched);
            }
            Term::CopyClock(target, source, offset) => {
                self.walk_indices(target, touched);
                self.walk_indices(source, touched);
                self.walk(offset, touched);
            }
            Term::Check(checked) => self.walk(&checked.value, touched),
        }
    }

    fn walk_indices(&self, place: &Place, touched: &mut Touched) {
        place.indices.iter().for_each(|index| self.walk(&index.index, touched));
    }

    fn walk_place(&self, place: &Place, reads: bool, writes: bool, touched: &mut Touched) {
        self.walk_indices(place, touched);
        // What a reference stands for is said where it is made.
        let (start, length) = place.extent.unwrap_or_default();
        let state = self.processes..self.state_size() as u32;
        for cell in (start..start + length).filter(|cell| state.contains(cell)) {
            let variable = VarId(cell - self.processes);
            if reads {
                touched.reads.insert(variable);
            }
            if writes {
                touched.writes.insert(variable);
            }
        }
    }
}

impl Step {
    /// The clocks whose value it uses.
    pub fn source_clocks(&self) -> impl Iterator<Item = ClockId> + '_ {
        self.clocks.iter().filter_map(|effect| match effect.value {
            crate::network::ClockValue::Clock(source, ..) => Some(source),
            crate::network::ClockValue::Constant(..) => None,
        })
    }
}
