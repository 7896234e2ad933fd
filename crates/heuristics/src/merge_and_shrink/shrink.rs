//! Making an automaton smaller: first what loses nothing, then what loses least.
//!
//! After [bisimulation](super::bisimulation), states with the same distances from the initial state and to the goal are made one, beginning where the sum of
//! both is largest (Helmert, Haslum, Hoffmann, 2007): a search for a shortest path meets these last or never. Estimates of this automaton stay what they are as long
//! as that is enough.

use super::automaton::Automaton;
use super::bisimulation;
use super::system::System;
use crate::{Exceeded, Preparation};
use std::cmp::Reverse;

/// Shrinks an automaton to at most so many states; distances must be right before, and are right afterwards if the system is tidied.
pub(super) fn shrink(
    system: &mut System,
    index: u32,
    most: usize,
    preparation: &mut Preparation<'_>,
) -> Result<(), Exceeded> {
    let automaton = system.automaton(index);
    let (block_of, blocks) = bisimulation::blocks(automaton, preparation)?;
    if blocks < automaton.states {
        apply(system, index, &block_of, blocks);
        system.tidy(preparation)?;
    }
    let automaton = system.automaton(index);
    if automaton.states > most {
        let (block_of, blocks) = by_distance(automaton, most.max(1));
        apply(system, index, &block_of, blocks);
        system.tidy(preparation)?;
    }
    Ok(())
}

fn apply(system: &mut System, index: u32, map: &[u32], states: usize) {
    let table = system.automaton(index).table;
    system.tables.map(table, map);
    system.automaton_mut(index).map(map, states);
}

/// Groups states until there are few enough: those with equal distances first, far from any short way first of all.
fn by_distance(automaton: &Automaton, most: usize) -> (Vec<u32>, usize) {
    let mut order: Vec<u32> = (0..automaton.states as u32).collect();
    let place = |&state: &u32| {
        let (to, from) = (automaton.to_goal[state as usize], automaton.from_initial[state as usize]);
        (Reverse(to.saturating_add(from)), Reverse(to))
    };
    order.sort_by_key(place);
    let mut excess = automaton.states - most;
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (position, state) in order.iter().enumerate() {
        let fits = position > 0 && excess > 0 && place(&order[position - 1]) == place(state);
        match groups.last_mut() {
            Some(group) if fits => {
                group.push(*state);
                excess -= 1;
            }
            _ => groups.push(vec![*state]),
        }
    }
    // More pairs of distances than states allowed: neighbours are made one, too.
    while groups.len() > most {
        groups = groups.chunks(2).map(<[Vec<u32>]>::concat).collect();
    }
    let mut block_of = vec![0; automaton.states];
    for (block, group) in (0..).zip(&groups) {
        for &state in group {
            block_of[state as usize] = block;
        }
    }
    (block_of, groups.len())
}
