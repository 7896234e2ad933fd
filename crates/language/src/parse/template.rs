//! Processes of textual models, of both dialects.

use super::cursor::{NodeNames, Parsed, Parser, Reported};
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
            params = self.parameters(TokenKind::ParenClose);
            self.expect_closing(TokenKind::ParenClose, "`)` after the parameters")?;
        }
        let open = self.open_brace("the body of the process")?;
        self.open_braces += 1;
        self.in_process = true;
        self.nodes = NodeNames::default();
        let mut template = Template {
            name,
            name_at: None,
            params,
            decls: self.declarations(),
            locations: Vec::new(),
            branchpoints: Vec::new(),
            init: None,
            edges: Vec::new(),
            mentions: Vec::new(),
            span: start,
        };
        let mut broken = false;
        while !self.is(TokenKind::BraceClose) && !self.at_end() && !self.starts_top_level() {
            let before = self.position();
            if self.body_section(&mut template).is_err() {
                broken = true;
                self.skip_item();
            }
            if self.position() == before {
                self.expected("`state`, `commit`, `urgent`, `init` or `trans`");
                self.advance();
            }
        }
        self.open_braces -= 1;
        self.in_process = false;
        template.span = start.to(self.expect_brace(open, "the process"));
        if let Some(diagnostic) = template.complete(self.fragment.file) {
            // What is missing may be what could not be read.
            if !broken {
                self.report(diagnostic);
            }
        }
        Ok(template)
    }

    /// Consumes a `{`; when a word stands in its place, it is taken to be forgotten.
    fn open_brace(&mut self, what: &str) -> Parsed<Span> {
        if self.is(TokenKind::BraceOpen) {
            return Ok(self.advance().span);
        }
        let what = format!("`{{` and {what}");
        if !self.is(TokenKind::Word) || self.starts_top_level() {
            return Err(self.missing(&what));
        }
        self.report_missing(&what, "`{` is missing");
        Ok(self.previous_span())
    }

    /// Whether a section of a process begins here, and nothing that a function could have: `state a, b;` with another section behind it.
    pub(crate) fn starts_body_section(&self) -> bool {
        if !self.in_process || !self.is(TokenKind::Word) {
            return false;
        }
        let is_section = |n: usize| {
            matches!(self.text_ahead(n), "state" | "commit" | "urgent" | "init" | "trans" | "branchpoint")
                && self.ahead(n + 1).kind == TokenKind::Word
        };
        if !is_section(0) || self.is_edge_ahead(1) {
            return is_section(0);
        }
        let end = self.distance_to(1, &[TokenKind::Semicolon]);
        is_section(end + 1)
    }

    /// The section that begins here. A word that is often taken for one of theirs is told, and read as what was meant.
    fn section(&mut self) -> &'static str {
        let Some(meant) = self.section_ahead() else { return "" };
        if !self.is_word(meant) {
            let message = format!("`{}` begins no part of a process", self.text());
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), message);
            self.report(diagnostic.hint(format!("did you mean `{meant}`?")));
        }
        meant
    }

    /// The keyword of the section that begins here, or that was meant to begin here.
    pub(crate) fn section_ahead(&self) -> Option<&'static str> {
        if !self.is(TokenKind::Word) {
            return None;
        }
        let word = self.text();
        if let Some(section) = SECTIONS.iter().find(|section| **section == word) {
            return Some(section);
        }
        let meant = match word {
            "location" | "locations" | "states" | "loc" => "state",
            "initial" | "start" => "init",
            "transition" | "transitions" | "edge" | "edges" => "trans",
            "committed" => "commit",
            _ => return None,
        };
        let lists = self.ahead(1).kind == TokenKind::Word
            && matches!(
                self.ahead(2).kind,
                TokenKind::Comma | TokenKind::Semicolon | TokenKind::BraceOpen | TokenKind::Arrow
            );
        (self.in_process && lists && !self.is_defined_type(word)).then_some(meant)
    }

    fn body_section(&mut self, template: &mut Template) -> Parsed<()> {
        let word = if self.starts_declaration_of_channels() { "" } else { self.section() };
        match word {
            "state" => {
                self.advance();
                self.comma_list("the locations", |parser| {
                    let location = parser.location()?;
                    let names = &mut parser.nodes.locations;
                    names.entry(location.name.name.clone()).or_insert(template.locations.len());
                    template.locations.push(location);
                    Ok(())
                })
            }
            "branchpoint" => {
                self.advance();
                self.comma_list("the branch points", |parser| {
                    let name = parser.name("the name of a branch point")?;
                    let names = &mut parser.nodes.branchpoints;
                    names.entry(name.name.clone()).or_insert(template.branchpoints.len());
                    template.branchpoints.push(Branchpoint { name, drawing: Drawing::default() });
                    Ok(())
                })
            }
            "commit" | "urgent" => {
                let committed = word == "commit";
                self.advance();
                self.comma_list("the locations", |parser| {
                    let name = parser.name("the name of a location")?;
                    if let Some(index) = parser.find_location(template, &name) {
                        template.mentions.push((name.span, Node::Location(index)));
                        let location = &mut template.locations[index];
                        if committed { location.committed = true } else { location.urgent = true }
                    }
                    Ok(())
                })
            }
            "init" => {
                self.advance();
                let name = self.name("the name of the initial location")?;
                if template.init.is_some() {
                    let message = format!("process `{}` has two initial locations", template.name.name);
                    self.report(Diagnostic::new(Code::UnexpectedToken, name.span, message));
                }
                if let Some(index) = self.find_location(template, &name) {
                    template.mentions.push((name.span, Node::Location(index)));
                    template.init = Some(index);
                }
                if template.init.is_none() && !template.locations.is_empty() {
                    // Reported above; go on with some location.
                    template.init = Some(0);
                }
                self.expect_semicolon("the initial location")
            }
            "trans" => {
                self.advance();
                self.transitions(template)
            }
            _ => {
                let decls = self.declarations();
                template.decls.extend(decls);
                Ok(())
            }
        }
    }

    /// `item, item, …;`
    fn comma_list(&mut self, what: &str, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        loop {
            item(self)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
            if self.is(TokenKind::Semicolon) {
                break;
            }
        }
        self.expect_semicolon(what)
    }

    fn location(&mut self) -> Parsed<Location> {
        let name = self.name("the name of a location")?;
        let mut location = Location::plain(name);
        if self.is(TokenKind::BraceOpen) {
            let open = self.advance().span;
            if self.invariant_and_rate(&mut location).is_err() {
                location.invariant = None;

                self.skip_to_brace();
            }
            location.span = location.span.to(self.expect_brace(open, "the invariant"));
        }
        Ok(location)
    }

    fn invariant_and_rate(&mut self, location: &mut Location) -> Parsed<()> {
        if !self.is(TokenKind::Semicolon) && !self.is(TokenKind::BraceClose) {
            location.invariant = Some(self.conjunction()?);
        }
        if self.eat(TokenKind::Semicolon) && !self.is(TokenKind::BraceClose) {
            location.exponential_rate = Some(self.rate()?);
        }
        if self.is(TokenKind::BraceClose) { Ok(()) } else { Err(self.missing("an operator or `}`")) }
    }

    fn find_location(&mut self, template: &Template, name: &Ident) -> Option<usize> {
        let found = self.nodes.locations.get(&name.name).copied();
        if found.is_none() {
            self.report_unknown_location(template, name);
        }
        found
    }

    fn report_unknown_location(&mut self, template: &Template, name: &Ident) {
        if let Some(point) = template.branchpoints.iter().find(|point| point.name.name == name.name) {
            let message = format!("`{}` is a branch point, not a location", name.name);
            let diagnostic = Diagnostic::new(Code::UnknownLocation, name.span, message);
            self.report(diagnostic.related(point.name.span, "declared here"));
            return;
        }
        let message = format!("process `{}` has no location `{}`", template.name.name, name.name);
        let mut diagnostic = Diagnostic::new(Code::UnknownLocation, name.span, message);
        let names: Vec<_> = template.locations.iter().map(|location| &*location.name.name).collect();
        if let Some(near) = nearest(&name.name, names.iter().copied()) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        } else if (1..=12).contains(&names.len()) {
            diagnostic = diagnostic.hint(format!("its locations are {}", names.join(", ")));
        }
        self.report(diagnostic);
    }

    /// The node at an end of an edge.
    fn find_node(&mut self, template: &mut Template, name: &Ident) -> Option<Node> {
        let node = match self.nodes.branchpoints.get(&name.name) {
            Some(&index) => Some(Node::Branchpoint(index)),
            None => self.find_location(template, name).map(Node::Location),
        };
        template.mentions.extend(node.map(|node| (name.span, node)));
        node
    }

    /// `a -> b { … }, -> c { … };` An edge with a mistake is left out, the others stay.
    fn transitions(&mut self, template: &mut Template) -> Parsed<()> {
        let mut previous: Option<Node> = None;
        let mut separators_reported = false;
        while !self.is(TokenKind::Semicolon) {
            if self.edge(template, &mut previous).is_err() {
                self.skip_to(&[TokenKind::Comma]);
            }
            if self.eat(TokenKind::Comma) {
                continue;
            }
            let separator = usize::from(self.is(TokenKind::Semicolon));
            if !self.is_edge_ahead(separator) {
                break;
            }
            if !separators_reported {
                separators_reported = true;
                self.report_edge_separator();
            }
            self.eat(TokenKind::Semicolon);
        }
        self.expect_semicolon("the edges")
    }

    /// `a ->` stands `n` tokens ahead.
    fn is_edge_ahead(&self, n: usize) -> bool {
        self.ahead(n).kind == TokenKind::Word
            && matches!(self.ahead(n + 1).kind, TokenKind::Arrow | TokenKind::UncontrollableArrow)
    }

    fn report_edge_separator(&mut self) {
        if self.is(TokenKind::Semicolon) {
            let message = "edges are separated by `,`: the list ends here";
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), message);
            self.report(diagnostic.hint("write `;` only behind the last edge"));
        } else {
            self.report_missing("`,` between the edges", "`,` is missing");
        }
    }

    fn edge(&mut self, template: &mut Template, previous: &mut Option<Node>) -> Parsed<()> {
        let start = self.span();
        let source = if self.is(TokenKind::Word) {
            let name = self.name("the source of an edge")?;
            self.find_node(template, &name)
        } else {
            *previous
        };
        *previous = source;
        let controllable = !self.is(TokenKind::UncontrollableArrow);
        self.arrow()?;
        let name = self.name("the target of an edge")?;
        let target = self.find_node(template, &name);
        let edge = self.edge_body(start)?;
        if let (Some(source), Some(target)) = (source, target) {
            template.edges.push(Edge { source, target, controllable, ..edge });
        }
        Ok(())
    }

    /// `->`, or something that was meant as one.
    fn arrow(&mut self) -> Parsed<()> {
        let meant =
            matches!(self.kind(), TokenKind::LeadsTo | TokenKind::OldGe | TokenKind::Minus | TokenKind::Gt);
        if meant && self.ahead(1).kind == TokenKind::Word {
            let message = format!("expected `->` and the target of the edge, found {}", self.describe());
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), message);
            self.report(diagnostic.hint("did you mean `->`?"));
        } else if !matches!(self.kind(), TokenKind::Arrow | TokenKind::UncontrollableArrow) {
            return Err(self.missing("`->` and the target of the edge"));
        }
        self.advance();
        Ok(())
    }

    /// `{ select …; guard …; sync …; assign …; probability …; }` in any order.
    fn edge_body(&mut self, start: Span) -> Parsed<Edge> {
        let mut edge = Edge::plain(Node::Location(0), Node::Location(0), start);
        let open = self.open_brace("the labels of the edge")?;
        while !self.is(TokenKind::BraceClose) && !self.at_end() && !self.starts_top_level() {
            if self.edge_label(&mut edge).is_err() {
                self.skip_item();
            }
        }
        edge.span = start.to(self.expect_brace(open, "the edge"));
        Ok(edge)
    }

    fn edge_label(&mut self, edge: &mut Edge) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let (word, span) = (if self.is(TokenKind::Word) { self.text() } else { "" }, self.span());
        if !is_label(word) {
            return Err(self.unknown_label());
        }
        self.advance();
        let first = match word {
            "guard" => edge.guard.as_ref().map(|guard| guard.span),
            "sync" => edge.sync.as_ref().map(|sync| sync.span),
            "probability" => edge.probability.as_ref().map(|weight| weight.span),
            _ => None,
        };
        if let Some(first) = first {
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, format!("a second `{word}` label"));
            return Err(self.report(diagnostic.related(first, "the first one")));
        }
        self.label_text(edge, word)
    }

    /// What stands behind the keyword of a label. A label with a mistake is left out.
    fn label_text(&mut self, edge: &mut Edge, word: &str) -> Parsed<()> {
        let blank = self.is(TokenKind::Semicolon);
        match word {
            "select" => {
                let bindings = self.bindings()?;
                self.end_of_label()?;
                edge.select.extend(bindings);
            }
            "guard" if !blank => {
                let guard = self.conjunction()?;
                self.end_of_label()?;
                edge.guard = Some(guard);
            }
            "sync" => {
                let sync = self.synchronisation()?;
                self.end_of_label()?;
                edge.sync = Some(sync);
            }
            "assign" if !blank => {
                let update = self.update_label()?;
                self.end_of_label()?;
                edge.update.extend(update);
            }
            "probability" => {
                let weight = self.expression()?;
                self.end_of_label()?;
                edge.probability = Some(weight);
            }
            _ => self.end_of_label()?,
        }
        Ok(())
    }

    /// `x = 1`, `x++` or `f(…)` stands `n` tokens ahead.
    pub(crate) fn is_update_ahead(&self, n: usize) -> bool {
        let follows = self.ahead(n + 1).kind;
        self.ahead(n).kind == TokenKind::Word
            && !is_label(self.text_ahead(n))
            && (super::expression::assignment_operator(follows).is_some()
                || matches!(
                    follows,
                    TokenKind::ParenOpen
                        | TokenKind::BracketOpen
                        | TokenKind::Increment
                        | TokenKind::Decrement
                ))
    }

    /// Passes over a `;` that stands for a `,`.
    pub(crate) fn report_update_separator(&mut self) {
        let message = "updates are separated by `,`: the label ends here";
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), message);
        self.report(diagnostic.hint("write `,` between updates"));
        self.advance();
    }

    fn end_of_label(&mut self) -> Parsed<()> {
        if self.is(TokenKind::Word) && !self.token().starts_line && !is_label(self.text()) {
            return Err(self.expected("an operator or `;`"));
        }
        self.expect_semicolon("the label")
    }

    fn unknown_label(&mut self) -> Reported {
        let word = if self.is(TokenKind::Word) { self.text() } else { "" };
        let meant = match word {
            "update" | "assignment" | "do" => Some("assign"),
            "synchronisation" | "synchronization" => Some("sync"),
            "when" | "provided" => Some("guard"),
            _ => nearest(word, LABELS.iter().copied()),
        };
        let Some(meant) = meant else {
            let reported = self.expected("`select`, `guard`, `sync`, `assign` or `}`");
            self.advance();
            return reported;
        };
        let message = format!("`{word}` is not a label of an edge");
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.span(), message);
        self.advance();
        self.report(diagnostic.hint(format!("did you mean `{meant}`?")))
    }
}

const SECTIONS: &[&str] = &["state", "branchpoint", "commit", "urgent", "init", "trans"];

const LABELS: &[&str] = &["select", "guard", "sync", "assign", "probability"];

fn is_label(word: &str) -> bool {
    LABELS.contains(&word)
}
