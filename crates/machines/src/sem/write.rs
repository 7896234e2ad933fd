//! A system as the text of a `.sem` file. Reading it gives the same system, except that transitions (and with them the events of timers) may stand in another order.

use super::model::{EventId, Guard, OutputId, StateId, StateKind, System, TransitionId};
use super::names::Names;
use std::fmt::Write;

/// The text of a system.
#[must_use]
pub fn write(system: &System) -> String {
    let mut text = String::new();
    let is_declared = |id: &EventId| system.timer(*id).is_none();
    let events: Vec<String> =
        system.event_ids().filter(is_declared).map(|id| system.event(id).to_owned()).collect();
    for (word, names) in [("event", &events), ("output", &system.outputs)] {
        for line in names.chunks(12) {
            let _ = writeln!(text, "{word} {};", line.join(", "));
        }
    }
    let mut at_home = vec![Vec::new(); system.states.len()];
    for id in system.transition_ids() {
        at_home[home(system, id).index()].push(id);
    }
    let writer = Writer { system, names: Names::of(system), at_home };
    for &child in &system.state(System::ROOT).children {
        text.push('\n');
        writer.state(&mut text, child, 0);
    }
    if !writer.at_home[0].is_empty() {
        text.push('\n');
        writer.transitions(&mut text, System::ROOT, 0);
    }
    text
}

/// The block in which a transition is written: that of the lowest state with both ends in it.
fn home(system: &System, id: TransitionId) -> StateId {
    let transition = system.transition(id);
    let above: Vec<StateId> = system.ancestors(transition.target).skip(1).collect();
    let common = system.ancestors(transition.source).skip(1).find(|state| above.contains(state));
    common.unwrap_or(System::ROOT)
}

struct Writer<'s> {
    system: &'s System,
    names: Names,
    at_home: Vec<Vec<TransitionId>>,
}

impl Writer<'_> {
    fn state(&self, text: &mut String, id: StateId, depth: usize) {
        let state = self.system.state(id);
        let indent = "    ".repeat(depth);
        let beside = state.parent.is_some_and(|parent| self.system.state(parent).kind == StateKind::Parallel);
        let word = match state.kind {
            StateKind::Primitive => {
                let _ = writeln!(text, "{indent}state {};", state.name);
                return;
            }
            StateKind::Serial { .. } if beside => "machine",
            StateKind::Serial { .. } => "state",
            StateKind::History { .. } => "history",
            StateKind::Parallel => "parallel",
        };
        let _ = writeln!(text, "{indent}{word} {} {{", state.name);
        if let Some(default) = self.system.default_child(id).filter(|child| *child != state.children[0]) {
            let _ = writeln!(text, "{indent}    default {};", self.system.state(default).name);
        }
        for &child in &state.children {
            self.state(text, child, depth + 1);
        }
        self.transitions(text, id, depth + 1);
        let _ = writeln!(text, "{indent}}}");
    }

    fn transitions(&self, text: &mut String, block: StateId, depth: usize) {
        let indent = "    ".repeat(depth);
        for &id in &self.at_home[block.index()] {
            let transition = self.system.transition(id);
            let source = self.path(block, transition.source);
            let target = self.path(block, transition.target);
            let _ = write!(text, "{indent}{source} -> {target} {}", self.trigger(transition.event));
            if transition.guard != Guard::True {
                let _ = write!(text, " if {}", self.guard(block, &transition.guard, 0));
            }
            if !transition.outputs.is_empty() {
                let _ = write!(text, " / {}", self.outputs(&transition.outputs));
            }
            text.push_str(";\n");
        }
    }

    fn trigger(&self, event: EventId) -> String {
        match self.system.timer(event) {
            Some(timer) => format!("after {}", timer.time),
            None => format!("on {}", self.system.event(event)),
        }
    }

    fn outputs(&self, outputs: &[OutputId]) -> String {
        let runs = outputs.chunk_by(|one, other| one == other);
        let words = runs.map(|run| {
            let name = &self.system.outputs[run[0].index()];
            if run.len() == 1 { name.clone() } else { format!("{} {name}", run.len()) }
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// `strength`: 0 takes everything, 1 a conjunction, 2 only what needs no parentheses at all.
    fn guard(&self, block: StateId, guard: &Guard, strength: u8) -> String {
        let join = |parts: &[Guard], word: &str, own: u8| {
            let parts: Vec<String> = parts.iter().map(|part| self.guard(block, part, own + 1)).collect();
            let text = parts.join(word);
            if own < strength || parts.len() < 2 { format!("({text})") } else { text }
        };
        match guard {
            Guard::True => "true".to_owned(),
            Guard::Active(state) => self.path(block, *state),
            Guard::Not(inner) if **inner == Guard::True => "false".to_owned(),
            Guard::Not(inner) => format!("not {}", self.guard(block, inner, 2)),
            Guard::And(parts) if parts.is_empty() => "true".to_owned(),
            Guard::Or(parts) if parts.is_empty() => "false".to_owned(),
            Guard::And(parts) => join(parts, " and ", 1),
            Guard::Or(parts) => join(parts, " or ", 0),
        }
    }

    /// The shortest path that means the state in the block.
    fn path(&self, block: StateId, state: StateId) -> String {
        let whole = self.system.path(state);
        let parts: Vec<&str> = whole.split('.').collect();
        let is_right = |parts: &[&str]| {
            self.names.resolve(self.system, block, false, parts.iter().copied()) == Ok(state)
        };
        let suffixes = (0..parts.len()).rev().map(|from| &parts[from..]);
        match suffixes.into_iter().find(|parts| is_right(parts)) {
            Some(parts) => parts.join("."),
            None => format!(".{whole}"),
        }
    }
}
