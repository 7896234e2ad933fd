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

mod addition;
mod codes;
pub(crate) mod emit;
mod exposure;
mod failing;
mod fault;
mod footprint;
pub(crate) mod instruction;
pub(crate) mod interval;
mod machine;
mod operator;
mod ranges;
mod segment;
mod shape;
pub mod term;

pub use codes::{Codes, Listing};
pub use exposure::Exposure;
pub use fault::{EvalError, Fault, Subject};
pub use footprint::Footprint;
pub use instruction::{CopyPlan, Mode};
pub use machine::{Machine, STEP_LIMIT};
pub use operator::{Arithmetic, Comparison};
pub use ranges::{Range, RangeMachine, TooMuch};
pub(crate) use segment::Memory;
pub use segment::Segment;
pub use shape::Shape;
pub use term::Term;

use crate::network::VarId;

/// An entry point into the [`Program`] of a network, or into the [`Segment`] of a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(u32);

/// Clock bounds and clock values must be smaller than this in absolute value, so that zone engines can double them and add a few of them.
pub const CLOCK_LIMIT: i32 = 1 << 27;

/// The code of a network, and the memory it works on.
///
/// The program is data: run it with a [`Machine`], look into it with [`Codes`].
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) segment: Segment,
    pub(crate) memory: Memory,
}

impl Program {
    /// A program without code for a state of the given shape.
    pub(crate) fn new(processes: u32, bounds: Vec<(i32, i32)>, constants: &[i32]) -> Self {
        let (variables, scratch) = (bounds.len() as u32, constants.to_vec());
        Self { segment: Segment::default(), memory: Memory { processes, variables, bounds, scratch } }
    }

    /// Cells of the state: one per process, then one per variable.
    #[inline]
    pub fn state_size(&self) -> usize {
        self.memory.state_size()
    }

    /// Cells of the state that hold locations.
    #[inline]
    pub fn location_cells(&self) -> usize {
        self.memory.processes as usize
    }

    /// How many instructions there are.
    pub fn len(&self) -> usize {
        self.segment.instructions.len()
    }

    /// Whether there is no code at all.
    pub fn is_empty(&self) -> bool {
        self.segment.is_empty()
    }

    /// Whether some evaluation might fail: leave a range, divide by zero, overflow.
    pub fn can_fail(&self) -> bool {
        self.segment.can_fail()
    }

    /// Whether some code pays: `cost += e`.
    pub fn pays(&self) -> bool {
        self.segment.instructions.contains(&instruction::Instruction::Pay)
    }

    /// A look into the network's code.
    pub fn codes(&self) -> Codes<'_> {
        Codes::new(self, &self.segment)
    }

    /// The shape of a condition; see [`Codes::shape`].
    pub fn shape(&self, code: Code) -> Shape {
        self.codes().shape(code)
    }

    /// The steps of an update, when each is simple; see [`Codes::shapes`].
    pub fn shapes(&self, code: Code) -> Option<Vec<Shape>> {
        self.codes().shapes(code)
    }

    /// What a code may touch.
    pub fn footprint(&self, code: Code) -> Footprint {
        self.codes().footprint(code)
    }

    /// Variables a code may read.
    pub fn reads(&self, code: Code) -> Vec<VarId> {
        self.footprint(code).reads
    }

    /// Variables a code may write.
    pub fn writes(&self, code: Code) -> Vec<VarId> {
        self.footprint(code).writes
    }
}
