//! Which two automata are multiplied next.

use super::system::System;
use rustc_hash::FxHashMap;

/// The pair to merge next; `None` when fewer than two automata are left that have more than one state.
pub(super) fn next(system: &System) -> Option<(u32, u32)> {
    let members: Vec<u32> =
        system.members().filter(|(_, automaton)| automaton.states > 1).map(|(index, _)| index).collect();
    if members.len() < 2 {
        return None;
    }
    let ranks = ranks(system);
    let mut weights: FxHashMap<(u32, u32), (u32, u32)> = FxHashMap::default();
    for label in system.labels.iter() {
        for (place, &(left, one)) in label.parts.iter().enumerate() {
            for &(right, other) in &label.parts[place + 1..] {
                let rank = ranks[left as usize][one as usize].max(ranks[right as usize][other as usize]);
                let rank = if label.is_goal { 0 } else { rank };
                let weight = weights.entry((left, right)).or_insert((u32::MAX, 0));
                weight.0 = weight.0.min(rank);
                weight.1 += 1;
            }
        }
    }
    let mode = std::env::var("MS_ORDER").unwrap_or_default();
    let mut best = None;
    for (place, &left) in members.iter().enumerate() {
        for &right in &members[place + 1..] {
            let (rank, shared) = weights.get(&(left, right)).copied().unwrap_or((u32::MAX, 0));
            let size = system.automaton(left).states * system.automaton(right).states;
            let composite = |index: u32| system.automaton(index).table >= system.automata.len();
            let has_goal = |index: u32| system.automaton(index).to_goal.iter().any(|&d| d > 0);
            let goals = 2 - u32::from(has_goal(left)) - u32::from(has_goal(right));
            let key: (u64, u64, u64, u64) = match mode.as_str() {
                "linear" => {
                    let any = system.members().any(|(index, _)| composite(index));
                    let ok = composite(left) || composite(right) || !any;
                    (u64::from(!ok), u64::from(goals), u64::from(u32::MAX - shared), size as u64)
                }
                "linear2" => {
                    let any = system.members().any(|(index, _)| composite(index));
                    let ok = composite(left) || composite(right) || !any;
                    (u64::from(!ok), u64::from(goals), u64::from(rank), size as u64)
                }
                "shared" => (u64::from(shared == 0), u64::from(u32::MAX - shared), size as u64, 0),
                "small" => (u64::from(shared == 0), size as u64, u64::from(u32::MAX - shared), 0),
                "dfpg" => (u64::from(goals == 2), u64::from(rank), size as u64, 0),
                _ => (u64::from(rank), u64::from(goals), size as u64, 0),
            };
            if best.is_none_or(|(known, _)| key < known) {
                best = Some((key, (left, right)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// By automaton and class: how close to a goal the nearest target is.
fn ranks(system: &System) -> Vec<Vec<u32>> {
    let mut ranks = vec![Vec::new(); system.automata.len()];
    for (index, automaton) in system.members() {
        let nearest = |relation: &super::translate::Relation| {
            relation.iter().map(|&(_, to)| automaton.to_goal[to as usize]).min().unwrap_or(u32::MAX)
        };
        ranks[index as usize] = automaton.relations.iter().map(nearest).collect();
    }
    ranks
}
