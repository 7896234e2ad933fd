//! Processes of textual models, of both dialects.

use super::cursor::{Parsed, Parser, Reported};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::{Branchpoint, Drawing, Edge, Ident, Location, Node, Template};

impl Parser<'_> {
    /// `process P(params) { … }`
    pub(crate) fn process(&mut self) -> Parsed<Template> {
        let start = self.advance().span;
        let name = self.name("the name of the process")?;
        let mut params = Vec::new();
        if self.eat(TokenKind::ParenOpen) {
            params = self.parameters(TokenKind::ParenClose)?;
            self.expect(TokenKind::ParenClose, "`)` after the parameters")?;
        }
        self.expect(TokenKind::BraceOpen, "`{` and the body of the process")?;
        let mut template = Template {
            name,
            name_at: None,
            params,
            decls: self.declarations(),
            locations: Vec::new(),
            branchpoints: Vec::new(),
            init: None,
            edges: Vec::new(),
            span: start,
        };
        while !self.is(TokenKind::BraceClose) && !self.at_end() {
            let before = self.position();
            if self.body_section(&mut template).is_err() {
                self.skip_item();
            }
            if self.position() == before {
                self.expected("`state`, `commit`, `urgent`, `init` or `trans`");
                self.advance();
            }
        }
        template.span = start.to(self.expect(TokenKind::BraceClose, "`}` after the process")?);
        if let Some(diagnostic) = template.complete(self.fragment.file) {
            self.report(diagnostic);
        }
        Ok(template)
    }

    fn body_section(&mut self, template: &mut Template) -> Parsed<()> {
        let word = if self.is(TokenKind::Word) { self.text() } else { "" };
        match word {
            "state" => {
                self.advance();
                self.comma_list(|parser| {
                    let location = parser.location()?;
                    template.locations.push(location);
                    Ok(())
                })
            }
            "branchpoint" => {
                self.advance();
                self.comma_list(|parser| {
                    let name = parser.name("the name of a branch point")?;
                    template.branchpoints.push(Branchpoint { name, drawing: Drawing::default() });
                    Ok(())
                })
            }
            "commit" | "urgent" => {
                let committed = word == "commit";
                self.advance();
                self.comma_list(|parser| {
                    let name = parser.name("the name of a location")?;
                    if let Some(index) = parser.find_location(template, &name) {
                        let location = &mut template.locations[index];
                        if committed { location.committed = true } else { location.urgent = true }
                    }
                    Ok(())
                })
            }
            "init" => {
                self.advance();
                let name = self.name("the name of the initial location")?;
                template.init = self.find_location(template, &name).or(template.init);
                if template.init.is_none() && !template.locations.is_empty() {
                    // Reported above; go on with some location.
                    template.init = Some(0);
                }
                self.expect(TokenKind::Semicolon, "`;`").map(|_| ())
            }
            "trans" => self.transitions(template),
            _ => {
                let decls = self.declarations();
                template.decls.extend(decls);
                Ok(())
            }
        }
    }

    /// `item, item, …;`
    fn comma_list(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        loop {
            item(self)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
            if self.is(TokenKind::Semicolon) {
                break;
            }
        }
        self.expect(TokenKind::Semicolon, "`,` or `;`").map(|_| ())
    }

    fn location(&mut self) -> Parsed<Location> {
        let name = self.name("the name of a location")?;
        let mut location = Location {
            span: name.span,
            name,
            anonymous: false,
            invariant: None,
            exponential_rate: None,
            urgent: false,
            committed: false,
            labels: Vec::new(),
            drawing: Drawing::default(),
        };
        if self.eat(TokenKind::BraceOpen) {
            if !self.is(TokenKind::Semicolon) && !self.is(TokenKind::BraceClose) {
                location.invariant = Some(self.conjunction()?);
            }
            if self.eat(TokenKind::Semicolon) && !self.is(TokenKind::BraceClose) {
                location.exponential_rate = Some(self.rate()?);
            }
            let end = self.expect(TokenKind::BraceClose, "`}` after the invariant")?;
            location.span = location.span.to(end);
        }
        Ok(location)
    }

    fn find_location(&mut self, template: &Template, name: &Ident) -> Option<usize> {
        let found = template.locations.iter().position(|location| location.name.name == name.name);
        if found.is_none() {
            self.report_unknown_location(template, name);
        }
        found
    }

    fn report_unknown_location(&mut self, template: &Template, name: &Ident) {
        let message = format!("process `{}` has no location `{}`", template.name.name, name.name);
        let mut diagnostic = Diagnostic::new(Code::UnknownLocation, name.span, message);
        let names = template.locations.iter().map(|location| &*location.name.name);
        if let Some(near) = nearest(&name.name, names) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic);
    }

    fn find_node(&mut self, template: &Template, name: &Ident) -> Parsed<Node> {
        let branchpoint = template.branchpoints.iter().position(|point| point.name.name == name.name);
        if let Some(index) = branchpoint {
            return Ok(Node::Branchpoint(index));
        }
        self.find_location(template, name).map(Node::Location).ok_or(Reported)
    }

    fn transitions(&mut self, template: &mut Template) -> Parsed<()> {
        self.advance();
        let mut previous: Option<Node> = None;
        loop {
            if self.is(TokenKind::Semicolon) {
                break;
            }
            let start = self.span();
            let source = if self.is(TokenKind::Word) {
                let name = self.name("the source of an edge")?;
                self.find_node(template, &name).ok()
            } else {
                previous
            };
            let controllable = self.is(TokenKind::Arrow);
            if !controllable && !self.is(TokenKind::UncontrollableArrow) {
                return Err(self.expected("`->` and the target of the edge"));
            }
            self.advance();
            let name = self.name("the target of an edge")?;
            let target = self.find_node(template, &name).ok();
            let edge = self.edge_body(start)?;
            if let (Some(source), Some(target)) = (source, target) {
                template.edges.push(Edge { source, target, controllable, ..edge });
            }
            previous = source;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Semicolon, "`,` or `;` after the edge").map(|_| ())
    }

    /// `{ select …; guard …; sync …; assign …; probability …; }` in any order.
    fn edge_body(&mut self, start: Span) -> Parsed<Edge> {
        let mut edge = Edge {
            source: Node::Location(0),
            target: Node::Location(0),
            select: Vec::new(),
            guard: None,
            sync: None,
            update: Vec::new(),
            probability: None,
            controllable: true,
            drawing: Drawing::default(),
            span: start,
        };
        self.expect(TokenKind::BraceOpen, "`{` and the labels of the edge")?;
        while !self.is(TokenKind::BraceClose) && !self.at_end() {
            if self.edge_label(&mut edge).is_err() {
                self.skip_item();
            }
        }
        edge.span = start.to(self.expect(TokenKind::BraceClose, "`}` after the edge")?);
        Ok(edge)
    }

    fn edge_label(&mut self, edge: &mut Edge) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        match if self.is(TokenKind::Word) { self.text() } else { "" } {
            "select" => {
                self.advance();
                edge.select.extend(self.bindings()?);
            }
            "guard" => {
                self.advance();
                if !self.is(TokenKind::Semicolon) {
                    edge.guard = Some(self.conjunction()?);
                }
            }
            "sync" => {
                self.advance();
                edge.sync = Some(self.synchronisation()?);
            }
            "assign" => {
                self.advance();
                if !self.is(TokenKind::Semicolon) {
                    edge.update.extend(self.expression_list()?);
                }
            }
            "probability" => {
                self.advance();
                edge.probability = Some(self.expression()?);
            }
            _ => {
                let error = self.expected("`select`, `guard`, `sync`, `assign` or `}`");
                self.advance();
                return Err(error);
            }
        }
        self.expect(TokenKind::Semicolon, "`;` after the label").map(|_| ())
    }
}
