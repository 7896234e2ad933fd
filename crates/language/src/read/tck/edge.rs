//! Edges: guards, statements, and one copy for every synchronisation the edge's event takes part in.

use super::line::{Attribute, Declaration};
use super::vector::Vectors;
use super::{Reader, declare, expression};
use crate::diagnostic::{Code, Diagnostic};
use crate::parse::{self, Dialect};
use crate::suggest;
use crate::syntax::{Decl, Drawing, Edge, Expr, ExprKind, Ident, Node};

const EDGE_ATTRIBUTES: &[&str] = &["provided", "do"];

impl Reader<'_> {
    pub(super) fn edge(&mut self, declaration: &Declaration, vectors: &Vectors) {
        let [process, source, target, event] = &declaration.fields[..] else { return };
        let Some(index) = self.process_index(process) else { return };
        self.unknown_attributes(declaration, EDGE_ATTRIBUTES);
        let ends = (self.node(index, source), self.node(index, target));
        let known = self.check_event(event);
        let owner = format!("process {}, edge {} → {}", process.name, source.name, target.name);
        self.places.push((declaration.span, owner.clone()));
        let (guard, update) = self.labels_of_edge(index, declaration, &owner);
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
        let syncs: Vec<_> = vectors.syncs(index, event).collect();
        let edges = &mut self.document.templates[index].edges;
        if syncs.is_empty() {
            edges.push(edge);
        } else {
            edges.extend(syncs.into_iter().map(|sync| Edge { sync: Some(sync), ..edge.clone() }));
        }
    }

    fn node(&mut self, process: usize, name: &Ident) -> Option<Node> {
        if let Some(&index) = self.locations[process].get(&name.name) {
            return Some(Node::Location(index));
        }
        let template = &self.document.templates[process];
        let message = format!("process `{}` has no location `{}`", template.name.name, name.name);
        let mut diagnostic = Diagnostic::new(Code::UnknownLocation, name.span, message);
        let names = template.locations.iter().map(|location| &*location.name.name);
        if let Some(near) = suggest::nearest(&name.name, names) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.out.push(diagnostic);
        None
    }

    fn labels_of_edge(
        &mut self,
        process: usize,
        declaration: &Declaration,
        owner: &str,
    ) -> (Option<Expr>, Vec<Expr>) {
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
                    if self.has_control(attribute) {
                        update.extend(self.call(process, attribute));
                    } else {
                        self.statements(attribute, &mut update);
                    }
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
            if statement.trim() != "nop" {
                let fragment = expression::fragment(self.text, self.file, range);
                update.extend(parse::update(&fragment, Dialect::New, self.out));
            }
        }
    }

    /// Statements with control are a function that the edge calls.
    fn call(&mut self, process: usize, attribute: &Attribute) -> Option<Expr> {
        let process_name = self.document.templates[process].name.name.clone();
        let name = self.fresh(&format!("{process_name}_do"));
        let function = self.function(attribute, &name)?;
        let span = function.name.span;
        self.document.templates[process].decls.push(Decl::Function(function));
        let callee = Expr { kind: ExprKind::Name(name), span };
        Some(Expr { kind: ExprKind::Call(Box::new(callee), vec![]), span })
    }
}
