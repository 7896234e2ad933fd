//! What a name means in the block of a state.

use super::model::{StateId, System};
use std::collections::HashMap;

/// The states of a system by their names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    children: HashMap<(StateId, String), StateId>,
    anywhere: HashMap<String, Vec<StateId>>,
}

/// Why a path names no state.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// Nothing has the name.
    Unknown,
    /// The first name belongs to several states, none of which is near.
    Ambiguous(Vec<StateId>),
    /// The state has no child of the name at this place of the path.
    NoChild(StateId, usize),
}

impl Names {
    pub(crate) fn of(system: &System) -> Self {
        let mut names = Self::default();
        for state in system.state_ids().skip(1) {
            let name = &system.state(state).name;
            let parent = system.state(state).parent.unwrap_or(System::ROOT);
            names.children.insert((parent, name.clone()), state);
            names.anywhere.entry(name.clone()).or_default().push(state);
        }
        names
    }

    pub(crate) fn child(&self, parent: StateId, name: &str) -> Option<StateId> {
        self.children.get(&(parent, name.to_owned())).copied()
    }

    /// The state that a path means in the block of `from`: its own states, itself, those around it, and so on outwards; or the only one of that name.
    pub(crate) fn resolve<'p>(
        &self,
        system: &System,
        from: StateId,
        from_top: bool,
        path: impl IntoIterator<Item = &'p str>,
    ) -> Result<StateId, Unresolved> {
        let mut path = path.into_iter();
        let first = path.next().unwrap_or_default();
        let mut state = if from_top {
            self.child(System::ROOT, first).ok_or(Unresolved::Unknown)?
        } else {
            self.first(system, from, first)?
        };
        for (place, name) in path.enumerate() {
            state = self.child(state, name).ok_or(Unresolved::NoChild(state, place + 1))?;
        }
        Ok(state)
    }

    fn first(&self, system: &System, from: StateId, name: &str) -> Result<StateId, Unresolved> {
        for above in system.ancestors(from) {
            if let Some(child) = self.child(above, name) {
                return Ok(child);
            }
            if system.state(above).name == name {
                return Ok(above);
            }
        }
        match self.anywhere.get(name).map(Vec::as_slice) {
            Some([only]) => Ok(*only),
            Some(several) => Err(Unresolved::Ambiguous(several.to_vec())),
            None => Err(Unresolved::Unknown),
        }
    }
}
