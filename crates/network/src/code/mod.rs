//! Compiled expressions, conditions, updates and functions.
//!
//! Model checking evaluates the same few guards and updates millions of times per second, so they are compiled once, with every
//! name an address and every constant folded, into a bytecode that runs without allocating. All data lives in **one** array of
//! `i32`:
//!
//! ```text
//! [ one cell per process: the LocationId it is in | one cell per variable | constant arrays and structs, function frames ]
//!   0 ..= processes-1                               processes ..            state_size() ..
//! ```
//!
//! so a reference parameter is a plain address, code can ask where a process is, and an engine's discrete state is exactly the
//! prefix of the array. Functions cannot recurse in this language, so every function has one fixed frame and the depth of the operand
//! stack is known when the code is made.
//!
//! The way of an expression: typed expression → `Term` (resolved, folded; built by `build::lower`) → instructions
//! (`emit`) → [`Machine`]. An accumulator machine was chosen over a register machine because most guards are one comparison
//! and most updates one assignment: with fused instructions those are a single dispatch, and the compiler stays small.

pub(crate) mod emit;
mod fault;
mod footprint;
pub(crate) mod instruction;
pub(crate) mod interval;
mod machine;
mod operator;
mod shape;
pub(crate) mod term;
mod weaken;

pub use fault::{EvalError, Fault, Subject};
pub use footprint::Footprint;
pub use machine::{Machine, STEP_LIMIT};
pub(crate) use operator::Arithmetic;
pub use operator::Comparison;
pub use shape::Shape;
pub use weaken::{Hiding, Step, Weakened};

use guidepost_language::source::Span;
use instruction::{Access, CopyPlan, FunctionEntry, Instruction, RangeCheck};
use term::Term;

/// An entry point into the [`Program`] of a network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(pub u32);

/// Clock bounds and clock values must be smaller than this in absolute value, so that zone engines can double them and add a few of them.
pub const CLOCK_LIMIT: i32 = 1 << 27;

/// All compiled code of a network.
///
/// The program is data: run it with a [`Machine`], look into it with [`shape`](Program::shape),
/// [`shapes`](Program::shapes) and [`footprint`](Program::footprint).
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) instructions: Vec<Instruction>,
    /// Where the instructions that can fail come from, by ascending instruction index.
    pub(crate) spans: Vec<(u32, Span)>,
    pub(crate) checks: Vec<RangeCheck>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) copies: Vec<CopyPlan>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) functions: Vec<FunctionEntry>,
    /// What each function was compiled from.
    pub(crate) units: Vec<term::Unit>,
    /// What each code was compiled from, by ascending entry point.
    pub(crate) listing: Vec<(u32, Vec<Term>)>,
    /// Ranges of the variables, for stores through references.
    pub(crate) bounds: Vec<(i32, i32)>,
    pub(crate) processes: u32,
    pub(crate) variables: u32,
    /// What memory holds behind the state at first: constants, and zeros for frames.
    pub(crate) scratch: Vec<i32>,
    /// Deepest operand stack of any code.
    pub(crate) stack: u32,
}

impl Program {
    /// A program without code for a state of the given shape.
    pub(crate) fn new(processes: u32, bounds: Vec<(i32, i32)>, constants: &[i32]) -> Self {
        Self {
            processes,
            variables: bounds.len() as u32,
            bounds,
            scratch: constants.to_vec(),
            ..Self::default()
        }
    }

    /// Cells of the state: one per process, then one per variable.
    #[inline]
    pub fn state_size(&self) -> usize {
        (self.processes + self.variables) as usize
    }

    /// Cells of the state that hold locations.
    #[inline]
    pub fn location_cells(&self) -> usize {
        self.processes as usize
    }

    /// How many instructions there are.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether there is no code at all.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Reserves cells behind the state, with the given contents, and returns their address.
    pub(crate) fn allocate(&mut self, cells: impl IntoIterator<Item = i32>) -> u32 {
        let address = self.state_size() + self.scratch.len();
        self.scratch.extend(cells);
        address as u32
    }

    /// Whether some evaluation might fail: leave a range, divide by zero, overflow.
    pub fn can_fail(&self) -> bool {
        !self.spans.is_empty()
    }

    /// What a code was compiled from: one term for a value, the steps of an update in order.
    pub(crate) fn terms(&self, code: Code) -> &[Term] {
        let at = self.listing.binary_search_by_key(&code.0, |(entry, _)| *entry);
        at.map_or(&[], |at| &self.listing[at].1)
    }

    /// Where the instruction comes from.
    pub(crate) fn span_at(&self, instruction: usize) -> Span {
        let after = self.spans.partition_point(|&(at, _)| at as usize <= instruction);
        after.checked_sub(1).map_or_else(Span::default, |last| self.spans[last].1)
    }
}
