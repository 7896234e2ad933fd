//! Evidence, replayed by the interpreter: whatever a chart leaves open is tried both ways.

use super::chart::{Chart, StateId, TransitionId};
use super::choice::Every;
use super::content::Event;
use super::explore::Cause;
use super::interpreter::{Interpreter, Session};
use std::collections::{BTreeMap, BTreeSet};

/// More sessions side by side than this are not followed.
const MOST_SESSIONS: usize = 256;
/// More combinations of what is open than this are not tried for one event.
const MOST_COMBINATIONS: usize = 2048;
/// A chart that sends more events to itself than this without waiting for others is not followed.
const MOST_OWN: usize = 64;

/// What evidence is to show.
pub(crate) enum Goal {
    /// The chart waits in this configuration.
    Waits(BTreeSet<StateId>),
    /// After the last event a transition is taken.
    Takes(TransitionId),
    /// Steps follow each other without end.
    Endless,
}

/// Sessions, and for each whether the goal's transition was taken since the last event.
type Sessions = BTreeMap<Session, bool>;

/// Whether a sequence of events shows what it is to show.
pub(crate) fn replay(chart: &Chart, path: &[Cause], goal: &Goal) -> bool {
    let replay = Replay { chart, goal };
    let Some(mut sessions) = replay.step(&[Session::default()], &Act::Start) else { return false };
    for cause in path {
        let Some(stages) = replay.drained(sessions) else { return false };
        let before: Vec<Session> = if cause.overtakes {
            stages.iter().flatten().map(|(session, _)| session.clone()).collect()
        } else {
            stages.last().into_iter().flatten().map(|(session, _)| session.clone()).collect()
        };
        match replay.step(&before, &Act::Deliver(&cause.event)) {
            Some(next) => sessions = next,
            None => return false,
        }
    }
    let Some(stages) = replay.drained(sessions) else { return false };
    let is_shown = |(session, taken): (&Session, &bool)| match goal {
        Goal::Waits(states) => session.configuration == *states && session.external.is_empty(),
        Goal::Takes(_) => *taken,
        Goal::Endless => session.endless,
    };
    stages.iter().flatten().any(is_shown)
}

/// What sessions do next.
enum Act<'e> {
    Start,
    Deliver(&'e Event),
    DeliverOwn,
}

impl Act<'_> {
    fn perform<'c>(&self, chart: &'c Chart, from: &Session, every: &'c mut Every) -> Interpreter<'c, Every> {
        match self {
            Act::Start => Interpreter::start(chart, every),
            Act::Deliver(event) => {
                let mut interpreter = Interpreter::resume(chart, from.clone(), every);
                interpreter.deliver(event);
                interpreter
            }
            Act::DeliverOwn => {
                let mut interpreter = Interpreter::resume(chart, from.clone(), every);
                interpreter.deliver_own();
                interpreter
            }
        }
    }
}

struct Replay<'a> {
    chart: &'a Chart,
    goal: &'a Goal,
}

impl Replay<'_> {
    /// Sessions as the chart consumes what it has sent to itself, event by event.
    fn drained(&self, sessions: Sessions) -> Option<Vec<Sessions>> {
        let mut stages = vec![sessions];
        for _ in 0..MOST_OWN {
            let last = stages.last()?;
            if last.keys().all(|session| session.external.is_empty() || session.ended || session.endless) {
                return Some(stages);
            }
            let (done, open): (Sessions, Sessions) =
                last.clone().into_iter().partition(|(session, _)| session.external.is_empty());
            let before: Vec<Session> = open.keys().cloned().collect();
            let mut next = self.step(&before, &Act::DeliverOwn)?;
            let was_taken = open.values().any(|taken| *taken);
            for taken in next.values_mut() {
                *taken |= was_taken;
            }
            next.extend(done);
            if stages.contains(&next) {
                // It sends events to itself for ever, and is never done with them.
                stages.push(Sessions::new());
                return Some(stages);
            }
            stages.push(next);
        }
        None
    }

    fn step(&self, before: &[Session], act: &Act<'_>) -> Option<Sessions> {
        let mut after = Sessions::new();
        for session in before {
            let mut every = Every::default();
            for tried in 0.. {
                let interpreter = act.perform(self.chart, session, &mut every);
                let taken = matches!(self.goal, Goal::Takes(id) if interpreter.taken.contains(id));
                *after.entry(interpreter.session).or_default() |= taken;
                if !every.advance() {
                    break;
                }
                if tried > MOST_COMBINATIONS || after.len() > MOST_SESSIONS {
                    return None;
                }
            }
        }
        Some(after)
    }
}
