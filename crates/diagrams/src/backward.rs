//! Backwards from a goal: with all machines, or with as few as decide it.
//!
//! A sort begins with the machines that the goal mentions. Going backwards within it reaches only configurations from which the goal is reachable for certain, so that the search
//! ends as soon as the start is among them. If it is not, machines are added, and what was reached is kept: it stays right. When the sort is closed, everything was found, and
//! the goal is unreachable unless a configuration in which its base is entered leads there.
//!
//! Where the base is known to be reachable, and everything that it can be entered with leads to the goal, the goal is reachable, and nothing above the base matters.

use crate::encoding::Encoding;
use crate::method::{Growth, Method};
use crate::relation::{Relation, Relations};
use crate::sort::Sort;
use crate::space::{Made, Set, Stopped, size};
use crate::statistics::Statistics;
use guidepost_machines::sem::{StateId, StateKind, System, TransitionId};
use std::collections::BTreeSet;

/// What is asked for: a set of configurations, and the sort it belongs to.
#[derive(Clone)]
pub(crate) struct Goal {
    pub(crate) sort: Sort,
    pub(crate) set: Set,
}

impl Goal {
    /// The same goal, as one about the whole system.
    pub(crate) fn at_root(&self, encoding: &Encoding) -> Made<Goal> {
        let sort = Sort::of(
            encoding,
            System::ROOT,
            self.sort.members.iter().copied().chain(encoding.above(self.sort.base)),
        );
        let set = self.sort.lift(encoding, &sort, &self.set)?;
        Ok(Goal { sort, set })
    }
}

/// Whether a goal is reachable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Reachable,
    /// And the machines that show it.
    Unreachable(Vec<usize>),
}

/// What is known of a state.
pub(crate) type Known = Result<Answer, Stopped>;

/// Sets, each of which leads to one before it: the goal first.
#[derive(Default)]
pub(crate) struct Trail {
    pub(crate) rings: Vec<(StateId, Set)>,
    /// The state that must be entered to be on the trail; the start is on it without one.
    pub(crate) entered: Option<StateId>,
}

/// Decides goals by going backwards.
pub(crate) struct Backward {
    pub(crate) relations: Relations,
    growth: Growth,
    is_hierarchical: bool,
    /// For every state, whether it is reachable; states above others come first.
    pub(crate) known: Vec<Option<Known>>,
}

impl Backward {
    pub(crate) fn new(encoding: &Encoding, method: Method) -> Self {
        Self {
            relations: Relations::new(encoding),
            growth: method.growth(),
            is_hierarchical: method.is_hierarchical(),
            known: vec![None; encoding.system.states.len()],
        }
    }

    /// The goal of a set that is a subset of where `source` is active, and depends on whether some states are active.
    pub(crate) fn goal(
        &self,
        encoding: &Encoding,
        set: &Set,
        source: StateId,
        states: impl IntoIterator<Item = StateId>,
    ) -> Made<Goal> {
        let hierarchy = encoding.hierarchy();
        let serial: Vec<StateId> =
            states.into_iter().chain([source]).filter_map(|state| hierarchy.serial_above(state)).collect();
        let machines = serial.iter().filter_map(|&state| hierarchy.place(state));
        let lowest = hierarchy.serial_above(source).filter(|_| self.is_hierarchical).unwrap_or(System::ROOT);
        let mut sort = Sort::of(encoding, lowest, machines);
        if self.growth == Growth::Everything {
            sort = Sort::everything(encoding, sort.base);
        }
        let set = encoding.space.under(set, &encoding.active(sort.base)?)?;
        Ok(Goal { sort, set })
    }

    /// Decides a goal, and leaves a trail that leads to it.
    pub(crate) fn decide(
        &mut self,
        encoding: &Encoding,
        goal: &Goal,
        trail: &mut Trail,
        statistics: &mut Statistics,
    ) -> Made<Answer> {
        let Goal { mut sort, set: mut reached } = goal.clone();
        trail.rings.push((sort.base, reached.clone()));
        let mut relation = self.first_relation(encoding, &mut sort, &mut reached)?;
        loop {
            if let Some(answer) = self.close(encoding, &relation, &mut reached, trail, statistics)? {
                return Ok(answer);
            }
            let always = encoding.hierarchy().serial_above(sort.base).is_none();
            let wider = if !relation.is_closed() {
                relation.extended(encoding)
            } else if always || !encoding.space.overlap(&entries(encoding, &sort)?, &reached)? {
                return Ok(Answer::Unreachable(sort.members.into_iter().collect()));
            } else {
                self.raised(encoding, &sort)
            };
            reached = sort.lift(encoding, &wider, &reached)?;
            statistics.enlargements += 1;
            sort = wider;
            relation = self.relations.of(encoding, &sort, false)?;
        }
    }

    fn first_relation(&mut self, encoding: &Encoding, sort: &mut Sort, reached: &mut Set) -> Made<Relation> {
        let mut relation = self.relations.of(encoding, sort, false)?;
        while self.growth == Growth::Closure && !relation.is_closed() {
            let wider = relation.extended(encoding);
            *reached = sort.lift(encoding, &wider, reached)?;
            *sort = wider;
            relation = self.relations.of(encoding, sort, false)?;
        }
        Ok(relation)
    }

    /// Goes backwards until nothing is added, or the answer is known.
    fn close(
        &self,
        encoding: &Encoding,
        relation: &Relation,
        reached: &mut Set,
        trail: &mut Trail,
        statistics: &mut Statistics,
    ) -> Made<Option<Answer>> {
        let base = relation.sort.base;
        let begins_here = encoding.interpreter.is_active(encoding.initial(), base);
        let always = encoding.hierarchy().serial_above(base).is_none();
        let known = if always { Some(Ok(Answer::Reachable)) } else { self.known[base.index()].clone() };
        if let Some(Ok(Answer::Unreachable(because))) = known {
            return Ok(Some(Answer::Unreachable(because)));
        }
        let entries = match known {
            Some(Ok(Answer::Reachable)) if !always => Some(entries(encoding, &relation.sort)?),
            _ => None,
        };
        let mut new = reached.clone();
        loop {
            statistics.see(relation.sort.members.len(), size(reached));
            if begins_here && encoding.has(reached, encoding.initial()) {
                return Ok(Some(Answer::Reachable));
            }
            if let Some(entries) = &entries
                && encoding.space.is_subset(entries, reached)?
            {
                trail.entered = Some(base);
                return Ok(Some(Answer::Reachable));
            }
            // A closed sort misses nothing when only what is new is looked at; but that is often the larger diagram.
            let new_only = relation.is_closed() && size(&new) < size(reached);
            let from = if new_only { &new } else { &*reached };
            let before = relation.before(encoding, from, None)?;
            let before = relation.whatever_outside(encoding, &before)?;
            let next = encoding.space.or(reached, &before)?;
            if next == *reached {
                return Ok(None);
            }
            new = encoding.space.minus(&next, reached)?;
            *reached = next;
            trail.rings.push((base, reached.clone()));
        }
    }

    /// The sort with the machine above its base as the new base.
    fn raised(&self, encoding: &Encoding, sort: &Sort) -> Sort {
        let above = encoding.hierarchy().serial_above(sort.base).unwrap_or(System::ROOT);
        if self.growth == Growth::Everything {
            return Sort::everything(encoding, above);
        }
        Sort::of(encoding, above, sort.members.iter().copied())
    }

    /// The configurations in which a machine never changes again while it is active, if there are any: those from which no path leads to another of its children, or out of it.
    pub(crate) fn stuck(
        &mut self,
        encoding: &Encoding,
        machine: usize,
        statistics: &mut Statistics,
    ) -> Made<Option<Goal>> {
        let space = &encoding.space;
        let state = encoding.state_of(machine);
        let lowest = if self.is_hierarchical { state } else { System::ROOT };
        let mut sort = Sort::of(encoding, lowest, [machine]);
        if self.growth == Growth::Everything {
            sort = Sort::everything(encoding, sort.base);
        }
        let mut live = space.not(&encoding.active_within(sort.base, state)?)?;
        loop {
            let relation = self.relations.of(encoding, &sort, true)?;
            loop {
                statistics.see(sort.members.len(), size(&live));
                if space.is_subset(relation.valid(), &live)? {
                    return Ok(None);
                }
                let before = relation.before(encoding, &live, Some(machine))?;
                let before = space.or(&before, &relation.leaving)?;
                let next = space.or(&live, &relation.whatever_outside(encoding, &before)?)?;
                if next == live {
                    break;
                }
                live = next;
            }
            if relation.is_closed() {
                let set = space.minus(relation.valid(), &live)?;
                return Ok(Some(Goal { sort, set }));
            }
            let wider = relation.extended(encoding);
            let active = encoding.active_within(wider.base, sort.base)?;
            // Where the old base is inactive, so is the machine.
            live = space.or(&live, &space.not(&active)?)?;
            sort = wider;
            statistics.enlargements += 1;
        }
    }
}

/// What the base of a sort can be entered with, or more: serial states at their defaults unless they lead to the target of a transition, states with history anywhere.
fn entries(encoding: &Encoding, sort: &Sort) -> Made {
    let (hierarchy, base) = (encoding.hierarchy(), sort.base);
    let enters = |id: &TransitionId| {
        let target = encoding.system.transition(*id).target;
        encoding.reaches_beyond(*id, base) && hierarchy.is_above(base, target)
    };
    let ids = encoding.system.transition_ids().filter(enters);
    let targets: BTreeSet<StateId> = ids.map(|id| encoding.system.transition(id).target).collect();
    let mut all = entry(encoding, sort, base)?;
    for target in targets {
        all = encoding.space.or(&all, &entry(encoding, sort, target)?)?;
    }
    Ok(all)
}

fn entry(encoding: &Encoding, sort: &Sort, target: StateId) -> Made {
    let (space, hierarchy) = (&encoding.space, encoding.hierarchy());
    let mut set = encoding.valid(sort.members.iter().copied())?;
    for &machine in &sort.members {
        let state = encoding.state_of(machine);
        if hierarchy.is_above(state, target) {
            let towards = hierarchy.child_towards(encoding.system, state, target);
            set = space.and(&set, encoding.at(machine, towards))?;
        } else if let StateKind::Serial { default } = encoding.system.state(state).kind
            && hierarchy.contains(sort.base, state)
        {
            let active = encoding.active_within(sort.base, state)?;
            let elsewhere = space.minus(&active, encoding.at(machine, default))?;
            set = space.minus(&set, &elsewhere)?;
        }
    }
    Ok(set)
}
