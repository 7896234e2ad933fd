//! One step backwards, as far as the machines of a sort can tell.
//!
//! A configuration leads to a set if, whatever the machines outside of the sort are at, some event leads there. So the result is always right, and smaller than the truth as long as
//! guards mention machines outside; it is exact when the sort is *closed* under what its transitions depend on (Lind-Nielsen et al. 2001, Behrmann et al. 2002).
//!
//! Transitions with a scope above the base count if the base is still active after them. Those that leave it cannot lead to a set of the sort. They are only remembered
//! where machines that are not below the base belong to the sort, since these may move while the base is left; elsewhere whatever moves in the sort excludes them.

use crate::encoding::{Effect, Encoding};
use crate::sort::Sort;
use crate::space::{Made, Renaming, Set};
use guidepost_machines::sem::{EventId, StateId, TransitionId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What an event does to the machines of a sort that it can change.
pub(crate) struct EventRelation {
    /// Those machines.
    pub(crate) moved: Vec<usize>,
    /// The transitions that do it.
    pub(crate) transitions: Vec<TransitionId>,
    /// For each machine, how its next value follows; and its next variables.
    parts: Vec<(Set, Set)>,
    /// Which transitions may be chosen together, and the bits that say so.
    choice: Option<(Set, Set)>,
    /// From current to next variables of the machines.
    to_next: Renaming,
    /// And back.
    to_now: Renaming,
}

/// What all events do to the machines of a sort.
pub(crate) struct Relation {
    pub(crate) sort: Sort,
    pub(crate) events: Vec<Rc<EventRelation>>,
    /// The current variables of machines outside that transitions depend on, and their valid values.
    outside: Option<(Set, Set)>,
    valid: Set,
    /// The machines that the sort needs to be closed.
    pub(crate) wanted: BTreeSet<usize>,
    /// Where something enabled leaves the base.
    pub(crate) leaving: Set,
}

impl Relation {
    /// Whether a step backwards is exact.
    pub(crate) fn is_closed(&self) -> bool {
        self.wanted.is_empty()
    }

    /// The sort with the machines that it depends on.
    pub(crate) fn extended(&self, encoding: &Encoding) -> Sort {
        let machines = self.sort.members.iter().chain(&self.wanted).copied();
        Sort::of(encoding, self.sort.base, machines)
    }

    /// All valid values of the sort.
    pub(crate) fn valid(&self) -> &Set {
        &self.valid
    }

    /// Takes a condition that may speak of machines outside to what holds whatever they are at.
    pub(crate) fn whatever_outside(&self, encoding: &Encoding, set: &Set) -> Made {
        let set = match &self.outside {
            Some((variables, valid)) => encoding.space.for_all(valid, set, variables)?,
            None => set.clone(),
        };
        encoding.space.and(&set, &self.valid)
    }

    /// From where some event leads to the set, or changes the machine `watched`. It may speak of machines outside.
    pub(crate) fn before(&self, encoding: &Encoding, set: &Set, watched: Option<usize>) -> Made {
        let mut all = encoding.space.none();
        for event in &self.events {
            all = encoding.space.or(&all, &event.before(encoding, set, watched)?)?;
        }
        Ok(all)
    }
}

impl EventRelation {
    fn before(&self, encoding: &Encoding, set: &Set, watched: Option<usize>) -> Made {
        let space = &encoding.space;
        let mut now = space.rename(set, &self.to_next)?;
        if let Some(watched) = watched.filter(|machine| self.moved.contains(machine)) {
            now = space.or(&now, &space.not(encoding.same(watched))?)?;
        }
        for (part, next) in &self.parts {
            now = space.and_exists(part, &now, next)?;
        }
        match &self.choice {
            Some((rule, bits)) => space.and_exists(rule, &now, bits),
            None => Ok(now),
        }
    }

    /// Where the event leads from a set, of which every part is taken at once and variables go as soon as nothing needs them.
    pub(crate) fn after(&self, encoding: &Encoding, set: &Set) -> Made {
        let space = &encoding.space;
        let mut next = set.clone();
        if let Some((rule, _)) = &self.choice {
            next = space.and(&next, rule)?;
        }
        for (at, (part, _)) in self.parts.iter().enumerate() {
            next = space.and_exists(part, &next, &self.last_needed(encoding, at)?)?;
        }
        if let Some((_, bits)) = &self.choice {
            next = space.exists(&next, bits)?;
        }
        space.rename(&next, &self.to_now)
    }

    /// The current variables that no part behind this one needs.
    fn last_needed(&self, encoding: &Encoding, at: usize) -> Made {
        let needed = |part: usize| {
            let machine = self.moved[part];
            let state = encoding.state_of(machine);
            let covering = self.transitions.iter().copied();
            let covering = covering
                .filter(move |&id| encoding.hierarchy().covers(encoding.hierarchy().scope(id), state));
            covering.flat_map(|id| encoding.needs(id).iter().copied()).chain([machine])
        };
        let later: BTreeSet<usize> = (at + 1..self.parts.len()).flat_map(needed).collect();
        let here: BTreeSet<usize> = (0..=at).flat_map(needed).collect();
        let done = self.moved.iter().filter(|machine| here.contains(machine) && !later.contains(machine));
        encoding.space.cube(done.flat_map(|&machine| encoding.now(machine).iter().copied()))
    }

    /// The relation as one set over current and next variables of the machines that it changes.
    pub(crate) fn whole(&self, encoding: &Encoding) -> Made {
        let space = &encoding.space;
        let mut whole = space.all();
        for (part, _) in &self.parts {
            whole = space.and(&whole, part)?;
        }
        match &self.choice {
            Some((rule, bits)) => space.and_exists(rule, &whole, bits),
            None => Ok(whole),
        }
    }
}

/// An event, a base, the machines that are changed, and whether the sort has machines that are not below the base.
type Key = (EventId, StateId, Vec<usize>, bool);

/// Makes relations, each part once.
pub(crate) struct Relations {
    events: FxHashMap<Key, Rc<EventRelation>>,
    /// For every machine, the transitions that can change it.
    covering: Vec<Vec<TransitionId>>,
}

impl Relations {
    pub(crate) fn new(encoding: &Encoding) -> Self {
        let mut covering = vec![Vec::new(); encoding.machines()];
        for (machine, covering) in covering.iter_mut().enumerate() {
            let state = encoding.state_of(machine);
            let hierarchy = encoding.hierarchy();
            let ids = encoding.system.transition_ids();
            covering.extend(ids.filter(|&id| hierarchy.covers(hierarchy.scope(id), state)));
        }
        Self { events: FxHashMap::default(), covering }
    }

    /// The relation of a sort. With `leaving`, it also says where the base can be left, and wants what that depends on.
    pub(crate) fn of(&mut self, encoding: &Encoding, sort: &Sort, leaving: bool) -> Made<Relation> {
        let base = sort.base;
        let counts = |id: TransitionId| !encoding.reaches_beyond(id, base) || encoding.keeps(id, base);
        let mut by_event: BTreeMap<EventId, (Vec<usize>, BTreeSet<TransitionId>)> = BTreeMap::new();
        let mut leavers = BTreeSet::new();
        for &machine in &sort.members {
            for &id in &self.covering[machine] {
                if !counts(id) {
                    leavers.insert(id);
                    continue;
                }
                let (moved, ids) = by_event.entry(encoding.system.transition(id).event).or_default();
                if moved.last() != Some(&machine) {
                    moved.push(machine);
                }
                ids.insert(id);
            }
        }
        let mut events = Vec::new();
        let (mut outside, mut wanted) = (BTreeSet::new(), BTreeSet::new());
        let fixed = encoding.above(base);
        let is_outside = |machine: &usize| !sort.members.contains(machine) && !fixed.contains(machine);
        for (event, (moved, ids)) in by_event {
            for &id in &ids {
                outside.extend(encoding.needs(id).iter().copied().filter(is_outside));
                wanted.extend(blockers(encoding, id, &ids).filter(is_outside));
            }
            events.push(self.event(encoding, sort, event, moved, (&ids, &leavers))?);
        }
        let given = encoding.active(base)?;
        let mut left = encoding.space.none();
        if leaving {
            for id in leavers {
                outside.extend(encoding.needs(id).iter().copied().filter(is_outside));
                left = encoding.space.or(&left, &encoding.space.under(encoding.enabled(id), &given)?)?;
            }
        }
        wanted.extend(outside.iter().copied());
        let valid = encoding.valid(sort.members.iter().copied())?;
        let outside = outside_variables(encoding, &outside)?;
        Ok(Relation { sort: sort.clone(), events, outside, valid, wanted, leaving: left })
    }

    fn event(
        &mut self,
        encoding: &Encoding,
        sort: &Sort,
        event: EventId,
        moved: Vec<usize>,
        (ids, leavers): (&BTreeSet<TransitionId>, &BTreeSet<TransitionId>),
    ) -> Made<Rc<EventRelation>> {
        let below = |&machine: &usize| encoding.hierarchy().contains(sort.base, encoding.state_of(machine));
        let is_wide = !sort.members.iter().all(below);
        let key = (event, sort.base, moved, is_wide);
        if let Some(known) = self.events.get(&key) {
            return Ok(Rc::clone(known));
        }
        let space = &encoding.space;
        let given = encoding.active(sort.base)?;
        let moved = key.2.clone();
        let mut fired = BTreeMap::new();
        for &id in ids {
            let mut set = space.under(encoding.enabled(id), &given)?;
            if let Some(bit) = encoding.choice(id) {
                set = space.and(&set, &space.literal(bit, true)?)?;
            }
            fired.insert(id, set);
        }
        let mut parts = Vec::new();
        for &machine in &moved {
            let next = space.cube(encoding.next(machine).iter().copied())?;
            let covering = self.covering[machine].iter().filter(|id| ids.contains(id));
            parts.push((part(encoding, machine, covering.map(|id| (*id, &fired[id])))?, next));
        }
        let variables = |next: bool| -> Vec<_> {
            let of = |&machine: &usize| if next { encoding.next(machine) } else { encoding.now(machine) };
            moved.iter().flat_map(of).copied().collect()
        };
        let (now, next) = (variables(false), variables(true));
        let mut choice = choice(encoding, &given, &fired)?;
        let is_leaver = |id: &TransitionId| encoding.system.transition(*id).event == event;
        for &id in leavers.iter().filter(|id| is_wide && is_leaver(id)) {
            choice = Some(without_forced(encoding, &given, &fired, id, choice)?);
        }
        let relation = Rc::new(EventRelation {
            parts,
            choice,
            to_next: space.renaming(&now, &next)?,
            to_now: space.renaming(&next, &now)?,
            transitions: ids.iter().copied().collect(),
            moved,
        });
        self.events.insert(key, Rc::clone(&relation));
        Ok(relation)
    }
}

fn outside_variables(encoding: &Encoding, machines: &BTreeSet<usize>) -> Made<Option<(Set, Set)>> {
    if machines.is_empty() {
        return Ok(None);
    }
    let variables = machines.iter().flat_map(|&machine| encoding.now(machine).iter().copied());
    Ok(Some((encoding.space.cube(variables)?, encoding.valid(machines.iter().copied())?)))
}

/// The machines of rivals that are left out, and could keep a transition from firing while others go on: those of scopes below its own.
fn blockers<'e>(
    encoding: &'e Encoding,
    id: TransitionId,
    ids: &'e BTreeSet<TransitionId>,
) -> impl Iterator<Item = usize> + 'e {
    let left_out = encoding.rivals(id).iter().filter(move |&&rival| !ids.contains(&rival));
    left_out
        .filter(move |&&rival| {
            let (Some(own), Some(other)) =
                (encoding.hierarchy().scope(id), encoding.hierarchy().scope(rival))
            else {
                return encoding.hierarchy().scope(rival).is_some();
            };
            encoding.hierarchy().is_above(own, other)
        })
        .flat_map(move |&rival| {
            let scope = encoding.hierarchy().scope(rival).and_then(|scope| encoding.hierarchy().place(scope));
            encoding.needs(rival).iter().copied().chain(scope)
        })
}

/// How the next value of a machine follows from which transitions fire. At most one of those that cover it does.
fn part<'t>(
    encoding: &Encoding,
    machine: usize,
    covering: impl Iterator<Item = (TransitionId, &'t Set)>,
) -> Made {
    let space = &encoding.space;
    let (mut moves, mut some) = (space.none(), space.none());
    for (id, fired) in covering {
        let effect = match encoding.effect(id, machine) {
            Effect::Set(child) => encoding.next_at(machine, child),
            Effect::Keep => encoding.same(machine),
        };
        moves = space.or(&moves, &space.and(fired, effect)?)?;
        some = space.or(&some, fired)?;
    }
    space.or(&moves, &space.minus(encoding.same(machine), &some)?)
}

/// Which of the transitions may be chosen together: no two rivals, and one of them wherever one is enabled.
fn choice(encoding: &Encoding, given: &Set, fired: &BTreeMap<TransitionId, Set>) -> Made<Option<(Set, Set)>> {
    let space = &encoding.space;
    let chosen: Vec<TransitionId> =
        fired.keys().copied().filter(|&id| encoding.choice(id).is_some()).collect();
    if chosen.is_empty() {
        return Ok(None);
    }
    let mut rule = space.all();
    for &id in &chosen {
        let mut one_fires = fired[&id].clone();
        for rival in encoding.rivals(id) {
            let Some(other) = fired.get(rival) else { continue };
            one_fires = space.or(&one_fires, other)?;
            if encoding.choice(*rival).is_some() && id < *rival {
                rule = space.minus(&rule, &space.and(&fired[&id], other)?)?;
            }
        }
        let enabled = space.under(encoding.enabled(id), given)?;
        rule = space.minus(&rule, &space.minus(&enabled, &one_fires)?)?;
    }
    let bits = space.cube(chosen.iter().filter_map(|&id| encoding.choice(id)))?;
    Ok(Some((rule, bits)))
}

/// A rule that also excludes what cannot be: a transition that leaves the base is enabled, and none of its rivals fires instead.
fn without_forced(
    encoding: &Encoding,
    given: &Set,
    fired: &BTreeMap<TransitionId, Set>,
    id: TransitionId,
    rule: Option<(Set, Set)>,
) -> Made<(Set, Set)> {
    let space = &encoding.space;
    let (rule, bits) = rule.unwrap_or_else(|| (space.all(), space.all()));
    let mut forced = space.under(encoding.enabled(id), given)?;
    for other in encoding.rivals(id).iter().filter_map(|rival| fired.get(rival)) {
        forced = space.minus(&forced, other)?;
    }
    Ok((space.minus(&rule, &forced)?, bits))
}
