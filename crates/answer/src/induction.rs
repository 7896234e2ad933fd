//! Sets of states that contain all that can be reached, made for being checked by somebody else.

use crate::{Progress, StopReason};
use guidepost_network::EvalError;

/// A bound on a difference of clocks: the clocks, the constant, and whether it is excluded.
pub type ClockBound = (u32, u32, i32, bool);

/// Who hears of the states of a set: locations and values, what a zone demands of clocks, and its rank.
pub type VisitStates<'v> = dyn FnMut(&[i32], &[ClockBound], u32) + 'v;

/// A set of states that contains the initial state, and with every state all of its successors.
///
/// For questions about what happens on every run, there are also states with a *rank*: those from which something has to happen and has not yet. Transitions that do not make it happen
/// lead to states of a smaller rank. All others have rank 0.
pub trait InductiveSet {
    /// Visits its states.
    fn visit(&mut self, visit: &mut VisitStates<'_>);
}

/// How an engine's attempt to make such a set without a goal ended.
pub enum Induction<'n> {
    /// There is one.
    Closed(Box<dyn InductiveSet + 'n>),
    /// A goal was reached; or, if something has to happen, a run on which it does not.
    Reached,
    /// A limit was.
    Stopped(StopReason),
    /// An expression of the model failed.
    Failed(EvalError),
}

/// An attempt to make such a set, to be continued in turns.
pub trait Inducing<'n> {
    /// Continues until it is over, or has come to so much effort in all; `None` if it is not over. Others use so many bytes, which count against its limits. Not to be called when it is over.
    fn advance(
        &mut self,
        effort: u64,
        beside: usize,
        observe: &mut (dyn FnMut(&Progress) + Send),
    ) -> Option<Induction<'n>>;

    /// Memory in use.
    fn bytes(&self) -> usize;
}
