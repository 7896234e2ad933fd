//! What can be reached at all, by the structure alone: data are ignored, and whatever was possible once is possible for ever.
//!
//! Coarse and fast. What is out of reach here is out of reach, also where an exploration did not come to its end.

use super::bits::Bits;
use super::chart::{Chart, StateId, StateKind, Transition, TransitionId};
use super::environment::{Environment, offers};
use super::expression::{Binary, Expression};
use super::value::Value;

/// An over-approximation of what is reachable.
pub(crate) struct Reachable<'c> {
    chart: &'c Chart,
    states: Bits,
    /// Those that are entered with their initial states.
    whole: Bits,
    transitions: Vec<bool>,
    /// Names of events that may come from outside or are told somewhere; `None` if any may.
    names: Option<Vec<String>>,
}

impl<'c> Reachable<'c> {
    pub(crate) fn of(chart: &'c Chart, environment: Environment) -> Self {
        let mut this = Self {
            chart,
            states: Bits::new(chart.states.len()),
            whole: Bits::new(chart.states.len()),
            transitions: vec![false; chart.transitions.len()],
            names: names(chart, environment),
        };
        this.states.insert(StateId::ROOT);
        this.begin(StateId::ROOT);
        loop {
            let possible =
                |id: &TransitionId| !this.transitions[id.index()] && this.is_possible(chart.transition(*id));
            let new: Vec<TransitionId> = chart.transition_ids().filter(possible).collect();
            if new.is_empty() {
                return this;
            }
            for id in new {
                this.transitions[id.index()] = true;
                for &target in &chart.transition(id).targets {
                    this.enter(target);
                }
            }
        }
    }

    pub(crate) fn has_state(&self, state: StateId) -> bool {
        self.states.contains(state)
    }

    pub(crate) fn has_transition(&self, id: TransitionId) -> bool {
        self.transitions[id.index()]
    }

    fn enter(&mut self, state: StateId) {
        let chart = self.chart;
        for outer in chart.ancestors(state) {
            self.add(outer, false);
        }
        self.add(state, true);
    }

    /// A state is active: all regions are, and where it is entered as a whole, its initial states.
    fn add(&mut self, state: StateId, as_a_whole: bool) {
        let chart = self.chart;
        let is_new = self.states.insert(state);
        if is_new && chart.state(state).kind == StateKind::Parallel {
            for &child in &chart.state(state).children {
                self.add(child, true);
            }
        }
        if as_a_whole && self.whole.insert(state) {
            self.begin(state);
        }
    }

    /// The initial states, or the default of a history; what it remembers was active before.
    fn begin(&mut self, state: StateId) {
        let start = self.chart.state(state).initial.as_ref();
        for &target in start.map_or(&[][..], |start| &start.targets) {
            self.enter(target);
        }
    }

    fn is_possible(&self, transition: &Transition) -> bool {
        self.states.contains(transition.source)
            && (transition.events.is_empty() || transition.events.iter().any(|one| self.may_come(one)))
            && transition.condition.as_ref().is_none_or(|condition| self.may_hold(condition))
    }

    fn may_come(&self, descriptor: &super::chart::Descriptor) -> bool {
        let Some(names) = &self.names else { return true };
        let done = |state: StateId| {
            let here = self.chart.state(state);
            let is_final = |child: &StateId| {
                self.chart.state(*child).kind == StateKind::Final && self.states.contains(*child)
            };
            here.kind == StateKind::Parallel && self.states.contains(state)
                || here.children.iter().any(is_final)
        };
        let is_done = |state: StateId| {
            descriptor.matches(&format!("done.state.{}", self.chart.state(state).name)) && done(state)
        };
        descriptor.0.starts_with("error")
            || names.iter().any(|name| descriptor.matches(name))
            || self.chart.proper_states().any(is_done)
    }

    /// Whether a condition may hold, as far as `In` tells.
    fn may_hold(&self, condition: &Expression) -> bool {
        match condition {
            Expression::In(state) => state.is_some_and(|state| self.states.contains(state)),
            Expression::Binary(Binary::And, left, right) => self.may_hold(left) && self.may_hold(right),
            Expression::Binary(Binary::Or, left, right) => self.may_hold(left) || self.may_hold(right),
            Expression::Constant(Value::Bool(value)) => *value,
            _ => true,
        }
    }
}

fn names(chart: &Chart, environment: Environment) -> Option<Vec<String>> {
    if chart.outputs.iter().any(|output| output.computed) {
        return None;
    }
    let offered = offers(chart, environment).into_iter().map(|offer| offer.event.name.to_string());
    Some(offered.chain(chart.outputs.iter().map(|output| output.name.clone())).collect())
}
