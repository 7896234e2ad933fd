//! Label reduction: labels that only one automaton can tell apart become one.
//!
//! Two labels that have the same transitions in every automaton but one can be replaced by a label that has, in that one, the transitions of both: no product
//! will ever tell them apart (Sievers, Wehrle, Helmert: *Generalized Label Reduction for Merge-and-Shrink Heuristics*, 2014). It makes more states bisimilar.
//!
//! A step that concerns one automaton alone and leaves its state as it is changes nothing at all; such transitions are dropped.

use super::system::{Label, System};
use super::translate::Relation;
use rustc_hash::FxHashMap;

/// Reduces labels wherever that is possible; returns how many have gone.
pub(super) fn reduce(system: &mut System) -> usize {
    let before = system.labels.len();
    let mut gone = drop_duplicates(system);
    let members: Vec<u32> = system.members().map(|(index, _)| index).collect();
    for index in members {
        gone += reduce_for(system, index);
        drop_idle(system, index);
    }
    debug_assert!(system.labels.len() + gone == before);
    gone
}

fn drop_duplicates(system: &mut System) -> usize {
    let before = system.labels.len();
    system.labels.sort_by(|one, other| (one.is_goal, &one.parts).cmp(&(other.is_goal, &other.parts)));
    system.labels.dedup();
    before - system.labels.len()
}

/// Makes labels one that only this automaton can tell apart.
fn reduce_for(system: &mut System, index: u32) -> usize {
    let mut groups: FxHashMap<(bool, Vec<(u32, u32)>), u32> = FxHashMap::default();
    let mut members: Vec<Vec<Label>> = Vec::new();
    for label in system.labels.drain(..) {
        let others = label.parts.iter().copied().filter(|&(automaton, _)| automaton != index).collect();
        let next = members.len() as u32;
        let group = *groups.entry((label.is_goal, others)).or_insert(next);
        if group == next {
            members.push(Vec::new());
        }
        members[group as usize].push(label);
    }
    let mut gone = 0;
    let mut labels = Vec::with_capacity(members.len());
    for mut group in members {
        let first = group.swap_remove(0);
        if group.is_empty() {
            labels.push(first);
            continue;
        }
        gone += group.len();
        group.push(first);
        labels.push(unite(system, index, group));
    }
    system.labels = labels;
    gone
}

/// One label for several that differ in this automaton only.
fn unite(system: &mut System, index: u32, group: Vec<Label>) -> Label {
    let automaton = system.automaton_mut(index);
    let mut relation = Relation::new();
    for label in &group {
        match label.class_in(index) {
            Some(class) => relation.extend_from_slice(&automaton.relations[class as usize]),
            None => relation.extend((0..automaton.states as u32).map(|state| (state, state))),
        }
    }
    relation.sort_unstable();
    relation.dedup();
    automaton.relations.push(relation);
    let class = automaton.relations.len() as u32 - 1;
    with_class(&group[0], index, class)
}

/// The label with another class in one automaton.
fn with_class(label: &Label, index: u32, class: u32) -> Label {
    let mut parts: Vec<(u32, u32)> =
        label.parts.iter().copied().filter(|&(automaton, _)| automaton != index).collect();
    let place = parts.partition_point(|&(automaton, _)| automaton < index);
    parts.insert(place, (index, class));
    Label { parts, is_goal: label.is_goal }
}

/// Drops the transitions of steps that concern this automaton alone and change nothing.
fn drop_idle(system: &mut System, index: u32) {
    let is_own = |label: &Label| !label.is_goal && label.parts.len() == 1 && label.parts[0].0 == index;
    let Some(place) = system.labels.iter().position(is_own) else { return };
    let class = system.labels[place].parts[0].1;
    let relation = &system.automaton(index).relations[class as usize];
    if relation.iter().all(|(from, to)| from != to) {
        return;
    }
    let relation = relation.iter().copied().filter(|(from, to)| from != to).collect();
    let automaton = system.automaton_mut(index);
    automaton.relations.push(relation);
    let class = automaton.relations.len() as u32 - 1;
    system.labels[place] = with_class(&system.labels[place], index, class);
}
