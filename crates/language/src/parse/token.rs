//! Tokens.
//!
//! Words are not classified. Many of UPPAAL's keywords were once ordinary names (`exit`, `sum`, `exp`, `query`) and old
//! models use them as such, so the parser decides by position what a word is. The path quantifiers of queries are put together by the
//! query parser for the same reason: `A[]` is only special at the start of a query.

use crate::source::{Fragment, Span};
use logos::Logos;

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
    /// Digits and letters without a blank between them (`0x1F`, `2nd`); reported by the lexer.
    BadNumber,
    /// A character without a meaning; reported by the lexer.
    Bad,
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

impl TokenKind {
    pub(crate) fn is_number(self) -> bool {
        matches!(self, TokenKind::Nat | TokenKind::Float)
    }
}
