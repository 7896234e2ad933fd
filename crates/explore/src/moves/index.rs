//! The edges of every location, as finding candidates wants them.
//!
//! Candidates are found in every state that is expanded, and most edges are not ready in most states. So what tells that is decided beforehand and lies side by
//! side: comparisons of variables with constants, with which most guards begin, constraints on clocks with fixed bounds, and whom an edge needs in order to
//! move. Who is there to meet is noted once per state, a bit for each meeting place; edges that would meet nobody are passed over, unless their guards may
//! fail: errors of a model are reported whether or not the transition is possible.

use crate::time_domain::ClockDifference;
use guidepost_network::{
    ChannelId, ChannelRef, ClockConstraint, Code, Codes, Comparison, Edge, EdgeId, Location, LocationKind,
    Machine, Network, Operand, ProcessId, Shape, Sync,
};

/// How an edge takes part in a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It moves alone.
    Alone,
    /// It sends on a channel.
    Send(ChannelId),
    /// It receives on a channel.
    Receive(ChannelId),
    /// It sends or receives on a channel that depends on the data.
    Dynamic,
    /// It joins a vector.
    Join(u32),
}

/// An edge as candidates see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedEdge {
    pub(crate) id: EdgeId,
    pub(crate) role: Role,
    /// Into [`EdgeIndex::tests`].
    first_test: u32,
    /// Into [`EdgeIndex::clocks`].
    first_clock: u32,
    tests: u8,
    clocks: u8,
    /// Not all of the data guard is in the tests.
    pub(crate) has_more_data: bool,
    /// Bounds or conditions of the clock guard depend on the data, so that it is not listed.
    pub(crate) has_varying_clocks: bool,
}

impl IndexedEdge {
    /// Whether it has no guard at all.
    #[inline]
    pub(crate) fn is_free(&self) -> bool {
        self.tests == 0 && self.clocks == 0 && !self.has_more_data && !self.has_varying_clocks
    }

    /// How many conditions of the data guard are in the tests; they are the first ones.
    pub(crate) fn tests(&self) -> usize {
        self.tests.into()
    }
}

/// Some meeting places, as bits of one word: those where a location can be met, or those where an edge must meet somebody in order to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting {
    pub(crate) word: u32,
    pub(crate) bits: u64,
}

impl Meeting {
    /// Nobody must be met, or that is not known beforehand, or the guard may fail, so that it is evaluated anyway.
    pub(crate) const NOBODY: Self = Self { word: 0, bits: 0 };

    fn at(place: u32) -> Self {
        Self { word: place / u64::BITS, bits: 1 << (place % u64::BITS) }
    }
}

/// A comparison of a cell with a constant, as an interval: `(cell - low)`, without sign, is at most `span`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Test {
    cell: u32,
    low: i32,
    span: u32,
}

impl Test {
    #[inline]
    fn holds(self, cells: &[i32]) -> bool {
        cells[self.cell as usize].wrapping_sub(self.low) as u32 <= self.span
    }

    /// The test that is a comparison.
    fn new(cell: usize, op: Comparison, value: i32) -> Option<Self> {
        let between = |low: i32, high: i32| (low, high.wrapping_sub(low) as u32);
        let (low, span) = match op {
            Comparison::Eq => between(value, value),
            // All numbers from the next one on, around the circle.
            Comparison::Ne => (value.wrapping_add(1), u32::MAX - 1),
            Comparison::Lt => between(i32::MIN, value.checked_sub(1)?),
            Comparison::Le => between(i32::MIN, value),
            Comparison::Gt => between(value.checked_add(1)?, i32::MAX),
            Comparison::Ge => between(value, i32::MAX),
        };
        Some(Self { cell: cell as u32, low, span })
    }

    /// The test that is a whole condition.
    fn of(network: &Network, codes: &Codes<'_>, condition: Code) -> Option<Self> {
        let variable = |index: usize| network.processes.len() + index;
        match codes.shape(condition) {
            Shape::Var(var) => Self::new(variable(var.index()), Comparison::Ne, 0),
            Shape::VarCmpConst { var, op, value } => Self::new(variable(var.index()), op, value),
            Shape::AtLocation { process, location, inside } => {
                let op = if inside { Comparison::Eq } else { Comparison::Ne };
                Self::new(process.index(), op, location.0 as i32)
            }
            _ => None,
        }
    }
}

/// What taking an edge takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) process: ProcessId,
    pub(crate) target: i32,
    pub(crate) update: Option<Code>,
    /// Of the target: what entering it has to look at.
    pub(crate) facts: u8,
    /// Where its clock guard is listed, into [`EdgeIndex::clocks`]; `None` if it varies.
    guard: Option<(u32, u32)>,
}

/// What entering a location has to look at, as bits: most locations need nothing of it, and one byte each fits into a few cache lines.
pub(crate) const DATA_INVARIANT: u8 = 1;
/// See [`DATA_INVARIANT`].
pub(crate) const CLOCK_INVARIANT: u8 = 2;
/// Urgent or committed.
pub(crate) const STOPS_TIME: u8 = 4;
/// Has edges on urgent channels.
pub(crate) const URGENT_CHANNEL: u8 = 8;
/// Committed.
pub(crate) const COMMITTED: u8 = 16;
/// Has a rate of the cost that depends on data, so that it may fail.
pub(crate) const COMPUTED_RATE: u8 = 32;

/// What belongs to one location, in the lists of the index.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Edges that move alone begin here,
    alone: u32,
    /// then those that meet others,
    shared: u32,
    /// and here they end.
    end: u32,
    /// Meeting places where the location can be met: here they begin,
    offers: u32,
    /// and here they end.
    offers_end: u32,
}

/// The index of a network.
#[derive(Clone, Debug)]
pub(crate) struct EdgeIndex {
    /// By location.
    entries: Vec<Entry>,
    facts: Vec<u8>,
    has_data_invariants: bool,
    /// By location: edges on urgent channels: while one can synchronise, no time passes.
    urgent: Vec<Vec<EdgeId>>,
    /// Location by location.
    edges: Vec<IndexedEdge>,
    /// By edge, in the same order.
    needs: Vec<Meeting>,
    tests: Vec<Test>,
    clocks: Vec<ClockDifference>,
    /// One for each word, location by location.
    offers: Vec<Meeting>,
    places: Places,
    /// By edge.
    steps: Vec<Step>,
    /// By location: its clock invariant, unless that varies.
    invariants: Vec<Option<Box<[ClockDifference]>>>,
}

impl Step {
    fn new(edge: &Edge, facts: &[u8]) -> Self {
        let (process, update, facts) = (edge.process, edge.update, facts[edge.target.index()]);
        Self { process, target: edge.target.0 as i32, update, facts, guard: None }
    }
}

impl EdgeIndex {
    pub(crate) fn new(network: &Network) -> Self {
        let machine = Machine::new(&network.program);
        let codes = machine.codes();
        let urgent: Vec<Vec<EdgeId>> =
            network.locations.iter().map(|location| urgent_edges(network, location)).collect();
        let facts: Vec<u8> = (network.locations.iter().zip(&urgent))
            .map(|(location, urgent)| facts(network, location, !urgent.is_empty()))
            .collect();
        let mut index = Self {
            entries: Vec::new(),
            steps: network.edges.iter().map(|edge| Step::new(edge, &facts)).collect(),
            has_data_invariants: facts.iter().any(|facts| facts & DATA_INVARIANT != 0),
            facts,
            urgent,
            edges: Vec::new(),
            needs: Vec::new(),
            tests: Vec::new(),
            clocks: Vec::new(),
            offers: Vec::new(),
            places: Places::new(network),
            invariants: network.locations.iter().map(|location| fixed(&location.clock_invariant)).collect(),
        };
        for location in &network.locations {
            index.add(network, &codes, location);
        }
        index
    }

    fn add(&mut self, network: &Network, codes: &Codes<'_>, location: &Location) {
        let alone = self.edges.len() as u32;
        let (lone, shared): (Vec<EdgeId>, Vec<EdgeId>) = location
            .outgoing
            .clone()
            .map(EdgeId)
            .partition(|edge| matches!(network.edges[edge.index()].sync, Sync::Internal));
        for &id in &lone {
            self.push(network, codes, id);
        }
        let first = self.offers.len();
        for &id in &shared {
            self.push(network, codes, id);
            if let Some(place) = self.places.offered(network, &network.edges[id.index()]) {
                self.offer(first, Meeting::at(place));
            }
        }
        self.entries.push(Entry {
            alone,
            shared: alone + lone.len() as u32,
            end: self.edges.len() as u32,
            offers: first as u32,
            offers_end: self.offers.len() as u32,
        });
    }

    /// Adds a place to those of a location, which begin with the first.
    fn offer(&mut self, first: usize, place: Meeting) {
        match self.offers[first..].iter_mut().find(|offer| offer.word == place.word) {
            Some(offer) => offer.bits |= place.bits,
            None => self.offers.push(place),
        }
    }

    fn push(&mut self, network: &Network, codes: &Codes<'_>, id: EdgeId) {
        let edge = &network.edges[id.index()];
        let (first_test, first_clock) = (self.tests.len(), self.clocks.len());
        // Only the first ones: a condition may protect those behind it from failing, and must not be overtaken either.
        let tests = edge.data_guard.iter().map_while(|&code| Test::of(network, codes, code));
        self.tests.extend(tests.take(u8::MAX.into()));
        let tests = self.tests.len() - first_test;
        let fixed = fixed(&edge.clock_guard).filter(|fixed| fixed.len() <= u8::MAX.into());
        let has_varying_clocks = fixed.is_none();
        let clocks = fixed.unwrap_or_default();
        self.edges.push(IndexedEdge {
            id,
            role: role(&edge.sync),
            first_test: first_test as u32,
            first_clock: first_clock as u32,
            tests: tests as u8,
            clocks: clocks.len() as u8,
            has_more_data: tests < edge.data_guard.len(),
            has_varying_clocks,
        });
        let may_fail =
            has_varying_clocks || edge.data_guard[tests..].iter().any(|&code| codes.may_fail(code));
        self.needs.push(if may_fail { Meeting::NOBODY } else { self.places.needed(network, &edge.sync) });
        self.clocks.extend(&clocks);
        let end = self.clocks.len() as u32;
        self.steps[id.index()].guard = (!has_varying_clocks).then_some((first_clock as u32, end));
    }

    /// The edges of a location that move alone.
    #[inline]
    pub(crate) fn alone(&self, location: i32) -> &[IndexedEdge] {
        let entry = &self.entries[location as usize];
        &self.edges[entry.alone as usize..entry.shared as usize]
    }

    /// The edges of a location that meet others, each with whom it must meet.
    #[inline]
    pub(crate) fn shared(&self, location: i32) -> impl Iterator<Item = (Meeting, &IndexedEdge)> {
        let entry = &self.entries[location as usize];
        let range = entry.shared as usize..entry.end as usize;
        self.needs[range.clone()].iter().copied().zip(&self.edges[range])
    }

    /// Whether an edge passes its tests in some cells.
    #[inline]
    pub(crate) fn passes(&self, edge: &IndexedEdge, cells: &[i32]) -> bool {
        let first = edge.first_test as usize;
        self.tests[first..first + usize::from(edge.tests)].iter().all(|test| test.holds(cells))
    }

    /// The variables of the tests that an edge does not pass in some cells, as indices of cells.
    pub(crate) fn failed_cells<'i>(
        &'i self,
        edge: &IndexedEdge,
        cells: &'i [i32],
    ) -> impl Iterator<Item = usize> + 'i {
        let first = edge.first_test as usize;
        let tests = &self.tests[first..first + usize::from(edge.tests)];
        tests.iter().filter(|test| !test.holds(cells)).map(|test| test.cell as usize)
    }

    /// The clock guard of an edge, unless it varies.
    #[inline]
    pub(crate) fn clock_guard(&self, edge: &IndexedEdge) -> &[ClockDifference] {
        let first = edge.first_clock as usize;
        &self.clocks[first..first + usize::from(edge.clocks)]
    }

    /// Meeting places where a process in a location can be met.
    #[inline]
    pub(crate) fn offers(&self, location: i32) -> &[Meeting] {
        let entry = &self.entries[location as usize];
        &self.offers[entry.offers as usize..entry.offers_end as usize]
    }

    /// How many words the meeting places take.
    pub(crate) fn meeting_words(&self) -> usize {
        self.places.words()
    }

    /// Whether a process that may stay out of a vector has an edge on it in a location.
    #[inline]
    pub(crate) fn has_edge_in(&self, location: i32, vector: u32) -> bool {
        let weak = Meeting::at(self.places.vectors[vector as usize].weak);
        self.offers(location).iter().any(|offer| offer.word == weak.word && offer.bits & weak.bits != 0)
    }

    /// The process an edge belongs to.
    #[inline]
    pub(crate) fn process_of(&self, edge: EdgeId) -> ProcessId {
        self.steps[edge.index()].process
    }

    /// What taking an edge takes.
    #[inline]
    pub(crate) fn step(&self, edge: EdgeId) -> Step {
        self.steps[edge.index()]
    }

    /// The clock guard of an edge, unless it varies.
    #[inline]
    pub(crate) fn guard_of(&self, edge: EdgeId) -> Option<&[ClockDifference]> {
        let (start, end) = self.steps[edge.index()].guard?;
        Some(&self.clocks[start as usize..end as usize])
    }

    /// The clock invariant of a location, unless it varies.
    #[inline]
    pub(crate) fn invariant_of(&self, location: i32) -> Option<&[ClockDifference]> {
        self.invariants[location as usize].as_deref()
    }

    /// The edges of a location on urgent channels.
    #[inline]
    pub(crate) fn urgent(&self, location: i32) -> &[EdgeId] {
        &self.urgent[location as usize]
    }

    /// What entering a location has to look at.
    #[inline]
    pub(crate) fn facts(&self, location: i32) -> u8 {
        self.facts[location as usize]
    }

    /// Whether some location has an invariant about data.
    #[inline]
    pub(crate) fn has_data_invariants(&self) -> bool {
        self.has_data_invariants
    }

    /// What the locations of a state have to look at together.
    #[inline]
    pub(crate) fn facts_of(&self, locations: &[i32]) -> u8 {
        locations.iter().fold(0, |facts, &location| facts | self.facts(location))
    }
}

/// Where edges meet: two places for a channel, of senders and of receivers; for a vector, one for each process that cannot stay out, and one for all that can.
#[derive(Clone, Debug)]
struct Places {
    /// By channel: whether every edge on it says so, and none depends on the data. At others, nobody knows beforehand who will be there.
    is_known: Vec<bool>,
    vectors: Vec<VectorPlaces>,
    len: u32,
}

/// The places of a vector.
#[derive(Clone, Copy, Debug)]
struct VectorPlaces {
    /// Of the processes that cannot stay out, in the order of participants: all in one word, so no more than that has bits.
    strong: u32,
    count: u32,
    weak: u32,
}

impl VectorPlaces {
    fn everybody(self) -> Meeting {
        let first = Meeting::at(self.strong);
        let all = if self.count == u64::BITS { u64::MAX } else { (1 << self.count) - 1 };
        Meeting { word: first.word, bits: first.bits.wrapping_mul(all) }
    }
}

impl Places {
    fn new(network: &Network) -> Self {
        let mut is_known = vec![true; network.channels.len()];
        for edge in &network.edges {
            if let Sync::Send(ChannelRef::Dynamic(_, ids)) | Sync::Receive(ChannelRef::Dynamic(_, ids)) =
                &edge.sync
            {
                for id in ids {
                    is_known[id.index()] = false;
                }
            }
        }
        let mut places = Self { is_known, vectors: Vec::new(), len: 2 * network.channels.len() as u32 };
        for vector in &network.vectors {
            places.add_vector(&vector.participants);
        }
        places
    }

    fn add_vector(&mut self, participants: &[(ProcessId, bool)]) {
        let count =
            participants.iter().filter(|(_, is_weak)| !is_weak).count().min(u64::BITS as usize) as u32;
        if self.len % u64::BITS + count > u64::BITS {
            self.len = self.len.next_multiple_of(u64::BITS);
        }
        self.vectors.push(VectorPlaces { strong: self.len, count, weak: self.len + count });
        self.len += count + 1;
    }

    /// How many words they take; one at least.
    fn words(&self) -> usize {
        (self.len / u64::BITS + 1) as usize
    }

    fn senders(channel: ChannelId) -> u32 {
        2 * channel.0
    }

    fn receivers(channel: ChannelId) -> u32 {
        2 * channel.0 + 1
    }

    /// The place where an edge can be met, if that is known.
    fn offered(&self, network: &Network, edge: &Edge) -> Option<u32> {
        match &edge.sync {
            Sync::Send(ChannelRef::Static(id)) => Some(Self::senders(*id)),
            Sync::Receive(ChannelRef::Static(id)) => Some(Self::receivers(*id)),
            Sync::Internal | Sync::Send(ChannelRef::Dynamic(..)) | Sync::Receive(ChannelRef::Dynamic(..)) => {
                None
            }
            Sync::Join(vector) => {
                let places = self.vectors[*vector as usize];
                let participants = &network.vectors[*vector as usize].participants;
                let mut strong = participants.iter().filter(|(_, is_weak)| !is_weak);
                match strong.position(|&(process, _)| process == edge.process) {
                    Some(position) => {
                        (position < places.count as usize).then_some(places.strong + position as u32)
                    }
                    None => Some(places.weak),
                }
            }
        }
    }

    fn needed(&self, network: &Network, sync: &Sync) -> Meeting {
        let is_broadcast = |id: &ChannelId| network.channels[id.index()].broadcast;
        match sync {
            Sync::Send(ChannelRef::Static(id)) if self.is_known[id.index()] && !is_broadcast(id) => {
                Meeting::at(Self::receivers(*id))
            }
            Sync::Receive(ChannelRef::Static(id)) if self.is_known[id.index()] => {
                Meeting::at(Self::senders(*id))
            }
            Sync::Join(vector) => self.vectors[*vector as usize].everybody(),
            _ => Meeting::NOBODY,
        }
    }
}

fn role(sync: &Sync) -> Role {
    match sync {
        Sync::Internal => Role::Alone,
        Sync::Send(ChannelRef::Static(id)) => Role::Send(*id),
        Sync::Receive(ChannelRef::Static(id)) => Role::Receive(*id),
        Sync::Send(ChannelRef::Dynamic(..)) | Sync::Receive(ChannelRef::Dynamic(..)) => Role::Dynamic,
        Sync::Join(vector) => Role::Join(*vector),
    }
}

/// Constraints that are the same in all states.
fn fixed(constraints: &[ClockConstraint]) -> Option<Box<[ClockDifference]>> {
    let fixed = |constraint: &ClockConstraint| match (constraint.bound, constraint.condition) {
        (Operand::Const(value), None) => {
            Some(ClockDifference::new(constraint.left, constraint.right, value, constraint.strict))
        }
        _ => None,
    };
    constraints.iter().map(fixed).collect()
}

fn urgent_edges(network: &Network, location: &Location) -> Vec<EdgeId> {
    let is_urgent = |edge: &EdgeId| match &network.edges[edge.index()].sync {
        Sync::Send(channel) | Sync::Receive(channel) => {
            channel.candidates().iter().any(|channel| network.channels[channel.index()].urgent)
        }
        Sync::Internal | Sync::Join(_) => false,
    };
    location.outgoing.clone().map(EdgeId).filter(is_urgent).collect()
}

fn facts(network: &Network, location: &Location, has_urgent_edges: bool) -> u8 {
    let is_computed = |code| {
        let (low, high) = network.program.codes().range(code);
        low != high
    };
    let bit = |holds: bool, bit: u8| if holds { bit } else { 0 };
    bit(!location.data_invariant.is_empty(), DATA_INVARIANT)
        | bit(!location.clock_invariant.is_empty(), CLOCK_INVARIANT)
        | bit(location.kind != LocationKind::Normal, STOPS_TIME)
        | bit(has_urgent_edges, URGENT_CHANNEL)
        | bit(location.kind == LocationKind::Committed, COMMITTED)
        | bit(location.cost_rate.is_some_and(is_computed), COMPUTED_RATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_the_comparison() {
        let numbers = [i32::MIN, i32::MIN + 1, -7, -1, 0, 1, 3, 7, i32::MAX - 1, i32::MAX];
        let ops =
            [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge];
        for op in ops {
            for value in numbers {
                let Some(test) = Test::new(1, op, value) else {
                    assert!(matches!((op, value), (Comparison::Lt, i32::MIN) | (Comparison::Gt, i32::MAX)));
                    continue;
                };
                for number in numbers {
                    assert_eq!(test.holds(&[5, number]), op.test(number, value), "{number} {op:?} {value}");
                }
            }
        }
    }
}
