//! Random walks by the interpreter: most of what is reachable is easily reached, and needs no proof.

use guidepost_machines::sem::{Configuration, EventId, Interpreter, StateId, System, TransitionId};
use rustc_hash::FxHashSet;

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// For every state, whether it was active.
    pub(crate) states: Vec<bool>,
    /// For every transition, whether it was enabled.
    pub(crate) transitions: Vec<bool>,
    /// Transitions that exclude each other and were enabled together, the smaller first.
    pub(crate) pairs: FxHashSet<(TransitionId, TransitionId)>,
}

/// Steps for every transition of the system, and steps of one walk.
const STEPS: usize = 2;
const LENGTH: usize = 200;

impl Seen {
    pub(crate) fn nothing(system: &System) -> Self {
        let (states, transitions) = (vec![false; system.states.len()], vec![false; system.transitions.len()]);
        Self { states, transitions, pairs: FxHashSet::default() }
    }
}

/// Walks from the start again and again; `goes_on` says whether there is time. The same system is always walked through in the same way.
pub(crate) fn walk(system: &System, interpreter: &Interpreter, mut goes_on: impl FnMut() -> bool) -> Seen {
    let mut seen = Seen::nothing(system);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    let mut now = interpreter.initial();
    for step in 0..STEPS * system.transitions.len().max(LENGTH / STEPS) {
        if !goes_on() {
            break;
        }
        let (enabled, fresh) = look(system, interpreter, &now, &mut seen);
        let from = if fresh.is_empty() { &enabled } else { &fresh };
        if from.is_empty() || step % LENGTH == LENGTH - 1 {
            now = interpreter.initial();
            continue;
        }
        let mut steps = interpreter.steps(&now, from[random(from.len())]);
        let chosen = random(steps.len());
        now = steps.swap_remove(chosen).target;
    }
    seen
}

/// Notes what is seen here. Returns the events that enable something, and those that enable something for the first time.
fn look(
    system: &System,
    interpreter: &Interpreter,
    now: &Configuration,
    seen: &mut Seen,
) -> (Vec<EventId>, Vec<EventId>) {
    for state in (0..system.states.len() as u32).map(StateId) {
        seen.states[state.index()] = seen.states[state.index()] || interpreter.is_active(now, state);
    }
    let (mut some, mut fresh) = (Vec::new(), Vec::new());
    for event in system.event_ids() {
        let enabled = interpreter.enabled(now, event);
        if enabled.is_empty() {
            continue;
        }
        some.push(event);
        if enabled.iter().any(|id| !seen.transitions[id.index()]) {
            fresh.push(event);
        }
        for (at, &one) in enabled.iter().enumerate() {
            seen.transitions[one.index()] = true;
            let rivals = enabled[at + 1..].iter().filter(|&&other| interpreter.hierarchy().clash(one, other));
            seen.pairs.extend(rivals.map(|&other| (one, other)));
        }
    }
    (some, fresh)
}
