//! Expressions of the model, in functions and queries: the names in them are replaced by what they stand for.

use super::names::Scope;
use super::syntax::{
    any, assign, at, binary, call, conditional, field, ident, index, join, literal, name, range_type, truth,
    unary,
};
use super::{FlatError, Flattener, Local};
use crate::build::names::Binding;
use crate::build::walk::selects_processes;
use crate::network::ProcessId;
use guidepost_language::model::{
    BinaryOp, Builtin, Expr, ExprKind, FunctionId, ParamMode, ProcessRef, Quantifier, SymbolId, SymbolKind,
    Type,
};
use guidepost_language::syntax;

impl Flattener<'_> {
    pub(super) fn expr(&mut self, scope: Scope, expr: &Expr) -> Result<syntax::Expr, FlatError> {
        Ok(match &expr.kind {
            ExprKind::Bool(value) => truth(*value),
            ExprKind::Int(value) => literal(*value),
            ExprKind::Double(_) => return Err(FlatError::inexpressible("a value of type double")),
            ExprKind::String(_) => return Err(FlatError::inexpressible("a string")),
            ExprKind::Symbol(_) if matches!(expr.ty, Type::Cost) => name("cost"),
            ExprKind::Symbol(symbol) => self.symbol(scope, *symbol)?,
            ExprKind::Index(base, at) => index(self.expr(scope, base)?, self.expr(scope, at)?),
            ExprKind::Field(base, position) => {
                let Type::Struct(fields) = &base.ty else {
                    return Err(FlatError::inexpressible("a field of what is no struct"));
                };
                field(self.expr(scope, base)?, &fields.fields[*position].0)
            }
            ExprKind::Call(function, args) => self.model_call(scope, *function, args)?,
            ExprKind::Builtin(Builtin::Abs, args) => call("abs", self.exprs(scope, args)?),
            ExprKind::Builtin(Builtin::Float(function), _) => {
                return Err(FlatError::inexpressible(format!("`{function}`")));
            }
            ExprKind::Unary(op, operand) => unary(*op, self.expr(scope, operand)?),
            ExprKind::Binary(op, left, right) => {
                binary(*op, self.expr(scope, left)?, self.expr(scope, right)?)
            }
            ExprKind::Assign(op, target, value) => {
                assign(*op, self.expr(scope, target)?, self.expr(scope, value)?)
            }
            ExprKind::Step { increment, prefix, target } => {
                let (increment, prefix) = (*increment, *prefix);
                let target = Box::new(self.expr(scope, target)?);
                at(syntax::ExprKind::Step { increment, prefix, target })
            }
            ExprKind::Conditional(condition, then, otherwise) => conditional(
                self.expr(scope, condition)?,
                self.expr(scope, then)?,
                self.expr(scope, otherwise)?,
            ),
            ExprKind::Quantified(quantifier, binder, body) => {
                self.model_quantifier(scope, *quantifier, *binder, body)?
            }
            ExprKind::Rate(clock) => at(syntax::ExprKind::Rate(Box::new(self.expr(scope, clock)?))),
            ExprKind::Member(process, symbol) => {
                let process = self.member(scope, process)?;
                let names = &self.network.names;
                let binding = names.of_process(process.0, *symbol).cloned();
                self.binding(scope, binding)?
            }
            ExprKind::AtLocation(process, location) => {
                let process = self.member(scope, process)?;
                let first = self.network.processes[process.index()].locations.start;
                self.at_location(scope, process.0, first + *location as u32)?
            }
            ExprKind::LocationIndex(process) => {
                let process = self.member(scope, process)?;
                self.location_index(scope, process.0)?
            }
            ExprKind::Label(label) => self.labelled(scope, label)?,
            ExprKind::Deadlock => at(syntax::ExprKind::Deadlock),
            ExprKind::Error => return Err(FlatError::inexpressible("an expression with an error")),
        })
    }

    fn symbol(&mut self, scope: Scope, symbol: SymbolId) -> Result<syntax::Expr, FlatError> {
        match self.locals.iter().rev().find(|(local, _)| *local == symbol) {
            Some((_, Local::Named(local))) => return Ok(name(local)),
            Some((_, Local::Value(value))) => return Ok(literal(*value)),
            None => {}
        }
        let names = &self.network.names;
        let own = scope.and_then(|process| names.of_process(process, symbol));
        let binding = own.or_else(|| names.globals.get(symbol.index())?.as_ref()).cloned();
        self.binding(scope, binding)
    }

    fn binding(&mut self, scope: Scope, binding: Option<Binding>) -> Result<syntax::Expr, FlatError> {
        match binding {
            Some(Binding::Value(value)) => Ok(literal(value)),
            Some(Binding::Object(object)) => self.object(scope, &object),
            None => Err(FlatError::inexpressible("a name without a value")),
        }
    }

    fn model_call(&mut self, scope: Scope, id: FunctionId, args: &[Expr]) -> Result<syntax::Expr, FlatError> {
        let function = self.model.function(id);
        let key = (id, function.template.and(scope));
        let mut written = Vec::new();
        for (&param, arg) in function.params.iter().zip(args) {
            let symbol = self.model.symbol(param);
            let by_reference = matches!(symbol.kind, SymbolKind::Param(ParamMode::Reference));
            let expr = self.expr(scope, arg)?;
            // What has become a number must be something to refer to again.
            written.push(match by_reference.then(|| number(&expr)).flatten() {
                Some(value) => {
                    let layout = self.layout(key.1, &symbol.ty, false)?;
                    self.constant_of(value, &layout)
                }
                None => expr,
            });
        }
        let unknown = || FlatError::inexpressible("a call of an unknown function");
        let callee = self.functions.get(&key).ok_or_else(unknown)?;
        self.called.insert(key);
        Ok(call(callee, written))
    }

    fn model_quantifier(
        &mut self,
        scope: Scope,
        quantifier: Quantifier,
        binder: SymbolId,
        body: &Expr,
    ) -> Result<syntax::Expr, FlatError> {
        let (low, high) = self.domain(scope, &self.model.symbol(binder).ty)?;
        let (depth, height) = (self.taken.depth(), self.locals.len());
        if !selects_processes(body) {
            let binder = self.named(scope, binder);
            let body = self.expr(scope, body);
            self.taken.leave(depth);
            self.locals.truncate(height);
            let domain = Box::new(range_type(low, high));
            return Ok(at(syntax::ExprKind::Quantified(quantifier, ident(&binder), domain, Box::new(body?))));
        }
        // Members of process sets have names of their own now.
        let mut parts = Vec::new();
        for value in low..=high {
            self.locals.push((binder, Local::Value(value)));
            let part = self.expr(scope, body);
            self.locals.truncate(height);
            parts.push(part?);
        }
        let op = match quantifier {
            Quantifier::Forall => BinaryOp::And,
            Quantifier::Exists => BinaryOp::Or,
            Quantifier::Sum => BinaryOp::Add,
        };
        join(op, parts).ok_or_else(|| FlatError::inexpressible("a quantifier over nothing"))
    }

    /// The process that is meant.
    fn member(&mut self, scope: Scope, reference: &ProcessRef) -> Result<ProcessId, FlatError> {
        let unknown = || FlatError::inexpressible("a process that is not known before the run");
        let args = reference.args.iter().map(|arg| self.constant(scope, arg));
        let args = args.collect::<Option<Vec<_>>>().ok_or_else(unknown)?;
        let set = self.network.names.sets.get(reference.process).ok_or_else(unknown)?;
        set.member(&args).map_err(|_| unknown())
    }

    fn labelled(&mut self, scope: Scope, label: &str) -> Result<syntax::Expr, FlatError> {
        let mut places = Vec::new();
        for (index, location) in self.network.locations.iter().enumerate() {
            if location.labels.iter().any(|own| own == label) {
                places.push(self.at_location(scope, location.process.0, index as u32)?);
            }
        }
        Ok(any(places).unwrap_or_else(|| truth(false)))
    }
}

fn number(expr: &syntax::Expr) -> Option<i32> {
    match &expr.kind {
        syntax::ExprKind::Int(value) => Some(*value),
        syntax::ExprKind::Unary(syntax::UnaryOp::Minus, operand) => number(operand)?.checked_neg(),
        _ => None,
    }
}
