//! The lexer: a fragment of text becomes a list of tokens.
//!
//! What it complains of, the parser must not complain of again. So a character from a word processor becomes the operator that was meant, a
//! word with foreign letters stays one word, a string without an end ends with its line; and what is left is a [`TokenKind::Bad`]
//! token, which the parser passes over in silence.

use super::cursor::MOST_REPORTS;
use super::token::{Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Fragment, Span};
use logos::Logos;
use std::collections::HashSet;
use std::ops::Range;

/// All tokens of a fragment, with an [`TokenKind::End`] at the end.
pub(crate) fn tokenize(fragment: &Fragment, out: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        fragment,
        text: &fragment.text,
        inner: TokenKind::lexer(&fragment.text),
        tokens: Vec::new(),
        foreign_words: HashSet::new(),
        reports: 0,

        out,
    };
    while let Some(result) = lexer.inner.next() {
        let range = lexer.inner.span();
        match result {
            Ok(TokenKind::CommentStart) => lexer.comment(range),
            Ok(TokenKind::Word) if lexer.touches(range.start, TokenKind::is_number) => {
                lexer.glued_number(range);
            }
            Ok(TokenKind::Hash) if lexer.directive_word(range.start).is_some() => lexer.directive(range),
            Ok(kind) => lexer.push(kind, range),
            Err(()) => lexer.unknown(range),
        }
    }
    let end = fragment.text.len();
    lexer.push(TokenKind::End, end..end);
    lexer.tokens
}

struct Lexer<'a> {
    fragment: &'a Fragment,
    text: &'a str,
    inner: logos::Lexer<'a, TokenKind>,
    tokens: Vec<Token>,
    /// Words with foreign letters that have been reported.
    foreign_words: HashSet<&'a str>,

    reports: usize,
    out: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.reports += 1;
        if self.reports <= MOST_REPORTS {
            self.out.push(diagnostic);
        }
    }

    fn push(&mut self, kind: TokenKind, range: Range<usize>) {
        let before = self.tokens.last().map_or(0, |last| last.end as usize);
        let starts_line = breaks_line(&self.text[before..range.start]);
        let (start, end) = (range.start as u32, range.end as u32);
        self.tokens.push(Token { kind, span: self.fragment.span(range), start, end, starts_line });
    }

    /// Whether the last token is of some kind and ends at `start`.
    fn touches(&self, start: usize, kind: impl Fn(TokenKind) -> bool) -> bool {
        self.tokens.last().is_some_and(|last| last.end as usize == start && kind(last.kind))
    }

    /// Makes the last token end at `end`.
    fn stretch(&mut self, end: usize) -> Span {
        let fragment = self.fragment;
        let last = self.tokens.last_mut().expect("a token to be stretched");
        last.end = end as u32;
        last.span = fragment.span(last.start as usize..end);
        last.span
    }

    fn comment(&mut self, start: Range<usize>) {
        let rest = self.inner.remainder();
        if let Some(length) = rest.find("*/") {
            self.inner.bump(length + 2);
            return;
        }
        self.inner.bump(rest.len());
        let span = self.fragment.span(start);
        let diagnostic = Diagnostic::new(Code::UnterminatedComment, span, "this comment never ends");
        self.report(diagnostic.label("`*/` is missing"));
    }

    /// Digits with letters behind them: the last token is the digits.
    fn glued_number(&mut self, letters: Range<usize>) {
        let span = self.stretch(letters.end);
        let last = self.tokens.last_mut().expect("just stretched");
        last.kind = TokenKind::BadNumber;
        let text = &self.text[last.start as usize..last.end as usize];
        let message = format!("`{text}` is neither a number nor a name");
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, message);
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        self.report(match hexadecimal.map(|digits| i64::from_str_radix(digits, 16)) {
            Some(Ok(value)) => diagnostic.hint(format!("numbers are decimal; write `{value}`")),
            Some(Err(_)) => diagnostic.hint("numbers are decimal"),
            None => diagnostic.hint("names start with a letter or `_`"),
        });
    }

    fn unknown(&mut self, range: Range<usize>) {
        let character = self.text[range.clone()].chars().next().unwrap_or_default();
        match character {
            '"' => self.open_string(range),
            '“' | '„' | '”' => self.typographic_string(range),
            _ if character.is_alphabetic() => self.foreign_word(range),
            _ => self.character(range),
        }
    }

    /// The word of a preprocessor's line, if that is what begins with the `#` at `start`.
    fn directive_word(&self, start: usize) -> Option<&'static str> {
        let before = self.text[..start].rsplit('\n').next().unwrap_or("");
        let line = self.inner.remainder().trim_start_matches([' ', '\t']);
        let word = &line[..line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len())];
        DIRECTIVES.iter().copied().find(|known| *known == word && before.trim().is_empty())
    }

    /// `#include "…"`, `#define N 3`: the line is passed over, what follows it is not.
    fn directive(&mut self, range: Range<usize>) {
        let word = self.directive_word(range.start).unwrap_or_default();
        let line = self.inner.remainder().lines().next().unwrap_or("");
        self.inner.bump(line.len());
        let span = self.fragment.span(range.start..range.end + line.trim_end().len());
        let message = format!("`#{word}` has no meaning here: there is no preprocessor");
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, message);
        self.report(match word {
            "define" => diagnostic.hint("declare a constant: `const int N = 3;`"),
            "include" => diagnostic.hint("write the declarations themselves into this file"),
            _ => diagnostic,
        });
    }

    /// A word with letters that names cannot have (`größe`); said once for each such word.
    fn foreign_word(&mut self, range: Range<usize>) {
        let rest = self.inner.remainder();
        let behind = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        self.inner.bump(rest.len() - behind.len());
        let end = self.inner.span().end;
        if self.touches(range.start, |kind| kind == TokenKind::Word) {
            self.stretch(end);
        } else {
            self.push(TokenKind::Word, range.start..end);
        }
        let token = *self.tokens.last().expect("just pushed");
        let word = &self.text[token.start as usize..token.end as usize];
        if self.foreign_words.insert(word) {
            let message = format!("`{word}` cannot be a name");
            let hint = "names are made of the letters a to z, digits and `_`";
            self.report(Diagnostic::new(Code::UnexpectedCharacter, token.span, message).hint(hint));
        }
    }

    /// A string that does not end on its line; a semicolon at the end of the line is taken for the end of the statement.
    fn open_string(&mut self, range: Range<usize>) {
        let written = self.text[range.clone()].trim_end();
        let inside = written.strip_suffix(';').unwrap_or(written);
        let end = range.start + inside.len();
        let span = self.fragment.span(range.start..end);
        let diagnostic = Diagnostic::new(Code::UnterminatedComment, span, "this string never ends");
        self.report(diagnostic.label("`\"` is missing"));
        self.push(TokenKind::Text, range.start..end);
        if inside.len() < written.len() {
            self.push(TokenKind::Semicolon, end..end + 1);
        }
    }

    fn typographic_string(&mut self, range: Range<usize>) {
        let line = self.inner.remainder().lines().next().unwrap_or("");
        let close = line.char_indices().find(|(_, character)| matches!(character, '“' | '”'));
        self.report_character(range.clone(), Some("\""));
        if let Some((at, character)) = close {
            self.inner.bump(at + character.len_utf8());
            self.push(TokenKind::Text, range.start..self.inner.span().end);
        } else {
            self.push(TokenKind::Bad, range);
        }
    }

    fn character(&mut self, range: Range<usize>) {
        let meant = lookalike(&self.text[range.clone()]);
        if meant.is_none() && self.touches(range.start, |kind| kind == TokenKind::Bad) {
            self.stretch(range.end);
            return;
        }
        self.report_character(range.clone(), meant.map(|(ascii, _)| ascii));
        self.push(meant.map_or(TokenKind::Bad, |(_, kind)| kind), range);
    }

    fn report_character(&mut self, range: Range<usize>, meant: Option<&str>) {
        let message =
            format!("the character `{}` has no meaning here", self.text[range.clone()].escape_debug());
        let diagnostic = Diagnostic::new(Code::UnexpectedCharacter, self.fragment.span(range), message);
        self.report(match meant {
            Some(ascii) => diagnostic.hint(format!("did you mean `{ascii}`?")),
            None => diagnostic,
        });
    }
}

/// Words behind a `#` at the start of a line, in languages with a preprocessor.
const DIRECTIVES: &[&str] =
    &["define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "pragma", "undef"];

/// What was meant by characters that word processors put into models.
fn lookalike(text: &str) -> Option<(&'static str, TokenKind)> {
    Some(match text {
        "≤" | "⩽" => ("<=", TokenKind::Le),
        "≥" | "⩾" => (">=", TokenKind::Ge),
        "≠" => ("!=", TokenKind::Ne),
        "∧" => ("&&", TokenKind::AndAnd),
        "∨" => ("||", TokenKind::OrOr),
        "¬" => ("!", TokenKind::Bang),
        "→" | "⟶" => ("->", TokenKind::Arrow),
        "–" | "—" | "−" => ("-", TokenKind::Minus),
        "’" | "‘" | "′" => ("'", TokenKind::Prime),
        "×" | "·" => ("*", TokenKind::Star),
        "÷" => ("/", TokenKind::Slash),
        "，" => (",", TokenKind::Comma),
        "；" => (";", TokenKind::Semicolon),
        "：" => (":", TokenKind::Colon),
        "（" => ("(", TokenKind::ParenOpen),
        "）" => (")", TokenKind::ParenClose),
        _ => return None,
    })
}

/// Whether the text between two tokens ends a line, continued lines not counted.
fn breaks_line(gap: &str) -> bool {
    gap.match_indices('\n').any(|(at, _)| !gap[..at].trim_end_matches([' ', '\t', '\r']).ends_with('\\'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn kinds(text: &str) -> (Vec<TokenKind>, usize) {
        let mut out = Diagnostics::default();
        let tokens = tokenize(&Fragment::whole(FileId(0), text), &mut out);
        (tokens.iter().map(|token| token.kind).collect(), out.len())
    }

    #[test]
    fn operators_take_the_longest_match() {
        use TokenKind::*;
        assert_eq!(
            kinds("a<?b <<=c -->d -u->e").0,
            [Word, Min, Word, ShlAssign, Word, LeadsTo, Word, UncontrollableArrow, Word, End]
        );
        assert_eq!(kinds("x' == 1.5 ** 2").0, [Word, Prime, EqEq, Float, Power, Nat, End]);
    }

    #[test]
    fn comments_and_continued_lines_are_skipped() {
        let mut out = Diagnostics::default();
        let tokens = tokenize(&Fragment::whole(FileId(0), "a // x\n/* y\n */ b \\ \n c"), &mut out);
        let starts: Vec<_> = tokens.iter().map(|token| token.starts_line).collect();
        assert_eq!(starts, [false, true, false, false]);
        assert!(out.is_empty());
    }

    #[test]
    fn bad_characters_numbers_and_comments_are_reported_and_skipped() {
        assert_eq!(kinds("a § b").1, 1);
        assert_eq!(kinds("0x10").1, 1);
        assert_eq!(kinds("a /* b").1, 1);
        assert_eq!(kinds("\"abc").1, 1);
    }
}
