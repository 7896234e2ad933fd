//! TChecker's expressions in UPPAAL's syntax.
//!
//! Two things must be rewritten before [`parse`](crate::parse) can read them: `!` negates a whole comparison (`!x == 1` is `!(x == 1)`, while UPPAAL
//! reads `(!x) == 1`), and `if c then a else b` is `(c ? a : b)`. The rewritten text is a fragment whose inserted parentheses stand nowhere
//! in the file, so all positions stay true.

use crate::source::{FileId, Fragment};
use std::ops::Range;

/// A parenthesis that is open, and why.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// Written by the user: `(` or `[`.
    Written,
    /// Inserted behind `!`.
    Not,
    /// Inserted for `if`, which is in its condition, …
    Condition,
    /// … behind `then`, …
    Then,
    /// … or behind `else`.
    Else,
}

/// The text at `range` as a fragment in UPPAAL's syntax.
pub(super) fn fragment(text: &str, file: FileId, range: Range<usize>) -> Fragment {
    let mut rewriter = Rewriter {
        fragment: Fragment::empty(file, range.start as u32),
        text,
        plain: range.start,
        open: vec![],
    };
    let mut at = range.start;
    while at < range.end {
        let length = token_length(&text[at..range.end]);
        rewriter.token(at..at + length);
        at += length;
    }
    rewriter.flush(range.end);
    while rewriter.open.last().is_some_and(|open| *open != Open::Written) {
        rewriter.close(range.end);
    }
    rewriter.fragment
}

fn token_length(text: &str) -> usize {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let symbol = ["&&", "==", "!=", "<=", ">="].iter().any(|symbol| text.starts_with(symbol));
    let first = text.chars().next().map_or(0, char::len_utf8);
    match text.find(|c| !word(c)) {
        Some(0) if symbol => 2,
        Some(0) => first,
        Some(length) => length,
        None => text.len(),
    }
}

struct Rewriter<'a> {
    fragment: Fragment,
    text: &'a str,
    /// Text from here on has not been copied yet.
    plain: usize,
    open: Vec<Open>,
}

impl Rewriter<'_> {
    fn token(&mut self, range: Range<usize>) {
        let at = range.start;
        match &self.text[range.clone()] {
            "(" | "[" => self.open.push(Open::Written),
            ")" | "]" => {
                self.close_while(at, |open| open != Open::Written);
                self.open.pop();
            }
            "&&" | ";" => self.close_while(at, |open| matches!(open, Open::Not | Open::Else)),
            "==" | "!=" | "<" | "<=" | ">" | ">=" => self.close_while(at, |open| open == Open::Else),
            "!" => {
                self.replace(range, "!(");
                self.open.push(Open::Not);
            }
            "if" => {
                self.replace(range, "(");
                self.open.push(Open::Condition);
            }
            "then" if self.open.contains(&Open::Condition) => {
                self.branch(range, Open::Condition, "?", Open::Then);
            }
            "else" if self.open.contains(&Open::Then) => self.branch(range, Open::Then, ":", Open::Else),
            _ => {}
        }
    }

    fn branch(&mut self, range: Range<usize>, from: Open, sign: &str, to: Open) {
        self.close_while(range.start, |open| open != from && open != Open::Written);
        self.replace(range, sign);
        if let Some(last) = self.open.last_mut() {
            *last = to;
        }
    }

    /// Copies what has been read but not copied, up to `end`.
    fn flush(&mut self, end: usize) {
        if self.plain < end {
            self.fragment.push(&self.text[self.plain..end], self.plain as u32..end as u32);
        }
        self.plain = end;
    }

    fn replace(&mut self, range: Range<usize>, with: &str) {
        self.flush(range.start);
        self.fragment.push(with, range.start as u32..range.end as u32);
        self.plain = range.end;
    }

    fn close_while(&mut self, at: usize, wanted: impl Fn(Open) -> bool) {
        while self.open.last().is_some_and(|open| wanted(*open)) {
            self.close(at);
        }
    }

    fn close(&mut self, at: usize) {
        self.flush(at);
        self.fragment.push(")", at as u32..at as u32);
        self.open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        fragment(text, FileId(0), 0..text.len()).text
    }

    #[test]
    fn a_negation_covers_its_comparison() {
        assert_eq!(rewritten("!x == 1 && y"), "!(x == 1 )&& y");
        assert_eq!(rewritten("! (a != 2)"), "!( (a != 2))");
        assert_eq!(rewritten("a != 2"), "a != 2");
        assert_eq!(rewritten("!!a"), "!(!(a))");
    }

    #[test]
    fn conditionals_end_where_their_term_ends() {
        assert_eq!(rewritten("x = if a==1 then 2 else b+1"), "x = ( a==1 ? 2 : b+1)");
        assert_eq!(rewritten("(if a then b else c) + 1 <= 2"), "(( a ? b : c)) + 1 <= 2");
        assert_eq!(rewritten("1 + if a then b else c <= 2"), "1 + ( a ? b : c )<= 2");
        assert_eq!(rewritten("if a then if b then 1 else 2 else 3"), "( a ? ( b ? 1 : 2 ): 3)");
    }

    #[test]
    fn positions_lead_back() {
        let fragment = fragment("!x == 1", FileId(0), 0..7);
        assert_eq!(fragment.text, "!(x == 1)");
        assert_eq!(fragment.span(2..3).range(), 1..2);
        assert_eq!(fragment.span(7..8).range(), 6..7);
    }
}
