//! Sets of values for every cell, all independent of each other: *boxes*.

use super::{Cells, Factored, Label, Relation};
use guidepost_abstraction::regression::mask;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Cells and labels, as boxes need them.
pub(crate) struct System {
    pub(crate) cells: Cells,
    /// The cells that are not left out.
    pub(crate) kept: Vec<usize>,
    /// By kept cell: where its values are in a box.
    pub(crate) words: Vec<Range<usize>>,
    /// By kept cell: how many values it has.
    pub(crate) sizes: Vec<u32>,
    pub(crate) labels: Vec<BoxLabel>,
    /// The initial values of the kept cells.
    pub(crate) initial: Vec<u32>,
}

/// A label: by ascending kept cell, its relation.
pub(crate) struct BoxLabel {
    pub(crate) relations: Vec<(u32, Relation)>,
}

impl BoxLabel {
    pub(crate) fn relation(&self, cell: u32) -> Option<&Relation> {
        let at = self.relations.binary_search_by_key(&cell, |(cell, _)| *cell).ok()?;
        Some(&self.relations[at].1)
    }
}

/// A part of a goal: a cell has one of some values.
pub(crate) type Part = (u32, Vec<u64>);

impl System {
    /// Steps and goals of a network that was taken apart.
    pub(crate) fn new(factored: Factored) -> (Self, Vec<Vec<Part>>) {
        let Factored { cells, labels } = factored;
        let (goals, labels): (Vec<Label>, Vec<Label>) =
            labels.into_iter().partition(|label| label.goal.is_some());
        let kept: Vec<usize> = (0..cells.len()).filter(|&cell| !cells.is_left_out(cell)).collect();
        let mut words = Vec::new();
        let mut end = 0;
        for &cell in &kept {
            let next = end + (cells.size(cell) as usize).div_ceil(64);
            words.push(end..next);
            end = next;
        }
        let sizes = kept.iter().map(|&cell| cells.size(cell)).collect();
        let place: FxHashMap<usize, u32> = kept.iter().copied().zip(0..).collect();
        let initial =
            kept.iter().map(|&cell| cells.number(cell, cells.initial()[cell]).unwrap_or(0)).collect();
        let labels = labels
            .into_iter()
            .map(|label| BoxLabel {
                relations: label
                    .relations
                    .into_iter()
                    .map(|(cell, relation)| (place[&cell], relation))
                    .collect(),
            })
            .collect();
        let system = Self { cells, kept, words, sizes, labels, initial };
        let goals = goals.iter().map(|goal| system.goal(goal)).collect();
        (system, goals)
    }

    /// What a goal wants of each cell that it concerns.
    fn goal(&self, label: &Label) -> Vec<Part> {
        let part = |(cell, relation): &(usize, Relation)| {
            let place = self.kept.binary_search(cell).expect("labels concern cells that are kept");
            let mut values = vec![0; self.words[place].len()];
            for &(from, _) in relation {
                mask::insert(&mut values, from as usize);
            }
            (place as u32, values)
        };
        label.relations.iter().map(part).collect()
    }

    /// The numbers of a state's values, given those by cell; says whether all of them are known.
    pub(crate) fn numbers(&self, value: impl Fn(usize) -> i32, numbers: &mut Vec<u32>) -> bool {
        numbers.clear();
        numbers.extend(self.kept.iter().filter_map(|&cell| self.cells.number(cell, value(cell))));
        numbers.len() == self.kept.len()
    }

    /// The box with everything in it.
    pub(crate) fn everything(&self) -> Vec<u64> {
        let mut all = Vec::new();
        for (words, &size) in self.words.iter().zip(&self.sizes) {
            all.resize(words.end, 0);
            for value in 0..size as usize {
                mask::insert(&mut all[words.clone()], value);
            }
        }
        all
    }

    /// The values of a cell in a box.
    pub(crate) fn values<'b>(&self, values: &'b [u64], cell: u32) -> &'b [u64] {
        &values[self.words[cell as usize].clone()]
    }
}
