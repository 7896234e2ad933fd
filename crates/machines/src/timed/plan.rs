//! What a network consists of, before anything in it has a name.

use crate::sem::Guard;

/// A network to be written.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The names of the machine's states, the whole machine first; places and guards number them.
    pub(crate) states: Vec<String>,
    /// The names of events.
    pub(crate) events: Vec<String>,
    /// The events that come from outside.
    pub(crate) offered: Vec<usize>,
    /// What the clocks are about: a state or an event.
    pub(crate) clocks: Vec<String>,
    /// The names of the machine's data.
    pub(crate) data: Vec<String>,
    pub(crate) parts: Vec<Part>,
}

/// One automaton.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) places: Vec<Place>,
    pub(crate) arrows: Vec<Arrow>,
    /// Where it may begin.
    pub(crate) starts: Vec<usize>,
    /// The states that are its own: each place says which of them are active.
    pub(crate) states: Vec<usize>,
}

/// A location.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The states that name it.
    pub(crate) words: Vec<String>,
    /// The active states, in ascending order.
    pub(crate) active: Vec<usize>,
    /// The values of the data.
    pub(crate) values: Vec<Value>,
    /// Clocks, and what they must not exceed here.
    pub(crate) limits: Vec<(usize, u64)>,
    /// Whether no time passes here.
    pub(crate) urgent: bool,
}

/// The value of a variable of the machine, as far as automata have such values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Other,
    Bool(bool),
    Integer(i32),
}

/// What an edge has to do with events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sync {
    /// It waits for one from outside.
    Hears(usize),
    /// The machine has made it itself: a timer, or what it sent to itself.
    Makes(usize),
}

/// When an edge can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Due {
    Always,
    Exactly(usize, u64),
    AtMost(usize, u64),
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) sync: Sync,
    /// A condition on states of other parts.
    pub(crate) guard: Guard,
    pub(crate) due: Due,
    /// Clocks that begin anew.
    pub(crate) restarts: Vec<usize>,
}
