//! The system section, and whole textual models.

use super::Dialect;
use super::cursor::{Parsed, Parser, Reported};
use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::{Decl, Document, Expr, Format, GanttBar, GanttLine, Ident, QueryEntry, SystemEntry};

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
        let mut seen: Option<Span> = None;
        while !self.at_end() {
            let before = self.position();
            let next = self.ahead(1).kind;
            let result = match if self.is(TokenKind::Word) { self.text() } else { "" } {
                "system" if seen.is_none() => {
                    seen = Some(self.span());
                    self.system_line(document)
                }
                "system" if next == TokenKind::Word => {
                    let diagnostic =
                        Diagnostic::new(Code::UnexpectedToken, self.span(), "a second system line")
                            .hint("name all processes on one line");
                    self.report(diagnostic.related(seen.unwrap_or_default(), "the first one"));
                    self.advance();
                    Err(Reported)
                }
                "progress" if next == TokenKind::BraceOpen => {
                    self.progress(document);
                    Ok(())
                }
                "gantt" if next == TokenKind::BraceOpen => {
                    self.gantt(document);
                    Ok(())
                }
                "query" if next == TokenKind::BraceOpen => {
                    self.query_block(document);
                    Ok(())
                }
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
        if seen.is_none() {
            self.report_missing_system(document);
        }
    }

    fn report_missing_system(&mut self, document: &Document) {
        // An endless comment has swallowed it.
        if self.out.iter().any(|diagnostic| diagnostic.code == Code::UnterminatedComment) {
            return;
        }
        let names: Vec<_> = document.templates.iter().map(|template| &*template.name.name).take(12).collect();
        let names = if names.is_empty() { "P, Q".to_owned() } else { names.join(", ") };
        let span = if self.position() > 0 { self.previous_span().after() } else { self.span() };
        let message = "there is no system line: no process is declared to run";
        let hint = format!("end the model with `system {names};`");
        self.report(Diagnostic::new(Code::MissingSystem, span, message).hint(hint));
    }

    /// `system P, Q < R;`
    fn system_line(&mut self, document: &mut Document) -> Parsed<()> {
        let start = self.advance().span;
        let mut raises = false;
        let mut arguments_reported = false;
        loop {
            let name = self.name("the name of a process")?;
            if self.is(TokenKind::ParenOpen) {
                self.arguments_of_process(&name, &mut arguments_reported);
            } else {
                document.system.processes.push(SystemEntry { name, raises });
            }
            raises = self.is(TokenKind::Lt);
            if !raises && !self.is(TokenKind::Comma) {
                break;
            }
            self.advance();
        }
        document.system.span = start.to(self.previous_span());
        if !self.is(TokenKind::Semicolon) && !self.at_end() && !self.token().starts_line {
            return Err(self.expected("`,` or `;`"));
        }
        self.expect_semicolon("the processes")
    }

    /// `system P(1);` is refused once per line, and the process left out.
    fn arguments_of_process(&mut self, name: &Ident, reported: &mut bool) {
        let open = self.advance().span;
        self.skip_to(&[TokenKind::ParenClose]);
        self.eat(TokenKind::ParenClose);
        if !*reported {
            *reported = true;
            let (name, span) = (&name.name, open.to(self.previous_span()));
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, "arguments on the system line");
            let hint = format!("instantiate first: `{name}1 = {name}(…);`, then `system {name}1;`");
            self.report(diagnostic.hint(hint));
        }
    }

    fn progress(&mut self, document: &mut Document) {
        self.braced("the measures", |parser| {
            let first = parser.expression()?;
            let measure: (Option<Expr>, Expr) = if parser.eat(TokenKind::Colon) {
                (Some(first), parser.expression()?)
            } else {
                (None, first)
            };
            document.system.progress.push(measure);
            parser.expect_semicolon("the measure")
        });
    }

    fn gantt(&mut self, document: &mut Document) {
        self.braced("the chart", |parser| {
            let line = parser.gantt_line()?;
            document.system.gantt.push(line);
            Ok(())
        });
    }

    /// `word { item item … }`
    fn braced(&mut self, what: &str, mut item: impl FnMut(&mut Self) -> Parsed<()>) {
        self.advance();
        let open = self.advance().span;
        while !self.is(TokenKind::BraceClose) && !self.at_end() && !self.starts_top_level() {
            if item(self).is_err() {
                self.skip_item();
            }
        }
        self.expect_brace(open, what);
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
        self.expect_semicolon("the chart line")?;
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

    fn query_block(&mut self, document: &mut Document) {
        self.advance();
        let open = self.advance().span;
        let entry = self.query_entry();
        if !self.is(TokenKind::BraceClose) && !self.at_end() {
            self.expected("`}` after the query");
            self.skip_to_brace();
        }
        let close = self.expect_brace(open, "the query");
        // Messages about the query are told from others by their place.
        document.queries.extend(entry.map(|entry| QueryEntry { span: open.to(close), ..entry }));
    }
}

/// Declarations in front of a process are global; instantiations wait for the system section.
fn take_non_instantiations(late: &mut Vec<Decl>) -> Vec<Decl> {
    let (instantiations, others) =
        std::mem::take(late).into_iter().partition(|decl| matches!(decl, Decl::Instantiation(_)));
    *late = instantiations;
    others
}
