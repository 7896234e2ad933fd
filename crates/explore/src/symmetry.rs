//! One state for all that differ in the names of scalars only.
//!
//! Renaming the members of a scalar set maps transitions to transitions (see [`guidepost_network::symmetry`]), so of all images of a state one is enough: a *representative*. Members are sorted
//! by what can be said about them without their names: where their processes are, what their cells hold, who points to them, then the bounds of their clocks, then how all this relates to members that
//! are already told apart. Any representative is sound, and one that is not unique only costs states.
//!
//! Zones are renamed along with the cells. This needs clocks that matter in a state to matter in its images, up to the same constants, which is checked when an exploration begins.
//!
//! A run through representatives is not a run of the network: every step ends with a renaming. [`Explorer::straighten`] undoes them. If σᵢ renames the i-th representative back to the i-th state
//! of the run, eᵢ is the transition that leaves the representative and πᵢ₊₁ the renaming after it, then the run takes σᵢ eᵢ, and σᵢ₊₁ = σᵢ πᵢ₊₁⁻¹.

use crate::bounds::{ClockBound, LocalBounds};
use crate::exchanges::Exchanges;
use crate::explorer::Explorer;
use crate::moves::Failure;
use crate::sharp::SharpLocations;
use crate::state::{ActiveClocks, SymbolicState};
use crate::time_domain::ClockDifference;
use crate::trace::{PathStep, Represented, TraceError};
use guidepost_network::symmetry::generators;
use guidepost_network::{
    ClockId, Content, EdgeId, EdgeIndex, Family, Fault, LocationId, Network, Renaming, ScalarSet, Subject,
    Symmetries,
};
use guidepost_zones::{Bound, Zone};
use std::sync::Arc;

/// How often members are told apart by those that were told apart before.
const ROUNDS: usize = 3;

/// Maps states to representatives.
pub(crate) struct Representatives<'n> {
    network: &'n Network,
    symmetries: Arc<Symmetries>,
    /// What the last state was renamed by.
    renaming: Renaming,
    is_renamed: bool,
    /// How many states were renamed so far.
    renamed: u64,
    /// The clocks of the last state before it was renamed.
    original: Vec<u32>,
    /// The state before it is renamed.
    before: SymbolicState,
    /// By clock of the zone: where it comes from.
    sources: Vec<usize>,
    signatures: Vec<Vec<i64>>,
    order: Vec<u32>,
    ranks: Vec<u32>,
    /// By clock: the one that becomes it.
    origins: Vec<u32>,
}

impl<'n> Representatives<'n> {
    /// Representatives for a network, unless it is not symmetric in the given bounds.
    pub(crate) fn new(
        network: &'n Network,
        symmetries: Arc<Symmetries>,
        bounds: &LocalBounds,
    ) -> Option<Self> {
        (!symmetries.are_none() && symmetries.sets.iter().all(|set| keeps_bounds(network, set, bounds))).then(
            || Self {
                network,
                renaming: Renaming::identity(&symmetries),
                symmetries,
                is_renamed: false,
                renamed: 0,
                original: Vec::new(),
                before: SymbolicState::new(network),
                sources: Vec::new(),
                signatures: Vec::new(),
                order: Vec::new(),
                ranks: Vec::new(),
                origins: Vec::new(),
            },
        )
    }

    /// What the last state was renamed by.
    pub(crate) fn renaming(&self) -> Option<&Renaming> {
        self.is_renamed.then_some(&self.renaming)
    }

    /// How many states were renamed so far.
    pub(crate) fn renamed(&self) -> u64 {
        self.renamed
    }

    /// Makes a state the representative of its images.
    pub(crate) fn represent(
        &mut self,
        state: &mut SymbolicState,
        bounds: &LocalBounds,
        active: &mut ActiveClocks,
    ) {
        self.is_renamed = false;
        let symmetries = Arc::clone(&self.symmetries);
        for (index, set) in symmetries.sets.iter().enumerate() {
            self.rank(set, state);
            let is_new = self.order.iter().enumerate().any(|(place, &member)| place != member as usize);
            let names = &mut self.renaming.0[index];
            for (place, &member) in (0..).zip(&self.order) {
                names[member as usize] = place;
            }
            if is_new {
                if !std::mem::replace(&mut self.is_renamed, true) {
                    self.original.clone_from(&state.clocks);
                }
                self.rename(set, index, state, bounds, active);
            }
        }
        self.renamed += u64::from(self.is_renamed);
    }

    fn rename(
        &mut self,
        set: &ScalarSet,
        index: usize,
        state: &mut SymbolicState,
        bounds: &LocalBounds,
        active: &mut ActiveClocks,
    ) {
        let names = &self.renaming.0[index];
        self.before.assign(state);
        set.rename_cells(self.network, names, &self.before.cells, &mut state.cells);
        state.find_clocks(bounds, self.network.processes.len(), active);
        self.origins.resize(self.network.clocks.len(), 0);
        for &clock in &self.before.clocks {
            self.origins[set.clock(ClockId(clock), names).index()] = clock;
        }
        let (before, origins) = (&self.before, &self.origins);
        self.sources.clear();
        self.sources
            .extend(state.clocks.iter().map(|&clock| before.active_place(ClockId(origins[clock as usize]))));
        before.zone.gather(&self.sources, &mut state.zone);
    }

    /// The clocks of the state that the last representative stands for, and a part of the representative's zone in terms of these; `None` if it was not renamed.
    pub(crate) fn original_part(&self, part: &Zone, clocks: &[u32]) -> Option<(&[u32], Zone)> {
        let original = &self.original;
        if !self.is_renamed {
            return None;
        }
        let place = |clock: ClockId| clocks.iter().position(|&other| other == clock.0);
        let symmetries = &self.symmetries;
        let sources: Vec<usize> = original
            .iter()
            .map(|&clock| {
                place(symmetries.clock(ClockId(clock), &self.renaming)).expect("the clocks of an image")
            })
            .collect();
        let mut renamed = Zone::zero(original.len());
        part.gather(&sources, &mut renamed);
        Some((original, renamed))
    }

    /// Sorts the members of a set.
    fn rank(&mut self, set: &ScalarSet, state: &SymbolicState) {
        let size = set.size as usize;
        self.signatures.resize_with(size.max(self.signatures.len()), Vec::new);
        let signatures = &mut self.signatures[..size];
        signatures.iter_mut().for_each(Vec::clear);
        let view = View { network: self.network, set, state };
        view.describe_cells(signatures);
        view.describe_clocks(signatures);
        self.ranks.clear();
        self.ranks.resize(size, 0);
        self.order.clear();
        self.order.extend(0..set.size);
        let mut classes = sort(signatures, &mut self.order, &mut self.ranks);
        for _ in 0..ROUNDS {
            if classes == size {
                return;
            }
            signatures.iter_mut().for_each(Vec::clear);
            view.relate(&self.ranks, signatures);
            let refined = sort(signatures, &mut self.order, &mut self.ranks);
            if refined == classes {
                return;
            }
            classes = refined;
        }
    }
}

/// Sorts members by their ranks so far and their signatures; says how many are told apart.
fn sort(signatures: &[Vec<i64>], order: &mut [u32], ranks: &mut [u32]) -> usize {
    let key = |&member: &u32| (ranks[member as usize], &signatures[member as usize]);
    order.sort_by(|left, right| key(left).cmp(&key(right)));
    let mut classes = Vec::with_capacity(order.len());
    let mut class = 0;
    for (position, member) in order.iter().enumerate() {
        if position > 0 && key(&order[position - 1]) != key(member) {
            class = position as u32;
        }
        classes.push(class);
    }
    let mut distinct = 0;
    for (position, &member) in order.iter().enumerate() {
        ranks[member as usize] = classes[position];
        distinct += usize::from(classes[position] == position as u32);
    }
    distinct
}

/// A state as the members of a set see it.
struct View<'s> {
    network: &'s Network,
    set: &'s ScalarSet,
    state: &'s SymbolicState,
}

impl View<'_> {
    fn value(&self, family: &Family, position: usize) -> i64 {
        let cell = family.members[position] as usize;
        let first = match family.content {
            Content::Location => self.network.processes[cell].locations.start,
            _ => 0,
        };
        i64::from(self.state.cells[cell]) - i64::from(first)
    }

    /// The member that a cell holds, if any.
    fn pointee(&self, family: &Family, position: usize) -> Option<usize> {
        self.set.member_of(self.state.cells[family.members[position] as usize]).map(|member| member as usize)
    }

    /// The rank of what a cell holds: of members their rank, of others something below.
    fn rank_of(&self, family: &Family, position: usize, ranks: &[u32]) -> i64 {
        match self.pointee(family, position) {
            Some(member) => ranks[member].into(),
            None => -1 - i64::from(self.state.cells[family.members[position] as usize] as u32),
        }
    }

    fn describe_cells(&self, signatures: &mut [Vec<i64>]) {
        let size = signatures.len();
        for family in &self.set.cells {
            match (family.dimensions, family.content) {
                (0, _) => {
                    let pointee = self.pointee(family, 0);
                    for (member, signature) in signatures.iter_mut().enumerate() {
                        signature.push(i64::from(Some(member) == pointee));
                    }
                }
                (1, Content::Member) => {
                    let base = signatures[0].len();
                    for (member, signature) in signatures.iter_mut().enumerate() {
                        let pointee = self.pointee(family, member);
                        let nobody = if pointee.is_none() { self.value(family, member) } else { 0 };
                        signature.extend([i64::from(pointee == Some(member)), 0, nobody]);
                    }
                    for member in 0..size {
                        if let Some(pointee) = self.pointee(family, member) {
                            signatures[pointee][base + 1] += 1;
                        }
                    }
                }
                (1, _) => {
                    for (member, signature) in signatures.iter_mut().enumerate() {
                        signature.push(self.value(family, member));
                    }
                }
                (2, Content::Plain | Content::Location) => {
                    for (member, signature) in signatures.iter_mut().enumerate() {
                        signature.push(self.value(family, member * size + member));
                        for is_row in [true, false] {
                            let from = signature.len();
                            let at =
                                |other| if is_row { member * size + other } else { other * size + member };
                            signature.extend((0..size).map(|other| self.value(family, at(other))));
                            signature[from..].sort_unstable();
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn describe_clocks(&self, signatures: &mut [Vec<i64>]) {
        let state = self.state;
        for family in self.set.clocks.iter().filter(|family| family.dimensions == 1) {
            for (signature, &clock) in signatures.iter_mut().zip(&family.members) {
                let Some(place) = state.place(ClockId(clock)) else {
                    signature.push(i64::MIN);
                    continue;
                };
                let others =
                    (0..).zip(&state.clocks).filter(|(_, clock)| !self.set.moves_clock(ClockId(**clock)));
                for (other, _) in others {
                    signature.push(entry(state.zone.get(place, other)));
                    signature.push(entry(state.zone.get(other, place)));
                }
            }
        }
    }

    /// Describes members by how they relate to others of known ranks.
    fn relate(&self, ranks: &[u32], signatures: &mut [Vec<i64>]) {
        let (size, state) = (signatures.len(), self.state);
        for family in self.set.cells.iter().filter(|family| family.dimensions == 1) {
            if family.content == Content::Member {
                for (member, signature) in signatures.iter_mut().enumerate() {
                    signature.push(self.rank_of(family, member, ranks));
                }
            }
        }
        let mut relations: Vec<[i64; 3]> = Vec::with_capacity(size);
        for family in self.set.cells.iter().filter(|family| family.dimensions == 2) {
            let meaning = |position| match family.content {
                Content::Member => self.rank_of(family, position, ranks),
                _ => self.value(family, position),
            };
            for (member, signature) in signatures.iter_mut().enumerate() {
                relations.clear();
                relations.extend((0..size).map(|other| {
                    let (row, column) = (member * size + other, other * size + member);
                    [i64::from(ranks[other]), meaning(row), meaning(column)]
                }));
                relations.sort_unstable();
                signature.extend(relations.iter().flatten());
            }
        }
        for family in self.set.clocks.iter().filter(|family| family.dimensions == 1) {
            let place = |member: usize| state.place(ClockId(family.members[member]));
            for (member, signature) in signatures.iter_mut().enumerate() {
                let Some(own) = place(member) else { continue };
                relations.clear();
                relations.extend((0..size).filter_map(|other| {
                    let to = place(other)?;
                    let (there, back) = (state.zone.get(own, to), state.zone.get(to, own));
                    Some([i64::from(ranks[other]), entry(there), entry(back)])
                }));
                relations.sort_unstable();
                signature.extend(relations.iter().flatten());
            }
        }
    }
}

/// A bound as a number, in the same order.
fn entry(bound: Bound) -> i64 {
    if bound == Bound::INFINITY {
        return i64::MAX;
    }
    2 * i64::from(bound.constant()) - i64::from(bound.is_strict())
}

/// Whether the clocks that matter at a location matter at its images, up to the same constants.
fn keeps_bounds(network: &Network, set: &ScalarSet, bounds: &LocalBounds) -> bool {
    generators(set.size).iter().all(|names| {
        let are_same = |mine: &[ClockBound], theirs: &[ClockBound]| {
            let image =
                |bound: &ClockBound| ClockBound { clock: set.clock(ClockId(bound.clock), names).0, ..*bound };
            let mut images: Vec<ClockBound> = mine.iter().map(image).collect();
            images.sort_unstable_by_key(|bound| bound.clock);
            images == theirs
        };
        are_same(bounds.everywhere(), bounds.everywhere())
            && (0..).zip(&network.processes).all(|(id, process)| {
                let other = &network.processes[set.cell(id, names) as usize];
                let mut pairs = process.locations.clone().zip(other.locations.clone());
                pairs.all(|(mine, theirs)| are_same(bounds.at(mine as usize), bounds.at(theirs as usize)))
            })
    })
}

impl SharpLocations {
    /// Adds the images of its members.
    pub fn add_images(&mut self, network: &Network, symmetries: &Symmetries) {
        for set in &symmetries.sets {
            for family in set.cells.iter().filter(|family| family.content == Content::Location) {
                let starts = || {
                    family.members.iter().map(|&process| network.processes[process as usize].locations.start)
                };
                let count = network.processes[family.members[0] as usize].locations.len() as u32;
                for position in 0..count {
                    let is_in = starts().any(|start| self.contains(LocationId(start + position)));
                    if is_in {
                        starts().for_each(|start| self.add(network, start + position));
                    }
                }
            }
        }
    }
}

impl Explorer<'_> {
    /// From now on, successors are representatives of those that differ in the names of scalars only. Says whether the network allows it.
    ///
    /// The initial state stays as it is.
    pub fn exploit_symmetry(&mut self, symmetries: Symmetries) -> bool {
        self.representatives = if self.may_be_asymmetric() {
            None
        } else {
            Representatives::new(self.network, Arc::new(symmetries), &self.bounds)
        };
        self.representatives.is_some()
    }

    /// The run of the network behind a path through representatives, and what holds at its end.
    pub fn straighten(
        &self,
        path: Vec<PathStep>,
        finally: &[ClockDifference],
    ) -> Result<(Vec<PathStep>, Vec<ClockDifference>), TraceError> {
        let is_straight = path.iter().all(|step| step.renaming.is_none());
        if let Some(exchanges) = self.exchanges.as_ref().filter(|_| !is_straight) {
            return Ok((exchanges.straighten(self.network, path), finally.to_vec()));
        }
        let Some(symmetries) = self.symmetries().filter(|_| !is_straight) else {
            return Ok((path, finally.to_vec()));
        };
        let index = EdgeIndex::new(self.network);
        let mut back = Renaming::identity(symmetries);
        let mut straight = Vec::with_capacity(path.len());
        for (number, step) in path.into_iter().enumerate() {
            let edges = self.renamed_edges(&step.edges, &index, &back).ok_or(TraceError::Lost(number + 1))?;
            let restriction = renamed_differences(symmetries, &step.restriction, &back);
            straight.push(PathStep { edges, restriction, renaming: None });
            if let Some(Represented::Renamed(renaming)) = &step.renaming {
                back = back.after_inverse_of(renaming);
            }
        }
        Ok((straight, renamed_differences(symmetries, finally, &back)))
    }

    /// The images of edges that are taken together. Receivers of a broadcast come in the order of their processes.
    fn renamed_edges(
        &self,
        edges: &[EdgeId],
        index: &EdgeIndex<'_>,
        renaming: &Renaming,
    ) -> Option<Vec<EdgeId>> {
        let image = |&edge: &EdgeId| self.symmetries()?.edge(edge, index, renaming);
        let mut images = edges.iter().map(image).collect::<Option<Vec<EdgeId>>>()?;
        if let Some((_, receivers)) = images.split_first_mut() {
            receivers.sort_unstable_by_key(|edge| self.network.edges[edge.index()].process);
        }
        Some(images)
    }

    /// A failure in the last representative of a path, as it happens in the run behind the path.
    pub fn straighten_failure(&self, path: &[PathStep], failure: &Failure) -> Failure {
        let is_straight = path.iter().all(|step| step.renaming.is_none());
        if let Some(exchanges) = self.exchanges.as_ref().filter(|_| !is_straight) {
            return exchanges.straighten_failure(self.network, path, failure);
        }
        let Some(symmetries) = self.symmetries().filter(|_| !is_straight) else {
            return failure.clone();
        };
        let mut back = Renaming::identity(symmetries);
        for step in path {
            if let Some(Represented::Renamed(renaming)) = &step.renaming {
                back = back.after_inverse_of(renaming);
            }
        }
        let edges = self.renamed_edges(&failure.edges, &EdgeIndex::new(self.network), &back);
        let mut error = failure.error.clone();
        if let Fault::OutOfRange { subject: Subject::Variable(variable), .. } = &mut error.fault {
            *variable = symmetries.variable(*variable, self.network, &back);
        }
        Failure { error, edges: edges.unwrap_or_else(|| failure.edges.clone()) }
    }

    /// The symmetries that are exploited.
    fn symmetries(&self) -> Option<&Symmetries> {
        self.representatives.as_ref().map(|representatives| &*representatives.symmetries)
    }

    /// How many successors were exchanged for another representative so far.
    pub fn renamed(&self) -> u64 {
        let exchanged = self.exchanges.as_ref().map_or(0, Exchanges::exchanged);
        exchanged + self.representatives.as_ref().map_or(0, Representatives::renamed)
    }
}

fn renamed_differences(
    symmetries: &Symmetries,
    differences: &[ClockDifference],
    renaming: &Renaming,
) -> Vec<ClockDifference> {
    let image = |difference: &ClockDifference| ClockDifference {
        left: symmetries.clock(difference.left, renaming),
        right: symmetries.clock(difference.right, renaming),
        bound: difference.bound,
    };
    differences.iter().map(image).collect()
}
