//! What the functions of a TChecker model assign.
//!
//! They stand for a `do` with control statements. TChecker forbids a transition in which an assignment leaves its range; a condition in front of the edge
//! can only say so where loops and branches do not matter, so such a function can be written for UPPAAL if no assignment in it can
//! leave its range at all.

use super::range::{Assignment, Ranges, assignment};
use crate::syntax::{Block, Decl, Expr, ExprKind, FunctionDecl, Name, Stmt, StmtKind, Template};
use std::collections::HashSet;

/// The functions of a template.
pub(super) fn functions(template: &Template) -> impl Iterator<Item = &FunctionDecl> {
    template.decls.iter().filter_map(|decl| match decl {
        Decl::Function(function) => Some(function),
        _ => None,
    })
}

/// The variables that the functions called by an update assign.
pub(super) fn written(template: &Template, update: &[Expr]) -> HashSet<Name> {
    let called = |name: &Name| {
        update.iter().any(|item| {
            matches!(&item.kind, ExprKind::Call(callee, _)
                if matches!(&callee.kind, ExprKind::Name(callee) if callee == name))
        })
    };
    let called = functions(template).filter(|function| called(&function.name.name));
    called.flat_map(|function| assignments(&function.body)).map(|assignment| assignment.target).collect()
}

/// A variable that may leave its range in the function.
pub(super) fn leaves_range(function: &FunctionDecl, ranges: &Ranges) -> Option<Name> {
    let assignments = assignments(&function.body).into_iter();
    let mut risky = assignments.filter(|assignment| !ranges.contain(&assignment.target, &assignment.value));
    risky.next().map(|assignment| assignment.target)
}

/// The assignments of a block, wherever they stand.
fn assignments(block: &Block) -> Vec<Assignment> {
    let mut found = Vec::new();
    block.statements.iter().for_each(|statement| collect(statement, &mut found));
    found
}

fn collect(statement: &Stmt, found: &mut Vec<Assignment>) {
    match &statement.kind {
        StmtKind::Block(block) => block.statements.iter().for_each(|inner| collect(inner, found)),
        StmtKind::Expr(list) => found.extend(list.iter().filter_map(assignment)),
        StmtKind::If(_, then, otherwise) => {
            collect(then, found);
            if let Some(otherwise) = otherwise {
                collect(otherwise, found);
            }
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::For(.., body)
        | StmtKind::Iterate(.., body) => collect(body, found),
        StmtKind::Empty | StmtKind::Return(_) | StmtKind::Assert(_) => {}
    }
}
