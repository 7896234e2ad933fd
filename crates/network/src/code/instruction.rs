//! The instructions of the machine.
//!
//! One accumulator, one operand stack; binary operators take their left side from the stack (or the accumulator, when the right side
//! is a constant or a cell) and leave the result in the accumulator. An instruction is one 8-byte word: what does not fit stands in a side
//! table of the [`Program`](super::Program). The instructions with two operands hold a 16-bit address; cells beyond
//! that are reached by the general forms.

use super::{Arithmetic, Comparison, Subject};

/// One instruction word. `acc` is the accumulator, `[a]` the cell at address `a`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Instruction {
    /// End of the code; the accumulator is its value.
    Halt,
    /// `acc := c`
    Const(i32),
    /// `acc := [a]`
    Load(u32),
    /// Push `acc`.
    Push,
    /// `acc := pop`
    Pop,
    /// `acc := pop ∘ acc`
    Arith(Arithmetic),
    /// `acc := acc ∘ c`
    ArithConst(Arithmetic, i32),
    /// `acc := acc ∘ [a]`
    ArithCell(Arithmetic, u32),
    /// `acc := acc + c`; like the two below a common case of the above, saved one dispatch.
    AddConst(i32),
    /// `acc := acc + [a]`
    AddCell(u32),
    /// `acc := acc - [a]`
    SubCell(u32),
    /// `acc := pop ⋈ acc`
    Compare(Comparison),
    /// `acc := acc ⋈ c`
    CompareConst(Comparison, i32),
    /// `acc := acc == c`; like the two below a common case of the above.
    EqConst(i32),
    /// `acc := acc < c`
    LtConst(i32),
    /// `acc := acc > c`
    GtConst(i32),
    /// `acc := acc ⋈ [a]`
    CompareCell(Comparison, u32),
    /// `acc := [a] == c`
    CellEq(u16, i32),
    /// `acc := [a] != c`
    CellNe(u16, i32),
    /// `acc := [a] < c`
    CellLt(u16, i32),
    /// `acc := [a] > c`
    CellGt(u16, i32),
    /// `acc := -acc`
    Negate,
    /// `acc := |acc|`
    Abs,
    /// `acc := acc == 0`
    Not,
    /// `acc := acc != 0`
    Truth,
    /// Go on there.
    Jump(u32),
    /// Go on there, backwards; counts towards the step limit.
    Loop(u32),
    /// Go on there when `acc` is zero.
    JumpIfZero(u32),
    /// Go on there when `acc` is not zero.
    JumpIfNot(u32),
    /// `[a] := acc`, known to be in range.
    Store(u32),
    /// `[a] := c`, known to be in range.
    SetCell(u16, i32),
    /// Store `acc` to the cell of a [`RangeCheck`].
    StoreChecked(u32),
    /// Add to the cell of a [`RangeCheck`]; `acc` is the new value.
    AddTo(u16, i32),
    /// Fail unless `acc` passes a [`RangeCheck`].
    Check(u32),
    /// `acc := (acc - low) * stride` of an [`Access`]; fails outside.
    Index(u32),
    /// `acc := [base + acc]` of an [`Access`].
    LoadAt(u32),
    /// `Index` and `LoadAt` in one.
    LoadElement(u32),
    /// `[base + pop] := acc` of an [`Access`]; fails when out of range.
    StoreAt(u32),
    /// `acc := base + acc` of an [`Access`]: an address is taken.
    Address(u32),
    /// Copy cells from address `acc` to address `pop`, by a [`CopyPlan`].
    Copy(u32),
    /// `acc := whether n cells at address pop and at address acc are equal`
    Equal(u32),
    /// Call the function at that instruction.
    Call(u32),
    /// Back to the caller.
    Return,
    /// Fail when `acc` is zero.
    Assert,
    /// Set a clock to a constant.
    ResetClock(u16, i32),
    /// Set the clock to `acc`.
    SetClock(u32),
    /// Set the clock numbered `pop` to `acc`.
    SetClockAt,
    /// Set the clock numbered by the lower of two stack entries to the one numbered by the upper plus `acc`.
    CopyClock,
    /// The transition pays `acc`; fails when that is negative.
    Pay,
    /// Fail with a fault of the table: known when compiling, in code that may never run.
    Fail(u32),
}

/// A range that a value must lie in, and the cell it is meant for.
#[derive(Clone, Debug)]
pub(crate) struct RangeCheck {
    pub(crate) address: u32,
    pub(crate) min: i32,
    pub(crate) max: i32,
    pub(crate) subject: Subject,
}

/// An access to a cell whose address is computed.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// Where the object begins; 0 when the computed part is a whole address.
    pub(crate) base: u32,
    /// First index, number of elements, cells per element.
    pub(crate) low: i32,
    pub(crate) count: u32,
    pub(crate) stride: u32,
    /// The cells that can be meant, as start and length; `None` through references (which say it where they are made).
    pub(crate) extent: Option<(u32, u32)>,
    /// Range of a value that may be stored.
    pub(crate) min: i32,
    pub(crate) max: i32,
    /// What is done to the cells, for static analysis of taken addresses.
    pub(crate) mode: Mode,
    /// What a value is stored to, when it is not a variable of the state.
    pub(crate) subject: Subject,
}

/// What may be done through an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Only read.
    Read,
    /// Only written.
    Write,
    /// Both.
    Both,
}

impl Mode {
    /// Whether cells may be read.
    pub fn reads(self) -> bool {
        self != Mode::Write
    }

    /// Whether cells may be written.
    pub fn writes(self) -> bool {
        self != Mode::Read
    }
}

/// How an array or struct is copied.
#[derive(Clone, Debug)]
pub struct CopyPlan {
    pub(crate) length: u32,
    /// Range of each cell of the target; empty when source and target have the same ranges.
    pub(crate) ranges: Vec<(i32, i32)>,
    pub(crate) subject: Subject,
}

/// A compiled function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionEntry {
    /// Its first instruction.
    pub(crate) entry: u32,
    /// The operand stack it needs, calls included.
    pub(crate) stack: u32,
    /// The most loop iterations and calls that it takes.
    pub(crate) steps: u64,
}

const _: () = assert!(size_of::<Instruction>() <= 8, "instructions are one word");
