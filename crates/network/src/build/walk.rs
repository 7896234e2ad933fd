//! Questions about a whole expression.

use guidepost_language::model::{Expr, ExprKind, Model, ParamMode, Stmt, SymbolId, SymbolKind, TemplateId};

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

/// Whether the code of a template changes a name: parameters passed by value are constants unless it does.
pub(crate) fn template_modifies(model: &Model, id: TemplateId, symbol: SymbolId) -> bool {
    let template = model.template(id);
    let mut functions = model.functions.iter().filter(|function| function.template == Some(id));
    template.edges.iter().flat_map(|edge| &edge.update).any(|item| modifies(model, item, symbol))
        || functions.any(|function| function.body.iter().any(|part| statement_modifies(model, part, symbol)))
}

fn statement_modifies(model: &Model, statement: &Stmt, symbol: SymbolId) -> bool {
    let some = |exprs: &[Expr]| exprs.iter().any(|expr| modifies(model, expr, symbol));
    let inside = |statement: &Stmt| statement_modifies(model, statement, symbol);
    match statement {
        Stmt::Local(_) | Stmt::Return(None, _) => false,
        Stmt::Block(statements) => statements.iter().any(inside),
        Stmt::Expr(expr) | Stmt::Assert(expr) | Stmt::Return(Some(expr), _) => modifies(model, expr, symbol),
        Stmt::If(condition, then, otherwise) => {
            some(condition) || inside(then) || otherwise.as_deref().is_some_and(inside)
        }
        Stmt::While(condition, body) | Stmt::DoWhile(body, condition) => some(condition) || inside(body),
        Stmt::For(init, condition, step, body) => some(init) || some(condition) || some(step) || inside(body),
        Stmt::Iterate(_, body) => inside(body),
    }
}

fn modifies(model: &Model, expr: &Expr, symbol: SymbolId) -> bool {
    any(expr, &|part| match &part.kind {
        ExprKind::Assign(_, target, _) | ExprKind::Step { target, .. } => is_rooted_in(target, symbol),
        ExprKind::Call(function, args) => {
            let params = &model.function(*function).params;
            params.iter().zip(args).any(|(param, arg)| {
                matches!(model.symbol(*param).kind, SymbolKind::Param(ParamMode::Reference))
                    && is_rooted_in(arg, symbol)
            })
        }
        _ => false,
    })
}

/// Whether an lvalue is (a part of) a name.
fn is_rooted_in(expr: &Expr, symbol: SymbolId) -> bool {
    match &expr.kind {
        ExprKind::Symbol(root) => *root == symbol,
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => is_rooted_in(base, symbol),
        ExprKind::Conditional(_, then, otherwise) => {
            is_rooted_in(then, symbol) || is_rooted_in(otherwise, symbol)
        }
        _ => false,
    }
}
