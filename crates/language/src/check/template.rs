//! Templates: locations and edges.

use super::Checker;
use super::types::{is_clock, is_integral, is_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{
    BinaryOp, ConstraintKind, Edge, Expr, ExprKind, Location, Names, Node, SymbolKind, Sync, SyncPartner,
    Template, TemplateId, Type,
};
use crate::syntax::{self, Direction, Document, Format, Ident, TypeExpr};
use std::collections::HashSet;

impl Checker<'_> {
    /// Makes all templates known by name, before their bodies are checked.
    pub(super) fn declare_templates(&mut self, document: &Document) {
        for (index, template) in document.templates.iter().enumerate() {
            self.declare(&template.name, SymbolKind::Template(TemplateId(index as u32)), Type::NoValue);
            self.model.templates.push(Template {
                name: template.name.name.clone(),
                params: Vec::new(),
                locals: Vec::new(),
                names: Names::new(),
                locations: Vec::new(),
                branchpoints: template.branchpoints.len(),
                initial: template.init.unwrap_or(0),
                edges: Vec::new(),
                span: template.name.span,
            });
        }
        let names = document.vectors.iter().map(|vector| vector.name.clone());
        self.vector_names = names.zip(0..).collect();
    }

    pub(super) fn template_body(&mut self, id: TemplateId, template: &syntax::Template) {
        self.template = Some(id);
        self.later_in_template = super::declared_names(&template.decls).collect();
        self.scopes.open();
        let params: Vec<_> = template.params.iter().map(|param| self.param(param, false)).collect();
        let locals = self.declarations(&template.decls);
        let mut tck_locations = Names::new();
        let mut symbols = Vec::new();
        for (index, location) in template.locations.iter().enumerate() {
            let kind = SymbolKind::Location(id, index);
            if self.model.format == Format::Tck {
                // There a location may be called like a variable, and expressions mean the variable.
                let symbol = self.new_symbol(&location.name, kind, Type::NoValue);
                tck_locations.insert(location.name.name.clone(), symbol);
                symbols.push(symbol);
            } else {
                symbols.push(self.declare(&location.name, kind, Type::NoValue));
            }
        }
        self.note_nodes(template, &symbols);
        let locations = template.locations.iter().map(|location| self.location(location)).collect();
        let edges = template.edges.iter().map(|edge| self.edge(edge)).collect();
        self.check_branchpoints(template);
        let mut names = self.scopes.close();
        names.extend(tck_locations);
        self.template = None;
        self.later_in_template.clear();
        let checked = &mut self.model.templates[id.index()];
        checked.params = params;
        checked.locals = locals;
        checked.locations = locations;
        checked.edges = edges;
        checked.names = names;
    }

    fn location(&mut self, location: &syntax::Location) -> Location {
        if location.urgent && location.committed {
            let message = format!("the location `{}` is both urgent and committed", location.name.name);
            let diagnostic = Diagnostic::new(Code::UrgentAndCommitted, location.name.span, message)
                .hint("a committed location is urgent anyway");
            self.report(diagnostic);
        }
        if let Some((first, second)) = &location.exponential_rate {
            self.expr(first);
            if let Some(second) = second {
                self.expr(second);
            }
        }
        let invariant = location.invariant.as_ref().map(|invariant| self.invariant(invariant));
        Location {
            name: location.name.name.clone(),
            invariant,
            urgent: location.urgent,
            committed: location.committed,
            labels: location.labels.clone(),
            span: location.span,
        }
    }

    fn invariant(&mut self, invariant: &syntax::Expr) -> Expr {
        let typed = self.expr(invariant);
        if !self.require_pure(&typed, "an invariant") {
            return typed;
        }
        match &typed.ty {
            Type::Constraint(ConstraintKind::Any) => {
                let message = "an invariant can only be a conjunction of bounds on clocks";
                let hint =
                    "bounds cannot be negated, excluded by `!=` or combined by `||`; split the location";
                self.report(Diagnostic::new(Code::NotAnInvariant, typed.span, message).hint(hint));
            }
            Type::Constraint(_) => self.lint_bounds(&typed),
            ty if is_integral(ty) => {}
            ty => {
                let message = format!("{} cannot be used as an invariant", self.describe(ty));
                let mut diagnostic = Diagnostic::new(Code::NotAnInvariant, typed.span, message);
                if is_clock(ty) {
                    diagnostic = diagnostic.hint("compare the clock with a number, as in `x <= 3`");
                }
                self.report(diagnostic);
            }
        }
        typed
    }

    /// Strict upper bounds and lower bounds in invariants are legal, and rarely meant.
    fn lint_bounds(&mut self, invariant: &Expr) {
        let mut found = Vec::new();
        Self::any_part(invariant, &mut |part| {
            if let ExprKind::Binary(op, left, right) = &part.kind {
                found.extend(
                    unusual_bound(*op, left, right).map(|(code, message)| (code, part.span, message)),
                );
            }
            false
        });
        for (code, span, message) in found {
            self.error(code, span, message);
        }
    }

    fn edge(&mut self, edge: &syntax::Edge) -> Edge {
        self.scopes.open();
        let select = edge.select.iter().map(|(name, ty)| self.select(name, ty)).collect();
        let guard = edge.guard.as_ref().map(|guard| self.guard(guard));
        let sync = edge.sync.as_ref().and_then(|sync| self.sync(sync));
        self.lint_urgent(guard.as_ref(), sync.as_ref());
        if let Some(probability) = &edge.probability {
            self.foreign("probability", probability.span);
            let weight = self.expr(probability);
            if !is_number(&weight.ty) {
                let message = format!("a weight must be a number, not {}", self.describe(&weight.ty));
                self.error(Code::TypeMismatch, weight.span, message);
            }
        }
        let update = self.updates(&edge.update);
        self.scopes.close();
        Edge { source: edge.source, target: edge.target, select, guard, sync, update, span: edge.span }
    }

    fn select(&mut self, name: &Ident, ty: &TypeExpr) -> crate::model::SymbolId {
        let domain = self.domain(ty, "`select`");
        let id = self.declare(name, SymbolKind::Binder, domain);
        self.facts[id.index()].computable = true;
        id
    }

    fn guard(&mut self, guard: &syntax::Expr) -> Expr {
        let typed = self.expr(guard);
        if !self.require_pure(&typed, "a guard") {
            return typed;
        }
        match &typed.ty {
            Type::Constraint(ConstraintKind::InvariantWithRates) => {
                let diagnostic =
                    Diagnostic::new(Code::NotAGuard, rate_in(&typed), "a rate cannot be set in a guard")
                        .hint("put it into the invariant of the location");
                self.report(diagnostic);
            }
            Type::Constraint(_) => {}
            ty if is_number(ty) => {}
            ty => {
                let message = format!("{} cannot be used as a guard", self.describe(ty));
                let diagnostic = Diagnostic::new(Code::NotAGuard, typed.span, message);
                self.report(super::expression::compare_hint(diagnostic, &typed));
            }
        }
        typed
    }

    fn sync(&mut self, sync: &syntax::Sync) -> Option<Sync> {
        let vector = match &sync.channel.kind {
            syntax::ExprKind::Name(name) if sync.direction == Direction::Join => {
                self.vector_names.get(name).copied()
            }
            _ => None,
        };
        if let Some(vector) = vector {
            let partner = SyncPartner::Vector(vector);
            return Some(Sync { partner, direction: sync.direction, span: sync.span });
        }
        let channel = self.expr(&sync.channel);
        self.require_pure(&channel, "a synchronisation");
        if self.model.format != Format::Tck {
            self.note_sync_style(sync.direction, sync.span);
        }
        match &channel.ty {
            Type::Chan { .. } => {}
            Type::Error => return None,
            ty => {
                let message = format!("a synchronisation needs a channel, and this is {}", self.describe(ty));
                let mut diagnostic = Diagnostic::new(Code::NotAChannel, channel.span, message);
                if matches!(super::declaration::innermost(ty), Type::Chan { .. }) {
                    diagnostic = diagnostic.hint("say which element of the array: `c[i]!`");
                }
                self.report(diagnostic);
                return None;
            }
        }
        let partner = SyncPartner::Channel(channel);
        Some(Sync { partner, direction: sync.direction, span: sync.span })
    }

    fn lint_urgent(&mut self, guard: Option<&Expr>, sync: Option<&Sync>) {
        let (Some(guard), Some(Sync { partner: SyncPartner::Channel(channel), span, .. })) = (guard, sync)
        else {
            return;
        };
        if matches!(channel.ty, Type::Chan { urgent: true, .. }) && matches!(guard.ty, Type::Constraint(_)) {
            let diagnostic = Diagnostic::new(
                Code::UrgentClockGuard,
                guard.span,
                "a clock is tested on an urgent synchronisation",
            )
            .related(*span, "this channel is urgent");
            self.report(diagnostic);
        }
    }

    /// A branch point is entered by an edge and left by edges without guard and synchronisation.
    fn check_branchpoints(&mut self, template: &syntax::Template) {
        let left: HashSet<Node> = template.edges.iter().map(|edge| edge.source).collect();
        for (index, point) in template.branchpoints.iter().enumerate() {
            if !left.contains(&Node::Branchpoint(index)) {
                let diagnostic = Diagnostic::new(
                    Code::BadBranchpoint,
                    point.name.span,
                    "no edge leaves this branch point",
                );
                self.report(diagnostic);
            }
        }
        let synchronised = |edge: &&syntax::Edge| edge.sync.is_some();
        let entered: HashSet<Node> =
            template.edges.iter().filter(synchronised).map(|edge| edge.target).collect();
        for edge in &template.edges {
            let Node::Branchpoint(_) = edge.source else { continue };
            let synchronised_before = entered.contains(&edge.source);
            let guard = edge.guard.as_ref().map(|guard| ("a guard", guard.span));
            let sync = edge.sync.as_ref().filter(|_| synchronised_before);
            let sync = sync.map(|sync| ("a second synchronisation", sync.span));
            if let Some((what, span)) = guard.or(sync) {
                let message = format!("an edge that leaves a branch point cannot have {what}");
                let hint = "put it on the edge that leads to the branch point";
                self.report(Diagnostic::new(Code::BadBranchpoint, span, message).hint(hint));
            }
            if matches!(edge.target, Node::Branchpoint(_)) {
                let diagnostic = Diagnostic::new(
                    Code::BadBranchpoint,
                    edge.span,
                    "an edge leads from a branch point to another",
                );
                self.report(diagnostic);
            }
        }
    }
}

/// What is remarkable about a comparison in an invariant.
fn unusual_bound(op: BinaryOp, left: &Expr, right: &Expr) -> Option<(Code, &'static str)> {
    let clock_left = is_clock(&left.ty) && is_number(&right.ty);
    let clock_right = is_clock(&right.ty) && is_number(&left.ty);
    Some(match op {
        BinaryOp::Lt if clock_left => STRICT,
        BinaryOp::Gt if clock_right => STRICT,
        BinaryOp::Eq if clock_left || clock_right => EQUALITY,
        BinaryOp::Gt | BinaryOp::Ge if clock_left => LOWER,
        BinaryOp::Lt | BinaryOp::Le if clock_right => LOWER,
        _ => return None,
    })
}

const STRICT: (Code, &str) = (
    Code::StrictInvariant,
    "a strict upper bound in an invariant: time comes close to it but never reaches it",
);
const LOWER: (Code, &str) =
    (Code::LowerBoundInvariant, "a lower bound in an invariant: the location cannot be entered before");
const EQUALITY: (Code, &str) = (
    Code::LowerBoundInvariant,
    "an equality in an invariant: the location can only be entered at that time, and no time passes in it",
);

/// Where a rate is fixed.
fn rate_in(expr: &Expr) -> crate::source::Span {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let has_rates =
                |side: &Expr| matches!(side.ty, Type::Constraint(ConstraintKind::InvariantWithRates));
            if has_rates(left) { rate_in(left) } else { rate_in(right) }
        }
        _ => expr.span,
    }
}
