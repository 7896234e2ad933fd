//! Conditions and updates without some of the symbols.
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

use guidepost_language::model::Quantifier;
use guidepost_network::{ClockEffect, ClockId, ClockValue, Code, Codes, Footprint, Listing, Program, Term};

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
#[derive(Clone, Debug)]
pub enum Weakened {
    /// Nothing in it is hidden.
    Same,
    /// Some part of it is gone.
    Changed(Term),
    /// Nothing is left: it always holds.
    True,
}

/// Weakens a condition.
pub fn weaken(codes: Codes<'_>, condition: Code, hiding: &Hiding) -> Weakened {
    if !hiding.touches(&codes.footprint(condition)) {
        return Weakened::Same;
    }
    let listing = codes.listing(condition);
    let [term] = listing.terms() else { return Weakened::True };
    let weaker = weakened(&listing, term, hiding, false);
    match weaker.as_const() {
        Some(value) if value != 0 => Weakened::True,
        _ => Weakened::Changed(weaker),
    }
}

/// A term in a position where true is weaker than false. Below a disjunction, nothing may be evaluated that was protected before.
fn weakened(listing: &Listing<'_>, term: &Term, hiding: &Hiding, is_protected: bool) -> Term {
    let is_hidden = |term: &Term| hiding.touches(&listing.footprint(term));
    if !is_hidden(term) {
        return term.clone();
    }
    match term {
        Term::And(parts) => {
            let mut kept = Vec::new();
            let mut is_weaker = false;
            for part in parts {
                if is_protected && is_weaker && part.can_fault() {
                    continue;
                }
                is_weaker |= is_hidden(part);
                kept.push(weakened(listing, part, hiding, is_protected));
            }
            Term::all(kept)
        }
        Term::Or(parts) => Term::any(parts.iter().map(|part| weakened(listing, part, hiding, true))),
        Term::Truth(value) => weakened(listing, value, hiding, is_protected),
        Term::If(condition, then, otherwise) => {
            let then = weakened(listing, then, hiding, true);
            let otherwise = weakened(listing, otherwise, hiding, true);
            if !is_hidden(condition) {
                return Term::conditional((**condition).clone(), then, otherwise);
            }
            if then.can_fault() || otherwise.can_fault() {
                return Term::always();
            }
            Term::any([then, otherwise])
        }
        Term::Quantified(quantified) if quantified.quantifier != Quantifier::Sum => {
            let body = weakened(listing, &quantified.body, hiding, true);
            match body.as_const() {
                Some(value) if value != 0 => Term::always(),
                _ => quantified.with_body(body),
            }
        }
        _ => Term::always(),
    }
}

/// One step of an update: an assignment, a call, …
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateStep {
    /// The data it may touch.
    pub footprint: Footprint,
    /// What it may do to clocks.
    pub clocks: Vec<ClockEffect>,
}

impl UpdateStep {
    fn new(listing: &Listing<'_>, term: &Term) -> Self {
        Self { footprint: listing.footprint(term), clocks: listing.clock_effects(term) }
    }

    /// The clocks whose value it uses.
    pub fn source_clocks(&self) -> impl Iterator<Item = ClockId> + '_ {
        self.clocks.iter().filter_map(|effect| match effect.value {
            ClockValue::Clock(source, ..) => Some(source),
            ClockValue::Constant(..) => None,
        })
    }
}

/// The steps of an update in order.
pub fn update_steps(program: &Program, update: Code) -> Vec<UpdateStep> {
    let listing = program.codes().listing(update);
    listing.terms().iter().map(|term| UpdateStep::new(&listing, term)).collect()
}

/// The update with only those of its steps that satisfy the condition; `None` when there are none.
pub(crate) fn retain_steps(
    program: &mut Program,
    update: Code,
    keep: impl Fn(&UpdateStep) -> bool,
) -> Option<Code> {
    let listing = program.codes().listing(update);
    let terms = listing.terms();
    let kept: Vec<Term> =
        terms.iter().filter(|term| keep(&UpdateStep::new(&listing, term))).cloned().collect();
    if kept.len() == terms.len() {
        return Some(update);
    }
    (!kept.is_empty()).then(|| program.add_update(&kept))
}
