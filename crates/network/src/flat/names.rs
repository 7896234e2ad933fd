//! Which names are taken, and where.
//!
//! Inside a process everything global is visible, so a local name must not be that of a global object: code that was written with a reference
//! parameter now speaks of the global object itself, and a local one of the same name would catch it. Names are kept wherever they can be.

use guidepost_language::model::Format;
use guidepost_language::write::{is_name, is_plain_name};
use std::collections::HashSet;

/// Where code stands: in a process, or outside of all (declarations, queries).
pub(super) type Scope = Option<u32>;

pub(super) struct Taken {
    global: HashSet<String>,
    local: Vec<HashSet<String>>,
    /// Of functions and quantifiers, innermost last.
    inner: Vec<String>,
    /// What a name must be.
    usable: fn(&str) -> bool,
}

impl Taken {
    /// Nothing is taken yet. `TChecker`'s names have not been used in UPPAAL before and must be beyond doubt.
    pub(super) fn new(processes: usize, format: Format) -> Self {
        let usable = if format == Format::Tck { is_plain_name } else { is_name };
        let local = vec![HashSet::new(); processes];
        Self { global: HashSet::new(), local, inner: Vec::new(), usable }
    }

    fn is_taken(&self, scope: Scope, name: &str) -> bool {
        self.global.contains(name)
            || scope.is_some_and(|process| self.local[process as usize].contains(name))
            || self.inner.iter().any(|inner| inner == name)
    }

    fn free(&self, scope: Scope, wish: &str) -> String {
        let mut base = wish.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
        if wish.ends_with([')', ']']) {
            base.truncate(base.trim_end_matches('_').len());
        }
        if base.is_empty() || base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        let mut number = 0;
        while !(self.usable)(&name) || self.is_taken(scope, &name) {
            number += 1;
            name = format!("{base}_{number}");
        }
        name
    }

    /// A name for something that stays, as close to the wish as can be.
    pub(super) fn declare(&mut self, scope: Scope, wish: &str) -> String {
        let name = self.free(scope, wish);
        match scope {
            Some(process) => self.local[process as usize].insert(name.clone()),
            None => self.global.insert(name.clone()),
        };
        name
    }

    /// A name for something global that is not the name of anything anywhere yet.
    pub(super) fn declare_late(&mut self, wish: &str) -> String {
        let mut wish = wish.to_owned();
        loop {
            let name = self.free(None, &wish);
            if !self.local.iter().any(|local| local.contains(&name)) {
                self.global.insert(name.clone());
                return name;
            }
            wish.push('_');
        }
    }

    /// A name for something that is forgotten again by [`leave`](Taken::leave).
    pub(super) fn enter(&mut self, scope: Scope, wish: &str) -> String {
        let name = self.free(scope, wish);
        self.inner.push(name.clone());
        name
    }

    /// How many inner names there are.
    pub(super) fn depth(&self) -> usize {
        self.inner.len()
    }

    /// Forgets the inner names beyond a depth.
    pub(super) fn leave(&mut self, depth: usize) {
        self.inner.truncate(depth);
    }
}
