//! The conditions: runs begin in the set, transitions stay in it, no goal is in it. Time may pass after each of the first two.
//!
//! Only valuations that satisfy the invariants count: others are no states. A set of zones contains a zone if one of them does, or if nothing is left of it when
//! all of them are taken away.
//!
//! Where something is *awaited* on every run, the zones of states that still wait for it have a rank, and ranks become smaller with every transition, so that there are only finitely many. Between
//! transitions, time can pass for ever in none of these states, and in all of them a transition, or what is awaited, is possible now or later. So no run ends, or goes on for ever, without it. Rank 0 is for
//! states that wait for nothing.

use crate::certificate::Certificate;
use crate::moves::{Move, Semantics, Stay, Target};
use crate::verdict::{Checked, Reason, Rejection, describe_cells, describe_edges, obstacle, rejected};
use crate::zone::{Difference, Zone};
use guidepost_network::{ClockConstraint, EdgeId, EvalError, Goal, Network, Question};
use std::ops::Range;

/// What a certificate proves: no goal is reachable, or one is met on every maximal run, from its beginning or from a trigger on. Conditions are lists of goals: one of them holds.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'q> {
    /// What is not reachable.
    pub unreachable: &'q [Goal],
    /// What happens on every maximal run.
    pub awaited: Option<&'q [Goal]>,
    /// After what it happens; at the beginning, if nothing is said.
    pub trigger: Option<&'q [Goal]>,
    /// What that says about the query: whether it is satisfied.
    pub answer: bool,
}

impl<'q> Claim<'q> {
    /// What can be proved about a question.
    pub fn of(question: &'q Question) -> Option<Self> {
        let never = |unreachable, answer| Self { unreachable, awaited: None, trigger: None, answer };
        let always =
            |awaited, trigger, answer| Self { awaited: Some(awaited), trigger, ..never(&[], answer) };
        match question {
            Question::Possibly(p) => Some(never(&p.goals, false)),
            Question::Always(p) => Some(never(&p.negation, true)),
            Question::PotentiallyAlways(p) => Some(always(&p.negation, None, false)),
            Question::Eventually(p) => Some(always(&p.goals, None, true)),
            Question::LeadsTo(p, q) => Some(always(&q.goals, Some(&p.goals), true)),
            Question::LeastCost(_) | Question::Bound { .. } => None,
        }
    }

    /// The claim about an abstraction: a network that can do whatever the original can do, with goals that are met wherever the original's are. No abstraction preserves deadlocks, and none what happens on every run.
    fn of_abstraction(self, goals: &'q [Goal]) -> Result<Self, &'static str> {
        if self.awaited.is_some() {
            return Err("the query is about what happens on every run");
        }
        if goals.iter().any(|goal| goal.deadlock.is_some()) {
            return Err("the query is about deadlocks");
        }
        Ok(Self { unreachable: goals, ..self })
    }
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

/// The ranks of states that wait for nothing, and of those that wait for what is awaited.
const IDLE: Range<u32> = 0..1;
const WAITING: Range<u32> = 1..u32::MAX;

impl Certificate {
    /// Checks that it proves a claim about a network; see [`obstacle`] for what must not occur in it. If it is about an abstraction, that and its goals are given as well; that it is one has to be believed.
    /// The closure says whether to go on.
    pub fn check(
        &self,
        network: &Network,
        claim: Claim<'_>,
        abstraction: Option<(&Network, &[Goal])>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Checked {
        debug_assert_eq!(obstacle(network), None, "asked before");
        let hiding = |why: &str| Checked::Rejected(Rejection::because(Reason::Hiding(why.to_owned())).into());
        if self.fingerprint != crate::fingerprint(network) {
            return Checked::Rejected(Rejection::OTHER_MODEL.into());
        }
        if self.hides.is_empty() != abstraction.is_none() {
            return hiding("it is about an abstraction, and is not checked as one");
        }
        let (network, claim) = match abstraction {
            None => (network, claim),
            Some((abstraction, goals)) => match claim.of_abstraction(goals) {
                Ok(claim) => (abstraction, claim),
                Err(why) => return hiding(why),
            },
        };
        let mut checker = Checker { set: self, network, semantics: Semantics::new(network), claim };
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
    claim: Claim<'c>,
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
        // Without an initial state, there are no states at all.
        let Some(stay) = self.semantics.stay(&cells).map_err(fails)? else { return Ok(()) };
        let Some(start) = Zone::point(&values).and(&stay.invariant) else { return Ok(()) };
        let is_awaited = self.claim.awaited.is_some() && self.claim.trigger.is_none();
        let ranks = if is_awaited { WAITING } else { IDLE };
        match self.lead_out(&cells, &stay, vec![start], &ranks).map_err(fails)? {
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
        let awaited = self.awaited(&cells, &stay).map_err(fails)?;
        let mut escapes = self.escapes(&cells, &stay, &moves, &mut targets);
        if stay.lets_time_pass {
            escapes.extend(awaited.iter().cloned().map(Zone::earlier));
        }
        for (bounds, rank) in self.set.zones_of(state) {
            if !go_on() {
                return Err(End::Stopped);
            }
            let zone = Zone::within(network.clocks.len(), &bounds).and_then(|zone| zone.and(&stay.invariant));
            let Some(zone) = zone else { continue };
            if rank == 0 {
                self.contains_no_goal(&cells, &zone, &escapes)?;
                self.awaits(&cells, &stay, &zone)?;
                self.follow(&cells, &zone, &moves, &mut targets, &IDLE)?;
                continue;
            }
            // Where what is awaited holds, nothing is left to be shown.
            for piece in without(vec![zone], &awaited) {
                if stay.lets_time_pass && piece.is_unbounded() {
                    return Err(self.rejection(Reason::Forever, &cells, &piece, &[], None));
                }
                if let Some(stuck) = remainder(piece.clone(), escapes.iter().map(Zone::differences)) {
                    return Err(self.rejection(Reason::Stuck, &cells, &stuck, &[], None));
                }
                self.follow(&cells, &piece, &moves, &mut targets, &(1..rank))?;
            }
        }
        Ok(())
    }

    /// Takes all transitions from a zone, those of higher priority first: what can be taken takes its valuations away from all lower ones. They must lead to states of these ranks.
    fn follow(
        &mut self,
        cells: &[i32],
        zone: &Zone,
        moves: &[Move],
        targets: &mut [Effect],
        ranks: &Range<u32>,
    ) -> Result<(), End> {
        // Where transitions of higher priority can be taken, and which priority they have.
        let mut taken: Vec<((u32, u32), Vec<Difference>)> = Vec::new();
        for (step, target) in moves.iter().zip(targets) {
            let mut part = guarded(zone, step);
            for (_, stronger) in taken.iter().filter(|(priority, _)| *priority > step.priority) {
                part = part.into_iter().flat_map(|piece| piece.minus(stronger)).collect();
            }
            let Some(target) = self.target(cells, step, &part, target)? else { continue };
            part = part.into_iter().filter_map(|piece| piece.and(&target.demanded)).collect();
            if self.network.features.priorities {
                taken.extend(part.iter().map(|piece| (step.priority, piece.differences())));
            }
            let arrived = part.iter().map(|piece| piece.updated(&target.origins)).collect();
            let outside = self.lead_out(&target.cells, &target.stay, arrived, ranks);
            let outside =
                outside.map_err(|error| rejected(self.network, &target.cells, &error, &step.edges))?;
            if let Some(outside) = outside {
                let reason = if *ranks == IDLE { Reason::Transition } else { Reason::Rank };
                let target = Some((&*target.cells, &outside));
                return Err(self.rejection(reason, cells, zone, &step.edges, target));
            }
        }
        Ok(())
    }

    /// Looks whether time leads from states that satisfy the invariants to states of these ranks, as long as what these wait for does not hold; some that it leads to otherwise.
    fn lead_out(
        &mut self,
        cells: &[i32],
        stay: &Stay,
        entered: Vec<Zone>,
        ranks: &Range<u32>,
    ) -> Result<Option<Zone>, EvalError> {
        let reached: Vec<Zone> = if *ranks == IDLE || entered.is_empty() {
            entered.into_iter().filter_map(|zone| later(zone, stay)).collect()
        } else {
            let awaited = self.awaited(cells, stay)?;
            without(entered, &awaited).iter().flat_map(|zone| waits(zone, stay, &awaited)).collect()
        };
        Ok(reached.into_iter().find_map(|zone| self.contains(cells, zone, ranks)))
    }

    /// The states of a zone after which something is awaited that does not hold wait for it.
    fn awaits(&mut self, cells: &[i32], stay: &Stay, zone: &Zone) -> Result<(), End> {
        let network = self.network;
        let fails = |error: EvalError| End::from(rejected(network, cells, &error, &[]));
        let triggered = meet(&mut self.semantics, self.claim.trigger.unwrap_or(&[]), cells, zone);
        let triggered = triggered.map_err(fails)?.into_iter().map(|(_, met)| met).collect();
        match self.lead_out(cells, stay, triggered, &WAITING).map_err(fails)? {
            None => Ok(()),
            Some(outside) => Err(self.rejection(Reason::Trigger, cells, zone, &[], Some((cells, &outside)))),
        }
    }

    /// Where what is awaited holds.
    fn awaited(&mut self, cells: &[i32], stay: &Stay) -> Result<Vec<Zone>, EvalError> {
        let Some(goals) = self.claim.awaited else { return Ok(Vec::new()) };
        let Some(everything) = self.everything(stay) else { return Ok(Vec::new()) };
        let met = meet(&mut self.semantics, goals, cells, &everything)?;
        Ok(met.into_iter().map(|(_, met)| met).collect())
    }

    /// All valuations that satisfy the invariants.
    fn everything(&self, stay: &Stay) -> Option<Zone> {
        Zone::within(self.network.clocks.len(), &stay.invariant)
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

    /// If it matters whether something is possible: the valuations from which some transition can be taken, now or later.
    fn escapes(&mut self, cells: &[i32], stay: &Stay, moves: &[Move], targets: &mut [Effect]) -> Vec<Zone> {
        let mut escapes = Vec::new();
        let about_deadlocks = self.claim.unreachable.iter().any(|goal| goal.deadlock.is_some());
        let matters = about_deadlocks || self.claim.awaited.is_some();
        let Some(everything) = matters.then(|| self.everything(stay)).flatten() else { return escapes };
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
        let met = meet(&mut self.semantics, self.claim.unreachable, cells, zone);
        let met = met.map_err(|error| rejected(self.network, cells, &error, &[]))?;
        for (goal, met) in met {
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

    /// Looks whether the set contains all states with these cells and clock values, with one of these ranks; some that it does not contain.
    fn contains(&self, cells: &[i32], zone: Zone, ranks: &Range<u32>) -> Option<Zone> {
        let mut row = Vec::with_capacity(self.set.layout.stride());
        let known = self.set.layout.pack(cells, &mut row).then(|| self.set.find(&row)).flatten();
        let Some(state) = known else { return Some(zone) };
        let members = || self.set.members(state).filter(|(_, rank)| ranks.contains(rank));
        let bounds = |(member, _): (u32, u32)| self.set.zones.get(member);
        if members().any(|member| bounds(member).all(|bound| zone.satisfies(bound))) {
            return None;
        }
        remainder(zone, members().map(|member| bounds(member).collect()))
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

/// What time makes of the valuations of a zone before one of some others is met, none of which it meets itself.
///
/// A valuation that is not behind such an obstacle is reached without meeting it. One that is, is reached so only from the part of the zone that is behind the obstacle as well. To start as late as possible
/// is best for all obstacles at once.
fn waits(from: &Zone, stay: &Stay, obstacles: &[Zone]) -> Vec<Zone> {
    let mut reached: Vec<Zone> = later(from.clone(), stay).into_iter().collect();
    if !stay.lets_time_pass {
        return reached;
    }
    for obstacle in obstacles {
        let behind = obstacle.clone().later().differences();
        let late = from.clone().and(&behind).map(|late| late.later().differences());
        let pass = |piece: Zone| {
            let around = late.as_ref().and_then(|late| piece.clone().and(late));
            piece.minus(&behind).into_iter().chain(around)
        };
        reached = reached.into_iter().flat_map(pass).collect();
    }
    reached
}

/// The part of a zone in which the guards of a transition hold, and those of receivers that stay out do not.
fn guarded(zone: &Zone, step: &Move) -> Vec<Zone> {
    let mut part: Vec<Zone> = zone.clone().and(&step.guard).into_iter().collect();
    for refused in &step.refused {
        part = part.into_iter().flat_map(|piece| piece.minus(refused)).collect();
    }
    part
}

/// The goals that hold in a part of a zone, as far as locations, data and clocks go, and that part.
fn meet<'g>(
    semantics: &mut Semantics<'_>,
    goals: &'g [Goal],
    cells: &[i32],
    zone: &Zone,
) -> Result<Vec<(&'g Goal, Zone)>, EvalError> {
    let mut met = Vec::new();
    for goal in goals {
        let is_there = goal.locations.iter().all(|(process, locations)| {
            locations.iter().any(|location| location.0 as i32 == cells[process.index()])
        });
        if !is_there {
            continue;
        }
        semantics.machine.load(cells);
        semantics.machine.attach(&goal.segment);
        if semantics.machine.holds(&goal.data)? {
            let clocks: &[ClockConstraint] = &goal.clocks;
            let part = zone.clone().and(&semantics.differences(clocks)?);
            met.extend(part.map(|part| (goal, part)));
        }
    }
    Ok(met)
}

/// What is left of some zones when others are taken away.
fn without(zones: Vec<Zone>, others: &[Zone]) -> Vec<Zone> {
    let take = |zones: Vec<Zone>, other: &Zone| {
        let bounds = other.differences();
        zones.into_iter().flat_map(|zone| zone.minus(&bounds)).collect()
    };
    others.iter().fold(zones, take)
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
