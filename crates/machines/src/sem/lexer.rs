//! The lexer of `.sem` files.

use guidepost_language::diagnostic::{Code, Diagnostic, Diagnostics};
use guidepost_language::source::{FileId, Span};
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

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// What is meant by what other languages have.
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

/// All tokens of a text, an [`TokenKind::End`] last. Characters that begin no token are reported and left out.
pub(crate) fn tokenize(file: FileId, text: &str, out: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = TokenKind::lexer(text);
    let mut tokens = Vec::new();
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, range.start as u32, range.end as u32);
        match result {
            Ok(TokenKind::CommentStart) => {
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
                out.push(match hint(&text[range.start..]) {
                    Some(hint) => diagnostic.hint(hint),
                    None => diagnostic,
                });
            }
        }
    }
    let end = text.len() as u32;
    tokens.push(Token { kind: TokenKind::End, span: Span::new(file, end, end) });
    tokens
}
