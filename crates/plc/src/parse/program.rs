//! Programs: ports and locations.

use super::cursor::{Cursor, Parsed};
use super::lexer::TokenKind;
use crate::syntax::{Delay, Location, Program, Transition};

impl Cursor<'_> {
    pub(super) fn program(&mut self) -> Parsed<Program> {
        self.advance();
        let name = self.name("the name of the program")?;
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut program = Program { name, inputs: Vec::new(), outputs: Vec::new(), locations: Vec::new() };
        while !matches!(self.token().kind, TokenKind::BraceClose | TokenKind::End) {
            match self.word() {
                "input" => match self.ports() {
                    Ok(ports) => program.inputs.extend(ports),
                    Err(_) => self.skip_statement(),
                },
                "output" => match self.ports() {
                    Ok(ports) => program.outputs.extend(ports),
                    Err(_) => self.skip_statement(),
                },
                "initial" | "location" => program.locations.push(self.location()?),
                _ => return Err(self.expected("`input`, `output`, `location` or `}`")),
            }
        }
        self.expect(TokenKind::BraceClose, "`}`")?;
        Ok(program)
    }

    fn location(&mut self) -> Parsed<Location> {
        let initial = if self.word() == "initial" { Some(self.advance().span) } else { None };
        self.expect_word("location")?;
        let name = self.name("the name of the location")?;
        self.expect(TokenKind::BraceOpen, "`{`")?;
        let mut location =
            Location { name, initial, outputs: Vec::new(), delays: Vec::new(), transitions: Vec::new() };
        while !matches!(self.token().kind, TokenKind::BraceClose | TokenKind::End) {
            if self.statement(&mut location).is_err() {
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
