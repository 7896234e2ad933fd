//! Executes charts, procedure by procedure as the standard's algorithm (appendix D) has them.
//!
//! Simple rather than fast: it replays evidence, runs charts for people, and judges the checker in tests. It shares the chart, expressions and executable
//! content with the checker, and nothing about configurations, transitions and histories.

use super::chart::{Chart, StateId, StateKind, TransitionId};
use super::choice::Chooser;
use super::content::{Event, Host, decide, execute, execute_all};
use super::expression::Expression;
use super::value::{Value, World, evaluate};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A chart that counts without end never comes to the same session again; after so many steps it is taken not to become stable.
const MOST_STEPS: usize = 2000;
/// More raised events than this wait only where they become more and more.
const MOST_RAISED: usize = 64;

/// All there is to know of a chart between two steps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Session {
    /// The active states.
    pub configuration: BTreeSet<StateId>,
    /// What histories remember.
    pub history: BTreeMap<StateId, BTreeSet<StateId>>,
    /// The values of the variables.
    pub data: Vec<Value>,
    /// Events that were raised.
    pub internal: VecDeque<Event>,
    /// Events that the chart has sent to itself.
    pub external: VecDeque<Event>,
    /// Timers that are running: the `<send>` and its event.
    pub timers: Vec<(usize, Event)>,
    /// Whether a final state of the chart was reached.
    pub ended: bool,
    /// Whether steps follow each other without end.
    pub endless: bool,
    /// States that have been entered.
    entered: BTreeSet<StateId>,
    event: Option<Event>,
}

/// Executes a chart.
pub struct Interpreter<'c, C> {
    chart: &'c Chart,
    chooser: &'c mut C,
    /// Where the chart is.
    pub session: Session,
    /// The transitions taken so far.
    pub taken: Vec<TransitionId>,
    /// The states entered so far.
    pub entered: BTreeSet<StateId>,
    /// The states left so far.
    pub left: BTreeSet<StateId>,
    /// The outputs told so far.
    pub told: Vec<usize>,
    /// What was decided about open conditions while transitions are selected.
    decided: Option<Vec<(Expression, bool)>>,
}

impl<'c, C: Chooser> Interpreter<'c, C> {
    /// Begins: enters the initial states and goes on until the chart waits.
    pub fn start(chart: &'c Chart, chooser: &'c mut C) -> Self {
        let mut this = Self::resume(chart, Session::default(), chooser);
        this.session.data = vec![Value::Undefined; chart.data.len()];
        let states = if chart.late_binding { 1 } else { chart.states.len() };
        (0..states as u32).for_each(|state| this.initialise(StateId(state)));
        execute(&chart.script, &mut this);
        let initial = chart.states[0].initial.as_ref().expect("a chart has an initial state");
        this.enter_states(&[(None, &initial.targets)]);
        this.macrostep();
        this
    }

    /// Goes on from where another interpreter was.
    pub fn resume(chart: &'c Chart, session: Session, chooser: &'c mut C) -> Self {
        Self {
            chart,
            chooser,
            session,
            taken: vec![],
            entered: BTreeSet::new(),
            left: BTreeSet::new(),
            told: vec![],
            decided: None,
        }
    }

    /// An event from outside, or of a timer that is running.
    pub fn deliver(&mut self, event: &Event) {
        if let Some(at) = self.session.timers.iter().position(|(_, pending)| pending == event) {
            self.session.timers.remove(at);
        }
        self.process(event);
    }

    /// The first event that the chart has sent to itself, if there is one.
    pub fn deliver_own(&mut self) -> bool {
        if self.session.ended || self.session.endless {
            return false;
        }
        let Some(event) = self.session.external.pop_front() else { return false };
        self.process(&event);
        true
    }

    fn process(&mut self, event: &Event) {
        if self.session.ended || self.session.endless {
            return;
        }
        self.session.event = Some(event.clone());
        self.finalize();
        let enabled = self.select_transitions(Some(event));
        if !enabled.is_empty() {
            self.microstep(&enabled);
        }
        self.macrostep();
    }

    /// What is invoked may have sent the event, and then `<finalize>` runs.
    fn finalize(&mut self) {
        let chart = self.chart;
        for state in self.session.configuration.clone() {
            for block in &chart.state(state).finalize {
                if self.chooser.choose(2, None) == 1 {
                    execute(block, self);
                }
            }
        }
    }

    fn macrostep(&mut self) {
        // A session that comes again without an event from outside comes again for ever.
        let mut seen = BTreeSet::new();
        while seen.insert(self.session.clone()) {
            if self.session.ended {
                self.exit_interpreter();
                return;
            }
            let mut enabled = self.select_transitions(None);
            if enabled.is_empty() {
                let Some(event) = self.session.internal.pop_front() else { return };
                self.session.event = Some(event.clone());
                enabled = self.select_transitions(Some(&event));
            }
            if !enabled.is_empty() {
                self.microstep(&enabled);
            }
            if seen.len() == MOST_STEPS || self.session.internal.len() > MOST_RAISED {
                break;
            }
        }
        self.session.endless = true;
    }

    fn exit_interpreter(&mut self) {
        let chart = self.chart;
        let active: Vec<StateId> = self.session.configuration.iter().rev().copied().collect();
        for state in active {
            execute_all(&chart.state(state).onexit, self);
        }
        self.session.internal.clear();
        self.session.external.clear();
        self.session.timers.clear();
    }

    fn initialise(&mut self, state: StateId) {
        let chart = self.chart;
        for &variable in &chart.state(state).data {
            let value = chart.data[variable].value.as_ref();
            self.session.data[variable] = match value.map(|value| evaluate(value, self)) {
                Some(Ok(value)) => value,
                Some(Err(_)) => {
                    self.raise(Event::named(super::content::ERROR_EXECUTION));
                    Value::Undefined
                }
                None => Value::Undefined,
            };
        }
    }

    fn select_transitions(&mut self, event: Option<&Event>) -> Vec<TransitionId> {
        let chart = self.chart;
        self.decided = Some(vec![]);
        let mut enabled = Vec::new();
        let atomic: Vec<StateId> =
            self.session.configuration.iter().copied().filter(|&state| chart.is_atomic(state)).collect();
        for state in atomic {
            let around = std::iter::once(state).chain(chart.ancestors(state));
            let candidates = around.flat_map(|state| &chart.state(state).transitions);
            for &id in candidates {
                if self.is_enabled(id, event) {
                    if !enabled.contains(&id) {
                        enabled.push(id);
                    }
                    break;
                }
            }
        }
        self.decided = None;
        self.remove_conflicting(&enabled)
    }

    fn is_enabled(&mut self, id: TransitionId, event: Option<&Event>) -> bool {
        let transition = self.chart.transition(id);
        let matches = match event {
            None => transition.events.is_empty(),
            Some(event) => transition.events.iter().any(|descriptor| descriptor.matches(&event.name)),
        };
        matches && transition.condition.as_ref().is_none_or(|condition| decide(condition, self))
    }

    fn remove_conflicting(&self, enabled: &[TransitionId]) -> Vec<TransitionId> {
        let mut filtered: Vec<TransitionId> = Vec::new();
        let sets: BTreeMap<TransitionId, BTreeSet<StateId>> =
            enabled.iter().map(|&id| (id, self.exit_set(&[id]))).collect();
        for &first in enabled {
            let mut is_preempted = false;
            let mut removed = Vec::new();
            for &second in &filtered {
                if sets[&first].is_disjoint(&sets[&second]) {
                    continue;
                }
                let source = |id: TransitionId| self.chart.transition(id).source;
                if self.is_descendant(source(first), source(second)) {
                    removed.push(second);
                } else {
                    is_preempted = true;
                    break;
                }
            }
            if !is_preempted {
                filtered.retain(|id| !removed.contains(id));
                filtered.push(first);
            }
        }
        filtered
    }

    fn microstep(&mut self, enabled: &[TransitionId]) {
        let chart = self.chart;
        self.taken.extend(enabled);
        self.exit_states(enabled);
        for &id in enabled {
            execute(&chart.transition(id).content, self);
        }
        let entering: Vec<(Option<TransitionId>, &[StateId])> =
            enabled.iter().map(|&id| (Some(id), chart.transition(id).targets.as_slice())).collect();
        self.enter_states(&entering);
    }

    fn exit_states(&mut self, enabled: &[TransitionId]) {
        let chart = self.chart;
        let leaving: Vec<StateId> = self.exit_set(enabled).into_iter().rev().collect();
        for &state in &leaving {
            for &history in &chart.state(state).histories {
                let is_deep = chart.state(history).kind == StateKind::DeepHistory;
                let remembered = |&other: &StateId| {
                    if is_deep {
                        chart.is_atomic(other) && self.is_descendant(other, state)
                    } else {
                        chart.state(other).parent == Some(state)
                    }
                };
                let value = self.session.configuration.iter().copied().filter(remembered).collect();
                self.session.history.insert(history, value);
            }
        }
        for state in leaving {
            execute_all(&chart.state(state).onexit, self);
            self.left.insert(state);
            self.session.configuration.remove(&state);
        }
    }

    fn exit_set(&self, transitions: &[TransitionId]) -> BTreeSet<StateId> {
        let mut leaving = BTreeSet::new();
        for &id in transitions {
            if let Some(domain) = self.domain(id) {
                let inside = |&state: &StateId| self.is_descendant(state, domain);
                leaving.extend(self.session.configuration.iter().copied().filter(inside));
            }
        }
        leaving
    }

    fn domain(&self, id: TransitionId) -> Option<StateId> {
        let transition = self.chart.transition(id);
        let targets = self.effective_targets(&transition.targets);
        if targets.is_empty() {
            return None;
        }
        let is_inner = |&target: &StateId| self.is_descendant(target, transition.source);
        if transition.internal && self.chart.is_compound(transition.source) && targets.iter().all(is_inner) {
            return Some(transition.source);
        }
        let covers = |&outer: &StateId| targets.iter().all(|&target| self.is_descendant(target, outer));
        self.chart.ancestors(transition.source).filter(|&outer| self.chart.is_compound(outer)).find(covers)
    }

    fn effective_targets(&self, targets: &[StateId]) -> BTreeSet<StateId> {
        let mut effective = BTreeSet::new();
        for &target in targets {
            match self.session.history.get(&target) {
                Some(remembered) => effective.extend(remembered),
                None if self.chart.is_history(target) => {
                    effective.extend(self.effective_targets(self.default_of(target)));
                }
                None => {
                    effective.insert(target);
                }
            }
        }
        effective
    }

    fn default_of(&self, state: StateId) -> &'c [StateId] {
        self.chart.state(state).initial.as_ref().map_or(&[], |start| &start.targets)
    }

    fn is_descendant(&self, inner: StateId, outer: StateId) -> bool {
        self.chart.descendants(outer).contains(&inner.0)
    }

    fn enter_states(&mut self, transitions: &[(Option<TransitionId>, &[StateId])]) {
        let chart = self.chart;
        let mut entry = Entry::default();
        for &(id, targets) in transitions {
            for &target in targets {
                self.add_descendants(target, &mut entry);
            }
            let domain = id.map_or(Some(StateId::ROOT), |id| self.domain(id));
            for target in self.effective_targets(targets) {
                self.add_ancestors(target, domain, &mut entry);
            }
        }
        for state in entry.states {
            self.session.configuration.insert(state);
            self.entered.insert(state);
            if chart.late_binding && self.session.entered.insert(state) {
                self.initialise(state);
            }
            execute_all(&chart.state(state).onentry, self);
            if entry.default.contains(&state)
                && let Some(start) = &chart.state(state).initial
            {
                execute(&start.content, self);
            }
            if let Some(&history) = entry.history.get(&state)
                && let Some(start) = &chart.state(history).initial
            {
                execute(&start.content, self);
            }
            if chart.state(state).kind == StateKind::Final {
                self.finished(state);
            }
        }
    }

    fn finished(&mut self, state: StateId) {
        let chart = self.chart;
        let parent = chart.state(state).parent.unwrap_or(StateId::ROOT);
        if parent == StateId::ROOT {
            self.session.ended = true;
            return;
        }
        self.raise(Event::named(format!("done.state.{}", chart.state(parent).name)));
        if let Some(outer) = chart.state(parent).parent
            && chart.state(outer).kind == StateKind::Parallel
            && chart.state(outer).children.iter().all(|&child| self.is_in_final(child))
        {
            self.raise(Event::named(format!("done.state.{}", chart.state(outer).name)));
        }
    }

    fn is_in_final(&self, state: StateId) -> bool {
        let children = &self.chart.state(state).children;
        match self.chart.state(state).kind {
            StateKind::Parallel => children.iter().all(|&child| self.is_in_final(child)),
            _ => children.iter().any(|&child| {
                self.chart.state(child).kind == StateKind::Final
                    && self.session.configuration.contains(&child)
            }),
        }
    }

    fn add_descendants(&self, state: StateId, entry: &mut Entry) {
        let chart = self.chart;
        if chart.is_history(state) {
            let parent = chart.state(state).parent;
            let remembered: Vec<StateId> = if let Some(value) = self.session.history.get(&state) {
                value.iter().copied().collect()
            } else {
                entry.history.extend(parent.map(|parent| (parent, state)));
                self.default_of(state).to_vec()
            };
            for &inner in &remembered {
                self.add_descendants(inner, entry);
            }
            for &inner in &remembered {
                self.add_ancestors(inner, parent, entry);
            }
            return;
        }
        entry.states.insert(state);
        if chart.is_compound(state) {
            entry.default.insert(state);
            let targets = self.default_of(state);
            for &inner in targets {
                self.add_descendants(inner, entry);
            }
            for &inner in targets {
                self.add_ancestors(inner, Some(state), entry);
            }
        } else if chart.state(state).kind == StateKind::Parallel {
            self.add_missing_regions(state, entry);
        }
    }

    fn add_ancestors(&self, state: StateId, up_to: Option<StateId>, entry: &mut Entry) {
        for outer in self.chart.ancestors(state).take_while(|&outer| Some(outer) != up_to) {
            entry.states.insert(outer);
            if self.chart.state(outer).kind == StateKind::Parallel {
                self.add_missing_regions(outer, entry);
            }
        }
    }

    fn add_missing_regions(&self, parallel: StateId, entry: &mut Entry) {
        for &child in &self.chart.state(parallel).children {
            let inside = self.chart.descendants(child);
            if entry.states.range(StateId(inside.start)..StateId(inside.end)).next().is_none() {
                self.add_descendants(child, entry);
            }
        }
    }
}

/// What is to be entered.
#[derive(Default)]
struct Entry {
    states: BTreeSet<StateId>,
    /// Those that are entered by default.
    default: BTreeSet<StateId>,
    /// For states with a history that is used for the first time, which it is.
    history: BTreeMap<StateId, StateId>,
}

impl<C: Chooser> World for Interpreter<'_, C> {
    fn chart(&self) -> &Chart {
        self.chart
    }

    fn read(&self, variable: usize) -> Value {
        self.session.data[variable].clone()
    }

    fn is_active(&self, state: StateId) -> bool {
        self.session.configuration.contains(&state)
    }

    fn event_name(&self) -> Value {
        self.session.event.as_ref().map_or(Value::Unknown, Event::value)
    }

    fn choose(&mut self, options: usize, sure: Option<usize>) -> usize {
        self.chooser.choose(options, sure)
    }

    fn evaluated_opaque(&mut self, calls: bool) {
        if calls && self.chart.has_functions {
            self.session.data.fill(Value::Unknown);
            self.decided.iter_mut().for_each(Vec::clear);
        }
    }

    fn recall(&self, condition: &Expression) -> Option<bool> {
        self.decided.as_ref()?.iter().find(|(known, _)| known == condition).map(|(_, holds)| *holds)
    }

    fn remember(&mut self, condition: &Expression, holds: bool) {
        self.decided.iter_mut().for_each(|decided| decided.push((condition.clone(), holds)));
    }
}

impl<C: Chooser> Host for Interpreter<'_, C> {
    fn write(&mut self, variable: usize, value: Value) {
        self.session.data[variable] = value;
    }

    fn raise(&mut self, event: Event) {
        self.session.internal.push_back(event);
    }

    fn enqueue(&mut self, event: Event) {
        self.session.external.push_back(event);
    }

    fn start_timer(&mut self, send: usize, event: Event) {
        self.session.timers.push((send, event));
    }

    fn cancel(&mut self, id: &str) {
        let sends = &self.chart.sends;
        self.session.timers.retain(|(send, _)| sends[*send].id.as_deref() != Some(id));
    }

    fn told(&mut self, output: usize) {
        self.told.push(output);
    }

    fn leave_gap(&mut self) {}
}
