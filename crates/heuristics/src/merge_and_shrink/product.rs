//! The product of two automata, as far as it can be reached.

use super::automaton::{Arcs, Automaton, PRUNED};
use super::system::{STAGE, System};
use crate::factored::Relation;
use crate::{Exceeded, Preparation};
use rustc_hash::FxHashMap;

/// The classes of a label in both automata; `None` where it is of no concern.
type ClassPair = (Option<u32>, Option<u32>);

/// Replaces two automata by their product.
pub(super) fn merge(
    system: &mut System,
    left: u32,
    right: u32,
    preparation: &mut Preparation<'_>,
) -> Result<(), Exceeded> {
    let pairs = class_pairs(system, left, right);
    let (one, other) = (system.automaton(left), system.automaton(right));
    let mut search = Search::new(one, other, &pairs);
    search.run(preparation)?;
    let Search { relations, numbers, discovered, .. } = search;
    let relations = relations.into_iter().map(|mut relation| {
        relation.sort_unstable();
        relation
    });
    let relations: Vec<Relation> = relations.collect();
    let table = system.tables.add_pair(one.table, other.table, other.states, numbers);
    let product = Automaton::new(discovered.len(), 0, relations, table);
    let class_of: FxHashMap<ClassPair, u32> = pairs.iter().copied().zip(0..).collect();
    for label in &mut system.labels {
        let pair = (label.class_in(left), label.class_in(right));
        if pair == (None, None) {
            continue;
        }
        label.parts.retain(|&(automaton, _)| automaton != left && automaton != right);
        let place = label.parts.partition_point(|&(automaton, _)| automaton < left);
        label.parts.insert(place, (left, class_of[&pair]));
    }
    system.replace(left, right, product);
    Ok(())
}

/// No more transitions than this can the product have.
pub(super) fn transitions(system: &System, left: u32, right: u32) -> usize {
    let (one, other) = (system.automaton(left), system.automaton(right));
    let size = |automaton: &Automaton, class: Option<u32>| {
        class.map_or(automaton.states, |class| automaton.relations[class as usize].len())
    };
    let pairs = class_pairs(system, left, right);
    pairs
        .iter()
        .fold(0, |sum: usize, pair| sum.saturating_add(size(one, pair.0).saturating_mul(size(other, pair.1))))
}

/// All combinations of classes that labels have in two automata, in ascending order.
fn class_pairs(system: &System, left: u32, right: u32) -> Vec<ClassPair> {
    let pair = |label: &super::system::Label| (label.class_in(left), label.class_in(right));
    let mut pairs: Vec<ClassPair> = system.labels.iter().map(pair).collect();
    pairs.retain(|pair| *pair != (None, None));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Breadth-first search in the product.
struct Search<'a> {
    left: &'a Automaton,
    right: &'a Automaton,
    /// By state: classes and targets, by ascending class.
    left_arcs: Arcs<(u32, u32)>,
    right_arcs: Arcs<(u32, u32)>,
    /// By class of the left automaton, `None` at the end: classes of the right one, and the classes of both together.
    partners: Vec<Vec<(Option<u32>, u32)>>,
    relations: Vec<Relation>,
    /// By pair of states: its number.
    numbers: Vec<u32>,
    discovered: Vec<(u32, u32)>,
}

impl<'a> Search<'a> {
    fn new(left: &'a Automaton, right: &'a Automaton, pairs: &[ClassPair]) -> Self {
        let mut partners = vec![Vec::new(); left.relations.len() + 1];
        for (class, &(one, other)) in (0..).zip(pairs) {
            let row = one.map_or(left.relations.len(), |class| class as usize);
            partners[row].push((other, class));
        }
        Self {
            left,
            right,
            left_arcs: arcs(left),
            right_arcs: arcs(right),
            partners,
            relations: vec![Relation::new(); pairs.len()],
            numbers: vec![PRUNED; left.states * right.states],
            discovered: Vec::new(),
        }
    }

    fn run(&mut self, preparation: &mut Preparation<'_>) -> Result<(), Exceeded> {
        self.number(self.left.initial, self.right.initial);
        let mut next = 0;
        while next < self.discovered.len() {
            if next.is_multiple_of(1024) {
                let transitions: usize = self.relations.iter().map(Vec::len).sum();
                let bytes = transitions * size_of::<(u32, u32)>() + self.numbers.len() * size_of::<u32>();
                preparation.check(STAGE, self.discovered.len() as u64, bytes)?;
            }
            self.expand(next as u32);
            next += 1;
        }
        Ok(())
    }

    fn number(&mut self, left: u32, right: u32) -> u32 {
        let place = left as usize * self.right.states + right as usize;
        if self.numbers[place] == PRUNED {
            self.numbers[place] = self.discovered.len() as u32;
            self.discovered.push((left, right));
        }
        self.numbers[place]
    }

    fn expand(&mut self, number: u32) {
        let (left, right) = self.discovered[number as usize];
        let alone = self.left.relations.len();
        for place in 0..self.left_arcs.of(left).len() {
            let (class, target) = self.left_arcs.of(left)[place];
            self.expand_with(number, class as usize, target, right);
        }
        self.expand_with(number, alone, left, right);
    }

    /// The transitions in which the left automaton takes a transition of the given row of partners.
    fn expand_with(&mut self, number: u32, row: usize, target: u32, right: u32) {
        for place in 0..self.partners[row].len() {
            let (partner, class) = self.partners[row][place];
            let Some(partner) = partner else {
                let to = self.number(target, right);
                self.relations[class as usize].push((number, to));
                continue;
            };
            let arcs = self.right_arcs.of(right);
            let start = arcs.partition_point(|&(own, _)| own < partner);
            let end = start + arcs[start..].partition_point(|&(own, _)| own == partner);
            for arc in start..end {
                let (_, other) = self.right_arcs.of(right)[arc];
                let to = self.number(target, other);
                self.relations[class as usize].push((number, to));
            }
        }
    }
}

/// By state: classes and targets, by ascending class.
fn arcs(automaton: &Automaton) -> Arcs<(u32, u32)> {
    let arcs = (0..)
        .zip(&automaton.relations)
        .flat_map(|(class, relation)| relation.iter().map(move |&(from, to)| (from, (class, to))));
    Arcs::new(automaton.states, arcs)
}
