//! Which variables what happens depends on, read off the model once.
//!
//! Sets of variables are masks over packed discrete states: a variable is in a set if its bits are. So whether two states agree on a set is a few operations on words.

use guidepost_explore::Packing;
use guidepost_network::{
    ChannelRef, ClockConstraint, Code, Codes, EdgeId, Goal, Network, Operand, Sync, Term, VarId,
};
use std::ops::Range;

/// A set of variables: the bits they have in packed discrete states.
pub(crate) type Mask = Box<[u32]>;

/// A condition on data.
pub(crate) struct Condition {
    pub(crate) code: Code,
    pub(crate) reads: Mask,
}

/// A step of an update.
struct Assignment {
    reads: Mask,
    writes: Mask,
    /// What it writes in any case, and nothing else.
    target: Option<Mask>,
    /// It may set a clock, or carry values on unseen: what it reads matters whatever becomes of what it writes.
    always: bool,
    /// It may fail, so what it reads matters to whoever has to know that it does or does not.
    may_fail: bool,
}

/// What matters about an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Matter {
    /// What it does. States in which it fails do nothing, and nobody needs to tell them apart.
    Effect,
    /// Also whether it fails.
    Success,
}

/// What an edge depends on.
pub(crate) struct EdgeData {
    pub(crate) guard: Vec<Condition>,
    /// What its clock guard and its channel depend on.
    pub(crate) bounds: Mask,
    update: Vec<Assignment>,
}

/// What a location depends on.
struct LocationData {
    /// Bounds of invariants, rates, urgency, and whatever may fail when transitions are looked for.
    always: Mask,
    data_invariant: Mask,
}

/// What a goal depends on.
pub(crate) struct GoalData {
    pub(crate) conditions: Vec<Condition>,
    /// What its clock constraints depend on.
    pub(crate) bounds: Mask,
    /// Conditions may fail, so that an earlier one may protect a later one.
    pub(crate) may_fail: bool,
}

/// What everything in a network depends on.
pub(crate) struct Dependencies {
    edges: Vec<EdgeData>,
    locations: Vec<LocationData>,
    pub(crate) goals: Vec<GoalData>,
    before: Vec<Assignment>,
    after: Vec<Assignment>,
    /// By variable.
    variables: Vec<Mask>,
    /// All of them.
    pub(crate) all: Mask,
    words: usize,
}

impl Dependencies {
    pub(crate) fn new(network: &Network, goals: &[Goal], packing: &Packing) -> Self {
        let reader = Reader::new(network, packing);
        let codes = network.program.codes();
        let hook = |code: Option<Code>| code.map_or_else(Vec::new, |code| reader.update(codes, code));
        let mut all = reader.none();
        for variable in &reader.variables {
            unite(&mut all, variable);
        }
        Self {
            edges: (0..network.edges.len()).map(|edge| reader.edge(EdgeId(edge as u32))).collect(),
            locations: (0..network.locations.len()).map(|location| reader.location(location)).collect(),
            goals: goals.iter().map(|goal| reader.goal(goal)).collect(),
            before: hook(network.before_update),
            after: hook(network.after_update),
            all,
            words: reader.words,
            variables: reader.variables,
        }
    }

    pub(crate) fn none(&self) -> Mask {
        vec![0; self.words].into()
    }

    #[inline]
    pub(crate) fn edge(&self, edge: EdgeId) -> &EdgeData {
        &self.edges[edge.index()]
    }

    /// The variables of a set.
    pub(crate) fn variables<'m>(&'m self, set: &'m [u32]) -> impl Iterator<Item = VarId> + 'm {
        (0..).map(VarId).zip(&self.variables).filter(|(_, mask)| meets(mask, set)).map(|(id, _)| id)
    }

    /// What a discrete state with some locations depends on whatever happens there.
    pub(crate) fn of_locations(&self, locations: &[i32]) -> Mask {
        let mut mask = self.none();
        for &location in locations {
            unite(&mut mask, &self.locations[location as usize].always);
        }
        mask
    }

    /// What the invariants on data of some locations depend on.
    pub(crate) fn of_data_invariants(&self, locations: &[i32]) -> Mask {
        let mut mask = self.none();
        for &location in locations {
            unite(&mut mask, &self.locations[location as usize].data_invariant);
        }
        mask
    }

    /// Turns a set of variables after some edges into one before them: what agrees on it before has the same effect on clocks, if it can take the edges, and agrees on the first
    /// set afterwards. Where success matters, it can take the edges just as well.
    pub(crate) fn before(&self, edges: &[EdgeId], set: &mut [u32], matter: Matter) {
        let updates = edges.iter().map(|edge| &self.edges[edge.index()].update);
        let all = std::iter::once(&self.before).chain(updates).chain([&self.after]);
        let all: Vec<&Vec<Assignment>> = all.collect();
        for assignment in all.into_iter().rev().flat_map(|update| update.iter().rev()) {
            let may_fail = assignment.may_fail && matter == Matter::Success;
            if assignment.always || may_fail || meets(&assignment.writes, set) {
                if let Some(target) = &assignment.target {
                    remove(set, target);
                }
                unite(set, &assignment.reads);
            }
        }
    }
}

impl Dependencies {
    /// The variables that the values of some variables after some edges depend on.
    pub(crate) fn variables_before(&self, edges: &[EdgeId], variables: &[VarId]) -> Vec<VarId> {
        let mut set = self.none();
        for variable in variables {
            unite(&mut set, &self.variables[variable.index()]);
        }
        self.before(edges, &mut set, Matter::Success);
        self.variables(&set).collect()
    }
}

/// Looks into code.
struct Reader<'n> {
    network: &'n Network,
    variables: Vec<Mask>,
    /// By variable: the words in which it has bits. They are few, and arrays may have thousands of variables.
    spans: Vec<Range<usize>>,
    words: usize,
}

impl<'n> Reader<'n> {
    fn new(network: &'n Network, packing: &Packing) -> Self {
        let variables = masks(network, packing);
        let has_bits = |word: &u32| *word != 0;
        let span = |mask: &Mask| {
            let first = mask.iter().position(has_bits).unwrap_or(0);
            first..mask.iter().rposition(has_bits).map_or(first, |last| last + 1)
        };
        Self { network, spans: variables.iter().map(span).collect(), variables, words: packing.words() }
    }

    fn none(&self) -> Mask {
        vec![0; self.words].into()
    }

    fn set(&self, variables: &[VarId]) -> Mask {
        let mut mask = self.none();
        for variable in variables {
            let span = self.spans[variable.index()].clone();
            unite(&mut mask[span.clone()], &self.variables[variable.index()][span]);
        }
        mask
    }

    fn condition(&self, codes: Codes<'_>, code: Code) -> Condition {
        Condition { code, reads: self.set(&codes.reads(code)) }
    }

    /// What clock constraints depend on.
    fn bounds(&self, codes: Codes<'_>, constraints: &[ClockConstraint]) -> Mask {
        let mut mask = self.none();
        for code in constraints.iter().flat_map(codes_of) {
            unite(&mut mask, &self.set(&codes.reads(code)));
        }
        mask
    }

    fn edge(&self, id: EdgeId) -> EdgeData {
        let edge = &self.network.edges[id.index()];
        let codes = self.network.program.codes();
        let mut bounds = self.bounds(codes, &edge.clock_guard);
        if let Some(code) = dynamic_channel(&edge.sync) {
            unite(&mut bounds, &self.set(&codes.reads(code)));
        }
        EdgeData {
            guard: edge.data_guard.iter().map(|&code| self.condition(codes, code)).collect(),
            bounds,
            update: edge.update.map_or_else(Vec::new, |code| self.update(codes, code)),
        }
    }

    fn location(&self, index: usize) -> LocationData {
        let location = &self.network.locations[index];
        let codes = self.network.program.codes();
        let read = |mask: &mut Mask, code: Code| {
            unite(mask, &self.set(&codes.reads(code)));
        };
        let mut data_invariant = self.none();
        location.data_invariant.iter().for_each(|&code| read(&mut data_invariant, code));
        let mut always = self.bounds(codes, &location.clock_invariant);
        location.rates.iter().for_each(|&(_, rate)| read(&mut always, rate));
        if location.data_invariant.iter().any(|&code| codes.may_fail(code)) {
            unite(&mut always, &data_invariant);
        }
        for edge in &self.network.edges[location.outgoing.start as usize..location.outgoing.end as usize] {
            let is_urgent = edge.sync.channels().iter().any(|id| self.network.channels[id.index()].urgent);
            let bounds = edge.clock_guard.iter().flat_map(codes_of).chain(dynamic_channel(&edge.sync));
            let evaluated: Vec<Code> = edge.data_guard.iter().copied().chain(bounds).collect();
            if is_urgent || evaluated.iter().any(|&code| codes.may_fail(code)) {
                for &code in &evaluated {
                    read(&mut always, code);
                }
            }
        }
        LocationData { always, data_invariant }
    }

    fn goal(&self, goal: &Goal) -> GoalData {
        let codes = goal.codes(&self.network.program);
        GoalData {
            conditions: goal.data.iter().map(|&code| self.condition(codes, code)).collect(),
            bounds: self.bounds(codes, &goal.clocks),
            may_fail: goal.data.iter().any(|&code| codes.may_fail(code)),
        }
    }

    fn update(&self, codes: Codes<'_>, code: Code) -> Vec<Assignment> {
        let may_fail = !codes.is_silent(code);
        let listing = codes.listing(code);
        let assignment = |term: &Term| {
            let footprint = listing.footprint(term);
            Assignment {
                reads: self.set(&footprint.reads),
                writes: self.set(&footprint.writes),
                target: self.target(term).filter(|_| footprint.writes.len() == 1),
                always: !listing.clock_effects(term).is_empty() || self.carries(&footprint.writes),
                may_fail,
            }
        };
        listing.terms().iter().map(assignment).collect()
    }

    /// Whether one of some variables is no part of states: within a transition it may carry values on to others unseen.
    fn carries(&self, variables: &[VarId]) -> bool {
        variables.iter().any(|variable| self.network.variables[variable.index()].meta)
    }

    /// What a plain assignment to a variable writes.
    fn target(&self, term: &Term) -> Option<Mask> {
        let Term::Assign(assignment) = term else { return None };
        let variable = (assignment.place.address()? as usize).checked_sub(self.network.processes.len())?;
        self.variables.get(variable).cloned()
    }
}

fn codes_of(constraint: &ClockConstraint) -> impl Iterator<Item = Code> {
    let bound = match constraint.bound {
        Operand::Code(code, ..) => Some(code),
        Operand::Const(_) => None,
    };
    constraint.condition.into_iter().chain(bound)
}

fn dynamic_channel(sync: &Sync) -> Option<Code> {
    match sync {
        Sync::Send(ChannelRef::Dynamic(code, _)) | Sync::Receive(ChannelRef::Dynamic(code, _)) => Some(*code),
        _ => None,
    }
}

/// By variable: the bits that it has in packed states. Those that are not part of states have none.
fn masks(network: &Network, packing: &Packing) -> Vec<Mask> {
    let mut cells = network.initial_cells();
    let first = network.processes.len();
    let mut mask = |(index, variable): (usize, &guidepost_network::Variable)| {
        let span = variable.max.wrapping_sub(variable.min) as u32;
        let ones = u32::MAX.checked_shr(span.leading_zeros()).unwrap_or(0);
        let (mut least, mut most) = (vec![0; packing.words()], vec![0; packing.words()]);
        cells[first + index] = variable.min;
        packing.pack(&cells, &mut least);
        cells[first + index] = variable.min.wrapping_add(ones as i32);
        packing.pack(&cells, &mut most);
        cells[first + index] = variable.initial;
        if variable.meta {
            return vec![0; packing.words()].into();
        }
        least.iter().zip(&most).map(|(least, most)| least ^ most).collect()
    };
    network.variables.iter().enumerate().map(&mut mask).collect()
}

/// Adds a set to another one; says whether it has become larger.
#[inline]
pub(crate) fn unite(set: &mut [u32], other: &[u32]) -> bool {
    let mut is_larger = false;
    for (own, &other) in set.iter_mut().zip(other) {
        is_larger |= other & !*own != 0;
        *own |= other;
    }
    is_larger
}

#[inline]
pub(crate) fn contains(set: &[u32], other: &[u32]) -> bool {
    set.iter().zip(other).all(|(&own, &other)| other & !own == 0)
}

fn meets(set: &[u32], other: &[u32]) -> bool {
    set.iter().zip(other).any(|(&own, &other)| own & other != 0)
}

fn remove(set: &mut [u32], other: &[u32]) {
    for (own, &other) in set.iter_mut().zip(other) {
        *own &= !other;
    }
}
