//! Disjunctive normal form of conditions.
//!
//! The product of disjunctions explodes, and a formula like "at most one process is critical" is a conjunction of many of them. But a part that
//! only speaks of data and locations can always be *evaluated*; it need not be taken apart. So such parts are expanded only while the
//! number of goals stays within a budget, and stay one opaque condition otherwise. Clock atoms have to be taken apart.
//!
//! Order matters where evaluation can fail: `i >= N || a[i]` must not evaluate `a[i]` on its own, so a disjunct that can fault is
//! conjoined with the negation of those before it.

use crate::build::formula::{Atom, Formula};
use crate::build::limits::MAX_GOALS;
use crate::code::interval::can_fault;
use crate::code::term::{Term, not};
use crate::network::{LocationId, ProcessId};
use std::ops::Range;

/// A conjunction of literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conjunct {
    pub(crate) locations: Vec<(ProcessId, Vec<LocationId>)>,
    pub(crate) data: Vec<Term>,
    /// Atoms; the condition that comes with each is always true.
    pub(crate) clocks: Vec<(Atom, Term)>,
    pub(crate) deadlock: Option<bool>,
}

impl Conjunct {
    fn of_term(term: Term) -> Self {
        Self { data: vec![term], ..Self::default() }
    }

    /// Both; `None` when they contradict each other.
    fn and(mut self, other: &Conjunct) -> Option<Conjunct> {
        for (process, admissible) in &other.locations {
            match self.locations.binary_search_by_key(process, |(process, _)| *process) {
                Ok(at) => {
                    let own = &mut self.locations[at].1;
                    own.retain(|location| admissible.contains(location));
                    if own.is_empty() {
                        return None;
                    }
                }
                Err(at) => self.locations.insert(at, (*process, admissible.clone())),
            }
        }
        self.data.extend(other.data.iter().cloned());
        self.clocks.extend(other.clocks.iter().cloned());
        match (self.deadlock, other.deadlock) {
            (Some(own), Some(other)) if own != other => return None,
            (None, other) => self.deadlock = other,
            _ => {}
        }
        Some(self)
    }
}

/// The disjuncts of a formula; `None` when there are too many however it is done.
pub(crate) fn disjuncts(formula: &Formula, locations: &[Range<u32>]) -> Option<Vec<Conjunct>> {
    [MAX_GOALS, 64, 1].into_iter().find_map(|budget| Expansion { budget, locations }.expand(formula.clone()))
}

struct Expansion<'l> {
    /// How many disjuncts a discrete part may become.
    budget: usize,
    locations: &'l [Range<u32>],
}

impl Expansion<'_> {
    fn expand(&self, formula: Formula) -> Option<Vec<Conjunct>> {
        if formula.is_discrete() && (count(&formula) > self.budget || many_faults(&formula)) {
            return Some(self.opaque(formula));
        }
        let mut literal = Conjunct::default();
        match formula {
            Formula::Data(Term::Const(0)) => return Some(Vec::new()),
            Formula::Data(Term::Const(_)) => {}
            Formula::Data(term) => literal.data.push(term),
            Formula::At { process, location, inside } => {
                let admissible = self.admissible(process, location, inside);
                if admissible.is_empty() {
                    return Some(Vec::new());
                }
                literal.locations.push((process, admissible));
            }
            Formula::Clock(atom) => literal.clocks.push((atom, Term::Const(1))),
            Formula::Deadlock(required) => literal.deadlock = Some(required),
            Formula::And(parts) => return self.product(parts),
            Formula::Or(parts) => return self.union(parts),
            Formula::Rate(..) | Formula::CostRate(_) => return None,
        }
        Some(vec![literal])
    }

    fn admissible(&self, process: ProcessId, location: u32, inside: bool) -> Vec<LocationId> {
        if inside {
            return vec![LocationId(location)];
        }
        let all = self.locations[process.index()].clone();
        all.filter(|other| *other != location).map(LocationId).collect()
    }

    /// Too many disjuncts: literals of a conjunction stay literals, everything else is evaluated as a whole.
    fn opaque(&self, formula: Formula) -> Vec<Conjunct> {
        let Formula::And(parts) = formula else { return vec![Conjunct::of_term(formula.into_term())] };
        let mut all = Conjunct::default();
        for part in parts {
            let next = match part {
                Formula::At { process, location, inside } => Conjunct {
                    locations: vec![(process, self.admissible(process, location, inside))],
                    ..Conjunct::default()
                },
                part => Conjunct::of_term(part.into_term()),
            };
            match all.and(&next) {
                Some(both) => all = both,
                None => return Vec::new(),
            }
        }
        vec![all]
    }

    fn product(&self, parts: Vec<Formula>) -> Option<Vec<Conjunct>> {
        let mut product = vec![Conjunct::default()];
        for part in parts {
            let part = self.expand(part)?;
            if product.len().saturating_mul(part.len()) > MAX_GOALS {
                return None;
            }
            product = product
                .iter()
                .flat_map(|left| part.iter().filter_map(move |right| left.clone().and(right)))
                .collect();
        }
        Some(product)
    }

    fn union(&self, parts: Vec<Formula>) -> Option<Vec<Conjunct>> {
        let mut union = Vec::new();
        let mut before: Vec<Term> = Vec::new();
        for part in parts {
            let protection: Vec<Term> =
                if faults(&part) { before.iter().cloned().map(not).collect() } else { Vec::new() };
            if part.is_discrete() {
                before.push(part.clone().into_term());
            }
            for mut conjunct in self.expand(part)? {
                conjunct.data.splice(0..0, protection.iter().cloned());
                union.push(conjunct);
            }
            if union.len() > MAX_GOALS {
                return None;
            }
        }
        Some(union)
    }
}

/// How many disjuncts the full normal form has, at most.
fn count(formula: &Formula) -> usize {
    match formula {
        Formula::And(parts) => parts.iter().map(count).fold(1, usize::saturating_mul),
        Formula::Or(parts) => parts.iter().map(count).fold(0, usize::saturating_add),
        _ => 1,
    }
}

/// Protecting each of many disjuncts by all before it would take more code than evaluating the whole.
fn many_faults(formula: &Formula) -> bool {
    matches!(formula, Formula::Or(parts) if parts.len() > 16 && parts.iter().any(faults))
}

fn faults(formula: &Formula) -> bool {
    match formula {
        Formula::Data(term) => can_fault(term),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(faults),
        Formula::Clock(atom) => can_fault(&atom.bound),
        _ => false,
    }
}
