//! `ms`: merge-and-shrink, the automata-theoretic heuristic (Dräger, Finkbeiner, Podelski: *Directed Model Checking with Distance-Preserving Abstractions*, 2006;
//! Helmert, Haslum, Hoffmann, Nissim: *Merge-and-Shrink Abstraction*, 2014).
//!
//! Every process and every small variable is a finite automaton; a step of the network is a label on which those it concerns move together. Again and
//! again two automata are replaced by their product, and whenever one has too many states, some of them are made one. In the end there is one automaton; the
//! distance to the goal in it never exceeds the true one, because every step of the network is a step of it. As long as nothing had to be given up it is
//! exact, except for time.
//!
//! - [`crate::factored`]: from the network to automata of single cells over shared labels, and what is over-approximated there.
//! - [`automaton`], [`system`]: automata, distances, and removing what cannot be reached or leads nowhere.
//! - [`label_reduction`], [`bisimulation`], [`shrink`], [`product`], [`order`]: making few of many.
//! - [`tables`]: from a state to its abstraction; an estimate is a lookup per cell and per merge.
//!
//! A goal is a label, too: states in which it could be taken are goals. So several goals, and conditions that tie cells together, need nothing of their own, and every
//! automaton by itself has distances that never exceed the true ones. When the budget does not last, the largest of them is the estimate.

mod automaton;
mod bisimulation;
mod label_reduction;
mod options;
mod order;
mod product;
mod shrink;
mod system;
mod tables;
#[cfg(test)]
mod tests;

use crate::factored::Cells;
use crate::{Estimate, Exceeded, Heuristic, Preparation};
use automaton::UNREACHABLE;
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Network};
pub use options::MergeAndShrinkOptions;
use system::System;
use tables::Tables;

/// How many pairs of states a product may have; its parts are shrunk first if need be.
const PAIRS: usize = 1 << 19;
/// How many transitions a product may have.
const TRANSITIONS: usize = 2_000_000;

/// `ms`
pub(crate) struct MergeAndShrink {
    tables: Tables,
    /// The automata that are left: their tables, and the distances of their states.
    automata: Vec<(usize, Vec<u32>)>,
    /// Work space.
    states: Vec<u32>,
}

impl MergeAndShrink {
    pub(crate) fn new(
        network: &Network,
        goals: &[Goal],
        options: &MergeAndShrinkOptions,
        preparation: &mut Preparation<'_>,
    ) -> Self {
        let cells = Cells::new(network);
        let mut system = match System::new(network, goals, &cells, preparation) {
            Ok(system) => system,
            Err(exceeded) => {
                preparation.note(format!("merge-and-shrink: not built ({exceeded}), every estimate is 0"));
                return Self { tables: Tables::default(), automata: Vec::new(), states: Vec::new() };
            }
        };
        let cells = system.automata.len();
        let most = options.most(cells);
        let outcome = merge_all(&mut system, most, preparation);
        if outcome.is_err() {
            system.measure_all();
        }
        let left = system.members().filter(|(_, automaton)| automaton.states > 1).count();
        let largest = system.members().map(|(_, automaton)| automaton.states).max().unwrap_or(0);
        let reductions = system.reductions;
        let end = match outcome {
            Ok(()) => String::new(),
            Err(exceeded) => format!("; stopped ({exceeded}), {left} automata are left"),
        };
        preparation.note(format!(
            "merge-and-shrink: {cells} automata, {reductions} label reductions, {largest} states at the end{end}"
        ));
        Self::finished(system)
    }

    fn finished(system: System) -> Self {
        let System { automata, mut tables, .. } = system;
        let informed: Vec<usize> = (automata.iter().flatten())
            .filter(|automaton| automaton.states > 1)
            .map(|automaton| automaton.table)
            .collect();
        let numbers = tables.compact(|table| informed.contains(&table));
        let left = automata
            .into_iter()
            .flatten()
            .filter_map(|automaton| Some((numbers[automaton.table]?, automaton.to_goal)));
        let automata = left.collect();
        let states = vec![0; tables.len()];
        Self { tables, automata, states }
    }
}

impl Heuristic for MergeAndShrink {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        if !self.tables.look_up(&state.cells, &mut self.states) {
            return Estimate::DEAD_END;
        }
        let steps = |(table, distances): &(usize, Vec<u32>)| distances[self.states[*table] as usize];
        match self.automata.iter().map(steps).max().unwrap_or(0) {
            UNREACHABLE => Estimate::DEAD_END,
            steps => Estimate::steps(steps),
        }
    }
}

/// Merges and shrinks until one automaton is left that has more than one state. The last one may be as large as it is.
fn merge_all(system: &mut System, most: usize, preparation: &mut Preparation<'_>) -> Result<(), Exceeded> {
    system.tidy(preparation)?;
    let members: Vec<u32> = system.members().map(|(index, _)| index).collect();
    for index in members {
        shrink::shrink(system, index, most, preparation)?;
    }
    while let Some((left, right)) = order::next(system) {
        make_room(system, left, right, preparation)?;
        if system.is_refuted() {
            break;
        }
        product::merge(system, left, right, preparation)?;
        system.tidy(preparation)?;
        if system.members().filter(|(_, automaton)| automaton.states > 1).count() > 1 {
            shrink::shrink(system, left, most, preparation)?;
        }
    }
    Ok(())
}

/// Shrinks two automata until their product is not too large.
fn make_room(
    system: &mut System,
    left: u32,
    right: u32,
    preparation: &mut Preparation<'_>,
) -> Result<(), Exceeded> {
    let pairs_allowed = PAIRS.min(usize::try_from(preparation.budget().states).unwrap_or(PAIRS)).max(1);
    loop {
        let sizes = [left, right].map(|index| system.automaton(index).states);
        let pairs = sizes[0].saturating_mul(sizes[1]);
        let transitions = product::transitions(system, left, right);
        if (pairs <= pairs_allowed && transitions <= TRANSITIONS) || pairs <= 1 {
            return Ok(());
        }
        let fits = (pairs_allowed as f64 / pairs as f64).min(TRANSITIONS as f64 / transitions as f64);
        let (index, size) = if sizes[0] >= sizes[1] { (left, sizes[0]) } else { (right, sizes[1]) };
        // Carefully: what fits depends on more than the number of states.
        let smaller = (size as f64 * fits.max(0.5)) as usize;
        shrink::shrink(system, index, smaller.min(size - 1), preparation)?;
    }
}
