//! What a check of machines finds, whatever the format and the method.

use std::fmt;

/// What is wrong with a state, a transition, an event or an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A state that no sequence of events activates.
    UnreachableState,
    /// A transition that no sequence of events takes.
    DeadTransition,
    /// Two transitions of one state that an event enables together, where nothing says which goes first.
    Conflict,
    /// An output that no reachable step generates.
    DeadOutput,
    /// An event that no transition waits for.
    UnusedEvent,
    /// A reachable state that, or one part of which, no event changes any more.
    Deadlock,
    /// Transitions that follow each other for ever without waiting for an event.
    Endless,
}

impl Kind {
    /// The name of the kind in every format.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UnreachableState => "unreachable-state",
            Self::DeadTransition => "dead-transition",
            Self::Conflict => "conflict",
            Self::DeadOutput => "dead-output",
            Self::UnusedEvent => "unused-event",
            Self::Deadlock => "deadlock",
            Self::Endless => "endless-step",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that is wrong, and why one may believe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub kind: Kind,
    /// The state by its name, or the transition as `source --event--> target`.
    pub place: String,
    /// A shortest sequence of events that shows it, where events can.
    pub evidence: Option<Vec<String>>,
    /// Whether it is so in every reading of what the machine leaves open.
    pub certain: bool,
    /// The machines (or regions) that the proof needed, where nothing can be shown by events.
    pub because: Vec<String>,
}
