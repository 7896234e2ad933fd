//! Compiled expressions and updates.

/// An entry point into the [`Program`](crate::Program) of a network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code(pub u32);

/// All compiled code of a network.
#[derive(Clone, Debug, Default)]
pub struct Program {}
