//! Tables of measurements: every model under every configuration, each run in a process of its own.
//!
//! A process of its own means that a run cannot profit from, or suffer by, what ran before it in the same memory, that its memory is its own, and that it can be ended. Where
//! chance decides, a pair is run with several seeds and the median counts. [`Table`] reads what is to be done, [`Plan`] binds it to files, [`Runner`] does
//! it, [`Cell`] sums up the runs of a pair, and [`Results`] makes CSV, Markdown and one HTML page of the cells.
#![forbid(unsafe_code)]

mod cell;
mod csv;
mod html;
mod markdown;
mod number;
mod plan;
mod run;
mod table;

pub use cell::{Cell, Status};
pub use plan::{Pair, Plan, Skipped};
pub use run::{Measured, Outcome, Run, Runner};
pub use table::{Configuration, Published, Seeds, Table, TableError, Task};

/// What is known of a bench, done or not.
#[derive(Clone, Debug)]
pub struct Results<'t> {
    /// What was to be done.
    pub table: &'t Table,
    /// The pairs that were run, in the order of the table.
    pub cells: Vec<Cell<'t>>,
    /// Tasks that could not be run, and why.
    pub skipped: Vec<Skipped>,
    /// How many pairs there are in all.
    pub planned: usize,
}

impl Results<'_> {
    /// One line per pair.
    pub fn csv(&self) -> String {
        csv::table(self)
    }

    /// Tables for people who read text.
    pub fn markdown(&self) -> String {
        markdown::page(self)
    }

    /// One page that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }
}

/// The first line of a list of single runs.
pub fn runs_heading() -> String {
    csv::runs_heading()
}

/// One line of a list of single runs.
pub fn runs_line(pair: &Pair<'_>, run: &Run) -> String {
    csv::runs_line(pair, run)
}
