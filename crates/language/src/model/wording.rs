//! How runs of a translated model are told.
//!
//! A model may come from a language of another kind. Its processes, variables and edges then have names that the author never wrote, and runs that
//! speak of them are hard to follow. The translation knows better words; it hands them along here. Whatever is missing is told in the model's own names, so
//! models that somebody wrote in this language need nothing of this.

use super::Name;
use std::collections::HashMap;

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

    /// What a process of a template does that takes an edge, if there are words for it.
    pub fn edge(&self, template: usize, edge: usize) -> Option<&str> {
        self.edges.get(&(template, edge)).map(String::as_str)
    }
}
