//! From the tree of a file to a system: names find what they mean.

use super::model::{EventId, Guard, OutputId, StateId, StateKind, System, Transition};
use super::names::{Names, Unresolved};
use super::syntax::{Arrow, Block, BlockKind, Condition, File, Ident, Path, Trigger};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::Span;
use guidepost_language::suggest;
use std::collections::HashMap;

/// Where the parts of a system stand in its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The name of each state; the root has none.
    pub states: Vec<Span>,
    /// Each transition.
    pub transitions: Vec<Span>,
    /// The name of each event; for that of a timer, a transition that waits for it.
    pub events: Vec<Span>,
    /// The name of each output.
    pub outputs: Vec<Span>,
}

/// The system of a file. It means something only if no error is reported.
pub(crate) fn resolve(file: &File, whole: Span, out: &mut Diagnostics) -> (System, Places) {
    let mut resolver = Resolver {
        system: System::default(),
        places: Places { states: vec![whole], ..Places::default() },
        names: Names::default(),
        is_damaged: false,
        out,
    };
    let mut blocks = Vec::new();
    resolver.states(System::ROOT, &file.top, &mut blocks);
    resolver.names = Names::of(&resolver.system);
    let events = resolver.declare(&file.events, "event");
    let outputs = resolver.declare(&file.outputs, "output");
    resolver.system.events = events.names.iter().map(|name| name.name.clone()).collect();
    resolver.system.outputs = outputs.names.iter().map(|name| name.name.clone()).collect();
    resolver.places.events = events.names.iter().map(|name| name.span).collect();
    for (state, block) in blocks {
        for arrow in &block.arrows {
            resolver.arrow(state, arrow, &events, &outputs);
        }
    }
    resolver.places.outputs = outputs.names.iter().map(|name| name.span).collect();
    if file.top.states.is_empty() && !file.top.is_damaged {
        let diagnostic = Diagnostic::new(Code::MissingSystem, whole, "there is no machine in this file");
        resolver.out.push(diagnostic.hint("a machine is `machine NAME { state NAME; … }`"));
    }
    let Resolver { system, places, .. } = resolver;
    (system, places)
}

/// Declared names, each once.
struct Declared<'f> {
    what: &'static str,
    names: Vec<&'f Ident>,
    numbers: HashMap<&'f str, u32>,
}

struct Resolver<'o> {
    system: System,
    places: Places,
    names: Names,
    /// Something could not be read, so that names may be missing.
    is_damaged: bool,
    out: &'o mut Diagnostics,
}

impl Resolver<'_> {
    fn declare<'f>(&mut self, idents: &'f [Ident], what: &'static str) -> Declared<'f> {
        let mut declared = Declared { what, names: Vec::new(), numbers: HashMap::new() };
        for ident in idents {
            if let Some(&first) = declared.numbers.get(ident.name.as_str()) {
                let message = format!("the {what} `{}` is declared twice", ident.name);
                let first = declared.names[first as usize].span;
                self.out.push(
                    Diagnostic::new(Code::DuplicateName, ident.span, message).related(first, "first here"),
                );
            } else {
                declared.numbers.insert(&ident.name, declared.names.len() as u32);
                declared.names.push(ident);
            }
        }
        declared
    }

    /// Adds the states of a block, and collects the blocks below it.
    fn states<'f>(&mut self, parent: StateId, block: &'f Block, blocks: &mut Vec<(StateId, &'f Block)>) {
        self.is_damaged |= block.is_damaged;
        blocks.push((parent, block));
        let mut known: HashMap<&str, Span> = HashMap::new();
        for declaration in &block.states {
            let name = &declaration.name;
            if let Some(first) = known.insert(&name.name, name.span) {
                let message = format!("there are two states `{}` here", name.name);
                let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
                self.out.push(diagnostic.related(first, "the first one is here"));
                continue;
            }
            let id = self.system.add_state(parent, &name.name);
            self.places.states.push(name.span);
            let Some(inner) = &declaration.block else { continue };
            self.states(id, inner, blocks);
            self.kind(id, declaration.kind, inner);
        }
    }

    /// Settles how the children of a state are active.
    fn kind(&mut self, state: StateId, kind: BlockKind, block: &Block) {
        let at = self.places.states[state.index()];
        let name = self.system.state(state).name.clone();
        let children = self.system.state(state).children.clone();
        let default = block.default.as_ref().and_then(|default| {
            let found = children.iter().find(|child| self.system.state(**child).name == default.name);
            if found.is_none() && !block.is_damaged {
                let message = format!("`{name}` has no state `{}`", default.name);
                let near = children.iter().map(|child| self.system.state(*child).name.as_str());
                let near = suggest::nearest(&default.name, near).map(str::to_owned);
                self.out.push(mean(Diagnostic::new(Code::UnknownName, default.span, message), near));
            }
            found.copied()
        });
        let Some(&first) = children.first() else {
            if !block.is_damaged {
                let diagnostic = Diagnostic::new(Code::NoStates, at, format!("`{name}` has no states"));
                self.out.push(diagnostic.hint("a state without states in it is `state NAME;`"));
            }
            return;
        };
        let default_child = default.unwrap_or(first);
        self.system.states[state.index()].kind = match kind {
            BlockKind::Serial => StateKind::Serial { default: default_child },
            BlockKind::History => StateKind::History { default: default_child },
            BlockKind::Parallel => StateKind::Parallel,
        };
        if let (BlockKind::Parallel, Some(written)) = (kind, &block.default) {
            let message = format!("all states of `{name}` are active together: none of them is the default");
            self.out.push(Diagnostic::new(Code::UnexpectedToken, written.span, message));
        }
    }

    fn arrow(&mut self, from: StateId, arrow: &Arrow, events: &Declared, outputs: &Declared) {
        let source = self.state(from, &arrow.source);
        let target = self.state(from, &arrow.target);
        let guard = self.guard(from, &arrow.condition);
        let on: Vec<EventId> = match &arrow.trigger {
            Trigger::On(names) => {
                names.iter().filter_map(|event| self.declared(event, events)).map(EventId).collect()
            }
            Trigger::After(time) => {
                source.map(|source| self.timer(source, *time, arrow.span)).into_iter().collect()
            }
        };
        let mut generated = Vec::new();
        for (times, output) in &arrow.outputs {
            if let Some(output) = self.declared(output, outputs) {
                generated.extend(std::iter::repeat_n(OutputId(output), *times as usize));
            }
        }
        let (Some(source), Some(target), Some(guard)) = (source, target, guard) else { return };
        for event in on {
            let (guard, outputs) = (guard.clone(), generated.clone());
            self.system.add_transition(Transition { source, event, guard, outputs, target });
            self.places.transitions.push(arrow.span);
        }
    }

    /// The event of a timer; its place is the first transition that waits for it.
    fn timer(&mut self, state: StateId, time: u32, span: Span) -> EventId {
        let event = self.system.add_timer(state, time);
        if event.index() == self.places.events.len() {
            self.places.events.push(span);
        }
        event
    }

    fn declared(&mut self, ident: &Ident, declared: &Declared) -> Option<u32> {
        let found = declared.numbers.get(ident.name.as_str()).copied();
        if found.is_none() && !self.is_damaged {
            let what = declared.what;
            let message = format!("the {what} `{}` is not declared", ident.name);
            let diagnostic = Diagnostic::new(Code::UnknownName, ident.span, message);
            let near = suggest::nearest(&ident.name, declared.names.iter().map(|name| name.name.as_str()));
            self.out.push(match near {
                Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
                None => diagnostic.hint(format!("declare it: `{what} {};`", ident.name)),
            });
        }
        found
    }

    fn guard(&mut self, from: StateId, condition: &Condition) -> Option<Guard> {
        Some(match condition {
            Condition::True => Guard::True,
            Condition::Active(path) => Guard::Active(self.state(from, path)?),
            Condition::Not(inner) => Guard::Not(Box::new(self.guard(from, inner)?)),
            Condition::And(parts) => Guard::And(self.guards(from, parts)?),
            Condition::Or(parts) => Guard::Or(self.guards(from, parts)?),
        })
    }

    /// All of them, so that each says what is wrong with it.
    fn guards(&mut self, from: StateId, parts: &[Condition]) -> Option<Vec<Guard>> {
        let guards: Vec<_> = parts.iter().map(|part| self.guard(from, part)).collect();
        guards.into_iter().collect()
    }

    fn state(&mut self, from: StateId, path: &Path) -> Option<StateId> {
        let parts = path.parts.iter().map(|part| part.name.as_str());
        let wrong = match self.names.resolve(&self.system, from, path.from_top, parts) {
            Ok(state) => return Some(state),
            Err(wrong) => wrong,
        };
        if self.is_damaged && !matches!(wrong, Unresolved::Ambiguous(_)) {
            return None;
        }
        let diagnostic = match wrong {
            Unresolved::Unknown => {
                let ident = &path.parts[0];
                let message = format!("there is no state `{}`", ident.name);
                let all = self.system.states.iter().map(|state| state.name.as_str());
                let near = suggest::nearest(&ident.name, all).map(str::to_owned);
                mean(Diagnostic::new(Code::UnknownName, ident.span, message), near)
            }
            Unresolved::Ambiguous(states) => {
                let ident = &path.parts[0];
                let message = format!("several states have the name `{}`", ident.name);
                let mut diagnostic = Diagnostic::new(Code::AmbiguousName, ident.span, message);
                for state in states.iter().take(3) {
                    diagnostic = diagnostic.related(self.places.states[state.index()], "one of them");
                }
                diagnostic.hint(format!("say which, for example `{}`", self.system.path(states[0])))
            }
            Unresolved::NoChild(state, place) => {
                let ident = &path.parts[place];
                let message = format!("`{}` has no state `{}`", self.system.path(state), ident.name);
                let children = self.system.state(state).children.iter();
                let near = children.map(|child| self.system.state(*child).name.as_str());
                let near = suggest::nearest(&ident.name, near).map(str::to_owned);
                mean(Diagnostic::new(Code::UnknownName, ident.span, message), near)
            }
        };
        self.out.push(diagnostic);
        None
    }
}

/// The message, with a name that may have been meant.
fn mean(diagnostic: Diagnostic, near: Option<String>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}
