//! Where a model tells the members of a scalar set apart, as far as its text shows; see [`crate::symmetry`].

use super::walk::any;
use crate::symmetry::Asymmetry;
use guidepost_language::model::{
    BinaryOp, Callee, Expr, ExprKind, IndexType, Init, Instance, Model, ParamMode, ScalarId, Stmt, SymbolId,
    SymbolKind, SyncPartner, Type, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// The sets whose members the model tells apart, and how.
pub(super) fn refusals(model: &Model) -> BTreeMap<ScalarId, Asymmetry> {
    let mut refusals = Refusals { model, found: BTreeMap::new() };
    refusals.look_at_symbols();
    refusals.look_at_functions();
    for instance in &model.instances {
        refusals.look_at_arguments(instance);
    }
    expressions(model, &mut |expr| refusals.look_at_quantifiers(expr));
    refusals.found
}

struct Refusals<'m> {
    model: &'m Model,
    found: BTreeMap<ScalarId, Asymmetry>,
}

impl Refusals<'_> {
    fn refuse(&mut self, sets: BTreeSet<ScalarId>, reason: Asymmetry) {
        for set in sets {
            self.found.entry(set).or_insert(reason);
        }
    }

    /// Constants and variables that hold a member which nobody chose.
    fn look_at_symbols(&mut self) {
        let model = self.model;
        let of_functions: BTreeSet<SymbolId> = model.functions.iter().flat_map(|f| locals(&f.body)).collect();
        let of_templates: BTreeSet<SymbolId> =
            model.templates.iter().flat_map(|t| t.locals.iter().copied()).collect();
        for (id, symbol) in (0..).map(SymbolId).zip(&model.symbols) {
            let is_inner = of_functions.contains(&id) || of_templates.contains(&id);
            let is_scalar = matches!(symbol.ty, Type::Scalar(..));
            match &symbol.kind {
                // In a template or a function, a constant may be a parameter by another name.
                SymbolKind::Constant(Some(_)) if is_inner && is_scalar => {}
                SymbolKind::Constant(_) | SymbolKind::Variable { meta: true, .. } => {
                    self.refuse(mentioned(&symbol.ty), Asymmetry::Choice);
                }
                SymbolKind::Variable { init: Some(Init::Expr(_)), .. } if is_scalar => {}
                SymbolKind::Variable { .. } if of_functions.contains(&id) => {
                    self.refuse(held(&symbol.ty), Asymmetry::Choice);
                }
                _ => {}
            }
        }
    }

    /// Loops, and results that nobody chose.
    fn look_at_functions(&mut self) {
        let model = self.model;
        for function in &model.functions {
            if !matches!(function.body.last(), Some(Stmt::Return(..))) {
                self.refuse(held(&function.result), Asymmetry::Choice);
            }
            statements(&function.body, &mut |statement| {
                if let Stmt::Iterate(binder, _) = statement {
                    self.refuse(mentioned(&model.symbol(*binder).ty), Asymmetry::Loop);
                }
            });
        }
    }

    /// Arguments of templates that are not parameters handed on.
    fn look_at_arguments(&mut self, instance: &Instance) {
        let model = self.model;
        let params = match instance.callee {
            Callee::Template(id) => &model.template(id).params,
            Callee::Instance(id) => &model.instance(id).params,
        };
        let is_parameter = |id: SymbolId| matches!(model.symbol(id).kind, SymbolKind::Param(_));
        for (&param, argument) in params.iter().zip(&instance.args) {
            let by_reference = matches!(model.symbol(param).kind, SymbolKind::Param(ParamMode::Reference));
            let is_handed_on = matches!(argument.kind, ExprKind::Symbol(id) if is_parameter(id));
            if !by_reference && !is_handed_on {
                self.refuse(mentioned(&argument.ty), Asymmetry::Choice);
            }
        }
    }

    /// Quantifiers whose bodies may fail: whether they do depends on the order.
    fn look_at_quantifiers(&mut self, whole: &Expr) {
        let found = std::cell::RefCell::new(BTreeSet::new());
        any(whole, &|expr| {
            if let ExprKind::Quantified(_, binder, body) = &expr.kind
                && any(body, &may_fail)
            {
                found.borrow_mut().extend(mentioned(&self.model.symbol(*binder).ty));
            }
            false
        });
        self.refuse(found.into_inner(), Asymmetry::FailingQuantifier);
    }
}

/// Whether an expression may have no value, apart from its parts.
fn may_fail(expr: &Expr) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Imply, Le, Lt, Ne, Or, Xor};
    match &expr.kind {
        ExprKind::Index(_, index) => {
            !matches!(index.ty, Type::Scalar(..)) && !matches!(index.kind, ExprKind::Int(_))
        }
        ExprKind::Binary(op, ..) => !matches!(op, And | Or | Xor | Imply | Eq | Ne | Lt | Le | Gt | Ge),
        ExprKind::Unary(op, _) => !matches!(op, UnaryOp::Not),
        ExprKind::Call(..) | ExprKind::Builtin(..) | ExprKind::Assign(..) | ExprKind::Step { .. } => true,
        _ => false,
    }
}

/// The sets that a type mentions.
fn mentioned(ty: &Type) -> BTreeSet<ScalarId> {
    let mut sets = held(ty);
    collect(ty, &mut sets, true);
    sets
}

/// The sets that values of a type have members of.
fn held(ty: &Type) -> BTreeSet<ScalarId> {
    let mut sets = BTreeSet::new();
    collect(ty, &mut sets, false);
    sets
}

fn collect(ty: &Type, sets: &mut BTreeSet<ScalarId>, with_indices: bool) {
    match ty {
        Type::Scalar(set, _) => {
            sets.insert(*set);
        }
        Type::Array(array) => {
            if let (IndexType::Type(index), true) = (&array.index, with_indices) {
                collect(index, sets, true);
            }
            collect(&array.element, sets, with_indices);
        }
        Type::Struct(fields) => fields.fields.iter().for_each(|(_, ty)| collect(ty, sets, with_indices)),
        _ => {}
    }
}

/// Visits statements, those inside others included.
fn statements(all: &[Stmt], visit: &mut dyn FnMut(&Stmt)) {
    for statement in all {
        visit(statement);
        match statement {
            Stmt::Block(inner) => statements(inner, visit),
            Stmt::If(_, then, otherwise) => {
                statements(std::slice::from_ref(then), visit);
                if let Some(otherwise) = otherwise {
                    statements(std::slice::from_ref(otherwise), visit);
                }
            }
            Stmt::While(_, body)
            | Stmt::DoWhile(body, _)
            | Stmt::For(_, _, _, body)
            | Stmt::Iterate(_, body) => {
                statements(std::slice::from_ref(body), visit);
            }
            _ => {}
        }
    }
}

fn locals(body: &[Stmt]) -> Vec<SymbolId> {
    let mut found = Vec::new();
    statements(body, &mut |statement| {
        if let Stmt::Local(symbol) = statement {
            found.push(*symbol);
        }
    });
    found
}

/// Visits the expressions of a model that are evaluated in its runs.
fn expressions(model: &Model, visit: &mut dyn FnMut(&Expr)) {
    model.before_update.iter().chain(&model.after_update).for_each(&mut *visit);
    for template in &model.templates {
        template.locations.iter().filter_map(|location| location.invariant.as_ref()).for_each(&mut *visit);
        for edge in &template.edges {
            edge.guard.iter().chain(&edge.update).for_each(&mut *visit);
            if let Some(SyncPartner::Channel(channel)) = edge.sync.as_ref().map(|sync| &sync.partner) {
                visit(channel);
            }
        }
    }
    for function in &model.functions {
        statements(&function.body, &mut |statement| match statement {
            Stmt::Expr(expr) | Stmt::Assert(expr) | Stmt::Return(Some(expr), _) => visit(expr),
            Stmt::If(condition, ..) | Stmt::While(condition, _) | Stmt::DoWhile(_, condition) => {
                condition.iter().for_each(&mut *visit);
            }
            Stmt::For(init, condition, step, _) => {
                init.iter().chain(condition).chain(step).for_each(&mut *visit);
            }
            Stmt::Local(symbol) => {
                if let SymbolKind::Variable { init: Some(init), .. } | SymbolKind::Constant(Some(init)) =
                    &model.symbol(*symbol).kind
                {
                    initialisers(init, visit);
                }
            }
            _ => {}
        });
    }
}

fn initialisers(init: &Init, visit: &mut dyn FnMut(&Expr)) {
    match init {
        Init::Expr(expr) => visit(expr),
        Init::List(items, _) => items.iter().for_each(|item| initialisers(item, visit)),
    }
}
