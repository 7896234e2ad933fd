//! Making an automaton smaller.

use super::bisimulation;
use super::system::System;
use crate::{Exceeded, Preparation};

/// Shrinks an automaton to at most this many states, without any loss if possible. The system must be tidy, and is afterwards.
pub(super) fn shrink(
    system: &mut System,
    index: u32,
    most: usize,
    preparation: &mut Preparation<'_>,
) -> Result<(), Exceeded> {
    let automaton = system.automaton(index);
    let (block_of, blocks) = bisimulation::blocks(automaton, most, preparation)?;
    if blocks < automaton.states {
        let table = automaton.table;
        system.tables.map(table, &block_of);
        system.automaton_mut(index).map(&block_of, blocks);
        system.tidy(preparation)?;
    }
    Ok(())
}
