//! `ms`: merge-and-shrink

mod automaton;
mod bisimulation;
mod cells;
mod knowledge;
mod label_reduction;
mod options;
mod order;
mod part;
mod product;
mod shrink;
mod steps;
mod system;
mod tables;
mod translate;

use crate::{Estimate, Exceeded, Heuristic, Preparation};
use cells::Cells;
use guidepost_explore::SymbolicState;
use guidepost_network::{Goal, Network};
pub use options::MergeAndShrinkOptions;
use system::System;
use tables::Tables;

/// `ms`
pub(crate) struct MergeAndShrink {
    tables: Tables,
    /// By automaton that is left: its table, and the distances of its states.
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
        match System::new(network, goals, &cells, preparation) {
            Ok(system) => Self::build(system, options, preparation),
            Err(exceeded) => {
                preparation.note(format!("merge-and-shrink: not built ({exceeded}), every estimate is 0"));
                Self { tables: Tables::default(), automata: Vec::new(), states: Vec::new() }
            }
        }
    }

    fn build(mut system: System, options: &MergeAndShrinkOptions, preparation: &mut Preparation<'_>) -> Self {
        let automata = system.automata.len();
        let outcome = reduce_to_one(&mut system, options.states as usize, preparation);
        let debug = std::env::var("MS_DEBUG").is_ok();
        if debug {
            eprintln!("reductions {}", system.reductions);
        }
        let kept = format!("merge-and-shrink: {automata} automata");
        preparation.note(kept);
        if let Err(exceeded) = outcome { eprintln!("{exceeded}"); }
        let is_informed = |table: usize| system.members().any(|(_, a)| a.table == table && a.states > 1);
        let mut tables = system.tables.clone();
        let numbers = tables.compact(is_informed);
        let automata = system
            .members()
            .filter_map(|(_, automaton)| Some((numbers[automaton.table]?, automaton.to_goal.clone())))
            .collect();
        let states = vec![0; tables.len()];
        Self { tables, automata, states }
    }
}

fn reduce_to_one(
    system: &mut System,
    most: usize,
    preparation: &mut Preparation<'_>,
) -> Result<(), Exceeded> {
    let debug = std::env::var("MS_DEBUG").is_ok();
    let env = |name: &str, default: usize| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let product = env("MS_PRODUCT", 100) * most;
    let arcs = env("MS_ARCS", 2_000_000);
    system.tidy(preparation)?;
    let members: Vec<u32> = system.members().map(|(index, _)| index).collect();
    for index in members {
        shrink::shrink(system, index, most, preparation)?;
    }
    while let Some((left, right)) = order::next(system) {
        let start = std::time::Instant::now();
        loop {
            let (l, r) = (system.automaton(left).states, system.automaton(right).states);
            let t = product::transitions(system, left, right);
            if l * r <= product && t <= arcs {
                break;
            }
            if l >= r { shrink::shrink(system, left, l / 2, preparation)?; } else { shrink::shrink(system, right, r / 2, preparation)?; }
        }
        let (l, r) = (system.automaton(left).states, system.automaton(right).states);
        product::merge(system, left, right, preparation)?;
        let n = system.automaton(left).states;
        system.tidy(preparation)?;
        let p = system.automaton(left).states;
        let is_last = order::next(system).is_none();
        if !is_last { shrink::shrink(system, left, most, preparation)?; }
        if debug {
            let a = system.automaton(left);
            eprintln!("{left}x{right}: {l}x{r} -> {n} -> {p} -> {} states, {} arcs, {} classes, {} labels, h0 {} {:?}", a.states, a.transitions(), a.relations.len(), system.labels.len(), a.to_goal.get(a.initial as usize).copied().unwrap_or(9999), start.elapsed());
        }
    }
    Ok(())
}

impl Heuristic for MergeAndShrink {
    fn estimate(&mut self, state: &SymbolicState) -> Estimate {
        if !self.tables.look_up(&state.cells, &mut self.states) {
            return Estimate::DEAD_END;
        }
        let steps = |(table, distances): &(usize, Vec<u32>)| distances[self.states[*table] as usize];
        Estimate::steps(self.automata.iter().map(steps).max().unwrap_or(0))
    }
}
