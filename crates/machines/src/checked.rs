//! The result of a check, whatever the format and the method.

use crate::{Finding, Stop};
use guidepost_language::source::Span;

/// A finding, and where it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// What was found.
    pub finding: Finding,
    /// Where, if the file has a place for it.
    pub span: Option<Span>,
}

/// Something that is not modelled exactly, and what is assumed instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What is assumed.
    pub message: String,
    /// Where, if it is about one place.
    pub span: Option<Span>,
}

/// What a check of a machine has found.
#[derive(Debug, Clone)]
pub struct Checked {
    /// How many states the machine has.
    pub states: usize,
    /// How many transitions.
    pub transitions: usize,
    /// What is wrong, in the order of the file.
    pub findings: Vec<Located>,
    /// What is not modelled exactly.
    pub notes: Vec<Note>,
    /// The limit that ended the check before everything was looked at.
    pub stop: Option<Stop>,
    /// How many combinations of states, data and pending events were looked at.
    pub explored: usize,
}
