//! How work on a question ends.

use crate::{ModelError, StopReason};

/// Whether a query holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Satisfied,
    /// It does not hold.
    NotSatisfied,
    /// Unknown; [`Outcome`] says why.
    Undecided,
}

/// How work on a question ends.
#[derive(Clone, Debug)]
pub enum Outcome<D> {
    /// It is done, with this result.
    Decided(D),
    /// A limit was reached, or somebody interrupted it.
    Stopped(StopReason),
    /// The model has an error, which was met on the way.
    Failed(Box<ModelError>),
}

impl<D> Outcome<D> {
    /// The result, if there is one.
    pub fn decision(&self) -> Option<&D> {
        match self {
            Outcome::Decided(decision) => Some(decision),
            _ => None,
        }
    }

    /// Whether there is a result.
    pub fn is_decided(&self) -> bool {
        matches!(self, Outcome::Decided(_))
    }

    /// The limit that was reached, if one was.
    pub fn stop_reason(&self) -> Option<StopReason> {
        match self {
            Outcome::Stopped(reason) => Some(*reason),
            _ => None,
        }
    }

    /// The error of the model, if it has one.
    pub fn model_error(&self) -> Option<&ModelError> {
        match self {
            Outcome::Failed(error) => Some(error),
            _ => None,
        }
    }
}
