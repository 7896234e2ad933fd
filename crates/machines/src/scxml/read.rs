//! From markup to a chart. Everything that is wrong is reported; everything that is not modelled is noted.

mod attributes;
mod content;
mod names;
mod script;
mod verify;

use super::chart::{
    Block, Chart, Data, Descriptor, Start, State, StateId, StateKind, Transition, TransitionId,
};
use super::expression::{self, Expression};
use super::xstate;
use crate::Note;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::read::markup::{self, Attribute, Element};
use guidepost_language::source::{FileId, SourceMap, Span};
use guidepost_language::suggest::nearest;
use names::Known;
use std::sync::Arc;

/// Reads a chart. It can be used if no message is an error.
pub(super) fn read(sources: &SourceMap, file: FileId, out: &mut Diagnostics) -> Chart {
    let text = &sources.file(file).text;
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let Some((root, notes)) = xstate::elements(file, text, out) else { return Chart::default() };
        let mut chart = chart_of(&root, sources, out);
        chart.notes.extend(notes);
        return chart;
    }
    let Some(root) = markup::parse(text, file, out) else {
        let span = Span::new(file, 0, 0);
        out.push(Diagnostic::new(Code::MissingElement, span, "there is no XML element in this file"));
        return Chart::default();
    };
    attributes::check(&root, out);
    let mut chart = chart_of(&root, sources, out);
    if let Some(at) = text.find("<!ENTITY") {
        let message = "entities that the file declares are not expanded: `&name;` stands for itself";
        let span = Some(Span::new(file, at as u32, (at + "<!ENTITY".len()) as u32));
        chart.notes.push(Note { message: message.to_owned(), span });
    }
    chart
}

/// The chart of markup.
fn chart_of(root: &Element, sources: &SourceMap, out: &mut Diagnostics) -> Chart {
    if local(&root.name) != "scxml" {
        let message = format!("the outermost element is `<{}>`, not `<scxml>`", root.name);
        out.push(Diagnostic::new(Code::UnknownFormat, root.tag, message));
        return Chart::default();
    }
    let known = Known::collect(root, sources, out);
    let mut reader = Reader { chart: Chart::default(), known: &known, sources, out };
    reader.chart(root);
    let mut chart = reader.chart;
    if !out.has_errors() {
        verify::targets(&chart, out);
    }
    names::finish(&mut chart);
    chart
}

/// The name of an element without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Whether an element is one of SCXML's, as far as its prefix tells.
fn is_foreign(name: &str) -> bool {
    name.split_once(':').is_some_and(|(prefix, _)| !matches!(prefix, "sc" | "scxml"))
}

fn is_state(element: &Element) -> bool {
    !is_foreign(&element.name) && matches!(local(&element.name), "state" | "parallel" | "final" | "history")
}

struct Reader<'a> {
    chart: Chart,
    known: &'a Known,
    sources: &'a SourceMap,
    out: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn chart(&mut self, root: &Element) {
        self.chart.name = root.value("name").unwrap_or_default().into();
        self.chart.late_binding = root.value("binding") == Some("late");
        self.chart.has_functions = self.known.has_functions;
        self.chart.notes.extend(self.known.notes.iter().cloned());
        self.state(root, None);
        if self.chart.states[0].children.is_empty() {
            let message = "a chart needs at least one state";
            self.out.push(Diagnostic::new(Code::Misplaced, root.tag, message));
        }
    }

    /// Reads a state with everything inside it.
    fn state(&mut self, element: &Element, parent: Option<StateId>) -> StateId {
        let id = StateId(self.chart.states.len() as u32);
        let kind = kind(element);
        self.chart.states.push(State {
            name: self.known.names[id.index()].clone(),
            kind,
            parent,
            children: vec![],
            histories: vec![],
            transitions: vec![],
            initial: None,
            onentry: vec![],
            onexit: vec![],
            data: vec![],
            finalize: vec![],
            last: id,
            span: element.tag,
        });
        for child in &element.children {
            self.child(child, id, kind);
        }
        self.initial(element, id);
        self.chart.states[id.index()].last = StateId(self.chart.states.len() as u32 - 1);
        id
    }

    fn child(&mut self, child: &Element, id: StateId, kind: StateKind) {
        if is_foreign(&child.name) {
            self.foreign(child);
            return;
        }
        let name = local(&child.name);
        let is_history = matches!(kind, StateKind::ShallowHistory | StateKind::DeepHistory);
        let allowed = match name {
            "state" | "parallel" | "final" | "history" => kind != StateKind::Final && !is_history,
            "transition" => kind != StateKind::Final && id != StateId::ROOT,
            "onentry" | "onexit" | "datamodel" | "invoke" => !is_history,
            "initial" => kind == StateKind::State && id != StateId::ROOT,
            "script" => id == StateId::ROOT,
            "donedata" => kind == StateKind::Final,
            _ => true,
        };
        if !allowed || (kind == StateKind::Parallel && name == "final") {
            let message = format!("`<{}>` may not stand in {}", child.name, self.what(id));
            self.out.push(Diagnostic::new(Code::Misplaced, child.tag, message));
            if !is_state(child) {
                return;
            }
        }
        match name {
            "state" | "parallel" | "final" | "history" => {
                let inner = self.state(child, Some(id));
                let history = self.chart.is_history(inner);
                let state = &mut self.chart.states[id.index()];
                if history { state.histories.push(inner) } else { state.children.push(inner) }
            }
            "transition" if is_history => {
                let start = self.start(child);
                if self.chart.state(id).initial.is_some() {
                    let message = format!("{} has more than one transition", self.what(id));
                    self.out.push(Diagnostic::new(Code::BadHistory, child.tag, message));
                }
                self.chart.states[id.index()].initial = Some(start);
            }
            "transition" => self.transition(child, id),
            "onentry" => {
                let block = self.block(child);
                self.chart.states[id.index()].onentry.push(block);
            }
            "onexit" => {
                let block = self.block(child);
                self.chart.states[id.index()].onexit.push(block);
            }
            "datamodel" => self.datamodel(child, id),
            "initial" => {
                let transition = child.children.iter().find(|child| local(&child.name) == "transition");
                if let Some(transition) = transition {
                    let start = self.start(transition);
                    self.chart.states[id.index()].initial = Some(start);
                } else {
                    let message = "`<initial>` needs a `<transition>`";
                    self.out.push(Diagnostic::new(Code::MissingElement, child.tag, message));
                }
            }
            "invoke" => self.invoke(child, id),
            "script" => {
                let action = self.action(child);
                self.chart.script.extend(action);
            }
            // What a final state returns is data of an event, which is unknown anyhow. Computing it may fail.
            "donedata" if child.children.is_empty() => {}
            "donedata" => {
                self.chart.may_fail_anywhere = true;
                let message = "`<donedata>` is not evaluated; an error in it may come at any time".to_owned();
                if !self.chart.notes.iter().any(|note| note.message == message) {
                    self.chart.notes.push(Note { message, span: Some(child.tag) });
                }
            }
            _ => {
                let message = format!("`<{}>` is no element of SCXML; it is left out", child.name);
                self.out.push(Diagnostic::new(Code::OutsideTheStandard, child.tag, message));
            }
        }
    }

    fn foreign(&mut self, element: &Element) {
        let prefix = element.name.split(':').next().unwrap_or_default();
        let message = match local(&element.name) {
            "include" => format!("`<{}>`: what is included is not read", element.name),
            _ => format!("elements of `{prefix}:` are not SCXML's; they are left out"),
        };
        let note = Note { message, span: None };
        if !self.chart.notes.contains(&note) {
            self.chart.notes.push(note);
        }
    }

    /// Where a compound state, the chart or a history begins.
    fn initial(&mut self, element: &Element, id: StateId) {
        let state = self.chart.state(id);
        match state.kind {
            StateKind::ShallowHistory | StateKind::DeepHistory => {
                let is_given = state.initial.as_ref().is_some_and(|start| !start.targets.is_empty());
                if !is_given {
                    let message = format!("{} has no transition that says where to begin", self.what(id));
                    let hint = "add `<transition target=\"…\"/>`, for when there is no history yet";
                    self.out.push(Diagnostic::new(Code::BadHistory, element.tag, message).hint(hint));
                }
                return;
            }
            StateKind::Parallel | StateKind::Final => {
                if let Some(attribute) = element.attribute("initial") {
                    let message = format!("{} has no initial state; `initial` is left out", self.what(id));
                    self.out.push(Diagnostic::new(Code::OutsideTheStandard, attribute.span, message));
                }
                return;
            }
            StateKind::State if state.children.is_empty() => return,
            StateKind::State => {}
        }
        if let Some(attribute) = element.attribute("initial").filter(|one| !one.value.trim().is_empty()) {
            let targets = self.targets(attribute);
            self.inside(&targets, id, attribute.span);
            self.chart.states[id.index()].initial = Some(Start { targets, content: vec![] });
        } else if let Some(start) = &self.chart.state(id).initial {
            let targets = start.targets.clone();
            self.inside(&targets, id, element.tag);
        } else {
            let first = self.chart.state(id).children[0];
            self.chart.states[id.index()].initial = Some(Start { targets: vec![first], content: vec![] });
        }
    }

    /// Initial states lie inside of what they are the initial states of.
    fn inside(&mut self, targets: &[StateId], id: StateId, span: Span) {
        for &target in targets {
            // The descendants are those that were read since.
            if target <= id || target.index() >= self.chart.states.len() {
                let message =
                    format!("`{}` is not inside {}", self.known.names[target.index()], self.what(id));
                self.out.push(Diagnostic::new(Code::BadTargets, span, message));
            }
        }
    }

    fn transition(&mut self, element: &Element, source: StateId) {
        let event = element.value("event").unwrap_or_default();
        let event = event.split_whitespace().collect::<Vec<_>>().join(" ");
        let condition = element.attribute("cond").map(|attribute| self.condition(attribute));
        let targets = element.attribute("target").map_or_else(Vec::new, |attribute| self.targets(attribute));
        let content = self.block(element);
        if event.is_empty() && condition.is_none() && targets.is_empty() {
            let message = "a transition without event, condition and target is taken again and again";
            self.out.push(Diagnostic::new(Code::OutsideTheStandard, element.tag, message));
        }
        let id = TransitionId(self.chart.transitions.len() as u32);
        self.chart.transitions.push(Transition {
            source,
            events: event.split_whitespace().map(Descriptor::new).collect(),
            event,
            condition,
            targets,
            internal: element.value("type") == Some("internal"),
            content,
            span: element.tag,
        });
        self.chart.states[source.index()].transitions.push(id);
    }

    fn start(&mut self, element: &Element) -> Start {
        let targets = element.attribute("target").map_or_else(Vec::new, |attribute| self.targets(attribute));
        if targets.is_empty() {
            let message = "this transition needs a target";
            self.out.push(Diagnostic::new(Code::MissingElement, element.tag, message));
        }
        for name in ["event", "cond"] {
            if let Some(attribute) = element.attribute(name) {
                let message = format!("`{name}` has no meaning here: this transition is always taken");
                self.out.push(Diagnostic::new(Code::OutsideTheStandard, attribute.span, message));
            }
        }
        Start { targets, content: self.block(element) }
    }

    fn targets(&mut self, attribute: &Attribute) -> Vec<StateId> {
        let mut targets = Vec::new();
        for name in attribute.value.split_whitespace() {
            match self.known.states.get(name) {
                Some(&state) => targets.push(state),
                None => self.unknown_state(name, attribute),
            }
        }
        targets
    }

    fn unknown_state(&mut self, name: &str, attribute: &Attribute) {
        let written = self.sources.text(attribute.span);
        let span = match written.find(name) {
            Some(at) => {
                let start = attribute.span.start + at as u32;
                Span::new(attribute.span.file, start, start + name.len() as u32)
            }
            None => attribute.span,
        };
        let mut diagnostic = Diagnostic::new(Code::UnknownState, span, format!("there is no state `{name}`"));
        if let Some(near) = nearest(name, self.known.states.keys().map(String::as_str)) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.out.push(diagnostic);
    }

    fn datamodel(&mut self, element: &Element, id: StateId) {
        for data in element.children.iter().filter(|child| local(&child.name) == "data") {
            let Some(name) = data.value("id") else { continue };
            let value = match data.attribute("expr") {
                Some(attribute) => Some(self.expression(&attribute.value, attribute.span)),
                None if data.value("src").is_some() || !data.content().is_empty() => {
                    Some(self.expression(&data.content(), data.tag))
                }
                None if !data.children.is_empty() => Some(self.opaque("inline data", data.tag)),
                None => None,
            };
            self.chart.may_fail_anywhere |=
                value.as_ref().is_some_and(|value| !value.opaque_parts().is_empty());
            let variable = self.chart.data.len();
            self.chart.data.push(Data { name: name.into(), value, span: data.tag });
            self.chart.states[id.index()].data.push(variable);
        }
    }

    fn invoke(&mut self, element: &Element, id: StateId) {
        if !self.chart.invokes {
            let message = "`<invoke>`: what is invoked is a part of the environment, and may send any event at any time";
            self.chart.notes.push(Note { message: message.into(), span: Some(element.tag) });
        }
        self.chart.invokes = true;
        for finalize in element.children.iter().filter(|child| local(&child.name) == "finalize") {
            let block = self.block(finalize);
            self.chart.states[id.index()].finalize.push(block);
        }
    }

    fn condition(&mut self, attribute: &Attribute) -> Arc<Expression> {
        self.expression(&attribute.value, attribute.span)
    }

    /// `In('…')` of what is no state is never true: somebody meant another one.
    fn check_states(&mut self, text: &str, span: Span) {
        for (_, rest) in text.match_indices("In(").map(|(at, found)| text.split_at(at + found.len())) {
            let rest = rest.trim_start();
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) else { continue };
            let Some(name) =
                rest[1..].split(quote).next().filter(|name| !self.known.states.contains_key(*name))
            else {
                continue;
            };
            let message = format!("there is no state `{name}`: this is never true");
            let diagnostic = Diagnostic::new(Code::NeverHolds, span, message);
            let near = nearest(name, self.known.states.keys().map(String::as_str));
            self.out.push(match near {
                Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
                None => diagnostic,
            });
        }
    }

    fn expression(&mut self, text: &str, span: Span) -> Arc<Expression> {
        self.check_states(text, span);
        let expression = if self.known.datamodel.evaluates() {
            expression::parse(text, self.known)
        } else {
            expression::parse_null(text, self.known)
        };
        for opaque in expression.opaque_parts() {
            let message = format!("`{}` is not evaluated: it may have any value", shortened(&opaque.text));
            let note = Note { message, span: Some(span) };
            if !self.chart.notes.iter().any(|old| old.message == note.message) {
                self.chart.notes.push(note);
            }
        }
        Arc::new(expression)
    }

    fn opaque(&mut self, text: &str, span: Span) -> Arc<Expression> {
        let opaque = expression::Opaque { text: text.into(), calls: false };
        let message = format!("{text} is not evaluated: it may have any value");
        self.chart.notes.push(Note { message, span: Some(span) });
        Arc::new(Expression::Opaque(opaque))
    }

    /// How messages call a state.
    fn what(&self, id: StateId) -> String {
        match (id, self.chart.state(id).kind) {
            (StateId::ROOT, _) => "`<scxml>`".to_owned(),
            (_, StateKind::State) => format!("state `{}`", self.chart.state(id).name),
            (_, StateKind::Parallel) => format!("parallel `{}`", self.chart.state(id).name),
            (_, StateKind::Final) => format!("final `{}`", self.chart.state(id).name),
            _ => format!("history `{}`", self.chart.state(id).name),
        }
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn kind(element: &Element) -> StateKind {
    match local(&element.name) {
        "parallel" => StateKind::Parallel,
        "final" => StateKind::Final,
        "history" if element.value("type") == Some("deep") => StateKind::DeepHistory,
        "history" => StateKind::ShallowHistory,
        _ => StateKind::State,
    }
}

/// The blocks of a chart, wherever they stand.
fn blocks(chart: &Chart) -> impl Iterator<Item = &Block> {
    let states = chart.states.iter().flat_map(|state| {
        let start = state.initial.iter().map(|start| &start.content);
        state.onentry.iter().chain(&state.onexit).chain(&state.finalize).chain(start)
    });
    let transitions = chart.transitions.iter().map(|transition| &transition.content);
    states.chain(transitions).chain(std::iter::once(&chart.script))
}
