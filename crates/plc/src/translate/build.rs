//! Pieces of syntax trees.

use guidepost_language::source::Span;
use guidepost_language::syntax::{
    BinaryOp, Decl, Declarator, Direction, Edge, Expr, ExprKind, Ident, Init, Location, Name, Node, Point,
    Prefix, Sync, Template, TypeBase, TypeExpr, UnaryOp,
};

pub(super) fn name(name: &Name, span: Span) -> Expr {
    Expr { kind: ExprKind::Name(name.clone()), span }
}

pub(super) fn number(value: i32, span: Span) -> Expr {
    if value >= 0 || value == i32::MIN {
        return Expr { kind: ExprKind::Int(value), span };
    }
    let positive = Expr { kind: ExprKind::Int(-value), span };
    Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(positive)), span }
}

pub(super) fn boolean(value: bool, span: Span) -> Expr {
    Expr { kind: ExprKind::Bool(value), span }
}

pub(super) fn not(expr: Expr) -> Expr {
    let span = expr.span;
    Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(expr)), span }
}

pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

/// All of some conditions; `None` for none of them.
pub(super) fn all(parts: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    parts.into_iter().reduce(|left, right| binary(BinaryOp::And, left, right))
}

pub(super) fn assign(target: &Name, value: Expr) -> Expr {
    let span = value.span;
    Expr { kind: ExprKind::Assign(None, Box::new(name(target, span)), Box::new(value)), span }
}

pub(super) fn reset(clock: &Name, span: Span) -> Expr {
    assign(clock, number(0, span))
}

pub(super) fn send(channel: &Name, span: Span) -> Sync {
    Sync { channel: name(channel, span), direction: Direction::Send, span }
}

pub(super) fn receive(channel: &Name, span: Span) -> Sync {
    Sync { channel: name(channel, span), direction: Direction::Receive, span }
}

pub(super) fn ty(prefixes: Vec<Prefix>, base: TypeBase, span: Span) -> TypeExpr {
    TypeExpr { prefixes, base, span }
}

pub(super) fn declare(ty: TypeExpr, name: &Name, init: Option<Expr>, span: Span) -> Decl {
    let name = Ident::new(name.clone(), span);
    Decl::Variables(ty, vec![Declarator { name, dimensions: Vec::new(), init: init.map(Init::Expr) }])
}

pub(super) fn template(name: &Name, span: Span) -> Template {
    Template {
        name: Ident::new(name.clone(), span),
        name_at: None,
        params: Vec::new(),
        decls: Vec::new(),
        locations: Vec::new(),
        branchpoints: Vec::new(),
        init: Some(0),
        edges: Vec::new(),
        mentions: Vec::new(),
        span,
    }
}

pub(super) fn location(name: impl Into<Name>, span: Span) -> Location {
    Location::plain(Ident::new(name, span))
}

pub(super) fn edge(source: usize, target: usize, span: Span) -> Edge {
    Edge::plain(Node::Location(source), Node::Location(target), span)
}

pub(super) fn point(x: i32, y: i32) -> Point {
    Point { x, y }
}
