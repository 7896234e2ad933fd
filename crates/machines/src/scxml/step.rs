//! One step of a chart, for the checker: sets of states are bits, descendants are ranges, and what is open is chosen from outside.
//!
//! Written apart from the interpreter on purpose; each checks the other.

mod host;

use super::bits::Bits;
use super::chart::{Chart, StateId, StateKind, TransitionId};
use super::choice::{Chooser, Every};
use super::content::{ERROR_EXECUTION, Event, Host, decide, execute, execute_all};
use super::expression::Expression;
use super::value::{Value, evaluate};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Where a chart is in its cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Phase {
    /// In the middle of a macro-step.
    Running,
    /// Waiting for an event.
    Stable,
    /// A final state of the chart was reached.
    Ended,
}

/// A running timer: the `<send>`, its event, and whether it may be running more than once.
pub(crate) type Timer = (u32, Event, bool);

/// All that decides what a chart does next.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Snapshot {
    pub(crate) active: Bits,
    history: Vec<(StateId, Box<[StateId]>)>,
    pub(crate) data: Box<[Value]>,
    internal: Vec<Event>,
    pub(crate) external: Vec<Event>,
    pub(crate) timers: Vec<Timer>,
    /// Sent by the chart itself, and lost track of: these may come at any time.
    pub(crate) astray: Vec<Event>,
    event: Option<Event>,
    entered: Option<Bits>,
    pub(crate) phase: Phase,
}

impl Snapshot {
    /// Roughly, how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let history: usize = self.history.iter().map(|(_, states)| 24 + 4 * states.len()).sum();
        let events = self.internal.len() + self.external.len() + self.astray.len() + self.timers.len();
        size_of::<Self>()
            + 2 * self.active.bytes()
            + history
            + self.data.len() * size_of::<Value>()
            + 40 * events
    }
}

/// What happened in a step.
#[derive(Default, Debug)]
pub(crate) struct Effects {
    pub(crate) taken: Vec<TransitionId>,
    pub(crate) told: Vec<usize>,
    /// Timers that were started.
    pub(crate) started: Vec<(u32, Event)>,
    /// States that were left.
    pub(crate) left: Vec<StateId>,
    /// The first goes first only because it stands first.
    pub(crate) conflicts: Vec<(TransitionId, TransitionId)>,
    /// Conditions that were evaluated and did not hold.
    pub(crate) refused: Vec<TransitionId>,
    /// Transitions that would have been possible but for another one.
    pub(crate) behind: Vec<(TransitionId, TransitionId)>,
    /// Something may happen that is not covered.
    pub(crate) gap: bool,
    /// A value was too large to be followed.
    pub(crate) widened: bool,
}

/// What steps look up again and again.
pub(crate) struct Steps<'c> {
    pub(crate) chart: &'c Chart,
    matching: RefCell<FxHashMap<Arc<str>, Rc<[bool]>>>,
    /// Numbers beyond this are not followed, those in the chart excepted.
    largest: i64,
    longest: usize,
}

impl<'c> Steps<'c> {
    /// A number in the chart larger than this says nothing about how far it counts.
    const LARGEST: i64 = 1024;

    pub(crate) fn new(chart: &'c Chart) -> Self {
        let small = chart.numbers.iter().copied().filter(|number| *number <= Self::LARGEST);
        let largest = small.max().unwrap_or(0).max(15) + 1;
        let longest = chart.texts.iter().map(|text| text.len()).max().unwrap_or(0).max(16);
        Self { chart, matching: RefCell::default(), largest, longest }
    }

    /// The numbers that are followed.
    pub(crate) fn largest(&self) -> i64 {
        self.largest
    }

    /// For each transition whether it waits for this event.
    pub(crate) fn matching(&self, name: &Arc<str>) -> Rc<[bool]> {
        let mut cache = self.matching.borrow_mut();
        let compute = || {
            let waits = |transition: &super::chart::Transition| {
                transition.events.iter().any(|descriptor| descriptor.matches(name))
            };
            self.chart.transitions.iter().map(waits).collect()
        };
        Rc::clone(cache.entry(Arc::clone(name)).or_insert_with(compute))
    }

    /// Whether an active state waits for an event, or may run something when it comes.
    pub(crate) fn is_heard(&self, event: &Event, snapshot: &Snapshot) -> bool {
        let matching = self.matching(&event.name);
        snapshot.active.iter().any(|state| {
            let state = self.chart.state(state);
            !state.finalize.is_empty() || state.transitions.iter().any(|id| matching[id.index()])
        })
    }

    /// The chart has entered its initial states.
    pub(crate) fn begin(&self, chooser: &mut Every) -> (Snapshot, Effects) {
        let chart = self.chart;
        let count = chart.states.len();
        let snapshot = Snapshot {
            active: Bits::new(count),
            history: vec![],
            data: vec![Value::Undefined; chart.data.len()].into(),
            internal: vec![],
            external: vec![],
            timers: vec![],
            astray: vec![],
            event: None,
            entered: chart.late_binding.then(|| Bits::new(count)),
            phase: Phase::Running,
        };
        let mut step = Step::new(self, snapshot, chooser);
        let states = if chart.late_binding { 1 } else { count };
        (0..states as u32).for_each(|state| step.initialise(StateId(state)));
        execute(&chart.script, &mut step);
        let initial = chart.states[0].initial.as_ref().expect("a chart has an initial state");
        step.enter(&[(StateId::ROOT, &initial.targets)]);
        step.finish()
    }

    /// Within a macro-step: one micro-step, or the end of the macro-step.
    pub(crate) fn advance(&self, from: &Snapshot, chooser: &mut Every) -> (Snapshot, Effects) {
        let mut step = Step::new(self, from.clone(), chooser);
        let mut enabled = step.select(None);
        if enabled.is_empty() {
            if step.snapshot.internal.is_empty() {
                step.snapshot.phase = Phase::Stable;
                return step.finish();
            }
            let event = step.snapshot.internal.remove(0);
            enabled = step.select(Some(&event));
        }
        step.take(&enabled);
        step.finish()
    }

    /// An event arrives, which has been taken from where it waited.
    pub(crate) fn deliver(&self, from: Snapshot, event: &Event, chooser: &mut Every) -> (Snapshot, Effects) {
        let mut step = Step::new(self, from, chooser);
        step.snapshot.event = self.chart.reads_event.then(|| event.clone());
        step.finalize();
        let enabled = step.select(Some(event));
        let goes_on = !enabled.is_empty() || self.chart.reads_event || !step.snapshot.internal.is_empty();
        if goes_on {
            step.snapshot.phase = Phase::Running;
            step.take(&enabled);
        }
        step.finish()
    }
}

struct Step<'a, 'c> {
    steps: &'a Steps<'c>,
    chart: &'c Chart,
    snapshot: Snapshot,
    chooser: &'a mut Every,
    effects: Effects,
    /// What was decided about open conditions while transitions are selected.
    decided: Option<Vec<(Expression, bool)>>,
}

impl<'a, 'c> Step<'a, 'c> {
    fn new(steps: &'a Steps<'c>, snapshot: Snapshot, chooser: &'a mut Every) -> Self {
        let chart = steps.chart;
        Self { steps, chart, snapshot, chooser, effects: Effects::default(), decided: None }
    }

    fn finish(mut self) -> (Snapshot, Effects) {
        if self.snapshot.phase != Phase::Running {
            self.snapshot.event = None;
        }
        (self.snapshot, self.effects)
    }

    fn initialise(&mut self, state: StateId) {
        let chart = self.chart;
        for &variable in &chart.state(state).data {
            let value = match chart.data[variable].value.as_ref().map(|value| evaluate(value, self)) {
                Some(Ok(value)) => value,
                Some(Err(_)) => {
                    self.raise(Event::named(ERROR_EXECUTION));
                    Value::Undefined
                }
                None => Value::Undefined,
            };
            self.write(variable, value);
        }
    }

    fn finalize(&mut self) {
        if !self.chart.invokes {
            return;
        }
        let (chart, active) = (self.chart, self.snapshot.active.clone());
        for block in active.iter().flat_map(|state| &chart.state(state).finalize) {
            if self.chooser.choose(2, None) == 1 {
                execute(block, self);
            }
        }
    }

    /// The transitions that an event (or none) makes happen.
    fn select(&mut self, event: Option<&Event>) -> Vec<TransitionId> {
        let chart = self.chart;
        if let Some(event) = event.filter(|_| chart.reads_event) {
            self.snapshot.event = Some(event.clone());
        }
        let matching = event.map(|event| self.steps.matching(&event.name));
        let waits = |id: TransitionId| match &matching {
            Some(matching) => matching[id.index()],
            None => chart.transition(id).events.is_empty(),
        };
        self.decided = Some(vec![]);
        let mut enabled: Vec<TransitionId> = Vec::new();
        let atomic: Vec<StateId> =
            self.snapshot.active.iter().filter(|&state| chart.is_atomic(state)).collect();
        for state in atomic {
            let around = std::iter::once(state).chain(chart.ancestors(state));
            let mut candidates = around
                .flat_map(|state| chart.state(state).transitions.iter().copied())
                .filter(|&id| waits(id));
            let Some(found) = candidates.by_ref().find(|&id| self.is_open(id)) else { continue };
            self.look_behind(found, candidates);
            if !enabled.contains(&found) {
                enabled.push(found);
            }
        }
        self.decided = None;
        self.preempt(&enabled)
    }

    /// Whether the condition holds.
    fn is_open(&mut self, id: TransitionId) -> bool {
        let holds =
            self.chart.transition(id).condition.as_ref().is_none_or(|condition| decide(condition, self));
        if !holds {
            self.effects.refused.push(id);
        }
        holds
    }

    /// What comes after the transition that was found: hidden by it, or in conflict with it.
    fn look_behind(&mut self, found: TransitionId, others: impl Iterator<Item = TransitionId>) {
        let chart = self.chart;
        let first = chart.transition(found);
        for other in others {
            self.effects.behind.push((other, found));
            let second = chart.transition(other);
            let (Some(one), Some(two)) = (&first.condition, &second.condition) else { continue };
            let differ = first.source == second.source && first.targets != second.targets;
            if differ && self.is_sure(one) && self.is_sure(two) {
                self.effects.conflicts.push((found, other));
            }
        }
    }

    /// Whether a condition is known to hold, and nothing in it is open.
    fn is_sure(&mut self, condition: &Expression) -> bool {
        condition.opaque_parts().is_empty()
            && evaluate(condition, self).is_ok_and(|value| value.truth() == Some(true))
    }

    /// Leaves out transitions that others preempt: inner ones come before outer ones, otherwise the first before the second.
    fn preempt(&mut self, enabled: &[TransitionId]) -> Vec<TransitionId> {
        let mut kept: Vec<(TransitionId, Range<u32>)> = Vec::new();
        for &id in enabled {
            let range = self.exit_range(id);
            let source = self.chart.transition(id).source;
            let meets = |other: &Range<u32>| range.start.max(other.start) < range.end.min(other.end);
            let rival = kept.iter().find(|(other, leaving)| {
                meets(leaving) && !self.is_inside(source, self.chart.transition(*other).source)
            });
            if let Some(&(rival, _)) = rival {
                self.effects.behind.push((id, rival));
                let outer = self.is_inside(self.chart.transition(rival).source, source);
                if !outer {
                    self.effects.conflicts.push((rival, id));
                }
                continue;
            }
            kept.retain(|(_, leaving)| !meets(leaving));
            kept.push((id, range));
        }
        kept.into_iter().map(|(id, _)| id).collect()
    }

    fn is_inside(&self, inner: StateId, outer: StateId) -> bool {
        self.chart.descendants(outer).contains(&inner.0)
    }

    /// The states that a transition leaves are the active ones in this range.
    fn exit_range(&self, id: TransitionId) -> Range<u32> {
        self.domain(id).map_or(0..0, |domain| self.chart.descendants(domain))
    }

    /// The innermost state that stays active; none for a transition without a target.
    fn domain(&self, id: TransitionId) -> Option<StateId> {
        let transition = self.chart.transition(id);
        let targets = self.resolved(&transition.targets);
        let (low, high) = (targets.iter().min()?, targets.iter().max()?);
        let covers = |outer: StateId| {
            let inside = self.chart.descendants(outer);
            inside.contains(&low.0) && inside.contains(&high.0)
        };
        let source = transition.source;
        if transition.internal && self.chart.is_compound(source) && covers(source) {
            return Some(source);
        }
        self.chart.ancestors(source).find(|&outer| self.chart.is_compound(outer) && covers(outer))
    }

    /// Targets with histories replaced by what they stand for.
    fn resolved(&self, targets: &[StateId]) -> Vec<StateId> {
        let mut all = Vec::with_capacity(targets.len());
        for &target in targets {
            match self.remembered(target) {
                Some(states) => all.extend(states),
                None if self.chart.is_history(target) => {
                    let start = self.chart.state(target).initial.as_ref();
                    all.extend(start.map_or_else(Vec::new, |start| self.resolved(&start.targets)));
                }
                None => all.push(target),
            }
        }
        all
    }

    fn remembered(&self, history: StateId) -> Option<&[StateId]> {
        let at = self.snapshot.history.binary_search_by_key(&history, |(known, _)| *known).ok()?;
        Some(&self.snapshot.history[at].1)
    }

    fn take(&mut self, enabled: &[TransitionId]) {
        let chart = self.chart;
        self.effects.taken.extend(enabled);
        let mut leaving = Bits::new(chart.states.len());
        let mut entering: Vec<(StateId, &[StateId])> = Vec::new();
        for &id in enabled {
            if let Some(domain) = self.domain(id) {
                self.snapshot.active.within(chart.descendants(domain)).for_each(|state| {
                    leaving.insert(state);
                });
                entering.push((domain, &chart.transition(id).targets));
            }
        }
        self.leave(&leaving);
        for &id in enabled {
            execute(&chart.transition(id).content, self);
        }
        self.enter(&entering);
    }

    fn leave(&mut self, leaving: &Bits) {
        let chart = self.chart;
        for state in leaving.iter() {
            for &history in &chart.state(state).histories {
                let inside = self.snapshot.active.within(chart.descendants(state));
                let is_deep = chart.state(history).kind == StateKind::DeepHistory;
                let value: Box<[StateId]> = if is_deep {
                    inside.filter(|&inner| chart.is_atomic(inner)).collect()
                } else {
                    inside.filter(|&inner| chart.state(inner).parent == Some(state)).collect()
                };
                match self.snapshot.history.binary_search_by_key(&history, |(known, _)| *known) {
                    Ok(at) => self.snapshot.history[at].1 = value,
                    Err(at) => self.snapshot.history.insert(at, (history, value)),
                }
            }
        }
        let mut states: Vec<StateId> = leaving.iter().collect();
        states.reverse();
        self.effects.left.extend(&states);
        for state in states {
            execute_all(&chart.state(state).onexit, self);
            self.snapshot.active.remove(state);
        }
    }

    /// Enters targets below domains. One ascending pass completes them: what a state needs lies behind it.
    fn enter(&mut self, transitions: &[(StateId, &[StateId])]) {
        let chart = self.chart;
        let mut entry =
            Entry { states: Bits::new(chart.states.len()), default: vec![], from_history: vec![] };
        for &(domain, targets) in transitions {
            for &target in targets {
                self.demand(target, domain, &mut entry);
            }
        }
        let mut next = entry.states.next(0);
        while let Some(state) = next {
            if chart.is_compound(state) && !entry.states.meets(chart.descendants(state)) {
                entry.default.push(state);
                let start = chart.state(state).initial.as_ref();
                for &target in start.map_or(&[][..], |start| &start.targets) {
                    self.demand(target, state, &mut entry);
                }
            } else if chart.state(state).kind == StateKind::Parallel {
                chart.state(state).children.iter().for_each(|&child| {
                    entry.states.insert(child);
                });
            }
            next = entry.states.next(state.0 + 1);
        }
        let states: Vec<StateId> = entry.states.iter().collect();
        for state in states {
            self.enter_one(state, &entry);
        }
        if self.snapshot.phase == Phase::Ended {
            self.end();
        }
    }

    /// A state is to be active, and with it those around it below the domain.
    fn demand(&self, target: StateId, domain: StateId, entry: &mut Entry) {
        let chart = self.chart;
        if chart.is_history(target) {
            if let Some(states) = self.remembered(target) {
                for &state in states {
                    self.demand(state, domain, entry);
                }
                return;
            }
            entry.from_history.push(target);
            let start = chart.state(target).initial.as_ref();
            for &inner in start.map_or(&[][..], |start| &start.targets) {
                self.demand(inner, domain, entry);
            }
            return;
        }
        entry.states.insert(target);
        for outer in chart.ancestors(target).take_while(|&outer| outer != domain) {
            entry.states.insert(outer);
        }
    }

    fn enter_one(&mut self, state: StateId, entry: &Entry) {
        let chart = self.chart;
        self.snapshot.active.insert(state);
        if self.snapshot.entered.as_mut().is_some_and(|entered| entered.insert(state)) {
            self.initialise(state);
        }
        execute_all(&chart.state(state).onentry, self);
        let own = entry.default.contains(&state).then_some(state);
        let history = entry.from_history.iter().copied().find(|&one| chart.state(one).parent == Some(state));
        for start in own.into_iter().chain(history) {
            if let Some(start) = &chart.state(start).initial {
                execute(&start.content, self);
            }
        }
        if chart.state(state).kind == StateKind::Final {
            self.finished(state);
        }
    }

    fn finished(&mut self, state: StateId) {
        let chart = self.chart;
        let parent = chart.state(state).parent.unwrap_or(StateId::ROOT);
        if parent == StateId::ROOT {
            self.snapshot.phase = Phase::Ended;
            return;
        }
        let done = |state: StateId| Event::named(format!("done.state.{}", chart.state(state).name));
        self.raise(done(parent));
        let outer =
            chart.state(parent).parent.filter(|&outer| chart.state(outer).kind == StateKind::Parallel);
        if let Some(outer) = outer.filter(|&outer| self.is_done(outer)) {
            self.raise(done(outer));
        }
    }

    /// Whether a state has come to its end.
    fn is_done(&self, state: StateId) -> bool {
        let mut children = self.chart.state(state).children.iter();
        match self.chart.state(state).kind {
            StateKind::Parallel => children.all(|&child| self.is_done(child)),
            _ => children.any(|&child| {
                self.snapshot.active.contains(child) && self.chart.state(child).kind == StateKind::Final
            }),
        }
    }

    /// The chart has come to its end: all states are left, and nothing is waited for.
    fn end(&mut self) {
        let (chart, active) = (self.chart, self.snapshot.active.clone());
        let mut states: Vec<StateId> = active.iter().collect();
        states.reverse();
        for state in states {
            execute_all(&chart.state(state).onexit, self);
        }
        let snapshot = &mut self.snapshot;
        (snapshot.internal, snapshot.external) = (vec![], vec![]);
        (snapshot.timers, snapshot.astray) = (vec![], vec![]);
    }
}

/// What is to be entered.
struct Entry {
    states: Bits,
    /// Those that are entered by default.
    default: Vec<StateId>,
    /// Histories that have nothing to remember.
    from_history: Vec<StateId>,
}
