//! Which syntax a model is written in: 4.x, or the 3.x dialect that many public models still use.

use super::lexer::tokenize;
use super::token::{Token, TokenKind};
use crate::diagnostic::Diagnostics;
use crate::source::Fragment;

/// The syntax of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// UPPAAL 4.x and 5.x.
    New,
    /// UPPAAL 3.x: `const N 3;`, `process P { … }`, parameters separated by `;` and passed by reference, a comma between
    /// guards.
    Old,
}

impl Dialect {
    /// Decides by the constructs that only one of the dialects has. Where both occur it is 4.x: the slips of its users look like 3.x.
    pub fn detect<'a>(fragments: impl IntoIterator<Item = &'a Fragment>) -> Dialect {
        let mut is_old = false;
        for fragment in fragments {
            let tokens = tokenize(fragment, &mut Diagnostics::default());
            for at in 0..tokens.len() {
                if is_new_construct(fragment, &tokens[at..]) {
                    return Dialect::New;
                }
                is_old |= is_old_construct(fragment, &tokens[at..]);
            }
        }
        if is_old { Dialect::Old } else { Dialect::New }
    }

    /// As [`Dialect::detect`], and also by what a parameter list shows: `;` separates parameters only in 3.x.
    pub fn detect_parameters(fragment: &Fragment) -> bool {
        let tokens = tokenize(fragment, &mut Diagnostics::default());
        let last = tokens.len().saturating_sub(2);
        tokens.iter().enumerate().any(|(at, token)| token.kind == TokenKind::Semicolon && at < last)
    }
}

fn is_old_construct(fragment: &Fragment, tokens: &[Token]) -> bool {
    use TokenKind::{BraceOpen, BracketOpen, Comma, Minus, Nat, OldGe, OldLe, ParenOpen, Semicolon, Word};
    let kind = |n: usize| tokens.get(n).map(|token| token.kind);
    let word = |n: usize| tokens.get(n).map_or("", |token| token.text(fragment));
    match word(0) {
        "const" if kind(1) == Some(Word) && !super::is_reserved(word(1)) => {
            matches!(kind(2), Some(Nat | Minus | BraceOpen | BracketOpen | Comma | Semicolon))
        }
        "process" if kind(1) == Some(Word) => match kind(2) {
            Some(BraceOpen) => true,
            Some(ParenOpen) => parameters_with_semicolon(&tokens[3..]),
            _ => false,
        },
        _ => matches!(kind(0), Some(OldLe | OldGe)),
    }
}

/// Typed constants, types of one's own, functions, `select`, and `&` in front of parameters.
fn is_new_construct(fragment: &Fragment, tokens: &[Token]) -> bool {
    use TokenKind::{Ampersand, Assign, Colon, ParenOpen, Word};
    let kind = |n: usize| tokens.get(n).map(|token| token.kind);
    let word = |n: usize| tokens.get(n).map_or("", |token| token.text(fragment));
    match word(0) {
        "typedef" | "struct" | "void" | "meta" | "scalar" => kind(1) != Some(Assign),
        "const" => matches!(word(1), "int" | "bool"),
        "return" => true,
        "forall" | "exists" => kind(1) == Some(ParenOpen) && kind(3) == Some(Colon),
        "select" => kind(1) == Some(Word) && kind(2) == Some(Colon),
        "int" | "bool" | "clock" | "chan" => kind(1) == Some(Ampersand),
        _ => false,
    }
}

fn parameters_with_semicolon(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .take_while(|token| token.kind != TokenKind::ParenClose)
        .any(|token| token.kind == TokenKind::Semicolon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn detect(text: &str) -> Dialect {
        Dialect::detect([&Fragment::whole(FileId(0), text)])
    }

    #[test]
    fn old_constructs_decide() {
        assert_eq!(detect("const N 3;"), Dialect::Old);
        assert_eq!(detect("const a[2] {1, 2};"), Dialect::Old);
        assert_eq!(detect("process P { state a; init a; }"), Dialect::Old);
        assert_eq!(detect("process P(clock x; const k) { state a; init a; }"), Dialect::Old);
        assert_eq!(detect("const int N = 3; const id_t M = 2;"), Dialect::New);
        assert_eq!(detect("const N 3; typedef int[0,3] id_t;"), Dialect::New);
        assert_eq!(
            detect("process P { clock x; state a { x =< 3 }; init a; } int f() { return 1; }"),
            Dialect::New
        );
        assert_eq!(detect("process P(clock &x, const int k) { state a; init a; }"), Dialect::New);
    }
}
