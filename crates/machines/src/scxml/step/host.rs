//! What content does to a snapshot, and what expressions see of it.

use super::super::chart::{Chart, StateId};
use super::super::choice::Chooser;
use super::super::content::{Event, Host};
use super::super::expression::Expression;
use super::super::value::{Value, World};
use super::Step;

/// Events that a chart has sent to itself wait in their order up to this number; those behind them may come at any time.
const LONGEST_QUEUE: usize = 3;
/// More raised events than this are not followed.
const MOST_RAISED: usize = 64;

impl Step<'_, '_> {
    /// Whether an event can make a difference: somebody waits for it, or looks at its name.
    fn matters(&self, event: &Event) -> bool {
        self.chart.reads_event || self.steps.matching(&event.name).contains(&true)
    }
}

impl World for Step<'_, '_> {
    fn chart(&self) -> &Chart {
        self.chart
    }

    fn read(&self, variable: usize) -> Value {
        self.snapshot.data[variable].clone()
    }

    fn is_active(&self, state: StateId) -> bool {
        self.snapshot.active.contains(state)
    }

    fn event_name(&self) -> Value {
        self.snapshot.event.as_ref().map_or(Value::Unknown, Event::value)
    }

    fn choose(&mut self, options: usize, sure: Option<usize>) -> usize {
        self.chooser.choose(options, sure)
    }

    fn evaluated_opaque(&mut self, calls: bool) {
        if calls && self.chart.has_functions {
            let relevant = &self.chart.relevant;
            let followed = self.snapshot.data.iter_mut().zip(relevant).filter(|(_, relevant)| **relevant);
            followed.for_each(|(value, _)| *value = Value::Unknown);
            self.decided.iter_mut().for_each(Vec::clear);
        }
    }

    fn recall(&self, condition: &Expression) -> Option<bool> {
        self.decided.as_ref()?.iter().find(|(known, _)| known == condition).map(|(_, holds)| *holds)
    }

    fn remember(&mut self, condition: &Expression, holds: bool) {
        self.decided.iter_mut().for_each(|decided| decided.push((condition.clone(), holds)));
    }
}

impl Host for Step<'_, '_> {
    fn write(&mut self, variable: usize, value: Value) {
        if !self.chart.relevant[variable] {
            return;
        }
        let is_followed = match &value {
            Value::Integer(number) => {
                number.abs() <= self.steps.largest || self.chart.numbers.binary_search(number).is_ok()
            }
            Value::Text(text) => text.len() <= self.steps.longest,
            _ => true,
        };
        self.effects.widened |= !is_followed;
        self.snapshot.data[variable] = if is_followed { value } else { Value::Unknown };
    }

    fn raise(&mut self, event: Event) {
        if !self.matters(&event) {
            return;
        }
        if self.snapshot.internal.len() < MOST_RAISED {
            self.snapshot.internal.push(event);
        } else {
            self.effects.gap = true;
        }
    }

    fn enqueue(&mut self, event: Event) {
        if !self.matters(&event) {
            return;
        }
        if self.snapshot.external.len() < LONGEST_QUEUE {
            self.snapshot.external.push(event);
        } else if let Err(at) = self.snapshot.astray.binary_search(&event) {
            self.snapshot.astray.insert(at, event);
        }
    }

    fn start_timer(&mut self, send: usize, event: Event) {
        if !self.matters(&event) {
            return;
        }
        self.effects.started.push((send as u32, event.clone()));
        let timers = &mut self.snapshot.timers;
        match timers.binary_search_by(|(known, pending, _)| (*known as usize, pending).cmp(&(send, &event))) {
            Ok(at) => timers[at].2 = true,
            Err(at) => timers.insert(at, (send as u32, event, false)),
        }
    }

    fn cancel(&mut self, id: &str) {
        let sends = &self.chart.sends;
        self.snapshot.timers.retain(|(send, ..)| sends[*send as usize].id.as_deref() != Some(id));
    }

    fn told(&mut self, output: usize) {
        self.effects.told.push(output);
    }

    fn leave_gap(&mut self) {
        self.effects.gap = true;
    }
}
