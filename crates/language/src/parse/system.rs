//! The system section, and whole textual models.

use super::Dialect;
use super::cursor::{Parsed, Parser};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{Decl, Document, Expr, Format, GanttBar, GanttLine, SystemEntry};

impl Parser<'_> {
    /// A whole textual model: declarations and processes in any order, then the system.
    pub(crate) fn document(&mut self) -> Document {
        let format = if self.dialect == Dialect::Old { Format::Old } else { Format::Xta };
        let mut document = Document { format, ..Document::default() };
        let mut late: Vec<Decl> = Vec::new();
        while !self.at_end() && !self.is_word("system") {
            let before = self.position();
            if self.is_word("process") {
                document.decls.extend(take_non_instantiations(&mut late));
                match self.process() {
                    Ok(template) => document.templates.push(template),
                    Err(_) => self.skip_item(),
                }
            } else {
                late.extend(self.declarations());
            }
            if self.position() == before {
                self.expected("a declaration, a process or the system line");
                self.advance();
                self.skip_item();
            }
        }
        if document.templates.is_empty() {
            document.decls.extend(take_non_instantiations(&mut late));
        }
        document.system.decls = late;
        self.system_section(&mut document);
        document
    }

    /// Instantiations, the system line and what follows it.
    pub(crate) fn system_section(&mut self, document: &mut Document) {
        let mut seen = false;
        while !self.at_end() {
            let before = self.position();
            let next = self.ahead(1).kind;
            let result = match if self.is(TokenKind::Word) { self.text() } else { "" } {
                "system" if !seen => {
                    seen = true;
                    self.system_line(document)
                }
                "progress" if next == TokenKind::BraceOpen => self.progress(document),
                "gantt" if next == TokenKind::BraceOpen => self.gantt(document),
                "query" if next == TokenKind::BraceOpen => self.query_block(document),
                _ => {
                    document.system.decls.extend(self.declarations());
                    Ok(())
                }
            };
            if result.is_err() {
                self.skip_item();
            }
            if self.position() == before {
                self.expected("a declaration or the system line");
                self.advance();
                self.skip_item();
            }
        }
        if !seen {
            let diagnostic = Diagnostic::new(
                Code::MissingSystem,
                self.span(),
                "there is no system line: no process is declared to run",
            )
            .hint("end the model with `system P, Q;`");
            self.report(diagnostic);
        }
    }

    fn system_line(&mut self, document: &mut Document) -> Parsed<()> {
        let start = self.advance().span;
        let mut raises = false;
        loop {
            let name = self.name("the name of a process")?;
            document.system.processes.push(SystemEntry { name, raises });
            raises = self.is(TokenKind::Lt);
            if !raises && !self.is(TokenKind::Comma) {
                break;
            }
            self.advance();
        }
        if self.is(TokenKind::ParenOpen) {
            let name = document
                .system
                .processes
                .last()
                .map_or_else(String::new, |entry| entry.name.name.to_string());
            let diagnostic =
                Diagnostic::new(Code::UnexpectedToken, self.span(), "arguments on the system line")
                    .hint(format!("instantiate first: `P = {name}(…);`, then `system P;`"));
            return Err(self.report(diagnostic));
        }
        document.system.span = start.to(self.previous_span());
        if self.at_end() {
            let diagnostic = Diagnostic::new(
                Code::UnexpectedToken,
                self.previous_span().after(),
                "expected `;` after the processes",
            )
            .label("`;` is missing");
            return Err(self.report(diagnostic));
        }
        self.expect(TokenKind::Semicolon, "`,` or `;`")?;
        Ok(())
    }

    fn progress(&mut self, document: &mut Document) -> Parsed<()> {
        self.advance();
        self.advance();
        while !self.is(TokenKind::BraceClose) {
            let first = self.expression()?;
            let measure: (Option<Expr>, Expr) =
                if self.eat(TokenKind::Colon) { (Some(first), self.expression()?) } else { (None, first) };
            self.expect(TokenKind::Semicolon, "`;` after the measure")?;
            document.system.progress.push(measure);
        }
        self.advance();
        Ok(())
    }

    fn gantt(&mut self, document: &mut Document) -> Parsed<()> {
        self.advance();
        self.advance();
        while !self.is(TokenKind::BraceClose) {
            let line = self.gantt_line()?;
            document.system.gantt.push(line);
        }
        self.advance();
        Ok(())
    }

    fn gantt_line(&mut self) -> Parsed<GanttLine> {
        let name = self.name("the name of a chart line")?;
        let mut params = Vec::new();
        if self.eat(TokenKind::ParenOpen) {
            params = self.bindings()?;
            self.expect(TokenKind::ParenClose, "`)`")?;
        }
        self.expect(TokenKind::Colon, "`:`")?;
        let mut bars = vec![self.gantt_bar()?];
        while self.eat(TokenKind::Comma) {
            bars.push(self.gantt_bar()?);
        }
        self.expect(TokenKind::Semicolon, "`;` after the chart line")?;
        Ok(GanttLine { name, params, bars })
    }

    fn gantt_bar(&mut self) -> Parsed<GanttBar> {
        let mut binders = Vec::new();
        if self.eat_word("for") {
            self.expect(TokenKind::ParenOpen, "`(`")?;
            binders = self.bindings()?;
            self.expect(TokenKind::ParenClose, "`)`")?;
        }
        let condition = self.expression()?;
        self.expect(TokenKind::Arrow, "`->` and a colour")?;
        Ok(GanttBar { binders, condition, color: self.expression()? })
    }

    fn query_block(&mut self, document: &mut Document) -> Parsed<()> {
        self.advance();
        self.advance();
        if let Some(entry) = self.query_entry() {
            document.queries.push(entry);
        }
        self.expect(TokenKind::BraceClose, "`}` after the query")?;
        Ok(())
    }
}

/// Declarations in front of a process are global; instantiations wait for the system section.
fn take_non_instantiations(late: &mut Vec<Decl>) -> Vec<Decl> {
    let (instantiations, others) =
        std::mem::take(late).into_iter().partition(|decl| matches!(decl, Decl::Instantiation(_)));
    *late = instantiations;
    others
}
