//! States that wait to be expanded, the shallowest first.
//!
//! With a strict order all would have to wait for the slowest. Each worker takes its own states by depth instead, which comes close (Behrmann, Hune, Vaandrager, "Distributed timed model checking: how the
//! search order matters", 2000); where runs must be shortest, all wait for each other after every depth.

use guidepost_explore::StateId;
use std::collections::{BTreeMap, VecDeque};

/// States by depth, each depth in the order of arrival.
#[derive(Default)]
pub(crate) struct Waiting {
    by_depth: BTreeMap<u32, VecDeque<StateId>>,
    len: usize,
}

impl Waiting {
    pub(crate) fn push(&mut self, depth: u32, id: StateId) {
        self.by_depth.entry(depth).or_default().push_back(id);
        self.len += 1;
    }

    /// Takes back one that was next.
    pub(crate) fn put_back(&mut self, depth: u32, id: StateId) {
        self.by_depth.entry(depth).or_default().push_front(id);
        self.len += 1;
    }

    /// The first of the shallowest.
    pub(crate) fn pop(&mut self) -> Option<(u32, StateId)> {
        let mut shallowest = self.by_depth.first_entry()?;
        let depth = *shallowest.key();
        let id = shallowest.get_mut().pop_front();
        if shallowest.get().is_empty() {
            shallowest.remove();
        }
        self.len -= 1;
        id.map(|id| (depth, id))
    }

    /// The depth of the shallowest.
    pub(crate) fn depth(&self) -> Option<u32> {
        self.by_depth.first_key_value().map(|(&depth, _)| depth)
    }

    /// The one that is next.
    pub(crate) fn first(&self) -> Option<StateId> {
        self.by_depth.first_key_value().and_then(|(_, ids)| ids.front().copied())
    }

    /// The first one deeper than some depth.
    pub(crate) fn first_below(&self, depth: u32) -> Option<StateId> {
        self.by_depth.range(depth + 1..).next().and_then(|(_, ids)| ids.front().copied())
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All of them with their depths.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, StateId)> {
        self.by_depth.iter().flat_map(|(&depth, ids)| ids.iter().map(move |&id| (depth, id)))
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.len * size_of::<StateId>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shallowest_come_first_and_in_order() {
        let mut waiting = Waiting::default();
        for (depth, id) in [(2, 1), (1, 2), (2, 3), (1, 4), (5, 5)] {
            waiting.push(depth, StateId(id));
        }
        assert_eq!((waiting.first(), waiting.first_below(1)), (Some(StateId(2)), Some(StateId(1))));
        let (depth, next) = waiting.pop().unwrap();
        waiting.put_back(depth, next);
        let order: Vec<u32> = std::iter::from_fn(|| waiting.pop()).map(|(_, id)| id.0).collect();
        assert_eq!(order, [2, 4, 1, 3, 5]);
        assert_eq!((waiting.len(), waiting.depth()), (0, None));
    }
}
