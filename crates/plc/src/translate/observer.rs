//! Observers of `whenever P for at least T then Q within U`.
//!
//! The property fails if at some moment `P` has lasted for `T`, and from then on `Q` does not hold for longer than `U`. The observer guesses that
//! moment: in `Holding` it knows how long `P` has lasted, in `Waiting` how long `Q` has been missing. A change of `P` or `Q` that ends what it
//! watches makes it hurry, by an urgent channel that nobody has to receive. States that last no time may escape it; what counts is
//! what lasts.

use super::declarations::observer_clock;
use super::expression::Asker;
use super::{Translator, build};
use crate::system::PropertyKind;
use guidepost_language::syntax::{BinaryOp, Edge, Template};

pub(super) const WATCHING: usize = 0;
pub(super) const HOLDING: usize = 1;
pub(super) const WAITING: usize = 2;
pub(super) const VIOLATED: usize = 3;
const LOCATIONS: [&str; 4] = ["Watching", "Holding", "Waiting", "Violated"];

/// The location that stands for a violation.
pub(super) const VIOLATION: &str = LOCATIONS[VIOLATED];

impl Translator<'_> {
    pub(super) fn observer(&self, index: usize) -> Template {
        let property = &self.selection.system.properties[index];
        let PropertyKind::Whenever { trigger, lasting, response, within } = &property.kind else {
            unreachable!("only properties about time have observers")
        };
        let span = property.span;
        let observer = &self.names.observers[&index];
        let since = observer_clock(observer);
        let test = |test| self.test(test, Asker::Observer, span);
        let (holds, answered) = (test(trigger), test(response));
        let clock = |op, time| build::binary(op, build::name(&since, span), build::number(time, span));
        let hurry = self.names.hurry.as_ref().map(|hurry| build::send(hurry, span));
        let restart = vec![build::reset(&since, span)];
        let at_once = |source, target, guard| Edge {
            guard: Some(guard),
            sync: hurry.clone(),
            update: restart.clone(),
            ..build::edge(source, target, span)
        };
        let mut template = build::template(observer, property.name.span);
        template.locations = LOCATIONS.map(|name| build::location(name, span)).into();
        let begins = [holds.clone(), build::not(answered.clone()), clock(BinaryOp::Ge, *lasting)];
        let ends = [build::not(answered.clone()), clock(BinaryOp::Gt, *within)];
        template.edges = vec![
            at_once(WATCHING, HOLDING, holds.clone()),
            at_once(HOLDING, WATCHING, build::not(holds)),
            Edge {
                guard: build::all(begins),
                update: restart.clone(),
                ..build::edge(HOLDING, WAITING, span)
            },
            at_once(WAITING, WATCHING, answered),
            Edge { guard: build::all(ends), ..build::edge(WAITING, VIOLATED, span) },
        ];
        template
    }
}
