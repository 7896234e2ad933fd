//! A look into code, without running it.

use super::interval::interval;
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

    /// The smallest and the largest value that a code can have.
    pub fn range(&self, code: Code) -> (i64, i64) {
        match self.listing(code).terms() {
            [term] => interval(term),
            _ => (i32::MIN.into(), i32::MAX.into()),
        }
    }

    /// What an update pays at least, whatever the state.
    pub fn least_price(&self, code: Code) -> i64 {
        let least = |term: &Term| match term {
            Term::Pay(price, _) => interval(price).0.max(0),
            _ => 0,
        };
        self.listing(code).terms().iter().map(least).sum()
    }

    /// What an update pays, when that is always the same.
    pub fn fixed_price(&self, code: Code) -> Option<i64> {
        let mut sum = 0;
        for term in self.listing(code).terms() {
            match term {
                Term::Pay(price, _) => sum += i64::from(price.as_const()?),
                Term::Assign(_) | Term::SetClock(..) | Term::CopyClock(..) | Term::Copy(_) => {}
                // Calls and conditionals may hide a price.
                _ => return None,
            }
        }
        Some(sum)
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
