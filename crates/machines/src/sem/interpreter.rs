//! What a system does, configuration by configuration: the reference for every cleverer method.
//!
//! A configuration says for every serial state which of its children counts, also while the state is inactive. An event fires a *maximal compatible* set of
//! enabled transitions: no two with one's scope within the other's, and none that could be added (G. Behrmann et al., Verification of hierarchical state/event systems using
//! reusability and compositionality, 2002). Everything outside of the scopes stays as it is. Within a scope, what is above the target leads to it; other serial states go
//! back to their defaults, and those with history stay. An event for which nothing is enabled changes nothing.
//!
//! The value of an inactive serial state without history cannot be observed. Here it is always the default, so that configurations which behave alike are equal.

use super::hierarchy::Hierarchy;
use super::model::{EventId, Guard, OutputId, StateId, StateKind, System, TransitionId};

/// For every serial state (in the order of [`Hierarchy::serial`]) the child that counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Configuration(pub Vec<StateId>);

/// What happens at an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The transitions that fire together, in ascending order.
    pub fired: Vec<TransitionId>,
    /// What they generate, each output as often as it is generated, in ascending order.
    pub outputs: Vec<OutputId>,
    /// Where they lead.
    pub target: Configuration,
}

/// Runs a system.
#[derive(Debug)]
pub struct Interpreter<'s> {
    system: &'s System,
    hierarchy: Hierarchy,
    /// For every event, the transitions that wait for it.
    waiting: Vec<Vec<TransitionId>>,
}

impl<'s> Interpreter<'s> {
    /// An interpreter of a system.
    #[must_use]
    pub fn new(system: &'s System) -> Self {
        let mut waiting = vec![Vec::new(); system.events.len()];
        for id in system.transition_ids() {
            waiting[system.transition(id).event.index()].push(id);
        }
        Self { system, hierarchy: Hierarchy::new(system), waiting }
    }

    /// The tree of the system.
    #[must_use]
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// Where everything begins: every serial state at its default.
    #[must_use]
    pub fn initial(&self) -> Configuration {
        let serial = self.hierarchy.serial().iter();
        Configuration(serial.filter_map(|&state| self.system.default_child(state)).collect())
    }

    /// Whether a state is active: every serial state above it has chosen the child that leads to it.
    #[must_use]
    pub fn is_active(&self, configuration: &Configuration, state: StateId) -> bool {
        self.system.ancestors(state).skip(1).all(|above| match self.hierarchy.place(above) {
            Some(place) => self.hierarchy.contains(configuration.0[place], state),
            None => true,
        })
    }

    /// Whether a condition holds.
    #[must_use]
    pub fn holds(&self, configuration: &Configuration, guard: &Guard) -> bool {
        match guard {
            Guard::True => true,
            Guard::Active(state) => self.is_active(configuration, *state),
            Guard::Not(inner) => !self.holds(configuration, inner),
            Guard::And(parts) => parts.iter().all(|part| self.holds(configuration, part)),
            Guard::Or(parts) => parts.iter().any(|part| self.holds(configuration, part)),
        }
    }

    /// The transitions that an event enables.
    #[must_use]
    pub fn enabled(&self, configuration: &Configuration, event: EventId) -> Vec<TransitionId> {
        let waiting = self.waiting[event.index()].iter().copied();
        waiting
            .filter(|&id| {
                let transition = self.system.transition(id);
                self.is_active(configuration, transition.source)
                    && self.holds(configuration, &transition.guard)
            })
            .collect()
    }

    /// Everything that may happen at an event. There is always something, if only nothing.
    #[must_use]
    pub fn steps(&self, configuration: &Configuration, event: EventId) -> Vec<Step> {
        let enabled = self.enabled(configuration, event);
        let mut sets = Vec::new();
        self.maximal(&enabled, &mut Vec::new(), 0, &mut sets);
        sets.into_iter().map(|fired| self.fire(configuration, fired)).collect()
    }

    /// Collects the maximal compatible subsets of `enabled` that contain `chosen` and nothing else before `next`.
    fn maximal(
        &self,
        enabled: &[TransitionId],
        chosen: &mut Vec<TransitionId>,
        next: usize,
        sets: &mut Vec<Vec<TransitionId>>,
    ) {
        let clashes = |id: TransitionId, chosen: &[TransitionId]| {
            chosen.iter().any(|&other| other != id && self.hierarchy.clash(id, other))
        };
        let Some(&id) = enabled.get(next) else {
            let is_maximal = enabled.iter().all(|id| chosen.contains(id) || clashes(*id, chosen));
            if is_maximal {
                sets.push(chosen.clone());
            }
            return;
        };
        let rivals = enabled.iter().any(|&other| other != id && self.hierarchy.clash(id, other));
        if !clashes(id, chosen) {
            chosen.push(id);
            self.maximal(enabled, chosen, next + 1, sets);
            chosen.pop();
        }
        // One that nothing excludes always fires.
        if rivals {
            self.maximal(enabled, chosen, next + 1, sets);
        }
    }

    /// Where a compatible set of transitions leads.
    pub(crate) fn fire(&self, configuration: &Configuration, fired: Vec<TransitionId>) -> Step {
        let mut target = configuration.clone();
        for (place, &state) in self.hierarchy.serial().iter().enumerate() {
            let cause = fired.iter().find(|&&id| self.hierarchy.covers(self.hierarchy.scope(id), state));
            let Some(&cause) = cause else { continue };
            let end = self.system.transition(cause).target;
            if self.hierarchy.is_above(state, end) {
                target.0[place] = self.hierarchy.child_towards(self.system, state, end);
            } else if let StateKind::Serial { default } = self.system.state(state).kind {
                target.0[place] = default;
            }
        }
        let mut outputs: Vec<OutputId> =
            fired.iter().flat_map(|&id| self.system.transition(id).outputs.iter().copied()).collect();
        outputs.sort_unstable();
        Step { fired, outputs, target }
    }

    /// The configurations that a sequence of events may lead to, in order and without repetition.
    #[must_use]
    pub fn after(&self, events: &[EventId]) -> Vec<Configuration> {
        let mut now = vec![self.initial()];
        for &event in events {
            let next = now.iter().flat_map(|configuration| self.steps(configuration, event));
            now = next.map(|step| step.target).collect();
            now.sort_unstable();
            now.dedup();
        }
        now
    }

    /// A configuration for people: the active states that have no active children, `Train.Stop, Crossing.Open`.
    #[must_use]
    pub fn describe(&self, configuration: &Configuration) -> String {
        let is_leaf = |state: &StateId| self.system.state(*state).kind == StateKind::Primitive;
        let leaves = self.system.state_ids().filter(is_leaf);
        let active = leaves.filter(|&state| self.is_active(configuration, state));
        active.map(|state| self.system.path(state)).collect::<Vec<_>>().join(", ")
    }
}
