//! Scalar sets: which members of a network can be exchanged for each other.
//!
//! The members of a scalar set have no names and no order: a model can only compare them for equality, assign them to each other, use them as indices, and go through all of
//! them in quantifiers and `select`. So renaming the members by a permutation π maps states to states: the process `P(s)` becomes `P(π s)`, the cell `a[s]` becomes
//! `a[π s]`, and a cell whose type is the set changes its value from s to π s.
//!
//! **Claim.** If s →t→ s' is a transition (or a delay), so is π s →π t→ π s', for every set in [`Symmetries::sets`].
//!
//! *Argument.* By induction over expressions and statements: the value of an expression in π s is the renamed value of the renamed expression in s. Equality is preserved since π is
//! injective; an index finds the renamed cell; quantifiers, sums and `select` go through the same members in another order, which does not matter because their bodies have no
//! effects and (checked) cannot fail. A member that appears from nowhere would break this: the value 0 of a constant, of a variable of a function, or of a `meta` variable
//! that is not initialised. Sets with such a thing are left out, and so are those with a loop `for (i : S)`, whose iterations have an order. Receivers of a broadcast update the state in the
//! order of their processes: this changes nothing if (checked) no member of a process set touches what another one writes. Two processes that exchange places belong to one name on the system
//! line, so they have the same priority. ∎
//!
//! The initial state need not be symmetric: a variable of a scalar set begins with *some* member. What is reachable from a state and what is reachable from its image are images of
//! each other all the same. But analyses that begin with the initial state may miss images of what is reachable, see [`Symmetries::keep_initial`].
//!
//! That edges, invariants and channels correspond as they should is checked on the network that was built (by `Symmetries::are_kept`), not only argued for.

mod found;
mod goals;
mod token;

pub(crate) use found::find;

use crate::network::{
    ChannelId, ClockConstraint, ClockId, Edge, EdgeId, Network, Operand, ProcessId, Sync, VarId,
};
use std::cell::OnceCell;
use std::collections::HashMap;

/// The scalar sets of a network.
#[derive(Clone, Debug, Default)]
pub struct Symmetries {
    /// Those whose members can be exchanged for each other.
    pub sets: Vec<ScalarSet>,
    /// The names of the others, and why not.
    pub refused: Vec<(String, Asymmetry)>,
    /// Sets of processes that the model numbers, and that can be exchanged for each other all the same, as far as a question does not tell them apart; see [`Symmetries::for_goals`].
    pub found: Vec<ScalarSet>,
    /// The sets were found.
    are_found: bool,
    /// By edge: the set of each value bound by `select`.
    pub(crate) selects: Vec<Vec<Option<u32>>>,
}

/// Why the members of a scalar set cannot be exchanged for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asymmetry {
    /// It has one member only.
    Single,
    /// It has several sizes: it is declared in a template, with a size that depends on a parameter.
    Sizes,
    /// A loop goes through its members, in their order.
    Loop,
    /// A constant, a `meta` variable or a variable of a function holds a member that nothing else chose.
    Choice,
    /// A quantifier over its members has a body that may fail.
    FailingQuantifier,
    /// Several receivers of a broadcast touch the same variables, in their order.
    Receivers,
    /// Processes synchronise without a sender.
    Rendezvous,
    /// The network does not correspond to its image.
    Structure,
}

impl Asymmetry {
    /// The reason in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Single => "one member only",
            Self::Sizes => "several sizes",
            Self::Loop => "a loop goes through it in order",
            Self::Choice => "a constant, meta or local variable holds a certain member",
            Self::FailingQuantifier => "the body of a quantifier over it may fail",
            Self::Receivers => "receivers of a broadcast touch the same variables",
            Self::Rendezvous => "processes synchronise without a sender",
            Self::Structure => "processes differ",
        }
    }

    /// The reason for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Sizes => "sizes",
            Self::Loop => "loop",
            Self::Choice => "choice",
            Self::FailingQuantifier => "failing-quantifier",
            Self::Receivers => "receivers",
            Self::Rendezvous => "rendezvous",
            Self::Structure => "structure",
        }
    }
}

/// A scalar set, and what a permutation of its members does to the network.
#[derive(Clone, Debug)]
pub struct ScalarSet {
    /// Its name.
    pub name: String,
    /// How many members it has.
    pub size: u32,
    /// Cells of the state that change their place or their value.
    pub cells: Vec<Family>,
    /// Clocks that change their place.
    pub clocks: Vec<Family>,
    pub(crate) channels: Vec<Family>,
    /// By member: the number it goes by in cells; `None`: its own.
    pub(crate) values: Option<Vec<i32>>,
    cell_places: Vec<Option<(u32, u32)>>,
    clock_places: Vec<Option<(u32, u32)>>,
    channel_places: Vec<Option<(u32, u32)>>,
}

/// Cells or clocks that change places with each other: `a[s]` for all s, `b[s][t]` for all s and t.
#[derive(Clone, Debug)]
pub struct Family {
    /// How often it is indexed by the set.
    pub dimensions: u32,
    /// All of them, in lexicographic order of their indices.
    pub members: Vec<u32>,
    /// What they hold.
    pub content: Content,
}

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Something that has nothing to do with the set.
    Plain,
    /// A member of the set.
    Member,
    /// The location of the process with the number of the cell.
    Location,
}

/// New names for the members of all sets: by set and member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming(pub Vec<Vec<u32>>);

impl Renaming {
    /// Everything keeps its name.
    pub fn identity(symmetries: &Symmetries) -> Self {
        Self(symmetries.sets.iter().map(|set| (0..set.size).collect()).collect())
    }

    /// This one, preceded by the inverse of another.
    #[must_use]
    pub fn after_inverse_of(&self, other: &Renaming) -> Self {
        let compose = |(mine, theirs): (&Vec<u32>, &Vec<u32>)| {
            let mut names = vec![0; mine.len()];
            for (&old, &new) in mine.iter().zip(theirs) {
                names[new as usize] = old;
            }
            names
        };
        Self(self.0.iter().zip(&other.0).map(compose).collect())
    }
}

impl Family {
    /// The member at a position with its indices renamed; as a position.
    fn renamed(&self, position: u32, names: &[u32]) -> u32 {
        let size = names.len() as u32;
        let (mut rest, mut factor, mut renamed) = (position, 1, 0);
        for _ in 0..self.dimensions {
            renamed += names[(rest % size) as usize] * factor;
            rest /= size;
            factor *= size;
        }
        renamed
    }
}

impl ScalarSet {
    pub(crate) fn new(
        name: String,
        size: u32,
        (cells, clocks, channels): (Vec<Family>, Vec<Family>, Vec<Family>),
    ) -> Self {
        Self {
            name,
            size,
            cell_places: places(&cells),
            clock_places: places(&clocks),
            channel_places: places(&channels),
            values: None,
            cells,
            clocks,
            channels,
        }
    }

    /// Renames the members of the set in the cells of a state: `to` begins as a copy of `from`.
    pub fn rename_cells(&self, network: &Network, names: &[u32], from: &[i32], to: &mut [i32]) {
        let first = |process: usize| network.processes[process].locations.start as i32;
        for family in &self.cells {
            for (position, &member) in family.members.iter().enumerate() {
                let target = family.members[family.renamed(position as u32, names) as usize] as usize;
                let value = from[member as usize];
                to[target] = match family.content {
                    Content::Plain => value,
                    Content::Member => self.renamed_value(value, names),
                    Content::Location => value - first(member as usize) + first(target),
                };
            }
        }
    }

    /// The member that goes by a number in cells.
    #[inline]
    pub fn member_of(&self, value: i32) -> Option<u32> {
        match &self.values {
            None => Some(value as u32),
            Some(values) => values.iter().position(|&other| other == value).map(|member| member as u32),
        }
    }

    /// The number of a member with another name. Numbers of nobody stay as they are.
    fn renamed_value(&self, value: i32, names: &[u32]) -> i32 {
        let Some(member) = self.member_of(value) else { return value };
        let renamed = names[member as usize];
        self.values.as_ref().map_or(renamed as i32, |values| values[renamed as usize])
    }

    /// Whether a cell holds members.
    fn holds_members(&self, cell: u32) -> bool {
        let family = self.cell_places.get(cell as usize).copied().flatten();
        family.is_some_and(|(family, _)| self.cells[family as usize].content == Content::Member)
    }

    /// The cell that a cell becomes.
    pub fn cell(&self, cell: u32, names: &[u32]) -> u32 {
        image(&self.cells, &self.cell_places, cell, names)
    }

    /// The clock that a clock becomes.
    pub fn clock(&self, clock: ClockId, names: &[u32]) -> ClockId {
        ClockId(image(&self.clocks, &self.clock_places, clock.0, names))
    }

    /// Whether a clock changes places with others.
    pub fn moves_clock(&self, clock: ClockId) -> bool {
        self.clock_places.get(clock.index()).is_some_and(Option::is_some)
    }

    fn channel(&self, channel: ChannelId, names: &[u32]) -> ChannelId {
        ChannelId(image(&self.channels, &self.channel_places, channel.0, names))
    }
}

fn image(families: &[Family], places: &[Option<(u32, u32)>], member: u32, names: &[u32]) -> u32 {
    let Some(&Some((family, position))) = places.get(member as usize) else { return member };
    let family = &families[family as usize];
    family.members[family.renamed(position, names) as usize]
}

/// By member of a family: which one, and where.
fn places(families: &[Family]) -> Vec<Option<(u32, u32)>> {
    let end = families.iter().flat_map(|family| &family.members).max().map_or(0, |&last| last as usize + 1);
    let mut places = vec![None; end];
    for (index, family) in (0..).zip(families) {
        for (position, &member) in (0..).zip(&family.members) {
            places[member as usize] = Some((index, position));
        }
    }
    places
}

/// What tells an edge from all others: its process, its origin, the values bound by `select`, and its number among the alternatives of its guard.
type EdgeKey = (ProcessId, u32, Option<u32>, Vec<i32>, u32);

/// Finds edges by what they are.
pub struct EdgeIndex<'n> {
    network: &'n Network,
    keys: Vec<EdgeKey>,
    edges: HashMap<EdgeKey, EdgeId>,
    /// Once somebody has asked for edges of sets that were found.
    tokens: OnceCell<found::Tokens>,
}

impl<'n> EdgeIndex<'n> {
    /// The index of a network.
    pub fn new(network: &'n Network) -> Self {
        let (mut keys, mut edges) = (Vec::new(), HashMap::new());
        for (id, edge) in (0..).zip(&network.edges) {
            let values = edge.select.iter().map(|(_, value)| *value).collect();
            let mut key = (edge.process, edge.origin.edge, edge.origin.branch, values, 0);
            while edges.contains_key(&key) {
                key.4 += 1;
            }
            edges.insert(key.clone(), EdgeId(id));
            keys.push(key);
        }
        Self { network, keys, edges, tokens: OnceCell::new() }
    }
}

impl Symmetries {
    /// Whether there is nothing to exchange.
    pub fn are_none(&self) -> bool {
        self.sets.is_empty()
    }

    /// The symmetries of what is left of a network, `rest`, when some processes (by number: `true`) have lost their edges, so that only `edges` remain. Scalar sets stay if their permutations exchange
    /// these processes with each other only; others are looked for again, since who is gone may have told members apart.
    #[must_use]
    pub fn beside(&self, rest: &Network, gone: &[bool], edges: &[EdgeId]) -> Self {
        if self.sets.is_empty() && self.refused.is_empty() {
            let is_gone = |set: &ScalarSet| {
                let locations = set.cells.iter().filter(|family| family.content == Content::Location);
                locations.flat_map(|family| &family.members).any(|&process| gone[process as usize])
            };
            let found = find(rest).into_iter().filter(|set| !is_gone(set)).collect();
            return Self { found, ..Self::default() };
        }
        let keeps = |set: &ScalarSet, names: &[u32]| {
            let mut all = 0..gone.len() as u32;
            all.all(|process| gone[process as usize] == gone[set.cell(process, names) as usize])
        };
        if !self.sets.iter().all(|set| generators(set.size).iter().all(|names| keeps(set, names))) {
            return Self::default();
        }
        let of_edge = |edge: &EdgeId| self.selects.get(edge.index()).cloned().unwrap_or_default();
        Self { selects: edges.iter().map(of_edge).collect(), ..self.clone() }
    }

    /// Whether the initial state is its own image under all renamings. Then whatever follows for states that are reachable follows for their images as well.
    pub fn keep_initial(&self, network: &Network) -> bool {
        let initial = network.initial_cells();
        let keeps = |set: &ScalarSet, names: &[u32]| {
            let mut renamed = initial.clone();
            set.rename_cells(network, names, &initial, &mut renamed);
            let clocks = (0..network.clocks.len() as u32).map(ClockId);
            let value = |clock: ClockId| network.clocks[clock.index()].initial;
            renamed == initial
                && clocks.into_iter().all(|clock| value(set.clock(clock, names)) == value(clock))
        };
        self.sets.iter().all(|set| generators(set.size).iter().all(|names| keeps(set, names)))
    }

    /// The process that a process becomes.
    pub fn process(&self, process: ProcessId, renaming: &Renaming) -> ProcessId {
        let pairs = self.sets.iter().zip(&renaming.0);
        ProcessId(pairs.fold(process.0, |process, (set, names)| set.cell(process, names)))
    }

    /// The variable that a variable becomes.
    pub fn variable(&self, variable: VarId, network: &Network, renaming: &Renaming) -> VarId {
        let first = network.processes.len() as u32;
        let pairs = self.sets.iter().zip(&renaming.0);
        VarId(pairs.fold(first + variable.0, |cell, (set, names)| set.cell(cell, names)) - first)
    }

    /// The clock that a clock becomes.
    pub fn clock(&self, clock: ClockId, renaming: &Renaming) -> ClockId {
        self.sets.iter().zip(&renaming.0).fold(clock, |clock, (set, names)| set.clock(clock, names))
    }

    /// The edge that an edge becomes.
    pub fn edge(&self, edge: EdgeId, index: &EdgeIndex<'_>, renaming: &Renaming) -> Option<EdgeId> {
        if self.are_found {
            return self.found_edge(edge, index, renaming);
        }
        let (process, origin, branch, values, alternative) = &index.keys[edge.index()];
        let sets = &self.selects[edge.index()];
        let renamed = |(&value, set): (&i32, &Option<u32>)| match set {
            Some(set) => renaming.0[*set as usize][value as usize] as i32,
            None => value,
        };
        let values = values.iter().zip(sets).map(renamed).collect();
        let key = (self.process(*process, renaming), *origin, *branch, values, *alternative);
        index.edges.get(&key).copied()
    }

    /// Whether the edges and locations of a network correspond to their images, as far as can be seen without running code: for two permutations that
    /// generate all others.
    pub(crate) fn are_kept(&self, network: &Network, index: &EdgeIndex<'_>, set: usize) -> bool {
        generators(self.sets[set].size).into_iter().all(|names| {
            let mut renaming = Renaming::identity(self);
            renaming.0[set] = names;
            self.keeps_edges(network, index, &renaming) && self.keeps_locations(network, &renaming)
        })
    }

    fn keeps_edges(&self, network: &Network, index: &EdgeIndex<'_>, renaming: &Renaming) -> bool {
        let corresponds = |(id, edge): (u32, &Edge)| {
            let Some(image) = self.edge(EdgeId(id), index, renaming) else { return false };
            let image = &network.edges[image.index()];
            let (own, other) =
                (&network.processes[edge.process.index()], &network.processes[image.process.index()]);
            let is_parallel =
                |mine: u32, theirs: u32| mine - own.locations.start == theirs - other.locations.start;
            is_parallel(edge.source.0, image.source.0)
                && is_parallel(edge.target.0, image.target.0)
                && edge.data_guard.len() == image.data_guard.len()
                && edge.update.is_some() == image.update.is_some()
                && self.same_constraints(&edge.clock_guard, &image.clock_guard, renaming)
                && self.same_sync(network, &edge.sync, &image.sync, renaming)
        };
        (0..).zip(&network.edges).all(corresponds)
    }

    fn keeps_locations(&self, network: &Network, renaming: &Renaming) -> bool {
        (0..).map(ProcessId).zip(&network.processes).all(|(id, process)| {
            let other = &network.processes[self.process(id, renaming).index()];
            let pairs = process.locations.clone().zip(other.locations.clone());
            process.template == other.template
                && process.priority == other.priority
                && process.locations.len() == other.locations.len()
                && pairs.into_iter().all(|(mine, theirs)| {
                    let (mine, theirs) =
                        (&network.locations[mine as usize], &network.locations[theirs as usize]);
                    mine.kind == theirs.kind
                        && mine.data_invariant.len() == theirs.data_invariant.len()
                        && mine.rates.len() == theirs.rates.len()
                        && self.same_constraints(&mine.clock_invariant, &theirs.clock_invariant, renaming)
                })
        })
    }

    fn same_constraints(
        &self,
        mine: &[ClockConstraint],
        theirs: &[ClockConstraint],
        renaming: &Renaming,
    ) -> bool {
        let bound = |operand: Operand| match operand {
            Operand::Const(value) => (value, value, true),
            Operand::Code(_, low, high) => (low, high, false),
        };
        let shape = |constraint: &ClockConstraint, left: ClockId, right: ClockId| {
            (left, right, constraint.strict, bound(constraint.bound), constraint.condition.is_some())
        };
        let image = |constraint: &ClockConstraint| {
            shape(constraint, self.clock(constraint.left, renaming), self.clock(constraint.right, renaming))
        };
        let mut images: Vec<_> = mine.iter().map(image).collect();
        let mut others: Vec<_> =
            theirs.iter().map(|constraint| shape(constraint, constraint.left, constraint.right)).collect();
        images.sort_unstable();
        others.sort_unstable();
        images == others
    }

    fn same_sync(&self, network: &Network, mine: &Sync, theirs: &Sync, renaming: &Renaming) -> bool {
        if std::mem::discriminant(mine) != std::mem::discriminant(theirs) {
            return false;
        }
        let image = |&channel: &ChannelId| {
            self.sets
                .iter()
                .zip(&renaming.0)
                .fold(channel, |channel, (set, names)| set.channel(channel, names))
        };
        let alike = |(left, right): (&ChannelId, &ChannelId)| {
            let (left, right) = (&network.channels[left.index()], &network.channels[right.index()]);
            (left.broadcast, left.urgent, left.priority) == (right.broadcast, right.urgent, right.priority)
        };
        let mut images: Vec<ChannelId> = mine.channels().iter().map(image).collect();
        let are_alike = mine.channels().iter().zip(&images).all(alike);
        let mut others = theirs.channels().to_vec();
        images.sort_unstable();
        others.sort_unstable();
        are_alike && images == others
    }
}

/// A transposition and a cycle: together they generate all permutations of so many members.
pub fn generators(size: u32) -> [Vec<u32>; 2] {
    let mut transposition: Vec<u32> = (0..size).collect();
    transposition.swap(0, 1);
    [transposition, (0..size).map(|member| (member + 1) % size).collect()]
}
