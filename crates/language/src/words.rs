//! What the small languages beside UPPAAL's have in common (`.plc`, `.sem`): words, numbers and signs, comments as in C, and a parser's place in them.
//!
//! A language is its [`Kind`] of tokens. Its parser builds upon a [`Cursor`].

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Span};
use logos::Logos;

/// The kinds of tokens of a language. Keywords are words: the parser knows them by their text.
pub trait Kind: Copy + PartialEq + for<'s> Logos<'s, Source = str, Extras = (), Error = ()> {
    /// A word.
    const WORD: Self;
    /// The beginning of a comment, which ends with `*/`.
    const COMMENT_START: Self;
    /// `;`
    const SEMICOLON: Self;
    /// `}`
    const BRACE_CLOSE: Self;
    /// The end of the file.
    const END: Self;
    /// Words that cannot be names.
    const KEYWORDS: &'static [&'static str];

    /// What is meant by what other languages have, for a text that begins with no token.
    fn hint(text: &str) -> Option<&'static str>;
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token<K> {
    /// Its kind.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
}

/// A syntax error was reported; the caller recovers.
#[derive(Debug)]
pub struct Reported;

/// What was read, unless something was reported.
pub type Parsed<T> = Result<T, Reported>;

/// A parser's place in the tokens of a text, and how it complains.
#[derive(Debug)]
pub struct Cursor<'a, K> {
    /// The text.
    pub text: &'a str,
    /// Where messages go.
    pub out: &'a mut Diagnostics,
    /// How deeply what is being read is nested.
    pub depth: usize,
    tokens: Vec<Token<K>>,
    at: usize,
}

impl<'a, K: Kind> Cursor<'a, K> {
    /// At the beginning of a text. Characters that begin no token are reported and left out.
    pub fn new(file: FileId, text: &'a str, out: &'a mut Diagnostics) -> Self {
        let tokens = tokenize(file, text, out);
        Self { text, out, depth: 0, tokens, at: 0 }
    }

    /// The token that comes next; at the end of the file, [`Kind::END`] for ever.
    pub fn token(&self) -> Token<K> {
        self.tokens[self.at]
    }

    /// The word that comes next; empty if it is none.
    pub fn word(&self) -> &'a str {
        let Token { kind, span } = self.token();
        if kind == K::WORD { &self.text[span.range()] } else { "" }
    }

    /// The kind of the token `n` places ahead.
    pub fn ahead(&self, n: usize) -> K {
        self.token_at(self.at + n).kind
    }

    /// How many tokens were read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The token at a position; the last one behind the end.
    pub fn token_at(&self, position: usize) -> Token<K> {
        self.tokens[position.min(self.tokens.len() - 1)]
    }

    /// Where the token before this one stands.
    pub fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Reads the next token.
    pub fn advance(&mut self) -> Token<K> {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Whether the next token is of a kind.
    pub fn is(&self, kind: K) -> bool {
        self.token().kind == kind
    }

    /// Reads the next token if it is of a kind.
    pub fn eat(&mut self, kind: K) -> bool {
        let found = self.is(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Reads the next token if it is this word.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    /// Whether the token stands on another line than the one before it.
    pub fn begins_line(&self) -> bool {
        let between = self.previous().end as usize..self.token().span.start as usize;
        self.text.get(between).is_some_and(|between| between.contains('\n'))
    }

    /// Reports something.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.out.push(diagnostic);
        Reported
    }

    /// Complains that `what` was expected. At the end of a line that is the place just behind the last token.
    pub fn expected(&mut self, what: &str) -> Reported {
        let token = self.token();
        let (previous, written) = (self.previous(), &self.text[token.span.range()]);
        let diagnostic = if token.kind == K::END {
            let message = format!("expected {what}, but the file ends");
            Diagnostic::new(Code::UnexpectedToken, previous.after(), message)
        } else if self.begins_line() {
            let message = format!("expected {what} before `{written}`");
            Diagnostic::new(Code::UnexpectedToken, previous.after(), message)
        } else {
            let message = format!("expected {what}, found `{written}`");
            Diagnostic::new(Code::UnexpectedToken, token.span, message)
        };
        self.report(diagnostic)
    }

    /// Reads a token of a kind.
    pub fn expect(&mut self, kind: K, what: &str) -> Parsed<Span> {
        if self.is(kind) { Ok(self.advance().span) } else { Err(self.expected(what)) }
    }

    /// Reads a word.
    pub fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.word() == word { Ok(self.advance().span) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// The `;` behind something. Where a line or a block ends without it, it is only missing: what stands before it is understood.
    pub fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(K::SEMICOLON) {
            return Ok(());
        }
        let is_forgotten = self.begins_line() || self.is(K::BRACE_CLOSE) || self.is(K::END);
        let reported = self.expected("`;`");
        if is_forgotten { Ok(()) } else { Err(reported) }
    }

    /// Reads a name: a word that is no keyword.
    pub fn expect_name(&mut self, what: &str) -> Parsed<(&'a str, Span)> {
        let word = self.word();
        if word.is_empty() {
            return Err(self.expected(what));
        }
        if K::KEYWORDS.contains(&word) {
            let message = format!("expected {what}; `{word}` is a word of the language");
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.token().span, message);
            return Err(self.report(diagnostic));
        }
        Ok((word, self.advance().span))
    }
}

/// All tokens of a text, a [`Kind::END`] last.
fn tokenize<K: Kind>(file: FileId, text: &str, out: &mut Diagnostics) -> Vec<Token<K>> {
    let mut lexer = K::lexer(text);
    let mut tokens = Vec::new();
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, range.start as u32, range.end as u32);
        match result {
            Ok(kind) if kind == K::COMMENT_START => {
                if let Some(length) = lexer.remainder().find("*/") {
                    lexer.bump(length + 2);
                    continue;
                }
                lexer.bump(lexer.remainder().len());
                let diagnostic = Diagnostic::new(Code::UnterminatedComment, span, "this comment never ends");
                out.push(diagnostic.label("`*/` is missing"));
            }
            Ok(kind) => tokens.push(Token { kind, span }),
            Err(()) => {
                let message = format!("`{}` has no meaning here", text[range.clone()].escape_debug());
                let diagnostic = Diagnostic::new(Code::UnexpectedCharacter, span, message);
                out.push(match K::hint(&text[range.start..]) {
                    Some(hint) => diagnostic.hint(hint),
                    None => diagnostic,
                });
            }
        }
    }
    let end = text.len() as u32;
    tokens.push(Token { kind: K::END, span: Span::new(file, end, end) });
    tokens
}
