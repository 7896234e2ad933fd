//! States that wait with the same locations and data are merged where their zones together are a zone.
//!
//! Independent steps in another order lead to the same discrete state with clocks in another order, and each order is a zone of its own: k steps, k! zones, for one set of
//! valuations. Breadth-first search meets all orders at the same depth. So when the successors of a state were stored, each of them [grows](guidepost_zones::Unions) by others that wait with the
//! same locations and data: the union is stored, and its parts are dropped. Nothing is added: every valuation of the union was reached (where runs must be shortest, with as many steps: then
//! only states of one depth are merged). So nothing changes for goals and deadlocks either, and what was examined before need not be examined again.
//!
//! A merged state has several parents, and which of them a run comes from depends on where it goes. Runs are found backwards ([`Trail::path`]): the part of a zone from which
//! the rest of the run is possible lies in the zone of one of those that were merged, at least in part. Zones that were dropped in the meantime are
//! computed again from those of their parents.
//!
//! On request, all states with the same locations and data become one, whose zone is their convex hull. That is more than was reached: what is not found then cannot be reached, and a run may not exist.

use crate::effort;
use crate::evidence::Ways;
use crate::queue::Queue;
use guidepost_explore::{
    ClockDifference, Explorer, Inserted, PathStep, Replace, StateId, Store, SymbolicState, TraceError,
    differences,
};
use guidepost_zones::{Unions, Zone};
use rustc_hash::FxHashMap;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Attempts after which success is asked for.
const TRIAL: u64 = 256;
/// One of so many attempts should succeed.
const RARELY: u64 = 32;
/// Attempts may always take one of so many parts of what exploring takes.
const TO_TRY: u64 = 8;
/// Beyond that, they may take as much as it would have taken to expand the states that were saved, so many times: what would have come behind them is saved as well.
const SAVED_BEHIND: u64 = 2;

/// What a merged state was made of.
struct Parts {
    /// States within it, which were dropped; it is the hull of these.
    within: Vec<StateId>,
    /// States that may fill what is between them.
    between: Vec<StateId>,
}

/// What exploring has taken so far.
#[derive(Clone, Copy)]
pub(crate) struct Explored {
    pub(crate) states: u64,
    pub(crate) effort: u64,
}

/// Merges the states that a breadth-first search has waiting.
#[derive(Default)]
pub(crate) struct Merging {
    /// Merged states.
    merged: FxHashMap<StateId, Parts>,
    /// The states that may be merged with each other.
    parts: Vec<StateId>,
    unions: Unions,
    attempts: u64,
    /// States that need not be expanded, since others contain them.
    saved: u64,
    /// Whether all states with the same discrete part become one.
    to_hulls: bool,
    /// Hulls that were not examined yet.
    hulls: Vec<(StateId, SymbolicState)>,
}

impl Merging {
    /// Makes one state of all with the same discrete part.
    pub(crate) fn to_hulls() -> Self {
        Self { to_hulls: true, ..Self::default() }
    }

    /// Hulls that were made since this was asked last. They have more than their parts, and what is covered by them is examined with them or never.
    pub(crate) fn take_hulls(&mut self) -> Vec<(StateId, SymbolicState)> {
        std::mem::take(&mut self.hulls)
    }

    /// Whether states may contain more than was reached.
    pub(crate) fn is_approximate(&self) -> bool {
        self.to_hulls && !self.merged.is_empty()
    }

    /// Merges the states stored since `from` with others that wait, as long as that pays. Those that wait and come before `oldest` are left as they are.
    pub(crate) fn merge(
        &mut self,
        explored: Explored,
        from: usize,
        oldest: StateId,
        store: &mut Store,
        queue: &mut Queue,
        explorer: &mut Explorer<'_>,
    ) {
        if !self.pays(explored) {
            return;
        }
        let mut next = from;
        // Merged states come last, and can be merged again.
        while next < store.len() {
            let id = StateId(next as u32);
            if store.is_alive(id) && !store.is_alone(id) {
                self.merge_state(id, oldest, store, queue, explorer);
            }
            next += 1;
        }
    }

    fn merge_state(
        &mut self,
        id: StateId,
        oldest: StateId,
        store: &mut Store,
        queue: &mut Queue,
        explorer: &mut Explorer<'_>,
    ) {
        store.alongside(id, &mut self.parts);
        // Those that come later look at this one when it is their turn.
        self.parts.retain(|&part| part >= oldest && part <= id && (self.to_hulls || queue.waits(part)));
        if self.parts.len() < 2 || !self.is_worth_trying() {
            return;
        }
        // The new state first, then those that were found a short while ago.
        self.parts.sort_unstable_by(|one, other| other.cmp(one));
        debug_assert_eq!(self.parts[0], id, "it waits itself");
        let parts = &self.parts;
        self.unions.clear();
        for &part in parts {
            store.load(part, explorer);
            self.unions.push(explorer.source().zone.clone());
        }
        let grown = if self.to_hulls { self.unions.hull() } else { self.unions.grow_first() };
        let Some(zone) = grown else { return };
        let within: Vec<StateId> = self.unions.within(&zone).map(|position| parts[position]).collect();
        let between = parts.iter().copied().filter(|part| !within.contains(part)).collect();
        // The explorer holds one of the parts; they differ in their zones only.
        let mut state = explorer.source().clone();
        state.zone = zone;
        let (parent, ordinal) = (store.parent(id), store.ordinal(id));
        let replace = Replace::Parts(queue.next(), oldest);
        let inserted = store.insert(explorer.packing(), &state, parent, ordinal, replace);
        let Inserted::New(new) = inserted else { unreachable!("nothing covers a state with these parts") };
        debug_assert!(within.iter().all(|&part| !store.is_alive(part)), "its parts are dropped");
        self.saved += within.len() as u64 - 1;
        self.merged.insert(new, Parts { within, between });
        if self.to_hulls {
            self.hulls.push((new, state));
        }
        queue.push(new, store.dropped());
    }

    /// Whether attempts have not cost more than they save. Where many zones wait, an attempt may take longer than many expansions.
    fn pays(&self, explored: Explored) -> bool {
        let expansion = explored.effort / explored.states.max(1);
        let worth = explored.effort / TO_TRY + SAVED_BEHIND * self.saved * expansion;
        self.to_hulls || self.attempts < TRIAL || effort::of_looking(self.touched()) <= worth
    }

    /// Where hardly any attempt succeeds, there are no more of them: zones of many clocks are expensive to compare.
    fn is_worth_trying(&mut self) -> bool {
        self.attempts += 1;
        self.to_hulls || self.attempts < TRIAL || self.merged() * RARELY >= self.attempts
    }

    /// How many states were made of others.
    pub(crate) fn merged(&self) -> u64 {
        self.merged.len() as u64
    }

    /// Entries of zones that were looked at for it.
    pub(crate) fn touched(&self) -> u64 {
        self.unions.touched()
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.merged.len() * (size_of::<(StateId, Parts)>() + 16)
    }
}

/// The ways to all states of a search.
pub(crate) struct Trail {
    pub(crate) store: Store,
    /// What merged states were made of.
    merged: FxHashMap<StateId, Parts>,
}

impl Trail {
    pub(crate) fn new(store: Store, merging: Option<Merging>) -> Self {
        Self { store, merged: merging.map(|merging| merging.merged).unwrap_or_default() }
    }

    /// The transitions of a run to a state, at whose end some constraints hold.
    pub(crate) fn path(
        &self,
        id: StateId,
        finally: &[ClockDifference],
        explorer: &mut Explorer<'_>,
    ) -> Result<Vec<PathStep>, TraceError> {
        let is_simple = |id: StateId| !self.merged.contains_key(&id);
        if std::iter::successors(Some(id), |&id| self.store.parent(id)).all(is_simple) {
            return explorer.path(&self.store.ordinals(id));
        }
        let mut known = Zones { trail: self, zones: HashMap::new() };
        known.find(id, explorer)?;
        let state = explorer.source();
        let mut part = state.zone.clone();
        for &difference in finally {
            let place = |clock| state.place(clock).ok_or(TraceError::Infeasible);
            if !part.constrain(place(difference.left)?, place(difference.right)?, difference.bound) {
                return Err(TraceError::Infeasible);
            }
        }
        let (mut at, mut path) = (id, Vec::new());
        while let Some((step, source, from)) = known.step_back(at, &part, explorer)? {
            path.push(step);
            (at, part) = (source, from);
        }
        path.reverse();
        Ok(path)
    }

    /// The ways to its states.
    pub(crate) fn into_ways(self) -> Box<Ways<'static>> {
        Box::new(move |id, finally, explorer| self.path(id, finally, explorer))
    }

    /// States that were not merged and together contain a state; itself if it was not merged.
    fn parts(&self, id: StateId) -> Vec<StateId> {
        self.unmerged(id, |parts| parts.within.iter().chain(&parts.between))
    }

    /// States that were not merged and of which one is the hull; itself if it was not merged.
    fn corners(&self, id: StateId) -> Vec<StateId> {
        self.unmerged(id, |parts| parts.within.iter().chain(&[]))
    }

    fn unmerged<'t, I: Iterator<Item = &'t StateId>>(
        &'t self,
        id: StateId,
        choose: impl Fn(&'t Parts) -> I,
    ) -> Vec<StateId> {
        let (mut open, mut seen, mut found) = (vec![id], HashSet::from([id]), Vec::new());
        while let Some(id) = open.pop() {
            match self.merged.get(&id) {
                Some(parts) => open.extend(choose(parts).filter(|&&part| seen.insert(part))),
                None => found.push(id),
            }
        }
        found
    }
}

/// A transition, the state it leaves from, and the part of its zone.
type StepBack = (PathStep, StateId, Zone);

/// Zones of states, some of which were dropped.
struct Zones<'t> {
    trail: &'t Trail,
    zones: HashMap<StateId, SymbolicState>,
}

impl Zones<'_> {
    /// Makes a state the explorer's source; computes it again if it was dropped.
    fn find(&mut self, id: StateId, explorer: &mut Explorer<'_>) -> Result<(), TraceError> {
        let store = &self.trail.store;
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            if store.is_alive(next) || self.zones.contains_key(&next) {
                open.pop();
                continue;
            }
            let parts = self.trail.corners(next);
            let is_missing = |id: &StateId| !store.is_alive(*id) && !self.zones.contains_key(id);
            let missing: Vec<StateId> =
                parts.iter().filter_map(|&part| store.parent(part)).filter(is_missing).collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            let mut whole: Option<SymbolicState> = None;
            for part in parts {
                let (state, _) = self.part(part, explorer)?;
                match &mut whole {
                    Some(whole) => whole.zone.convex_hull(&state.zone),
                    None => whole = Some(state),
                }
            }
            self.zones.insert(next, whole.ok_or(TraceError::Lost(0))?);
        }
        match self.zones.get(&id) {
            Some(state) => explorer.set_source(state),
            None => store.load(id, explorer),
        }
        Ok(())
    }

    /// A state that was not merged, as it was stored, and the edges that lead to it. The zone of its parent is known.
    fn part(
        &mut self,
        id: StateId,
        explorer: &mut Explorer<'_>,
    ) -> Result<(SymbolicState, Vec<guidepost_network::EdgeId>), TraceError> {
        let ordinal = self.trail.store.ordinal(id);
        let Some(parent) = self.trail.store.parent(id) else {
            let initial = explorer.initial_states()?.into_iter().nth(ordinal as usize);
            return initial.map(|state| (state, Vec::new())).ok_or(TraceError::Lost(0));
        };
        self.find(parent, explorer)?;
        let (mut seen, mut found) = (0, None);
        let now = explorer.first_ordinal();
        let ordinal = explorer.recall(ordinal);
        explorer.expand_source(&mut |state, edges| {
            if seen == ordinal {
                found = Some((state.clone(), edges.to_vec()));
                return ControlFlow::Break(());
            }
            seen += 1;
            ControlFlow::Continue(())
        })?;
        explorer.recall(now);
        found.ok_or(TraceError::Lost(0))
    }

    /// The last transition of a run into a part of a state's zone; `None` when it is an initial state.
    fn step_back(
        &mut self,
        id: StateId,
        into: &Zone,
        explorer: &mut Explorer<'_>,
    ) -> Result<Option<StepBack>, TraceError> {
        for part in self.trail.parts(id) {
            let (state, edges) = self.part(part, explorer)?;
            let mut reached = state.zone.clone();
            if !reached.intersect(into) {
                continue;
            }
            let Some(parent) = self.trail.store.parent(part) else { return Ok(None) };
            let renaming = explorer.renaming();
            let piece = explorer.piece().cloned();
            let restriction = piece.map_or_else(Vec::new, |zone| differences(explorer.source(), &zone));
            if let Some(from) = explorer.pull_back(&edges, &reached)? {
                return Ok(Some((PathStep { edges, restriction, renaming }, parent, from)));
            }
        }
        Err(TraceError::Infeasible)
    }
}
