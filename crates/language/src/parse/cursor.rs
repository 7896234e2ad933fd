//! The parser's position in the tokens, and how it complains and recovers.
//!
//! A parse function that cannot go on pushes one diagnostic and returns [`Reported`]; the nearest list (of declarations, statements,
//! edges, …) catches it, skips to where the next item can start and goes on.

use super::Dialect;
use super::token::{Token, TokenKind, tokenize};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Fragment, Span};
use crate::syntax::Ident;

/// An error that has been reported.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Expressions, types and statements may nest this deep; parsing and everything behind it recurses.
const MAX_DEPTH: u32 = 200;

pub(crate) struct Parser<'a> {
    pub(crate) fragment: &'a Fragment,
    pub(crate) dialect: Dialect,
    pub(crate) out: &'a mut Diagnostics,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Inside the bounds of a range, numbers beyond 32 bits are cut to them: they mean "any value".
    pub(crate) in_range_bounds: bool,
    /// Inside a query, a line break may end an expression.
    pub(crate) line_breaks_end: bool,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(fragment: &'a Fragment, dialect: Dialect, out: &'a mut Diagnostics) -> Self {
        let tokens = tokenize(fragment, out);
        Self {
            fragment,
            dialect,
            out,
            tokens,
            at: 0,
            depth: 0,
            in_range_bounds: false,
            line_breaks_end: false,
        }
    }

    pub(crate) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub(crate) fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// The token `n` places ahead.
    pub(crate) fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    /// The token `n` places back.
    pub(crate) fn behind(&self, n: usize) -> Token {
        self.tokens[self.at.saturating_sub(n)]
    }

    pub(crate) fn text(&self) -> &'a str {
        self.token().text(self.fragment)
    }

    pub(crate) fn text_ahead(&self, n: usize) -> &'a str {
        self.ahead(n).text(self.fragment)
    }

    pub(crate) fn span(&self) -> Span {
        self.token().span
    }

    /// The span of the token before this one.
    pub(crate) fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// The end, in decoded text, of the token before this one.
    pub(crate) fn previous_end(&self) -> u32 {
        if self.at == 0 { 0 } else { self.tokens[self.at - 1].end }
    }

    pub(crate) fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token();
        if !self.at_end() {
            self.at += 1;
        }
        token
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind() == TokenKind::Word && self.text() == word
    }

    pub(crate) fn word_ahead(&self, n: usize, word: &str) -> bool {
        self.ahead(n).kind == TokenKind::Word && self.text_ahead(n) == word
    }

    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes a token of the kind, or complains: "expected `what`, found …".
    pub(crate) fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Span> {
        if self.is(kind) { Ok(self.advance().span) } else { Err(self.expected(what)) }
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.is_word(word) { Ok(self.advance().span) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// A declared name: any word that is not reserved.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Ident> {
        if !self.is(TokenKind::Word) {
            return Err(self.expected(what));
        }
        if super::is_reserved(self.text()) {
            let message = format!("`{}` is a keyword and cannot be used as {what}", self.text());
            self.report(
                Diagnostic::new(Code::UnexpectedToken, self.span(), message).hint("choose another name"),
            );
            return Err(Reported);
        }
        let name = self.text();
        Ok(Ident::new(name, self.advance().span))
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.out.push(diagnostic);
        Reported
    }

    /// "expected X, found Y" at the current token.
    pub(crate) fn expected(&mut self, what: &str) -> Reported {
        let found = self.describe();
        let diagnostic = Diagnostic::new(
            Code::UnexpectedToken,
            self.complaint_span(),
            format!("expected {what}, found {found}"),
        )
        .label(format!("expected {what}"));
        let diagnostic = match self.kind() {
            TokenKind::OldLe => diagnostic.hint("did you mean `<=`?"),
            TokenKind::OldGe => diagnostic.hint("did you mean `>=`?"),
            _ => diagnostic,
        };
        self.report(diagnostic)
    }

    /// At the end of the text there is nothing to underline: point behind the last token.
    fn complaint_span(&self) -> Span {
        if self.at_end() && self.at > 0 { self.previous_span().after() } else { self.span() }
    }

    pub(crate) fn describe(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text()),
        }
    }

    /// Runs `parse` one level deeper, unless that is too deep.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            self.report(Diagnostic::new(Code::NestingTooDeep, self.span(), message));
            return Err(Reported);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// A list in parentheses or the like: `item` separated by `separator` up to (not including) `close`.
    pub(crate) fn separated<T>(
        &mut self,
        separator: TokenKind,
        close: TokenKind,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.is(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat(separator) {
                return Ok(items);
            }
        }
    }

    /// Skips to behind the next `;` or `}` of this level (balanced braces are skipped whole), or to before a `}` that closes
    /// the level around.
    pub(crate) fn skip_item(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::BraceOpen | TokenKind::ParenOpen | TokenKind::BracketOpen => depth += 1,
                TokenKind::ParenClose | TokenKind::BracketClose => depth = depth.saturating_sub(1),
                TokenKind::BraceClose if depth == 0 => return,
                TokenKind::BraceClose => {
                    depth -= 1;
                    if depth == 0 {
                        self.advance();
                        self.eat(TokenKind::Semicolon);
                        return;
                    }
                }
                TokenKind::Semicolon if depth == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Complains when anything is left.
    pub(crate) fn expect_end(&mut self, what: &str) {
        if !self.at_end() {
            self.expected(what);
        }
    }
}
