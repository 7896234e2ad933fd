//! The tokens of `.sem` files.

use guidepost_language::words::Kind;
use logos::Logos;

/// The kinds of tokens. Keywords are words: the parser knows them by their text.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    #[token("->")]
    Arrow,
    #[token("/")]
    Slash,
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(".")]
    Dot,
    #[token("/*")]
    CommentStart,
    /// The end of the file.
    End,
}

impl Kind for TokenKind {
    const WORD: Self = Self::Word;
    const COMMENT_START: Self = Self::CommentStart;
    const SEMICOLON: Self = Self::Semicolon;
    const BRACE_CLOSE: Self = Self::BraceClose;
    const END: Self = Self::End;
    const KEYWORDS: &'static [&'static str] = &[
        "and", "default", "event", "false", "history", "if", "machine", "not", "on", "or", "output",
        "parallel", "state", "true",
    ];

    fn hint(text: &str) -> Option<&'static str> {
        match text.as_bytes().first()? {
            b'!' => Some("write `not`"),
            b'&' => Some("write `and`"),
            b'|' => Some("write `or`"),
            b'[' => Some("a condition stands behind `if`: `A -> B on event if condition;`"),
            b':' => Some("an event stands behind `on`: `A -> B on event;`"),
            b'-' => Some("an arrow is `->`"),
            _ => None,
        }
    }
}
