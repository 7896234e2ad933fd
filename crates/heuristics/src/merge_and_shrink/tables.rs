//! Cascading tables: from a state of the network to the states of the automata.
//!
//! A leaf maps the value of one cell, an inner table the states of two automata whose product it stands for. Shrinking changes entries, never structure.

use super::automaton::PRUNED;
use crate::factored::Cells;

#[derive(Clone, Debug)]
enum Source {
    Cell { cell: usize, low: i32 },
    Pair { left: usize, right: usize, width: usize },
}

#[derive(Clone, Debug)]
struct Table {
    source: Source,
    entries: Vec<u32>,
}

/// All tables; those that a table refers to come before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    tables: Vec<Table>,
}

impl Tables {
    /// A table of a cell in which every value is a state of its own.
    pub(super) fn add_cell(&mut self, cells: &Cells, cell: usize) -> usize {
        let entries = (0..cells.size(cell)).collect();
        self.add(Source::Cell { cell, low: cells.low(cell) }, entries)
    }

    /// A table of a product; entry `left * width + right`.
    pub(super) fn add_pair(&mut self, left: usize, right: usize, width: usize, entries: Vec<u32>) -> usize {
        self.add(Source::Pair { left, right, width }, entries)
    }

    fn add(&mut self, source: Source, entries: Vec<u32>) -> usize {
        self.tables.push(Table { source, entries });
        self.tables.len() - 1
    }

    /// Replaces every entry by its image.
    pub(super) fn map(&mut self, table: usize, map: &[u32]) {
        for entry in &mut self.tables[table].entries {
            if *entry != PRUNED {
                *entry = map[*entry as usize];
            }
        }
    }

    /// How much memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.entries.len() * size_of::<u32>()).sum()
    }

    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// Drops tables that tell nothing: they have one entry everywhere, and no other table refers to them. Returns the new numbers of the others.
    pub(super) fn compact(&mut self, keep: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let mut is_needed: Vec<bool> = (0..self.tables.len()).map(keep).collect();
        for index in (0..self.tables.len()).rev() {
            let table = &self.tables[index];
            is_needed[index] |= table.entries.contains(&PRUNED);
            if let (true, Source::Pair { left, right, .. }) = (is_needed[index], &table.source) {
                is_needed[*left] = true;
                is_needed[*right] = true;
            }
        }
        let mut count = 0;
        let number = |&needed: &bool| {
            count += usize::from(needed);
            needed.then(|| count - 1)
        };
        let numbers: Vec<Option<usize>> = is_needed.iter().map(number).collect();
        let mut index = 0;
        self.tables.retain(|_| {
            index += 1;
            is_needed[index - 1]
        });
        for table in &mut self.tables {
            if let Source::Pair { left, right, .. } = &mut table.source {
                *left = numbers[*left].expect("a table that is referred to is needed");
                *right = numbers[*right].expect("a table that is referred to is needed");
            }
        }
        numbers
    }

    /// Looks everything up. The state of every automaton is left in `states`, which has one place per table; false if the state is pruned.
    #[inline]
    pub(super) fn look_up(&self, cells: &[i32], states: &mut [u32]) -> bool {
        for (index, table) in self.tables.iter().enumerate() {
            let place = match table.source {
                Source::Cell { cell, low } => (cells[cell] - low) as usize,
                Source::Pair { left, right, width } => states[left] as usize * width + states[right] as usize,
            };
            states[index] = table.entries[place];
            if states[index] == PRUNED {
                return false;
            }
        }
        true
    }
}
