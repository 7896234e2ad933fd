//! Sets of states that contain all that can be reached, made for being checked by somebody else.

use crate::StopReason;
use guidepost_network::EvalError;

/// A bound on a difference of clocks: the clocks, the constant, and whether it is excluded.
pub type ClockBound = (u32, u32, i32, bool);

/// A set of states that contains the initial state, and with every state all of its successors.
pub trait InductiveSet {
    /// Visits its states: locations and values, and what a zone demands of clocks.
    fn visit(&mut self, visit: &mut dyn FnMut(&[i32], &[ClockBound]));
}

/// How an engine's attempt to make such a set without a goal ended.
pub enum Induction<'n> {
    /// There is one.
    Closed(Box<dyn InductiveSet + 'n>),
    /// A goal was reached.
    Reached,
    /// A limit was.
    Stopped(StopReason),
    /// An expression of the model failed.
    Failed(EvalError),
}
