//! Segments: pieces of code, each with all that its instructions refer to.
//!
//! The code of a network is one segment. Queries come later, and the network does not change any more by then: a query compiles into
//! a small segment of its own, which its goals carry with them. A segment is closed: its jumps stay inside, and the functions it calls are its own
//! (compiled again where the network has them as well). What segments share is the [`Memory`]: a query's
//! segment may have cells of its own, which lie behind those of the network.
//!
//! A [`Code`] says whether it belongs to the network or to a query, and the segments of different queries begin at different numbers, so that
//! code that meets the wrong segment is found out at once.

use super::instruction::{Access, CopyPlan, FunctionEntry, Instruction, RangeCheck};
use super::term::{Term, Unit};
use super::{Code, Fault, STEP_LIMIT};
use guidepost_language::source::Span;

/// Codes from here on belong to queries.
const QUERIES: u32 = 1 << 31;

/// What the instructions of all segments work on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) processes: u32,
    pub(crate) variables: u32,
    /// Ranges of the variables, for stores through references.
    pub(crate) bounds: Vec<(i32, i32)>,
    /// What memory holds behind the state at first: constants, and zeros for frames.
    pub(crate) scratch: Vec<i32>,
}

impl Memory {
    /// Cells of the state.
    #[inline]
    pub(crate) fn state_size(&self) -> usize {
        (self.processes + self.variables) as usize
    }

    /// Cells in all.
    pub(crate) fn size(&self) -> usize {
        self.state_size() + self.scratch.len()
    }

    /// Reserves cells behind the state, with the given contents, and returns their address.
    pub(crate) fn allocate(&mut self, cells: impl IntoIterator<Item = i32>) -> u32 {
        let address = self.size();
        self.scratch.extend(cells);
        address as u32
    }
}

/// A piece of code with the tables that its instructions refer to. It can be passed around and looked into (see [`Codes`](super::Codes)),
/// but not made or changed from outside, except by [adding](super::Segment::add_condition) what is made from terms of its own.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// The code at its first instruction.
    first: u32,
    pub(crate) instructions: Vec<Instruction>,
    /// Where the instructions that can fail come from, by ascending instruction index.
    pub(crate) spans: Vec<(u32, Span)>,
    pub(crate) checks: Vec<RangeCheck>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) copies: Vec<CopyPlan>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) functions: Vec<FunctionEntry>,
    /// What each function was compiled from.
    pub(crate) units: Vec<Unit>,
    /// What each code was compiled from, by ascending entry point.
    pub(crate) listing: Vec<(u32, Vec<Term>)>,
    /// Deepest operand stack of any code.
    pub(crate) stack: u32,
    /// The most loop iterations and calls that any code takes.
    pub(crate) steps: u64,
    /// Where its own cells lie in memory; those of the network's segment are part of [`Memory`].
    pub(crate) base: u32,
    /// What its own cells hold at first.
    pub(crate) cells: Vec<i32>,
}

impl Code {
    /// Whether it belongs to a query, rather than to the network.
    #[inline]
    pub fn is_of_query(self) -> bool {
        self.0 >= QUERIES
    }
}

impl Segment {
    /// An empty segment for a query with this text, over the memory of a finished network.
    pub(crate) fn for_query(text: &str, memory: &Memory) -> Self {
        // Any number does; different ones for different queries tell their codes apart.
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let place = text.bytes().fold(0x811c_9dc5, mix) % (1 << 30);
        Self { first: QUERIES + place, base: memory.size() as u32, ..Self::default() }
    }

    /// Whether it has no code.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Whether some evaluation of its code might fail: leave a range, divide by zero, run too long.
    pub fn can_fail(&self) -> bool {
        let may_fail = |&(at, _): &(u32, Span)| self.may_fail(self.instructions[at as usize]);
        self.steps >= STEP_LIMIT.into() || self.spans.iter().any(may_fail)
    }

    /// Whether an instruction that has a place in the source can fail; many have one only to say where a result wraps around.
    fn may_fail(&self, instruction: Instruction) -> bool {
        match instruction {
            Instruction::Arith(op) | Instruction::ArithCell(op, _) => op.is_partial(),
            Instruction::ArithConst(op, value) => op.is_partial() && op.apply(1, value).is_err(),
            Instruction::Copy(plan) => !self.copies[plan as usize].ranges.is_empty(),
            Instruction::AddConst(_)
            | Instruction::AddCell(_)
            | Instruction::SubCell(_)
            | Instruction::Negate
            | Instruction::Abs
            | Instruction::Loop(_)
            | Instruction::Call(_) => false,
            _ => true,
        }
    }

    /// The code that begins at an instruction.
    pub(crate) fn code_at(&self, entry: u32) -> Code {
        Code(self.first + entry)
    }

    /// The instruction at which a code begins.
    ///
    /// That of another segment's code lies behind the last one, so that running it panics.
    #[inline]
    pub(crate) fn entry(&self, code: Code) -> usize {
        let entry = code.0.wrapping_sub(self.first) as usize;
        debug_assert!(entry < self.instructions.len(), "the code belongs to another segment");
        debug_assert!(
            self.listing.binary_search_by_key(&(entry as u32), |(entry, _)| *entry).is_ok(),
            "code begins where something was compiled"
        );
        entry
    }

    /// What a code was compiled from.
    pub(crate) fn terms(&self, code: Code) -> &[Term] {
        let entry = self.entry(code) as u32;
        let at = self.listing.binary_search_by_key(&entry, |(entry, _)| *entry);
        at.map_or(&[], |at| &self.listing[at].1)
    }

    /// Where the instruction comes from.
    pub(crate) fn span_at(&self, instruction: usize) -> Span {
        let after = self.spans.partition_point(|&(at, _)| at as usize <= instruction);
        after.checked_sub(1).map_or_else(Span::default, |last| self.spans[last].1)
    }
}
