//! The checker against a naive enumeration with the interpreter, on random charts.

mod common;

use common::{Random, chart};
use guidepost_machines::scxml::chart::{StateId, TransitionId};
use guidepost_machines::scxml::{Chart, Environment, Event, Interpreter, Plain, Session, check, load_text};
use guidepost_machines::{Checked, Kind, Limits};
use std::collections::BTreeSet;

/// What an enumeration of sessions has seen.
#[derive(Default)]
struct Seen {
    states: BTreeSet<StateId>,
    left: BTreeSet<StateId>,
    waiting: BTreeSet<StateId>,
    taken: BTreeSet<TransitionId>,
    told: BTreeSet<usize>,
    deadlocks: BTreeSet<String>,
    is_endless: bool,
}

/// Everything that can happen, or nothing if that is too much.
fn enumerate(chart: &Chart, events: &[Event]) -> Option<Seen> {
    let mut seen = Seen::default();
    let mut known: BTreeSet<Session> = BTreeSet::new();
    let mut chooser = Plain::default();
    let mut waiting = vec![];
    let note = |interpreter: Interpreter<'_, Plain>, seen: &mut Seen| {
        seen.states.extend(&interpreter.entered);
        seen.left.extend(&interpreter.left);
        if !interpreter.session.ended && !interpreter.session.endless {
            seen.waiting.extend(&interpreter.session.configuration);
        }
        seen.taken.extend(&interpreter.taken);
        seen.told.extend(&interpreter.told);
        seen.is_endless |= interpreter.session.endless;
        interpreter.session
    };
    let first = note(Interpreter::start(chart, &mut chooser), &mut seen);
    known.insert(first.clone());
    waiting.push(first);
    while let Some(session) = waiting.pop() {
        if session.external.len() > 3 || known.len() > 2000 {
            return None;
        }
        if session.ended || session.endless {
            continue;
        }
        let mut moves = !session.external.is_empty();
        let mut next = vec![];
        let mut interpreter = Interpreter::resume(chart, session.clone(), &mut chooser);
        if interpreter.deliver_own() {
            next.push(note(interpreter, &mut seen));
        }
        for event in events {
            let mut interpreter = Interpreter::resume(chart, session.clone(), &mut chooser);
            interpreter.deliver(event);
            moves |= !interpreter.taken.is_empty();
            next.push(note(interpreter, &mut seen));
        }
        if !moves {
            seen.deadlocks.extend(place(chart, &session));
        }
        for session in next {
            if known.insert(session.clone()) {
                waiting.push(session);
            }
        }
    }
    Some(seen)
}

/// The atomic states, unless all of them are final.
fn place(chart: &Chart, session: &Session) -> Option<String> {
    let atomic: Vec<&StateId> =
        session.configuration.iter().filter(|state| chart.is_atomic(**state)).collect();
    let is_final =
        |state: &&StateId| chart.state(**state).kind == guidepost_machines::scxml::chart::StateKind::Final;
    let names: Vec<&str> = atomic.iter().map(|state| chart.state(**state).name.as_str()).collect();
    (!atomic.iter().all(is_final)).then(|| names.join(" "))
}

/// States that are never left and never do anything, in which the chart waits.
fn traps(chart: &Chart, seen: &Seen) -> Vec<String> {
    let is_trap = |&state: &StateId| {
        let here = chart.state(state);
        let siblings = here.parent.map_or(0, |parent| {
            if chart.is_compound(parent) { chart.state(parent).children.len() } else { 0 }
        });
        let acts = here.transitions.iter().any(|id| seen.taken.contains(id));
        let is_final = here.kind == guidepost_machines::scxml::chart::StateKind::Final;
        chart.is_atomic(state)
            && !is_final
            && siblings > 1
            && !acts
            && seen.waiting.contains(&state)
            && !seen.left.contains(&state)
    };
    let traps = chart.proper_states().filter(is_trap);
    traps.map(|state| chart.state(state).name.clone()).collect()
}

fn places(checked: &Checked, kind: Kind) -> Vec<String> {
    let of_kind = checked.findings.iter().filter(|located| located.finding.kind == kind);
    let mut places: Vec<String> = of_kind.map(|located| located.finding.place.clone()).collect();
    places.sort();
    places
}

fn compare(text: &str, seed: u64) -> bool {
    let loaded = load_text("random.scxml", text);
    assert!(!loaded.diagnostics.has_errors(), "{seed}: {:?}\n{text}", loaded.diagnostics);
    let chart = &loaded.chart;
    let is_own = |name: &str| chart.outputs.iter().any(|output| output.name == name);
    let waits = |name: &str| chart.transitions.iter().flat_map(|one| &one.events).any(|one| &*one.0 == name);
    let named = ["a", "b", "c", "a.x", "in", "in.x", "own"].into_iter();
    let named = named.filter(|name| waits(name) && !is_own(name));
    let events: Vec<Event> = named.chain(waits("*").then_some("other")).map(Event::named).collect();
    let Some(seen) = enumerate(chart, &events) else { return false };
    let checked = check(chart, Environment::Closed, &Limits::default());
    // Events that become more and more are not followed: then nothing is said for certain.
    let is_certain = checked.findings.iter().all(|located| located.finding.certain);
    if seen.is_endless && !is_certain {
        return false;
    }
    assert!(is_certain, "{seed}: {:?}\n{text}", checked.findings);
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    let states = chart.proper_states().filter(|state| !seen.states.contains(state));
    let states = sorted(states.map(|state| chart.state(state).name.clone()).collect());
    assert_eq!(places(&checked, Kind::UnreachableState), states, "states, {seed}\n{text}");
    let dead = chart.transition_ids().filter(|id| !seen.taken.contains(id));
    let dead = sorted(dead.map(|id| chart.label(id)).collect());
    assert_eq!(places(&checked, Kind::DeadTransition), dead, "transitions, {seed}\n{text}");
    let mut deadlocks: Vec<String> = seen.deadlocks.iter().cloned().collect();
    let words: BTreeSet<String> =
        deadlocks.iter().flat_map(|place| place.split(' ')).map(str::to_owned).collect();
    deadlocks.extend(traps(chart, &seen).into_iter().filter(|name| !words.contains(name)));
    if deadlocks.len() < 20 {
        assert_eq!(places(&checked, Kind::Deadlock), sorted(deadlocks), "deadlocks, {seed}\n{text}");
    }
    assert_eq!(!places(&checked, Kind::Endless).is_empty(), seen.is_endless, "endless, {seed}\n{text}");
    let early = check(chart, Environment::Closed, &Limits { states: Some(0), ..Limits::default() });
    for kind in [Kind::UnreachableState, Kind::DeadTransition] {
        let all = places(&checked, kind);
        let is_known = places(&early, kind).iter().all(|place| all.contains(place));
        assert!(is_known, "by structure, {seed}\n{text}");
    }
    let told: BTreeSet<&str> = seen.told.iter().map(|&output| chart.outputs[output].name.as_str()).collect();
    let silent: BTreeSet<&str> =
        chart.outputs.iter().map(|output| output.name.as_str()).filter(|name| !told.contains(name)).collect();
    assert_eq!(places(&checked, Kind::DeadOutput), Vec::from_iter(silent), "outputs, {seed}\n{text}");
    true
}

#[test]
fn the_checker_agrees_with_the_interpreter() {
    let compared = (0..3000).filter(|&seed| compare(&chart(&mut Random::new(seed)), seed)).count();
    assert!(compared > 2000, "{compared} charts were small enough");
}
