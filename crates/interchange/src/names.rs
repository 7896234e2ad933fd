//! Names that other tools accept, each given once.

use std::collections::HashSet;

/// Words that mean something in one of the formats.
const RESERVED: &[&str] = &[
    "clock",
    "committed",
    "do",
    "done",
    "edge",
    "else",
    "end",
    "endif",
    "event",
    "false",
    "if",
    "initial",
    "int",
    "invariant",
    "labels",
    "local",
    "location",
    "nop",
    "process",
    "provided",
    "sync",
    "system",
    "then",
    "true",
    "urgent",
    "while",
];

#[derive(Default)]
pub(crate) struct Taken {
    names: HashSet<String>,
}

impl Taken {
    /// A name like the wished one that nothing else has.
    pub(crate) fn fresh(&mut self, wish: &str) -> String {
        let mut clean: String =
            wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if clean.is_empty() || clean.starts_with(|c: char| c.is_ascii_digit()) {
            clean.insert(0, '_');
        }
        let numbered = (2..).map(|number| format!("{clean}_{number}"));
        let mut candidates = std::iter::once(clean.clone()).chain(numbered);
        let is_free = |name: &String| !self.names.contains(name) && !RESERVED.contains(&name.as_str());
        let name = candidates.find(is_free).expect("there are more numbers than names");
        self.names.insert(name.clone());
        name
    }
}
