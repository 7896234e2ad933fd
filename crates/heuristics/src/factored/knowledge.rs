//! What remains of a step's update when some cells are left out.
//!
//! A value computed from a cell that is left out is *lost*, and so is what is computed from that. Lost cells may have any value afterwards; the other statements
//! can be executed.

use super::cells::Cells;
use super::part::Statement;

/// An update without what depends on cells that are left out.
#[derive(Debug, Default)]
pub(crate) struct Known<'s> {
    /// The statements that can be executed, in order. Some may write cells that are lost later; these results do not count.
    pub(crate) statements: Vec<&'s Statement>,
    /// The cells that may have any value afterwards, in ascending order.
    pub(crate) lost: Vec<usize>,
}

impl<'s> Known<'s> {
    pub(crate) fn of(statements: impl Iterator<Item = &'s Statement>, cells: &Cells) -> Self {
        let mut known = Self::default();
        for statement in statements {
            known.add(statement, cells);
        }
        known.lost.sort_unstable();
        known
    }

    fn is_known(&self, cell: usize, cells: &Cells) -> bool {
        !cells.is_left_out(cell) && !self.lost.contains(&cell)
    }

    fn add(&mut self, statement: &'s Statement, cells: &Cells) {
        match statement {
            Statement::Set { target, .. } => {
                if !cells.is_left_out(*target) {
                    self.lost.retain(|cell| cell != target);
                    self.statements.push(statement);
                }
            }
            Statement::Copy { target, source } => {
                if cells.is_left_out(*target) {
                    return;
                }
                if self.is_known(*source, cells) {
                    self.lost.retain(|cell| cell != target);
                    self.statements.push(statement);
                } else {
                    self.lose(*target, cells);
                }
            }
            Statement::Add { target, .. } => {
                if self.is_known(*target, cells) {
                    self.statements.push(statement);
                }
            }
            Statement::Run { reads, writes, .. } => {
                if reads.iter().all(|&cell| self.is_known(cell, cells)) {
                    self.statements.push(statement);
                } else {
                    for &cell in writes {
                        self.lose(cell, cells);
                    }
                }
            }
            Statement::Lose { target } => self.lose(*target, cells),
        }
    }

    fn lose(&mut self, cell: usize, cells: &Cells) {
        if self.is_known(cell, cells) {
            self.lost.push(cell);
        }
    }
}
