//! Tidying up the text of a model: white space and line breaks, nothing else.
//!
//! The writers of this crate print a syntax tree, which has no comments. An author's own file must keep everything, so this works on tokens: between
//! any two of them it decides whether there is nothing, a blank or a line break, and how far a line is indented. Lines that the author broke stay
//! broken, except that the statements of processes and functions get lines of their own. The result is read again; unless it has the same tokens
//! and comments, the text stays as it is.

use crate::diagnostic::Diagnostics;
use crate::parse::{Token, TokenKind, tokenize};
use crate::source::{FileId, Fragment};
use std::fmt::Write;

const INDENTATION: &str = "    ";

/// The text of a `.xta` file, tidied up. `None` when it has parts that cannot be told apart, or that only the author can lay out.
pub fn tidy(text: &str) -> Option<String> {
    let atoms = atoms(text)?;
    let mut layout = Layout::new(&atoms);
    for at in 0..atoms.len() {
        layout.place(at);
    }
    let tidied = layout.finish();
    let again = self::atoms(&tidied)?;
    let same = again.len() == atoms.len()
        && again.iter().zip(&atoms).all(|(new, old)| new.kind == old.kind && new.same_text(old));
    same.then_some(tidied)
}

/// A token or a comment.
#[derive(Clone, Copy, Debug)]
struct Atom<'t> {
    text: &'t str,
    kind: AtomKind,
    /// Line breaks in front of it.
    breaks: usize,
    /// Whether anything stands between it and what is in front of it.
    is_apart: bool,
}

impl Atom<'_> {
    /// Lines of a comment may be indented anew; everything else stays as it is.
    fn same_text(&self, other: &Atom<'_>) -> bool {
        let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        self.text == other.text || (self.is_comment() && lines(self.text) == lines(other.text))
    }

    fn is_comment(&self) -> bool {
        matches!(self.kind, AtomKind::LineComment | AtomKind::BlockComment)
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.kind == AtomKind::Token(kind)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AtomKind {
    Token(TokenKind),
    LineComment,
    BlockComment,
}

/// The tokens and comments of a text; `None` if there is something else.
fn atoms(text: &str) -> Option<Vec<Atom<'_>>> {
    let mut out = Diagnostics::default();
    let fragment = Fragment::whole(FileId(0), text);
    let tokens: Vec<Token> = tokenize(&fragment, &mut out);
    if !out.is_empty() {
        return None;
    }
    let mut atoms = Vec::new();
    let mut end = 0;
    for token in tokens {
        let (start, next) = (token.start as usize, token.end as usize);
        let (breaks, is_apart) = gap(&text[end..start], &mut atoms)?;
        if token.kind != TokenKind::End {
            atoms.push(Atom {
                text: &text[start..next],
                kind: AtomKind::Token(token.kind),
                breaks,
                is_apart,
            });
        }
        end = next;
    }
    Some(atoms)
}

/// Adds the comments between two tokens; returns the line breaks behind the last one, and whether there was anything.
fn gap<'t>(gap: &'t str, atoms: &mut Vec<Atom<'t>>) -> Option<(usize, bool)> {
    let is_apart = !gap.is_empty();
    let mut rest = gap;
    loop {
        let blank = rest.len()
            - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}', '\u{a0}', '\u{feff}']).len();
        let breaks = rest[..blank].matches('\n').count();
        rest = &rest[blank..];
        let (kind, length) = if rest.is_empty() {
            return Some((breaks, is_apart));
        } else if rest.starts_with("//") {
            (AtomKind::LineComment, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (AtomKind::BlockComment, rest.find("*/")? + 2)
        } else {
            return None;
        };
        atoms.push(Atom { text: rest[..length].trim_end(), kind, breaks, is_apart });
        rest = &rest[length..];
    }
}

/// What a bracket encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    /// The body of a process: declarations and sections.
    Process,
    /// Statements.
    Code,
    /// Labels of locations and edges, fields of structs.
    Labels,
    /// The values of an initialiser.
    List,
    /// Parentheses.
    Parentheses,
    /// Square brackets.
    Brackets,
}

impl Inside {
    /// Statements have lines of their own.
    fn breaks_lines(self) -> bool {
        matches!(self, Inside::Process | Inside::Code)
    }
}

struct Frame {
    inside: Inside,
    /// How far the line is indented that it begins on.
    indent: usize,
    statement: Statement,
}

/// The statement that is being written.
#[derive(Clone, Copy)]
struct Statement {
    /// Whether the next token begins one.
    fresh: bool,
    /// Its first token.
    first: usize,
}

impl Statement {
    const FRESH: Self = Self { fresh: true, first: 0 };

    fn advance(&mut self, at: usize, ends: bool) {
        if self.fresh {
            self.first = at;
        }
        self.fresh = ends;
    }
}

struct Layout<'a, 't> {
    atoms: &'a [Atom<'t>],
    out: String,
    frames: Vec<Frame>,
    /// The declaration outside all brackets.
    outside: Statement,
    /// The indentation of the current line.
    indent: usize,
    /// A line break is due.
    must_break: bool,
    /// The last token, comments aside.
    last: Option<usize>,
}

impl<'a, 't> Layout<'a, 't> {
    fn new(atoms: &'a [Atom<'t>]) -> Self {
        Self {
            atoms,
            out: String::new(),
            frames: Vec::new(),
            outside: Statement::FRESH,
            indent: 0,
            must_break: false,
            last: None,
        }
    }

    fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// Writes an atom with what belongs in front of it.
    fn place(&mut self, at: usize) {
        let atom = self.atoms[at];
        let closes = atom.is(TokenKind::BraceClose)
            || atom.is(TokenKind::ParenClose)
            || atom.is(TokenKind::BracketClose);
        let closed = if closes { self.frames.pop() } else { None };
        self.separate(at, closed.as_ref());
        self.write(atom);
        if atom.is_comment() {
            self.must_break |= atom.kind == AtomKind::LineComment;
            return;
        }
        self.advance(at, closed);
        self.last = Some(at);
    }

    /// The blank, the line break or nothing in front of an atom.
    fn separate(&mut self, at: usize, closed: Option<&Frame>) {
        let atom = self.atoms[at];
        let Some(before) = at.checked_sub(1).map(|before| self.atoms[before]) else { return };
        // A comment behind something stays there.
        let stays = atom.is_comment() && atom.breaks == 0 && before.kind != AtomKind::LineComment;
        let is_empty_body = atom.is(TokenKind::BraceClose) && before.is(TokenKind::BraceOpen);
        let ends_body = closed.is_some_and(|frame| frame.inside.breaks_lines()) && !is_empty_body;
        let due = self.must_break && !self.continues(at) && !is_empty_body;
        if (atom.breaks > 0 || due || ends_body) && !stays {
            let is_first = before.is(TokenKind::BraceOpen) || closed.is_some();
            let blank_line = atom.breaks > 1 && !is_first;
            self.out.push_str(if blank_line { "\n\n" } else { "\n" });
            self.indent = match closed {
                Some(frame) => frame.indent,
                None => self.inner_indent(),
            };
            for _ in 0..self.indent {
                self.out.push_str(INDENTATION);
            }
            self.must_break = false;
        } else {
            if !stays {
                self.must_break = false;
            }
            if self.wants_blank(at) {
                self.out.push(' ');
            }
        }
    }

    /// `} else`, `} while (…)`, `};` stay on one line unless the author breaks it.
    fn continues(&self, at: usize) -> bool {
        let atom = self.atoms[at];
        let behind_body = self.last.is_some_and(|last| self.atoms[last].is(TokenKind::BraceClose));
        behind_body
            && (matches!(atom.text, "else" | "while")
                || atom.is(TokenKind::Semicolon)
                || atom.is(TokenKind::Comma))
            && !self.atoms[at - 1].is_comment()
    }

    /// How far a line is indented that begins here.
    fn inner_indent(&self) -> usize {
        match self.frames.last() {
            None => usize::from(!self.outside.fresh),
            Some(Frame { inside: Inside::List | Inside::Parentheses | Inside::Brackets, indent, .. }) => {
                indent + 1
            }
            Some(frame) => frame.indent + 1 + usize::from(!frame.statement.fresh),
        }
    }

    fn write(&mut self, atom: Atom<'_>) {
        let mut lines = atom.text.lines();
        self.out.push_str(lines.next().unwrap_or_default());
        for line in lines {
            // The stars of a comment stand in a column.
            let star = if line.trim_start().starts_with('*') { " " } else { "" };
            let line = line.trim();
            let _ = match line {
                "" => writeln!(self.out),
                line => write!(self.out, "\n{}{star}{line}", INDENTATION.repeat(self.indent)),
            };
        }
    }

    /// What a token means for those behind it.
    fn advance(&mut self, at: usize, closed: Option<Frame>) {
        let atom = self.atoms[at];
        let AtomKind::Token(kind) = atom.kind else { return };
        let ends_body = closed.is_some_and(|frame| frame.inside.breaks_lines());
        let inside = match kind {
            TokenKind::BraceOpen => Some(self.inside(at)),
            TokenKind::ParenOpen => Some(Inside::Parentheses),
            TokenKind::BracketOpen => Some(Inside::Brackets),
            _ => None,
        };
        let is_body = self.frames.last().is_none_or(|frame| frame.inside.breaks_lines());
        let ends_statement = kind == TokenKind::Semicolon || ends_body;
        self.must_break = (is_body && ends_statement) || inside.is_some_and(Inside::breaks_lines);
        match self.frames.last_mut() {
            Some(frame) => frame.statement.advance(at, ends_statement),
            None => self.outside.advance(at, ends_statement),
        }
        if let Some(inside) = inside {
            self.frames.push(Frame { inside, indent: self.indent, statement: Statement::FRESH });
        }
    }

    /// What the brace at `at` opens.
    fn inside(&self, at: usize) -> Inside {
        let outer = self.frames.last().map(|frame| frame.inside);
        let statement = self.frames.last().map_or(self.outside, |frame| frame.statement);
        let first = self.atoms[if statement.fresh { at } else { statement.first }].text;
        let before = self.last.map(|last| self.atoms[last]);
        let is_list =
            before.is_some_and(|before| before.is(TokenKind::Assign)) || outer == Some(Inside::List);
        match outer {
            _ if is_list => Inside::List,
            _ if before.is_some_and(|before| before.text == "struct") => Inside::Labels,
            None if first == "process" => Inside::Process,
            None if matches!(first, "gantt" | "progress" | "IO") => Inside::Labels,
            Some(Inside::Process)
                if matches!(first, "state" | "trans" | "commit" | "urgent" | "branchpoint" | "init") =>
            {
                Inside::Labels
            }
            None | Some(Inside::Process | Inside::Code) => Inside::Code,
            Some(_) => Inside::Labels,
        }
    }

    /// Whether a blank stands in front of an atom that begins no line.
    fn wants_blank(&self, at: usize) -> bool {
        use TokenKind as T;
        let (left, right) = (self.atoms[at - 1], self.atoms[at]);
        let (AtomKind::Token(a), AtomKind::Token(b)) = (left.kind, right.kind) else { return true };
        match (a, b) {
            (_, T::Comma | T::Semicolon | T::ParenClose | T::BracketClose | T::Dot | T::Prime)
            | (T::ParenOpen | T::BracketOpen | T::Dot, _) => false,
            // `int[0,5]` and `f(a, b)` are both usual.
            (T::Comma, _) if self.in_brackets() => right.is_apart,
            (T::Comma | T::Semicolon | T::BraceOpen, _) | (_, T::BraceOpen | T::BraceClose) => true,
            (_, T::ParenOpen) => !is_operand_end(left) || is_keyword(left.text),
            (_, T::BracketOpen) => !is_operand_end(left),
            (T::Ampersand | T::Hash | T::At, _) | (_, T::Ampersand | T::Hash | T::At) => right.is_apart,
            (_, T::Bang | T::Question) if self.is_direction(at) => false,
            (_, T::Increment | T::Decrement) => !is_operand_end(left) || self.next_is_operand(at),
            (T::Increment | T::Decrement, _) => !self.is_prefix(at - 1) || !self.begins_operand(at),
            (T::Bang, _) => self.is_direction(at - 1),
            (T::Minus | T::Plus, _) if self.is_prefix(at - 1) => {
                matches!(b, T::Minus | T::Plus | T::Increment | T::Decrement)
            }
            _ => true,
        }
    }

    fn in_brackets(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.inside == Inside::Brackets)
    }

    /// Whether `!` or `?` says who sends: nothing of an expression follows.
    fn is_direction(&self, at: usize) -> bool {
        let is_behind = at.checked_sub(1).is_some_and(|before| is_operand_end(self.atoms[before]));
        is_behind && !self.next_is_operand(at)
    }

    fn next_is_operand(&self, at: usize) -> bool {
        at + 1 < self.atoms.len() && self.begins_operand(at + 1)
    }

    fn begins_operand(&self, at: usize) -> bool {
        use TokenKind as T;
        let begins = [
            T::Word,
            T::Nat,
            T::Float,
            T::Text,
            T::ParenOpen,
            T::Minus,
            T::Plus,
            T::Bang,
            T::Increment,
            T::Decrement,
        ];
        let atom = self.atoms[at];
        begins.iter().any(|&kind| atom.is(kind)) && !is_infix_word(atom.text)
    }

    /// Whether an operator stands in front of its operand.
    fn is_prefix(&self, at: usize) -> bool {
        let before = self.atoms[..at].iter().rfind(|atom| !atom.is_comment());
        before.is_none_or(|before| !is_operand_end(*before) || is_keyword(before.text))
    }
}

/// Whether an operand can end with it.
fn is_operand_end(atom: Atom<'_>) -> bool {
    use TokenKind as T;
    let ends = [T::Word, T::Nat, T::Float, T::Text, T::ParenClose, T::BracketClose, T::Prime];
    ends.iter().any(|&kind| atom.is(kind)) && !is_infix_word(atom.text)
}

fn is_infix_word(word: &str) -> bool {
    matches!(word, "and" | "or" | "not" | "imply" | "xor")
}

/// Words in front of a parenthesis or an operand that are no functions.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "while"
            | "for"
            | "return"
            | "forall"
            | "exists"
            | "sum"
            | "else"
            | "do"
            | "guard"
            | "assign"
            | "select"
            | "sync"
            | "assert"
            | "probability"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn tidied(text: &str) -> String {
        let once = tidy(text).expect("it can be tidied up");
        assert_eq!(tidy(&once).as_deref(), Some(&*once), "tidying up twice changes nothing");
        once
    }

    #[test]
    fn statements_get_lines_and_comments_stay() {
        let text = "// a lamp\nclock  x;int n=-1 ;   // two\nvoid f(int &a,int b){ if(a>b) {a=b;} else a ++; for(i:int[0,3]){n=n-1;} }\n\
            process P( ) {\nstate A{x<=5},B;\ninit A;\ntrans A->B{guard x>=2&&!b;sync c!;assign x:=0;},\n\n\n /* back */ B->A{sync c ?; };\n}\nsystem P;";
        let expected = "// a lamp\nclock x;\nint n = -1; // two\nvoid f(int &a, int b) {\n    if (a > b) {\n        a = b;\n    } else a++;\n    for (i : int[0,3]) {\n        n = n - 1;\n    }\n}\n\
            process P() {\n    state A { x <= 5 }, B;\n    init A;\n    trans A -> B { guard x >= 2 && !b; sync c!; assign x := 0; },\n\n        /* back */ B -> A { sync c?; };\n}\nsystem P;\n";
        assert_eq!(tidied(text), expected);
    }

    #[test]
    fn what_is_no_text_of_a_model_stays() {
        assert_eq!(tidy("clock x; §"), None);
        assert_eq!(tidy("/* open"), None);
        assert_eq!(tidy(""), Some(String::new()));
        assert_eq!(
            tidied("const int A[2]={1 ,2};typedef struct{int a;int b;}s;"),
            "const int A[2] = { 1, 2 };\ntypedef struct { int a; int b; } s;\n"
        );
        assert_eq!(
            tidied("int a=b? -1:+2;int c=a- -1;int d=a&b;"),
            "int a = b ? -1 : +2;\nint c = a - -1;\nint d = a&b;\n"
        );
    }

    #[test]
    fn every_model_keeps_its_tokens_and_comments() {
        let mut count = 0;
        for path in crate::write::models(&["xta", "ta"]) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let Some(once) = tidy(&text) else { continue };
            count += 1;
            assert_eq!(tidy(&once).as_deref(), Some(&*once), "{}", path.display());
            let glue = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(glue(&text), glue(&once), "{}", path.display());
        }
        assert!(count > 2, "{count} models");
    }
}
