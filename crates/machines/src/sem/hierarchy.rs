//! What follows from the tree of states: who is above whom, and how far a transition reaches.

use super::model::{StateId, System, TransitionId};

/// Facts about the tree of a system, looked up in constant time.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    /// For every state, when a walk in preorder comes to it, and when it has seen all below it.
    visits: Vec<(u32, u32)>,
    /// The states with one active child, in preorder.
    serial: Vec<StateId>,
    /// For every state, its place in `serial`.
    place: Vec<Option<u32>>,
    /// For every state, the nearest serial state above it.
    serial_above: Vec<Option<StateId>>,
    scopes: Vec<Option<StateId>>,
}

impl Hierarchy {
    /// The facts about a system.
    #[must_use]
    pub fn new(system: &System) -> Self {
        let count = system.states.len();
        let mut facts = Self {
            visits: vec![(0, 0); count],
            serial: Vec::new(),
            place: vec![None; count],
            serial_above: vec![None; count],
            scopes: Vec::new(),
        };
        facts.visit(system);
        facts.scopes = system.transition_ids().map(|id| facts.least_common_serial(system, id)).collect();
        facts
    }

    /// Walks through the tree without recursion: machines may be nested as deeply as memory goes.
    fn visit(&mut self, system: &System) {
        let mut clock = 0;
        let mut path: Vec<(StateId, usize)> = vec![(System::ROOT, 0)];
        while let Some((state, next)) = path.last_mut() {
            let (at, child) = (state.index(), *next);
            if child == 0 {
                clock += 1;
                self.visits[at].0 = clock;
                if system.default_child(*state).is_some() {
                    self.place[at] = Some(self.serial.len() as u32);
                    self.serial.push(*state);
                }
            }
            *next += 1;
            let below = if self.place[at].is_some() { Some(*state) } else { self.serial_above[at] };
            if let Some(&child) = system.states[at].children.get(child) {
                self.serial_above[child.index()] = below;
                path.push((child, 0));
            } else {
                self.visits[at].1 = clock;
                path.pop();
            }
        }
    }

    fn least_common_serial(&self, system: &System, id: TransitionId) -> Option<StateId> {
        let transition = system.transition(id);
        let above = system.ancestors(transition.source).skip(1);
        let mut serial = above.filter(|&state| self.place[state.index()].is_some());
        serial.find(|&state| self.is_above(state, transition.target))
    }

    /// Whether one state is above another, or the same.
    #[must_use]
    pub fn contains(&self, upper: StateId, lower: StateId) -> bool {
        let ((first, last), (lower, _)) = (self.visits[upper.index()], self.visits[lower.index()]);
        first <= lower && lower <= last
    }

    /// Whether one state is above another.
    #[must_use]
    pub fn is_above(&self, upper: StateId, lower: StateId) -> bool {
        upper != lower && self.contains(upper, lower)
    }

    /// The states with one active child, parents first.
    #[must_use]
    pub fn serial(&self) -> &[StateId] {
        &self.serial
    }

    /// The place of a state among the serial ones.
    #[must_use]
    pub fn place(&self, state: StateId) -> Option<usize> {
        self.place[state.index()].map(|place| place as usize)
    }

    /// The nearest serial state above a state.
    #[must_use]
    pub fn serial_above(&self, state: StateId) -> Option<StateId> {
        self.serial_above[state.index()]
    }

    /// The scope of a transition: the lowest serial state above both its ends. `None` is the whole system, where nothing serial is above both.
    #[must_use]
    pub fn scope(&self, transition: TransitionId) -> Option<StateId> {
        self.scopes[transition.index()]
    }

    /// Whether a scope is that state or above it; the whole system is above everything.
    #[must_use]
    pub fn covers(&self, scope: Option<StateId>, state: StateId) -> bool {
        scope.is_none_or(|scope| self.contains(scope, state))
    }

    /// Whether two transitions exclude each other: one's scope is within the other's.
    #[must_use]
    pub fn clash(&self, one: TransitionId, other: TransitionId) -> bool {
        match (self.scope(one), self.scope(other)) {
            (Some(one), Some(other)) => self.contains(one, other) || self.contains(other, one),
            _ => true,
        }
    }

    /// The child of a state that is the other state or above it. The first is above the second.
    #[must_use]
    pub fn child_towards(&self, system: &System, upper: StateId, lower: StateId) -> StateId {
        let children = &system.state(upper).children;
        let first = self.visits[lower.index()].0;
        // Children are in preorder: the last one that begins no later.
        let at = children.partition_point(|child| self.visits[child.index()].0 <= first);
        children[at - 1]
    }
}
