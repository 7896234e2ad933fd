//! What permutations of scalar sets do to the network, and which sets have to stay as they are; see [`crate::symmetry`].

use super::Builder;
use super::asymmetry::refusals;
use super::layout::{Kind, Layout, Sizes};
use super::walk::any;
use crate::network::{ClockValue, Edge, Network, ProcessId, Sync};
use crate::symmetry::{Asymmetry, Content, EdgeIndex, Family, ScalarSet, Symmetries};
use guidepost_language::model::{Expr, ExprKind, IndexType, ScalarId, Symbol, SymbolId, SymbolKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// How scalar sets come into the names of cells, clocks and channels, noted while these are declared.
#[derive(Default)]
pub(crate) struct ScalarNotes {
    data: Vec<Leaf>,
    clocks: Vec<Leaf>,
    channels: Vec<Leaf>,
    owners: Vec<Owner>,
    /// All sizes of each set.
    sizes: BTreeMap<ScalarId, BTreeSet<i32>>,
}

/// One cell, clock or channel.
#[derive(Clone, Default)]
struct Leaf {
    /// The indices that are scalars: the set, the member, and how far apart neighbours are.
    subscripts: Vec<(ScalarId, u32, u32)>,
    /// The set that its value comes from.
    value: Option<ScalarId>,
}

/// A process: the arguments that tell it from the others of its name, and where its cells, clocks and channels begin.
struct Owner {
    name: usize,
    arguments: Vec<(Option<ScalarId>, i32)>,
    start: Sizes,
}

/// The cells, the clocks or the channels; how sizes count them; and where their numbers begin.
type Numbering<'b> = (&'b [Leaf], fn(Sizes) -> u32, u32);

/// A subscript on the way to a leaf, with strides by kind.
type Subscript = (ScalarId, u32, Sizes);

impl ScalarNotes {
    /// Notes the parts of an object that was just declared.
    fn add(&mut self, ty: &Type, layout: &Layout, way: &mut Vec<Subscript>) {
        let leaf = |stride: &dyn Fn(Sizes) -> u32, value| Leaf {
            subscripts: way.iter().map(|&(set, member, sizes)| (set, member, stride(sizes))).collect(),
            value,
        };
        match (&layout.kind, ty) {
            (Kind::Int { .. }, Type::Scalar(set, _)) => self.data.push(leaf(&|sizes| sizes.data, Some(*set))),
            (Kind::Int { .. }, _) => self.data.push(leaf(&|sizes| sizes.data, None)),
            (Kind::Clock, _) => self.clocks.push(leaf(&|sizes| sizes.clocks, None)),
            (Kind::Channel { .. }, _) => self.channels.push(leaf(&|sizes| sizes.channels, None)),
            (Kind::Array { count, element, .. }, Type::Array(array)) => {
                for position in 0..*count {
                    let set = match &array.index {
                        IndexType::Type(Type::Scalar(set, _)) => Some(*set),
                        _ => None,
                    };
                    way.extend(set.map(|set| (set, position, element.size)));
                    self.add(&array.element, element, way);
                    way.truncate(way.len() - usize::from(set.is_some()));
                }
            }
            (Kind::Struct(fields), Type::Struct(types)) => {
                for (field, (_, ty)) in fields.iter().zip(&types.fields) {
                    self.add(ty, &field.layout, way);
                }
            }
            _ => {}
        }
    }
}

impl Builder<'_> {
    /// Notes an object that was just declared.
    pub(crate) fn note_scalars(&mut self, ty: &Type, layout: &Layout) {
        if self.model.scalar_sets > 0 {
            self.scalars.add(ty, layout, &mut Vec::new());
        }
    }

    /// Notes the size of a scalar set.
    pub(crate) fn note_scalar_size(&mut self, set: ScalarId, size: i32) {
        self.scalars.sizes.entry(set).or_default().insert(size);
    }

    /// Where the next cells, clocks and channels begin.
    pub(crate) fn next_places(&self) -> Sizes {
        Sizes {
            data: self.variables.len() as u32,
            clocks: self.clocks.len() as u32,
            channels: self.channels.len() as u32,
        }
    }

    /// Notes a process that was just declared, as a member of a name on the system line.
    pub(crate) fn note_process(&mut self, params: &[SymbolId], values: &[i32], start: Sizes) {
        let set = |&param: &SymbolId| match self.model.symbol(param).ty {
            Type::Scalar(set, _) => Some(set),
            _ => None,
        };
        let arguments = params.iter().map(set).zip(values.iter().copied()).collect();
        let name = self.names.sets.len();
        self.scalars.owners.push(Owner { name, arguments, start });
    }

    /// The symmetries of a network that is complete.
    pub(crate) fn symmetries(&self, network: &Network) -> Symmetries {
        let mut symmetries = Symmetries::default();
        if self.model.scalar_sets == 0 {
            return symmetries;
        }
        let mut refused = refusals(self.model);
        let mut ids = Vec::new();
        for (&set, sizes) in &self.scalars.sizes {
            let size = sizes.iter().max().map_or(1, |&size| size as u32);
            let reason = if sizes.len() > 1 {
                Some(Asymmetry::Sizes)
            } else if size < 2 {
                Some(Asymmetry::Single)
            } else if network.channels.len() > self.scalars.channels.len() {
                Some(Asymmetry::Rendezvous)
            } else {
                refused.remove(&set)
            };
            if let Some(reason) = reason {
                symmetries.refused.push((self.scalar_name(set), reason));
                continue;
            }
            symmetries.sets.push(ScalarSet::new(
                self.scalar_name(set),
                size,
                self.families(network, set, size),
            ));
            ids.push(set);
        }
        if symmetries.sets.is_empty() {
            return symmetries;
        }
        symmetries.selects = self.select_sets(network, &ids);
        let index = EdgeIndex::new(network);
        for position in (0..ids.len()).rev() {
            let reason = if self.receivers_interfere(network, ids[position]) {
                Asymmetry::Receivers
            } else if self.numbers_alternatives(network, ids[position])
                || !symmetries.are_kept(network, &index, position)
            {
                Asymmetry::Structure
            } else {
                continue;
            };
            let set = symmetries.sets.remove(position);
            symmetries.refused.push((set.name, reason));
            ids.remove(position);
            symmetries.selects = self.select_sets(network, &ids);
        }
        symmetries
    }

    fn scalar_name(&self, set: ScalarId) -> String {
        let named = |symbol: &&Symbol| matches!((&symbol.kind, &symbol.ty), (SymbolKind::Type, Type::Scalar(id, _)) if *id == set);
        self.model
            .symbols
            .iter()
            .find(named)
            .map_or_else(|| "scalar".to_owned(), |symbol| symbol.name.to_string())
    }

    /// By edge: which set each value bound by `select` comes from.
    fn select_sets(&self, network: &Network, ids: &[ScalarId]) -> Vec<Vec<Option<u32>>> {
        let position = |set: ScalarId| ids.iter().position(|&id| id == set).map(|position| position as u32);
        let of_edge = |edge: &Edge| {
            let template = &self.model.templates[network.processes[edge.process.index()].template as usize];
            let parts = [Some(edge.origin.edge), edge.origin.branch];
            let binders = parts.into_iter().flatten().flat_map(|part| &template.edges[part as usize].select);
            let set = |&binder: &SymbolId| match self.model.symbol(binder).ty {
                Type::Scalar(set, _) => position(set),
                _ => None,
            };
            binders.map(set).collect()
        };
        network.edges.iter().map(of_edge).collect()
    }

    /// Whether a quantifier over a set splits a guard into several edges, whose numbers then stand for members.
    fn numbers_alternatives(&self, network: &Network, set: ScalarId) -> bool {
        let are_alternatives = |pair: &&[Edge]| {
            let [left, right] = pair else { return false };
            let values = |edge: &Edge| edge.select.iter().map(|(_, value)| *value).collect::<Vec<_>>();
            left.process == right.process && left.origin == right.origin && values(left) == values(right)
        };
        let is_quantified = |expr: &Expr| match &expr.kind {
            ExprKind::Quantified(_, binder, _) => {
                matches!(self.model.symbol(*binder).ty, Type::Scalar(of, _) if of == set)
            }
            _ => false,
        };
        network.edges.windows(2).filter(are_alternatives).any(|pair| {
            let template =
                &self.model.templates[network.processes[pair[0].process.index()].template as usize];
            let parts = [Some(pair[0].origin.edge), pair[0].origin.branch];
            let guards =
                parts.into_iter().flatten().filter_map(|part| template.edges[part as usize].guard.as_ref());
            guards.into_iter().any(|guard| any(guard, &is_quantified))
        })
    }

    /// The cells, clocks and channels that a set permutes.
    fn families(
        &self,
        network: &Network,
        set: ScalarId,
        size: u32,
    ) -> (Vec<Family>, Vec<Family>, Vec<Family>) {
        let notes = &self.scalars;
        let kinds: [Numbering<'_>; 3] = [
            (&notes.data, |sizes| sizes.data, network.processes.len() as u32),
            (&notes.clocks, |sizes| sizes.clocks, 0),
            (&notes.channels, |sizes| sizes.channels, 0),
        ];
        let mut cells = self.process_families(set, size);
        let [data, clocks, channels] = kinds.map(|(leaves, kind, offset)| {
            // The first clock is no clock of the model.
            let skipped = kind(Sizes { clocks: 1, ..Sizes::default() });
            let grid = Grid { builder: self, set, size, leaves, kind, skipped };
            grid.families(offset)
        });
        cells.extend(data);
        (cells, clocks, channels)
    }

    /// The location cells of processes that a set permutes.
    fn process_families(&self, set: ScalarId, size: u32) -> Vec<Family> {
        let (mut families, mut seen) = (Vec::new(), BTreeSet::<u32>::new());
        for process in 0..self.scalars.owners.len() as u32 {
            let dimensions = self.process_coordinates(process, set).len() as u32;
            if dimensions == 0 || seen.contains(&process) {
                continue;
            }
            let members: Vec<u32> =
                tuples(size, dimensions).map(|to| self.process_at(process, set, &to)).collect();
            seen.extend(&members);
            families.push(Family { dimensions, members, content: Content::Location });
        }
        families
    }

    fn process_coordinates(&self, process: u32, set: ScalarId) -> Vec<u32> {
        let arguments = &self.scalars.owners[process as usize].arguments;
        arguments.iter().filter(|(of, _)| *of == Some(set)).map(|&(_, value)| value as u32).collect()
    }

    /// The process with the same arguments but for those from a set.
    fn process_at(&self, process: u32, set: ScalarId, members: &[u32]) -> u32 {
        let owner = &self.scalars.owners[process as usize];
        let mut members = members.iter();
        let arguments: Vec<i32> = owner
            .arguments
            .iter()
            .map(|&(of, value)| match of {
                Some(of) if of == set => members.next().map_or(value, |&member| member as i32),
                _ => value,
            })
            .collect();
        self.names.sets[owner.name].member(&arguments).map_or(process, |process| process.0)
    }

    /// Whether a member of a process set touches what another one writes when both receive a broadcast.
    fn receivers_interfere(&self, network: &Network, set: ScalarId) -> bool {
        // Cells and clocks, by process: those that are written, and all.
        let mut written: BTreeMap<(bool, u32), BTreeSet<u32>> = BTreeMap::new();
        let mut touched: BTreeMap<(bool, u32), BTreeSet<u32>> = BTreeMap::new();
        for edge in &network.edges {
            let ProcessId(process) = edge.process;
            let receives = match &edge.sync {
                Sync::Receive(channel) => {
                    channel.candidates().iter().any(|channel| network.channels[channel.index()].broadcast)
                }
                _ => false,
            };
            let Some(update) = edge.update.filter(|_| receives) else { continue };
            if self.process_coordinates(process, set).is_empty() {
                continue;
            }
            for variable in self.program.writes(update) {
                written.entry((true, variable.0)).or_default().insert(process);
                touched.entry((true, variable.0)).or_default().insert(process);
            }
            for variable in self.program.reads(update) {
                touched.entry((true, variable.0)).or_default().insert(process);
            }
            for effect in &edge.clock_effects {
                written.entry((false, effect.clock.0)).or_default().insert(process);
                touched.entry((false, effect.clock.0)).or_default().insert(process);
                if let ClockValue::Clock(from, ..) = effect.value {
                    touched.entry((false, from.0)).or_default().insert(process);
                }
            }
        }
        let owners = &self.scalars.owners;
        let name = |process: u32| owners[process as usize].name;
        written.iter().any(|(place, writers)| {
            let others = &touched[place];
            writers
                .iter()
                .any(|&writer| others.iter().any(|&other| other != writer && name(other) == name(writer)))
        })
    }
}

/// The cells, the clocks or the channels of a network, as a set permutes them.
struct Grid<'b, 'm> {
    builder: &'b Builder<'m>,
    set: ScalarId,
    size: u32,
    leaves: &'b [Leaf],
    kind: fn(Sizes) -> u32,
    /// How many come before the first leaf.
    skipped: u32,
}

impl Grid<'_, '_> {
    /// All families, with members counted from an offset.
    fn families(&self, offset: u32) -> Vec<Family> {
        let mut seen = vec![false; self.leaves.len()];
        let mut families = Vec::new();
        for index in 0..self.leaves.len() {
            let leaf = &self.leaves[index];
            let owner = self.owner(index as u32 + self.skipped);
            let outer =
                owner.map_or_else(Vec::new, |owner| self.builder.process_coordinates(owner, self.set));
            let inner = leaf.subscripts.iter().filter(|(set, ..)| *set == self.set).count();
            let dimensions = (outer.len() + inner) as u32;
            let holds_member = leaf.value == Some(self.set);
            if seen[index] || (dimensions == 0 && !holds_member) {
                continue;
            }
            let members: Vec<u32> = tuples(self.size, dimensions)
                .map(|to| self.image(index as u32, owner, outer.len(), &to))
                .collect();
            for &member in &members {
                seen[member as usize] = true;
            }
            let members = members.into_iter().map(|member| member + self.skipped + offset).collect();
            let content = if holds_member { Content::Member } else { Content::Plain };
            families.push(Family { dimensions, members, content });
        }
        families
    }

    /// The process that something belongs to.
    fn owner(&self, index: u32) -> Option<u32> {
        let owners = &self.builder.scalars.owners;
        let after = owners.partition_point(|owner| (self.kind)(owner.start) <= index);
        after.checked_sub(1).map(|owner| owner as u32)
    }

    /// The leaf with other members of the set among its indices.
    fn image(&self, index: u32, owner: Option<u32>, outer: usize, members: &[u32]) -> u32 {
        let start = |owner: u32| i64::from((self.kind)(self.builder.scalars.owners[owner as usize].start));
        let mut image = i64::from(index);
        if let Some(owner) = owner.filter(|_| outer > 0) {
            let target = self.builder.process_at(owner, self.set, &members[..outer]);
            image += start(target) - start(owner);
        }
        let own = self.leaves[index as usize].subscripts.iter().filter(|(set, ..)| *set == self.set);
        for (&(_, member, stride), &to) in own.zip(&members[outer..]) {
            image += (i64::from(to) - i64::from(member)) * i64::from(stride);
        }
        image as u32
    }
}

/// All tuples of members, in lexicographic order.
fn tuples(size: u32, dimensions: u32) -> impl Iterator<Item = Vec<u32>> {
    let count = size.pow(dimensions);
    (0..count).map(move |index| (0..dimensions).rev().map(|digit| index / size.pow(digit) % size).collect())
}
