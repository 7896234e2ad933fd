//! Automata over shared labels, and how they are kept small without losing anything.
//!
//! Tidying up an automaton can make labels die, which can make states of other automata unreachable, and so on: [`System::tidy`] continues until nothing
//! changes.

use super::automaton::{Automaton, Usage};
use super::label_reduction;
use super::tables::Tables;
use crate::factored::{Cells, LABELS, LABELS_OF_STEP, Relation, Steps, Translator};
use crate::{Exceeded, Preparation};
use guidepost_network::{Goal, Network};
use rustc_hash::FxHashMap;

/// What is being done, for those who watch.
pub(super) const STAGE: &str = "merge-and-shrink";

/// Something that happens at once: every automaton it concerns takes a transition of the given class.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Label {
    /// Automata and classes, by ascending automaton.
    pub(super) parts: Vec<(u32, u32)>,
    /// Not a step, but a goal: states that have a transition are goals.
    pub(super) is_goal: bool,
}

impl Label {
    pub(super) fn class_in(&self, automaton: u32) -> Option<u32> {
        let place = self.parts.binary_search_by_key(&automaton, |&(automaton, _)| automaton).ok()?;
        Some(self.parts[place].1)
    }
}

/// The automata, their labels, and the tables that lead to their states.
#[derive(Debug)]
pub(super) struct System {
    pub(super) automata: Vec<Option<Automaton>>,
    pub(super) labels: Vec<Label>,
    pub(super) tables: Tables,
    /// How many rounds of label reduction found something.
    pub(super) reductions: usize,
    /// Automata that may have changed since they were last tidied up.
    is_dirty: Vec<bool>,
}

impl System {
    /// One automaton per cell.
    pub(super) fn new(
        network: &Network,
        goals: &[Goal],
        cells: &Cells,
        preparation: &mut Preparation<'_>,
    ) -> Result<Self, Exceeded> {
        let mut result = Err(Exceeded::Memory);
        for most in LABELS_OF_STEP {
            let translator = Translator::new(network, goals, cells, most);
            result = Self::with(translator, &Steps::new(network, cells), goals, cells, preparation);
            if !matches!(result, Err(Exceeded::Memory)) {
                break;
            }
        }
        result
    }

    fn with(
        mut translator: Translator<'_>,
        steps: &Steps<'_>,
        goals: &[Goal],
        cells: &Cells,
        preparation: &mut Preparation<'_>,
    ) -> Result<Self, Exceeded> {
        let mut tables = Tables::default();
        let mut automata = Vec::new();
        let mut automaton_of = vec![None; cells.len()];
        for cell in (0..cells.len()).filter(|&cell| !cells.is_left_out(cell)) {
            let initial = cells.number(cell, cells.initial()[cell]).unwrap_or(0);
            automaton_of[cell] = Some(automata.len() as u32);
            let table = tables.add_cell(cells, cell);
            automata.push(Automaton::new(cells.size(cell) as usize, initial, Vec::new(), table));
        }
        let mut known: Vec<FxHashMap<Relation, u32>> = vec![FxHashMap::default(); automata.len()];
        let mut labels = Vec::new();
        let states: usize = automata.iter().map(|automaton| automaton.states).sum();
        let mut bytes = 0;
        steps.for_each(goals, &mut |step| {
            for relations in translator.labels(step) {
                let mut parts = Vec::new();
                for (cell, relation) in relations {
                    let automaton = automaton_of[cell].expect("labels concern cells that have automata");
                    let known = &mut known[automaton as usize];
                    let next = known.len() as u32;
                    let size = relation.len() * size_of::<(u32, u32)>();
                    let class = *known.entry(relation).or_insert(next);
                    bytes += if class == next { size } else { 0 } + size_of::<(u32, u32)>();
                    parts.push((automaton, class));
                }
                labels.push(Label { parts, is_goal: step.goal.is_some() });
            }
            if labels.len() > LABELS {
                return Err(Exceeded::Memory);
            }
            preparation.check(STAGE, states as u64, bytes)
        })?;
        for (automaton, known) in automata.iter_mut().zip(known) {
            automaton.relations = in_order(known);
        }
        let is_dirty = vec![true; automata.len()];
        let automata = automata.into_iter().map(Some).collect();
        Ok(Self { automata, labels, tables, reductions: 0, is_dirty })
    }

    /// The automata there are.
    pub(super) fn members(&self) -> impl Iterator<Item = (u32, &Automaton)> {
        (0..).zip(&self.automata).filter_map(|(index, automaton)| Some((index, automaton.as_ref()?)))
    }

    pub(super) fn automaton(&self, index: u32) -> &Automaton {
        self.automata[index as usize].as_ref().expect("an automaton that is still there")
    }

    pub(super) fn automaton_mut(&mut self, index: u32) -> &mut Automaton {
        self.is_dirty[index as usize] = true;
        self.automata[index as usize].as_mut().expect("an automaton that is still there")
    }

    /// Puts the product of two automata in the place of the first.
    pub(super) fn replace(&mut self, left: u32, right: u32, product: Automaton) {
        self.automata[left as usize] = Some(product);
        self.automata[right as usize] = None;
        self.is_dirty[left as usize] = true;
        self.is_dirty[right as usize] = false;
    }

    /// Whether an automaton has no state left: no goal can be reached from the initial state.
    pub(super) fn is_refuted(&self) -> bool {
        self.members().any(|(_, automaton)| automaton.states == 0)
    }

    /// Whether some goal is of no concern to the automaton.
    fn every_state_is_goal(&self, automaton: u32) -> bool {
        self.labels.iter().any(|label| label.is_goal && label.class_in(automaton).is_none())
    }

    fn usage(&self, automaton: u32) -> Vec<Usage> {
        let mut usage = vec![Usage::default(); self.automaton(automaton).relations.len()];
        for label in &self.labels {
            if let Some(class) = label.class_in(automaton) {
                let usage = &mut usage[class as usize];
                usage.goals |= label.is_goal;
                usage.steps |= !label.is_goal;
            }
        }
        usage
    }

    /// Removes states and labels that can play no part, and makes labels one where that loses nothing; distances are right afterwards.
    pub(super) fn tidy(&mut self, preparation: &mut Preparation<'_>) -> Result<(), Exceeded> {
        loop {
            let Some(index) = self.is_dirty.iter().position(|&dirty| dirty) else {
                let reduced = label_reduction::reduce(self, preparation)?;
                self.reductions += usize::from(reduced > 0);
                if !self.is_dirty.contains(&true) {
                    return Ok(());
                }
                continue;
            };
            self.check(preparation)?;
            self.is_dirty[index] = false;
            self.tidy_automaton(index as u32);
        }
    }

    /// Computes the distances of all automata; they may have been left untidy.
    pub(super) fn measure_all(&mut self) {
        for index in 0..self.automata.len() as u32 {
            if self.automata[index as usize].is_some() {
                let (usage, every_state_is_goal) = (self.usage(index), self.every_state_is_goal(index));
                self.automaton_mut(index).measure(&usage, every_state_is_goal);
            }
        }
    }

    /// Asks whether to go on.
    pub(super) fn check(&self, preparation: &mut Preparation<'_>) -> Result<(), Exceeded> {
        let states: usize = self.members().map(|(_, automaton)| automaton.states).sum();
        let transitions: usize = self.members().map(|(_, automaton)| automaton.transitions()).sum();
        let bytes = transitions * size_of::<(u32, u32)>() + self.tables.bytes();
        preparation.check(STAGE, states as u64, bytes)
    }

    fn tidy_automaton(&mut self, index: u32) {
        loop {
            self.tidy_classes(index);
            let usage = self.usage(index);
            let every_state_is_goal = self.every_state_is_goal(index);
            let automaton = self.automata[index as usize].as_mut().expect("an automaton that is still there");
            automaton.measure(&usage, every_state_is_goal);
            let Some((map, states)) = automaton.useful() else { return };
            self.tables.map(automaton.table, &map);
            automaton.map(&map, states);
            if states == 0 {
                // Not even the initial state leads to a goal: nothing can happen any more.
                automaton.initial = 0;
                self.labels.clear();
            }
        }
    }

    /// Makes equal relations one, drops relations that nobody uses, and labels that have become impossible.
    fn tidy_classes(&mut self, index: u32) {
        let usage = self.usage(index);
        let automaton = self.automata[index as usize].as_mut().expect("an automaton that is still there");
        let relations = std::mem::take(&mut automaton.relations);
        let mut known: FxHashMap<Relation, u32> = FxHashMap::default();
        let mut fate = Vec::with_capacity(relations.len());
        for (relation, usage) in relations.into_iter().zip(usage) {
            fate.push(if relation.is_empty() || !(usage.steps || usage.goals) {
                Fate::Dead
            } else if automaton.is_identity(&relation) {
                Fate::Identity
            } else {
                let next = known.len() as u32;
                Fate::Class(*known.entry(relation).or_insert(next))
            });
        }
        automaton.relations = in_order(known);
        let mut labels = std::mem::take(&mut self.labels);
        labels.retain_mut(|label| {
            let Some(place) = label.parts.iter().position(|&(automaton, _)| automaton == index) else {
                return true;
            };
            match fate[label.parts[place].1 as usize] {
                Fate::Class(class) => label.parts[place].1 = class,
                Fate::Identity => {
                    label.parts.remove(place);
                }
                Fate::Dead => {
                    // The others may have lost transitions by this.
                    for &(other, _) in &label.parts {
                        self.is_dirty[other as usize] |= other != index;
                    }
                    return false;
                }
            }
            label.is_goal || !label.parts.is_empty()
        });
        self.labels = labels;
    }
}

/// Relations by their numbers.
fn in_order(known: FxHashMap<Relation, u32>) -> Vec<Relation> {
    let mut relations: Vec<(Relation, u32)> = known.into_iter().collect();
    relations.sort_unstable_by_key(|&(_, class)| class);
    relations.into_iter().map(|(relation, _)| relation).collect()
}

/// What becomes of a class.
#[derive(Clone, Copy)]
enum Fate {
    Class(u32),
    Identity,
    Dead,
}
