//! Statements of functions.

use super::Checker;
use super::types::is_integral;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, Stmt, SymbolKind, Type};
use crate::source::Span;
use crate::syntax::{self, Block, Decl, StmtKind};

impl Checker<'_> {
    /// A block in a scope of its own.
    pub(super) fn block(&mut self, block: &Block) -> Vec<Stmt> {
        self.scopes.open();
        let mut statements = Vec::new();
        for decl in &block.decls {
            match decl {
                Decl::Variables(ty, names) => {
                    statements.extend(self.variables(ty, names).into_iter().map(Stmt::Local));
                }
                Decl::Typedef(ty, names) => self.typedefs(ty, names),
                _ => {}
            }
        }
        for statement in &block.statements {
            self.statement(statement, &mut statements);
        }
        self.scopes.close();
        statements
    }

    fn statement(&mut self, statement: &syntax::Stmt, to: &mut Vec<Stmt>) {
        let typed = match &statement.kind {
            StmtKind::Empty => return,
            StmtKind::Block(block) => Stmt::Block(self.block(block)),
            StmtKind::Expr(list) => {
                to.extend(self.updates(list).into_iter().map(Stmt::Expr));
                return;
            }
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.conditions(condition);
                let then = Box::new(self.single(then));
                let otherwise = otherwise.as_ref().map(|statement| Box::new(self.single(statement)));
                Stmt::If(condition, then, otherwise)
            }
            StmtKind::While(condition, body) => {
                let condition = self.conditions(condition);
                Stmt::While(condition, Box::new(self.single(body)))
            }
            StmtKind::DoWhile(body, condition) => {
                let body = Box::new(self.single(body));
                Stmt::DoWhile(body, self.conditions(condition))
            }
            StmtKind::For(start, condition, step, body) => {
                let start = self.updates(start);
                let condition = self.conditions(condition);
                let step = self.updates(step);
                Stmt::For(start, condition, step, Box::new(self.single(body)))
            }
            StmtKind::Iterate(binder, ty, body) => {
                let domain = self.domain(ty, "a loop over a type");
                self.scopes.open();
                let id = self.declare(binder, SymbolKind::Binder, domain);
                let body = Box::new(self.single(body));
                self.scopes.close();
                Stmt::Iterate(id, body)
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), statement.span),
            StmtKind::Assert(condition) => Stmt::Assert(self.condition(condition, "an assertion")),
        };
        to.push(typed);
    }

    fn single(&mut self, statement: &syntax::Stmt) -> Stmt {
        let mut list = Vec::new();
        self.statement(statement, &mut list);
        if list.len() == 1 { list.remove(0) } else { Stmt::Block(list) }
    }

    /// A comma list of which the last value is the condition.
    fn conditions(&mut self, list: &[syntax::Expr]) -> Vec<Expr> {
        let Some((last, effects)) = list.split_last() else { return Vec::new() };
        let mut typed = self.updates(effects);
        typed.push(self.condition(last, "the condition"));
        typed
    }

    /// Expressions for their effect: of statements and of edges.
    pub(super) fn updates(&mut self, list: &[syntax::Expr]) -> Vec<Expr> {
        list.iter()
            .map(|expr| {
                let typed = self.expr_without_reading(expr);
                let is_call = matches!(expr.kind, syntax::ExprKind::Call(..) | syntax::ExprKind::Foreign(_));
                if !self.has_side_effect(&typed) && !matches!(typed.ty, Type::Error) && !is_call {
                    self.report_no_effect(&typed);
                }
                typed
            })
            .collect()
    }

    fn report_no_effect(&mut self, expr: &Expr) {
        let is_comparison =
            matches!(expr.kind, crate::model::ExprKind::Binary(crate::model::BinaryOp::Eq, ..));
        let mut diagnostic = Diagnostic::new(Code::NoEffect, expr.span, "this does nothing");
        if is_comparison {
            diagnostic = diagnostic.hint("did you mean `=`?");
        }
        self.report(diagnostic);
    }

    fn return_statement(&mut self, value: Option<&syntax::Expr>, span: Span) -> Stmt {
        let value = value.map(|value| self.expr(value));
        let Some((name, result)) = self.function.as_ref().map(|f| (f.name.clone(), f.result.clone())) else {
            self.error(Code::BadReturn, span, "a return outside a function");
            return Stmt::Block(Vec::new());
        };
        match (&value, &result) {
            (_, Type::Error) | (Some(Expr { ty: Type::Error, .. }), _) | (None, Type::Void) => {}
            (None, result) => {
                let message = format!("`{name}` must return {}", self.describe(result));
                self.error(Code::BadReturn, span, message);
            }
            (Some(value), Type::Void) => {
                self.error(Code::BadReturn, value.span, format!("`{name}` is void and returns no value"));
            }
            (Some(value), result) => {
                let both_integral = is_integral(result) && is_integral(&value.ty);
                if !both_integral && !self.assignable(result, &value.ty, value.span) {
                    let (expected, found) = (self.describe(result), self.describe(&value.ty));
                    let mut diagnostic = Diagnostic::new(
                        Code::BadReturn,
                        value.span,
                        format!("`{name}` returns {expected}, and this is {found}"),
                    );
                    if matches!(value.ty, Type::Constraint(_)) {
                        diagnostic = diagnostic
                            .hint("a function cannot return a clock constraint; test the clock in a guard");
                    }
                    self.report(diagnostic);
                }
            }
        }
        Stmt::Return(value, span)
    }
}

/// Whether every way through the statements ends in a return.
pub(super) fn returns(statements: &[syntax::Stmt]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(block) => returns(&block.statements),
        StmtKind::If(_, then, Some(otherwise)) => {
            returns(std::slice::from_ref(then)) && returns(std::slice::from_ref(otherwise))
        }
        StmtKind::DoWhile(body, _) => returns(std::slice::from_ref(body)),
        StmtKind::While(condition, _) => {
            matches!(condition.last(), Some(syntax::Expr { kind: syntax::ExprKind::Bool(true), .. }))
        }
        _ => false,
    })
}
