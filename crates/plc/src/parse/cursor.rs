//! The parser's place in the tokens, and how it complains.

use super::lexer::{Token, TokenKind};
use crate::syntax::{Ident, Value, ValueKind};
use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::Span;

/// A syntax error was reported; the caller recovers at the next item or statement.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Words that cannot be names.
pub(crate) const KEYWORDS: &[&str] = &[
    "and",
    "at",
    "bool",
    "constant",
    "cycle",
    "delay",
    "device",
    "expect",
    "fails",
    "false",
    "for",
    "goto",
    "hide",
    "holds",
    "in",
    "initial",
    "input",
    "least",
    "like",
    "location",
    "never",
    "node",
    "not",
    "or",
    "otherwise",
    "output",
    "over",
    "program",
    "property",
    "set",
    "settled",
    "show",
    "stay",
    "then",
    "true",
    "type",
    "variant",
    "when",
    "whenever",
    "while",
    "within",
];

/// What people write behind times.
const UNITS: &[&str] = &["ns", "us", "ms", "s", "sec", "min", "h", "d"];

pub(crate) struct Cursor<'a> {
    pub text: &'a str,
    pub out: &'a mut Diagnostics,
    tokens: Vec<Token>,
    at: usize,
    /// How deeply conditions are nested at the moment.
    pub depth: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, tokens: Vec<Token>, out: &'a mut Diagnostics) -> Self {
        Self { text, out, tokens, at: 0, depth: 0 }
    }

    pub(crate) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub(crate) fn word(&self) -> &'a str {
        match self.token() {
            Token { kind: TokenKind::Word, span } => &self.text[span.range()],
            _ => "",
        }
    }

    /// The kind of the token `n` places ahead.
    pub(crate) fn ahead(&self, n: usize) -> TokenKind {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)].kind
    }

    pub(crate) fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn is(&self, kind: TokenKind) -> bool {
        self.token().kind == kind
    }

    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    /// Whether the token stands on another line than the one before it.
    pub(crate) fn begins_line(&self) -> bool {
        let between = self.previous().end as usize..self.token().span.start as usize;
        self.text.get(between).is_some_and(|between| between.contains('\n'))
    }

    /// Complains that `what` was expected. At the end of a line that is the place just behind the last token.
    pub(crate) fn expected(&mut self, what: &str) -> Reported {
        let token = self.token();
        let (previous, written) = (self.previous(), &self.text[token.span.range()]);
        let diagnostic = if token.kind == TokenKind::End {
            let message = format!("expected {what}, but the file ends");
            Diagnostic::new(Code::UnexpectedToken, previous.after(), message)
        } else if self.begins_line() {
            let message = format!("expected {what} before `{written}`");
            Diagnostic::new(Code::UnexpectedToken, previous.after(), message)
        } else {
            let message = format!("expected {what}, found `{written}`");
            Diagnostic::new(Code::UnexpectedToken, token.span, message)
        };
        self.out.push(diagnostic);
        Reported
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.out.push(diagnostic);
        Reported
    }

    pub(crate) fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Span> {
        if self.is(kind) { Ok(self.advance().span) } else { Err(self.expected(what)) }
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.word() == word { Ok(self.advance().span) } else { Err(self.expected(&format!("`{word}`"))) }
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
        let word = self.word();
        if word.is_empty() {
            return Err(self.expected(what));
        }
        if KEYWORDS.contains(&word) {
            let message = format!("expected {what}; `{word}` is a word of the language");
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.token().span, message);
            return Err(self.report(diagnostic));
        }
        Ok(Ident::new(word, self.advance().span))
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
        let digits = self.tokens.get(self.at + 1).filter(|token| token.kind == TokenKind::Number).copied();
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
        let is_attached = number.end == unit.start && !word.is_empty() && !KEYWORDS.contains(&word);
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
