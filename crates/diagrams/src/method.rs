//! The ways to find out what is reachable.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How reachability is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Forwards from the start, with one relation for all machines.
    ForwardFull,
    /// Forwards from the start, event by event and machine by machine.
    Forward,
    /// Backwards from each goal, with all machines.
    BackwardFull,
    /// Backwards from each goal, with the machines that it depends on.
    BackwardClosed,
    /// Backwards from each goal, beginning with the machines it mentions and adding others while they are needed. Machines within machines count like machines beside each
    /// other.
    Compositional,
    /// Backwards from each goal within the lowest state around it, with all machines; what is known of that state is used again.
    Reusable,
    /// Both: only the machines that are needed, only as far up as is needed.
    #[default]
    ReusableCompositional,
}

/// How a sort of machines begins and grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    Everything,
    Closure,
    Stepwise,
}

impl Method {
    /// All of them, with their names.
    pub const ALL: [(Method, &'static str); 7] = [
        (Method::ForwardFull, "forward-full"),
        (Method::Forward, "forward"),
        (Method::BackwardFull, "backward-full"),
        (Method::BackwardClosed, "backward-closed"),
        (Method::Compositional, "compositional"),
        (Method::Reusable, "reusable"),
        (Method::ReusableCompositional, "reusable-compositional"),
    ];

    pub(crate) fn is_forward(self) -> bool {
        matches!(self, Method::ForwardFull | Method::Forward)
    }

    pub(crate) fn growth(self) -> Growth {
        match self {
            Method::BackwardClosed => Growth::Closure,
            Method::Compositional | Method::ReusableCompositional => Growth::Stepwise,
            _ => Growth::Everything,
        }
    }

    /// Whether states around a goal are used, or everything begins at the root.
    pub(crate) fn is_hierarchical(self) -> bool {
        matches!(self, Method::Reusable | Method::ReusableCompositional)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::ALL.iter().find(|(method, _)| method == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

/// A name that no method has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no method `{0}`; there are {names}", names = Method::ALL.map(|(_, name)| name).join(", "))]
pub struct UnknownMethod(pub String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMethod> {
        let named = Self::ALL.iter().find(|(_, name)| *name == text);
        named.map(|(method, _)| *method).ok_or_else(|| UnknownMethod(text.to_owned()))
    }
}
