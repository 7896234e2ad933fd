//! Parsing: tokens become the syntax tree.
//!
//! Recursive descent with a Pratt parser for expressions, both dialects in one grammar. Each function here parses one kind of text: a whole
//! file, or one label of an XML file. None of them fails: they return what they understood and push diagnostics about the rest.

mod cursor;
mod declaration;
mod dialect;
mod expression;
mod query;
mod statement;
mod system;
mod template;
mod token;

pub use dialect::Dialect;
pub use query::{formula, queries};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Fragment;
use crate::syntax::{
    BinaryOp, Decl, Direction, Document, Expr, ExprKind, Ident, Param, Sync, System, TypeExpr,
};
use cursor::{Parsed, Parser};
use token::TokenKind;

/// Words that can never be names. Other keywords of the language are only keywords where they have a meaning, because older models
/// use them as names.
const RESERVED: &[&str] = &[
    "after_update",
    "and",
    "before_update",
    "bool",
    "broadcast",
    "chan",
    "clock",
    "const",
    "do",
    "double",
    "else",
    "exists",
    "false",
    "for",
    "forall",
    "if",
    "imply",
    "int",
    "meta",
    "not",
    "or",
    "return",
    "scalar",
    "struct",
    "true",
    "typedef",
    "urgent",
    "void",
    "while",
];

pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Parses the text of a declaration section.
pub fn declarations(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Vec<Decl> {
    let mut parser = Parser::new(fragment, dialect, out);
    let mut decls = Vec::new();
    while !parser.at_end() {
        decls.extend(parser.declarations());
        if !parser.at_end() {
            parser.expected("a declaration");
            parser.advance();
            parser.skip_item();
        }
    }
    decls
}

/// Parses the parameters of a template, without parentheses.
pub fn parameters(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Vec<Param> {
    let mut parser = Parser::new(fragment, dialect, out);
    let params = parser.parameters(TokenKind::End).unwrap_or_default();
    if !params.is_empty() {
        parser.expect_end("`,` or the end of the parameters");
    }
    params
}

/// Parses the system section: instantiations, the system line, progress measures, charts.
pub fn system(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> System {
    let mut parser = Parser::new(fragment, dialect, out);
    let mut document = Document::default();
    parser.system_section(&mut document);
    document.system
}

/// Parses a whole textual model (.xta, .ta).
pub fn xta(fragment: &Fragment, out: &mut Diagnostics) -> Document {
    let dialect = Dialect::detect([fragment]);
    Parser::new(fragment, dialect, out).document()
}

/// Parses a name: of a template or location.
pub fn identifier(fragment: &Fragment, out: &mut Diagnostics) -> Option<Ident> {
    let mut parser = Parser::new(fragment, Dialect::New, out);
    if parser.at_end() {
        return None;
    }
    let name = parser.name("a name").ok()?;
    parser.expect_end("the end of the name");
    Some(name)
}

/// Parses an expression.
pub fn expression(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    label(fragment, dialect, out, Parser::expression)
}

/// Parses an invariant.
pub fn invariant(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    guard(fragment, dialect, out)
}

/// Parses a guard. In the 3.x dialect a comma stands between conjuncts.
pub fn guard(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    label(fragment, dialect, out, Parser::conjunction)
}

/// Parses an exponential rate: `e` or `e : e`.
pub fn exponential_rate(
    fragment: &Fragment,
    dialect: Dialect,
    out: &mut Diagnostics,
) -> Option<(Expr, Option<Expr>)> {
    label(fragment, dialect, out, Parser::rate)
}

/// Parses `i : T, j : U`.
pub fn select(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Vec<(Ident, TypeExpr)> {
    label(fragment, dialect, out, Parser::bindings).unwrap_or_default()
}

/// Parses `c!`, `c?` or a bare `c`.
pub fn sync(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Sync> {
    label(fragment, dialect, out, Parser::synchronisation)
}

/// Parses the update of an edge.
pub fn update(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Vec<Expr> {
    label(fragment, dialect, out, Parser::expression_list).unwrap_or_default()
}

/// Parses the weight of a branch.
pub fn probability(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    label(fragment, dialect, out, Parser::expression)
}

/// Parses all of a label; blank labels give `None`, and so do labels with errors.
fn label<'a, T>(
    fragment: &'a Fragment,
    dialect: Dialect,
    out: &'a mut Diagnostics,
    parse: impl FnOnce(&mut Parser<'a>) -> Parsed<T>,
) -> Option<T> {
    let mut parser = Parser::new(fragment, dialect, out);
    if parser.at_end() {
        return None;
    }
    let parsed = parse(&mut parser).ok()?;
    // A semicolon at the end of a label is a common slip without consequences.
    parser.eat(TokenKind::Semicolon);
    if parser.at_end() {
        return Some(parsed);
    }
    if parser.is(TokenKind::Comma) {
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, parser.span(), "a comma is no operator here")
            .hint("write `&&` between conditions");
        parser.report(diagnostic);
    } else {
        parser.expected("an operator or the end of the label");
    }
    None
}

impl Parser<'_> {
    /// A condition; in the 3.x dialect a comma list of conjuncts.
    pub(crate) fn conjunction(&mut self) -> Parsed<Expr> {
        let mut all = self.expression()?;
        while self.dialect == Dialect::Old && self.eat(TokenKind::Comma) {
            let next = self.expression()?;
            let span = all.span.to(next.span);
            all = Expr { kind: ExprKind::Binary(BinaryOp::And, Box::new(all), Box::new(next)), span };
        }
        Ok(all)
    }

    pub(crate) fn rate(&mut self) -> Parsed<(Expr, Option<Expr>)> {
        let first = self.expression()?;
        let second = if self.eat(TokenKind::Colon) { Some(self.expression()?) } else { None };
        Ok((first, second))
    }

    pub(crate) fn bindings(&mut self) -> Parsed<Vec<(Ident, TypeExpr)>> {
        let mut list = Vec::new();
        loop {
            let name = self.name("the name of a bound variable")?;
            self.expect(TokenKind::Colon, "`:` and a type")?;
            list.push((name, self.type_expression()?));
            if !self.eat(TokenKind::Comma) {
                return Ok(list);
            }
        }
    }

    pub(crate) fn synchronisation(&mut self) -> Parsed<Sync> {
        let channel = self.expression()?;
        let start = channel.span;
        let direction = match self.kind() {
            TokenKind::Bang => Direction::Send,
            TokenKind::Question => Direction::Receive,
            TokenKind::End | TokenKind::Semicolon => {
                return Ok(Sync { channel, direction: Direction::Join, span: start });
            }
            _ => return Err(self.expected("`!` or `?` after the channel")),
        };
        let span = start.to(self.advance().span);
        Ok(Sync { channel, direction, span })
    }
}
