//! `pa`: predicate abstraction databases (Hoffmann, Smaus, Rybalchenko, Kupferschmid, Podelski: *Using Predicate Abstraction to Generate Heuristic Functions in
//! UPPAAL*, 2007; Kupferschmid 2009, ch. 6).
//!
//! A state is described by the truth of some predicates: where a process is, which values a variable has, how clocks compare. An abstract state is a conjunction
//! of literals, that is, a *partial* bit vector. Before the search begins, the abstract states that lead to the goal are found by regression ([`database`]), and
//! stored with their distances in a tree that answers subset queries ([`set_trie`]). The estimate of a state is the least distance of a stored conjunction all of
//! whose literals may be true in it: a look-up.
//!
//! The whole system is too large for that, so it is split into parts of few processes ([`split`]), each with a database of its own. The estimate is the sum; to
//! keep it admissible every transition is charged to one part only ([`transitions`]). The plain sum, which counts a synchronisation once in every part that takes
//! part, is the option `sum`.
//!
//! No solver is needed: literals on one cell of the state are sets of values, literals on clocks are zones ([`Region`](guidepost_abstraction::regression::Region)), conditions and updates over several
//! cells are tried out for all combinations of values.
//!
//! # What is over-approximated
//!
//! - Of processes outside a part only what they write to variables and clocks that the part keeps is seen; they can always do it, as far as the part can tell.
//! - Urgent channels and priorities are ignored, clock constraints with computed bounds are as weak as they can get, and those with conditions are ignored.
//! - Conditions over several cells restrict a regression, but are not remembered themselves; more than [`COMBINATIONS`](guidepost_abstraction::regression::COMBINATIONS) combinations are not
//!   tried: the condition counts as true, the results as any value.
//! - Copies of clocks: any value. Stop-watches, meta variables, variables of more than 4096 values, and what the updates around every transition write are not kept.
//! - `deadlock` in a goal counts as settled.

mod database;
mod options;
mod precision;
mod refinement;
mod set_trie;
mod split;
#[cfg(test)]
mod tests;
mod transitions;

use crate::{Estimate, Heuristic, Preparation};
use database::{Database, Part, Regression};
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Meetings, Network};
pub use options::{PredicateOptions, Selection};
use split::Interactions;
use transitions::Steps;

/// Microseconds to describe a part, at least.
const PART: u32 = 1000;

/// What a node of a tree counts for, in units of effort.
const NODE: u64 = 2;

/// `pa`
pub(crate) struct PredicateDatabases {
    parts: Vec<Database>,
    visited: u64,
}

impl PredicateDatabases {
    pub(crate) fn new(
        network: &Network,
        goals: &[Goal],
        options: PredicateOptions,
        preparation: &mut Preparation<'_>,
    ) -> Self {
        let Some(interactions) = Interactions::new(network, goals, preparation) else {
            let exceeded = preparation.break_off();
            preparation.note(format!("pa: no abstraction: {exceeded}"));
            return Self { parts: Vec::new(), visited: 0 };
        };
        let division = interactions.split(options.bound as usize);
        let meetings = Meetings::new(network);
        let mut parts = Vec::new();
        let mut spent = 0;
        let mut symbols = Vec::new();
        for processes in &division.parts {
            if preparation.is_due(PART) {
                let exceeded = preparation.break_off();
                preparation.note(format!("pa: some parts left out: {exceeded}"));
                break;
            }
            let kept = interactions.symbols(network, processes);
            symbols.push(kept.clone());
            let steps = Steps::all(network, &meetings, &division, &symbols, !options.sum);
            let part = Part::new(network, goals, kept, steps);
            if part.is_idle() {
                continue;
            }
            parts.extend(build(network, part, options, &mut spent, preparation));
        }
        let count = parts.len();
        preparation.note(format!(
            "pa: {spent} abstract states in {count} {}",
            if count == 1 { "part" } else { "parts" }
        ));
        Self { parts, visited: 0 }
    }
}

/// The database of a part, as far as the budget allows; `None` when there is nothing in it.
fn build(
    network: &Network,
    part: Part,
    options: PredicateOptions,
    spent: &mut u64,
    preparation: &mut Preparation<'_>,
) -> Option<Database> {
    let refined = match options.selection {
        Selection::Syntax => Ok(refinement::syntactic(&part)),
        Selection::Refinement => refinement::refined(network, &part, options.rounds, spent, preparation),
    };
    let precision = match refined {
        Ok(precision) => precision,
        Err(exceeded) => {
            preparation.note(format!("pa: {} left out, refinement stopped: {exceeded}", part.name(network)));
            return None;
        }
    };
    let (regression, outcome) = Regression::run(network, &part, &precision, spent, preparation);
    if let Err(exceeded) = outcome {
        let complete = regression.beyond().unwrap_or(0);
        preparation
            .note(format!("pa: {} known only up to distance {complete}: {exceeded}", part.name(network)));
    }
    let frozen = regression.freeze();
    Some(Database::new(part.symbols, frozen))
}

impl Heuristic for PredicateDatabases {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        let mut sum = 0_u32;
        for part in &self.parts {
            let (steps, visited) = part.look_up(state);
            self.visited += u64::from(visited);
            match steps {
                Some(steps) => sum = sum.saturating_add(steps),
                None => return Estimate::DEAD_END,
            }
        }
        Estimate::steps(sum)
    }

    fn is_discrete(&self) -> bool {
        !self.parts.iter().any(Database::has_clocks)
    }

    fn effort(&self) -> u64 {
        self.visited * NODE
    }
}
