//! Parsing: tokens become the syntax tree.
//!
//! Recursive descent with a Pratt parser for expressions, both dialects in one grammar. Each function here parses one kind of text: a whole
//! file, or one label of an XML file. None of them fails: they return what they understood and push diagnostics about the rest.

mod cursor;
mod declaration;
mod dialect;
mod expression;
mod lexer;
mod query;
mod statement;
mod system;
mod template;
mod token;
mod types;

pub use dialect::Dialect;
pub(crate) use lexer::tokenize;
pub use query::{formula, queries};
pub(crate) use token::{Token, TokenKind};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Fragment;
use crate::syntax::{
    BinaryOp, Decl, Direction, Document, Expr, ExprKind, Ident, Param, Sync, System, TypeExpr,
};
use cursor::{Parsed, Parser};

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

/// Whether a word of the language, so that nothing can have this name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// What may stand behind an expression that is all of a label.
const OPERATOR: &str = "an operator or the end of the label";

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
    let params = parser.parameters(TokenKind::End);
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
    if parser.is(TokenKind::Word) {
        let whole = fragment.text.split_whitespace().collect::<Vec<_>>().join("_");
        let span = name.span.to(parser.span());
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, "a name cannot have a blank in it");
        parser.report(diagnostic.hint(format!("write `{whole}`")));
        return Some(name);
    }
    parser.expect_end("the end of the name");
    Some(name)
}

/// Parses an expression.
pub fn expression(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    label(fragment, dialect, out, OPERATOR, Parser::expression)
}

/// Parses an invariant.
pub fn invariant(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    guard(fragment, dialect, out)
}

/// Parses a guard. In the 3.x dialect a comma stands between conjuncts.
pub fn guard(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    label(fragment, dialect, out, OPERATOR, Parser::conjunction)
}

/// Parses an exponential rate: `e` or `e : e`.
pub fn exponential_rate(
    fragment: &Fragment,
    dialect: Dialect,
    out: &mut Diagnostics,
) -> Option<(Expr, Option<Expr>)> {
    label(fragment, dialect, out, OPERATOR, Parser::rate)
}

/// Parses `i : T, j : U`.
pub fn select(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Vec<(Ident, TypeExpr)> {
    label(fragment, dialect, out, "`,` or the end of the label", Parser::bindings).unwrap_or_default()
}

/// Parses `c!`, `c?` or a bare `c`.
pub fn sync(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Sync> {
    label(fragment, dialect, out, "the end of the label", Parser::synchronisation)
}

/// Parses the update of an edge.
pub fn update(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Vec<Expr> {
    label(fragment, dialect, out, OPERATOR, Parser::update_label).unwrap_or_default()
}

/// Parses the weight of a branch.
pub fn probability(fragment: &Fragment, dialect: Dialect, out: &mut Diagnostics) -> Option<Expr> {
    label(fragment, dialect, out, OPERATOR, Parser::expression)
}

/// Parses all of a label; blank labels give `None`, and so do labels with errors. `rest` is what may stand behind.
fn label<'a, T>(
    fragment: &'a Fragment,
    dialect: Dialect,
    out: &'a mut Diagnostics,
    rest: &str,
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
    parser.expected(rest);
    None
}

impl Parser<'_> {
    /// A condition; in the 3.x dialect a comma list of conjuncts.
    pub(crate) fn conjunction(&mut self) -> Parsed<Expr> {
        let mut all = self.expression()?;
        let mut reported = self.dialect == Dialect::Old;
        while self.is(TokenKind::Comma) {
            if !reported {
                reported = true;
                let diagnostic =
                    Diagnostic::new(Code::UnexpectedToken, self.span(), "a comma is no operator here");
                self.report(diagnostic.hint("write `&&` between conditions"));
            }
            let depth = self.tree_depth;
            self.advance();
            let next = self.expression()?;
            self.deepen(depth)?;
            let span = all.span.to(next.span);
            all = Expr { kind: ExprKind::Binary(BinaryOp::And, Box::new(all), Box::new(next)), span };
        }
        Ok(all)
    }

    /// The updates of an edge; a `;` between them is refused once, and read as a comma.
    pub(crate) fn update_label(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = self.expression_list()?;
        let mut reported = false;
        while self.is(TokenKind::Semicolon) && self.is_update_ahead(1) {
            if reported {
                self.advance();
            } else {
                self.report_update_separator();
            }
            reported = true;
            list.extend(self.expression_list()?);
        }
        Ok(list)
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
            if self.is(TokenKind::Colon) {
                self.advance();
                list.push((name, self.type_expression()?));
            } else {
                let missing = self.missing("`:` and a type");
                if !matches!(self.kind(), TokenKind::Comma | TokenKind::Semicolon | TokenKind::End) {
                    return Err(missing);
                }
                let ty = types::unreadable_type(name.span);
                list.push((name, ty));
            }
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
            _ => return Err(self.missing("`!` or `?` after the channel")),
        };
        let span = start.to(self.advance().span);
        Ok(Sync { channel, direction, span })
    }
}
