//! Programs: ports and locations.

use super::ITEMS;
use super::cursor::Cursor;
use super::lexer::TokenKind;
use crate::syntax::{Delay, Location, Program, Transition};
use guidepost_language::diagnostic::{Code, Diagnostic};
use guidepost_language::words::Parsed;

/// What may stand in a program.
const PARTS: &str = "`input`, `output`, `location` or `}`";

impl Cursor<'_> {
    pub(super) fn program(&mut self) -> Parsed<Program> {
        self.advance();
        let name = self.name("the name of the program")?;
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut program = Program {
            name,
            inputs: Vec::new(),
            outputs: Vec::new(),
            locations: Vec::new(),
            is_damaged: false,
        };
        while !matches!(self.token().kind, TokenKind::BraceClose | TokenKind::End) {
            if ITEMS.contains(&self.word()) && self.word() != "input" {
                return Err(self.expected(PARTS));
            }
            if self.part(&mut program).is_err() {
                program.is_damaged = true;
                self.skip_part();
            }
        }
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(program)
    }

    fn part(&mut self, program: &mut Program) -> Parsed<()> {
        match self.word() {
            "input" => program.inputs.extend(self.ports()?),
            "output" => program.outputs.extend(self.ports()?),
            "initial" | "location" => program.locations.push(self.location()?),
            _ => {
                let reported = self.expected(PARTS);
                self.advance();
                return Err(reported);
            }
        }
        Ok(())
    }

    /// Goes to the next port or location of a program, or to what ends it.
    fn skip_part(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token().kind {
                TokenKind::End => return,
                TokenKind::BraceClose if depth == 0 => return,
                TokenKind::Word if depth == 0 => {
                    let word = self.word();
                    if ITEMS.contains(&word) || matches!(word, "output" | "initial" | "location") {
                        return;
                    }
                }
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose => depth -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    fn location(&mut self) -> Parsed<Location> {
        let initial = if self.word() == "initial" { Some(self.advance().span) } else { None };
        self.expect_word("location")?;
        let name = self.name("the name of the location")?;
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut location = Location {
            name,
            initial,
            outputs: Vec::new(),
            delays: Vec::new(),
            transitions: Vec::new(),
            is_damaged: false,
        };
        while !matches!(self.token().kind, TokenKind::BraceClose | TokenKind::End) {
            if self.statement(&mut location).is_err() {
                location.is_damaged = true;
                self.skip_statement();
            }
        }
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(location)
    }

    fn statement(&mut self, location: &mut Location) -> Parsed<()> {
        let start = self.token().span;
        match self.word() {
            "delay" => {
                self.advance();
                let over = self.eat_word("over");
                let time = self.value("the delay")?;
                let condition = if self.eat_word("while") { Some(self.condition()?) } else { None };
                let span = start.to(self.previous());
                location.delays.push(Delay { over, time, condition, span });
            }
            "when" => {
                self.advance();
                let condition = Some(self.condition()?);
                let transition = self.destination(start)?;
                location.transitions.push(Transition { condition, ..transition });
            }
            "otherwise" => {
                self.advance();
                let transition = self.destination(start)?;
                location.transitions.push(transition);
            }
            word if word.eq_ignore_ascii_case("if") && self.ahead(1) != TokenKind::Becomes => {
                let message = format!("`{word}` begins nothing here");
                let diagnostic = Diagnostic::new(Code::UnexpectedToken, start, message);
                return Err(
                    self.report(diagnostic.hint("a transition reads `when CONDITION goto LOCATION;`"))
                );
            }
            _ => {
                let output = self.name("`when`, `otherwise`, `delay` or an output")?;
                self.expect_becomes()?;
                location.outputs.push((output, self.value("a value")?));
            }
        }
        self.semicolon()
    }

    fn destination(&mut self, start: guidepost_language::source::Span) -> Parsed<Transition> {
        let target = if self.eat_word("stay") {
            None
        } else if self.eat_word("goto") {
            Some(self.name("the name of a location")?)
        } else {
            return Err(self.expected("`goto` or `stay`"));
        };
        Ok(Transition { condition: None, target, span: start.to(self.previous()) })
    }
}
