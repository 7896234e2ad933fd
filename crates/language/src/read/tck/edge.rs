//! Edges: guards, statements, and one copy for every synchronisation the edge's event takes part in.

use super::line::{Attribute, Declaration};
use super::vector::Vector;
use super::{Reader, declare, expression};
use crate::diagnostic::{Code, Diagnostic};
use crate::parse::{self, Dialect};
use crate::source::Span;
use crate::suggest;
use crate::syntax::{Drawing, Edge, Expr, Ident, Node};
use std::ops::Range;

const EDGE_ATTRIBUTES: &[&str] = &["provided", "do"];

/// Statements of newer TChecker versions that an update cannot express.
const CONTROL: &[&str] = &["if", "while", "for", "local"];

impl Reader<'_> {
    pub(super) fn edge(&mut self, declaration: &Declaration, vectors: &[Vector]) {
        let [process, source, target, event] = &declaration.fields[..] else { return };
        let Some(index) = self.process_index(process) else { return };
        self.unknown_attributes(declaration, EDGE_ATTRIBUTES);
        let ends = (self.node(index, source), self.node(index, target));
        let known = self.check_event(event);
        let owner = format!("process {}, edge {} → {}", process.name, source.name, target.name);
        self.places.push((declaration.span, owner.clone()));
        let (guard, update) = self.labels_of_edge(declaration, &owner);
        let ((Some(source), Some(target)), Some(())) = (ends, known) else { return };
        let edge = Edge {
            source,
            target,
            select: Vec::new(),
            guard,
            sync: None,
            update,
            probability: None,
            controllable: true,
            drawing: Drawing::default(),
            span: declaration.span,
        };
        let syncs: Vec<_> = vectors.iter().filter_map(|v| v.sync(index, &event.name, event.span)).collect();
        let edges = &mut self.document.templates[index].edges;
        if syncs.is_empty() {
            edges.push(edge);
        } else {
            edges.extend(syncs.into_iter().map(|sync| Edge { sync: Some(sync), ..edge.clone() }));
        }
    }

    fn node(&mut self, process: usize, name: &Ident) -> Option<Node> {
        let template = &self.document.templates[process];
        if let Some(index) = template.locations.iter().position(|location| location.name.name == name.name) {
            return Some(Node::Location(index));
        }
        let message = format!("process `{}` has no location `{}`", template.name.name, name.name);
        let mut diagnostic = Diagnostic::new(Code::UnknownLocation, name.span, message);
        let names = template.locations.iter().map(|location| &*location.name.name);
        if let Some(near) = suggest::nearest(&name.name, names) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.out.push(diagnostic);
        None
    }

    fn labels_of_edge(&mut self, declaration: &Declaration, owner: &str) -> (Option<Expr>, Vec<Expr>) {
        let mut guard = None;
        let mut guards = 0;
        let mut update = Vec::new();
        self.check_repetitions(declaration, "provided");
        for attribute in &declaration.attributes {
            match &*attribute.key.name {
                "provided" if guards == declare::MOST_REPETITIONS => {}
                "provided" => {
                    guards += 1;
                    let fragment = self.value(attribute, owner);
                    guard = declare::conjunction(guard, parse::expression(&fragment, Dialect::New, self.out));
                }
                "do" => {
                    self.value(attribute, owner);
                    self.statements(attribute, &mut update);
                }
                _ => {}
            }
        }
        (guard, update)
    }

    fn statements(&mut self, attribute: &Attribute, update: &mut Vec<Expr>) {
        let mut start = attribute.value.start;
        for statement in self.text[attribute.value.clone()].split(';') {
            let range = start..start + statement.len();
            start = range.end + 1;
            let word = statement.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next();
            if let Some(control) = CONTROL.iter().find(|control| word == Some(control)) {
                self.control_statement(control, range.start..attribute.value.end);
                return;
            }
            if statement.trim() != "nop" {
                let fragment = expression::fragment(self.text, self.file, range);
                update.extend(parse::update(&fragment, Dialect::New, self.out));
            }
        }
    }

    fn control_statement(&mut self, control: &str, range: Range<usize>) {
        let blank = self.text[range.clone()].len() - self.text[range.clone()].trim_start().len();
        let start = (range.start + blank) as u32;
        let span = Span::new(self.file, start, start + control.len() as u32);
        let message = format!("`{control}` statements are not supported");
        let hint = match control {
            "if" => "write `x = if condition then a else b`, or one edge per case",
            "local" => "declare a global `int` instead",
            _ => "write the assignments out",
        };
        self.out.push(Diagnostic::new(Code::NotSupported, span, message).hint(hint));
    }
}
