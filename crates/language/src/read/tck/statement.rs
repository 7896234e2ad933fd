//! Statements with control: `if`, `while` and `local` in the `do` of an edge.
//!
//! They become the body of a function that the edge calls. A `local` begins at zero and is known from its declaration to the end of the whole
//! `do`, in whatever block it stands; so all of them are declared at the top of the function and assigned where they stand.

use super::line::Attribute;
use super::{Reader, expression};
use crate::diagnostic::{Code, Diagnostic};
use crate::parse::{self, Dialect};
use crate::source::Span;
use crate::syntax::{
    BinaryOp, Block, Decl, Declarator, Dimension, Expr, ExprKind, FunctionDecl, Ident, Stmt, StmtKind,
    TypeBase, TypeExpr,
};
use crate::write::integer;
use std::ops::Range;

/// Words that begin a statement with control.
const CONTROL: &[&str] = &["if", "while", "local"];

/// Words that end the statements in front of them.
const ENDS: &[&str] = &["else", "end", "endif", "done"];

/// How deep statements may be nested; later passes recurse into them.
const MOST_NESTING: u32 = 100;

impl Reader<'_> {
    /// Whether some statement of the value has control.
    pub(super) fn has_control(&self, attribute: &Attribute) -> bool {
        let mut pieces = self.text[attribute.value.clone()].split(';');
        pieces.any(|piece| CONTROL.contains(&first_word(piece)))
    }

    /// The value as a function called `name`; `None` when it has errors.
    pub(super) fn function(&mut self, attribute: &Attribute, name: &str) -> Option<FunctionDecl> {
        let Range { start, end } = attribute.value;
        let span = Span::new(self.file, start as u32, end as u32);
        let mut parser = Parser { reader: self, at: start, end, locals: Vec::new(), loops: 0, depth: 0 };
        let statements = parser.sequence()?;
        if parser.skip_blank() < end {
            return parser.unexpected("`;` or the end of the statements");
        }
        let decls = parser.locals;
        let result = TypeExpr { prefixes: vec![], base: TypeBase::Void, span };
        let body = Block { decls, statements, span };
        Some(FunctionDecl { result, name: Ident::new(name, span), params: vec![], body })
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word a text begins with, after blanks.
fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())]
}

struct Parser<'r, 'a> {
    reader: &'r mut Reader<'a>,
    at: usize,
    end: usize,
    locals: Vec<Decl>,
    /// Loops around the current statement.
    loops: u32,
    depth: u32,
}

impl Parser<'_, '_> {
    fn rest(&self) -> &str {
        &self.reader.text[self.at..self.end]
    }

    fn skip_blank(&mut self) -> usize {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.at
    }

    fn eat(&mut self, symbol: char) -> bool {
        self.skip_blank();
        let found = self.rest().starts_with(symbol);
        self.at += if found { symbol.len_utf8() } else { 0 };
        found
    }

    fn eat_word(&mut self, words: &[&str]) -> bool {
        self.skip_blank();
        let word = first_word(self.rest());
        let (length, found) = (word.len(), words.contains(&word));
        self.at += if found { length } else { 0 };
        found
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.reader.file, range.start as u32, range.end as u32)
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Option<T> {
        let start = self.skip_blank();
        let length = first_word(self.rest()).len().max(self.rest().chars().next().map_or(0, char::len_utf8));
        let span = self.span(start..start + length);
        let message = format!("expected {wanted}");
        self.reader.out.push(Diagnostic::new(Code::UnexpectedToken, span, message));
        None
    }

    /// Statements with `;` between them, up to a word that ends them.
    fn sequence(&mut self) -> Option<Vec<Stmt>> {
        self.depth += 1;
        if self.depth > MOST_NESTING {
            let span = self.span(self.at..self.at);
            let message = "statements are nested too deeply";
            self.reader.out.push(Diagnostic::new(Code::NestingTooDeep, span, message));
            return None;
        }
        let mut statements = Vec::new();
        while self.skip_blank() < self.end && !ENDS.contains(&first_word(self.rest())) {
            self.statement(&mut statements)?;
            if !self.eat(';') {
                break;
            }
        }
        self.depth -= 1;
        Some(statements)
    }

    fn statement(&mut self, to: &mut Vec<Stmt>) -> Option<()> {
        let start = self.skip_blank();
        let kind = if self.eat_word(&["nop"]) {
            return Some(());
        } else if self.eat_word(&["if"]) {
            self.branches()?
        } else if self.eat_word(&["while"]) {
            self.repetition()?
        } else if self.eat_word(&["local"]) {
            self.local()?
        } else {
            let range = self.extent(ENDS);
            let fragment = expression::fragment(self.reader.text, self.reader.file, range);
            StmtKind::Expr(parse::update(&fragment, Dialect::New, self.reader.out))
        };
        to.push(Stmt { kind, span: self.span(start..self.at) });
        Some(())
    }

    fn branches(&mut self) -> Option<StmtKind> {
        let condition = self.expression(&["then"], "a condition")?;
        if !self.eat_word(&["then"]) {
            return self.unexpected("`then`");
        }
        let then = self.block()?;
        let otherwise = if self.eat_word(&["else"]) { Some(Box::new(self.block()?)) } else { None };
        if !self.eat_word(&["end", "endif"]) {
            return self.unexpected("`end`");
        }
        Some(StmtKind::If(vec![condition], Box::new(then), otherwise))
    }

    fn repetition(&mut self) -> Option<StmtKind> {
        let condition = self.expression(&["do"], "a condition")?;
        if !self.eat_word(&["do"]) {
            return self.unexpected("`do`");
        }
        self.loops += 1;
        let body = self.block()?;
        self.loops -= 1;
        if !self.eat_word(&["end", "done"]) {
            return self.unexpected("`end`");
        }
        Some(StmtKind::While(vec![condition], Box::new(body)))
    }

    fn block(&mut self) -> Option<Stmt> {
        let start = self.skip_blank();
        let statements = self.sequence()?;
        let span = self.span(start..self.at);
        Some(Stmt { kind: StmtKind::Block(Block { decls: vec![], statements, span }), span })
    }

    /// `local i`, `local i = e` or `local a[n]`.
    fn local(&mut self) -> Option<StmtKind> {
        let start = self.skip_blank();
        let word = first_word(self.rest());
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return self.unexpected("the name of a local variable");
        }
        let name = Ident::new(word, self.span(start..start + word.len()));
        self.at += word.len();
        if let Some(&span) = self.reader.variables.get(&name.name) {
            let message = format!("`{}` is declared twice", name.name);
            let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
            self.reader.out.push(diagnostic.related(span, "first here"));
            return None;
        }
        if self.eat('[') {
            let size = self.expression(&[], "the size of the array")?;
            if !self.eat(']') {
                return self.unexpected("`]`");
            }
            self.declare(&name, vec![Dimension::Expr(size.clone())]);
            return Some(if self.loops > 0 { clear(&name, size) } else { StmtKind::Empty });
        }
        let value = if self.eat('=') { self.expression(ENDS, "a value")? } else { integer(0, name.span) };
        self.declare(&name, vec![]);
        Some(StmtKind::Expr(vec![assign(variable(&name), value)]))
    }

    fn declare(&mut self, name: &Ident, dimensions: Vec<Dimension>) {
        let [low, high] = [i32::MIN, i32::MAX].map(|bound| integer(bound.into(), name.span));
        let ty =
            TypeExpr { prefixes: vec![], base: TypeBase::Int(Some(Box::new((low, high)))), span: name.span };
        let declarator = Declarator { name: name.clone(), dimensions, init: None };
        self.locals.push(Decl::Variables(ty, vec![declarator]));
    }

    /// An expression up to one of some words, a `;` or a bracket that it did not open.
    fn expression(&mut self, stops: &[&str], what: &str) -> Option<Expr> {
        let range = self.extent(stops);
        if self.reader.text[range.clone()].trim().is_empty() {
            self.at = range.start;
            return self.unexpected(what);
        }
        let fragment = expression::fragment(self.reader.text, self.reader.file, range);
        parse::expression(&fragment, Dialect::New, self.reader.out)
    }

    /// The text of an expression or assignment; the parser goes on behind it.
    fn extent(&mut self, stops: &[&str]) -> Range<usize> {
        let start = self.at;
        // `if … then … else …` inside an expression has an `else` of its own.
        let (mut open, mut conditionals) = (0_u32, 0_u32);
        while let Some(first) = self.rest().chars().next() {
            let word = first_word(self.rest());
            let length = if is_word(first) { word.len() } else { first.len_utf8() };
            match first {
                '(' | '[' => open += 1,
                ')' | ']' | ';' if open == 0 => break,
                ')' | ']' => open -= 1,
                _ if open > 0 || !is_word(first) => {}
                _ if word == "if" => conditionals += 1,
                _ if word == "else" && conditionals > 0 => conditionals -= 1,
                _ if stops.contains(&word) => break,
                _ => {}
            }
            self.at += length;
        }
        start..self.at
    }
}

fn variable(name: &Ident) -> Expr {
    Expr { kind: ExprKind::Name(name.name.clone()), span: name.span }
}

fn assign(target: Expr, value: Expr) -> Expr {
    let span = target.span.to(value.span);
    Expr { kind: ExprKind::Assign(None, Box::new(target), Box::new(value)), span }
}

/// An array declared in a loop begins at zero every time.
fn clear(array: &Ident, size: Expr) -> StmtKind {
    let span = array.span;
    let last = ExprKind::Binary(BinaryOp::Sub, Box::new(size), Box::new(integer(1, span)));
    let bounds = Box::new((integer(0, span), Expr { kind: last, span }));
    let index = Ident::new(format!("{}_index", array.name).as_str(), span);
    let element = ExprKind::Index(Box::new(variable(array)), Box::new(variable(&index)));
    let zero = assign(Expr { kind: element, span }, integer(0, span));
    let domain = TypeExpr { prefixes: vec![], base: TypeBase::Int(Some(bounds)), span };
    StmtKind::Iterate(index, domain, Box::new(Stmt { kind: StmtKind::Expr(vec![zero]), span }))
}
