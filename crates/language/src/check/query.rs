//! Queries.

use super::Checker;
use super::types::{is_clock, is_integral, is_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{ConstraintKind, Expr, ExprKind, Formula, Quantity, Query, Type};
use crate::syntax::{self, QueryEntry};

impl Checker<'_> {
    pub(super) fn query(&mut self, entry: &QueryEntry) -> Query {
        self.in_query = true;
        self.processes_visible = true;
        let before = self.out.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let formula = self.formula(&entry.formula);
        let after = self.out.iter().filter(|diagnostic| diagnostic.is_error()).count();
        self.in_query = false;
        self.processes_visible = false;
        Query {
            text: entry.text.clone(),
            formula: if after > before { Formula::Error } else { formula },
            comment: entry.comment.clone(),
            expect: entry.expect,
            property: entry.property.clone(),
            span: entry.span,
        }
    }

    fn formula(&mut self, formula: &syntax::Formula) -> Formula {
        match formula {
            syntax::Formula::Possibly(p) => Formula::Possibly(self.predicate(p, true)),
            syntax::Formula::Always(p) => Formula::Always(self.predicate(p, true)),
            syntax::Formula::PotentiallyAlways(p) => Formula::PotentiallyAlways(self.predicate(p, false)),
            syntax::Formula::Eventually(p) => Formula::Eventually(self.predicate(p, false)),
            syntax::Formula::LeadsTo(p, q) => {
                Formula::LeadsTo(self.predicate(p, false), self.predicate(q, false))
            }
            syntax::Formula::Bound(kind, condition, items) => {
                let condition = condition.as_ref().map(|condition| self.predicate(condition, false));
                let quantities = items
                    .iter()
                    .map(|item| Quantity { expr: self.bounded_value(&item.expr), text: item.text.clone() });
                Formula::Bound(*kind, condition, quantities.collect())
            }
            syntax::Formula::Foreign(word) => Formula::Foreign(word.name.clone()),
            syntax::Formula::Empty => Formula::Empty,
            syntax::Formula::Error => Formula::Error,
        }
    }

    fn predicate(&mut self, predicate: &syntax::Expr, deadlock_allowed: bool) -> Expr {
        let typed = self.expr(predicate);
        if !self.require_pure(&typed, "a query") {
            return typed;
        }
        match &typed.ty {
            Type::Constraint(kind) if *kind != ConstraintKind::InvariantWithRates => {}
            ty if is_number(ty) => {}
            ty => {
                let message = format!("a query asks about truth values, and this is {}", self.describe(ty));
                let diagnostic = Diagnostic::new(Code::TypeMismatch, typed.span, message);
                self.report(super::expression::compare_hint(diagnostic, &typed));
            }
        }
        if !deadlock_allowed {
            self.refuse_deadlock(&typed);
        }
        typed
    }

    fn refuse_deadlock(&mut self, predicate: &Expr) {
        let mut place = None;
        Self::any_part(predicate, &mut |part| {
            if matches!(part.kind, ExprKind::Deadlock) {
                place = Some(part.span);
            }
            place.is_some()
        });
        if let Some(span) = place {
            let diagnostic =
                Diagnostic::new(Code::BadDeadlock, span, "`deadlock` can only be asked with `E<>` and `A[]`");
            self.report(diagnostic);
        }
    }

    fn bounded_value(&mut self, item: &syntax::Expr) -> Expr {
        let typed = self.expr(item);
        self.require_pure(&typed, "a query");
        self.refuse_deadlock(&typed);
        let is_plain_clock = is_clock(&typed.ty) && !matches!(typed.kind, ExprKind::Binary(..));
        if !is_plain_clock && !is_integral(&typed.ty) && !matches!(typed.ty, Type::Cost | Type::Error) {
            let found =
                if is_clock(&typed.ty) { "a shifted clock".to_owned() } else { self.describe(&typed.ty) };
            let message = format!("bounds can be asked of integers and clocks, not of {found}");
            self.error(Code::TypeMismatch, typed.span, message);
        }
        typed
    }
}
