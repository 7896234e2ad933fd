//! Which syntax a model is written in: 4.x, or the 3.x dialect that many public models still use.

use super::token::{Token, TokenKind, tokenize};
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
    /// Decides by the constructs that only the 3.x dialect has.
    pub fn detect<'a>(fragments: impl IntoIterator<Item = &'a Fragment>) -> Dialect {
        let is_old = fragments.into_iter().any(|fragment| {
            let tokens = tokenize(fragment, &mut Diagnostics::default());
            (0..tokens.len()).any(|at| is_old_construct(fragment, &tokens[at..]))
        });
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
    use TokenKind::*;
    let kind = |n: usize| tokens.get(n).map(|token| token.kind);
    let word = |n: usize| tokens.get(n).map_or("", |token| token.text(fragment));
    match word(0) {
        "const" if kind(1) == Some(Word) && !super::is_reserved(word(1)) => match kind(2) {
            Some(Nat | Minus | BraceOpen | Comma | Semicolon) => true,
            Some(BracketOpen) => true,
            _ => false,
        },
        "process" if kind(1) == Some(Word) => match kind(2) {
            Some(BraceOpen) => true,
            Some(ParenOpen) => parameters_with_semicolon(&tokens[3..]),
            _ => false,
        },
        _ => matches!(kind(0), Some(OldLe | OldGe)),
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
        assert_eq!(detect("process P(clock &x, const int k) { state a; init a; }"), Dialect::New);
    }
}
