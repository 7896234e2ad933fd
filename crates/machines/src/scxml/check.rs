//! What is wrong with a chart: explores it, and says what is never reached and what should not be.

use super::chart::{Chart, Delay, Output, Send, SendTarget, StateId, StateKind, TransitionId};
use super::choice::Every;
use super::content::ERROR_EXECUTION;
use super::environment::{Environment, own_names};
use super::explain;
use super::explore::{Cause, Exploration, Place};
use super::replay::{Goal, replay};
use super::step::Phase;
use super::structure::Reachable;
use crate::{Checked, Finding, Kind, Limits, Located, Note};
use guidepost_language::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Configurations without a way out are named up to this number.
const MOST_DEADLOCKS: usize = 20;

/// Checks a chart.
pub fn check(chart: &Chart, environment: Environment, limits: &Limits) -> Checked {
    let exploration = Exploration::of(chart, environment, limits);
    let mut findings = Findings { chart, exploration: &exploration, list: vec![] };
    if exploration.stop.is_none() {
        findings.states();
        findings.transitions();
        findings.outputs();
    } else {
        findings.by_structure(environment);
    }
    findings.unused();
    findings.conflicts();
    findings.endless();
    findings.deadlocks();
    if exploration.stop.is_none() && !exploration.gap {
        findings.traps();
    }
    let mut list = findings.list;
    list.sort_by_key(|located| (located.span, located.finding.kind));
    Checked {
        states: chart.proper_states().count(),
        transitions: chart.transitions.len(),
        findings: list,
        notes: notes(&exploration, environment),
        stop: exploration.stop,
        explored: exploration.len(),
    }
}

struct Findings<'a> {
    chart: &'a Chart,
    exploration: &'a Exploration<'a>,
    list: Vec<Located>,
}

impl Findings<'_> {
    /// Something that never happens. What is not covered makes it uncertain.
    fn never(&mut self, kind: Kind, place: String, span: Span, because: Vec<String>) {
        let certain = !self.exploration.gap || self.exploration.stop.is_some();
        let finding = Finding { kind, place, evidence: None, certain, because };
        self.list.push(Located { finding, span: Some(span) });
    }

    /// Something that happens; the interpreter has to agree.
    fn shown(
        &mut self,
        kind: Kind,
        place: String,
        span: Option<Span>,
        is_certain: bool,
        path: &[Cause],
        goal: &Goal,
    ) {
        let certain = is_certain && replay(self.chart, path, goal);
        let evidence = Some(path.iter().map(told).collect());
        let finding = Finding { kind, place, evidence, certain, because: vec![] };
        self.list.push(Located { finding, span });
    }

    fn states(&mut self) {
        let never: Vec<StateId> =
            self.chart.proper_states().filter(|&state| !self.exploration.active.contains(state)).collect();
        for state in never {
            let because = explain::state(self.exploration, state);
            let (name, span) = (self.chart.state(state).name.clone(), self.chart.state(state).span);
            self.never(Kind::UnreachableState, name, span, because);
        }
    }

    fn transitions(&mut self) {
        for id in self.chart.transition_ids().filter(|id| !self.exploration.taken[id.index()]) {
            let because = explain::transition(self.exploration, id);
            let label = self.chart.label(id);
            self.never(Kind::DeadTransition, label, self.chart.transition(id).span, because);
        }
    }

    /// What is out of reach whatever the data are; for when not everything was explored.
    fn by_structure(&mut self, environment: Environment) {
        let reachable = Reachable::of(self.chart, environment);
        let because = || vec!["even if all conditions on data hold".to_owned()];
        let states: Vec<StateId> =
            self.chart.proper_states().filter(|&state| !reachable.has_state(state)).collect();
        for state in states {
            let (name, span) = (self.chart.state(state).name.clone(), self.chart.state(state).span);
            self.never(Kind::UnreachableState, name, span, because());
        }
        for id in self.chart.transition_ids().filter(|&id| !reachable.has_transition(id)) {
            self.never(Kind::DeadTransition, self.chart.label(id), self.chart.transition(id).span, because());
        }
    }

    /// Events that the chart would tell, and never does.
    fn outputs(&mut self) {
        let mut named: BTreeMap<&str, (Span, bool)> = BTreeMap::new();
        for (output, told) in self.chart.outputs.iter().zip(&self.exploration.told) {
            named.entry(&output.name).or_insert((output.span, false)).1 |= told;
        }
        for (name, (span, _)) in named.into_iter().filter(|(_, (_, told))| !told) {
            self.never(Kind::DeadOutput, name.to_owned(), span, vec![]);
        }
    }

    /// Events that only the chart itself could hear.
    fn unused(&mut self) {
        let mut seen = BTreeSet::new();
        for output in self.chart.outputs.iter().filter(|output| output.internal && !output.computed) {
            if seen.insert(&output.name) && !self.chart.hears(&output.name) {
                self.never(Kind::UnusedEvent, output.name.clone(), output.span, vec![]);
                if let Some(last) = self.list.last_mut() {
                    last.finding.certain = true;
                }
            }
        }
    }

    fn conflicts(&mut self) {
        for (&(first, second), place) in &self.exploration.conflicts {
            let Place { snapshot, cause, is_certain } = place;
            let mut path = self.exploration.path(*snapshot);
            path.extend(cause.clone());
            let name = format!("{} and {}", self.chart.label(first), self.chart.label(second));
            let span = Some(self.chart.transition(first).span);
            self.shown(Kind::Conflict, name, span, *is_certain, &path, &Goal::Takes(first));
        }
    }

    /// Rings of micro-steps that are sure to happen.
    fn endless(&mut self) {
        let onwards = &self.exploration.onwards;
        let mut seen = BTreeSet::new();
        let mut starts: Vec<u32> = onwards.keys().copied().collect();
        starts.sort_unstable();
        for start in starts {
            let mut way = Vec::new();
            let mut at = start;
            while self.exploration.snapshot(at).phase == Phase::Running && seen.insert(at) {
                way.push(at);
                let Some(&next) = onwards.get(&at) else { break };
                at = next;
            }
            let Some(begin) = way.iter().position(|&one| one == at) else { continue };
            let Some(id) = way[begin..].iter().find_map(|&one| self.taken_at(one)) else { continue };
            let path = self.exploration.path(at);
            let (label, span) = (self.chart.label(id), self.chart.transition(id).span);
            let is_certain = self.exploration.is_certain(at);
            self.shown(Kind::Endless, label, Some(span), is_certain, &path, &Goal::Endless);
        }
    }

    /// A transition that is sure to be taken next.
    fn taken_at(&self, at: u32) -> Option<TransitionId> {
        let mut every = Every::default();
        loop {
            let (_, effects) = self.exploration.steps.advance(self.exploration.snapshot(at), &mut every);
            if !every.is_uncertain() {
                return effects.taken.first().copied();
            }
            if !every.advance() {
                return None;
            }
        }
    }

    fn deadlocks(&mut self) {
        let mut seen = BTreeSet::new();
        for &at in &self.exploration.deadlocks {
            let active: BTreeSet<StateId> = self.exploration.snapshot(at).active.iter().collect();
            let atomic: Vec<StateId> =
                active.iter().copied().filter(|&state| self.chart.is_atomic(state)).collect();
            if seen.len() == MOST_DEADLOCKS || !seen.insert(atomic.clone()) {
                continue;
            }
            let names: Vec<&str> =
                atomic.iter().map(|&state| self.chart.state(state).name.as_str()).collect();
            let span = atomic.first().map(|&state| self.chart.state(state).span);
            let path = self.exploration.path(at);
            let is_certain = self.exploration.is_certain(at);
            self.shown(Kind::Deadlock, names.join(" "), span, is_certain, &path, &Goal::Waits(active));
        }
    }
}

impl Findings<'_> {
    /// States that are entered and never left, and do nothing, while other regions go on.
    fn traps(&mut self) {
        let known: BTreeSet<String> = self
            .list
            .iter()
            .filter(|located| located.finding.kind == Kind::Deadlock)
            .flat_map(|located| located.finding.place.split(' ').map(str::to_owned))
            .collect();
        let traps: Vec<StateId> = self.chart.proper_states().filter(|&state| self.is_trap(state)).collect();
        for state in traps {
            let (name, span) = (self.chart.state(state).name.clone(), self.chart.state(state).span);
            let Some(at) = self.exploration.nearest(state).filter(|_| !known.contains(&name)) else {
                continue;
            };
            let goal = Goal::Waits(self.exploration.snapshot(at).active.iter().collect());
            let (path, is_certain) = (self.exploration.path(at), self.exploration.is_certain(at));
            self.shown(Kind::Deadlock, name, Some(span), is_certain, &path, &goal);
        }
    }

    fn is_trap(&self, id: StateId) -> bool {
        let state = self.chart.state(id);
        let has_siblings = state.parent.is_some_and(|parent| {
            self.chart.is_compound(parent) && self.chart.state(parent).children.len() > 1
        });
        let is_idle = state.transitions.iter().all(|one| !self.exploration.taken[one.index()]);
        let is_proper = self.chart.is_atomic(id) && state.kind != StateKind::Final && has_siblings;
        is_proper && is_idle && self.exploration.active.contains(id) && !self.exploration.left.contains(id)
    }
}

/// An event of a run, as `--run` takes it: `^` before one that comes before what the chart has sent to itself.
fn told(cause: &Cause) -> String {
    format!("{}{}", if cause.overtakes { "^" } else { "" }, cause.event.name)
}

/// What is left open about timers whose delays are known.
fn delays(chart: &Chart) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    let is_timer =
        |send: &&Send| send.target == SendTarget::Itself && matches!(send.delay, Delay::Milliseconds(_));
    for send in chart.sends.iter().filter(is_timer) {
        let Output { name, span, .. } = &chart.outputs[send.output];
        let message =
            format!("`{name}` comes after a delay: it may come at any later time, until it is cancelled");
        if notes.iter().all(|note| note.message != message) {
            notes.push(Note { message, span: Some(*span) });
        }
    }
    notes
}

fn notes(exploration: &Exploration<'_>, environment: Environment) -> Vec<Note> {
    let chart = exploration.steps.chart;
    let mut notes = chart.notes.clone();
    notes.extend(delays(chart));
    notes.sort_by_key(|note| note.span.map_or(u32::MAX, |span| span.start));
    let mut note = |message: String| notes.push(Note { message, span: None });
    let own: Vec<String> = own_names(chart)
        .iter()
        .filter(|name| chart.hears(name) && !name.starts_with(ERROR_EXECUTION))
        .map(|name| format!("`{name}`"))
        .collect();
    if !own.is_empty() && environment == Environment::Closed {
        let (verb, word) = if own.len() == 1 { ("is", "it") } else { ("are", "them") };
        note(format!(
            "{} {verb} made by the chart itself; the environment is taken not to send {word} (`--environment open` lets it)",
            own.join(", ")
        ));
    }
    if exploration.widened {
        let largest = exploration.steps.largest();
        note(format!(
            "numbers are followed from -{largest} to {largest}, and texts up to a length; beyond that, values are unknown"
        ));
    }
    if exploration.gap {
        note(
            "some steps have more outcomes than are followed: what is never reached is not certain"
                .to_owned(),
        );
    }
    if let Some(stop) = exploration.stop {
        note(format!(
            "{}; what is never reached is known only as far as the structure tells",
            stop.describe()
        ));
    }
    notes
}
