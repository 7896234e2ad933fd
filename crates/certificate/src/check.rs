//! The three conditions: runs begin in the set, transitions stay in it, no goal is in it. Time may pass after each of both.
//!
//! Only valuations that satisfy the invariants count: others are no states. A set of zones contains a zone if one of them does, or if nothing is left of it when
//! all of them are taken away.

use crate::certificate::Certificate;
use crate::moves::{Move, Semantics, Stay, Target};
use crate::zone::{Difference, Zone};
use guidepost_network::{ClockConstraint, EdgeId, EvalError, Goal, Network};

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// No goal is reachable.
    Accepted,
    /// The certificate proves nothing.
    Rejected(Box<Rejection>),
    /// Whoever checks it was told to stop.
    Stopped,
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// What is wrong.
    pub reason: Reason,
    /// The state of the certificate where that shows.
    pub state: Option<String>,
    /// The transition that leads out of the set, or fails.
    pub transition: Option<String>,
    /// What it leads to.
    pub target: Option<String>,
}

/// What is wrong with a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It is about another model.
    OtherModel,
    /// It does not contain the initial state, or not all that time makes of it.
    NoInitialState,
    /// A transition leads out of it, or time after a transition.
    Transition,
    /// It contains a goal.
    Goal,
    /// An expression cannot be evaluated in one of its states.
    Error(String),
    /// What it hides cannot be hidden, for this reason.
    Hiding(String),
}

impl Rejection {
    /// It is about another model.
    pub const OTHER_MODEL: Self = Self::because(Reason::OtherModel);

    /// Something is wrong with the whole of it.
    pub const fn because(reason: Reason) -> Self {
        Self { reason, state: None, transition: None, target: None }
    }
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.reason {
            Reason::OtherModel => write!(out, "it is about another model, or this model has changed")?,
            Reason::NoInitialState => write!(out, "it does not contain the initial state")?,
            Reason::Transition => write!(out, "it is not closed: a transition leads out of it")?,
            Reason::Goal => write!(out, "it contains a state that the query is about")?,
            Reason::Error(error) => write!(out, "the model fails in a state that it contains: {error}")?,
            Reason::Hiding(why) => write!(out, "what it hides cannot be hidden: {why}")?,
        }
        for (name, value) in
            [("state", &self.state), ("transition", &self.transition), ("leads to", &self.target)]
        {
            if let Some(value) = value {
                write!(out, "\n  {name}: {value}")?;
            }
        }
        Ok(())
    }
}

/// A construct that the checker does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Clocks that stand still.
    Stopwatches,
    /// Urgency that begins at some clock value.
    GuardedUrgentChannel,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Obstacle::Stopwatches => "stop-watches (`x' == 0`)",
            Obstacle::GuardedUrgentChannel => "clock guards on urgent channels",
        })
    }
}

/// What of a network the checker does not know.
pub fn obstacle(network: &Network) -> Option<Obstacle> {
    if network.locations.iter().any(|location| !location.rates.is_empty()) {
        return Some(Obstacle::Stopwatches);
    }
    network.features.guarded_urgent_channels.then_some(Obstacle::GuardedUrgentChannel)
}

/// Where a transition leads, once that was asked.
enum Effect {
    Unknown,
    /// The data of the target forbid it.
    Impossible,
    Leads(Target),
}

impl From<Option<Target>> for Effect {
    fn from(target: Option<Target>) -> Self {
        target.map_or(Effect::Impossible, Effect::Leads)
    }
}

impl Effect {
    fn target(&self) -> Option<&Target> {
        match self {
            Effect::Leads(target) => Some(target),
            Effect::Unknown | Effect::Impossible => None,
        }
    }
}

/// Why the check ends early.
enum End {
    Rejected(Box<Rejection>),
    Stopped,
}

impl From<Rejection> for End {
    fn from(rejection: Rejection) -> Self {
        End::Rejected(Box::new(rejection))
    }
}

impl Certificate {
    /// Checks that it proves that none of the goals is reachable in a network; see [`obstacle`] for what must not occur in it. The closure says whether to go on.
    pub fn check(&self, network: &Network, goals: &[Goal], go_on: &mut dyn FnMut() -> bool) -> Checked {
        if self.fingerprint != crate::fingerprint(network) {
            return Checked::Rejected(Box::new(Rejection::OTHER_MODEL));
        }
        if !self.hides.is_empty() {
            let why = "it is about an abstraction, and is not checked as one".to_owned();
            return Checked::Rejected(Box::new(Rejection::because(Reason::Hiding(why))));
        }
        self.check_states(network, goals, go_on)
    }

    /// As [`Certificate::check`], for a set of states of an abstraction: a network that can do whatever the original can do, with goals that are met wherever the original's are. That it is one has to be
    /// believed. No abstraction preserves deadlocks, so its goals are not about them.
    pub fn check_abstraction(
        &self,
        original: &Network,
        (abstraction, goals): (&Network, &[Goal]),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Checked {
        if self.fingerprint != crate::fingerprint(original) {
            return Checked::Rejected(Box::new(Rejection::OTHER_MODEL));
        }
        if goals.iter().any(|goal| goal.deadlock.is_some()) {
            let why = "the query is about deadlocks".to_owned();
            return Checked::Rejected(Box::new(Rejection::because(Reason::Hiding(why))));
        }
        self.check_states(abstraction, goals, go_on)
    }

    fn check_states(&self, network: &Network, goals: &[Goal], go_on: &mut dyn FnMut() -> bool) -> Checked {
        debug_assert_eq!(obstacle(network), None, "asked before");
        let mut checker = Checker { set: self, network, semantics: Semantics::new(network), goals };
        let mut all = || {
            checker.contains_initial_state()?;
            (0..self.states()).try_for_each(|state| checker.is_closed(state, go_on))
        };
        match all() {
            Ok(()) => Checked::Accepted,
            Err(End::Rejected(rejection)) => Checked::Rejected(rejection),
            Err(End::Stopped) => Checked::Stopped,
        }
    }
}

struct Checker<'c> {
    set: &'c Certificate,
    network: &'c Network,
    semantics: Semantics<'c>,
    goals: &'c [Goal],
}

impl Checker<'_> {
    fn contains_initial_state(&mut self) -> Result<(), End> {
        let network = self.network;
        let cells = network.initial_cells();
        let values: Vec<i64> = network.clocks.iter().map(|clock| clock.initial.into()).collect();
        let rejection = |reason| {
            let state = Some(describe_cells(network, &cells));
            End::from(Rejection { state, ..Rejection::because(reason) })
        };
        let fails = |error: EvalError| rejection(Reason::Error(error.describe(network)));
        let stay = self.semantics.stay(&cells).map_err(fails)?;
        // Without an initial state, there are no states at all.
        let Some(start) = stay.and_then(|stay| later(Zone::point(&values), &stay)) else { return Ok(()) };
        match self.contains(&cells, start) {
            None => Ok(()),
            Some(_) => Err(rejection(Reason::NoInitialState)),
        }
    }

    /// Looks at everything that can happen in a discrete state.
    fn is_closed(&mut self, state: usize, go_on: &mut dyn FnMut() -> bool) -> Result<(), End> {
        let cells = self.set.cells(state);
        let network = self.network;
        let fails = |error: EvalError| End::from(rejected(network, &cells, &error, &[]));
        let Some(stay) = self.semantics.stay(&cells).map_err(fails)? else { return Ok(()) };
        let moves = self.semantics.moves(&cells).map_err(fails)?;
        let mut targets: Vec<Effect> = moves.iter().map(|_| Effect::Unknown).collect();
        let escapes = self.escapes(&cells, &stay, &moves, &mut targets);
        for bounds in self.set.zones_of(state) {
            if !go_on() {
                return Err(End::Stopped);
            }
            let zone = Zone::within(network.clocks.len(), &bounds).and_then(|zone| zone.and(&stay.invariant));
            let Some(zone) = zone else { continue };
            self.contains_no_goal(&cells, &zone, &escapes)?;
            self.follow(&cells, &zone, &moves, &mut targets)?;
        }
        Ok(())
    }

    /// Takes all transitions from a zone, those of higher priority first: what can be taken takes its valuations away from all lower ones.
    fn follow(
        &mut self,
        cells: &[i32],
        zone: &Zone,
        moves: &[Move],
        targets: &mut [Effect],
    ) -> Result<(), End> {
        // Where transitions of higher priority can be taken, and which priority they have.
        let mut taken: Vec<((u32, u32), Vec<Difference>)> = Vec::new();
        for (step, target) in moves.iter().zip(targets) {
            let mut part = guarded(zone, step);
            for (_, stronger) in taken.iter().filter(|(priority, _)| *priority > step.priority) {
                part = part.into_iter().flat_map(|piece| piece.minus(stronger)).collect();
            }
            let Some(target) = self.target(cells, step, &part, target)? else { continue };
            for piece in part.into_iter().filter_map(|piece| piece.and(&target.demanded)) {
                let arrived = later(piece.updated(&target.origins), &target.stay);
                if let Some(outside) = arrived.and_then(|arrived| self.contains(&target.cells, arrived)) {
                    let target = Some((&*target.cells, &outside));
                    return Err(self.rejection(Reason::Transition, cells, zone, &step.edges, target));
                }
                if self.network.features.priorities {
                    taken.push((step.priority, piece.differences()));
                }
            }
        }
        Ok(())
    }

    /// Where a transition leads that can be taken from some zones: evaluated once, and only if there are any.
    fn target<'t>(
        &mut self,
        cells: &[i32],
        step: &Move,
        part: &[Zone],
        known: &'t mut Effect,
    ) -> Result<Option<&'t Target>, End> {
        if part.is_empty() {
            return Ok(None);
        }
        if matches!(known, Effect::Unknown) {
            let target = self.semantics.take(cells, &step.edges);
            let target = target.map_err(|error| rejected(self.network, cells, &error, &step.edges))?;
            *known = target.into();
        }
        let target = known.target();
        let is_below = |enough: &Difference| part.iter().any(|zone| !zone.satisfies(*enough));
        if let Some(target) = target
            && target.lowered.iter().any(is_below)
        {
            let reason = Reason::Error("a clock would become negative".to_owned());
            return Err(self.rejection(reason, cells, &part[0], &step.edges, None));
        }
        Ok(target)
    }

    /// If a goal is about deadlocks: the valuations from which some transition can be taken, now or later.
    fn escapes(&mut self, cells: &[i32], stay: &Stay, moves: &[Move], targets: &mut [Effect]) -> Vec<Zone> {
        let mut escapes = Vec::new();
        if self.goals.iter().all(|goal| goal.deadlock.is_none()) {
            return escapes;
        }
        let Some(everything) = Zone::within(self.network.clocks.len(), &stay.invariant) else {
            return escapes;
        };
        for (step, known) in moves.iter().zip(targets) {
            let part = guarded(&everything, step);
            if part.is_empty() {
                continue;
            }
            if matches!(known, Effect::Unknown) {
                // What fails here need not be in the set; where it is, it is tried again.
                let Ok(target) = self.semantics.take(cells, &step.edges) else { continue };
                *known = target.into();
            }
            let Some(target) = known.target() else { continue };
            let enabled = part.into_iter().filter_map(|piece| piece.and(&target.demanded));
            escapes.extend(enabled.map(|piece| if stay.lets_time_pass { piece.earlier() } else { piece }));
        }
        escapes
    }

    fn contains_no_goal(&mut self, cells: &[i32], zone: &Zone, escapes: &[Zone]) -> Result<(), End> {
        for goal in self.goals {
            let fails = |error: EvalError| End::from(rejected(self.network, cells, &error, &[]));
            let Some(met) = meet(&mut self.semantics, goal, cells, zone).map_err(fails)? else { continue };
            let found = match goal.deadlock {
                None => Some(met),
                Some(false) => escapes.iter().find_map(|escape| met.clone().and(&escape.differences())),
                Some(true) => remainder(met, escapes.iter().map(Zone::differences)),
            };
            if let Some(found) = found {
                return Err(self.rejection(Reason::Goal, cells, &found, &[], None));
            }
        }
        Ok(())
    }

    /// Looks whether the set contains all states with these cells and clock values; some that it does not contain.
    fn contains(&self, cells: &[i32], zone: Zone) -> Option<Zone> {
        let mut row = Vec::with_capacity(self.set.layout.stride());
        let known = self.set.layout.pack(cells, &mut row).then(|| self.set.find(&row)).flatten();
        let Some(state) = known else { return Some(zone) };
        let includes = |&member: &u32| self.set.zones.get(member).all(|bound| zone.satisfies(bound));
        if self.set.members(state).iter().any(includes) {
            return None;
        }
        remainder(zone, self.set.zones_of(state))
    }

    fn rejection(
        &self,
        reason: Reason,
        cells: &[i32],
        zone: &Zone,
        edges: &[EdgeId],
        target: Option<(&[i32], &Zone)>,
    ) -> End {
        let show = |cells: &[i32], zone: &Zone| {
            let clock = |clock: u32| self.network.clocks[clock as usize].name.clone();
            format!("{}; {}", describe_cells(self.network, cells), zone.describe(clock))
        };
        End::from(Rejection {
            reason,
            state: Some(show(cells, zone)),
            transition: describe_edges(self.network, edges),
            target: target.map(|(cells, zone)| show(cells, zone)),
        })
    }
}

/// What time makes of the valuations of a zone; none, if they do not satisfy the invariants.
fn later(zone: Zone, stay: &Stay) -> Option<Zone> {
    let zone = if stay.lets_time_pass { zone.later() } else { zone };
    zone.and(&stay.invariant)
}

/// The part of a zone in which the guards of a transition hold, and those of receivers that stay out do not.
fn guarded(zone: &Zone, step: &Move) -> Vec<Zone> {
    let mut part: Vec<Zone> = zone.clone().and(&step.guard).into_iter().collect();
    for refused in &step.refused {
        part = part.into_iter().flat_map(|piece| piece.minus(refused)).collect();
    }
    part
}

/// The part of a zone in which a goal holds, as far as locations, data and clocks go.
fn meet(
    semantics: &mut Semantics<'_>,
    goal: &Goal,
    cells: &[i32],
    zone: &Zone,
) -> Result<Option<Zone>, EvalError> {
    let is_there = goal.locations.iter().all(|(process, locations)| {
        locations.iter().any(|location| location.0 as i32 == cells[process.index()])
    });
    if !is_there {
        return Ok(None);
    }
    semantics.machine.load(cells);
    semantics.machine.attach(&goal.segment);
    if !semantics.machine.holds(&goal.data)? {
        return Ok(None);
    }
    let clocks: &[ClockConstraint] = &goal.clocks;
    Ok(zone.clone().and(&semantics.differences(clocks)?))
}

/// Some of what is left of a zone when others are taken away.
fn remainder(zone: Zone, others: impl Iterator<Item = Vec<Difference>>) -> Option<Zone> {
    let mut pieces = vec![zone];
    for other in others {
        pieces = pieces.into_iter().flat_map(|piece| piece.minus(&other)).collect();
        if pieces.is_empty() {
            break;
        }
    }
    pieces.into_iter().next()
}

fn rejected(network: &Network, cells: &[i32], error: &EvalError, edges: &[EdgeId]) -> Rejection {
    Rejection {
        reason: Reason::Error(error.describe(network)),
        state: Some(describe_cells(network, cells)),
        transition: describe_edges(network, edges),
        target: None,
    }
}

fn describe_cells(network: &Network, cells: &[i32]) -> String {
    let (locations, values) = cells.split_at(network.processes.len());
    let located = network.processes.iter().zip(locations);
    let located =
        located.map(|(process, &at)| format!("{}.{}", process.name, network.locations[at as usize].name));
    let valued = network.variables.iter().zip(values).filter(|(variable, _)| !variable.meta);
    let valued = valued.map(|(variable, value)| format!("{} = {value}", variable.name));
    located.chain(valued).collect::<Vec<_>>().join(", ")
}

fn describe_edges(network: &Network, edges: &[EdgeId]) -> Option<String> {
    let describe = |edge: &EdgeId| {
        let edge = &network.edges[edge.index()];
        let (from, to) = (&network.locations[edge.source.index()], &network.locations[edge.target.index()]);
        format!("{} from {} to {}", network.processes[edge.process.index()].name, from.name, to.name)
    };
    (!edges.is_empty()).then(|| edges.iter().map(describe).collect::<Vec<_>>().join(", "))
}
