//! How runs of a translated model are told.
//!
//! A model may come from a language of another kind. Its processes, variables and edges then have names that the author never wrote, and runs that
//! speak of them are hard to follow. The translation knows better words; it hands them along here. Whatever is missing is told in the model's own names, so
//! models that somebody wrote in this language need nothing of this.

use super::Name;
use std::collections::{HashMap, HashSet};

/// The author's words for parts of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wording {
    /// Processes, global variables and clocks, by their names in the model.
    pub names: HashMap<Name, String>,
    /// What the values of a global variable are called, from 0 on.
    pub values: HashMap<Name, Vec<Name>>,
    /// Where a process is, by template and location. An empty text: there is nothing to tell.
    pub locations: HashMap<(usize, usize), String>,
    /// What a process does, by template and edge.
    pub edges: HashMap<(usize, usize), String>,
    /// Channels that hold the parts of one of the author's steps together.
    pub silent: HashSet<Name>,
    /// Variables and clocks that the author does not think of as parts of the state.
    pub asides: HashMap<Name, Aside>,
    /// The author's own automata, by template. Processes of other templates are not automata to the author.
    pub portraits: HashMap<usize, Portrait>,
    /// Edges that are parts of a cycle, which is one step to the author, by template and edge.
    pub phases: HashMap<(usize, usize), Phase>,
    /// Edges by which a process is kept where it is, by template and edge.
    pub delays: HashSet<(usize, usize)>,
}

/// How far a variable or clock concerns the author.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aside {
    /// What a controller has polled: a part of what it does in a cycle.
    Seen,
    /// A device of the translation.
    Inner,
}

/// What an edge does to a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It begins here.
    Begins,
    /// It goes on.
    Continues,
    /// It ends here.
    Ends,
}

/// An automaton as its author wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Portrait {
    /// Its locations, each with what else is said of it, line by line.
    pub locations: Vec<(Name, Vec<String>)>,
    /// The location where it begins.
    pub initial: usize,
    /// Where its edges lead from and to, and under which conditions, line by line.
    pub edges: Vec<(usize, usize, Vec<String>)>,
    /// For each location of the template, the one here.
    pub places: Vec<usize>,
    /// For each edge of the template, the one here that it completes.
    pub taken: Vec<Option<usize>>,
}

impl Wording {
    /// The author's name of a process, variable or clock.
    pub fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.names.get(name).map_or(name, String::as_str)
    }

    /// The name of a value of a variable, if it has one.
    pub fn value(&self, variable: &str, value: i32) -> Option<&str> {
        let names = self.values.get(variable)?;
        names.get(usize::try_from(value).ok()?).map(|name| &**name)
    }

    /// Where a process of a template is in a location, if there are words for it.
    pub fn location(&self, template: usize, location: usize) -> Option<&str> {
        self.locations.get(&(template, location)).map(String::as_str)
    }

    /// Whether the author's steps are others than those of the model.
    pub fn has_cycles(&self) -> bool {
        !self.phases.is_empty()
    }

    /// What a process of a template does that takes an edge, if there are words for it.
    pub fn edge(&self, template: usize, edge: usize) -> Option<&str> {
        self.edges.get(&(template, edge)).map(String::as_str)
    }
}
