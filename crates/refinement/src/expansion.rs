//! Expanding a node: successors for what its exact zone can do, a stronger label for what it cannot.

use crate::graph::{Graph, NONE, UNKNOWN};
use crate::labels::Coverage;
use crate::lazy::{Builder, End};
use crate::setting::{Scope, Setting};
use crate::source::{Source, may_be_below};
use guidepost_answer::Watch;
use guidepost_explore::{Candidate, Candidates, ClockDifference, Explorer, Failure, Moves, TimeDomain};
use guidepost_network::{ClockId, EdgeId, EvalError};
use guidepost_zones::{Bound, Constraint, LuBounds, NO_BOUND, Zone};
use std::ops::Range;

/// What happened, if it is the end.
type Step = Result<Option<End>, Failure>;

/// Transitions that locations and data allow, each with a guard that is a conjunction.
#[derive(Default)]
pub(crate) struct Openings {
    list: Vec<Opening>,
    guards: Vec<ClockDifference>,
}

/// One of them.
struct Opening {
    /// Which candidate it is.
    position: usize,
    /// Into the guards.
    guard: Range<usize>,
    /// The guard says more than those of the edges.
    is_split: bool,
}

impl Openings {
    fn clear(&mut self) {
        self.list.clear();
        self.guards.clear();
    }

    /// For each: which candidate it is, its guard, and whether that says more than those of the edges.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &[ClockDifference], bool)> {
        self.list
            .iter()
            .map(|opening| (opening.position, &self.guards[opening.guard.clone()], opening.is_split))
    }

    /// Adds one whose guard has been added.
    fn close(&mut self, position: usize, start: usize, is_split: bool) {
        self.list.push(Opening { position, guard: start..self.guards.len(), is_split });
    }
}

impl Builder<'_> {
    /// Makes the root.
    pub(crate) fn begin(&mut self) -> Step {
        if self.moves.start().map_err(Failure::outside)? {
            self.arrive_at(NONE, &[], &[], false, &Zone::zero(1))
        } else {
            Ok(None)
        }
    }

    /// Expands a node. It may have thousands of successors, so limits are watched on the way.
    pub(crate) fn expand(&mut self, node: u32, watch: &mut Watch) -> Step {
        self.statistics.explored += 1;
        self.labels.time.list_expanded(&mut self.graph, node);
        self.graph.cells(self.graph.nodes[node as usize].part, &mut self.cells);
        self.avoid_goals(node);
        let mut candidates = std::mem::take(&mut self.candidates);
        let mut openings = std::mem::take(&mut self.openings);
        let step = self.find_openings(node, &mut candidates, &mut openings).and_then(|()| {
            // An error of the model in one successor counts more than a goal in another.
            let mut end = None;
            for (position, guard, is_split) in openings.iter() {
                if let Some(reason) = watch.check_successor(|| self.bytes()) {
                    return Ok(end.or(Some(End::Stopped(reason))));
                }
                let found = self.fire(node, candidates.get(position).edges, guard, is_split)?;
                end = end.or(found);
            }
            Ok(end)
        });
        self.candidates = candidates;
        self.openings = openings;
        step
    }

    /// Makes the label of a node exclude goals; its exact zone does.
    fn avoid_goals(&mut self, node: u32) {
        if let Some(data) = &mut self.labels.data
            && data.keep_goals(&self.graph, node, &self.cells, self.goals.sought).is_err()
        {
            data.pin(&self.graph, node);
        }
        let goals = self.graph.goals(self.graph.nodes[node as usize].part);
        if goals == NONE {
            return;
        }
        for demanded in self.goals.demands(goals) {
            let setting = self.graph.setting(node);
            let constraints: Vec<Constraint> =
                demanded.iter().map(|&difference| setting.constraint(difference)).collect();
            self.labels.time.disable(&mut self.graph, node, &constraints);
        }
    }

    /// Finds all transitions that some valuation of a node's label may take.
    pub(crate) fn find_openings(
        &mut self,
        node: u32,
        candidates: &mut Candidates,
        openings: &mut Openings,
    ) -> Result<(), Failure> {
        let part = self.graph.nodes[node as usize].part;
        self.graph.cells(part, &mut self.cells);
        self.moves.set_source(&self.cells);
        let whole = self.graph.setting(node).whole.clone();
        if self.find_openings_within(node, &whole, candidates, openings).is_ok() {
            // A guard that nobody asks for may fail: then everything is kept.
            if let Some(data) = &mut self.labels.data
                && data.keep_openings(&self.graph, node, &self.cells).is_err()
            {
                data.pin(&self.graph, node);
            }
            return Ok(());
        }
        // What failed may be nothing that the exact zone can meet.
        let [lower, upper] = constants(&mut self.explorer, &self.cells, self.graph.setting(node));
        self.labels.time.pin(&mut self.graph, node, LuBounds { lower: &lower, upper: &upper });
        if let Some(data) = &mut self.labels.data {
            data.pin(&self.graph, node);
        }
        let exact = self.graph.exact(node).to_zone();
        self.find_openings_within(node, &exact, candidates, openings)
    }

    /// Finds the transitions that some valuation of a zone may take, within the discrete state of a node.
    fn find_openings_within(
        &mut self,
        node: u32,
        zone: &Zone,
        candidates: &mut Candidates,
        openings: &mut Openings,
    ) -> Result<(), Failure> {
        openings.clear();
        self.moves.rewind();
        let source = Source { setting: self.graph.setting(node), zone };
        self.moves.find(&source, candidates).map_err(Failure::outside)?;
        for position in 0..candidates.len() {
            let candidate = candidates.get(position);
            let fail = |error: EvalError| Failure { error, edges: candidate.edges.to_vec() };
            self.moves.rewind();
            let start = openings.guards.len();
            if self.moves.needs_splitting(candidate) {
                let possible = self.moves.possible(candidates, position, &source);
                let possible = self.moves.tolerate(possible, source.nothing()).map_err(fail)?;
                for piece in possible.zones() {
                    let start = openings.guards.len();
                    openings.guards.extend(cuts(&source, piece, self.has_diagonals));
                    openings.close(position, start, true);
                }
            } else if read_guard(&mut self.moves, candidate, &mut openings.guards).map_err(fail)? {
                openings.close(position, start, false);
            } else {
                openings.guards.truncate(start);
            }
        }
        Ok(())
    }

    /// Takes some edges under a guard, or makes that impossible from the label of a node as well.
    fn fire(&mut self, node: u32, edges: &[EdgeId], guard: &[ClockDifference], is_split: bool) -> Step {
        if !self.carry_predicates(node, edges) {
            return Ok(None);
        }
        self.moves.rewind();
        let setting = self.graph.setting(node);
        self.tried += 1;
        self.entries += (setting.dim() * setting.dim()) as u64;
        let constraints: Vec<Constraint> =
            guard.iter().map(|&difference| setting.constraint(difference)).collect();
        let mut from = self.graph.exact(node).to_zone();
        if !from.constrain_all(&constraints) {
            self.labels.time.disable(&mut self.graph, node, &constraints);
            return Ok(None);
        }
        let is_below = |clock, value| may_be_below(setting, &from, clock, value);
        let arrived = self.moves.arrive(edges, is_below);
        let arrived = self.moves.tolerate(arrived, false);
        let has_arrived = arrived.map_err(|error| Failure { error, edges: edges.to_vec() })?;
        if let Some(data) = &mut self.labels.data {
            data.keep_step(&self.graph, node, edges);
        }
        if !has_arrived {
            self.keep_out(node, edges);
            return Ok(None);
        }
        for &(_, origin) in self.moves.lowered() {
            let place = self.graph.setting(node).place(origin.clock);
            if place != 0 {
                let negative = Constraint::new(place, 0, Bound::lt(-origin.offset));
                let constraints: Vec<Constraint> = constraints.iter().copied().chain([negative]).collect();
                self.labels.time.disable(&mut self.graph, node, &constraints);
            }
        }
        self.arrive_at(node, edges, guard, is_split, &from)
    }

    /// Finds out what is known of predicates after some edges. `false`: they cannot be taken.
    pub(crate) fn carry_predicates(&mut self, node: u32, edges: &[EdgeId]) -> bool {
        let Some(predicates) = &mut self.predicates else { return true };
        let cube = self.graph.cube(self.graph.nodes[node as usize].part);
        match predicates.after(&self.cells, cube, edges) {
            Some(cube) => {
                self.cube = cube;
                true
            }
            None => false,
        }
    }

    /// Makes a node of where the moves have arrived from some valuations of another one, if that is possible; otherwise it is made impossible from the other one's
    /// label as well.
    fn arrive_at(
        &mut self,
        parent: u32,
        edges: &[EdgeId],
        guard: &[ClockDifference],
        is_split: bool,
        from: &Zone,
    ) -> Step {
        let (part, number) = self.arrival(parent, edges, guard, is_split);
        let Graph { settings, operations, .. } = &self.graph;
        let source = settings.get(self.source_setting(parent));
        let target = settings.get(self.graph.setting_number(part));
        let operation = operations.get(number);
        let mut zone = Zone::zero(1);
        if !operation.carry(from, source, target, &mut zone) {
            if parent != NONE
                && let Some(constraints) = operation.entry(source, target)
            {
                self.labels.time.disable(&mut self.graph, parent, &constraints);
            }
            self.keep_out(parent, edges);
            return Ok(None);
        }
        self.statistics.generated += u64::from(parent != NONE);
        self.entries += zone.entries().len() as u64;
        self.widen(part, &mut zone);
        let node = self.graph.add_node(part, parent, number, &zone);
        if let Some(data) = &mut self.labels.data {
            data.add(&self.graph, node, self.moves.cells());
        }
        if self.knows_constants {
            let [lower, upper] = constants(&mut self.explorer, self.moves.cells(), self.graph.setting(node));
            self.labels.time.pin(&mut self.graph, node, LuBounds { lower: &lower, upper: &upper });
        }
        if let Some(finally) = self.meets_goal(node, &zone)? {
            return Ok(Some(End::Found(node, finally)));
        }
        if self.waiting.wants(part) {
            self.explorer.load_source(|_, own| own.copy_from_slice(self.moves.cells()), Zone::set_zero);
            self.waiting.see(part, self.explorer.source());
        }
        self.waiting.push(&self.graph, node);
        Ok(None)
    }

    /// Makes a node keep why a transition leads nowhere.
    fn keep_out(&mut self, node: u32, edges: &[EdgeId]) {
        if let Some(data) = &mut self.labels.data
            && node != NONE
        {
            data.keep_out(&self.graph, node, edges, &self.cells);
        }
    }

    /// Where the moves have arrived from a node: the discrete state, and the number of the operation.
    pub(crate) fn arrival(
        &mut self,
        parent: u32,
        edges: &[EdgeId],
        guard: &[ClockDifference],
        is_split: bool,
    ) -> (u32, u32) {
        let part = self.part();
        let target = self.graph.setting_number(part);
        let Graph { settings, operations, .. } = &mut self.graph;
        let clocks = settings.get(target).clocks.iter().map(|&clock| ClockId(clock));
        let origins = clocks.map(|clock| (clock, self.moves.origin(clock)));
        debug_assert!(parent != NONE || guard.is_empty());
        (part, operations.intern(edges, guard, is_split, origins))
    }

    /// The number of the setting of a node; of the root's parent, that of no clocks.
    fn source_setting(&self, parent: u32) -> u32 {
        match parent {
            NONE => self.nowhere,
            parent => self.graph.setting_number(self.graph.nodes[parent as usize].part),
        }
    }

    /// The discrete state that the moves have arrived in.
    fn part(&mut self) -> u32 {
        if let Some(part) = self.graph.find_part(self.moves.cells(), &self.cube) {
            return part;
        }
        self.explorer.load_source(|_, own| own.copy_from_slice(self.moves.cells()), Zone::set_zero);
        let (invariants, may_delay) = (self.moves.invariants(), self.moves.may_delay());
        let all: Vec<u32>;
        let clocks = match self.scope {
            Scope::Active => &self.explorer.source().clocks,
            Scope::Global => {
                all = (0..self.network.clocks.len() as u32).collect();
                &all
            }
        };
        let setting = self.graph.settings.intern(self.network.clocks.len(), clocks, invariants, may_delay);
        let cells = self.moves.cells();
        let common = match &self.labels {
            Coverage { data: Some(_), .. } => Some(&cells[..self.network.processes.len()]),
            Coverage { cubes: true, .. } => Some(cells),
            Coverage { .. } => None,
        };
        let class = common.map(|common| {
            let next = self.classes.len() as u32;
            *self.classes.entry(common.into()).or_insert(next)
        });
        self.graph.add_part(setting, class)
    }

    /// Keeps the bounds of a zone small enough to compute with.
    fn widen(&mut self, part: u32, zone: &mut Zone) {
        if !zone.is_far() {
            return;
        }
        if self.has_diagonals {
            let mut largest = vec![Bound::FAR / 2; zone.dim()];
            largest[0] = 0;
            zone.extrapolate_m(&largest);
            self.is_approximate = true;
        } else {
            let setting = self.graph.settings.get(self.graph.setting_number(part));
            let [lower, upper] = constants(&mut self.explorer, self.moves.cells(), setting);
            zone.extrapolate_lu_plus(LuBounds { lower: &lower, upper: &upper });
        }
    }

    /// What a goal demands of clocks that a new node meets, where the moves have arrived.
    fn meets_goal(&mut self, node: u32, zone: &Zone) -> Result<Option<Vec<ClockDifference>>, Failure> {
        let part = self.graph.nodes[node as usize].part;
        if self.graph.goals(part) == UNKNOWN {
            let (cells, cube, predicates) = (self.moves.cells(), &self.cube, &mut self.predicates);
            let admits =
                |goal| predicates.as_mut().is_none_or(|predicates| predicates.admits(cells, cube, goal));
            let demands = self.goals.demands_of(cells, admits).map_err(Failure::outside)?;
            self.graph.set_goals(part, demands.unwrap_or(NONE));
        }
        let goals = self.graph.goals(part);
        if goals == NONE {
            return Ok(None);
        }
        let setting = self.graph.setting(node);
        let is_met = |demanded: &&Vec<ClockDifference>| {
            let constraints: Vec<Constraint> = demanded.iter().map(|&d| setting.constraint(d)).collect();
            zone.clone().constrain_all(&constraints)
        };
        Ok(self.goals.demands(goals).iter().find(is_met).cloned())
    }
}

/// The largest constants of lower and of upper guards that matter in a discrete state, for the clocks of its setting.
fn constants(explorer: &mut Explorer<'_>, cells: &[i32], setting: &Setting) -> [Vec<i32>; 2] {
    explorer.load_source(|_, own| own.copy_from_slice(cells), Zone::set_zero);
    let state = explorer.source();
    let place = |clock: &u32| state.clocks.iter().position(|own| own == clock);
    let places: Vec<Option<usize>> = setting.clocks.iter().map(place).collect();
    [&state.lower, &state.upper]
        .map(|bounds| places.iter().map(|place| place.map_or(NO_BOUND, |place| bounds[place])).collect())
}

/// Reads the guard of a candidate. `false`: it cannot be evaluated, which is no error, and the candidate is not possible.
fn read_guard(
    moves: &mut Moves<'_>,
    candidate: Candidate<'_>,
    guard: &mut Vec<ClockDifference>,
) -> Result<bool, EvalError> {
    let read = moves.guard(candidate.edges, |constraint| {
        guard.push(constraint);
        true
    });
    moves.tolerate(read, false)
}

/// The constraints that cut a piece out of what satisfies the invariants.
fn cuts(source: &Source<'_>, piece: &Zone, has_diagonals: bool) -> Vec<ClockDifference> {
    let mut constraints = Vec::new();
    if has_diagonals {
        piece.minimal_form(&mut constraints);
    } else {
        // All cuts are bounds on single clocks.
        for clock in 1..piece.dim() {
            constraints.push(Constraint::new(clock, 0, piece.get(clock, 0)));
            constraints.push(Constraint::new(0, clock, piece.get(0, clock)));
        }
    }
    let whole = &source.setting.whole;
    let cuts = constraints.into_iter().filter(|&c| !c.bound.is_infinite() && !whole.satisfies(c));
    cuts.map(|c| source.setting.difference(c)).collect()
}
