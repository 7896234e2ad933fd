//! A look into code, without running it.

use super::term::Term;
use super::{Code, Footprint, Memory, Program, Segment};
use crate::build::clock_effects;
use crate::network::ClockEffect;

/// The code of a network, and perhaps of the goals of a query, to be looked into: [`shape`](Codes::shape) and [`shapes`](Codes::shapes) tell
/// simple conditions and updates, [`footprint`](Codes::footprint) what any code may touch, [`listing`](Codes::listing) what it was compiled from.
#[derive(Clone, Copy, Debug)]
pub struct Codes<'a> {
    pub(super) program: &'a Program,
    query: &'a Segment,
}

impl<'a> Codes<'a> {
    /// The code of a network and of one query.
    pub fn new(program: &'a Program, query: &'a Segment) -> Self {
        Self { program, query }
    }

    /// The segment that a code stands in.
    pub(super) fn segment_of(&self, code: Code) -> &'a Segment {
        if code.is_of_query() { self.query } else { &self.program.segment }
    }

    /// What a code was compiled from.
    pub fn listing(&self, code: Code) -> Listing<'a> {
        let segment = self.segment_of(code);
        Listing { segment, memory: &self.program.memory, terms: segment.terms(code) }
    }
}

/// What a code was compiled from.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    pub(super) segment: &'a Segment,
    pub(super) memory: &'a Memory,
    terms: &'a [Term],
}

impl<'a> Listing<'a> {
    /// One term for a value; the steps of an update in order.
    pub fn terms(&self) -> &'a [Term] {
        self.terms
    }

    /// What a term, which is part of this source (or made from such parts), may touch.
    pub fn footprint(&self, term: &Term) -> Footprint {
        term.footprint(self.segment, self.memory)
    }

    /// What a term, which is part of this source, may and will do to clocks.
    pub fn clock_effects(&self, term: &Term) -> Vec<ClockEffect> {
        clock_effects(std::slice::from_ref(term), &self.segment.units)
    }
}
