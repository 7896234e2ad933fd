//! All that a chart can do: snapshots, from the nearest to the farthest, first those that are sure to be reached, then those that may be.

use super::bits::Bits;
use super::chart::{Chart, StateId, TransitionId};
use super::choice::{Chooser, Every};
use super::content::Event;
use super::environment::{Environment, Offer, offers};
use super::step::{Effects, Phase, Snapshot, Steps};
use crate::limits::{Limits, Stop};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// More combinations of what is open than this are not tried in one step.
const MOST_COMBINATIONS: usize = 4096;

/// How a snapshot was reached.
#[derive(Clone, Debug)]
struct Reached {
    parent: u32,
    /// The event from outside, if it was one.
    cause: Option<Cause>,
    is_certain: bool,
}

/// An event that was consumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cause {
    pub(crate) event: Event,
    /// Whether it came before events that the chart had sent to itself.
    pub(crate) overtakes: bool,
}

/// What is known of a transition that was not taken so far.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Obstacle {
    /// Its condition was evaluated, and did not hold.
    pub(crate) refused: bool,
    /// Another one was taken instead.
    pub(crate) behind: Option<TransitionId>,
}

/// What exploration has found out.
pub(crate) struct Exploration<'c> {
    pub(crate) steps: Steps<'c>,
    snapshots: Vec<Arc<Snapshot>>,
    reached: Vec<Reached>,
    /// How near each snapshot is: certain ones first, then by the number of events.
    nearness: Vec<(bool, u32)>,
    /// States that are active in some snapshot.
    pub(crate) active: Bits,
    /// States that are left in some step.
    pub(crate) left: Bits,
    pub(crate) taken: Vec<bool>,
    pub(crate) told: Vec<bool>,
    pub(crate) obstacles: Vec<Obstacle>,
    /// The first snapshot in which two transitions are in conflict, and with which event.
    pub(crate) conflicts: BTreeMap<(TransitionId, TransitionId), Place>,
    pub(crate) deadlocks: Vec<u32>,
    /// Micro-steps that are sure to happen.
    pub(crate) onwards: FxHashMap<u32, u32>,
    /// Names of events that were consumed.
    pub(crate) consumed: BTreeSet<Arc<str>>,
    /// Why it is not all, if it is not.
    pub(crate) stop: Option<Stop>,
    pub(crate) gap: bool,
    pub(crate) widened: bool,
    offers: Vec<Offer>,
}

/// A snapshot, and the event that shows something in it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) snapshot: u32,
    pub(crate) cause: Option<Cause>,
    pub(crate) is_certain: bool,
}

/// Snapshots that wait, the nearest first: certain ones, then by the number of events.
type Waiting = BTreeMap<(bool, u32), Vec<u32>>;

impl<'c> Exploration<'c> {
    /// Explores a chart as far as the limits allow.
    pub(crate) fn of(chart: &'c Chart, environment: Environment, limits: &Limits) -> Self {
        let mut this = Self {
            steps: Steps::new(chart),
            snapshots: vec![],
            reached: vec![],
            nearness: vec![],
            active: Bits::new(chart.states.len()),
            left: Bits::new(chart.states.len()),
            taken: vec![false; chart.transitions.len()],
            told: vec![false; chart.outputs.len()],
            obstacles: vec![Obstacle::default(); chart.transitions.len()],
            conflicts: BTreeMap::new(),
            deadlocks: vec![],
            onwards: FxHashMap::default(),
            consumed: BTreeSet::new(),
            stop: None,
            gap: false,
            widened: false,
            offers: offers(chart, environment),
        };
        this.run(limits);
        this
    }

    /// How many snapshots there are.
    pub(crate) fn len(&self) -> usize {
        self.snapshots.len()
    }

    pub(crate) fn snapshot(&self, at: u32) -> &Snapshot {
        &self.snapshots[at as usize]
    }

    pub(crate) fn is_certain(&self, at: u32) -> bool {
        self.reached[at as usize].is_certain
    }

    /// The nearest snapshot in which the chart waits and a state is active.
    pub(crate) fn nearest(&self, state: StateId) -> Option<u32> {
        let waits = |at: &u32| {
            let snapshot = self.snapshot(*at);
            snapshot.phase == Phase::Stable && snapshot.active.contains(state)
        };
        (0..self.snapshots.len() as u32).filter(waits).min_by_key(|&at| self.nearness[at as usize])
    }

    /// The events that lead to a snapshot; those that the chart sends to itself are not among them.
    pub(crate) fn path(&self, to: u32) -> Vec<Cause> {
        let mut path = Vec::new();
        let mut at = to;
        while self.reached[at as usize].parent != at {
            path.extend(self.reached[at as usize].cause.clone());
            at = self.reached[at as usize].parent;
        }
        path.reverse();
        path
    }

    fn run(&mut self, limits: &Limits) {
        let begin = Instant::now();
        let mut search =
            Search { known: FxHashMap::default(), done: vec![], waiting: Waiting::new(), bytes: 0 };
        let mut every = Every::default();
        loop {
            let (snapshot, effects) = self.steps.begin(&mut every);
            let is_certain = !every.is_uncertain();
            let at = self.reach(snapshot, None, (is_certain, 0), None, &mut search);
            self.note(&effects, at, None, is_certain);
            if !every.advance() {
                break;
            }
        }
        while let Some((&key, _)) = search.waiting.first_key_value() {
            let Some(at) = search.waiting.get_mut(&key).and_then(Vec::pop) else {
                search.waiting.remove(&key);
                continue;
            };
            if std::mem::replace(&mut search.done[at as usize], true) {
                continue;
            }
            self.stop = limits.reached(begin, self.snapshots.len(), search.bytes);
            if self.stop.is_some() {
                return;
            }
            self.expand(at, key.1, &mut search);
        }
    }

    fn expand(&mut self, at: u32, depth: u32, search: &mut Search) {
        let snapshot = Arc::clone(&self.snapshots[at as usize]);
        match snapshot.phase {
            Phase::Running => {
                self.every(at, search, depth, None, |steps, every| steps.advance(&snapshot, every));
            }
            Phase::Stable => self.wait(at, &snapshot, depth, search),
            Phase::Ended => {}
        }
    }

    /// Everything that may come next.
    fn wait(&mut self, at: u32, snapshot: &Snapshot, depth: u32, search: &mut Search) {
        let mut has_moved =
            !(snapshot.external.is_empty() && snapshot.timers.is_empty() && snapshot.astray.is_empty());
        let overtakes = !snapshot.external.is_empty();
        if let Some(event) = snapshot.external.first() {
            let mut rest = snapshot.clone();
            rest.external.remove(0);
            self.every(at, search, depth, None, |steps, every| steps.deliver(rest.clone(), event, every));
        }
        let is_alone = snapshot.timers.len() == 1 && !snapshot.timers[0].2;
        for (index, (_, event, several)) in snapshot.timers.iter().enumerate() {
            let cause = Cause { event: event.clone(), overtakes };
            let mut without = snapshot.clone();
            without.timers.remove(index);
            let mut once = snapshot.clone();
            once.timers[index].2 = false;
            let after: Vec<Snapshot> = if *several { vec![once, snapshot.clone()] } else { vec![without] };
            for rest in after {
                self.every(at, search, depth + 1, Some(&cause), |steps, every| {
                    // Which of several timers rings first depends on times, which are not looked at.
                    every.choose(1, is_alone.then_some(0));
                    steps.deliver(rest.clone(), event, every)
                });
            }
        }
        let offers = std::mem::take(&mut self.offers);
        for Offer { event, is_sure } in &offers {
            if self.steps.is_heard(event, snapshot) {
                let cause = Cause { event: event.clone(), overtakes };
                has_moved |= self.every(at, search, depth + 1, Some(&cause), |steps, every| {
                    every.choose(1, is_sure.then_some(0));
                    steps.deliver(snapshot.clone(), event, every)
                });
            }
        }
        self.offers = offers;
        for event in &snapshot.astray {
            let cause = Cause { event: event.clone(), overtakes };
            self.every(at, search, depth + 1, Some(&cause), |steps, every| {
                every.choose(1, None);
                steps.deliver(snapshot.clone(), event, every)
            });
        }
        if !has_moved && !self.is_finished(snapshot) {
            self.deadlocks.push(at);
        }
    }

    /// Whether all that is active has come to its end.
    fn is_finished(&self, snapshot: &Snapshot) -> bool {
        let chart = self.steps.chart;
        let is_final = |state: StateId| chart.state(state).kind == super::chart::StateKind::Final;
        snapshot.active.iter().all(|state| !chart.is_atomic(state) || is_final(state))
    }

    /// All combinations of what is open in a step. Whether a transition was taken in one of them, or may be taken since something failed.
    fn every(
        &mut self,
        at: u32,
        search: &mut Search,
        depth: u32,
        cause: Option<&Cause>,
        step: impl Fn(&Steps<'c>, &mut Every) -> (Snapshot, Effects),
    ) -> bool {
        let mut every = Every::default();
        let mut has_moved = false;
        for _ in 0..MOST_COMBINATIONS {
            let (snapshot, effects) = step(&self.steps, &mut every);
            let is_certain = self.is_certain(at) && !every.is_uncertain();
            has_moved |= !effects.taken.is_empty();
            self.note(&effects, at, cause, is_certain);
            if let Some(cause) = cause {
                self.consumed.insert(Arc::clone(&cause.event.name));
            }
            let was_running = self.snapshots[at as usize].phase == Phase::Running;
            let next = self.reach(snapshot, Some(at), (is_certain, depth), cause, search);
            // An event that enables nothing may still fail, and somebody may listen to that.
            has_moved |= next != at && self.steps.chart.hears_failures;
            if was_running && is_certain {
                self.onwards.insert(at, next);
            }
            if !every.advance() {
                return has_moved;
            }
        }
        self.gap = true;
        has_moved
    }

    fn note(&mut self, effects: &Effects, at: u32, cause: Option<&Cause>, is_certain: bool) {
        effects.taken.iter().for_each(|id| self.taken[id.index()] = true);
        effects.left.iter().for_each(|&state| {
            self.left.insert(state);
        });
        effects.told.iter().for_each(|&output| self.told[output] = true);
        effects.refused.iter().for_each(|id| self.obstacles[id.index()].refused = true);
        for &(id, by) in &effects.behind {
            self.obstacles[id.index()].behind.get_or_insert(by);
        }
        self.gap |= effects.gap;
        self.widened |= effects.widened;
        for &pair in &effects.conflicts {
            let place = || Place { snapshot: at, cause: cause.cloned(), is_certain };
            self.conflicts.entry(pair).or_insert_with(place);
        }
    }

    /// Where a snapshot is, and how it was reached if that is news.
    fn reach(
        &mut self,
        snapshot: Snapshot,
        parent: Option<u32>,
        (is_certain, depth): (bool, u32),
        cause: Option<&Cause>,
        search: &mut Search,
    ) -> u32 {
        let key = (!is_certain, depth);
        if let Some(&at) = search.known.get(&snapshot) {
            if !search.done[at as usize] && key < self.nearness[at as usize] {
                self.reached[at as usize] =
                    Reached { parent: parent.unwrap_or(at), cause: cause.cloned(), is_certain };
                self.nearness[at as usize] = key;
                search.waiting.entry(key).or_default().push(at);
            }
            return at;
        }
        let at = self.snapshots.len() as u32;
        self.active.unite(&snapshot.active);
        search.bytes += snapshot.bytes() + 120;
        let snapshot = Arc::new(snapshot);
        search.known.insert(Arc::clone(&snapshot), at);
        self.snapshots.push(snapshot);
        self.reached.push(Reached { parent: parent.unwrap_or(at), cause: cause.cloned(), is_certain });
        self.nearness.push(key);
        search.done.push(false);
        search.waiting.entry(key).or_default().push(at);
        at
    }
}

/// What only the search itself needs.
struct Search {
    known: FxHashMap<Arc<Snapshot>, u32>,
    done: Vec<bool>,
    waiting: Waiting,
    bytes: usize,
}
