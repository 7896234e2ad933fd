//! The parser's position in the tokens, and how it complains and recovers.
//!
//! A parse function that cannot go on pushes one diagnostic and returns [`Reported`]; the nearest list (of declarations, statements,
//! edges, …) catches it, skips to where the next item can start and goes on.

use super::Dialect;
use super::lexer::tokenize;
use super::token::{Token, TokenKind};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Fragment, Span};
use crate::syntax::{Ident, Name};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// An error that has been reported.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Expressions, types and statements may nest this deep; parsing and everything behind it recurses.
const MAX_DEPTH: u32 = 200;

/// After so many messages about one text there is nothing to be learned from the next.
pub(crate) const MOST_REPORTS: usize = 200;

/// Where the nodes of a process are in its lists; of equal names the first counts.
#[derive(Default)]
pub(crate) struct NodeNames {
    pub(crate) locations: HashMap<Name, usize>,
    pub(crate) branchpoints: HashMap<Name, usize>,
}

#[expect(clippy::struct_excessive_bools, reason = "independent facts about where we are")]
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
    /// Inside a query, even between its parentheses.
    pub(crate) in_query: bool,
    /// How many braces of processes and blocks are open.
    pub(crate) open_braces: u32,
    /// Inside the body of a process.
    pub(crate) in_process: bool,
    /// How often the rest of the text has been looked through.
    looks_ahead: usize,
    /// The types that the text defines, once somebody has asked.
    defined_types: OnceCell<HashSet<&'a str>>,
    /// How many messages have been given.
    reports: usize,
    /// How deep the tree of the expression is that was parsed last.
    pub(crate) tree_depth: u32,
    /// The locations and branch points of the process that is being read, by name.
    pub(crate) nodes: NodeNames,
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
            in_query: false,
            open_braces: 0,
            in_process: false,
            looks_ahead: 0,
            defined_types: OnceCell::new(),
            reports: 0,
            tree_depth: 0,
            nodes: NodeNames::default(),
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

    /// How far ahead the first token of some kinds is, from the one `n` places ahead on.
    pub(crate) fn distance_to(&self, n: usize, kinds: &[TokenKind]) -> usize {
        let from = (self.at + n).min(self.tokens.len());
        let found = self.tokens[from..].iter().position(|token| kinds.contains(&token.kind));
        found.map_or(self.tokens.len() - self.at, |at| at + n)
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
        if self.is(kind) { Ok(self.advance().span) } else { Err(self.missing(what)) }
    }

    /// As [`Parser::expect`] for `)` and `]`: where the text ends or the next item starts, parsing goes on as if it stood there.
    pub(crate) fn expect_closing(&mut self, kind: TokenKind, what: &str) -> Parsed<Span> {
        if self.is(kind) {
            return Ok(self.advance().span);
        }
        let reported = self.missing(what);
        let ends = matches!(
            self.kind(),
            TokenKind::Semicolon | TokenKind::BraceOpen | TokenKind::BraceClose | TokenKind::End
        );
        if ends { Ok(self.previous_span()) } else { Err(reported) }
    }

    /// Consumes the `;` after something. A forgotten one is reported where it belongs, and does not cost what stands around it.
    pub(crate) fn expect_semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let what = format!("`;` after {after}");
        let starts_item = self.is(TokenKind::Word) && (self.token().starts_line || starts_item(self.text()));
        if !starts_item && !self.at_end() && !self.is(TokenKind::BraceClose) {
            return Err(self.expected(&what));
        }
        self.report_missing(&what, "`;` is missing");
        Ok(())
    }

    /// Consumes the `}` that belongs to the `{` at `open`; a missing one is reported, and parsing goes on as if it stood there.
    pub(crate) fn expect_brace(&mut self, open: Span, after: &str) -> Span {
        if self.is(TokenKind::BraceClose) {
            return self.advance().span;
        }
        let message = format!("expected `}}` after {after}, found {}", self.describe());
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.previous_span().after(), message)
            .label("`}` is missing")
            .related(open, "for this one");
        self.report(diagnostic);
        self.previous_span()
    }

    /// Says that something is missing behind the token before.
    pub(crate) fn report_missing(&mut self, what: &str, label: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.describe());
        let span = self.previous_span().after();
        self.report(Diagnostic::new(Code::UnexpectedToken, span, message).label(label))
    }

    /// A process or the system line starts here: nothing can be around it.
    pub(crate) fn starts_top_level(&self) -> bool {
        self.top_level_at(self.at)
    }

    fn top_level_at(&self, at: usize) -> bool {
        let [first, second, third, ..] = &self.tokens[at..] else { return false };
        if first.kind != TokenKind::Word || second.kind != TokenKind::Word {
            return false;
        }
        match first.text(self.fragment) {
            "process" => matches!(third.kind, TokenKind::ParenOpen | TokenKind::BraceOpen),
            "system" => matches!(third.kind, TokenKind::Comma | TokenKind::Semicolon | TokenKind::Lt),
            _ => false,
        }
    }

    /// Whether the text ends before all braces are closed that are open here. It takes a look at the rest of the text, so only so many of them are taken.
    pub(crate) fn is_left_open(&mut self) -> bool {
        self.looks_ahead += 1;
        if self.looks_ahead > MOST_REPORTS {
            return false;
        }
        let mut depth = self.open_braces;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.kind {
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose if depth <= 1 => return false,
                TokenKind::BraceClose => depth -= 1,
                TokenKind::Word if self.top_level_at(at) => return true,
                _ => {}
            }
        }
        true
    }

    /// Whether a `typedef` of this text declares the word.
    pub(crate) fn is_defined_type(&self, word: &str) -> bool {
        self.defined_types.get_or_init(|| self.find_defined_types()).contains(word)
    }

    fn find_defined_types(&self) -> HashSet<&'a str> {
        let mut types = HashSet::new();
        let mut in_typedef = false;
        for pair in self.tokens.windows(2) {
            let ends =
                matches!(pair[1].kind, TokenKind::Semicolon | TokenKind::Comma | TokenKind::BracketOpen);
            match pair[0].kind {
                TokenKind::Word if in_typedef && ends => {
                    types.insert(pair[0].text(self.fragment));
                }
                TokenKind::Word if pair[0].text(self.fragment) == "typedef" => in_typedef = true,
                TokenKind::Semicolon => in_typedef = false,
                _ => {}
            }
        }
        types
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.is_word(word) { Ok(self.advance().span) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// A declared name: any word that is not reserved.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Ident> {
        if !self.is(TokenKind::Word) && !self.is(TokenKind::BadNumber) {
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
        self.reports += 1;
        if self.reports <= MOST_REPORTS {
            self.out.push(diagnostic);
        }
        Reported
    }

    /// "expected X, found Y" at the current token, unless the lexer has complained of it.
    pub(crate) fn expected(&mut self, what: &str) -> Reported {
        let span = if self.at_end() && self.at > 0 { self.previous_span().after() } else { self.span() };
        self.expected_at(span, what)
    }

    /// As [`Parser::expected`], for what belongs behind the token before: that is where to look when the line ends there.
    pub(crate) fn missing(&mut self, what: &str) -> Reported {
        let behind = (self.at_end() || self.token().starts_line) && self.at > 0;
        let span = if behind { self.previous_span().after() } else { self.span() };
        self.expected_at(span, what)
    }

    fn expected_at(&mut self, span: Span, what: &str) -> Reported {
        if self.is(TokenKind::Bad) {
            return Reported;
        }
        let message = format!("expected {what}, found {}", self.describe());
        let diagnostic =
            Diagnostic::new(Code::UnexpectedToken, span, message).label(format!("expected {what}"));
        self.report(diagnostic)
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
                TokenKind::Word if self.starts_top_level() => return,
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

    /// Skips to before one of the tokens, or before what ends the item around; brackets are skipped whole.
    pub(crate) fn skip_to(&mut self, stops: &[TokenKind]) {
        let mut depth = 0u32;
        while !self.at_end() && !self.starts_top_level() {
            let kind = self.kind();
            let ends = stops.contains(&kind) || matches!(kind, TokenKind::Semicolon | TokenKind::BraceClose);
            if depth == 0 && ends {
                return;
            }
            match kind {
                TokenKind::BraceOpen | TokenKind::ParenOpen | TokenKind::BracketOpen => depth += 1,
                TokenKind::BraceClose | TokenKind::ParenClose | TokenKind::BracketClose => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to before the `}` that closes the level around.
    pub(crate) fn skip_to_brace(&mut self) {
        let mut depth = 0u32;
        while !self.at_end() && !self.starts_top_level() {
            match self.kind() {
                TokenKind::BraceOpen => depth += 1,
                TokenKind::BraceClose if depth == 0 => return,
                TokenKind::BraceClose => depth -= 1,
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

/// Words that start a declaration, a statement, a section or a label, and cannot go on anything else.
fn starts_item(word: &str) -> bool {
    const STARTS: &[&str] = &[
        "assign",
        "branchpoint",
        "commit",
        "guard",
        "init",
        "probability",
        "process",
        "select",
        "state",
        "sync",
        "system",
        "trans",
    ];
    const GO_ON: &[&str] = &["and", "else", "exists", "false", "forall", "imply", "not", "or", "true"];
    STARTS.contains(&word) || super::is_reserved(word) && !GO_ON.contains(&word)
}
