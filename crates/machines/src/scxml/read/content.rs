//! Reads executable content.

use super::super::chart::{Action, ActionKind, Block, Delay, Output, Send, SendTarget};
use super::super::expression::Expression;
use super::{Reader, is_foreign, local, script, shortened};
use crate::Note;
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::read::markup::Element;
use std::sync::Arc;

impl Reader<'_> {
    /// What an element executes.
    pub(super) fn block(&mut self, element: &Element) -> Block {
        element.children.iter().flat_map(|child| self.action(child)).collect()
    }

    /// One element of executable content; a script may be several.
    pub(super) fn action(&mut self, element: &Element) -> Block {
        let kind = match local(&element.name) {
            _ if is_foreign(&element.name) => self.unknown(element, &format!("`<{}>`", element.name)),
            "raise" => match element.value("event") {
                Some(event) => {
                    let output = self.output(event, true, false, element);
                    ActionKind::Raise(event.into(), output)
                }
                None => return self.lacking(element, "event"),
            },
            "send" => ActionKind::Send(self.send(element)),
            "assign" => match element.value("location") {
                Some(location) => self.assign(element, location),
                None => return self.lacking(element, "location"),
            },
            "if" => self.branches(element),
            "foreach" => self.foreach(element),
            "log" => {
                let expression = element.attribute("expr");
                ActionKind::Log(expression.map(|one| self.expression(&one.value, one.span)))
            }
            "cancel" => ActionKind::Cancel(match element.value("sendid") {
                Some(id) => Some(id.into()),
                None => self.computed_id(element),
            }),
            "script" => match script::assignments(&element.content()) {
                Some(assignments) if element.value("src").is_none() => {
                    return self.assignments(&assignments, element);
                }
                _ => self.unknown(element, "a script"),
            },
            _ => self.unknown(element, &format!("`<{}>`", element.name)),
        };
        vec![Action { kind, span: element.tag }]
    }

    fn lacking(&mut self, element: &Element, attribute: &str) -> Block {
        let message = format!("`<{}>` needs `{attribute}`", element.name);
        self.out.push(Diagnostic::new(Code::MissingElement, element.tag, message));
        vec![]
    }

    fn output(&mut self, name: &str, internal: bool, computed: bool, element: &Element) -> usize {
        self.chart.outputs.push(Output { name: name.to_owned(), internal, computed, span: element.tag });
        self.chart.outputs.len() - 1
    }

    fn computed_id(&mut self, element: &Element) -> Option<Arc<str>> {
        let expression = element.attribute("sendidexpr")?;
        let computed = self.expression(&expression.value, expression.span);
        if let Expression::Constant(super::super::value::Value::Text(id)) = &*computed {
            return Some(Arc::clone(id));
        }
        self.chart.may_fail_anywhere = true;
        None
    }

    fn send(&mut self, element: &Element) -> Send {
        let event = match (element.value("event"), element.attribute("eventexpr")) {
            (Some(event), _) => Ok(event.into()),
            (None, Some(expression)) => Err(self.expression(&expression.value, expression.span)),
            (None, None) => Ok("".into()),
        };
        let name = element.value("event").or(element.value("eventexpr")).unwrap_or("a message");
        let processor = element.value("type").unwrap_or("scxml");
        let is_scxml = processor == "scxml" || processor.ends_with("#SCXMLEventProcessor");
        let target = match element.value("target") {
            _ if element.value("typeexpr").is_some() => SendTarget::Computed,
            _ if !is_scxml => SendTarget::Outside,
            None if element.value("targetexpr").is_some() => SendTarget::Computed,
            None | Some("") => SendTarget::Itself,
            Some("#_internal") => SendTarget::Internal,
            Some(_) => SendTarget::Outside,
        };
        let delay = match (element.value("delay"), element.attribute("delayexpr")) {
            (Some(delay), _) => milliseconds(delay).map_or(Delay::Computed, delay_of),
            (None, Some(_)) => Delay::Computed,
            (None, None) => Delay::None,
        };
        self.note_send(element, name, target, delay);
        let internal = target == SendTarget::Internal;
        let output = self.output(name, internal, event.is_err(), element);
        let parts = element.children.iter().flat_map(|child| &child.attributes);
        let inside = parts.filter(|attribute| attribute.name == "expr").map(|attribute| &attribute.value);
        let own = ["delayexpr", "targetexpr", "typeexpr", "namelist"];
        let is_opaque = own.iter().any(|name| element.value(name).is_some())
            || inside.map(|text| super::expression::parse(text, self.known)).any(|expression| {
                !expression.opaque_parts().is_empty() || matches!(expression, Expression::Undeclared(_))
            });
        let send = Send {
            output,
            number: self.chart.sends.len(),
            event,
            target,
            delay,
            id: element.value("id").map(Into::into),
            id_location: element.value("idlocation").and_then(|name| self.known.variable_of(name)),
            is_opaque,
        };
        self.chart.sends.push(send.clone());
        send
    }

    fn note_send(&mut self, element: &Element, name: &str, target: SendTarget, delay: Delay) {
        let message = match (target, delay) {
            (SendTarget::Outside, _) => {
                format!("`{name}` is sent outside: what follows from it is left to the environment")
            }
            (SendTarget::Computed, _) => {
                format!("`{name}` is sent to somebody unknown: it may come back or not")
            }
            // What is known of the time is said by those who do not look at it.
            (_, Delay::None) | (SendTarget::Itself, Delay::Milliseconds(_)) => return,
            _ => {
                format!(
                    "`{name}` comes after a delay that is not known: it may come at any later time, until it is cancelled"
                )
            }
        };
        if !self.chart.notes.iter().any(|note| note.message == message) {
            self.chart.notes.push(Note { message, span: Some(element.tag) });
        }
    }

    fn assign(&mut self, element: &Element, location: &str) -> ActionKind {
        let expression = match element.attribute("expr") {
            Some(attribute) => self.expression(&attribute.value, attribute.span),
            None => self.opaque("the content of `<assign>`", element.tag),
        };
        let location = location.trim();
        // A part of what was never declared is no place either.
        let whole = location.split(['.', '[', '(']).next().unwrap_or_default();
        let is_part =
            whole != location && (self.known.variable_of(whole).is_some() || whole.starts_with('_'));
        match self.known.variable_of(location) {
            Some(variable) => ActionKind::Assign(Some(variable), expression),
            None if is_part || !self.known.is_strict => {
                self.chart.may_fail_anywhere = true;
                ActionKind::Assign(None, expression)
            }
            None => {
                let message =
                    format!("`{location}` is not declared: the assignment is an error when it is executed");
                self.chart.notes.push(Note { message, span: Some(element.tag) });
                ActionKind::Error
            }
        }
    }

    fn assignments(&mut self, assignments: &[(String, String)], element: &Element) -> Block {
        let action = |reader: &mut Self, (name, text): &(String, String)| {
            let expression = reader.expression(text, element.tag);
            let kind = ActionKind::Assign(reader.known.variable_of(name), expression);
            Action { kind, span: element.tag }
        };
        assignments.iter().map(|assignment| action(self, assignment)).collect()
    }

    fn branches(&mut self, element: &Element) -> ActionKind {
        let mut branches = Vec::new();
        let condition = element.attribute("cond");
        if condition.is_none() {
            self.lacking(element, "cond");
        }
        let mut open = (condition.map(|one| self.expression(&one.value, one.span)), Block::new());
        for child in &element.children {
            match local(&child.name) {
                "elseif" | "else" => {
                    let condition = child.attribute("cond").filter(|_| local(&child.name) == "elseif");
                    let condition = condition.map(|one| self.expression(&one.value, one.span));
                    branches.push(std::mem::replace(&mut open, (condition, Block::new())));
                }
                _ => open.1.extend(self.action(child)),
            }
        }
        branches.push(open);
        ActionKind::If(branches)
    }

    fn foreach(&mut self, element: &Element) -> ActionKind {
        let block = self.block(element);
        let own = ["item", "index"].into_iter().filter_map(|name| element.value(name));
        let mut changed: Vec<usize> = own.filter_map(|name| self.known.variable_of(name)).collect();
        assigned(&block, &mut changed);
        changed.sort_unstable();
        changed.dedup();
        let message = "`<foreach>`: how many rounds there are is unknown";
        self.chart.notes.push(Note { message: message.into(), span: Some(element.tag) });
        ActionKind::Foreach(changed, block)
    }

    fn unknown(&mut self, element: &Element, what: &str) -> ActionKind {
        let text = element.content();
        let changed = if element.value("src").is_some() || is_foreign(&element.name) {
            (0..self.known.variables.len()).collect()
        } else {
            script::changed(&text, &self.known.variables)
        };
        let shown =
            if text.is_empty() { String::new() } else { format!(" (`{}`)", shortened(&one_line(&text))) };
        let message =
            format!("{what} is not executed{shown}: variables that it may change have any value afterwards");
        self.chart.notes.push(Note { message, span: Some(element.tag) });
        ActionKind::Unknown(changed)
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The variables that a block assigns to.
fn assigned(block: &[Action], changed: &mut Vec<usize>) {
    for action in block {
        match &action.kind {
            ActionKind::Assign(variable, _) => changed.extend(variable),
            ActionKind::If(branches) => branches.iter().for_each(|(_, block)| assigned(block, changed)),
            ActionKind::Foreach(more, _) | ActionKind::Unknown(more) => changed.extend(more),
            ActionKind::Send(send) => changed.extend(send.id_location),
            _ => {}
        }
    }
}

/// `1.5s`, `200ms`
fn milliseconds(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (text.strip_suffix('s')?, 1000.0),
    };
    let value: f64 = number.trim().parse().ok()?;
    (value >= 0.0).then_some((value * factor).round() as u64)
}

fn delay_of(milliseconds: u64) -> Delay {
    if milliseconds == 0 { Delay::None } else { Delay::Milliseconds(milliseconds) }
}
