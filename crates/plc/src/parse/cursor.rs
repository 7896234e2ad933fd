//! What is read everywhere in a controller: names, values, what is to be passed over.

use super::lexer::TokenKind;
use crate::syntax::{Ident, Value, ValueKind};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::{FileId, Span};
use guidepost_language::words::{self, Kind, Parsed};
use std::ops::{Deref, DerefMut};

/// What people write behind times.
const UNITS: &[&str] = &["ns", "us", "ms", "s", "sec", "min", "h", "d"];

/// A parser of controllers: a place in the tokens, and what is read there.
pub(crate) struct Cursor<'a>(words::Cursor<'a, TokenKind>);

impl<'a> Deref for Cursor<'a> {
    type Target = words::Cursor<'a, TokenKind>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Cursor<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, out: &'a mut Diagnostics) -> Self {
        Self(words::Cursor::new(file, text, out))
    }

    /// `:=`; other languages write `=`.
    pub(crate) fn expect_becomes(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::Becomes) {
            return Ok(());
        }
        if self.is(TokenKind::Equal) {
            let span = self.advance().span;
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, "`=` compares, it does not assign");
            self.out.push(diagnostic.hint("write `:=`"));
            return Ok(());
        }
        Err(self.expected("`:=`"))
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Ident> {
        let (name, span) = self.expect_name(what)?;
        Ok(Ident::new(name, span))
    }

    /// A number, `true`, `false`, or a name.
    pub(crate) fn value(&mut self, what: &str) -> Parsed<Value> {
        let start = self.token().span;
        let negative = self.eat(TokenKind::Minus);
        if self.is(TokenKind::Number) {
            let span = start.to(self.advance().span);
            let written = self.text[span.range()].replace(char::is_whitespace, "");
            self.no_fraction(span)?;
            self.no_unit();
            if let Ok(number) = written.parse() {
                return Ok(Value { kind: ValueKind::Number(number), span });
            }
            let message = format!("`{written}` does not fit into 32 bits");
            return Err(self.report(Diagnostic::new(Code::NumberTooLarge, span, message)));
        }
        if negative {
            return Err(self.expected("a number"));
        }
        for (word, value) in [("true", true), ("false", false)] {
            if self.eat_word(word) {
                return Ok(Value { kind: ValueKind::Bool(value), span: start });
            }
        }
        let name = self.name(what)?;
        Ok(Value { span: name.span, kind: ValueKind::Name(name) })
    }

    fn no_fraction(&mut self, number: Span) -> Parsed<()> {
        let digits = Some(self.token_at(self.position() + 1)).filter(|token| token.kind == TokenKind::Number);
        match digits {
            Some(digits) if self.is(TokenKind::Dot) => {
                let diagnostic =
                    Diagnostic::new(Code::UnexpectedToken, number.to(digits.span), "numbers are whole");
                Err(self.report(diagnostic.hint("count all times in a smaller unit")))
            }
            _ => Ok(()),
        }
    }

    /// Times have no units. One that is written anyway is passed over, so that nothing else is said about it.
    fn no_unit(&mut self) {
        let (number, unit, word) = (self.previous(), self.token().span, self.word());
        let is_attached =
            number.end == unit.start && !word.is_empty() && !TokenKind::KEYWORDS.contains(&word);
        if is_attached || UNITS.contains(&word) {
            let message = format!("`{word}`: times have no units");
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, unit, message);
            self.out.push(diagnostic.hint("times are whole numbers, all of them in one unit of your choice"));
            self.advance();
        }
    }

    /// Goes behind the next `;`, or stops before the `}` that closes the block or the end.
    pub(crate) fn skip_statement(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token().kind {
                TokenKind::End => return,
                TokenKind::BraceClose if depth == 0 => return,
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose => depth -= 1,
                TokenKind::Semicolon if depth == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Goes to the next word of `starts` that stands outside of braces.
    pub(crate) fn skip_item(&mut self, starts: &[&str]) {
        let mut depth = 0usize;
        while !self.is(TokenKind::End) {
            if depth == 0 && starts.contains(&self.word()) {
                return;
            }
            match self.advance().kind {
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
}
