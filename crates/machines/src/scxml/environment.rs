//! Which events come from outside.
//!
//! A chart does not declare its events. Those that its transitions wait for may come from the environment at any time, with exceptions: what the chart raises
//! or sends to itself comes from the chart alone (unless the environment is [`Environment::Open`]), and `done.state.…` comes from its states. Of all names
//! that no transition tells apart, one is enough.

use super::chart::{Chart, SendTarget};
use super::content::{ERROR_COMMUNICATION, ERROR_EXECUTION, Event};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the environment may send.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Environment {
    /// Events that the chart waits for and does not make itself.
    #[default]
    Closed,
    /// Also events that the chart raises or sends to itself.
    Open,
}

/// An event that may come from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Offer {
    pub(crate) event: Event,
    /// Whether it is sure that it may come: errors of the platform may never do.
    pub(crate) is_sure: bool,
}

/// The names that the chart alone makes events of. What is sent outside may come back, and what is invoked may send anything.
pub(super) fn own_names(chart: &Chart) -> BTreeSet<Arc<str>> {
    if chart.invokes {
        return BTreeSet::new();
    }
    let raised = chart.outputs.iter().filter(|output| output.internal && !output.computed);
    let mut own: BTreeSet<Arc<str>> = raised.map(|output| output.name.as_str().into()).collect();
    let sends = || chart.sends.iter().filter_map(|send| Some((send.event.as_ref().ok()?, send.target)));
    own.extend(sends().map(|(name, _)| Arc::clone(name)));
    sends().filter(|(_, target)| !matches!(target, SendTarget::Itself | SendTarget::Internal)).for_each(
        |(name, _)| {
            own.remove(name);
        },
    );
    own
}

/// The events that may come from outside, in the order in which the chart mentions them.
pub(crate) fn offers(chart: &Chart, environment: Environment) -> Vec<Offer> {
    let own = match environment {
        Environment::Closed => own_names(chart),
        Environment::Open => BTreeSet::new(),
    };
    let mut offers: Vec<Offer> = Vec::new();
    let mut offer = |event: Event, is_sure: bool| {
        if !offers.iter().any(|known| known.event.name == event.name) {
            offers.push(Offer { event, is_sure });
        }
    };
    let descriptors: Vec<_> = chart.transitions.iter().flat_map(|transition| &transition.events).collect();
    let is_known = |name: &str| {
        own.contains(name)
            || chart.texts.iter().any(|text| &**text == name)
            || descriptors.iter().any(|known| !known.is_any() && known.matches(name))
    };
    let fresh = |start: &str| {
        let dot = if start.is_empty() { "" } else { "." };
        let names = (1..).map(|n: usize| {
            format!("{start}{dot}other{}", if n == 1 { String::new() } else { n.to_string() })
        });
        // Below a descriptor every name matches it; it only must not be one of those that are mentioned.
        let is_free = |name: &String| {
            if start.is_empty() {
                !is_known(name)
            } else {
                !own.contains(name.as_str())
                    && !chart.texts.iter().any(|text| **text == **name)
                    && !descriptors.iter().any(|known| known.0.len() > start.len() && known.matches(name))
            }
        };
        names.into_iter().find(is_free).unwrap_or_default()
    };
    for descriptor in &descriptors {
        let name = &descriptor.0;
        if descriptor.is_any() {
            offer(Event { name: fresh("").into(), open: true }, true);
            continue;
        }
        let begins = |start: &str| &**name == start || name.starts_with(&format!("{start}."));
        if begins("done.state") || (&**name == "done" || begins("done.invoke")) && !chart.invokes {
            continue;
        }
        let is_error = begins("error");
        let is_impossible = match &**name {
            ERROR_EXECUTION => !chart.talks() && !chart.may_fail_anywhere,
            ERROR_COMMUNICATION => !chart.talks(),
            _ => false,
        };
        if own.contains(name) || is_impossible {
            continue;
        }
        let is_sure = !is_error && !begins("done");
        offer(Event::named(Arc::clone(name)), is_sure);
        if chart.reads_event {
            let longer = chart.texts.iter().filter(|text| descriptor.matches(text) && !own.contains(*text));
            longer.for_each(|text| offer(Event::named(Arc::clone(text)), is_sure));
            offer(Event { name: fresh(name).into(), open: true }, is_sure);
        }
    }
    offers
}

impl Chart {
    /// Whether something can go wrong with others: the chart invokes somebody or sends something outside.
    fn talks(&self) -> bool {
        self.invokes || self.sends.iter().any(|send| send.target != SendTarget::Internal)
    }
}
