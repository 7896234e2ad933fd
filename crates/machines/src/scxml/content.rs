//! Executable content: what states do when they are entered and left, and transitions when they are taken.

use super::chart::{Action, ActionKind, Block, Delay, Send, SendTarget};
use super::expression::{Binary, Expression};
use super::value::{Failure, Value, World, evaluate, holds};
use std::sync::Arc;

/// An evaluation that failed.
pub(super) const ERROR_EXECUTION: &str = "error.execution";
/// A message that could not be delivered.
pub(super) const ERROR_COMMUNICATION: &str = "error.communication";

/// An event on its way.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Event {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it stands for all names that begin with this (up to the last dot), and that the chart does not mention.
    pub open: bool,
}

impl Event {
    /// An event of this name.
    pub fn named(name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), open: false }
    }

    /// The name as a value.
    pub fn value(&self) -> Value {
        if self.open {
            let start = self.name.rsplit_once('.').map_or("", |(start, _)| start);
            return Value::Name(start.into());
        }
        Value::Text(Arc::clone(&self.name))
    }
}

/// Who executes content.
pub(super) trait Host: World {
    /// Changes a variable.
    fn write(&mut self, variable: usize, value: Value);
    /// Puts an event into the internal queue.
    fn raise(&mut self, event: Event);
    /// Puts an event into the external queue.
    fn enqueue(&mut self, event: Event);
    /// Starts the timer of a `<send>` of the chart, with the event that it will bring.
    fn start_timer(&mut self, send: usize, event: Event);
    /// Stops all timers of an id.
    fn cancel(&mut self, id: &str);
    /// An output was told.
    fn told(&mut self, output: usize);
    /// What follows is a part of what may happen only.
    fn leave_gap(&mut self);
}

/// Executes blocks, one after the other; an error ends a block, not the others.
pub(super) fn execute_all<H: Host + ?Sized>(blocks: &[Block], host: &mut H) {
    for block in blocks {
        execute(block, host);
    }
}

/// Executes a block. An error ends it, and is an event.
pub(super) fn execute<H: Host + ?Sized>(block: &[Action], host: &mut H) {
    if run(block, host).is_err() {
        host.raise(Event::named(ERROR_EXECUTION));
    }
}

fn run<H: Host + ?Sized>(block: &[Action], host: &mut H) -> Result<(), Failure> {
    block.iter().try_for_each(|action| act(action, host))
}

fn act<H: Host + ?Sized>(action: &Action, host: &mut H) -> Result<(), Failure> {
    match &action.kind {
        ActionKind::Raise(event, output) => {
            host.told(*output);
            host.raise(Event::named(Arc::clone(event)));
        }
        ActionKind::Send(send) => self::send(send, host)?,
        ActionKind::Assign(variable, expression) => {
            let value = compute(expression, host)?;
            if let Some(variable) = variable {
                host.write(*variable, value);
            }
        }
        ActionKind::If(branches) => {
            for (condition, block) in branches {
                if condition.as_ref().is_none_or(|condition| decide(condition, host)) {
                    return run(block, host);
                }
            }
        }
        ActionKind::Foreach(changed, block) => rounds(changed, block, host)?,
        ActionKind::Log(expression) => {
            if let Some(expression) = expression {
                compute(expression, host)?;
            }
        }
        ActionKind::Cancel(Some(id)) => host.cancel(id),
        // Whether a timer is stopped or only does not ring is all one, as long as it is not certain.
        ActionKind::Cancel(None) => {
            host.choose(2, None);
        }
        ActionKind::Unknown(changed) => {
            may_fail(host)?;
            for &variable in changed {
                host.write(variable, Value::Unknown);
            }
        }
        ActionKind::Error => return Err(Failure),
    }
    Ok(())
}

/// The value of an expression; one that is opaque may fail.
pub(super) fn compute<H: Host + ?Sized>(expression: &Expression, host: &mut H) -> Result<Value, Failure> {
    let value = evaluate(expression, host)?;
    if !expression.opaque_parts().is_empty() {
        may_fail(host)?;
    }
    Ok(value)
}

/// Whether a condition holds. One that fails does not, and the error is an event.
pub(super) fn decide<H: Host + ?Sized>(condition: &Expression, host: &mut H) -> bool {
    let Ok(holds) = holds(condition, host) else {
        host.raise(Event::named(ERROR_EXECUTION));
        return false;
    };
    // An opaque part may fail. That differs from being false where somebody listens, or where something else makes the condition true.
    let is_open = !condition.opaque_parts().is_empty();
    let differs = host.chart().hears_failures || (holds && has_alternatives(condition));
    if is_open && differs && host.choose(2, Some(0)) == 1 {
        host.raise(Event::named(ERROR_EXECUTION));
        return false;
    }
    holds
}

fn has_alternatives(condition: &Expression) -> bool {
    let mut found = false;
    condition.visit(&mut |part| {
        found |= matches!(part, Expression::Binary(Binary::Or, ..) | Expression::Choice(..));
    });
    found
}

/// Something unknown is executed, which ends the block if it fails.
fn may_fail<H: Host + ?Sized>(host: &mut H) -> Result<(), Failure> {
    if host.choose(2, Some(0)) == 0 { Ok(()) } else { Err(Failure) }
}

fn send<H: Host + ?Sized>(send: &Send, host: &mut H) -> Result<(), Failure> {
    let name = match &send.event {
        Ok(name) => Some(Arc::clone(name)),
        Err(expression) => match compute(expression, host)? {
            Value::Text(name) => Some(name),
            Value::Integer(number) => Some(number.to_string().into()),
            _ => None,
        },
    };
    if send.is_opaque {
        may_fail(host)?;
    }
    if let Some(variable) = send.id_location {
        host.write(variable, Value::Unknown);
    }
    host.told(send.output);
    let target = match send.target {
        SendTarget::Computed if host.choose(2, None) == 0 => SendTarget::Itself,
        SendTarget::Computed => SendTarget::Outside,
        known => known,
    };
    if target == SendTarget::Outside {
        // The platform may not know the target (which ends the block), or not reach it (which does not).
        may_fail(host)?;
        let fails = host.chart().hears_losses && host.choose(2, Some(0)) == 1;
        if fails {
            host.raise(Event::named(ERROR_COMMUNICATION));
        }
        return Ok(());
    }
    let Some(name) = name.or_else(|| any_name(host)) else { return Ok(()) };
    let event = Event::named(name);
    match (target, send.delay) {
        (SendTarget::Internal, _) => host.raise(event),
        (_, Delay::None) => host.enqueue(event),
        _ => host.start_timer(send.number, event),
    }
    Ok(())
}

/// Any name that some transition waits for, or none.
fn any_name<H: Host + ?Sized>(host: &mut H) -> Option<Arc<str>> {
    let descriptors = host.chart().transitions.iter().flat_map(|transition| &transition.events);
    let mut names: Vec<Arc<str>> = descriptors.map(|descriptor| Arc::clone(&descriptor.0)).collect();
    names.sort_unstable();
    names.dedup();
    let at = host.choose(names.len() + 1, None);
    names.into_iter().nth(at)
}

/// Rounds over a collection that are executed; what comes after them is unknown.
const MOST: usize = 2;

/// Rounds over a collection of which nothing is known.
fn rounds<H: Host + ?Sized>(changed: &[usize], block: &[Action], host: &mut H) -> Result<(), Failure> {
    may_fail(host)?;
    let rounds = host.choose(MOST + 2, None);
    let forget = |host: &mut H| changed.iter().for_each(|&variable| host.write(variable, Value::Unknown));
    for _ in 0..rounds.min(MOST) {
        forget(host);
        run(block, host)?;
    }
    if rounds > MOST {
        // What the data are after more rounds is unknown; what they tell is covered only if they tell nothing.
        forget(host);
        if tells(block) {
            host.leave_gap();
        }
    }
    Ok(())
}

fn tells(block: &[Action]) -> bool {
    block.iter().any(|action| match &action.kind {
        ActionKind::Raise(..) | ActionKind::Send(_) | ActionKind::Cancel(_) => true,
        ActionKind::If(branches) => branches.iter().any(|(_, block)| tells(block)),
        ActionKind::Foreach(_, block) => tells(block),
        _ => false,
    })
}
