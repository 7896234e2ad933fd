//! Queries, in the words of the flat model.

use super::syntax::{any, truth, unary};
use super::{FlatError, Flattener};
use crate::query::Goal;
use guidepost_language::model::{self, Query};
use guidepost_language::source::{SourceMap, Span};
use guidepost_language::syntax::{BoundKind, Expectation, Expr, Formula, Quantity, QueryEntry, UnaryOp};
use guidepost_language::write::expression;

impl Flattener<'_> {
    /// Stores a query of the model, to be asked of what is written. What is no query that can be answered here (of another analysis, or with errors)
    /// stays as a comment.
    ///
    /// # Errors
    /// When it speaks of something that is left out, or cannot be said.
    pub fn ask(&mut self, query: &Query) -> Result<(), FlatError> {
        let formula = match &query.formula {
            model::Formula::Possibly(p) => Formula::Possibly(self.expr(None, p)?),
            model::Formula::Always(p) => Formula::Always(self.expr(None, p)?),
            model::Formula::PotentiallyAlways(p) => Formula::PotentiallyAlways(self.expr(None, p)?),
            model::Formula::Eventually(p) => Formula::Eventually(self.expr(None, p)?),
            model::Formula::LeadsTo(p, q) => Formula::LeadsTo(self.expr(None, p)?, self.expr(None, q)?),
            model::Formula::Bound(kind, within, items) => {
                let within = within.as_ref().map(|within| self.expr(None, within)).transpose()?;
                let quantities = items.iter().map(|item| {
                    let expr = self.expr(None, &item.expr)?;
                    Ok(Quantity { text: expression(&expr, &SourceMap::default()), expr })
                });
                Formula::Bound(*kind, within, quantities.collect::<Result<_, FlatError>>()?)
            }
            model::Formula::Empty | model::Formula::Foreign(_) | model::Formula::Error => Formula::Empty,
        };
        let is_remark = formula == Formula::Empty;
        let mut comment = query.comment.clone();
        if is_remark && !query.text.trim().is_empty() {
            comment = format!("{}\n{}", comment.trim(), query.text.trim());
        }
        let expect = if is_remark { None } else { query.expect };
        self.store(formula, comment, expect);
        Ok(())
    }

    /// Stores the question whether a state is reachable that satisfies one of the goals. The goals must have been compiled for the network, or be
    /// made from such.
    ///
    /// # Errors
    /// When they speak of something that is left out, or cannot be said.
    pub fn ask_goals(&mut self, goals: &[Goal], comment: &str) -> Result<(), FlatError> {
        let formula = Formula::Possibly(self.any_goal(goals)?);
        self.store(formula, comment.to_owned(), None);
        Ok(())
    }

    /// Stores the claim that no such state is reachable.
    ///
    /// # Errors
    /// As [`Flattener::ask_goals`].
    pub fn deny_goals(&mut self, goals: &[Goal], comment: &str) -> Result<(), FlatError> {
        let formula = Formula::Always(unary(UnaryOp::Not, self.any_goal(goals)?));
        self.store(formula, comment.to_owned(), None);
        Ok(())
    }

    fn any_goal(&mut self, goals: &[Goal]) -> Result<Expr, FlatError> {
        let goals = goals.iter().map(|goal| self.goal(goal)).collect::<Result<Vec<_>, _>>()?;
        Ok(any(goals).unwrap_or_else(|| truth(false)))
    }

    fn store(&mut self, formula: Formula, comment: String, expect: Option<Expectation>) {
        let (text, options, span) = (text(&formula), Vec::new(), Span::default());
        let property = None;
        self.queries.push(QueryEntry { text, formula, comment, expect, property, options, span });
    }
}

/// A query as one line of text.
fn text(formula: &Formula) -> String {
    let sources = SourceMap::default();
    let one = |expr: &Expr| expression(expr, &sources);
    match formula {
        Formula::Possibly(p) => format!("E<> {}", one(p)),
        Formula::Always(p) => format!("A[] {}", one(p)),
        Formula::PotentiallyAlways(p) => format!("E[] {}", one(p)),
        Formula::Eventually(p) => format!("A<> {}", one(p)),
        Formula::LeadsTo(p, q) => format!("{} --> {}", one(p), one(q)),
        Formula::Bound(kind, within, items) => {
            let word = match kind {
                BoundKind::Sup => "sup",
                BoundKind::Inf => "inf",
                BoundKind::Bounds => "bounds",
            };
            let within = within.as_ref().map_or(String::new(), |within| format!("{{{}}}", one(within)));
            let items: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
            format!("{word}{within}: {}", items.join(", "))
        }
        Formula::Foreign(word) => word.name.to_string(),
        Formula::Empty | Formula::Error => String::new(),
    }
}
