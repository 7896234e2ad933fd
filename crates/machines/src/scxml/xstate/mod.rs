//! Machines as `XState` writes them: the configuration of `createMachine`, in JSON.
//!
//! A file becomes the elements that SCXML has for the same thing, each with its place in the JSON, and is read on from there. What has no
//! counterpart is reported. Targets mean what they mean in `XState` 5: a transition does not leave its source if that is (around) its
//! target, unless `reenter` says so; files with words of version 4 (`cond`, `internal`) are read as that version does.

mod json;
mod states;

use crate::Note;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::read::markup::{Attribute, Element};
use guidepost_language::source::{FileId, Span};
use guidepost_language::suggest::nearest;
use json::{Json, Member, Value};
use states::{Found, States};

/// Members of a state that mean something here, or that say nothing about its behaviour.
const STATE: &[&str] = &[
    "after",
    "always",
    "context",
    "description",
    "entry",
    "exit",
    "history",
    "id",
    "initial",
    "invoke",
    "key",
    "meta",
    "on",
    "onDone",
    "output",
    "data",
    "states",
    "tags",
    "target",
    "type",
    "version",
    "order",
    "schema",
    "tsTypes",
    "types",
    "input",
    "strict",
    "delimiter",
    "predictableActionArguments",
    "preserveActionOrder",
    "guards",
    "actions",
    "actors",
    "delays",
    "onEntry",
    "onExit",
    "$schema",
];
/// Members of a transition.
const TRANSITION: &[&str] = &[
    "target",
    "guard",
    "cond",
    "in",
    "actions",
    "reenter",
    "internal",
    "description",
    "meta",
    "delay",
    "event",
];
/// Members of an invocation.
const INVOKE: &[&str] = &[
    "src",
    "id",
    "onDone",
    "onError",
    "onSnapshot",
    "input",
    "data",
    "autoForward",
    "systemId",
    "syncSnapshot",
    "type",
];

/// The chart of a JSON text as elements of SCXML, and what is not modelled; nothing if it is no machine.
pub(super) fn elements(file: FileId, text: &str, out: &mut Diagnostics) -> Option<(Element, Vec<Note>)> {
    let json = json::parse(file, text, out)?;
    if json.get("states").is_none() {
        let message = "this is no machine of XState: it has no `states`";
        out.push(Diagnostic::new(Code::UnknownFormat, Span::new(file, 0, 0), message));
        return None;
    }
    let states = States::collect(&json);
    let is_old = has_old_words(&json, false);
    let mut converter = Converter { states, is_old, events: Vec::new(), has_actions: None, out };
    let root = converter.machine();
    converter.tell_events_apart();
    let message =
        "actions are code and not executed: events that they raise are taken to come from the environment";
    let notes = converter.has_actions.map(|span| Note { message: message.to_owned(), span: Some(span) });
    Some((root, notes.into_iter().collect()))
}

/// Whether a transition has a member of version 4. `is_map`: whether the members are names that the author has chosen.
fn has_old_words(json: &Json, is_map: bool) -> bool {
    let is_old = |member: &Member| !is_map && matches!(member.key.as_str(), "cond" | "internal");
    let maps = ["states", "on", "after", "context", "meta", "data", "input"];
    let below =
        |member: &Member| has_old_words(&member.value, !is_map && maps.contains(&member.key.as_str()));
    match &json.value {
        Value::List(list) => list.iter().any(|one| has_old_words(one, false)),
        _ => json.members().iter().any(|member| is_old(member) || below(member)),
    }
}

struct Converter<'j, 'o> {
    states: States<'j>,
    /// Whether the words are those of version 4.
    is_old: bool,
    /// The events that transitions wait for, as they are written.
    events: Vec<(String, Span)>,
    /// The first action.
    has_actions: Option<Span>,
    out: &'o mut Diagnostics,
}

impl Converter<'_, '_> {
    fn machine(&mut self) -> Element {
        let json = self.states.json(0);
        let mut root = Element::empty("scxml", Span::new(json.span.file, json.span.start, json.span.start));
        if let Some(name) = json.get("id").and_then(Json::text) {
            attribute(&mut root, "name", name, json.span);
        }
        let acts = ["on", "always", "after", "invoke", "onDone"].iter().any(|key| json.get(key).is_some());
        let is_parallel = json.get("type").and_then(Json::text) == Some("parallel");
        if !(acts || is_parallel) {
            let inner = self.state(0);
            root.children = inner.children;
            root.attributes.extend(inner.attributes.into_iter().filter(|one| one.name == "initial"));
            return root;
        }
        // SCXML's outermost element has no transitions and no regions.
        self.states.keep_root();
        let mut inner = self.state(0);
        let has_end = self.states.children(0).iter().any(|&child| self.states.kind(child) == Some("final"));
        if has_end || is_parallel {
            let mut last = Element::empty("transition", inner.tag);
            let name = self.states.name(0).to_owned();
            attribute(&mut last, "event", &format!("done.state.{name}"), inner.tag);
            attribute(&mut last, "target", "(end)", inner.tag);
            inner.children.insert(0, last);
            let mut end = Element::empty("final", inner.tag);
            attribute(&mut end, "id", "(end)", inner.tag);
            root.children.push(inner);
            root.children.push(end);
        } else {
            root.children.push(inner);
        }
        root
    }

    fn state(&mut self, at: usize) -> Element {
        let json = self.states.json(at);
        self.check_members(json, STATE, "a state");
        let kind = json.get("type").or_else(|| json.get("history"));
        let tag = match json.get("type").and_then(Json::text) {
            Some("parallel") => "parallel",
            Some("final") => "final",
            Some("history") => "history",
            None if json.get("history").is_some() => "history",
            None | Some("atomic" | "compound") => "state",
            Some(other) => {
                let message = format!("`{other}` is no type of a state");
                let span = kind.map_or(json.span, |kind| kind.span);
                self.out.push(Diagnostic::new(Code::UnknownName, span, message));
                "state"
            }
        };
        let mut element = Element::empty(tag, self.states.span(at));
        if at != 0 || self.states.keeps_root() {
            let name = self.states.name(at).to_owned();
            attribute(&mut element, "id", &name, self.states.span(at));
        }
        if tag == "history" {
            self.history(at, json, &mut element);
            return element;
        }
        self.behaviour(at, json, &mut element);
        if tag == "state" && !self.states.children(at).is_empty() {
            self.initial(at, json, &mut element);
        }
        for child in self.states.children(at).to_vec() {
            let inner = self.state(child);
            element.children.push(inner);
        }
        element
    }

    fn initial(&mut self, at: usize, json: &Json, element: &mut Element) {
        let given = json.get("initial");
        let target = given.map(|given| given.get("target").unwrap_or(given));
        let Some(target) = target.filter(|target| target.text().is_some()) else {
            let message = format!("`{}` has no `initial`: its first state is taken", self.states.name(at));
            self.out.push(Diagnostic::new(Code::OutsideTheStandard, self.states.span(at), message));
            return;
        };
        let path = target.text().unwrap_or_default();
        let found = if path.starts_with('#') { self.states.by_id(path) } else { self.states.below(at, path) };
        if let Some(found) = self.resolved(found, path, target.span) {
            let name = self.states.name(found).to_owned();
            attribute(element, "initial", &name, target.span);
        }
    }

    fn history(&mut self, at: usize, json: &Json, element: &mut Element) {
        let is_deep = json.get("history").and_then(Json::text) == Some("deep");
        attribute(element, "type", if is_deep { "deep" } else { "shallow" }, json.span);
        let parent = self.states.parent(at).unwrap_or(0);
        let found = if let Some(target) = json.get("target") {
            let path = target.text().unwrap_or_default();
            let found = self.states.resolve(at, path);
            self.resolved(found, path, target.span)
        } else {
            let initial = self.states.json(parent).get("initial").and_then(Json::text);
            let first = self.states.children(parent).iter().copied().find(|&child| child != at);
            initial.and_then(|path| self.states.below(parent, path).ok()).or(first)
        };
        let mut transition = Element::empty("transition", element.tag);
        if let Some(found) = found {
            let name = self.states.name(found).to_owned();
            attribute(&mut transition, "target", &name, element.tag);
        }
        element.children.push(transition);
    }

    /// What a state does: transitions, timers, invocations.
    fn behaviour(&mut self, at: usize, json: &Json, element: &mut Element) {
        for key in ["entry", "exit", "onEntry", "onExit"] {
            let action = json.get(key);
            self.has_actions = self.has_actions.or(action.map(|action| action.span));
        }
        if let Some(on) = json.get("on") {
            for member in on.members() {
                let event = member.key.as_str();
                if event.is_empty() {
                    self.transitions(at, None, &member.value, element);
                    continue;
                }
                self.events.push((event.to_owned(), member.key_span));
                self.transitions(at, Some((event, member.key_span)), &member.value, element);
            }
        }
        if let Some(always) = json.get("always") {
            self.transitions(at, None, always, element);
        }
        if let Some(after) = json.get("after") {
            self.timers(at, after, element);
        }
        if let Some(done) = json.get("onDone") {
            let event = format!("done.state.{}", self.states.name(at));
            self.transitions(at, Some((&event, done.span)), done, element);
        }
        let invocations = json.get("invoke").map_or(&[][..], Json::list);
        for (number, invoke) in invocations.iter().enumerate() {
            self.invoke(at, number, invoke, element);
        }
    }

    /// `after`: a timer that begins when the state is entered, and ends when it is left.
    fn timers(&mut self, at: usize, after: &Json, element: &mut Element) {
        let mut delays: Vec<(String, &Json)> =
            after.members().iter().map(|member| (member.key.clone(), &member.value)).collect();
        for one in after.list().iter().filter(|one| one.get("delay").is_some()) {
            let delay = match one.get("delay").map(|delay| &delay.value) {
                Some(Value::Number(number)) => number.clone(),
                Some(Value::Text(text)) => text.clone(),
                _ => continue,
            };
            delays.push((delay, one));
        }
        let (mut entry, mut exit) =
            (Element::empty("onentry", after.span), Element::empty("onexit", after.span));
        for (delay, transition) in delays {
            let event = format!("{}@{}", self.states.name(at), delay.replace(char::is_whitespace, "_"));
            let mut send = Element::empty("send", after.span);
            attribute(&mut send, "event", &event, after.span);
            attribute(&mut send, "id", &event, after.span);
            match delay.parse::<u64>() {
                Ok(milliseconds) => attribute(&mut send, "delay", &format!("{milliseconds}ms"), after.span),
                // A delay that the code names.
                Err(_) => attribute(&mut send, "delayexpr", "delay()", after.span),
            }
            let mut cancel = Element::empty("cancel", after.span);
            attribute(&mut cancel, "sendid", &event, after.span);
            entry.children.push(send);
            exit.children.push(cancel);
            self.transitions(at, Some((&event, transition.span)), transition, element);
        }
        element.children.extend([entry, exit]);
    }

    fn invoke(&mut self, at: usize, number: usize, invoke: &Json, element: &mut Element) {
        self.check_members(invoke, INVOKE, "an invocation");
        element.children.push(Element::empty("invoke", invoke.span));
        let id = invoke.get("id").and_then(Json::text).map(|id| id.replace(char::is_whitespace, "_"));
        let id = id.unwrap_or_else(|| format!("{}:{number}", self.states.name(at)));
        for (key, kind) in
            [("onDone", "done.invoke"), ("onError", "error.invoke"), ("onSnapshot", "snapshot")]
        {
            if let Some(then) = invoke.get(key) {
                let event = format!("{kind}.{id}");
                self.transitions(at, Some((&event, then.span)), then, element);
            }
        }
    }

    /// The transitions for an event, or for none: one or several, each a target or an object.
    fn transitions(&mut self, at: usize, event: Option<(&str, Span)>, json: &Json, element: &mut Element) {
        for one in json.list() {
            let transition = self.transition(at, event, one);
            element.children.push(transition);
        }
    }

    fn transition(&mut self, at: usize, event: Option<(&str, Span)>, json: &Json) -> Element {
        let mut element = Element::empty("transition", json.span);
        if let Some((event, span)) = event {
            attribute(&mut element, "event", event, span);
        }
        self.check_members(json, TRANSITION, "a transition");
        let actions = json.get("actions");
        self.has_actions = self.has_actions.or(actions.map(|actions| actions.span));
        let target = if matches!(json.value, Value::Object(_)) { json.get("target") } else { Some(json) };
        let written: Vec<(&str, Span)> = target
            .map_or(&[][..], Json::list)
            .iter()
            .filter_map(|target| Some((target.text()?, target.span)))
            .collect();
        let mut targets = Vec::new();
        for &(path, span) in &written {
            let found = self.states.resolve(at, path);
            targets.extend(self.resolved(found, path, span));
        }
        let is_relative = written.first().is_some_and(|(path, _)| path.starts_with('.'));
        self.aim(at, json, is_relative, &targets, &mut element);
        if let Some(condition) = self.condition(json) {
            attribute(&mut element, "cond", &condition.0, condition.1);
        }
        element
    }

    /// Targets as SCXML says them, given what `XState` leaves on the way.
    fn aim(&mut self, at: usize, json: &Json, is_relative: bool, targets: &[usize], element: &mut Element) {
        let says = |key: &str| json.get(key).map(|one| matches!(one.value, Value::Bool(true)));
        let stays = match (says("reenter"), says("internal")) {
            (Some(reenter), _) => !reenter,
            (None, Some(internal)) => internal,
            (None, None) => !self.is_old || is_relative,
        };
        let is_inside = targets.iter().all(|&target| self.states.is_within(at, target));
        if targets.is_empty() {
            return;
        }
        let mut names: Vec<String> =
            targets.iter().map(|&target| self.states.name(target).to_owned()).collect();
        if stays && is_inside {
            attribute(element, "type", "internal", element.tag);
            if targets.contains(&at) {
                // Itself, without being left: what is in it begins anew.
                let json = self.states.json(at);
                let initial = json.get("initial").and_then(Json::text);
                let below = initial.and_then(|path| self.states.below(at, path).ok());
                let first = below.or(self.states.children(at).first().copied());
                match first.filter(|_| self.states.kind(at) != Some("parallel")) {
                    Some(first) => names = vec![self.states.name(first).to_owned()],
                    None if self.states.children(at).is_empty() => return,
                    None => {
                        let message =
                            "a parallel state that is its own target, and not left, is not supported";
                        let hint = "say `\"reenter\": true`, or name the states in it";
                        self.out.push(Diagnostic::new(Code::BadTargets, element.tag, message).hint(hint));
                    }
                }
            }
        }
        attribute(element, "target", &names.join(" "), element.tag);
    }

    /// Guards are code: they are named, and left open. `in` is a state.
    fn condition(&mut self, json: &Json) -> Option<(String, Span)> {
        let mut parts = Vec::new();
        let mut span = None;
        if let Some(guard) = json.get("guard").or_else(|| json.get("cond")) {
            let name = guard.text().or_else(|| guard.get("type").and_then(Json::text)).unwrap_or("guard");
            let name: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            let name = if name.starts_with(|c: char| c.is_numeric()) { format!("_{name}") } else { name };
            parts.push(format!("{name}()"));
            span = Some(guard.span);
        }
        if let Some(inside) = json.get("in") {
            let path = inside.text().unwrap_or_default();
            let found =
                if path.starts_with('#') { self.states.by_id(path) } else { self.states.below(0, path) };
            if let Some(found) = self.resolved(found, path, inside.span) {
                parts.push(format!("In('{}')", self.states.name(found)));
            }
            span = span.or(Some(inside.span));
        }
        span.filter(|_| !parts.is_empty()).map(|span| (parts.join(" && "), span))
    }

    fn resolved(&mut self, found: Found, path: &str, span: Span) -> Option<usize> {
        match found {
            Ok(0) if !self.states.keeps_root() => {
                let message = "the machine itself is a target only where it has transitions of its own";
                self.out.push(Diagnostic::new(Code::BadTargets, span, message));
                None
            }
            Ok(state) => Some(state),
            Err(near) => {
                let message = format!("there is no state `{path}` from here");
                let diagnostic = Diagnostic::new(Code::UnknownState, span, message);
                let hint = "`name` is a state beside this one, `.name` one in it, `#id` one anywhere";
                self.out.push(
                    match nearest(path.trim_start_matches(['.', '#']), near.iter().map(String::as_str)) {
                        Some(near) => diagnostic.hint(format!("did you mean `{near}`? {hint}")),
                        None => diagnostic.hint(hint),
                    },
                );
                None
            }
        }
    }

    fn check_members(&mut self, json: &Json, known: &[&str], what: &str) {
        for member in json.members().iter().filter(|member| !known.contains(&member.key.as_str())) {
            let message = format!("`{}` is no member of {what} in XState; it is left out", member.key);
            let diagnostic = Diagnostic::new(Code::OutsideTheStandard, member.key_span, message);
            self.out.push(match nearest(&member.key, known.iter().copied()) {
                Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
                None => diagnostic,
            });
        }
    }

    /// SCXML's `a` also hears `a.b`, that of `XState` does not.
    fn tell_events_apart(&mut self) {
        for (event, span) in &self.events {
            if event.contains(char::is_whitespace) {
                let message =
                    format!("the event `{event}` has white space in its name, which is not supported");
                self.out.push(Diagnostic::new(Code::UnexpectedCharacter, *span, message));
            }
            let longer = self.events.iter().find(|(other, _)| {
                !event.ends_with('*')
                    && other.strip_prefix(event.as_str()).is_some_and(|rest| rest.starts_with('.'))
            });
            if let Some((other, _)) = longer {
                let message = format!(
                    "events `{event}` and `{other}` in one machine are not supported: here the first one would hear both"
                );
                self.out.push(Diagnostic::new(Code::DuplicateName, *span, message));
            }
        }
    }
}

fn attribute(element: &mut Element, name: &str, value: &str, span: Span) {
    element.attributes.push(Attribute { name: name.to_owned(), value: value.to_owned(), span });
}
