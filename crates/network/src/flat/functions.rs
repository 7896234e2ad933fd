//! Functions, printed from the model.
//!
//! A function of a template is printed into every process that calls it, with what the parameters of the template stand for in that process.
//! Constants become numbers, so a local constant whose value is known is not declared.

use super::names::Scope;
use super::syntax::{ident, plain_type, range_type};
use super::types::written;
use super::{FlatError, Flattener, Local};
use crate::build::is_const;
use crate::build::layout::Kind;
use guidepost_language::model::{self, FunctionId, ParamMode, SymbolId, SymbolKind, Type};
use guidepost_language::source::Span;
use guidepost_language::syntax::{
    Block, Decl, Declarator, Expr, FunctionDecl, Init, Param, Prefix, Stmt, StmtKind, TypeBase, TypeExpr,
};
use std::collections::BTreeMap;

/// The functions that are called, callees first.
pub(super) struct Functions(BTreeMap<(FunctionId, Scope), FunctionDecl>);

impl Functions {
    /// Those of one process, or the global ones.
    pub(super) fn of(&self, scope: Scope) -> impl Iterator<Item = Decl> + '_ {
        let own = self.0.iter().filter(move |((_, owner), _)| *owner == scope);
        own.map(|(_, function)| Decl::Function(function.clone()))
    }
}

impl Flattener<'_> {
    /// All functions that something calls, and those that these call.
    pub(super) fn all_functions(&mut self) -> Result<Functions, FlatError> {
        let mut functions = BTreeMap::new();
        while let Some(key) = self.called.iter().find(|key| !functions.contains_key(*key)).copied() {
            let function = self.function(key)?;
            functions.insert(key, function);
        }
        Ok(Functions(functions))
    }

    fn function(&mut self, (id, scope): (FunctionId, Scope)) -> Result<FunctionDecl, FlatError> {
        let function = self.model.function(id);
        let result = self.result_type(scope, &function.result, &function.name)?;
        let (depth, height) = (self.taken.depth(), self.locals.len());
        let params = function.params.iter().map(|param| self.param(scope, *param));
        let params = params.collect::<Result<Vec<_>, _>>();
        let body = self.block(scope, &function.body);
        self.taken.leave(depth);
        self.locals.truncate(height);
        let name = self.functions.get(&(id, scope)).map_or(&*function.name, |name| name);
        Ok(FunctionDecl { result, name: ident(name), params: params?, body: body? })
    }

    fn result_type(&mut self, scope: Scope, ty: &Type, function: &str) -> Result<TypeExpr, FlatError> {
        if matches!(ty, Type::Void) {
            return Ok(plain_type(TypeBase::Void));
        }
        let layout = self.layout(scope, ty, false)?;
        let (ty, dimensions) = written(&layout, None)?;
        if dimensions.is_empty() {
            Ok(ty)
        } else {
            Err(FlatError::inexpressible(format!("the array that `{function}` returns")))
        }
    }

    fn param(&mut self, scope: Scope, id: SymbolId) -> Result<Param, FlatError> {
        let symbol = self.model.symbol(id);
        let layout = self.layout(scope, &symbol.ty, is_const(symbol))?;
        let reference = matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference));
        let (ty, dimensions) = written(&layout, is_const(symbol).then_some(Prefix::Const))?;
        let name = self.named(scope, id);
        Ok(Param { ty, reference, name: ident(&name), dimensions })
    }

    /// Gives a name of the function the one it has from here on.
    pub(super) fn named(&mut self, scope: Scope, id: SymbolId) -> String {
        let name = self.taken.enter(scope, &self.model.symbol(id).name);
        self.locals.push((id, Local::Named(name.clone())));
        name
    }

    fn block(&mut self, scope: Scope, statements: &[model::Stmt]) -> Result<Block, FlatError> {
        let (depth, height) = (self.taken.depth(), self.locals.len());
        let declared = statements.iter().take_while(|part| matches!(part, model::Stmt::Local(_))).count();
        let mut decls = Vec::new();
        let mut rest = Vec::new();
        for statement in &statements[..declared] {
            if let model::Stmt::Local(id) = statement {
                decls.extend(self.local(scope, *id)?);
            }
        }
        for (position, statement) in statements.iter().enumerate().skip(declared) {
            if matches!(statement, model::Stmt::Local(_)) {
                // Declarations stand first in a block.
                let block = self.block(scope, &statements[position..])?;
                rest.push(stmt(StmtKind::Block(block)));
                break;
            }
            rest.push(self.statement(scope, statement)?);
        }
        self.taken.leave(depth);
        self.locals.truncate(height);
        Ok(Block { decls, statements: rest, span: Span::default() })
    }

    fn local(&mut self, scope: Scope, id: SymbolId) -> Result<Option<Decl>, FlatError> {
        let symbol = self.model.symbol(id);
        let constant = is_const(symbol);
        let layout = self.layout(scope, &symbol.ty, constant)?;
        let init = match &symbol.kind {
            SymbolKind::Constant(init) | SymbolKind::Variable { init, .. } => init.as_ref(),
            _ => None,
        };
        if let (true, Kind::Int { .. }, Some(model::Init::Expr(expr))) = (constant, &layout.kind, init)
            && let Some(value) = self.constant(scope, expr)
        {
            self.locals.push((id, Local::Value(value)));
            return Ok(None);
        }
        let init = init.map(|init| self.init(scope, init)).transpose()?;
        let (ty, dimensions) = written(&layout, constant.then_some(Prefix::Const))?;
        // Named last: the initialiser of `int i = i;` means the outer `i`.
        let name = self.named(scope, id);
        Ok(Some(Decl::Variables(ty, vec![Declarator { name: ident(&name), dimensions, init }])))
    }

    fn init(&mut self, scope: Scope, init: &model::Init) -> Result<Init, FlatError> {
        Ok(match init {
            model::Init::Expr(expr) => Init::Expr(self.expr(scope, expr)?),
            model::Init::List(items, _) => {
                let items = items.iter().map(|item| Ok((None, self.init(scope, item)?)));
                Init::List(items.collect::<Result<_, FlatError>>()?, Span::default())
            }
        })
    }

    fn statement(&mut self, scope: Scope, statement: &model::Stmt) -> Result<Stmt, FlatError> {
        use model::Stmt as Typed;
        Ok(stmt(match statement {
            Typed::Local(_) => StmtKind::Block(self.block(scope, std::slice::from_ref(statement))?),
            Typed::Block(statements) => StmtKind::Block(self.block(scope, statements)?),
            Typed::Expr(expr) => StmtKind::Expr(vec![self.expr(scope, expr)?]),
            Typed::If(condition, then, otherwise) => {
                let condition = self.exprs(scope, condition)?;
                let then = self.nested(scope, then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => Some(self.nested(scope, otherwise)?),
                    None => None,
                };
                StmtKind::If(condition, then, otherwise)
            }
            Typed::While(condition, body) => {
                StmtKind::While(self.exprs(scope, condition)?, self.nested(scope, body)?)
            }
            Typed::DoWhile(body, condition) => {
                StmtKind::DoWhile(self.nested(scope, body)?, self.exprs(scope, condition)?)
            }
            Typed::For(first, condition, step, body) => StmtKind::For(
                self.exprs(scope, first)?,
                self.exprs(scope, condition)?,
                self.exprs(scope, step)?,
                self.nested(scope, body)?,
            ),
            Typed::Iterate(binder, body) => {
                let (low, high) = self.domain(scope, &self.model.symbol(*binder).ty)?;
                let (depth, height) = (self.taken.depth(), self.locals.len());
                let name = self.named(scope, *binder);
                let body = self.nested(scope, body);
                self.taken.leave(depth);
                self.locals.truncate(height);
                StmtKind::Iterate(ident(&name), range_type(low, high), body?)
            }
            Typed::Return(value, _) => {
                let value = value.as_ref().map(|value| self.expr(scope, value)).transpose()?;
                StmtKind::Return(value)
            }
            Typed::Assert(condition) => StmtKind::Assert(self.expr(scope, condition)?),
        }))
    }

    /// A statement under another. It becomes a block, so that no `else` can change its owner.
    fn nested(&mut self, scope: Scope, statement: &model::Stmt) -> Result<Box<Stmt>, FlatError> {
        let block = match statement {
            model::Stmt::Block(statements) => self.block(scope, statements)?,
            statement => self.block(scope, std::slice::from_ref(statement))?,
        };
        Ok(Box::new(stmt(StmtKind::Block(block))))
    }

    pub(super) fn exprs(&mut self, scope: Scope, exprs: &[model::Expr]) -> Result<Vec<Expr>, FlatError> {
        exprs.iter().map(|expr| self.expr(scope, expr)).collect()
    }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}
