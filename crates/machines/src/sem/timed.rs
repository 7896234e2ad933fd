//! A system of machines as a network of timed automata.
//!
//! Machines that no transition connects are automata of their own; their locations are the configurations of the machine, and an event is a broadcast: whoever can move does,
//! and conditions see where the others were before. A transition that leads from one machine to another makes all of them one automaton. A state with timers has a clock that
//! begins anew whenever the state becomes active, and every location knows which timers are still to ring.

use super::hierarchy::Hierarchy;
use super::interpreter::{Configuration, Interpreter};
use super::model::{EventId, Guard, StateId, StateKind, System, TransitionId};
use super::resolve::Places;
use crate::timed::{Arrow, Due, MOST_ARROWS, MOST_PLACES, Part, Place, Plan, Sync, Timed};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::source::{FileId, Span};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A system as a network of timed automata beside an environment that sends events.
///
/// # Errors
/// A machine that has too many configurations, and where it stands.
pub fn timed(system: &System, places: &Places) -> Result<Timed, Diagnostic> {
    let interpreter = Interpreter::new(system);
    let clocked: Vec<StateId> =
        system.state_ids().filter(|state| system.timers.iter().any(|timer| timer.state == *state)).collect();
    let is_offered = |event: &EventId| {
        let is_heard = system.transitions.iter().any(|transition| transition.event == *event);
        system.timer(*event).is_none() && is_heard
    };
    let mut plan = Plan {
        states: system.state_ids().map(|state| system.path(state)).collect(),
        events: system.events.clone(),
        offered: system.event_ids().filter(is_offered).map(EventId::index).collect(),
        clocks: clocked.iter().map(|&state| system.path(state)).collect(),
        ..Plan::default()
    };
    for root in roots(system, interpreter.hierarchy()) {
        let walk = Walk::new(&interpreter, system, root, &clocked);
        let at = places.states.get(root.index()).copied();
        plan.parts.push(walk.run(at.unwrap_or(Span::new(FileId(0), 0, 0)))?);
    }
    Ok(plan.write(Vec::new()))
}

/// The states that become automata: the uppermost with something to choose from, or the whole system where transitions connect these.
fn roots(system: &System, hierarchy: &Hierarchy) -> Vec<StateId> {
    if system.transition_ids().any(|id| hierarchy.scope(id).is_none()) {
        return vec![System::ROOT];
    }
    let mut roots = Vec::new();
    let mut next = vec![System::ROOT];
    while let Some(state) = next.pop() {
        match system.state(state).kind {
            StateKind::Parallel => next.extend(system.state(state).children.iter().rev()),
            StateKind::Serial { .. } | StateKind::History { .. } => roots.push(state),
            StateKind::Primitive => {}
        }
    }
    roots
}

/// Where an automaton is: a configuration of the whole system of which only its own part means something, and the timers that are still to ring.
type Situation = (Configuration, Vec<usize>);

struct Walk<'s> {
    interpreter: &'s Interpreter<'s>,
    system: &'s System,
    root: StateId,
    /// The states with a clock.
    clocked: &'s [StateId],
    /// The transitions of this automaton.
    transitions: Vec<TransitionId>,
    part: Part,
    known: FxHashMap<Situation, usize>,
    waiting: VecDeque<(usize, Situation)>,
}

impl<'s> Walk<'s> {
    fn new(
        interpreter: &'s Interpreter<'s>,
        system: &'s System,
        root: StateId,
        clocked: &'s [StateId],
    ) -> Self {
        let hierarchy = interpreter.hierarchy();
        let is_own = |state: &StateId| *state != System::ROOT && hierarchy.contains(root, *state);
        let transitions =
            system.transition_ids().filter(|id| is_own(&system.transition(*id).source)).collect();
        let part = Part {
            name: if root == System::ROOT { "System".to_owned() } else { system.path(root) },
            states: system.state_ids().filter(is_own).map(StateId::index).collect(),
            starts: vec![0],
            ..Part::default()
        };
        let (known, waiting) = (FxHashMap::default(), VecDeque::new());
        Self { interpreter, system, root, clocked, transitions, part, known, waiting }
    }

    fn run(mut self, at: Span) -> Result<Part, Diagnostic> {
        let initial = self.interpreter.initial();
        let pending = (0..self.system.timers.len()).filter(|&timer| {
            let state = self.system.timers[timer].state;
            self.is_own(state) && self.interpreter.is_active(&initial, state)
        });
        let pending = pending.collect();
        self.place((initial, pending));
        while let Some((from, situation)) = self.waiting.pop_front() {
            self.leave(from, &situation);
            if self.part.places.len() > MOST_PLACES || self.part.arrows.len() > MOST_ARROWS {
                let message = format!(
                    "this machine has more than {MOST_PLACES} configurations or {MOST_ARROWS} edges: that is too much for an automaton"
                );
                let diagnostic = Diagnostic::new(Code::TooLarge, at, message);
                return Err(diagnostic.hint("`guidepost machine` checks it as it is"));
            }
        }
        Ok(self.part)
    }

    fn is_own(&self, state: StateId) -> bool {
        self.interpreter.hierarchy().contains(self.root, state)
    }

    fn is_always_active(&self, state: StateId) -> bool {
        self.interpreter.hierarchy().serial_above(state).is_none()
    }

    /// All edges from a place.
    fn leave(&mut self, from: usize, situation: &Situation) {
        let mut events: Vec<EventId> =
            self.transitions.iter().map(|&id| self.system.transition(id).event).collect();
        events.sort_unstable();
        events.dedup();
        for event in events {
            let timer = self.system.timers.iter().position(|timer| timer.event == event);
            if timer.is_some_and(|timer| !situation.1.contains(&timer)) {
                continue;
            }
            let candidates = self.candidates(&situation.0, event);
            let mut sets = Vec::new();
            self.sets(&candidates, 0, &mut Vec::new(), &mut sets);
            for (fired, guard) in sets {
                self.arrow(from, situation, event, timer, fired, guard);
            }
        }
    }

    /// The transitions that an event may enable here, and what else has to hold of others.
    fn candidates(&self, configuration: &Configuration, event: EventId) -> Vec<(TransitionId, Guard)> {
        let waits = |id: &&TransitionId| {
            let transition = self.system.transition(**id);
            transition.event == event && self.interpreter.is_active(configuration, transition.source)
        };
        let possible = self.transitions.iter().filter(waits);
        possible
            .map(|&id| (id, self.seen(configuration, &self.system.transition(id).guard)))
            .filter(|(_, guard)| *guard != never())
            .collect()
    }

    /// What is left of a condition when the states of this automaton are known.
    fn seen(&self, configuration: &Configuration, guard: &Guard) -> Guard {
        match guard {
            Guard::True => Guard::True,
            Guard::Active(state) if self.is_own(*state) || self.is_always_active(*state) => {
                if self.interpreter.is_active(configuration, *state) { Guard::True } else { never() }
            }
            Guard::Active(_) => guard.clone(),
            Guard::Not(inner) => not(self.seen(configuration, inner)),
            Guard::And(parts) => all(parts.iter().map(|part| self.seen(configuration, part))),
            Guard::Or(parts) => not(all(parts.iter().map(|part| not(self.seen(configuration, part))))),
        }
    }

    /// Collects the sets that may fire, each with what has to hold: all of the set are enabled, and nothing else that could be added.
    fn sets(
        &self,
        candidates: &[(TransitionId, Guard)],
        next: usize,
        chosen: &mut Vec<usize>,
        sets: &mut Vec<(Vec<TransitionId>, Guard)>,
    ) {
        let clash = |one: usize, other: usize| {
            one != other && self.interpreter.hierarchy().clash(candidates[one].0, candidates[other].0)
        };
        if sets.len() > MOST_ARROWS {
            return;
        }
        if next == candidates.len() {
            let others = (0..candidates.len())
                .filter(|at| !chosen.contains(at) && !chosen.iter().any(|&one| clash(*at, one)));
            let wanted = chosen.iter().map(|&at| candidates[at].1.clone());
            let guard = all(wanted.chain(others.map(|at| not(candidates[at].1.clone()))));
            if guard != never() {
                sets.push((chosen.iter().map(|&at| candidates[at].0).collect(), guard));
            }
            return;
        }
        if !chosen.iter().any(|&one| clash(one, next)) {
            chosen.push(next);
            self.sets(candidates, next + 1, chosen, sets);
            chosen.pop();
        }
        // One that is enabled, and that nothing excludes, always fires.
        let has_rivals = (0..candidates.len()).any(|other| clash(next, other));
        if has_rivals || candidates[next].1 != Guard::True {
            self.sets(candidates, next + 1, chosen, sets);
        }
    }

    fn arrow(
        &mut self,
        from: usize,
        (configuration, pending): &Situation,
        event: EventId,
        timer: Option<usize>,
        fired: Vec<TransitionId>,
        guard: Guard,
    ) {
        // Who hears a broadcast and can move must move: so a transition that changes nothing is an edge like others.
        if fired.is_empty() && timer.is_none() {
            return;
        }
        let scopes: Vec<Option<StateId>> =
            fired.iter().map(|&id| self.interpreter.hierarchy().scope(id)).collect();
        let target = self.interpreter.fire(configuration, fired).target;
        let hierarchy = self.interpreter.hierarchy();
        let is_entered = |state: StateId| {
            scopes.iter().any(|scope| scope.is_none_or(|scope| hierarchy.is_above(scope, state)))
        };
        let mut left = Vec::new();
        let mut restarts = Vec::new();
        for (at, one) in self.system.timers.iter().enumerate() {
            if !self.is_own(one.state) || !self.interpreter.is_active(&target, one.state) {
                continue;
            }
            if is_entered(one.state) {
                left.push(at);
                restarts.extend(self.clock(one.state));
            } else if pending.contains(&at) && timer != Some(at) {
                left.push(at);
            }
        }
        restarts.sort_unstable();
        restarts.dedup();
        let to = self.place((target, left));
        let (sync, due) = match timer {
            Some(timer) => {
                let timer = self.system.timers[timer];
                let clock = self.clock(timer.state).unwrap_or_default();
                (Sync::Makes(event.index()), Due::Exactly(clock, timer.time.into()))
            }
            None => (Sync::Hears(event.index()), Due::Always),
        };
        let arrow = Arrow { from, to, sync, guard, due, restarts };
        if self.part.arrows.last() != Some(&arrow) {
            self.part.arrows.push(arrow);
        }
    }

    fn clock(&self, state: StateId) -> Option<usize> {
        self.clocked.iter().position(|&clocked| clocked == state)
    }

    fn place(&mut self, situation: Situation) -> usize {
        if let Some(&at) = self.known.get(&situation) {
            return at;
        }
        let at = self.part.places.len();
        let (configuration, pending) = &situation;
        let own = self.part.states.iter().map(|&state| StateId(state as u32));
        let active: Vec<StateId> =
            own.filter(|&state| self.interpreter.is_active(configuration, state)).collect();
        let leaves = active.iter().filter(|&&state| self.system.state(state).kind == StateKind::Primitive);
        let limits = pending.iter().filter_map(|&timer| {
            let timer = self.system.timers[timer];
            Some((self.clock(timer.state)?, timer.time.into()))
        });
        let place = Place {
            words: leaves.map(|&state| self.below_root(state)).collect(),
            active: active.iter().map(|state| state.index()).collect(),
            limits: limits.collect(),
            ..Place::default()
        };
        self.part.places.push(place);
        self.known.insert(situation.clone(), at);
        self.waiting.push_back((at, situation));
        at
    }

    /// The name of a state with those above it within this automaton.
    fn below_root(&self, state: StateId) -> String {
        let path = self.system.path(state);
        let root = self.system.path(self.root);
        path.strip_prefix(&root).map_or(path.clone(), |rest| rest.trim_start_matches('.').to_owned())
    }
}

fn never() -> Guard {
    Guard::Not(Box::new(Guard::True))
}

fn not(guard: Guard) -> Guard {
    match guard {
        Guard::Not(inner) => *inner,
        other => Guard::Not(Box::new(other)),
    }
}

/// All of them, as far as that is not known yet.
fn all(parts: impl Iterator<Item = Guard>) -> Guard {
    let mut open = Vec::new();
    for part in parts {
        match part {
            Guard::True => {}
            part if part == never() => return never(),
            part => open.push(part),
        }
    }
    match open.len() {
        0 => Guard::True,
        1 => open.remove(0),
        _ => Guard::And(open),
    }
}
