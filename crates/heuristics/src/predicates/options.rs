//! What can be said about `pa`: `pa(b=3)`, `pa(predicates=ar,rounds=4)`, `pa(sum)`.

use crate::arguments::SpecError;
use guidepost_answer::Arguments;
use std::fmt;
use std::str::FromStr;

/// Where predicates come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Selection {
    /// From guards, invariants and locations.
    Syntax,
    /// From spurious paths in abstractions that begin with the goal's predicates.
    Refinement,
}

impl FromStr for Selection {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "syn" => Ok(Selection::Syntax),
            "ar" => Ok(Selection::Refinement),
            _ => Err(()),
        }
    }
}

/// The options of predicate abstraction databases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PredicateOptions {
    /// How many processes a part has at most.
    pub bound: u32,
    /// Where predicates come from.
    pub selection: Selection,
    /// How many rounds of refinement there are at most.
    pub rounds: u32,
    /// Whether every part counts all of its transitions, also those that others count: no longer admissible.
    pub sum: bool,
}

impl PredicateOptions {
    /// What counts when nothing is said.
    pub const DEFAULT: Self = Self { bound: 2, selection: Selection::Syntax, rounds: 4, sum: false };

    pub(crate) fn read(arguments: &mut Arguments) -> Result<Self, SpecError> {
        let mut options = Self::DEFAULT;
        if let Some(bound) = arguments.option("b")? {
            if bound == 0 {
                return Err(SpecError::Argument(
                    "a part of no process is none: `b` is at least 1".to_owned(),
                ));
            }
            options.bound = bound;
        }
        if let Some(selection) = arguments.option("predicates")? {
            options.selection = selection;
        }
        if let Some(rounds) = arguments.option("rounds")? {
            if options.selection != Selection::Refinement {
                return Err(SpecError::Argument(
                    "`rounds` counts refinements: `pa(predicates=ar,rounds=4)`".to_owned(),
                ));
            }
            options.rounds = rounds;
        }
        for word in arguments.words() {
            match word.as_str() {
                "sum" => options.sum = true,
                other => return Err(SpecError::Argument(format!("`pa` does not know `{other}`"))),
            }
        }
        Ok(options)
    }
}

impl fmt::Display for PredicateOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.bound != Self::DEFAULT.bound {
            parts.push(format!("b={}", self.bound));
        }
        if self.selection == Selection::Refinement {
            parts.push("predicates=ar".to_owned());
        }
        if self.rounds != Self::DEFAULT.rounds {
            parts.push(format!("rounds={}", self.rounds));
        }
        if self.sum {
            parts.push("sum".to_owned());
        }
        if parts.is_empty() { Ok(()) } else { write!(f, "({})", parts.join(",")) }
    }
}
