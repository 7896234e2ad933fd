//! Label reduction: labels that only one automaton can tell apart become one.
//!
//! Two labels that have the same transitions in every automaton but one can be replaced by a label that has, in that one, the transitions of both: no product
//! will ever tell them apart (Sievers, Wehrle, Helmert: *Generalized Label Reduction for Merge-and-Shrink Heuristics*, 2014). It makes more states bisimilar.
//!
//! A step that concerns one automaton alone and leaves its state as it is changes nothing at all; such transitions are dropped.

use super::system::{Label, System};
use crate::factored::Relation;
use crate::{Exceeded, Preparation};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reduces labels wherever that is possible; returns how many have gone.
pub(super) fn reduce(system: &mut System, preparation: &mut Preparation<'_>) -> Result<usize, Exceeded> {
    let before = system.labels.len();
    system.labels.sort_by(|one, other| (one.is_goal, &one.parts).cmp(&(other.is_goal, &other.parts)));
    system.labels.dedup();
    for index in candidates(system) {
        system.check(preparation)?;
        reduce_for(system, index);
    }
    for place in 0..system.labels.len() {
        drop_idle(system, place);
    }
    Ok(before - system.labels.len())
}

/// The automata for which there may be something to reduce: most of the time these are few of many.
fn candidates(system: &System) -> Vec<u32> {
    let mut seen: FxHashSet<(u32, u64)> = FxHashSet::default();
    let whole: FxHashSet<u64> = system.labels.iter().map(|label| digest(label, None)).collect();
    let mut candidates = Vec::new();
    for label in &system.labels {
        for &(index, _) in &label.parts {
            let elsewhere = digest(label, Some(index));
            if !seen.insert((index, elsewhere)) || whole.contains(&elsewhere) {
                candidates.push(index);
            }
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

/// Makes labels one that only this automaton can tell apart.
fn reduce_for(system: &mut System, index: u32) {
    let labels = std::mem::take(&mut system.labels);
    // By digest of what a label is elsewhere: the place of the first such label.
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Label>> = Vec::with_capacity(labels.len());
    for label in labels {
        let place = *places.entry(digest(&label, Some(index))).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) if is_same_elsewhere(&group[0], &label, index) => group.push(label),
            _ => groups.push(vec![label]),
        }
    }
    for mut group in groups {
        let label = if group.len() > 1 { unite(system, index, &group) } else { group.swap_remove(0) };
        system.labels.push(label);
    }
}

/// Equal for labels that are the same in all automata, perhaps except for one.
fn digest(label: &Label, except: Option<u32>) -> u64 {
    let parts = label.parts.iter().filter(|&&(automaton, _)| Some(automaton) != except);
    parts.fold(u64::from(label.is_goal), |digest, &(automaton, class)| {
        digest.wrapping_add(scrambled(u64::from(automaton) << 32 | u64::from(class)))
    })
}

/// Far from linear, so that sums of such numbers hardly ever coincide (the finalizer of Steele, Lea, Flood, 2014).
fn scrambled(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

fn is_same_elsewhere(one: &Label, other: &Label, index: u32) -> bool {
    one.is_goal == other.is_goal && elsewhere(one, index).eq(elsewhere(other, index))
}

fn elsewhere(label: &Label, index: u32) -> impl Iterator<Item = (u32, u32)> {
    label.parts.iter().copied().filter(move |&(automaton, _)| automaton != index)
}

/// One label for several that differ in this automaton only.
fn unite(system: &mut System, index: u32, group: &[Label]) -> Label {
    let automaton = system.automaton_mut(index);
    let mut relation = Relation::new();
    for label in group {
        match label.class_in(index) {
            Some(class) => relation.extend_from_slice(&automaton.relations[class as usize]),
            None => relation.extend((0..automaton.states as u32).map(|state| (state, state))),
        }
    }
    relation.sort_unstable();
    relation.dedup();
    with_relation(system, index, &group[0], relation)
}

/// The label with another relation in one automaton.
fn with_relation(system: &mut System, index: u32, label: &Label, relation: Relation) -> Label {
    let automaton = system.automaton_mut(index);
    automaton.relations.push(relation);
    let class = automaton.relations.len() as u32 - 1;
    let mut parts: Vec<(u32, u32)> = elsewhere(label, index).collect();
    let place = parts.partition_point(|&(automaton, _)| automaton < index);
    parts.insert(place, (index, class));
    Label { parts, is_goal: label.is_goal }
}

/// Drops the transitions of a step that concern one automaton alone and change nothing.
fn drop_idle(system: &mut System, place: usize) {
    let label = &system.labels[place];
    let [(index, class)] = label.parts[..] else { return };
    let relation = &system.automaton(index).relations[class as usize];
    if label.is_goal || relation.iter().all(|(from, to)| from != to) {
        return;
    }
    let relation = relation.iter().copied().filter(|(from, to)| from != to).collect();
    let label = label.clone();
    system.labels[place] = with_relation(system, index, &label, relation);
}
