//! Small pieces of the syntax tree. Nothing that is made here stands in a file, so no piece has a place.

use guidepost_language::source::Span;
use guidepost_language::syntax::{BinaryOp, Expr, ExprKind, Ident, TypeBase, TypeExpr, UnaryOp};

pub(super) fn at(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

pub(super) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::default())
}

pub(super) fn name(text: &str) -> Expr {
    at(ExprKind::Name(text.into()))
}

/// An integer; a negative one is a sign and a literal, as the parser reads them.
pub(super) fn literal(value: i32) -> Expr {
    match value.checked_neg() {
        Some(size) if value < 0 => unary(UnaryOp::Minus, at(ExprKind::Int(size))),
        _ => at(ExprKind::Int(value)),
    }
}

pub(super) fn truth(value: bool) -> Expr {
    at(ExprKind::Bool(value))
}

pub(super) fn unary(op: UnaryOp, operand: Expr) -> Expr {
    at(ExprKind::Unary(op, Box::new(operand)))
}

pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    at(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

pub(super) fn index(base: Expr, index: Expr) -> Expr {
    at(ExprKind::Index(Box::new(base), Box::new(index)))
}

pub(super) fn field(base: Expr, field: &str) -> Expr {
    at(ExprKind::Field(Box::new(base), ident(field)))
}

pub(super) fn assign(op: Option<BinaryOp>, target: Expr, value: Expr) -> Expr {
    at(ExprKind::Assign(op, Box::new(target), Box::new(value)))
}

pub(super) fn conditional(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    at(ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)))
}

pub(super) fn call(function: &str, args: Vec<Expr>) -> Expr {
    at(ExprKind::Call(Box::new(name(function)), args))
}

/// All of them; `None` when there are none.
pub(super) fn all(parts: Vec<Expr>) -> Option<Expr> {
    join(BinaryOp::And, parts)
}

/// One of them; `None` when there are none.
pub(super) fn any(parts: Vec<Expr>) -> Option<Expr> {
    join(BinaryOp::Or, parts)
}

/// The operands in their order. The parser does not take chains of any length, so long ones are halved.
pub(super) fn join(op: BinaryOp, mut parts: Vec<Expr>) -> Option<Expr> {
    const LONGEST: usize = 64;
    if parts.len() > LONGEST {
        let rest = parts.split_off(parts.len() / 2);
        return Some(binary(op, join(op, parts)?, join(op, rest)?));
    }
    parts.into_iter().reduce(|left, right| binary(op, left, right))
}

pub(super) fn plain_type(base: TypeBase) -> TypeExpr {
    TypeExpr { prefixes: Vec::new(), base, span: Span::default() }
}

/// `int[low,high]`
pub(super) fn range_type(low: i32, high: i32) -> TypeExpr {
    plain_type(TypeBase::Int(Some(Box::new((literal(low), literal(high))))))
}
