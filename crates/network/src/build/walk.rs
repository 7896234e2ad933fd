//! Questions about a whole expression.

use guidepost_language::model::{Expr, ExprKind};

/// Whether some part of the expression has the property.
pub(crate) fn any(expr: &Expr, property: &dyn Fn(&Expr) -> bool) -> bool {
    if property(expr) {
        return true;
    }
    let some = |parts: &[Expr]| parts.iter().any(|part| any(part, property));
    match &expr.kind {
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            any(a, property) || any(b, property)
        }
        ExprKind::Field(a, _) | ExprKind::Unary(_, a) | ExprKind::Rate(a) => any(a, property),
        ExprKind::Step { target, .. } => any(target, property),
        ExprKind::Quantified(_, _, body) => any(body, property),
        ExprKind::Call(_, args) | ExprKind::Builtin(_, args) => some(args),
        ExprKind::Conditional(a, b, c) => any(a, property) || any(b, property) || any(c, property),
        ExprKind::Member(process, _)
        | ExprKind::AtLocation(process, _)
        | ExprKind::LocationIndex(process) => some(&process.args),
        _ => false,
    }
}

/// Whether a member of a process set is selected by arguments, which must then be known.
pub(crate) fn selects_processes(expr: &Expr) -> bool {
    any(expr, &|part| match &part.kind {
        ExprKind::Member(process, _)
        | ExprKind::AtLocation(process, _)
        | ExprKind::LocationIndex(process) => !process.args.is_empty(),
        _ => false,
    })
}
