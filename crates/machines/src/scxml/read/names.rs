//! What the names of a chart mean: states and variables, collected before anything refers to them.

use super::super::chart::{ActionKind, Block, Chart, StateId};
use super::super::content::{ERROR_COMMUNICATION, ERROR_EXECUTION};
use super::super::expression::{Expression, Names};
use super::super::value::Value;
use super::{blocks, is_foreign, is_state, local};
use crate::Note;
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::read::markup::Element;
use guidepost_language::source::{SourceMap, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How expressions are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Datamodel {
    /// ECMAScript, or a language that has the same common forms.
    Common,
    /// Only `In('state')`.
    Null,
    /// Only `In('state')` is understood.
    Other,
}

impl Datamodel {
    pub(super) fn evaluates(self) -> bool {
        self == Datamodel::Common
    }
}

/// The names of a chart.
pub(super) struct Known {
    /// By id.
    pub(super) states: BTreeMap<String, StateId>,
    /// What each state is called.
    pub(super) names: Vec<String>,
    /// In the order of the file.
    pub(super) variables: Vec<Arc<str>>,
    pub(super) datamodel: Datamodel,
    /// Whether a name that is not declared is an error, and not something that a script or the host defines.
    pub(super) is_strict: bool,
    /// Whether functions of the author may run.
    pub(super) has_functions: bool,
    pub(super) notes: Vec<Note>,
    spans: Vec<Span>,
}

impl Names for Known {
    fn variable(&self, name: &str) -> Option<usize> {
        self.variable_of(name)
    }

    fn state(&self, id: &str) -> Option<StateId> {
        self.states.get(id).copied()
    }

    fn is_strict(&self) -> bool {
        self.is_strict
    }
}

impl Known {
    pub(super) fn collect(root: &Element, sources: &SourceMap, out: &mut Diagnostics) -> Self {
        let mut known = Known {
            states: BTreeMap::new(),
            names: vec![],
            variables: vec![],
            datamodel: Datamodel::Common,
            is_strict: root.value("datamodel") == Some("ecmascript"),
            has_functions: false,
            notes: vec![],
            spans: vec![],
        };
        known.datamodel(root);
        known.element(root, true, sources, out);
        if known.has_functions {
            known.is_strict = false;
        }
        known
    }

    pub(super) fn variable_of(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| &**variable == name)
    }

    fn datamodel(&mut self, root: &Element) {
        let mut note = |message: String| self.notes.push(Note { message, span: Some(root.tag) });
        self.datamodel = match root.value("datamodel") {
            None | Some("ecmascript" | "jexl" | "promela" | "native" | "cplusplus") => Datamodel::Common,
            Some("null") => Datamodel::Null,
            Some(other) => {
                note(format!("expressions of the datamodel `{other}` are not evaluated, `In('…')` excepted"));
                Datamodel::Other
            }
        };
    }

    /// `is_child`: whether it stands directly in a state, where a state may stand.
    fn element(&mut self, element: &Element, is_child: bool, sources: &SourceMap, out: &mut Diagnostics) {
        let name = local(&element.name);
        let is_one = is_child && (is_state(element) || self.names.is_empty());
        if is_one {
            self.state(element, sources, out);
        }
        match name {
            _ if is_foreign(&element.name) => return,
            // Elsewhere it declares nothing.
            "datamodel" if is_child => {
                let data = element.children.iter().filter(|child| local(&child.name) == "data");
                data.for_each(|data| self.data(data, out));
            }
            "script" => {
                let is_simple = super::script::assignments(&element.content()).is_some();
                self.has_functions |= !is_simple || element.value("src").is_some();
            }
            // Invoked charts and messages have names of their own.
            "invoke" | "content" | "send" => return,
            _ => {}
        }
        element.children.iter().for_each(|child| self.element(child, is_one, sources, out));
    }

    fn state(&mut self, element: &Element, sources: &SourceMap, out: &mut Diagnostics) {
        let id = StateId(self.names.len() as u32);
        self.spans.push(element.tag);
        let attribute = element.attribute("id").filter(|one| !one.value.is_empty() && id != StateId::ROOT);
        let Some(attribute) = attribute else {
            let position = sources.file(element.tag.file).position(element.tag.start);
            let place = format!("({} at {}:{})", local(&element.name), position.line, position.column);
            self.names.push(if id == StateId::ROOT { "(chart)".into() } else { place });
            return;
        };
        let name = &attribute.value;
        if name.contains(char::is_whitespace) {
            let message =
                format!("`{name}` cannot be the id of a state: targets are separated by white space");
            out.push(Diagnostic::new(Code::UnknownState, attribute.span, message));
        }
        if let Some(&first) = self.states.get(name) {
            let message = format!("two states have the id `{name}`");
            let first = self.spans[first.index()];
            out.push(
                Diagnostic::new(Code::DuplicateName, attribute.span, message).related(first, "the first one"),
            );
        } else {
            self.states.insert(name.clone(), id);
        }
        self.names.push(name.clone());
    }

    fn data(&mut self, element: &Element, out: &mut Diagnostics) {
        let Some(attribute) = element.attribute("id") else {
            out.push(Diagnostic::new(Code::MissingElement, element.tag, "`<data>` needs an `id`"));
            return;
        };
        if self.variable_of(&attribute.value).is_some() {
            let message = format!("two variables have the id `{}`", attribute.value);
            out.push(Diagnostic::new(Code::DuplicateName, attribute.span, message));
        }
        let text = element.value("expr").map_or_else(|| element.content(), str::to_owned);
        self.has_functions |= text.contains("function") || text.contains("=>");
        self.variables.push(attribute.value.as_str().into());
    }
}

/// What is known once everything is read.
pub(super) fn finish(chart: &mut Chart) {
    let (mut numbers, mut texts, mut reads_event) = (Vec::new(), Vec::new(), false);
    expressions(chart, &mut |expression| {
        expression.visit(&mut |part| match part {
            Expression::Constant(Value::Integer(number)) => numbers.push(*number),
            Expression::Constant(Value::Text(text)) => texts.push(Arc::clone(text)),
            Expression::EventName => reads_event = true,
            _ => {}
        });
    });
    numbers.sort_unstable();
    numbers.dedup();
    texts.sort_unstable();
    texts.dedup();
    chart.numbers = numbers;
    chart.texts = texts;
    chart.reads_event = reads_event;
    chart.hears_failures = chart.hears(ERROR_EXECUTION);
    chart.hears_losses = chart.hears(ERROR_COMMUNICATION);
    chart.relevant = relevant(chart);
}

/// All expressions of a chart.
fn expressions(chart: &Chart, visit: &mut dyn FnMut(&Expression)) {
    fn inside(block: &Block, visit: &mut dyn FnMut(&Expression)) {
        for action in block {
            match &action.kind {
                ActionKind::Assign(_, expression) | ActionKind::Log(Some(expression)) => visit(expression),
                ActionKind::Send(send) => send.event.as_ref().err().into_iter().for_each(|one| visit(one)),
                ActionKind::If(branches) => {
                    for (condition, block) in branches {
                        if let Some(condition) = condition {
                            visit(condition);
                        }
                        inside(block, visit);
                    }
                }
                ActionKind::Foreach(_, block) => inside(block, visit),
                _ => {}
            }
        }
    }
    chart.data.iter().filter_map(|data| data.value.as_ref()).for_each(|value| visit(value));
    chart.transitions.iter().filter_map(|one| one.condition.as_ref()).for_each(|one| visit(one));
    blocks(chart).for_each(|block| inside(block, visit));
}

/// The variables whose values can matter: those in conditions and computed events, and those that they are computed from.
fn relevant(chart: &Chart) -> Vec<bool> {
    let is = |relevant: &[bool], variable: usize| relevant.get(variable).copied();
    let mut relevant = vec![false; chart.data.len()];
    let mut flows: Vec<(usize, usize)> = Vec::new();
    let mut read = |expression: &Expression| mark(expression, &mut relevant);
    chart.transitions.iter().filter_map(|one| one.condition.as_ref()).for_each(|one| read(one));
    blocks(chart).for_each(|block| uses(block, &mut read, &mut flows));
    for (to, data) in chart.data.iter().enumerate() {
        data.value.iter().for_each(|value| flow(to, value, &mut flows));
    }
    loop {
        let next: Vec<usize> = flows
            .iter()
            .filter(|(to, from)| is(&relevant, *to) == Some(true) && is(&relevant, *from) == Some(false))
            .map(|flow| flow.1)
            .collect();
        if next.is_empty() {
            return relevant;
        }
        for variable in next {
            relevant[variable] = true;
        }
    }
}

fn mark(expression: &Expression, relevant: &mut [bool]) {
    expression.visit(&mut |part| {
        // A declaration that stands where none may stand has a name, and no variable.
        if let Expression::Variable(variable) = part
            && let Some(is_relevant) = relevant.get_mut(*variable)
        {
            *is_relevant = true;
        }
    });
}

fn uses(block: &Block, read: &mut dyn FnMut(&Expression), flows: &mut Vec<(usize, usize)>) {
    for action in block {
        match &action.kind {
            ActionKind::Assign(Some(to), expression) => flow(*to, expression, flows),
            ActionKind::If(branches) => {
                for (condition, block) in branches {
                    if let Some(condition) = condition {
                        read(condition);
                    }
                    uses(block, read, flows);
                }
            }
            ActionKind::Foreach(_, block) => uses(block, read, flows),
            ActionKind::Send(send) => {
                if let Err(expression) = &send.event {
                    read(expression);
                }
            }
            _ => {}
        }
    }
}

fn flow(to: usize, expression: &Expression, flows: &mut Vec<(usize, usize)>) {
    expression.visit(&mut |part| {
        if let Expression::Variable(from) = part {
            flows.push((to, *from));
        }
    });
}
