//! The lexer: a fragment of text becomes a list of tokens.
//!
//! Words are not classified here. Many of UPPAAL's keywords were once ordinary names (`exit`, `sum`, `exp`, `query`) and old
//! models use them as such, so the parser decides by position what a word is. The path quantifiers of queries are put together by the
//! query parser for the same reason: `A[]` is only special at the start of a query.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Fragment, Span};
use logos::Logos;
use std::ops::Range;

/// What a token is.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(skip r"[ \t\r\n\f\u{a0}]+")]
#[logos(skip r"\\[ \t\r]*\n")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[regex(r"[A-Za-z_][A-Za-z0-9_$#]*")]
    Word,
    #[regex(r"[0-9]+")]
    Nat,
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+")]
    Float,
    #[regex(r#""[^"\n]*""#)]
    Text,
    #[token("/*")]
    CommentStart,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("?")]
    Question,
    #[token("'")]
    Prime,
    #[token("!")]
    Bang,
    #[token("#")]
    Hash,
    #[token("@")]
    At,
    #[token("->")]
    Arrow,
    #[token("-u->")]
    UncontrollableArrow,
    #[token("-->")]
    LeadsTo,
    #[token("=")]
    #[token(":=")]
    Assign,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubAssign,
    #[token("*=")]
    MulAssign,
    #[token("/=")]
    DivAssign,
    #[token("%=")]
    ModAssign,
    #[token("|=")]
    OrAssign,
    #[token("&=")]
    AndAssign,
    #[token("^=")]
    XorAssign,
    #[token("<<=")]
    ShlAssign,
    #[token(">>=")]
    ShrAssign,
    #[token("<?")]
    Min,
    #[token(">?")]
    Max,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("**")]
    Power,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("|")]
    Pipe,
    #[token("&")]
    Ampersand,
    #[token("^")]
    Caret,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("||")]
    OrOr,
    #[token("&&")]
    AndAnd,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token("==")]
    EqEq,
    #[token("!=")]
    Ne,
    #[token(">=")]
    Ge,
    #[token(">")]
    Gt,
    /// `=<` of the 3.x dialect.
    #[token("=<")]
    OldLe,
    /// `=>` of the 3.x dialect.
    #[token("=>")]
    OldGe,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    /// The end of the fragment.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Where it stands in the file.
    pub(crate) span: Span,
    /// Where it stands in the decoded text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether a line break (one that is not continued by a backslash) precedes it.
    pub(crate) starts_line: bool,
}

impl Token {
    pub(crate) fn text<'a>(&self, fragment: &'a Fragment) -> &'a str {
        &fragment.text[self.start as usize..self.end as usize]
    }
}

/// All tokens of a fragment, with an [`TokenKind::End`] at the end.
pub(crate) fn tokenize(fragment: &Fragment, out: &mut Diagnostics) -> Vec<Token> {
    let text = fragment.text.as_str();
    let mut lexer = TokenKind::lexer(text);
    let mut tokens: Vec<Token> = Vec::new();
    let mut previous_end = 0;
    let push = |kind, range: Range<usize>, previous_end: &mut usize, tokens: &mut Vec<Token>| {
        let starts_line = breaks_line(&text[*previous_end..range.start]);
        let (start, end) = (range.start as u32, range.end as u32);
        *previous_end = range.end;
        tokens.push(Token { kind, span: fragment.span(range), start, end, starts_line });
    };
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        match result {
            Ok(TokenKind::CommentStart) => match lexer.remainder().find("*/") {
                Some(length) => lexer.bump(length + 2),
                None => {
                    out.push(
                        Diagnostic::new(
                            Code::UnterminatedComment,
                            fragment.span(range),
                            "this comment never ends",
                        )
                        .label("`*/` is missing"),
                    );
                    lexer.bump(lexer.remainder().len());
                }
            },
            Ok(kind) => {
                if kind == TokenKind::Word
                    && tokens
                        .last()
                        .is_some_and(|last| last.end as usize == range.start && is_number(last.kind))
                {
                    report_glued_number(
                        fragment,
                        tokens.last().expect("checked").start as usize..range.end,
                        out,
                    );
                    tokens.last_mut().expect("checked").end = range.end as u32;
                    previous_end = range.end;
                    continue;
                }
                push(kind, range, &mut previous_end, &mut tokens);
            }
            Err(()) => report_character(fragment, range, out),
        }
    }
    push(TokenKind::End, text.len()..text.len(), &mut previous_end, &mut tokens);
    tokens
}

fn is_number(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Nat | TokenKind::Float)
}

fn report_glued_number(fragment: &Fragment, range: Range<usize>, out: &mut Diagnostics) {
    let text = &fragment.text[range.clone()];
    let mut diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        fragment.span(range),
        format!("`{text}` is neither a number nor a name"),
    );
    if text.starts_with("0x") || text.starts_with("0X") {
        diagnostic = diagnostic.hint("numbers are decimal; hexadecimal ones are not part of the language");
        if let Ok(value) = i64::from_str_radix(&text[2..], 16) {
            diagnostic = diagnostic.hint(format!("write {value}"));
        }
    } else {
        diagnostic = diagnostic.hint("names start with a letter or `_`");
    }
    out.push(diagnostic);
}

fn report_character(fragment: &Fragment, range: Range<usize>, out: &mut Diagnostics) {
    let text = &fragment.text[range.clone()];
    let span = fragment.span(range);
    if text.starts_with('"') {
        out.push(
            Diagnostic::new(Code::UnterminatedComment, span, "this string never ends")
                .label("`\"` is missing"),
        );
        return;
    }
    let mut diagnostic = Diagnostic::new(
        Code::UnexpectedCharacter,
        span,
        format!("the character `{}` has no meaning here", text.escape_debug()),
    );
    if let Some(hint) = lookalike(text) {
        diagnostic = diagnostic.hint(format!("did you mean `{hint}`?"));
    }
    out.push(diagnostic);
}

/// ASCII for characters that word processors put into models.
fn lookalike(text: &str) -> Option<&'static str> {
    Some(match text {
        "≤" => "<=",
        "≥" => ">=",
        "≠" => "!=",
        "∧" => "&&",
        "∨" => "||",
        "¬" => "!",
        "→" => "->",
        "–" | "—" | "−" => "-",
        "“" | "”" => "\"",
        "’" | "‘" => "'",
        "×" => "*",
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
