//! The tokens of `.plc` files.

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
    #[token(":=")]
    Becomes,
    #[token("..")]
    Dots,
    #[token("==")]
    #[token("=")]
    Equal,
    #[token("!=")]
    #[token("<>")]
    Unequal,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
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
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("-")]
    Minus,
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

    fn hint(text: &str) -> Option<&'static str> {
        match text.as_bytes().first()? {
            b'!' => Some("write `not`"),
            b'&' => Some("write `and`"),
            b'|' => Some("write `or`"),
            b'#' => Some("times are whole numbers, all of them in one unit of your choice"),
            _ => None,
        }
    }
}
