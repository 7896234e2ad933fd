//! Which two automata are multiplied next: those that have most labels in common.
//!
//! Labels that no third automaton knows become invisible after the merge, so what belongs together collapses before it meets the rest: a variable with
//! the process that uses it, a client with its server. Among equals the smallest product comes first. Orders that begin at the goal (Dräger, Finkbeiner,
//! Podelski, 2006) and linear ones were tried: they let one automaton grow to its limit early, and then lose something with every merge.

use super::system::System;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A label that concerns more automata than this binds no two of them in particular.
const CROWD: usize = 32;

/// The pair to merge next; `None` when fewer than two automata are left that have more than one state, or no goal can be reached anyway.
pub(super) fn next(system: &System) -> Option<(u32, u32)> {
    if system.is_refuted() {
        return None;
    }
    let shared = shared_labels(system);
    let members: Vec<u32> =
        system.members().filter(|(_, automaton)| automaton.states > 1).map(|(index, _)| index).collect();
    let pairs = members
        .iter()
        .enumerate()
        .flat_map(|(place, &left)| members[place + 1..].iter().map(move |&right| (left, right)));
    pairs.min_by_key(|&(left, right)| {
        let size = system.automaton(left).states.saturating_mul(system.automaton(right).states);
        (Reverse(shared.get(&(left, right)).copied().unwrap_or(0)), size)
    })
}

/// How many labels concern both automata of a pair.
fn shared_labels(system: &System) -> FxHashMap<(u32, u32), u32> {
    let mut shared = FxHashMap::default();
    for label in system.labels.iter().filter(|label| label.parts.len() <= CROWD) {
        for (place, &(left, _)) in label.parts.iter().enumerate() {
            for &(right, _) in &label.parts[place + 1..] {
                *shared.entry((left, right)).or_insert(0) += 1;
            }
        }
    }
    shared
}
