//! Code that is added later, made from parts of what is there: abstractions weaken conditions and shorten updates.
//!
//! This is the only way to make code from outside. Terms cannot be made up there, and those of another network or segment are found out here.

use super::emit::Emitter;
use super::term::{Base, Place, Term};
use super::{Code, Memory, Program, Segment};

impl Program {
    /// Adds a condition, made from terms of this program.
    ///
    /// # Panics
    /// When the term comes from elsewhere.
    pub fn add_condition(&mut self, term: &Term) -> Code {
        self.segment.assert_fitting(&self.memory, term);
        Emitter::new(self).code(term)
    }

    /// Adds an update of steps, which are taken from updates of this program.
    ///
    /// # Panics
    /// When a term comes from elsewhere.
    pub fn add_update(&mut self, terms: &[Term]) -> Code {
        for term in terms {
            self.segment.assert_fitting(&self.memory, term);
        }
        Emitter::new(self).update(terms)
    }
}

impl Segment {
    /// Adds a condition, made from terms of this segment, to a query about the network of the program.
    ///
    /// # Panics
    /// When the term comes from elsewhere.
    pub fn add_condition(&mut self, program: &Program, term: &Term) -> Code {
        self.assert_fitting(&program.memory, term);
        Emitter::into_segment(self, &program.memory).code(term)
    }

    fn assert_fitting(&self, memory: &Memory, term: &Term) {
        assert!(self.fits(memory, term), "terms stay in the segment they come from");
        term.for_each_part(|part| self.assert_fitting(memory, part));
    }

    /// Whether the cells and functions that a term mentions, its parts aside, are there.
    fn fits(&self, memory: &Memory, term: &Term) -> bool {
        let size = (memory.size() + self.cells.len()) as u32;
        let there = |place: &Place| match place.base {
            Base::Fixed(base) => {
                place.extent.map_or(base + place.offset < size, |(at, length)| at + length <= size)
            }
            Base::Indirect(cell) => cell < size,
        };
        match term {
            Term::Location(process) => *process < memory.processes,
            Term::Load(place) | Term::Address(place, _) => there(place),
            Term::Assign(assignment) => there(&assignment.place),
            Term::Quantified(quantified) => quantified.cell < size,
            Term::Call(call) => call.function < self.functions.len(),
            _ => true,
        }
    }
}
