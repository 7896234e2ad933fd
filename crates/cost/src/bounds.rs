//! Lower bounds of what is still to be paid, by name.

use std::str::FromStr;

/// Where lower bounds of what is still to be paid come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LowerBounds {
    /// All that can be read off the model at little effort: each state gets the best of them.
    #[default]
    Model,
    /// Each process for itself.
    Processes,
    /// Processes, and those that exclude each other by locks.
    Locks,
    /// Processes, and two that cannot do without each other.
    Pairs,
    /// Processes, and what they need from each other.
    Layers,
    /// All of the model, and its own variable `remaining`, which is trusted.
    User,
    /// There are none.
    None,
}

/// A kind of lower bounds, with what to know about it.
#[derive(Clone, Copy, Debug)]
pub struct BoundsEntry {
    /// Which it is.
    pub bounds: LowerBounds,
    /// What it is called.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// What it measures, and how bounds of several processes come together.
    pub measures: &'static str,
}

impl LowerBounds {
    /// Every kind there is.
    pub const ALL: &[BoundsEntry] = &[
        BoundsEntry {
            bounds: LowerBounds::Model,
            name: "model",
            summary: "`process`, `locks` and `pairs`: the best for each state",
            measures: "cost: processes and pairs add up; time: the largest of processes and locks",
        },
        BoundsEntry {
            bounds: LowerBounds::Processes,
            name: "process",
            summary: "the cheapest way of each process to its goal location through its own graph",
            measures: "cost: what the processes pay adds up; time: the longest way counts",
        },
        BoundsEntry {
            bounds: LowerBounds::Locks,
            name: "locks",
            summary: "`process`, and all users of each lock one after the other, as on one machine with interruptions",
            measures: "time: the largest counts; cost as `process`",
        },
        BoundsEntry {
            bounds: LowerBounds::Pairs,
            name: "pairs",
            summary: "`process`, and databases of two processes, one of which cannot move without the other",
            measures: "cost: disjoint pairs and all other processes add up; time as `process`",
        },
        BoundsEntry {
            bounds: LowerBounds::Layers,
            name: "layers",
            summary: "`process`, and relaxed layers with costs: what was true once stays true, and the dearest condition counts",
            measures: "cost and time: the larger one counts",
        },
        BoundsEntry {
            bounds: LowerBounds::User,
            name: "user",
            summary: "`model`, and the model's own variable `remaining`, which is trusted",
            measures: "cost: the larger one counts",
        },
        BoundsEntry {
            bounds: LowerBounds::None,
            name: "none",
            summary: "nothing is known of what is to come",
            measures: "cost and time: 0",
        },
    ];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|entry| entry.bounds == self).map_or("", |entry| entry.name)
    }

    pub(crate) fn has_locks(self) -> bool {
        matches!(self, LowerBounds::Model | LowerBounds::User | LowerBounds::Locks)
    }

    pub(crate) fn has_pairs(self) -> bool {
        matches!(self, LowerBounds::Model | LowerBounds::User | LowerBounds::Pairs)
    }

    pub(crate) fn has_layers(self) -> bool {
        self == LowerBounds::Layers
    }
}

impl FromStr for LowerBounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|entry| entry.name == text);
        let names = || Self::ALL.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
        found.map(|entry| entry.bounds).ok_or_else(|| format!("not one of {}", names()))
    }
}
