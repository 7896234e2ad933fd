//! A chart as a timed automaton: a location for every situation in which it waits, an edge for every macro-step, a clock for every timer.
//!
//! What a step is comes from [`Steps`], as for the checker, and so does what is open. Exact is what the checker follows exactly; beyond that:
//! a timer rings when its delay is over, not before and not after. A `<send>` that runs several times at once has one clock, which
//! measures the youngest of them; the others ring at some time before it.

use super::chart::{Chart, Delay, SendTarget, StateId};
use super::choice::Every;
use super::content::Event;
use super::environment::{Environment, Offer, offers, own_names};
use super::step::{Effects, Phase, Snapshot, Steps};
use super::value;
use crate::Note;
use crate::sem::Guard;
use crate::timed::{Arrow, Due, MOST_ARROWS, MOST_PLACES, Part, Place, Plan, Sync, Timed, Value};
use guidepost_language::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// More combinations of what is open in one step than this are too many.
const MOST_COMBINATIONS: usize = 4096;
/// Longer delays do not fit the bounds of clocks.
const LONGEST: u64 = 1_000_000_000;

/// A chart as a timed automaton beside an environment that sends events.
///
/// # Errors
/// What cannot be translated, and where it stands.
pub fn timed(chart: &Chart, environment: Environment) -> Result<Timed, Diagnostic> {
    let unit = unit(chart)?;
    let mut walk = Walk {
        chart,
        steps: Steps::new(chart),
        unit,
        offers: offers(chart, environment),
        plan: Plan::default(),
        part: Part::default(),
        known: FxHashMap::default(),
        waiting: VecDeque::new(),
        endless: None,
        timers: FxHashMap::default(),
        events: FxHashMap::default(),
        gap: false,
        widened: false,
        overlaps: BTreeSet::new(),
    };
    walk.run()?;
    let notes = walk.notes(environment);
    let Walk { mut plan, part, .. } = walk;
    plan.parts.push(part);
    let mut timed = plan.write(notes);
    let mut proper = (1..chart.states.len() as u32).map(|state| !chart.is_history(StateId(state)));
    timed.states.retain(|_| proper.next().unwrap_or(true));
    Ok(timed)
}

/// How many milliseconds a unit of time is: a second, if all delays are seconds.
fn unit(chart: &Chart) -> Result<u64, Diagnostic> {
    let delays = chart.sends.iter().filter_map(|send| match send.delay {
        Delay::Milliseconds(delay) => Some((delay, send)),
        _ => None,
    });
    let unit = if delays.clone().all(|(delay, _)| delay % 1000 == 0) { 1000 } else { 1 };
    for (delay, send) in delays {
        if delay / unit > LONGEST {
            let span = chart.outputs[send.output].span;
            let message = format!("this delay is longer than {LONGEST} units of time");
            return Err(Diagnostic::new(Code::ClockConstantTooLarge, span, message));
        }
    }
    Ok(unit)
}

/// A timer by its `<send>` and its event.
type Timer = (u32, Event);

/// Where a macro-step ends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum End {
    Waits(Snapshot),
    Never,
}

/// One end of a macro-step, and the timers that began on the way.
type Outcome = (End, BTreeSet<Timer>);

struct Walk<'c> {
    chart: &'c Chart,
    steps: Steps<'c>,
    unit: u64,
    offers: Vec<Offer>,
    plan: Plan,
    part: Part,
    known: FxHashMap<Snapshot, usize>,
    waiting: VecDeque<(usize, Snapshot)>,
    endless: Option<usize>,
    timers: FxHashMap<Timer, usize>,
    events: FxHashMap<Arc<str>, usize>,
    gap: bool,
    widened: bool,
    /// Events of timers that run several times at once.
    overlaps: BTreeSet<Arc<str>>,
}

impl<'c> Walk<'c> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        let chart = self.chart;
        self.plan.states = chart.states.iter().map(|state| state.name.clone()).collect();
        self.plan.data = chart.data.iter().map(|data| data.name.to_string()).collect();
        let proper = chart.proper_states().map(StateId::index);
        self.part.states = proper.collect();
        self.part.name = if chart.name.is_empty() { "Machine".to_owned() } else { chart.name.clone() };
        for offer in self.offers.clone() {
            let event = self.event(&offer.event);
            self.plan.offered.push(event);
        }
        for (end, _) in self.outcomes(Steps::begin)? {
            let place = self.place(&end)?;
            if !self.part.starts.contains(&place) {
                self.part.starts.push(place);
            }
        }
        while let Some((at, snapshot)) = self.waiting.pop_front() {
            self.leave(at, &snapshot)?;
        }
        Ok(())
    }

    /// All edges from a place.
    fn leave(&mut self, at: usize, snapshot: &Snapshot) -> Result<(), Diagnostic> {
        if let Some(event) = snapshot.external.first() {
            let mut rest = snapshot.clone();
            rest.external.remove(0);
            let sync = Sync::Makes(self.event(event));
            self.arrows(at, sync, Due::Always, &rest, event)?;
        }
        for (index, (send, event, several)) in snapshot.timers.iter().enumerate() {
            let clock = self.clock(&(*send, event.clone()));
            let sync = Sync::Makes(self.event(event));
            let mut rest = snapshot.clone();
            if *several {
                self.overlaps.insert(Arc::clone(&event.name));
                let due = self.delay(*send).map_or(Due::Always, |delay| Due::AtMost(clock, delay));
                self.arrows(at, sync, due, snapshot, event)?;
                rest.timers[index].2 = false;
                self.arrows(at, sync, due, &rest, event)?;
            } else {
                let due = self.delay(*send).map_or(Due::Always, |delay| Due::Exactly(clock, delay));
                rest.timers.remove(index);
                self.arrows(at, sync, due, &rest, event)?;
            }
        }
        for Offer { event, .. } in self.offers.clone() {
            if self.steps.is_heard(&event, snapshot) {
                let sync = Sync::Hears(self.event(&event));
                self.arrows(at, sync, Due::Always, snapshot, &event)?;
            }
        }
        for event in &snapshot.astray {
            let sync = Sync::Makes(self.event(event));
            self.arrows(at, sync, Due::Always, snapshot, event)?;
        }
        Ok(())
    }

    /// An edge for every outcome of an event.
    fn arrows(
        &mut self,
        from: usize,
        sync: Sync,
        due: Due,
        rest: &Snapshot,
        event: &Event,
    ) -> Result<(), Diagnostic> {
        let outcomes = self.outcomes(|steps, every| steps.deliver(rest.clone(), event, every))?;
        let may_stay = outcomes.len() > 1;
        for (end, started) in outcomes {
            let to = self.place(&end)?;
            let is_pending = |timer: &&Timer| match &end {
                End::Waits(snapshot) => {
                    snapshot.timers.iter().any(|(send, event, _)| (*send, event) == (timer.0, &timer.1))
                }
                End::Never => false,
            };
            let restarts: Vec<usize> =
                started.iter().filter(is_pending).map(|timer| self.clock(timer)).collect();
            // Nothing happens: nobody need hear it, unless something else may happen, which must not be forced then.
            if from == to && restarts.is_empty() && due == Due::Always && !may_stay {
                continue;
            }
            self.part.arrows.push(Arrow { from, to, sync, guard: Guard::True, due, restarts });
            if self.part.arrows.len() > MOST_ARROWS {
                return Err(self.too_large(&format!("{MOST_ARROWS} edges")));
            }
        }
        Ok(())
    }

    /// All ends of the macro-step that a step begins.
    fn outcomes(
        &mut self,
        step: impl Fn(&Steps<'c>, &mut Every) -> (Snapshot, Effects),
    ) -> Result<Vec<Outcome>, Diagnostic> {
        let mut found: Vec<Outcome> = Vec::new();
        let mut running: Vec<(Snapshot, BTreeSet<Timer>)> = Vec::new();
        let mut index: FxHashMap<(Snapshot, BTreeSet<Timer>), usize> = FxHashMap::default();
        let mut follows: Vec<Vec<usize>> = Vec::new();
        let mut next = 0;
        let mut results = self.every(&BTreeSet::new(), step)?;
        loop {
            let mut successors = Vec::new();
            for (snapshot, started) in results {
                if snapshot.phase == Phase::Running {
                    let key = (snapshot, started);
                    let at = *index.entry(key.clone()).or_insert_with(|| {
                        running.push(key);
                        running.len() - 1
                    });
                    successors.push(at);
                    continue;
                }
                let outcome = (End::Waits(snapshot), started);
                if !found.contains(&outcome) {
                    found.push(outcome);
                }
            }
            if next > 0 {
                follows.push(successors);
            }
            let Some((snapshot, started)) = running.get(next).cloned() else { break };
            if running.len() > MOST_PLACES {
                return Err(self.too_large(&format!("{MOST_PLACES} situations in one step")));
            }
            next += 1;
            results = self.every(&started, |steps, every| steps.advance(&snapshot, every))?;
        }
        if has_cycle(&follows) {
            found.push((End::Never, BTreeSet::new()));
        }
        Ok(found)
    }

    /// All outcomes of a micro-step.
    fn every(
        &mut self,
        before: &BTreeSet<Timer>,
        step: impl Fn(&Steps<'c>, &mut Every) -> (Snapshot, Effects),
    ) -> Result<Vec<(Snapshot, BTreeSet<Timer>)>, Diagnostic> {
        let mut every = Every::default();
        let mut found = Vec::new();
        for _ in 0..MOST_COMBINATIONS {
            let (snapshot, effects) = step(&self.steps, &mut every);
            self.gap |= effects.gap;
            self.widened |= effects.widened;
            found.push((snapshot, before.iter().cloned().chain(effects.started).collect()));
            if !every.advance() {
                return Ok(found);
            }
        }
        Err(self.too_large(&format!("{MOST_COMBINATIONS} outcomes of one step")))
    }

    fn place(&mut self, end: &End) -> Result<usize, Diagnostic> {
        let End::Waits(snapshot) = end else {
            let next = self.part.places.len();
            let at = *self.endless.get_or_insert(next);
            if at == next {
                self.part.places.push(Place { words: vec!["endless".into()], ..Place::default() });
            }
            return Ok(at);
        };
        if let Some(&at) = self.known.get(snapshot) {
            return Ok(at);
        }
        let at = self.part.places.len();
        if at == MOST_PLACES {
            return Err(self.too_large(&format!("{MOST_PLACES} situations")));
        }
        let atomic = snapshot.active.iter().filter(|&state| self.chart.is_atomic(state));
        let words = atomic.map(|state| self.chart.state(state).name.clone()).collect();
        let mut limits = Vec::new();
        for (send, event, _) in &snapshot.timers {
            let clock = self.clock(&(*send, event.clone()));
            limits.extend(self.delay(*send).map(|delay| (clock, delay)));
        }
        self.part.places.push(Place {
            words,
            active: snapshot.active.iter().map(StateId::index).filter(|&state| state != 0).collect(),
            values: snapshot.data.iter().map(plain).collect(),
            limits,
            urgent: !snapshot.external.is_empty(),
        });
        self.known.insert(snapshot.clone(), at);
        self.waiting.push_back((at, snapshot.clone()));
        Ok(at)
    }

    /// The delay of a `<send>` in units of time, if it is known.
    fn delay(&self, send: u32) -> Option<u64> {
        match self.chart.sends[send as usize].delay {
            Delay::Milliseconds(delay) => Some(delay / self.unit),
            Delay::None | Delay::Computed => None,
        }
    }

    fn clock(&mut self, timer: &Timer) -> usize {
        let clocks = &mut self.plan.clocks;
        *self.timers.entry(timer.clone()).or_insert_with(|| {
            clocks.push(timer.1.name.to_string());
            clocks.len() - 1
        })
    }

    fn event(&mut self, event: &Event) -> usize {
        let events = &mut self.plan.events;
        *self.events.entry(Arc::clone(&event.name)).or_insert_with(|| {
            events.push(event.name.to_string());
            events.len() - 1
        })
    }

    fn too_large(&self, what: &str) -> Diagnostic {
        let message = format!("this chart has more than {what}: that is too much for an automaton");
        let span = self.chart.state(StateId::ROOT).span;
        Diagnostic::new(Code::TooLarge, span, message).hint("`guidepost machine` checks it as it is")
    }

    fn notes(&self, environment: Environment) -> Vec<Note> {
        let mut notes = self.chart.notes.clone();
        let mut note = |message: String| notes.push(Note { message, span: None });
        if !self.timers.is_empty() {
            let unit = if self.unit == 1000 { "a second" } else { "a millisecond" };
            note(format!("a unit of time is {unit}"));
        }
        for event in &self.overlaps {
            note(format!(
                "the timer of `{event}` may run several times at once: the last of them rings exactly, the others at any time before it"
            ));
        }
        let is_outside = |send: &&super::chart::Send| send.target == SendTarget::Outside;
        if self.chart.sends.iter().any(|send| is_outside(&send)) {
            note("what is sent outside is not in the model".to_owned());
        }
        if environment == Environment::Closed
            && own_names(self.chart).iter().any(|name| self.chart.hears(name))
        {
            note("events that the chart makes itself come from the chart alone".to_owned());
        }
        if self.widened {
            let largest = self.steps.largest();
            note(format!(
                "numbers are followed from -{largest} to {largest}; beyond that, values are unknown"
            ));
        }
        if self.gap {
            note(
                "some steps have more outcomes than are followed: what is never reached is not certain"
                    .to_owned(),
            );
        }
        notes
    }
}

/// A value as automata have it.
fn plain(value: &value::Value) -> Value {
    match value {
        value::Value::Bool(value) => Value::Bool(*value),
        value::Value::Integer(number) => {
            i16::try_from(*number).map_or(Value::Other, |number| Value::Integer(number.into()))
        }
        _ => Value::Other,
    }
}

/// Whether some of these can follow each other for ever.
fn has_cycle(follows: &[Vec<usize>]) -> bool {
    let mut before = vec![0usize; follows.len()];
    follows.iter().flatten().for_each(|&next| before[next] += 1);
    let mut free: Vec<usize> = (0..follows.len()).filter(|&one| before[one] == 0).collect();
    let mut removed = 0;
    while let Some(one) = free.pop() {
        removed += 1;
        for &next in &follows[one] {
            before[next] -= 1;
            if before[next] == 0 {
                free.push(next);
            }
        }
    }
    removed < follows.len()
}
